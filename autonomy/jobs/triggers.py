"""Starts jobs by events, each at most once: a file, another job's end, a Slack message."""

import hashlib
import logging
import time
from collections.abc import Awaitable, Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import anyio
import anyio.to_thread
from cachetools import LRUCache

from autonomy.durable.records.run_records import RunRecord, RunRecords
from autonomy.durable.scheduling.trigger_memory import HeldStart, TriggerMemory
from autonomy.errors import ConfigError, JiritsuError, StoreError
from autonomy.jobs.job import Job, RunDefaults
from autonomy.jobs.job_loading import read_all, starts_itself
from autonomy.jobs.job_runner import report_once
from autonomy.jobs.starting import JobStart
from autonomy.jobs.trigger_settings import FileTrigger, JobTrigger
from autonomy.run_state.limits import HELD_BY_BUDGET
from autonomy.run_state.quiet_hours import QuietHours
from autonomy.run_state.run_values import RunRequest, RunResult, Trigger
from discovery.discovery_errors import DiscoveryError
from metrics.reporting.reason_words import reason_in
from metrics.reporting.report_words import Language, ending_in

if TYPE_CHECKING:
    from autonomy.durable.run_control import RunControl

log = logging.getLogger(__name__)

REACH_S = 7 * 86_400.0
"""What happened earlier starts nothing, however long no worker ran."""

STILL_S = 2.0
"""A file that was written to since may be half there."""

MOST_AT_ONCE = 500
"""Of the files of one pattern the newest, of the runs of one job those that ended last."""

AFTER_JOB = "job"
"""Who asks for a run that another job's end starts. What that run answered is a model's wording, however short: nobody's name."""

LOOKED_AGAIN_S = 60.0
"""How soon what could not start (a budget, a condition) is tried again."""

COMPLETED_WITHIN_S = 3_600.0
"""For how long a list that a worker began and did not finish is completed. Of an older one a run may have been forgotten by
now, which is no reason to start it again."""


class Started(NamedTuple):
    """The outcome of a start."""

    run_ids: tuple[str, ...] = ()
    why_not: str = ""
    """Why nothing was started; empty where something was."""


class TriggerEvent(NamedTuple):
    """Something that starts a job."""

    run_id: str
    inputs: dict[str, str]


@dataclass
class TriggeredStart:
    """Starts a job for an event; the same event again starts nothing."""

    starting: JobStart
    runs: RunRecords
    queue: "RunControl"
    now: Callable[[], datetime]
    defaults: RunDefaults = field(default_factory=RunDefaults)
    quiet: QuietHours | None = None

    async def start(self, job: Job, run_id: str, inputs: Mapping[str, str], *, actor: str, trigger: Trigger = "api") -> Started:
        """Queue the runs of a start, under ids that begin with `run_id`; gives them, or why nothing started.

        Raises `ConfigError` and `DiscoveryError`, as `JobStart` and `Job.request` do, and `StoreError`.
        """
        now = self.now()
        if (why_not := await self.starting.why_not(job, inputs, now)) and not await self.runs.known(run_id):
            return Started(why_not=why_not)
        started = []
        for run in await self.starting.runs(job, run_id, inputs):
            request = job.request(
                run.run_id,
                run.inputs,
                now=now,
                defaults=self.defaults,
                actor=actor,
                trigger=trigger,
                told_by_run=actor == AFTER_JOB,
            )
            started.append(
                await self.queue.enqueue(request.model_copy(update={"quiet": job.quiet(self.quiet), "of_list": run.of_list}))
            )
        return Started(tuple(started))


