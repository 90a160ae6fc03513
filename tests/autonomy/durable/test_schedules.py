"""Each tick is handled once, whoever looks; what was missed follows the job's rule."""

import time
from collections import Counter
from datetime import datetime
from pathlib import Path
from typing import Any, Literal
from zoneinfo import ZoneInfo

import anyio
import anyio.to_thread
import pytest

from autonomy.durable.records.run_records import RunRecords
from autonomy.durable.records.worker_heartbeats import WorkerHeartbeats, read_heartbeats
from autonomy.durable.scheduling.alerts import Alerts
from autonomy.durable.scheduling.schedules import Schedules
from autonomy.durable.scheduling.timetable import Timetable, run_id_of
from autonomy.durable.store import Store
from autonomy.run_state.run_values import Receipt, RunResult
from metrics.events import Ending
from tests.requirements import requirement
from tests.support.durable import asked, furnished_database, in_place, prepared
from tests.support.postgres import NEEDED, Server

START = datetime(2026, 11, 16, 9, 0, tzinfo=ZoneInfo("Asia/Tokyo")).timestamp()
HOUR = 3600.0


class Desk:
    """Schedules with a clock that is set by hand."""

    def __init__(self, folder: Path) -> None:
        self.now = START
        self.engine = prepared(f"sqlite:///{folder / 'jiritsu.db'}")
        self.store, self.records = Store(self.engine), RunRecords(self.engine)
        self.schedules = Schedules(self.store, clock=lambda: self.now)

    async def look(self, plan: Timetable, later_s: float = 0.0) -> list[tuple[str, str]]:
        self.now += later_s
        return [(tick.did, tick.reason) for tick in await self.schedules.handle(plan)]

    async def end(
        self,
        tick_s: float,
        ending: Ending = "completed",
        job: str = "diary",
        away: str = "",
        again: str = "",
        receipts: tuple[Receipt, ...] = (),
    ) -> None:
        run_id = run_id_of(job, tick_s) + again
        await self.records.begin(asked(run_id, job=job), self.now)
        told: dict[str, Any] = {"unavailable": bool(away), "reason": away, "receipts": receipts}
        result = RunResult(run_id=run_id, ending=ending, started_at=self.now, **told)
        await self.records.end(result)

    async def alerts(self) -> list[str]:
        return [alert.endings for alert in await Alerts(self.store).waiting()]


@pytest.fixture
async def desk(tmp_path: Path) -> Desk:
    return await anyio.to_thread.run_sync(Desk, tmp_path)


async def test_a_schedule_begins_when_it_is_first_seen(desk: Desk) -> None:
    plan = Timetable(job="diary", cron="0 * * * *")
    assert await desk.look(plan) == []
    assert await desk.look(plan, 30) == []
    assert await desk.look(plan, HOUR - 20) == [("run", "")]
    assert await desk.look(plan, 1) == []


@requirement("J2")
@pytest.mark.parametrize("back_s", [HOUR, 10 * 365 * 24 * HOUR])
async def test_after_a_clock_was_set_back_new_ticks_come_and_none_twice(
    desk: Desk, back_s: float, caplog: pytest.LogCaptureFixture
) -> None:
    plan = Timetable(job="diary", cron="*/30 * * * *", overlap="queue", missed="skip")
    await desk.look(plan)
    assert await desk.look(plan, HOUR / 2) == [("run", "")]
    await desk.look(plan, back_s - HOUR / 2)
    assert await desk.look(plan, -back_s) == []
    assert "the clock was set back" in caplog.text
    assert await desk.look(plan, HOUR / 2) == [], "it ran for this tick"
    assert await desk.look(plan, HOUR / 2) == ([("run", "")] if back_s > HOUR else [])
    assert await desk.look(plan, HOUR / 2) == [("run", "")]


@requirement("J2")
@pytest.mark.parametrize("missed", ["merge", "skip"])
async def test_what_a_clock_that_ran_ahead_did_not_start_comes_when_it_is_due(
    desk: Desk, missed: Literal["merge", "skip"]
) -> None:
    """Ticks of the day that it jumped over were merged or skipped, and would have been missing on the day itself."""
    plan = Timetable(job="diary", cron="0 * * * *", overlap="queue", missed=missed)
    await desk.look(plan)
    ahead = await desk.look(plan, 24 * HOUR)
    assert [did for did, _ in ahead].count("run") == 1, "the last of them comes on time by this clock"
    assert await desk.look(plan, -24 * HOUR) == []
    by_day = [await desk.look(plan, HOUR) for _ in range(24)]
    assert by_day == [[("run", "")]] * 23 + [[]], "only that one has run already"
    assert await desk.look(plan, HOUR) == [("run", "")]


