"""The pages of jobs: ticks with their reasons, the file explained and changed, a run or rehearsal at once."""

import hashlib
import tempfile
from collections.abc import Mapping
from datetime import datetime
from pathlib import Path
from typing import Any
from urllib.parse import quote

import anyio.to_thread
from starlette.responses import JSONResponse, Response

from autonomy.errors import ConfigError, RunConflict, UnknownRun
from autonomy.jobs.job import BUILT_IN, Job, find, job_files, load
from autonomy.jobs.job_runner import plan_of
from autonomy.run_state.context import new_run_id
from autonomy.web.formatting import zone
from autonomy.web.visit import BY_HAND, Page, Visit
from discovery.servers.trust import replace_file
from metrics.events import Intervention

COMING, PAST = 10, 40
"""Ticks on the page of one job."""


async def schedules_page(visit: Visit) -> Response:
    """Each job's past and coming ticks."""
    jobs, broken = await all_jobs(visit)
    now = visit.console.clock()
    shown = []
    for job in jobs:
        standing = await visit.services.schedules.standing(job.name)
        history = await visit.services.schedules.history(job.name, limit=6) if job.schedule else ()
        shown.append({"job": job, "standing": standing, "history": history, "coming": await coming(job, now, 3)})
    return visit.page("schedules.html.j2", jobs=shown, broken=broken)


async def schedule_page(visit: Visit) -> Response:
    """One job: its ticks, and its file with what each part means."""
    return await _page(visit, await _job(visit))


async def change_file(visit: Visit) -> Response:
    """Check the job file as it was changed, and save it where it can be used; one that ships is saved as a job of one's own.

    A text that cannot be used is shown again as it was filled in; a script that checks while one types is told what is wrong.
    """
    job, text = await _job(visit), str(visit.form.get("text", "")).replace("\r\n", "\n")
    problem = await anyio.to_thread.run_sync(problem_of, job, text)
    if "application/json" in visit.request.headers.get("accept", ""):
        return JSONResponse({"problem": problem, "fits": "" if problem else visit.t("job_fits")})
    if problem or visit.form.get("turn") != "save":
        return await _page(visit, job, draft=text, problem=problem, status=422 if problem else 200)
    place = _place(visit, job)
    if place is None:
        raise RunConflict("there is no folder for jobs of one's own here")
    told = Intervention(
        run_id=BY_HAND, key=f"job-{job.name}-{visit.console.clock():.3f}", at=visit.console.clock(), tenant=visit.services.tenant,
        kind="edit", by=visit.session.name,
    )  # fmt: skip
    await visit.services.journal.write([told])
    await anyio.to_thread.run_sync(_save, place, text, str(visit.form.get("sha256", "")))
    return visit.back(f"/schedules/{quote(job.name)}", "job_saved")


def problem_of(job: Job, text: str) -> str:
    """What keeps a text from being this job's file; nothing when it can be used. Blocks."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / job.name / "job.md"
        file.parent.mkdir()
        file.write_text(text, encoding="utf-8", errors="replace")
        try:
            load(file)
        except ConfigError as error:
            return str(error).replace(str(file), job.file.name)
    return ""


def _place(visit: Visit, job: Job) -> Path | None:
    """Where a changed file goes: its own place, or the operator's folder for one that ships; None where there is none."""
    folder = visit.services.job_folders[0]
    return job.file if not job.built_in else None if folder.is_relative_to(BUILT_IN) else folder / f"{job.name}.md"


def _save(place: Path, text: str, shown: str) -> None:
    """Raises `RunConflict` when somebody else has changed the file since the page showed it, `ConfigError` when it cannot be
    written."""
    if place.exists() and _digest(place.read_text(encoding="utf-8")) != shown:
        raise RunConflict(f"{place.name} has changed since the page was made: look again")
    try:
        replace_file(place, text)
    except OSError as error:
        raise ConfigError(place, "", f"cannot be written: {error.strerror}") from error


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