@dataclass
class TriggerWatch:
    """Looks for files and ended runs that start jobs, and takes messages that do."""

    folders: Sequence[Path]
    begin: TriggeredStart
    memory: TriggerMemory
    alert: Callable[[str, str], Awaitable[None]] | None = None
    """Has people told of a job, by name, that cannot start, and why."""
    clock: Callable[[], float] = time.time
    sleep: Callable[[float], Awaitable[None]] = anyio.sleep
    _done: LRUCache[str, bool] = field(default_factory=lambda: LRUCache(10_000))
    """Runs that were started, so that the database is not asked of them at each look."""
    _again: dict[str, float] = field(default_factory=dict)
    _told: set[str] = field(default_factory=set)
    _since: dict[tuple[str, str], float] = field(default_factory=dict)

    async def keep(self, every_s: float = 5.0) -> None:
        """Look again and again."""
        while True:
            try:
                await self.look()
            except StoreError as error:
                log.warning("cannot look for what starts jobs: %s", error)
            await self.sleep(every_s)

    async def look(self) -> None:
        """Start what is due. What one job, or one of its events, trips over harms no other."""
        jobs, _ = await anyio.to_thread.run_sync(read_all, self.folders)
        for job in jobs:
            if job.built_in or not (job.on_file or job.after_job):
                continue
            try:
                happened = [("file", one) for one in await self._files(job)]
                happened += [(AFTER_JOB, one) for one in await self._after_job_events(job, jobs)]
            except StoreError:
                raise
            except Exception as error:  # noqa: BLE001 - see above
                await self._report_cause(job, error)
                continue
            for actor, one in happened:
                await self._begin(job, one, actor=actor)
        await self._start_held({job.name: job for job in jobs})

    async def heard(self, channel: str, ts: str, user_id: str, text: str) -> list[str]:
        """Start the jobs that a message triggers; gives the ids of their runs. Its author must be authorized. Raises
        `StoreError`."""
        jobs, _ = await anyio.to_thread.run_sync(read_all, self.folders)
        started: list[str] = []
        for job in jobs:
            if job.built_in or job.on_message is None or not job.on_message.fits(channel, text):
                continue
            inputs = {job.on_message.input: text} if job.on_message.input else {}
            one = TriggerEvent(f"{job.name}-message-{channel}-{ts}", inputs)
            try:
                outcome = await self.begin.start(job, one.run_id, one.inputs, actor=user_id, trigger="message")
            except StoreError:
                raise
            except (JiritsuError, DiscoveryError) as error:
                await self._report_cause(job, error)
                await self._hold(job, one, user_id, str(error))
                continue
            started += outcome.run_ids
            if outcome.why_not.startswith(HELD_BY_BUDGET):
                await self._hold(job, one, user_id, outcome.why_not)
            elif outcome.why_not:
                log.info("job %s is not started by a message: %s", job.name, outcome.why_not)
        return started

    async def _hold(self, job: Job, one: TriggerEvent, actor: str, reason: str) -> None:
        """Keep the start of a message for later, because nobody writes it twice."""
        log.warning("%s waits: %s", one.run_id, reason)
        at = self.clock()
        self._again[one.run_id] = at + LOOKED_AGAIN_S
        await self.memory.hold(
            HeldStart(run_id=one.run_id, job=job.name, inputs=one.inputs, actor=actor, asked_at=at, reason=reason)
        )

    async def _start_held(self, jobs: Mapping[str, Job]) -> None:
        """Start kept messages; give up, with an alert, those that waited longer than `REACH_S`."""
        for one in await self.memory.held():
            job = jobs.get(one.job)
            if one.asked_at < self.clock() - REACH_S:
                await self._report_problem(
                    one.job, f"job {one.job} gives up the start {one.run_id}, which waited a week: {one.reason}"
                )
                await self.memory.let_go(one.run_id)
                self._again.pop(one.run_id, None)
            elif job is not None:
                event = TriggerEvent(one.run_id, one.inputs)
                if await self._begin(job, event, actor=one.actor, trigger="message"):
                    await self.memory.let_go(one.run_id)

    async def _begin(self, job: Job, one: TriggerEvent, *, actor: str, trigger: Trigger = "api") -> bool:
        """Start an event's runs, unless they are due for another attempt later; gives whether they are started, now or before.

        Raises `StoreError` alone."""
        if one.run_id in self._done or self._again.get(one.run_id, 0.0) > self.clock():
            return one.run_id in self._done
        why_not = ""
        try:
            if not await self._is_started(job, one.run_id):
                why_not = (await self.begin.start(job, one.run_id, one.inputs, actor=actor, trigger=trigger)).why_not
        except StoreError:
            raise
        except Exception as error:  # noqa: BLE001 - what one start trips over harms no other
            await self._report_cause(job, error)
            why_not = str(error)
        if why_not:
            if one.run_id not in self._again:
                log.warning("%s waits: %s", one.run_id, why_not)
            self._again[one.run_id] = self.clock() + LOOKED_AGAIN_S
            return False
        self._again.pop(one.run_id, None)
        self._done[one.run_id] = True
        return True

    async def _is_started(self, job: Job, run_id: str) -> bool:
        """Whether every run of a start was asked for: a worker that was killed may have queued only the first of a list."""
        records = [] if job.for_each is None else await self.begin.runs.of_start(run_id)
        if not records:
            return await self.begin.runs.known(run_id)
        newest_last = sorted(records, key=lambda one: (one.asked_at, one.run_id))
        return _is_whole(run_id, newest_last) or newest_last[-1].asked_at < self.clock() - COMPLETED_WITHIN_S

    async def _from(self, job: Job, trigger: FileTrigger | JobTrigger) -> float:
        """From which time on events may start the job, in seconds since the epoch: nothing older than the trigger itself."""
        key = job.name, _short(trigger.model_dump_json())
        if key not in self._since:
            written = await anyio.to_thread.run_sync(lambda: job.file.stat().st_mtime)
            self._since[key] = await self.memory.since(*key, written)
        return max(self._since[key], self.clock() - REACH_S)

    async def _files(self, job: Job) -> list[TriggerEvent]:
        trigger = job.on_file
        if trigger is None:
            return []
        since = await self._from(job, trigger)
        return await anyio.to_thread.run_sync(self._new_files, job, trigger, since)

    def _new_files(self, job: Job, trigger: FileTrigger, since: float) -> list[TriggerEvent]:
        pattern = (job.file.parent / Path(trigger.path).expanduser()).absolute()
        if not pattern.parent.is_dir():
            raise ConfigError(job.file, "on_file.path", f"there is no folder {pattern.parent}")
        candidates, until, folder = [], self.clock() - STILL_S, pattern.parent.resolve()
        for file in pattern.parent.glob(pattern.name):
            try:
                state = file.stat()
            except OSError:  # it has just been taken away
                continue
            # a link leads whoever dropped it to any file that we may read
            lies_here = file.resolve().parent == folder
            if lies_here and file.is_file() and not file.name.startswith(".") and since <= state.st_mtime <= until:
                candidates.append((state.st_mtime_ns, state.st_size, file))
        return [
            TriggerEvent(f"{job.name}-file-{_short(f'{file} {at} {size}')}", {trigger.input: str(file)} if trigger.input else {})
            for at, size, file in sorted(candidates)[-MOST_AT_ONCE:]
        ]

    async def _after_job_events(self, job: Job, jobs: Sequence[Job]) -> list[TriggerEvent]:
        trigger = job.after_job
        if trigger is None:
            return []
        if starts_itself(job, jobs):
            raise ConfigError(job.file, "after_job.job", f"{job.name} would start itself again and again")
        since = await self._from(job, trigger)
        # by their ends: one that waited for a person may be older than five hundred others
        ended = await self.begin.runs.ended_since(trigger.job, since, tenant=self.begin.defaults.tenant, limit=MOST_AT_ONCE)
        starts = _starts(ended, each=trigger.each)
        ids = {start: f"{job.name}-after-{_short(start)}" for start in starts}
        new = {start: runs for start, runs in starts.items() if ids[start] not in self._done and _last_end(runs) >= since}
        return [
            TriggerEvent(
                ids[start],
                {trigger.input: _answers(start, records, trigger.endings)} if trigger.input else {},
            )
            for start, records in (await self._whole(new)).items()
            if all(one.result is not None for one in records)
            and any(one.result and one.result.ending in trigger.endings for one in records)
        ]

    async def _whole(self, starts: Mapping[str, list[RunRecord]]) -> dict[str, list[RunRecord]]:
        """The starts of which every run is there, oldest first: a list may be longer than what is looked at."""
        whole = dict[str, list[RunRecord]]()
        for start, records in starts.items():
            if start != records[-1].run_id and not _is_whole(start, records):
                known = {one.run_id: one for one in await self.begin.runs.of_start(start)} | {one.run_id: one for one in records}
                records = sorted(known.values(), key=lambda one: (one.asked_at, one.run_id))
                if not _is_whole(start, records):
                    continue
            whole[start] = records
        return whole

    async def _report_cause(self, job: Job, error: Exception) -> None:
        await self._report_problem(job.name, f"job {job.name} cannot start: {error}")

    async def _report_problem(self, job: str, problem: str) -> None:
        await report_once(job, problem, self._told, self.alert)


