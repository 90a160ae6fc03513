"""The pages of jobs: ticks with reasons, the explained file, its editor, and starting a run or rehearsal."""

from collections.abc import Mapping, MutableMapping, Sequence
from datetime import datetime
from pathlib import Path
from urllib.parse import quote

import anyio.to_thread
from cachetools import FIFOCache
from pydantic import BaseModel
from starlette.responses import Response

from autonomy.durable.scheduling.trigger_memory import TriggerMemory
from autonomy.durable.store import Store
from autonomy.errors import ConfigError, RunConflict, UnknownRun
from autonomy.jobs.job import Job
from autonomy.jobs.job_folders import BUILT_IN, job_files, language_in, name_of
from autonomy.jobs.job_loading import load, read_all
from autonomy.jobs.job_runner import is_off, plan_of
from autonomy.run_state.limits import HELD_BY_BUDGET
from autonomy.run_state.run_values import new_run_id
from autonomy.web.formatting import zone
from autonomy.web.pages.job_editor import broken_page, digest, own_folder, problem_of, save, text_of, verdict, wants_json
from autonomy.web.pages.tick_calendar import MOST_OF_JOB, CalendarTick, TickEnding, lay_out, window
from autonomy.web.visit import Console, Page, Visit, record_by_hand
from discovery.discovery_errors import DiscoveryError

COMING, PAST = 10, 40
"""Ticks on the page of one job."""

MOST_SHOWN = 6
"""Past ticks of each job, on the page of all."""

MOST_COMING = 80
"""Ticks of each job that are looked at and worked out; more only where they do not fill the calendar."""

MOST_PLANS = 1000
"""Schedules whose coming ticks are kept; a job that is edited leaves old ones behind."""

MOST_AHEAD = 50
"""Jobs whose ticks are worked out when the console starts: some milliseconds each."""


async def schedules_page(visit: Visit) -> Response:
    """Each job's past and coming ticks, in a calendar and job by job."""
    jobs, broken = await all_jobs(visit)
    now, place = visit.console.clock(), zone(visit.services.timezone)
    begin, end = window(now, place)
    shown, ticks, cut = [], list[CalendarTick](), list[str]()
    schedules = visit.services.schedules
    standings = await schedules.standings()
    scheduled = [job.name for job in jobs if job.schedule]
    histories = await schedules.histories(scheduled, limit=MOST_SHOWN)
    past = await schedules.since(scheduled, begin, limit=MOST_OF_JOB)
    ahead = await coming(visit, jobs)
    waiting = await TriggerMemory(Store(visit.services.engine)).held()
    for job in jobs:
        standing, done = standings.get(job.name), past.get(job.name, ())
        due = ahead[job.name]
        shown.append({
            "job": job, "standing": standing, "off": is_off(job, standing),
            "history": histories.get(job.name, ()), "coming": due[:3],
            "triggers": triggers_of(job), "held": [one for one in waiting if one.job == job.name],
        })  # fmt: skip
        if len(due) == MOST_COMING and due[-1] < end:
            due = await anyio.to_thread.run_sync(_ticks_until, visit.console, job, end)
        ticks += [CalendarTick(one.due, job, one.did, one.reason, one.run_id) for one in done if one.due < end]
        still: TickEnding = "off" if is_off(job, standing) else "paused" if standing is not None and standing.paused else "coming"
        ticks += [CalendarTick(at, job, still) for at in due if at < end]
        if len(done) == MOST_OF_JOB or (len(due) == MOST_OF_JOB and due[-1] < end):
            cut.append(job.title or job.name)
    return visit.page(
        "schedules.html.j2",
        jobs=shown,
        unstarted=await _unstarted(visit),
        timezone=visit.services.timezone,
        most=f"{MOST_OF_JOB:,}",
        cut=cut,
        broken=broken,
        may_add=own_folder(visit) is not None,
        weeks=lay_out(ticks, now, place) if ticks else (),
    )


async def schedule_page(visit: Visit) -> Response:
    """One job: its ticks, and its file with what each part means; one that cannot be read, to be mended."""
    name, file = await _file(visit)
    try:
        return await _page(visit, await anyio.to_thread.run_sync(load, file, language_in(visit.services.job_folders)))
    except ConfigError as error:
        problem = await anyio.to_thread.run_sync(visit.describe_problem, error)
        return await broken_page(visit, name, file, problem=problem.replace(str(file), file.name))


