"""Derives a figure from what was read without being written there: counted, added, compared, rounded."""

import re
from collections.abc import Iterable, Iterator, Sequence
from datetime import date, timedelta
from decimal import Decimal, InvalidOperation, getcontext
from functools import lru_cache
from itertools import chain, combinations, islice, permutations, product

from autonomy.provenance.sources.evidence_units import EvidenceUnit
from autonomy.provenance.sources.read_evidence import units_of_key
from autonomy.provenance.sources.run_sources import Sources
from autonomy.provenance.sources.tabular.columns import as_other_unit, is_told_as
from autonomy.provenance.text.dates import is_iso_day, months_later
from autonomy.provenance.text.durations import durations
from autonomy.provenance.text.facts import CURRENCIES, Fact, FactKind, exact_facts_in, facts_in, number_key
from autonomy.provenance.text.normalize import normalize
from autonomy.provenance.text.units import conversions, is_even, measure_alike, uneven_to
from autonomy.provenance.text.word_data import load_words
from metrics.text.phrases import patterns_of

SMALLEST_OF_GROUPS = 100
"""A smaller figure is the mean of some group in almost any table."""
SMALLEST_TOTAL = 10
"""A smaller figure is the total of some group in almost any table."""
MOST_FIGURES = 40
"""Figures that are tried in pairs for sums, differences and percentages."""


def derivation(
    fact: Fact, sources: Sources, near: Sequence[EvidenceUnit], beside: Sequence[Fact], in_front: str = "", behind: str = ""
) -> str:
    """How a number follows from what was read: `count`, `listing`, `sum`, `mean`, `difference`, `product`, `rounding`,
    `percentage`, `conversion`; empty where it does not.

    `near`: the lines nearest to its sentence, best first; `beside`: facts of the sentence and of those before that have a
    source, or follow by themselves; three inventions of which one is the sum of the others would prove each other else;
    `in_front`: the words before it, which may say `about`; `behind`: those after it.
    """
    try:
        value = Decimal(fact.keys[0])
    except InvalidOperation:
        return ""
    others = [other for other in beside if other.kind is FactKind.NUMBER and other is not fact]
    shown = [number for unit in near for number in numbers(unit.text)]
    roughly = is_rough(in_front, len(in_front))
    timed = fact.unit in ("分", "時間")
    bound = is_bounded(f"{in_front}{fact.text}{behind}", len(in_front), len(in_front) + len(fact.text)) if timed else 0
    return (
        _of_time(value, fact.unit, near, beside, sources, bound=bound, roughly=roughly)
        or _of_the_whole(value, fact.unit, sources)
        or ("sum" if value >= SMALLEST_TOTAL and value in sources.sums_of_named(f"{in_front}{fact.text}{behind}") else "")
        or follows(fact, [*shown, *others], roughly=roughly)
        or ("difference" if _differs_in_a_row(value, fact.unit, near, others) else "")
        or ("percentage" if _is_share(value, fact.unit, others) and not _changed_by(in_front, behind) else "")
        or ("listing" if is_listing(fact, beside) else "")
        or _in_another_unit(value, _units(fact, behind), [*shown, *others], roughly=roughly)
        or _of_one_stated_anywhere(value, _units(fact, behind), sources, roughly=roughly)
        or _of_several(value, fact.unit, [*shown, *others], others)
        or _in_smaller_parts(value, fact.unit, sources, fact.text)
        or _in_the_unit_of_a_field(value, fact.unit, sources, roughly=roughly)
        or _of_one_column(value, fact.unit, sources)
    )


BEFORE_A_FIGURE = 16
"""Characters before a figure among which `about` stands."""
BEHIND_A_FIGURE = 8
_PHRASES = patterns_of("autonomy.provenance")


