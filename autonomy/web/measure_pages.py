"""The pages of measures: the report, the runs behind each figure, and two periods, jobs or models beside each other."""

from collections.abc import Awaitable, Callable, Collection, Iterable, Mapping
from dataclasses import asdict, dataclass
from functools import partial
from typing import Any
from urllib.parse import urlencode

import anyio.to_thread
from starlette.background import BackgroundTask
from starlette.responses import Response

from autonomy.errors import UnknownRun
from autonomy.web.formatting import zone
from autonomy.web.visit import Page, Visit
from metrics.autonomy import MEASURES
from metrics.events import RunEvent
from metrics.figures import BY_NAME, Figure
from metrics.measures import Measures, measure_runs
from metrics.reporting import report_words
from metrics.reporting.report_data import Report, ReportRun, build_report, line_of, read_report
from metrics.run_facts import UNREAD, RunFacts

DAY_S = 86_400.0

FRESH_S = 60.0
"""How old a report may be that is shown: it reads every event of its period."""

MOST_REPORTS = 100
"""In memory: the job of a report comes from the address, where anything may stand."""

MOST_BEHIND = 200
"""Runs listed behind one figure."""

PERIODS = (1, 7, 30, 90)
"""In days."""


@dataclass(frozen=True)
class Side:
    """One of two groups of runs: those of a period, of a job and a model or of all."""

    back: int
    """0 is the period up to now, 1 the one before."""
    job: str
    model: str

    def until(self, now: float, days: int) -> float:
        """Where its period ends, in seconds since the epoch."""
        return now - self.back * days * DAY_S


@dataclass(frozen=True)
class Wanted:
    """Which runs are reported on; what is empty is any."""

    days: int
    job: str = ""
    model: str = ""
    provider: str = ""
    person: str = ""

    @property
    def narrowed(self) -> bool:
        """Whether it asks for more than the journal selects by."""
        return bool(self.model or self.provider or self.person)

    def query(self, **more: object) -> str:
        """The part of an address that asks for the same runs."""
        return urlencode({name: value for name, value in {**asdict(self), **more}.items() if value})

    def fits(self, run: RunFacts, of_person: Collection[str] | None) -> bool:
        """Whether a run is among them; `of_person`: the runs this person asked for."""
        return (
            (not self.model or bool(run.start and run.start.model == self.model))
            and (not self.provider or any(call.provider == self.provider for call in run.calls.values()))
            and (of_person is None or run.run_id in of_person)
        )


async def measures_page(visit: Visit) -> Response:
    """The report's figures, each with the runs behind it. A report that is not there yet is counted behind the page, which
    comes back."""
    wanted = _wanted(visit)
    report, counting = _kept(visit, (wanted,), partial(_report, visit, wanted))
    if report is None:
        return visit.page("counting.html.j2", background=counting)
    return visit.page(
        "measures.html.j2",
        background=counting,
        measures=list(MEASURES),
        report=report,
        wanted=wanted,
        periods=PERIODS,
        why=lambda found: report_words.cause(found.kind, found.subject, found.detail, visit.language),
        **_words(visit),
    )


async def sides_page(visit: Visit) -> Response:
    """Two periods, jobs or models beside each other, with what the difference is worth."""
    days, asked = _wanted(visit).days, visit.request.query_params

    def side(name: str) -> Side:
        job, model = (asked.get(f"{name}_{part}", "")[:200] for part in ("job", "model"))
        return Side(back=int(asked.get(f"{name}_back") == "1"), job=job, model=model)

    one, other = side("a"), side("b")
    report, counting = _kept(visit, (days, one, other), partial(_beside, visit, days, one, other))
    if report is None:
        return visit.page("counting.html.j2", background=counting)
    return visit.page(
        "sides.html.j2",
        background=counting,
        report=report,
        days=days,
        periods=PERIODS,
        sides={"a": one, "b": other},
        **_words(visit),
    )


async def figure_page(visit: Visit) -> Response:
    """The runs that one figure was taken from, those with the lowest values first, for that is where one looks."""
    name, wanted = visit.request.query_params.get("figure", ""), _wanted(visit)
    figure = BY_NAME.get(name)
    if figure is None:
        raise UnknownRun(name, "figure")
    now = visit.console.clock()
    since = now - wanted.days * DAY_S
    of_person = await _of_person(visit, wanted, since)
    behind = await visit.services.journal.scan(
        partial(_behind, figure, partial(wanted.fits, of_person=of_person)), since=since, until=now, job=wanted.job or None,
        tenant=visit.services.tenant, without=UNREAD, whole_runs=True,
    )  # fmt: skip
    return visit.page(
        "figure.html.j2", name=name, title=report_words.word(name, visit.language), unit=figure.unit, lines=behind[:MOST_BEHIND],
        count=len(behind), wanted=wanted, **_words(visit),
    )  # fmt: skip


