"""Builds the data of a report from measures, and the rows of its tables.

`build_report` is pure; `read_report` fetches what it needs from a journal.
"""

import gc
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime, timedelta, tzinfo
from functools import cache, partial
from typing import get_args

import anyio.to_thread
from pydantic import TypeAdapter

from metrics import intervals
from metrics.autonomy import MEASURES, Level, Loss
from metrics.events import Ending, RunEvent
from metrics.figures import FIGURES, Figure, Measured, cost_usd
from metrics.intervals import Estimate, difference
from metrics.journal import Journal
from metrics.measures import Measures, ModelFigures, ToolFigures, measure, measure_runs
from metrics.repeats import Repeats, repeats
from metrics.reporting.causes import Cause, RoutineApproval, causes, habits
from metrics.reporting.fitted_signs import FittedSigns
from metrics.reporting.report_timeline import RunTimeline, timeline
from metrics.reporting.report_words import UNPROVEN_MARK, Language, interval, is_unproven, number, seconds, signed, word
from metrics.reporting.runs_to_review import RunToReview, runs_to_review
from metrics.run_facts import UNREAD
from metrics.trace_import.doubt import DoubtRule

SCHEMA_VERSION = 1

LATEST = 50
"""How many of the latest runs are listed."""

ATTEMPTS = (1, 2, 4, 8)
"""The k of pass@k and pass^k."""

DAY_S = 86_400.0

Cells = dict[str, str]
"""A row of a table by column, which is a key of `report_words`. Each format chooses columns, and may replace cells."""


@dataclass(frozen=True)
class Shown:
    """One figure of the period, compared with the period before."""

    name: str
    unit: str
    better: str
    now: Estimate
    before: Estimate
    change: Estimate

    @property
    def certain(self) -> bool:
        """Whether the change is significant: its 95 % interval does not contain zero."""
        low, high = self.change.low, self.change.high
        return low is not None and high is not None and (low > 0 or high < 0)

    @property
    def verdict(self) -> str:
        """`better` or `worse`; empty when the change is uncertain or neither direction is better."""
        if not self.certain or not self.better or not self.change.value:
            return ""
        return "better" if (self.change.value > 0) is (self.better == "up") else "worse"


@dataclass(frozen=True)
class ReportPart:
    """The runs of one job, tenant, model, or stretch of time."""

    name: str
    runs: int
    level: Level | None
    overall: Estimate
    completion: Estimate
    unattended: Estimate
    human_load: Estimate
    cost_usd: float | None
    measures: Mapping[str, float | None]


@dataclass(frozen=True)
class Phase:
    """One phase of a run's time."""

    name: str
    mean_s: float | None
    p50_s: float | None
    p95_s: float | None


@dataclass(frozen=True)
class ReportRun:
    """What a list of runs shows of one run."""

    run_id: str
    job: str
    tenant: str
    trigger: str
    model: str
    started_at: float
    ending: str
    """Empty while it is under way."""
    remarked: int
    reason: str
    level: Level | None
    overall: float | None
    measures: Mapping[str, float | None]
    touches: int | None
    """None for an imported run: a trace does not tell it."""
    turns: int
    calls: int
    tokens: int | None
    cost_usd: float | None
    duration_s: float | None


@dataclass(frozen=True)
class RunReport:
    """One run, explained."""

    line: ReportRun
    losses: tuple[Loss, ...]
    changes: tuple[Cause, ...]
    timeline: RunTimeline