def is_rough(text: str, at: int, end: int | None = None) -> bool:
    """Whether the words before a place of a text call the figure there about so many; up to its end, those behind it, too."""
    if end is not None and _PHRASES["or_so"].search(text[end : end + BEHIND_A_FIGURE]):
        return True
    return bool(_PHRASES["about_so_many"].search(text[max(0, at - BEFORE_A_FIGURE) : at]))


def is_bounded(text: str, start: int, end: int) -> int:
    """Whether a text tells of a figure there that the exact one is above it (1: over 80 %, 8割以上) or below it (-1)."""
    before, behind = text[max(0, start - BEFORE_A_FIGURE) : start], text[end : end + BEHIND_A_FIGURE]
    if _PHRASES["at_least_so_many"].search(before) or _PHRASES["or_more"].search(behind):
        return 1
    return -1 if _PHRASES["at_most_so_many"].search(before) or _PHRASES["or_less"].search(behind) else 0


def is_for_all(text: str, start: int, end: int) -> bool:
    """Whether a text tells of a figure there that it is for all together: 合計6,110円, 285 EUR in all."""
    around = text[max(0, start - BEFORE_A_FIGURE) : start] + " " + text[end : end + BEHIND_A_TOTAL]
    return bool(_PHRASES["for_all_together"].search(around))


BEHIND_A_TOTAL = 14
"""Characters behind a figure among which `altogether` stands."""


def is_exact_rate(fact: Fact, stated: Sequence[Fact], sources: Sources) -> bool:
    """Whether a figure shown to so many places is, to all of them, a share or a quotient of two that the text states anywhere or
    of a column's total: 8.2 % of 48,370, 37.69 for each of 1,284."""
    shown = _SHOWN.search(fact.text.replace(",", ""))
    value = Decimal(shown.group()) if shown else Decimal(fact.keys[0])  # 8.0 is shown to one place
    places = -int(value.as_tuple().exponent)
    percent = fact.unit == "%"
    if places < 1 or not (percent or fact.unit in CURRENCIES) or (not percent and len(value.as_tuple().digits) < EXACT_DIGITS):
        return False
    figures = [Decimal(other.keys[0]) for other in stated if other.unit not in _LEVELS and len(other.keys[0]) < 30]
    totals = [figure for figure, how in sources.column_figures().items() if how == "sum"]
    wholes = [whole for whole in dict.fromkeys((*figures, *totals)) if whole][:MOST_FIGURES]
    scale = 100 if percent else 1
    exact = (part / whole * scale for part in dict.fromkeys(figures) for whole in wholes if part != whole)
    return any(is_told_as(abs(one), value) for one in exact)


_SHOWN = re.compile(r"\d+(?:\.\d+)?")
EXACT_DIGITS = 4
"""Digits from which on two figures of a text give a third one seldom by chance."""


def _adds_up(value: Decimal, figures: tuple[Decimal, ...]) -> bool:
    """Whether a figure that is no chance is the sum of two to four others."""
    return value >= SMALLEST_TOTAL and value in _sums_of_some(figures)


@lru_cache(maxsize=64)  # figure after figure of a list is held against the same ones
def _sums_of_some(figures: tuple[Decimal, ...]) -> frozenset[Decimal | int]:
    return frozenset(sum(some) for many in (2, 3, 4) for some in combinations(figures, many))


def _of_the_whole(value: Decimal, unit: str, sources: Sources) -> str:
    """How a figure follows from everything that was read: a count, a total of a column, the hour of a time."""
    small = value == value.to_integral_value() and 0 <= value <= 9
    if (small or value in sources.counts()) and not is_measure(unit):
        return "count"
    how = _reckoned(value, unit, sources) or _of_few_fields(value, unit, sources)
    return how or ("conversion" if not unit and _is_whole_hour(value, sources) else "")


def _differs_in_a_row(value: Decimal, unit: str, near: Sequence[EvidenceUnit], stated: Sequence[Fact]) -> bool:
    """Whether a figure is the difference of two of one line, or of the sentence itself."""
    lines = (_differences(numbers(line.text)) for line in (near[:3] if unit else near))
    return value in _differences(tuple(stated)) or any(value in found for found in lines)


