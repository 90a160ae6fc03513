"""Replaces what DBOS does around each step and run: looking it up before, and storing its result.

`spare_steps` installs them. `_DirectOutcome` runs a step or workflow. `_StepLookup` tells whether the step was taken before.
`_SingleStatementStore` (PostgreSQL) or `_GroupCommit` (SQLite) stores its result by `_ReadyStatements`.
"""

import asyncio
import inspect
import sqlite3
import time
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, suppress
from dataclasses import dataclass
from typing import Any, ClassVar

import sqlalchemy as sa
from dbos import _core, _sys_db
from dbos._context import current_owner_xid
from dbos._error import DBOSStepNondeterminismError, DBOSWorkflowConflictIDError
from dbos._outcome import DeferredResult, Immediate, NoResult

from autonomy.durable.dbos_internals import DBOS
from autonomy.durable.engine_tables import ATTEMPTS, progress_statement, waits_for_person
from metrics.written_out import WrittenOut, executed

SHORT_BYTES = 65_536
"""A result that is no longer as JSON (`serializer.WrittenJson`) is stored on the event loop, sooner than a thread would begin."""

LOOKED_AGAIN_S, IN_THE_WAY_S = 0.002, 0.25
"""How soon the loop looks whether the database can be written to again, and for how long at most."""

MOST_EXECUTIONS = 1_024
"""How many executions are remembered, each with the last step that it had stored."""

_STORED = ("workflow_uuid", "function_id", "function_name", "started_at_epoch_ms", "output", "serialization")


def spare_steps(dbos: DBOS, at_once: sa.Engine | None) -> None:
    """Take off each step and run what DBOS does for it that this program does not need: a question, changes of threads, and the
    building of the statements that store it. What is stored, and under which checks, stays DBOS's own.

    `at_once`: the same database for an event loop (`autonomy.database.unwaiting`), where there is such a thing.
    """
    if at_once is not None:
        at_once = at_once.execution_options(**dbos._sys_db.engine.get_execution_options())
    recorded = _StepLookup.here = _StepLookup(dbos._sys_db, at_once)
    dbos._sys_db.check_operation_execution = recorded.look  # type: ignore[method-assign,assignment]
    ready = _ReadyStatements(dbos._sys_db, recorded)
    dbos._sys_db._record_operation_result_txn = ready.store  # type: ignore[method-assign,assignment]
    _GroupCommit.here = _GroupCommit(dbos._sys_db, ready, at_once) if at_once is not None else None
    if _GroupCommit.here is not None:
        dbos._sys_db.record_operation_result = _GroupCommit.here.take  # type: ignore[method-assign]
        dbos._sys_db.update_workflow_outcome = _GroupCommit.here.end  # type: ignore[method-assign]
        dbos._sys_db._execute_prepared = _PreparedStatements().execute  # type: ignore[method-assign,assignment]
    elif dbos._sys_db.engine.dialect.name == "postgresql":
        dbos._sys_db.record_operation_result = _SingleStatementStore(dbos._sys_db, ready).store  # type: ignore[method-assign]
    vars(_core)["Outcome"] = vars(_core)["Pending"] = _DirectOutcome


def release_step_storage() -> None:
    """Give back what steps were stored by; to be called once their engine has ended."""
    if (together := _GroupCommit.here) is not None:
        together.let_go()
    _GroupCommit.here = None


def attempts_of(run_id: str) -> int:
    """How many attempts at a run that has taken a step here there were since it last got further, with this one."""
    return _StepLookup.here.of(run_id, current_owner_xid(run_id)).attempts if _StepLookup.here is not None else 1


class _NeedsThreadError(Exception):
    """The database has to be asked, and that blocks: not on the event loop."""


def _is_on_a_loop() -> bool:
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return False
    return True


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
            except _NeedsThreadError:
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

    together = _GroupCommit.here
    if together is not None and failure is None and isinstance(value, bytes) and len(value) <= SHORT_BYTES:
        stored, taken = store(outcome), together.taken_last
        if together.is_alone:
            together.store_now()
        if await taken:
            return stored
    return await asyncio.to_thread(store, outcome)


