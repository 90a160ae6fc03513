"""Replaces what DBOS does around each step and run: looking it up before, and storing its result.

`install_step_storage` installs the replacements. `_DirectOutcome` runs a step or workflow; `step_lookup` tells whether the step
was taken before; `step_statements` (PostgreSQL) or `group_commit` (SQLite) stores its result.
"""

import asyncio
import inspect
from collections.abc import Awaitable, Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import Any

import sqlalchemy as sa
from dbos import _core
from dbos._context import current_owner_xid
from dbos._outcome import DeferredResult, Immediate, NoResult

from autonomy.durable.dbos_internals import DBOS
from autonomy.durable.dbos_internals.group_commit import GroupCommit
from autonomy.durable.dbos_internals.step_lookup import NeedsThreadError, StepLookup
from autonomy.durable.dbos_internals.step_statements import PreparedStatements, ReadyStatements, SingleStatementStore

SHORT_BYTES = 65_536
"""A result that is no longer as JSON (`serializer.WrittenJson`) is stored on the event loop, sooner than a thread would begin."""


def install_step_storage(dbos: DBOS, at_once: sa.Engine | None) -> None:
    """Replace how an engine looks up and stores steps and outcomes. What is stored, and under which checks, stays DBOS's own.

    It saves, for each step, a question to the database, several changes of threads, and the building of statements.

    `at_once`: the same database for an event loop (`autonomy.database.unwaiting`); None where there is no such thing.
    """
    if at_once is not None:
        at_once = at_once.execution_options(**dbos._sys_db.engine.get_execution_options())
    recorded = StepLookup.current = StepLookup(dbos._sys_db, at_once)
    dbos._sys_db.check_operation_execution = recorded.look  # type: ignore[method-assign,assignment]
    ready = ReadyStatements(dbos._sys_db, recorded)
    dbos._sys_db._record_operation_result_txn = ready.store  # type: ignore[method-assign,assignment]
    GroupCommit.current = GroupCommit(dbos._sys_db, ready, at_once) if at_once is not None else None
    if GroupCommit.current is not None:
        dbos._sys_db.record_operation_result = GroupCommit.current.enqueue  # type: ignore[method-assign]
        dbos._sys_db.update_workflow_outcome = GroupCommit.current.end  # type: ignore[method-assign]
        dbos._sys_db._execute_prepared = PreparedStatements().execute  # type: ignore[method-assign,assignment]
    elif dbos._sys_db.engine.dialect.name == "postgresql":
        dbos._sys_db.record_operation_result = SingleStatementStore(dbos._sys_db, ready).store  # type: ignore[method-assign]
    vars(_core)["Outcome"] = vars(_core)["Pending"] = _DirectOutcome


def release_step_storage() -> None:
    """Close the connection by which steps were stored; to be called once their engine has ended."""
    if (group_commit := GroupCommit.current) is not None:
        group_commit.release_connection()
    GroupCommit.current = None


def attempts_of(run_id: str) -> int:
    """How many attempts at a run that has taken a step here there were since it last got further, with this one."""
    return StepLookup.current.of(run_id, current_owner_xid(run_id)).attempts if StepLookup.current is not None else 1


class _DirectOutcome:
    """`Pending`: the body of a workflow or step, with the lookup before it and the storing after it, called directly.

    It changes threads only to wait for the database; DBOS nests five generic objects, and changes threads for each.
    """

    def __class_getitem__(cls, _result: Any) -> type["_DirectOutcome"]:
        return cls

    @classmethod
    def make(cls, body: Callable[[], Any]) -> Any:
        """As DBOS makes them."""
        return cls(body) if inspect.iscoroutinefunction(body) else Immediate(body)

    def __init__(self, body: Callable[[], Awaitable[Any]]) -> None:
        self._body = body
        self._look: Callable[[], Any] | None = None
        """Gives what stands of it; of a workflow nobody asks."""

    def then(self, record: Callable[[Callable[[], Any]], Any]) -> "_DirectOutcome":
        """Record what comes of it by this."""
        self._record = record
        return self

    def intercept(self, look: Callable[[], Any], *, dbos: DBOS) -> "_DirectOutcome":
        """Look whether it was done before."""
        self._look = look
        return self

    def also(self, around: AbstractContextManager[Any]) -> "_DirectOutcome":
        """Do it inside of this."""
        self._around = around
        return self

    async def __call__(self) -> Any:
        if self._look is None:
            return await _run_and_end(self._body, self._record)
        with self._around:
            try:
                found = self._look()
            except NeedsThreadError:
                found = await asyncio.to_thread(self._look)
            if isinstance(found, NoResult):
                return await _run_and_store(self._body, self._record)
            return found


async def _run_and_store(body: Callable[[], Awaitable[Any]], store: Callable[[Callable[[], Any]], Any]) -> Any:
    failure: Exception | None = None
    value = None
    try:
        value = await body()
    except Exception as error:  # noqa: BLE001 - stored, and raised again, by DBOS
        failure = error

    def outcome() -> Any:
        if failure is not None:
            raise failure
        return value

    group_commit = GroupCommit.current
    if group_commit is not None and failure is None and isinstance(value, bytes) and len(value) <= SHORT_BYTES:
        stored, taken = store(outcome), group_commit.last_stored
        if group_commit.is_alone:
            group_commit.store_now()
        if await taken:
            return stored
    return await asyncio.to_thread(store, outcome)


async def _run_and_end(body: Callable[[], Awaitable[Any]], record: Callable[[Callable[[], Any]], Any]) -> Any:
    try:
        with _at_work():
            value = await body()
        try:
            result = _record_on_loop(record, lambda: value)
        except NeedsThreadError:
            result = await asyncio.to_thread(record, lambda: value)
    except asyncio.CancelledError:
        raise
    except BaseException as error:  # noqa: BLE001 - recorded, and raised again, by DBOS
        failure = error

        def fail() -> Any:
            raise failure

        result = await asyncio.to_thread(record, fail)
    return await result.resolve_async() if isinstance(result, DeferredResult) else result


@contextmanager
def _at_work() -> Iterator[None]:
    """Within the block a run is at work."""
    group_commit = GroupCommit.current
    if group_commit is None:
        yield
        return
    group_commit.at_work += 1
    try:
        yield
    finally:
        group_commit.at_work -= 1


def _record_on_loop(record: Callable[[Callable[[], Any]], Any], outcome: Callable[[], Any]) -> Any:
    """Record an outcome on the event loop. Raises `NeedsThreadError` where that would have to wait for the database."""
    if (group_commit := GroupCommit.current) is None:
        raise NeedsThreadError
    with group_commit.ending():
        return record(outcome)
