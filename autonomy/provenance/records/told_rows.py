"""Finds values that are told of another row than theirs."""

import re
from collections.abc import Iterable, Iterator, Sequence, Set
from functools import cached_property, lru_cache
from itertools import combinations
from typing import Any, NamedTuple

from autonomy.provenance.sources.result_rows import Row
from autonomy.provenance.sources.tabular.tables import Table, is_dated, mentions
from autonomy.provenance.support import SentenceSupport
from autonomy.provenance.text.dates import is_iso_day
from autonomy.provenance.text.facts import Fact, FactKind, facts_in, number_key
from autonomy.provenance.text.normalize import fold
from metrics.text.phrases import patterns_of

_PHRASES = patterns_of("autonomy.provenance")
MOST_ROWS = 2_000
MOST_WORDS = 40
"""Different words of a column that are looked for in each sentence."""
MOST_FIGURES = 20
"""Columns of figures that are reckoned with each other: of 200, that takes 20 seconds."""
LONGEST_CELL = 60
"""Characters; a longer one is a text that speaks of several things."""
_EXACT = frozenset({FactKind.NUMBER, FactKind.TIME, FactKind.DATE})


_DENIALS = (_PHRASES["denies"], _PHRASES["denied_by_grammar"])
_OUTERMOST = (
    _PHRASES["outermost_high"],
    _PHRASES["outermost_low"],
    _PHRASES["earliest"],
    _PHRASES["latest"],
    _PHRASES["oldest"],
)


def tells_of_several(text: str) -> bool:
    """Whether a text compares rows, or says what is not."""
    return bool(_PHRASES["compares"].search(text)) or denies(text)


def denies(text: str) -> bool:
    """Whether a text says what is not; that it answers no denies the question."""
    statement = _PHRASES["answers_no"].sub("", text)
    return any(words.search(statement) for words in _DENIALS)


def asks_for_the_outermost(question: str) -> bool:
    """Whether a question asks for the most, the least, the first or the last of all."""
    return any(words.search(question) for words in _OUTERMOST) and not _PHRASES["outermost_of_some"].search(question)


class ToldOfRow(NamedTuple):
    """What a sentence tells of a row, and what the row has in its place."""

    value: str
    own: str


class SaidValues(NamedTuple):
    """A sentence, and by their keys the figures, days and times in it, each as it is written."""

    folded: str
    exact: dict[str, str]
    shares: frozenset[str] = frozenset()
    """The keys of the figures in per cent."""

    @classmethod
    def of(cls, sentence: SentenceSupport) -> "SaidValues":
        """Those of a sentence; a relative day may be counted from anywhere."""
        facts = [one.fact for one in sentence.facts if one.fact.kind in _EXACT and not one.fact.relative]
        # a bare figure of two digits is one of many things
        telling_facts = (fact for fact in facts if fact.unit or fact.kind is not FactKind.NUMBER or len(fact.keys[0]) > 2)
        exact = {key: fact for fact in telling_facts for key in fact.keys if _tells(key)}
        shares = frozenset(key for key, fact in exact.items() if fact.unit == "%")
        return cls(_PHRASES["when_it_was"].sub(" ", fold(sentence.text)), {key: fact.text for key, fact in exact.items()}, shares)

    def has(self, key: str) -> bool:
        """Whether the sentence has what a cell has."""
        return key in self.exact or (any(map(str.isalpha, key)) and mentions(self.folded, key))


def _tells(key: str) -> bool:
    """Whether a figure has two digits or more; one digit stands in many rows."""
    return len(key.lstrip("-")) > 1


