"""How well a number tells two groups apart: the area under the ROC curve with a bootstrap interval."""

import random
from bisect import bisect_left, bisect_right
from collections.abc import Sequence

from metrics.intervals import Estimate, wilson

RESAMPLES = 400


def auc(good: Sequence[float], bad: Sequence[float]) -> Estimate:
    """The chance that a good run scores above a bad one, ties counting half; n/a without both.

    Where the groups are apart entirely, or all alike, resampling shows no spread: Wilson's interval over the smaller group instead.
    """
    if not good or not bad:
        return Estimate()
    value, draw = _area(good, bad), random.Random(1)
    found = sorted(_area(draw.choices(good, k=len(good)), draw.choices(bad, k=len(bad))) for _ in range(RESAMPLES))
    low, high = found[int(0.025 * RESAMPLES)], found[int(0.975 * RESAMPLES)]
    n = min(len(good), len(bad))
    return Estimate(value, *(wilson(value, n) if low == high else (low, high)), n)


def _area(good: Sequence[float], bad: Sequence[float]) -> float:
    ordered = sorted(bad)
    wins = sum(bisect_left(ordered, value) + bisect_right(ordered, value) for value in good)
    return wins / (2 * len(good) * len(bad))
