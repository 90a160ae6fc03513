"""Finds sentences whose count above a limit differs from the rows that were read."""

import re
from collections.abc import Iterator, Sequence
from decimal import Decimal

from autonomy.provenance.reckoning.derivations import is_measure
from autonomy.provenance.sources.read_evidence import units_of_key
from autonomy.provenance.sources.tabular.tables import Table
from autonomy.provenance.text.facts import COUNT_WORDS, Fact, FactKind, facts_in
from autonomy.provenance.text.normalize import normalize
from autonomy.provenance.text.units import converted
from metrics.text.phrases import patterns_of

_PHRASES = patterns_of("autonomy.provenance")


def miscounted(text: str, tables: Sequence[Table]) -> Iterator[tuple[str, str]]:
    """A remark where a sentence tells how many are beyond a limit, and no column of the read rows has so many.

    The limit has a unit (above 30 hours); the remark gives it, and the count of each column in such a unit.
    """
    said = normalize(text)
    figures = [fact for fact in facts_in(said) if fact.kind is FactKind.NUMBER]
    limits = [fact for fact in figures if is_measure(fact.unit) and _is_exceeded(said, fact)]
    told = _told_count(said, limits[0], figures) if len(limits) == 1 else None
    if told is None:
        return
    (limit,) = limits
    counts = {
        f"{name}: {many}": many
        for table in tables
        for name in (table[0].cells if len(table) > 1 else ())
        if (many := _above(limit, name, table)) is not None
    }
    if counts and told not in counts.values():
        shown = ", ".join(list(counts)[:3])
        yield limit.text, f"{text[:80]!r}: of the rows that were read so many are above {limit.text}: {shown}"


def _is_exceeded(said: str, fact: Fact) -> bool:
    return bool(_PHRASES["beyond_this"].search(said[fact.end :]) or _PHRASES["above_it"].search(said[: fact.start]))


def _told_count(said: str, limit: Fact, figures: Sequence[Fact]) -> int | None:
    """How many are told in the limit's clause: nobody, two in front of an English limit, or 4名 behind a Japanese one; None where
    no number is told there, as in "it took over 2 hours, and nobody was hurt"."""
    begin = max((comma.end() for comma in _COMMA.finditer(said, 0, limit.start)), default=0)
    comma = _COMMA.search(said, limit.end)
    end = comma.start() if comma else len(said)
    if _PHRASES["nobody_at_all"].search(said[begin:end]):
        return 0
    if not _PHRASES["beyond_this"].search(said[limit.end :]):
        return COUNT_WORDS.get(said[begin:end].strip().partition(" ")[0].lower())
    behind = (fact for fact in figures if limit.end < fact.start < end and fact.unit and not is_measure(fact.unit))
    return next((int(fact.keys[0]) for fact in behind if fact.keys[0].isdecimal()), None)


_COMMA = re.compile(r"[,;](?!\d)|(?<!は)、")
"""Ends a clause; not behind a Japanese topic, of which the rest is told."""


def _above(limit: Fact, name: str, table: Table) -> int | None:
    """How many rows lie above the limit in a column whose name tells a unit of its measure; None for any other column."""
    cells = [row.cells.get(name) for row in table]
    figures = [Decimal(str(cell)) for cell in cells if isinstance(cell, int | float)]
    sizes = [
        size
        for unit in units_of_key(name)
        if {unit, limit.unit} <= _OF_WORK or unit == limit.unit  # paid leave in days is no overtime
        if (size := converted(Decimal(limit.keys[0]), limit.unit, unit) if unit != limit.unit else Decimal(limit.keys[0]))
    ]
    if not sizes or len(figures) < len(cells) or not all(map(Decimal.is_finite, figures)):
        return None
    return sum(figure > sizes[0] for figure in figures)


_OF_WORK = frozenset({"時間", "分"})