class ColumnKeys:
    """What the columns of a table have, by the keys of figures, days, times and words; read where a sentence may differ."""

    def __init__(self, table: Table, known: Set[str], tables: Sequence[Table]) -> None:
        """`known`: what may be told of any row, and so may what the cells of the other `tables` have."""
        self._table, self._given, self._beside = table, known, [other for other in tables if other is not table]
        self._exact_of: dict[str, Set[str]] = {}
        self._words_of: dict[str, Sequence[str]] = {}

    @cached_property
    def _known(self) -> Set[str]:
        cells = (cell for other in self._beside for row in other for cell in row.cells.values())
        return self._given | {key for cell in cells for key in cell_keys(cell)}

    def _keys(self, column: str) -> Iterator[Set[str]]:
        """The keys of each of its different cells."""
        cells = {row.cells.get(column) for row in self._table} if column in self._table[0].cells else set[Any]()
        return (frozenset(key for key in cell_keys(cell) if not self._is_known(key)) for cell in cells)

    def _is_known(self, key: str) -> bool:
        return key in self._known or (is_iso_day(key) and f"-{key[4:]}" in self._known)  # another list leaves out the year

    def _exact(self, column: str) -> Set[str]:
        if column not in self._exact_of:
            self._exact_of[column] = frozenset().union(*self._keys(column))
        return self._exact_of[column]

    def _words(self, column: str) -> Sequence[str]:
        """The words of a column; none where there are many."""
        if column not in self._words_of:
            found = set[str]()
            for keys in self._keys(column):
                found.update(key for key in keys if _shape(key) == "word")
                if len(found) > MOST_WORDS:
                    break
            self._words_of[column] = sorted(found) if len(found) <= MOST_WORDS else ()
        return self._words_of[column]

    def of_another_row(self, values: SaidValues, own: Row) -> ToldOfRow | None:
        """What other rows have in a column, where the row that a sentence is about has something else there, which the sentence
        does not give."""
        own_keys = {key for cell in own.cells.values() for key in cell_keys(cell)}.union(*own.lists.values())
        timed = (
            {"time"} if any(_shape(key) == "time" and values.has(key) for key in own_keys) else set[str]()
        )  # 9:00 to 10:00 are both told
        for column, cell in own.cells.items():
            instead = cell_keys(cell)
            alike = {_shape(key) for key in instead} - {_shape(key) for key in instead if values.has(key)} - timed
            # 12 % is none of 12 orders
            counts = values.shares if not _PHRASES["column_of_shares"].search(column) else frozenset[str]()
            strange = [key for key in values.exact if key not in own_keys and _shape(key) in alike and key not in counts]
            other_keys = [key for key in strange if key in self._exact(column)]
            if "word" in alike:
                other_keys += [word for word in self._words(column) if values.has(word) and word not in own_keys]
            if other := next(iter(other_keys), ""):
                return ToldOfRow(values.exact.get(other, other), f"{column}: {cell}")
        return None


def _shape(key: str) -> str:
    """What a key is of: a moment has a day and a time, of which either may be told."""
    return "day" if is_iso_day(key) else "word" if any(map(str.isalpha, key)) else "time" if ":" in key else "figure"


def cell_keys(cell: Any) -> frozenset[str]:
    """The keys of the figures, days and times of a cell, or its words."""
    if isinstance(cell, str):
        return _keys_of(cell) if len(cell) <= LONGEST_CELL else frozenset()
    is_figure = isinstance(cell, int | float) and not isinstance(cell, bool)
    return frozenset({key}) if is_figure and _tells(key := number_key(cell)) else frozenset()


@lru_cache(maxsize=20_000)  # each sentence is held against all cells
def _keys_of(cell: str) -> frozenset[str]:
    exact = frozenset(key for fact in facts_in(cell) if fact.kind in _EXACT for key in fact.keys if _tells(key))
    return exact or (frozenset({fold(cell)}) if len(cell) > 2 and any(map(str.isalpha, cell)) else frozenset())


class RowOfDays:
    """The only row of some days in a table, beside those of other days; what it compares is read once for all sentences."""

    def __init__(self, table: Table, row: Row) -> None:
        self._table, self.row = table, row

    @classmethod
    def in_table(cls, table: Table, days: Set[str]) -> "RowOfDays | None":
        """The only row of these days; None where there is none, or several."""
        own = [row for row in table if any(str(cell)[:10] in days for cell in row.cells.values() if is_dated(cell))]
        return cls(table, own[0]) if len(own) == 1 else None

    def figures_of_another(self, figures: Set[str], told: Set[str]) -> list[str]:
        """Figures of which two or more, that stand in no cell of this row, stand in one row of another day, with none that stands
        in neither. None where `told` has two figures that only this row has of the two."""
        strange = figures - self._own_figures
        shown = (
            next((shown for shown in self._figures_of_others if strange <= shown), None)
            if len(strange) >= FEWEST_FIGURES
            else None
        )
        return [] if shown is None or len(told & (self._own_figures - shown)) >= FEWEST_FIGURES else sorted(strange)

    @cached_property
    def _own_figures(self) -> set[str]:
        return _figures_of(self.row)

    @cached_property
    def _figures_of_others(self) -> list[set[str]]:
        return [_figures_of(row) for row in self._table if row is not self.row]


