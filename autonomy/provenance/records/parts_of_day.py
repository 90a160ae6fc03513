"""Finds weather and chances that are told of another part of the day than a forecast gives them for."""

import re
from collections.abc import Iterable, Iterator
from decimal import Decimal
from functools import cache
from typing import NamedTuple

from autonomy.provenance.sources.run_sources import Sources
from autonomy.provenance.sources.tabular.tables import Table
from autonomy.provenance.support import SentenceSupport
from autonomy.provenance.text.dates import local_moment
from autonomy.provenance.text.facts import FactKind, facts_in
from autonomy.provenance.text.normalize import normalize
from autonomy.provenance.text.word_data import load_words
from metrics.text.phrases import patterns_of

_PHRASES = patterns_of("autonomy.provenance")
WHOLE_DAY = 24
LONGEST_LINE = 300
"""Characters of a line of a forecast; longer ones are prose, in which a part of the day may belong to anything."""


class PartOfDay(NamedTuple):
    """Hours of a day; those from 24 on are of the night that follows, and of the one before."""

    begin: int
    end: int

    def meets(self, other: "PartOfDay") -> bool:
        """Whether they have an hour in common."""
        shifts = (-WHOLE_DAY, 0, WHOLE_DAY)
        return any(self.begin + shift < other.end and other.begin < self.end + shift for shift in shifts)


def of_another_part(sentence: SentenceSupport, sources: Sources) -> Iterator[str]:
    """What a forecast says, where a clause tells its weather or its chance of another part of the day."""
    for clause in _PHRASES["parts_a_forecast"].split(normalize(sentence.text)):
        spans = _spans_in(clause) if clause and not _PHRASES["denies_a_deed"].search(clause) else []
        if len(spans) == 1:
            shares = [fact for fact in facts_in(clause) if fact.kind is FactKind.NUMBER and fact.unit == "%"]
            if len(shares) == 1:
                yield from _chance_of_another(Decimal(shares[0].keys[0]), spans[0], sources)
            elif not shares:
                yield from _weather_of_another(clause, spans[0], sources)


def _chance_of_another(chance: Decimal, told: PartOfDay, sources: Sources) -> Iterator[str]:
    """The hours for which alone a forecast gives a share."""
    rows = [row for table in sources.tables() for row in _rows_by_hours(table)]
    inside = [figures for span, figures in rows if span.meets(told)]
    shown = [span for span, figures in rows if chance in figures]
    if inside and shown and not any(chance in figures for figures in inside):
        yield f"{chance} %: {shown[0].begin}:00-{shown[0].end}:00"


def _rows_by_hours(table: Table) -> Iterator[tuple[PartOfDay, list[Decimal]]]:
    """The figures of rows that are each about some hours of a day."""
    columns = load_words("opposites")["columns"]
    for row in table:
        begin, end = (
            next((local_moment(row.cells[key], None) for key in columns[name]["keys"] if key in row.cells), None)
            for name in ("start", "end")
        )
        if begin and end:
            span = PartOfDay(begin.hour, end.hour or WHOLE_DAY)
            numbers = (cell for cell in row.cells.values() if isinstance(cell, int | float) and not isinstance(cell, bool))
            yield span, [Decimal(str(number)) for number in numbers]


def _weather_of_another(clause: str, told: PartOfDay, sources: Sources) -> Iterator[str]:
    """A line of a forecast with the weather of a clause, where each such line gives it for other hours."""
    for forms in (forms for forms in _weather() if forms.search(clause)):
        lines = [unit.text for unit in sources.units if len(unit.text) <= LONGEST_LINE and forms.search(unit.text)]
        spans = [found for line in lines for part, found in _parts_of(normalize(line)) if forms.search(part)]
        if spans and all(found and not any(span.meets(told) for span in found) for found in spans):
            yield lines[0]


def _parts_of(line: str) -> Iterator[tuple[str, list[PartOfDay]]]:
    """The parts of a forecast with their hours: of `雨 昼過ぎ から くもり` the rain lasts until then."""
    for clause in _PHRASES["parts_a_forecast"].split(line):
        parts = _PHRASES["from_then_on"].split(clause)
        spans = list(map(_spans_in, parts))
        for at, (part, found) in enumerate(zip(parts, spans, strict=True)):
            following = spans[at + 1] if at + 1 < len(spans) else []
            yield part, found or [PartOfDay(0, span.begin) for span in following]


@cache
def _weather() -> list[re.Pattern[str]]:
    words = load_words("opposites")["weather"]
    return [re.compile("|".join(_form(form) for form in words[name]), re.IGNORECASE) for name in ("snow", "rain", "thunder")]


def _form(form: str) -> str:
    return rf"\b{form}\b" if form.isascii() else form


@cache
def _parts() -> list[tuple[PartOfDay, re.Pattern[str]]]:
    found = load_words("dates")["hours_of_day"].values()
    hours = ((PartOfDay(*map(int, part["hours"].split("-"))), part["forms"]) for part in found)
    return [(span, re.compile("|".join(forms), re.IGNORECASE)) for span, forms in hours]


def _spans_in(clause: str) -> list[PartOfDay]:
    """The parts of the day that a clause names, by words or by an hour with `until` or `after`."""
    until, since = _PHRASES["until_a_part_of_day"].search(clause), _PHRASES["from_a_part_of_day"].search(clause)
    named: Iterable[PartOfDay] = [span for span, forms in _parts() if forms.search(clause)]
    if not named and (until or since):
        times = [int(fact.keys[-1][:2]) for fact in facts_in(clause) if fact.kind is FactKind.TIME]
        named = [PartOfDay(hour, hour) for hour in times]
    if until and since:
        return [PartOfDay(min(span.begin for span in named), max(span.end for span in named))] if named else []
    if until:
        return [PartOfDay(0, span.end) for span in named]
    return [PartOfDay(span.begin, WHOLE_DAY) for span in named] if since else list(named)
