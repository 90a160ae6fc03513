"""Reads the rows of a result: the objects of its lists with their cells, in any wrapping."""

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from itertools import repeat
from types import MappingProxyType
from typing import Any, NamedTuple

from autonomy.provenance.sources.leaves import LONGEST_PATH, columns_of, is_figure
from autonomy.provenance.text.dates import is_moment
from autonomy.provenance.text.normalize import fold
from discovery.text.near_names import snake_case

MOST_ROWS = 2_000
MOST_CELL_CHARS = 80
"""A longer text is no name and no state."""
DEEPEST_CELL = 4
"""Objects inside of a row whose members are cells of it: `fields.status.name`, `properties.Owner.people`."""


class Row(NamedTuple):
    """One object of a list."""

    table: str
    """The list it stands in, by call and path."""
    cells: dict[str, Any]
    around: frozenset[str]
    """Folded scalars of the objects around it and of the call's arguments."""
    flags: dict[str, bool]
    """What is true or not of it, by a word: `submitted: true`, and of `merged_at: null` that it was not merged."""
    empty: frozenset[str] = frozenset()
    """The cells in which nothing stands."""
    lists: Mapping[str, tuple[str, ...]] = MappingProxyType({})
    """Short words and names that stand in a list of its own, folded: its labels, its guests."""

    def as_text(self) -> str:
        """The columns and what stands in them, as a finding shows a row; without the empty ones."""
        return ", ".join(f"{column}: {cell}" for column, cell in self.cells.items() if cell not in (None, ""))

    def word(self, column: str) -> str:
        """The folded content of a column; empty if there is none."""
        return fold(str(self.cells.get(column, "")))


def rows_of(call: str, result: Any, arguments: Mapping[str, Any] | None = None) -> list[Row]:
    """The rows of a result: the objects that stand in lists, with two cells or more."""
    found: list[Row] = []
    above = frozenset(fold(str(value)) for value in (arguments or {}).values() if isinstance(value, str | int))
    stack: list[tuple[Any, str, frozenset[str], bool]] = [(result, call, above, False)]
    while stack and len(found) < MOST_ROWS:
        value, path, around, listed = stack.pop()
        if len(path) > LONGEST_PATH:
            continue
        if isinstance(value, dict):
            inner = [(item, f"{path}.{name}") for name, item in value.items() if isinstance(item, _NESTED)]
            if listed:
                cells, empty, lists = _parts(value) if inner else _flat_parts(value)
                if len(cells) >= FEWEST_CELLS:
                    found.append(Row(path, cells, around, _flags(value), empty, lists))
            else:
                cells = _own_cells(value)
            if inner:
                inside = around | {fold(str(cell)) for cell in cells.values()}
                stack += [(item, below, inside, False) for item, below in inner]
        elif isinstance(value, list):
            alike = value[len(found) - MOST_ROWS :]  # the last stand first
            columns = columns_of(alike)
            rows = _alike_rows(path, tuple(alike[0]), columns, around) if columns else None
            if rows is None:
                stack += [(item, path, around, True) for item in value]
            else:
                found += rows
    return found


def _alike_rows(path: str, names: tuple[str, ...], columns: Sequence[Sequence[Any]], around: frozenset[str]) -> list[Row] | None:
    """The rows of objects that have the same cells, the last one first, in columns: a quarter of the time of one by one."""
    cells: dict[str, list[Any]] = {}
    flags: dict[str, list[bool]] = {}
    for name, column, (word, timed) in zip(names, columns, _flags_of(names), strict=True):
        kinds = set(map(type, column))
        if not (kinds == {bool} or kinds == {str} or (kinds <= {int, float} and all(map(is_figure, column)))):
            return None
        if word and (kinds == {bool} or (timed and kinds == {str})):
            flags[word] = [*map(bool, column)]
        if kinds != {bool}:
            if max(map(len, map(str, column))) > MOST_CELL_CHARS:
                return None
            cells[name] = [_figure(name, cell) for cell in column] if kinds == {str} else [*column]
    if len(cells) < FEWEST_CELLS:
        return None
    cells_of_rows = zip(*map(reversed, cells.values()), strict=True)
    flags_of_rows = zip(*map(reversed, flags.values()), strict=True) if flags else repeat(())
    return [
        Row(path, dict(zip(cells, own, strict=True)), around, dict(zip(flags, told, strict=True)))
        for own, told in zip(cells_of_rows, flags_of_rows, strict=False)
    ]


FEWEST_CELLS = 2
"""Of a row; an object with one is no row of a table."""
_NESTED = (dict, list)


def _own_cells(value: Mapping[str, Any]) -> dict[str, Any]:
    return {str(name): _figure(str(name), cell) for name, item in value.items() if (cell := _cell(item)) is not None}


