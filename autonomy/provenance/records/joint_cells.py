"""Finds values that a sentence tells together, and no row that was read has together."""

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence, Set
from itertools import combinations
from typing import Any, NamedTuple

from autonomy.provenance.records.told_rows import cell_keys
from autonomy.provenance.sources.evidence_units import announces_text
from autonomy.provenance.sources.result_rows import Row
from autonomy.provenance.sources.tabular.tables import KEYS, Table, WordIndex
from autonomy.provenance.text.dates import is_iso_day
from autonomy.provenance.text.facts import EXACT, Fact, FactKind, facts_in, number_key
from autonomy.provenance.text.normalize import fold
from autonomy.provenance.text.word_data import alternatives, load_words
from metrics.text.phrases import lazy_pattern

LONGEST_CELL = 40
"""Characters; a column with a longer one is prose, which speaks of several things."""
FEWEST_DIGITS = 3
"""Of a figure that is no row's number: a shorter one stands in many rows by chance."""
MOST_JOINT_ROWS = 200
"""Rows of a list whose cells are compared in pairs."""
MOST_COLUMNS = 60
_SINGLE = lazy_pattern("[\u3400-\u9fff々]")
_HONORIFIC = rf"(?:{alternatives(load_words('names')['honorifics'])})"


class CellKey(NamedTuple):
    """What stands in a cell, as a sentence may tell it."""

    kind: str
    """`figure`, `time`, `day`, `id`, `number` (of the row itself) or `word`."""
    key: str


class JointCells:
    """The values of a table, each with the rows and columns that have it."""

    def __init__(self, table: Table) -> None:
        """`table`: at most MOST_JOINT_ROWS rows and MOST_COLUMNS columns."""
        self.name = table[0].table
        self.rows_of: dict[CellKey, set[int]] = defaultdict(set)
        self._columns_of: dict[CellKey, set[str]] = defaultdict(set)
        for column in dict.fromkeys(name for row in table for name in (*row.cells, *row.lists)):
            cells = [(at, value) for at, row in enumerate(table) for value in _values(row, column)]
            if announces_text(column) or max((len(str(value)) for _, value in cells), default=0) > LONGEST_CELL:
                continue
            for at, value in cells:
                for key in _keys_of(column, value):
                    self.rows_of[key].add(at)
                    self._columns_of[key].add(column)
        self._size = len(table)
        self._words = [key for key in self.rows_of if key.kind == "word"]
        self._index = WordIndex([key.key for key in self._words])
        self._own = {
            column
            for column in set[str]().union(*self._columns_of.values())
            if all(len(self.rows_of[key]) == 1 for key, columns in self._columns_of.items() if column in columns)
        }
        """The columns in which each row has a value of its own."""
        self._held = dict(self.rows_of)
        """The rows that have a value, also as a part of a longer one of the same column: `cloudy` in `cloudy, at times clear`."""
        for longer in self._words:
            for at in self._index.mentioned(longer.key):
                shared = self._columns_of[self._words[at]] & self._columns_of[longer] - self._own
                if shared and self._words[at] != longer:
                    self._held[self._words[at]] = self._held[self._words[at]] | self.rows_of[longer]

    def told_in(self, clause: str, facts: Sequence[Fact]) -> list[CellKey]:
        """The values that a clause with these facts tells, without those that all rows have, and those inside of others."""
        folded_text = with_singulars(fold(clause))
        exact_facts = (fact for fact in facts if fact.kind in EXACT and not fact.relative)
        found = {CellKey(_kind(fact.kind), key) for fact in exact_facts for key in _keys_told(fact)}
        found = {key for key in found if key in self.rows_of}
        found |= {self._words[at] for at in self._index.mentioned(folded_text)}
        found |= {
            key
            for key in self.rows_of
            if (
                key.kind == "number"
                and re.search(rf"(?<![a-z0-9_-])(?<!\d[.,:/])#?{key.key}(?![a-z0-9_]|[.,:/-]\d)", folded_text)
            )
            or (key.kind == "word" and _SINGLE.fullmatch(key.key) and re.search(f"{key.key}{_HONORIFIC}", folded_text))
        }
        told = (key for key in found if len(self.rows_of[key]) < self._size)
        return sorted(key for key in told if key.kind != "word" or not _stands_inside(key.key, folded_text, found))

    def told_apart(self, told: Sequence[CellKey], elsewhere: "Sequence[tuple[JointCells, Sequence[CellKey]]]") -> Iterator[str]:
        """Two of the values that a clause tells of one row, where none has both.

        Not where each stands in a row, here or `elsewhere`, with a third value that names that row alone.
        """
        apart = [(one, other) for one, other in combinations(told, 2) if self._held[one].isdisjoint(self._held[other])]
        both = [self._columns_of[one] & self._columns_of[other] for one, other in apart]
        several = set[str]().union(*both)
        if several & self._own:
            return
        for (one, other), columns in zip(apart, both, strict=True):
            if columns or (self._columns_of[one] | self._columns_of[other]) & several:
                continue
            if one.kind == "time" == other.kind or {"time", "word"} == {one.kind, other.kind}:
                continue  # one begins when the other ends, or two are at one time, of which one is told in other words
            if any(cells.have_together(one.key, other.key) for cells, _ in elsewhere):
                continue  # 1020 minutes, and the number of another employee
            pairs = ((one, other), (other, one))
            if not all(any(cells.explains(value, told, but) for cells, told in elsewhere) for value, but in pairs):
                yield f"{one.key}, {other.key}"

    def not_of_all(self, told: Sequence[CellKey], *, of_each: bool) -> Iterator[str]:
        """A word that a clause tells of several rows which it names, where some have another one in its place.

        `of_each`: whether it says so, or else the word has to be of a column in which rows are alike.
        """
        for name in self._own:
            named = {at for key in told if key.kind in _NAMES and name in self._columns_of[key] for at in self.rows_of[key]}
            for value in told if len(named) > 1 else ():
                columns = self._columns_of[value] - ({name} if of_each else self._own)
                alone = not any(other != value and self._columns_of[other] & columns for other in told)
                others = named - self.rows_of[value]
                if value.kind == "word" and columns and alone and others and named & self.rows_of[value]:
                    yield f"{next(key.key for key in told if self.rows_of[key] <= others)}, {value.key}"
                    return

    def exchanged(self, told: Sequence[CellKey], folded_text: str) -> Iterator[str]:
        """Two names and two words of theirs, told by turns, each beside those of the other row: B of A, and A of B."""
        placed = sorted((folded_text.find(key.key), key) for key in told if key.kind == "word" and len(self.rows_of[key]) == 1)
        for first, second, third, fourth in zip(*(placed[at:] for at in range(4)), strict=False):
            one, other, another, last = first[1], second[1], third[1], fourth[1]
            by_turns = self._columns_of[one] == self._columns_of[another] != self._columns_of[other] == self._columns_of[last]
            if by_turns and self.rows_of[one] == self.rows_of[last] != self.rows_of[other] == self.rows_of[another]:
                yield f"{one.key}, {other.key}"
                return

    def have_together(self, one: str, other: str) -> bool:
        """Whether a row holds both, whatever they are in it."""
        return not self._rows_with(one).isdisjoint(self._rows_with(other))

    def _rows_with(self, text: str) -> set[int]:
        return set[int]().union(*(rows for key, rows in self.rows_of.items() if key.key == text))

    def explains(self, value: CellKey, told: Sequence[CellKey], but: CellKey) -> bool:
        """Whether a value stands in the row that another value names alone."""
        rows = self.rows_of.get(value, set())
        return any(len(self.rows_of[key]) == 1 and self.rows_of[key] <= rows for key in told if key not in (value, but))


