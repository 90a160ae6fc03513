"""Finds members of a list in the goal for which nothing was written."""

from collections.abc import Iterator, Sequence
from itertools import pairwise, permutations
from typing import Any

from autonomy.completion.rules.case import Case
from autonomy.policy.requests.request_mood import orders_in
from autonomy.provenance.sources.leaves import leaves
from autonomy.provenance.text.normalize import fold
from metrics.text.phrases import patterns_of
from metrics.text.quotations import unquoted

_PHRASES = patterns_of("autonomy.completion")
MOST_RECORDS = 400
SHORTEST_NAME, LONGEST_NAME = 2, 60
MOST_READS = 20


def left_out_of_a_list(case: Case) -> Iterator[tuple[str, str]]:
    """Pairs of a member of a list that the goal gives and the one beside it: of both a record was read, a write took a value
    that only the record of the latter has, and none took one of the former or named it. Only where the goal orders one thing:
    of several deeds one may be for a single member."""
    goal = fold(unquoted(case.goal))
    writes = [str(leaf.value) for record in case.evidence.writes for leaf in leaves(record.arguments)]
    if not writes or orders_in(case.goal) != 1:
        return
    tried = [str(leaf.value) for record in case.ctx.records if not record.ok for leaf in leaves(record.arguments)]
    taken, named = {fold(text).strip() for text in writes}, fold("\n".join((*writes, *tried)))
    for pair in _joined(goal, _records(case)):
        for (left, own), (beside, theirs) in permutations(pair):
            is_met = any(name in named for name in (left, *(own - theirs)))
            if own - theirs and (theirs - own) & taken and not is_met:
                yield left, beside


_Record = tuple[str, frozenset[str]]
"""What a record is called, folded, and the folded values that stand in it."""


def _joined(goal: str, records: Sequence[_Record]) -> Iterator[tuple[_Record, _Record]]:
    """Each two records that the goal names side by side in a list."""
    at = sorted((goal.find(name), name, values) for name, values in records if goal.count(name) == 1)
    for (start, name, values), (behind, other, others) in pairwise(at):
        if _PHRASES["joins_a_list"].search(goal[start + len(name) : behind]):
            yield (name, values), (other, others)


def _records(case: Case) -> list[_Record]:
    """The objects of what was read, each by its key and by its own short texts; a name that two have is nobody's."""
    found: dict[str, frozenset[str] | None] = {}
    for record in case.evidence.reads[:MOST_READS]:
        for name, values in _objects(case.evidence.content(record).data):
            found[name] = values if name not in found or found[name] == values else None
    return [(name, values) for name, values in found.items() if values]


def _objects(result: Any) -> Iterator[_Record]:
    stack: list[tuple[str, Any]] = [("", result)]
    for _ in range(MOST_RECORDS):
        if not stack:
            return
        key, value = stack.pop()
        if isinstance(value, dict):
            stack += [(name, item) for name, item in value.items() if isinstance(item, dict | list)]
            cells = [fold(str(item)).strip() for item in value.values() if isinstance(item, str | int)]
            values = frozenset(cell for cell in cells if SHORTEST_NAME <= len(cell) <= LONGEST_NAME)
            for name in {fold(key).strip(), *values}:
                if SHORTEST_NAME <= len(name) <= LONGEST_NAME:
                    yield name, values - {name}
        elif isinstance(value, list):
            stack += [("", item) for item in value[:MOST_RECORDS]]