LONGEST_LISTING = 60
"""Characters in which one sentence lists the times or days that it counts."""


def is_listing(fact: Fact, beside: Sequence[Fact]) -> bool:
    """Whether a number of times is that of the times, days or ids told beside it."""
    if fact.unit != "回" or fact.keys[0] in ("0", "1"):
        return False
    kinds = (FactKind.TIME, FactKind.ID, FactKind.DATE)
    in_front = [other for other in beside if 0 < fact.start - other.start <= LONGEST_LISTING]
    alike = [str(sum(other.kind is kind for other in listed)) for listed in (beside, in_front) for kind in kinds]
    return fact.keys[0] in alike


_MONTHS = 12


def _units(fact: Fact, behind: str) -> Sequence[str]:
    """The unit of a figure, or those that a word behind it may mean: pounds may be money, キロ a weight or a way."""
    spoken = (units for word, units in _SPOKEN.items() if behind.lstrip().startswith(word))
    return (fact.unit,) if fact.unit else next(spoken, [""])


_SPOKEN: dict[str, list[str]] = load_words("units")["spoken"]


def _in_another_unit(value: Decimal, units: Sequence[str], stated: Sequence[Fact], *, roughly: bool = False) -> str:
    """Whether a figure is one that is stated in another unit, or a sum of money by the month told by the year. `roughly`: it is
    called about so many, so that a zero at its end shows nothing."""
    for unit, other in product(units, stated):
        figure = Decimal(other.keys[0])
        for exact in conversions(figure, other.unit, unit) if unit != other.unit else ():
            if is_even(other.unit, unit):  # 2 hours are 120 minutes, and no 118
                near = abs(exact) < abs(figure) and is_told_as(exact, value)
            else:
                near = _is_near(exact, value, roughly=roughly)
            if exact == value or (near and (abs(exact) >= SMALLEST_CONVERTED or unit in _DEGREES)):
                return "conversion"
        if unit in CURRENCIES and other.unit in ("", unit) and value == Decimal(other.keys[0]) * _MONTHS:
            return "product"
    return ""


def _of_one_stated_anywhere(value: Decimal, units: Sequence[str], sources: Sources, *, roughly: bool) -> str:
    """Whether a figure is one of the few that any line states in a unit of which it is no whole number: who tells 30 knots in
    km/h may do so in another language, so that no line is near."""
    uneven = frozenset[str]().union(*map(uneven_to, units))
    lines = [line.text for line in sources.units[:MOST_LINES]] if uneven else []
    stated = {(other.keys[0], other.unit): other for line in lines for other in numbers(line) if other.unit in uneven}
    return _in_another_unit(value, units, [*stated.values()], roughly=roughly) if len(stated) <= FEW_MEASURES else ""


MOST_LINES = 400
FEW_MEASURES = 12
"""Of more, any figure is one of them in another unit."""


def _in_the_unit_of_a_field(value: Decimal, unit: str, sources: Sources, *, roughly: bool) -> str:
    """Whether a measure is a field whose name tells another unit: 1.2 km for `distance_meters: 1200`."""
    fields = sources.measured_fields(unit)
    is_field = len(fields) <= MOST_MEASURED and any(_is_near(figure, value, roughly=roughly) for figure in fields)
    return "conversion" if is_field else ""


MOST_MEASURED = 40
"""Fields of one kind; of more any figure is one of them in another unit."""


_DEGREES = frozenset({"度", "°f"})
SMALLEST_CONVERTED = Decimal("0.1")
"""A smaller one rounds to nothing."""


def _is_near(exact: Decimal, value: Decimal, *, roughly: bool) -> bool:
    """Whether a converted figure is told as another one, in full or in tens where it is called about so many."""
    tens = roughly and _is_multiple(value, 10) and value >= FEWEST_TENS and abs(exact - value) <= Decimal(5)
    return tens or is_told_as(exact, value) or _rounds(exact, value)