@dataclass(frozen=True)
class Report:
    """A period, as plain values. Times are seconds since the epoch, shares between 0 and 1, None = n/a."""

    since: float
    until: float
    made_at: float
    timezone: str
    job: str
    tenant: str
    runs: int
    under_way: int
    simulated: int
    remarked: int
    """How many runs have results with remarks of the judge."""
    level: Level | None
    level_before: Level | None
    figures: tuple[Shown, ...]
    endings: Mapping[str, int]
    levels: Mapping[str, int]
    ticks: Mapping[str, int]
    grain: str
    """The length of time that one point of the trend covers: hour, day, week or month."""
    trend: tuple[ReportPart, ...]
    jobs: tuple[ReportPart, ...]
    tenants: tuple[ReportPart, ...]
    models: Mapping[str, ModelFigures]
    providers: Mapping[str, ToolFigures]
    tools: Mapping[str, ToolFigures]
    phases: tuple[Phase, ...]
    repeats: tuple[Repeats, ...]
    """pass@k and pass^k, for each k for which some task was run at least k times."""
    causes: tuple[Cause, ...]
    habits: tuple[RoutineApproval, ...]
    latest: tuple[ReportRun, ...]
    pictures: tuple[RunReport, ...] = ()
    worth_a_look: tuple[RunToReview, ...] = ()
    """The runs that a person should look at first."""
    fitted: FittedSigns | None = None
    """The fit to people's votes that ranks them; None for the built-in ranking."""
    schema_version: int = field(default=SCHEMA_VERSION)

    def figure(self, name: str) -> Shown:
        """The figure of that name; KeyError for an unknown one."""
        return {shown.name: shown for shown in self.figures}[name]

    @property
    def doubtful(self) -> int:
        """How many of the runs worth a look are doubtful by the fit to people's votes; these come first."""
        bound = self.fitted.doubtful_from if self.fitted is not None else None
        return sum(look.points >= bound for look in self.worth_a_look) if bound is not None else 0

    @property
    def feedback(self) -> dict[str, int]:
        """How many runs people called good, how many were judged, and how many there were."""
        liked = self.figure("liked").now
        return {"good": round((liked.value or 0.0) * liked.n), "judged": liked.n, "runs": self.runs}

    def to_json(self) -> bytes:
        """The whole report as JSON (docs/report.md)."""
        return _adapter().dump_json(self, indent=2)


@cache
def _adapter() -> TypeAdapter[Report]:
    """Built when a report is written as JSON; whoever explains one run imports this module as well."""
    return TypeAdapter(Report)


def build_report(
    measures: Measures,
    before: Measures,
    *,
    since: float,
    until: float,
    made_at: float,
    tz: tzinfo,
    job: str = "",
    tenant: str = "",
    pictures: Iterable[RunReport] = (),
    doubts: Mapping[str, Sequence[DoubtRule]] | None = None,
    fitted: FittedSigns | None = None,
) -> Report:
    """Build the report of a period.

    `before`: the measures of the period before, for comparison. `doubts`: the signs of doubt by id of an imported run.
    `fitted`: the fit to people's votes that ranks our own runs.
    """
    grain = _grain(until - since)
    endings = measures.count(lambda run: run.facts.end.ending if run.facts.end else "")
    return Report(
        since=since,
        until=until,
        made_at=made_at,
        timezone=str(tz),
        job=job,
        tenant=tenant,
        runs=len(measures.runs),
        under_way=sum(run.facts.end is None for run in measures.runs),
        simulated=measures.simulated,
        remarked=sum(run.facts.end is not None and run.facts.end.remarked > 0 for run in measures.runs),
        level=measures.level,
        level_before=before.level,
        figures=tuple(_shown_figure(figure, measures, before) for figure in FIGURES),
        endings={ending: endings[ending] for ending in (*get_args(Ending), "") if endings.get(ending)},  # the best first
        levels=measures.count(lambda run: run.autonomy.level or ""),
        ticks=Counter(tick.did for tick in measures.ticks),
        grain=grain,
        trend=_parts(_empty(since, until, grain, tz) | measures.by(lambda run: _stretch(run.started_at, grain, tz))),
        jobs=_parts(measures.by(lambda run: run.job)),
        tenants=_parts(measures.by(lambda run: run.tenant)),
        models=measures.models(),
        providers=measures.tools(lambda call: call.provider),
        tools=measures.tools(),
        phases=tuple(
            Phase(
                name,
                sum(seconds) / len(seconds) if seconds else None,
                intervals.quantile(seconds, 0.5),
                intervals.quantile(seconds, 0.95),
            )
            for name, seconds in measures.phase_seconds().items()
        ),
        repeats=tuple(found for found in repeats(measures, ATTEMPTS) if found.any_of_k.n),
        causes=causes(measures.runs),
        habits=habits(measures.runs),
        latest=tuple(line_of(run) for run in reversed(measures.runs[-LATEST:])),
        pictures=tuple(pictures),
        worth_a_look=runs_to_review(measures.runs, doubts, fitted),
        fitted=fitted,
    )


