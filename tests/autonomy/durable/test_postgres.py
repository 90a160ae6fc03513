"""The same on PostgreSQL, with several workers, and with the server crashing under them."""

import gc
import os
import time
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import anyio
import anyio.to_thread
import psycopg
import pytest
import sqlalchemy as sa
from dbos._error import DBOSStepNondeterminismError, DBOSWorkflowConflictIDError

from autonomy import database
from autonomy.cli.commands.doctor import _local_checks
from autonomy.database import SchemaModule, for_reads, migrate, open_engine
from autonomy.durable import engine as durable_engine
from autonomy.durable.dbos_internals import dbos_engine
from autonomy.durable.dbos_internals.step_lookup import StepLookup
from autonomy.durable.dbos_internals.step_statements import ReadyStatements, SingleStatementStore
from autonomy.durable.engine import Liveness, engine_client
from autonomy.durable.engine_tables import owners
from autonomy.durable.liveness import postgres_locks
from autonomy.durable.liveness.process_locks import open_locks
from autonomy.errors import StoreError
from autonomy.settings import load
from tests.requirements import requirement
from tests.support.durable import asked, box, furnished_database, prepared, workshop
from tests.support.postgres import NEEDED, Server, postgres
from tests.support.statements import counted
from tests.support.waiting import until

pytestmark = [
    pytest.mark.postgres,
    NEEDED,
    # a server that crashes under the engine's pool may leave it with a connection that nobody closes any more
    pytest.mark.filterwarnings("ignore:.*psycopg.Connection.*was deleted while still open:ResourceWarning"),
    pytest.mark.filterwarnings("ignore:Exception ignored in. <function BaseConnection:pytest.PytestUnraisableExceptionWarning"),
]


@pytest.fixture(autouse=True)
def collected() -> Iterator[None]:
    """Collect it here, not in the middle of an innocent test."""
    yield
    gc.collect()


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    with postgres() as running:
        yield running


@pytest.fixture
async def url(server: Server) -> str:
    return await anyio.to_thread.run_sync(furnished_database, server, "runs")


@requirement("J4")
async def test_a_run_with_an_approval_goes_the_same_way(url: str, tmp_path: Path) -> None:
    async with workshop(url, box(tmp_path)) as shop:
        await shop.orders.enqueue(asked("run-0", "ask"))
        with anyio.fail_after(240):
            approval = await shop.question()
            await shop.approvals.answer(approval.id, granted=True, by="haruka")
            assert (await shop.runs.ended("run-0")).ending == "completed"
        assert (await shop.journal.verify()).findings == ()
    assert (tmp_path / "note.txt").read_text().split() == ["run-0/1", "run-0/2"]


@requirement("J4", "R1")
async def test_a_worker_told_to_stop_while_the_database_is_away_ends_and_its_runs_go_on_later(
    url: str, server: Server, tmp_path: Path
) -> None:
    with anyio.fail_after(240):
        async with workshop(url, box(tmp_path, delay_s=0.3), liveness=Liveness(every_s=0.2, grace_s=0.5)) as shop:
            await shop.orders.enqueue(asked("run-0"))
            while not (tmp_path / "note.txt").exists():
                await anyio.sleep(0.02)
            await anyio.to_thread.run_sync(server.stop)
            async with anyio.create_task_group() as group:
                group.start_soon(shop.orders.enqueue, asked("run-1"))  # an order that waits is given up like the rest
                await anyio.sleep(0.3)
                group.cancel_scope.cancel()
    await anyio.to_thread.run_sync(server.start)
    async with workshop(url, box(tmp_path)) as shop:
        with anyio.fail_after(240):
            assert (await shop.runs.ended("run-0")).ending == "completed"
    assert sorted((tmp_path / "note.txt").read_text().split()) == ["run-0/1", "run-0/2"]


