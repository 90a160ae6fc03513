"""Reckons with the figures of a result's columns: totals, means, their differences, and minutes told as hours."""

from collections import defaultdict
from collections.abc import Iterable
from decimal import Decimal
from itertools import permutations

MOST_COLUMNS = 60
_SIXTY = Decimal(60)
_BYTES = {
    name: (Decimal(1000) ** power, Decimal(1024) ** power)
    for power, names in enumerate((("kb", "kib"), ("mb", "mib"), ("gb", "gib")), 1)
    for name in names
}
"""Sizes in bytes are told in either kind of thousands."""


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
        if one[1] == other[1] or one[0] == other[0]:  # one column of two calls, or what was planned and what was spent
            found.setdefault(sums[one] - sums[other], "difference")
    return found


def is_told_as(exact: Decimal, value: Decimal) -> bool:
    """Whether a figure is another one, rounded to the places that it shows; a half goes either way, as people do it."""
    return abs(exact - value) <= Decimal(5).scaleb(min(0, int(value.as_tuple().exponent)) - 1)


def as_other_unit(value: Decimal, unit: str, figures: Iterable[Decimal]) -> bool:
    """Whether hours are some of these minutes (or minutes of these seconds), rounded to what is shown."""
    digits = max(0, -int(value.as_tuple().exponent))
    if unit == "°f":  # whole degrees are what people say
        return any(abs(figure * 9 / 5 + 32 - value) <= Decimal("0.6") for figure in figures)
    if unit in _BYTES:
        return any(is_told_as(figure / size, value) for size in _BYTES[unit] for figure in figures if figure > size)
    if unit in ("秒", "分"):  # of milliseconds, as databases count them
        size = 1000 if unit == "秒" else 60_000
        if any(is_told_as(figure / size, value) for figure in figures if figure >= size):
            return True
    if unit not in ("時間", "分"):
        return False
    return any(round(figure / _SIXTY, digits) == value for figure in figures)