FEWEST_TENS = 50
"""A smaller figure in tens may be any of a few."""
MOST_ADDED = 8
"""Figures of a sentence of which some may add up."""


def _of_several(value: Decimal, unit: str, stated: Sequence[Fact], stated_beside: Sequence[Fact]) -> str:
    """Whether a figure follows from figures that are told beside it.

    It is the sum of two to four, a price times a number of things, or a price with or without a share that is stated (tax, a
    discount).
    """
    added = (Decimal(other.keys[0]) for other in stated_beside if other.unit == unit or not other.unit or not unit)
    if _adds_up(value, tuple(islice(added, MOST_ADDED))):
        return "sum"
    if len(value.as_tuple().digits) < FEWEST_DIGITS or unit not in CURRENCIES:
        return ""
    prices = _values(stated, unit)
    numbers_of_things = [Decimal(other.keys[0]) for other in stated if not is_measure(other.unit)]
    if any(price * many == value for price in prices for many in numbers_of_things):
        return "product"
    shares = _values(stated, "%")
    changed = any(price * (100 + sign * share) / 100 == value for price in prices for share in shares for sign in (1, -1))
    return "percentage" if changed else ""


_IN_FULL = re.compile(r"\d\.\d\d$")
"""A sum of money with its cents, whose currency stands elsewhere."""


def _in_smaller_parts(value: Decimal, unit: str, sources: Sources, shown: str = "") -> str:
    """Whether a percentage is read as a share of one (0.92), or a sum of money in cents, as payment services give it."""
    money = unit in ("USD", "EUR", "GBP") or (not unit and _IN_FULL.search(shown))
    parts = value / 100 if unit == "%" else value * 100 if money else None
    if parts is None:
        return ""
    key = number_key(parts)
    if sources.of_fact(Fact(FactKind.NUMBER, key, 0, 0, (key,))):
        return "conversion"
    if unit != "%" and (sources.column_figures().get(parts) == "sum" or parts in sources.group_totals()):
        return "sum"
    means = (figure * 100 for figure, how in sources.column_figures().items() if how == "mean")
    return "mean" if unit == "%" and any(is_told_as(mean, value) for mean in means) else ""


MOST_OF_A_COLUMN = 12
"""Rows of a table whose cells are compared with one another, half as many for a figure of two digits; in a longer column any
number is some difference."""


def _of_one_column(value: Decimal, unit: str, sources: Sources) -> str:
    """Whether a figure of several digits is the difference of two rows in one column: 320 yen less; of one digit, in a column
    that is named by its unit: 9 m² less."""
    digits = len(value.as_tuple().digits)
    if digits < 2:
        named = _pairs_of_columns(sources, MOST_OF_A_COLUMN, unit) if unit else ()
        return "difference" if any(value == one - other for one, other in named) else ""
    longest = MOST_OF_A_COLUMN if digits > 2 else MOST_OF_A_COLUMN // 2
    pairs = chain(_pairs_of_columns(sources, longest), _pairs_with_what_is_around(sources, longest))
    return "difference" if any(value == one - other for one, other in pairs if other) else ""


def _pairs_with_what_is_around(sources: Sources, longest: int) -> Iterator[tuple[Decimal, Decimal]]:
    """Each cell with each figure of the objects around its list, as a limit, both ways: 1,150 of 900."""
    for rows in sources.tables():
        for row in rows if len(rows) <= longest else ():
            around = [Decimal(text) for text in row.around if _BARE_FIGURE.fullmatch(text)]
            cells = [Decimal(str(cell)) for cell in row.cells.values() if type(cell) in (int, float)] if around else []
            for one, other in product(cells, around):
                yield one, other
                yield other, one


