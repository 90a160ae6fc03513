"""Finds an expression of known figures that equals a figure, unless chance would produce one."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from decimal import Decimal
from itertools import combinations, permutations, product
from typing import NamedTuple

from autonomy.provenance.reckoning.derivations import is_measure
from autonomy.provenance.text.facts import CURRENCIES, Fact, number_key

MOST_TRIED = 24
"""Known figures of which expressions are made."""
MOST_ADDED = 8
"""Figures of which any three are added, or make a total: of more almost any figure is some sum."""
WINDOW = 0.25
"""Share of a figure by which an expression may differ from it and still tell how dense they lie there."""
MOST_BY_CHANCE = 0.16
"""Expressions that would meet a figure by chance, as dense as they lie around it. Of the figures of 95 true answers, each
altered once, 13 % then go unnoticed (7 % before, when most of those answers were sent back); 0.1 refuses four more of them."""
LEVELS = frozenset({"度", "番", "位", "階"})
"""Units of a level or a place: two of them have a difference, and no sum or product."""
FEWEST_SHARED = 3
"""Bare figures up to this number things in a text; a share of them is told as one of them."""
FARTHEST_BEYOND = 0.07
"""Share of a figure by which the exact one is beyond it, where it is told as a bound: over 80 % for 84."""
TIMES = frozenset({"ms", "秒", "分", "時間", "日", "週間", "か月", "年"})


class KnownFigure(NamedTuple):
    """A figure that has a source."""

    value: float
    unit: str


def known_figures(facts: Sequence[Fact]) -> list[KnownFigure]:
    """The figures of facts as they are reckoned with, each once; hours as minutes."""
    found = [KnownFigure(float(fact.keys[0]), fact.unit) for fact in facts if len(fact.keys[0]) < 20]
    return list(dict.fromkeys(KnownFigure(one.value * 60, "分") if one.unit == "時間" else one for one in found))


def columns_of(text: str, facts: Sequence[Fact]) -> list[list[Fact]]:
    """The facts that stand in one column of a Markdown table of a text, column by column."""
    found: dict[tuple[int, int], list[Fact]] = defaultdict(list)
    table, begun = 0, 0
    for line in text.splitlines(keepends=True):
        if line.lstrip().startswith("|"):
            for fact in facts:
                if begun <= fact.start < begun + len(line):
                    found[table, line[: fact.start - begun].count("|")].append(fact)
        else:
            table += 1
        begun += len(line)
    return [column for column in found.values() if len(column) > 1]


def scale_of(facts: Sequence[tuple[Fact, Sequence[Fact]]], asked: Sequence[Fact], read: Sequence[Fact]) -> float:
    """The factor by which a list was scaled, as a recipe for four to six; 0 if it was not.

    `facts`: figures of the text, each with those of the lines nearest to it; the factor is a figure of the request by one that
    was read, and two of them or more are their own by it: one may be another one by chance.
    """
    asked_figures, read_figures = ({float(fact.keys[0]) for fact in some if not is_measure(fact.unit)} for some in (asked, read))
    factors = {one / other for one in asked_figures for other in sorted(read_figures)[:MOST_SERVED] if other and one != other}
    fitting = {factor: sum(is_scaled(fact, near, factor) for fact, near in facts) for factor in factors if factor > 0}
    best = max(fitting, key=lambda factor: (fitting[factor], -factor), default=0.0)
    return best if fitting.get(best, 0) > 1 else 0.0


def is_scaled(fact: Fact, near: Sequence[Fact], factor: float) -> bool:
    """Whether a figure is one of its own lines times a factor, in the same unit."""
    value, half = float(fact.keys[0]), _half_a_place(fact, roughly=False)
    return any(other.unit == fact.unit and abs(float(other.keys[0]) * factor - value) <= half for other in near)


MOST_SERVED = 60
"""Figures that were read of which one may be the number that a list is for."""


def is_expression(fact: Fact, known: Sequence[KnownFigure], *, roughly: bool = False, beyond: int = 0) -> bool:
    """Whether a figure is a sum, difference, product, quotient, share or change of known ones, rounded to what it shows.

    The more expressions lie around a figure and the less of it is shown, the likelier one meets it by chance; then it proves
    nothing. `roughly`: it is called about so many, so that zeros at its end show nothing. `beyond`: the exact one is said to be
    more (1) or less (-1), and may be so by a few per cent.
    """
    if fact.unit == "時間":
        fact = fact._replace(unit="分", keys=(number_key(Decimal(fact.keys[0]) * 60),), text="")
    if fact.unit == "割":
        fact = fact._replace(unit="%", keys=(number_key(Decimal(fact.keys[0]) * 10),), text="")
    value = float(fact.keys[0])
    if not value:
        return False
    half = _half_a_place(fact, roughly=roughly)
    if beyond:  # the middle of what it may be
        half = abs(value) * FARTHEST_BEYOND / 2
        value += beyond * half
    tried = known[:MOST_TRIED]
    forms = (_shares(tried), _changes(tried)) if fact.unit == "%" else (_expressions(fact.unit, tried),)
    forms = (_times(tried),) if fact.unit == "倍" else forms
    itself = {abs(one.value) for one in known}  # times one, less nothing
    return any(_is_met(abs(value), half, [abs(one) for one in form if abs(one) not in itself]) for form in forms)


def _is_met(value: float, half: float, expressions: Sequence[float]) -> bool:
    """Whether one of the expressions is a figure as it is shown, and is so by more than chance."""
    low, high = value * (1 - WINDOW), value * (1 + WINDOW)
    around = {round(one, 9) for one in expressions if low <= one <= high}
    hit = any(abs(one - value) <= half * 1.000001 for one in around)
    return hit and len(around) * 2 * half / (high - low) <= MOST_BY_CHANCE


def _half_a_place(fact: Fact, *, roughly: bool) -> float:
    """Half of the last place that a figure shows: 0.05 for 37.1, 0.5 for 375, 5 for about 72,160."""
    shown = Decimal(fact.keys[0])
    if shown != shown.to_integral_value():
        written = fact.text.replace(",", "")
        point = written.find(".")
        places = next((at for at, mark in enumerate(written[point + 1 :]) if not mark.isdigit()), len(written) - point - 1)
        return float(0.5 / 10 ** max(places, -int(shown.as_tuple().exponent)))
    zeros = len(fact.keys[0]) - len(fact.keys[0].rstrip("0")) if roughly else 0
    return float(0.5 * 10 ** min(zeros, max(0, len(fact.keys[0].lstrip("-")) - 2)))


def _expressions(unit: str, known: Sequence[KnownFigure]) -> Iterator[float]:
    """What two or three figures make in a unit."""
    if unit == "°f":
        yield from (one.value * 9 / 5 + 32 for one in known if one.unit == "度")
    # A field may not name its unit.
    bare_too = unit not in TIMES and (not is_measure(unit) or unit in CURRENCIES or unit in LEVELS)
    same = [one.value for one in known if one.value and (one.unit == unit or (bare_too and not one.unit))]
    for one, other in combinations(same, 2):
        yield one - other
        if unit not in LEVELS:
            yield one + other
    if unit in LEVELS:
        return
    if len(same) <= MOST_ADDED:  # of many figures any is the sum of some three
        yield from (one + other + third for one, other, third in combinations(same, 3))
    if not is_measure(unit) and unit:
        return
    bare = [one.value for one in known if not is_measure(one.unit)]
    for figure in same:
        for one in bare:
            if one not in (0, 1, figure):
                yield figure * one
                yield figure / one
    if unit in CURRENCIES:
        yield from _exchanged(unit, known)


def _exchanged(unit: str, known: Sequence[KnownFigure]) -> Iterator[float]:
    """Sums of money in another currency, by one rate or by two over a third currency."""
    amounts = [one for one in known if one.unit in CURRENCIES and one.unit != unit]
    rates = [one for one in known if one.value not in (0, 1)]  # one of a currency is no rate
    for amount, rate in product(amounts, rates):
        if amount == rate:
            continue
        if rate.unit in ("", unit):
            yield amount.value * rate.value
            yield from (
                amount.value * rate.value / other.value
                for other in rates
                if other not in (amount, rate) and other.unit in ("", amount.unit)
            )
        if rate.unit in ("", amount.unit):
            yield amount.value / rate.value


def _shares(known: Sequence[KnownFigure]) -> Iterator[float]:
    """What share one figure is of another one, or of a total, in per cent."""
    for values in _of_one_unit(known):
        for part, whole in permutations(values, 2):
            if whole and whole > part:
                yield part / whole * 100
        for one, other, third in permutations(values[:MOST_ADDED], 3):
            if other < third and one + other + third:
                yield one / (one + other + third) * 100


def _times(known: Sequence[KnownFigure]) -> Iterator[float]:
    """How many times as much as another one a figure is."""
    for values in _of_one_unit(known):
        yield from (one / other for one, other in permutations(values, 2) if other and one > other)


def _changes(known: Sequence[KnownFigure]) -> Iterator[float]:
    """By how much a figure is more or less than another one, in per cent; twice as much is told so."""
    for values in _of_one_unit(known):
        for one, other in permutations(values, 2):
            if other:
                yield (one - other) / other * 100


def _of_one_unit(known: Sequence[KnownFigure]) -> Iterator[list[float]]:
    for unit in {one.unit for one in known} - {"%"}:
        yield [one.value for one in known if one.unit == unit and (unit or one.value > FEWEST_SHARED)]
