"""The names of DBOS that it does not promise to keep, and that we lean on, are as we read them."""

import ast
import inspect
import logging
import re
import sqlite3
import threading
from collections.abc import Mapping
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa
from dbos import DBOS
from dbos._core import ActiveWorkflowById, WorkflowHandleAsyncTask, _execute_workflow_async, _get_wf_invoke_func, invoke_step
from dbos._dbos import DBOSRegistry, _get_dbos_instance
from dbos._error import DBOSAwaitedWorkflowCancelledError, DBOSStepNondeterminismError, DBOSWorkflowConflictIDError
from dbos._event_loop import BackgroundEventLoop
from dbos._outcome import Pending
from dbos._outcome import __file__ as outcome
from dbos._queue import Queue, queue_thread, queue_worker_thread
from dbos._schemas.system_database import SystemSchema
from dbos._sys_db import SystemDatabase, db_retry
from dbos._sys_db_postgres import PostgresSystemDatabase
from dbos._workflow_commands import background_jobs_thread

from autonomy.database import open_engine
from autonomy.durable import dbos_internals, engine_tables
from autonomy.durable.dbos_internals import dbos_engine, dbos_steps, group_commit, step_lookup, step_statements
from autonomy.durable.engine import engine_client
from tests.requirements import requirement
from tests.support.statements import counted

ENGINE = sa.create_engine("sqlite://")


@requirement("J4")
@pytest.mark.parametrize(
    ("where", "name"),
    [
        (DBOS._launch, "background_thread_stop_events"),
        (DBOS.__init__, "_background_event_loop"),
        (DBOS.__init__, "_registry"),
        (BackgroundEventLoop, "_main_loop"),
        (DBOSRegistry, "internal_queue_map"),
        (DBOSRegistry._register_internal_queue, "name: str, **limits"),
        (queue_thread, "dbos._registry.internal_queues()"),
        (queue_thread, "in dbos._sys_db.list_queues(\n"),
        (queue_worker_thread, "latest = dbos._sys_db.get_queue(queue.name)"),
        (queue_worker_thread, "running = dbos._active_workflows_set.count_for_queue(queue.name)"),
        (ActiveWorkflowById.add, "with self._lock:\n            self._m.setdefault(key, []).append(bucket)"),
        (ActiveWorkflowById.count_for_queue, "if bucket is not None and bucket[0] == queue_name"),
        (_get_dbos_instance, "def _get_dbos_instance() -> DBOS:"),
        (queue_worker_thread, "scopes = dbos._sys_db.dequeue_scopes(queue.name)"),
        (Queue._refresh_fields, "self._polling_interval_sec = latest._polling_interval_sec"),
        (SystemDatabase._in_flight_status_prover, "SQLite only"),
        (SystemDatabase.run_notifier, "no-op except on push-notification backends"),
        (background_jobs_thread, "transition_delayed_workflows"),
        (DBOS._launch, "args=(self._background_jobs_stop_event, self)"),
        (invoke_step, "dbos._sys_db.check_operation_execution(\n            ctx.workflow_id, ctx.function_id, step_name\n"),
        (invoke_step, "def check_existing_result() -> Union[NoResult, R]:"),
        (invoke_step, "stepOutcome.then(record_step_result)\n        .intercept(check_existing_result, dbos=dbos)"),
        (invoke_step, "stepOutcome = Outcome[R].make(step_partial)"),
        (invoke_step, ".also(EnterDBOSStepCtx(attributes, step_ctx))\n    )\n    return outcome()"),
        (Pending._wrap, "if isinstance(result, DeferredResult):"),
        (Pending.make, "else Immediate(cast(Callable[[], T], func))"),
        (Pending._wrap, "result = await asyncio.to_thread(after, lambda: value)"),
        (_execute_workflow_async, "result = Pending[R](\n"),
        (
            _execute_workflow_async,
            ").then(_get_wf_invoke_func(dbos, status, entry.release))\n                return await result()",
        ),
        (_get_wf_invoke_func, "if not dbos._sys_db.update_workflow_outcome(\n"),
        (WorkflowHandleAsyncTask._get_result, "r = await asyncio.shield(self.task)"),
        (SystemDatabase.update_workflow_outcome, "return self._update_workflow_outcome_in_transaction(\n"),
        (SystemDatabase._update_workflow_outcome_in_transaction, "if result.rowcount == 0:\n"),
        (SystemDatabase._update_workflow_outcome_in_transaction, "with self.engine.begin() as c"),
        (SystemDatabase._execute_prepared, "return conn.execute(build(), values)"),
        (SystemDatabase.record_operation_result, "self._record_operation_result_txn(\n"),
        (SystemDatabase._record_operation_result_txn, "self._check_owner_txn(conn"),
        (
            SystemDatabase._record_operation_result_txn,
            "existing_completed_at is None\n                    or int(existing_completed_at) != completed_at_epoch_ms",
        ),
        (SystemDatabase._check_owner_txn, "raise DBOSWorkflowConflictIDError(workflow_id)"),
        (SystemDatabase._check_owner_txn, ".with_for_update(key_share=True)"),
        (SystemDatabase.record_operation_result, "@db_retry(sys_db=self)"),
        (SystemDatabase.cancel_workflows, "owner_xid=None"),
        (SystemDatabase.start_queued_workflows, "with self._begin(isolation) as c"),
        (SystemDatabase.reenqueue_for_recovery, "owner_xid=None"),
        (db_retry, "time.sleep(actual_backoff)"),
        (DBOS._launch, "self._sys_db.run_migrations()"),
        (SystemDatabase.resume_workflows, "recovery_attempts=0"),
        (SystemDatabase._assert_migration_version, "raise DBOSInitializationError("),
        (SystemDatabase.verify_migrations, "Raises\n        if the database is missing or behind"),
        (SystemDatabase.__init__, "self.app_name = app_name"),
        (PostgresSystemDatabase.run_notifier, "def run_notifier(self"),
    ],
)
def test_a_name_is_used_where_we_read_it(where: object, name: str) -> None:
    assert name in inspect.getsource(where)  # type: ignore[arg-type]


