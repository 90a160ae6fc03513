"""Gathers the records of reads over their pages, and finds which of them a question asks about."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from decimal import Decimal
from functools import cache
from typing import Any, NamedTuple

from autonomy.provenance.sources.result_rows import Row
from autonomy.provenance.sources.tabular.tables import NAMES, Table
from autonomy.provenance.text.dates import is_iso_day
from autonomy.provenance.text.normalize import fold
from autonomy.provenance.text.word_data import load_words
from metrics.text.phrases import patterns_of

_PHRASES = patterns_of("autonomy.provenance")
MOST_RECORDS = 500
MOST_VALUES = 60
"""Different values of a column that are looked for in a question."""
LONGEST_VALUE = 40
_NUMBERS = frozenset({"id", "number", "no", "#", "iid", "year"})
"""Columns of figures that measure nothing."""


class PagedRecords(NamedTuple):
    """The records of one list, each once, over all pages that were read of it."""

    table: Table
    pages: tuple[tuple[Row, ...], ...]
    is_whole: bool
    """Whether nothing says that there is more of it."""

    def figures(self) -> dict[str, list[Decimal]]:
        """The figures of each column in which every record has one, in the order of the records."""
        columns = {name: [row.cells.get(name) for row in self.table] for name in self.table[0].cells}
        return {
            name: [Decimal(str(cell)) for cell in cells]
            for name, cells in columns.items()
            if name.lower() not in _NUMBERS and all(type(cell) in (int, float) for cell in cells)
        }


def gathered(tables: Iterable[Table], reads: Mapping[str, tuple[str, Mapping[str, Any], bool]]) -> Iterator[PagedRecords]:
    """The records of tables whose calls differ only in their page. `reads`: of each call its tool, its arguments, and whether it
    leaves something unread."""
    groups: dict[str, list[tuple[Table, bool]]] = {}
    for table in tables:
        path = table[0].table
        call = max((one for one in reads if path.startswith(one)), key=len, default=None)
        if call is not None:
            tool, arguments, is_open = reads[call]
            asked = sorted((name, str(value)) for name, value in arguments.items() if not _is_page(name, value))
            groups.setdefault(f"{tool} {path[len(call) :]} {asked}", []).append((table, is_open))
    for found in groups.values():
        rows = {(str(row.cells), str(row.lists)): row for table, _ in found for row in table}
        if len(rows) <= MOST_RECORDS:
            pages = tuple(tuple(table) for table, _ in found)
            yield PagedRecords(Table(rows.values()), pages, not any(is_open for _, is_open in found))


def _is_page(name: str, value: Any) -> bool:
    words = load_words("result_keys")
    return name.lower() in {*words["page"], *words["size"]} and not is_iso_day(str(value)[:10])


class KnownHandles:
    """What people are called whom a listing gives by a handle and a name, besides what ids and names are known."""

    def __init__(self, tables: Iterable[Table], names_of: Callable[[str], frozenset[str]]) -> None:
        self._names_of = names_of
        self._names: dict[str, set[str]] = {}
        for row in (row for table in tables for row in table[:MOST_RECORDS]):
            for handle in _HANDLES & row.cells.keys():
                for name in _CALLED & row.cells.keys():
                    self._names.setdefault(row.word(handle), set()).add(row.word(name))

    def names_of(self, called: str) -> frozenset[str]:
        """Every folded id, handle and name of whoever is called so, in full or by the first or the last part of a name."""
        key = fold(called).strip()
        bearing = [handle for handle, names in self._names.items() if any(key in (name, *name.split()) for name in names)]
        handles = {key, *(bearing if len(bearing) == 1 else ())}
        return self._names_of(key).union(handles, *(self._names.get(handle, ()) for handle in handles))

    def only_one_named_in(self, folded_text: str) -> frozenset[str]:
        """All names of the one person whom a folded text names; none where it names nobody, or several."""
        named = [
            {handle, *names}
            for handle, names in self._names.items()
            if mentions_any(folded_text, {handle, *names, *(part for name in names for part in name.split() if len(part) > 1)})
        ]
        return frozenset(named[0]) if len(named) == 1 else frozenset()


_HANDLES, _CALLED = frozenset({"login", "username", "user_name", "handle"}), frozenset({"name", "full_name", "real_name"})


class AskedValues(NamedTuple):
    """What a question asks of records: that a column has one of some values, or that it has none of them."""

    column: str
    values: frozenset[str]
    is_denied: bool = False

    def holds(self, row: Row) -> bool:
        """Whether a record meets it."""
        return self.has(row) is not self.is_denied

    def has(self, row: Row) -> bool:
        """Whether a record has one of the values."""
        return not self.values.isdisjoint(values_of(row, self.column))

    def as_text(self) -> str:
        """As a finding shows it."""
        return f"{self.column}: {'not ' * self.is_denied}{' or '.join(sorted(self.values))}"


def values_of(row: Row, column: str) -> tuple[str, ...]:
    """The folded words of a column of a record, be it one or a list."""
    return row.lists.get(column) or ((row.word(column),) if isinstance(row.cells.get(column), str) else ())


def conditions_of(question: str, table: Table, names_of: Callable[[str], frozenset[str]]) -> tuple[AskedValues, ...]:
    """The conditions that a question sets for records by values of their columns. `names_of`: what else somebody is called."""
    text, found = fold(question), dict[tuple[str, bool], set[str]]()
    columns = dict.fromkeys(name for row in table for name in (*row.cells, *row.lists))
    for column in columns:
        values = {value for row in table for value in values_of(row, column) if 1 < len(value) <= LONGEST_VALUE}
        for value in values if len(values) <= MOST_VALUES else ():
            for start, end in _mentions(text, forms_of(value, column, names_of)):
                found.setdefault((column, _is_left_out(text, start, end)), set()).add(value)
    return tuple(AskedValues(column, frozenset(values), is_denied) for (column, is_denied), values in found.items())


def forms_of(value: str, column: str, names_of: Callable[[str], frozenset[str]]) -> frozenset[str]:
    """The words by which a text may speak of a folded value."""
    forms = {value, *_alike().get(value, ())}
    if any(part in NAMES for part in (column.lower(), *column.lower().split("_"))):
        names = {value, *names_of(value)}
        parts = {part for name in names for part in (name.split()[0], name.split()[-1]) if len(part) > 2 or not part.isascii()}
        forms |= names | parts
    elif not value.isascii() and value.count(" ") == 1:  # 青木 蓮, whatever the column is called
        forms |= {value.partition(" ")[0], value.replace(" ", "")}
    return frozenset(form for form in forms if len(form) > 1 and any(map(str.isalpha, form)))


@cache
def _alike() -> dict[str, tuple[str, ...]]:
    """Of each word for a state or a sort the others that mean it."""
    groups = [tuple(map(fold, (word, *others))) for word, others in load_words("filed_under").items()]
    return {word: group for group in groups for word in group}


def _mentions(text: str, forms: Iterable[str]) -> Iterator[tuple[int, int]]:
    for form in forms:
        pattern = rf"(?<![a-z0-9_-]){re.escape(form)}(?![a-z0-9_])" if form.isascii() else re.escape(form)
        yield from (match.span() for match in re.finditer(pattern, text)) if form in text else ()


def mentions_any(folded_text: str, forms: Iterable[str]) -> bool:
    """Whether a folded text has one of some words."""
    return any(True for _ in _mentions(folded_text, forms))


def _is_left_out(text: str, start: int, end: int) -> bool:
    in_front, behind = _PHRASES["records_left_out_in_front"], _PHRASES["records_left_out_behind"]
    return bool(in_front.search(text[:start]) or behind.match(text[end:]))


def told_rows(text: str, table: Table) -> list[tuple[str, Row]]:
    """The records that a text names by their title or number, each with the line that names it."""
    columns = [column for column in dict.fromkeys(name for row in table for name in row.cells) if _TITLED.search(column)]
    titles = [(word, row) for column in columns for word, row in _own_titles(table, column)]
    lines = [(line, fold(line)) for line in text.splitlines() if line.strip()]
    found = {id(row): (line, row) for line, folded in lines for word, row in titles if stands_whole(folded, word)}
    return list(found.values())


def stands_whole(folded_text: str, folded_title: str) -> bool:
    """Whether a folded title stands in a folded text, and not as a part of a longer word."""
    return mentions_any(folded_text, (folded_title,))


def _own_titles(table: Table, column: str) -> Iterator[tuple[str, Row]]:
    """The titles in a column that no other record has."""
    words = table.words(column)
    for word, row in zip(words, table, strict=True):
        is_word = isinstance(row.cells.get(column), str) and any(map(str.isalpha, word))
        if is_word and len(word) > FEWEST_CHARS and words.count(word) == 1:
            yield word, row


_TITLED = re.compile(
    r"(?:title|name|summary|subject|(?:^|_)(?:id|key|sku|code|identifier|guest|customer|client))$", re.IGNORECASE
)
FEWEST_CHARS = 2
