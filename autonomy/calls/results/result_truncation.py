"""Truncates a tool result for the model and keeps a handle to the rest.

Pure.
"""

import base64
import json
from collections.abc import Iterator, Sequence
from typing import Any

from autonomy.llm.messages import ResultImage, ToolCall, ToolResult
from autonomy.llm.model_json import read_json
from autonomy.outcomes.classifier import Classification
from autonomy.run_state.run_values import remarks_before
from discovery.catalog import ContentPart, ToolOutput
from metrics.events import ANSWERED

TEXT_LIMIT = 20_000
"""Characters of one result that go to the model; the rest of a longer one is read by its handle."""

KEPT_PARTS = 4_000_000
"""Characters of images, sounds and resources that one result keeps, all together."""

MOST_IMAGES = 5
"""Of one result that a model is shown: each is paid for again with every turn."""

LARGEST_IMAGE = 1_000_000
"""Characters of one that a model is shown; vendors refuse the whole request for a larger one (5 MB at Anthropic)."""

SIGNATURES = {"image/png": b"\x89PNG", "image/jpeg": b"\xff\xd8\xff", "image/gif": b"GIF8", "image/webp": b"RIFF"}
"""How each kind begins: a vendor refuses the whole conversation for one picture that is none."""

MOST_VALUES = 5_000
"""Values of structured content that are looked for in the text; in more nobody reads a caption."""

SAID = 0.5
"""A text with so large a share of the values is the answer in words; codes and identifiers beside it would only be read out."""


def handle_of(key: str) -> str:
    """The handle of a call that stands at `turn-2/call-1`: `2.1`."""
    turn, call = key.split("/")[:2]
    return f"{turn.removeprefix('turn-')}.{call.removeprefix('call-')}"


def truncate_result(
    call: ToolCall,
    key: str,
    output: ToolOutput,
    classification: Classification,
    *,
    answered_by: str,
    is_write: bool,
    whole_chars: int = 0,
) -> ToolResult:
    """The result as a message, truncated to what the model is shown.

    `answered_by`: the tool that answered in place of the one that was called. `whole_chars`: the length of the text
    that is kept, where that is more than the output has.
    """
    kind = "terminal" if classification.kind == "unknown_outcome" and not is_write else classification.kind
    remarks = remarks_before(call.name, kind, classification.reason, answered_by)
    text, more = whole_text(output), list[str]()
    if len(text) > TEXT_LIMIT:
        cut_chars = (whole_chars or len(text)) - TEXT_LIMIT
        more = [f'[cut here: {cut_chars} more characters; read on with handle "{handle_of(key)}" from offset {TEXT_LIMIT}]']
        text = text[:TEXT_LIMIT]
    shown_parts = _parts_for_model(output)
    artefacts = [_note_of(part, f"{handle_of(key)}/{number}", shown_parts) for number, part in enumerate(parts_kept(output), 1)]
    return ToolResult(
        call_id=call.id,
        name=call.name,
        text="\n".join([*remarks, text, *more, *artefacts]),
        is_error=kind not in ANSWERED,
        kind=kind,
        structured=output.structured,
        answered_by=answered_by,
        handle=handle_of(key) if more or any(is_text(part) for part in parts_kept(output)) else "",
        images=images_of(output),
    )


def images_of(output: ToolOutput) -> tuple[ResultImage, ...]:
    """The pictures of an answer that a model may be shown."""
    return tuple(
        ResultImage.model_validate({"mime_type": part.mime_type, "data": part.data}) for part in _parts_for_model(output)
    )


def _parts_for_model(output: ToolOutput) -> tuple[ContentPart, ...]:
    found = (part for part in output.parts if part.kind == "image" and not part.user_only)
    return tuple(part for part in found if len(part.data) <= LARGEST_IMAGE and _is_picture(part))[:MOST_IMAGES]


def _is_picture(part: ContentPart) -> bool:
    begins = SIGNATURES.get(part.mime_type)
    try:
        return begins is not None and base64.b64decode(part.data, validate=True).startswith(begins)
    except ValueError:  # no base64, or no ASCII at all
        return False


def whole_text(output: ToolOutput) -> str:
    """The complete text of an answer: its text, and its structured content as JSON unless the text already contains it.

    A server should send both (MCP 2025-11-25, server/tools, "Structured Content"), and many send one, or a caption beside
    the data.
    """
    if output.structured is None or _holds_data(output.text, output.structured):
        return output.text
    data = json.dumps(output.structured, ensure_ascii=False)
    return f"{output.text}\n{data}" if output.text.strip() else data


def _holds_data(text: str, structured: Any) -> bool:
    """Whether the text holds the data: as JSON, or each of its values in other words."""
    try:
        content = read_json(text)
    except ValueError:
        content = text
    wrapped = structured.get("result") if isinstance(structured, dict) and len(structured) == 1 else None
    if content == structured or (wrapped is not None and wrapped in (content, text)):
        return True
    values = list(_values(structured, MOST_VALUES))
    return 0 < len(values) < MOST_VALUES and sum(value in text for value in values) >= SAID * len(values)


def _values(data: Any, most: int) -> Iterator[str]:
    """Each plain value in JSON data, as it would stand in a text; at most `most` of them."""
    waiting = [data]
    while waiting and most > 0:
        match waiting.pop():
            case dict() as fields:
                waiting += fields.values()
            case list() as items:
                waiting += items
            case value:
                most -= 1
                yield value if isinstance(value, str) else json.dumps(value)


def parts_kept(output: ToolOutput) -> tuple[ContentPart, ...]:
    """The images, sounds and resources of an answer, in order, as long as there is room; one that is too large is kept without
    its data."""
    parts, room = [], KEPT_PARTS
    for part in output.parts:
        fits = len(part.data) <= room
        parts.append(part if fits else part.model_copy(update={"data": ""}))
        room -= len(part.data) if fits else 0
    return tuple(parts)


def is_text(part: ContentPart) -> bool:
    """Whether a part holds text that can be read on."""
    kind = part.mime_type.partition(";")[0]
    return (
        part.kind == "resource"
        and not part.user_only
        and bool(part.data)
        and (kind.startswith("text/") or kind.endswith(("json", "xml", "yaml")))
    )


def named_part(part: ContentPart) -> str:
    """Describe a part of an answer in words: its kind, its type, its address."""
    return " ".join(word for word in (part.kind.replace("_", " "), part.mime_type, part.uri) if word)


def _note_of(part: ContentPart, handle: str, shown: Sequence[ContentPart]) -> str:
    what = named_part(part)
    if part.user_only:
        return f"[{what}: for the person alone; kept with the run]"
    if part.kind == "resource_link":
        return f"[{what}{f' ({part.name})' if part.name else ''}: not read yet; read_resource reads it]"
    if is_text(part):
        return f'[{what}: {len(part.data)} characters, read with handle "{handle}"]'
    if part in shown:  # the words are the same for every model of a chain, and not each of them sees
        return f"[{what}: kept with the run; a model that sees is shown it]"
    return f"[{what}: kept with the run, and not shown here]" if part.data else f"[{what}: not kept]"
