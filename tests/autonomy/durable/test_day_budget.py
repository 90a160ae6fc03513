"""The budget of a job's day holds where runs begin, whoever asked for them, in whatever number and in however many processes."""

from collections.abc import AsyncIterator
from datetime import datetime
from decimal import Decimal
from pathlib import Path
from zoneinfo import ZoneInfo

import anyio
import anyio.to_thread
import pytest
import sqlalchemy as sa

from autonomy.durable.engine import ConcurrencyLimits
from autonomy.durable.records.run_records import RunRecords
from autonomy.run_state.limits import Budget, Use
from autonomy.run_state.run_values import RunRequest
from metrics.events import ModelAnswered
from metrics.journal import Journal
from tests.requirements import requirement
from tests.support.durable import Workshop, asked, box, furnished_database, in_place, workshop
from tests.support.postgres import Server

TOKYO, UTC = ZoneInfo("Asia/Tokyo"), ZoneInfo("UTC")
ONE_AT_A_TIME = ConcurrencyLimits(poll_s=0.05, tenant=1)


ONE_DATABASE = pytest.mark.parametrize(
    "engine", ["sqlite", pytest.param("postgresql", marks=[pytest.mark.postgres, pytest.mark.sweep])], indirect=True
)
"""Where no two runs meet; PostgreSQL is tried in the sweeps."""


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.postgres)])
async def engine(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[sa.Engine]:
    server: Server | None = request.getfixturevalue("postgres_server") if request.param == "postgresql" else None

    def prepared() -> sa.Engine:
        return in_place(furnished_database(server, "budget") if server else f"sqlite:///{tmp_path / 'jiritsu.db'}")

    made = await anyio.to_thread.run_sync(prepared)
    yield made
    await anyio.to_thread.run_sync(made.dispose)


def of_day(run_id: str, goal: str = "two", **budget: float) -> RunRequest:
    return asked(run_id, goal, job="flooded", budget=Budget.model_validate(budget))


async def ended(shop: Workshop, *run_ids: str) -> list[tuple[str, str]]:
    results = [await shop.runs.ended(run_id, poll_s=0.05) for run_id in run_ids]
    return [(result.ending, result.reason) for result in results]


@requirement("Y3")
async def test_of_many_runs_asked_for_at_once_as_many_begin_as_the_day_has(tmp_path: Path, engine: sa.Engine) -> None:
    ids = [f"run-{number}" for number in range(5)]
    with anyio.fail_after(240):
        async with workshop("", box(tmp_path), engine=engine, over_budget=RunRecords(engine).over_budget) as shop:
            async with anyio.create_task_group() as group:
                for run_id in ids:
                    group.start_soon(shop.orders.enqueue, of_day(run_id, runs_per_day=2))
            found = await ended(shop, *ids)
            goals = {request.task.goal for request in shop.asked_of_the_model if request.task}
    assert sorted(ending for ending, _ in found) == ["blocked"] * 3 + ["completed"] * 2
    assert {reason for ending, reason in found if ending == "blocked"} == {"budget: 2 of 2 runs of the day are used up"}
    assert len(goals) == 2


@requirement("Y3")
@ONE_DATABASE
async def test_calls_that_an_earlier_run_of_the_queue_made_are_not_there_for_the_next(tmp_path: Path, engine: sa.Engine) -> None:
    with anyio.fail_after(240):
        async with workshop(
            "", box(tmp_path), engine=engine, concurrency=ONE_AT_A_TIME, over_budget=RunRecords(engine).over_budget
        ) as shop:
            for run_id in ("run-1", "run-2"):
                await shop.orders.enqueue(of_day(run_id, calls_per_day=6))
            found = await ended(shop, "run-1", "run-2")
    assert found == [("completed", ""), ("blocked", "budget: 6 of 6 calls of the day are used up")]


@requirement("Y3")
@ONE_DATABASE
async def test_a_run_that_waited_makes_the_call_that_was_granted_and_stops_where_others_used_the_rest(
    tmp_path: Path, engine: sa.Engine
) -> None:
    over_budget = RunRecords(engine).over_budget
    with anyio.fail_after(240):
        async with workshop("", box(tmp_path), engine=engine, over_budget=over_budget) as shop:
            await shop.orders.enqueue(of_day("run-1", "ask", calls_per_day=6))
            approval = await shop.question()
            await shop.orders.enqueue(of_day("run-2", calls_per_day=6))
            assert await ended(shop, "run-2") == [("completed", "")]
        async with workshop("", box(tmp_path), engine=engine, over_budget=over_budget) as shop:
            await shop.approvals.answer(approval.id, granted=True, by="somebody")
            assert await ended(shop, "run-1") == [("exhausted", "budget: 10 of 6 calls of the day are used up")]
            assert (await shop.records.get("run-1")).result is not None
    assert (tmp_path / "risky.txt").read_text() == "run-1/1\n"


@requirement("Y3")
@ONE_DATABASE
async def test_a_paused_run_that_is_resumed_over_the_budget_asks_no_model_for_calls_any_more(
    tmp_path: Path, engine: sa.Engine
) -> None:
    over_budget = RunRecords(engine).over_budget
    with anyio.fail_after(240):
        async with workshop("", box(tmp_path), engine=engine, over_budget=over_budget) as shop:
            await shop.orders.enqueue(of_day("run-1", "ask", calls_per_day=6))
            approval = await shop.question()
            await shop.orders.pause("run-1", by="somebody")
            await shop.orders.enqueue(of_day("run-2", calls_per_day=6))
            assert await ended(shop, "run-2") == [("completed", "")]
            await shop.approvals.answer(approval.id, granted=True, by="somebody")
            await shop.orders.resume("run-1", by="somebody")
            assert await ended(shop, "run-1") == [("exhausted", "budget: 10 of 6 calls of the day are used up")]
    assert (tmp_path / "risky.txt").read_text() == "run-1/1\n"


@requirement("Y3")
async def test_runs_at_the_same_time_stop_together_where_the_calls_of_the_day_are_used_up(
    tmp_path: Path, engine: sa.Engine
) -> None:
    with anyio.fail_after(240):
        async with workshop("", box(tmp_path), engine=engine, over_budget=RunRecords(engine).over_budget) as shop:
            for run_id in ("run-1", "run-2"):
                await shop.orders.enqueue(of_day(run_id, "ask", calls_per_day=7))
            for _ in range(2):
                await shop.approvals.answer((await shop.question()).id, granted=True, by="somebody")
            endings = {ending for ending, _ in await ended(shop, "run-1", "run-2")}
    assert "exhausted" in endings


@requirement("Y3")
async def test_what_a_run_has_used_so_far_counts_before_it_ends(engine: sa.Engine) -> None:
    records, journal = RunRecords(engine), Journal(engine)
    await records.begin(of_day("run-1", usd_per_day=1.0), 100.0)
    late = of_day("run-2", usd_per_day=1.0)
    assert await records.over_budget(late, 101.0) == ""
    answered = {"run_id": "run-1", "tenant": "default", "job": "flooded", "at": 100.5, "turn": 1, "model": "m", "duration_s": 1.0}
    await journal.write([ModelAnswered(**answered, key="turn-1/model-answered", cost_usd=Decimal("0.75"))])
    assert await records.over_budget(late, 101.0, Use(0, Decimal("0.25"))) == "", "the last of it"
    assert await records.over_budget(late, 101.0, Use(0, Decimal("0.26"))) == "budget: 1.0100 of 1 USD of the day are used up"
    await journal.write([ModelAnswered(**answered, key="turn-2/model-answered", cost_usd=Decimal("0.5"))])
    for state in ("running", "paused", "queued"):  # which it is again when it is resumed
        await records.move("run-1", state)
        assert await records.over_budget(late, 101.0) == "budget: 1.2500 of 1 USD of the day are used up", state
    for other in ({"tenant": "other"}, {"job": "dry"}):
        assert await records.over_budget(late.model_copy(update=other), 101.0) == "", "each tenant's job has a day of its own"
    await journal.write([ModelAnswered(**answered, key="turn-3/model-answered")])
    assert "unknown" in await records.over_budget(late, 101.0)
    assert await records.over_budget(late, 101.0, Use(0, None)) == "", "whoever has begun did not know the price either"


@requirement("Y3")
@pytest.mark.parametrize(
    ("timezone", "over"),
    [(TOKYO.key, ""), (UTC.key, "budget: 1 of 1 runs of the day are used up")],
)
async def test_the_day_is_that_of_the_jobs_time_zone_in_which_the_run_was_asked_for(
    engine: sa.Engine, timezone: str, over: str
) -> None:
    records, midnight = RunRecords(engine), datetime(2026, 11, 20, tzinfo=TOKYO).timestamp()
    for run_id, asked_at in (("run-1", midnight - 60), ("run-2", midnight + 60)):
        await records.begin(of_day(run_id, runs_per_day=1), asked_at)
    late = of_day("run-2", runs_per_day=1).model_copy(update={"timezone": timezone})
    assert await records.over_budget(late, midnight + 86_400) == over


@requirement("Y3")
@ONE_DATABASE
async def test_a_run_that_ended_before_it_asked_a_model_owes_nothing(tmp_path: Path, engine: sa.Engine) -> None:
    records = RunRecords(engine)
    with anyio.fail_after(240):
        async with workshop("", box(tmp_path), engine=engine, over_budget=records.over_budget) as shop:
            blocked = await shop.runs.run(of_day("run-1", usd_per_day=1).model_copy(update={"tools": ("nowhere_*",)}))
            after = await shop.runs.run(of_day("run-2", usd_per_day=1))
    assert (blocked.ending, after.ending) == ("blocked", "completed")
    assert blocked.usage.cost_usd == 0