_BARE_FIGURE = re.compile(r"\d{1,12}(?:\.\d{1,6})?")


def _pairs_of_columns(sources: Sources, longest: int, unit: str = "") -> Iterator[tuple[Decimal, Decimal]]:
    """Each two cells of one column, of tables with so many rows at most. `unit`: what the column's name has to tell."""
    for rows in sources.tables():
        names = rows[0].cells if len(rows) <= longest else ()
        for name in (one for one in names if not unit or unit in units_of_key(one)):
            cells = [Decimal(str(row.cells[name])) for row in rows if isinstance(row.cells.get(name), int | float)]
            yield from permutations(cells, 2)


def is_share_of_a_change(beside: Iterable[Fact], sources: Sources, fact: Fact) -> bool:
    """Whether a percentage, or a number of tenths, is what a difference told beside it makes of the cell from which it is
    reckoned: 114 more, which is 10 %."""
    if fact.unit not in ("%", "割"):
        return False
    share = abs(Decimal(fact.keys[0]) * (10 if fact.unit == "割" else 1))
    near = Decimal(5) if fact.unit == "割" else Decimal("0.5")
    changes = {abs(Decimal(other.keys[0])) for other in beside if other.kind is FactKind.NUMBER and other.unit not in ("%", "割")}
    return any(
        other and abs(one - other) in changes and abs(abs(one - other) / abs(other) * 100 - share) <= near
        for one, other in _pairs_of_columns(sources, MOST_OF_A_COLUMN)
    )


def _of_time(
    value: Decimal,
    unit: str,
    near: Sequence[EvidenceUnit],
    beside: Sequence[Fact],
    sources: Sources,
    *,
    bound: int,
    roughly: bool,
) -> str:
    """Whether so much time lies between two times or days that were read or are told; with a bound (`is_bounded`), a little
    more or less, and of a rough span of an hour or more the nearest ten minutes."""
    if unit == "日":
        return "difference" if _is_days_between(value, beside, near, sources) else ""
    if unit not in ("分", "時間"):
        return ""
    spans = durations([*beside, *(time for line in near[:3] for time in exact_facts_in(normalize(line.text[:500])))])
    minutes = value if unit == "分" else value * 60
    known = spans | sources.minutes_taken()
    if bound:
        least, most = sorted((minutes, minutes * (1 + bound * BEYOND)))
        return "difference" if any(least <= span <= most for span in known) else ""
    if unit == "時間" and value >= LONGEST_EXACT_SPAN and value == value.to_integral_value():
        return "difference" if any(abs(minutes - span) <= HALF_AN_HOUR for span in known) else ""
    if roughly and minutes >= 60 and _is_multiple(minutes, 10):  # half an hour is told in places of hours: about 2.5
        away = HALF_OF_TEN if unit == "分" else QUARTER_OF_AN_HOUR
        return "difference" if any(abs(minutes - span) <= away for span in known) else ""
    is_near = any(abs(minutes - span) <= (1 if span >= LONGEST_EXACT_SPAN else 0) for span in known)
    return "difference" if is_near else ""


HALF_OF_TEN, QUARTER_OF_AN_HOUR = 5, 15
"""Minutes by which a rough span, told in tens of minutes or in half hours, may differ from the exact one."""
BEYOND = Decimal("0.25")
"""Share of a span by which the exact one may differ from its bound: 15 to 20 minutes are less than 20."""


