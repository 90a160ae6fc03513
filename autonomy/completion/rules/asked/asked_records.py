"""Checks that told records are those asked about, of their day and as they stand now."""

import re
from collections.abc import Iterator, Sequence
from decimal import Decimal
from itertools import chain
from typing import Any, NamedTuple

from autonomy.completion.rules.asked.question_rules import numbers_in
from autonomy.completion.rules.case import Case
from autonomy.provenance.records.paged_records import (
    AskedValues,
    KnownHandles,
    PagedRecords,
    conditions_of,
    forms_of,
    gathered,
    mentions_any,
    told_rows,
    values_of,
)
from autonomy.provenance.records.told_rows import denies
from autonomy.provenance.sources.leaves import leaves
from autonomy.provenance.sources.result_rows import Row
from autonomy.provenance.sources.tabular.columns import is_told_as
from autonomy.provenance.sources.tabular.tables import STATES
from autonomy.provenance.text.dates import is_iso_day, local_moment
from autonomy.provenance.text.excerpts import excerpt
from autonomy.provenance.text.facts import Fact, FactKind, facts_in, number_key
from autonomy.provenance.text.normalize import fold
from autonomy.provenance.text.sentences import sentences_in, terms
from autonomy.run_state.run_provenance import data_of
from autonomy.run_state.run_values import CallRecord
from metrics.text.phrases import patterns_of

_PHRASES = patterns_of("autonomy.completion")


def _records(case: Case) -> tuple[PagedRecords, ...]:
    """The records of all reads of a free goal, over their pages."""
    unread = {case.evidence.reads[at].call_id for at in case.unread}
    reads = {one.call_id: (one.tool, one.arguments, one.call_id in unread) for one in case.evidence.reads}
    return tuple(gathered(case.evidence.sources.tables(), reads)) if case.free_texts else ()


def _handles(case: Case) -> KnownHandles:
    sources = case.evidence.sources
    return KnownHandles(sources.tables(), sources.identities.named_in_part)


def _rows_asked(records: PagedRecords, case: Case) -> tuple[Sequence[AskedValues], list[bool]]:
    """The conditions that the question sets, and whether each record meets all of them."""
    conditions = conditions_of(case.goal, records.table, case.made_once(_handles).names_of)
    return conditions, [all(condition.holds(row) for condition in conditions) for row in records.table]


class _Total(NamedTuple):
    """What a column of figures makes over the records that a question asks about, and over others."""

    column: str
    own: Decimal
    many: int
    others: dict[Decimal, str]
    """What it makes over other records, and which these are."""


def totals_of_those_asked(case: Case) -> Iterator[tuple[str, str]]:
    """A total or a mean that the question asks for is that of the records which meet its conditions, and not of other ones."""
    if not _PHRASES["asks_for_a_total"].search(case.goal) or case.evidence.writes or case.asks_for_the_outermost:
        return
    if any(fact.kind in (FactKind.DATE, FactKind.TIME, FactKind.NUMBER) for fact in case.asked) or any(numbers_in(case.goal)):
        return  # what else it asks is not bound to a column
    for text in case.free_texts[:1]:
        figures = [one.fact for sentence in text.unrepeated.sentences for one in sentence.facts if _is_sum(one.fact)]
        for records in case.made_once(_records) if figures else ():
            conditions, rows = _rows_asked(records, case)
            yield from _exchanged(records, conditions, text.text, case)
            if not any(rows) or not records.is_whole:
                continue
            for total in _totals(records, rows, conditions, case):
                told = [fact for fact in figures if Decimal(fact.keys[0]) in total.others]
                if told and not any(_is_right(fact, total) for fact in figures):
                    value = Decimal(told[0].keys[0])
                    asked = " and ".join(one.as_text() for one in conditions) or "all"
                    yield (
                        told[0].text,
                        f"『{told[0].text}』 is the {total.column} of {total.others[value]}; "
                        f"of the {total.many} that are asked for ({asked}) it is {total.own:,f}",
                    )
                    return


def is_total_asked(fact: Fact, case: Case) -> bool:
    """Whether a figure is the total or the mean of the records that the question asks about, over all pages."""
    return fact.kind is FactKind.NUMBER and any(_is_right(fact, total) for total in case.made_once(_totals_asked))


def _totals_asked(case: Case) -> tuple[_Total, ...]:
    if not _PHRASES["asks_for_a_total"].search(case.goal):
        return ()
    found = list[_Total]()
    for records in case.made_once(_records):
        conditions, rows = _rows_asked(records, case)
        found += _totals(records, rows, conditions, case) if conditions and any(rows) and records.is_whole else ()
    return tuple(found)


