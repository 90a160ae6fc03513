"""Small tables that every process of a database shares: alerts, starts that wait, remote tasks, the zone of schedules."""

from collections.abc import Iterator
from pathlib import Path

import anyio.to_thread
import pytest
import sqlalchemy as sa

from autonomy.durable.durable_tables import runs
from autonomy.durable.ending_outside import close_open_items
from autonomy.durable.liveness.process_locks import open_locks
from autonomy.durable.memory.sql_ledger import SqlLedger
from autonomy.durable.memory.sql_remote_tasks import SqlRemoteTasks
from autonomy.durable.records.run_search import newest_runs
from autonomy.durable.scheduling.alerts import TELLING, Alert, Alerts
from autonomy.durable.scheduling.schedule_zone import settle_zone, stored_zone
from autonomy.durable.scheduling.trigger_memory import HeldStart, TriggerMemory
from autonomy.durable.store import Store
from tests.requirements import requirement
from tests.support.durable import prepared


@pytest.fixture
def engine(tmp_path: Path) -> Iterator[sa.Engine]:
    made = prepared(f"sqlite:///{tmp_path / 'jiritsu.db'}")
    yield made
    made.dispose()


@requirement("J2")
async def test_each_problem_of_a_broken_job_is_told_once_and_by_one_process(engine: sa.Engine) -> None:
    alerts, told = Alerts(Store(engine)), list[str]()

    async def tell(alert: Alert) -> str:
        told.append(alert.endings)
        return "by hand"

    for problem in ("no goal", "no need", "no goal"):
        await alerts.broken("diary", problem)
    locks = await anyio.to_thread.run_sync(open_locks, engine)
    assert await anyio.to_thread.run_sync(locks.take, TELLING)
    await alerts.each(tell)
    assert told == [], "another process is at it"
    await anyio.to_thread.run_sync(locks.close)
    for _ in range(2):
        await alerts.each(tell)
    assert sorted(told) == ["no goal", "no need"]


@requirement("Y3")
async def test_starts_that_wait_are_kept_once_and_in_the_order_in_which_they_were_asked_for(engine: sa.Engine) -> None:
    memory = TriggerMemory(Store(engine))
    for run_id, at in (("a", 2.0), ("b", 1.0), ("a", 3.0)):
        await memory.hold(HeldStart(run_id=run_id, job="j", inputs={}, actor="haruka", asked_at=at, reason="budget"))
    assert [(one.run_id, one.asked_at) for one in await memory.held()] == [("b", 1.0), ("a", 2.0)]


@requirement("J4")
async def test_the_latest_task_of_a_call_is_the_one_that_is_asked_after(engine: sa.Engine) -> None:
    tasks = SqlRemoteTasks(Store(engine))
    for task in ("first", "second"):
        await tasks.keep("run-1/turn-1/call-1", run_id="run-1", task_id=task)
    assert await tasks.known("run-1/turn-1/call-1") == "second"
    await tasks.forget("run-1/turn-1/call-1")
    assert await tasks.known("run-1/turn-1/call-1") == ""


@requirement("J2")
def test_where_a_machine_happens_to_be_moves_no_schedule_and_what_somebody_wrote_moves_all(engine: sa.Engine) -> None:
    settled = [
        settle_zone(engine, own, named=named)
        for own, named in (("Asia/Tokyo", False), ("Europe/Berlin", False), ("America/New_York", True), ("Asia/Tokyo", False))
    ]
    assert settled == ["Asia/Tokyo", "Asia/Tokyo", "America/New_York", "America/New_York"]
    assert stored_zone(engine) == "America/New_York"


@requirement("J4")
async def test_a_write_that_a_living_process_has_under_way_is_left_to_it(engine: sa.Engine) -> None:
    store = Store(engine)
    ledger = SqlLedger(store)
    await ledger.claim("run-1/turn-1/call-1", run_id="run-1", tool="box_post", arguments_sha256="")
    assert await close_open_items("run-1", store, nobody_has_it=False) == ()
    assert [one.state for one in await ledger.of_run("run-1")] == ["started"]
    (doubtful,) = await close_open_items("run-1", store)
    assert doubtful.tool == "box_post"
    assert [one.state for one in await ledger.of_run("run-1")] == ["unknown"]


@requirement("U5")
def test_of_several_states_the_newest_runs_come_first(engine: sa.Engine) -> None:
    row = {"job": "", "tenant": "default", "actor": "", "request": "{}"}
    with engine.begin() as connection:
        for number, state in enumerate(("queued", "failed", "completed", "queued", "failed")):
            connection.execute(runs.insert().values(run_id=f"run-{number}", state=state, asked_at=float(number), **row))
        query = sa.select(runs.c.run_id, runs.c.asked_at)
        assert [one["run_id"] for one in newest_runs(connection, query, ("queued", "failed"), 3)] == ["run-4", "run-3", "run-1"]
