"""Rules about the evidence behind a job's needs: present, about the right thing, whole, and in order."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from fnmatch import fnmatchcase
from typing import Any

from autonomy.completion.evidence import Gap, RunEvidence, same_target
from autonomy.completion.rules.case import Case
from autonomy.completion.rules.retold.credited_persons import DeedsRead, persons_in
from autonomy.llm.model import Need
from autonomy.llm.templates import TableTemplate, mentions, tables_in
from autonomy.policy.need_binding import fixed_arguments, is_write
from autonomy.policy.write_plan import same_value
from autonomy.provenance.sources.evidence_units import EvidenceUnit
from autonomy.provenance.sources.leaves import leaves
from autonomy.provenance.sources.tabular.table_rows import stands
from autonomy.provenance.support import SentenceSupport
from autonomy.provenance.text.dates import is_iso_day
from autonomy.provenance.text.durations import is_weekday
from autonomy.provenance.text.excerpts import excerpt
from autonomy.provenance.text.facts import FactKind, facts_in
from autonomy.provenance.text.normalize import fold
from autonomy.provenance.text.sentences import terms
from autonomy.run_state.completion_rules import Covers, Evidence, InOrder, OnSubject, ToolUsed
from autonomy.run_state.rows_read import rows_carried, rows_read, rows_to_tell
from autonomy.run_state.run_values import CallRecord
from metrics.text.phrases import patterns_of

_PHRASES = patterns_of("autonomy.completion")
_ADMITS = _PHRASES["admits_gap"]
_ALL_CLAIM = _PHRASES["claims_all"]


def evidence(rule: Evidence, case: Case) -> str:
    """The need was met: a read about the right thing, or a receipt, read back where that is asked."""
    need = next((need for need in case.task.needs if need.id == rule.need), None)
    rehearsed = {one for record in case.ctx.records if record.simulated for one in record.needs}
    if rule.need in rehearsed or (need is not None and any(mentions(need.arguments, one) for one in rehearsed)):
        return ""  # a rehearsal shows that it would be done, or that it takes what only a real write returns; it never completes
    if need is not None and not is_write(need.effect):
        return case.evidence.need(need).finding
    if rule.need not in case.evidence.needs_met():
        return f"nothing shows that this was done: {need.shown if need else rule.need}"
    seen = {receipt.read_back for receipt in case.ctx.receipts if rule.need in receipt.needs}
    shown = "confirmed" in seen or (rule.read_back == "if_possible" and "not_declared" in seen)
    return "" if shown or rule.read_back == "no" else f"{rule.need} was acknowledged, but reading it back does not show it"


def tool_used(rule: ToolUsed, case: Case) -> str:
    """A tool of that name answered well."""
    used = any(record.good and fnmatchcase(record.tool, rule.tool) for record in case.ctx.records)
    return "" if used else f"no tool like {rule.tool} has answered well"


def covers(_rule: Covers, case: Case) -> str:
    """Everything listed was read to the end, or the text says what was not; every row that was read is in the text."""
    return "; ".join([*(list(_gaps(case)) or _lost(case)), *_rows(case), *_claimed_whole(case)])


def _gaps(case: Case) -> Iterator[str]:
    for need in case.evidence.read_needs():
        if not need.required:
            continue
        state = case.evidence.need(need)
        open_ones = [gap for gap in state.gaps if gap.kind != "failed" or not _is_admitted(gap, case.visible_text)]
        if open_ones and state.reads:
            yield f"{need.id} asks for all, and this was not read to the end: {', '.join(_why(gap) for gap in open_ones)}"


def _lost(case: Case) -> Iterator[str]:
    """Reads of a need that failed, were not made good, and of which nothing says so, where others of it worked."""
    whole_text = f"{case.visible_text}\n{case.answer}"
    if _ADMITS.search(whole_text) or _PHRASES["tells_of_a_failed_read"].search(whole_text):
        return
    for need in case.evidence.read_needs():
        reads = case.evidence.need(need).reads if need.required else ()
        for record in case.ctx.records if reads else ():
            failed = need.id in record.needs and record.effect == "read" and record.result.kind in ("terminal", "retryable")
            if failed and not _is_of_another(record, need) and not any(_reads_the_same(other, record) for other in reads):
                yield f"{need.id}: {record.tool} could not read ({excerpt(record.reason, 120)}), and the text does not say so"
                return


def _is_of_another(record: CallRecord, need: Need) -> bool:
    """Whether a read named something else than its need does: a mistyped department, which nobody asked for."""
    fixed = fixed_arguments(need)
    return any(name in fixed and not same_value(fixed[name], value) for name, value in record.arguments.items())


def _reads_the_same(other: CallRecord, record: CallRecord) -> bool:
    """Whether a read brought what another one asked for: by the same tool, with all that it named."""
    named = {str(value) for value in record.arguments.values()}
    return other.tool == record.tool and named <= {str(value) for value in other.arguments.values()}


def _why(gap: Gap) -> str:
    words = {
        "unvisited": "never read",
        "unread": "further pages were left",
        "failed": "could not be read, and the text does not say so",
        "unlisted": "list first what there is",
        "narrow": "read it without search words",
    }
    return f"{gap.label} ({words[gap.kind]})"


def _is_admitted(gap: Gap, text: str) -> bool:
    """Whether the text names what could not be read and says so."""
    lines = [line for line in re.split(r"[。\n]", text) if _ADMITS.search(line)]
    return any(name and fold(name) in fold(line) for line in lines for name in (gap.name, gap.member))


def _rows(case: Case) -> Iterator[str]:
    """Each row that a write should carry, as the job's own template says, stands in it, and no other."""
    for need in case.task.needs:
        tables = {name: tables_in(value) for name, value in need.arguments.items()}
        writes = [record for record in case.evidence.writes if need.id in record.needs]
        for record in writes[-1:]:
            for name, templates in tables.items():
                argument = record.arguments.get(name)
                for table in templates:
                    if isinstance(argument, list):
                        rows = [cells for one in _standing(writes, need, case) for cells in rows_carried(need, one.arguments)]
                        expected = list(rows_to_tell(_reads_of(case.evidence, table), table, case.task.language))
                        yield from _compared(need, rows, expected)
                    elif isinstance(argument, str) and table.counted:
                        yield from _named(need, argument, case.evidence, table)


