"""Lets one process at a time write, so that the same request in two processes is done once."""

import logging
import sqlite3
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import anyio
import anyio.to_thread

from mcp_servers.common.service_requests import NotDone

log = logging.getLogger(__name__)

MOST_WAIT_S = 60.0
"""How long to wait for another process: as long as its requests may take."""

LOOK_S = 0.05
"""How often to ask whether the other process has finished."""


class OneWriter:
    """A lock among the tasks of this process and all processes that use the same file. A process that dies lets it go."""

    def __init__(self, file: Path, *, most_wait_s: float = MOST_WAIT_S) -> None:
        self._file, self._most_wait_s, self._here = file, most_wait_s, anyio.Lock()

    @asynccontextmanager
    async def turn(self) -> AsyncIterator[None]:
        """Hold the lock within the block. Raises NotDone if another process holds it for too long.

        Where the file cannot be used, only the tasks of this process take turns.
        """
        async with self._here:
            held = await self._hold()
            try:
                yield
            finally:
                if held is not None:
                    held.close()

    async def _hold(self) -> sqlite3.Connection | None:
        with anyio.move_on_after(self._most_wait_s):
            while True:
                try:
                    return await anyio.to_thread.run_sync(self._try)
                except sqlite3.OperationalError as problem:
                    if problem.sqlite_errorcode != sqlite3.SQLITE_BUSY:
                        log.warning("%s cannot be used, so other processes are not waited for: %s", self._file, problem)
                        return None
                except (OSError, sqlite3.Error) as problem:
                    log.warning("%s cannot be used, so other processes are not waited for: %s", self._file, problem)
                    return None
                await anyio.sleep(LOOK_S)
        raise NotDone("Nothing was done: another process of this server is still writing. Try again.")

    def _try(self) -> sqlite3.Connection:
        self._file.parent.mkdir(parents=True, exist_ok=True)
        # SQLite's lock, because it works on each system and ends with its process; nothing is ever stored in the file
        database = sqlite3.connect(self._file, timeout=0, isolation_level=None, check_same_thread=False)
        try:
            database.execute("BEGIN EXCLUSIVE")
        except BaseException:
            database.close()
            raise
        return database
