"""Finds changes and shares that the two figures beside them do not make."""

import re
from collections.abc import Iterator, Sequence
from decimal import Decimal
from itertools import combinations, pairwise

from autonomy.provenance.reckoning.derivations import follows, is_rough
from autonomy.provenance.sources.tabular.tables import Table
from autonomy.provenance.support import FactSupport, SentenceSupport
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
            if found.derived == "difference" and found.fact.text in clause:
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


SHARES = frozenset({"%", "割"})


def wrong_shares(sentence: SentenceSupport) -> Iterator[tuple[str, str]]:
    """A share, and the two figures beside it, where they are the only ones of two digits or more and make another share.

    It stands behind both, as what is reckoned of them does. From 306 to 357 is no rise of 24 %, though two other figures that
    were read may make that.
    """
    numbers = [found for found in sentence.facts if found.fact.kind is FactKind.NUMBER]
    shares = [found for found in numbers if found.fact.unit in SHARES]
    parts = [found for found in numbers if found.fact.unit not in SHARES and len(found.fact.keys[0].lstrip("-")) > 1]
    if len(shares) != 1 or shares[0].sources or len(parts) != 2 or not all(map(_was_read, parts)):
        return
    one, other = (found.fact for found in parts)
    share = shares[0].fact
    roughly = is_rough(sentence.text, share.start - sentence.start)
    if (
        share.start > max(one.start, other.start)
        and one.unit == other.unit
        and one.keys != other.keys
        and not follows(share, (one, other), roughly=roughly)
    ):
        yield share.text, f"{one.text}, {other.text}"


def _was_read(found: FactSupport) -> bool:
    """Whether a figure stands in what was read, and is none that only follows from some."""
    return bool(found.sources)
