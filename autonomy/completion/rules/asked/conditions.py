"""Holds the number or the state that a goal makes the condition of a deed against what was read."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from decimal import Decimal
from functools import lru_cache
from operator import ge, gt, le, lt
from typing import Any, NamedTuple

from autonomy.completion.rules.asked.ordered_acts import ordered_acts
from autonomy.completion.rules.case import Case
from autonomy.policy.need_binding import is_write
from autonomy.policy.requests.orders import clauses_of
from autonomy.provenance.sources.leaves import leaves
from autonomy.provenance.text.normalize import fold
from autonomy.provenance.text.word_data import load_words
from autonomy.run_state.run_values import CallRecord
from discovery.schemas.schema_walk import is_number
from discovery.text.near_names import name_words
from metrics.text.phrases import patterns_of
from metrics.text.quotations import unquoted


class Bound(NamedTuple):
    """A bound that some value has to keep for a deed to be done."""

    text: str
    compare: Callable[[Any, Any], bool]
    bound: Decimal
    negated: bool
    """Whether it is ordered unless the bound is kept."""

    def is_met_by(self, value: Decimal) -> bool:
        """Whether the deed is ordered where the value is this."""
        return bool(self.compare(value, self.bound)) is not self.negated


SHORTEST_DEED = 4
"""Letters of a verb by which a tool may be called: deploy, and trigger_deployment."""


class _Value(NamedTuple):
    field: str
    value: Decimal


def only_where_it_holds(case: Case) -> Iterator[tuple[str, str]]:
    """What a free goal orders only where a value is below or above a number was not done where the value that was read is not."""
    if case.declares_needs or not case.evidence.writes or not (found := case.made_once(_judged)):
        return
    condition, value = found
    acts = [act for act in ordered_acts(case.goal) if act.on_condition]
    deeds = list(_verbs_beside(condition, unquoted(case.goal)))
    tools = [record.tool.removeprefix(f"{record.provider}_") for record in case.evidence.writes]
    done = [
        tool
        for tool in tools
        if any(act.is_done_by(tool) for act in acts) or any(word.startswith(deed) for deed in deeds for word in name_words(tool))
    ]
    if done and not condition.is_met_by(value.value):
        yield condition.text, f"the goal orders it only {condition.text!r}, and {value.field} was read as {value.value}"


def not_where_forbidden(case: Case) -> Iterator[tuple[str, str]]:
    """What a free goal forbids where something is in a state was not done where what was read before is in it."""
    goal = unquoted(case.goal)
    for ban in () if case.declares_needs or not case.evidence.writes else _bans(goal):
        for at, record in enumerate(case.ctx.records):
            tool = record.tool.removeprefix(f"{record.provider}_")
            is_it = (record.simulated or record.acknowledged) and any(word.startswith(ban.deed) for word in name_words(tool))
            if is_it and _is_read_as(ban.state, goal, record, case.ctx.records[:at], case):
                yield ban.text, f"the goal forbids it where it says {ban.text!r}, and {ban.state!r} was read before it was done"
                break


class _Ban(NamedTuple):
    text: str
    state: str
    deed: str


def _bans(goal: str) -> Iterator[_Ban]:
    """The deeds that a goal forbids in a state, and orders nowhere behind that."""
    behind, ahead = _PHRASES["forbids_behind_a_state"], _PHRASES["forbids_ahead_of_a_state"]
    for match in (*behind.finditer(goal), *ahead.finditer(goal)):
        deed = match["deed"].lower()
        if not _PHRASES["in_no_one_state"].search(match["condition"]) and not re.search(
            rf"\b{deed}", goal[match.end() :], re.IGNORECASE
        ):
            yield _Ban(match[0].strip(), match["state"].lower(), deed)


def _is_read_as(state: str, goal: str, deed: CallRecord, before: Sequence[CallRecord], case: Case) -> bool:
    """Whether each record that a goal means is read in a state: those that bear most of its identifiers, one of which the deed
    has; of several the newest, where it asks for that."""
    names = set(_IDENTIFIER.findall(fold(goal)))
    rows = [row for record in before if record.is_answered_read for row in _rows(record, case)]
    most = max((len(names & row) for row in rows), default=0)
    meant = [row for row in rows if len(names & row) == most] if most else []
    if _NEWEST.search(goal) and all(sum(bool(_MOMENT.match(cell)) for cell in row) == 1 for row in meant):
        newest = max((cell for row in meant for cell in row if _MOMENT.match(cell)), default="")
        meant = [row for row in meant if newest in row]
    written = {fold(str(leaf.value)) for leaf in leaves(deed.arguments)}
    return bool(meant) and all(state in row and names & row & written for row in meant)


_IDENTIFIER = re.compile(r"[a-z][a-z0-9]*(?:[-._/#][a-z0-9]+)+|[a-z]+\d+")
_NEWEST = re.compile(r"\b(?:latest|newest|last|most recent)\b", re.IGNORECASE)
_MOMENT = re.compile(r"\d{4}-\d\d-\d\d[ t]\d\d:\d\d")


def _rows(record: CallRecord, case: Case) -> Iterator[set[str]]:
    """The values of each object that has a state, and the cells of each line of a table, with what was asked for."""
    asked_for = {fold(str(leaf.value)) for leaf in leaves(record.arguments)}
    for found in _objects(case.evidence.content(record).data):
        if any(not _HOLDS_A_STATE.isdisjoint(name_words(name)) for name in found):
            yield {fold(value) for value in found.values() if isinstance(value, str)} | asked_for
    for line in record.result.text.splitlines():
        cells = {fold(cell) for cell in _CELL_ENDS.split(line.lstrip("-* |").rstrip(" |"))}
        if len(cells) >= FEWEST_SEVERAL:
            yield cells | asked_for


_HOLDS_A_STATE = frozenset({"status", "state", "result", "conclusion", "outcome", "health"})
_CELL_ENDS = re.compile(r"\s*\|\s*|\t|\s{2,}")


def _verbs_beside(condition: Bound, goal: str) -> Iterator[str]:
    """The words that the clauses of the condition's sentence begin with, in English."""
    for sentence in _SENTENCE.split(goal):
        for clause, _ in clauses_of(sentence) if condition.text in sentence else ():
            yield from (word for word in _LATIN.findall(clause.split(" ")[0].lower()) if len(word) >= SHORTEST_DEED)


