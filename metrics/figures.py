"""The figures of a report, one by one: what each takes from a run, in which unit, and which way is better. Data, read by `measures`.

Formula, inputs, n/a rule and limits of each stand in docs/measures.md under the same name (a test holds the two together).
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

from metrics.autonomy import MEASURES, AutonomyMetrics
from metrics.call_facts import CallFacts
from metrics.facts import RunFacts

Kind = Literal["rate", "score", "mean", "ratio", "total"]
"""How the runs' values become one: share of true, mean in [0, 1], mean, Σ/Σ of pairs, sum."""


class Measured(NamedTuple):
    """A run with its scores."""

    facts: RunFacts
    autonomy: AutonomyMetrics


@dataclass(frozen=True)
class Figure:
    """One number of the report."""

    name: str
    kind: Kind
    unit: Literal["share", "count", "s", "tokens", "usd"]
    better: Literal["up", "down", ""]
    of: Callable[[Measured], Any]
    """The run's value, a pair for a ratio; None = this run has nothing to measure."""


def touches(run: RunFacts) -> int:
    """How often a person was asked or stepped in (Prudentia's human-in-the-loop load of one task)."""
    return asked(run) + len(run.steps)


def asked(run: RunFacts) -> int:
    """How many approvals were requested."""
    return sum(call.asked is not None for call in run.calls.values())


def answers(run: RunFacts, *wanted: str) -> int:
    """How many approvals were answered in one of these ways."""
    return sum(call.answer is not None and call.answer.answer in wanted for call in run.calls.values())


def ended(run: RunFacts) -> list[CallFacts]:
    """The calls that were made and have ended, the host's own included; those never begun are left out."""
    return [call for call in run.calls.values() if call.outcome not in {"", "not_run", "denied"}]


def retries(run: RunFacts) -> int:
    """Attempts beyond the first."""
    return sum(max(call.finished.attempts - 1, 0) for call in run.calls.values() if call.finished)


def cost_usd(run: RunFacts) -> float | None:
    """What the run's replies cost; None when the price of any of them is unknown."""
    prices = [reply.cost_usd for reply in run.replies.values()]
    known = [price for price in prices if price is not None]
    return sum(known) if prices and len(known) == len(prices) else None


def tokens(run: RunFacts) -> int | None:
    """Tokens in and out."""
    if not run.replies:
        return None
    return sum(reply.input_tokens + reply.output_tokens for reply in run.replies.values())


def phases(run: RunFacts) -> Mapping[str, float]:
    """Where the run's time went, in seconds. Calls of one turn may overlap, so that the parts can exceed the whole; `own` is never negative."""
    model = sum(reply.duration_s for reply in run.replies.values())
    tools = sum(call.finished.duration_s for call in run.calls.values() if call.finished)
    people = sum(call.answer.waited_s for call in run.calls.values() if call.answer)
    total = run.end.duration_s if run.end else 0.0
    return {"model": model, "tools": tools, "people": people, "own": max(total - model - tools - people, 0.0), "total": total}


def _completed_with(limit: int | None) -> Callable[[Measured], bool | None]:
    def completed(run: Measured) -> bool | None:
        if run.facts.end is None:
            return None
        return run.facts.completed and (limit is None or touches(run.facts) <= limit)

    return completed


def _autonomy(name: str) -> Figure:
    return Figure(name, "score", "share", "up", lambda run: getattr(run.autonomy, name))


def _cured(run: Measured, by: str) -> tuple[int, int]:
    stumbled = [call for call in run.facts.calls.values() if call.finished and (call.errors or call.finished.cured_by)]
    return sum(call.finished is not None and call.finished.cured_by == by for call in stumbled), len(stumbled)


def _alternatives(run: Measured) -> tuple[int, int]:
    tried = [one for call in run.facts.calls.values() for one in call.alternatives.values()]
    return sum(one.ok for one in tried), len(tried)


def _receipts(*states: str) -> Callable[[Measured], int]:
    return lambda run: sum(call.receipt is not None and call.receipt.state in states for call in run.facts.calls.values())


def _replies(name: str) -> Callable[[Measured], tuple[float, float]]:
    """A part of the replies (or their input tokens) over all of them."""
    if name == "cached":
        return lambda run: (
            sum(reply.cached_tokens for reply in run.facts.replies.values()),
            sum(reply.input_tokens for reply in run.facts.replies.values()),
        )
    return lambda run: (sum(reply.fallback for reply in run.facts.replies.values()), len(run.facts.replies))


FIGURES: tuple[Figure, ...] = (
    *map(_autonomy, MEASURES),
    _autonomy("overall"),
    Figure("completion", "rate", "share", "up", _completed_with(None)),
    Figure("unattended_completion", "rate", "share", "up", _completed_with(0)),
    Figure("completion_with_one_touch", "rate", "share", "up", _completed_with(1)),
    Figure("human_load", "mean", "count", "down", lambda run: touches(run.facts)),
    Figure("interventions", "mean", "count", "down", lambda run: len(run.facts.steps)),
    Figure("approvals_asked", "total", "count", "down", lambda run: asked(run.facts)),
    Figure("approvals_granted", "ratio", "share", "", lambda run: (answers(run.facts, "granted"), answers(run.facts, "granted", "denied", "expired"))),
    Figure("approvals_expired", "ratio", "share", "down", lambda run: (answers(run.facts, "expired"), answers(run.facts, "granted", "denied", "expired"))),
    Figure("call_success", "ratio", "share", "up", lambda run: (sum(call.outcome == "ok" for call in ended(run.facts)), len(ended(run.facts)))),
    Figure("retries", "mean", "count", "", lambda run: retries(run.facts)),
    Figure("cured_by_retry", "ratio", "share", "up", lambda run: _cured(run, "retry")),
    Figure("cured_by_alternative", "ratio", "share", "up", lambda run: _cured(run, "alternative")),
    Figure("alternatives_tried", "total", "count", "", lambda run: _alternatives(run)[1]),
    Figure("alternatives_succeeded", "ratio", "share", "up", _alternatives),
    Figure("effects_done", "total", "count", "", _receipts("done", "reconciled")),
    Figure("effects_unknown", "total", "count", "down", _receipts("unknown")),
    Figure("turns", "mean", "count", "", lambda run: run.facts.end.turns if run.facts.end else None),
    Figure("calls", "mean", "count", "", lambda run: len(ended(run.facts))),
    Figure("tokens", "mean", "tokens", "down", lambda run: tokens(run.facts)),
    Figure("cost_usd", "total", "usd", "down", lambda run: cost_usd(run.facts)),
    Figure("cost_per_run", "mean", "usd", "down", lambda run: cost_usd(run.facts)),
    Figure("duration", "mean", "s", "down", lambda run: run.facts.end.duration_s if run.facts.end else None),
    Figure("model_fallback", "ratio", "share", "down", _replies("fallback")),
    Figure("prompt_cache_hits", "ratio", "share", "up", _replies("cached")),
    Figure("catalog_fresh", "rate", "share", "up", lambda run: run.facts.tools.freshness == "fresh" if run.facts.tools else None),
    Figure("all_providers_up", "rate", "share", "up", lambda run: not run.facts.tools.unavailable if run.facts.tools else None),
)  # fmt: skip
"""Every figure, in the order of the report."""

BY_NAME: Mapping[str, Figure] = {figure.name: figure for figure in FIGURES}
