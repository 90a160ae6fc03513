"""Stores step results and outcomes over SQLite on the event loop, all that wait in one transaction (group commit)."""

import asyncio
import sqlite3
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, ClassVar

import sqlalchemy as sa
from dbos import _sys_db
from dbos._context import current_owner_xid

from autonomy.durable.dbos_internals.step_lookup import NeedsThreadError, is_on_a_loop
from autonomy.durable.dbos_internals.step_statements import ReadyStatements
from metrics.written_out import WrittenOut

LOOKED_AGAIN_S, IN_THE_WAY_S = 0.002, 0.25
"""How soon the loop looks whether the database can be written to again, and for how long at most."""


@dataclass(eq=False)
class PendingStep:
    """A step's result on its way to the database."""

    result: Any
    completed_ms: int
    owner: str | None
    """The execution it belongs to, as DBOS tells one from another."""
    since: float
    done: asyncio.Future[bool]
    """Whether it was stored; False where a thread has to do it. Its failure is why it may not be."""

    def resolve(self, *, stored: bool) -> None:
        """Tell whoever waits whether it was stored."""
        if not self.done.done():
            self.done.set_result(stored)

    def reject(self, error: BaseException) -> None:
        """Raise this where it is waited for."""
        if not self.done.done():
            self.done.set_exception(error)


class GroupCommit:
    """Stores step results and outcomes over SQLite on the event loop, all that wait in one transaction (group commit).

    A change of threads costs three times the transaction, and threads would wait for each other. While another process writes,
    it retries; after `IN_THE_WAY_S` (a full disk, another program) each step is left to a thread, in which DBOS stores and waits
    as usual.
    """

    current: ClassVar["GroupCommit | None"] = None
    """Of the engine that runs; there is one engine in a process."""

    def __init__(self, system: _sys_db.SystemDatabase, ready: ReadyStatements, engine: sa.Engine) -> None:
        self._as_usual, self._ready, self._begin = system.record_operation_result, ready, WrittenOut(sa.text("BEGIN IMMEDIATE"))
        self._engine = engine
        self._connection: sa.Connection | None = None
        """Kept between two transactions: to take one from the pool and give it back costs four times what they do."""
        self._begun: dict[tuple[str, int], int] = {}
        """When a step was completed that is left to a thread: by it DBOS knows an attempt for the same one."""
        self._waiting: list[PendingStep] = []
        self._next: asyncio.Handle | None = None
        self._end_as_usual = system.update_workflow_outcome
        self._may_raise = False
        """Whether whoever records an outcome now can do it again in a thread."""
        self.at_work = 0
        """How many runs are."""

    @property
    def is_alone(self) -> bool:
        """Whether no other run is at work, whose step could join the transaction."""
        return self.at_work == 1

    def enqueue(self, result: Any, *, completed_at_epoch_ms: int | None = None, **more: Any) -> None:
        """`record_operation_result`; on an event loop the result only joins the queue: `last_stored` tells when it is stored."""
        if is_on_a_loop():
            loop = asyncio.get_running_loop()
            owner = more.get("owner_xid") or current_owner_xid(result["workflow_uuid"])
            self._waiting.append(PendingStep(result, int(time.time() * 1000), owner, loop.time(), loop.create_future()))
            self._next = self._next or loop.call_soon(self._store)
            return
        completed_at_epoch_ms = completed_at_epoch_ms or self._begun.pop((result["workflow_uuid"], result["function_id"]), None)
        self._as_usual(result, completed_at_epoch_ms=completed_at_epoch_ms, **more)

    @property
    def last_stored(self) -> asyncio.Future[bool]:
        """Whether the last result of the queue is stored, once that is known. Raises what DBOS raises of one that may not be."""
        return self._waiting[-1].done

    def store_now(self) -> None:
        """Store what waits, without a turn of the loop for others to join in."""
        if self._next is not None:
            self._next.cancel()
            self._store()

    def _store(self) -> None:
        steps, self._waiting, self._next = self._waiting, [], None
        rejected = dict[PendingStep, BaseException]()
        try:
            with self._transaction() as connection:
                for step in steps:
                    try:
                        self._ready.store(step.result, step.completed_ms, connection, owner_xid=step.owner)
                    except sa.exc.SQLAlchemyError:
                        raise
                    except BaseException as error:  # noqa: BLE001 - DBOS's own are among them; each is of its step alone, which gets it
                        rejected[step] = error
        except sa.exc.SQLAlchemyError:
            self._retry_later(steps)
            return
        for step in steps:
            if step in rejected:
                step.reject(rejected[step])
            step.resolve(stored=True)

    def end(
        self, workflow_id: str, status: Any, *, output: str | None = None, error: str | None = None, owner_xid: str | None = None
    ) -> bool:
        """`update_workflow_outcome`; inside of `ending` at once. Raises `NeedsThreadError` where that would have to wait."""
        owner = owner_xid or current_owner_xid(workflow_id)
        if not self._may_raise or owner is None or not is_on_a_loop():
            return self._end_as_usual(workflow_id, status, output=output, error=error, owner_xid=owner_xid)
        try:
            with self._transaction() as connection:
                return self._ready.end(workflow_id, status, {"output": output, "error": error}, connection, owner)
        except sa.exc.SQLAlchemyError:
            raise NeedsThreadError from None

    @contextmanager
    def ending(self) -> Iterator[None]:
        """Record outcomes at once, or not at all."""
        self._may_raise = True
        try:
            yield
        finally:
            self._may_raise = False

    @contextmanager
    def _transaction(self) -> Iterator[sa.Connection]:
        try:
            connection = self._connection = self._connection or self._engine.connect()
            with connection.begin():
                self._begin.execute(connection, {})
                yield connection
        except sa.exc.SQLAlchemyError as error:
            if not _is_busy(error):
                self.release_connection()
            raise

    def release_connection(self) -> None:
        """Give the connection back; the next transaction takes another."""
        connection, self._connection = self._connection, None
        if connection is not None:
            connection.close()

    def _retry_later(self, steps: Sequence[PendingStep]) -> None:
        loop = asyncio.get_running_loop()
        for step in steps:
            if loop.time() - step.since < IN_THE_WAY_S:
                self._waiting.append(step)
            else:
                self._begun[step.result["workflow_uuid"], step.result["function_id"]] = step.completed_ms
                step.resolve(stored=False)
        if self._waiting:
            self._next = loop.call_later(LOOKED_AGAIN_S, self._store)


def _is_busy(error: sa.exc.SQLAlchemyError) -> bool:
    """Whether another only had the database: the connection is as good as before."""
    return getattr(getattr(error, "orig", None), "sqlite_errorcode", None) == sqlite3.SQLITE_BUSY
