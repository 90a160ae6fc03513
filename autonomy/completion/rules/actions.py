"""Checks actions: each claim has its own receipt, and failed writes were repeated."""

import re
from collections.abc import Iterator, Sequence

from autonomy.completion.evidence import RunEvidence
from autonomy.completion.rules.asked.asked_actions import english_counts, japanese_counts
from autonomy.completion.rules.asked.ordered_acts import things_made_by_oneself
from autonomy.completion.rules.case import Case
from autonomy.policy.need_binding import is_write
from autonomy.policy.requests.request_mood import orders_the_deed, without_questions
from autonomy.provenance.action_claims import ActionReceipt, claims_in, kinds_of_tool, receipt_of, told_deeds, unproven_claims
from autonomy.provenance.sources.leaves import leaves, parsed
from autonomy.provenance.text.excerpts import excerpt
from autonomy.provenance.text.facts import Fact, FactKind, facts_in
from autonomy.provenance.text.normalize import fold
from autonomy.provenance.text.sentences import terms
from autonomy.provenance.text.word_data import load_words
from autonomy.run_state.run_provenance import data_of
from autonomy.run_state.run_values import HOST, CallRecord
from metrics.text.phrases import patterns_of
from metrics.text.quotations import EMPTIED, unquoted

_PHRASES = patterns_of("autonomy.completion")
_BOTH = _PHRASES["both"]


def receipts_of(evidence: RunEvidence) -> list[ActionReceipt]:
    """What each write of the run proves; one that was only rehearsed proves nothing."""
    found = []
    for record in evidence.writes:
        if record.simulated:
            continue
        ids = [str(leaf.value) for leaf in leaves(parsed(data_of(record))) if len(str(leaf.value)) <= 80]
        served = [need.description for need in evidence.task.needs if need.id in record.needs]  # may name what an id stands for
        target = record.receipt.target if record.receipt else ""
        proof = receipt_of(record.tool, record.arguments, record.provider, [*ids, *served, target])
        found.append(proof._replace(kinds=proof.kinds | {"update"}) if _changed_what_was_there(record) else proof)
    return found


def _changed_what_was_there(record: CallRecord) -> bool:
    """Whether the answer says so: a tool that creates or updates, by what it finds, has one name for both."""
    content = record.result.structured
    return isinstance(content, dict) and (content.get("created") is False or content.get("updated") is True)


def unproven(case: Case) -> Iterator[tuple[str, str]]:
    """Every claim of an action has a receipt of its kind and target."""
    evidence = case.evidence
    receipts, tried = receipts_of(evidence), _tried_to_write(case)
    ordered = without_questions(case.goal)  # who asks why a mail arrived twice orders none to be sent
    for claim in unproven_claims(case.own_words, receipts, evidence.sources, goal=ordered, tried_to_write=tried):
        yield claim.text, f"you say {claim.text!r}, and no tool has given a receipt for that"
    lost = [record for record in case.ctx.records if _was_refused(record)]
    refused = frozenset(kind for record in lost for kind in kinds_of_tool(record.tool))
    for claim in unproven_claims(case.own_words, receipts, goal=case.goal) if refused else ():
        if claim.kind in refused:  # what a message asked for, and was tried and refused, is no retelling of the message
            yield claim.text, f"you say {claim.text!r}, and the call that was to do it was refused"


_CLAUSE_MARKS = re.compile(r":(?= )|[;：；]")
"""What stands behind such a mark counts what was written, and not the writes: posted the digest: six posts this week."""
_IN_BRACKETS = re.compile(r"[(（][^()（）]{0,200}[)）]")
"""What is said by the way."""
_SUBJECT_COUNTED = re.compile(r"\d{1,3}\s?[^\d\s、。]{1,4}(?:の[^、。がを]{1,15})?が(?=[^、。]{1,15}、)")
"""A number of what something else is told of before: 5件のメッセージが見つかり、知らせました."""


def _was_refused(record: CallRecord) -> bool:
    return record.is_write and not record.receipt and record.result.kind in ("denied", "terminal")