async def change_file(visit: Visit) -> Response:
    """Check the job file as it was changed, and save it where it can be used; one that ships is saved as a job of one's own.

    A text that cannot be used is shown again as it was filled in; a script that checks while one types is told what is wrong.
    """
    (name, file), text = await _file(visit), text_of(visit)
    problem = await anyio.to_thread.run_sync(problem_of, visit, name, text, file.name)
    if wants_json(visit):
        return verdict(visit, problem)
    if problem or visit.form.get("turn") != "save":
        try:
            job = await anyio.to_thread.run_sync(load, file, language_in(visit.services.job_folders))
        except ConfigError:
            return await broken_page(visit, name, file, draft=text, problem=problem)
        return await _page(visit, job, draft=text, problem=problem, status=422 if problem else 200)
    place = _place(visit, name, file)
    if place is None:
        raise RunConflict("there is no folder for jobs of one's own here")
    await record_by_hand(visit, f"job-{name}")
    await anyio.to_thread.run_sync(save, place, text, str(visit.form.get("sha256", "")))
    return visit.back(f"/schedules/{quote(name)}", "job_saved")


def _place(visit: Visit, name: str, file: Path) -> Path | None:
    """Where a changed file goes: its own place, or the operator's folder for one that ships; None where there is none."""
    if not file.is_relative_to(BUILT_IN):
        return file
    folder = own_folder(visit)
    return folder / f"{name}.md" if folder else None


async def _page(visit: Visit, job: Job, *, draft: str | None = None, problem: str = "", status: int = 200) -> Response:
    standing = await visit.services.schedules.standing(job.name)
    history = await visit.services.schedules.history(job.name, limit=PAST) if job.schedule else ()
    ticks = (await coming(visit, [job]))[job.name][:COMING]
    text = await anyio.to_thread.run_sync(lambda: job.file.read_text(encoding="utf-8"))
    return visit.page(
        "schedule.html.j2", status, job=job, standing=standing, off=is_off(job, standing), history=history, coming=ticks,
        text=text, parts=_parts(job, visit.services.timezone), unstarted=await _unstarted(visit),
        draft=draft, problem=problem, sha256=digest(text), place=_place(visit, job.name, job.file),
        starts_elsewhere=job.asks_a_tool_to_start and visit.services.by_hand is None,
    )  # fmt: skip


async def _unstarted(visit: Visit) -> frozenset[str]:
    """The ids under which ticks that are due are to run: quiet hours hold them back, or no worker has come to them."""
    return frozenset(tick.run_id for tick in await visit.services.schedules.to_start())


async def turn_schedule(visit: Visit) -> Response:
    """Pause or resume a schedule, as `jiritsu jobs` does; run the job now, or rehearse it."""
    job, turn = await _job(visit), visit.form.get("turn")
    if turn in ("run", "rehearse"):
        return await _start(visit, job, simulate=turn == "rehearse")
    if turn not in ("resume", "pause"):
        raise RunConflict("neither paused nor resumed")
    await record_by_hand(visit, f"schedule-{job.name}-{turn}")
    if turn == "resume":
        await visit.services.schedules.resume(job.name)
    else:
        note = str(visit.form.get("note", ""))[:500].strip()
        await visit.services.schedules.pause(
            job.name, f"{visit.session.name}: {note}" if note else f"by {visit.session.name} in the console"
        )
    return visit.back("/schedules", "resolved")


PAGES: Mapping[str, Page] = {"/schedules": schedules_page, "/schedules/{job}": schedule_page}
CHANGES: Mapping[str, Page] = {"/schedules/{job}": turn_schedule, "/schedules/{job}/file": change_file}


async def all_jobs(visit: Visit) -> tuple[list[Job], dict[str, str]]:
    """The jobs, and what is wrong with files that are none, by name."""

    def read() -> tuple[list[Job], dict[str, str]]:
        jobs, broken = read_all(visit.services.job_folders)
        return jobs, {name: visit.describe_problem(error) for name, error in broken.items()}

    return await anyio.to_thread.run_sync(read)


async def coming(visit: Visit, jobs: Sequence[Job]) -> dict[str, list[float]]:
    """The next `MOST_COMING` ticks of each job; none for one without a schedule, or whose cron nobody can read."""
    return await anyio.to_thread.run_sync(lambda: {job.name: _ticks(visit.console, job) for job in jobs})


def _ticks(console: Console, job: Job) -> list[float]:
    """The ticks to come. Working them out takes longer than a page may: twice as many are kept, until half of them are past."""
    if job.schedule is None:
        return []
    plans: MutableMapping[str, list[float]] = console.memory.setdefault("coming", FIFOCache(MOST_PLANS))
    now, key, most = console.clock(), f"{job.for_each is not None} {job.schedule.model_dump_json()}", 2 * MOST_COMING
    if key not in plans or (len(plans[key]) == most and plans[key][-MOST_COMING] <= now):
        try:
            plans[key] = plan_of(job, console.services.timezone).next(now, most)
        except ValueError:
            plans[key] = []
    return [tick for tick in plans[key] if tick > now][:MOST_COMING]


