"""The rows that outlive a process, one statement at a time: who may change which, and when they grow old."""

from datetime import UTC, datetime, time
from pathlib import Path
from zoneinfo import ZoneInfo

import anyio
import anyio.to_thread
import pytest
import sqlalchemy as sa

from autonomy.durable.approval_store import Approvals, id_of
from autonomy.durable.durable_tables import alerts
from autonomy.durable.memory.sql_ledger import SqlLedger
from autonomy.durable.records.run_records import RunRecords
from autonomy.durable.scheduling.schedules import Schedules
from autonomy.durable.scheduling.timetable import Timetable, run_id_of
from autonomy.durable.store import Store
from autonomy.errors import RunConflict, UnknownRun
from autonomy.run_state.asking.approvals import ApprovalAnswer, ApprovalQuestion
from autonomy.run_state.quiet_hours import QuietHours
from autonomy.run_state.run_values import RunResult
from discovery.catalog import ToolOutput
from tests.requirements import requirement
from tests.support.durable import asked, prepared

TOKYO = ZoneInfo("Asia/Tokyo")
DAY_S = 86_400.0
SIESTA = QuietHours(start=time(12), end=time(16), timezone="UTC")


class Tables:
    """All tables over one database, and a clock that is set by hand."""

    def __init__(self, folder: Path) -> None:
        self.now = 1_000_000.0
        self.engine = prepared(f"sqlite:///{folder / 'jiritsu.db'}")
        self.store = Store(self.engine)
        self.records = RunRecords(self.engine)
        self.ledger = SqlLedger(self.store, clock=lambda: self.now)
        self.schedules = Schedules(self.store, clock=lambda: self.now)
        self.approvals = Approvals(self.store, wait_s=3600.0, clock=lambda: self.now, sleep=self.pass_time)

    async def pass_time(self, seconds: float) -> None:
        self.now += 600.0
        await anyio.lowlevel.checkpoint()

    async def claim(self, key: str, run_id: str = "run") -> tuple[str, float]:
        claim = await self.ledger.claim(key, run_id=run_id, tool="t", arguments_sha256="a")
        return claim.state, claim.age_s


@pytest.fixture
async def tables(tmp_path: Path) -> Tables:
    return await anyio.to_thread.run_sync(Tables, tmp_path)


def question(key: str = "turn-1/call-1", **more: object) -> ApprovalQuestion:
    fields = {"run_id": "run-1", "tenant": "acme", "job": "j", "tool": "t", "effect": "write", "arguments": {"a": 1}}
    return ApprovalQuestion.model_validate({**fields, "key": key, "arguments_sha256": "one", "reason": "why", **more})


@requirement("J4")
async def test_a_key_is_claimed_once_grows_old_and_is_freed_only_by_what_surely_failed(tables: Tables) -> None:
    assert await tables.claim("k") == ("new", 0.0)
    tables.now += 50
    assert await tables.claim("k") == ("started", 50.0)
    await tables.ledger.settle("k", "failed", None)
    assert await tables.claim("k") == ("new", 0.0)
    await tables.ledger.settle("k", "done", ToolOutput(text="sent"))
    await tables.ledger.settle("k", "unknown", None)
    await tables.ledger.settle("k", "failed", None)
    assert (await tables.claim("k"))[0] == "done"


@requirement("J4", "H1")
async def test_a_write_under_way_is_not_listed_as_lost_and_a_tenant_sees_its_own(tables: Tables) -> None:
    for tenant in ("acme", "other"):
        await tables.records.begin(asked(f"of-{tenant}", tenant=tenant), tables.now)
        await tables.claim(f"{tenant}/1", f"of-{tenant}")
    assert await tables.ledger.unsettled(older_than_s=60) == ()
    tables.now += 61
    assert len(await tables.ledger.unsettled(older_than_s=60)) == 2
    assert [effect.key for effect in await tables.ledger.unsettled(tenant="acme")] == ["acme/1"]
    with pytest.raises(UnknownRun):
        await tables.ledger.resolve("other/1", happened=False, by="mallory", tenant="acme")
    await tables.ledger.resolve("acme/1", happened=False, by="haruka")
    assert await tables.claim("acme/1") == ("new", 0.0)


