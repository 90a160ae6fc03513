"""Computes measures from streams of events.

The order and repetition of events have no influence, and two `Measures` of two periods can be merged (see `metrics.run_facts`). A
measure of several runs is the mean over the runs for which it is not n/a, so `overall` need not be the mean of the four others.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from operator import attrgetter
from typing import Any

from metrics import intervals
from metrics.autonomy import MEASURES, MISCHOSEN, AutonomyMetrics, Level, level_of
from metrics.events import WORKED, RunEvent
from metrics.figures import BY_NAME, NOT_MADE, Measured, phases
from metrics.intervals import Estimate
from metrics.run_facts import CallFacts, FinishFacts, ReplyFacts, RunFacts, TickFacts


class Measures:
    """The runs of a stream of events, and all figures about them."""

    def __init__(self, runs: Iterable[Measured] | None = None, *, columns: Callable[[str], Sequence[Any]] | None = None) -> None:
        """Begin with these `runs`, sharing their facts. `columns` returns the values of their figures, if these are known."""
        self._measured = None if runs is None else tuple(runs)
        self._known = columns
        self._columns: dict[str, Sequence[Any]] = {}
        self._settled: dict[str, Measured] = {}
        self.facts: dict[str, RunFacts] = {run.facts.run_id: run.facts for run in self._measured or ()}

    def take(self, event: RunEvent) -> None:
        """Add one event."""
        run = self.facts.get(event.run_id)
        if run is None:
            run = self.facts[event.run_id] = RunFacts(event.run_id)
        run.take(event)
        self._drop_derived()

    def settle(self, facts: RunFacts) -> None:
        """Add a run that gets no more events: it is scored at once, and facts that only scoring needs are dropped."""
        self._settled[facts.run_id] = Measured.of(facts)
        self.facts[facts.run_id] = facts
        facts.settle()
        self._drop_derived()

    def merge(self, other: "Measures") -> None:
        """Add the runs of another, which stays unchanged. A settled run must not have events in both."""
        for run_id, facts in other.facts.items():
            self.facts.setdefault(run_id, RunFacts(run_id)).join(facts)
        self._settled |= other._settled
        self._drop_derived()

    def _drop_derived(self) -> None:
        if self._measured is not None:
            self._measured, self._known, self._columns = None, None, {}

    @property
    def runs(self) -> tuple[Measured, ...]:
        """The runs with their scores, oldest first, without rehearsals and skipped ticks."""
        if self._measured is None:
            real = (run for run in self.facts.values() if run.happened and not run.simulated)
            ordered = sorted(real, key=lambda run: (run.started_at, run.run_id))
            self._measured = tuple(self._settled.get(run.run_id) or Measured.of(run) for run in ordered)
        return self._measured

    @property
    def is_imported(self) -> bool:
        """Whether all runs come from traces of other agents, which do not tell everything."""
        return bool(self.runs) and all(run.facts.is_imported for run in self.runs)

    @property
    def simulated(self) -> int:
        """The number of rehearsals, which are not in `runs`."""
        return sum(run.happened and run.simulated for run in self.facts.values())

    @property
    def ticks(self) -> tuple[TickFacts, ...]:
        """The ticks of all schedules, sorted by due time."""
        return tuple(sorted(tick for run in self.facts.values() for tick in run.ticks.values()))

    @property
    def autonomy(self) -> AutonomyMetrics:
        """The four measures of autonomy, each the mean over the runs for which it is not n/a."""
        return AutonomyMetrics(**{name: self.estimate(name).value for name in MEASURES})

    @property
    def overall(self) -> float | None:
        """The mean of the runs' overall scores."""
        return self.estimate("overall").value

    @property
    def level(self) -> Level | None:
        """The level of the mean; `high` only if at least half of the runs are `proven`."""
        scored = [run.autonomy for run, overall in zip(self.runs, self.column("overall"), strict=True) if overall is not None]
        return level_of(self.overall, proven=2 * sum(autonomy.proven for autonomy in scored) >= len(scored))

    def estimate(self, name: str) -> Estimate:
        """Estimate a figure of `metrics.figures` over these runs. Raises KeyError for an unknown name."""
        figure = BY_NAME[name]
        values = [value for value in self.column(name) if value is not None]
        if figure.kind == "total":
            return Estimate(sum(values), None, None, len(values)) if values else Estimate()
        if figure.kind == "ratio":
            return intervals.ratio(values, bounded=figure.unit == "share")
        return _COMBINE[figure.kind](values)

    def column(self, name: str) -> Sequence[Any]:
        """Return a figure's value for each run, in their order; None means n/a."""
        if self._known is not None:
            return self._known(name)
        figure = BY_NAME[name]
        if figure.kind == "ratio":
            return [figure.value(run) for run in self.runs]
        if name not in self._columns:
            self._columns[name] = [figure.value(run) for run in self.runs]
        return self._columns[name]

    def count(self, of: Callable[[Measured], str]) -> Counter[str]:
        """Count the runs by a property."""
        return Counter(map(of, self.runs))

    def where(self, keep: Callable[[RunFacts], bool]) -> "Measures":
        """Return the measures of the runs for which `keep` is true."""
        return self._part([at for at, run in enumerate(self.runs) if keep(run.facts)])

    def by(self, name: Callable[[RunFacts], str]) -> dict[str, "Measures"]:
        """Group the runs by a property: job, tenant, model, day."""
        parts: dict[str, list[int]] = {}
        for at, run in enumerate(self.runs):
            parts.setdefault(name(run.facts), []).append(at)
        return {name: self._part(places) for name, places in sorted(parts.items())}

    def _part(self, places: Sequence[int]) -> "Measures":
        """Return the measures of the runs at these positions, which share the computed columns."""

        def columns(name: str) -> Sequence[Any]:
            whole = self.column(name)
            return [whole[at] for at in places]

        return Measures((self.runs[at] for at in places), columns=columns)

    def tools(self, name: Callable[[CallFacts], str] = lambda call: call.tool) -> dict[str, "ToolFigures"]:
        """Group the ended calls by tool, or by another property that is not empty; those with most calls first."""
        parts: dict[str, list[CallFacts]] = {}
        for run in self.runs:
            for call in run.facts.calls.values():
                if call.finished is not None and name(call):
                    parts.setdefault(name(call), []).append(call)
        busiest = sorted(parts.items(), key=lambda part: (-len(part[1]), part[0]))
        return {name: ToolFigures.of(calls, is_imported=self.is_imported) for name, calls in busiest}

    def models(self) -> dict[str, "ModelFigures"]:
        """Group replies and failures by model; those with most replies first."""
        replies: dict[str, list[ReplyFacts]] = {}
        failures: Counter[str] = Counter()
        for run in self.runs:
            failures.update(failure.model for failure in run.facts.failures.values())
            for reply in run.facts.replies.values():
                replies.setdefault(reply.model, []).append(reply)
        names = sorted({*replies, *failures}, key=lambda name: (-len(replies.get(name, ())), name))
        return {name: ModelFigures.of(replies.get(name, ()), failures[name], is_imported=self.is_imported) for name in names}

    def phase_seconds(self) -> dict[str, list[float]]:
        """Return the time of the ended runs: phase → seconds of each run, sorted."""
        spent = [phases(run.facts) for run in self.runs if run.duration_s is not None]
        return {name: sorted(run[name] for run in spent) for name in ("model", "tools", "people", "own", "total")}