_NAMES = frozenset({"word", "number", "id"})
"""What a row is called by: two rows may have one time."""


def _stands_inside(word: str, folded_text: str, told: Set[CellKey]) -> bool:
    """Whether a word stands in a text only as a part of longer ones that are told."""
    longer = [key.key for key in told if key.kind == "word" and len(key.key) > len(word) and word in key.key]
    for other in longer:
        folded_text = folded_text.replace(other, " ")
    return bool(longer) and word not in folded_text


def _values(row: Row, column: str) -> Iterator[Any]:
    if column in row.cells:
        yield row.cells[column]
    yield from row.lists.get(column, ())


def _keys_of(column: str, value: Any) -> Iterator[CellKey]:
    numbers_rows = column.lower() in KEYS and str(value).isdecimal()
    if numbers_rows and len(str(value)) > 1:
        yield CellKey("number", str(value))
    elif isinstance(value, int | float) and not numbers_rows:
        if _tells(key := number_key(value)):
            yield CellKey("figure", key)
    elif isinstance(value, str):
        for fact in facts_in(value):
            if fact.kind in EXACT:
                told = _keys_told(fact)
                yield from (CellKey(_kind(fact.kind), key) for key in told if fact.kind is not FactKind.NUMBER or _tells(key))
        if any(map(str.isalpha, value)):
            yield CellKey("word", fold(value))


def _keys_told(fact: Fact) -> tuple[str, ...]:
    """The keys of a fact; of a day also the one without its year, which another list may leave out."""
    return (*fact.keys, *(f"-{key[4:]}" for key in fact.keys if is_iso_day(key)))


def _tells(key: str) -> bool:
    return "." in key or len(key.lstrip("-")) >= FEWEST_DIGITS


def _kind(kind: FactKind) -> str:
    return {FactKind.NUMBER: "figure", FactKind.TIME: "time", FactKind.DATE: "day"}.get(kind, "id")


def with_singulars(folded_text: str) -> str:
    """A text, and behind it the singulars of its words in the plural: what is filed under `bug` is told as bugs."""
    return " ".join((folded_text, *dict.fromkeys(_PLURAL.findall(folded_text))))


_PLURAL = re.compile(r"\b([a-z]{3,30})s\b")


def joint_cells(tables: Sequence[Table]) -> list[JointCells]:
    """The tables of which the cells are looked at together."""
    return [JointCells(table) for table in tables if 2 <= len(table) <= MOST_JOINT_ROWS and len(table[0].cells) <= MOST_COLUMNS]


def figures_of(row: Row) -> Set[str]:
    """The figures, times, days and words of a row's short cells."""
    return frozenset[str]().union(*map(cell_keys, row.cells.values()))