@requirement("J2")
@pytest.mark.postgres
@NEEDED
@pytest.mark.parametrize("ahead_s", [15 * 60, 24 * HOUR, -HOUR], ids=["minutes ahead", "a day ahead", "an hour behind"])
async def test_on_postgresql_a_worker_whose_clock_is_wrong_goes_by_that_of_the_server(
    postgres_server: Server, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, ahead_s: float
) -> None:
    """Each look of one of two would take back what the other decided, and make up for minutes that were none."""
    engine = await anyio.to_thread.run_sync(lambda: in_place(furnished_database(postgres_server, "clocks")))
    right, plan, actual = Schedules(Store(engine)), Timetable(job="diary", cron="* * * * *", missed="run"), time.time
    await right.handle(plan)
    for shift_s in (ahead_s, 0.0, ahead_s):
        monkeypatch.setattr(time, "time", lambda shift_s=shift_s: actual() + shift_s)
        found = await Schedules(Store(engine)).handle(plan)
        assert all(tick.due <= actual() and tick.reason == "" for tick in found)
        await anyio.to_thread.run_sync(WorkerHeartbeats(engine, f"w{shift_s}", "worker", here=8, tenant=4).send)
        signs = await anyio.to_thread.run_sync(read_heartbeats, engine)
        assert all(abs(time.time() - sign.seen_at) < 200 for sign in signs), "each reads them by its own clock"
    assert len(signs) == 2, "nobody is forgotten for another's clock"
    state = await right.standing("diary")
    assert state is not None
    assert state.handled_until == pytest.approx(actual(), abs=200)
    assert "set back" not in caplog.text
    await anyio.to_thread.run_sync(engine.dispose)


@requirement("J2")
async def test_of_many_processes_that_look_at_once_one_handles_a_tick(desk: Desk) -> None:
    plan = Timetable(job="diary", cron="* * * * *", missed="run")
    others = [Schedules(Store(desk.engine), clock=lambda: desk.now) for _ in range(6)]
    await desk.look(plan)
    found: list[float] = []

    async def look(schedules: Schedules) -> None:
        for _ in range(5):
            found.extend(tick.due for tick in await schedules.handle(plan))

    for _ in range(3):
        desk.now += 120
        async with anyio.create_task_group() as group:
            for schedules in others:
                group.start_soon(look, schedules)
    assert Counter(found) == {START + 60 * number: 1 for number in range(1, 7)}


@requirement("J2")
@pytest.mark.parametrize(
    ("missed", "did"),
    [
        ("run", ["run", "run", "run"]),
        ("skip", ["skipped", "skipped", "skipped"]),
        ("merge", ["merged", "merged", "run"]),
    ],
)
async def test_ticks_missed_while_nothing_ran_follow_the_rule_of_the_job(desk: Desk, missed: str, did: list[str]) -> None:
    plan = Timetable(job="diary", cron="0 * * * *", missed=missed)
    await desk.look(plan)
    assert [one for one, _ in await desk.look(plan, 3 * HOUR + 600)] == did


@requirement("J2")
@pytest.mark.parametrize("on_time", [True, False], ids=["the last is on time", "all are late"])
@pytest.mark.parametrize("missed", ["merge", "run"])
async def test_what_makes_up_for_missed_ticks_waits_for_the_run_under_way_and_is_not_skipped(
    desk: Desk, missed: Literal["merge", "run"], on_time: bool
) -> None:
    plan = Timetable(job="diary", cron="0 * * * *", missed=missed)
    await desk.look(plan)
    await desk.look(plan, HOUR)
    (under_way,) = await desk.schedules.to_start()
    await desk.records.begin(asked(under_way.run_id, job="diary"), desk.now)
    await desk.schedules.started(under_way)
    told = await desk.look(plan, 3 * HOUR + (10 if on_time else 600))
    last = ("run", "") if on_time else ("run", "late")
    if missed == "merge":
        assert told == [("merged", f"into {run_id_of('diary', START + 4 * HOUR)}")] * 2 + [last]
    else:
        skipped = ("skipped", "the last run is still under way")
        assert told == [("run", "late")] * 2 + [skipped if on_time else last]
    assert await desk.schedules.busy(plan)
    await desk.end(START + HOUR)
    assert not await desk.schedules.busy(plan)


@requirement("J2")
@pytest.mark.parametrize(
    ("days", "said"),
    [
        (1, "1,389 ticks from 2026-11-16 09:01 to 2026-11-17 08:09: at most 50 runs wait"),
        (30, "10,000+ ticks from 2026-11-16 09:01 to 2026-12-16 08:09: at most 50 runs wait"),
    ],
)
async def test_no_more_runs_wait_than_are_allowed_and_one_row_tells_of_all_the_others(desk: Desk, days: int, said: str) -> None:
    plan = Timetable(job="diary", cron="* * * * *", missed="run", overlap="queue")
    await desk.look(plan)
    (did, reason), *others = await desk.look(plan, days * 24 * HOUR + 40)
    assert (did, reason) == ("skipped", f"not made up for: {said}")
    assert others == [("run", "late")] * 50 + [("run", "")]
    (did, reason), *others = await desk.look(plan, 24 * HOUR)
    assert did == "skipped"
    assert reason.startswith("not made up for: 1,439 ticks from ")
    assert others == [("run", "")], "those of the last absence still wait"
    assert await desk.look(plan, 1) == []


