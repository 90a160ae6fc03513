"""Keeps anchors of the journal in a file outside the database.

An end of the log that was cut off, together with the row that says where it ends, is found by them.
"""

import errno
import logging
import os
import re
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import sqlalchemy as sa

from discovery.durable_files import replace_file
from metrics.hash_chain import ChainLink

if sys.platform != "win32":
    import fcntl

MOST_BYTES = 1 << 20
KEPT = 1_000
"""Lines that stay of a file that has grown longer, with the first: each stands for all rows before it, and the first for the
start."""

_APPENDING = os.O_WRONLY | os.O_APPEND | os.O_CREAT

log = logging.getLogger(__name__)


def anchor_file_of(database: sa.URL, home: Path) -> Path:
    """The default file for the anchors of a database: beside the file of SQLite, else in `home`."""
    if database.get_backend_name() == "sqlite" and database.database:
        return Path(f"{database.database}.anchors")
    server = "-".join(str(part) for part in (database.host, database.port, database.database) if part)
    return home / f"{re.sub(r'[^A-Za-z0-9._-]', '_', server)}.anchors"


class AnchorFile:
    """A line for each anchor: where the chain ended, and when. `NUMBER:HEX TIME`."""

    def __init__(self, file: Path, *, required: bool = False, clock: Callable[[], float] = time.time) -> None:
        """`required`: the operator named this file, so a log without it is not as it was left."""
        self.file, self.required, self._clock = file, required, clock

    def note(self, link: ChainLink) -> None:
        """Add a line. A file that cannot be written to harms no run: it is said in the log. Blocks."""
        line = f"{link} {time.strftime('%Y-%m-%dT%H:%M:%SZ', time.gmtime(self._clock()))}\n"
        try:
            with self._held() as descriptor:
                if _add(descriptor, line.encode("ascii")) > MOST_BYTES:
                    first, *later = self._lines()
                    self._keep([first, *later[-KEPT:]])
        except OSError as error:
            log.warning("the anchor of the log cannot be noted in %s: %s", self.file, error)

    @contextmanager
    def _held(self) -> Iterator[int]:
        """The file for appending, which no other process writes to or puts in order meanwhile.

        One that was exchanged while this process waited for it is opened again: a line in the earlier one would be lost.
        """
        while True:
            descriptor = self._opened()
            try:
                if sys.platform != "win32":
                    with suppress(OSError):  # a file system without locks: a line that may be lost is better than none
                        fcntl.flock(descriptor, fcntl.LOCK_EX)
                if self._is_in_place(descriptor):
                    yield descriptor
                    return
            finally:
                os.close(descriptor)

    def _is_in_place(self, descriptor: int) -> bool:
        try:
            return os.path.samestat(os.fstat(descriptor), self.file.stat())
        except FileNotFoundError:
            return False

    def _opened(self) -> int:
        try:
            return os.open(self.file, _APPENDING, 0o600)
        except FileNotFoundError:
            self.file.parent.mkdir(parents=True, exist_ok=True)
            return os.open(self.file, _APPENDING, 0o600)

    def noted(self) -> tuple[ChainLink, ...] | None:
        """The anchors in the order they were noted; None where there is no such file. Raises ValueError for what is no anchor,
        OSError for a file that cannot be read. Blocks."""
        try:
            return tuple(ChainLink.parse(line.partition(" ")[0]) for line in self._lines())
        except FileNotFoundError:
            return None

    def forget(self, before: int) -> None:
        """Leave out the anchors of rows that are no more. Blocks."""
        try:
            with self._held():
                self._keep([line for line in self._lines() if ChainLink.parse(line.partition(" ")[0]).seq >= before])
        except (OSError, ValueError) as error:
            log.warning("the anchors of the log in %s cannot be put in order: %s", self.file, error)

    def set_aside(self, name: str) -> Path | None:
        """Keep the anchors of a log that was exchanged under another name; where, if there were any. Blocks."""
        if not self.file.exists():
            return None
        return self.file.replace(self.file.with_name(f"{self.file.name}.{name}"))

    def _lines(self) -> list[str]:
        with self.file.open(encoding="ascii", errors="replace") as file:
            return [line.strip() for line in file if line.strip()]

    def _keep(self, lines: list[str]) -> None:
        replace_file(self.file, "".join(f"{line}\n" for line in lines), mode=0o600)


def _add(descriptor: int, line: bytes) -> int:
    """Write a line behind the others, by the fewest calls of the system, as each run does; how long the file is then."""
    if (written := os.write(descriptor, line)) < len(line):  # a disk that is full takes a part
        os.ftruncate(descriptor, os.fstat(descriptor).st_size - written)  # else the next line would end this one
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
    return os.fstat(descriptor).st_size
