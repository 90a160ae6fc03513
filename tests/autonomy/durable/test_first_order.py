"""An order is taken where no worker was ever started on the database."""

from pathlib import Path

import anyio
import anyio.to_thread
import pytest

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
    with anyio.fail_after(60):
        async with anyio.create_task_group() as both:  # two consoles may be the first at once
            both.start_soon(orders.enqueue, asked("run-1"))
            both.start_soon(orders.enqueue, asked("run-2"))
        async with workshop(url, box(tmp_path), engine=engine) as shop:
            for name in ("run-1", "run-2"):
                await shop.runs.ended(name)
                assert (await records.get(name)).state == "completed"
