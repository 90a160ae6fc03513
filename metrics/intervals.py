"""Estimates with 95 % confidence intervals.

Sources: Wilson 1927 for shares; percentile bootstrap over runs (Efron) for means and ratios of a few dozen, the normal
approximation beyond; MOVER (Zou and Donner 2008; Newcombe 1998 for shares) for the difference of two independent estimates.
"""

import math
import random
from collections.abc import Sequence
from dataclasses import dataclass

Z = 1.959964
"""The 97.5 % point of the normal distribution: intervals hold 95 %."""

SMALL = 10
"""Below so many runs a sample is called small, and the report says so."""

FEW = 30
"""Below so many values between 0 and 1 the percentile bootstrap holds too little (92 of 100 at 25 skewed ones): Wilson
instead."""

MANY = 100
"""From so many runs on, the normal approximation replaces the bootstrap."""

RESAMPLES = 1000


@dataclass(frozen=True)
class Estimate:
    """A number with what is known of its uncertainty; None = nothing to measure."""

    value: float | None = None
    low: float | None = None
    high: float | None = None
    n: int = 0
    """Over how many runs (calls, replies) it was taken."""

    @property
    def small(self) -> bool:
        """Whether the sample is too small to build on."""
        return self.n < SMALL


def wilson(share: float, n: int) -> tuple[float, float]:
    """Wilson's interval for a share of n trials; conservative for the mean of any values between 0 and 1."""
    if n <= 0:
        return 0.0, 1.0
    middle = share + Z * Z / (2 * n)
    spread = Z * math.sqrt(max(share * (1 - share), 0.0) / n + Z * Z / (4 * n * n))
    scale = 1 + Z * Z / n
    return max(0.0, min(share, (middle - spread) / scale)), min(1.0, max(share, (middle + spread) / scale))


def rate(outcomes: Sequence[bool]) -> Estimate:
    """The share of outcomes that are true."""
    n = len(outcomes)
    if not n:
        return Estimate()
    share = sum(outcomes) / n
    return Estimate(share, *wilson(share, n), n)


def score(values: Sequence[float]) -> Estimate:
    """The mean of values between 0 and 1."""
    if len(values) < MANY or min(values) == max(values):
        return ratio(_pairs(values), bounded=True)
    found = mean(values)
    return Estimate(found.value, max(found.low or 0.0, 0.0), min(found.high or 1.0, 1.0), found.n)


def mean(values: Sequence[float]) -> Estimate:
    """The mean of any values; a single one, and values that are all alike, have no interval."""
    n = len(values)
    if n < MANY:
        return ratio(_pairs(values))
    value = math.fsum(values) / n
    if min(values) == max(values):
        return Estimate(value, None, None, n)
    spread = Z * math.sqrt(math.fsum((one - value) ** 2 for one in values) / (n * (n - 1)))
    return Estimate(value, value - spread, value + spread, n)


def _pairs(values: Sequence[float]) -> list[tuple[float, float]]:
    return [(value, 1.0) for value in values]


def ratio(pairs: Sequence[tuple[float, float]], *, bounded: bool = False) -> Estimate:
    """Σ numerators / Σ denominators, where runs (not calls) are independent of each other; runs without a denominator say
    nothing.

    `bounded`: between 0 and 1. A few such runs, or runs all alike, get Wilson's cautious interval, which never has no width.
    """
    pairs = [pair for pair in pairs if pair[1]]
    n, weight = len(pairs), math.fsum(below for _, below in pairs)
    if not n:
        return Estimate()
    value = math.fsum(above for above, _ in pairs) / weight
    if bounded and (n < FEW or len({above / below for above, below in pairs}) == 1):
        return Estimate(value, *wilson(value, n), n)
    if n == 1 or len(set(pairs)) == 1:  # values that are all alike say nothing of how they scatter
        return Estimate(value, None, None, n)
    low, high = _bootstrap_interval(pairs) if n < MANY else _normal_interval(pairs, value, weight)
    if bounded:
        low, high = max(low, 0.0), min(high, 1.0)
    return Estimate(value, min(low, value), max(high, value), n)


def _bootstrap_interval(pairs: Sequence[tuple[float, float]]) -> tuple[float, float]:
    n, found = len(pairs), []
    draw, pairs = random.Random(n), sorted(pairs)  # noqa: S311 - statistics, no secret; sorted: the order of runs changes nothing
    for _ in range(RESAMPLES):
        drawn = draw.choices(pairs, k=n)
        found.append(math.fsum(pair[0] for pair in drawn) / math.fsum(pair[1] for pair in drawn))
    found.sort()
    return found[int(0.025 * RESAMPLES)], found[int(0.975 * RESAMPLES)]


def _normal_interval(pairs: Sequence[tuple[float, float]], value: float, weight: float) -> tuple[float, float]:
    n = len(pairs)
    residue = math.fsum((above - value * below) ** 2 for above, below in pairs)
    spread = Z * math.sqrt(residue * n / (n - 1)) / weight
    return value - spread, value + spread


def difference(new: Estimate, old: Estimate) -> Estimate:
    """How much `new` is above `old`; without an interval where either has none."""
    if new.value is None or old.value is None:
        return Estimate()
    delta, n = new.value - old.value, min(new.n, old.n)
    if new.low is None or new.high is None or old.low is None or old.high is None:
        return Estimate(delta, None, None, n)
    down = math.hypot(new.value - new.low, old.high - old.value)
    up = math.hypot(new.high - new.value, old.value - old.low)
    return Estimate(delta, delta - down, delta + up, n)


def quantile(values: Sequence[float], share: float) -> float | None:
    """The value below which `share` of the sorted values lie (nearest rank)."""
    if not values:
        return None
    return values[min(max(math.ceil(share * len(values)) - 1, 0), len(values) - 1)]