def _tried_to_write(case: Case) -> bool:
    return any(record.is_write and record.provider != HOST for record in case.ctx.records)


def one_write_each(case: Case) -> Iterator[tuple[str, str]]:
    """In a job, each deed that the answer reports, other than reading and wording, has a write of its own; in a free goal without
    any write, the model tells of no deed of its own.

    Claims are known by their words (`unproven`); deeds in any other words are counted.
    """
    writes, of_job = case.evidence.writes, case.declares_needs
    claimed_deeds = told_deeds(unquoted(case.own_words)) if bool(writes) is of_job else ()
    deeds = [deed for deed in claimed_deeds if not _retells_what_went_out(deed, case)]
    if not of_job:  # a message that was read may say I as well
        own = [deed for deed in deeds if _BY_ITSELF.match(deed) or _DONE_AHEAD.search(deed) or _is_ordered(deed, case)]
        own += [
            made for made in (() if writes else things_made_by_oneself(case.own_words)) if not any(made in deed for deed in own)
        ]
        deeds = [deed for deed in own if not _was_read(deed, case)]
    if len(deeds) > len(writes):
        shown = ", ".join(f"『{deed}』" for deed in deeds[:4])
        yield (
            deeds[-1],
            f"you tell of more deeds ({len(deeds)}: {shown}) than writes were made ({len(writes)}): leave out what none did",
        )


def _was_read(deed: str, case: Case) -> bool:
    """Whether the words of a deed stand in what was read, around what it quotes."""
    pieces = [piece for piece in map(str.strip, deed.split(EMPTIED)) if piece]
    return bool(pieces) and all(map(case.evidence.sources.contains, pieces))


_BY_ITSELF = _PHRASES["said_of_oneself"]
_DONE_AHEAD = _PHRASES["did_it_ahead"]
_TOLD_AS_DONE = _PHRASES["told_as_done"]


def _is_ordered(deed: str, case: Case) -> bool:
    """Whether a deed in Japanese is what a free goal orders, by its own verb, and no list or wording that is the answer."""
    goal = case.goal
    in_words = case.list_lengths or "```" in case.answer or _PHRASES["asks_for_wording"].search(goal)
    return not in_words and orders_the_deed(unquoted(goal), _TOLD_AS_DONE.sub("", deed))


def _retells_what_went_out(clause: str, case: Case) -> bool:
    clause_terms = terms(clause)
    return bool(clause_terms) and len(clause_terms & terms(case.delivered)) >= RETOLD * len(clause_terms)


RETOLD = 0.5
"""Share of a clause's terms that stand in what was delivered: then it tells of the content."""


def too_many(case: Case) -> Iterator[tuple[str, str]]:
    """Claims of several things, or to several people, have as many writes."""
    receipts = receipts_of(case.evidence)
    for claim in claims_in(case.own_words) if _tried_to_write(case) else ():
        line = next((line for line in re.split(r"[。\n]|(?<=[a-z*_`)\]])\. ", case.own_words) if claim.text in line), "")
        line = next((part for part in _CLAUSE_MARKS.split(line) if claim.text in part), line)
        before = _PHRASES["ends_another_clause"].split(line[: line.find(claim.text)])[-1]
        kinds = set(load_words("claims")["kinds"][claim.kind]["proved_by"]) | {"post", "create"}
        fitting = [receipt for receipt in receipts if receipt.kinds & kinds]
        told = _PHRASES["content_behind"].split(_IN_BRACKETS.sub(" ", line))[0]
        own = _PHRASES["gathers_several"].sub(" ", _SUBJECT_COUNTED.sub(" ", before))
        numbers = [*japanese_counts(own), *english_counts(told)]
        numbers += [2] if _BOTH.search(line) and not is_batch(case.evidence.writes) else []
        if numbers and max(numbers) > len(fitting) and not _is_content_count(line):
            yield claim.text, f"you say {max(numbers)} and {claim.text!r}, and there are receipts for {len(fitting)}"
        persons = [
            fact
            for fact in facts_in(before)
            if fact.kind is FactKind.NAME and _PHRASES["joined_to_the_next"].match(before[fact.end :].lstrip(" "))
        ]
        missed = [fact.text for fact in persons if not any(_reached(fact, receipt, case.evidence) for receipt in fitting)]
        if missed and persons:
            yield claim.text, f"you say {claim.text!r} of {', '.join(missed)}, and no receipt shows that it went there"