def _named(need: Need, text: str, evidence: RunEvidence, table: TableTemplate) -> Iterator[str]:
    """A text names everybody whose figure counts, and nobody else: its other words are the model's own.

    A row is named by any of its words that not all rows have and nobody asked for: a name or an id, and no department of all.
    """
    folded_text = fold(text)
    counted, others = (
        [_words(row) for row in rows_read(_reads_of(evidence, table), table, counting=counting)] for counting in (True, False)
    )
    rows = [set(row) for row in (*counted, *others)]
    of_all = {*map(str, evidence.task.inputs.values()), *(set.intersection(*rows) if len(rows) > 1 else ())}
    ours = set().union(*counted)
    if missing := [row for row in counted if not any(fold(word) in folded_text for word in row if word not in of_all)]:
        names = sorted({" ".join(row) for row in missing})
        yield f"{need.id} does not name {', '.join(names)}, whose figure is above {table.above:g}"
    if strange := sorted({word for row in others for word in row if word not in ours and fold(word) in folded_text}):
        yield f"{need.id} names {', '.join(strange)}, whose figure is not above {table.above:g}"


def _words(row: Mapping[str, Any]) -> tuple[str, ...]:
    return tuple(cell for cell in row.values() if isinstance(cell, str))


def _standing(writes: Sequence[CallRecord], need: Need, case: Case) -> Iterator[CallRecord]:
    """The writes of a need that no later one replaced."""
    for at, record in enumerate(writes):
        spec = case.ctx.catalog.get(record.tool)
        replaces = spec is not None and spec.idempotent
        if not (replaces and any(same_target(record, later, need) for later in writes[at + 1 :])):
            yield record


def _reads_of(evidence: RunEvidence, table: TableTemplate) -> Sequence[CallRecord]:
    need = next((need for need in evidence.task.needs if need.id == table.need), None)
    return evidence.need(need).reads if need else ()


def _compared(need: Need, written: list[frozenset[str]], expected: list[tuple[str, ...]]) -> Iterator[str]:
    if not expected:
        return
    missing = [row for row in expected if not any(set(row) <= cells for cells in written)]
    strange = [cells for cells in written if not any(set(row) <= cells for row in expected)]
    if missing:
        yield f"{need.id} does not hold {len(missing)} of {len(expected)} rows that were read, among them {' '.join(missing[0])}"
    header = len(written) > len(expected)  # a first row may be a heading
    if len(strange) > header:
        yield f"{need.id} holds a row that was not read: {' '.join(sorted(strange[-1]))}"