@requirement("J2")
@pytest.mark.parametrize(
    ("paused", "missed", "why"),
    [
        ("", "merge", "they are older than 48 hours"),
        ("", "skip", "the job skips missed ticks"),
        ("by hand", "run", "paused: by hand"),
    ],
)
async def test_a_tick_too_old_to_be_made_up_for_is_told_of_even_when_no_other_came(
    desk: Desk, paused: str, missed: Literal["run", "skip", "merge"], why: str
) -> None:
    plan = Timetable(job="diary", cron="0 10 * * 2", missed=missed)
    await desk.look(plan)
    if paused:
        await desk.schedules.pause("diary", paused)
    told = await desk.look(plan, 14 * 24 * HOUR - 1)
    assert told == [("skipped", f"not made up for: 2 ticks from 2026-11-17 10:00 to 2026-11-24 10:00: {why}")]
    assert await desk.look(plan, 1) == []


async def test_a_tick_on_a_holiday_is_skipped_and_says_which(desk: Desk) -> None:
    plan = Timetable(job="diary", cron="0 10 * * *", holidays="skip", overlap="queue", missed="run")
    await desk.look(plan)
    told = await desk.look(plan, 2 * 24 * HOUR - 10)
    desk.now = datetime(2026, 11, 23, 10, 1, tzinfo=ZoneInfo("Asia/Tokyo")).timestamp()
    told = await desk.look(plan)
    assert told[-1] == ("skipped", "勤労感謝の日")


async def test_a_tick_is_skipped_while_the_last_run_is_under_way_unless_it_may_queue(desk: Desk) -> None:
    plan = Timetable(job="diary", cron="0 * * * *")
    await desk.look(plan)
    await desk.look(plan, HOUR)
    assert await desk.look(plan, HOUR) == [("skipped", "the last run is still under way")]
    assert await desk.look(plan.model_copy(update={"overlap": "queue"}), HOUR) == [("run", "")]
    await desk.end(START + HOUR)
    await desk.end(START + 3 * HOUR)
    assert await desk.look(plan, HOUR) == [("run", "")]


async def test_after_repeated_failures_the_schedule_pauses_until_it_is_resumed(
    desk: Desk, caplog: pytest.LogCaptureFixture
) -> None:
    plan = Timetable(job="diary", cron="0 * * * *", pause_after_failures=2)
    await desk.look(plan)
    for number in (1, 2):
        assert await desk.look(plan, HOUR) == [("run", "")]
        await desk.end(START + number * HOUR, "failed")
    (told,) = await desk.look(plan, HOUR)
    assert told == ("skipped", "paused: the last 2 runs have failed (failed)")
    assert "is paused" in caplog.text
    standing = await desk.schedules.standing("diary")
    assert standing is not None
    assert standing.paused
    desk.now += 1
    await desk.schedules.resume("diary")
    assert await desk.look(plan, HOUR) == [("run", "")]


AWAY = "unavailable: slack (it is still starting)"


@requirement("R2")
async def test_a_run_whose_server_is_away_is_tried_again_later_and_later_and_is_the_same_tick(desk: Desk) -> None:
    plan = Timetable(job="diary", cron="0 18 * * *")
    due = START + 9 * HOUR
    await desk.look(plan)
    assert await desk.look(plan, 9 * HOUR) == [("run", "")]
    again = ""
    for number, wait_s in enumerate((60, 120, 240, 480), 2):
        await desk.end(due, "blocked", away=AWAY, again=again)
        assert await desk.look(plan, wait_s - 1) == []
        assert await desk.look(plan, 1) == [("run", f"put off: {AWAY}")]
        (tick,) = [one for one in await desk.schedules.to_start() if one.run_id.endswith(f"-{number}")]
        assert tick.due == due, "what `today` is follows from the tick, however late it is"
        assert await desk.look(plan, 0) == [], "it waits to be started"
        again = f"-{number}"
    await desk.end(due, "completed", again=again)
    assert await desk.look(plan, 5 * HOUR) == []
    assert [one.run_id for one in await desk.schedules.history("diary")] == [f"{run_id_of('diary', due)}-5"]
    assert len(await desk.alerts()) == 1, "people hear of it once"


