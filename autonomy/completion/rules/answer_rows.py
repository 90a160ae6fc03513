"""Checks that what a free goal's answer tells of rows agrees with the rows that were read."""

import re
from collections.abc import Iterator, Sequence
from datetime import date
from itertools import pairwise

from autonomy.completion.rules.case import Case
from autonomy.provenance.records.joint_cells import MOST_JOINT_ROWS, JointCells, figures_of, joint_cells
from autonomy.provenance.records.rows_left_out import left_out
from autonomy.provenance.records.told_rows import (
    MOST_ROWS,
    ColumnKeys,
    RowOfDays,
    SaidValues,
    denies,
    figures_among,
    not_at_an_end,
    not_outermost,
    rows_asked_for,
    tells_of_several,
)
from autonomy.provenance.sources.tabular.table_rows import stands
from autonomy.provenance.sources.tabular.tables import Table, mentions
from autonomy.provenance.support import FactSupport, SentenceSupport
from autonomy.provenance.text.dates import is_iso_day
from autonomy.provenance.text.excerpts import excerpt
from autonomy.provenance.text.facts import Fact, FactKind, facts_in
from autonomy.provenance.text.normalize import fold
from autonomy.provenance.text.sentences import terms
from metrics.text.phrases import patterns_of

_PHRASES = patterns_of("autonomy.completion")


def as_its_row(case: Case) -> Iterator[tuple[str, str]]:
    """What a sentence tells of one row of a list is not what another row has in its place."""
    tables = [table for table in case.evidence.sources.tables() if 2 <= len(table) <= MOST_ROWS] if case.free_texts else []
    goal, known = fold(case.goal), case.written_keys | {key for fact in case.asked for key in fact.keys}
    columns = [(table, ColumnKeys(table, known, tables)) for table in tables]
    for sentence in (one for text in case.free_texts for one in text.unrepeated.sentences) if tables else ():
        if tells_of_several(sentence.text):
            continue
        sentence_values = SaidValues.of(sentence)
        for table, keys in columns:
            own_row = table.told_of(sentence_values.folded)
            found = keys.of_another_row(sentence_values, own_row) if own_row else None
            beside = {
                one.fact.text for one in sentence.facts if one.stands_beside(table[0].table) or _is_foretold(one, sentence, case)
            }
            if found and found.value not in beside and not stands(goal, fold(found.value)):
                yield found.value, f"『{found.value}』 is another row's; the row that this is about says {found.own}"


def of_the_day_asked(case: Case) -> Iterator[tuple[str, str]]:
    """Where the question is about one day, the figures of a sentence that names no other are not those of another day's row,
    unless the answer tells its own, too, as who compares does."""
    dates = [fact for fact in case.asked if fact.kind is FactKind.DATE]
    of_one_day = len({fact.keys for fact in dates}) == 1 and not any(_bounds_a_span(fact, case) for fact in dates)
    days = frozenset(dates[0].keys) if of_one_day else frozenset[str]()  # a weekday may be the last one or the next
    tables = case.evidence.sources.tables() if days and all(map(is_iso_day, days)) else ()
    rows = [row for table in tables if 2 <= len(table) <= MOST_ROWS and (row := RowOfDays.in_table(table, days))]
    sentences = [one for text in case.free_texts[:1] for one in text.unrepeated.sentences] if rows else []
    facts = [[support.fact for support in sentence.facts] for sentence in sentences]
    figures = [figures_among(own) for own in facts]
    told = frozenset[str]().union(*figures)
    for sentence, own_facts, own_figures in zip(sentences, facts, figures, strict=True):
        if any(fact.kind is FactKind.DATE and not days & set(fact.keys) for fact in own_facts):
            continue
        for row in rows:
            if found := row.figures_of_another(own_figures, told):
                own = row.row.as_text()[:200]
                yield sentence.text[:80], f"『{', '.join(found)}』 is another row's; the row that this is about says {own}"


def _bounds_a_span(asked: Fact, case: Case) -> bool:
    """Whether the question asks for what was until a day, or since it: then the figures may be any other day's."""
    goal = case.goal
    return bool(_PHRASES["bounds_before"].search(goal[: asked.start]) or _PHRASES["bounds_behind"].search(goal[asked.end :]))


def as_the_outermost(case: Case) -> Iterator[tuple[str, str]]:
    """Where the question asks for the most, the least, the first or the last, the row that the answer begins with is it, by a
    column of one of the lists that name it."""
    goal = case.goal
    if not case.asks_for_the_outermost:
        return
    for text in case.free_texts[:1]:
        sentence_text = next((fold(sentence.text) for sentence in text.unrepeated.sentences), "")
        found: list[str] = []
        for table in case.evidence.sources.tables():
            own_row = table.told_of(sentence_text) if 2 <= len(table) <= MOST_ROWS else None
            rows = rows_asked_for(fold(goal), table) if own_row else []
            if own_row and any(row is own_row for row in rows):
                if (columns := not_outermost(own_row, rows)) is None:
                    return
                found += columns
        if found:
            yield sentence_text[:80], f"{excerpt(sentence_text, 80)!r}: the row is outermost in none of {', '.join(found)}"


