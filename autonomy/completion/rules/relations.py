"""Checks what an answer says of two things together: a moment, a change, what both are, a free time."""

import re
from collections.abc import Iterator, Sequence
from datetime import date, datetime, timedelta
from decimal import Decimal
from itertools import pairwise

from autonomy.completion.rules.asked.question_rules import CalendarEvent, events_in
from autonomy.completion.rules.case import Judgement
from autonomy.provenance.reckoning.derivations import numbers
from autonomy.provenance.reckoning.expressions import columns_of
from autonomy.provenance.sources.row_states import (
    listed_under_a_state,
    other_currencies,
    ranked_wrongly,
    states_told_together,
    told_in_full,
)
from autonomy.provenance.sources.tabular.table_rows import STATE_COLUMNS, normal_rows, stands
from autonomy.provenance.sources.tabular.tables import Table
from autonomy.provenance.text.dates import is_iso_day, local_moment
from autonomy.provenance.text.durations import minutes_of
from autonomy.provenance.text.facts import CURRENCIES, Fact, FactKind, facts_in
from autonomy.provenance.text.normalize import fold, normalize
from autonomy.provenance.text.sentences import Sentence, sentences_in
from autonomy.provenance.text.word_data import load_words
from autonomy.provenance.text.zones import zone_called, zones_named
from autonomy.run_state.run_provenance import data_of
from metrics.text.phrases import patterns_of

_PHRASES = patterns_of("autonomy.completion")


def related(case: Judgement) -> Iterator[tuple[str, str]]:
    """What is said of two things together holds: a day with its time, a change from one figure to another, a state of several
    rows, what is overdue, and a time that is free."""
    if case.evidence.task.needs or not case.evidence.reads or _PHRASES["own_knowledge"].search(case.answer):
        return
    sentences = list(sentences_in(case.answer))
    tables = case.evidence.sources.tables()
    for sentence in sentences:
        yield from _of_another_day(sentence, case)
        yield from _another_change(sentence, case)
        yield from _not_of_all(sentence, tables)
        yield from _not_overdue(sentence, case, tables)
        yield from _people_for_times(sentence, tables)
        yield from _not_every_day(sentence, case)
        yield from _of_each_row(sentence, case)
        yield from _the_other_way(sentence)
    yield from _listed_under_another_state(case)
    yield from _total_of_some_changes(case)
    yield from _by_another_clock(case)
    yield from _left_out_of_a_ranking(case)
    yield from _not_free_then(sentences, case, tables)


def _of_another_day(sentence: Sentence, case: Judgement) -> Iterator[tuple[str, str]]:
    """A day and, right behind it, a time that what was read gives of another day only."""
    sources = case.evidence.sources
    if case.evidence.writes:
        return  # what is told may be what was written
    for day, time in _moments(facts_in(sentence.text, sources.day, sources.zone), sentence.text):
        shown: set[str] = set()
        for unit in case.evidence.units:
            if _has_time(unit.text, time):
                facts = facts_in(unit.text[:LONGEST_LINE], sources.day, sources.zone)
                if not set(time.keys) & {key for fact in facts if fact.kind is FactKind.TIME for key in fact.keys}:
                    continue
                days = {key for fact in facts if fact.kind is FactKind.DATE and not fact.relative for key in fact.keys}
                together = {
                    key for other, at in _moments(facts, unit.text) if set(at.keys) & set(time.keys) for key in other.keys
                }
                if not together or set(day.keys) & (together | (days if unit.days & set(day.keys) else set())):
                    return  # it may be of any day, or is of this one
                shown |= together
        if shown:
            yield (
                f"{day.text} {time.text}",
                f"『{time.text}』 stands in what was read for {min(shown)}, and not for 『{day.text}』",
            )


LONGEST_LINE = 500


def _has_time(text: str, time: Fact) -> bool:
    """A quick look whether a line may hold a time, before its facts are read."""
    hour = time.keys[0][:2].lstrip("0") or "0"
    return hour in text or "正午" in text or "noon" in text


