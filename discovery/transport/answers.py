"""Converts a `tools/call` response into a `ToolOutput` or an error."""

import json
import re
from collections.abc import Iterable
from functools import partial
from typing import Any

from mcp import MCPError
from mcp_types import (
    CONNECTION_CLOSED,
    PARSE_ERROR,
    AudioContent,
    BlobResourceContents,
    CallToolResult,
    ContentBlock,
    EmbeddedResource,
    ImageContent,
    ResourceLink,
    TextContent,
    TextResourceContents,
)
from pydantic import ValidationError

from discovery.catalog import ContentPart, Frozen, ToolOutput
from discovery.discovery_errors import CallFailed, ConnectionLost, DiscoveryError, ProviderBusy, ProviderUnavailable
from discovery.text.characters import is_plain_ascii
from discovery.transport.asked_back import pages_of

OURS = "jiritsu/"
"""The prefix of our own keys in a `_meta`. They are removed from what servers send, because a server could pose as us with
them."""
HTTP = "jiritsu/http"
"""The key in the `data` of a JSON-RPC error under which our HTTP transport puts the details of a failed exchange."""

LONGEST_STRUCTURED = 4 << 20
"""Characters of JSON; larger structured data becomes part of the text."""
STRIDE = 262_144
"""Characters that are searched at once, because a regular expression blocks all other threads while it runs."""
MANY_FIELDS = 2_000
LONGEST_LINK_NAME = 300
LONGEST_CAUSE = 2_000
"""Characters of a server's message in an error."""
_BUSY = (429, 503)
_NO_ANSWER = ("Unexpected content type", "server answered a request with 202", "SSE stream failed")
"""The beginnings of the SDK's messages for an HTTP success without a JSON-RPC answer."""
_RETRY_AFTER = re.compile(r"\bretry[-_ ]after\W{1,4}(\d{1,6}(?:\.\d{1,3})?)\b", re.IGNORECASE)
_NEVER_MEANT = r"\x00-\x08\x0b\x0c\x0e-\x1f\x7f\u202a-\u202e\u2066-\u2069\U000e0000-\U000e007f"
_WITHOUT_WIDTH = r"\xad\u061c\u17b4\u17b5\u200b-\u200f\u2060-\u2065\u206a-\u206f\ufeff"
_SELECTORS = r"\ufe00-\ufe0f\U000e0100-\U000e01ef"
_UNSEEN = re.compile(
    f"[{_NEVER_MEANT}{_WITHOUT_WIDTH}{_SELECTORS}](?:(?<=[{_NEVER_MEANT}])|(?<=[{_WITHOUT_WIDTH}]{{2}})|(?<=[{_SELECTORS}]{{2}}))"
)
"""Characters that a person does not see and a model reads: control characters, direction overrides, tags, and every zero-width
character that follows another. A single zero-width character cannot carry a message, so it stays: it joins an emoji or a Persian
word, and without it a name could turn into one that the request contains (`holds_unseen` of the policy)."""
_ESCAPED = "\\u00"
"""The beginning of a control character in JSON."""


class HttpDetail(Frozen):
    """The failure of one HTTP exchange."""

    cause: str
    status: int | None = None
    """None if there was no response."""
    retry_after_s: float | None = None
    sent: bool = True
    """Whether the request may have reached the server."""
    unreadable: bool = False
    """Whether there was an answer that cannot be read."""


def asked_wait_s(text: str) -> float | None:
    """Return the seconds after "Retry-After" in a failure's text; most tools pass this HTTP header on. None if there is none."""
    found = _RETRY_AFTER.search(text[:2_000])
    return float(found[1]) if found else None


def output_of(result: CallToolResult, *, duration_s: float, max_text_chars: int) -> ToolOutput:
    """Convert an answer, without invisible characters. Text longer than `max_text_chars` is truncated; `whole` then has all of
    it.

    Structured data larger than `LONGEST_STRUCTURED` becomes part of the text, because runs store structured data untruncated.
    """
    texts = (block.text for block in result.content if isinstance(block, TextContent) and not _for_user_alone(block))
    joined = "\n".join(texts)
    text, structured = visible(joined), result.structured_content
    if structured is not None and len(joined) > max_text_chars and structured == {"result": joined}:
        structured = None  # the wrapper of SDKs around a tool's plain text
    elif structured is not None and len(data := json.dumps(structured, ensure_ascii=False)) > LONGEST_STRUCTURED:
        text, structured = "\n".join(filter(None, (text, visible(data)))), None
    elif structured is not None and (_UNSEEN.search(data) or _ESCAPED in data):
        structured = _visible_data(structured)
    whole = text if len(text) > max_text_chars else ""
    if whole:
        text = f"{text[:max_text_chars]}\n… {len(text) - max_text_chars} more characters were left out"
    return ToolOutput(
        text=text,
        whole=whole,
        structured=structured,
        parts=tuple(part for block in result.content if (part := _part(block)) is not None),
        is_error=result.is_error,
        duration_s=duration_s,
        meta={key: value for key, value in (result.meta or {}).items() if not key.startswith(OURS)},
        blocks=tuple(block.model_dump(mode="json", by_alias=True, exclude_none=True) for block in result.content),
    )


def is_large(result: CallToolResult) -> bool:
    """Whether `output_of` takes so long that it should not run on the event loop."""
    data = result.structured_content or {}
    texts = [block.text for block in result.content if isinstance(block, TextContent)]
    sized = [data, *(value for value in data.values() if isinstance(value, str | list | dict))]
    return sum(map(len, texts)) > STRIDE or any(len(value) > MANY_FIELDS for value in sized)


