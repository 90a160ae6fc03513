"""The pages that look across runs: now, measures, costs, the audit log and conversations."""

from collections.abc import Awaitable, Iterable, Mapping
from functools import partial
from typing import Any, NamedTuple, TypeVar

import anyio.to_thread
from sqlalchemy.exc import SQLAlchemyError
from starlette.background import BackgroundTask
from starlette.responses import RedirectResponse, Response

from autonomy.durable.run_records import RunRecord
from autonomy.durable.store import Store
from autonomy.durable.transcripts import Transcript
from autonomy.errors import StoreError, UnknownRun
from autonomy.web.annotations import diff
from autonomy.web.comparing import align
from autonomy.web.costs import costs_of
from autonomy.web.formatting import zone
from autonomy.web.run_list import RunFilter, active_runs, count_states, count_votes, list_runs
from autonomy.web.run_pages import explained
from autonomy.web.run_timeline import anchor_of, tone_of
from autonomy.web.schedule_pages import all_jobs, coming
from autonomy.web.visit import Page, Visit
from metrics.autonomy import MEASURES
from metrics.events import RunEvent
from metrics.figures import BY_NAME, Figure
from metrics.measures import measure_runs
from metrics.reporting import report_words
from metrics.reporting.report_data import Report, ReportRun, RunReport, line_of, read_report
from metrics.run_facts import UNREAD
from metrics.running_totals import COSTS

T = TypeVar("T")

DAY_S = 86_400.0

FRESH_S = 60.0
"""How old a report may be that is shown: it reads every event of its period."""

MOST_REPORTS = 100
"""In memory: the job of a report comes from the address, where anything may stand."""

MOST_BEHIND = 200
"""Runs listed behind one figure."""

PERIODS = (1, 7, 30, 90)
"""In days."""

LOG_ROWS = 100
"""Of the audit log on one page."""


class _Side(NamedTuple):
    """One of two runs that are compared."""

    record: RunRecord
    transcript: Transcript
    report: RunReport | None


async def home(visit: Visit) -> Response:
    """The first page is what happens now."""
    return RedirectResponse("/now", 303)


async def now_page(visit: Visit) -> Response:
    """What runs, what waits, what comes next."""
    services = visit.services
    store = Store(services.engine, patience_s=0)
    latest = await list_runs(store, services.tenant, RunFilter())
    jobs, _ = await all_jobs(visit)
    now = visit.console.clock()
    due = sorted([(at, job) for job in jobs for at in await coming(job, now, 1)], key=lambda pair: pair[0])
    active = await active_runs(store, services.tenant)
    gone = (
        await services.orders().interrupted([await services.runs.get(line.run_id) for line, _, _ in active])
        if active
        else frozenset()
    )
    counts = await count_states(store, services.tenant)
    workers = await services.orders().workers()
    return visit.page(
        "now.html.j2", workers=workers, active=active, gone=gone, counts=counts, due=due[:8], latest=latest.lines[:8]
    )