def _ticks_until(console: Console, job: Job, end: float) -> list[float]:
    """The next `MOST_OF_JOB` ticks before `end` of a job that has many; worked out once an hour."""
    if job.schedule is None:
        return []
    plans: MutableMapping[str, list[float]] = console.memory.setdefault("calendar", FIFOCache(MOST_AHEAD))
    now = console.clock()
    key = f"{int(now // 3600)} {end} {job.for_each is not None} {job.schedule.model_dump_json()}"
    if key not in plans:
        plans[key] = plan_of(job, console.services.timezone).next(now, MOST_OF_JOB)
    return [tick for tick in plans[key] if now < tick]


def look_ahead(console: Console) -> None:
    """Read the jobs and work out their ticks before anybody asks for them. Blocks."""
    for job in read_all(console.services.job_folders)[0][:MOST_AHEAD]:
        _ticks(console, job)


async def _file(visit: Visit) -> tuple[str, Path]:
    """The job of the address by its name and file; never a file of this machine that the address names."""
    name = visit.request.path_params["job"]
    files = await anyio.to_thread.run_sync(job_files, visit.services.job_folders)
    file = next((file for file in files if name_of(file) == name), None)
    if file is None:
        raise UnknownRun(name, "job")
    return name, file


async def _job(visit: Visit) -> Job:
    name, file = await _file(visit)
    try:
        return await anyio.to_thread.run_sync(load, file, language_in(visit.services.job_folders))
    except ConfigError as error:
        raise UnknownRun(name, "job") from error


async def _start(visit: Visit, job: Job, *, simulate: bool) -> Response:
    """Hand the job to the queue, with what the form gives for its inputs: a run, or one for each item of its list. A rehearsal
    shows what would be done whether or not its condition holds now.

    Raises `ConfigError` for an input that cannot be read, and `RunConflict` where its budget, its condition or its list lets
    nothing start now.
    """
    services = visit.services
    now = datetime.fromtimestamp(visit.console.clock(), zone(services.timezone))
    inputs = {name: text for name in job.inputs if (text := str(visit.form.get(f"input.{name}", "")).strip())}
    try:
        why_not = await services.starting.why_not(job, inputs, now)
        if why_not and (not simulate or why_not.startswith(HELD_BY_BUDGET)):
            raise RunConflict(f"nothing to do: {why_not}")
        start = new_run_id(now)
        runs = await services.starting.runs(job, start, inputs)
    except DiscoveryError as error:
        raise RunConflict(str(error)) from error
    for run in runs:
        request = job.request(
            run.run_id,
            run.inputs,
            now=now,
            defaults=services.defaults,
            actor=visit.session.name,
            trigger="api",
            simulate=simulate,
        )
        await services.orders().enqueue(request.model_copy(update={"of_list": run.of_list}))
    return visit.back(f"/runs/{runs[0].run_id}" if len(runs) == 1 else f"/runs?start={start}", "did_start")


def triggers_of(job: Job) -> list[tuple[str, str]]:
    """The triggers of a job beside its schedule: the key in its file, and its value in short."""
    triggers = [
        ("webhook", f"POST /hooks/{job.name}" if job.webhook else ""),
        ("on_file", job.on_file.path if job.on_file else ""),
        ("after_job", f"{job.after_job.job} ({', '.join(job.after_job.endings)})" if job.after_job else ""),
        ("on_message", f"{job.on_message.channel} {job.on_message.words}".strip() if job.on_message else ""),
    ]
    return [(key, value) for key, value in triggers if value]


def _short_of(part: BaseModel | None) -> str:
    """What a part of the file says beyond what is so anyway."""
    fields = part.model_dump(mode="json", exclude_defaults=True) if part else {}
    return ", ".join(f"{name}: {value}" for name, value in fields.items())


def _parts(job: Job, timezone: str) -> list[tuple[str, str]]:
    """The parts that the job's file declares, each with its value in short; what they mean stands in the words. `timezone`: of a
    schedule that names none."""
    needs = [f"{need.id} ({need.effect})" for need in job.needs]
    declared: list[tuple[str, object]] = [
        ("schedule", f"{job.schedule.cron} {job.zone_named or timezone}" if job.schedule else ""),
        *triggers_of(job),
        ("for_each", _short_of(job.for_each)),
        ("when", _short_of(job.when)),
        ("budget", _short_of(job.budget)),
        ("holidays", job.schedule.holidays if job.schedule else ""),
        ("missed", job.schedule.missed if job.schedule else ""),
        ("overlap", job.schedule.overlap if job.schedule else ""),
        ("inputs", ", ".join(job.inputs)),
        ("needs", ", ".join(needs)),
        ("sections", ", ".join(section.title for section in job.sections)),
        ("tools", ", ".join(job.tools)),
        ("limits", ", ".join(f"{name}: {value}" for name, value in job.limits.items())),
        ("complete", ", ".join(rule.rule for rule in job.complete)),
        ("delivery", ", ".join(job.delivery)),
        ("plan", "true" if job.plan else ""),
        ("second_opinion", "" if not job.second_opinion else "true" if job.second_opinion is True else job.second_opinion),
    ]
    return [(name, str(value)) for name, value in declared if value]
