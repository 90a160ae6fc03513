"""Starts the runs of scheduled jobs when they are due.

`durable.scheduling.schedules` decides on each tick once; the runs go to the queue.
"""

import logging
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Literal
from zoneinfo import ZoneInfo

import anyio
import anyio.to_thread

from autonomy.durable.scheduling.schedules import BACKFILL_S, LATE, Schedules, ScheduleState, ScheduleTick
from autonomy.durable.scheduling.timetable import Timetable
from autonomy.errors import ConfigError, StoreError
from autonomy.jobs.job import REPORT, Job, RunDefaults
from autonomy.jobs.job_loading import read_all
from autonomy.jobs.starting import JobStart, PlannedRun
from autonomy.run_state.quiet_hours import QuietHours, is_quiet
from autonomy.run_state.run_values import RunRequest
from metrics.events import EventSink, TickHandled

if TYPE_CHECKING:
    from autonomy.durable.run_control import RunControl

log = logging.getLogger(__name__)


@dataclass
class JobRunner:
    """Looks after schedules."""

    folders: Sequence[Path]
    schedules: Schedules
    queue: "RunControl"
    journal: EventSink
    defaults: RunDefaults = field(default_factory=RunDefaults)
    alert: Callable[[str, str], Awaitable[None]] | None = None
    """Has people told of a job, by name, that cannot run, and why (`durable.scheduling.alerts`); once for the same reason."""
    starting: JobStart | None = None
    """Looks at budgets, conditions and lists; without it a job that has any of them cannot start."""
    quiet: QuietHours | None = None
    """The installation's quiet hours; a job may have its own."""
    clock: Callable[[], float] = time.time
    sleep: Callable[[float], Awaitable[None]] = anyio.sleep
    _told: set[str] = field(default_factory=set)

    async def keep(self, every_s: float = 1.0) -> None:
        """Look at intervals, until cancelled. A job file that cannot be used is reported once, and the others go on."""
        while True:
            try:
                await self.look()
            except StoreError as error:
                log.warning("cannot look after the schedules: %s", error)
            await self.sleep(every_s)

    async def look(self) -> None:
        """Decide on every tick that is due, and start the runs. A job that fails holds up no other. Raises
        `StoreError`."""
        jobs, problems = await anyio.to_thread.run_sync(self._scheduled)
        for name, problem in problems.items():
            await self._report_problem(name, str(problem))
        for job in jobs:
            try:
                await self._handle(job)
            except StoreError:
                raise
            except Exception as error:  # noqa: BLE001 - see above
                await self._report_problem(job.name, f"{job.file}: schedule: {error}")
        quiet_jobs = {job.name for job in jobs if is_quiet(job.quiet(self.quiet), self.clock())}
        jobs_by_name = {job.name: job for job in jobs}
        waiting = [tick for tick in await self.schedules.to_start() if tick.job not in {REPORT, *quiet_jobs, *problems}]
        for tick, into in _superseded(waiting, jobs_by_name, self.quiet):
            waiting.remove(tick)
            await self._leave_out(tick, "merged", f"into {into.run_id}")
        in_line = {tick.run_id: tick.job for tick in waiting if _waits_its_turn(tick, jobs_by_name)}
        # asked after what waits: a tick that another process starts in between is in one of the two answers
        busy = {job for job in set(in_line.values()) if await self.schedules.busy(self._plan(jobs_by_name[job]))}
        for tick in waiting:
            if tick.run_id not in in_line:
                await self._start(tick)
            elif tick.job not in busy and not await self._start(tick):
                busy.add(tick.job)

    async def _handle(self, job: Job) -> None:
        """A job that ships with us begins to run by itself when somebody enables it (`jiritsu jobs resume`)."""
        if job.built_in and is_off(job, await self.schedules.standing(job.name)):
            return
        is_held_back = is_quiet(job.quiet(self.quiet), self.clock())
        ticks = await self.schedules.handle(self._plan(job), held=is_held_back)
        await self.journal.write([_tick_event(tick, self.defaults.tenant) for tick in ticks])

    async def _start(self, tick: ScheduleTick) -> bool:
        """Queue the runs of a tick; gives whether it was left out, so that the next of its job may start. Raises `StoreError`."""
        try:
            job = await anyio.to_thread.run_sync(self._job, tick)
            if is_quiet(job.quiet(self.quiet), self.clock()):  # its file may have been written since `look` read it
                return False
            due = datetime.fromtimestamp(tick.due, ZoneInfo(self._plan(job).timezone))
            reason = await self._why_tick_starts_nothing(job, tick.run_id, due)
            requests = [] if reason else await self._requests(job, tick.run_id, due)
        except StoreError:  # no fault of the job
            raise
        except Exception as error:  # noqa: BLE001 - as above
            await self._report_problem(tick.job, f"job {tick.job} cannot run: {error}")
            if self.clock() - tick.due > BACKFILL_S:  # before that, its file may be about to come back
                await self._leave_out(tick, "skipped", str(error))
            return False
        if reason:
            await self._leave_out(tick, "skipped", reason)
            return True
        for request in requests:
            await self.queue.enqueue(request)
        await self.schedules.started(tick)
        return False

    async def _leave_out(self, tick: ScheduleTick, did: Literal["skipped", "merged"], reason: str) -> None:
        left_tick = tick.model_copy(update={"did": did, "reason": reason})
        await self.schedules.leave_out(left_tick)
        await self.journal.write([_tick_event(left_tick, self.defaults.tenant, key="tick left out")])

    async def _why_tick_starts_nothing(self, job: Job, run_id: str, due: datetime) -> str:
        """Why a tick starts nothing; one that a crash left half started goes on."""
        if self.starting is not None and self.starting.known and await self.starting.known(run_id):
            return ""
        standing = await self.schedules.standing(job.name)
        if standing is not None and standing.paused:  # since it was decided on
            return f"paused: {standing.paused_because}"
        return "" if self.starting is None else await self.starting.why_not(job, job.schedule.inputs if job.schedule else {}, due)

    async def _requests(self, job: Job, run_id: str, due: datetime) -> list[RunRequest]:
        """The runs of a tick: their `today` is the day of the tick, however late they start."""
        inputs = job.schedule.inputs if job.schedule else {}
        runs = [PlannedRun(run_id, inputs)] if self.starting is None else await self.starting.runs(job, run_id, inputs)
        return [
            job.request(
                run.run_id,
                run.inputs,
                now=due,
                defaults=self.defaults,
                actor="schedule",
                trigger="schedule",
            ).model_copy(update={"quiet": job.quiet(self.quiet), "of_list": run.of_list})
            for run in runs
        ]

    def _plan(self, job: Job) -> Timetable:
        return plan_of(job, self.defaults.timezone)

    def _job(self, tick: ScheduleTick) -> Job:
        files = {job.name: job for job in self._scheduled()[0]}
        if tick.job not in files:
            raise ConfigError("jobs", tick.job, "its file is gone, or it has no schedule any more")
        return files[tick.job]

    def _scheduled(self) -> tuple[list[Job], dict[str, ConfigError]]:
        """The jobs that have a schedule; and those whose file cannot be used, with what is wrong."""
        found, problems = read_all(self.folders)
        return [job for job in found if job.schedule is not None], problems

    async def _report_problem(self, job: str, problem: str) -> None:
        await report_once(job, problem, self._told, self.alert)


