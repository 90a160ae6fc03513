"""Ranks the runs that a person should look at first, each with its strongest reasons."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from metrics.autonomy import DISLIKED, Loss
from metrics.figures import Measured
from metrics.reporting.fitted_signs import STRONG, FittedSigns
from metrics.trace_import.doubt import DOUBTFUL, DoubtRule

MOST_RUNS = 10
MOST_REASONS = 3


class ReviewReason(NamedTuple):
    """Why a run is worth a look; `report_words.cause` puts it into words."""

    kind: str
    subject: str = ""
    detail: str = ""


@dataclass(frozen=True)
class RunToReview:
    """A run that a person should look at."""

    run_id: str
    job: str
    weight: float
    """What it lost of its score (0 to 1), plus the points of its signs of doubt divided by `DOUBTFUL`. Used for ordering only."""
    reasons: tuple[ReviewReason, ...]
    """At most `MOST_REASONS`, the strongest first."""
    points: int = 0
    """Its points by the fit to people's votes, which count before the weight."""
    judged: bool = False
    """Whether people have said what they think of the result."""


def runs_to_review(
    runs: Iterable[Measured], doubts: Mapping[str, Sequence[DoubtRule]] | None = None, fitted: FittedSigns | None = None
) -> tuple[RunToReview, ...]:
    """Return the runs that lost most or are doubted most, at most `MOST_RUNS`.

    `doubts`: the signs of doubt by id of an imported run; our own runs have been judged. `fitted`: the fit to people's votes, by
    which runs are then ordered first; among equal points, those that nobody has judged yet come first.
    """

    def order(look: RunToReview) -> tuple[object, ...]:
        return -look.points, look.points > 0 and look.judged, -look.weight, look.run_id

    found = [_look(run, (doubts or {}).get(run.facts.run_id, ()), fitted) for run in runs if run.facts.end is not None]
    return tuple(sorted((look for look in found if look.reasons), key=order)[:MOST_RUNS])


def _look(run: Measured, signs: Sequence[DoubtRule], fitted: FittedSigns | None) -> RunToReview:
    points = {DISLIKED: STRONG, **fitted.points} if fitted is not None else {}

    def strength(loss: Loss) -> tuple[int, float]:
        return -points.get(loss.kind, 0), -loss.points

    losses = sorted(run.losses, key=strength)
    lost = dict.fromkeys(ReviewReason(loss.kind, loss.subject, loss.detail) for loss in losses)
    weight = sum(loss.points for loss in losses) + sum(sign.points for sign in signs) / DOUBTFUL
    reasons = (*(ReviewReason(f"sign: {sign.name}") for sign in signs), *lost)
    fitted_points = fitted.of(run.losses, run.facts.words) if fitted is not None else 0
    return RunToReview(run.facts.run_id, run.facts.job, weight, reasons[:MOST_REASONS], fitted_points, bool(run.facts.words))
