"""Server processes that must not outlive us: each carries a mark in its environment, and what is marked can be found and ended.

The mark says whose it is: `<pid namespace>.<our pid>.<our start>.<server>`. A process that left its group or session still has it,
and so has one whose owner was killed. Linux only, as it reads `/proc`; elsewhere nothing is found.
"""

import contextlib
import functools
import os
import signal
import uuid
from collections.abc import Iterator
from pathlib import Path

VARIABLE = "JIRITSU_MCP_SERVER"

_PROC = Path("/proc")


def new_mark() -> str:
    """A mark for one server of this process. Reads `/proc`: call it in a thread."""
    return f"{_identity(os.getpid())}.{uuid.uuid4().hex}"


def kill_marked(mark: str) -> int:
    """Kill every process with that mark; how many there were. Blocks for some milliseconds: call it in a thread."""
    return sum(_kill(pid) for pid, found in _marked() if found == mark)


def kill_orphans() -> int:
    """Kill every marked process whose owner is gone; how many there were. Blocks: call it in a thread."""
    here = _namespace()
    return sum(_kill(pid) for pid, mark in _marked() if mark.startswith(f"{here}.") and not _owned(mark))


def _owned(mark: str) -> bool:
    owner, _, _server = mark.rpartition(".")
    pid = owner.split(".")[1]
    return _identity(int(pid)) == owner if pid.isdigit() else True


def _marked() -> Iterator[tuple[int, str]]:
    key = f"{VARIABLE}=".encode()
    for entry in _PROC.iterdir() if _PROC.is_dir() else ():
        if not entry.name.isdigit() or int(entry.name) == os.getpid():
            continue
        with contextlib.suppress(OSError):  # it ended meanwhile, or belongs to someone else
            for variable in (entry / "environ").read_bytes().split(b"\0"):
                if variable.startswith(key):
                    yield int(entry.name), variable[len(key) :].decode("ascii", "replace")


def _kill(pid: int) -> bool:
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.kill(pid, signal.SIGKILL)
        return True
    return False


def _identity(pid: int) -> str:
    """Pids are used again; together with the time of its start one names a process for good. Empty when there is none."""
    try:
        after_the_name = (_PROC / str(pid) / "stat").read_text(errors="replace").rpartition(")")[2].split()
        started = after_the_name[19]  # field 22 of proc_pid_stat(5): start time in clock ticks
    except (OSError, IndexError):
        started = "" if _PROC.is_dir() else "0"
    return f"{_namespace()}.{pid}.{started}"


@functools.cache
def _namespace() -> str:
    """The inode of our pid namespace: a container's processes are visible outside of it under other numbers."""
    with contextlib.suppress(OSError):
        return (_PROC / "self/ns/pid").readlink().name.strip("pid:[]")
    return "0"
