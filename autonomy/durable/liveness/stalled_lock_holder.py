"""Finds a stopped process that holds SQLite's write lock.

Linux tells which process holds a lock (`/proc/locks`); elsewhere nobody is named.
"""

from pathlib import Path
from typing import NamedTuple

import sqlalchemy as sa

_WRITE_LOCK = 120
"""The byte of the write-ahead index that a writer locks (https://www.sqlite.org/walformat.html#wal_locks)."""


class StalledLockHolder(NamedTuple):
    """A stopped process that holds the write lock."""

    pid: int
    command: str

    def __str__(self) -> str:
        """The problem and its remedy, to follow the database's own message."""
        return (
            f"process {self.pid} ({self.command}) was stopped (Ctrl-Z, SIGSTOP) while it was writing, and everybody waits: "
            f"`kill -CONT {self.pid}` lets it go on, `kill -9 {self.pid}` ends it and loses nothing"
        )


def stalled_lock_holder(engine: sa.Engine) -> StalledLockHolder | None:
    """The sleeping holder of the write lock, if there is one and it can be found out. Reads `/proc`, so not on the event loop."""
    if engine.dialect.name != "sqlite" or not engine.url.database:
        return None
    try:
        inode = Path(f"{engine.url.database}-shm").stat().st_ino
        locks = [line.split() for line in Path("/proc/locks").read_text().splitlines()]
        holders = [int(lock[4]) for lock in locks if _is_write_lock(lock, inode)]
        return next((StalledLockHolder(pid, _command_line(pid)) for pid in holders if _is_stopped(pid)), None)
    except (OSError, ValueError, IndexError):  # gone meanwhile, or not Linux
        return None


def _is_write_lock(lock: list[str], inode: int) -> bool:
    """Whether a line of `/proc/locks`, such as `1: POSIX  ADVISORY  WRITE 13721 fe:00:2777588 120 120`, is a held write lock; one
    that waits has an arrow in it."""
    if lock[1:4] != ["POSIX", "ADVISORY", "WRITE"] or lock[5].rsplit(":", 1)[1] != str(inode):
        return False
    return int(lock[6]) <= _WRITE_LOCK <= (2**63 if lock[7] == "EOF" else int(lock[7]))


def _is_stopped(pid: int) -> bool:
    """Whether its state is T; the name before it stands in brackets and may hold anything."""
    return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] in ("T", "t")


def _command_line(pid: int) -> str:
    return " ".join(Path(f"/proc/{pid}/cmdline").read_text(errors="replace").replace("\0", " ").split())[:80]
