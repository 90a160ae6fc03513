"""Fits the ranking of runs worth a look to people's votes.

A sign is the kind of a lost point (`metrics.autonomy.Loss.kind`), computed as if nobody had voted. Signs get only whole points,
by the rule of `points_of`, so that a person can check each of them by hand. Only `voted_runs` reads a journal; the rest is pure.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from hashlib import sha256
from typing import Annotated, NamedTuple

from pydantic import BaseModel, ConfigDict, Field, field_validator, model_validator

from metrics.autonomy import DISLIKED, Loss, score
from metrics.events import RunEvent
from metrics.intervals import Estimate, rate
from metrics.journal import Journal
from metrics.measures import measure
from metrics.reporting.report_words import CAUSES, Language, word
from metrics.run_facts import NOTHING, RunFacts

FEWEST_VOTED = 100
"""How many runs with a vote a fit needs: with fewer, each of the twenty signs shows in too few runs."""
FEWEST_OF_A_KIND = 10
"""How many liked runs, and how many disliked runs, a fit needs."""
MARGIN = 0.05
"""How far the lower end of a sign's interval must lie above the base rate of disliked runs, so that luck earns no points."""
AIM = 0.92
"""The precision required of *doubtful*, the same as for other agents' runs (docs/validity.md)."""
MOST_LIKED = 0.05
"""The largest share of the liked runs that *doubtful* may include."""
FOLDS = 5
"""In how many parts the runs are divided for cross-validation."""
WEAK, STRONG = 1, 2
"""The points of a sign that beats the base rate, and of one that is precise enough by itself."""

SIGNS = frozenset(kind for kind in CAUSES if not kind.startswith("sign: ")) - {DISLIKED}
"""The kinds of lost points that a fit may give points to. A vote itself is none of them, because votes are what is predicted."""


class VotedRun(NamedTuple):
    """One run that people judged."""

    run_id: str
    lost: Mapping[str, float]
    """Each sign that it shows → what that cost of the score (0 to 1)."""
    disliked: bool
    """Whether the last vote of anybody is a dislike."""


@dataclass(frozen=True)
class SignRecord:
    """How well a sign predicts dislike, among the runs that people judged."""

    sign: str
    runs: int
    """How many runs show it."""
    disliked: int
    """How many of those were disliked."""
    precision: Estimate
    shipped: float
    """Its weight without a fit: what it cost such a run of its score (0 to 1), on average."""
    points: int
    """Its weight with the fit: 0, 1 or 2."""


@dataclass(frozen=True)
class Doubted:
    """How many disliked and liked runs have at least some number of points."""

    disliked: int
    liked: int

    @property
    def precision(self) -> Estimate:
        """The share of the doubted runs that were disliked."""
        return rate([True] * self.disliked + [False] * self.liked)

    def good_enough(self, liked: int) -> bool:
        """Whether precision and false alarms keep the aim. `liked`: how many liked runs there are in total."""
        return self.disliked >= AIM * (self.disliked + self.liked) > 0 and self.liked <= MOST_LIKED * liked


@dataclass(frozen=True)
class SignFit:
    """The outcome of fitting points to people's votes."""

    voted: int
    disliked: int
    signs: tuple[SignRecord, ...]
    """Those with the most points first, then by precision."""
    chosen: int | None
    """The fewest points that keep the aim on all voted runs; None if no number does."""
    checked: Doubted
    """Cross-validation: what is found in each fifth of the runs when points and bound are fitted to the other four."""

    @property
    def doubtful_from(self) -> int | None:
        """From how many points on a run is *doubtful*: `chosen` if cross-validation keeps the aim as well; else None."""
        return self.chosen if self.checked.good_enough(self.voted - self.disliked) else None

    @property
    def points(self) -> dict[str, int]:
        """The points of each sign that has any."""
        return {record.sign: record.points for record in self.signs if record.points}

    @property
    def too_few(self) -> str:
        """Why nothing can be fitted, in a sentence; empty where there are enough votes."""
        liked = self.voted - self.disliked
        if self.voted >= FEWEST_VOTED and min(liked, self.disliked) >= FEWEST_OF_A_KIND:
            return ""
        return (
            f"{self.voted} runs have a vote, {liked} liked and {self.disliked} disliked; a fit takes {FEWEST_VOTED} runs, "
            f"and {FEWEST_OF_A_KIND} of each kind"
        )


class FittedSigns(BaseModel):
    """A fit that an installation has adopted, as its file stores it."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)

    votes: int = Field(ge=1)
    """How many voted runs it was fitted to."""
    fitted_on: date
    doubtful_from: int | None = Field(default=None, ge=1)
    points: Mapping[str, Annotated[int, Field(ge=0, le=STRONG)]] = Field(default_factory=dict)

    @field_validator("points")
    @classmethod
    def _known(cls, points: Mapping[str, int]) -> Mapping[str, int]:
        if unknown := sorted(points.keys() - SIGNS):
            raise ValueError(f"there is no sign {unknown[0]!r}; the signs are {', '.join(sorted(SIGNS))}")
        return points

    @model_validator(mode="after")
    def _can_be_reached(self) -> "FittedSigns":
        if self.doubtful_from is not None and self.doubtful_from > sum(self.points.values()):
            raise ValueError(f"no run can have the {self.doubtful_from} points of doubtful_from")
        return self

    def of(self, losses: Sequence[Loss], words: Sequence[bool]) -> int:
        """Return the points of a run. `words`: people's votes on its result (True for a like), which count instead of signs."""
        if words:
            return 0 if all(words) else self.doubtful_from or STRONG
        return _points({loss.kind for loss in losses}, self.points)


