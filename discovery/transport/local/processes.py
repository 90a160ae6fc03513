"""Finds and ends server processes whose owner died.

Each server has a mark in its environment: `<pid namespace>.<owner's pid>.<owner's start time>.<random id>`. A process keeps it
when it leaves its group or session, and when its owner is killed. Works on Linux only, by `/proc`; elsewhere nothing is found.
"""

import contextlib
import functools
import os
import signal
import subprocess
import sys
import time
import uuid
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

VARIABLE = "JIRITSU_MCP_SERVER"
REAPER_GRACE_S = 1.0

_PROC = Path("/proc")
_ALL_CLOSED = b"."


def new_mark(owner: int | None = None) -> str:
    """Return a new mark for one server of this process, or of the process with the pid `owner`. Blocks: call it in a thread."""
    return f"{_identity(owner or os.getpid())}.{uuid.uuid4().hex}"


def can_show_process_as(mark: str) -> bool:
    """Whether the memory that `/proc` shows as the environment of this process, and of its forks, has room for a mark."""
    return len(_worn(mark, {})) <= len(_areas()[1])


def show_process_as(mark: str, command: Sequence[str], env: Mapping[str, str]) -> None:
    """Overwrite what `/proc` shows as command line and environment of this process; a plain fork shows those of its parent.

    The mark comes first, and what has no room is cut off; check `can_show_process_as` before. After the start of a process only
    the kernel reads that memory, for `cmdline` and `environ` of proc_pid(5).
    """
    import ctypes  # not for the reaper, which is this file

    for area, text in zip(_areas(), (b"\0".join(map(os.fsencode, command)), _worn(mark, env)), strict=True):
        title = text[: len(area) - 1]
        ctypes.memset(area.start, 0, len(area))
        ctypes.memmove(area.start, title, len(title))


def _worn(mark: str, env: Mapping[str, str]) -> bytes:
    return b"".join(os.fsencode(f"{name}={value}\0") for name, value in {VARIABLE: mark, **env}.items())


def _areas() -> tuple[range, range]:
    """Return the memory areas of our command line and our environment; empty if the kernel does not tell them."""
    with contextlib.suppress(OSError, ValueError):
        # fields 48 to 51 of proc_pid_stat(5): arg_start, arg_end, env_start, env_end
        places = [int(field) for field in (_PROC / "self/stat").read_text(errors="replace").rpartition(")")[2].split()[45:49]]
        if len(places) == 4 and all(places):
            return range(places[0], places[1]), range(places[2], places[3])
    return range(0), range(0)


def kill_marked(mark: str) -> int:
    """Kill every process with that mark; return how many. Blocks for some milliseconds: call it in a thread."""
    return _kill_where(lambda found: found == mark)


def kill_orphans() -> int:
    """Kill every marked process whose owner has ended; return how many. Blocks: call it in a thread."""
    namespace = _namespace()
    return _kill_where(lambda mark: mark.startswith(f"{namespace}.") and not _owned(mark))


def start_reaper() -> Callable[[], None]:
    """Start a process (12 MB) that ends our servers if we end without doing so; return a function that dismisses it.

    It waits for the end of a pipe that only we hold, which closes even if we are killed. Blocks: call it in a thread.
    """
    reaper = subprocess.Popen(
        [sys.executable, "-I", "-S", __file__, _identity(os.getpid())],
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        env={},
        start_new_session=True,
    )

    def dismiss() -> None:
        with contextlib.suppress(OSError, subprocess.TimeoutExpired):
            reaper.communicate(_ALL_CLOSED, timeout=5)

    return dismiss


def _reap(owner: str) -> None:
    """Run the reaper: wait for the end of the owner, then end what it left behind."""
    if sys.stdin.buffer.read() != _ALL_CLOSED:
        time.sleep(REAPER_GRACE_S)  # servers that notice the end of their input may finish their work
        _kill_where(lambda mark: mark.startswith(f"{owner}."))


def _kill_where(matches: Callable[[str], bool]) -> int:
    killed = 0
    for pid, mark in _marked():
        if matches(mark):
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.kill(pid, signal.SIGKILL)
                killed += 1
    return killed


def _owned(mark: str) -> bool:
    owner, _, _server = mark.rpartition(".")
    pid = owner.split(".")[1]
    return _identity(int(pid)) == owner if pid.isdigit() else True


def _marked() -> Iterator[tuple[int, str]]:
    key, own_pid = f"{VARIABLE}=".encode(), str(os.getpid())
    # This runs at the end of each server: `Path`, and splitting every environment, would take three times as long.
    for name in os.listdir(_PROC) if _PROC.is_dir() else ():  # noqa: PTH208
        if not name.isdigit() or name == own_pid:
            continue
        with contextlib.suppress(OSError):  # it ended meanwhile, or belongs to someone else
            with open(f"{_PROC}/{name}/environ", "rb", buffering=0) as file:  # noqa: PTH123
                environ = file.read()
            for variable in environ.split(b"\0") if key in environ else ():
                if variable.startswith(key):
                    yield int(name), variable[len(key) :].decode("ascii", "replace")


def _identity(pid: int) -> str:
    """Identify a process by its pid and start time, because pids are reused."""
    try:
        after_the_name = (_PROC / str(pid) / "stat").read_text(errors="replace").rpartition(")")[2].split()
        started = after_the_name[19]  # field 22 of proc_pid_stat(5): start time in clock ticks
    except (OSError, IndexError):
        started = "gone"
    return f"{_namespace()}.{pid}.{started}"


@functools.cache
def _namespace() -> str:
    """Return the inode of our pid namespace, because processes of a container have other pids outside of it."""
    with contextlib.suppress(OSError):
        return (_PROC / "self/ns/pid").readlink().name.strip("pid:[]")
    return "0"


if __name__ == "__main__":
    _reap(sys.argv[1])