def _figure(name: str, cell: str | int | float) -> str | int | float:
    """A cell that is a figure written as text, as databases give decimals and Sentry its counts; a number by which something
    is called stays a text."""
    if not isinstance(cell, str) or cell[:1].isalpha() or not _FIGURE.fullmatch(cell) or _calls_something(name):
        return cell
    return float(cell) if "." in cell else int(cell)


@lru_cache(maxsize=5_000)
def _calls_something(name: str) -> bool:
    """Whether a number in a column of this name is one by which something is called."""
    return bool(_CALLS.search(snake_case(name)))


_FIGURE = re.compile(r"-?(?:0|[1-9]\d{0,8})(?:\.\d{1,6})?")
_CALLS = re.compile(
    r"(?:^|_|user|order|item|tele)(?:id|no|key|phone|tel|zip|postal|version|hash|ref|#)s?$|(?:number|code)s?$|番号|コード|電話",
)


_Parts = tuple[dict[str, Any], frozenset[str], dict[str, tuple[str, ...]]]
"""A row's cells, the names of its empty ones, and its lists of words."""


def _flat_parts(value: Mapping[str, Any]) -> _Parts:
    """The parts of a row with nothing inside of it, as most rows of long lists."""
    cells = _own_cells(value)
    empty = frozenset(str(name) for name, item in value.items() if item is None) if None in value.values() else _NOTHING
    return cells, empty - cells.keys() if empty else empty, {}


_NOTHING = frozenset[str]()


def _parts(value: Mapping[str, Any]) -> _Parts:
    """The parts of a row; those of objects inside of it where none of its own has that name."""
    cells, empty, lists = _own_cells(value), set[str](), dict[str, tuple[str, ...]]()
    level = [value]
    for _ in range(DEEPEST_CELL):
        below: list[Mapping[str, Any]] = []
        for name, item in ((str(name), _unwrapped(item)) for objects in level for name, item in objects.items()):
            if name in cells and level[0] is not value and not isinstance(item, dict):
                continue
            if (cell := _cell(item)) is not None:
                cells.setdefault(name, cell)
            if item is None or item == "" or item == []:
                empty.add(name)
            elif isinstance(item, list) and (words := _words(item)):
                lists.setdefault(name, words)
            elif isinstance(item, dict):
                moments = (
                    {inner: at for inner, at in item.items() if isinstance(at, str) and at != cell and is_moment(at)}
                    if cell is not None
                    else item
                )
                below.append(moments)
        level = below
    return cells, frozenset(empty - cells.keys()), lists


def _unwrapped(value: Any) -> Any:
    """What stands in an object that names the type of its one value: `{"type": "number", "number": 5}`.

    Notion's API writes the properties of a page so (developers.notion.com, "Page properties").
    """
    if isinstance(value, dict) and isinstance(kind := value.get("type"), str) and kind in value:
        value = value[kind]
        if isinstance(value, bool):
            return str(value).lower()  # a box that is ticked
        if isinstance(value, dict) and isinstance(value.get("start"), str):
            return value["start"]  # a date, or the first day of a span
        if isinstance(value, list) and len(value) == 1 and isinstance(value[0], dict):
            return next((value[0][name] for name in ("plain_text", "name") if isinstance(value[0].get(name), str)), value)
    return value


def _cell(value: Any) -> str | int | float | None:
    """What a member says in short: itself, or the name or moment of an object that stands there (`{"login": "rin"}`)."""
    if isinstance(value, dict):
        value = next((value[name] for name in _NAMES if isinstance(value.get(name), str)), None)
    if isinstance(value, str):
        return value if len(value) <= MOST_CELL_CHARS else None
    return value if is_figure(value) and len(str(value)) <= MOST_CELL_CHARS else None


_NAMES = ("displayName", "display_name", "login", "name", "title", "username", "email", "dateTime", "date", "value")
"""Members by which an object inside of a row is called, the most telling first."""


def _words(items: Sequence[Any]) -> tuple[str, ...]:
    """The members of a list of words, or of objects with names; none where one of them is long."""
    words = [_cell(item) for item in items]
    return tuple(fold(str(word)) for word in words) if all(isinstance(word, str) and word for word in words) else ()


_WHEN = re.compile(r"(?:is_|was_|has_)?([a-z]{4,})(?:_(?:at|on|date))?")


def _flags(value: Mapping[str, Any]) -> dict[str, bool]:
    return {
        word: bool(cell)
        for (word, timed), cell in zip(_flags_of(tuple(map(str, value))), value.values(), strict=True)
        if word and (isinstance(cell, bool) or (timed and (cell is None or isinstance(cell, str))))
    }


@lru_cache(maxsize=2_000)
def _flags_of(names: tuple[str, ...]) -> tuple[tuple[str, bool], ...]:
    """What a cell of each of these names is true or not of, empty for nothing, and whether it tells when; the rows of a list
    mostly have the same."""
    found = ((_WHEN.fullmatch(name), name) for name in names)
    return tuple((word[1] if word else "", name.endswith(("_at", "_on", "_date"))) for word, name in found)
