"""Stores messages sent while working from an export."""

import json
import logging
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from mcp.server.mcpserver.exceptions import ToolError

if sys.platform != "win32":
    import fcntl

log = logging.getLogger(__name__)

Entry = dict[str, Any]


class ExportOutbox:
    """An append-only JSONL file, which several processes may write to (on Windows only one)."""

    def __init__(self, file: Path) -> None:
        self._file = file

    def entries(self) -> list[Entry]:
        """Return all entries, oldest first. A line that a crash left incomplete is logged and left out."""
        try:
            lines = self._file.read_bytes().splitlines()
        except (FileNotFoundError, NotADirectoryError):
            return []
        except OSError as error:
            raise ToolError(f"The outbox {self._file} cannot be read: {error.strerror}. Check SLACK_OUTBOX.") from error
        return [entry for number, line in enumerate(lines, 1) if (entry := self._parse(number, line))]

    def version(self) -> tuple[int, int]:
        """Return a value that changes whenever something is appended."""
        try:
            status = self._file.stat()
        except OSError:
            return 0, 0
        return status.st_mtime_ns, status.st_size

    @contextmanager
    def locked(self) -> Iterator[None]:
        """Hold the lock, so that no other process appends between reading and appending. Raises ToolError for errors of files."""
        try:
            self._file.parent.mkdir(parents=True, exist_ok=True)
            with self._file.open("ab") as handle:
                if sys.platform != "win32":
                    fcntl.flock(handle, fcntl.LOCK_EX)
                yield
        except OSError as error:
            raise ToolError(
                f"Nothing was sent: {self._file} cannot be written: {error.strerror}. Set SLACK_OUTBOX to a writable file."
            ) from error

    def append(self, entry: Entry) -> None:
        """Write one entry durably. Call it inside `locked`."""
        line = json.dumps(entry, ensure_ascii=False).encode() + b"\n"
        with self._file.open("rb+") as handle:
            if handle.seek(0, os.SEEK_END):
                handle.seek(-1, os.SEEK_END)
                if handle.read(1) != b"\n":
                    line = b"\n" + line
            handle.write(line)
            handle.flush()
            os.fsync(handle.fileno())

    def _parse(self, number: int, line: bytes) -> Entry | None:
        try:
            entry = json.loads(line)
        except ValueError:
            entry = None
        if isinstance(entry, dict):
            return entry
        if line.strip():
            log.warning("%s: line %d is not a JSON object and is left out", self._file, number)
        return None
