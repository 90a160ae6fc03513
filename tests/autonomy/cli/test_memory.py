"""A process that stays shares a few of glibc's heaps among its threads."""

import os
import platform
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.requirements import requirement

PROGRAM = """
import ctypes, sys, threading
from autonomy.cli.entry import share_heaps

share_heaps()
libc, together = ctypes.CDLL(None), threading.Barrier(8)
libc.malloc.restype = libc.fopen.restype = ctypes.c_void_p

def take():
    libc.malloc(1000)
    together.wait(60)

threads = [threading.Thread(target=take) for _ in range(8)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
told = ctypes.c_void_p(libc.fopen(sys.argv[1].encode(), b"w"))
libc.malloc_info(0, told)
libc.fclose(told)
"""


def heaps(file: Path, **environment: str) -> int:
    """How many heaps a process has in which eight threads took memory at once."""
    known = {name: value for name, value in os.environ.items() if name != "MALLOC_ARENA_MAX"}
    subprocess.run([sys.executable, "-c", PROGRAM, str(file)], env=known | environment, check=True, timeout=120)
    return len(re.findall(r"<heap nr=", file.read_text()))


@requirement("R1")
@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="another allocator")
def test_a_process_that_stays_has_two_heaps_unless_its_operator_says_otherwise(tmp_path: Path) -> None:
    assert heaps(tmp_path / "ours") == 2
    assert heaps(tmp_path / "theirs", MALLOC_ARENA_MAX="5") == 5
