"""Checks the plainest answers (a number, none, a name) against all that was read, and each part of a question."""

import re
from collections.abc import Iterator, Sequence
from decimal import Decimal
from typing import NamedTuple

from autonomy.completion.rules.asked.question_rules import NUMBER_WORDS, conditions_in, numbers_in
from autonomy.completion.rules.case import Case
from autonomy.provenance.sources.evidence_units import person_keys
from autonomy.provenance.sources.read_evidence import units_of_key
from autonomy.provenance.sources.result_rows import Row
from autonomy.provenance.text.durations import is_month, is_weekday
from autonomy.provenance.text.excerpts import excerpt
from autonomy.provenance.text.facts import Fact, FactKind, facts_in
from autonomy.provenance.text.normalize import fold
from autonomy.provenance.text.sentences import sentences_in, terms
from autonomy.provenance.text.units import ratio
from autonomy.provenance.text.word_data import load_words
from metrics.text.phrases import lazy_pattern, patterns_of

_PHRASES = patterns_of("autonomy.completion")


def who_was_read(case: Case) -> Iterator[tuple[str, str]]:
    """Whom the answer names where the question asks who, stands in what was read."""
    goal, sources = case.goal, case.evidence.sources
    if not case.free_texts or not _PHRASES["asks_who"].search(goal):
        return
    first = _first_sentence(case)
    called = [fact.text for fact in facts_in(first) if fact.kind is FactKind.NAME and fact.text[:1] not in "#@"]
    scripts = _scripts_of_names(case)
    for name in (*called, *_FULL_NAME.findall(first), *_who_did_so(goal, first), *_PHRASES["is_called"].findall(first)):
        bare = _PHRASES["ends_as_a_person"].sub("", name).strip()
        is_told_otherwise = bool(scripts) and bare.isascii() not in scripts
        forms = {bare, *bare.split(), *sources.identities.names_of(bare)}
        if fold(bare) not in fold(goal) and not is_told_otherwise and not any(map(sources.contains, forms)):
            yield name, f"『{name}』 stands in nothing that was read"
            return


def _who_did_so(goal: str, first: str) -> Iterator[str]:
    """The one English name in front of the verb of a question: Leo, of `Leo updated it`, where that asks `Who updated it?`"""
    if asked_deed := _PHRASES["asks_who_did"].search(goal):
        did = re.compile(rf"(?<![A-Za-z.])([A-Z][a-z]{{2,}})[*_]{{0,2}} (?:[a-z]{{3}} )?{asked_deed['deed']}\b")
        yield from (name for name in did.findall(first) if not _PHRASES["names_nobody"].fullmatch(name))


_FULL_NAME = re.compile(r"(?<![A-Za-z.])[A-Z][a-z]+(?: [A-Z][a-z'-]+)+(?![A-Za-z])")


def _scripts_of_names(case: Case) -> set[bool]:
    """Whether people are called in Latin letters where they are listed, in others, or in both: 田中 may be Tanaka there."""
    keys = person_keys() | {"name", "title"}
    shown = (str(leaf.value) for record in case.evidence.reads for leaf in case.evidence.content(record).under(keys.__contains__))
    return {name.isascii() for name in shown if any(map(str.isalpha, name)) and not any(map(str.isdigit, name))}


def each_part(case: Case) -> Iterator[tuple[str, str]]:
    """Each part of a question that asks how many, how much, when or who is answered, or the answer says why not."""
    goal, answer = case.goal, case.answer
    parts = [part.strip() for part in _PHRASES["parts_a_question"].split(goal) if part.strip()] if case.free_texts else []
    if len(parts) < 2 or _PHRASES["tells_of_nothing"].search(answer):
        return
    clauses = [clause for clause in _PHRASES["parts_an_answer"].split(answer) if clause.strip()]
    of_parts = [terms(part) for part in parts]
    for at, part in enumerate(parts):
        others = parts[:at] + parts[at + 1 :]
        of_others = frozenset[str]().union(*(of_parts[:at] + of_parts[at + 1 :]))
        own = terms(_PHRASES["question_words"].sub(" ", part)) - of_others
        own_kanji = set(_KANJI.findall(part)).difference(*others)
        kind = next((kind for kind in _HOLDS if kind[0].search(part)), None)
        if kind is None or not own or own & terms(answer) or own_kanji & set(answer):
            continue
        asks, holds = kind
        alike = sum(bool(asks.search(other)) for other in parts)
        if alike > 1 and any(_most_figures_alike(clause, case) >= alike for clause in clauses):
            continue  # one clause answers them all: 40 seconds instead of 6 minutes
        of_the_saying = _PHRASES["asks_when_it_was_said"].search(part)  # the very clause that answers the other part tells it
        if asks is _PHRASES["asks_when"] and any(_tells_a_new_time(clause, part, case) for clause in clauses):
            continue  # in the very clause that answers another part: Kenta approved it at 16:40
        if not any(holds(clause, case) for clause in clauses if of_the_saying or not terms(clause) & (of_others - of_parts[at])):
            yield part[:60], f"the question also asks {excerpt(part, 80)!r}, and your answer does not say"