def fit_note(fitted: FittedSigns | None, doubtful: int, language: Language) -> str:
    """Return a sentence on the fit that ranks the runs worth a look; empty for the shipped ranking. `doubtful`: how many of the
    runs are doubtful."""
    if fitted is None:
        return ""
    first = word("fitted_doubtful", language, n=doubtful, bound=fitted.doubtful_from) if doubtful else ""
    return word("fitted", language, votes=fitted.votes, on=fitted.fitted_on) + first


async def voted_runs(journal: Journal, *, tenant: str) -> tuple[VotedRun, ...]:
    """Return the ended runs of a tenant that people judged, except rehearsals, ordered by id."""

    def ids(events: Iterator[RunEvent]) -> list[str]:
        return sorted({event.run_id for event in events})

    found = list[VotedRun]()
    for run_id in await journal.scan(ids, tenant=tenant, types=("feedback_given",)):
        facts = measure(await journal.read(run_id=run_id)).facts.get(run_id)
        if facts is not None and facts.end is not None and facts.start is not None and not facts.simulated:
            found.append(voted_run(facts))
    return tuple(found)


def voted_run(facts: RunFacts) -> VotedRun:
    """Return what a run would have lost if nobody had voted, because a vote must not predict itself. Removes the votes from
    `facts`."""
    disliked, facts.votes = not all(facts.words), NOTHING
    lost = dict[str, float]()
    for loss in score(facts)[1]:
        lost[loss.kind] = lost.get(loss.kind, 0.0) + loss.points
    return VotedRun(facts.run_id, lost, disliked)


def fit_signs(runs: Sequence[VotedRun]) -> SignFit:
    """Count the signs, give them points, and cross-validate both."""
    records = _records(runs)
    found = [Doubted(0, 0)]
    for fold in range(FOLDS):
        others = [run for run in runs if _fold(run) != fold]
        points = {record.sign: record.points for record in _records(others)}
        bound = _bound(others, points)
        if bound is not None:
            found.append(_doubted([run for run in runs if _fold(run) == fold], points, bound))
    checked = Doubted(sum(one.disliked for one in found), sum(one.liked for one in found))
    bound = _bound(runs, {record.sign: record.points for record in records})
    return SignFit(len(runs), sum(run.disliked for run in runs), records, bound, checked)


def points_of(precision: Estimate, base: float) -> int:
    """Return the points of a sign: 0 unless ten runs show it and the lower end of its interval is above the base rate by
    `MARGIN`; 2 if its precision also keeps the aim; else 1. `base`: the share (0 to 1) of all voted runs that were disliked."""
    if precision.small or precision.value is None or precision.low is None or precision.low < base + MARGIN:
        return 0
    return STRONG if precision.value >= AIM else WEAK


def _records(runs: Sequence[VotedRun]) -> tuple[SignRecord, ...]:
    base = sum(run.disliked for run in runs) / len(runs) if runs else 0.0
    shown = dict[str, list[VotedRun]]()
    for run in runs:
        for sign in run.lost:
            shown.setdefault(sign, []).append(run)
    records = []
    for sign, those in shown.items():
        precision = rate([run.disliked for run in those])
        shipped = sum(run.lost[sign] for run in those) / len(those)
        disliked = sum(run.disliked for run in those)
        records.append(SignRecord(sign, len(those), disliked, precision, shipped, points_of(precision, base)))
    return tuple(sorted(records, key=lambda record: (-record.points, -(record.precision.value or 0.0), record.sign)))


def _bound(runs: Sequence[VotedRun], points: Mapping[str, int]) -> int | None:
    """Return the fewest points that keep the aim, because fewer points find more of the disliked runs; None if no number does."""
    liked = sum(not run.disliked for run in runs)
    sums = sorted({_points(run.lost, points) for run in runs} - {0})
    return next((bound for bound in sums if _doubted(runs, points, bound).good_enough(liked)), None)


def _doubted(runs: Sequence[VotedRun], points: Mapping[str, int], bound: int) -> Doubted:
    doubted = [run.disliked for run in runs if _points(run.lost, points) >= bound]
    return Doubted(sum(doubted), len(doubted) - sum(doubted))


def _points(signs: Collection[str], points: Mapping[str, int]) -> int:
    return sum(points.get(sign, 0) for sign in signs)


def _fold(run: VotedRun) -> int:
    """Return the part that a run belongs to. It depends on the id alone, so that other runs do not move it."""
    return sha256(run.run_id.encode()).digest()[0] % FOLDS