async def read_report(
    journal: Journal,
    *,
    since: float,
    until: float,
    made_at: float,
    tz: tzinfo,
    job: str | None = None,
    tenant: str | None = None,
    pictures: int = 0,
    fitted: FittedSigns | None = None,
) -> Report:
    """Report on the runs that began in `since ≤ t < until` (seconds since the epoch), compared with an equally long time before.

    `pictures`: for how many runs a timeline is drawn, the least autonomous first. `fitted`: the fit to people's votes, if any.
    """

    async def period(begin: float, end: float) -> Measures:
        return await journal.scan(measure_runs, since=begin, until=end, job=job, tenant=tenant, without=UNREAD, whole_runs=True)

    with _resting_collector():
        measures, before = await period(since, until), await period(since - (until - since), since)
        worst = await anyio.to_thread.run_sync(_least_autonomous, measures, pictures)
        drawn = [explain(await journal.read(run_id=run.facts.run_id)) for run in worst]
        build = partial(build_report, since=since, until=until, made_at=made_at, tz=tz, job=job or "", tenant=tenant or "")
        return await anyio.to_thread.run_sync(partial(build, measures, before, pictures=drawn, fitted=fitted))


@contextmanager
def _resting_collector() -> Iterator[None]:
    """Switch the garbage collector off. Facts have no reference cycles, and traversing a million of them takes a third of the
    time."""
    collecting = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collecting:
            gc.enable()


def explain(events: Sequence[RunEvent]) -> RunReport:
    """Return why one run scored as it did. Raises ValueError unless the events are those of exactly one run that happened."""
    facts = measure(events).facts
    if len(facts) != 1:
        raise ValueError(f"events of {len(facts)} runs: explain one run at a time")
    (run,) = map(Measured.of, facts.values())
    if not run.facts.happened:
        raise ValueError(f"run {run.facts.run_id!r}: nothing is left of it but notes")
    return RunReport(line_of(run), _alike_together(run.losses), causes([run]), timeline(events))


def _alike_together(losses: Iterable[Loss]) -> tuple[Loss, ...]:
    """Add up what was lost in the same way: the same line twice tells a reader nothing."""
    found = dict[tuple[str, ...], Loss]()
    for loss in losses:
        alike = found.get(key := loss[:4], loss._replace(points=0.0, times=0))
        found[key] = loss._replace(points=alike.points + loss.points, times=alike.times + loss.times)
    return tuple(found.values())


def measures_of(report: Report) -> dict[str, float | None]:
    """The four measures of a report's period, 0 to 1; None where there was nothing to count."""
    return {name: report.figure(name).now.value for name in MEASURES} if report.figures else {}


def line_of(run: Measured) -> ReportRun:
    """Return what a list of runs shows of this one."""
    facts, end = run.facts, run.facts.end
    return ReportRun(
        run_id=facts.run_id,
        job=facts.job,
        tenant=facts.tenant,
        trigger=facts.start.trigger if facts.start else "",
        model=facts.start.model if facts.start else "",
        started_at=facts.started_at,
        ending=end.ending if end else "",
        remarked=end.remarked if end else 0,
        reason=end.reason if end else "",
        level=run.autonomy.level if end else None,  # a run under way has no level yet
        overall=run.autonomy.overall,
        measures=run.autonomy.breakdown,
        touches=None if facts.is_imported else run.touches,
        turns=end.turns if end else max((reply.turn for reply in facts.replies.values()), default=0),
        calls=run.counts.made,
        tokens=run.tokens,
        cost_usd=cost_usd(facts),
        duration_s=run.duration_s,
    )


def _least_autonomous(measures: Measures, count: int) -> list[Measured]:
    scored = [run for run in measures.runs if run.autonomy.overall is not None]
    return sorted(scored, key=lambda run: (run.autonomy.overall or 0.0, -run.facts.started_at))[:count]


def _shown_figure(figure: Figure, measures: Measures, before: Measures) -> Shown:
    now, then = measures.estimate(figure.name), before.estimate(figure.name)
    return Shown(figure.name, figure.unit, figure.better, now, then, difference(now, then))


def _parts(parts: Mapping[str, Measures]) -> tuple[ReportPart, ...]:
    return tuple(
        ReportPart(
            name=name,
            runs=len(measures.runs),
            level=measures.level,
            overall=measures.estimate("overall"),
            completion=measures.estimate("completion"),
            unattended=measures.estimate("unattended_completion"),
            human_load=measures.estimate("human_load"),
            cost_usd=measures.estimate("cost_usd").value,
            measures={measure: measures.estimate(measure).value for measure in MEASURES},
        )
        for name, measures in parts.items()
    )


