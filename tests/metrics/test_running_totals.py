"""Sums that are kept up as the journal grows are those that the whole journal gives."""

import itertools
import json
import tempfile
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack
from datetime import datetime
from pathlib import Path
from random import Random
from zoneinfo import ZoneInfo

import anyio
import anyio.to_thread
import pytest
import sqlalchemy as sa
from hypothesis import given, settings
from hypothesis import strategies as st

from autonomy.database import migrate, open_engine
from autonomy.stores import METRICS
from metrics import running_totals
from metrics.events import RunEvent
from metrics.figures import cost_usd
from metrics.journal import Journal
from metrics.measures import measure
from metrics.metrics_tables import costs as table
from metrics.metrics_tables import sums
from metrics.running_totals import Cell, Cells, RunningTotals, total
from metrics.telemetry.prometheus import READ
from tests.metrics.story import Story, diary
from tests.metrics.synthetic import period
from tests.requirements import requirement
from tests.support.postgres import NEEDED, Server


def events() -> list[RunEvent]:
    stories = [diary("a").events, Story("b", job="hr").start().turn().finish("failed").events, diary("c", job="x").events]
    return [event for story in stories for event in story]


def whole(told: list[RunEvent]) -> dict[Cell, float]:
    return {cell: pytest.approx(value) for cell, value in total(measure(told).runs).items() if value and cell[0] in READ}


