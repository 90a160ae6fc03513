"""Checks that a free goal's writes took the ids and persons that the goal orders."""

import re
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from autonomy.completion.rules.case import Case
from autonomy.completion.rules.written.listed_records import left_out_of_a_list
from autonomy.policy.policy_words import policy_words
from autonomy.provenance.sources.leaves import leaves
from autonomy.provenance.sources.tabular.table_rows import stands
from autonomy.provenance.text.facts import LATIN_NAME
from autonomy.provenance.text.normalize import fold
from autonomy.run_state.run_provenance import data_of
from autonomy.run_state.run_values import CallRecord
from metrics.text.phrases import patterns_of
from metrics.text.quotations import unquoted

_PHRASES = patterns_of("autonomy.completion")
_ID = re.compile(r"(?<![A-Za-z0-9_-])[A-Za-z]{1,10}-[0-9]{1,8}(?![A-Za-z0-9_-])")
"""A thing by the short id that people say: OPS-104. Those of one sort have the same letters."""
_NUMBERED = _PHRASES["record_by_number"]
"""A thing by its number: post 117, 記事 #117."""
_NUMBER_KEY = re.compile(
    r"(?:^|_)(?:number|no|iid)$|^id$|^(?:post|issue|ticket|article|page|pull|task|note|record)_(?:id|key)$", re.IGNORECASE
)
_NAMES = rf"{LATIN_NAME} {LATIN_NAME}(?![A-Za-z'-])"
"""A person by two names; a single capitalised word may be anything."""
_PERSON = re.compile(rf"(?:(?<=[\w,] )|(?<=[\u3041-\u30ff\u3400-\u9fff、「])){_NAMES}")
"""Where a sentence goes on: the first word of one has a capital, too."""


class _Named(NamedTuple):
    text: str
    sort: str
    start: int
    end: int


def as_ordered(case: Case) -> Iterator[tuple[str, str]]:
    """In a free goal, no write took an id or person that the goal does not name in place of one that it names, and where it took
    one of a list that the goal gives, the others were taken, too."""
    writes = case.evidence.writes
    if case.declares_needs or not writes:
        return
    goal = unquoted(case.goal)
    known = {str(leaf.value) for record in case.evidence.reads for leaf in case.evidence.content(record).leaves}
    named = [one for one in _named_in(goal) if one.sort != "person" or one.text in known]
    taken = " ".join(fold(str(leaf.value)) for record in writes for leaf in leaves(record.arguments))
    tried = " ".join(fold(str(leaf.value)) for record in case.ctx.records if not record.ok for leaf in leaves(record.arguments))
    left_out = [one for one in named if not _stands(one, taken, case) and not _stands(one, tried, case)]  # `given_up` tells of it
    values = _taken_by(writes)
    for one in left_out:
        strange = (value for value in values if value.sort == one.sort and not _is_called_in(fold(goal), value, case))
        other = next(strange, None)
        if other and not _leads_to(one, other, case):
            yield one.text, f"the goal names {one.text}, and what was written is for {other.text}"
        elif beside := _taken_of_its_list(one, named, goal, values):
            yield one.text, f"the goal names {one.text} beside {beside}, and nothing was written for it"
    for left, beside in left_out_of_a_list(case):
        yield left, f"the goal names {left} beside {beside}, and nothing was written for it"
    for match in _PHRASES["given_to_a_person"].finditer(goal):
        person = next(filter(None, match.groups()))
        if not _stands(_Named(person, "person", 0, 0), taken, case):
            yield person, f"the goal gives it to {person}, and no write did"


def as_its_message_says(case: Case) -> Iterator[tuple[str, str]]:
    """Where a free goal leaves it to a message that was read what is meant, and the messages name one id of a sort, no write took
    another one of that sort in its place."""
    goal = unquoted(case.goal)
    if case.declares_needs or not case.evidence.writes or not _PHRASES["points_to_a_message"].search(goal):
        return
    texts = (leaf.value for record in case.evidence.reads for leaf in case.evidence.content(record).leaves)
    words = [one for one in texts if isinstance(one, str) and len(one) >= SHORTEST_MESSAGE and " " in one.strip()]
    said = [{(one.sort, one.text) for one in _named_in(text) if one.sort != "person"} for text in words]
    by_sort: dict[str, set[str]] = {}
    for found in said:
        for sort, text in found:
            by_sort.setdefault(sort, set()).add(text)
    named = {one.sort for one in _named_in(goal)}
    taken = [value for value in _taken_by(case.evidence.writes) if value.sort in by_sort and value.sort not in named]
    for value in taken:
        meant = by_sort[value.sort]
        if len(meant) == 1 and not meant & {one.text for one in taken}:
            yield value.text, f"the message names {min(meant)}, and what was written is for {value.text}"


SHORTEST_MESSAGE = 40
"""Characters of a text with blanks that somebody wrote; what is shorter is a cell."""


