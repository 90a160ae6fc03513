"""Jobs that run by themselves: their ticks become runs in the queue, each once; a broken job file harms no other."""

from collections.abc import AsyncIterator
from datetime import UTC, datetime
from pathlib import Path
from zoneinfo import ZoneInfo

import anyio.to_thread
import pytest
import sqlalchemy as sa

from autonomy.durable.records.run_records import RunRecords
from autonomy.durable.scheduling.schedules import Schedules
from autonomy.durable.scheduling.timetable import Timetable
from autonomy.durable.store import Store
from autonomy.jobs.job import RunDefaults
from autonomy.jobs.job_runner import JobRunner
from autonomy.run_state.run_values import RunResult
from autonomy.settings import load
from autonomy.stores import in_zone_of_schedules
from metrics.events import Ending, TickHandled
from tests.requirements import requirement
from tests.support.desk import RequestQueue
from tests.support.durable import furnished_database, in_place
from tests.support.house import Listener
from tests.support.postgres import Server

START = datetime(2026, 11, 16, 23, 30, tzinfo=ZoneInfo("Asia/Tokyo")).timestamp()
JOB = '---\ninputs:\n  day: {type: date, default: today}\nschedule:\n  cron: "59 23 * * *"\n---\nWrite about {{inputs.day}}.\n'


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.postgres)])
async def either(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[sa.Engine]:
    server: Server | None = request.getfixturevalue("postgres_server") if request.param == "postgresql" else None

    def prepared() -> sa.Engine:
        return in_place(furnished_database(server, "absence") if server else f"sqlite:///{tmp_path / 'jiritsu.db'}")

    made = await anyio.to_thread.run_sync(prepared)
    yield made
    await anyio.to_thread.run_sync(made.dispose)


@requirement("J1", "J2")
async def test_a_tick_becomes_a_run_of_its_own_day_however_late_it_starts(engine: sa.Engine, tmp_path: Path) -> None:
    (tmp_path / "night.md").write_text(JOB, encoding="utf-8")
    now, queue, journal = [START], RequestQueue(), Listener()
    runner = JobRunner(
        [tmp_path], Schedules(Store(engine), clock=lambda: now[0]), queue, journal, defaults=RunDefaults(tenant="acme")
    )
    await runner.look()
    now[0] += 3600
    await runner.look()
    await runner.look()
    (request,) = queue.requests
    assert request.run_id == "night-20261116T145900Z"
    assert request.task.goal == "Write about 2026-11-16."
    assert (request.trigger, request.actor, request.tenant) == ("schedule", "schedule", "acme")
    (told,) = journal.of(TickHandled)
    assert (told.did, told.run_id) == ("run", request.run_id)


@requirement("J1")
async def test_a_schedule_that_names_no_time_zone_goes_by_that_of_the_settings(engine: sa.Engine, tmp_path: Path) -> None:
    (tmp_path / "night.md").write_text(JOB, encoding="utf-8")
    (tmp_path / "tokyo.md").write_text(JOB.replace("cron:", "timezone: Asia/Tokyo\n  cron:"), encoding="utf-8")
    now, queue = [START], RequestQueue()
    schedules, berlin = Schedules(Store(engine), clock=lambda: now[0]), RunDefaults(timezone="Europe/Berlin")
    runner = JobRunner([tmp_path], schedules, queue, Listener(), defaults=berlin)
    for _ in range(3):
        await runner.look()
        now[0] += 8 * 3600
    told = {request.job: (request.run_id, request.timezone, request.task.goal) for request in queue.requests}
    assert told == {
        "tokyo": ("tokyo-20261116T145900Z", "Asia/Tokyo", "Write about 2026-11-16."),
        "night": ("night-20261116T225900Z", "Europe/Berlin", "Write about 2026-11-16."),
    }


@requirement("J1")
async def test_workers_in_two_time_zones_start_a_job_that_names_none_once_a_day(either: sa.Engine, tmp_path: Path) -> None:
    folder = tmp_path / "jobs"
    folder.mkdir()
    (folder / "night.md").write_text(JOB, encoding="utf-8")
    now, queue, schedules, told = [START], RequestQueue(), Schedules(Store(either), clock=lambda: now[0]), Listener()

    async def zone_in(zone: str, *, runs_schedules: bool = False, **env: str) -> str:
        def settled() -> str:
            config = load({"home": str(tmp_path)}, env={"TZ": zone, **env}, cwd=folder)
            return in_zone_of_schedules(config, either, runs_schedules=runs_schedules).settings.timezone

        return await anyio.to_thread.run_sync(settled)

    async def worker_in(zone: str, **env: str) -> JobRunner:
        defaults = RunDefaults(timezone=await zone_in(zone, runs_schedules=True, **env))
        return JobRunner([folder], schedules, queue, told, defaults=defaults)

    async def ticks_of_two_days(*workers: JobRunner) -> list[str]:
        before = len(told.of(TickHandled))
        for _ in range(96):
            now[0] += 1800
            for worker in workers:
                await worker.look()
        return [f"{datetime.fromtimestamp(tick.due, UTC):%H:%M}" for tick in told.of(TickHandled)[before:]]

    pair = await worker_in("Europe/Berlin"), await worker_in("Asia/Tokyo")
    await pair[0].look()
    assert await ticks_of_two_days(*pair) == ["22:59", "22:59"], "in Berlin, where the first of them is"
    assert await zone_in("America/New_York") == "Europe/Berlin", "what is listed is what happens"
    named = await worker_in("Asia/Tokyo", JIRITSU_TIMEZONE="America/New_York")
    assert set(await ticks_of_two_days(named, await worker_in("Europe/Berlin"))) == {"04:59"}, (
        "what somebody wrote counts for all"
    )


class Hours:
    """An hourly job that makes up for each missed tick, and a clock."""

    def __init__(self, folder: Path, engine: sa.Engine, overlap: str) -> None:
        self.folder, self.now, self.records = folder, START, RunRecords(engine)
        self.queue = RequestQueue(self.records)
        self.schedules = Schedules(Store(engine), clock=lambda: self.now)
        schedule = f"schedule: {{cron: '0 * * * *', missed: run, overlap: {overlap}, pause_after_failures: 2}}"
        (folder / "hourly.md").write_text(f"---\n{schedule}\n---\nLook.\n", encoding="utf-8")

    async def look(self) -> list[str]:
        """What a worker that has just been started asks for, by the hour."""
        before = len(self.queue.requests)
        await JobRunner([self.folder], self.schedules, self.queue, Listener(), clock=lambda: self.now).look()
        return [request.run_id.removeprefix("hourly-") for request in self.queue.requests[before:]]

    async def end(self, ending: Ending = "completed") -> None:
        request = self.queue.requests[-1]
        await self.records.begin(request, self.now)
        await self.records.end(RunResult(run_id=request.run_id, ending=ending, started_at=self.now))


@requirement("J2")
@pytest.mark.parametrize("overlap", ["skip", "queue"])
async def test_after_an_absence_the_missed_ticks_start_one_after_another_oldest_first_over_restarts(
    either: sa.Engine, tmp_path: Path, overlap: str
) -> None:
    hours = await anyio.to_thread.run_sync(Hours, tmp_path, either, overlap)
    await hours.look()
    hours.now += 7 * 24 * 3600
    begun = await hours.look()
    for _ in range(3):
        assert await hours.look() == [], "the first is under way"
        await hours.end()
        begun += await hours.look()
    assert begun == ["20261121T150000Z", "20261121T160000Z", "20261121T170000Z", "20261121T180000Z"]
    hours.now += 1800
    on_time = ["20261123T150000Z"] if overlap == "queue" else []
    assert await hours.look() == on_time, "one that comes on time follows `overlap`"


@requirement("J2")
async def test_a_schedule_that_is_paused_while_missed_ticks_wait_starts_no_more_of_them(
    engine: sa.Engine, tmp_path: Path
) -> None:
    hours = await anyio.to_thread.run_sync(Hours, tmp_path, engine, "skip")
    await hours.look()
    hours.now += 24 * 3600
    for _ in range(2):
        assert len(await hours.look()) == 1
        await hours.end("failed")
    assert await hours.look() == []
    because = "paused: the last 2 runs have failed (failed)"
    rest = (await hours.schedules.history("hourly", limit=30))[:-2]
    assert {(tick.did, tick.reason) for tick in rest} == {("skipped", because)}
    assert await hours.schedules.to_start() == ()


@requirement("J2")
async def test_workers_that_look_at_once_after_an_absence_start_one_missed_tick_between_them(
    either: sa.Engine, tmp_path: Path
) -> None:
    hours = await anyio.to_thread.run_sync(Hours, tmp_path, either, "skip")
    await hours.look()
    hours.now += 24 * 3600
    started = set[str]()

    async def look() -> None:
        started.update(await hours.look())

    for number in (1, 2, 3):
        async with anyio.create_task_group() as group:
            for _ in range(4):
                group.start_soon(look)
        assert len(started) == number
        assert await hours.look() == []
        await hours.end()


async def test_a_job_file_that_cannot_be_used_is_told_of_once_and_harms_no_other(
    engine: sa.Engine, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "good.md").write_text(JOB, encoding="utf-8")
    (tmp_path / "bad.md").write_text(JOB.replace("59 23", "99 23"), encoding="utf-8")
    (tmp_path / "worse.md").write_text("no front matter", encoding="utf-8")
    now, queue = [START], RequestQueue()
    runner = JobRunner([tmp_path], Schedules(Store(engine), clock=lambda: now[0]), queue, Listener())
    for _ in range(3):
        await runner.look()
        now[0] += 1800
    assert [request.job for request in queue.requests] == ["good"]
    assert caplog.text.count("'99 23 * * *' is no cron expression: its minute '99' is not within 0-59") == 1
    assert caplog.text.count("has no front matter") == 1


@requirement("J2")
async def test_a_tick_whose_job_file_does_not_come_back_is_left_out_after_two_days(
    engine: sa.Engine, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    hours = await anyio.to_thread.run_sync(Hours, tmp_path, engine, "skip")
    await hours.look()
    hours.now += 3600
    await hours.schedules.handle(Timetable(job="hourly", cron="0 * * * *", missed="run"))
    file = tmp_path / "hourly.md"
    whole = file.read_text(encoding="utf-8")
    file.write_text("half writ", encoding="utf-8")
    assert await hours.look() == []
    assert [record.getMessage() for record in caplog.records] == [f"{file}: has no front matter between two lines of ---"]
    file.unlink()
    assert await hours.look() == []
    assert len(await hours.schedules.to_start()) == 1, "an editor may be about to put it back"
    file.write_text(whole, encoding="utf-8")
    assert len(await hours.look()) == 1
    await hours.end()
    hours.now += 3600
    await hours.schedules.handle(Timetable(job="hourly", cron="0 * * * *", missed="run"))
    file.unlink()
    hours.now += 49 * 3600
    assert await hours.look() == []
    assert await hours.schedules.to_start() == ()
    assert "its file is gone" in (await hours.schedules.history("hourly"))[0].reason