_KANJI = lazy_pattern(r"[\u3400-\u9fff々]")


def _tells_a_number(clause: str, _case: Case) -> bool:
    return any(fact.kind is FactKind.NUMBER for fact in facts_in(clause)) or any(True for _ in numbers_in(clause))


def _most_figures_alike(clause: str, case: Case) -> int:
    """How many different figures of one measure, days or times a clause has that the question does not have."""
    asked = {(fact.kind, key) for fact in case.asked for key in fact.keys}
    figures = {
        (fact.kind, fact.keys[0], fact.unit)
        for fact in facts_in(clause, case.evidence.day, case.evidence.sources.zone)
        if fact.kind in _FIGURES and (fact.kind, fact.keys[0]) not in asked
    }
    measures = [(kind, unit) for kind, _, unit in figures]
    return max((sum(_is_alike(measure, other) for other in measures) for measure in measures), default=0)


_FIGURES = (FactKind.NUMBER, FactKind.DATE, FactKind.TIME)


def _is_alike(measure: tuple[FactKind, str], other: tuple[FactKind, str]) -> bool:
    return measure == other or (measure[0] is other[0] and ratio(measure[1], other[1]) is not None)


def _tells_a_time(clause: str, case: Case) -> bool:
    facts = facts_in(clause, case.evidence.day, case.evidence.sources.zone)
    return any(fact.kind in (FactKind.DATE, FactKind.TIME, FactKind.NUMBER) for fact in facts)


def _tells_a_new_time(clause: str, part: str, case: Case) -> bool:
    """Whether a clause tells a day or a time that was read and that the question does not say, of somebody whom the clause names
    where it names anybody; a time of day, where the question asks for one."""
    kinds = (FactKind.TIME,) if _PHRASES["asks_what_time"].search(part) else (FactKind.DATE, FactKind.TIME)
    asked = {(fact.kind, key) for fact in case.asked for key in fact.keys}
    facts = facts_in(clause, case.evidence.day, case.evidence.sources.zone)
    names_of = case.evidence.sources.identities.names_of_all
    named = names_of(key for fact in facts if fact.kind is FactKind.NAME and fact.text[:1] != "#" for key in fact.keys)
    return any(
        not named or not (authors := _authors_of(fact, case)) or not authors.isdisjoint(named)
        for fact in facts
        if fact.kind in kinds and asked.isdisjoint((fact.kind, key) for key in fact.keys) and case.evidence.sources.of_fact(fact)
    )


def _authors_of(fact: Fact, case: Case) -> set[str]:
    """The names of those in whose records a fact stands; when the thread began in which one stands is nothing of its own."""
    threads = load_words("result_keys")["thread"]
    found = ((source.call_id, source.path) for source in case.evidence.sources.of_fact(fact))
    places = [(call, path) for call, path in found if path.rpartition(".")[2].lower() not in threads]
    return {
        name
        for unit in case.evidence.units
        if any(call == unit.call_id and path.startswith(unit.path) for call, path in places)
        for name in unit.persons
    }


def _tells_a_name(clause: str, case: Case) -> bool:
    """Whether a clause names somebody, or has a word that was read and that the question does not have: the sales team."""
    sources = case.evidence.sources
    latin = any(not is_weekday(word) and not is_month(word) for word in _CAPITALISED.findall(clause))
    if latin or any(fact.kind is FactKind.NAME for fact in facts_in(clause)):
        return True
    new = {word for word in terms(clause) - terms(case.goal) if word.isalpha() and not is_month(word)}
    return any(map(sources.contains, new)) or any(name in fold(clause) for name in sources.persons if len(name) > 1)


_CAPITALISED = re.compile(r"\b[A-Z][a-z]+")
_HOLDS = (
    (_PHRASES["asks_how_many"], _tells_a_number),
    (_PHRASES["asks_how_much"], _tells_a_number),
    (_PHRASES["asks_when"], _tells_a_time),
    (_PHRASES["asks_who"], _tells_a_name),
)
"""What a clause has to hold that answers such a part of a question."""


