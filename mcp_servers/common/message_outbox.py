"""Keeps rows and messages in local files while no credentials are set."""

import json
import os
import re
from collections.abc import Callable, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any

import anyio.to_thread

from mcp_servers.common.direct_messages import Sent
from mcp_servers.common.rows import Cell, Row, ValueInput, parse_range
from mcp_servers.common.service_requests import NotDone


class Outbox:
    """An append-only file of JSON lines."""

    def __init__(self, file: Path) -> None:
        self.file = file

    async def entries(self) -> list[dict[str, Any]]:
        """Return all entries, oldest first, without lines that a crash left incomplete."""
        return await anyio.to_thread.run_sync(self._entries)

    async def append(self, entries: Sequence[dict[str, Any]]) -> None:
        """Write all entries at once and durably. Raises NotDone."""
        await anyio.to_thread.run_sync(self._append, entries)

    def _entries(self) -> list[dict[str, Any]]:
        if not self.file.exists():
            return []
        entries = []
        for line in self.file.read_bytes().splitlines():
            try:
                entries.append(json.loads(line))
            except ValueError:
                continue
        return entries

    def _append(self, entries: Sequence[dict[str, Any]]) -> None:
        # the leading newline ends a line that a crash may have left incomplete
        lines = "".join(f"\n{json.dumps(entry, ensure_ascii=False)}" for entry in entries)
        try:
            self.file.parent.mkdir(parents=True, exist_ok=True)
            with self.file.open("ab") as handle:
                handle.write(lines.encode() + b"\n")
                handle.flush()
                os.fsync(handle.fileno())
        except OSError as problem:
            raise NotDone(
                f"Nothing was written: {self.file}: {problem.strerror}. Set JIRITSU_COMMON_DIR to a writable directory."
            ) from problem


class LocalSheets:
    """Implements `writing.Sheets` with an outbox."""

    def __init__(self, outbox: Outbox, now: Callable[[], datetime]) -> None:
        self._outbox, self._now = outbox, now
        self.outbox: str | None = str(outbox.file)

    async def values(self, spreadsheet_id: str, range_: str) -> list[list[Cell]]:
        """Return the rows of the sheet, or those of a block that `append` returned."""
        target = parse_range(range_)
        rows = [
            [None] * entry["first_column"] + entry["values"]
            for entry in await self._outbox.entries()
            if (entry["spreadsheet_id"], entry["sheet"]) == (spreadsheet_id, target.sheet)
        ]
        if not (block := re.search(r"![A-Z]+(\d+):[A-Z]+(\d+)$", range_)):
            return rows
        return [row[target.first_column :] for row in rows[int(block[1]) - 1 : int(block[2])]]

    async def append(self, spreadsheet_id: str, range_: str, rows: Sequence[Row], value_input: ValueInput) -> str:
        """Store the rows below those of the same sheet, and return where they are."""
        target = parse_range(range_)
        there = len(await self.values(spreadsheet_id, target.whole))
        place = {
            "at": self._now().isoformat(),
            "spreadsheet_id": spreadsheet_id,
            "sheet": target.sheet,
            "first_column": target.first_column,
        }
        await self._outbox.append([{**place, "values": list(row)} for row in rows])
        return target.block(there + 1, len(rows), max(map(len, rows)))


class LocalMessenger:
    """Implements `direct_messages.Messenger` with an outbox; nobody receives the messages."""

    def __init__(self, outbox: Outbox, now: Callable[[], datetime]) -> None:
        self._outbox, self._now = outbox, now

    async def open(self, user_id: str) -> str:
        """Return a made-up channel id for the user."""
        return f"D-{user_id}"

    async def find(self, user_id: str, channel: str, key: str) -> Sent | None:
        """Return the message that was stored under a key, or None."""
        for entry in await self._outbox.entries():
            if entry["key"] == key and entry["user_id"] == user_id:
                return Sent(user_id=user_id, channel=channel, ts=entry["ts"], outbox=str(self._outbox.file))
        return None

    async def send(self, user_id: str, channel: str, text: str, key: str | None) -> Sent:
        """Store the message."""
        ts = f"{self._now().timestamp():.6f}"
        await self._outbox.append([{"ts": ts, "user_id": user_id, "channel": channel, "text": text, "key": key}])
        return Sent(user_id=user_id, channel=channel, ts=ts, outbox=str(self._outbox.file))
