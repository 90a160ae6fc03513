"""Checks that where a question asks for all of something, all of it was read and told."""

import re
from collections import Counter
from collections.abc import Iterator
from typing import Any

from autonomy.completion.rules.case import Case
from autonomy.provenance.coverage import coverage_of, filled_pages, totals_not_listed
from autonomy.provenance.sources.evidence_units import attribute_kind
from autonomy.provenance.sources.leaves import leaves
from autonomy.provenance.sources.stated_facts import widened_days
from autonomy.provenance.sources.tabular.table_rows import stands
from autonomy.provenance.text.facts import COUNT_WORDS, FactKind, facts_in, number_key
from autonomy.provenance.text.normalize import fold
from metrics.text.phrases import patterns_of

_PHRASES = patterns_of("autonomy.completion")
_ALL = _PHRASES["asks_for_all"]


def whole(case: Case) -> Iterator[tuple[str, str]]:
    """If the question asks for all of something, every page was read and every day of the returned list is in the answer."""
    yield from _of_a_part(case)
    if not _ALL.search(case.goal) or case.declares_needs:
        return
    answer_days = {
        key
        for fact in facts_in(case.answer, case.evidence.day, case.evidence.sources.zone)
        if fact.kind is FactKind.DATE
        for key in fact.keys
    }
    numbers = {fact.keys[0] for fact in facts_in(case.answer) if fact.kind is FactKind.NUMBER and fact.unit == "日"}
    for record in case.evidence.reads:
        for rows in _lists(case.evidence.content(record).result):
            days = [
                str(row.get("date", ""))[:10]
                for row in rows
                if isinstance(row, dict) and re.match(r"\d{4}-\d{2}-\d{2}", str(row.get("date", "")))
            ]
            missing = [day for day in days if not set(widened_days([day])) & answer_days and day[-2:].lstrip("0") not in numbers]
            if len(days) > 2 and len(missing) > 0:
                yield (
                    "all of it",
                    f"all was asked for, and {len(missing)} of {len(days)} days are not told, among them {missing[0]}",
                )
                return


def _of_a_part(case: Case) -> Iterator[tuple[str, str]]:
    """A part was read, and the question asks for all, or the answer speaks of all or gives their number."""
    if part := _part_read(case):
        yield "all of it", f"{part}, and your answer speaks of all: read on, or say which part it is about"


def _part_read(case: Case) -> str:
    """Pages, rows or lines that were left unread though all is asked or told; empty where the answer speaks of them."""
    goal, answer = (
        case.goal,
        _PHRASES["tells_of_no_action"].sub(" ", case.answer),
    )  # created nothing: that is none of what was read
    if case.declares_needs or _PHRASES["tells_of_a_part"].search(answer):
        return ""
    asked = _HOW_MANY.search(goal) or _ALL.search(goal)
    of_none = any(map(_PHRASES["tells_of_none"].search, answer.splitlines()))
    of_all = asked or _PHRASES["claims_the_whole"].search(answer) or of_none
    if not of_all and not _DIGIT.search(answer):
        return ""  # it speaks neither of all nor of their number
    for total, listed in totals_not_listed(case.views):
        told = of_all or re.search(rf"(?<![\d.,]){total}(?![\d.,]*\d)", answer)
        return f"{listed} of {total} were read" if told and not _says_how_many_of(listed, total, answer) else ""
    if of_all and case.unread and not (not _ALL.search(goal) and _is_of_one_record(case)):
        return f"{case.views[case.unread[0]].tool} has more that was not read"
    if not (asked or of_none) or _PHRASES["asks_for_the_present"].search(goal):
        return ""  # *all five* of the newest may be all that was asked for
    for at, listed in filled_pages(case.views):
        if str(listed) not in (fact.keys[0] for fact in case.asked):
            return f"{case.views[at].tool} was asked for at most {listed} and brought {listed}"
    return ""


def _is_of_one_record(case: Case) -> bool:
    """Whether the question names one record alone, by a word of its title that no other one read has, and the answer gives a
    figure of it and no other."""
    goal, tables = fold(case.goal), case.evidence.sources.tables()
    titled = [
        (row, fold(str(row.cells[name])).split()) for table in tables for row in table for name in _TITLES & row.cells.keys()
    ]
    standing = Counter(word for _, words in titled for word in set(words))
    named = {id(row): row for row, words in titled if any(_names(word, goal) and standing[word] == 1 for word in words)}
    if len(named) != 1:
        return False
    (row,) = named.values()
    own = {number_key(cell) for cell in row.cells.values() if type(cell) in (int, float)}
    given = {key for fact in case.asked for key in fact.keys}
    figures = {fact.keys[0] for fact in facts_in(case.answer) if fact.kind is FactKind.NUMBER} - given
    return bool(figures) and figures <= own


def _names(word: str, folded_goal: str) -> bool:
    return len(word) >= FEWEST_LETTERS and stands(folded_goal, word)


_TITLES = frozenset({"title", "name", "summary", "subject"})
FEWEST_LETTERS = 4
"""A shorter word of a title names nothing."""


def each_place(case: Case) -> Iterator[tuple[str, str]]:
    """Where the question asks for all, and names no place, what was read place by place was read of each that a listing names."""
    if case.declares_needs or not _ALL.search(case.goal) or _PHRASES["tells_of_a_part"].search(case.answer):
        return
    goal, asked = fold(case.goal), dict[tuple[str, str], set[str]]()
    wide = {record.call_id for record in case.evidence.reads}
    for record in case.evidence.reads:
        for leaf in leaves(record.arguments):
            if attribute_kind(leaf.key) == "place" and leaf.key.lower() not in _SORTS:
                asked.setdefault((record.tool, leaf.key), set()).add(str(leaf.value))
                wide.discard(record.call_id)
    if "#" in goal or not asked or any(unit.places for unit in case.evidence.units if unit.call_id in wide):
        return
    sentences = case.attribution(case.answer).sentences
    if any(_ALL.search(one.text) and any(_ALL.search(unit.text) for unit in one.units) for one in sentences):
        return  # a line says how many there are in all, and the answer retells it
    (tool, key), visited = max(asked.items(), key=lambda one: len(one[1]))
    names = {name for value in visited for name in case.evidence.sources.identities.names_of(value)}
    if any(len(name) > 1 and name in goal for name in names):
        return
    listing = next((one for one in coverage_of(case.views) if one.kind == key), None)
    if listing and (left := [dict(listing.names).get(one) or one for one in listing.missing]):
        yield "all of it", f"{tool} has not read {', '.join(left[:3])}, and all was asked for"


_SORTS = frozenset({"category"})
"""Keys by which one sort is asked for: who asks of helmets asks of no other sort."""


def _says_how_many_of(listed: int, total: int, answer: str) -> bool:
    """Whether the answer says how many of how many were read: three of 118."""
    many = rf"(?:{listed}|{_SPELT.get(listed, listed)})"
    return bool(re.search(rf"\b{many}\b(?: \w+){{0,4}} of (?:\w+ )?{total}\b", answer))


_DIGIT = re.compile("[0-9]")
_HOW_MANY = _PHRASES["asks_how_many"]
_SPELT = {many: word for word, many in COUNT_WORDS.items()}


def _lists(value: Any) -> Iterator[list[Any]]:
    if isinstance(value, list):
        yield value
        for item in value:
            yield from _lists(item)
    elif isinstance(value, dict):
        for item in value.values():
            yield from _lists(item)
