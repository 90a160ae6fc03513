"""A process that has all tests imported and collected and forks the workers of pytest: each would take nine seconds of processor time.

It is a fork itself, of `tests.support.warm`, which has the program imported.
"""

import gc
import importlib
import os
import random
import socket
import sys
from contextlib import suppress
from multiprocessing import forkserver
from multiprocessing.connection import arbitrary_address
from pathlib import Path
from types import ModuleType

import pytest
from _pytest.config import _prepareconfig

from autonomy.warm.fresh_process import carry_out, open_streams
from tests.support import collected
from tests.support.warm import asked_for, move

UTF_8 = ("utf-8", "strict"), ("utf-8", "strict"), ("utf-8", "backslashreplace")


def import_tests() -> None:
    """Import and collect what a worker would with the same arguments, its asserts rewritten; what fails, fails there again and is told
    there."""
    sys.path[:0] = filter(None, os.environ.get("PYTHONPATH", "").split(os.pathsep))  # which an interpreter would read
    gc.unfreeze()  # hypothesis looks for who holds what it registers
    # Nothing is captured: a named folder's conftest is imported here, and what it imports keeps the streams of that moment as defaults.
    config = _prepareconfig([*sys.argv[1:], "--capture=no"])
    import _hypothesis_globals
    import hypothesis  # plugins are imported by pytest, which rewrites their asserts
    from hypothesis.internal.conjecture import providers
    from xdist.remote import setup_config

    setup_config(config, None)
    if profile := config.getoption("--hypothesis-profile"):
        hypothesis.settings.load_profile(profile)  # what is decorated at import keeps the settings of that moment
    for argument in config.args:
        for file in sorted(Path(argument).rglob("test_*.py")):
            with suppress(Exception, pytest.skip.Exception):
                importlib.import_module(".".join(file.resolve().relative_to(config.rootpath).with_suffix("").parts))
    with suppress(ImportError):
        importlib.import_module("anthropic")  # tests of three rooms load it late, as the program does: seconds in each worker
    _hypothesis_globals.in_initialization -= 1  # which its plugin does where a session starts: here none does, and it would warn
    parsing = os.fork()
    if parsing == 0:
        providers._get_local_constants()  # it keeps for each file what is to be drawn from it; a fresh clone takes two seconds
        os._exit(0)
    with suppress(Exception):
        collected.COLLECTIONS.append(collected.Collection(config))
    os.waitpid(parsing, 0)
    providers._get_local_constants()  # which hypothesis draws from: each worker would parse all of our source for them
    config._ensure_unconfigure()
    gc.collect()
    gc.freeze()


def start_fork_server() -> None:
    """Begin multiprocessing's fork server as a fork of ours: one that it starts itself imports for three seconds, in each worker."""
    server = forkserver._forkserver
    server._forkserver_address = arbitrary_address("AF_UNIX")
    heard, server._forkserver_alive_fd = os.pipe()
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(server._forkserver_address)
        listening.listen()
        server._forkserver_pid = os.fork()
        if server._forkserver_pid == 0:
            os.close(server._forkserver_alive_fd)
            os.dup2(2, 1)  # the worker's own is how it speaks to pytest
            forkserver.main(listening.detach(), heard, [])
    os.close(heard)


def be_worker(cwd: str, env: dict[str, str], arguments: list[str], python: str) -> None:
    """Be a process that was started as `python -u -c LINE`, which is what execnet does."""
    move(cwd, env)
    start_fork_server()
    random.seed()  # workers shall not draw the same
    open_streams(UTF_8)
    sys.argv = ["-c"]
    sys.modules["__main__"] = ModuleType("__main__")  # nor shall what multiprocessing starts run this file
    exec(arguments[0], vars(sys.modules["__main__"]))


if __name__ == "__main__":
    alive, door = os.dup(0), os.dup(1)  # how it is asked for a process: see `tests.support.command`
    with Path(os.devnull).open("r+b") as nothing:
        os.dup2(nothing.fileno(), 0)
    os.dup2(2, 1)
    open_streams(UTF_8)
    request = asked_for(import_tests, alive, door)
    if request is not None:
        be_worker(
            **request
        )  # nothing of our packages may call it: a test that blocks the event loop is judged by who stands below
    carry_out(lambda: None)  # to take the interpreter apart takes a worker three seconds
