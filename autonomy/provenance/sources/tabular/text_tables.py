"""Reads tables in plain text: comma- or tab-separated files and Markdown tables."""

import csv
import re
from collections.abc import Iterator, Sequence
from itertools import takewhile
from typing import Any, NamedTuple

MOST_TABLE_CHARS = 2_000_000
MOST_TABLE_ROWS = 20_000
LONGEST_HEADER = 60
"""Characters of a column's name; a longer first line is prose with commas."""
_NUMBER = re.compile(r"-?(?:\d{1,3}(?:,\d{3}){1,4}|\d{1,15})(?:\.\d{1,10})?")
_FIGURED = re.compile(rf"{_NUMBER.pattern}|\d{{1,4}}:[0-5]\d")
"""A number, or hours and minutes."""
_CODE = re.compile(r"-?0\d")
"""A figure with zeros in front is a code: 007."""
_RULE = re.compile(r"[|+]?\s*:?-{2,}:?\s*(?:[|+]\s*:?-{2,}:?\s*)*[|+]?")
"""The line under the head of a Markdown table, or of one that `psql` prints."""


FOLDED_RULE = "| --- |"
"""Stands in a Markdown table of which a server has put all lines into one."""


def with_rows(text: str) -> list[Any] | None:
    """The rows of a text's tables as objects, and its other lines as one text at the end; None for a text without a table."""
    if len(text) > MOST_TABLE_CHARS:
        return None
    if "\n" not in text:
        return _folded(text)
    lines = text.strip().splitlines()
    return _separated(lines) or (_markdown(lines) if "|" in text else None) or _aligned(lines) or _among_paragraphs(text)


def _folded(text: str) -> list[Any] | None:
    """The rows of a Markdown table that stands in one line with the text around it, as excerpts of posts do."""
    cells = [cell.strip() for cell in text.split("|")]
    rule = next((at for at, cell in enumerate(cells) if _RULE_CELL.fullmatch(cell)), 0)
    width = next((at for at, cell in enumerate(cells[rule:]) if not _RULE_CELL.fullmatch(cell)), 0)
    head = cells[max(0, rule - 1 - width) : max(0, rule - 1)]
    if len(head) < 2 or not _is_head(head):
        return None
    ends = range(rule + width, len(cells) - width - 1, width + 1)
    rows = [cells[at + 1 : at + 1 + width] for at in takewhile(lambda at: not cells[at], ends)]
    return _objects(head, rows[:MOST_TABLE_ROWS]) or None


_RULE_CELL = re.compile(r":?-{3,60}:?")


def _among_paragraphs(text: str) -> list[Any] | None:
    """A separated file that stands between paragraphs, as exports have a title above and a note below."""
    parts = [part.strip() for part in text.split("\n\n") if part.strip()]
    for at, part in enumerate(parts[:MOST_PARTS] if len(parts) > 1 else ()):
        lines = part.splitlines()
        if len(lines) > 2 and (rows := _separated(lines)) and (len(rows[0]) >= FEWEST_COLUMNS or _lists_figures(rows)):
            return [*rows, "\n".join(parts[:at] + parts[at + 1 :])]
    return None


def _lists_figures(rows: Sequence[dict[str, Any]]) -> bool:
    """Whether a table of two columns gives a figure for each of several names or months; one may still be missing."""
    figures = sum(isinstance(list(row.values())[-1], int | float) for row in rows)
    return len(rows) >= FEWEST_FIGURES and figures >= len(rows) - 1


FEWEST_FIGURES = 4
MOST_PARTS = 50


def _aligned(lines: Sequence[str]) -> list[Any] | None:
    """A table of a terminal: a head of capitalised names, then lines with as many words, as `df` and `kubectl` print it; the
    last name may have a blank (`Mounted on`)."""
    if not 2 < len(lines) <= MOST_TABLE_ROWS or not all(any(map(str.isdigit, line)) for line in lines[1:]):
        return None
    split = _WIDE.split if _are_wide(lines) else str.split
    head, length = split(lines[0].strip()), len(split(lines[1].strip()))
    if length < FEWEST_COLUMNS or not length <= len(head) <= length + 1:
        return None
    rows = [split(line.strip()) for line in lines[1:]]
    if any(len(row) != length for row in rows):
        return None
    names = [*head[: length - 1], " ".join(head[length - 1 :])]
    return _objects(names, rows) if _is_head(names) and all(name[0].isupper() for name in names) else None