def _moments(facts: Sequence[Fact], text: str) -> Iterator[tuple[Fact, Fact]]:
    """The days of a text that have a time right behind them."""
    told = sorted((fact for fact in facts if fact.kind in (FactKind.DATE, FactKind.TIME)), key=lambda fact: fact.start)
    for one, other in pairwise(told):
        between = text[one.end : other.start]
        if one.kind is FactKind.DATE and other.kind is FactKind.TIME and not one.relative and _BETWEEN.fullmatch(between):
            yield one, other


_BETWEEN = re.compile(r"[の\s,(（]{0,3}(?:at\s|[月火水木金土日][)）]\s?の?)?")


def _another_change(sentence: Sentence, case: Judgement) -> Iterator[tuple[str, str]]:
    """A figure after a change, where what was read gives another one after the same figure."""
    said = dict(_changes(normalize(sentence.text)))
    if not said:
        return
    shown: dict[str, set[str]] = {}
    for unit in case.evidence.units[:MOST_LINES]:
        if "to" in unit.text or "から" in unit.text or "→" in unit.text:
            for before, after in _changes(normalize(unit.text[:LONGEST_LINE])):
                shown.setdefault(before, set()).add(after)
    for before, after in said.items():
        others = shown.get(before, {after})
        if after not in others and before not in others:
            yield after, f"what was read says from {before} to {min(others)}, and not to {after}"


MOST_LINES = 20_000


def _changes(text: str) -> Iterator[tuple[str, str]]:
    """The figures before and after each change that a text tells: `from 14 minutes to 9`, 14分から9分に."""
    figures = list(numbers(text))
    for one, other in pairwise(figures):
        between = text[one.end : other.start]
        if (
            (one.unit or other.unit)
            and (not other.unit or not one.unit or one.unit == other.unit)
            and _BECOMES.fullmatch(between)
        ):
            yield one.keys[0], other.keys[0]


_BECOMES = re.compile(r"\s?(?:\bto|から|→|->)\s?[*_]{0,2}\s?(?:only |just |about |約)?")


def _not_of_all(sentence: Sentence, tables: Sequence[Table]) -> Iterator[tuple[str, str]]:
    """What is said of both or all rows that stand in front, and is so of some of them."""
    said = fold(sentence.text)
    each = _PHRASES["says_of_each"].search(said)
    if not each or _PHRASES["denies_a_line"].search(sentence.text) or _PHRASES["leaves_some_out"].search(said):
        return
    in_front, behind = said[: each.start()], said[each.end() :]
    for table in tables:
        own = table.rows_named(in_front)
        for column in own[0].cells if len(own) > 1 else ():
            told = [value for value in {row.word(column) for row in table} if len(value) > 2 and stands(behind, value)]
            others = [row for row in own if row.word(column) not in told]
            if len(told) == 1 and others and not table.rows_named(behind):
                yield told[0], f"『{told[0]}』 is not so of all of them: {normal_rows(others[:1])}"
                return


def _not_every_day(sentence: Sentence, case: Judgement) -> Iterator[tuple[str, str]]:
    """Something is told of every day of a span, and of one of them nothing was read."""
    sources = case.evidence.sources
    if not _PHRASES["every_day_of_a_span"].search(sentence.text) or _PHRASES["leaves_some_out"].search(fold(sentence.text)):
        return
    facts = facts_in(sentence.text, sources.day, sources.zone)
    told = sorted({key for fact in facts if fact.kind is FactKind.DATE for key in fact.keys if is_iso_day(key)})
    if len(told) < 2:
        return
    first, last = date.fromisoformat(told[0]), date.fromisoformat(told[-1])
    if not FEWEST_DAYS <= (last - first).days + 1 <= MOST_DAYS:
        return
    span = {(first + timedelta(days=at)).isoformat() for at in range((last - first).days + 1)}
    seen = {
        key
        for unit in case.evidence.units
        for fact in facts_in(unit.text[:LONGEST_LINE], sources.day, sources.zone)
        if fact.kind is FactKind.DATE and not fact.relative
        for key in fact.keys
    }
    seen |= {day for unit in case.evidence.units for day in _ISO_DAY.findall(unit.text[:LONGEST_LINE])}  # in names of files
    missing = sorted(span - seen - set(told))  # a day that is named is left out, or an end of the span
    if missing and 2 * len(span & seen) > len(span):
        yield missing[0], f"you tell of every day from {told[0]} to {told[-1]}, and nothing that was read is of {missing[0]}"