@requirement("J4")
def test_every_private_name_of_dbos_that_is_used_stands_in_this_file() -> None:
    here, used = Path(__file__).read_text(encoding="utf-8"), set[str]()
    for module in (dbos_engine, dbos_steps, group_commit, step_lookup, step_statements):
        tree = ast.parse(inspect.getsource(module))
        for node in ast.walk(tree):
            if isinstance(node, ast.Attribute) and node.attr.startswith("_") and ast.unparse(node.value) not in ("self", "cls"):
                used.add(node.attr)
            elif isinstance(node, ast.ImportFrom) and (node.module or "").startswith("dbos"):
                used.update(name.name for name in node.names)
    assert {"_sys_db", "_begin", "current_owner_xid"} <= used
    assert sorted(name for name in used if name not in here) == []


@requirement("J4")
def test_the_statements_that_store_a_step_are_dbos_own_with_places_for_its_values() -> None:
    taken = list[tuple[str, tuple[object, ...]]]()
    system, connected = engine_client(ENGINE)._sys_db, sa.create_engine("sqlite://")
    connected.connect().close()

    class Connection:
        """Answers as a database that takes the step."""

        dialect = connected.dialect

        def get_execution_options(self) -> Mapping[str, object]:
            return system.engine.get_execution_options()

        @property
        def driver_connection(self) -> "Connection":
            return self

        connection = engine = driver_connection
        Error, _has_events, description = sqlite3.Error, False, ("a column",)

        def execute(self, sql: str, given: tuple[object, ...]) -> "Connection":
            taken.append((sql, given))
            return self

        def fetchall(self) -> list[tuple[object]]:
            sql, given = taken[-1]
            if "operation_outputs" not in sql:
                return [("me",)]
            return [] if "owner_xid = ?" in sql and "me" not in given else [(7,)]

        def in_transaction(self) -> bool:
            return True

    result = dict.fromkeys(("error", "child_workflow_id"), None) | {name: f"its {name}" for name in step_statements.STORED}
    recorded = step_lookup.StepLookup(system, None)
    store, database = step_statements.ReadyStatements(system, recorded).store, Connection()
    store(result, 7, database, owner_xid="me")  # type: ignore[arg-type]  # as a connection is called
    ((insert, given),) = taken
    assert "workflow_status WHERE workflow_uuid = ? AND owner_xid = ?" in insert
    assert ("its workflow_uuid", "me") in pairwise(given)
    assert insert.lstrip().startswith("INSERT INTO")
    assert "operation_outputs" in insert
    assert "ON CONFLICT" in insert
    columns = insert.partition("(")[2].partition(")")[0].split(", ")
    stored = dict(zip(columns, given, strict=False))  # what follows is DBOS's own reckoning of how long it is kept
    assert {name: stored[name] for name in step_statements.STORED} == {name: f"its {name}" for name in step_statements.STORED}
    assert (stored["completed_at_epoch_ms"], stored["error"], stored["child_workflow_id"]) == (7, None, None)
    with pytest.raises(DBOSStepNondeterminismError):
        store(result, 8, database, owner_xid="me")  # type: ignore[arg-type]
    with pytest.raises(DBOSWorkflowConflictIDError):
        store(result, 7, database, owner_xid="another")  # type: ignore[arg-type]
    assert "owner_xid" in taken[-1][0]
    assert taken[-1][1] == ("its workflow_uuid",)
    connected.dispose()


