"""Builds the `tools/call` responses for clients of the gateway."""

from collections.abc import Mapping
from typing import Any

import mcp_types as types
from mcp import MCPError
from pydantic import TypeAdapter

from autonomy.calls.retry import PROTOCOL_ERROR
from autonomy.mcp_gateway import faces
from autonomy.mcp_gateway.sessions.client_session import ClientSession
from autonomy.run_state.run_values import CallRecord
from discovery.catalog import JsonObject, ToolOutput

_BLOCK: TypeAdapter[types.ContentBlock] = TypeAdapter(types.ContentBlock)


def call_answer(record: CallRecord, run_id: str, most: int, *, compact: bool = False) -> types.CallToolResult:
    """Build a client's answer to a call: the server's own answer if there is one, with our facts in `_meta`.

    `most`: characters of text. `compact`: remove white space from JSON texts, except from a text that is cut, because
    `read_result` counts its characters. Raises `MCPError` if the client lacks a capability that the server requires.
    """
    output, result = record.output, record.result
    error = output.meta.get(PROTOCOL_ERROR) if output else None
    if error and error["code"] == types.MISSING_REQUIRED_CLIENT_CAPABILITY:
        raise MCPError(error["code"], record.reason, error["data"])
    content: list[types.ContentBlock] = [types.TextContent(text=result.text)]
    structured = None
    if output is not None and record.tool == record.asked and result.kind != "unknown_outcome":
        in_search_face = most < faces.TEXT_LIMIT
        content = _content(record, output, most, text_only=in_search_face, compact=compact)
        structured = None if in_search_face else output.structured
    meta = _meta(record, run_id)
    return types.CallToolResult(content=content, structured_content=structured, is_error=result.is_error, _meta=meta)


def _meta(record: CallRecord, run_id: str) -> JsonObject:
    """Return the server's `_meta` with our facts about the call."""
    meta = {**(record.output.meta if record.output else {}), "jiritsu/run": run_id, "jiritsu/outcome": record.result.kind}
    if record.receipt is not None:
        meta["jiritsu/receipt"] = record.receipt.model_dump(mode="json", include={"state", "read_back", "target"})
    if record.attempts > 1:
        meta["jiritsu/attempts"] = record.attempts
    if record.reason:
        meta["jiritsu/reason"] = record.reason
    return meta


def _content(record: CallRecord, output: ToolOutput, most: int, *, text_only: bool, compact: bool) -> list[types.ContentBlock]:
    """Return the server's blocks. If the text is too long, or with `text_only`, one block of text takes the place of all
    texts."""
    blocks = [_BLOCK.validate_python(block) for block in output.blocks]
    if not output.blocks and output.text:  # a failure that we describe, because the server sent no text
        blocks = [types.TextContent(text=record.result.text)]
    if text_only or len(output.text) > most:
        text = record.result.text if text_only and not record.whole else record.whole or output.text
        text = shorter if compact and len(shorter := faces.compacted(text)) <= most else text
        others = [] if text_only else [block for block in blocks if not isinstance(block, types.TextContent)]
        return [types.TextContent(text=cut(text, most, record.result.handle or "")), *others]
    if compact:
        for block in blocks:
            if isinstance(block, types.TextContent):
                block.text = faces.compacted(block.text)
    return blocks


def rest_of_result(session: ClientSession, arguments: Mapping[str, Any]) -> types.CallToolResult:
    """Return the next part of a long result. `arguments`: `handle`, and `offset` in characters."""
    handle, offset = str(arguments.get("handle", "")), arguments.get("offset", 0)
    whole = session.whole(handle)
    if whole is None or not isinstance(offset, int) or offset < 0:
        return text_answer(f"nothing can be read under {handle!r} from {offset!r}", is_error=True)
    rest = whole[offset:]
    end = offset + faces.SEARCH_TEXT_LIMIT
    more = f"\n[{len(rest) - faces.SEARCH_TEXT_LIMIT} more characters; go on from offset {end}]"
    return text_answer(rest[: faces.SEARCH_TEXT_LIMIT] + (more if len(rest) > faces.SEARCH_TEXT_LIMIT else "\n[this is the end]"))


def text_answer(text: str, *, is_error: bool = False) -> types.CallToolResult:
    """Return an answer in our own words."""
    return types.CallToolResult(content=[types.TextContent(text=text)], is_error=is_error)


def cut(text: str, most: int, handle: str) -> str:
    """Cut a text after `most` characters, and say how to read on."""
    if len(text) <= most:
        return text
    return f'{text[:most]}\n[cut here: {len(text) - most} more characters; read on with read_result, handle "{handle}", offset {most}]'  # noqa: E501
