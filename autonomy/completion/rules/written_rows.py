"""Checks that what was changed is the row that the request means, and no other one of its table."""

import re
from collections.abc import Iterator

from autonomy.completion.rules.case import Judgement
from autonomy.provenance.sources.leaves import leaves
from autonomy.provenance.sources.result_rows import Row
from autonomy.provenance.sources.table_rows import tables_of
from autonomy.provenance.text.dates import is_iso_day, local_moment
from autonomy.provenance.text.facts import FactKind, facts_in
from autonomy.provenance.text.normalize import fold
from autonomy.provenance.text.sentences import terms

_CHANGES = frozenset(
    {"complete", "close", "finish", "resolve", "archive", "delete", "remove", "cancel", "update", "edit", "move", "assign"}
    | {"merge", "approve", "reject", "rename", "reopen"}
)
_MAKES = frozenset({"post", "send", "create", "add", "reply", "append", "insert", "upload"})
"""What these make has no row yet; the ids they take say where it goes."""
_ID = re.compile(r"(?:\w{0,40}_)?(?:id|ids|iid|number|key|uuid|identifier)|[a-z]{1,40}I[dD]s?")
_LABELS = ("title", "name", "summary", "subject", "content", "label", "task", "text")
LONGEST_LABEL = 80


def other_rows(case: Judgement) -> Iterator[tuple[str, str]]:
    """What was changed or deleted is the row that the request or the answer names, and no other one of its table."""
    if case.evidence.task.needs:
        return
    told = fold(f"{case.ctx.request.task.goal}\n{case.answer}")
    tables = list(tables_of(case.evidence.sources.rows()))
    for record in case.evidence.writes:
        words = frozenset(re.findall(r"[a-z]+", record.tool.lower()))
        given = {str(leaf.value) for leaf in leaves(record.arguments) if _ID.fullmatch(leaf.key)}
        if not given or not words & _CHANGES or words & _MAKES:
            continue
        for table in tables:
            own = [row for row in table if given & {str(cell) for name, cell in row.cells.items() if _ID.fullmatch(name)}]
            meant = [_label(row) for row in table if row not in own and _is_told(_label(row), told)]
            if len(own) == 1 and meant and (label := _label(own[0])) and not terms(label) & terms(told):
                yield label, f"{record.tool} changed {label!r}, and what you tell of is {meant[0]!r}"
                return


def told_otherwise(case: Judgement) -> Iterator[tuple[str, str]]:
    """The day of what was booked or written is the one that the answer tells."""
    today, zone = case.evidence.day, case.evidence.sources.zone
    facts = [fact for fact in facts_in(case.answer, today, zone) if fact.kind is FactKind.DATE and not fact.relative]
    told = {key for fact in facts for key in fact.keys if is_iso_day(key)}
    begins = [
        day
        for record in case.evidence.writes
        for leaf in leaves(record.arguments)
        if (at := local_moment(leaf.value, zone))
        for day in (at.date().isoformat(), str(leaf.value)[:10])  # as it is here, and as it is written
    ]
    if case.evidence.task.needs or not told or not begins or told & set(begins):
        return
    named = next(fact.text for fact in facts if set(fact.keys) & told)
    yield named, f"『{named}』 is told, and what was written is for {begins[0]}"


def _label(row: Row) -> str:
    """What a row is called, by the column that usually says so; empty where none does."""
    found = next((row.cells[name] for name in _LABELS if isinstance(row.cells.get(name), str)), "")
    return str(found)[:LONGEST_LABEL]


def _is_told(label: str, told: str) -> bool:
    return len(label) > 2 and fold(label) in told