class _Limit(NamedTuple):
    """A limit above which the question asks for things."""

    value: Decimal
    unit: str
    is_reached_at: bool
    """Whether what is just as much counts: at least 20 hours."""

    def passed_by(self, value: Decimal, unit: str) -> Decimal | None:
        """By how much a figure is above the limit, below 0 where it is not; None where it does not measure the same."""
        many = _times(self.unit, unit)
        return None if many is None else value - self.value * many


def as_many_above(case: Case) -> Iterator[tuple[str, str]]:
    """Where the question asks for what is above a limit, the answer counts as many as are, by a column whose figures it gives."""
    goal, first = case.goal, _first_sentence(case)
    limit = _limit_in(goal) if case.free_texts else None
    counted = _counted_in(first)
    if limit is None or counted is None:
        return
    told = [(value, unit) for value, unit in _measures_in(case.answer) if limit.passed_by(value, unit)]
    for rows in case.evidence.sources.tables():
        conditions = list(conditions_in(fold(goal), rows))
        fitting = [row for row in rows if all(meets(row) for meets in conditions)]
        columns = _columns_above(fitting or rows, limit)
        given = [column for column in columns if any(_is_same(one, other) for one in told for other in column)]
        above = {
            sum((by := limit.passed_by(*cell) or 0) > 0 or (by == 0 and limit.is_reached_at) for cell in one) for one in given
        }
        if above and counted not in above:
            yield first[:80], f"you count {counted}, and of the {len(rows)} rows {max(above)} are what was asked for"
            return


_Measure = tuple[Decimal, str]
_HOURS = re.compile(r"(\d{1,3}):(\d\d)")
"""As timesheets write hours and minutes."""
_COUNTERS = frozenset({"人", "名", "件", "社", "店", "枚", "つ"})


def _limit_in(goal: str) -> _Limit | None:
    for fact in facts_in(goal):
        if fact.kind is FactKind.NUMBER and fact.unit:
            before, behind = goal[: fact.start], goal[fact.end :]
            if _PHRASES["above_behind"].match(behind) or _PHRASES["above_before"].search(before):
                return _Limit(Decimal(fact.keys[0]), fact.unit, is_reached_at=False)
            if _PHRASES["at_least_behind"].match(behind) or _PHRASES["at_least_before"].search(before):
                return _Limit(Decimal(fact.keys[0]), fact.unit, is_reached_at=True)
    return None


def _counted_in(sentence: str) -> int | None:
    """How many people or things a sentence counts; the last, since a part stands behind the whole: 6人のうち3人."""
    counts = [fact.keys[0] for fact in facts_in(sentence) if fact.kind is FactKind.NUMBER and fact.unit in _COUNTERS]
    words = [NUMBER_WORDS[word.lower()] for word in re.findall(r"[A-Za-z]+", sentence) if word.lower() in NUMBER_WORDS]
    if whole := [int(count) for count in counts if count.isdecimal()] or words[:1]:
        return whole[-1]
    return 0 if _PHRASES["tells_of_none"].search(sentence) else None


def _measures_in(text: str) -> list[_Measure]:
    measures = [(Decimal(fact.keys[0]), fact.unit) for fact in facts_in(text) if fact.kind is FactKind.NUMBER and fact.unit]
    clock = [(Decimal(60 * int(hours) + int(minutes)), "分") for hours, minutes in _HOURS.findall(text)]
    return list(dict.fromkeys(measures + clock))


def _columns_above(rows: Sequence[Row], limit: _Limit) -> list[list[_Measure]]:
    """The cells of each column that measures the same as a limit."""
    columns: dict[str, list[_Measure]] = {}
    for row in rows:
        for name, cell in row.cells.items():
            measures = (
                _measures_in(cell) if isinstance(cell, str) else [(Decimal(str(cell)), unit) for unit in units_of_key(name)]
            )
            alike = [one for one in measures if limit.passed_by(*one) is not None]
            if len(alike) == 1:
                columns.setdefault(name, []).append(alike[0])
    return list(columns.values())


def _is_same(one: _Measure, other: _Measure) -> bool:
    many = _times(one[1], other[1])
    return many is not None and one[0] * many == other[0]


def _times(unit: str, other: str) -> Decimal | None:
    """How many of another unit are one; of a unit that measures nothing known, only of itself."""
    return Decimal(1) if unit == other else ratio(unit, other)


def _first_sentence(case: Case) -> str:
    return next((sentence.text for sentence in sentences_in(case.answer) if not sentence.heading), "")