async def measures_page(visit: Visit) -> Response:
    """The report's figures, each with the runs behind it. A report that is not there yet is counted behind the page, which
    comes back."""
    days, job = _period(visit)
    report, counting = _report(visit, days, job)
    if report is None:
        return visit.page("counting.html.j2", background=counting)

    def number(value: float | None, unit: str) -> str:
        return report_words.number(value, unit, visit.language)

    return visit.page(
        "measures.html.j2",
        background=counting,
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


async def figure_page(visit: Visit) -> Response:
    """The runs that one figure was taken from, those with the lowest values first, for that is where one looks."""
    name, (days, job) = visit.request.query_params.get("figure", ""), _period(visit)
    figure = BY_NAME.get(name)
    if figure is None:
        raise UnknownRun(name, "figure")
    now = visit.console.clock()
    behind = await visit.services.journal.scan(
        partial(_behind, figure), since=now - days * DAY_S, until=now, job=job or None, tenant=visit.services.tenant,
        without=UNREAD, whole_runs=True,
    )  # fmt: skip
    return visit.page(
        "figure.html.j2", name=name, title=report_words.word(name, visit.language), unit=figure.unit, lines=behind[:MOST_BEHIND],
        count=len(behind), days=days, job=job, number=lambda value, unit: report_words.number(value, unit, visit.language),
    )  # fmt: skip


def _behind(figure: Figure, events: Iterable[RunEvent]) -> list[tuple[ReportRun, float]]:
    """The runs that have the figure, with their values; of a ratio its quotient."""
    found = []
    for run in measure_runs(events).runs:
        value = figure.of(run)
        if figure.kind == "ratio":
            value = value[0] / value[1] if value[1] else None
        if value is not None:
            found.append((line_of(run), float(value)))
    return sorted(found, key=lambda pair: (pair[1], -pair[0].started_at), reverse=figure.better == "down")


def _period(visit: Visit) -> tuple[int, str]:
    asked = visit.request.query_params
    days = int(asked["days"]) if asked.get("days", "").isdigit() and int(asked["days"]) in PERIODS else 7
    return days, asked.get("job", "")[:200]


async def costs_page(visit: Visit) -> Response:
    """What models cost by day, job and model, from the running sums, beside the budget of a run."""
    asked = visit.request.query_params.get("days", "")
    days = int(asked) if asked.isdigit() and int(asked) in PERIODS else 30
    since = visit.console.clock() - days * DAY_S
    cells = await _from_the_database(visit.console.totals.read(COSTS, since=since))
    return visit.page(
        "costs.html.j2",
        costs=costs_of(cells, visit.services.timezone),
        days=days,
        periods=PERIODS,
        budget=visit.services.limits.get("usd"),
    )


async def compare_page(visit: Visit) -> Response:
    """Two runs side by side: their steps in order, and how their answers differ."""
    services, asked = visit.services, visit.request.query_params
    pair = []
    for name in ("a", "b"):
        record = await services.runs.get(asked.get(name, ""), tenant=services.tenant)
        told = await services.journal.read(run_id=record.run_id)
        pair.append(_Side(record, await services.transcripts.of(record), explained(told)))
    steps = align(*([call.tool for call in side.transcript.calls] for side in pair))
    one, other = (side.record.result.text if side.record.result else "" for side in pair)
    lines = await anyio.to_thread.run_sync(diff, one, other) if one != other else ()
    return visit.page(
        "compare.html.j2", pair=pair, steps=steps, lines=lines, measures=list(MEASURES), anchor_of=anchor_of, tone_of=tone_of
    )


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
    votes = await count_votes(store, [line.run_id for line in talked])
    return visit.page("conversations.html.j2", lines=talked, next=page.next, votes=votes)


PAGES: Mapping[str, Page] = {
    "/": home,
    "/now": now_page,
    "/measures": measures_page,
    "/measures/runs": figure_page,
    "/compare": compare_page,
    "/costs": costs_page,
    "/audit": audit_page,
    "/conversations": conversations_page,
}
CHANGES: Mapping[str, Page] = {}


def _report(visit: Visit, days: int, job: str) -> tuple[Report | None, BackgroundTask | None]:
    """The latest report of the last days, and the task that makes a newer one after the page was sent, where it is time for it.

    It reads every event of its period, which takes seconds for a hundred thousand: nobody is kept waiting for that.
    """
    memory: dict[Any, Any] = visit.console.memory.setdefault("reports", {})
    known: Report | None = memory.get((days, job))
    if known is not None and visit.console.clock() - known.made_at < FRESH_S:
        return known, None
    if len(memory) > MOST_REPORTS:
        memory.clear()
    return known, BackgroundTask(_make_report, visit, days, job, memory)


async def _make_report(visit: Visit, days: int, job: str, memory: dict[Any, Any]) -> None:
    async with visit.console.counting:  # one at a time: two would only make each other slower
        now, known = visit.console.clock(), memory.get((days, job))
        if known is not None and now - known.made_at < FRESH_S:
            return
        memory[(days, job)] = await read_report(
            visit.services.journal,
            since=now - days * DAY_S,
            until=now,
            made_at=now,
            tz=zone(visit.services.timezone),
            job=job or None,
            tenant=visit.services.tenant,
        )


async def _from_the_database(reading: Awaitable[T]) -> T:
    """What the sums say. Raises `StoreError` while the database is away, so that the page says so and comes back."""
    try:
        return await reading
    except SQLAlchemyError as error:
        raise StoreError(f"the database cannot be used: {error}") from error
