"""Checks that what a run wrote is told as done, and in the state that the goal wants."""

from collections.abc import Iterator, Sequence

from autonomy.completion.rules.actions import receipts_of
from autonomy.completion.rules.case import Case
from autonomy.policy.requests.forbidden_deeds import keeps_a_draft
from autonomy.policy.requests.request_drafts import asks_for_draft, orders_publishing
from autonomy.provenance.action_claims import denied_in_vain, kinds_asked_for
from autonomy.provenance.sources.leaves import leaves
from autonomy.provenance.text.sentences import sentences_in
from autonomy.provenance.text.word_data import load_words
from autonomy.run_state.run_provenance import data_of
from autonomy.run_state.run_values import CallRecord
from metrics.text.phrases import patterns_of
from metrics.text.quotations import unquoted

_PHRASES = patterns_of("autonomy.completion")
_STATES = load_words("held_back")


def denied(case: Case) -> Iterator[tuple[str, str]]:
    """No answer says that what a receipt shows was not, or could not be, done."""
    writes = [record for record in case.evidence.writes if not record.simulated]
    if not writes or any(record.is_write and not record.ok for record in case.ctx.records):
        return  # what could not be done may be another one
    asked = kinds_asked_for("\n".join([case.goal, *(need.description for need in case.task.needs)]))
    proofs = [
        proof
        for proof, record in zip(receipts_of(case.evidence), writes, strict=True)
        if not _state_of(record) and not (record.receipt and record.receipt.target and record.receipt.target in case.answer)
    ]
    for claim in denied_in_vain(case.own_words, proofs, case.evidence.sources):
        if claim.kind in asked:
            tools = ", ".join(dict.fromkeys(record.tool for record in writes))
            yield f"denied: {claim.text}", f"you say {claim.text!r}, and {tools} has given a receipt for it: tell what was done"
            return


def in_the_state_told(case: Case) -> Iterator[tuple[str, str]]:
    """What was written as a draft, or waits to go out, is not told as published or sent; nor left so, unsaid, where it was to be
    published."""
    writes = [record for record in case.evidence.writes if not record.simulated]
    for at, record in enumerate(writes):
        state = _state_of(record)
        if not state or _was_let_out(record, writes[at + 1 :]) or _PHRASES["tells_a_held_state"].search(case.answer):
            continue
        waits = state not in _STATES["kept"]
        out = _PHRASES["told_as_sent"] if waits else _PHRASES["told_as_published"]
        told = next((one.text for one in sentences_in(case.own_words) if out.search(one.text)), "")
        goal = unquoted(case.goal)
        if told:
            yield told[:80], f"you say {told[:80]!r}, and {record.tool} left it {state!r}"
        elif not waits and not case.declares_needs and orders_publishing(goal) and not asks_for_draft(goal):
            yield "the action", f"the goal asks for it to be published, and {record.tool} left it {state!r}"


def _state_of(record: CallRecord) -> str:
    """The word for the state in which a write left what it wrote; empty where it is out, as far as call and answer tell."""
    answered = list(leaves(data_of(record)))
    flags = {leaf.key.lower(): leaf.value for leaf in answered if isinstance(leaf.value, bool)}
    if held := next((name for name in _STATES["flags"] if flags.get(name) is True), ""):
        return str(held)
    if unset := next((name for name in _STATES["flags_of_done"] if flags.get(name) is False), ""):
        return f"{unset}: false"
    words = [str(leaf.value).lower() for leaf in answered if leaf.key.lower() in _STATES["fields"]]
    if held := next((word for word in words if word in _STATES["kept"] or word in _STATES["waiting"]), ""):
        return held
    is_told = not flags.keys().isdisjoint(_STATES["flags"])
    return "draft" if keeps_a_draft(record.arguments) and not is_told else ""


def _was_let_out(record: CallRecord, later: Sequence[CallRecord]) -> bool:
    """Whether a later write to the same provider names it, or its title, and left it out of that state."""
    own = {str(leaf.value) for leaf in (*leaves(data_of(record)), *leaves(record.arguments)) if len(str(leaf.value)) > 1}
    return any(
        other.provider == record.provider
        and not _state_of(other)
        and any(str(leaf.value) in own for leaf in leaves(other.arguments))
        for other in later
    )
