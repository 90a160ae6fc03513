"""Defines the figures of a report, each with its source, unit and direction.

docs/measures.md has formula, inputs, n/a rule and limits of each under the same name, which a test checks.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

from metrics.autonomy import MEASURES, AutonomyMetrics, Loss, score
from metrics.events import WORKED
from metrics.run_facts import CallFacts, EndFacts, ReplyFacts, RunFacts

Kind = Literal["rate", "score", "mean", "ratio", "total"]
"""How the runs' values are combined: share of true, mean in [0, 1], mean, Σ/Σ of pairs, sum."""


NOT_MADE = frozenset({"denied", "not_run"})
"""Outcomes of calls that were refused or never sent."""


@dataclass(slots=True)
class Counts:
    """Counts of what happened in a run."""

    made: int = 0
    """Calls that were made and have ended, including the host's own."""
    ok: int = 0
    retries: int = 0
    """Attempts beyond the first."""
    stumbled: int = 0
    """Calls with a failed attempt …"""
    by_retry: int = 0
    """… that a retry answered,"""
    by_alternative: int = 0
    """… or an alternative."""
    tried: int = 0
    """Alternatives that were tried …"""
    succeeded: int = 0
    """… and answered."""
    asked: int = 0
    """Approvals requested."""
    answered: int = 0
    """Approvals granted, denied or expired."""
    granted: int = 0
    expired: int = 0
    done: int = 0
    """Receipts of writes that happened."""
    unknown: int = 0
    """Receipts of writes with an unknown outcome."""
    replies: int = 0
    fallbacks: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    cached_tokens: int = 0

    @classmethod
    def of(cls, run: RunFacts) -> "Counts":
        """Count a run."""
        counts = cls()
        for call in run.calls.values():
            counts._add_call(call)
        for reply in run.replies.values():
            counts._add_reply(reply)
        return counts

    def _add_call(self, call: CallFacts) -> None:
        if call.asked is not None:
            self.asked += 1
        if call.answer is not None:
            self.answered += 1
            self.granted += call.answer.answer == "granted"
            self.expired += call.answer.answer == "expired"
        if call.receipt is not None:
            if call.receipt.state == "unknown":
                self.unknown += 1
            else:
                self.done += 1
        if call.alternatives:
            self.tried += len(call.alternatives)
            self.succeeded += sum(one.ok for one in call.alternatives.values())
        if call.finished is not None:
            failed = bool(call.errors)
            if call.finished.outcome not in NOT_MADE:
                self.made += 1
                self.ok += call.finished.outcome in WORKED
            if call.finished.attempts > 1:
                self.retries += call.finished.attempts - 1
            if failed or call.finished.cured_by:
                self.stumbled += 1
                self.by_retry += call.finished.cured_by == "retry"
                self.by_alternative += call.finished.cured_by == "alternative"

    def _add_reply(self, reply: ReplyFacts) -> None:
        self.replies += 1
        self.fallbacks += reply.fallback
        self.input_tokens += reply.input_tokens
        self.output_tokens += reply.output_tokens
        self.cached_tokens += reply.cached_tokens


class Measured(NamedTuple):
    """A run with its scores and counts."""

    facts: RunFacts
    autonomy: AutonomyMetrics
    losses: tuple[Loss, ...]
    """The points that it lost, and why; they add up to 1 - overall."""
    counts: Counts

    @classmethod
    def of(cls, run: RunFacts) -> "Measured":
        """Score and count a run."""
        return cls(run, *score(run), Counts.of(run))

    @property
    def touches(self) -> int:
        """How often a person was asked or intervened (Prudentia's human-in-the-loop load of one task)."""
        return self.counts.asked + len(self.facts.steps)

    @property
    def tokens(self) -> int | None:
        """Tokens in and out; None without any reply, and where a trace counts none."""
        tokens = self.counts.input_tokens + self.counts.output_tokens
        return tokens if self.counts.replies and (tokens or not self.facts.is_imported) else None

    @property
    def duration_s(self) -> float | None:
        """How long it took; None while it is under way, and where a trace has no times."""
        end = self.facts.end
        return end.duration_s if end and (end.duration_s or not self.facts.is_imported) else None


@dataclass(frozen=True)
class Figure:
    """One number of the report."""

    name: str
    kind: Kind
    unit: Literal["share", "count", "s", "tokens", "usd"]
    better: Literal["up", "down", ""]
    of: Callable[[Measured], Any]
    """Returns a run's value, a pair for a ratio; None means n/a."""

    def value(self, run: Measured) -> Any:
        """Return the figure of a run; None means n/a."""
        return None if run.facts.is_imported and self.name in IN_NO_TRACE else self.of(run)


def cost_usd(run: RunFacts, part: str = "") -> float | None:
    """Return the cost in USD of the run's replies whose key contains `part`; None if the price of any is unknown."""
    prices = [reply.cost_usd for key, reply in run.replies.items() if part in key]
    known_prices = [price for price in prices if price is not None]
    return sum(known_prices) if prices and len(known_prices) == len(prices) else None


def waited_s(run: RunFacts) -> float:
    """Return how many seconds calls waited for the rate limits of their providers."""
    return sum(call.finished.waited_s for call in run.calls.values() if call.finished)


def phases(run: RunFacts) -> Mapping[str, float]:
    """Return the run's time by phase, in seconds. Calls may overlap, so the parts can exceed the total; `own` is never
    negative."""
    model = sum(reply.duration_s for reply in run.replies.values())
    tools = sum(call.duration_s for call in run.calls.values()) + waited_s(run)
    people = sum(call.answer.waited_s for call in run.calls.values() if call.answer)
    total = run.end.duration_s if run.end else 0.0
    return {"model": model, "tools": tools, "people": people, "own": max(total - model - tools - people, 0.0), "total": total}


