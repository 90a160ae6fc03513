"""Validates rows, finds existing ones, and locates ranges of a sheet."""

import hashlib
import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from mcp_servers.common.service_requests import NotDone

Cell = str | int | float | bool | None
Row = Sequence[Cell]
ValueInput = Literal["RAW", "USER_ENTERED"]

MAX_BYTES = 2_000_000
"""The size of request that Google advises not to exceed (developers.google.com/workspace/sheets/api/limits)."""

_LIKE_A_CELL = re.compile(r"\$?[A-Za-z]{1,3}\$?\d*(:.*)?")
_NUMBER_LIKE = re.compile(r"[+-][\d.,:/ ()-]+%?")
_RUNS_ELSEWHERE = re.compile(r"\s*(=|[+\-@][A-Za-z_.]*\(|[+\-@]\S*\|)")
_RUNS_HERE = re.compile(r"\s*[=+\-@]")


def check_rows(rows: Sequence[Row], value_input: ValueInput) -> None:
    """Refuse what must not be written; raises NotDone naming the row and column.

    With USER_ENTERED every text that a sheet would take for a formula is refused. With RAW a sheet runs nothing, but a text
    that is plainly a formula would run where the sheet is exported to, so it is refused too.
    """
    if not rows:
        raise NotDone("There is nothing to write: rows is empty.")
    if len(json.dumps(rows, ensure_ascii=False).encode()) > MAX_BYTES:
        raise NotDone(f"The rows are larger than {MAX_BYTES:,} bytes. Write them in several calls.")
    runs = _RUNS_HERE if value_input == "USER_ENTERED" else _RUNS_ELSEWHERE
    for number, row in enumerate(rows, 1):
        if not _plain(row):
            raise NotDone(f"Nothing was written: row {number} is empty. Leave it out.")
        for column, cell in enumerate(row, 1):
            if isinstance(cell, str) and runs.match(cell) and not _NUMBER_LIKE.fullmatch(cell.strip()):
                raise NotDone(
                    f"Nothing was written: row {number}, column {column} begins like a formula ({cell.strip()[:20]!r}). "
                    "Formulas are not accepted; write the text without the leading sign, or the computed value."
                )


def fingerprint(*parts: object) -> str:
    """A short name for exactly this content."""
    return hashlib.sha256(json.dumps(parts, ensure_ascii=False).encode()).hexdigest()


def same(ours: Row, theirs: Row) -> bool:
    """Whether a row reads the same in the sheet, where empty cells at the end are left out and null is empty."""
    return _plain(ours) == _plain(theirs)


def _plain(row: Row) -> list[str]:
    cells = ["" if cell is None else _text(cell) for cell in row]
    while cells and not cells[-1]:
        cells.pop()
    return cells


def _text(cell: Cell) -> str:
    if isinstance(cell, float) and cell.is_integer():
        return str(int(cell))  # Sheets has one kind of number
    return str(cell)


@dataclass(frozen=True)
class Target:
    """A range in A1 notation, taken apart: the sheet, and the first column (0 = A) where the table begins."""

    sheet: str
    first_column: int

    @property
    def whole(self) -> str:
        """A1 notation of the whole sheet."""
        return _quoted(self.sheet)

    def block(self, row: int, height: int, width: int) -> str:
        """A1 notation of a block that starts in the 1-based `row` of this table."""
        left, right = _letters(self.first_column), _letters(self.first_column + width - 1)
        return f"{_quoted(self.sheet)}!{left}{row}:{right}{row + height - 1}"


def parse_range(text: str) -> Target:
    """`シート1!B2:D` → シート1, column B; a bare name is a sheet. Raises NotDone where no sheet is named."""
    sheet, mark, cells = text.strip().rpartition("!")
    if not mark:
        sheet, cells = cells, ""
        if not sheet or _LIKE_A_CELL.fullmatch(sheet):
            raise NotDone(f"The range {text!r} names no sheet. Put the sheet's name in front, such as シート1!A1.")
    if sheet.startswith("'") and sheet.endswith("'"):
        sheet = sheet[1:-1].replace("''", "'")
    column = re.match(r"\$?([A-Za-z]{1,3})", cells)
    return Target(sheet, _index(column[1]) if column else 0)


def occurrences(table: Sequence[Row], rows: Sequence[Row], first_column: int) -> list[int]:
    """The 1-based numbers of the table's rows at which `rows` stand one below the other."""
    cut = [list(row)[first_column:] for row in table]
    starts = range(len(cut) - len(rows) + 1)
    return [at + 1 for at in starts if all(same(ours, theirs) for ours, theirs in zip(rows, cut[at:], strict=False))]


def by_key(table: Sequence[Row], key_column: int, first_column: int) -> dict[str, Row]:
    """The table's rows by what stands in their 1-based key column."""
    cut = [list(row)[first_column:] for row in table]
    return {key: row for row in cut if (key := key_of(row, key_column))}


def key_of(row: Row, key_column: int) -> str:
    """The content of the key column, as text; empty if the row is too short."""
    return "".join(_plain(row[key_column - 1 : key_column]))


def _letters(column: int) -> str:
    letters = ""
    column += 1
    while column:
        column, rest = divmod(column - 1, 26)
        letters = chr(ord("A") + rest) + letters
    return letters


def _index(letters: str) -> int:
    number = 0
    for letter in letters.upper():
        number = number * 26 + ord(letter) - ord("A") + 1
    return number - 1


def _quoted(sheet: str) -> str:
    plain = re.fullmatch(r"\w+", sheet) and not _LIKE_A_CELL.fullmatch(sheet)
    return sheet if plain else "'" + sheet.replace("'", "''") + "'"
