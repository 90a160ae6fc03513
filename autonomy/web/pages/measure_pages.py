"""The pages of measures: the report, the runs behind each figure, and comparisons."""

from collections.abc import Awaitable, Callable, Collection, Hashable, Mapping, MutableMapping, Sequence
from dataclasses import asdict, dataclass, replace
from functools import partial
from typing import Any, Generic, NamedTuple, TypeVar
from urllib.parse import urlencode

import anyio.to_thread
from cachetools import FIFOCache
from starlette.background import BackgroundTask
from starlette.responses import Response

from autonomy.errors import UnknownRun
from autonomy.web.console_services import ConsoleServices
from autonomy.web.formatting import zone
from autonomy.web.pages.run_list import goals_of
from autonomy.web.visit import Console, Page, Visit
from metrics.autonomy import MEASURES
from metrics.figures import BY_NAME, Figure, Measured
from metrics.journal import Journal
from metrics.measures import Measures, measure_runs
from metrics.repeats import pass_at_k, pass_hat_k, task_of, tasks
from metrics.reporting import report_words
from metrics.reporting.report_data import ATTEMPTS, Report, ReportRun, build_report, line_of, measures_of, read_report
from metrics.run_facts import UNREAD, ReplyFacts, RunFacts

DAY_S = 86_400.0

FRESH_S = 60.0
"""How old a report may be that is shown: it reads every event of its period."""

MOST_REPORTS = 100
"""In memory: the job of a report comes from the address, where anything may stand."""

FEW_RUNS = 100
"""As many are counted while somebody waits; more take longer than a page may."""

MOST_LINES = 200
"""Runs listed behind one figure."""

T = TypeVar("T")

PERIODS = (1, 7, 30, 90)
"""In days."""

SHOWN_FIRST_DAYS = 7

NARROWING = ("job", "model", "provider", "person", "goal", "replied")
"""What an address may narrow the runs to, by the names it has there."""


@dataclass(frozen=True)
class MeasureFilters:
    """The filters of a report; an empty one matches any run."""

    days: int
    job: str = ""
    model: str = ""
    provider: str = ""
    person: str = ""
    tenant: str = ""
    """Whose; said only where the console shows more than one."""
    back: int = 0
    """0 is the period up to now, 1 the one before."""
    goal: str = ""
    """The digest of a goal in somebody's own words."""
    replied: str = ""
    """A model that was asked at least once, whichever the run began with."""

    @property
    def narrowed(self) -> bool:
        """Whether it asks for more than the journal selects by."""
        return bool(self.model or self.provider or self.person or self.goal or self.replied)

    def period(self, now: float) -> tuple[float, float]:
        """From when until when, in seconds since the epoch."""
        until = now - self.back * self.days * DAY_S
        return until - self.days * DAY_S, until

    @property
    def before(self) -> "MeasureFilters":
        """The same of the period before."""
        return replace(self, back=self.back + 1)

    def query(self, **more: object) -> str:
        """The part of an address that asks for the same runs."""
        return urlencode({name: value for name, value in {**asdict(self), **more}.items() if value})

    def fits(self, run: RunFacts, of_person: Collection[str] | None) -> bool:
        """Whether a run is among them; `of_person`: the runs this person asked for."""
        return (
            (not self.model or bool(run.start and run.start.model == self.model))
            and (not self.provider or any(call.provider == self.provider for call in run.calls.values()))
            and (not self.goal or bool(run.start and run.start.goal == self.goal))
            and (
                not self.replied
                or self.replied in {one.model for answers in (run.replies, run.failures) for one in answers.values()}
            )
            and (of_person is None or run.run_id in of_person)
        )


class TaskLine(NamedTuple):
    """A task that was run several times: a job, or a goal in somebody's own words."""

    name: str
    job: str
    goal: str
    """The goal's digest, where it is no job."""
    runs: int
    """That ended."""
    completed: int
    any_of_k: float
    all_of_k: float


