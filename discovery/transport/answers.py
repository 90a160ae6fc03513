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
from discovery.text.plain_ascii import is_plain_ascii
from discovery.transport.asked_back import pages_of

OURS = "jiritsu/"
"""What the keys of a `_meta` begin with that say something of ours; a server that sets one would pass for us."""
HTTP = "jiritsu/http"
"""Where our HTTP transport puts what it knows of a failed exchange, in the `data` of a JSON-RPC error."""

LONGEST_STRUCTURED = 4 << 20
"""Characters of structured data, as JSON, that stay structured."""
STRIDE = 262_144
"""Characters that are searched in one go: a regular expression lets no other thread work meanwhile."""
MANY_FIELDS = 2_000
LONGEST_LINK_NAME = 300
LONGEST_CAUSE = 2_000
"""Characters of a server's own words in an error."""
_BUSY = (429, 503)
_NO_ANSWER = ("Unexpected content type", "server answered a request with 202", "SSE stream failed")
"""How the SDK words an HTTP success that holds no JSON-RPC answer."""
_RETRY_AFTER = re.compile(r"\bretry[-_ ]after\W{1,4}(\d{1,6}(?:\.\d{1,3})?)\b", re.IGNORECASE)
_NEVER_MEANT = r"\x00-\x08\x0b\x0c\x0e-\x1f\x7f\u202a-\u202e\u2066-\u2069\U000e0000-\U000e007f"
_WITHOUT_WIDTH = r"\xad\u061c\u17b4\u17b5\u200b-\u200f\u2060-\u2065\u206a-\u206f\ufeff"
_SELECTORS = r"\ufe00-\ufe0f\U000e0100-\U000e01ef"
_UNSEEN = re.compile(
    f"[{_NEVER_MEANT}{_WITHOUT_WIDTH}{_SELECTORS}](?:(?<=[{_NEVER_MEANT}])|(?<=[{_WITHOUT_WIDTH}]{{2}})|(?<=[{_SELECTORS}]{{2}}))"
)
"""Control characters, direction overrides and tags, and of signs without width in a row all but the first: a person does not see
them, a model reads them. One alone carries no message and stays: it joins an emoji or a Persian word, and a name with it is
another name, which must not become one that the request gives (`holds_unseen` of the policy)."""
_ESCAPED = "\\u00"
"""How JSON writes a control character."""


class HttpDetail(Frozen):
    """The failure of one HTTP exchange."""

    cause: str
    status: int | None = None
    """None when there was no response."""
    retry_after_s: float | None = None
    sent: bool = True
    """Whether the request may have reached the server."""
    unreadable: bool = False
    """Whether there was an answer, and nothing can be made of it."""


def asked_wait_s(text: str) -> float | None:
    """How many seconds a failure asks to wait, in the words of the HTTP header that most tools hand on."""
    found = _RETRY_AFTER.search(text[:2_000])
    return float(found[1]) if found else None


def output_of(result: CallToolResult, *, duration_s: float, max_text_chars: int) -> ToolOutput:
    """The answer, its text without what cannot be seen and cut at `max_text_chars`; all of it is its `whole` then.

    Structured data that is larger than a database should keep with every run becomes part of the text.
    """
    texts = (block.text for block in result.content if isinstance(block, TextContent) and not _for_user_alone(block))
    joined = "\n".join(texts)
    text, structured = visible(joined), result.structured_content
    if structured is not None and len(joined) > max_text_chars and structured == {"result": joined}:
        structured = None  # as SDKs wrap what a tool returns as plain text
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
    """Whether an event loop should not wait for `output_of`."""
    data = result.structured_content or {}
    texts = [block.text for block in result.content if isinstance(block, TextContent)]
    return sum(map(len, texts)) > STRIDE or len(data) > MANY_FIELDS or any(_is_long(value) for value in data.values())


def _is_long(value: object) -> bool:
    return isinstance(value, str | list | dict) and len(value) > MANY_FIELDS


def visible(text: str) -> str:
    """The text without what a person does not see and a model reads."""
    if is_plain_ascii(text):
        return text
    if len(text) <= STRIDE:
        return _UNSEEN.sub("", text)
    return "".join(_UNSEEN.sub("", text[start : start + STRIDE]) for start in range(0, len(text), STRIDE))


def _visible_data(data: Any) -> Any:
    """Structured data without what a person does not see, in its names too."""
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
    """The name under which each is shown; one that looks like another says so, and the plain one keeps its name: no value is
    lost."""
    seen = {name: visible(name) for name in names}
    taken, number = {name for name, plain in seen.items() if name == plain}, 1
    for name, plain in seen.items():
        if name == plain:
            continue
        while seen[name] in taken:
            number += 1  # goes on from name to name: a server may send thousands that look alike
            seen[name] = f"{plain} (unseen characters, {number})"
        taken.add(seen[name])
    return seen


def _for_user_alone(block: ContentBlock) -> bool:
    """Whether a server means a part for the person and not for the model (MCP 2025-11-25, server/tools, annotations)."""
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
    """The error a caller gets for a JSON-RPC error; `fault` is what the transport said about its end, if it ended."""
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
    """The details of a failed HTTP exchange that our transport attached; None for other errors, and for details that a server
    made up."""
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
    """Whether the SDK or its transport made this error up because the connection is gone; servers use the code for other
    things."""
    return error.code == CONNECTION_CLOSED and error.message.startswith(("Connection closed", "SSE stream ended"))


def is_session_gone(error: MCPError) -> bool:
    """Whether the server no longer knows our session: HTTP 404 as the SDK words it, or in the words of other SDKs' servers."""
    return error.message in ("Session terminated", "Session not found")


def cannot_ask(words: str) -> bool:
    """Whether a server says that it had no channel to ask its client on: since revision 2026-07-28 it has none in the middle of a
    call (`NoBackChannelError` of the Python SDK)."""
    return "no back-channel for server-initiated requests" in words[:500]


def speaks_of_unknown_tool(words: str) -> bool:
    """Whether an error says that the server has no such tool; it comes as a JSON-RPC error, or as a result with `isError`."""
    beginning = words[:200].lower()
    return "unknown tool" in beginning or "tool not found" in beginning