@requirement("J4")
async def test_runs_outlast_a_crash_of_the_database_server(url: str, server: Server, tmp_path: Path) -> None:
    async with workshop(url, box(tmp_path, delay_s=0.3)) as shop:
        for number in range(4):
            await shop.orders.enqueue(asked(f"run-{number}"))
        with anyio.fail_after(240):
            while not (tmp_path / "note.txt").exists():
                await anyio.sleep(0.02)
            await anyio.to_thread.run_sync(server.stop, "immediate")
            await anyio.to_thread.run_sync(server.start)
            for number in range(4):
                assert (await shop.runs.ended(f"run-{number}")).ending == "completed"
        assert (await shop.journal.verify()).findings == ()
    notes = (tmp_path / "note.txt").read_text().split()
    assert sorted(notes) == sorted(f"run-{number}/{turn}" for number in range(4) for turn in (1, 2))


@requirement("J4")
def test_who_is_back_first_after_a_restart_takes_no_run_of_a_worker_that_is_not_back_yet(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    tables, taken_over = prepared(server.create("restarted")), list[str]()
    monkeypatch.setattr(durable_engine, "_hand_over", lambda _engine, name: taken_over.append(name))
    unfinished: Any = SimpleNamespace(execute=lambda *_: [("run-1", "PENDING", "other", None, None)])
    mine, others = open_locks(tables), open_locks(tables)
    assert mine.take("mine")
    assert others.take("other")
    server.stop("immediate")
    server.start()
    tables.dispose()
    durable_engine._take_over(tables, "mine", mine, unfinished)
    assert taken_over == []
    starting = open_locks(tables)
    assert not starting.tells_the_dead, "a worker that starts now knows it from the server"
    starting.close()
    assert others.take("other")  # a moment later
    monkeypatch.setattr(postgres_locks, "OTHERS_RETURN_S", 0.0)  # as after that time
    durable_engine._take_over(tables, "mine", mine, unfinished)
    assert taken_over == []
    others.close()
    until(lambda: bool(durable_engine._take_over(tables, "mine", mine, unfinished) and taken_over), timeout_s=240)
    assert set(taken_over) == {"other"}
    mine.close()
    tables.dispose()


def test_looks_after_other_workers_keep_what_a_connection_has_prepared(server: Server) -> None:
    engine = prepared(server.create("looks"))
    engine_client(engine)._sys_db.run_migrations()

    def kept(reading: sa.Engine) -> int:
        for _ in range(8):  # psycopg prepares what is asked for the sixth time
            with reading.connect() as connection:
                connection.exec_driver_sql("select 1 + 1")
        assert owners(engine) == {}
        with for_reads(engine).connect() as connection:
            return int(connection.exec_driver_sql("select count(*) from pg_prepared_statements").scalar_one())

    assert kept(for_reads(engine)) >= 1
    assert kept(engine) == 0  # what a rollback costs
    engine.dispose()


@requirement("J4")
def test_a_connection_is_asked_whether_it_stands_only_if_it_rested_and_one_that_the_server_closed_is_replaced(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    engine = open_engine(server.create("ping"))
    asked = list[object]()
    ask = engine.dialect.do_ping._ask  # type: ignore[attr-defined]
    monkeypatch.setattr(engine.dialect.do_ping, "_ask", lambda connection: (asked.append(connection), ask(connection))[1])

    def one() -> int:
        with engine.connect() as connection:
            return int(connection.scalar(sa.text("select 1")))

    one()  # a new connection is not asked
    asks = []
    for _ in range(3):
        one()
        asks.append(len(asked))
    assert asks == [1, 1, 1]
    server.stop("immediate")
    server.start()
    assert one() == 1
    assert len(asked) == 2
    monkeypatch.setattr(database, "RESTED_S", 0.0)
    one()
    assert len(asked) == 3
    engine.dispose()


@requirement("J4")
def test_a_step_is_stored_by_one_statement_for_the_owner_of_its_run_alone(server: Server) -> None:
    engine = open_engine(server.create("steps"))
    client = engine_client(engine)
    dbos_engine.make_tables(client)
    system = client._sys_db
    client.enqueue({"queue_name": "runs", "workflow_name": "w", "workflow_id": "run-1"})
    with engine.begin() as connection:
        connection.execute(sa.text("update dbos.workflow_status set status = 'PENDING', owner_xid = 'me'"))
    lookup = StepLookup(system, None)
    stored = SingleStatementStore(system, ReadyStatements(system, lookup))
    words = {"function_name": "turn-1/model", "output": "it", "serialization": "json", "error": None, "child_workflow_id": None}
    step = {"workflow_uuid": "run-1", "function_id": 1, "started_at_epoch_ms": 1, **words}
    with pytest.raises(DBOSWorkflowConflictIDError):
        stored.store(step, owner_xid="another")
    with counted() as sent:
        stored.store(step, completed_at_epoch_ms=7, owner_xid="me")
    assert (len(sent.statements), sent.commits) == (1, 0)
    stored.store(step, completed_at_epoch_ms=7, owner_xid="me")  # as after a commit whose answer was lost
    with pytest.raises(DBOSStepNondeterminismError):
        stored.store(step, completed_at_epoch_ms=8, owner_xid="me")
    with engine.begin() as connection:
        ((output, at),) = connection.execute(sa.text("select output, completed_at_epoch_ms from dbos.operation_outputs"))
    assert (output, at) == ("it", 7)
    for _ in range(6):  # from the sixth time on the driver has it prepared, and no rollback of a reader takes that away
        lookup._ask(("run-1", "me"), on_a_loop=False)
    with engine.connect() as connection:
        prepared_ones = "select count(*) from pg_prepared_statements where statement like '%recovery_attempts%'"
        assert connection.scalar(sa.text(prepared_ones)) == 1
    engine.dispose()


def test_a_lock_is_held_by_one_connection_and_taken_again_after_the_server_crashed(server: Server) -> None:
    engine = prepared(server.create("locks"))
    first, second = open_locks(engine), open_locks(engine)
    assert first.take("worker")
    assert first.take("launching")
    assert not second.take("worker")
    server.stop("immediate")
    first.free("launching")  # which the server has freed: why its holder leaves is told, not this
    server.start()
    assert first.take("worker")
    assert second.take("launching")
    assert not second.take("worker")
    first.close()
    deadline = time.monotonic() + 5  # the server notices in its own time
    while not (taken := second.take("worker")) and time.monotonic() < deadline:
        os.sched_yield()
    assert taken
    second.close()
    engine.dispose()


def test_a_database_without_an_encoding_is_refused_with_the_command_that_makes_one(server: Server) -> None:
    name = f"plain_{os.getpid()}"  # several workers share the server
    with psycopg.connect(server.url(), autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name} ENCODING 'SQL_ASCII' LOCALE 'C' TEMPLATE template0")
    ((_, state, problem, _),) = [
        check for check in _local_checks(load(env={"JIRITSU_DATABASE_URL": server.url(name)})) if check[0] == "database"
    ]
    assert state == "fail"
    assert f"{name} has no encoding (SQL_ASCII)" in str(problem)
    assert f"CREATE DATABASE {name} ENCODING 'UTF8'" in str(problem)


def test_doctor_names_the_sqlite_file_that_is_left_behind(server: Server, tmp_path: Path) -> None:
    env = {"JIRITSU_HOME": str(tmp_path), "JIRITSU_DATABASE_URL": server.create("moved")}
    left = tmp_path / "jiritsu.db"
    told = []
    for is_there in (False, True):
        left.touch() if is_there else None
        told.append([detail for name, state, detail, _ in _local_checks(load(env=env)) if (name, state) == ("database", "warn")])
    assert told == [[], [f"{left} is not used any more: its runs, approvals and tenants stay there"]]


async def test_a_database_of_a_newer_release_is_told_by_its_name_and_host(url: str) -> None:
    def downgraded() -> None:
        engine = open_engine(url)
        migrate(engine, [SchemaModule("parcels", sa.MetaData(), [lambda _connection: None])])
        try:
            migrate(engine, [SchemaModule("parcels", sa.MetaData())])
        finally:
            engine.dispose()

    name = sa.make_url(url).database
    with pytest.raises(
        StoreError, match=rf"the database {name} at 127\.0\.0\.1 was used by a newer .* \(parcels 2, this one knows 1\)"
    ):
        await anyio.to_thread.run_sync(downgraded)