@requirement("J4")
async def test_an_abandoned_run_leaves_in_doubt_what_it_had_begun_and_a_doubt_can_be_cleared(tables: Tables) -> None:
    for key in ("run/done", "run/begun", "other/begun"):
        await tables.claim(key, key.partition("/")[0])
    await tables.ledger.settle("run/done", "done", None)
    assert [effect.key for effect in await tables.ledger.leave_in_doubt("run")] == ["run/begun"]
    assert {effect.key: effect.state for effect in await tables.ledger.of_run("run")} == {
        "run/begun": "unknown",
        "run/done": "done",
    }
    assert [effect.state for effect in await tables.ledger.of_run("other")] == ["started"]
    await tables.ledger.settle("run/begun", "done", ToolOutput(text="it was found"))
    assert await tables.claim("run/begun") == ("done", 0.0)


@requirement("J4")
async def test_a_lost_answer_is_that_of_the_same_call_that_was_done_since_and_was_not_told(tables: Tables) -> None:
    for key, state in (("old", "done"), ("told", "done"), ("doubt", "unknown"), ("first", "done"), ("last", "done")):
        tables.now += 10
        await tables.claim(key)
        await tables.ledger.settle(key, state, ToolOutput(text=key))
    await tables.ledger.answered(["told"])

    async def lost(tool: str = "t", arguments_sha256: str = "a") -> list[str]:
        return [one.key for one in await tables.ledger.unanswered(tool, arguments_sha256, since=tables.now - 30)]

    assert await lost() == ["last", "first"]
    assert await lost(tool="u") == await lost(arguments_sha256="b") == []


@requirement("S4")
async def test_an_answer_is_for_the_arguments_that_were_asked_about(tables: Tables) -> None:
    async def step(_name: str, effect: object, _returns: object) -> ApprovalAnswer:
        return await effect()  # type: ignore[operator,no-any-return]

    async def no_time(_seconds: float) -> None:
        await anyio.lowlevel.checkpoint()

    first = question()
    patient = Approvals(tables.store, clock=lambda: tables.now, sleep=no_time)  # however often it asks before somebody answers
    async with anyio.create_task_group() as group:
        answers: list[ApprovalAnswer] = []

        async def ask(what: ApprovalQuestion) -> None:
            answers.append(await patient(what, step))  # type: ignore[arg-type]

        group.start_soon(ask, first)
        with anyio.fail_after(240):
            while not await tables.approvals.listed():
                await anyio.lowlevel.checkpoint()
        await tables.approvals.answer(id_of(first), granted=True, by="haruka", sha256="one")
    await ask(question(arguments_sha256="two"))
    assert [(answer.answer, answer.reason) for answer in answers] == [
        ("granted", ""),
        ("denied", "the answer was for other arguments"),
    ]


@requirement("S4")
async def test_a_question_expires_after_the_jobs_own_time_or_the_operators_and_is_then_closed(tables: Tables) -> None:
    async def step(_name: str, effect: object, _returns: object) -> ApprovalAnswer:
        return await effect()  # type: ignore[operator,no-any-return]

    began = tables.now
    usual = await tables.approvals(question(), step)  # type: ignore[arg-type]
    assert (usual.answer, usual.waited_s, tables.now - began) == ("expired", 3600.0, 3600.0)
    began = tables.now
    own = await tables.approvals(question("turn-2/call-1", wait_s=1000.0), step)  # type: ignore[arg-type]
    assert (own.answer, own.waited_s, tables.now - began) == ("expired", 1000.0, 1200.0), "not until somebody looked"
    with pytest.raises(RunConflict, match="expired"):
        await tables.approvals.answer(id_of(question()), granted=True, by="late")
    left_s = datetime(1970, 1, 12, 16, tzinfo=UTC).timestamp() - tables.now
    assert left_s > 600
    held = await tables.approvals(question("turn-3/call-1", wait_s=600.0, quiet=SIESTA), step)  # type: ignore[arg-type]
    assert (held.answer, held.waited_s) == ("expired", left_s + 600), "quiet hours do not count"


