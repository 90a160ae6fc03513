"""Stores used idempotency keys across restarts, so that a repeated request is recognised.

A key is claimed before the effect. Afterwards it is settled, or released if nothing happened. If a claim is neither, the outcome
is unknown and has to be looked up at the receiver.
"""

import logging
import sqlite3
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

import anyio.to_thread

from mcp_servers.common.service_requests import NotDone

log = logging.getLogger(__name__)

_SCHEMA = (
    "CREATE TABLE IF NOT EXISTS claim (key TEXT PRIMARY KEY, fingerprint TEXT NOT NULL, before INTEGER NOT NULL, result TEXT)"
)


@dataclass(frozen=True)
class WriteClaim:
    """The record of a key."""

    fingerprint: str
    """Of the request."""
    before: int
    """How often the rows were in the sheet before."""
    result: str | None
    """None while the outcome is unknown."""
    fresh: bool
    """Whether this claim is the first under its key."""


class Ledger:
    """A small SQLite file that several processes may share."""

    def __init__(self, file: Path) -> None:
        self._file = file

    async def claim(self, key: str, fingerprint: str, before: int) -> WriteClaim:
        """Claim a key, or return the earlier claim under it. Raises NotDone if the file cannot be used."""
        return await anyio.to_thread.run_sync(self._claim, key, fingerprint, before)

    async def settle(self, key: str, result: str) -> None:
        """Store how the effect under `key` ended. Raises nothing."""
        await anyio.to_thread.run_sync(self._change, "UPDATE claim SET result = ? WHERE key = ?", result, key)

    async def release(self, key: str) -> None:
        """Forget a claim whose effect is known not to have happened. Raises nothing."""
        await anyio.to_thread.run_sync(self._change, "DELETE FROM claim WHERE key = ?", key)

    def _claim(self, key: str, fingerprint: str, before: int) -> WriteClaim:
        try:
            self._file.parent.mkdir(parents=True, exist_ok=True)
            with closing(sqlite3.connect(self._file)) as database, database:
                database.execute(_SCHEMA)
                made = database.execute("INSERT OR IGNORE INTO claim VALUES (?, ?, ?, NULL)", (key, fingerprint, before))
                row = database.execute("SELECT fingerprint, before, result FROM claim WHERE key = ?", (key,)).fetchone()
        except (OSError, sqlite3.Error) as problem:
            raise NotDone(f"Nothing was done: {self._file} cannot be used: {problem}. Check JIRITSU_COMMON_DIR.") from problem
        claimed_as, before, result = row
        return WriteClaim(claimed_as, before, result, fresh=made.rowcount == 1)

    def _change(self, statement: str, *values: str) -> None:
        try:
            with closing(sqlite3.connect(self._file)) as database, database:
                database.execute(statement, values)
        except sqlite3.Error as problem:
            # what happened is told all the same; the claim stays open, and is looked up when it comes again
            log.warning("%s cannot be used: %s", self._file, problem)
