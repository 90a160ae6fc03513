"""Writes a server's stderr and log messages to its own file."""

import hashlib
import logging
import os
import re
from collections.abc import AsyncIterator, Iterator
from datetime import UTC, datetime
from pathlib import Path

import anyio
import anyio.to_thread

from discovery.timing.clock import SYSTEM_CLOCK, Clock

LARGEST_BYTES = 1 << 20
"""A log that reaches this size is renamed to `NAME.log.1`, replacing an older one, and a new log begins."""
LONGEST_LINE_BYTES = 16 << 10
"""A line without an end is written in pieces of this size."""
LONGEST_NAME = 60
"""Characters of a server's name in the name of its log."""
LOOK_EVERY_S = 0.25
log = logging.getLogger(__name__)


class ServerLog:
    """The log of one server. All processes that run the server write into it."""

    def __init__(self, file: Path, clock: Clock = SYSTEM_CLOCK) -> None:
        self._file, self._clock = file, clock

    async def write(self, text: str) -> None:
        """Append each line of a redacted text, with the time and our pid. A failure is only logged."""
        stamp = f"{datetime.fromtimestamp(self._clock.now(), UTC):%Y-%m-%dT%H:%M:%SZ} {os.getpid()} "
        lines = "".join(f"{stamp}{line}\n" for line in text.splitlines() if line.strip())
        if lines:
            await anyio.to_thread.run_sync(self._append, lines.encode("utf-8", "replace"))

    def _append(self, lines: bytes) -> None:
        try:
            self._file.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            descriptor = os.open(self._file, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
            try:
                os.write(descriptor, lines)
                if os.fstat(descriptor).st_size > LARGEST_BYTES:
                    self._file.replace(_set_aside(self._file))
            finally:
                os.close(descriptor)
        except OSError as error:
            log.debug("%s: %s", self._file, error)


def log_file(folder: Path, server: str) -> Path:
    """Return the file of a server's log. It is always inside `folder`, even if a name in a servers file looks like a path."""
    plain = re.sub(r"[^\w.-]|^\.", "_", server)[:LONGEST_NAME] or "_"
    return folder / (f"{server}.log" if plain == server else f"{plain}-{hashlib.sha256(server.encode()).hexdigest()[:8]}.log")


def _set_aside(file: Path) -> Path:
    return file.with_name(f"{file.name}.1")


class LineSplitter:
    """Cuts a stream of bytes into whole lines, so that no secret is split before it is redacted."""

    def __init__(self) -> None:
        self._rest = b""

    def feed(self, chunk: bytes) -> str:
        """Add a chunk; return the lines that are complete now."""
        whole, newline, self._rest = (self._rest + chunk).rpartition(b"\n")
        if len(self._rest) > LONGEST_LINE_BYTES:
            whole, self._rest = whole + newline + self._rest, b""
        return whole.decode("utf-8", "replace")

    def end(self) -> str:
        """Return the text after the last line break."""
        rest, self._rest = self._rest, b""
        return rest.decode("utf-8", "replace")


def last_lines(file: Path, count: int) -> list[str]:
    """Return the last `count` lines of a log and of its predecessor."""
    found: list[str] = []
    for one in (_set_aside(file), file):
        if one.exists():
            found += one.read_text(encoding="utf-8", errors="replace").splitlines()
    return found[len(found) - min(count, len(found)) :]


async def followed(file: Path) -> AsyncIterator[str]:
    """Yield every line that is written from now on, also into later logs; never ends."""
    reader, lines = _Reader(file), LineSplitter()
    await anyio.to_thread.run_sync(reader.to_the_end)
    while True:
        for new in await anyio.to_thread.run_sync(reader.news):
            for line in lines.feed(new).splitlines():
                yield line
        await anyio.sleep(LOOK_EVERY_S)


class _Reader:
    """Reads on in a log, also if the log was renamed meanwhile and a new one was begun."""

    def __init__(self, file: Path) -> None:
        self._file, self._place, self._inode = file, 0, 0

    def to_the_end(self) -> None:
        """Skip what the log holds now."""
        if self._file.exists():
            found = self._file.stat()
            self._place, self._inode = found.st_size, found.st_ino

    def news(self) -> list[bytes]:
        """Return what was written since the last read, in the renamed log and in the present one."""
        return [*self._read(_set_aside(self._file), aside=True), *self._read(self._file)]

    def _read(self, file: Path, *, aside: bool = False) -> Iterator[bytes]:
        try:
            with file.open("rb") as opened:
                inode = os.fstat(opened.fileno()).st_ino
                if aside and inode != self._inode:
                    return
                opened.seek(self._place if inode == self._inode else 0)
                yield opened.read()
                self._place, self._inode = opened.tell(), inode
        except FileNotFoundError:
            return