def _starts(records: Iterable[RunRecord], *, each: bool) -> dict[str, list[RunRecord]]:
    """The runs of each start of a job, oldest first; `each` counts every run of a list for itself."""
    starts = dict[str, list[RunRecord]]()
    for one in records:
        member = one.request.of_list
        starts.setdefault(one.run_id if each or member is None else member.start, []).append(one)
    return starts


def _last_end(records: Iterable[RunRecord]) -> float:
    return max(one.ended_at or 0.0 for one in records)


def _is_whole(start: str, records: Sequence[RunRecord]) -> bool:
    """The newest run of a list knows how many there are to be. One that somebody retried is one more, under its own id."""
    newest = records[-1].request.of_list
    return newest is not None and sum(one.run_id.startswith(f"{start}.") for one in records) >= newest.size


def _answers(start: str, records: Sequence[RunRecord], endings: Collection[str]) -> str:
    """What the runs of a start answered; of a list under each item's name with its ending, and why where that does not count.

    A run stands for the one it was forked from, which was told the same.
    """
    latest = {one.request.task.model_dump_json(): one for one in records}
    return "\n\n".join(
        one.result.text
        if member is None or one.run_id == start
        else f"{member.item}: {_answer(one.result, one.request, endings)}"
        for one in latest.values()
        for member in [one.request.of_list]
        if one.result is not None
    )


def _answer(result: RunResult, request: RunRequest, endings: Collection[str]) -> str:
    language: Language = "ja" if request.task.language == "ja" else "en"
    # a refusal says in its text what it did not find
    tells_itself = result.ending in endings or result.ending == "declined"
    return f"{ending_in(result.ending, language)}\n{result.text if tells_itself else reason_in(language, result.reason)}"


def _short(text: str) -> str:
    return hashlib.sha256(text.encode(errors="surrogatepass")).hexdigest()[:16]
