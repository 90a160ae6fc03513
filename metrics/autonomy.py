"""The four measures of autonomy, as pure functions of a run's facts.

docs/measures.md has formulas, inputs, n/a rules and countermeasures against gaming under the names of the functions here. Each
measure is the share of *trials* that succeeded, so that a report can name what cost points (`metrics.reporting.causes`).
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

from metrics.events import ANSWERED, WORKED, RunEvent
from metrics.run_facts import CallFacts, RunFacts

Level = Literal["high", "medium", "low"]

MEASURES = ("tool_selection_accuracy", "error_recovery_rate", "data_collection_completeness", "result_quality")

HIGH, MEDIUM = 0.9, 0.7
"""The lowest overall scores of the levels `high` and `medium`, as in the source documents."""

MISCHOSEN = frozenset({"unknown_tool", "invalid_arguments", "unreadable"})
"""Problems of a call that the model caused."""

DISLIKED = "disliked"
"""The cause of a result that a person called bad."""

PERSONS_CURES = frozenset({"retry", "resolve_effect", "edit"})
"""Interventions that repair something; a success after one of them is no recovery of the run's own."""


class Trial(NamedTuple):
    """One thing that could succeed, and whether it did."""

    well: bool
    cause: str
    """Why it failed: a kind of `metrics.reporting.causes`; empty if it succeeded."""
    subject: str
    """The tool, model, need, rule or ending that it is about."""
    detail: str = ""
    times: int = 1
    """How many such things there were: an event only has their number, which may be any."""


class Loss(NamedTuple):
    """Points that a run lost by one failed trial."""

    measure: str
    kind: str
    """The trial's cause, e.g. `invalid_arguments`."""
    subject: str
    """The trial's subject."""
    detail: str
    points: float
    """The lost part of the run's overall score, between 0 and 1."""
    times: int = 1
    """How many trials failed like this, where they are told as one."""

    @property
    def repeated(self) -> str:
        """The sign that stands behind the cause of several."""
        return f" ×{self.times}" if self.times > 1 else ""


@dataclass(frozen=True, slots=True)
class AutonomyMetrics:
    """The four measures of a run, or their means over several runs, from 0 to 1; None means n/a."""

    tool_selection_accuracy: float | None = None
    error_recovery_rate: float | None = None
    data_collection_completeness: float | None = None
    result_quality: float | None = None

    @staticmethod
    def measure_autonomy_level(execution: Iterable[RunEvent]) -> "AutonomyMetrics":
        """Measure one run from its events, in any order. Raises ValueError if they belong to several runs."""
        run: RunFacts | None = None
        for event in execution:
            run = run or RunFacts(event.run_id)
            if event.run_id != run.run_id:
                raise ValueError(f"events of the runs {run.run_id!r} and {event.run_id!r}: measure one run at a time")
            run.take(event)
        return autonomy_of(run) if run else AutonomyMetrics()

    @property
    def breakdown(self) -> Mapping[str, float | None]:
        """The four measures by name."""
        return {name: getattr(self, name) for name in MEASURES}

    @property
    def overall(self) -> float | None:
        """The mean of the measures that are not n/a; None if all are."""
        values = [value for value in self.breakdown.values() if value is not None]
        return sum(values) / len(values) if values else None

    @property
    def proven(self) -> bool:
        """Whether completeness and quality could be measured; only then can the level be high."""
        return self.data_collection_completeness is not None and self.result_quality is not None

    @property
    def level(self) -> Level | None:
        """`high` from 0.9 if `proven`, `medium` from 0.7, else `low`; None without any measure."""
        return level_of(self.overall, proven=self.proven)


def level_of(overall: float | None, *, proven: bool) -> Level | None:
    """Return the level of an overall score."""
    if overall is None:
        return None
    if overall >= HIGH and proven:
        return "high"
    return "medium" if overall >= MEDIUM else "low"


def autonomy_of(run: RunFacts) -> AutonomyMetrics:
    """Return the four measures of one run."""
    return score(run)[0]


