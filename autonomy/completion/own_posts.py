"""Finds what the account that a job writes with wrote before: it shows what was posted, and not what happened."""

import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from autonomy.provenance.sources.evidence_units import EvidenceUnit, attribute_kind
from autonomy.provenance.sources.leaves import ResultContent, leaves
from autonomy.provenance.sources.run_sources import Sources
from autonomy.provenance.support import About
from autonomy.provenance.text.normalize import fold
from autonomy.run_state.run_provenance import about_of_need
from autonomy.run_state.run_values import CallRecord, RunRequest

_MARKS_A_PROGRAM = ("is_bot", "bot_id")
"""Keys by which a message says whether a program wrote it."""
_MARKS = re.compile(r"[\W_]+")
_DATED = re.compile(r"(?:/[\d\W]+)+$")
"""The end of a place by which the posts of a series are told apart: 2026/11/20."""


def own_posts(
    request: RunRequest,
    reads: Sequence[CallRecord],
    writes: Sequence[CallRecord],
    content: Callable[[CallRecord], ResultContent],
    sources: Sources,
    about: About,
) -> Iterator[tuple[str, str]]:
    """The earlier posts of a job's own account among what it read, by call and path; the account is whom the answers to its
    writes name, or a program that posted under the same headings.

    A person may use the same account. So a post is the job's where a mark says that a program wrote it, or it stands in the
    series that the job goes on with; and the account of whom the job is about is theirs. What a required read asks for by its
    place is what the job is to retell.
    """
    if not request.job or not writes:
        return
    marks = {
        (record.call_id, leaf.path): leaf.value
        for record in reads
        for leaf in content(record).under(_MARKS_A_PROGRAM.__contains__)
    }

    def marks_of(unit: EvidenceUnit) -> list[Any]:
        return [marks.get((unit.call_id, f"{unit.path}.{name}")) for name in _MARKS_A_PROGRAM]

    by_programs = [unit for unit in sources.units if unit.persons and any(marks_of(unit))] if marks else []
    accounts = _accounts(writes, content, sources) | _with_the_same_headings(request, writes, by_programs)
    accounts -= {name for person in about.persons for name in sources.identities.names_of(person)}
    needs = {need.id for need in request.task.needs if need.required and about_of_need(need).places}
    asked = {record.call_id for record in reads if needs.intersection(record.needs)}
    written = {
        _series(fold(str(leaf.value))) for one in writes for leaf in leaves(one.arguments) if attribute_kind(leaf.key) == "place"
    }
    for unit in sources.units if accounts else ():
        if unit.call_id not in asked and unit.persons & accounts:
            its_marks = marks_of(unit)
            if any(its_marks) or (its_marks == [None, None] and not written.isdisjoint(map(_series, unit.places))):
                yield unit.call_id, unit.path


def _with_the_same_headings(
    request: RunRequest, writes: Sequence[CallRecord], by_programs: Sequence[EvidenceUnit]
) -> frozenset[str]:
    """Who posted under two headings or more of the text that the job writes."""
    lines = (line for one in writes for leaf in leaves(one.arguments) for line in str(leaf.value).splitlines())
    headings = {_letters(line) for line in lines if line.startswith("#")} | {_letters(one.title) for one in request.task.sections}
    found: dict[tuple[str, str], set[str]] = defaultdict(set)
    for unit in by_programs:
        found[unit.call_id, unit.path] |= headings & {_letters(unit.text)} - {""}
    return frozenset().union(*(unit.persons for unit in by_programs if len(found[unit.call_id, unit.path]) > 1))


def _letters(line: str) -> str:
    return _MARKS.sub("", fold(line))


def _accounts(writes: Sequence[CallRecord], content: Callable[[CallRecord], ResultContent], sources: Sources) -> frozenset[str]:
    """All names of the account that wrote, as the answers say; whom an argument names is somebody who was written to."""
    named = (
        fold(str(leaf.value))
        for record in writes
        for leaf in content(record).leaves
        if attribute_kind(leaf.key) == "person" and leaf.value not in record.arguments.values()
    )
    return sources.identities.names_of_all(named)


def _series(place: str) -> str:
    """A place without the day or number of one post in it."""
    return _DATED.sub("", place)
