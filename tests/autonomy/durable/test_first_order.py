"""An order is taken where no worker was ever started on the database."""

import threading
from pathlib import Path

import anyio
import anyio.to_thread
import pytest
import sqlalchemy as sa
from dbos._migration import sqlite_migrations

from autonomy.durable.dbos_internals.dbos_engine import has_all_tables
from autonomy.durable.engine import LAUNCHING, engine_client, make_engine_tables
from autonomy.durable.engine_tables import has_engine
from autonomy.durable.liveness.process_locks import open_locks
from autonomy.durable.memory.sql_ledger import SqlLedger
from autonomy.durable.records.run_records import RunRecords
from autonomy.durable.run_control import RunControl
from autonomy.durable.store import Store
from metrics.journal import Journal
from tests.requirements import requirement
from tests.support.durable import asked, box, prepared, workshop
from tests.support.postgres import NEEDED, Server


@requirement("R1")
@pytest.mark.parametrize("kind", ["sqlite", pytest.param("postgresql", marks=[pytest.mark.postgres, NEEDED])])
async def test_a_run_that_is_queued_before_any_worker_ever_started_is_carried_out_by_the_first(
    kind: str, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    if kind == "postgresql":
        server: Server = await anyio.to_thread.run_sync(request.getfixturevalue, "postgres_server")
        url = await anyio.to_thread.run_sync(server.create, "first")
    else:
        url = f"sqlite:///{tmp_path / 'jiritsu.db'}"
    engine = await anyio.to_thread.run_sync(prepared, url)
    records = RunRecords(engine)
    orders = await anyio.to_thread.run_sync(lambda: RunControl(engine, records, SqlLedger(Store(engine)), Journal(engine)))
    with anyio.fail_after(240):
        async with anyio.create_task_group() as both:  # two consoles may be the first at once
            both.start_soon(orders.enqueue, asked("run-1"))
            both.start_soon(orders.enqueue, asked("run-2"))
        async with workshop(url, box(tmp_path), engine=engine) as shop:
            for name in ("run-1", "run-2"):
                await shop.runs.ended(name)
                assert (await records.get(name)).state == "completed"


@requirement("R1")
def test_tables_that_another_process_has_only_begun_to_make_are_waited_for(tmp_path: Path) -> None:
    engine = prepared(f"sqlite:///{tmp_path / 'jiritsu.db'}")
    with engine.begin() as connection:
        connection.execute(sa.text("CREATE TABLE dbos_migrations (version INTEGER NOT NULL PRIMARY KEY)"))
        connection.execute(sa.text("INSERT INTO dbos_migrations VALUES (1)"))
        for statement in filter(str.strip, sqlite_migrations[0].split(";")):  # without what later versions added
            connection.exec_driver_sql(statement)
    assert has_engine(engine)
    client = engine_client(engine)
    assert not has_all_tables(client)

    launching = open_locks(engine)
    assert launching.take(LAUNCHING)
    other = threading.Thread(target=make_engine_tables, args=(engine, client))
    other.start()
    other.join(0.2)
    assert other.is_alive()
    launching.free(LAUNCHING)
    other.join(240)
    assert has_all_tables(client)
