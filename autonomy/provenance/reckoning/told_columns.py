"""Derives the totals, means and shares of the columns and lists that a text shows, and what its equations make."""

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal

from autonomy.provenance.reckoning.derivations import counts_few
from autonomy.provenance.reckoning.expressions import LEVELS
from autonomy.provenance.reckoning.shown_working import EQUALS, worked_out
from autonomy.provenance.sources.tabular.columns import is_told_as
from autonomy.provenance.support import FactSupport, SentenceSupport
from autonomy.provenance.text.facts import Fact, FactKind
from metrics.text.phrases import patterns_of

SHOWN = "product"
"""How a figure follows whose reckoning the text shows."""
_PHRASES = patterns_of("autonomy.provenance")
_LISTED = re.compile(r" {0,6}(?:[-*•・]|\d{1,2}[.)]) ")
FEWEST_DIGITS = 2
"""Digits of a mean; one of fewer may be of anything."""


def with_reckoned_columns(text: str, found: list[SentenceSupport]) -> list[SentenceSupport]:
    """The sentences of a text, with those figures derived that its own columns, lists or equations make."""
    for _ in range(2):  # a total of totals
        if not any(one.fact.kind is FactKind.NUMBER and not one.supported for line in found for one in line.facts):
            break
        found = [_with_equations(text, line, _supported(found)) for line in found]
        figures = [one.fact for line in found for one in line.facts if one.supported and one.fact.kind is FactKind.NUMBER]
        found = [_derived(line, dict(_exceeded(text, line, figures))) for line in found]
        made = dict(_made_by_columns(text, found))
        found = [_derived(line, made) for line in found]
    return _with_results_told_again(found)


def _with_results_told_again(found: list[SentenceSupport]) -> list[SentenceSupport]:
    """The sentences, where a figure is told once more that follows in another one: the headline above its reckoning."""
    numbers = [one for line in found for one in line.facts if one.fact.kind is FactKind.NUMBER]
    results = {one.fact.keys[0] for one in numbers if one.derived and len(one.fact.keys[0]) > FEWEST_DIGITS}
    again = {one.fact: SHOWN for one in numbers if one.fact.keys[0] in results}
    return [_derived(line, again) for line in found] if again else found


def _supported(found: Sequence[SentenceSupport]) -> frozenset[str]:
    numbers = (one for line in found for one in line.facts if one.fact.kind is FactKind.NUMBER)
    return frozenset(one.fact.keys[0] for one in numbers if one.supported)


def _derived(line: SentenceSupport, made: Mapping[Fact, str]) -> SentenceSupport:
    if not any(one.fact in made and not one.supported for one in line.facts):
        return line
    facts = (one if one.supported else one._replace(derived=made.get(one.fact, "")) for one in line.facts)
    return line._replace(facts=tuple(facts))


def _with_equations(text: str, line: SentenceSupport, known: frozenset[str]) -> SentenceSupport:
    """A sentence with the results of its equations, and bare figures in them that the text tells elsewhere with a source."""
    if not (EQUALS.search(line.text) and any(not one.supported for one in line.facts)):
        return line
    bare = {one.fact: SHOWN for one in line.facts if _is_bare(one.fact) and one.fact.keys[0] in known}
    line = _derived(line, bare)
    proved = {one.fact for one in line.facts if one.supported}
    results = {
        result.keys[0]
        for result, from_ in worked_out(text, [one.fact for one in line.facts])
        if all(one in proved or counts_few(one) for one in from_)
    }
    numbers = (one.fact for one in line.facts if one.fact.kind is FactKind.NUMBER)
    return _derived(line, {fact: SHOWN for fact in numbers if fact.keys[0] in results})


def _exceeded(text: str, line: SentenceSupport, figures: Sequence[Fact]) -> Iterator[tuple[Fact, str]]:
    """Figures by which a figure of the sentence differs from one that the text tells: over the limit of 900, by 250."""
    own = [_value(one.fact) for one in line.facts if one.supported and one.fact.kind is FactKind.NUMBER]
    for one in line.facts if own else ():
        told_so = (
            one.fact.kind is FactKind.NUMBER
            and not one.supported
            and _PHRASES["differs_by_so_many"].search(text[: one.fact.start][-BEFORE_IT:])
        )
        if told_so and any(abs(_value(other) - this) == _value(one.fact) for other in figures for this in own):
            yield one.fact, "difference"


