"""Converts the return value of a tool function into an MCP response."""

import base64
from typing import Any, Literal, NotRequired, Protocol, TypedDict, TypeGuard, runtime_checkable

from mcp.types import CallToolResult
from pydantic_core import to_json


class McpTextContent(TypedDict):
    """A block of text."""

    type: Literal["text"]
    text: str


McpContent = McpTextContent | dict[str, Any]
"""A block of text, or any other content block of MCP as JSON."""


class McpResponse(TypedDict):
    """The answer of a converted tool."""

    content: list[McpContent]
    isError: NotRequired[bool]
    is_error: NotRequired[bool]
    """The same as `isError` of MCP, in the spelling that the Claude Agent SDK reads from a handler."""
    structuredContent: NotRequired[Any]


@runtime_checkable
class _Binary(Protocol):
    """Matches pydantic-ai's `BinaryContent`."""

    data: bytes
    media_type: str


@runtime_checkable
class _Annotated(Protocol):
    """Matches pydantic-ai's `ToolReturn`: a value, and further content for the model."""

    return_value: Any
    content: Any


_BLOCKS = {"text", "image", "audio", "resource", "resource_link"}
_RESPONSE_KEYS = {"content", "isError", "is_error", "structuredContent", "_meta"}
_IMAGES = {b"\x89PNG\r\n\x1a\n": "image/png", b"\xff\xd8\xff": "image/jpeg", b"GIF8": "image/gif"}


def error_response(problem: str) -> McpResponse:
    """Return the answer that tells the model that a tool failed."""
    return {"content": [_text(problem)], "isError": True, "is_error": True}


def both_flags(response: McpResponse) -> McpResponse:
    """Mark an error in both spellings, because a tool's author writes only one of them."""
    if response.get("isError") or response.get("is_error"):
        return {**response, "isError": True, "is_error": True}
    return response


def _format_return_value_as_mcp(value: object) -> McpResponse:
    """Convert a return value to a response, unless it is one already.

    None becomes an empty text, a string stays as it is, bytes and images become blocks of their own, and everything else becomes
    JSON, including dates, decimals, enums, dataclasses and pydantic models.
    """
    if _is_response(value):
        return value
    if isinstance(value, CallToolResult):
        wire = value.model_dump(mode="json", by_alias=True, exclude_none=True)
        response: McpResponse = {"content": wire["content"]}
        if value.is_error:
            response["isError"] = response["is_error"] = True
        if value.structured_content is not None:
            response["structuredContent"] = value.structured_content
        return response
    if isinstance(value, _Annotated):
        beside = value.content if isinstance(value.content, (list, tuple)) else [value.content]
        return {"content": [block for item in (value.return_value, *beside) if item is not None for block in _blocks(item)]}
    return {"content": _blocks(value)}


def _is_response(value: object) -> TypeGuard[McpResponse]:
    """Whether a value is a dict with only MCP's keys and with content blocks, and not just a record with a field `content`."""
    if not isinstance(value, dict) or not value.keys() <= _RESPONSE_KEYS:
        return False
    content = value.get("content")
    if not isinstance(content, list) or not content:
        return False
    return all(isinstance(item, dict) and item.get("type") in _BLOCKS for item in content)


def _blocks(value: object) -> list[McpContent]:
    if isinstance(value, (list, tuple)) and any(isinstance(item, (bytes, _Binary)) for item in value):
        return [block for item in value for block in _blocks(item)]
    if isinstance(value, _Binary):
        return [_bytes_block(value.data, value.media_type)]
    if isinstance(value, bytes):
        return [_bytes_block(value, _media_type(value))]
    return [_text(_as_text(value))]


def _text(text: str) -> McpTextContent:
    return {"type": "text", "text": text}


def _as_text(value: object) -> str:
    if value is None:
        return ""
    if isinstance(value, str):
        return str(value)
    return to_json(value, bytes_mode="base64", inf_nan_mode="strings", fallback=str).decode()


def _media_type(data: bytes) -> str:
    if data[:4] == b"RIFF" and data[8:12] == b"WEBP":
        return "image/webp"
    return next((kind for magic, kind in _IMAGES.items() if data.startswith(magic)), "application/octet-stream")


def _bytes_block(data: bytes, media_type: str) -> McpContent:
    encoded = base64.b64encode(data).decode()
    if media_type.startswith("image/"):
        return {"type": "image", "data": encoded, "mimeType": media_type}
    if media_type.startswith("audio/"):
        return {"type": "audio", "data": encoded, "mimeType": media_type}
    return {"type": "resource", "resource": {"uri": f"data:{media_type}", "mimeType": media_type, "blob": encoded}}
