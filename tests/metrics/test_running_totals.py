"""Sums that are kept up as the journal grows are those that the whole journal gives."""

import json
from collections import Counter
from pathlib import Path

import anyio
import anyio.to_thread
import pytest
import sqlalchemy as sa
from hypothesis import given
from hypothesis import strategies as st

import metrics.metrics_tables
from autonomy.database import SchemaModule, migrate, open_engine
from metrics import running_totals
from metrics.events import RunEvent
from metrics.journal import Journal
from metrics.measures import measure
from metrics.running_totals import COSTS, Cell, Cells, RunningTotals, total
from metrics.telemetry.prometheus import READ
from tests.metrics.story import Story, diary
from tests.requirements import requirement

NAMES = (*READ, *COSTS)


def events() -> list[RunEvent]:
    stories = [diary("a").events, Story("b", job="hr").start().turn().finish("failed").events, diary("c", job="x").events]
    return [event for story in stories for event in story]


def whole(told: list[RunEvent]) -> dict[Cell, float]:
    return {cell: pytest.approx(value) for cell, value in total(measure(told).runs).items() if value}


def shown(found: Cells) -> dict[Cell, float]:
    return {cell: value for cell, value in found.items() if abs(value) > 1e-9}


@pytest.fixture
async def engine(tmp_path: Path) -> sa.Engine:
    made = await anyio.to_thread.run_sync(open_engine, f"sqlite:///{tmp_path / 'jiritsu.db'}")
    await anyio.to_thread.run_sync(migrate, made, [SchemaModule("metrics", metrics.metrics_tables.metadata)])
    return made


@requirement("U5", "M5")
async def test_sums_kept_up_step_by_step_are_those_of_the_whole_journal(
    engine: sa.Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(running_totals, "EVENTS_AT_ONCE", 3)
    journal, totals, told = Journal(engine), RunningTotals(engine), events()
    for number, event in enumerate(told, 1):
        await journal.write([event])
        if number % 4 == 0:
            assert shown(await totals.read(NAMES)) == whole(told[:number])
    assert shown(await totals.read(NAMES)) == whole(told)
    assert shown(await RunningTotals(engine).read(NAMES)) == whole(told), "another process reads what this one stored"


@requirement("U5", "M5")
async def test_two_processes_that_catch_up_at_once_count_nothing_twice(engine: sa.Engine) -> None:
    journal, told = Journal(engine), events()
    await journal.write(told)
    with anyio.fail_after(60):
        async with anyio.create_task_group() as group:
            for _ in range(4):
                group.start_soon(RunningTotals(engine).read, NAMES)
    assert shown(await RunningTotals(engine).read(NAMES)) == whole(told)


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


@requirement("U4")
@pytest.mark.parametrize(("tenants", "kept"), [(["acme"], True), (["acme", "default"], False)])
async def test_costs_of_before_get_their_tenant_and_are_counted_anew_where_there_were_several(
    engine: sa.Engine, tenants: list[str], kept: bool
) -> None:
    told = [event.model_copy(update={"tenant": name, "run_id": name}) for name in tenants for event in diary("a").events]
    await Journal(engine).write(told)
    await RunningTotals(engine).read(NAMES)
    totals = metrics.metrics_tables.totals

    def upgrade() -> int:
        with engine.begin() as connection:
            costs = connection.execute(sa.select(totals).where(totals.c.name.in_(COSTS))).all()
            connection.execute(sa.delete(totals).where(totals.c.name.in_(COSTS)))
            for row in {(row.name, json.dumps(json.loads(row.labels)[1:])): row for row in costs}.values():
                old = {**row._mapping, "labels": json.dumps(json.loads(row.labels)[1:], ensure_ascii=False)}
                connection.execute(totals.insert().values(old))
            running_totals.name_tenants_of_costs(connection)
            return connection.execute(sa.select(sa.func.count()).select_from(totals)).scalar_one()

    assert (await anyio.to_thread.run_sync(upgrade) > 0) is kept
    assert shown(await RunningTotals(engine).read(NAMES)) == whole(told)
