"""Tells whether a server's process does anything, so that a hung one is told from one that starts slowly.

Works on Linux only, by `/proc`; elsewhere no process is ever seen at rest.
"""

from pathlib import Path

_PROC = Path("/proc")
_ASLEEP = "S"
"""One that waits for a processor, a disk or a debugger is in another state: it is at work, however long that takes."""

Rest = tuple[tuple[str, ...], ...]
"""The threads of a process and of all that it started, with their context switches so far. If two are equal, none of them ran in
between."""


def at_rest(pid: int) -> Rest | None:
    """Return the threads if all of them sleep and wait for nobody else; None if one runs, or if the kernel does not tell.

    Whoever holds a socket may wait for a registry, a database or a container, and its work is not seen here. Blocks for a
    millisecond: call it in a thread.
    """
    threads, pending = list[tuple[str, ...]](), [str(pid)]
    try:
        while pending:
            process = _PROC / pending.pop()
            if _is_connected(process):
                return None
            for thread in (process / "task").iterdir():
                state, *switches = _state(thread)
                if state != _ASLEEP:
                    return None
                threads.append((thread.name, *switches))
                pending += (thread / "children").read_text().split()
    except OSError:
        return None
    return tuple(threads)


def _state(thread: Path) -> list[str]:
    """The first letter of its state, and how often it was switched to, willingly and not."""
    lines = (thread / "status").read_text(errors="replace").splitlines()
    return [line.split()[1] for line in lines if line.startswith(("State:", "voluntary_ctxt", "nonvoluntary_ctxt"))]


def _is_connected(process: Path) -> bool:
    """Whether it holds a socket other than both ends of a pair, by which an event loop wakes itself."""
    links = [file.readlink().name for file in (process / "fd").iterdir()]
    sockets = {int(link.strip("socket:[]")) for link in links if link.startswith("socket:[")}
    if not sockets:
        return False
    local = {int(line.split()[6]) for line in (process / "net/unix").read_text(errors="replace").splitlines()[1:]}
    return any(at not in local or not {at - 1, at + 1} & sockets for at in sockets)  # a pair's inodes follow one another
