"""The pages across runs: now, measures, schedules, tools, costs, audit, conversations."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

import anyio
import anyio.to_thread
from starlette.responses import RedirectResponse, Response

from autonomy.durable.store import Store
from autonomy.errors import ConfigError, UnknownRun
from autonomy.jobs.job import Job, find, job_files, load
from autonomy.jobs.job_runner import plan_of
from autonomy.web.formatting import zone
from autonomy.web.run_list import RunFilter, active_runs, count_states, list_runs
from autonomy.web.visit import Page, Visit
from metrics.autonomy import MEASURES
from metrics.reporting import report_words
from metrics.reporting.report_data import Report, read_report

DAY_S = 86_400.0

FRESH_S = 60.0
"""How old a report may be that is shown: it reads every event of its period."""

MOST_REPORTS = 100
"""In memory: the job of a report comes from the address, where anything may stand."""

PERIODS = (1, 7, 30, 90)
"""In days."""

LOG_ROWS = 100
"""Of the audit log on one page."""


async def home(visit: Visit) -> Response:
    """The first page is what happens now."""
    return RedirectResponse("/now", 303)


async def now_page(visit: Visit) -> Response:
    """What runs, what waits, what comes next."""
    services = visit.services
    store = Store(services.engine, patience_s=0)
    latest = await list_runs(store, services.tenant, RunFilter())
    jobs, _ = await _jobs(visit)
    now = visit.console.clock()
    due = sorted([(at, job) for job in jobs for at in await _coming(job, now, 1)], key=lambda pair: pair[0])
    active = await active_runs(store, services.tenant)
    gone = (
        await services.orders().interrupted([await services.runs.get(line.run_id) for line, _, _ in active])
        if active
        else frozenset()
    )
    counts = await count_states(store, services.tenant)
    return visit.page("now.html.j2", active=active, gone=gone, counts=counts, due=due[:8], latest=latest.lines[:8])


async def measures_page(visit: Visit) -> Response:
    """The report's figures, each with the runs behind it."""
    asked = visit.request.query_params
    days = int(asked["days"]) if asked.get("days", "").isdigit() and int(asked["days"]) in PERIODS else 7
    job = asked.get("job", "")[:200]
    report = await _report(visit, days, job)

    def number(value: float | None, unit: str) -> str:
        return report_words.number(value, unit, visit.language)

    return visit.page(
        "measures.html.j2",
        measures=list(MEASURES),
        report=report,
        days=days,
        job=job,
        periods=PERIODS,
        number=number,
        m=lambda key: report_words.word(key, visit.language),
        why=lambda found: report_words.cause(found.kind, found.subject, found.detail, visit.language),
        interval=lambda estimate, unit: report_words.interval(estimate, unit, visit.language),
        signed=lambda value, unit: report_words.signed(value, unit, visit.language),
    )


async def schedules_page(visit: Visit) -> Response:
    """Each job's past and coming ticks."""
    jobs, broken = await _jobs(visit)
    now = visit.console.clock()
    shown = []
    for job in jobs:
        standing = await visit.services.schedules.standing(job.name)
        history = await visit.services.schedules.history(job.name, limit=12) if job.schedule else ()
        shown.append({"job": job, "standing": standing, "history": history, "coming": await _coming(job, now, 5)})
    return visit.page("schedules.html.j2", jobs=shown, broken=broken)


async def turn_schedule(visit: Visit) -> Response:
    """Pause or resume a schedule, as `jiritsu jobs` does."""
    try:
        job = await anyio.to_thread.run_sync(find, visit.request.path_params["job"], visit.services.job_folders)
    except ConfigError as error:
        raise UnknownRun(visit.request.path_params["job"], "job") from error
    if visit.form.get("turn") == "resume":
        await visit.services.schedules.resume(job.name)
    else:
        note = str(visit.form.get("note", ""))[:500].strip()
        await visit.services.schedules.pause(job.name, f"{visit.session.name}: {note}" if note else f"by {visit.session.name}")
    return visit.back("/schedules", "resolved")


async def tools_page(visit: Visit) -> Response:
    """The servers of this process, with their state and why."""
    providers = visit.services.providers
    return visit.page("tools.html.j2", providers=tuple(providers()) if providers else None)


async def costs_page(visit: Visit) -> Response:
    """What models cost, by day, job and model."""
    return visit.page("costs.html.j2", report=await _report(visit, 30, ""), days=30)


async def audit_page(visit: Visit) -> Response:
    """The newest rows of the log, and where its chain ends."""
    journal = visit.services.journal
    end = await journal.anchor()
    before = visit.request.query_params.get("before", "")
    last = min(int(before), end.seq) if before.isdigit() and len(before) < 18 else end.seq
    rows = [
        row for row in await journal.rows(after=max(0, last - LOG_ROWS), limit=LOG_ROWS) if row.tenant == visit.services.tenant
    ]
    return visit.page("audit.html.j2", rows=rows[::-1], end=end, older=max(0, last - LOG_ROWS), head=end.mac.hex())


async def conversations_page(visit: Visit) -> Response:
    """Runs that people asked for in a conversation."""
    store = Store(visit.services.engine, patience_s=0)
    page = await list_runs(store, visit.services.tenant, RunFilter(after=visit.request.query_params.get("after", "")))
    talked = [line for line in page.lines if line.trigger in ("slack", "chat")]
    return visit.page("conversations.html.j2", lines=talked, next=page.next)


PAGES: Mapping[str, Page] = {
    "/": home,
    "/now": now_page,
    "/measures": measures_page,
    "/schedules": schedules_page,
    "/tools": tools_page,
    "/costs": costs_page,
    "/audit": audit_page,
    "/conversations": conversations_page,
}
CHANGES: Mapping[str, Page] = {"/schedules/{job}": turn_schedule}


async def _jobs(visit: Visit) -> tuple[list[Job], list[str]]:
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


async def _coming(job: Job, now: float, count: int) -> list[float]:
    """The next ticks of a job's schedule; none for one without, or whose cron nobody can read."""
    if job.schedule is None:
        return []
    try:
        return await anyio.to_thread.run_sync(plan_of(job).next, now, count)
    except ValueError:
        return []


async def _report(visit: Visit, days: int, job: str) -> Report:
    """A report of the last days, made once for all who look within a minute."""
    memory: dict[Any, Any] = visit.console.memory
    if len(memory) > MOST_REPORTS:
        memory.clear()
    lock = memory.setdefault(("lock", days, job), anyio.Lock())
    async with lock:
        now = visit.console.clock()
        known: Report | None = memory.get((days, job))
        if known is not None and now - known.made_at < FRESH_S:
            return known
        tz = zone(visit.services.timezone)
        until = datetime.fromtimestamp(now, tz).timestamp()
        report = await read_report(
            visit.services.journal,
            since=until - days * DAY_S,
            until=until,
            made_at=now,
            tz=tz,
            job=job or None,
            tenant=visit.services.tenant,
        )
        memory[(days, job)] = report
        return report
