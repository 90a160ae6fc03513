"""Validates rows, finds them in a sheet, and parses ranges of a sheet."""

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
"""The size that Google recommends for a request at most (developers.google.com/workspace/sheets/api/limits)."""

_LIKE_A_CELL = re.compile(r"\$?[A-Za-z]{1,3}\$?\d*(:.*)?")
_QUOTED = re.compile(r"'(?:[^']|'')*'")
_NUMBER_LIKE = re.compile(r"[+-][\d.,:/ ()-]+%?")
_FORMULA_IN_EXPORT = re.compile(r"\s*(=|[+\-@][A-Za-z_.]*\(|[+\-@]\S*\|)")
_FORMULA_IN_SHEET = re.compile(r"\s*[=+\-@]")


def check_rows(rows: Sequence[Row], value_input: ValueInput) -> None:
    """Raise NotDone, naming row and column, for rows that must not be written.

    With USER_ENTERED that is every text that the sheet would take for a formula. With RAW the sheet evaluates nothing, but an
    obvious formula is refused as well, because it would be evaluated where the sheet is exported to.
    """
    if not rows:
        raise NotDone("There is nothing to write: rows is empty.")
    if len(json.dumps(rows, ensure_ascii=False).encode()) > MAX_BYTES:
        raise NotDone(f"The rows are larger than {MAX_BYTES:,} bytes. Write them in several calls.")
    formula = _FORMULA_IN_SHEET if value_input == "USER_ENTERED" else _FORMULA_IN_EXPORT
    for number, row in enumerate(rows, 1):
        if not _plain(row):
            raise NotDone(f"Nothing was written: row {number} is empty. Leave it out.")
        for column, cell in enumerate(row, 1):
            if isinstance(cell, str) and formula.match(cell) and not _NUMBER_LIKE.fullmatch(cell.strip()):
                raise NotDone(
                    f"Nothing was written: row {number}, column {column} begins like a formula ({cell.strip()[:20]!r}). "
                    "Formulas are not accepted; write the text without the leading sign, or the computed value."
                )


def fingerprint(*parts: object) -> str:
    """Return a digest of this content."""
    return hashlib.sha256(json.dumps(parts, ensure_ascii=False).encode()).hexdigest()


def same(ours: Row, theirs: Row) -> bool:
    """Whether two rows are equal in a sheet, which drops empty cells at the end and does not distinguish null from empty."""
    return _plain(ours) == _plain(theirs)


def _plain(row: Row) -> list[str]:
    """Return the cells as text, as they compare in a sheet."""
    # Sheets has only one type of number, so 1.0 equals 1
    whole = (int(cell) if isinstance(cell, float) and cell.is_integer() else cell for cell in row)
    cells = ["" if cell is None else str(cell) for cell in whole]
    while cells and not cells[-1]:
        cells.pop()
    return cells


@dataclass(frozen=True)
class Target:
    """A parsed range: the sheet, and the first column of the table (0 = A)."""

    sheet: str
    first_column: int

    @property
    def whole(self) -> str:
        """The whole sheet in A1 notation."""
        return _quoted(self.sheet)

    def block(self, row: int, height: int, width: int) -> str:
        """Return a block of this table that starts in `row` (from 1), in A1 notation."""
        left, right = _letters(self.first_column), _letters(self.first_column + width - 1)
        return f"{_quoted(self.sheet)}!{left}{row}:{right}{row + height - 1}"


def parse_range(text: str) -> Target:
    """Parse a range: `シート1!B2:D` is column B of シート1, and a name alone is a sheet. Raises NotDone if no sheet is named."""
    sheet, mark, cells = text.strip().rpartition("!")
    if not mark or _QUOTED.fullmatch(text.strip()):  # a name in quotation marks may hold the mark
        sheet, mark, cells = text.strip(), "", ""
    if not mark and (not sheet or _LIKE_A_CELL.fullmatch(sheet)):
        raise NotDone(f"The range {text!r} names no sheet. Put the sheet's name in front, such as シート1!A1.")
    if sheet.startswith("'") and sheet.endswith("'"):
        sheet = sheet[1:-1].replace("''", "'")
    column = re.match(r"\$?([A-Za-z]{1,3})", cells)
    return Target(sheet, _index(column[1]) if column else 0)


def occurrences(table: Sequence[Row], rows: Sequence[Row], first_column: int) -> list[int]:
    """Return the numbers (from 1) of the table's rows from which on it contains `rows`, one below the other."""
    cut = [list(row)[first_column:] for row in table]
    starts = range(len(cut) - len(rows) + 1)
    return [at + 1 for at in starts if all(same(ours, theirs) for ours, theirs in zip(rows, cut[at:], strict=False))]


def by_key(table: Sequence[Row], key_column: int, first_column: int) -> dict[str, Row]:
    """Return the table's rows by the content of their key column (from 1)."""
    cut = [list(row)[first_column:] for row in table]
    return {key: row for row in cut if (key := key_of(row, key_column))}


def key_of(row: Row, key_column: int) -> str:
    """Return the content of the key column (from 1) as text; empty if the row is too short."""
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
