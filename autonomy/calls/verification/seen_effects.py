"""Reads from finished calls what they showed of a tool's effect, where nobody but its server could say."""

from collections.abc import Sequence

from autonomy.calls.verification.read_back import strings_in
from autonomy.run_state.run_values import CallRecord
from discovery.catalog import Catalog, ToolSpec
from discovery.hints.shown_effects import Sign
from discovery.review.effects_shown import tells_of_change

LEAST_CHARS = 4
"""Characters of a text that a call was given, so that a read which newly shows it is no coincidence."""
MOST_TEXTS = 20
"""How many such texts, the longest, are looked for."""


def is_learned(spec: ToolSpec) -> bool:
    """Whether calls may teach the effect of a tool: nobody has said it, or it is said to read, which they may belie."""
    return not spec.declared or spec.read_only


def signs_of(record: CallRecord) -> tuple[Sign, ...]:
    """What a call's own answer and receipt show."""
    if not record.ok:
        return ()
    signs: list[Sign] = ["told"] if tells_of_change(record.text_answered) else []
    if record.receipt is not None and record.receipt.read_back == "confirmed":
        signs.append("read_back")
    return tuple(signs)


def sign_of_read(record: CallRecord, earlier: Sequence[CallRecord], catalog: Catalog) -> tuple[ToolSpec, Sign] | None:
    """What a read shows of the one call between it and an equal read before; None unless the change can be nobody else's.

    A tool that claims to read is one of many between two reads: of that one only what it was given tells.
    """
    reader = catalog.get(record.tool)
    if reader is None or not reader.read_only or not record.ok:
        return None
    before = next((one for one in reversed(earlier) if one.tool == record.tool and one.arguments == record.arguments), None)
    if before is None or not before.ok:
        return None
    between = [
        one for one in earlier if one.attempts and one.provider == record.provider and before.turn <= one.turn <= record.turn
    ]
    specs = [(one, catalog.get(one.tool)) for one in between if one.tool != record.tool]
    writes = [(one, spec) for one, spec in specs if spec is None or not spec.read_only]
    candidates = writes or specs
    if len(candidates) != 1:
        return None
    (call, spec), then, now = candidates[0], before.text_answered, record.text_answered
    if spec is None or not is_learned(spec) or not call.ok or not before.turn < call.turn < record.turn:
        return None
    if now != then:
        given = [value.strip() for value in strings_in(call.arguments) if len(value.strip()) >= LEAST_CHARS]
        if any(value in now and value not in then for value in sorted(given, key=len)[-MOST_TEXTS:]):
            return spec, "changed"
    if not writes:
        return None
    return spec, "unchanged" if now == then else "otherwise"
