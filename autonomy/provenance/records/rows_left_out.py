"""Finds rows that a text leaves out where it tells the others, by what it tells of these."""

from collections.abc import Iterator, Sequence
from itertools import combinations

from autonomy.provenance.sources.leaves import is_figure
from autonomy.provenance.sources.result_rows import Row
from autonomy.provenance.sources.tabular.tables import Table, mentions
from autonomy.provenance.text.facts import number_key
from autonomy.provenance.text.sentences import terms

FEWEST_ROWS, MOST_ROWS = 3, 200
MOST_FIGURES = 6
"""Columns of figures of which each two are compared."""
Told = tuple[str, frozenset[str]]
"""A folded sentence and the keys of its figures."""


def left_out(table: Table, asked_for: Sequence[Row], goal: str, told: Sequence[Told]) -> Iterator[Row]:
    """Rows that are asked for and named nowhere, where of each row that is told with two of its figures the same one of these is
    the greater as of them: 18 in stock of the 20 at which it is ordered anew.

    None where the question speaks of the rows that are told by a word of their names, or where what is left out differs from
    them in another column, too.
    """
    if not FEWEST_ROWS <= len(table) <= MOST_ROWS:
        return
    figures = [name for name in table[0].cells if all(is_figure(row.cells.get(name)) for row in table)]
    names = [name for name in table[0].cells if name not in figures and _names_rows(table, name)]
    if not names or len(figures) > MOST_FIGURES:
        return
    text = "\n".join(sentence for sentence, _ in told)
    others = [name for name in table[0].cells if name not in figures and name not in names]
    for pair in combinations(figures, 2):
        shown = [row for row in table if _is_told(row, names, pair, told)]
        ways = {_way(row, pair) for row in shown}
        if len(ways) != 1 or 0 in ways or any(_terms(row, names) & terms(goal) for row in shown):
            continue
        alike = [row for row in table if _way(row, pair) in ways]
        for row in alike if len(alike) < len(table) else ():
            is_told = row in shown or any(mentions(text, row.word(name)) for name in names)
            is_like_them = row.empty in [one.empty for one in shown] and all(
                row.word(name) in {one.word(name) for one in shown} for name in others
            )
            if not is_told and is_like_them and any(row is one for one in asked_for):
                yield row


def _names_rows(table: Table, name: str) -> bool:
    return len(table.distinct(name)) == len(table) and all(len(word) > 1 for word in table.words(name))


def _is_told(row: Row, names: Sequence[str], pair: tuple[str, str], told: Sequence[Told]) -> bool:
    """Whether a sentence tells a row with both of its figures."""
    figures = {number_key(row.cells[name]) for name in pair}
    return any(figures <= keys and any(mentions(sentence, row.word(name)) for name in names) for sentence, keys in told)


def _terms(row: Row, names: Sequence[str]) -> frozenset[str]:
    return frozenset[str]().union(*(terms(row.word(name)) for name in names))


def _way(row: Row, pair: tuple[str, str]) -> int:
    one, other = (float(row.cells[name]) for name in pair)
    return int(one > other) - int(one < other)
