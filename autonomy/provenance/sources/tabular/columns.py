"""Computes with the columns of a result: totals, means, differences, minutes as hours."""

import re
from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from decimal import Decimal
from itertools import permutations
from typing import NamedTuple, Self

from autonomy.provenance.sources.result_rows import Row
from autonomy.provenance.sources.tabular.tables import Table
from autonomy.provenance.text.units import ratios

MOST_COLUMNS = 60
_SIXTY = Decimal(60)
_BYTES = {unit: ratios(unit, "b") for unit in ("kb", "kib", "mb", "mib", "gb", "gib", "tb")}


def column_figures(cells: Iterable[tuple[tuple[str, str], Decimal]]) -> dict[Decimal, str]:
    """The figures that can be computed from the columns of results, each with its derivation. `cells`: of each number its call
    and key, and its value."""
    columns: dict[tuple[str, str], list[Decimal]] = defaultdict(list)
    calls: dict[str, set[str]] = defaultdict(set)
    for place, value in cells:
        columns[place].append(value)
    for call, key in columns:
        calls[key].add(call)
    for key, pages in calls.items():
        if len(pages) > 1:
            columns["", key] = [value for call in pages for value in columns[call, key]]
    several = dict([(place, values) for place, values in columns.items() if len(values) > 1][:MOST_COLUMNS])
    sums = {place: sum(values, Decimal(0)) for place, values in several.items() if all(map(Decimal.is_finite, values))}
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
    return abs(exact - value) <= _half(value)


def _half(value: Decimal) -> Decimal:
    """Half of the last place that a figure shows."""
    return Decimal(5).scaleb(min(0, int(value.as_tuple().exponent)) - 1)


class MeasuredFigures(NamedTuple):
    """Figures that may be measures, by size: of thousands only those near to what is asked for are computed with."""

    figures: list[Decimal]
    sizes: list[float]
    """The same, in the same order."""

    @classmethod
    def of(cls, figures: Iterable[Decimal]) -> Self:
        """Those that are finite and no longer than a measure."""
        found = [figure for figure in figures if figure.is_finite() and abs(figure) < MOST_MEASURED]
        found.sort(key=float)
        return cls(found, [*map(float, found)])

    def near(self, middle: Decimal, away: Decimal) -> Iterator[Decimal]:
        """Those that are at most so far from one, and some beyond."""
        wide = float(away) * 2 + abs(float(middle)) * 1e-9
        yield from self.figures[bisect_left(self.sizes, float(middle) - wide) : bisect_right(self.sizes, float(middle) + wide)]


def as_other_unit(value: Decimal, unit: str, measured: Callable[[], MeasuredFigures]) -> bool:
    """Whether hours are some of these minutes (or minutes of these seconds), rounded to what is shown. `measured`: asked for
    units alone of which that can be."""
    if unit not in _CONVERTED:
        return False
    figures, half = measured(), _half(value)
    digits = max(0, -int(value.as_tuple().exponent))
    if unit == "°f":  # whole degrees are what people say
        near = figures.near((value - 32) * 5 / 9, Decimal(1))
        return any(abs(figure * 9 / 5 + 32 - value) <= Decimal("0.6") for figure in near)
    if unit in _BYTES:
        sizes = _BYTES[unit]
        return any(
            figure > size and is_told_as(figure / size, value)
            for size in sizes
            for figure in figures.near(value * size, half * size)
        )
    size = _SIZES[unit]
    near = figures.near(value * size, half * size)
    if any(abs(figure / size - value) <= half for figure in near if figure >= size or unit == "kwh"):
        return True
    if unit not in ("時間", "分"):
        return False
    return any(round(figure / _SIXTY, digits) == value for figure in figures.near(value * _SIXTY, half * _SIXTY))


_SIZES = {"秒": 1000, "分": 60_000, "時間": 3600, "kwh": 1000}
"""Milliseconds, as databases count them, seconds and watt-hours, as meters do, in one of a unit."""
_CONVERTED = frozenset({"°f", "秒", "分", "時間", "kwh", *_BYTES})
"""Units in which a bare figure may be told that was read in another one."""
MOST_MEASURED = Decimal(10) ** 18
"""A longer number is an id and measures nothing; what has more than 28 digits cannot be rounded either."""
_HOURS = re.compile(r"(\d{1,4}):([0-5]\d)")
_LONGEST_DAY = 24 * 60
MOST_TIMED_ROWS = 500
_TELLS_HOURS = re.compile(r"残業|時間|勤務|稼働|hours?\b|overtime|duration|elapsed|worked|spent|logged", re.IGNORECASE)
"""A column, or the sheet around it, that holds spans; without it `9:30` is a time of day."""


def sheet_minutes(tables: Sequence[Table]) -> frozenset[int]:
    """The minutes that such columns tell: of each cell, in all, in the mean, by each column of words, and more or less than in
    another column."""
    found: set[int] = set()
    for table in tables:
        columns = _hours_of(table[:MOST_TIMED_ROWS])
        for spans in columns.values():
            total = sum(spans.values())
            found |= {*spans.values(), total, round(total / len(spans))}
            found |= _minutes_by_groups(table, spans)
        for one, other in permutations(columns.values(), 2):
            found |= {spans - other[at] for at, spans in one.items() if at in other and spans > other[at]}
            found.add(sum(one.values()) - sum(other.values()))
    return frozenset(minutes for minutes in found if minutes > 0)


def _hours_of(table: Sequence[Row]) -> dict[str, dict[int, int]]:
    """The columns of spans, each as minutes by row."""
    found: dict[str, dict[int, int]] = {}
    for name in table[0].cells:
        read = [(at, _HOURS.fullmatch(str(row.cells.get(name, "")))) for at, row in enumerate(table)]
        spans = {at: 60 * int(match[1]) + int(match[2]) for at, match in read if match}
        if len(spans) > 1 and len(spans) >= len(table) - 1:  # the last row may be a total
            found[name] = spans
    has_hours = any(_TELLS_HOURS.search(name) for name in found) or any(
        _TELLS_HOURS.search(word) for word in (table[0].table, *table[0].around)
    )
    longer = any(minutes >= _LONGEST_DAY for spans in found.values() for minutes in spans.values())
    return found if has_hours or longer else {}


def _minutes_by_groups(table: Sequence[Row], spans: dict[int, int]) -> set[int]:
    sums: dict[tuple[str, str], int] = defaultdict(int)
    for at, minutes in spans.items():
        for name, cell in table[at].cells.items():
            if isinstance(cell, str) and not _HOURS.fullmatch(cell):
                sums[name, cell] += minutes
    return set(sums.values())