def _own_end(run: Measured) -> EndFacts | None:
    return None if run.facts.is_session else run.facts.end


def _completed_with(limit: int | None) -> Callable[[Measured], bool | None]:
    def completed(run: Measured) -> bool | None:
        return run.facts.completed and (limit is None or run.touches <= limit) if run.facts.had_goal else None

    return completed


_OPINION = "/opinion"
"""In the keys of a reply that was asked for, or asked for once more: `turn-2/opinion-2/…`."""


def _second_opinion_tokens(run: RunFacts) -> int | None:
    took = [reply.input_tokens + reply.output_tokens for key, reply in run.replies.items() if _OPINION in key]
    return sum(took) if took else None


def _as_people_say(run: RunFacts) -> bool | None:
    """Whether the last second opinion of a run agrees with all people who rated it; None if either is missing."""
    return run.opinions[-1] == all(run.words) if run.opinions and run.votes else None


def _autonomy(name: str) -> Figure:
    return Figure(name, "score", "share", "up", lambda run: getattr(run.autonomy, name))


IN_NO_TRACE = frozenset({
    "unattended_completion", "completion_with_one_touch", "judged_by_people", "human_load", "interventions",
    "approvals_asked", "approvals_granted", "approvals_expired", "retries", "cured_by_retry", "cured_by_alternative",
    "alternatives_tried", "alternatives_succeeded", "effects_done", "effects_unknown", "rate_limit_waits", "model_fallback",
})  # fmt: skip
"""Figures of what no trace of another agent tells."""

FIGURES: tuple[Figure, ...] = (
    *map(_autonomy, MEASURES),
    _autonomy("overall"),
    Figure("completion", "rate", "share", "up", _completed_with(None)),
    Figure("unattended_completion", "rate", "share", "up", _completed_with(0)),
    Figure("completion_with_one_touch", "rate", "share", "up", _completed_with(1)),
    Figure("liked", "rate", "share", "up", lambda run: all(run.facts.words) if run.facts.votes else None),
    Figure("judged_by_people", "rate", "share", "", lambda run: bool(run.facts.votes) if _own_end(run) else None),
    Figure("opinion_as_rules", "ratio", "share", "", lambda run: (sum(run.facts.opinions), len(run.facts.opinions))),
    Figure("opinion_as_people", "rate", "share", "up", lambda run: _as_people_say(run.facts)),
    Figure("opinion_tokens", "mean", "tokens", "down", lambda run: _second_opinion_tokens(run.facts)),
    Figure("opinion_cost", "total", "usd", "down", lambda run: cost_usd(run.facts, _OPINION)),
    Figure("human_load", "mean", "count", "down", lambda run: run.touches),
    Figure("interventions", "mean", "count", "down", lambda run: len(run.facts.steps)),
    Figure("approvals_asked", "total", "count", "down", lambda run: run.counts.asked),
    Figure("approvals_granted", "ratio", "share", "", lambda run: (run.counts.granted, run.counts.answered)),
    Figure("approvals_expired", "ratio", "share", "down", lambda run: (run.counts.expired, run.counts.answered)),
    Figure("call_success", "ratio", "share", "up", lambda run: (run.counts.ok, run.counts.made)),
    Figure("retries", "mean", "count", "", lambda run: run.counts.retries),
    Figure("cured_by_retry", "ratio", "share", "up", lambda run: (run.counts.by_retry, run.counts.stumbled)),
    Figure("cured_by_alternative", "ratio", "share", "up", lambda run: (run.counts.by_alternative, run.counts.stumbled)),
    Figure("alternatives_tried", "total", "count", "", lambda run: run.counts.tried),
    Figure("alternatives_succeeded", "ratio", "share", "up", lambda run: (run.counts.succeeded, run.counts.tried)),
    Figure("effects_done", "total", "count", "", lambda run: run.counts.done),
    Figure("effects_unknown", "total", "count", "down", lambda run: run.counts.unknown),
    Figure("rate_limit_waits", "total", "s", "down", lambda run: waited_s(run.facts)),
    Figure("turns", "mean", "count", "", lambda run: end.turns if (end := _own_end(run)) else None),
    Figure("calls", "mean", "count", "", lambda run: run.counts.made),
    Figure("tokens", "mean", "tokens", "down", lambda run: run.tokens),
    Figure("cost_usd", "total", "usd", "down", lambda run: cost_usd(run.facts)),
    Figure("cost_per_run", "mean", "usd", "down", lambda run: cost_usd(run.facts)),
    Figure("duration", "mean", "s", "down", lambda run: run.duration_s if _own_end(run) else None),
    Figure("model_fallback", "ratio", "share", "down", lambda run: (run.counts.fallbacks, run.counts.replies)),
    Figure("prompt_cache_hits", "ratio", "share", "up", lambda run: (run.counts.cached_tokens, run.counts.input_tokens)),
    Figure("catalog_fresh", "rate", "share", "up", lambda run: run.facts.tools.freshness == "fresh" if run.facts.tools else None),
    Figure("all_providers_up", "rate", "share", "up", lambda run: not run.facts.tools.unavailable if run.facts.tools else None),
)  # fmt: skip
"""Every figure, in the order of the report."""

BY_NAME: Mapping[str, Figure] = {figure.name: figure for figure in FIGURES}
