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
    points: int = 0
    """Of a ranking that is fitted to people's votes: they come before the weight."""
    judged: bool = False
    """Whether people have said what they think of the result."""


def runs_to_review(
    runs: Iterable[Measured], doubts: Mapping[str, Sequence[DoubtRule]] | None = None, fitted: FittedSigns | None = None
) -> tuple[RunToReview, ...]:
    """The runs that lost most or are doubted most. `doubts`: the signs of imported runs; our own have been judged. `fitted`: what
    this installation's people disliked, which then comes first; of as many points, first what nobody has judged yet."""

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
