"""Who is there to run runs, as the page of what happens now tells it: at work, idle, silent, gone."""

import time
from functools import partial
from pathlib import Path

import anyio
import anyio.to_thread
import pytest
import sqlalchemy as sa

from autonomy.durable.durable_tables import workers
from autonomy.durable.records.confirmed_time import DAY_S, jump_of
from autonomy.durable.records.worker_heartbeats import REMEMBERED_S, SILENT_S, WorkerHeartbeats, read_heartbeats
from autonomy.durable.store import Store
from tests.requirements import requirement
from tests.support.command import jiritsu
from tests.support.console import browsing, console_over
from tests.support.durable import asked, box, furnished_database, in_place, workshop
from tests.support.postgres import NEEDED, Server


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=[pytest.mark.postgres, NEEDED])])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path / 'jiritsu.db'}"
    server: Server = request.getfixturevalue("postgres_server")
    return furnished_database(server, "workers")


async def workers_on(engine: sa.Engine, *, later_s: float = 0.0) -> str:
    """The part of the page that tells of workers."""
    async with browsing(console_over(engine, clock=lambda: time.time() + later_s)) as reader:
        page = (await reader.get("/now")).text
    return page[page.index('id="now-workers"') :].split("</section>")[0]


@requirement("U3")
async def test_an_idle_worker_is_seen_from_elsewhere_then_with_its_run_and_not_any_more_once_it_stopped(
    url: str, tmp_path: Path
) -> None:
    elsewhere = await anyio.to_thread.run_sync(in_place, url)
    assert "No worker is alive" in await workers_on(elsewhere)
    async with workshop(url, box(tmp_path), executor_id="w-1") as shop:
        with anyio.fail_after(240):
            while "w-1" not in (told := await workers_on(elsewhere)):
                await anyio.sleep(0.02)
        assert "idle" in told
        assert "up to 8 runs at once, 4 of a tenant" in told
        assert "No worker is alive" not in told
        await shop.orders.enqueue(asked("run-1", "ask"))
        await shop.orders.enqueue(asked("secret-2", "ask", tenant="another"))
        await shop.question()
        with anyio.fail_after(240):
            # either of the two may be taken first
            while not ("1 of other tenants" in (told := await workers_on(elsewhere)) and 'href="/runs/run-1"' in told):
                await anyio.sleep(0.02)
        assert "idle" not in told
        assert "secret-2" not in told, "another tenant's run is counted and not named"
    with anyio.fail_after(240):
        # what it was stopped in waits; PostgreSQL sees a moment later that its worker is gone
        while "w-1" in (told := await workers_on(elsewhere)) and "gone" not in told:
            await anyio.sleep(0.02)
    assert await anyio.to_thread.run_sync(read_heartbeats, elsewhere) == []
    await anyio.to_thread.run_sync(elsewhere.dispose)


@requirement("U3")
async def test_a_worker_that_died_is_told_of_as_gone_and_one_that_hangs_as_silent(url: str, tmp_path: Path) -> None:
    engine = await anyio.to_thread.run_sync(in_place, url)
    await anyio.to_thread.run_sync(WorkerHeartbeats(engine, "dead-1", "serve", here=8, tenant=4).send)
    told = await workers_on(engine)
    assert "gone" in told
    assert "jiritsu serve" in told
    assert "No worker is alive" in told
    async with workshop(url, box(tmp_path), executor_id="w-1"):
        with anyio.fail_after(240):
            while "w-1" not in await workers_on(engine):
                await anyio.sleep(0.02)
        assert "silent" not in await workers_on(engine)
        assert "silent" in await workers_on(engine, later_s=SILENT_S + 60)
    await anyio.to_thread.run_sync(engine.dispose)


@requirement("S5", "U3")
async def test_a_clock_that_jumped_ahead_is_told_on_the_first_page_and_by_doctor(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'jiritsu.db'}"
    engine = await anyio.to_thread.run_sync(in_place, url)
    assert "clock-jump" not in await workers_on(engine)
    now = 1_796_000_000.0  # 2026-11-30
    for at in (now, now + 1100 * DAY_S):
        await Store(engine)(partial(jump_of, now=at, plausible_s=7 * DAY_S, began=at))
    told = await workers_on(engine)
    assert "A worker&#39;s clock says 2029-12-04; this database was last in use on 2026-11-30." in told
    assert "Until 2029-12-11, only what was old on 2026-11-30 is deleted." in told
    doctor = await anyio.to_thread.run_sync(partial(jiritsu, "doctor", "--no-call", home=tmp_path, JIRITSU_DATABASE_URL=url))
    assert "! clock: the clock says 2029-12-04, 1100 days after 2026-11-30" in doctor.stdout
    await anyio.to_thread.run_sync(engine.dispose)


def test_a_worker_that_died_is_forgotten_after_an_hour(url: str) -> None:
    engine = in_place(url)
    now = [1000.0]
    for name in ("dead", "alive"):
        WorkerHeartbeats(engine, name, "worker", here=8, tenant=4, clock=lambda: now[0]).send()
    now[0] += REMEMBERED_S + 1
    alive = WorkerHeartbeats(engine, "alive", "worker", here=8, tenant=4, clock=lambda: now[0])
    alive.send()
    assert [(sign.name, sign.seen_at) for sign in read_heartbeats(engine)] == [("alive", pytest.approx(now[0], abs=5))]
    alive.leave()
    with engine.connect() as connection:
        assert connection.scalar(sa.select(sa.func.count()).select_from(workers)) == 0
    engine.dispose()