@dataclass(frozen=True)
class CountedLines(Generic[T]):
    """The lines that a figure was taken from."""

    count: int
    lines: Sequence[T]
    """The first `MOST_LINES` of them."""


def figure_of_model(name: str, model: str) -> Figure | None:
    """A figure of one model, as the table of models has it; None for another name."""

    def replies(run: Measured) -> list[ReplyFacts]:
        return [reply for reply in run.facts.replies.values() if reply.model == model]

    def failures(run: Measured) -> int:
        return sum(failure.model == model for failure in run.facts.failures.values())

    def cost(run: Measured) -> float | None:
        prices = [reply.cost_usd for reply in replies(run)]
        known = [price for price in prices if price is not None]
        return sum(known) if known and len(known) == len(prices) else None

    figures = (
        Figure("model_replies", "total", "count", "", lambda run: len(replies(run)) or None),
        Figure("model_failures", "total", "count", "down", lambda run: failures(run) or None),
        Figure(
            "model_tokens",
            "total",
            "tokens",
            "down",
            lambda run: sum(one.input_tokens + one.output_tokens for one in replies(run)) if replies(run) else None,
        ),
        Figure("model_cost", "total", "usd", "down", cost),
        Figure("model_slowest", "mean", "s", "down", lambda run: max((one.duration_s for one in replies(run)), default=None)),
    )
    return next((figure for figure in figures if figure.name == name), None)


async def look_ahead(console: Console) -> None:
    """Make the report that the page shows first, for whoever comes."""
    services = console.services
    _, counting = await _of_period(console, services, MeasureFilters(SHOWN_FIRST_DAYS, tenant=_tenant_named(console, services)))
    if counting is not None:
        await counting()


async def measures_page(visit: Visit) -> Response:
    """The report's figures, each with the runs behind it. A report that is not there yet is counted behind the page, which
    comes back."""
    filters = _filters_of(visit)
    report, counting = await _of_period(visit.console, visit.services, filters)
    if report is None:
        return visit.page("counting.html.j2", background=counting)
    return visit.page(
        "measures.html.j2",
        background=counting,
        measures=list(MEASURES),
        report=report,
        level_why=report_words.why_level(
            report.level, report.figure("overall").now.value if report.runs else None, measures_of(report), visit.language
        ),
        filters=filters,
        periods=PERIODS,
        why=lambda found: report_words.cause(found.kind, found.subject, found.detail, visit.language),
        **_words(visit),
    )


async def sides_page(visit: Visit) -> Response:
    """Two periods, jobs or models beside each other, with what the difference is worth."""
    filters = _filters_of(visit)
    one, other = (replace(_filters_of(visit, f"{name}_"), days=filters.days, tenant=filters.tenant) for name in ("a", "b"))
    report, counting = await _from_memory(
        visit.console, visit.services, (one, other), "sides", partial(_compared_report, visit.services, one, other)
    )
    if report is None:
        return visit.page("counting.html.j2", background=counting)
    return visit.page(
        "sides.html.j2",
        background=counting,
        report=report,
        days=filters.days,
        filters=filters,
        periods=PERIODS,
        sides={"a": one, "b": other},
        **_words(visit),
    )


async def figure_page(visit: Visit) -> Response:
    """The runs that one figure was taken from, those with the lowest values first, for that is where one looks."""
    name, filters = visit.request.query_params.get("figure", ""), _filters_of(visit)
    figure = BY_NAME.get(name) or figure_of_model(name, filters.replied)
    if figure is None:
        raise UnknownRun(name, "figure")
    found, counting = await _from_memory(
        visit.console, visit.services, (filters,), name, partial(_runs_of_figure, visit.services, filters, figure)
    )
    if found is None:
        return visit.page("counting.html.j2", background=counting)
    title = report_words.word(name, visit.language) if name in BY_NAME else f"{visit.t(name)}: {filters.replied}"
    return visit.page(
        "figure.html.j2",
        background=counting,
        name=name,
        title=title,
        unit=figure.unit,
        lines=found.lines,
        count=found.count,
        filters=filters,
        **_words(visit),
    )