def _of_each_row(sentence: Sentence, case: Judgement) -> Iterator[tuple[str, str]]:
    """A state or a currency that is told of a row, and is another row's."""
    sources = case.evidence.sources
    for state, own in states_told_together(sentence.text, sources.tables(), sources.names_of):
        yield state, f"{sentence.text[:80]!r} does not agree with what was read: {own}"
    for amount, own in told_in_full(sentence.text, sources.tables()):
        yield amount, f"『{amount}』 is a hundred times as much as what was read: {own}"
    for amount, own in other_currencies(sentence.text, sources.tables()):
        yield amount, f"『{amount}』 is in another currency: {own}"


def _the_other_way(sentence: Sentence) -> Iterator[tuple[str, str]]:
    """A gain told where the first of two figures is the smaller one, or a loss where it is the greater: 400 against 414, so
    you gained 14."""
    figures = [fact for fact in numbers(normalize(sentence.text)) if fact.unit]
    text = normalize(sentence.text)
    for one, other in pairwise(figures):
        between = text[one.end : other.start]
        first, second = Decimal(one.keys[0]), Decimal(other.keys[0])
        if one.unit != other.unit or first == second or not _AGAINST.search(between) or len(between) > LONGEST_BETWEEN:
            continue
        behind = text[other.end :]
        gains, loses = bool(_PHRASES["tells_a_gain"].search(behind)), bool(_PHRASES["tells_a_loss"].search(behind))
        about_it = any(abs(abs(first - second) - Decimal(fact.keys[0])) <= 1 for fact in figures if fact.start > other.start)
        if about_it and gains is not loses and gains is (first < second):
            if gains:
                yield one.text, f"{one.text} is less than {other.text}, and you say the opposite"
            else:
                yield one.text, f"{one.text} is more than {other.text}, and you say the opposite"
            return


LONGEST_BETWEEN = 40
_AGAINST = re.compile(r"\b(?:against|versus|vs\.?|compared (?:with|to))\s|に対し")


def _listed_under_another_state(case: Judgement) -> Iterator[tuple[str, str]]:
    """A thing in a list below a state, as it is not."""
    lead, items = "", list[str]()
    for line in [*case.answer[:LONGEST_LISTED].splitlines(), "end"]:
        if _LIST_ITEM.match(line):
            items.append(line)
        elif line.strip():
            for state, own in listed_under_a_state(lead, items, case.evidence.sources.tables()):
                yield state, f"{lead.strip()[:60]!r} lists what stands as {state!r} in what was read: {own[:160]}"
                return
            lead, items = line, []


LONGEST_LISTED = 20_000
_LIST_ITEM = re.compile(r"\s{0,8}(?:[-*•・]|\d{1,2}[.)])\s")


def _total_of_some_changes(case: Judgement) -> Iterator[tuple[str, str]]:
    """A total that is the sum of all that fell, or of all that rose, in a column of the answer's own table."""
    signed = [column for column in columns_of(case.answer, _signed(case.answer)) if len(column) > 2]
    for sentence in sentences_in(case.answer) if signed else ():
        if "|" in sentence.text or not _PHRASES["tells_a_total"].search(sentence.text):
            continue
        told = {abs(Decimal(fact.keys[0])): fact.text for fact in numbers(sentence.text) if fact.unit in CURRENCIES}
        for column in signed:
            changes = [Decimal(fact.keys[0]) for fact in column]
            parts = [sum((one for one in changes if (one < 0) is below), Decimal(0)) for below in (True, False)]
            whole = abs(sum(changes, Decimal(0)))
            for part in map(abs, parts):
                if all(parts) and part in told and part != whole and whole not in told:
                    yield told[part], f"『{told[part]}』 leaves out what went the other way: all changes make {whole}"
                    return