_SENTENCE = re.compile(r"(?<=[.!?;])\s|\n")


def condition_is_met(case: Case) -> bool:
    """Whether the value that was read is one for which the goal orders the deed."""
    found = case.made_once(_judged)
    return found is not None and found[0].is_met_by(found[1].value)


def _judged(case: Case) -> tuple[Bound, _Value] | None:
    """The one condition of the goal with a number, and the one value that was read of what it is about."""
    goal = unquoted(case.goal)
    conditions = list(_conditions(goal))
    if len(conditions) != 1 or _PHRASES["orders_otherwise"].search(goal):
        return None
    values = set(_values(case, goal))
    return (conditions[0], values.pop()) if len(values) == 1 else None


_PHRASES = patterns_of("autonomy.completion")


@lru_cache(maxsize=64)
def _conditions(goal: str) -> tuple[Bound, ...]:
    found = []
    for match in (*_ENGLISH.finditer(goal), *_JAPANESE.finditer(goal)):
        compare = next(how for words, how in _COMPARES if re.fullmatch(words, match["how"], re.IGNORECASE))
        negated = match[0].lower().startswith("unless")
        found.append(Bound(match[0].strip(), compare, Decimal(match["bound"].replace(",", "")), negated))
    return tuple(found)


_COMPARES = (
    (r"no more than|at most|以下", le),
    (r"at least|no (?:less|fewer) than|以上", ge),
    (r"under|below|(?:less|fewer|lower) than|未満|[をがは]?下回|より(?:少な|低)", lt),
    (r"over|above|(?:more|greater|higher) than|exceeds?|[をがは]?(?:超え|越え|上回)|より(?:多|高)", gt),
)
_HOW = "|".join(words for words, _ in _COMPARES)
_NUMBER = r"(?P<bound>\d+(?:,\d{3})*(?:\.\d+)?)"
_ENGLISH = re.compile(
    rf"\b(?:if|when|unless)\b[^,.;:\n]{{0,60}}?\b(?P<how>{_HOW}) (?:EUR |USD |[€$£¥])?{_NUMBER}(?!\d|-\d)", re.IGNORECASE
)
_JAPANESE = re.compile(rf"{_NUMBER}\s?[^\s\d、。]{{0,3}}?(?P<how>{_HOW})[^、。\n]{{0,8}}?(?:なら|たら|れば|場合|とき)")


def _values(case: Case, goal: str) -> Iterator[_Value]:
    """The values, in records that were read before anything was written, of the field that the goal names."""
    folded = fold(goal)
    first = next((at for at, record in enumerate(case.ctx.records) if is_write(record.effect)), len(case.ctx.records))
    reads = [record for record in case.ctx.records[:first] if record.is_answered_read]
    objects = [found for record in reads for found in _objects(case.evidence.content(record).data)]
    measured = [(one, field) for one in objects for field in _fields(one, folded)]
    named = [(one, field) for one, field in measured if _is_named(one, folded)]
    for one, field in named or measured:
        yield _Value(field, Decimal(str(one[field])))


def _objects(value: Any) -> Iterator[Mapping[str, Any]]:
    if isinstance(value, list):
        for item in value:
            yield from _objects(item)
    elif isinstance(value, dict):
        yield value
        for item in value.values():
            yield from _objects(item)


def _fields(found: Mapping[str, Any], goal: str) -> list[str]:
    """The fields with a number that the goal names by a word of its own, or by a Japanese word for it; of several the one that
    the condition names last: of 2 tests failed it is those that failed."""
    said = {word for japanese, words in load_words("measured_fields").items() if japanese in goal for word in words}
    said |= set(_LATIN.findall(goal))
    named = [name for name, value in found.items() if is_number(value) and (said.intersection(name_words(name)) or name in goal)]
    if len(named) < FEWEST_SEVERAL:
        return named
    clause = next((goal[match.start() :] for match in _ENGLISH.finditer(goal)), "")
    words = _LATIN.findall(_CLAUSE_ENDS.split(clause)[0])
    last = {name: max((words.index(word) for word in name_words(name) if word in words), default=-1) for name in named}
    return [max(named, key=lambda name: last[name])] if len(set(last.values())) == len(named) else named


_LATIN = re.compile(r"[a-z]{3,40}")
_CLAUSE_ENDS = re.compile(r"[,.;\n]")
FEWEST_SEVERAL = 2


def _is_named(found: Mapping[str, Any], goal: str) -> bool:
    return any(isinstance(value, str) and len(value) > 1 and fold(value) in goal for value in found.values())
