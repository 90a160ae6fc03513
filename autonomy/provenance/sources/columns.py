"""Reckons with the figures of a result's columns: totals, means, their differences, and minutes told as hours."""

from collections import defaultdict
from collections.abc import Iterable
from decimal import Decimal
from itertools import permutations

MOST_COLUMNS = 60
_SIXTY = Decimal(60)


def column_figures(cells: Iterable[tuple[str, str, float]]) -> dict[Decimal, str]:
    """What follows from the columns of results, each with the way it follows. `cells`: call, key and value of each number."""
    columns: dict[tuple[str, str], list[Decimal]] = defaultdict(list)
    for call, key, value in cells:
        columns[call, key].append(Decimal(str(value)))
    several = dict([(place, values) for place, values in columns.items() if len(values) > 1][:MOST_COLUMNS])
    sums = {place: sum(values, Decimal(0)) for place, values in several.items()}
    found = {len_: "count" for values in several.values() for len_ in (Decimal(len(values)),)}
    for (call, key), total in sums.items():
        found[total] = "sum"
        found[total / len(several[call, key])] = "mean"
    for one, other in permutations(sums, 2):
        if one[1] == other[1]:
            found[sums[one] - sums[other]] = "difference"
    return found


def as_other_unit(value: Decimal, unit: str, figures: Iterable[Decimal]) -> bool:
    """Whether hours are some of these minutes (or minutes of these seconds), rounded to what is shown."""
    digits = max(0, -int(value.as_tuple().exponent))
    if unit == "°f":  # whole degrees are what people say
        return any(abs(figure * 9 / 5 + 32 - value) <= Decimal("0.6") for figure in figures)
    if unit not in ("時間", "分"):
        return False
    return any(round(figure / _SIXTY, digits) == value for figure in figures)
