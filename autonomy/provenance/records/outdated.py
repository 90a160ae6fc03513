"""Finds figures of outdated records that are stated as current."""

from collections.abc import Iterator, Sequence
from typing import Any

from autonomy.provenance.sources.result_rows import Row
from autonomy.provenance.sources.run_sources import Sources
from autonomy.provenance.sources.tabular.tables import Table, is_dated
from autonomy.provenance.support import SentenceSupport
from autonomy.provenance.text.facts import Fact, FactKind, facts_in
from autonomy.provenance.text.normalize import normalize
from metrics.text.phrases import patterns_of

_PHRASES = patterns_of("autonomy.provenance")
MOST_ROWS = 200


Parted = tuple[Sequence[Row], Sequence[Row]]
"""The rows of a table that hold, and those that do not."""


def parted_tables(sources: Sources, question: str) -> list[Parted]:
    """The tables that have rows of both kinds, for a question."""
    now, today = bool(_PHRASES["asks_for_now"].search(normalize(question))), str(sources.day or "")
    parted = (_parted(table, today, now) for table in sources.tables() if 2 <= len(table) <= MOST_ROWS)
    return [(current, old) for current, old in parted if current]


def outdated(sentence: SentenceSupport, tables: Sequence[Parted]) -> Iterator[str]:
    """The cell that holds now, where a sentence tells what an outdated row of the same table has in its place."""
    sentence_text = normalize(sentence.text)
    numbers = [found.fact for found in sentence.facts if found.fact.kind is FactKind.NUMBER and found.sources]
    if not numbers or _PHRASES["tells_of_the_past"].search(sentence_text):
        return
    for current, old in tables:
        for fact in numbers:
            columns = {name for row in old for name, cell in row.cells.items() if _holds(cell, fact)}
            cells = [cell for row in current for name in columns if (cell := row.cells.get(name)) is not None]
            if cells and not any(_holds(cell, other) for row in current for cell in row.cells.values() for other in numbers):
                yield str(cells[0])
                return


def _parted(table: Table, today: str, now: bool) -> Parted:
    """The rows that hold and those that do not: by a state, or, asked for now, the newest of a series about one thing."""
    old = [row for row in table if any(_PHRASES["marks_outdated"].fullmatch(normalize(str(cell))) for cell in row.cells.values())]
    if old:
        return [row for row in table if row not in old], old
    dates = [name for name in table[0].cells if all(is_dated(row.cells.get(name)) for row in table)]
    if not now or len(dates) != 1 or len(table.distinct(dates[0])) < len(table):
        return (), ()
    labels = {name for row in table for name, cell in row.cells.items() if isinstance(cell, str) and name != dates[0]}
    if any(len(table.distinct(name)) > 1 for name in labels):
        return (), ()  # each is about something of its own
    newest = max(table, key=lambda row: str(row.cells[dates[0]]))
    if str(newest.cells[dates[0]])[:10] > today:
        return (), ()
    return [newest], [row for row in table if row is not newest]


def _holds(cell: Any, fact: Fact) -> bool:
    return any(other.kind is fact.kind and not set(other.keys).isdisjoint(fact.keys) for other in facts_in(str(cell)[:400]))