_COMBINE: Mapping[str, Callable[[Sequence[Any]], Estimate]] = {
    "rate": intervals.rate,
    "score": intervals.score,
    "mean": intervals.mean,
}


@dataclass(frozen=True)
class ToolFigures:
    """The figures of one tool (or provider) over a period."""

    calls: int
    success: Estimate
    """The share of successful calls among those that were made."""
    mischosen: int
    """Calls that were refused before they were made: unknown, invalid, denied."""
    asked: int | None
    retried: int | None
    replaced: int | None
    """Calls that an alternative answered. All three are None where no trace tells them."""
    p50_s: float | None
    p95_s: float | None

    @classmethod
    def of(cls, calls: Sequence[CallFacts], *, is_imported: bool = False) -> "ToolFigures":
        """Sum up calls; of another agent's, no duration is one that the trace does not tell."""
        ends = [call.finished for call in calls if call.finished]
        made = [call for call in calls if call.finished and was_made(call.finished)]
        seconds = sorted(call.duration_s for call in made if call.duration_s or not is_imported)
        return cls(
            calls=len(ends),
            success=intervals.rate([call.outcome in WORKED for call in made]),
            mischosen=sum(end.outcome == "denied" or end.problem in MISCHOSEN for end in ends),
            asked=None if is_imported else sum(call.asked is not None for call in calls),
            retried=None if is_imported else sum(end.attempts > 1 for end in ends),
            replaced=None if is_imported else sum(end.cured_by == "alternative" for end in ends),
            p50_s=intervals.quantile(seconds, 0.5),
            p95_s=intervals.quantile(seconds, 0.95),
        )


def was_made(end: FinishFacts) -> bool:
    """Whether the call was sent."""
    return end.outcome not in NOT_MADE and end.attempts > 0 and end.problem not in MISCHOSEN


@dataclass(frozen=True)
class ModelFigures:
    """The figures of one model over a period."""

    replies: int
    failures: int
    as_fallback: int | None
    input_tokens: int | None
    output_tokens: int | None
    cached_tokens: int | None
    """These four are None where no trace tells them."""
    cost_usd: float | None
    """None if the price of any reply is unknown."""
    p50_s: float | None
    p95_s: float | None

    @classmethod
    def of(cls, replies: Sequence[ReplyFacts], failures: int, *, is_imported: bool = False) -> "ModelFigures":
        """Sum up a model's replies; of another agent's, no duration and no tokens are what the trace does not tell."""
        prices = [reply.cost_usd for reply in replies if reply.cost_usd is not None]
        seconds = sorted(reply.duration_s for reply in replies if reply.duration_s or not is_imported)
        counts_tokens = not is_imported or any(reply.input_tokens or reply.output_tokens for reply in replies)
        return cls(
            replies=len(replies),
            failures=failures,
            as_fallback=None if is_imported else sum(reply.fallback for reply in replies),
            input_tokens=sum(reply.input_tokens for reply in replies) if counts_tokens else None,
            output_tokens=sum(reply.output_tokens for reply in replies) if counts_tokens else None,
            cached_tokens=sum(reply.cached_tokens for reply in replies) if counts_tokens else None,
            cost_usd=sum(prices) if replies and len(prices) == len(replies) else None,
            p50_s=intervals.quantile(seconds, 0.5),
            p95_s=intervals.quantile(seconds, 0.95),
        )


def measure(events: Iterable[RunEvent]) -> Measures:
    """Compute the measures of a stream of events, of any runs in any order."""
    measures = Measures()
    for event in events:
        measures.take(event)
    return measures


def measure_runs(events: Iterable[RunEvent]) -> Measures:
    """Compute the measures of a stream in which the events of each run are consecutive. It uses less memory than `measure`."""
    measures = Measures()
    for run_id, of_run in groupby(events, attrgetter("run_id")):
        run = RunFacts(run_id)
        for event in of_run:
            run.take(event)
        measures.settle(run)
    return measures