@requirement("R2")
@pytest.mark.parametrize("state", ["done", "unknown"])
async def test_a_run_that_has_written_is_not_tried_again_for_its_tick_would_write_twice(desk: Desk, state: Any) -> None:
    plan = Timetable(job="diary", cron="0 18 * * *", pause_after_failures=1)
    due = START + 9 * HOUR
    await desk.look(plan)
    assert await desk.look(plan, 9 * HOUR) == [("run", "")]
    await desk.end(due, "blocked", away=AWAY, receipts=(Receipt(call_id="c1", tool="slack_post_message", state=state),))
    assert await desk.look(plan, HOUR) == []
    assert await desk.look(plan, 23 * HOUR) == [("run", "")], "an outage pauses no schedule"
    assert await desk.alerts() == [AWAY], "and people hear of it"


@requirement("R2")
@pytest.mark.parametrize(
    ("of_haruka", "postponed"),
    [
        ({"ending": "blocked", "away": AWAY}, True),
        ({"ending": "completed"}, False),
        ({"ending": "blocked", "away": AWAY, "receipts": (Receipt(call_id="c1", tool="slack_post", state="done"),)}, False),
        (None, False),
    ],
    ids=["each lacked it", "one was done", "one has written", "one is under way"],
)
async def test_runs_for_each_are_tried_again_together_where_every_one_of_them_lacked_its_server(
    desk: Desk, of_haruka: dict[str, Any] | None, postponed: bool
) -> None:
    plan = Timetable(job="diary", cron="0 18 * * *", fans_out=True)
    due = START + 9 * HOUR
    await desk.look(plan)
    await desk.look(plan, 9 * HOUR)
    await desk.end(due, "blocked", away=AWAY, again=".ken")
    assert await desk.look(plan, 60) == [], "the others are not in the queue yet"
    if of_haruka:
        await desk.end(due, **of_haruka, again=".haruka")
    else:
        await desk.records.begin(asked(f"{run_id_of('diary', due)}.haruka", job="diary"), desk.now)
    (tick,) = await desk.schedules.to_start()
    await desk.schedules.started(tick)
    again = [("run", f"put off: {AWAY}")] if postponed else []
    assert await desk.look(plan, 60) == again
    assert [one.run_id for one in await desk.schedules.to_start()] == [f"{run_id_of('diary', due)}-2"] * len(again)


@requirement("R2")
async def test_a_tick_is_given_up_in_the_end_and_an_outage_pauses_no_schedule(desk: Desk) -> None:
    plan = Timetable(job="diary", cron="0 * * * *", pause_after_failures=2)
    await desk.look(plan)
    for number in range(1, 5):
        assert await desk.look(plan, HOUR) == [("run", "")], "the next tick takes the place of the one put off"
        await desk.end(START + number * HOUR, "blocked", away=AWAY)
    assert await desk.alerts() == [AWAY]
    daily = plan.model_copy(update={"job": "daily", "cron": "0 18 * * *"})
    desk.now = START
    await desk.look(daily)
    await desk.look(daily, 9 * HOUR)
    await desk.end(desk.now, "blocked", job="daily", away=AWAY)
    assert await desk.look(daily, 7 * HOUR) == []


@requirement("R2")
async def test_failures_around_an_outage_are_counted_and_a_failure_that_speaks_of_one_is_no_outage(desk: Desk) -> None:
    plan = Timetable(job="diary", cron="0 * * * *", pause_after_failures=2)
    await desk.look(plan)
    for number, away in enumerate(("", AWAY, ""), 1):
        assert await desk.look(plan, HOUR) == [("run", "")]
        await desk.end(START + number * HOUR, "blocked", away=away)
    (told,) = await desk.look(plan, HOUR)
    assert told == ("skipped", "paused: the last 2 runs have failed (blocked)")


@requirement("J2")
async def test_a_job_that_is_given_a_list_goes_on_and_so_does_one_that_loses_it(desk: Desk) -> None:
    plan = Timetable(job="diary", cron="0 * * * *")
    await desk.look(plan)
    for number, (again, fans_out) in enumerate((("", False), (".ken", True), ("", False)), 1):
        plan = plan.model_copy(update={"fans_out": fans_out})
        assert await desk.look(plan, HOUR) == [("run", "")], "what it ran as before is no run of its list"
        await desk.end(START + number * HOUR, again=again)
        (tick,) = await desk.schedules.to_start()
        await desk.schedules.started(tick)


async def test_a_run_that_was_decided_on_is_started_even_when_the_process_died_before_starting_it(desk: Desk) -> None:
    plan = Timetable(job="diary", cron="0 * * * *")
    await desk.look(plan)
    await desk.look(plan, HOUR)
    (tick,) = await desk.schedules.to_start()
    assert tick.run_id == run_id_of("diary", START + HOUR) == "diary-20261116T010000Z"
    await desk.schedules.started(tick)
    assert await desk.schedules.to_start() == ()
    assert [one.did for one in await desk.schedules.history("diary")] == ["run"]
