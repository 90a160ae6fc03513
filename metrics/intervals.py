"""Computes estimates with 95 % confidence intervals.

Sources: Wilson 1927 for shares; the percentile bootstrap over runs (Efron) for means and ratios of up to a hundred runs, the
normal approximation for more; MOVER (Zou and Donner 2008; Newcombe 1998 for shares) for the difference of two independent
estimates.
"""

import math
import random
from collections.abc import Sequence
from dataclasses import dataclass

Z = 1.959964
"""The 97.5 % point of the normal distribution, for intervals of 95 %."""

SMALL = 10
"""The report calls a sample with fewer runs small."""

FEW = 30
"""With fewer values between 0 and 1, Wilson's interval replaces the bootstrap, which covers too little (92 % with 25 skewed
values)."""

MANY = 100
"""From this number of runs on, the normal approximation replaces the bootstrap."""

RESAMPLES = 1000


@dataclass(frozen=True)
class Estimate:
    """A number with its confidence interval. A `value` of None means n/a; without `low` and `high`, the interval is unknown."""

    value: float | None = None
    low: float | None = None
    high: float | None = None
    n: int = 0
    """The number of runs (or calls, or replies) in the sample."""

    @property
    def small(self) -> bool:
        """Whether the sample is too small for conclusions."""
        return self.n < SMALL


def wilson(share: float, n: int) -> tuple[float, float]:
    """Return Wilson's interval for a share of n trials; it is conservative for the mean of other values between 0 and 1."""
    if n <= 0:
        return 0.0, 1.0
    middle = share + Z * Z / (2 * n)
    spread = Z * math.sqrt(max(share * (1 - share), 0.0) / n + Z * Z / (4 * n * n))
    scale = 1 + Z * Z / n
    return max(0.0, min(share, (middle - spread) / scale)), min(1.0, max(share, (middle + spread) / scale))


def rate(outcomes: Sequence[bool]) -> Estimate:
    """Estimate the share of outcomes that are true."""
    n = len(outcomes)
    if not n:
        return Estimate()
    share = sum(outcomes) / n
    return Estimate(share, *wilson(share, n), n)


def score(values: Sequence[float]) -> Estimate:
    """Estimate the mean of values between 0 and 1."""
    if len(values) < MANY or min(values) == max(values):
        return ratio(_pairs(values), bounded=True)
    found = mean(values)
    return Estimate(found.value, max(found.low or 0.0, 0.0), min(found.high or 1.0, 1.0), found.n)


def mean(values: Sequence[float]) -> Estimate:
    """Estimate the mean of any values; without an interval if there is only one value, or all are equal."""
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
    """Estimate Σ numerators / Σ denominators over runs, which are independent; runs with a denominator of 0 are ignored.

    `bounded` says that the ratio is between 0 and 1. Few such runs, or equal ones, get Wilson's interval, whose width is never 0.
    """
    pairs = [pair for pair in pairs if pair[1]]
    n, weight = len(pairs), math.fsum(below for _, below in pairs)
    if not n:
        return Estimate()
    value = math.fsum(above for above, _ in pairs) / weight
    if bounded and (n < FEW or len({above / below for above, below in pairs}) == 1):
        return Estimate(value, *wilson(value, n), n)
    if n == 1 or len(set(pairs)) == 1:  # equal values tell nothing about the variance
        return Estimate(value, None, None, n)
    low, high = _bootstrap_interval(pairs) if n < MANY else _normal_interval(pairs, value, weight)
    if bounded:
        low, high = max(low, 0.0), min(high, 1.0)
    return Estimate(value, min(low, value), max(high, value), n)


def _bootstrap_interval(pairs: Sequence[tuple[float, float]]) -> tuple[float, float]:
    n, found = len(pairs), []
    draw, pairs = random.Random(n), sorted(pairs)  # noqa: S311 - no secret; sorted, so that the order of runs has no influence
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
    """Estimate `new` - `old`; without an interval if either has none."""
    if new.value is None or old.value is None:
        return Estimate()
    delta, n = new.value - old.value, min(new.n, old.n)
    if new.low is None or new.high is None or old.low is None or old.high is None:
        return Estimate(delta, None, None, n)
    down = math.hypot(new.value - new.low, old.high - old.value)
    up = math.hypot(new.high - new.value, old.value - old.low)
    return Estimate(delta, delta - down, delta + up, n)


def quantile(values: Sequence[float], share: float) -> float | None:
    """Return the value below which `share` of the sorted values lie (nearest rank); None if there are no values."""
    if not values:
        return None
    return values[min(max(math.ceil(share * len(values)) - 1, 0), len(values) - 1)]