FEWEST_FIGURES = 2
"""By which a row is known: one figure may be told of anything."""


def _figures_of(row: Row) -> set[str]:
    cells = (cell for cell in row.cells.values() if not is_dated(cell) and len(str(cell)) <= LONGEST_CELL)
    return figures_among(fact for cell in cells for fact in facts_in(str(cell)))


def figures_among(facts: Iterable[Fact]) -> set[str]:
    """The numbers and times among some facts, without their signs: 6 below zero is -6."""
    return {fact.keys[0].lstrip("-") for fact in facts if fact.kind in (FactKind.NUMBER, FactKind.TIME)}


def rows_asked_for(goal: str, table: Table) -> list[Row]:
    """The rows with all words of cells and lists that a folded question names."""
    named = {column: {word for word in table.distinct(column) if mentions(goal, word)} for column in table[0].cells}
    filed = {word for row in table for words in row.lists.values() for word in words if mentions(goal, word)}
    return [
        row
        for row in table
        if all(row.word(column) in words for column, words in named.items() if words)
        and filed <= {word for words in row.lists.values() for word in words}
    ]


def not_outermost(own: Row, rows: Sequence[Row]) -> tuple[str, ...] | None:
    """The columns of figures, days and times of some rows, in none of which one of them is the first or the last; None where it
    is in one. Of too many columns none are told."""
    ordered = {name: [_in_order(row.cells.get(name)) for row in rows] for name in own.cells if name.lower() not in _NUMBERS}
    ordered = {name: values for name, values in ordered.items() if len({*map(type, values)}) == 1 and None not in values}
    figures = [values for values in ordered.values() if isinstance(values[0], float)]
    if len(figures) > MOST_FIGURES:
        return ()
    pairs = [[*zip(one, other, strict=True)] for one, other in combinations(figures, 2)]
    reckoned = [[one - other for one, other in pair] for pair in pairs]  # what changed most, what costs least for its size
    reckoned += [[one / other for one, other in pair] for pair in pairs if all(other for _, other in pair)]
    at = next(place for place, row in enumerate(rows) if row is own)
    outermost = any(values[at] in (min(values), max(values)) for values in (*ordered.values(), *reckoned))
    return None if outermost else tuple(ordered)


def not_at_an_end(question: str, rows: Sequence[Row], told: Set[str], beside: Set[str]) -> tuple[str, ...] | None:
    """The columns by which a question may ask for the outermost, of which `told` has what stands in one of some rows and is
    neither the first nor the last there.

    None where it is in one, or `beside` has the first or the last: then the text says why that is not meant. Days and times are
    asked about by the earliest and the latest, figures by the most and the least; what is reckoned stands in no column.
    """
    kinds = {kind for kind, phrases in _ASKED_BY.items() if any(words.search(question) for words in phrases)}
    if _PHRASES["outermost_by_reckoning"].search(question):
        return None
    found = []
    for name in [name for name in rows[0].cells if name.lower() not in _NUMBERS]:
        values = [_in_order(row.cells.get(name)) for row in rows]
        if {*map(type, values)} not in [{kind} for kind in kinds]:
            continue
        ends = {min(values), max(values)}
        keys = [cell_keys(row.cells[name]) for row in rows]
        stated = {value for value, own in zip(values, keys, strict=True) if own & told and values.count(value) == 1}
        if stated and (stated & ends or any(own & beside for value, own in zip(values, keys, strict=True) if value in ends)):
            return None
        found += [name] * bool(stated)
    return tuple(found)


_ASKED_BY = {
    float: (_PHRASES["outermost_high"], _PHRASES["outermost_low"]),
    str: (_PHRASES["earliest"], _PHRASES["latest"], _PHRASES["oldest"]),
}
"""How the first or the last of figures is asked for, and that of days and times."""


_NUMBERS = frozenset({"id", "number", "no", "#"})
"""Columns that only number the rows."""
_TIME = re.compile(r"\d{1,2}:\d\d(?::\d\d)?")


def _in_order(cell: Any) -> Any:
    """A cell as something that has an order; None where it has none."""
    if isinstance(cell, bool):
        return None
    if isinstance(cell, int | float):
        return float(cell)
    if isinstance(cell, str) and _TIME.fullmatch(cell):
        return cell.rjust(8, "0")
    return str(cell) if is_dated(cell) else None