async def _run_and_end(body: Callable[[], Awaitable[Any]], record: Callable[[Callable[[], Any]], Any]) -> Any:
    try:
        with _at_work():
            value = await body()
        try:
            result = _recorded_at_once(record, lambda: value)
        except _NeedsThreadError:
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
    together = _GroupCommit.here
    if together is None:
        yield
        return
    together.at_work += 1
    try:
        yield
    finally:
        together.at_work -= 1


def _recorded_at_once(record: Callable[[Callable[[], Any]], Any], outcome: Callable[[], Any]) -> Any:
    """Record an outcome on the event loop. Raises `_NeedsThreadError` where that would have to wait for the database."""
    if (together := _GroupCommit.here) is None:
        raise _NeedsThreadError
    with together.ending():
        return record(outcome)


@dataclass(frozen=True)
class _Execution:
    """One attempt at a run, as it stood when it began."""

    last: int
    """The last step that stood of the run."""
    attempts: int
    """How many attempts there were since the run last got further, with this one."""

    @property
    def is_counted(self) -> bool:
        """Whether others before it came to nothing, which a step further wipes out; one that is to end the run takes none."""
        return 1 < self.attempts <= ATTEMPTS


class _StepLookup:
    """Looks up once per execution which steps the run has taken.

    DBOS asks before each step: two statements and a transaction, a third of what a step costs. Only its owner adds steps to a
    run. That the run is still ours, and was not cancelled, is checked again when a step's result is stored.
    """

    here: ClassVar["_StepLookup | None"] = None
    """Of the engine that runs; there is one engine in a process."""

    def __init__(self, system: _sys_db.SystemDatabase, at_once: sa.Engine | None) -> None:
        self._system, self._look, self._at_once = system, system.check_operation_execution, at_once
        # one statement that reads needs no transaction, after whose rollback psycopg drops all that the connection prepared
        is_postgres = system.engine.dialect.name == "postgresql"
        self._reader = system.engine.execution_options(isolation_level="AUTOCOMMIT") if is_postgres else system.engine
        self._known: dict[tuple[str, str | None], _Execution] = {}
        """By run and execution."""
        steps, status = system.tables.operation_outputs, system.tables.workflow_status
        run_id = sa.bindparam("of_run", type_=sa.String)
        attempts = sa.select(status.c.recovery_attempts).where(status.c.workflow_uuid == run_id).scalar_subquery()
        self._stands = WrittenOut(sa.select(sa.func.max(steps.c.function_id), attempts).where(steps.c.workflow_uuid == run_id))

    def look(self, run_id: str, number: int, name: str, **more: Any) -> Any:
        """`check_operation_execution`. Raises `_NeedsThreadError` on an event loop where the database has to be waited for."""
        key = run_id, current_owner_xid(run_id)
        on_a_loop = _is_on_a_loop()
        execution = self._known.get(key) or self._ask(key, on_a_loop=on_a_loop)
        is_new = number > execution.last
        if is_new and not waits_for_person(name):  # none of these may begin in a run that was just cancelled
            return None
        if on_a_loop:
            raise _NeedsThreadError
        if is_new and execution.is_counted:
            with suppress(sa.exc.SQLAlchemyError), self._system.engine.begin() as connection:  # else one attempt more is counted
                connection.execute(progress_statement(connection, run_id))
        return self._look(run_id, number, name, **more)

    def of(self, run_id: str, owner: str | None) -> "_Execution":
        """The state of an execution that has taken a step in this process."""
        return self._known.get((run_id, owner)) or _Execution(last=0, attempts=1)

    def _ask(self, key: tuple[str, str | None], *, on_a_loop: bool) -> "_Execution":
        """How a run stood when an execution of it began. SQLite's log lets whoever reads wait for nobody."""
        if on_a_loop and self._at_once is None:
            raise _NeedsThreadError
        engine = self._at_once if on_a_loop and self._at_once is not None else self._reader
        try:
            with engine.connect() as connection:
                [row] = self._stands.execute(connection, {"of_run": key[0]})
        except sa.exc.SQLAlchemyError:
            if on_a_loop:
                raise _NeedsThreadError from None
            raise
        if len(self._known) >= MOST_EXECUTIONS:
            self._known.pop(next(iter(self._known)), None)  # it is asked for anew
        found = self._known[key] = _Execution(last=row[0] or 0, attempts=row[1] or 1)
        return found