def score(run: RunFacts) -> tuple[AutonomyMetrics, tuple[Loss, ...]]:
    """Return the four measures of one run and its losses, whose points add up to 1 - overall. A rehearsal has neither."""
    if run.simulated:
        return AutonomyMetrics(), ()
    tried = {name: found for name, trials in TRIALS.items() if (found := list(trials(run)))}
    shares = {name: _share(found) for name, found in tried.items()}
    lost = [
        Loss(name, trial.cause, trial.subject, trial.detail, trial.times / (_number(found) * len(tried)), trial.times)
        for name, found in tried.items()
        if shares[name] < 1
        for trial in found
        if not trial.well
    ]
    return AutonomyMetrics(**shares), tuple(lost)


def _number(trials: Iterable[Trial]) -> int:
    return sum(trial.times for trial in trials)


def _share(trials: Sequence[Trial]) -> float:
    """Return the share of trials that succeeded; there is at least one."""
    return _number(trial for trial in trials if trial.well) / _number(trials)


def tool_selection_accuracy(run: RunFacts) -> Iterator[Trial]:
    """Yield a trial for each call that the model requested: was it a sound choice?

    If the run declares needs, choosing no tool fails once for each need, unless no model was there to choose. And of the reads
    that serve no need, only as many count as sound as there are calls that serve one (at least one), so that calling everything
    does not pay.
    """
    chosen = [call for call in run.chosen() if call.outcome != "not_run"]
    if not chosen and run.replies and run.end is not None and not run.end.unavailable:
        yield from (Trial(False, "no_tool_chosen", need) for need in run.needs)
    served = sum(1 for call in chosen if _why_unsound(call) is None and _serves(call))
    spare = max(served, 1) if run.needs else len(chosen)
    for call in chosen:
        cause = _why_unsound(call)
        if cause is None and run.needs and not _serves(call):
            spare -= 1
            cause = "beside_the_point" if spare < 0 else None
        yield Trial(cause is None, cause or "", call.tool, _problem(call) if cause else "")


def _why_unsound(call: CallFacts) -> str | None:
    finished = call.finished
    if finished is None:
        return None
    if finished.problem in MISCHOSEN:
        only_unknown = finished.at_fault and not set(finished.at_fault) - set(finished.unknown_arguments)
        return "unknown_arguments" if only_unknown else finished.problem
    if finished.outcome == "denied":
        if call.answer is None:
            return "denied"
        return None if call.answer.answer == "expired" else "person_denied" if call.answer.given else "nobody_asked"
    return "repeated" if finished.repeated else None


def _serves(call: CallFacts) -> bool:
    """Whether a call serves a declared need, or is a write."""
    return call.writes or (call.finished is not None and bool(call.finished.needs))


def _problem(call: CallFacts) -> str:
    """Return the problem of a call in few words: the argument at fault, the rule that refused it, or the error."""
    if call.finished is None:
        return ""
    if call.finished.at_fault:
        real = [name for name in call.finished.at_fault if name not in call.finished.unknown_arguments]
        return ", ".join(real or call.finished.at_fault)  # an invented argument mostly stands for a missing one
    if call.outcome == "denied" and call.decided is not None:
        return call.decided.rule
    return next(iter(call.errors.values()), "") or call.finished.problem


def error_recovery_rate(run: RunFacts) -> Iterator[Trial]:
    """Yield a trial for each failure of a tool or a model: was it overcome without a person?

    Repeated failures of the same call count once; a refusal by policy or person is no failure. A failed call is overcome if a
    retry or an alternative succeeded, or a later call of the same tool or for the same need.
    """
    helped_at = min((step.at for step in run.steps.values() if step.kind in PERSONS_CURES), default=float("inf"))
    seen: dict[tuple[str, object], Trial] = {}
    for (turn, call_id), call in sorted(run.calls.items()):
        if call.finished is None or not _stumbled(call):
            continue
        recovered = _was_overcome(run, call, turn, helped_at)
        identity = (call.tool, call.finished.arguments or f"{turn}/{call_id}")
        if identity not in seen or not recovered:
            seen[identity] = Trial(recovered, "" if recovered else "not_recovered", call.tool, _problem(call))
    yield from seen.values()
    answered = {reply.turn for reply in run.replies.values()}
    for turn, failure in sorted({failure.turn: failure for failure in sorted(run.failures.values())}.items()):
        recovered = turn in answered
        yield Trial(recovered, "" if recovered else "model_failed", failure.model, failure.error)


