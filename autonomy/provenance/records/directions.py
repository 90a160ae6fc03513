"""Finds changes stated in the wrong direction, by the figures from and to."""

import re
from collections.abc import Iterator, Sequence
from decimal import Decimal
from itertools import combinations, pairwise

from autonomy.provenance.sources.tabular.tables import Table
from autonomy.provenance.support import SentenceSupport
from autonomy.provenance.text.facts import Fact, FactKind, facts_in
from autonomy.provenance.text.normalize import normalize
from metrics.text.phrases import patterns_of

_PHRASES = patterns_of("autonomy.provenance")
_CLAUSE = _PHRASES["parts_clauses"]
_ROW_OF_TIME = re.compile(r"\d{4}-\d\d(?:-\d\d)?(?:[T ].{0,30})?")
MOST_ROWS = 12
"""In a longer table two rows differ by any small figure by chance."""


def wrong_directions(sentence: SentenceSupport, tables: Sequence[Table]) -> Iterator[str]:
    """The two figures, where a clause tells a rise of what fell, or a fall of what rose."""
    text = normalize(sentence.text)
    for clause in _CLAUSE.split(text):
        way = _way(clause)
        numbers = [fact for fact in facts_in(clause) if fact.kind is FactKind.NUMBER] if way else []
        for old, new in pairwise(numbers):
            leads = _PHRASES["change"].match(clause[old.start : new.end].replace(",", ""))
            by_how_much = any(found.derived == "difference" and found.fact.text == new.text for found in sentence.facts)
            if leads and old.unit in ("", new.unit) and not by_how_much:
                yield from _shown(_value(old), _value(new), way)
        for found in sentence.facts if way else ():
            if found.derived == "difference" and found.fact.text in clause and len(numbers) == 1:
                yield from _of_rows(found.fact, way, tables)


def _way(clause: str) -> int:
    """1 where a clause tells a rise, -1 where it tells a fall; 0 for both, neither or a rank, whose rise is a smaller figure."""
    if _PHRASES["denied_by_grammar"].search(clause) or _PHRASES["tells_a_rank"].search(clause):
        return 0
    return bool(_PHRASES["tells_a_rise"].search(clause)) - bool(_PHRASES["tells_a_fall"].search(clause))


def _value(fact: Fact) -> Decimal:
    return Decimal(fact.keys[0])


def _shown(old: Decimal, new: Decimal, way: int) -> Iterator[str]:
    if (new - old) * way < 0:
        yield f"{old} → {new}"


def _of_rows(fact: Fact, way: int, tables: Sequence[Table]) -> Iterator[str]:
    """Two rows of a table in time, the only ones with this difference, where the later figure moved the other way."""
    pairs = set[tuple[Decimal, Decimal]]()
    for table in tables:
        if not 2 <= len(table) <= MOST_ROWS:
            continue
        dated = [(at, row) for row in table for at in map(str, row.cells.values()) if _ROW_OF_TIME.fullmatch(at)]
        for (_, earlier), (_, later) in combinations(sorted(dated, key=lambda one: one[0]), 2):
            for column, cell in earlier.cells.items():
                other = later.cells.get(column)
                if isinstance(cell, int | float) and isinstance(other, int | float):
                    old, new = Decimal(str(cell)), Decimal(str(other))
                    if abs(new - old) == _value(fact):
                        pairs.add((old, new))
    if len(pairs) == 1:
        yield from _shown(*pairs.pop(), way)