class _ReadyStatements:
    """Prepared forms of DBOS's statements that store a step and, over SQLite, end a run.

    DBOS builds them anew for each step, which costs twice what their execution does.
    """

    def __init__(self, system: _sys_db.SystemDatabase, recorded: _StepLookup) -> None:
        self._as_usual, self._recorded = system._record_operation_result_txn, recorded
        self._check_owner, self._insert = map(WrittenOut, _statements_of(self._as_usual))
        self._end_its_own, self._keep_outcome = _statements_of_an_end(system)
        self._both = ""
        """Check and insertion in one, once they were written out."""

    def store(self, result: Any, completed_at: int, connection: sa.Connection, **more: Any) -> None:
        """`_record_operation_result_txn`; raises what that raises."""
        owner = more.get("owner_xid") or current_owner_xid(result["workflow_uuid"])
        if self._recorded.of(result["workflow_uuid"], owner).is_counted:
            connection.execute(progress_statement(connection, result["workflow_uuid"], owner))
        if not _is_plain(result, owner):
            self._as_usual(result, completed_at, connection, **more)
            return
        values = _given(result, completed_at)
        if connection.dialect.name == "sqlite" and self._inserted_by_owner(connection, values, owner) == [completed_at]:
            return
        if [owner] != [row[0] for row in self._check_owner.execute(connection, values)]:
            raise DBOSWorkflowConflictIDError(result["workflow_uuid"])
        if [completed_at] != [row[0] for row in self._insert.execute(connection, values)]:
            raise DBOSStepNondeterminismError(result["workflow_uuid"], result["function_id"])

    def _inserted_by_owner(self, connection: sa.Connection, values: Mapping[str, Any], owner: str | None) -> list[Any]:
        """Check and insertion over SQLite by one statement, in a transaction that nobody else writes in; nothing where the run is
        another's, and another time than the given one where the step is there already."""
        inserted, row = self._insert.written(connection, values)
        if not self._both:
            self._both = _inserted_where(self._check_owner.written(connection, values)[0], inserted)
        given = inserted.split(") ON CONFLICT", 1)[0].count("?")  # the rest are of what happens where it is there already
        places = (*row[:given], values["given_workflow_uuid"], owner, *row[given:])
        return [one[0] for one in executed(connection, self._both, places)]

    def fits_in_one(self, result: Any, owner: str | None) -> bool:
        """Whether `store_in_one` may store it: a result, of an execution whose attempts need not be forgotten with it."""
        return _is_plain(result, owner) and not self._recorded.of(result["workflow_uuid"], owner).is_counted

    def store_in_one(self, result: Any, completed_at: int, connection: sa.Connection, owner: str | None) -> None:
        """The same over PostgreSQL, by one statement. Raises what `store` raises."""
        inserted, values = self._insert.written(connection, _given(result, completed_at))
        if not self._both:
            self._both = _inserted_if(self._check_owner.written(connection, {})[0], inserted)
        found = [row[0] for row in executed(connection, self._both, values | {"given_owner": owner})]
        if not found:
            raise DBOSWorkflowConflictIDError(result["workflow_uuid"])
        if found != [completed_at]:
            raise DBOSStepNondeterminismError(result["workflow_uuid"], result["function_id"])

    def end(self, run_id: str, status: str, outcome: Mapping[str, str | None], connection: sa.Connection, owner: str) -> bool:
        """`_update_workflow_outcome_in_transaction`: whether the run was this execution's to end."""
        is_its_own = bool(
            self._end_its_own.execute(connection, {"given_id": run_id, "given_status": status, "given_owner": owner})
        )
        if is_its_own:
            self._keep_outcome.execute(connection, {"workflow_uuid": run_id, **outcome})
        return is_its_own


