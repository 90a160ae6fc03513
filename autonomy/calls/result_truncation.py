"""Truncates a tool result for the model and keeps a handle to the rest.

Pure.
"""

from autonomy.llm.messages import ToolCall, ToolResult
from autonomy.outcomes.classifier import Classification
from discovery.catalog import ContentPart, ToolOutput

TEXT_LIMIT = 20_000
"""Characters of one result that go to the model; the rest of a longer one is read by its handle."""

KEPT_PARTS = 4_000_000
"""Characters of images, sounds and resources that one result keeps, all together."""


def handle_of(key: str) -> str:
    """The handle of a call that stands at `turn-2/call-1`: `2.1`."""
    turn, call = key.split("/")[:2]
    return f"{turn.removeprefix('turn-')}.{call.removeprefix('call-')}"


def truncate_result(
    call: ToolCall, key: str, output: ToolOutput, reading: Classification, *, answered_by: str, is_write: bool
) -> ToolResult:
    """The result as a message; `answered_by` names the tool that answered in place of the one that was called."""
    kind = "terminal" if reading.kind == "unknown_outcome" and not is_write else reading.kind
    remarks = []
    if answered_by:
        remarks.append(f"[{call.name} failed; this is the answer of {answered_by}]")
    if kind == "unknown_outcome":
        remarks.append("[nobody knows whether this happened; do not do it again]")
    elif kind == "suspicious":
        remarks.append(f"[{reading.reason}]")
    text, more = _beginning(output.text, handle_of(key))
    kept = [_kept(part, f"{handle_of(key)}/{number}") for number, part in enumerate(parts_kept(output), 1)]
    return ToolResult(
        call_id=call.id,
        name=call.name,
        text="\n".join([*remarks, text, *more, *kept]),
        is_error=kind not in ("ok", "suspicious"),
        kind=kind,
        structured=output.structured,
        answered_by=answered_by,
        handle=handle_of(key) if more or any(is_text(part) for part in parts_kept(output)) else "",
    )


def parts_kept(output: ToolOutput) -> tuple[ContentPart, ...]:
    """The images, sounds and resources of an answer, in order, as long as there is room; one that is too large is kept without
    its data."""
    kept, room = [], KEPT_PARTS
    for part in output.parts:
        fits = len(part.data) <= room
        kept.append(part if fits else part.model_copy(update={"data": ""}))
        room -= len(part.data) if fits else 0
    return tuple(kept)


def is_text(part: ContentPart) -> bool:
    """Whether a part holds text that can be read on."""
    kind = part.mime_type.partition(";")[0]
    return part.kind == "resource" and bool(part.data) and (kind.startswith("text/") or kind.endswith(("json", "xml", "yaml")))


def _beginning(text: str, handle: str) -> tuple[str, list[str]]:
    if len(text) <= TEXT_LIMIT:
        return text, []
    rest = len(text) - TEXT_LIMIT
    return text[:TEXT_LIMIT], [f'[cut here: {rest} more characters; read on with handle "{handle}" from offset {TEXT_LIMIT}]']


def _kept(part: ContentPart, handle: str) -> str:
    what = " ".join(word for word in (part.kind.replace("_", " "), part.mime_type, part.uri) if word)
    if is_text(part):
        return f'[{what}: {len(part.data)} characters, read with handle "{handle}"]'
    return f"[{what}: kept with the run, and not shown here]" if part.data else f"[{what}: not kept]"