def _is_sum(fact: Fact) -> bool:
    is_figure = fact.kind is FactKind.NUMBER and fact.unit != "%" and len(fact.keys[0]) <= LONGEST_FIGURE
    return is_figure and len(fact.keys[0].replace(".", "").strip("0-")) >= FEWEST_DIGITS


LONGEST_FIGURE, FEWEST_DIGITS = 20, 2


def _is_right(fact: Fact, total: _Total) -> bool:
    value = Decimal(fact.keys[0])
    return any(is_told_as(exact, value) for exact in (total.own, total.own / total.many)) or value in (
        total.own.to_integral_value(),
        -total.own,
    )


def _totals(records: PagedRecords, asked: Sequence[bool], conditions: Sequence[AskedValues], case: Case) -> Iterator[_Total]:
    many = sum(asked)
    for column, cells in records.figures().items():
        own = sum((cell for cell, is_asked in zip(cells, asked, strict=True) if is_asked), Decimal())
        others = {sum(cells, Decimal()): "all that was read"} if many < len(cells) else {}
        for condition in conditions:
            values = {value for row in records.table for value in values_of(row, condition.column)}
            for value in sorted(condition.values if condition.is_denied else values - condition.values):
                those = [value in values_of(row, condition.column) for row in records.table]
                made = sum((cell for cell, is_one in zip(cells, those, strict=True) if is_one), Decimal())
                others.setdefault(made, f"those with {condition.column}: {value}")
        if many >= FEWEST_LEFT and _asks_for_no_less(records, case):
            for row, cell, is_asked in zip(records.table, cells, asked, strict=True):
                if is_asked and cell and not _is_filed_apart(row, records.table):
                    others.setdefault(own - cell, f"them without {excerpt(row.as_text(), 60)}")
        others.pop(own, None)
        yield _Total(column, own, many, {made: which for made, which in others.items() if made})


def _asks_for_no_less(records: PagedRecords, case: Case) -> bool:
    """Whether the question has no word, besides those of the records, that may leave some of them out, nor has the answer."""
    if _PHRASES["leaves_some_out"].search(f"{case.goal}\n{case.answer}"):
        return False
    cells = (cell for row in records.table for cell in (*row.cells, *row.cells.values(), *row.lists, *chain(*row.lists.values())))
    calls = (word for record in case.evidence.reads for word in (record.tool, *map(str, record.arguments.values())))
    known = terms(" ".join(map(str, (*cells, *calls, records.table[0].table))).replace("_", " ").replace(".", " "))
    asked = terms(_PHRASES["asks_for_a_total"].sub(" ", case.goal))
    return all(word in known or word in _AMOUNTS for word in asked if word.isascii())


_AMOUNTS = terms("value worth amount price cost figure sum all our your my they come make makes together how much what")


def _is_filed_apart(row: Row, table: Sequence[Row]) -> bool:
    """Whether no other record is in the state, or of the sort, of this one: then it may not be meant."""
    filing = [name for name in (*row.cells, *row.lists) if _parts_of(name) & _FILES]
    return any(
        not any(set(values_of(row, name)) & set(values_of(other, name)) for other in table if other is not row)
        for name in filing
        if values_of(row, name)
    )


FEWEST_LEFT = 3
"""PagedRecords, of which one that is left out makes another total."""


def _exchanged(records: PagedRecords, conditions: Sequence[AskedValues], text: str, case: Case) -> Iterator[tuple[str, str]]:
    """The total of one of several that the question names, told of another one of them."""
    for condition in conditions if records.is_whole else ():
        values = sorted(condition.values) if not condition.is_denied else []
        if len(values) < 2:
            continue
        names_of = case.made_once(_handles).names_of
        forms = {value: forms_of(value, condition.column, names_of) for value in values}
        for column, cells in records.figures().items():
            own = {value: _cells_of(value, condition.column, records, cells) for value in values}
            sums = {value: sum(of_value, Decimal()) for value, of_value in own.items()}
            if len(set(sums.values())) < len(values):
                continue
            told = dict[str, Decimal]()
            for clause in _PHRASES["parts_a_told_total"].split(text):
                named = [value for value in values if mentions_any(fold(clause), forms[value])]
                figures = [Decimal(fact.keys[0]) for fact in facts_in(clause) if _is_sum(fact)]
                if len(named) == 1 and len(figures) == 1:
                    told.setdefault(named[0], figures[0])
            for value, figure in told.items():
                of_other = next((other for other, made in sums.items() if made == figure and other != value), "")
                if of_other and told.get(of_other) not in (None, sums[of_other]) and figure not in own[value]:
                    yield f"{value} {figure}", f"『{figure:,f}』 is told of {value}, and is the {column} of {of_other}"
                    return


