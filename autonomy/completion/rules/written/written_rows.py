"""Checks that the changed row is the one that the request means, and no other."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence, Set
from decimal import Decimal

from autonomy.completion.rules.case import Case
from autonomy.completion.rules.ordered_actions import RECIPIENTS
from autonomy.provenance.sources.leaves import leaves
from autonomy.provenance.sources.result_rows import Row
from autonomy.provenance.sources.tabular.table_rows import STATE_COLUMNS, names_somebody, normal_rows, stands
from autonomy.provenance.sources.tabular.tables import Table
from autonomy.provenance.text.dates import is_iso_day, local_moment
from autonomy.provenance.text.facts import CURRENCIES, FactKind, facts_in
from autonomy.provenance.text.normalize import fold
from autonomy.provenance.text.sentences import sentences_in
from autonomy.provenance.text.word_data import load_words
from autonomy.run_state.run_values import CallRecord
from discovery.schemas.schema_walk import is_number


def told_otherwise(case: Case) -> Iterator[tuple[str, str]]:
    """What was booked, paid or written matches the answer: its day, its sum, and that it succeeded."""
    if case.declares_needs:
        return
    yield from _other_day_told(case)
    for record in case.evidence.writes:
        yield from _other_sum(record, case)
        yield from _not_through(record, case)


def _other_sum(record: CallRecord, case: Case) -> Iterator[tuple[str, str]]:
    """A sum of money beside the id that a write took, where the write was of another one; sums may be written in cents."""
    sums = {Decimal(str(leaf.value)) for leaf in leaves(record.arguments) if _SUM.search(leaf.key) and is_number(leaf.value)}
    ids = {str(leaf.value) for leaf in leaves(record.arguments) if _OWN_ID.fullmatch(str(leaf.value))}
    for sentence in sentences_in(case.answer) if len(sums) == 1 and ids else ():
        money = [fact for fact in facts_in(sentence.text) if fact.kind is FactKind.NUMBER and fact.unit in CURRENCIES]
        answer_sums = {Decimal(fact.keys[0]) for fact in money}
        if (
            len(answer_sums) == 1
            and any(one in sentence.text for one in ids)
            and not {one * by for one in answer_sums for by in (1, 100)} & sums
        ):
            yield money[0].text, f"『{money[0].text}』 is told, and what was written says {min(sums)}"
            return


_SUM = re.compile(r"amount|total|price|sum", re.IGNORECASE)


_OWN_ID = re.compile(r"(?=.*\d)(?=.*[A-Za-z])[\w-]{4,60}")


def _not_through(record: CallRecord, case: Case) -> Iterator[tuple[str, str]]:
    """A write whose own answer says that it stayed a draft or failed, which is not told."""
    states = (fold(str(leaf.value)) for leaf in leaves(record.result.structured) if leaf.key.lower() in STATE_COLUMNS)
    state = next((one for one in states if one in _UNFINISHED), "")
    goal_and_answer = fold(f"{case.goal}\n{case.answer}")
    if state and not any(word in goal_and_answer for word in _UNFINISHED[state]) and "draft" not in record.tool.lower():
        yield state, f"{record.tool} answered {state!r}, and you do not say so"


_UNFINISHED: dict[str, list[str]] = load_words("opposites")["unfinished"]
"""States of what did not get through, each with the words that tell it."""


def _other_day_told(case: Case) -> Iterator[tuple[str, str]]:
    """The day of what was booked or written is the one that the answer tells."""
    today, zone = case.evidence.day, case.evidence.sources.zone
    facts = [fact for fact in facts_in(case.answer, today, zone) if fact.kind is FactKind.DATE and not fact.relative]
    answer_days = {key for fact in facts for key in fact.keys if is_iso_day(key)}
    begins = [
        day
        for record in case.evidence.writes
        for leaf in leaves(record.arguments)
        if (at := local_moment(leaf.value, zone))
        for day in (at.date().isoformat(), str(leaf.value)[:10])  # as it is here, and as it is written
    ]
    if not answer_days or not begins or answer_days & set(begins) or _names_its_day(case.answer, begins):
        return
    named = next(fact.text for fact in facts if set(fact.keys) & answer_days)
    yield named, f"『{named}』 is told, and what was written is for {begins[0]}"


def _names_its_day(answer: str, begins: Sequence[str]) -> bool:
    """Whether the day alone is told, behind another one of the month: from the 12th to the 9th, 3月12日から9日に."""
    days = {str(int(day[8:10])) for day in begins if is_iso_day(day[:10])}
    return any(fact.unit == "日" and fact.keys[0] in days for fact in facts_in(answer) if fact.kind is FactKind.NUMBER)


def row_of_the_goal(case: Case) -> Iterator[tuple[str, str]]:
    """The written row is the one, of those that were read, that the goal names by its words, and no other."""
    goal = fold(case.goal)
    given = {fold(str(leaf.value)) for record in case.evidence.writes for leaf in leaves(record.arguments)}
    for table in case.evidence.sources.tables() if case.evidence.writes and not case.declares_needs else ():
        goal_rows = table.rows_named(goal) or _named(goal, table, given)
        if len(goal_rows) != 1 or len(table) < 2:
            continue
        for record in case.evidence.writes:
            argument_values = {fold(str(leaf.value)) for leaf in leaves(record.arguments)}
            others = {fold(str(leaf.value)) for leaf in leaves(record.arguments) if leaf.key.lower() not in RECIPIENTS}
            alone = [name for name in table[0].cells if len(table.distinct(name)) == len(table)]
            values = {name: others if name.lower() in _SENDERS else argument_values for name in alone}
            written = {
                id(row): row for name in alone for row in table if len(row.word(name)) > 1 and row.word(name) in values[name]
            }
            if len(written) == 1 and id(goal_rows[0]) not in written:
                written_text = normal_rows(list(written.values()))
                yield written_text[:80], f"what was written is {written_text}, and the goal names {normal_rows(goal_rows)}"
                return


_SENDERS = frozenset({"from", "sender", "author", "from_address", "sender_email"})
"""By whom a message is; who is written to is no earlier message of theirs."""


def _named(goal: str, table: Table, given: Set[str]) -> list[Row]:
    """The rows whose title, or a word that stands in no other title, is in the goal. `given`: what writes took, among it perhaps
    whom the goal names to be given something, not as the one who has a row."""
    titles = [fold(" ".join(_title_of(row, given))) for row in table]
    words = [set(title.split()) for title in titles]
    standing = Counter(word for of_title in words for word in of_title)
    return [
        row
        for row, of_title in zip(table, words, strict=True)
        if any(standing[word] == 1 and len(word) > FEWEST_LETTERS and stands(goal, word) for word in of_title)
    ]


def _title_of(row: Row, given: Set[str]) -> Iterator[str]:
    for name, cell in row.cells.items():
        if name.lower() in _TITLES or (names_somebody(name) and fold(str(cell)) not in given):
            yield str(cell)


_TITLES = frozenset(
    {
        "content",
        "label",
        "task",
        "summary",
        "title",
        "name",
        "subject",
        "firstname",
        "lastname",
        "first_name",
        "last_name",
        "company",
    }
)
FEWEST_LETTERS = 3
"""A shorter word of a title names nothing."""