def _are_wide(lines: Sequence[str]) -> bool:
    """Whether two blanks or more stand between the cells, as many of them in each line."""
    columns = len(_WIDE.split(lines[0].strip()))
    return columns > 2 and all(len(_WIDE.split(line.strip())) == columns for line in lines)


_WIDE = re.compile(r"\s{2,}")
FEWEST_COLUMNS = 3
"""Lines of two words each are prose as well."""


def with_named_cells(value: Any) -> Any:
    """A result whose tables are lists of objects.

    Lists of lists with a head (spreadsheets) and columns beside one another (weather, metrics) become objects;
    anything else stays as it is.
    """
    if isinstance(value, dict):
        if _is_columnar(value):
            return _from_columns(value)
        if headed := _with_its_head(value):
            return headed
        changed = any(_is_sheet(item) or (isinstance(item, dict) and _is_columnar(item)) for item in value.values())
        return {name: with_named_cells(item) for name, item in value.items()} if changed else value
    if not _is_sheet(value):
        return value
    # Google Sheets leaves out the empty cells at the end of a row (developers.google.com/sheets/api, "ValueRange").
    return _objects(value[0], [[*row, *[""] * (len(value[0]) - len(row))] for row in value[1:]])


def _with_its_head(value: dict[str, Any]) -> dict[str, Any] | None:
    """An object whose one list of lists has its head in the one list of names beside it, as databases answer, with rows of
    objects: `{"columns": ["month", "visitors"], "rows": [["2027-01", 1140], …]}`."""
    lists = {name: item for name, item in value.items() if isinstance(item, list) and item}
    heads = [name for name, item in lists.items() if all(isinstance(cell, str) for cell in item)]
    bodies = [name for name, item in lists.items() if all(isinstance(row, list) for row in item)]
    if len(heads) != 1 or len(bodies) != 1 or not _is_head(value[heads[0]]):
        return None
    head, rows = value[heads[0]], value[bodies[0]]
    if len(rows) > MOST_TABLE_ROWS or any(len(row) != len(head) for row in rows):
        return None
    return {**{name: item for name, item in value.items() if name != heads[0]}, bodies[0]: _objects(head, rows)}


def _is_columnar(value: dict[str, Any]) -> bool:
    """Whether the lists of an object are columns: as long as one another, the first of days, times or names, another of figures.

    Open-Meteo answers so: `{"time": ["2027-03-06", …], "temperature_2m_max": [14.2, …]}` (open-meteo.com/en/docs).
    """
    columns = [item for item in value.values() if isinstance(item, list)]
    if len(columns) < 2 or not FEWEST_CELLS <= len(columns[0]) <= MOST_TABLE_ROWS or len({*map(len, columns)}) > 1:
        return False
    named = all(isinstance(cell, str) for cell in columns[0]) and len(set(columns[0])) == len(columns[0])
    scalars = all(cell is None or isinstance(cell, str | int | float) for column in columns for cell in column)
    figures = any(all(isinstance(cell, int | float) or cell is None for cell in column) for column in columns[1:])
    return named and scalars and figures


FEWEST_CELLS = 3
"""Two lists of two members each are as long as one another by chance."""


def _from_columns(value: dict[str, Any]) -> dict[str, Any]:
    columns = {name: item for name, item in value.items() if isinstance(item, list)}
    rows = [dict(zip(columns, cells, strict=True)) for cells in zip(*columns.values(), strict=True)]
    return {**{name: item for name, item in value.items() if name not in columns}, "rows": rows}