@requirement("J4")
def test_a_step_is_stored_over_sqlite_by_one_statement_for_the_owner_of_its_run_alone(tmp_path: Path) -> None:
    engine = open_engine(f"sqlite:///{tmp_path / 'x.db'}")
    client = engine_client(engine)
    dbos_engine.make_tables(client)
    system = client._sys_db
    client.enqueue({"queue_name": "runs", "workflow_name": "w", "workflow_id": "run-1"})
    words = {"function_name": "turn-1/model", "output": "it", "serialization": "json", "error": None, "child_workflow_id": None}
    step: Any = {"workflow_uuid": "run-1", "function_id": 1, "started_at_epoch_ms": 1, **words}
    store = step_statements.ReadyStatements(system, step_lookup.StepLookup(system, None)).store
    with system.engine.begin() as connection:
        connection.execute(system.tables.workflow_status.update().values(owner_xid="me"))
        with pytest.raises(DBOSWorkflowConflictIDError):
            store(step, 7, connection, owner_xid="another")
        with counted() as sent:
            store(step, 7, connection, owner_xid="me")
        assert len(sent.statements) == 1
        store(step, 7, connection, owner_xid="me")  # the same attempt again
        with pytest.raises(DBOSStepNondeterminismError):
            store(step | {"output": "else"}, 8, connection, owner_xid="me")
        steps = system.tables.operation_outputs.c
        assert connection.execute(sa.select(steps.output, steps.completed_at_epoch_ms)).all() == [("it", 7)]
    engine.dispose()


@requirement("J4")
def test_a_queue_in_which_nobody_waits_is_asked_one_thing_and_its_limits_are_read_when_somebody_does(tmp_path: Path) -> None:
    engine = open_engine(f"sqlite:///{tmp_path / 'x.db'}")
    client = engine_client(engine)
    dbos_engine.make_tables(client)
    client.register_queue("runs", worker_concurrency=3)
    running = {"runs": 2}
    looks = dbos_engine._QueueLooks(client._sys_db, lambda name: running.get(name, 0))
    with counted() as sent:
        assert (looks.scopes("runs"), looks.scopes("own:me")) == ([], [])
    assert len(sent.statements) == 2
    served = looks.queue("runs")
    assert looks.queues() == [served]
    client.register_queue("runs", worker_concurrency=5, on_conflict="always_update")
    client.enqueue({"queue_name": "runs", "workflow_name": "w"})
    assert served._worker_concurrency == 3
    assert looks.scopes("runs") == [None]
    assert served._worker_concurrency == 5
    running["runs"] = 5
    with counted() as sent:
        assert looks.scopes("runs") == [], "whoever waits is taken when there is a place"
    assert sent.statements == []
    running["runs"] = 4
    assert looks.scopes("runs") == [None]
    engine.dispose()