async def _page(visit: Visit, job: Job, *, draft: str | None = None, problem: str = "", status: int = 200) -> Response:
    standing = await visit.services.schedules.standing(job.name)
    history = await visit.services.schedules.history(job.name, limit=PAST) if job.schedule else ()
    ticks = await coming(job, visit.console.clock(), COMING)
    text = await anyio.to_thread.run_sync(lambda: job.file.read_text(encoding="utf-8"))
    return visit.page(
        "schedule.html.j2", status, job=job, standing=standing, history=history, coming=ticks, text=text, parts=_parts(job),
        draft=draft, problem=problem, sha256=_digest(text), place=_place(visit, job),
    )  # fmt: skip


async def turn_schedule(visit: Visit) -> Response:
    """Pause or resume a schedule, as `jiritsu jobs` does; run the job now, or rehearse it."""
    job, turn = await _job(visit), visit.form.get("turn")
    if turn in ("run", "rehearse"):
        return await _start(visit, job, simulate=turn == "rehearse")
    if turn == "resume":
        await visit.services.schedules.resume(job.name)
    else:
        note = str(visit.form.get("note", ""))[:500].strip()
        await visit.services.schedules.pause(job.name, f"{visit.session.name}: {note}" if note else f"by {visit.session.name}")
    return visit.back("/schedules", "resolved")


PAGES: Mapping[str, Page] = {"/schedules": schedules_page, "/schedules/{job}": schedule_page}
CHANGES: Mapping[str, Page] = {"/schedules/{job}": turn_schedule, "/schedules/{job}/file": change_file}


async def all_jobs(visit: Visit) -> tuple[list[Job], list[str]]:
    """The jobs, and what is wrong with files that are none."""

    def read() -> tuple[list[Job], list[str]]:
        jobs, broken = [], []
        for file in job_files(visit.services.job_folders):
            try:
                jobs.append(load(file))
            except ConfigError as error:
                broken.append(str(error))
        return jobs, broken

    return await anyio.to_thread.run_sync(read)


async def coming(job: Job, now: float, count: int) -> list[float]:
    """The next ticks of a job's schedule; none for one without, or whose cron nobody can read."""
    if job.schedule is None:
        return []
    try:
        return await anyio.to_thread.run_sync(plan_of(job).next, now, count)
    except ValueError:
        return []


async def _job(visit: Visit) -> Job:
    name = visit.request.path_params["job"]
    if name.endswith(".md"):  # which `find` takes for a path of this machine
        raise UnknownRun(name, "job")
    try:
        return await anyio.to_thread.run_sync(find, name, visit.services.job_folders)
    except ConfigError as error:
        raise UnknownRun(name, "job") from error


async def _start(visit: Visit, job: Job, *, simulate: bool) -> Response:
    """Hand the job to the queue, with what the form gives for its inputs. Raises `ConfigError` for an input that cannot be
    read."""
    services = visit.services
    now = datetime.fromtimestamp(visit.console.clock(), zone(services.timezone))
    given = {name: text for name in job.inputs if (text := str(visit.form.get(f"input.{name}", "")).strip())}
    limits: dict[str, Any] = services.limits
    request = job.request(
        new_run_id(now),
        given,
        now=now,
        tenant=services.tenant,
        actor=visit.session.name,
        trigger="api",
        limits=limits,
        simulate=simulate,
        language=services.language,
        location=services.location,
    )
    await services.orders().enqueue(request)
    return visit.back(f"/runs/{request.run_id}", "did_start")


def _parts(job: Job) -> list[tuple[str, str]]:
    """The parts that the job's file declares, each with its value in short; what they mean stands in the words."""
    needs = [f"{need.id} ({need.effect})" for need in job.needs]
    declared: list[tuple[str, object]] = [
        ("schedule", f"{job.schedule.cron} {job.schedule.timezone}" if job.schedule else ""),
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
        ("second_opinion", "true" if job.second_opinion else ""),
    ]
    return [(name, str(value)) for name, value in declared if value]