def _is_sheet(value: Any) -> bool:
    """Whether a list of lists has a head of names and rows that are no longer than it."""
    return (
        isinstance(value, list)
        and 1 < len(value) <= MOST_TABLE_ROWS
        and all(isinstance(row, list) and 0 < len(row) <= len(value[0]) for row in value)
        and all(isinstance(cell, str) for cell in value[0])
        and _is_head(value[0])
        and not all(isinstance(cell, str) and not _FIGURED.fullmatch(cell) for row in value[1:] for cell in row)
    )


def _separated(lines: Sequence[str]) -> list[Any] | None:
    """A file of comma-, semicolon- or tab-separated values with a head, and nothing else. RFC 4180."""
    if len(lines) < 2:
        return None
    for sign in ("\t", ",", ";"):
        if sign not in lines[0]:
            continue
        read = filter(None, csv.reader(lines[: MOST_TABLE_ROWS + 1], delimiter=sign, strict=True))
        try:
            head = next(read, [])
            rows = list(read) if _is_head(head) else []  # most first lines with a comma are prose
        except csv.Error:
            continue
        if rows and all(len(row) == len(head) for row in rows) and (len(rows) > 1 or len(head) > 2):
            return _objects(head, rows)
    return None


def _is_head(cells: Sequence[str]) -> bool:
    """Whether these may be the names of columns: short, each its own, no figures and no sentences."""
    names = [cell.strip() for cell in cells]
    return (
        len(names) > 1
        and len(set(names)) == len(names)
        and all(
            name
            and len(name) <= LONGEST_HEADER
            and (not name[0].isdigit() or _PERIOD.match(name))
            and not name.endswith((".", "。"))
            for name in names
        )
    )


_PERIOD = re.compile(r"\d{1,4}(?:月(?!\s?\d)|年(?!\s?\d)|期|週|回目|位|(?:st|nd|rd|th) )")
"""A column of a month, a year or a rank; a day, with which a row of data begins, is no name."""


def _markdown(lines: Sequence[str]) -> list[Any] | None:
    """The rows of the Markdown tables among other lines, and those lines."""
    found: list[Any] = []
    rest: list[str] = []
    at = 0
    for table in markdown_tables(lines):
        names = [name or f"column {number}" for number, name in enumerate(table.head, 1)]
        found += _objects(names, [row for row in table.rows if len(row) == len(names)])
        rest += lines[at : table.begin]
        at = table.end
    return [*found, "\n".join([*rest, *lines[at:]])] if found else None


class MarkdownTable(NamedTuple):
    """A table among the lines of a text."""

    begin: int
    """The number of its first line …"""
    end: int
    """… and of the line behind it."""
    head: list[str]
    rows: list[list[str]]
    """The cells of each row, as many as it has."""


def markdown_tables(lines: Sequence[str]) -> Iterator[MarkdownTable]:
    """The tables of GitHub's Markdown (section 4.10 of its specification) among other lines, `MOST_TABLE_ROWS` rows of them."""
    at, left = 0, MOST_TABLE_ROWS
    while at < len(lines):
        if "|" in lines[at] and at + 1 < len(lines) and _RULED.search(lines[at + 1]) and _RULE.fullmatch(lines[at + 1].strip()):
            below = (lines[number] for number in range(at + 2, min(at + 2 + left, len(lines))))
            rows = [_cells(line) for line in takewhile(lambda line: "|" in line, below)]
            yield MarkdownTable(at, at + 2 + len(rows), _cells(lines[at]), rows)
            at, left = at + 2 + len(rows), left - len(rows)
        else:
            at += 1


_RULED = re.compile(r"[|+]")


def _cells(line: str) -> list[str]:
    return [cell.strip() for cell in line.strip().removeprefix("|").removesuffix("|").split("|")]


def _objects(head: Sequence[str], rows: Sequence[Sequence[Any]]) -> list[Any]:
    names = [name.strip() for name in head]
    return [{name: typed(cell) for name, cell in zip(names, row, strict=True)} for row in rows]


def typed(cell: Any) -> Any:
    """A cell as the number that it is, or as it stands."""
    if not isinstance(cell, str):
        return cell
    cell = cell.strip()
    if not _NUMBER.fullmatch(cell) or _CODE.match(cell):
        return cell
    figure = float(cell.replace(",", ""))
    return int(figure) if "." not in cell else figure