def visible(text: str) -> str:
    """Remove the characters that a person does not see and a model reads."""
    if is_plain_ascii(text):
        return text
    if len(text) <= STRIDE:
        return _UNSEEN.sub("", text)
    return "".join(_UNSEEN.sub("", text[start : start + STRIDE]) for start in range(0, len(text), STRIDE))


def _visible_data(data: Any) -> Any:
    """Remove invisible characters from structured data, its field names included."""
    match data:
        case str():
            return visible(data)
        case list():
            return [_visible_data(item) for item in data]
        case dict():
            shown = _visible_names(data)
            return {shown[name]: _visible_data(value) for name, value in data.items()}
        case _:
            return data


def _visible_names(names: Iterable[str]) -> dict[str, str]:
    """Map each field name to its visible form. Names that would then be equal are numbered, so that no value is lost."""
    seen = {name: visible(name) for name in names}
    taken, number = {name for name, plain in seen.items() if name == plain}, 1
    for name, plain in seen.items():
        if name == plain:
            continue
        while seen[name] in taken:
            number += 1  # not reset for each name, because a server may send thousands that look alike
            seen[name] = f"{plain} (unseen characters, {number})"
        taken.add(seen[name])
    return seen


def _for_user_alone(block: ContentBlock) -> bool:
    """Whether a part is meant for the person and not for the model (MCP 2025-11-25, server/tools, annotations)."""
    return block.annotations is not None and block.annotations.audience == ["user"]


def _part(block: ContentBlock) -> ContentPart | None:
    part = partial(ContentPart, user_only=_for_user_alone(block))
    match block:
        case TextContent() if _for_user_alone(block):
            return part(kind="text", mime_type="text/plain", data=visible(block.text))
        case ImageContent():
            return part(kind="image", mime_type=block.mime_type, data=block.data)
        case AudioContent():
            return part(kind="audio", mime_type=block.mime_type, data=block.data)
        case EmbeddedResource(resource=TextResourceContents() as resource):
            return part(kind="resource", mime_type=resource.mime_type or "", uri=str(resource.uri), data=resource.text)
        case EmbeddedResource(resource=BlobResourceContents() as resource):
            return part(kind="resource", mime_type=resource.mime_type or "", uri=str(resource.uri), data=resource.blob)
        case ResourceLink():
            label = visible(": ".join(word for word in (block.title or block.name, block.description) if word))
            name = label[:LONGEST_LINK_NAME]
            return part(kind="resource_link", mime_type=block.mime_type or "", uri=str(block.uri), name=name)
        case _:
            return None


def failure_of(error: MCPError, provider: str, tool: str, *, fault: str) -> DiscoveryError:
    """Convert a JSON-RPC error into the caller's error; `fault` is the transport's reason, if the connection has ended."""
    if (http := http_detail(error)) is not None:
        return _http_failure(http, provider, tool)
    if is_connection_closed(error):
        return ConnectionLost(provider, tool, fault or str(error))
    if is_session_gone(error):
        return ProviderUnavailable(provider, "the server had forgotten our session; it is being opened again")
    if error.code == PARSE_ERROR or error.message.startswith(_NO_ANSWER):
        return CallFailed(provider, tool, str(error)[:LONGEST_CAUSE], outcome_unknown=True)
    cause = f"{error.message[:LONGEST_CAUSE]} (JSON-RPC error {error.code})"
    if pages := pages_of(error):
        listed_pages = "; ".join(f"{page.url} ({visible(page.message)[:LONGEST_LINK_NAME]})" for page in pages)
        cause = f"nothing was done: a person has to open {listed_pages} first; make the same call again after that"
    return CallFailed(provider, tool, cause, error={"code": error.code, "data": error.data})


def http_detail(error: MCPError) -> HttpDetail | None:
    """Return the details of a failed HTTP exchange that our transport attached; None if there are none, or malformed ones."""
    detail = error.data.get(HTTP) if isinstance(error.data, dict) else None
    try:
        return HttpDetail.model_validate(detail) if detail is not None else None
    except ValidationError:
        return None


def _http_failure(http: HttpDetail, provider: str, tool: str) -> DiscoveryError:
    if http.status in _BUSY:
        return ProviderBusy(provider, http.cause, http.retry_after_s)
    if http.status is not None:
        unknown = http.status >= 500
        return CallFailed(
            provider, tool, http.cause, outcome_unknown=unknown, status=http.status, retry_after_s=http.retry_after_s
        )
    if http.unreadable:
        return CallFailed(provider, tool, http.cause, outcome_unknown=True)
    return ConnectionLost(provider, tool, http.cause) if http.sent else ProviderUnavailable(provider, http.cause)


def is_connection_closed(error: MCPError) -> bool:
    """Whether the SDK made this error because the connection has ended; servers use the same code for other errors."""
    return error.code == CONNECTION_CLOSED and error.message.startswith(("Connection closed", "SSE stream ended"))


def is_session_gone(error: MCPError) -> bool:
    """Whether the server no longer knows our session, in the words of this SDK (for HTTP 404) or of other servers."""
    return error.message in ("Session terminated", "Session not found")


def cannot_ask(words: str) -> bool:
    """Whether a server reports that it could not ask us during a call, which revisions from 2026-07-28 on do not allow
    (`NoBackChannelError` of the Python SDK)."""
    return "no back-channel for server-initiated requests" in words[:500]


def speaks_of_unknown_tool(words: str) -> bool:
    """Whether the text of a JSON-RPC error, or of a result with `isError`, says that the server has no such tool."""
    beginning = words[:200].lower()
    return "unknown tool" in beginning or "tool not found" in beginning