@requirement("S4")
async def test_what_was_answered_stands_when_its_run_has_ended_and_a_run_that_has_ended_waits_for_nobody(tables: Tables) -> None:
    async def step(_name: str, effect: object, _returns: object) -> ApprovalAnswer:
        return await effect()  # type: ignore[operator,no-any-return]

    async def die(_seconds: float) -> None:
        raise InterruptedError

    await tables.records.begin(asked("run-1"), tables.now)
    dying = Approvals(tables.store, clock=lambda: tables.now, sleep=die)
    first, second = question(), question("turn-1/call-2")
    for one in (first, second):
        with pytest.raises(InterruptedError):
            await dying(one, step)  # type: ignore[arg-type]
    assert (await tables.records.get("run-1")).state == "waiting"
    await tables.approvals.answer(id_of(first), granted=False, by="haruka", arguments={"a": 2})
    await tables.approvals.withdraw("run-1")
    closed = {one.id: (one.state, one.answered_by, one.edited) for one in await tables.approvals.listed(state=None)}
    assert closed == {id_of(first): ("denied", "haruka", None), id_of(second): ("expired", "", None)}
    await tables.records.end(RunResult(run_id="run-1", ending="cancelled"))
    assert (await dying(first, step)).answer == "denied"  # type: ignore[arg-type]
    assert (await tables.records.get("run-1")).state == "cancelled"


@requirement("S4", "H1")
async def test_the_first_answer_stands_and_a_tenant_answers_its_own(tables: Tables) -> None:
    async def here(_question: ApprovalQuestion) -> ApprovalAnswer:
        return ApprovalAnswer(answer="denied", by="terminal")

    async def step(_name: str, effect: object, _returns: object) -> ApprovalAnswer:
        return await effect()  # type: ignore[operator,no-any-return]

    await tables.records.begin(asked("run-1"), tables.now)
    states: list[str] = []

    async def looking(asked_of: ApprovalQuestion) -> ApprovalAnswer:
        states.append((await tables.records.get("run-1")).state)
        return await here(asked_of)

    approvals = Approvals(tables.store, ask_here=looking, clock=lambda: tables.now, sleep=tables.pass_time)
    assert (await approvals(question(), step)).by == "terminal"  # type: ignore[arg-type]
    states.append((await tables.records.get("run-1")).state)
    assert states == ["waiting", "running"]
    with pytest.raises(RunConflict, match="denied by terminal"):
        await approvals.answer(id_of(question()), granted=True, by="kenta")
    with pytest.raises(UnknownRun):
        await approvals.answer(id_of(question()), granted=True, by="mallory", tenant="other")
    assert await approvals.listed(tenant="other", state=None) == ()
    assert [one.answered_by for one in await approvals.listed(tenant="acme", state="denied")] == ["terminal"]


def at(*moment: int) -> float:
    return datetime(*moment, tzinfo=TOKYO).timestamp()  # type: ignore[arg-type,misc]