BEFORE_IT = 16
"""Characters in front of a figure in which it is told that something differs by it."""


def _is_bare(fact: Fact) -> bool:
    return fact.kind is FactKind.NUMBER and not fact.unit and len(fact.keys[0]) > 1


def _made_by_columns(text: str, found: Sequence[SentenceSupport]) -> Iterator[tuple[Fact, str]]:
    """The figures without a source that are the total or mean of a column or list, or their row's share of a column."""
    supports = [one for line in found for one in line.facts if one.fact.kind is FactKind.NUMBER]
    open_figures = [one.fact for one in supports if not one.supported]
    tables, lists = _tables(text, supports), _lists(text, supports)
    for group in (*(column for table in tables for column in _columns(table)), *lists):
        for unit in {one.fact.unit for one in group} - LEVELS - {"%"}:
            figures = [_value(one.fact) for one in group if one.supported and one.fact.unit == unit]
            if len(figures) < 2:
                continue
            total = sum(figures, Decimal())
            mean = total / len(figures)
            for fact in open_figures:
                if fact.unit == unit or not (fact.unit and unit):
                    if _value(fact) == total:
                        yield fact, "sum"
                    elif len(fact.keys[0]) >= FEWEST_DIGITS and is_told_as(mean, _value(fact)):
                        yield fact, "mean"
    for table in tables:
        yield from _shares(table)


def _shares(table: Sequence[Mapping[int, FactSupport]]) -> Iterator[tuple[Fact, str]]:
    """Percentages that are what a figure of their row is of the total of its column."""
    for at in {at for row in table for at in row}:
        figures = {number: _value(row[at].fact) for number, row in enumerate(table) if at in row and row[at].supported}
        figures = {number: figure for number, figure in figures.items() if table[number][at].fact.unit != "%"}
        if len(figures) < 2:
            continue
        total = sum(figures.values(), Decimal())
        total = total / 2 if total / 2 in figures.values() else total  # the last row tells it, too
        for number, figure in figures.items() if total else ():
            for one in table[number].values():
                if one.fact.unit == "%" and not one.supported and is_told_as(figure / total * 100, _value(one.fact)):
                    yield one.fact, "percentage"


def _value(fact: Fact) -> Decimal:
    return Decimal(fact.keys[0])


def _tables(text: str, supports: Sequence[FactSupport]) -> list[list[dict[int, FactSupport]]]:
    """The tables of a text, row by row, with the first figure of each cell by its column."""
    found: list[list[dict[int, FactSupport]]] = [[]]
    for begin, line in _lines(text):
        if not line.lstrip().startswith("|"):
            found.append([])
            continue
        row: dict[int, FactSupport] = {}
        for one in supports:
            if begin <= one.fact.start < begin + len(line):
                row.setdefault(line[: one.fact.start - begin].count("|"), one)
        found[-1].append(row)
    return [table for table in found if len(table) > 1]


def _columns(table: Sequence[Mapping[int, FactSupport]]) -> Iterator[list[FactSupport]]:
    columns: dict[int, list[FactSupport]] = defaultdict(list)
    for row in table:
        for at, one in row.items():
            columns[at].append(one)
    yield from columns.values()


def _lists(text: str, supports: Sequence[FactSupport]) -> list[list[FactSupport]]:
    """The first and the last figures of the lines of each list of a text."""
    found: list[list[list[FactSupport]]] = [[]]
    for begin, line in _lines(text):
        if _LISTED.match(line):
            found[-1].append([one for one in supports if begin <= one.fact.start < begin + len(line)])
        elif line.strip():
            found.append([])
    return [[line[at] for line in block if line] for block in found for at in (0, -1)]


def _lines(text: str) -> Iterator[tuple[int, str]]:
    begin = 0
    for line in text.splitlines(keepends=True):
        yield begin, line
        begin += len(line)
