"""Counts the columns of a terminal that a text takes, and lays out what is wider than it."""

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate, zip_longest
from unicodedata import east_asian_width

_WORD = re.compile(r"[「（『]*(?:[!-~]+|.)[、。」）』：]* ?")
"""What stays in one line: a word of ASCII, or a letter, with the marks that may not begin or end a line."""

_UNIT = re.compile(r"[「（『]*(?:[!-_a-~]*`[^`]*`[!-_a-~]*|[!-~]+|.)[、。」）』：]* ?")
"""The same, and a command in backquotes, which is copied as a whole."""

GAP = "  "
"""Between two cells of a row."""


def columns_of(text: str) -> int:
    """How many columns of a terminal a text takes: a character of Japanese takes two."""
    # as `rich.cells.cell_len` counts them, which takes longer to import than most commands take
    return sum(2 if east_asian_width(one) in "WF" else 1 for one in text)


def padded(text: str, columns: int) -> str:
    """A text with blanks behind it up to so many columns of the terminal."""
    return text + " " * (columns - columns_of(text))


def lines_within(text: str, columns: int) -> Iterator[str]:
    """A text broken into lines of so many columns, at its words; a longer word is a line of its own."""
    line = ""
    for word in _WORD.findall(text):
        if line and columns_of((line + word).rstrip()) > columns:
            yield line.rstrip()
            line = ""
        line += word
    yield line.rstrip()


def folded(text: str, columns: int) -> Iterator[str]:
    """A line of prose on as many lines as it takes, broken at its words and indented below itself. What people copy stays whole: a
    command in backquotes, an address, and a line that is itself a command, however long."""
    words = text.lstrip()
    if columns_of(text) <= columns or words.startswith("jiritsu "):
        yield text
        return
    lead = text[: len(text) - len(words)]
    line, behind = lead, f"{lead}{GAP}"
    for word in _UNIT.findall(words):
        if line.strip() and columns_of((line + word).rstrip()) > columns:
            yield line.rstrip()
            line = behind
        line += word
    yield line.rstrip()


def cut(text: str, columns: int) -> str:
    """A text, cut off with a sign where it takes more than so many columns."""
    if columns_of(text) <= columns:
        return text
    kept = text[: columns - 1]
    while columns_of(kept) > columns - 1:
        kept = kept[:-1]
    return kept + "…"


def table_lines(rows: Iterable[Sequence[str]], columns: int, *, indent: int = len(GAP)) -> Iterator[list[str]]:
    """The lines of each row of a table; what does not fit into `columns` stands on further lines.

    The first columns stand below each other, as many as fit together; of those behind them an empty cell is left out.
    """
    table = [list(row) for row in rows]
    widths = [max(map(columns_of, cells)) for cells in zip_longest(*table, fillvalue="")]
    ends = accumulate(width + len(GAP) for width in widths)
    in_order = sum(end - len(GAP) <= columns for end in ends)
    for row in table:
        cells = [*map(padded, row[:in_order], widths), *filter(None, row[in_order:])]
        yield [line.rstrip() for line in _folded(cells, columns, " " * indent)]


def _folded(cells: Iterable[str], columns: int, indent: str) -> Iterator[str]:
    """Cells, as many on a line as it takes; further lines are indented, and a longer cell is broken at its words."""
    line = ""
    for cell in cells:
        if line and columns_of((line + GAP + cell).rstrip()) > columns:
            yield line
            *full, rest = lines_within(cell, columns - len(indent))
            yield from (indent + part for part in full)
            line = indent + rest
        else:
            line += GAP + cell if line else cell
    yield line
