"""Jobs that run by themselves: looks after the schedules of all job files, and asks for the runs that are due (J2).

Called by `jiritsu worker`; any number of workers may do so at once. Calls `durable.schedules`, which sees to it that each tick is
handled once, and hands the runs to the queue.
"""

import logging
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any, Protocol
from zoneinfo import ZoneInfo

import anyio
import anyio.to_thread

from autonomy.durable.scheduling.schedules import Schedules, ScheduleTick
from autonomy.durable.scheduling.timetable import Timetable
from autonomy.errors import ConfigError, JiritsuError, StoreError
from autonomy.jobs.job import REPORT, Job, job_files, load
from autonomy.run_state.context import RunRequest
from discovery.catalog import JsonObject
from metrics.events import EventSink, TickHandled

log = logging.getLogger(__name__)


class Queue(Protocol):
    """Where runs are asked for (`durable.orders`)."""

    async def enqueue(self, request: RunRequest, *, priority: int = 100) -> str:
        """Let a worker run it; asking twice changes nothing."""
        ...


@dataclass
class JobRunner:
    """Looks after schedules."""

    folders: Sequence[Path]
    schedules: Schedules
    queue: Queue
    journal: EventSink
    tenant: str = "default"
    limits: JsonObject = field(default_factory=dict)
    sleep: Callable[[float], Awaitable[None]] = anyio.sleep
    _told: set[str] = field(default_factory=set)

    async def keep(self, every_s: float = 1.0) -> None:
        """Look again and again. A job file that cannot be used is told of once, and the others go on."""
        while True:
            try:
                await self.look()
            except StoreError as error:
                log.warning("cannot look after the schedules: %s", error)
            await self.sleep(every_s)

    async def look(self) -> None:
        """Handle every tick that is due, and start what was decided to run."""
        for job in await anyio.to_thread.run_sync(self._scheduled):
            try:
                ticks = await self.schedules.handle(plan_of(job))
            except ValueError as error:
                self._tell(f"{job.file}: schedule.cron: {error}")
                continue
            await self.journal.write([_told_of(tick, self.tenant) for tick in ticks])
        for tick in await self.schedules.to_start():
            if tick.job != REPORT:
                await self._start(tick)

    async def _start(self, tick: ScheduleTick) -> None:
        try:
            request = await anyio.to_thread.run_sync(self._request, tick)
        except JiritsuError as error:
            self._tell(f"job {tick.job} cannot run: {error}")
            return
        await self.queue.enqueue(request)
        await self.schedules.started(tick)

    def _request(self, tick: ScheduleTick) -> RunRequest:
        """The run of a tick: its `today` is the day of the tick, however late it starts."""
        files = {job.name: job for job in self._scheduled()}
        if tick.job not in files:
            raise ConfigError("jobs", tick.job, "its file is gone, or it has no schedule any more")
        job = files[tick.job]
        due = datetime.fromtimestamp(tick.due, ZoneInfo(plan_of(job).timezone))
        limits: dict[str, Any] = self.limits
        return job.request(tick.run_id, {}, now=due, tenant=self.tenant, actor="schedule", trigger="schedule", limits=limits)

    def _scheduled(self) -> list[Job]:
        found = []
        for file in job_files(self.folders):
            try:
                job = load(file)
            except ConfigError as error:
                self._tell(str(error))
                continue
            if job.schedule is not None:
                found.append(job)
        return found

    def _tell(self, problem: str) -> None:
        if problem not in self._told:
            self._told.add(problem)
            log.error("%s", problem)


def plan_of(job: Job) -> Timetable:
    """A job's schedule as the room below takes it. Raises `ConfigError` for a job without one."""
    if job.schedule is None:
        raise ConfigError(job.file, "schedule", "the job has none")
    return Timetable(job=job.name, **job.schedule.model_dump(exclude={"alert"}))


def _told_of(tick: ScheduleTick, tenant: str) -> TickHandled:
    return TickHandled(
        run_id=tick.run_id,
        key="tick",
        at=tick.handled_at,
        tenant=tenant,
        job=tick.job,
        due=tick.due,
        did=tick.did,
        reason=tick.reason,
    )