def shown(found: Cells) -> dict[Cell, float]:
    return {cell: value for cell, value in found.items() if abs(value) > 1e-9 and cell[0] in READ}


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=[pytest.mark.postgres, NEEDED])])
def anywhere(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[sa.Engine]:
    """Either database."""
    with ExitStack() as stack:
        if request.param == "sqlite":
            url = f"sqlite:///{tmp_path / 'jiritsu.db'}"
        else:
            server: Server = request.getfixturevalue("postgres_server")
            url = server.create("totals")
        engine = open_engine(url)
        stack.callback(engine.dispose)
        migrate(engine, [METRICS])
        yield engine


@pytest.fixture
def engine(tmp_path: Path) -> Iterator[sa.Engine]:
    made = open_engine(f"sqlite:///{tmp_path / 'jiritsu.db'}")
    migrate(made, [METRICS])
    yield made
    made.dispose()


@requirement("U5", "M5")
async def test_sums_kept_up_step_by_step_are_those_of_the_whole_journal(
    engine: sa.Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(running_totals, "EVENTS_AT_ONCE", 3)
    journal, totals, told = Journal(engine), RunningTotals(engine), events()
    for number, event in enumerate(told, 1):
        await journal.write([event])
        if number % 4 == 0:
            assert shown(await totals.read(READ)) == whole(told[:number])
    assert shown(await totals.read(READ)) == whole(told)
    assert shown(await RunningTotals(engine).read(READ)) == whole(told), "another process reads what this one stored"


async def test_a_tool_name_that_a_model_made_endless_spoils_no_sums(anywhere: sa.Engine) -> None:
    endless = "".join(Random(1).choices("abcdefghijklmnopqrstuvwxyz", k=9000))
    await Journal(anywhere).write(Story("a").start().turn().call(tool=endless).call(tool="box_note").finish().events)
    found = await RunningTotals(anywhere).read(READ)
    assert found["calls", "box_note"] == 1
    assert sum(value for (name, *_), value in found.items() if name == "calls") == 2


@requirement("U5", "M5")
async def test_two_processes_that_catch_up_at_once_count_nothing_twice(engine: sa.Engine) -> None:
    journal, told = Journal(engine), events()
    await journal.write(told)
    with anyio.fail_after(240):
        async with anyio.create_task_group() as group:
            for _ in range(4):
                group.start_soon(RunningTotals(engine).read, READ)
    assert shown(await RunningTotals(engine).read(READ)) == whole(told)


@requirement("U5", "M5")
async def test_a_scrape_reads_only_what_came_since(engine: sa.Engine) -> None:
    journal, totals = Journal(engine), RunningTotals(engine)
    await journal.write(diary("a").events)
    await totals.read(READ)
    asked: list[str] = []
    sa.event.listen(engine, "before_cursor_execute", lambda *given: asked.append(given[2]))
    await totals.read(READ)
    assert [statement for statement in asked if "metrics_events" in statement] == []


@requirement("U5", "M5")
async def test_a_run_that_was_forgotten_stays_counted(engine: sa.Engine) -> None:
    journal, totals, told = Journal(engine), RunningTotals(engine), events()
    await journal.write(told)
    before = await totals.read(READ)
    await journal.erase("a", by="me", reason="a wish")
    assert await totals.read(READ) == before


@requirement("U5", "M5")
@settings(max_examples=6, deadline=None)
@given(st.integers(0, 1000), st.integers(0, 6), st.randoms(use_true_random=False), st.integers(1, 80))
def test_sums_of_any_runs_written_in_any_order_and_taken_in_any_batches_are_those_of_the_runs_one_by_one(
    seed: int, count: int, order: Random, at_once: int
) -> None:
    told = [*period(seed, days=1, runs_per_day=count), *Story("rehearsed").start(simulated=True).turn().finish().events]
    order.shuffle(told)  # runs at work together write between each other
    with tempfile.TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patch:
        patch.setattr(running_totals, "EVENTS_AT_ONCE", at_once)
        patch.setattr(running_totals, "RUNS_AT_ONCE", 3)
        engine = open_engine(f"sqlite:///{folder}/jiritsu.db")
        migrate(engine, [METRICS])
        anyio.run(Journal(engine).write, told)
        assert shown(anyio.run(RunningTotals(engine).read, READ)) == whole(told)
        engine.dispose()


@given(st.lists(st.integers(0, 40), max_size=6))
def test_what_a_run_adds_does_not_depend_on_where_its_events_were_cut(cuts: list[int]) -> None:
    told = diary("a").events
    found: Counter[Cell] = Counter()
    at = 0
    for cut in [*sorted({min(cut, len(told)) for cut in cuts}), len(told)]:
        found.update(total(measure(told[:cut]).runs))
        found.subtract(total(measure(told[:at]).runs))
        at = cut
    assert shown(found) == whole(list(told))


ZONES = [ZoneInfo(name) for name in ("Asia/Tokyo", "Europe/Berlin", "America/St_Johns", "Australia/Lord_Howe", "Asia/Kathmandu")]
"""Hours that are half, quarters of hours, and clocks put forward by half an hour."""


@requirement("U4", "U5")
async def test_costs_by_day_job_and_model_are_those_of_the_runs_themselves(anywhere: sa.Engine) -> None:
    told = []
    for place in range(30):  # once a week, so that clocks are put forward and back on the way
        tenant = "acme" if place % 3 else "他"
        for event in events():
            changed = {"tenant": tenant, "run_id": f"{event.run_id}-{place}", "at": event.at + place * 604_800 + place * 977}
            told.append(event.model_copy(update=changed))
    await Journal(anywhere).write(told)
    runs, totals = measure(told).runs, RunningTotals(anywhere)
    asked = (("acme", 0.0), ("他", 0.0), ("acme", told[0].at + 40 * 86_400), ("nobody", 0.0))
    for (tenant, since), tz in itertools.product(asked, ZONES):
        mine = [run for run in runs if run.facts.tenant == tenant and run.facts.started_at // 900 * 900 >= since // 900 * 900]
        days, jobs, models = Counter[str](), Counter[str](), Counter[str]()
        for run in mine:
            days[f"{datetime.fromtimestamp(run.facts.started_at, tz):%Y-%m-%d}"] += 1
            jobs[run.facts.job] += 1
            for reply in run.facts.replies.values():
                models[reply.model] += reply.input_tokens + reply.output_tokens
        rows = await totals.costs(tenant, since, tz)
        assert [(row.name, round(row.runs)) for row in rows.days] == sorted(days.items(), reverse=True), tz
        assert {row.name: round(row.runs) for row in rows.jobs} == jobs
        assert {row.name: round(row.tokens) for row in rows.models} == models
        prices = [cost_usd(run.facts) for run in mine]
        assert rows.whole.usd == pytest.approx(float(sum(price for price in prices if price is not None)))
        assert round(rows.whole.unpriced) == prices.count(None)


@requirement("U4")
@pytest.mark.parametrize("version", [1, 2])
@pytest.mark.parametrize(("tenants", "kept"), [(["acme"], True), (["acme", "default"], False)])
async def test_costs_of_before_are_kept_or_counted_anew_where_nobody_knows_whose_they_were(
    anywhere: sa.Engine, version: int, tenants: list[str], kept: bool
) -> None:
    told = [event.model_copy(update={"tenant": name, "run_id": name}) for name in tenants for event in diary("a").events]
    await Journal(anywhere).write(told)
    totals = RunningTotals(anywhere)
    cells, costs = await totals.read(READ), [await totals.costs(name, 0.0, ZONES[0]) for name in tenants]

    def earlier() -> None:
        """The tables as that version kept them."""
        with anywhere.begin() as connection:
            connection.execute(sa.text("CREATE TABLE metrics_totals (name TEXT, labels TEXT, quarter BIGINT, value FLOAT)"))
            old = [(row.name, json.loads(row.labels), 0, row.value) for row in connection.execute(sa.select(sums))]
            for row in connection.execute(sa.select(table)):
                labels = [*([row.tenant] if version == 2 else []), row.name, str(row.quarter)]
                if row.kind == "job":
                    cells_of_job = {"job_runs": row.runs, "job_priced": row.runs - row.unpriced, "job_usd": row.usd}
                else:
                    cells_of_job = {"model_tokens": row.tokens, "model_unpriced": row.unpriced, "model_usd": row.usd}
                old += [(name, labels, row.quarter, value) for name, value in cells_of_job.items() if value]
            kept = {(name, json.dumps(labels)): (quarter, value) for name, labels, quarter, value in old}
            for (name, labels), (quarter, value) in kept.items():
                row = {"name": name, "labels": labels, "quarter": quarter, "value": value}
                connection.execute(sa.text("INSERT INTO metrics_totals VALUES (:name, :labels, :quarter, :value)"), row)
            connection.execute(sa.delete(sums))
            connection.execute(sa.delete(table))
            room = sa.text("UPDATE jiritsu_schema SET version = :version WHERE room = 'metrics'")
            connection.execute(room, {"version": version})

    await anyio.to_thread.run_sync(earlier)
    await anyio.to_thread.run_sync(migrate, anywhere, [METRICS])
    with anywhere.connect() as connection:
        counted = connection.scalar(sa.select(sa.func.count()).select_from(sums))
    if version == 1:
        assert bool(counted) is kept
    assert shown(await totals.read(READ)) == pytest.approx(shown(cells))
    assert [await totals.costs(name, 0.0, ZONES[0]) for name in tenants] == costs
