"""Compares what a sentence states about a row of a result with that row."""

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from datetime import date
from decimal import Decimal
from itertools import permutations
from typing import Any

from autonomy.provenance.sources.evidence_units import attribute_kind
from autonomy.provenance.sources.result_rows import Row
from autonomy.provenance.sources.tabular.tables import Table, mentions
from autonomy.provenance.text.dates import is_iso_day, local_moment
from autonomy.provenance.text.normalize import fold, normalize
from autonomy.provenance.text.word_data import load_words
from metrics.text.phrases import patterns_of

_PHRASES = patterns_of("autonomy.provenance")

_CLAUSE = re.compile(r"[,;:]\s|\bbut\b|\bbecause\b")


def flags_conflict(text: str, tables: Sequence[Table]) -> Iterator[tuple[str, str]]:
    """Words that a sentence affirms of rows that say no (`submitted: false`), or denies of one that says yes."""
    folded_text = fold(text)
    if _PHRASES["conditional"].search(folded_text):
        return
    for table in filter(None, (one.flagged for one in tables)):
        own = table.rows_named(folded_text, _OWNERS)
        for word in {word for row in own for word in row.flags if re.search(rf"\b{word}\b", folded_text)}:
            clause = next(part for part in _CLAUSE.split(folded_text) if re.search(rf"\b{word}\b", part))
            clause_rows = table.rows_named(clause, _OWNERS) or own
            states = {row.flags[word] for row in clause_rows if word in row.flags}
            denied = bool(_PHRASES["denies"].search(clause[: _end_of(word, clause)] if clause.isascii() else clause))
            if (not denied and False in states) or (denied and states == {True} and len(clause_rows) == 1):
                yield word, "; ".join(f"{word}: {str(state).lower()}" for state in sorted(states))


_OWNERS = frozenset(load_words("result_keys")["names_its_owner"])
"""Columns that name a row where each has a name of its own."""


def _end_of(word: str, clause: str) -> int:
    """Where a word ends: in English a denial stands in front of what it denies, or right behind it (`merged: no`)."""
    found = re.search(rf"\b{word}\b", clause)
    return found.end() + 6 if found else len(clause)


MOST_MOMENTS = 12
"""Moments of a table between which the time is reckoned."""


def minutes_taken(tables: Sequence[Table]) -> frozenset[int]:
    """The minutes that each row takes from its one moment to its other one, of each table together, of all but one, and between
    the moments of a short table."""
    found: set[int] = set()
    for table in tables:
        taken = [minutes for row in table if (minutes := _taken(row))]
        found |= {*taken, sum(taken), *(sum(taken) - minutes for minutes in taken)}
        moments = [at for row in table[:MOST_MOMENTS] for cell in row.cells.values() if (at := local_moment(cell, None))]
        found |= {
            round((one - other).total_seconds() / 60) for one, other in permutations(moments[:MOST_MOMENTS], 2) if one > other
        }
    return frozenset(found)


def minutes_named(text: str, tables: Sequence[Table]) -> frozenset[int]:
    """The minutes that the rows took which a line names, by their keys or by a number behind #."""
    folded_text = fold(text)
    named = [row for table in tables for row in table.rows_named(folded_text) or _numbered(folded_text, table)]
    return frozenset(minutes for row in named if (minutes := _taken(row)))


def _numbered(folded_text: str, table: Table) -> list[Row]:
    return [row for row in table if "#" in row.cells and mentions(folded_text, row.word("#"))]


def _taken(row: Row) -> int:
    moments = [at for cell in row.cells.values() if (at := local_moment(cell, None))]
    if len(moments) == 2:
        return round(abs((moments[1] - moments[0]).total_seconds()) / 60)
    times = [_minutes(cell) for cell in row.cells.values() if _TIME.fullmatch(str(cell))]
    return (times[1] - times[0]) % 1440 if len(times) == 2 else 0


def _minutes(cell: Any) -> int:
    hours, _, minutes = str(cell).partition(":")
    return 60 * int(hours) + int(minutes)


STATE_COLUMNS = frozenset({"state", "status"})
"""Columns that say how a thing stands."""


def stands(folded_text: str, value: str) -> bool:
    """Whether a folded value, or the first name of a person, stands in a folded text as words of its own."""
    return _place(folded_text, value) >= 0


def _place(folded_text: str, value: str, *, by_first_name: bool = True) -> int:
    """Where a value, or the first name of a person, stands in a sentence; −1 where it does not."""
    for form in dict.fromkeys((value, value.split(" ")[0] if by_first_name else value)):
        if form not in folded_text:
            continue
        if len(form) > 2 and form.isascii() and form[0].isalpha():
            found = re.search(rf"(?<![\w-]){re.escape(form)}(?![\w-])", folded_text)
            if found:
                return found.start()
        elif len(form) > 1 and not form.isascii():
            return folded_text.find(form)
    return -1


def names_somebody(column: str) -> bool:
    """Whether a column holds names of people."""
    return column.lower() == "name" or attribute_kind(column) == "person"


_TIME = re.compile(r"\d\d:\d\d")


def means_by_week(tables: Sequence[Table]) -> frozenset[Decimal]:
    """The totals and means of each column of figures by the week or month of the row's day, where a table has a few of them."""
    found: set[Decimal] = set()
    for table in tables:
        dated = [(row, date.fromisoformat(written)) for row in table if (written := _own_day(row))]
        for period in (_week, _month):
            groups: dict[tuple[int, int], list[Row]] = defaultdict(list)
            for row, day in dated:
                groups[period(day)].append(row)
            if not 1 < len(groups) <= MOST_PERIODS:
                continue
            for members in (members for members in groups.values() if len(members) > 1):
                for column in members[0].cells:
                    cells = [Decimal(str(row.cells[column])) for row in members if isinstance(row.cells.get(column), int | float)]
                    if len(cells) == len(members):
                        found |= {sum(cells, Decimal(0)), sum(cells, Decimal(0)) / len(cells)}
    return frozenset(found)


MOST_PERIODS = 6


def _own_day(row: Row) -> str:
    return next((cell[:10] for cell in row.cells.values() if isinstance(cell, str) and is_iso_day(cell[:10])), "")


def _week(day: date) -> tuple[int, int]:
    return day.isocalendar()[:2]


def _month(day: date) -> tuple[int, int]:
    return day.year, day.month


def normal_rows(rows: Sequence[Row]) -> str:
    """The rows in words, for a finding."""
    return "; ".join(", ".join(f"{name}: {normalize(str(cell))}" for name, cell in row.cells.items()) for row in rows[:2])
