"""Finds figures of outdated records and lines that are stated as current."""

from collections.abc import Iterator, Sequence, Set
from typing import Any

from autonomy.provenance.sources.result_rows import Row
from autonomy.provenance.sources.run_sources import Sources
from autonomy.provenance.sources.tabular.tables import Table, is_dated
from autonomy.provenance.support import SentenceSupport
from autonomy.provenance.text.dates import is_iso_day
from autonomy.provenance.text.facts import Fact, FactKind, facts_in
from autonomy.provenance.text.normalize import normalize
from metrics.text.phrases import patterns_of

_PHRASES = patterns_of("autonomy.provenance")
MOST_ROWS = 200
_Line = tuple[str, tuple[Fact, ...]]
"""A line that was read, and its facts."""


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


def superseded(sentence: SentenceSupport, sources: Sources, told: Set[str], asked: Sequence[Fact]) -> Iterator[str]:
    """The line by which another figure of the same unit holds of the same id since a day that has come, where a sentence tells
    the one before it. `told`: the figures of the whole text; `asked`: the days of the question, of which none is another one."""
    today = sources.day
    others = [fact for fact in asked if today is None or today.isoformat() not in fact.keys]
    ids = {fact.keys[0] for found in sentence.facts if (fact := found.fact).kind is FactKind.ID and found.sources}
    figures = [found.fact for found in sentence.facts if found.fact.unit and found.fact.kind is FactKind.NUMBER and found.sources]
    if today is None or others or not ids or not figures or _PHRASES["tells_of_the_past"].search(normalize(sentence.text)):
        return
    lines = list(_lines_of(ids, sources))
    for text, facts in lines:
        since = _since(text, facts)
        for figure in figures if since and since <= today.isoformat() else ():
            new = {fact.keys[0] for fact in facts if fact.kind is FactKind.NUMBER and fact.unit == figure.unit}
            own = ids.intersection(fact.keys[0] for fact in facts if fact.kind is FactKind.ID)
            if len(new) == 1 and not new & told and _was_told_before(own, figure, since, lines):
                yield text
                return


def _lines_of(ids: Set[str], sources: Sources) -> Iterator[_Line]:
    """The lines that name one of these ids."""
    for unit in sources.units[:MOST_LINES]:
        text = unit.text[:LONGEST_LINE]
        if any(one.lstrip("#") in text for one in ids):
            yield text, facts_in(text, sources.day, sources.zone)


MOST_LINES, LONGEST_LINE = 400, 400


def _since(text: str, facts: Sequence[Fact]) -> str:
    """The only ISO day from which on a line says that something is so; empty where it names none or several."""
    days = {
        day
        for fact in facts
        if fact.kind is FactKind.DATE and not fact.relative
        for day in filter(is_iso_day, fact.keys)
        if _PHRASES["holds_from"].search(text[: fact.start]) or _PHRASES["on_or_after"].match(text[fact.end :])
    }
    return days.pop() if len(days) == 1 else ""


def _was_told_before(ids: Set[str], figure: Fact, since: str, lines: Sequence[_Line]) -> bool:
    """Whether each line that tells the figure of one of these ids says nothing of a later day from which on it is so."""
    telling = [
        (text, facts)
        for text, facts in lines
        if any(fact.kind is FactKind.ID and fact.keys[0] in ids for fact in facts)
        and any(fact.kind is FactKind.NUMBER and fact.keys == figure.keys and fact.unit in ("", figure.unit) for fact in facts)
    ]
    return bool(telling) and all(_since(text, facts) < since for text, facts in telling)


def _holds(cell: Any, fact: Fact) -> bool:
    return any(other.kind is fact.kind and not set(other.keys).isdisjoint(fact.keys) for other in facts_in(str(cell)[:400]))