def _claimed_whole(case: Case) -> Iterator[str]:
    """The claims to have read everything that the reads do not support."""
    for need in case.evidence.read_needs():
        state = case.evidence.need(need)
        if state.gaps and (claim := _ALL_CLAIM.search(case.visible_text)) and state.reads:
            yield f"you say {claim.group()!r}, and {', '.join(gap.label for gap in state.gaps)} was not read"
            return
    if (claim := _ALL_CLAIM.search(case.visible_text)) and case.evidence.read_needs() and case.unread:
        yield f"you say {claim.group()!r}, and {case.views[case.unread[0]].tool} has further pages that were not read"


def about(_rule: OnSubject, case: Case) -> str:
    """What was read, and what the text says, is about the person, day and place that the job declares."""
    asked_elsewhere = {rule.need for rule in case.ctx.request.rules if isinstance(rule, Evidence)}
    found = [
        state.finding
        for need in case.evidence.read_needs()
        if need.required and need.id not in asked_elsewhere and not (state := case.evidence.need(need)).met
    ]
    found += _of_another_day(case)
    elsewhere = [sentence for sentence in case.attribution(case.text).sentences if _is_of_others(sentence, case)]
    if elsewhere:
        whose = [
            ", ".join(_names_of(unit.persons)[:2] or sorted(unit.days)[:1] or sorted(unit.places)[:1])
            for unit in elsewhere[0].units[:1]
        ]
        under = f"; it was found under {whose[0]}" if whose else ""
        if case.evidence.rests_on_own_posts(elsewhere[0]):
            under = f"; it stands only in what {whose[0]}, who posts for this job, wrote before"
        found.append(f"{excerpt(elsewhere[0].text, 80)!r} is not about what the job is about{under}")
    return "; ".join(found)


def _names_of(persons: Iterable[str]) -> list[str]:
    """How people call them, without their ids where they have a name."""
    names = sorted(persons)
    return [name for name in names if not any(map(str.isdigit, name))] or names


def _of_another_day(case: Case) -> Iterator[str]:
    """Reads that ask for other days alone than the one day that the goal names, where no need fixes a day and nothing that came
    back has that one; or that ask for none and bring only what nobody wrote of other days: today's forecast for tomorrow."""
    named = [fact for fact in case.asked if fact.kind is FactKind.DATE]
    day = next((key for fact in named for key in fact.keys if is_iso_day(key)), "") if len(named) == 1 else ""
    if not day or is_weekday(named[0].text) or case.evidence.about.days or day == case.evidence.day.isoformat():
        return
    argument_texts = (
        leaf.value for record in case.evidence.reads for leaf in leaves(record.arguments) if isinstance(leaf.value, str)
    )
    zone = case.evidence.sources.zone
    days = sorted(
        key for value in argument_texts for fact in facts_in(value[:LONGEST_DAY], case.evidence.day, zone) for key in fact.keys
        if fact.kind is FactKind.DATE and is_iso_day(key)
    )  # fmt: skip
    if any(_tells_of(unit, day) for unit in case.evidence.units):
        return
    # a message tells when it was written, and not what it is about
    undated = days or case.evidence.sources.persons
    dated = days if undated else sorted({one for unit in case.evidence.units for one in unit.days if _tells_of(unit, one)})
    if dated and not dated[0] <= day <= dated[-1]:
        goal_day = named[0].text if day == named[0].text else f"{named[0].text} ({day})"
        shown = ", ".join(dict.fromkeys(dated))
        if days:
            yield f"the goal is about {goal_day}, and what was read was asked for {shown}"
        else:
            yield f"the goal is about {goal_day}, and what was read tells of {shown}"


def _tells_of(unit: EvidenceUnit, day: str) -> bool:
    """Whether a line is of a day or names it, and not only as the midnight at which another one ends."""
    ends_another = len(unit.days) > 1 and unit.text.count(day) == 1 and f"{day}T00:00" in unit.text
    return (day in unit.days or day in unit.text) and not ends_another


