"""What waits is run by real workers, in order of priority, once for each id, and no faster than its tenant's concurrency allow."""

import json
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from multiprocessing.process import BaseProcess
from pathlib import Path

import anyio
import anyio.lowlevel
import anyio.to_thread
import pytest
import sqlalchemy as sa

from autonomy.app import App
from autonomy.durable.engine_tables import status_table
from autonomy.durable.memory.sql_ledger import SqlLedger
from autonomy.durable.records.run_records import RunRecords
from autonomy.durable.run_control import RunControl
from autonomy.durable.store import Store
from autonomy.errors import ConfigError
from autonomy.settings import Config, Settings
from metrics.events import RunFinished, RunStarted
from metrics.journal import Journal
from tests.requirements import requirement
from tests.support.durable import QUICK, asked, box, furnished_database, in_place, start, workshop
from tests.support.postgres import NEEDED, Server

POSTGRESQL = (pytest.mark.postgres, NEEDED)
ONE_DATABASE = pytest.mark.parametrize(
    "url", ["sqlite", pytest.param("postgresql", marks=[*POSTGRESQL, pytest.mark.sweep])], indirect=True
)
"""Where the database only keeps the queue, and the engine decides; PostgreSQL is tried in the sweeps."""


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=POSTGRESQL)])
async def url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path / 'jiritsu.db'}"
    server: Server = request.getfixturevalue("postgres_server")
    return await anyio.to_thread.run_sync(furnished_database, server, "queues")


@dataclass
class Yard:
    """Where runs are ordered, and workers are let in."""

    url: str
    folder: Path
    engine: sa.Engine
    orders: RunControl
    journal: Journal
    crew: list[BaseProcess]

    async def let_in(self, workers: int, **concurrency: float) -> None:
        """Start workers, and wait until they work."""
        options = ("--forever", "--delay-s", "0.1", "--concurrency", json.dumps(concurrency))
        for _ in range(workers):
            self.crew.append(await anyio.to_thread.run_sync(lambda: start(self.url, str(self.folder), *options)))
        while len(list(self.folder.glob("ready-*"))) < workers:
            await anyio.sleep(0.05)

    async def times(self, *run_ids: str) -> list[tuple[float, float]]:
        """When each run began and ended, once all have ended."""
        while True:
            told = [event for run_id in run_ids for event in await self.journal.read(run_id=run_id)]
            began = {event.run_id: event.at for event in told if isinstance(event, RunStarted)}
            ended = {event.run_id: event.at for event in told if isinstance(event, RunFinished)}
            if len(ended) == len(run_ids):
                return [(began[run_id], ended[run_id]) for run_id in run_ids]
            await anyio.sleep(0.1)

    async def taken(self, *run_ids: str) -> list[float]:
        """When a worker took each of them out of the queue, by the database's clock; it begins when the worker comes to it."""
        table = status_table(self.engine)
        query = sa.select(table.c.workflow_uuid, table.c.started_at_epoch_ms)

        def read() -> dict[str, float]:
            with self.engine.connect() as connection:
                return {row[0]: int(row[1]) / 1000 for row in connection.execute(query)}

        found = await anyio.to_thread.run_sync(read)
        return [found[run_id] for run_id in run_ids]


@asynccontextmanager
async def yard(url: str, folder: Path) -> AsyncIterator[Yard]:
    async with workshop(url, takes_work=False):
        pass  # the engine has been started once, as orders need it
    engine = await anyio.to_thread.run_sync(in_place, url)
    journal = Journal(engine)
    orders = RunControl(engine, RunRecords(engine), SqlLedger(Store(engine)), journal)
    made = Yard(url, folder, engine, orders, journal, [])
    try:
        with anyio.fail_after(240):
            yield made
    finally:
        for worker in made.crew:
            worker.kill()
            worker.join()
        with anyio.CancelScope(shield=True):
            await anyio.to_thread.run_sync(engine.dispose)


def at_once(times: Sequence[tuple[float, float]]) -> int:
    """The most that went on at the same time."""
    return max(sum(began <= moment < ended for began, ended in times) for moment, _ in times)


@requirement("J4")
@pytest.mark.parametrize(
    "url", [pytest.param("sqlite", marks=pytest.mark.sweep), pytest.param("postgresql", marks=POSTGRESQL)], indirect=True
)
async def test_a_tenant_has_no_more_runs_at_once_in_all_workers_together_and_holds_up_nobody_else(
    url: str, tmp_path: Path
) -> None:
    async with yard(url, tmp_path) as place:
        await place.let_in(2, tenant=2)
        mine, other = [f"run-{number}" for number in range(6)], "run-other"
        for run_id in mine:
            await place.orders.enqueue(asked(run_id, tenant="mine"))
        await place.orders.enqueue(asked(other, tenant="other"))
        times = await place.times(*mine)
        ((began, _),) = await place.times(other)
    assert at_once(times) == 2
    assert began < max(began for began, _ in times), "the other tenant did not wait for all of mine"


