"""Finds the writes that a tool refused for good, where the answer says so and why."""

from collections.abc import Sequence

from autonomy.completion.rules.actions import not_made_good
from autonomy.completion.rules.case import Case
from autonomy.policy.need_binding import is_write
from autonomy.provenance.action_claims import kinds_of_tool
from autonomy.provenance.attribution import TELLS_OF_A_FAILURE
from autonomy.provenance.text.sentences import sentences_in, terms
from autonomy.run_state.run_values import CallRecord
from metrics.text.phrases import patterns_of

_PHRASES = patterns_of("autonomy.completion")


def refusals_told(case: Case) -> Sequence[CallRecord]:
    """The writes that failed, where each was refused for good and the answer says so; none where one may still be tried
    otherwise, or is not told."""
    failed = not_made_good(case)
    return failed if all(_is_final(record, case) and _is_told(record, case) for record in failed) else ()


def _is_final(record: CallRecord, case: Case) -> bool:
    """Whether a tool was asked and would not, whatever its arguments, and no other one for the same deed is left."""
    if record.result.kind != "terminal" or not record.attempts or record.at_fault:
        return False
    if _PHRASES["blames_an_argument"].search(record.text_answered):
        return False
    tried, kinds = {one.tool for one in case.ctx.records}, kinds_of_tool(record.tool)
    others = (spec for spec in case.ctx.offered if is_write(spec.effect) and spec.name not in tried)
    return not any(kinds_of_tool(spec.name) == kinds for spec in others)


def _is_told(record: CallRecord, case: Case) -> bool:
    """Whether the answer says that it could not be done, and why, in words of the error; in another language, for some reason."""
    if not any(TELLS_OF_A_FAILURE.search(one.text) for one in sentences_in(case.answer)):
        return False
    error = record.text_answered
    if error.isascii() is not case.answer.isascii():
        return bool(_PHRASES["gives_a_cause"].search(case.answer))
    known = terms(case.goal) | terms(str(record.arguments))
    return not terms(case.answer).isdisjoint(terms(error) - known)
