"""Stores the text that a model is writing, only while somebody watches its run in a browser."""

import contextlib
import time
from collections.abc import Callable
from dataclasses import dataclass, field

import sqlalchemy as sa

from autonomy.durable.durable_tables import live_text as table
from autonomy.durable.store import Store, insert_unless_there
from autonomy.errors import StoreError
from autonomy.llm.model import OnText

WATCHED_S = 30.0
"""So long a run counts as watched after a browser has said so; it says so again before that."""

LOOK_S = 1.0
"""How often a process asks which of its runs are watched, however many it runs."""

WRITE_S = 0.4
"""How often a growing text is written: it appears within a second, and a fast model writes no faster."""

MOST_CHARS = 100_000
"""A reply that is longer is shown up to here until it is whole."""


@dataclass
class LiveText:
    """The words of running turns, from the process of the run to those of the consoles, through the database.

    A run that nobody watches writes nothing. Words are a convenience: a database that is away loses some of them, and no error of
    it reaches the run.
    """

    store: Store
    clock: Callable[[], float] = time.time
    _watched: frozenset[str] = frozenset()
    _looked_at: float = field(default=float("-inf"))

    async def watch(self, run_id: str) -> None:
        """Record that somebody watches the run. Raises `StoreError`."""
        now = self.clock()

        def write(connection: sa.Connection) -> None:
            connection.execute(table.delete().where(table.c.watched_until < now))
            if not insert_unless_there(connection, table, {"run_id": run_id, "watched_until": now + WATCHED_S, "text": ""}):
                connection.execute(table.update().where(table.c.run_id == run_id).values(watched_until=now + WATCHED_S))

        await self.store(write)

    async def partial_reply(self, run_id: str) -> str:
        """The text so far of the reply that the model is writing; empty between replies. Raises `StoreError`."""
        query = sa.select(table.c.text).where(table.c.run_id == run_id)
        return await self.store(lambda connection: connection.scalar(query)) or ""

    async def listener(self, run_id: str) -> OnText | None:
        """The listener for the next reply of the run; None if nobody watches it."""
        now = self.clock()
        if abs(now - self._looked_at) >= LOOK_S:  # a clock may be set back
            self._looked_at = now
            query = sa.select(table.c.run_id).where(table.c.watched_until >= now)
            try:
                self._watched = frozenset(await self.store(lambda connection: connection.scalars(query).all()))
            except StoreError:
                self._watched = frozenset()
        if run_id not in self._watched:
            return None
        await self.write(run_id, "")
        parts, written_at = list[str](), float("-inf")

        async def grow(piece: str) -> None:
            nonlocal written_at
            parts.append(piece)
            now = self.clock()
            if abs(now - written_at) >= WRITE_S:
                written_at = now
                await self.write(run_id, "".join(parts)[:MOST_CHARS])

        return grow

    async def write(self, run_id: str, text: str) -> None:
        """Store the text for those who watch the run."""

        def update(connection: sa.Connection) -> None:
            connection.execute(table.update().where(table.c.run_id == run_id).values(text=text))

        with contextlib.suppress(StoreError):
            await self.store(update)