def _signed(text: str) -> list[Fact]:
    """The sums of money of a text with their signs, a minus in whatever form it is written."""
    found = [fact for fact in facts_in(text) if fact.kind is FactKind.NUMBER and fact.unit in CURRENCIES]
    before = [text[: fact.start].rstrip("*_ ")[-1:] for fact in found]
    minus = [fact.text[:1] in _MINUS or sign in _MINUS for fact, sign in zip(found, before, strict=True)]
    plus = [fact.text[:1] == "+" or sign == "+" for fact, sign in zip(found, before, strict=True)]
    return [
        fact._replace(keys=(f"{'-' if below else ''}{fact.keys[0].lstrip('-')}",))
        for fact, below, above in zip(found, minus, plus, strict=True)
        if below or above
    ]


_MINUS = frozenset("-−－–")


def _left_out_of_a_ranking(case: Judgement) -> Iterator[tuple[str, str]]:
    """A row that belongs among the first few of a numbered list, and is not there."""
    asked = f"{case.ctx.request.task.goal}\n{case.answer}"
    if not (_PHRASES["asks_for_a_ranking"].search(asked)):
        return
    lines = [match[1] for match in _NUMBERED_LINE.finditer(case.answer)]
    for _, left_out in ranked_wrongly(lines[:LONGEST_RANKING], case.evidence.sources.tables()):
        yield "the order", f"the list leaves out what belongs among the first: {left_out}"


LONGEST_RANKING = 20
_NUMBERED_LINE = re.compile(r"^\s{0,8}\d{1,2}[.)] (.{1,400})$", re.MULTILINE)
FEWEST_DAYS, MOST_DAYS = 4, 60
"""Days of a span that somebody looks through one by one."""
_ISO_DAY = re.compile(r"(?<!\d)20\d\d-\d\d-\d\d(?!\d)")


def _by_another_clock(case: Judgement) -> Iterator[tuple[str, str]]:
    """A time of day that what was read has by the clock of Greenwich alone, told as if it were that of here; or by any other
    clock than that of the one city that the question names."""
    goal = case.ctx.request.task.goal
    asked = zones_named(goal)
    zone = (zone_called(min(asked)) if len(asked) == 1 else None) or case.evidence.sources.zone
    if _PHRASES["names_world_time"].search(f"{case.answer}\n{goal}"):
        return
    elsewhere = _WITH_OFFSET if len(asked) == 1 else _IN_UTC
    for sentence in case.attribution(case.answer).sentences:
        named = zones_named(sentence.text) - asked
        for found in sentence.facts if not named else ():
            if found.fact.kind is not FactKind.TIME or not found.sources:
                continue
            moments = [local_moment(source.text, zone) if elsewhere.search(source.text) else None for source in found.sources]
            if all(moments) and not any(f"{at:%H:%M}" in found.fact.keys for at in moments if at):
                shown = ", ".join(sorted({f"{at:%Y-%m-%d %H:%M}" for at in moments if at})[:2])
                if asked:
                    yield found.fact.text, f"『{found.fact.text}』 is the time of another zone; there it was {shown}"
                else:
                    yield found.fact.text, f"『{found.fact.text}』 is the time in UTC; here it was {shown}"
                return


_WITH_OFFSET = re.compile(r"\d(?:Z|[-+]\d\d:?\d\d)$")
_IN_UTC = re.compile(r"\dZ$")
"""A calendar of London says +00:00 of its own time."""


def _not_overdue(sentence: Sentence, case: Judgement, tables: Sequence[Table]) -> Iterator[tuple[str, str]]:
    """A thing that is told as overdue, and is done."""
    asked = _PHRASES["told_as_overdue"].search(case.ctx.request.task.goal)
    if not (asked or _PHRASES["told_as_overdue"].search(sentence.text)) or _PHRASES["denies_a_line"].search(sentence.text):
        return
    said = fold(sentence.text)
    if not _PHRASES["told_as_overdue"].search(sentence.text) and not _IN_A_LIST.search(case.answer[: sentence.start]):
        return
    for table in tables:
        for row in table.rows_named(said):
            state = next((row.word(name) for name in row.cells if name.lower() in STATE_COLUMNS), "")
            if state in _FINISHED and not stands(said, state):
                yield state, f"what is {state} is not overdue: {normal_rows([row])}"
                return