def _is_content_count(line: str) -> bool:
    """Whether the figures are of what was read or of rows inside one write, not of writes."""
    return bool(_PHRASES["counts_content"].search(line))


def _reached(fact: Fact, receipt: ActionReceipt, evidence: RunEvidence) -> bool:
    known = evidence.sources
    names = {*fact.keys, *(name for key in fact.keys for name in known.identities.names_of(key) | known.mailboxes_of(key))}
    return any(name and name in fold(target) for name in names for target in receipt.targets)


def given_up(case: Case) -> Iterator[tuple[str, str]]:
    """No write failed without a later write that made it good, whether the answer says so or not."""
    if needed := not_made_good(case):
        tools = ", ".join(dict.fromkeys(record.tool for record in needed))
        why = _why_not(needed[0])
        if len(needed) == 1:
            yield f"given up: {tools}", f"the write with {tools} did not happen: {why}"
        else:
            yield f"given up: {tools}", f"{len(needed)} writes with {tools} did not happen: {why}"


def not_made_good(case: Case) -> list[CallRecord]:
    """The writes that were asked for and failed, and that no later one made good."""
    failed = [record for record in case.ctx.records if _failed(record)]
    made_good: set[int] = set()
    unresolved = []
    for record in failed:
        cure = next((at for at, other in enumerate(case.ctx.records) if at not in made_good and _cures(other, record)), None)
        if cure is None:
            unresolved.append(record)
        else:
            made_good.add(cure)
    return [record for record in unresolved if _was_asked_for(record, case)]


def _why_not(record: CallRecord) -> str:
    """Why a write did not happen, in the tool's own words where it is the tool that would not."""
    words = record.text_answered.strip() if record.problem == "tool_error" else ""
    return f"the tool says {excerpt(words.replace(';', ','), 120)!r}" if words else record.reason[:160]


def _failed(record: CallRecord) -> bool:
    return record.is_write and record.provider != HOST and record.result.kind in ("terminal", "retryable") and not record.receipt


def _cures(other: CallRecord, failed: CallRecord) -> bool:
    if not other.acknowledged or other.turn < failed.turn:
        return False
    if other.arguments == failed.arguments and other.tool == failed.tool:
        return True
    is_put_right = other.tool == failed.tool and not failed.attempts  # its arguments did not fit, and it reached nobody
    return other.turn > failed.turn and (is_put_right or bool(kinds_of_tool(other.tool) & kinds_of_tool(failed.tool)))


def _was_asked_for(record: CallRecord, case: Case) -> bool:
    """Whether a write was asked for: in a job only what serves a need, in a free goal whatever was tried."""
    writes = [need.id for need in case.task.needs if is_write(need.effect)]
    return not writes or bool(set(record.needs) & set(writes) - {name for other in case.evidence.writes for name in other.needs})


def is_batch(records: Sequence[CallRecord]) -> bool:
    """Whether one of these calls takes a list of several things."""
    return any(isinstance(value, list) and len(value) > 1 for record in records for value in record.arguments.values())


def promised(case: Case) -> Iterator[tuple[str, str]]:
    """No delivered text only announces what is to follow."""
    for sent in case.last_sent:
        found = _FOLLOWS.search(sent.text) if len(sent.text) < 200 else None
        if found and fold(found.group()) not in fold(case.goal):  # that it is in preparation may be all that is to be told
            yield "a promise", f"what went out only announces it: {excerpt(sent.text, 80)!r}"


_FOLLOWS = _PHRASES["announces_later"]
