"""Runs database work with retries while the database is unavailable.

Every file of this room that keeps something goes through here. Work is done in one transaction in a thread, and done again while
the database is away, so it must be written to bear that.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cache
from typing import Any, TypeVar

import anyio
import anyio.to_thread
import sqlalchemy as sa
from sqlalchemy import exc

from autonomy.errors import StoreError
from discovery.discovery_errors import words_of
from metrics.written_out import WrittenOut

T = TypeVar("T")

log = logging.getLogger(__name__)

AWAY = (exc.OperationalError, exc.InterfaceError, exc.InternalError, exc.TimeoutError)
"""What a database says that is restarting, full, read-only, locked or out of connections."""


@dataclass(eq=False)
class _Work:
    """Work that shares a transaction, and what came of it."""

    do: Callable[[sa.Connection], Any]
    done: bool = False
    result: Any = None
    error: Exception | None = None


class Store:
    """The engine, and how long to wait for it."""

    def __init__(
        self, engine: sa.Engine, *, patience_s: float = 60.0, sleep: Callable[[float], Awaitable[None]] = anyio.sleep
    ) -> None:
        self.engine, self._patience_s, self._sleep = engine, patience_s, sleep
        self._turn, self._waiting = anyio.Lock(), list[_Work]()
        self._writer = ThreadPoolExecutor(1, "store")
        """For what is done together, one transaction after the other: to find any thread free takes half as long again. Its
        thread starts with the first of them and ends with the store; the interpreter waits for the one it is at."""

    async def __call__(self, work: Callable[[sa.Connection], T]) -> T:
        """Do `work` in a transaction. Raises `StoreError` when the database stays away for `patience_s`."""
        return await self.until_there(lambda: anyio.to_thread.run_sync(self._in_transaction, work))

    async def together(self, work: Callable[[sa.Connection], T]) -> T:
        """Do `work` in one transaction with other work that waits at this moment (group commit).

        A commit waits for the disk, and a change of threads costs more than a statement. Raises what `work` raises, and
        `StoreError` as above.
        """
        alone = False

        async def attempt() -> T:
            nonlocal alone
            if alone:  # what the others may have been refused for is not met again
                return await anyio.to_thread.run_sync(self._in_transaction, work)
            alone, own = True, _Work(work)
            self._waiting.append(own)
            # It may be done already: whoever is cancelled hears of it, and undoes what is to be undone.
            with anyio.CancelScope(shield=True):
                async with self._turn:  # also lets those who come at the same time say so
                    if not own.done:
                        # Mine waits no more where who took it along was cancelled by the loop itself: no scope keeps that out.
                        works, self._waiting = list(dict.fromkeys([*self._waiting, own])), []
                        loop = asyncio.get_running_loop()
                        await loop.run_in_executor(self._writer, self._all_in_transaction, works)
            if own.error is not None:
                raise own.error
            result: T = own.result
            return result

        return await self.until_there(attempt)

    def _all_in_transaction(self, taken: Sequence[_Work]) -> None:
        works = [work for work in taken if not work.done]
        try:
            results = self._in_transaction(lambda connection: [work.do(connection) for work in works])
        except Exception as error:  # noqa: BLE001 - raised by whoever it belongs to
            if len(works) > 1 and not isinstance(error, AWAY):
                for work in works:  # one of them is refused, and takes none of the others along
                    self._all_in_transaction([work])
                return
            for work in works:
                work.error, work.done = error, True
        else:
            for work, result in zip(works, results, strict=True):
                work.result, work.done = result, True

    async def until_there(self, attempt: Callable[[], Awaitable[T]]) -> T:
        """Repeat an attempt with backoff while the database is away. Raises `StoreError` as above."""
        waited_s, wait_s = 0.0, 0.1
        while True:
            began = anyio.current_time()
            try:
                return await attempt()
            except AWAY as error:
                waited_s += anyio.current_time() - began  # a lock is waited for inside the attempt
                asleep = await anyio.to_thread.run_sync(_who_holds_it, self.engine)
                why = f"{words_of(error)}: {asleep}" if asleep else words_of(error)  # and who is to blame, if that can be told
                if waited_s >= self._patience_s:
                    raise StoreError(f"the database cannot be used: {why}") from error
                log.warning("the database cannot be used (%s): trying again in %.1f s", why, wait_s)
            await self._sleep(wait_s)
            waited_s, wait_s = waited_s + wait_s, min(wait_s * 2, 5.0)

    def _in_transaction(self, work: Callable[[sa.Connection], T]) -> T:
        with self.engine.begin() as connection:
            return work(connection)


def _who_holds_it(engine: sa.Engine) -> str:
    from autonomy.durable.liveness.stalled_lock_holder import stalled_lock_holder  # in a thread, once the database is away

    return str(stalled_lock_holder(engine) or "")


def insert_unless_there(connection: sa.Connection, table: sa.Table, row: Mapping[str, object]) -> bool:
    """Insert a row unless one of its key is there, atomically across processes; whether it was inserted."""
    return bool(_insertion(table, connection.dialect.name, tuple(row)).execute(connection, row))


@cache
def _insertion(table: sa.Table, dialect: str, columns: tuple[str, ...]) -> WrittenOut:
    """Built once for each table; gives a row where it inserts one, for not every driver knows how many it inserted."""
    if dialect == "postgresql":
        from sqlalchemy.dialects import postgresql  # which imports all its drivers' forms, and SQLite needs none

        return WrittenOut(postgresql.insert(table).on_conflict_do_nothing().returning(sa.literal_column("1")), columns=columns)
    return WrittenOut(sa.insert(table).prefix_with("OR IGNORE").returning(sa.literal_column("1")), columns=columns)