async def tasks_page(visit: Visit) -> Response:
    """The tasks behind pass@k and pass^k: those that were run at least `k` times, the least reliable first."""
    k_text, filters = visit.request.query_params.get("k", ""), _filters_of(visit)
    k = next((k for k in ATTEMPTS if str(k) == k_text), ATTEMPTS[0])
    found, counting = await _from_memory(
        visit.console, visit.services, (filters,), k, partial(_task_lines, visit.services, filters, k)
    )
    if found is None:
        return visit.page("counting.html.j2", background=counting)
    return visit.page(
        "tasks.html.j2", background=counting, k=k, count=found.count, lines=found.lines, filters=filters, **_words(visit)
    )


PAGES: Mapping[str, Page] = {
    "/measures": measures_page,
    "/measures/runs": figure_page,
    "/measures/tasks": tasks_page,
    "/measures/sides": sides_page,
}
CHANGES: Mapping[str, Page] = {}


def _words(visit: Visit) -> dict[str, Any]:
    """How the report's templates write figures."""
    return {
        "m": lambda key: report_words.word(key, visit.language),
        "number": lambda value, unit: report_words.number(value, unit, visit.language),
        "interval": lambda estimate, unit: report_words.interval(estimate, unit, visit.language),
        "signed_interval": lambda change, unit: report_words.signed_interval(change, unit, visit.language),
        "signed": lambda value, unit: report_words.signed(value, unit, visit.language),
    }


async def _runs_of_figure(
    services: ConsoleServices, filters: MeasureFilters, figure: Figure, journal: Journal, now: float
) -> CountedLines[tuple[ReportRun, float]]:
    """The runs that have the figure, with their values; of a ratio its quotient."""
    found = []
    for run in (await _measures_of(services, filters, journal, now)).runs:
        value = figure.of(run)
        if value is not None and figure.kind == "ratio":
            value = value[0] / value[1] if value[1] else None
        if value is not None:
            found.append((line_of(run), float(value)))
    found.sort(key=lambda pair: (pair[1], -pair[0].started_at), reverse=figure.better == "down")
    return CountedLines(len(found), found[:MOST_LINES])


async def _task_lines(
    services: ConsoleServices, filters: MeasureFilters, k: int, journal: Journal, now: float
) -> CountedLines[TaskLine]:
    """The tasks that were run at least `k` times, the least reliable first."""
    measures = await _measures_of(services, filters, journal, now)
    counted = {task: sums for task, sums in tasks(measures).items() if sums[0] >= k}
    least_reliable = sorted(counted.items(), key=lambda pair: (pass_hat_k(pair[1][0], pair[1][1], k), -pair[1][0]))[:MOST_LINES]
    newest = {task_of(run.facts): run.facts for run in measures.runs}
    goals = await goals_of(services.store, [newest[task].run_id for task, _ in least_reliable])
    return CountedLines(
        len(counted), [_task_line(newest[task], goals, runs, completed, k) for task, (runs, completed) in least_reliable]
    )


def _task_line(newest: RunFacts, goals: Mapping[str, str], runs: int, completed: int, k: int) -> TaskLine:
    goal = "" if newest.job or not newest.start else newest.start.goal
    name = newest.job or goals.get(newest.run_id, "").strip().split("\n")[0] or newest.run_id
    return TaskLine(name, newest.job, goal, runs, completed, pass_at_k(runs, completed, k), pass_hat_k(runs, completed, k))


def _filters_of(visit: Visit, prefix: str = "") -> MeasureFilters:
    params, services = visit.request.query_params, visit.services
    return MeasureFilters(
        days_of(visit, otherwise=SHOWN_FIRST_DAYS),
        **{name: params.get(f"{prefix}{name}", "").strip()[:200] for name in NARROWING},
        tenant=_tenant_named(visit.console, services),
        back=int(params.get(f"{prefix}back") == "1"),
    )