def not_outermost_there(case: Case) -> Iterator[tuple[str, str]]:
    """Where the question asks for the most, the least, the first or the last, what the answer begins with stands at an end of the
    rows that are asked about, by the column that it is told of, or the answer tells what does."""
    goal = case.goal
    for text in case.free_texts[:1] if case.asks_for_the_outermost else ():
        sentences = text.unrepeated.sentences
        if not sentences or tells_of_several(sentences[0].text):
            return
        stated = [SaidValues.of(sentence).exact.keys() for sentence in sentences]
        told = stated[0] or next(iter(stated[1:]), stated[0])
        found: list[str] = []
        for table in case.evidence.sources.tables() if told else ():
            rows = rows_asked_for(fold(goal), table) if 2 <= len(table) <= MOST_ROWS else []
            if len(rows) > 1:
                if (columns := not_at_an_end(goal, rows, told, frozenset().union(*stated))) is None:
                    return
                found += columns
        if found:
            said = excerpt(sentences[0].text, 80)
            yield sentences[0].text[:80], f"{said!r}: of what was read it is neither the most nor the least by {', '.join(found)}"


def together_in_a_row(case: Case) -> Iterator[tuple[str, str]]:
    """Two values of one list that a sentence tells together stand in one of its rows, where nothing was written."""
    tables = joint_cells(case.evidence.sources.tables()) if case.free_texts and not case.evidence.writes else []
    for sentence in case.free_texts[0].unrepeated.sentences if tables else ():
        if denies(sentence.text) or _ASKS_OR_RECKONS.search(sentence.text):
            continue
        for pair in _apart(sentence, tables, case):
            said = excerpt(sentence.text, 80)
            yield sentence.text[:80], f"{said!r} does not agree with what was read: no row has both of {pair}"
            return


def _apart(sentence: SentenceSupport, tables: Sequence[JointCells], case: Case) -> Iterator[str]:
    of_each = bool(_PHRASES["every_one_of_several"].search(sentence.text))
    of_some = bool(_PHRASES["all_but_some"].search(sentence.text))
    ends = [0, *(match.end() for match in _PHRASES["goes_on_to_another_row"].finditer(sentence.text)), len(sentence.text)]
    for start, end in pairwise(ends):
        found = [one for one in sentence.facts if start <= one.fact.start - sentence.start < end]
        found = [one for one in found if not _is_foretold(one, sentence, case)]
        own_facts = [[one.fact for one in found if not one.stands_beside(cells.name)] for cells in tables]
        told = [(cells, cells.told_in(sentence.text[start:end], own)) for cells, own in zip(tables, own_facts, strict=True)]
        for cells, own in told:
            yield from cells.not_of_all(own, of_each=of_each) if not of_some else ()
            yield from cells.exchanged(own, fold(sentence.text[start:end]))
            yield from cells.told_apart(own, told) if not tells_of_several(sentence.text) else ()


def _is_foretold(support: FactSupport, sentence: SentenceSupport, case: Case) -> bool:
    """Whether a day is one that a line with words of the sentence tells by its distance from when it was written: the freeze is
    tomorrow."""
    if support.fact.kind is not FactKind.DATE:
        return False
    own_terms = terms(sentence.text)
    lines = (unit for unit in case.evidence.units if len(terms(unit.text[:LONGEST_LINE]) & own_terms) >= FEWEST_SHARED)
    return any(
        not set(fact.keys).isdisjoint(support.fact.keys)
        for unit in lines
        for day in unit.days
        if is_iso_day(day)
        for fact in facts_in(unit.text[:LONGEST_LINE], date.fromisoformat(day))
        if fact.kind is FactKind.DATE and fact.relative
    )


FEWEST_SHARED = 2
"""Words that a sentence and a line have in common where the sentence may retell it."""
LONGEST_LINE = 500
"""Characters of a line that are read for days."""
_ASKS_OR_RECKONS = re.compile(r"[?？][*_ ]*$|[=＝×+＋]|\b(?:is|are) free\b")
"""Who is free at a time is in no row of that time."""