def ends_of_spans(near: Sequence[EvidenceUnit], sources: Sources) -> frozenset[str]:
    """The ISO days, and of spans of months and years also the months, on which spans end that begin on a day told in the same
    line, or, where it tells none, beside it (a rule: 14 days from the day it is due) or on the day it was written (10か月後);
    spans are told with and without their last day."""
    found: set[str] = set()
    for line in near:
        facts = facts_in(line.text[:500], sources.day, sources.zone)
        days = [key for fact in facts if fact.kind is FactKind.DATE and not fact.relative for key in fact.keys if is_iso_day(key)]
        spans = [fact for fact in facts if fact.kind is FactKind.NUMBER and fact.unit in _SPANS and fact.keys[0].isdecimal()]
        found |= {
            _day_away(day, 0, -int(many))
            for many in _DAYS_BEFORE.findall(normalize(line.text[:500]))
            if int(many) <= LONGEST_SPAN
            for day in _days_beside(line, near, sources)
        }
        for span in spans:
            many = int(span.keys[0])
            months, length = (each * many for each in _SPANS[span.unit])
            own = (key for key in line.days if is_iso_day(key))
            for key in (days or {*own, *_days_beside(line, near, sources)}) if many <= LONGEST_SPAN else ():
                ends = {_day_away(key, months, length), _day_away(key, months, length - 1)}
                found |= ends | {end[:7] for end in ends if months}
    return frozenset(found - {""})


def _day_away(day: str, months: int, days: int) -> str:
    """The ISO day that is so many months and days from another one; empty beyond the calendar, whose last day means no end."""
    try:
        return (months_later(date.fromisoformat(day), months) + timedelta(days=days)).isoformat()
    except (ValueError, OverflowError):
        return ""


def _days_beside(line: EvidenceUnit, near: Sequence[EvidenceUnit], sources: Sources) -> frozenset[str]:
    """The ISO days that the lines near to one, and those of its own call, tell of: what a deadline is so many days before."""
    same = [unit for unit in sources.units if unit.call_id == line.call_id][:MOST_BESIDE]
    facts = (fact for unit in (*near, *same) for fact in facts_in(unit.text[:500], sources.day, sources.zone))
    days = {key for fact in facts if fact.kind is FactKind.DATE and not fact.relative for key in fact.keys if is_iso_day(key)}
    return frozenset(days) if len(days) <= MOST_DEADLINES else frozenset()


MOST_BESIDE = 30
MOST_DEADLINES = 8
"""Of more days any day is so many days before one."""
_DAYS_BEFORE = _PHRASES["days_before"]
_SPANS = {"年": (12, 0), "か月": (1, 0), "週間": (0, 7), "日": (0, 1)}
"""What a unit of time is in months and in days."""
LONGEST_SPAN = 1_000


def _is_days_between(value: Decimal, beside: Sequence[Fact], near: Sequence[EvidenceUnit], sources: Sources) -> bool:
    """Whether so many days lie between two days of the sentence, its evidence and today; a span may count both of its ends."""
    return bool({int(value), int(value) - 1} & _days_between(beside, near, sources))


def _days_between(beside: Sequence[Fact], near: Sequence[EvidenceUnit], sources: Sources) -> set[int]:
    day_keys = {key for other in beside if other.kind is FactKind.DATE for key in other.keys}
    for unit in near[:3]:
        day_keys |= unit.days | {
            key
            for other in facts_in(unit.text[:500], sources.day, sources.zone)
            if other.kind is FactKind.DATE
            for key in other.keys
        }
    days = [date.fromisoformat(key) for key in sorted(day_keys) if is_iso_day(key)][:MOST_FIGURES]
    return {abs((one - other).days) for one, other in permutations([*days, *([sources.day] if sources.day else [])], 2)}


HALF_AN_HOUR = 30
"""Minutes by which ten hours and more, told in whole ones, may be rounded."""
LONGEST_EXACT_SPAN = 10
"""Minutes between two times that are told to the minute; a longer span may be rounded by one, for times have seconds, too."""


def _is_whole_hour(value: Decimal, sources: Sources) -> bool:
    """Whether a bare figure is the hour of a full hour that was read: `10 to 12` for 10:00 and 12:00."""
    if value != value.to_integral_value() or not 0 < value <= 24:
        return False
    keys = tuple(f"{hour:02}:00" for hour in (int(value) % 24, (int(value) + 12) % 24))
    return any(sources.of_fact(Fact(FactKind.TIME, key, 0, 0, (key,))) for key in keys)


