"""Finds told rows that bear what another row of what was read has, or what follows from its cells."""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from decimal import Decimal
from itertools import combinations
from typing import Any, NamedTuple

from autonomy.provenance.sources.result_rows import Row
from autonomy.provenance.sources.tabular.tables import Table
from autonomy.provenance.sources.tabular.text_tables import markdown_tables
from autonomy.provenance.text.facts import Fact, FactKind, facts_in
from autonomy.provenance.text.normalize import fold
from metrics.text.phrases import patterns_of

MOST_ROWS = 40
MOST_COLUMNS = 8
_LINE = re.compile(r"[^\n]+")


class _Line(NamedTuple):
    """A line of the text that is about one row."""

    text: str
    row: Row
    figures: tuple[Fact, ...]


def exchanged_results(text: str, tables: Sequence[Table]) -> Iterator[tuple[str, str]]:
    """A figure of a line about one row that follows from another row's cells, as those of the other lines do from their own:
    what is left of 18 days is told of whoever had 12. And the row that the line is about.
    """
    for table in tables:
        if not 2 <= len(table) <= MOST_ROWS:
            continue
        columns = [name for name, cell in table[0].cells.items() if isinstance(cell, int | float)][:MOST_COLUMNS]
        lines = list(_lines_of(text, table)) if len(columns) > 1 else []
        for one, other in combinations(columns, 2) if len(lines) > 1 else ():
            for sign in (-1, 1):
                results = {id(row): _value(row, one) + sign * _value(row, other) for row in table if _has(row, one, other)}
                if found := _exchanged(lines, results):
                    yield found.figures[0].text, ", ".join(f"{name}: {cell}" for name, cell in found.row.cells.items())
                    return


def _lines_of(text: str, table: Table) -> Iterator[_Line]:
    for match in _LINE.finditer(text):
        rows = table.rows_named(fold(match.group()))
        of_one = facts_in(match.group()) if len(rows) == 1 else ()
        if figures := tuple(fact for fact in of_one if fact.kind is FactKind.NUMBER):
            yield _Line(match.group(), rows[0], figures)


def _has(row: Row, *columns: str) -> bool:
    return all(isinstance(row.cells.get(name), int | float) for name in columns)


def _value(row: Row, column: str) -> Decimal:
    return Decimal(str(row.cells[column]))


def _exchanged(lines: Sequence[_Line], results: dict[int, Decimal]) -> _Line | None:
    """The first line that tells another told row's result and not its own, where every line tells one."""
    own = {id(line.row): abs(results[id(line.row)]) for line in lines if id(line.row) in results}
    wrong = None
    for line in lines if len(own) == len({id(line.row) for line in lines}) else ():
        told = {abs(Decimal(fact.keys[0])) for fact in line.figures}
        if own[id(line.row)] in told:
            continue
        held = {abs(_value(line.row, name)) for name, cell in line.row.cells.items() if isinstance(cell, int | float)}
        if not (told - held) & {value for key, value in own.items() if key != id(line.row)}:
            return None
        wrong = wrong or line
    return wrong


def exchanged_columns(text: str, lists: Iterable[Sequence[Mapping[str, Any]]]) -> Iterator[tuple[str, str]]:
    """The cells of a told table's column that has a read column's values row by row exchanged.

    Each comes as the row's first cell, the value, and what the read row has there. Rows are known by a cell, in whatever
    language the columns are called.
    """
    told = list(_told_tables(text))
    for members in lists if told else ():
        if not 1 < len(members) <= MOST_ROWS:
            continue
        called = _by_cell(members)
        for rows in (rows for rows in told if len(rows) <= len(members)):
            pairs = [(row, own) for row in rows if (own := called.get(fold(row[0]))) is not None]
            if len(pairs) == len(rows) and len({id(own) for _, own in pairs}) == len(rows):
                yield from _permuted(pairs)


def _told_tables(text: str) -> Iterator[list[list[str]]]:
    """The rows of the Markdown tables of a text, of those with two rows or more and as many cells in each."""
    for table in markdown_tables(text.splitlines()):
        if len(table.rows) > 1 and len({*map(len, table.rows)}) == 1:
            yield [[cell.strip(" *_`") for cell in row] for row in table.rows]


def _by_cell(members: Sequence[Mapping[str, Any]]) -> dict[str, Mapping[str, Any] | None]:
    """Each folded cell, with the one row that it is a cell of; None where several rows have it."""
    called: dict[str, Mapping[str, Any] | None] = {"": None}
    for one in members:
        for cell in {fold(str(cell)) for cell in one.values() if not isinstance(cell, dict | list)}:
            called[cell] = None if cell in called else one
    return called