PAGES: Mapping[str, Page] = {"/measures": measures_page, "/measures/runs": figure_page, "/measures/sides": sides_page}
CHANGES: Mapping[str, Page] = {}


def _words(visit: Visit) -> dict[str, Any]:
    """How the report's templates write figures."""
    return {
        "m": lambda key: report_words.word(key, visit.language),
        "number": lambda value, unit: report_words.number(value, unit, visit.language),
        "interval": lambda estimate, unit: report_words.interval(estimate, unit, visit.language),
        "signed": lambda value, unit: report_words.signed(value, unit, visit.language),
    }


def _behind(figure: Figure, fits: Callable[[RunFacts], bool], events: Iterable[RunEvent]) -> list[tuple[ReportRun, float]]:
    """The runs that have the figure, with their values; of a ratio its quotient."""
    found = []
    for run in measure_runs(events).runs:
        value = figure.of(run) if fits(run.facts) else None
        if value is not None and figure.kind == "ratio":
            value = value[0] / value[1] if value[1] else None
        if value is not None:
            found.append((line_of(run), float(value)))
    return sorted(found, key=lambda pair: (pair[1], -pair[0].started_at), reverse=figure.better == "down")


def _wanted(visit: Visit) -> Wanted:
    asked = visit.request.query_params
    days = int(asked["days"]) if asked.get("days", "").isdecimal() and int(asked["days"]) in PERIODS else 7
    return Wanted(days, *(str(asked.get(name, "")).strip()[:200] for name in ("job", "model", "provider", "person")))


async def _of_person(visit: Visit, wanted: Wanted, since: float) -> Collection[str] | None:
    """The runs that a person asked for since then; None for anybody's. The journal does not know who asked."""
    if not wanted.person:
        return None
    return await visit.services.runs.of_actor(wanted.person, since - DAY_S, tenant=visit.services.tenant)


def _kept(
    visit: Visit, key: tuple[object, ...], make: Callable[[float], Awaitable[Report]]
) -> tuple[Report | None, BackgroundTask | None]:
    """The latest report under this key, and the task that makes a newer one after the page was sent, where it is time for it.

    It reads every event of its period, which takes seconds for a hundred thousand: nobody is kept waiting for that.
    """
    memory: dict[Any, Any] = visit.console.memory.setdefault("reports", {})
    known: Report | None = memory.get(key)
    if known is not None and visit.console.clock() - known.made_at < FRESH_S:
        return known, None

    async def refresh() -> None:
        async with visit.console.counting:  # one at a time: two would only make each other slower
            now, newest = visit.console.clock(), memory.get(key)
            if newest is None or now - newest.made_at >= FRESH_S:
                while len(memory) >= MOST_REPORTS:
                    del memory[next(iter(memory))]
                memory[key] = await make(now)

    return known, BackgroundTask(refresh)


async def _report(visit: Visit, wanted: Wanted, now: float) -> Report:
    since, tz, tenant = now - wanted.days * DAY_S, zone(visit.services.timezone), visit.services.tenant
    if not wanted.narrowed:
        return await read_report(
            visit.services.journal, since=since, until=now, made_at=now, tz=tz, job=wanted.job or None, tenant=tenant
        )
    measured, before = [
        await _of_wanted(visit, wanted, begin, begin + wanted.days * DAY_S) for begin in (since, since - wanted.days * DAY_S)
    ]
    build = partial(build_report, since=since, until=now, made_at=now, tz=tz, job=wanted.job, tenant=tenant)
    return await anyio.to_thread.run_sync(build, measured, before)


async def _of_wanted(visit: Visit, wanted: Wanted, since: float, until: float) -> Measures:
    of_person = await _of_person(visit, wanted, since)
    measures = await visit.services.journal.scan(
        measure_runs, since=since, until=until, job=wanted.job or None, tenant=visit.services.tenant,
        without=UNREAD, whole_runs=True,
    )  # fmt: skip
    if not wanted.narrowed:
        return measures
    return measures.by(lambda run: "fits" if wanted.fits(run, of_person) else "").get("fits") or measure_runs(())


async def _beside(visit: Visit, days: int, one: Side, other: Side, now: float) -> Report:
    """A report on one side that is compared with the other, as a period is with the one before it."""
    measured, against = [await _measured(visit, days, side, now) for side in (one, other)]
    until = one.until(now, days)
    build = partial(build_report, since=until - days * DAY_S, until=until, made_at=now, tz=zone(visit.services.timezone))
    return await anyio.to_thread.run_sync(partial(build, measured, against, job=one.job, tenant=visit.services.tenant))


async def _measured(visit: Visit, days: int, side: Side, now: float) -> Measures:
    until = side.until(now, days)
    return await _of_wanted(visit, Wanted(days, side.job, side.model), until - days * DAY_S, until)