def _tenant_named(console: Console, services: ConsoleServices) -> str:
    return services.tenant if len(console.tenants) > 1 else ""


def days_of(visit: Visit, *, otherwise: int) -> int:
    """The period that the address names, in days, if it is one of `PERIODS`."""
    text = visit.request.query_params.get("days", "")
    return next((days for days in PERIODS if str(days) == text), otherwise)


async def _of_person(services: ConsoleServices, filters: MeasureFilters, since: float) -> Collection[str] | None:
    """The runs that a person asked for since then; None for anybody's. The journal does not know who asked."""
    if not filters.person:
        return None
    return await services.runs.of_actor(filters.person, since - DAY_S, tenant=services.tenant)


async def _from_memory(
    console: Console,
    services: ConsoleServices,
    sides: Sequence[MeasureFilters],
    what: Hashable,
    make: Callable[[Journal, float], Awaitable[T]],
) -> tuple[T | None, BackgroundTask | None]:
    """What was made last of these runs, and the task that makes it anew after the page was sent, where it is time for it.

    It reads every event of its periods, which takes seconds for a hundred thousand: nobody is kept waiting for that. Of a few
    runs it is made at once.
    """
    memory: MutableMapping[Any, tuple[float, T]] = console.memory.setdefault("reports", FIFOCache(MOST_REPORTS))
    clock, key = console.clock, (what, *sides)

    def is_fresh() -> bool:
        return key in memory and abs(clock() - memory[key][0]) < FRESH_S  # a clock may be set back

    async def refresh(journal: Journal) -> None:
        now = clock()
        memory[key] = now, await make(journal, now)

    async def refresh_in_turn() -> None:
        async with console.counting:  # one at a time: two would only make each other slower
            if not is_fresh():
                await refresh(services.journal.giving_way(console.page_priority.give_way))

    if not is_fresh():
        now = clock()
        if sum([await services.journal.begun(*side.period(now), FEW_RUNS) for side in sides]) >= FEW_RUNS:
            return memory[key][1] if key in memory else None, BackgroundTask(refresh_in_turn)
        await refresh(services.journal)
    return memory[key][1], None


async def _of_period(
    console: Console, services: ConsoleServices, filters: MeasureFilters
) -> tuple[Report | None, BackgroundTask | None]:
    return await _from_memory(console, services, (filters, filters.before), "report", partial(_report, services, filters))


async def _report(services: ConsoleServices, filters: MeasureFilters, journal: Journal, now: float) -> Report:
    (since, until), tz, tenant = filters.period(now), zone(services.timezone), services.tenant
    if not filters.narrowed:
        return await read_report(journal, since=since, until=until, made_at=now, tz=tz, job=filters.job or None, tenant=tenant)
    return await _compared_report(services, filters, filters.before, journal, now)


async def _measures_of(services: ConsoleServices, filters: MeasureFilters, journal: Journal, now: float) -> Measures:
    since, until = filters.period(now)
    of_person = await _of_person(services, filters, since)
    measures = await journal.scan(
        measure_runs, since=since, until=until, job=filters.job or None, tenant=services.tenant,
        without=UNREAD, whole_runs=True,
    )  # fmt: skip
    return measures.where(partial(filters.fits, of_person=of_person)) if filters.narrowed else measures


async def _compared_report(
    services: ConsoleServices, one: MeasureFilters, other: MeasureFilters, journal: Journal, now: float
) -> Report:
    """A report on some runs that are compared with others, as a period is with the one before it."""
    measured, against = [await _measures_of(services, side, journal, now) for side in (one, other)]
    since, until = one.period(now)
    build = partial(build_report, since=since, until=until, made_at=now, tz=zone(services.timezone))
    return await anyio.to_thread.run_sync(partial(build, measured, against, job=one.job, tenant=services.tenant))
