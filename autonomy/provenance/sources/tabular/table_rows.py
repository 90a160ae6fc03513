"""Compares what a sentence states about a row of a result with that row."""

import re
from collections.abc import Sequence
from itertools import permutations

from autonomy.provenance.sources.evidence_units import attribute_kind
from autonomy.provenance.sources.result_rows import Row
from autonomy.provenance.sources.tabular.tables import Table
from autonomy.provenance.text.dates import local_moment
from autonomy.provenance.text.normalize import normalize
from metrics.text.phrases import patterns_of

_PHRASES = patterns_of("autonomy.provenance")


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


def _taken(row: Row) -> int:
    texts = [cell for cell in row.cells.values() if isinstance(cell, str)]
    moments = [at for text in texts if text[4:5] == "-" and (at := local_moment(text, None))]
    if len(moments) == 2:
        return round(abs((moments[1] - moments[0]).total_seconds()) / 60)
    times = [_minutes(text) for text in texts if text[2:3] == ":" and _TIME.fullmatch(text)]
    return (times[1] - times[0]) % 1440 if len(times) == 2 else 0


def _minutes(time_of_day: str) -> int:
    hours, _, minutes = time_of_day.partition(":")
    return 60 * int(hours) + int(minutes)


STATE_COLUMNS = frozenset({"state", "status"})
"""Columns that say how a thing stands."""


def stands(folded_text: str, value: str) -> bool:
    """Whether a folded value, or the first name of a person, stands in a folded text as words of its own."""
    return _place(folded_text, value) >= 0


def _place(folded_text: str, value: str) -> int:
    """Where a value, or the first name of a person, stands in a sentence; −1 where it does not."""
    for form in dict.fromkeys((value, value.split(" ")[0])):
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


def normal_rows(rows: Sequence[Row]) -> str:
    """The rows in words, for a finding."""
    return "; ".join(", ".join(f"{name}: {normalize(str(cell))}" for name, cell in row.cells.items()) for row in rows[:2])
