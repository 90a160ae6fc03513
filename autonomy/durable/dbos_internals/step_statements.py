"""Stores the results of steps by prepared forms of DBOS's own statements, which DBOS builds anew for each step."""

import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import sqlalchemy as sa
from dbos import _sys_db
from dbos._context import current_owner_xid
from dbos._error import DBOSStepNondeterminismError, DBOSWorkflowConflictIDError

from autonomy.durable.dbos_internals.step_lookup import StepLookup
from autonomy.durable.engine_tables import progress_statement
from metrics.written_out import WrittenOut, executed

STORED = ("workflow_uuid", "function_id", "function_name", "started_at_epoch_ms", "output", "serialization")


class ReadyStatements:
    """Prepared forms of DBOS's statements that store a step and, over SQLite, end a run.

    DBOS builds them anew for each step, which costs twice what their execution does.
    """

    def __init__(self, system: _sys_db.SystemDatabase, recorded: StepLookup) -> None:
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
    return {f"given_{name}": result[name] for name in STORED} | {"given_completed": completed_at}


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

    places: dict[str, sa.BindParameter[Any]] = {name: sa.bindparam(f"given_{name}") for name in STORED}
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


class PreparedStatements:
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


class SingleStatementStore:
    """Stores a result over PostgreSQL by one statement; DBOS takes four round trips for two statements and a transaction."""

    def __init__(self, system: _sys_db.SystemDatabase, ready: ReadyStatements) -> None:
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