def _is_plain(result: Any, owner: str | None) -> bool:
    """Whether it is what a step of an owned execution gave."""
    return owner is not None and result["error"] is None and result["child_workflow_id"] is None


def _given(result: Any, completed_at: int) -> dict[str, Any]:
    return {f"given_{name}": result[name] for name in _STORED} | {"given_completed": completed_at}


def _inserted_if(check_owner: str, insert: str) -> str:
    """An insertion, by PostgreSQL, of what a run's owner gives alone. The check locks the run's row until then, as it does by
    itself."""
    into, values = insert.split(") VALUES (", 1)
    values, unless_there = values.split(") ON CONFLICT", 1)
    of_owner = "FROM run WHERE run.owner_xid = %(given_owner)s::VARCHAR"
    return f"{into}) WITH run AS ({check_owner}) SELECT {values} {of_owner} ON CONFLICT{unless_there}"


def _inserted_where(check_owner: str, insert: str) -> str:
    """The same by SQLite, which writes to no run's row for it: an insertion locks the database."""
    into, values = insert.split(") VALUES (", 1)
    values, unless_there = values.split(") ON CONFLICT", 1)
    runs = check_owner.removeprefix("UPDATE ").split(" SET ", 1)[0]
    of_owner = f"WHERE EXISTS (SELECT 1 FROM {runs} WHERE workflow_uuid = ? AND owner_xid = ?)"  # noqa: S608 - DBOS names it
    return f"{into}) SELECT {values} {of_owner} ON CONFLICT{unless_there}"


def _statements_of(store: Callable[..., None]) -> tuple[sa.Executable, sa.Executable]:
    """The statements that store a result: the check of the owner, and the insertion."""
    taken = list[sa.Executable]()

    class Taking:
        """A connection, and an empty result, that executes nothing."""

        def execute(self, statement: sa.Executable) -> "Taking":
            taken.append(statement)
            return self

        def scalar(self) -> str:
            return "owner"

        def fetchall(self) -> list[Any]:
            return []

    places: dict[str, sa.BindParameter[Any]] = {name: sa.bindparam(f"given_{name}") for name in _STORED}
    store({**places, "error": None, "child_workflow_id": None}, sa.bindparam("given_completed"), Taking(), owner_xid="owner")
    check_owner, insert = taken
    return check_owner, insert


def _statements_of_an_end(system: _sys_db.SystemDatabase) -> tuple[WrittenOut, WrittenOut]:
    """The statements that record an outcome over SQLite: the one that ends a run of its own, and gives a row if it did, and the
    one that stores what came of it."""
    taken = list[WrittenOut]()

    class Taking:
        """The system's database, and a connection to it, that executes nothing."""

        rowcount = 1

        def __getattr__(self, name: str) -> Any:
            return self if name == "engine" else getattr(system, name)

        @contextmanager
        def begin(self) -> Iterator["Taking"]:
            yield self

        def execute(self, statement: sa.Update) -> "Taking":
            taken.append(WrittenOut(statement.returning(sa.literal_column("1"))))
            return self

        def _execute_prepared(self, _connection: object, _name: str, values: Mapping[str, Any], build: Callable[[], Any]) -> None:
            taken.append(WrittenOut(build(), columns=tuple(values)))

    places: Any = {name: sa.bindparam(f"given_{name}") for name in ("id", "status", "owner")}
    record: Any = type(system)._update_workflow_outcome_in_transaction
    record(Taking(), places["id"], places["status"], output=None, error=None, owner_xid=places["owner"])
    end, store = taken
    return end, store


