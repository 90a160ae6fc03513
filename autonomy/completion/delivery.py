"""Holds a delivery until its evidence is there, and keeps it from replacing a better text."""

from collections.abc import Iterator, Sequence
from typing import Any, Final

from autonomy.completion.evidence import RunEvidence
from autonomy.llm.messages import ToolCall
from autonomy.llm.model import Need
from autonomy.policy.need_binding import fixed_arguments, free_arguments
from autonomy.run_state.context import ToolExecutionContext
from autonomy.run_state.run_provenance import data_of

HELD: Final = "held"
"""The problem of a write that was held back; see `prepare`."""
DRAFT: Final = "draft"
"""The problem of a write that stayed a draft: the person who was asked to read it did not let it out."""
FEWEST_STATEMENTS = 3
"""A text with fewer statements of the material is no better text that could be lost."""
POORER = 0.5
"""Share of the statements below which a text counts as poorer, and not as another wording."""


def may_be_held(serving: Sequence[Need], ctx: ToolExecutionContext) -> bool:
    """Whether a write serves a delivery that rests on something; only then `delivery_held` has anything to compare."""
    return bool(ctx.request.job) and any(need.after for need in serving)


def delivery_held(call: ToolCall, serving: Sequence[Need], ctx: ToolExecutionContext) -> str:
    """Why a write has to wait, or may not replace what is there; empty when it may go out."""
    if not may_be_held(serving, ctx):
        return ""
    from autonomy.completion.rules.needs import (
        lacking_before,
    )  # brings the judge's rules; calls of a gateway's clients serve no need

    evidence = RunEvidence.of(ctx)
    if any(not (lacking := lacking_before(need, evidence)) for need in serving if need.after):
        return next((poorer for need in serving if (poorer := _poorer(call, need, evidence))), "")
    return f"what it rests on is not there yet: {lacking}"


def _poorer(call: ToolCall, need: Need, evidence: RunEvidence) -> str:
    new = _text(call.arguments, need)
    before = max((_statements(text, evidence) for text in _standing(need, evidence) if text != new), default=0)
    if before < FEWEST_STATEMENTS or (now := _statements(new, evidence)) >= POORER * before:
        return ""  # as most first deliveries: there is nothing to compare with
    return f"it would replace a text with {before} statements of what was read by one with {now}"


def _text(arguments: dict[str, Any], need: Need) -> str:
    free = free_arguments(need)
    return max((value for name, value in arguments.items() if name in free and isinstance(value, str)), key=len, default="")


def _statements(text: str, evidence: RunEvidence) -> int:
    return sum(bool(sentence.units) and not sentence.neutral for sentence in evidence.attribution(text).sentences)


def _standing(need: Need, evidence: RunEvidence) -> Iterator[str]:
    """The texts that stand where the write goes: this run's own, and those that reads have shown there."""
    fixed = {value for value in fixed_arguments(need).values() if isinstance(value, str)}
    for sent in evidence.sent():
        if need.id in sent.record.needs and sent.record.receipt:
            yield _text(sent.record.arguments, need)
    if len(fixed) > 1:  # one value alone, such as a channel, tells no text from its neighbours
        for record in evidence.reads:
            yield from _shown(data_of(record), fixed)


def _shown(value: Any, fixed: set[str]) -> Iterator[str]:
    if isinstance(value, dict):
        strings = [item for item in value.values() if isinstance(item, str)]
        if fixed <= set(strings):
            yield max(strings, key=len)
        value = list(value.values())
    if isinstance(value, list):
        for item in value:
            yield from _shown(item, fixed)