def _of_few_fields(value: Decimal, unit: str, sources: Sources) -> str:
    """How a large figure follows from fields whose unit stands in their name: 501k for 501,250, the sum or difference of two."""
    if value < SMALLEST_OF_FIELDS:
        return ""
    fields = sources.figures()[:MOST_FIELDS]
    few = [figure for figure in fields if figure >= SMALLEST_OF_FIELDS] if len(fields) <= FEW_FIELDS else []
    pairs = list(permutations(few, 2))
    if unit in CURRENCIES and any(one + other == value for one, other in pairs):
        return "sum"
    if unit in CURRENCIES and any(one - other == value for one, other in pairs):
        return "difference"
    exact = (*fields, *(one - other for one, other in pairs)) if _is_multiple(value, 1000) else ()
    return "rounding" if any(_rounds(figure, value) for figure in exact) else ""


MOST_FIELDS = 2_000
SMALLEST_OF_FIELDS = 1_000
"""Smaller figures are the sum or difference of some two by chance."""
FEW_FIELDS = 12
"""Of more figures any round number is some difference."""


def _differences(figures: tuple[Fact, ...]) -> frozenset[Decimal]:
    """The differences of two bare figures of one row; in a row of many figures any number is some difference."""
    return _differences_of_few(figures) if len(figures) <= MOST_OF_A_ROW else frozenset()


@lru_cache(maxsize=512)  # each figure of an answer is held against the lines nearest to its sentence
def _differences_of_few(figures: tuple[Fact, ...]) -> frozenset[Decimal]:
    pairs = permutations([figure for figure in _values(figures, "") if figure], 2)
    return frozenset(one - other for one, other in pairs)


MOST_OF_A_ROW = 4


FEWEST_DIGITS = 3
"""A shorter figure is the quotient of some two by chance."""


def _is_share(value: Decimal, unit: str, figures: Sequence[Fact]) -> bool:
    """Whether a percentage, or a number of tenths, is what two figures beside it make, which have their own sources."""
    if unit not in ("%", "割"):
        return False
    percent = value * 10 if unit == "割" else value
    stated = [Decimal(other.keys[0]) for other in figures if other.unit not in ("%", "割")][:MOST_FIGURES]
    return any(whole and abs(part / whole * 100 - percent) <= Decimal("0.5") for part, whole in permutations(stated, 2))


def _changed_by(in_front: str, behind: str) -> bool:
    """Whether the words around a percentage say that something rose or fell by it: that is no share of anything."""
    around = (
        f"{re.split('[,;:。、（(]', in_front[-BEFORE_A_FIGURE:])[-1]} {re.split('[,;:。、）)]', behind[:BEHIND_A_FIGURE])[0]}"
    )
    return any(_PHRASES[phrase].search(around) for phrase in ("tells_a_rise", "tells_a_fall"))


def in_units_of(value: Decimal, unit: str, figures: Iterable[Decimal], written_in: Iterable[str], *, roughly: bool) -> bool:
    """Whether a measure is one of these bare figures, which a result gives in one of these units."""
    alike = [other for other in written_in if measure_alike(other, unit)]
    exact = (one for figure in figures for other in alike for one in conversions(figure, other, unit))
    return any(_is_near(one, value, roughly=roughly) for one in exact)