class _PreparedStatements:
    """Over SQLite DBOS builds each of its statements anew, which it keeps over PostgreSQL."""

    def __init__(self) -> None:
        self._known: dict[tuple[str, tuple[str, ...]], WrittenOut] = {}

    def execute(
        self,
        connection: sa.Connection,
        name: str,
        values: Mapping[str, Any],
        build: Callable[[], Any],
        *,
        insert_columns: bool = True,
    ) -> Any:
        """`_execute_prepared`."""
        key = name, tuple(values)
        if key not in self._known:
            self._known[key] = WrittenOut(build(), columns=key[1] if insert_columns else None)
        return self._known[key].result(connection, values)


class _SingleStatementStore:
    """Stores a result over PostgreSQL by one statement; DBOS takes four round trips for two statements and a transaction."""

    def __init__(self, system: _sys_db.SystemDatabase, ready: _ReadyStatements) -> None:
        self._as_usual, self._system, self._ready = system.record_operation_result, system, ready
        self._engine = system.engine.execution_options(isolation_level="AUTOCOMMIT")

    def store(self, result: Any, *, completed_at_epoch_ms: int | None = None, **more: Any) -> None:
        """`record_operation_result`."""
        owner = more.get("owner_xid") or current_owner_xid(result["workflow_uuid"])
        completed_at = completed_at_epoch_ms or int(time.time() * 1000)  # the same for each attempt: by it they are known as one

        @_sys_db.db_retry(sys_db=self._system)
        def attempt() -> None:
            with self._engine.connect() as connection:
                self._ready.store_in_one(result, completed_at, connection, owner)

        if self._ready.fits_in_one(result, owner):
            attempt()
        else:
            self._as_usual(result, completed_at_epoch_ms=completed_at, **more)


@dataclass(eq=False)
class _PendingStep:
    """A step's result on its way to the database."""

    result: Any
    completed_ms: int
    owner: str | None
    """The execution it belongs to, as DBOS tells one from another."""
    since: float
    done: asyncio.Future[bool]
    """Whether it was stored; False where a thread has to do it. Its failure is why it may not be."""

    def tell(self, stored: bool) -> None:
        if not self.done.done():
            self.done.set_result(stored)

    def refuse(self, error: BaseException) -> None:
        if not self.done.done():
            self.done.set_exception(error)


