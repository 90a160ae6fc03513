"""Runs database work with retries while the database is unavailable.

All storage of this package goes through here. Work runs as one transaction in a thread and is repeated while the database is
away, so it must be idempotent.
"""

import asyncio
import logging
import time
from collections import deque
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from functools import cache
from typing import Any, TypeVar

import anyio
import anyio.to_thread
import sqlalchemy as sa

from autonomy.errors import StoreError
from discovery.discovery_errors import words_of
from metrics.written_out import AWAY, WrittenOut

T = TypeVar("T")

log = logging.getLogger(__name__)


@dataclass(eq=False)
class _Work:
    """Work that shares a transaction, and what came of it."""

    do: Callable[[sa.Connection], Any]
    done: bool = False
    result: Any = None
    error: Exception | None = None


class Store:
    """A database engine, and how long to wait while it is away."""

    def __init__(
        self, engine: sa.Engine, *, patience_s: float = 60.0, sleep: Callable[[float], Awaitable[None]] = anyio.sleep
    ) -> None:
        self.engine, self._patience_s, self._sleep = engine, patience_s, sleep
        self._turn, self._waiting = anyio.Lock(fast_acquire=True), deque[_Work]()
        self._writer = ThreadPoolExecutor(1, "store")
        """The thread of `together`, one transaction after the other: a thread of the shared pool costs half as much again. It
        starts with the first transaction and ends with the store; the interpreter waits for the one under way."""
        self._keeps = False
        self._kept: sa.Connection | None = None

    @asynccontextmanager
    async def keeping_connected(self) -> AsyncIterator[None]:
        """Within the block, the thread of `together` keeps its connection over SQLite: to take one from the pool and to give it
        back costs more than a short transaction. Whether one over PostgreSQL still stands, the pool knows."""
        self._keeps = self.engine.dialect.name == "sqlite"
        try:
            yield
        finally:
            self._keeps = False
            with anyio.CancelScope(shield=True):
                await asyncio.get_running_loop().run_in_executor(self._writer, self._let_go)

    def _let_go(self) -> None:
        if self._kept is not None:
            self._kept.close()
            self._kept = None

    async def __call__(self, work: Callable[[sa.Connection], T]) -> T:
        """Do `work` in a transaction. Raises `StoreError` when the database stays away for `patience_s`."""
        return await self.until_there(lambda: anyio.to_thread.run_sync(self._in_transaction, work))

    def together(self, work: Callable[[sa.Connection], T], *, patience_s: float = 0.0) -> Coroutine[Any, Any, T]:
        """Do `work` in one transaction with other work that waits at this moment (group commit).

        The work is queued at once, and whichever transaction begins next does it, also before this is awaited. A commit waits
        for the disk, and a change of threads costs more than a statement. Awaited, it raises what `work` raises, and
        `StoreError` when the database stays away, also for `patience_s`.
        """
        own = _Work(work)
        self._waiting.append(own)
        return self._done(own, patience_s)

    async def _done(self, own: _Work, patience_s: float) -> Any:
        if own.done and own.error is None:  # somebody else's transaction took it along
            return own.result
        alone = False

        async def attempt() -> Any:
            nonlocal alone
            if alone:  # the first attempt may have failed for the others' work
                return await anyio.to_thread.run_sync(self._in_transaction, own.do)
            alone = True
            # It may be done already: a cancelled caller gets the result, and can undo it.
            with anyio.CancelScope(shield=True):
                async with self._turn:
                    if not own.done:
                        await self._write_waiting(own)
            if own.error is not None:
                raise own.error
            return own.result

        return await self.until_there(attempt, patience_s=patience_s)

    async def _write_waiting(self, own: _Work) -> None:
        """Have the writer's thread do all queued work, and `own`, which an earlier transaction may have taken and not done."""
        loop = asyncio.get_running_loop()
        written = loop.create_future()

        def tell(error: BaseException | None) -> None:
            if not written.done():
                written.set_exception(error) if error else written.set_result(None)

        def write() -> None:
            error: BaseException | None
            error, works = None, list[_Work]()
            try:
                while self._waiting:  # only now, so that those who came meanwhile join in
                    works.append(self._waiting.popleft())
                self._all_in_transaction(works if own in works else [*works, own])
            except BaseException as failure:  # noqa: BLE001 - raised where it is awaited
                error = failure
            with suppress(RuntimeError):  # the loop was closed meanwhile, and nobody waits
                loop.call_soon_threadsafe(tell, error)

        self._writer.submit(write)  # told here, and not by the pool: two futures that follow each other cost twice as much
        await written

    def _all_in_transaction(self, taken: Sequence[_Work]) -> None:
        if not (works := [work for work in taken if not work.done]):
            return
        try:
            results = self._in_own_transaction(lambda connection: [work.do(connection) for work in works])
        except Exception as error:  # noqa: BLE001 - raised by the caller whose work it is
            if len(works) > 1 and not isinstance(error, AWAY):
                for work in works:  # the refused one must not take the others along
                    self._all_in_transaction([work])
                return
            for work in works:
                work.error, work.done = error, True
        else:
            for work, result in zip(works, results, strict=True):
                work.result, work.done = result, True

    def _in_own_transaction(self, work: Callable[[sa.Connection], T]) -> T:
        """A transaction of the writer's thread."""
        if not self._keeps:
            return self._in_transaction(work)
        self._kept = self._kept or self.engine.connect()
        with self._kept.begin():
            return work(self._kept)

    async def until_there(self, attempt: Callable[[], Awaitable[T]], *, patience_s: float = 0.0) -> T:
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
                if waited_s >= max(patience_s, self._patience_s):
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


def time_of(connection: sa.Connection, clock: Callable[[], float] | None = None) -> float:
    """The time that all processes of a database share, in seconds since the epoch: that of PostgreSQL's server, since the clocks
    of several machines differ; over SQLite, which one machine uses, that machine's. A `clock` that is given counts as it is."""
    if clock is not None:
        return clock()
    return float(connection.execute(_SERVER_TIME).scalar_one()) if connection.dialect.name == "postgresql" else time.time()


_SERVER_TIME = sa.text("SELECT extract(epoch FROM clock_timestamp())")


def insert_unless_there(connection: sa.Connection, table: sa.Table, row: Mapping[str, object]) -> bool:
    """Insert a row unless its key exists, atomically across processes; whether it was inserted."""
    return bool(_insertion(table, connection.dialect.name, tuple(row)).execute(connection, row))


def put_row(connection: sa.Connection, table: sa.Table, row: Mapping[str, object]) -> None:
    """Insert a row, or give its values to the row that has its key."""
    if not insert_unless_there(connection, table, row):
        has_key = [column == row[column.name] for column in table.primary_key]
        connection.execute(table.update().where(*has_key).values(row))


@cache
def _insertion(table: sa.Table, dialect: str, columns: tuple[str, ...]) -> WrittenOut:
    """The insertion, built once for each table; it returns a row if it inserts, since not every driver counts them."""
    if dialect == "postgresql":
        from sqlalchemy.dialects import postgresql  # which imports all its drivers' forms, and SQLite needs none

        return WrittenOut(postgresql.insert(table).on_conflict_do_nothing().returning(sa.literal_column("1")), columns=columns)
    return WrittenOut(sa.insert(table).prefix_with("OR IGNORE").returning(sa.literal_column("1")), columns=columns)