@requirement("J4")
@ONE_DATABASE
async def test_a_question_that_nobody_answers_holds_up_no_other_run(url: str, tmp_path: Path) -> None:
    one = QUICK.model_copy(update={"here": 1, "tenant": 1})
    async with workshop(url, box(tmp_path), concurrency=one) as shop:
        await shop.orders.enqueue(asked("run-asks", "ask"))
        with anyio.fail_after(240):
            approval = await shop.question()
            await shop.orders.enqueue(asked("run-next"))
            assert (await shop.runs.ended("run-next")).ending == "completed"
            assert (await shop.records.get("run-asks")).state == "waiting"
            await shop.approvals.answer(approval.id, granted=True, by="haruka")
            assert (await shop.runs.ended("run-asks")).ending == "completed"
            await shop.orders.enqueue(asked("run-last"))
            assert (await shop.runs.ended("run-last")).ending == "completed"


@requirement("J4")
@ONE_DATABASE
async def test_asking_again_for_a_run_of_the_same_id_runs_it_once(url: str, tmp_path: Path) -> None:
    async with yard(url, tmp_path) as place:
        await place.let_in(2, tenant=4)
        async with anyio.create_task_group() as group:
            for _ in range(8):
                group.start_soon(place.orders.enqueue, asked("run-1"))
        await place.times("run-1")
        await place.orders.enqueue(asked("run-1"))
        await place.orders.enqueue(asked("run-2"))
        await place.times("run-2")
        kinds = [event.type for event in await place.journal.read(run_id="run-1")]
    assert (kinds.count("run_started"), kinds.count("run_finished")) == (1, 1)
    notes = (tmp_path / "note.txt").read_text().split()
    assert sorted(notes) == ["run-1/1", "run-1/2", "run-2/1", "run-2/2"]


@requirement("J4")
@ONE_DATABASE
async def test_runs_of_a_tenant_start_no_faster_than_its_rate_and_others_are_not_slowed_down(url: str, tmp_path: Path) -> None:
    async with yard(url, tmp_path) as place:
        mine, other = [f"run-{number}" for number in range(4)], "run-other"
        for run_id in mine:
            await place.orders.enqueue(asked(run_id, tenant="mine"))
        await place.orders.enqueue(asked(other, tenant="other"))
        await place.let_in(1, tenant=8, tenant_rate=2, rate_period_s=4)
        await place.times(*mine, other)
        starts, (began,) = sorted(await place.taken(*mine)), await place.taken(other)
    for first, beyond in zip(starts, starts[2:], strict=False):
        assert beyond - first >= 4
    assert began < starts[2], "the other tenant has a rate of its own"


@requirement("J4")
@ONE_DATABASE
async def test_what_is_urgent_goes_first_and_the_rest_in_the_order_it_came(url: str, tmp_path: Path) -> None:
    async with yard(url, tmp_path) as place:
        for run_id, priority in (("run-1", 100), ("run-2", 100), ("run-3", 1), ("run-4", 50)):
            await place.orders.enqueue(asked(run_id), priority=priority)
        await place.let_in(1, here=1)
        times = await place.times("run-1", "run-2", "run-3", "run-4")
    assert [began for began, _ in sorted(times)] == [times[index][0] for index in (2, 3, 0, 1)]
    assert at_once(times) == 1


@pytest.mark.parametrize(
    ("workers", "problem"),
    [
        ({"tenant": 0}, r"workers\.tenant: .*greater than or equal to 1, not 0"),
        ({"here": "many"}, r"workers\.here: .*whole number.*, not 'many'"),
        ({"rate_period_s": -1}, r"workers\.rate_period_s: .*greater than 0, not -1"),
        ({"tennant": 3}, r"workers\.tennant: there is no such key"),
    ],
)
async def test_a_setting_of_workers_that_cannot_be_used_is_named_with_its_file_and_value(
    workers: dict[str, object], problem: str
) -> None:
    settings = Settings(workers=workers)
    config = Config(settings, {"workers": "/etc/jiritsu.toml"})
    app = App.__new__(App)
    object.__setattr__(app, "config", config)
    with pytest.raises(ConfigError, match=rf"^/etc/jiritsu\.toml: {problem}"):
        app.durable()