def in_whose_name(case: Case) -> Iterator[tuple[str, str]]:
    """In a free goal, no text goes out under the name of somebody whom it does not name, that retells others' lines alone."""
    sources, goal = case.evidence.sources, fold(case.goal)
    for sent in case.evidence.sent() if not case.declares_needs else ():
        titles = [str(value)[:LONGEST_TITLE] for key, value in sent.record.arguments.items() if key.lower() in _UNDER_WHOSE_NAME]
        words = [word for title in titles for word in _WORD.findall(fold(title))]
        known = {word: sources.identities.names_of(word) for word in words}
        for bearer, names in ((word, names) for word, names in known.items() if len(names) > 1):
            told = [unit for one in case.attribution(sent.text).sentences for unit in one.units if unit.persons]
            if (
                not any(name in goal for name in names)
                and len(told) >= FEWEST_LINES
                and not any(unit.persons & names for unit in told)
            ):
                yield (
                    bearer,
                    f"it went out under the name of {bearer}, whom the goal does not name, and tells others' lines alone",
                )


_UNDER_WHOSE_NAME = frozenset(policy_words("one_line")) | {"author", "username", "as_user"}
"""What says whose a text is: its title, or who is told as its author."""
_WORD = re.compile(r"[a-z][a-z0-9._-]+|[一-龯々]{1,8}|[ァ-ヶー]{2,}", re.ASCII)
LONGEST_TITLE = 80
FEWEST_LINES = 3
"""Of others, that a text under somebody's name retells."""


def written_beside(case: Case) -> Iterator[tuple[str, str]]:
    """In a free goal that names an id or person, what else of its sort a write took is in the answer, or a read led to it."""
    goal = unquoted(case.goal)
    named = _named_in(goal) if case.evidence.writes and not case.declares_needs else []
    for value in dict.fromkeys(_taken_by(case.evidence.writes)) if named else ():
        alike = [one for one in named if one.sort == value.sort]
        told = _stands(value, fold(f"{goal}\n{case.answer}"), case)
        if alike and not told and not any(_leads_to(one, value, case) for one in alike):
            yield value.text, f"a write took {value.text}, which neither the goal nor your answer names"


def _taken_by(writes: Sequence[CallRecord]) -> list[_Named]:
    """What writes took as a whole value; no number of what an earlier one of them made."""
    made = {str(leaf.value) for record in writes for leaf in leaves(record.result.structured) if "create" in record.tool}
    taken = [leaf for record in writes for leaf in leaves(record.arguments)]
    numbers = [str(leaf.value) for leaf in taken if _NUMBER_KEY.search(leaf.key) and str(leaf.value).isdecimal()]
    numbered = [_Named(number, "number", 0, len(number)) for number in numbers if number not in made]
    return [*numbered, *(one for leaf in taken for one in _whole(leaf.value))]


def _named_in(text: str) -> list[_Named]:
    ids = (_Named(found.group(), found.group().rpartition("-")[0].lower(), *found.span()) for found in _ID.finditer(text))
    numbers = (
        _Named(number, "number", *found.span()) for found in _NUMBERED.finditer(text) for number in found.groups() if number
    )
    return [*ids, *numbers, *(_Named(found.group(), "person", *found.span()) for found in _PERSON.finditer(text))]


def _whole(value: Any) -> Iterator[_Named]:
    """What a whole value names, if it names one thing and says nothing else."""
    text = str(value).strip()
    if _ID.fullmatch(text):
        yield from _named_in(text)
    elif re.fullmatch(_NAMES, text):
        yield _Named(text, "person", 0, len(text))


def _stands(one: _Named, folded: str, case: Case) -> bool:
    """Whether a folded text names it, by itself or by an id or name that it is read to have."""
    names = case.evidence.sources.identities.names_of(one.text) | case.evidence.sources.mailboxes_of(one.text)
    return any(name and name in folded for name in (fold(one.text), *names))


def _is_called_in(folded: str, one: _Named, case: Case) -> bool:
    """Whether a folded text names it, a person also by one name: give it to Dan."""
    parts = fold(one.text).split() if one.sort == "person" else ()
    return _stands(one, folded, case) or any(stands(folded, part) for part in parts)


def _leads_to(one: _Named, other: _Named, case: Case) -> bool:
    """Whether a read that was about the one brought the other, or an object tells of both: the tickets below OPS-100."""

    def holds(value: Any, name: str) -> bool:
        return any(fold(name) in fold(str(leaf.value)) for leaf in leaves(value))

    return any(
        holds(data_of(record), other.text) and (holds(record.arguments, one.text) or _in_one_object(data_of(record), one, other))
        for record in case.evidence.reads
    )


def _in_one_object(value: Any, one: _Named, other: _Named) -> bool:
    """Whether one innermost object names both."""
    if isinstance(value, list):
        return any(_in_one_object(item, one, other) for item in value)
    if not isinstance(value, dict):
        return isinstance(value, str) and one.text in value and other.text in value
    own = " ".join(str(item) for item in value.values() if not isinstance(item, dict | list))
    return (one.text in own and other.text in own) or any(_in_one_object(item, one, other) for item in value.values())


def _taken_of_its_list(one: _Named, named: Sequence[_Named], goal: str, values: Sequence[_Named]) -> str:
    """A neighbour in the same list of the goal that a write took as a whole value; empty if there is none."""
    taken = {fold(value.text) for value in values}
    for before, behind in ((one, other) for other in named if other is not one):
        first, second = sorted((before, behind), key=lambda found: found.start)
        if (
            before.sort == behind.sort
            and fold(behind.text) in taken
            and _PHRASES["joins_a_list"].search(goal[first.end : second.start])
        ):
            return behind.text
    return ""