class _GroupCommit:
    """Stores step results and outcomes over SQLite on the event loop, all that wait in one transaction (group commit).

    A change of threads costs three times the transaction, and threads would wait for each other. While another process writes,
    it retries; after `IN_THE_WAY_S` (a full disk, another program) each step is left to a thread, in which DBOS stores and waits
    as usual.
    """

    here: ClassVar["_GroupCommit | None"] = None
    """Of the engine that runs; there is one engine in a process."""

    def __init__(self, system: _sys_db.SystemDatabase, ready: _ReadyStatements, engine: sa.Engine) -> None:
        self._as_usual, self._ready, self._begin = system.record_operation_result, ready, WrittenOut(sa.text("BEGIN IMMEDIATE"))
        self._engine = engine
        self._held: sa.Connection | None = None
        """Kept between two transactions: to take one from the pool and give it back costs four times what they do."""
        self._begun: dict[tuple[str, int], int] = {}
        """When a step was completed that is left to a thread: by it DBOS knows an attempt for the same one."""
        self._waiting: list[_PendingStep] = []
        self._next: asyncio.Handle | None = None
        self._end_as_usual = system.update_workflow_outcome
        self._may_refuse = False
        """Whether whoever records an outcome now can do it again in a thread."""
        self.at_work = 0
        """How many runs are."""

    @property
    def is_alone(self) -> bool:
        """Whether no other run is at work, whose step could join the transaction."""
        return self.at_work == 1

    def take(self, result: Any, *, completed_at_epoch_ms: int | None = None, **more: Any) -> None:
        """`record_operation_result`; on an event loop the result is only taken, and stored when `stored` was awaited."""
        if _is_on_a_loop():
            loop = asyncio.get_running_loop()
            owner = more.get("owner_xid") or current_owner_xid(result["workflow_uuid"])
            self._waiting.append(_PendingStep(result, int(time.time() * 1000), owner, loop.time(), loop.create_future()))
            self._next = self._next or loop.call_soon(self._store)
            return
        completed_at_epoch_ms = completed_at_epoch_ms or self._begun.pop((result["workflow_uuid"], result["function_id"]), None)
        self._as_usual(result, completed_at_epoch_ms=completed_at_epoch_ms, **more)

    @property
    def taken_last(self) -> asyncio.Future[bool]:
        """Whether what was taken last is stored, once that is known. Raises what DBOS raises of a step that may not be stored."""
        return self._waiting[-1].done

    def store_now(self) -> None:
        """Store what waits, without a turn of the loop for others to join in."""
        if self._next is not None:
            self._next.cancel()
            self._store()

    def _store(self) -> None:
        steps, self._waiting, self._next = self._waiting, [], None
        refused = dict[_PendingStep, BaseException]()
        try:
            with self._transaction() as connection:
                for step in steps:
                    try:
                        self._ready.store(step.result, step.completed_ms, connection, owner_xid=step.owner)
                    except sa.exc.SQLAlchemyError:
                        raise
                    except BaseException as error:  # noqa: BLE001 - DBOS's own are among them; each is of its step alone, which gets it
                        refused[step] = error
        except sa.exc.SQLAlchemyError:
            self._put_off(steps)
            return
        for step in steps:
            if step in refused:
                step.refuse(refused[step])
            step.tell(stored=True)

    def end(
        self, workflow_id: str, status: Any, *, output: str | None = None, error: str | None = None, owner_xid: str | None = None
    ) -> bool:
        """`update_workflow_outcome`; inside of `ending` at once. Raises `_NeedsThreadError` where that would have to wait."""
        owner = owner_xid or current_owner_xid(workflow_id)
        if not self._may_refuse or owner is None or not _is_on_a_loop():
            return self._end_as_usual(workflow_id, status, output=output, error=error, owner_xid=owner_xid)
        try:
            with self._transaction() as connection:
                return self._ready.end(workflow_id, status, {"output": output, "error": error}, connection, owner)
        except sa.exc.SQLAlchemyError:
            raise _NeedsThreadError from None

    @contextmanager
    def ending(self) -> Iterator[None]:
        """Record outcomes at once, or not at all."""
        self._may_refuse = True
        try:
            yield
        finally:
            self._may_refuse = False

    @contextmanager
    def _transaction(self) -> Iterator[sa.Connection]:
        try:
            connection = self._held = self._held or self._engine.connect()
            with connection.begin():
                self._begin.execute(connection, {})
                yield connection
        except sa.exc.SQLAlchemyError as error:
            if not _is_busy(error):
                self.let_go()
            raise

    def let_go(self) -> None:
        """Give the connection back; the next transaction takes another."""
        connection, self._held = self._held, None
        if connection is not None:
            connection.close()

    def _put_off(self, steps: Sequence[_PendingStep]) -> None:
        loop = asyncio.get_running_loop()
        for step in steps:
            if loop.time() - step.since < IN_THE_WAY_S:
                self._waiting.append(step)
            else:
                self._begun[step.result["workflow_uuid"], step.result["function_id"]] = step.completed_ms
                step.tell(stored=False)
        if self._waiting:
            self._next = loop.call_later(LOOKED_AGAIN_S, self._store)


def _is_busy(error: sa.exc.SQLAlchemyError) -> bool:
    """Whether another only had the database: the connection is as good as before."""
    return getattr(getattr(error, "orig", None), "sqlite_errorcode", None) == sqlite3.SQLITE_BUSY