def locked(_db: object) -> None:
    raise sa.exc.OperationalError("update", {}, sqlite3.OperationalError("database is locked"))


@requirement("R1")
def test_what_waits_for_the_database_is_let_go_when_the_engine_stops() -> None:
    waits = dbos_engine.limit_retry_waits()
    waits.end()
    with pytest.raises(sa.exc.OperationalError, match="is locked"):
        db_retry(initial_backoff=60)(locked)(None)


@requirement("R1")
def test_what_looks_again_every_half_second_hears_at_once_that_the_engine_stops() -> None:
    waits = dbos_engine.limit_retry_waits()
    looking = threading.Thread(target=lambda: waits.sleep(3_600), daemon=True)
    looking.start()
    waits.end()
    looking.join(dbos_engine.MOST_WAIT_S / 2)
    assert not looking.is_alive()


@requirement("R1")
def test_a_database_that_is_back_is_found_within_seconds(monkeypatch: pytest.MonkeyPatch) -> None:
    waited = list[float]()
    monkeypatch.setattr(threading.Event, "wait", lambda _, seconds: waited.append(seconds))
    dbos_engine.limit_retry_waits()

    def back_after_three(_db: object) -> str:
        return "there" if len(waited) == 3 else str(locked(None))

    assert db_retry(initial_backoff=60)(back_after_three)(None) == "there"
    assert waited == [dbos_engine.MOST_WAIT_S] * 3


def test_the_columns_we_read_and_write_are_there() -> None:
    ours = {column.name for column in engine_tables.status_table(ENGINE).columns}
    assert ours <= set(SystemSchema.workflow_status.columns.keys())


def test_what_dbos_says_of_steps_cut_short_begins_as_we_know_it() -> None:
    with open(outcome, encoding="utf-8") as source:  # noqa: PTH123 - the library's own path
        assert f'f"{dbos_engine._STEP_CUT_SHORT}' in source.read()


def test_private_names_stand_in_one_package() -> None:
    """Nobody else imports what DBOS keeps to itself, or reaches into an object of its."""
    package = Path(dbos_internals.__file__).parent
    private = re.compile(r"dbos\._|DBOS\._|_sys_db|_registry\b|INTERNAL_QUEUE")
    files = package.parent.rglob("*.py")
    found = {file.parent for file in files if private.search(file.read_text(encoding="utf-8"))}
    assert found == {package}


@pytest.mark.parametrize(
    ("traceback", "said"),
    [
        ('  File "x.py", line 1\n    {} + 1\nTypeError: no such sum\n', "TypeError: no such sum"),
        (
            "  frame\nKeyError: 'a'\n\nDuring handling of the above exception, another exception occurred:\n\n"
            "Traceback (most recent call last):\n  frame\nsqlalchemy.exc.OperationalError: (sqlite3.OperationalError) no file\n"
            "[SQL: SELECT 1]\n(Background on this error at: https://sqlalche.me/e/21/e3q8)\n",
            "sqlalchemy.exc.OperationalError: (sqlite3.OperationalError) no file",
        ),
        ("  frame\npsycopg.errors.UniqueViolation: taken\nDETAIL: it is there\n", "psycopg.errors.UniqueViolation: taken"),
        ("  frame\nTimeoutError\n", "TimeoutError"),
    ],
)
def test_of_a_traceback_that_dbos_logs_the_line_stays_that_names_the_error(traceback: str, said: str) -> None:
    text = f"Exception in a step: Traceback (most recent call last):\n{traceback}"
    record = logging.LogRecord("dbos", logging.ERROR, __file__, 1, text, None, None)
    assert dbos_engine._without_traceback(record)
    assert record.getMessage() == f"Exception in a step: {said}"