LONGEST_DAY = 40
"""Characters of an argument that may be a day; a longer one is a text that speaks of one."""


def _is_of_others(sentence: SentenceSupport, case: Case) -> bool:
    """Whether a sentence rests on evidence of somebody else or another day alone, and does not name whose it is."""
    if sentence.neutral or case.calls_it_quiet(sentence.text):
        return False
    read = case.made_once(DeedsRead)
    if case.evidence.rests_on_own_posts(sentence):
        return sentence.elsewhere
    if not sentence.elsewhere:
        names = case.evidence.subject_names
        if sentence.score >= SURELY and any(unit.persons & names for unit in sentence.units):
            return False  # it retells a line of theirs
        line = _told_by_others(sentence.text, case)
        return line is not None and not read.answers(sentence, (line,), names)
    naming = (sentence, *_goes_on_from(sentence, case))
    named = case.evidence.sources.identities.names_of_all(key for one in naming for found in one.facts for key in found.fact.keys)
    subject_names = case.evidence.subject_names
    days = set(case.evidence.about.days)
    units = sentence.units
    if (
        len(subject_names) == 1  # which of the authors that is, if any, no result shows
        and not any(unit.persons & subject_names for unit in case.evidence.units)
        and any(_may_be_called(min(subject_names), unit.persons) for unit in units if unit.persons)
    ):
        return any(unit.days and not unit.days & days for unit in units) if days else False
    named |= {
        name
        for unit in units
        if not (days and unit.days) or unit.days & days
        for name in unit.persons
        if stands(fold(sentence.text), name)
    }
    return not (
        any(case.evidence.sources.identities.names_of_all(unit.persons) & named for unit in units)  # haruka may be 遥
        or _tells_an_own_event(sentence, subject_names, days, case)
        or _tells_what_they_heard(sentence, subject_names, case)
        or read.answers(sentence, units, subject_names)
    )


SURELY = 0.5
"""Likeness of a sentence to its lines from which on it surely retells them."""


def _told_by_others(sentence: str, case: Case) -> EvidenceUnit | None:
    """The line of others by which alone a clause is told, none of whom the sentence names; None where there is none."""
    names, index = case.evidence.subject_names, case.evidence.sources.index
    if not case.evidence.about.persons or len(names) < 2:
        return None
    for clause in re.split(r"[、,。]", sentence):
        clause_terms = terms(clause)
        if len(clause_terms) < 3 or _PHRASES["takes_up"].search(clause) or _PHRASES["happens_by_itself"].search(clause):
            continue
        scored = [(index.containment(clause_terms, [at]), index.units[at]) for at in index.shortlist(clause_terms, NEAREST)]
        own = max((score for score, unit in scored if not unit.persons or unit.persons & names), default=0.0)
        of_others = ((score, unit) for score, unit in scored if unit.persons and not unit.persons & names)
        other, unit = max(of_others, default=(0.0, None))
        if unit is None or other < TELLS_A_LINE or own >= MUCH_LESS * other:
            continue
        called = {key for fact in persons_in(sentence) for key in fact.keys}  # 遥 is the word that 遥さん holds
        if not unit.persons & called and not any(name in fold(sentence) for name in unit.persons if len(name) > 1):
            return unit
    return None


NEAREST = 16
"""Lines that share the most terms with a text, among which it may retell one."""
TELLS_A_LINE, MUCH_LESS = 0.6, 0.6
"""Share of a clause's terms that a line of others has, and how much less of them the own lines have."""


def _may_be_called(name: str, persons: frozenset[str]) -> bool:
    """Whether an author may be whom a job names otherwise: by an id, in another script, or by a part of the name."""
    alike = {one for one in persons if one.isascii() == name.isascii() and not any(map(str.isdigit, one))}
    return any(map(str.isdigit, name)) or not alike or any(name in one or one in name for one in persons)


def _tells_what_they_heard(sentence: SentenceSupport, names: frozenset[str], case: Case) -> bool:
    """Whether a sentence quotes words of a conversation in which the job's own person wrote, too, or tells a line of it as
    hearsay or what the talk was about: they heard them."""
    heard = [fold(message.text) for talk in case.conversations if any(names & one.authors for one in talk) for message in talk]
    told = [found.fact.keys[0] for found in sentence.facts if found.fact.kind is FactKind.QUOTE]
    if _PHRASES["told_from_hearsay"].search(sentence.text) or _PHRASES["tells_the_topic"].search(sentence.text):
        told += [fold(unit.text) for unit in sentence.units]
    return any(words in text for words in told for text in heard)