def _grain(length_s: float) -> str:
    if length_s <= 2 * DAY_S:
        return "hour"
    if length_s <= 62 * DAY_S:
        return "day"
    return "week" if length_s <= 400 * DAY_S else "month"


def _empty(since: float, until: float, grain: str, tz: tzinfo) -> dict[str, Measures]:
    """Return every stretch of the period in order, each without runs, so that the trend shows gaps."""
    # an hour of the clock less, so that one that goes forward skips none
    step = {"hour": 3600.0, "day": DAY_S - 3600, "week": 7 * DAY_S - 3600, "month": 28 * DAY_S - 3600}[grain]
    count = int((until - since) / step) + 1
    moments = (min(since + number * step, until - 1e-3) for number in range(count + 1))
    return {_stretch(at, grain, tz): Measures() for at in moments}


def _stretch(at: float, grain: str, tz: tzinfo) -> str:
    """Return the hour, day, week (as its Monday) or month of a time, as ISO text, which sorts by time."""
    moment = datetime.fromtimestamp(at, tz)
    if grain == "month":
        return moment.strftime("%Y-%m")
    if grain == "hour":
        return moment.strftime("%Y-%m-%dT%H:00")
    day = moment.date() - timedelta(days=moment.weekday() if grain == "week" else 0)
    return day.isoformat()


def figure_cells(shown: Shown, language: Language) -> Cells:
    """Return the row of one figure."""
    return {
        "measure": word(shown.name, language),
        "value": number(shown.now.value, shown.unit, language),
        "interval": interval(shown.now, shown.unit, language),
        "sample": str(shown.now.n),
        "before": number(shown.before.value, shown.unit, language),
        "change": signed(shown.change.value, shown.unit, language),
    }


def part_cells(part: ReportPart, language: Language) -> Cells:
    """Return the row of the runs of one job or tenant. An unproven level is marked."""
    return {
        "job": part.name or word("ad_hoc", language),
        "runs": str(part.runs),
        "level": word(part.level or "na", language) + UNPROVEN_MARK * is_unproven(part.level, part.overall.value),
        "overall": number(part.overall.value, "share", language),
        "completion": number(part.completion.value, "share", language),
        "unattended_completion": number(part.unattended.value, "share", language),
        "human_load": number(part.human_load.value, "count", language),
        "cost_usd": number(part.cost_usd, "usd", language),
    }


def tool_cells(name: str, tool: ToolFigures, language: Language) -> Cells:
    """Return the row of one tool or provider."""
    return {
        "tool": name,
        "times": str(tool.calls),
        "success": number(tool.success.value, "share", language),
        "interval": interval(tool.success, "share", language),
        "mischosen": str(tool.mischosen),
        "retried": number(tool.retried, "count", language),
        "replaced": number(tool.replaced, "count", language),
        "asked": number(tool.asked, "count", language),
        "p50": seconds(tool.p50_s),
        "p95": seconds(tool.p95_s),
    }


def model_cells(name: str, model: ModelFigures, language: Language) -> Cells:
    """Return the row of one model."""
    return {
        "model": name,
        "replies": f"{model.replies:,}",
        "failures": f"{model.failures:,}",
        "fallbacks": number(model.as_fallback, "count", language),
        "input_tokens": number(model.input_tokens, "tokens", language),
        "output_tokens": number(model.output_tokens, "tokens", language),
        "cached_tokens": number(model.cached_tokens, "tokens", language),
        "cost_usd": number(model.cost_usd, "usd", language),
        "p50": seconds(model.p50_s),
        "p95": seconds(model.p95_s),
    }


def repeat_cells(one: Repeats, language: Language) -> Cells:
    """Return the row of one k of pass@k and pass^k."""
    return {
        "k": str(one.k),
        "any_of_k": number(one.any_of_k.value, "share", language),
        "interval": interval(one.any_of_k, "share", language),
        "all_of_k": number(one.all_of_k.value, "share", language),
        "interval of all_of_k": interval(one.all_of_k, "share", language),
        "tasks": str(one.any_of_k.n),
    }