def _reckoned(value: Decimal, unit: str, sources: Sources) -> str:
    """How a figure follows from whole columns of a result: a total, a mean, a difference of totals, the same in another unit."""
    found = sources.column_figures()
    how = next((how for figure, how in found.items() if how != "count" and is_told_as(figure, value)), "")
    if not how and value >= SMALLEST_OF_FIELDS:  # 385,000 for 385,273.50
        how = next((how for figure, how in found.items() if how == "sum" and _rounds(figure, value)), "")
    if not how and value >= SMALLEST_TOTAL and value in sources.group_totals():
        how = "sum"
    if not how and value >= SMALLEST_OF_GROUPS and unit in CURRENCIES and value in sources.row_sums():
        how = "sum"
    if not how and value >= SMALLEST_OF_GROUPS and value in sources.sums_of_products():
        how = "sum"
    if not how and value >= SMALLEST_OF_GROUPS and any(is_told_as(mean, value) for mean in sources.group_means()):
        how = "mean"
    return how or ("conversion" if as_other_unit(value, unit, sources.measured) else "")


def is_measure(unit: str) -> bool:
    """Whether a unit measures and does not count: a figure with it cannot come from counting what was read."""
    return unit in _MEASURES


def counts_few(fact: Fact) -> bool:
    """Whether a number counts so few things that an equation may take it without a source."""
    return fact.keys[0] in _FEW and not is_measure(fact.unit)


_FEW = frozenset("123456789")
_MEASURES: frozenset[str] = frozenset(load_words("units")["measures"])
_LEVELS: frozenset[str] = frozenset(load_words("units")["levels"])
"""Units of a state, a share or a rank: two of them make no sum."""


def numbers(text: str) -> tuple[Fact, ...]:
    """The numbers that a line states."""
    return _numbers_in(text[:LONGEST_LINE])


LONGEST_LINE = 2_000


@lru_cache(maxsize=512)  # each figure of an answer is held against the lines nearest to its sentence
def _numbers_in(line: str) -> tuple[Fact, ...]:
    return tuple(fact for fact in exact_facts_in(normalize(line)) if fact.kind is FactKind.NUMBER)


def follows(fact: Fact, stated: Sequence[Fact], *, roughly: bool = False) -> str:
    """How a figure follows from two others of one unit, or from rounding one; empty when it does not. `roughly`: it is called
    about so many, and a percentage in fives may then be the nearest of them."""
    value, same = Decimal(fact.keys[0]), _values(stated, fact.unit)
    others, size = frozenset(same), value.adjusted()
    if any(other.adjusted() == size and value != other and _rounds(other, value) for other in same):
        return "rounding"
    if fact.unit and fact.unit not in _LEVELS and any(value - one in others and value - one != one for one in same):
        return "sum"
    if fact.unit and value and any(value + other in others for other in same):
        return "difference"
    if fact.unit in ("%", "割"):
        share = abs(value * 10 if fact.unit == "割" else value)
        in_fives = roughly and _is_multiple(value, 5)
        near = Decimal(5) if fact.unit == "割" else Decimal("2.5") if in_fives else Decimal("0.5")
        of_it = near if fact.unit == "割" else Decimal("0.5")
        for unit in {number.unit for number in stated}:
            for part, whole in permutations(_values(stated, unit), 2):
                if whole and (
                    abs(abs(whole - part) / whole * 100 - share) <= near or abs(abs(part / whole) * 100 - share) <= of_it
                ):
                    return "percentage"
    return ""


def _is_multiple(value: Decimal, of: int) -> bool:
    """Whether a figure is so many whole ones of another; no number is that has more digits than `decimal` reckons with."""
    return value.adjusted() < getcontext().prec and value % of == 0


def _values(stated: Iterable[Fact], unit: str) -> list[Decimal]:
    found = dict[Decimal, None]()
    for fact in stated:
        if fact.unit == unit and len(fact.keys[0]) < 30:
            found[Decimal(fact.keys[0])] = None
            if len(found) == MOST_FIGURES:
                break
    return list(found)


def _rounds(exact: Decimal, value: Decimal) -> bool:
    """Whether `value` is `exact` rounded to two or more figures."""
    if not value or exact.adjusted() != value.adjusted():
        return False
    figures = max(2, len(value.normalize().as_tuple().digits))
    return abs(exact - value) <= Decimal(5).scaleb(value.adjusted() - figures)