def _goes_on_from(sentence: SentenceSupport, case: Case) -> Iterator[SentenceSupport]:
    """The sentence before on the same line, where this one tells what somebody says who is named there: 聞いてみたそうです."""
    if _PHRASES["told_from_hearsay"].search(sentence.text):
        for other in case.attribution(case.text).sentences:
            if other.end <= sentence.start and "\n" not in case.text[other.start : sentence.start]:
                yield other


def _tells_an_own_event(sentence: SentenceSupport, subject_names: frozenset[str], days: set[str], case: Case) -> bool:
    """Whether a line of the job's own person, or what it replies to, has every id of a sentence, and it has much of its words:
    two people may tell of one release, and one may be asked for what the other tells as done."""
    ids = {key for found in sentence.facts if found.fact.kind is FactKind.ID for key in found.fact.keys[:1]}
    sentence_terms = terms(sentence.text)
    index = case.evidence.sources.index
    asked = {key for unit in sentence.units if _named_in(unit) & subject_names for key in _ids(unit)}
    return bool(ids) and any(
        unit.persons & subject_names and (not days or not unit.days or unit.days & days)
        and (
            (ids <= _ids(unit) | asked and index.containment(sentence_terms, [at]) >= OWN)
            or (ids <= _ids_replied_to(unit, case) and _is_retold(unit, sentence_terms))
        )
        for at in index.shortlist(sentence_terms, NEAREST)
        for unit in [index.units[at]]
    )  # fmt: skip


def _is_retold(reply: EvidenceUnit, sentence_terms: frozenset[str]) -> bool:
    """Whether a sentence has most words of a reply, which does not repeat what it replies to: 読みやすい。承認しました."""
    words = terms(reply.text)
    return len(words) > 1 and len(words & sentence_terms) > 0.5 * len(words)


def _ids_replied_to(unit: EvidenceUnit, case: Case) -> frozenset[str]:
    """The ids of the conversation in which a line stands."""
    talks = (talk for talk in case.conversations if any(message.text.partition("\n")[0] == unit.text for message in talk))
    return frozenset(key for talk in talks for message in talk for key in message.ids)


OWN = 0.4
"""Share of a sentence's terms that such a line has."""


def _ids(unit: EvidenceUnit) -> set[str]:
    return {key for fact in facts_in(unit.text[:500]) if fact.kind is FactKind.ID for key in fact.keys}


def _named_in(unit: EvidenceUnit) -> set[str]:
    return {key for fact in facts_in(unit.text[:500]) if fact.kind is FactKind.NAME for key in fact.keys}


def in_order(_rule: InOrder, case: Case) -> str:
    """The reads that a delivery rests on were made before it went out, and it replaces no better text."""
    late = [finding for at, record in enumerate(case.ctx.records) if record.receipt for finding in _late(at, record, case)]
    held_at = [at for at, record in enumerate(case.ctx.records) if record.problem == "held"]
    if held_at and not any(record.receipt or record.simulated for record in case.ctx.records[held_at[-1] :]):
        late.append(f"{case.ctx.records[held_at[-1]].reason}; nothing was delivered after that")
    return "; ".join(late)


def _late(at: int, record: CallRecord, case: Case) -> Iterator[str]:
    later = [other for other in case.ctx.records[at + 1 :] if other.receipt]
    for need in case.task.needs:
        stands = need.id in record.needs and not any(same_target(record, other, need) for other in later)
        if stands and (missing := lacking_before(need, case.evidence, at)):
            yield f"{record.tool} went out before what it rests on was read: {missing}; deliver it again"


def lacking_before(need: Need, evidence: RunEvidence, upto: int | None = None) -> str:
    """What a write of this need still lacks of the reads it comes after; empty when it may go out."""
    required_needs = [
        other for other in evidence.task.needs if other.id in need.after and other.required and not is_write(other.effect)
    ]
    for other in required_needs:
        state = evidence.need(other, upto)
        if not state.met:
            return state.finding
        if state.mendable:
            return f"{other.id} asks for all, and this was not read to the end: {', '.join(_why(gap) for gap in state.mendable)}"
    return ""
