"""The rows of one list of a result, with look-ups for checks of sentences."""

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from decimal import Decimal
from functools import cached_property
from itertools import chain, combinations
from typing import Any

from autonomy.provenance.sources.result_rows import Row
from autonomy.provenance.text.normalize import fold, fold_all
from autonomy.provenance.text.word_data import load_words

MOST_REMEMBERED = 256
"""Sentences of which is kept what they name; a dozen checks ask for each."""
_WORD = re.compile(r"[a-z0-9]{2,40}")
_IN_TWO = re.compile(r"(?<=\d) (?=[a-z])")
"""A figure apart from its unit: 250 g."""
_MOMENT = re.compile(r"\d{4}-\d\d-\d\d(?:$|[T ]\d)")


class Table(tuple[Row, ...]):
    """The rows of one list. What is worked out of them is kept, as a judgement asks for it again with each sentence."""

    def __init__(self, rows: Iterable[Row]) -> None:
        self._words: dict[str, tuple[str, ...]] = {}
        self._distinct: dict[str, frozenset[str]] = {}
        self._named: dict[tuple[str, frozenset[str]], list[Row]] = {}
        self._keys_of: dict[frozenset[str], tuple[list[int], WordIndex]] = {}

    def words(self, column: str) -> tuple[str, ...]:
        """The folded content of a column, row by row."""
        if column not in self._words:
            self._words[column] = tuple(fold_all([str(row.cells.get(column, "")) for row in self]))
        return self._words[column]

    def distinct(self, column: str) -> frozenset[str]:
        """The different folded words of a column."""
        if column not in self._distinct:
            self._distinct[column] = frozenset(self.words(column))
        return self._distinct[column]

    def rows_named(self, folded_text: str, also: frozenset[str] = frozenset()) -> list[Row]:
        """The rows whose own key (a value that no other row has) a folded text mentions. `also`: further columns that may be
        keys."""
        if (folded_text, also) not in self._named:
            if len(self._named) >= MOST_REMEMBERED:
                self._named.clear()
            keys, index = self._keys(also)
            self._named[folded_text, also] = [self[at] for at in dict.fromkeys(keys[at] for at in index.mentioned(folded_text))]
        return self._named[folded_text, also]

    def _keys(self, also: frozenset[str]) -> "tuple[list[int], WordIndex]":
        """Where each row stands, and the words that name it alone."""
        if also not in self._keys_of:
            keys = [
                (at, value)
                for column in self[0].cells
                if len(self.distinct(column)) == len(self) and (column == self._only_label or self._is_key(column, also))
                for at, value in enumerate(self.words(column))
            ]
            self._keys_of[also] = [at for at, _ in keys], WordIndex([value for _, value in keys])
        return self._keys_of[also]

    def told_of(self, sentence: str) -> Row | None:
        """The row that a folded sentence is about: the one that it names first, by a word of a column in which each row has its
        own; none where it names another one by the same column."""
        columns, index = self._own_words
        named = [
            (sentence.find(index.words[at]), columns[at // len(self)], self[at % len(self)]) for at in index.mentioned(sentence)
        ]
        _, by, first = min(named, key=lambda one: one[0], default=(0, "", None))
        return None if any(column == by and row is not first for _, column, row in named) else first

    @cached_property
    def _own_words(self) -> "tuple[list[str], WordIndex]":
        """The columns in which each row has a name of its own, and those names, column by column. Where days name the rows, other
        words are what they say of that day: cloudy, rain."""
        columns = [
            column
            for column in self._distinct_columns
            if all(_is_name(row.cells.get(column)) for row in self) and not (self._has_own_days and self._tells_of_days(column))
        ]
        return columns, WordIndex([word for column in columns for word in self.words(column)])

    @cached_property
    def _distinct_columns(self) -> list[str]:
        """The columns in which no two rows have the same."""
        return [column for column in self[0].cells if len(self.distinct(column)) == len(self)]

    @cached_property
    def _has_own_days(self) -> bool:
        return any(all(is_dated(row.cells.get(column)) for row in self) for column in self._distinct_columns)

    def _tells_of_days(self, column: str) -> bool:
        """Whether a column says what is so on a day: the weather or a state, in words that are no names."""
        plain = all(cell.islower() and cell.isascii() and not any(map(str.isdigit, cell)) for cell in self.words(column))
        written = all(str(row.cells.get(column, "")).islower() for row in self)
        return column.lower() in STATES or (column.lower() not in NAMES and plain and written)

    def _is_key(self, column: str, also: frozenset[str]) -> bool:
        """Whether a column names its rows: numbers and titles do, figures and times do not."""
        return (column.lower() in KEYS or column.lower() in also) and all(len(value) > 1 for value in self.words(column))

    @cached_property
    def _only_label(self) -> str:
        """The one column of words in a table of figures, which names its rows: North, South; empty where there are more."""
        words = [name for name, cell in self[0].cells.items() if isinstance(cell, str) and not is_dated(cell)]
        if len(words) > 1:  # the first column names the rows where what stands in the others is not their own
            apart = [name for name in words if len(self.distinct(name)) == len(self)]
            words = words[:1] if apart == words[:1] else []
        named = words and all(is_label(row.cells.get(words[0])) for row in self)
        return words[0] if named else ""

    @cached_property
    def group_sums(self) -> frozenset[Decimal]:
        """The totals of each column of figures by each column of words (hours by person, hours by day), of two rows or more."""
        return frozenset(sum(summands, Decimal()) for summands in self._summands)

    @cached_property
    def group_means(self) -> frozenset[Decimal]:
        """Their means."""
        return frozenset(sum(summands, Decimal()) / len(summands) for summands in self._summands)

    @cached_property
    def row_sums(self) -> frozenset[Decimal]:
        """What the figures of each row make together, and all of them: the bills of a month for electricity, gas and water."""
        rows = [[*_figures_of(row).values()] for row in self] if len(self) <= MOST_MULTIPLIED else []
        sums = [sum(figures, Decimal()) for figures in rows if 1 < len(figures) <= MOST_FACTORS]
        return frozenset((*sums, sum(sums, Decimal())))

    @cached_property
    def sums_of_products(self) -> frozenset[Decimal]:
        """What two columns of figures make when multiplied row by row, in all and by each column of words: stock times price."""
        groups = [[_figures_of(row) for row in self], *self._rows_by_words] if len(self) <= MOST_MULTIPLIED else []
        names = list(dict.fromkeys(chain.from_iterable(groups[0] if groups else [])))[:MOST_FACTORS]
        return frozenset(
            sum((row[one] * row[other] for row in rows if one in row and other in row), Decimal())
            for rows in groups
            for one, other in combinations(names, 2)
        )

    def sums_of_named(self, folded_text: str) -> frozenset[Decimal]:
        """The totals of each column of figures over the rows that a folded text names: each by its own key, or several by a word
        of their cells that the others lack (both 250g teas)."""
        said = {*_WORD.findall(folded_text), *_WORD.findall(_IN_TWO.sub("", folded_text))}
        own = self.rows_named(folded_text)  # a word of their names selects no others
        groups = [own] if own else [rows for word, rows in self._rows_with.items() if word in said]
        figures = ([_figures_of(row) for row in rows] for rows in groups if len(rows) > 1)
        return frozenset(
            sum((row[column] for row in rows if column in row), Decimal())
            for rows in figures
            for column in dict.fromkeys(chain.from_iterable(rows))
        )

    @cached_property
    def _rows_with(self) -> dict[str, list[Row]]:
        """The rows that have a word within a longer cell, where not all have it."""
        found: dict[str, list[Row]] = defaultdict(list)
        for row in self if len(self) <= MOST_MULTIPLIED else ():
            for word in {word for column in row.cells for word in _WORD.findall(row.word(column)) if not word.isdecimal()}:
                found[word].append(row)
        return {word: rows for word, rows in found.items() if 1 < len(rows) < len(self)}

    @cached_property
    def _rows_by_words(self) -> list[list[dict[str, Decimal]]]:
        """The figures of the rows that have one word in a column, of two rows or more."""
        groups: dict[tuple[str, str], list[dict[str, Decimal]]] = defaultdict(list)
        for row in self:
            figures = _figures_of(row)
            for name, cell in row.cells.items() if figures else ():
                if isinstance(cell, str):
                    groups[name, cell].append(figures)
        return [rows for rows in groups.values() if len(rows) > 1]

    @cached_property
    def _summands(self) -> list[list[Decimal]]:
        found = (
            [figures[column] for figures in rows if column in figures]
            for rows in self._rows_by_words
            for column in dict.fromkeys(chain.from_iterable(rows))
        )
        return [summands for summands in found if len(summands) > 1]


MOST_MULTIPLIED, MOST_FACTORS = 500, 6
"""Rows, and columns of figures, of a table whose columns are multiplied."""


def _figures_of(row: Row) -> dict[str, Decimal]:
    return {name: Decimal(str(cell)) for name, cell in row.cells.items() if isinstance(cell, int | float)}


KEYS = frozenset(load_words("result_keys")["names_a_row"])
"""Columns that name their rows."""
NAMES = KEYS.union(*(load_words("result_keys")[kind] for kind in ("names_its_owner", "person", "place", "name")))
"""Columns that may name them: whom or what place a row is of."""
STATES = frozenset(load_words("result_keys")["state"])
"""Columns that say how it is."""


def tables_of(rows: Iterable[Row]) -> tuple[Table, ...]:
    """The rows of each list."""
    found: dict[str, list[Row]] = defaultdict(list)
    for row in rows:
        found[row.table].append(row)
    return tuple(map(Table, found.values()))


def mentions(folded_text: str, value: str, bare: str = "") -> bool:
    """Whether a folded text has a folded value as a word of its own, a number behind `#`. `bare`: the text without blanks."""
    if len(value) < 2:
        return False
    if value.isdigit():
        return f"#{value}" in folded_text and bool(re.search(rf"#{value}(?!\d)", folded_text))
    if value.isascii():
        return value in folded_text and bool(re.search(rf"(?<![a-z0-9_-]){re.escape(value)}(?![a-z0-9_-])", folded_text))
    return value.replace(" ", "") in (bare or folded_text.replace(" ", ""))  # のぞみ 215号 is written のぞみ215号, too


class WordIndex:
    """Finds which of many folded words a text mentions, by the beginnings that they have and not one by one."""

    BEGINNING = 20
    """Characters by which a word is looked up: a text is cut into pieces of each length up to this one."""

    def __init__(self, words: Sequence[str]) -> None:
        self.words = words
        self._places: dict[str, list[int]] = defaultdict(list)
        for at, word in enumerate(words):
            self._places[(word if word.isascii() else word.replace(" ", ""))[: self.BEGINNING]].append(at)
        self._lengths = {len(word) for word in self._places}

    def mentioned(self, folded_text: str) -> list[int]:
        """Where the words stand that a folded text mentions."""
        bare = folded_text.replace(" ", "")
        pieces = (
            text[at : at + size] for text in {folded_text, bare} for size in self._lengths for at in range(len(text) - size + 1)
        )
        places = sorted(at for piece in {piece for piece in pieces if piece in self._places} for at in self._places[piece])
        return [at for at in places if mentions(folded_text, self.words[at], bare)]


def _is_name(cell: Any) -> bool:
    """Whether a cell may name its row; a number does where it stands behind `#`."""
    if isinstance(cell, int):
        return not isinstance(cell, bool)
    return isinstance(cell, str) and len(cell) > 1 and not is_dated(cell) and any(map(str.isalpha, cell))


def label_of(row: Row) -> str:
    """What a row calls itself, which another one may, too; empty where it has no such column."""
    return next((str(row.cells[name]) for name in ("name", "title") if isinstance(row.cells.get(name), str)), "")


def is_dated(cell: Any) -> bool:
    """Whether a cell is an ISO day or a moment."""
    return bool(_MOMENT.match(str(cell)))


def is_label(cell: Any) -> bool:
    """Whether a cell is a word or a name."""
    return isinstance(cell, str) and len(cell) > 2 and any(character.isalpha() for character in cell)


def without_blanks(cell: Any) -> str:
    """A folded cell, as Japanese is written with blanks and without."""
    return fold(str(cell)).replace(" ", "")