@requirement("J2")
async def test_ticks_are_handled_once_paused_ones_are_skipped_and_those_of_long_ago_are_not_made_up_for(tables: Tables) -> None:
    plan = Timetable(job="diary", cron="0 9 * * *", missed="run", overlap="queue")
    tables.now = at(2026, 11, 16, 8, 0)
    assert await tables.schedules.handle(plan) == ()
    tables.now = at(2026, 11, 16, 9, 0)
    assert [tick.did for tick in await tables.schedules.handle(plan)] == ["run"]
    assert await tables.schedules.handle(plan) == ()
    await tables.schedules.pause("diary", "holiday")
    tables.now += DAY_S
    assert [(tick.did, tick.reason) for tick in await tables.schedules.handle(plan)] == [("skipped", "paused: holiday")]
    await tables.schedules.resume("diary")
    tables.now += 10 * DAY_S
    told, *made_up = await tables.schedules.handle(plan)
    assert [(tick.did, tick.reason) for tick in made_up] == [("run", "late"), ("run", "")]
    assert (told.did, told.due) == ("skipped", made_up[0].due - DAY_S)
    why = "they are older than 48 hours"
    assert told.reason == f"not made up for: 8 ticks from 2026-11-18 09:00 to 2026-11-25 09:00: {why}"
    assert await tables.schedules.not_made_up("diary") == told
    assert await tables.schedules.handle(plan) == ()


@requirement("J2")
async def test_missed_ticks_are_merged_into_the_last_that_is_no_holiday(tables: Tables) -> None:
    plan = Timetable(job="diary", cron="0 9 * * *", holidays="skip", missed="merge")
    tables.now = at(2026, 11, 21, 12, 0)  # a Saturday; Monday the 23rd is a holiday
    await tables.schedules.handle(plan)
    tables.now = at(2026, 11, 23, 12, 0)
    kept = run_id_of("diary", at(2026, 11, 22, 9, 0))
    told = [(tick.did, tick.run_id) for tick in await tables.schedules.handle(plan)]
    assert told == [("run", kept), ("skipped", run_id_of("diary", at(2026, 11, 23, 9, 0)))]


@requirement("J2")
async def test_a_schedule_pauses_itself_after_so_many_failures_in_a_row_since_it_was_resumed_and_raises_an_alert(
    tables: Tables,
) -> None:
    plan = Timetable(job="diary", cron="0 9 * * *", pause_after_failures=2)
    tables.now = at(2026, 11, 16, 8, 0)
    await tables.schedules.handle(plan)

    async def day(ending: str) -> str:
        tables.now = at(2026, 11, 16, 9, 0) + DAY_S * day.number  # type: ignore[attr-defined]
        day.number += 1  # type: ignore[attr-defined]
        (tick,) = await tables.schedules.handle(plan)
        if tick.did == "run":
            await tables.records.begin(asked(tick.run_id, job="diary"), tables.now)
            await tables.records.end(RunResult(run_id=tick.run_id, ending=ending, started_at=tables.now))  # type: ignore[arg-type]
        return tick.did

    def raised() -> int:
        with tables.engine.connect() as connection:
            return int(connection.execute(sa.select(sa.func.count()).select_from(alerts)).scalar_one())

    day.number = 0  # type: ignore[attr-defined]
    endings = ["failed", "completed", "failed", "completed", "failed", "blocked"]
    assert [await day(ending) for ending in endings] == ["run"] * 6
    assert await anyio.to_thread.run_sync(raised) == 0
    assert await day("-") == "skipped"
    assert await anyio.to_thread.run_sync(raised) == 1
    await tables.schedules.resume("diary")
    tables.now += 1
    assert await day("failed") == "run"
    assert await day("completed") == "run", "one failure since it was resumed is not two"


def test_the_clock_of_a_schedule() -> None:
    plan = Timetable(job="j", cron="0 9 * * *")
    nine = at(2026, 11, 16, 9, 0)
    assert plan.due(nine - 1, nine) == [nine]
    assert plan.due(nine, nine + 1) == []
    assert plan.due(nine - DAY_S, nine) == [nine]
    early = Timetable(job="j", cron="30 1 * * *", holidays="skip")  # half past one in Tokyo is the day before in UTC
    assert early.left_out(at(2026, 11, 23, 1, 30))
    assert not early.left_out(at(2026, 11, 24, 1, 30))
    assert at(2026, 11, 23, 1, 30) not in early.next(at(2026, 11, 22, 12, 0), 3)
    assert not Timetable(job="j", cron="30 1 * * *").left_out(at(2026, 11, 23, 1, 30))