def of_the_row_asked(case: Case) -> Iterator[tuple[str, str]]:
    """Where the question names one row of each list that has it, a measure, time or date of a sentence that names no other row is
    not another row's."""
    goal = fold(case.goal)
    tables = [table for table in case.evidence.sources.tables() if 2 <= len(table) <= MOST_JOINT_ROWS] if case.free_texts else []
    years = _years_named(case.goal)
    year = str(case.evidence.day.year + years[0]) if len(years) == 1 else ""
    found = [one for table in tables for one in (*_named(table, goal), *_of_a_year(table, year))]
    if not found:
        return
    own = frozenset[str]().union(*(figures_of(table[at]) for table, at, _ in found))
    beside = (row for table in tables if all(table is not one for one, _, _ in found) for row in table)
    own = own.union(*map(figures_of, beside))  # what stands in another list, too, may be told of the row
    strange = {key for table, at, _ in found for row in table if row is not table[at] for key in figures_of(row) - own}
    asked = case.written_keys.union(key for fact in case.asked for key in fact.keys)
    others = {name for table, at, names in found for place, name in enumerate(names) if place != at}
    others -= {names[at] for _, at, names in found}
    for sentence in case.free_texts[0].unrepeated.sentences:
        text = fold(sentence.text)
        if any(mentions(text, name) or (name.isdigit() and name in text) for name in others):
            continue
        if year and set(_years_named(sentence.text)) - set(years):
            continue
        for support in sentence.facts:
            fact = support.fact
            is_measured = fact.kind is FactKind.NUMBER and fact.unit and len(fact.keys[0]) > 1
            is_of_one_read = len({source.call_id for source in support.sources}) == 1  # a line of its own may tell it, too
            is_day = fact.kind is FactKind.DATE and not fact.relative and is_of_one_read
            tells = is_measured or fact.kind is FactKind.TIME or is_day
            known = support.derived or asked.intersection(fact.keys) or own.intersection(fact.keys)
            is_strange = tells and not known and strange.intersection(fact.keys)
            if is_strange or (not support.derived and any(_is_anothers(fact, text, table, at) for table, at, _ in found)):
                table, at, _ = found[0]
                shown = excerpt(table[at].as_text(), 160)
                yield fact.text, f"『{fact.text}』 is another row's; the row that this is about says {shown}"
                return


def _is_anothers(fact: Fact, text: str, table: Table, at: int) -> bool:
    """Whether a sentence names the column in which another row has a figure, and the row at this place another one: 8 years of
    payroll, of `years_in_payroll: 3`."""
    said = terms(text) if fact.kind is FactKind.NUMBER else frozenset[str]()
    for name, cell in table[at].cells.items() if said else ():
        words = terms(name.replace("_", " "))
        if type(cell) in (int, float) and str(cell) not in fact.keys and len(words) > 1 and words <= said:
            return any(str(row.cells.get(name)) in fact.keys for row in table)
    return False


def no_row_left_out(case: Case) -> Iterator[tuple[str, str]]:
    """Where each row is told with two of its figures, of which the same one is the greater, no row that was asked for is left
    out of which that is so as well."""
    goal = fold(case.goal)
    for text in case.free_texts[:1] if not case.asks_for_the_outermost else ():
        told = [(fold(sentence.text), _figures(sentence)) for sentence in text.unrepeated.sentences]
        for table in case.evidence.sources.tables():
            for row in left_out(table, rows_asked_for(goal, table), goal, told):
                shown = excerpt(row.as_text(), 160)
                yield shown, f"what holds of the rows that you tell holds of another one, which you leave out: {shown}"
                return


def _figures(sentence: SentenceSupport) -> frozenset[str]:
    return frozenset(key for one in sentence.facts if one.fact.kind is FactKind.NUMBER for key in one.fact.keys)


def _named(table: Table, goal: str) -> Iterator[tuple[Table, int, tuple[str, ...]]]:
    """The one row that a folded question names by a column in which each row has a name of its own; with all these names."""
    for column in table[0].cells:
        names = table.words(column)
        if not _MADE_UP.fullmatch(column) and len(table.distinct(column)) == len(table) and all(len(name) > 1 for name in names):
            at = [place for place, name in enumerate(names) if any(map(str.isalpha, name)) and mentions(goal, name)]
            if len(at) == 1:
                yield table, at[0], names


def _of_a_year(table: Table, year: str) -> Iterator[tuple[Table, int, tuple[str, ...]]]:
    """The one row of a year, by a column in which each row is of a year of its own."""
    for column in table[0].cells if year else ():
        names = tuple(name.removesuffix("年度").removesuffix("年") for name in table.words(column))
        if len(set(names)) == len(names) and all(map(_YEAR.fullmatch, names)) and year in names:
            yield table, names.index(year), names


def _years_named(text: str) -> list[int]:
    """How far from the present one the years are that a text names in words: this year, 去年."""
    return [away for away, phrase in _YEARS.items() if phrase.search(text)]


_YEARS = {-1: _PHRASES["the_year_before"], 0: _PHRASES["the_year_itself"], 1: _PHRASES["the_year_behind"]}
_YEAR = re.compile(r"(?:19|20)\d\d")
_MADE_UP = re.compile(r"column \d+")
"""The heading of a column of a table that has none: its rows need not be alike."""
