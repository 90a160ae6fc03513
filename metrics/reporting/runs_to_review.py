"""Ranks the runs that a person should look at first, each with its strongest reasons."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from metrics.figures import Measured
from metrics.trace_import.doubt import DOUBTFUL, DoubtRule

MOST_RUNS = 10
MOST_REASONS = 3


class ReviewReason(NamedTuple):
    """Why a run is worth a look; `report_words.cause` says it."""

    kind: str
    subject: str = ""
    detail: str = ""


@dataclass(frozen=True)
class RunToReview:
    """A run that a person should look at."""

    run_id: str
    job: str
    weight: float
    """What it lost of its score, 0 to 1, and 1 more for each sign of doubt that is enough by itself; it only orders runs."""
    reasons: tuple[ReviewReason, ...]
    """At most three, the strongest first."""


def runs_to_review(runs: Iterable[Measured], doubts: Mapping[str, Sequence[DoubtRule]] | None = None) -> tuple[RunToReview, ...]:
    """The runs that lost most or are doubted most. `doubts`: the signs of imported runs; our own have been judged."""
    found = [_look(run, (doubts or {}).get(run.facts.run_id, ())) for run in runs if run.facts.end is not None]
    return tuple(sorted((look for look in found if look.reasons), key=lambda look: (-look.weight, look.run_id))[:MOST_RUNS])


def _look(run: Measured, signs: Sequence[DoubtRule]) -> RunToReview:
    losses = sorted(run.losses, key=lambda loss: -loss.points)
    lost = dict.fromkeys(ReviewReason(loss.kind, loss.subject, loss.detail) for loss in losses)
    weight = sum(loss.points for loss in losses) + sum(sign.points for sign in signs) / DOUBTFUL
    reasons = (*(ReviewReason(f"sign: {sign.name}") for sign in signs), *lost)
    return RunToReview(run.facts.run_id, run.facts.job, weight, reasons[:MOST_REASONS])