def _permuted(pairs: Sequence[tuple[list[str], Mapping[str, Any]]]) -> Iterator[tuple[str, str]]:
    for at in range(1, len(pairs[0][0])):
        told = [_cell_key(row[at]) for row, _ in pairs]
        columns = [name for name in pairs[0][1] if all(name in own for _, own in pairs)]
        read = {name: [_cell_key(own[name]) for _, own in pairs] for name in columns}
        alike = [name for name, cells in read.items() if sorted(cells) == sorted(told)]
        if len(set(told)) < 2 or not alike or any(read[name] == told for name in alike):
            continue
        for (row, own), cell in zip(pairs, told, strict=True):
            if cell != _cell_key(own[alike[0]]):
                yield f"{row[0]}: {row[at]}", f"{alike[0]}: {own[alike[0]]}"
                return


def _cell_key(cell: Any) -> str:
    """The figure of a cell, or its folded text."""
    figures = [fact for fact in facts_in(str(cell)[:LONGEST_CELL]) if fact.kind in (FactKind.NUMBER, FactKind.TIME)]
    return figures[0].keys[0] if len(figures) == 1 else fold(str(cell))


LONGEST_CELL = 80


class _Word(NamedTuple):
    """A word of a cell that stands in a sentence."""

    field: str
    text: str
    at: int
    rows: frozenset[int]


class WordCells:
    """The words in the cells of one list, to be looked for in many sentences; names of more than one row count, too."""

    def __init__(self, members: Sequence[Mapping[str, Any]]) -> None:
        self._members = members
        self._rows = [{field: word for field, cell in one.items() if (word := _word(cell))} for one in members]
        self._held: dict[tuple[str, str], set[int]] = defaultdict(set)
        for at, row in enumerate(self._rows):
            for cell in row.items():
                self._held[cell].add(at)

    def exchanged(self, sentence: str) -> tuple[str, str] | None:
        """A word that is another row's, in a sentence that begins with what one row alone has.

        That row has another word in its place, of which the sentence says nothing. The row's own comes with it.
        """
        said = fold(sentence)
        found = [
            _Word(field, word, at, frozenset(rows))
            for (field, word), rows in self._held.items()
            if word in said and (at := _place(said, word)) >= 0
        ]
        naming = sorted((one for one in found if len(one.rows) == 1), key=lambda one: one.at)
        for name in naming if len(found) > 1 and not any(_PHRASES[one].search(said) for one in _NOT_PLAINLY) else ():
            for word in (one for one in found if one.at > name.at and not one.rows & name.rows):
                others = [one for one in found if one is not word]
                is_of_one = all(one.rows == name.rows for one in others if len(one.rows) == 1)
                is_named = any(one.rows & word.rows and not one.rows & name.rows for one in others)
                own = self._rows[min(name.rows)]
                if is_of_one and not is_named and _is_in_place(word, own, said):
                    there, here = (self._members[min(one.rows)][word.field] for one in (word, name))
                    return str(there).strip(), f"{word.field}: {str(here).strip()}"
        return None


def _is_in_place(word: _Word, own: Mapping[str, str], said: str) -> bool:
    """Whether the row has another word in the field, which the sentence does not have, and nothing like this one anywhere."""
    instead = own.get(word.field, "")
    alike = any(word.text in cell or cell in word.text for cell in own.values())
    return bool(instead) and _place(said, instead) < 0 and not alike


def _word(cell: Any) -> str:
    """The folded words of a cell, or a longer number; empty for figures, days, times and texts."""
    if isinstance(cell, bool | float) or not isinstance(cell, str | int):
        return ""
    word = fold(str(cell)).strip()
    if word.isdecimal():
        return word if len(word) >= SHORTEST_NUMBER else ""
    short = len(word) < (3 if word.isascii() else 2)
    return "" if short or len(word) > LONGEST_WORDS or _FIGURES.match(word) else word


SHORTEST_NUMBER = 4
"""Digits; fewer are figures, and of what is counted."""
LONGEST_WORDS = 120
_FIGURES = re.compile(r"[\d:.,/ -]+$|\d{4}-\d\d-\d\d")


def _place(said: str, word: str) -> int:
    """Where a word stands as one of its own; −1 where it does not."""
    if not word.isascii():
        return said.find(word)
    found = re.search(rf"(?<![\w-]){re.escape(word)}(?![\w-])", said)
    return found.start() if found else -1


_NOT_PLAINLY = ("denies", "denied_by_grammar", "planned", "left_open")
_PHRASES = patterns_of("autonomy.provenance")