def _cells_of(value: str, column: str, records: PagedRecords, cells: Sequence[Decimal]) -> list[Decimal]:
    return [cell for row, cell in zip(records.table, cells, strict=True) if value in values_of(row, column)]


def rows_as_asked(case: Case) -> Iterator[tuple[str, str]]:
    """Of the records that the answer tells one at least, and of one list each, meets each condition that the question sets: a
    state, a sort, who has it."""
    if case.evidence.writes or not case.free_texts or (denies(_beginning(case)) and not denies(case.goal)):
        return
    goal = case.goal
    for records in case.made_once(_records):
        told = [
            (line, row) for line, row in told_rows(case.answer, records.table) if not _PHRASES["leaves_some_out"].search(line)
        ]
        for condition in _filing(goal, records, case) if told else ():
            strange = [(line, row) for line, row in told if not _meets(row, condition)]
            is_listed = len(case.list_lengths) == 1 and all(_LISTED.match(line) for line, _ in told)
            if len(strange) < len(told) and not is_listed:
                continue
            for line, row in strange:
                if condition.is_denied or not _says_so(line, row, condition.column, case):
                    shown = ", ".join(values_of(row, condition.column)) or "nothing"
                    asked = condition.as_text()
                    yield line[:80], f"{excerpt(line, 80)!r}: {condition.column} is {shown}, and the question asks for {asked}"
                    return


_LISTED = re.compile(r" {0,3}(?:[-*•・]|\d{1,2}[.)]) ")


def _meets(row: Row, condition: AskedValues) -> bool:
    """Whether a record meets a condition, or has what is asked for and more: highest, where high is."""
    is_more = any(own.startswith(value) for own in values_of(row, condition.column) for value in condition.values)
    is_switch = _SWITCHED.issuperset(values_of(row, condition.column))  # a door that is off is closed
    return condition.holds(row) or is_switch or (is_more and not condition.is_denied)


_SWITCHED = frozenset({"on", "off", "unknown", "unavailable"})


def _beginning(case: Case) -> str:
    return next((one.text for one in sentences_in(case.answer)), "")


def _filing(goal: str, records: PagedRecords, case: Case) -> Iterator[AskedValues]:
    """The conditions of a question on what files the records: their state, their sort, and who has them."""
    names_of = case.made_once(_handles).names_of
    found = conditions_of(goal, records.table, names_of)
    for condition in found:
        parts = _parts_of(condition.column)
        if parts & _FILES or (parts & _HOLDERS and _PHRASES["asks_who_holds"].search(goal)):
            yield condition
    for column in (name for name in records.table[0].cells if name.lower() in _HOLDERS):
        if not any(condition.column == column for condition in found) and (asked := _holder_asked(goal, case)):
            holders = {value for row in records.table for value in values_of(row, column)}
            known = [names_of(holder) for holder in holders]
            if holders and all(len(names) > 1 and not names & asked for names in known):
                yield AskedValues(column, frozenset(asked))


def _parts_of(column: str) -> frozenset[str]:
    return frozenset({column.lower(), *column.lower().split("_")})


def _holder_asked(goal: str, case: Case) -> frozenset[str]:
    """All names of the one person whose records a question asks for; none where it is not known who that is."""
    if not _PHRASES["asks_who_holds"].search(goal):
        return frozenset()
    return case.made_once(_handles).only_one_named_in(fold(goal))


_FILES = (
    frozenset({"label", "labels", "tag", "tags", "category", "type", "kind", "priority", "severity", "分類", "種別"}) | STATES
)
_HOLDERS = frozenset({"assignee", "assignees", "assigned", "owner", "担当", "担当者"})


def _says_so(line: str, row: Row, column: str, case: Case) -> bool:
    """Whether a line says itself what the record has in a column, as who tells what is next best."""
    names_of = case.made_once(_handles).names_of
    return any(mentions_any(fold(line), forms_of(value, column, names_of)) for value in values_of(row, column))