_IN_A_LIST = re.compile(r"(?:^|\n)\s*(?:[-*・•]|\d{1,2}[.)])\s?[*_]{0,2}$")
_FINISHED = frozenset(
    {"done", "closed", "completed", "complete", "paid", "merged", "resolved", "cancelled", "canceled", "完了", "済", "対応済み"}
)


def _people_for_times(sentence: Sentence, tables: Sequence[Table]) -> Iterator[tuple[str, str]]:
    """A number of people that its row gives for something else, while it has another one for people."""
    words = load_words("result_keys")["people_counted"]
    for fact in (fact for fact in facts_in(sentence.text) if fact.kind is FactKind.NUMBER and fact.unit == "人"):
        holding = [
            (row, name) for table in tables for row in table for name, cell in row.cells.items() if str(cell) == fact.keys[0]
        ]
        right = [name for _, name in holding if any(word in name.lower() for word in words)]
        for row, _ in holding if not right else ():
            counted = {name: cell for name, cell in row.cells.items() if any(word in name.lower() for word in words)}
            figures = {name: cell for name, cell in counted.items() if str(cell).isdigit()}
            if figures:
                name = min(figures)
                yield fact.text, f"『{fact.text}』 does not count people; what was read says {name}: {figures[name]}"
                return


def _not_free_then(sentences: Sequence[Sentence], case: Judgement, tables: Sequence[Table]) -> Iterator[tuple[str, str]]:
    """A time that is told as free, or taken as free by a write, in which somebody is busy."""
    if not _PHRASES["asks_for_free_time"].search(case.ctx.request.task.goal):
        return
    zone = case.evidence.sources.zone
    busy = [event for record in case.evidence.reads for event in events_in(data_of(record), zone)]
    if not busy or any(
        _PHRASES["told_as_free"].search(str(cell)) for table in tables for row in table for cell in row.cells.values()
    ):
        return
    for record in case.evidence.writes:
        for booked in events_in(record.arguments, zone):
            if taken := _overlapping(booked.start, booked.end, busy):
                yield f"{booked.start:%H:%M}", f"what was written begins at {booked.start:%H:%M}, and somebody is busy {taken}"
                return
    days = {event.start.date() for event in busy}
    for sentence in _told_as_free(sentences) if len(days) == 1 else ():
        for told in _TIMES.finditer(normalize(sentence.text)):
            start, end = (
                datetime.combine(min(days), datetime.min.time()) + timedelta(minutes=_minutes(told, at)) for at in (1, 2)
            )
            if start < end and (taken := _overlapping(start, end, busy)):
                yield told.group(), f"『{told.group()}』 is not free: somebody is busy {taken}"
                return


def _told_as_free(sentences: Sequence[Sentence]) -> Iterator[Sentence]:
    """The sentences that offer times: those that say so or stand below a heading that does, or all where none says so."""
    below, found = False, list[Sentence]()
    rest = [sentence for sentence in sentences if not _PHRASES["told_as_busy"].search(sentence.text)]
    for sentence in rest:
        says = bool(_PHRASES["offers_time"].search(sentence.text))
        below = says if sentence.heading else below
        found += [sentence] if below or says else []
    return iter(found or rest)


_TIMES = re.compile(r"(?<![\d:])(\d{1,2}:\d\d)\s?(?:-|–|〜|~|to|から)\s?(\d{1,2}:\d\d)(?![\d:])")


def _minutes(told: re.Match[str], at: int) -> int:
    return next(iter(minutes_of([fact for fact in facts_in(told[at]) if fact.kind is FactKind.TIME])), 0)


def _overlapping(start: datetime, end: datetime, busy: Sequence[CalendarEvent]) -> str:
    overlapping = [event for event in busy if event.start < end and start < event.end]
    first = min(overlapping, key=lambda event: event.start, default=None)
    return f"{first.start:%H:%M}–{first.end:%H:%M}" if first else ""