def _stumbled(call: CallFacts) -> bool:
    """Whether a call had a failure that could be overcome; an answer that only looks odd is none."""
    return call.outcome not in {"denied", "not_run"} and (
        call.outcome not in ANSWERED or bool(call.errors) or (call.finished is not None and call.finished.cured_by != "")
    )


def _was_overcome(run: RunFacts, call: CallFacts, turn: int, helped_at: float) -> bool:
    if call.outcome in WORKED:
        return call.finished is not None and call.finished.at <= helped_at
    if call.outcome == "unknown_outcome":
        return call.receipt is not None and call.receipt.state == "reconciled" and call.receipt.at <= helped_at
    needs = set(call.finished.needs) if call.finished else set()
    return any(
        later_turn > turn and other.outcome in WORKED and other.finished is not None and other.finished.at <= helped_at
        and (other.tool == call.tool or needs.intersection(other.finished.needs))
        for (later_turn, _), other in run.calls.items()
    )  # fmt: skip


def data_collection_completeness(run: RunFacts) -> Iterator[Trial]:
    """Yield a trial for each required need of an ended run: is there evidence for it?

    Evidence is a call for the need with the outcome `ok`, or the judge's rules; never the model's words.
    """
    if run.end is None:
        return
    met = {need for call in run.calls.values() if call.outcome == "ok" and call.finished for need in call.finished.needs}
    met.update(need for verdict in run.verdicts.values() for need in verdict.needs_met)
    for need in dict.fromkeys(run.needs):
        unmet = "provider_unavailable" if run.end.unavailable else "need_unmet"
        yield Trial(need in met, "" if need in met else unmet, need, run.end.reason if run.end.unavailable else "")


def result_quality(run: RunFacts) -> Iterator[Trial]:
    """Yield the trials of the weakest part of the result: rules, effects, grounding, coverage, subject, or tracing.

    The weakest counts, so that a result which is true but thin, or rich but unsupported, loses points. A run that was not
    completed, or that a person called bad, gets a single failed trial. A person who calls it good only counts if there is no
    other part.
    """
    if run.end is None or run.is_session:
        return
    if not run.completed:
        kind = "provider_unavailable" if run.end.unavailable else "not_completed"
        yield Trial(False, kind, run.end.ending, run.end.reason)
        return
    if not all(run.words):
        yield Trial(False, DISLIKED, run.job)
        return
    liked = [Trial(True, "", "")] * len(run.words)
    parts = [part for part in (list(_rules_held(run)), list(_effects_shown(run)), *_counted_trials(run), liked) if part]
    yield from min(parts, key=_share, default=[])


def _rules_held(run: RunFacts) -> Iterator[Trial]:
    if run.verdict is not None:
        unheld = max(run.verdict.rules - run.verdict.held, 0)
        missing = run.verdict.missing[:unheld]
        held, unnamed = max(run.verdict.rules - unheld, 0), unheld - len(missing)
        yield from [Trial(True, "", "", times=held)] if held else ()
        yield from (Trial(False, "rule_unheld", rule) for rule in missing)
        yield from [Trial(False, "rule_unheld", "", times=unnamed)] if unnamed else ()


def _effects_shown(run: RunFacts) -> Iterator[Trial]:
    for call in run.calls.values():
        if call.receipt is not None:
            well = call.receipt.state != "unknown" and call.receipt.read_back != "absent"
            yield Trial(well, "" if well else "effect_unproven", call.tool)


def _counted_trials(run: RunFacts) -> Iterator[list[Trial]]:
    """Yield the parts that the judge's last verdict counted, such as grounding and coverage."""
    for name, satisfied, of in run.verdict.parts if run.verdict is not None else ():
        lost = of - min(satisfied, of)
        counted = Trial(False, name, run.job, times=lost), Trial(True, "", "", times=of - lost)
        yield [trial for trial in counted if trial.times]


TRIALS = {
    "tool_selection_accuracy": tool_selection_accuracy,
    "error_recovery_rate": error_recovery_rate,
    "data_collection_completeness": data_collection_completeness,
    "result_quality": result_quality,
}