def events_of_the_day(case: Case) -> Iterator[tuple[str, str]]:
    """Where the question is about one day, an event that the answer tells is on it, or the answer says on which day it is."""
    days = {key for fact in case.asked if fact.kind is FactKind.DATE for key in fact.keys}
    dated = [fact for fact in case.asked if fact.kind is FactKind.DATE]
    if len(dated) != 1 or not all(is_iso_day(day) or _YEARLESS.fullmatch(day) for day in days) or not case.free_texts:
        return
    asked, goal = dated[0], case.goal
    if _PHRASES["bounds_before"].search(goal[: asked.start]) or _PHRASES["bounds_behind"].search(goal[asked.end :]):
        return
    if case.evidence.writes or case.asks_for_the_outermost or denies(case.answer):
        return
    zone = case.evidence.sources.zone
    answer = facts_in(case.answer, case.evidence.day, zone)
    told_days = {key for fact in answer if fact.kind is FactKind.DATE for key in fact.keys} - days
    for records in case.made_once(_records):
        for column in (name for name in records.table[0].cells if name.lower() in _BEGINS):
            told = [(line, row) for line, row in told_rows(case.answer, records.table) if _days(row, column, zone)]
            if told and not any(_days(row, column, zone) & (days | told_days) or _is_on(row, days, zone) for _, row in told):
                line, row = told[0]
                on = str(row.cells[column])
                yield line[:80], f"{excerpt(row.as_text(), 100)!r} is told, on {on[:10]}, and the question is about {asked.text}"
                return


_BEGINS = frozenset(
    {"start", "starts", "starts_at", "start_time", "start_date", "begin", "begins_at", "check_in", "date", "day", "when"}
)
_ENDS = frozenset({"end", "ends", "ends_at", "end_time", "end_date", "check_out", "until"})


_YEARLESS = re.compile(r"--\d\d-\d\d")
"""The key of a day that is told without its year."""


def _days(row: Row, column: str, zone: Any) -> set[str]:
    cell = str(row.cells.get(column, ""))
    local = local_moment(cell, zone)
    days = {day for day in (cell[:10], local.date().isoformat() if local else "") if is_iso_day(day)}
    return days | {f"-{day[4:]}" for day in days}


def _is_on(row: Row, days: set[str], zone: Any) -> bool:
    """Whether an event is of one of some days by any of its columns, or goes on then."""
    return any(_days(row, name, zone) & days for name in row.cells) or _goes_on(row, days, zone)


def _goes_on(row: Row, days: set[str], zone: Any) -> bool:
    """Whether an event that began before goes on that day."""
    begins = {day for name in row.cells if name.lower() in _BEGINS for day in _days(row, name, zone) if is_iso_day(day)}
    ends = {day for name in row.cells if name.lower() in _ENDS for day in _days(row, name, zone) if is_iso_day(day)}
    return bool(begins and ends) and any(min(begins) <= day <= max(ends) for day in days if is_iso_day(day))


def as_it_stands_now(case: Case) -> Iterator[tuple[str, str]]:
    """What is told of now is not what a record had before a write that changed it."""
    if case.declares_needs:
        return
    for record in case.evidence.writes:
        for name, old, new in _changed(record, case):
            for sentence in sentences_in(case.answer):
                keys = {key for fact in facts_in(sentence.text) if fact.kind is FactKind.NUMBER for key in fact.keys}
                if old in keys and new not in keys and _PHRASES["tells_of_the_present"].search(sentence.text):
                    said = excerpt(sentence.text, 80)
                    yield sentence.text[:80], f"{said!r}: {name} was {old} before {record.tool} made it {new}"
                    return


def _changed(record: CallRecord, case: Case) -> Iterator[tuple[str, str, str]]:
    """The figures that a write changed, with what was read before of that record, and was not read or answered since."""
    own = {fold(str(value)) for value in record.arguments.values() if isinstance(value, str | int)}
    at = next((place for place, one in enumerate(case.ctx.records) if one is record), 0)
    before = [one for one in case.evidence.reads if any(one is other for other in case.ctx.records[:at])]
    since = [one for one in case.ctx.records[at:] if one.ok]
    for name, value in record.arguments.items():
        if type(value) not in (int, float):
            continue
        ids = own - {fold(str(value))}
        found = {
            number_key(thing[name])
            for one in before
            for thing in _objects(data_of(one))
            if type(thing.get(name)) in (int, float) and ids & {fold(str(cell)) for cell in thing.values()}
        }
        shown = {
            number_key(leaf.value)
            for one in since
            for leaf in leaves(data_of(one))
            if leaf.key == name and type(leaf.value) in (int, float)
        }
        for old in found - shown - {number_key(value)}:
            yield name, old, number_key(value)


def _objects(data: Any) -> Iterator[dict[str, Any]]:
    stack = [data]
    while stack:
        value = stack.pop()
        if isinstance(value, dict):
            yield value
            stack += value.values()
        elif isinstance(value, list):
            stack += value