@requirement("R1")
def test_a_failing_database_is_logged_without_its_statement_and_what_people_wrote(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    dbos_engine.limit_retry_waits()
    dbos_engine.filter_logs()
    engine = open_engine(f"sqlite:///{tmp_path / 'x.db'}")
    client = engine_client(engine)
    dbos_engine.make_tables(client)
    client.register_queue("runs")
    fails = "SELECT RAISE(ABORT, 'database is locked')"
    with engine.begin() as connection:
        connection.exec_driver_sql(f"CREATE TRIGGER away BEFORE INSERT ON workflow_status BEGIN {fails}; END")

    def back() -> bool:
        with engine.begin() as connection:
            connection.exec_driver_sql("DROP TRIGGER away")
        return True

    monkeypatch.setattr(dbos_engine.ShortWaits, "sleep", lambda *_: back())
    with caplog.at_level(logging.WARNING, logger="dbos"):
        client.enqueue({"queue_name": "runs", "workflow_name": "w"}, "tell Haruka her salary")
    (said,) = [record.getMessage() for record in caplog.records]
    assert re.fullmatch(
        r"Database connection failed: \(sqlite3\.IntegrityError\) database is locked\. Retrying in [\d.]+s \(attempt 1\)", said
    )
    engine.dispose()


def test_of_a_row_that_postgresql_shows_nothing_is_logged() -> None:
    text = (
        "Database connection failed: (psycopg.errors.CheckViolation) it breaks a rule\nDETAIL:  Failing row contains (a salary).\n"
        "[SQL: INSERT INTO runs]\n[SQL parameters hidden due to hide_parameters=True]\n"
        "(Background on this error at: https://sqlalche.me/e/21/gkpj). Retrying in 1.00s (attempt 1)"
    )
    record = logging.LogRecord("dbos", logging.WARNING, __file__, 1, text, None, None)
    assert dbos_engine._without_statement(record)
    said = "Database connection failed: (psycopg.errors.CheckViolation) it breaks a rule. Retrying in 1.00s (attempt 1)"
    assert record.getMessage() == said


def test_a_launch_that_failed_is_told_by_whoever_launched_and_not_by_the_engine_too(caplog: pytest.LogCaptureFixture) -> None:
    dbos_engine.filter_logs()
    with caplog.at_level(logging.ERROR, logger="dbos"):
        logging.getLogger("dbos").error("DBOS failed to launch: ", exc_info=RuntimeError("the disk is full"))
        logging.getLogger("dbos").error("another thing")
    assert [record.message for record in caplog.records] == ["another thing"]


def test_a_run_that_is_asked_for_again_while_it_is_in_a_queue_is_no_warning(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    dbos_engine.filter_logs()
    engine = open_engine(f"sqlite:///{tmp_path / 'x.db'}")
    client = engine_client(engine)
    dbos_engine.make_tables(client)
    client.register_queue("runs")
    client.register_queue("waiting")
    with caplog.at_level(logging.WARNING, logger="dbos"):
        for queue in ("runs", "waiting"):
            client.enqueue({"queue_name": queue, "workflow_name": "w", "workflow_id": "run-1"})
    assert [record.getMessage() for record in caplog.records] == []
    engine.dispose()


def test_a_run_that_a_person_takes_back_is_no_error_of_the_engine(caplog: pytest.LogCaptureFixture) -> None:
    """The engine waits for what was recorded of it, and learns that it was cancelled."""
    dbos_engine.filter_logs()
    logger = logging.getLogger("dbos")
    with caplog.at_level(logging.WARNING, logger="dbos"):
        logger.warning("Workflow run-1 was cancelled during execution. Waiting for the recorded outcome")
        logger.error("Exception encountered in asynchronous workflow:", exc_info=DBOSAwaitedWorkflowCancelledError("run-1"))
        logger.error("Exception encountered in asynchronous workflow:", exc_info=ValueError("another"))
    assert [record.exc_info and str(record.exc_info[1]) for record in caplog.records] == ["another"]