async def report_once(job: str, problem: str, reported: set[str], alert: Callable[[str, str], Awaitable[None]] | None) -> None:
    """Alert people to a job that cannot start, once for each problem; `reported`: the problems so far."""
    if problem in reported:
        return
    if alert is not None:
        await alert(job, problem)
    reported.add(problem)
    log.error("%s", problem)


def _superseded(
    waiting: Sequence[ScheduleTick], jobs: Mapping[str, Job], quiet: QuietHours | None
) -> list[tuple[ScheduleTick, ScheduleTick]]:
    """The ticks that quiet hours held back and a later one of the same job stands for, with that one; none where each is to
    run. A tick of quiet hours waits there until they end, also over a restart."""
    last = {tick.job: tick for tick in waiting}  # oldest first
    return [
        (tick, last[tick.job])
        for tick in waiting
        if tick is not last[tick.job]
        and (job := jobs.get(tick.job)) is not None
        and job.schedule is not None
        and job.schedule.missed != "run"
        and is_quiet(job.quiet(quiet), tick.due)
    ]


def _waits_its_turn(tick: ScheduleTick, jobs: Mapping[str, Job]) -> bool:
    """Whether a tick starts only when nothing of its schedule runs: runs that make up for missed ticks follow one another."""
    schedule = jobs[tick.job].schedule if tick.job in jobs else None
    return schedule is not None and (tick.reason == LATE or schedule.overlap == "skip")


def plan_of(job: Job, timezone: str) -> Timetable:
    """A job's schedule as a timetable; `timezone`: that of the settings. Raises `ConfigError` where it has none."""
    if job.schedule is None:
        raise ConfigError(job.file, "schedule", "the job has none")
    return Timetable(job=job.name, fans_out=job.for_each is not None, **job.schedule.plan(timezone))


def is_off(job: Job, standing: ScheduleState | None) -> bool:
    """Whether a job that ships with us waits for somebody to enable it (`jiritsu jobs resume`); no other waits.

    It waits also where a file of that name had a schedule and was taken away: who deletes a job means none to run in its place.
    One that somebody paused is paused, and says why.
    """
    return job.built_in and (standing is None or not (standing.paused or standing.resumed_at))


def _tick_event(tick: ScheduleTick, tenant: str, *, key: str = "tick") -> TickHandled:
    return TickHandled(
        run_id=tick.run_id,
        key=key,
        at=tick.handled_at,
        tenant=tenant,
        job=tick.job,
        due=tick.due,
        did=tick.did,
        reason=tick.reason,
    )
