"""Runs database work with retries while the database is unavailable.

Every file of this room that keeps something goes through here. Work is done in one transaction in a thread, and done again while
the database is away, so it must be written to bear that.
"""

import logging
from collections.abc import Awaitable, Callable, Mapping, Sequence
from functools import cache
from typing import TypeVar

import anyio
import anyio.to_thread
import sqlalchemy as sa
from sqlalchemy import exc

from autonomy.durable.liveness.stalled_lock_holder import stalled_lock_holder
from autonomy.errors import StoreError
from discovery.discovery_errors import words_of
from metrics.events import EventSink, RunEvent

T = TypeVar("T")

log = logging.getLogger(__name__)

AWAY = (exc.OperationalError, exc.InterfaceError, exc.InternalError, exc.TimeoutError)
"""What a database says that is restarting, full, read-only, locked or out of connections."""


class Store:
    """The engine, and how long to wait for it."""

    def __init__(
        self, engine: sa.Engine, *, patience_s: float = 60.0, sleep: Callable[[float], Awaitable[None]] = anyio.sleep
    ) -> None:
        self.engine, self._patience_s, self._sleep = engine, patience_s, sleep

    async def __call__(self, work: Callable[[sa.Connection], T]) -> T:
        """Do `work` in a transaction. Raises `StoreError` when the database stays away for `patience_s`."""
        return await self.until_there(lambda: anyio.to_thread.run_sync(self._in_transaction, work))

    async def until_there(self, attempt: Callable[[], Awaitable[T]]) -> T:
        """Make an attempt again, a little later each time, while the database is away. Raises `StoreError` as above."""
        waited_s, wait_s = 0.0, 0.1
        while True:
            began = anyio.current_time()
            try:
                return await attempt()
            except AWAY as error:
                waited_s += anyio.current_time() - began  # a lock is waited for inside the attempt
                why = await anyio.to_thread.run_sync(self._why, error)
                if waited_s >= self._patience_s:
                    raise StoreError(f"the database cannot be used: {why}") from error
                log.warning("the database cannot be used (%s): trying again in %.1f s", why, wait_s)
            await self._sleep(wait_s)
            waited_s, wait_s = waited_s + wait_s, min(wait_s * 2, 5.0)

    def _why(self, error: exc.SQLAlchemyError) -> str:
        """What the database said, and who is to blame for it if that can be told."""
        said, asleep = words_of(error), stalled_lock_holder(self.engine)
        return f"{said}: {asleep}" if asleep else said

    def _in_transaction(self, work: Callable[[sa.Connection], T]) -> T:
        with self.engine.begin() as connection:
            return work(connection)


def insert_unless_there(connection: sa.Connection, table: sa.Table, row: Mapping[str, object]) -> bool:
    """Insert a row unless one of its key is there, atomically across processes; whether it was inserted."""
    done = connection.execute(_insertion(table, connection.dialect.name), row)
    if connection.dialect.name == "postgresql":
        return done.first() is not None  # psycopg does not always know the row count of such an insert
    return done.rowcount == 1


@cache
def _insertion(table: sa.Table, dialect: str) -> sa.Executable:
    """Built once for each table: building a statement costs more than executing it."""
    if dialect == "postgresql":
        from sqlalchemy.dialects import postgresql  # which imports all its drivers' forms, and SQLite needs none

        return postgresql.insert(table).on_conflict_do_nothing().returning(sa.literal(1))
    return sa.insert(table).prefix_with("OR IGNORE")


class PatientSink:
    """An `EventSink` that outlasts the database's absence, for the journal: it is the run's memory and may not miss anything."""

    def __init__(self, sink: EventSink, store: Store) -> None:
        self._sink, self._store = sink, store

    async def write(self, events: Sequence[RunEvent]) -> None:
        """Write; the journal takes the same events twice without harm. Raises `StoreError`."""
        await self._store.until_there(lambda: self._sink.write(events))
