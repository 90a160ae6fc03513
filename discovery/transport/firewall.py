"""The firewall on `tools/list`: drops invalid tools and keeps the rest.

It works in the transport, before the SDK validates a listing as a whole. Its findings are put into the listing's own `_meta`,
under keys that a server cannot forge because they are always set here.
"""

import json
import unicodedata
from collections.abc import AsyncIterator, Iterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from contextvars import Context, copy_context
from math import inf
from typing import Any

import anyio
import anyio.to_thread
from mcp.shared.message import SessionMessage
from mcp_types import Icon, JSONRPCRequest, JSONRPCResponse, RequestId, Tool, ToolAnnotations
from pydantic import ValidationError

from discovery.catalog import JsonObject, Quarantined
from discovery.schemas.schema_walk import depth_of
from discovery.transport.answers import OURS
from discovery.transport.exchange import Exchange
from discovery.transport.sdk import OwnRead, OwnWrite, ReadStream, TransportStreams, WriteStream, create_context_streams

QUARANTINED = "jiritsu/quarantined"
OUTPUT_SCHEMA = "jiritsu/output-schema"
KEYED = "jiritsu/keyed"
"""In a tool's `_meta`: the tool honours idempotency keys, so a call under the same key may be sent again."""
LOOKUP = "jiritsu/lookup"
"""In a tool's `_meta`: a `discovery.catalog.Lookup`."""
BEYOND = "jiritsu/beyond"
"""In a tool's `_meta`: the parts that only the programs of clients read, namely `icons` and the tool's own `_meta`."""

MOST_TOOLS = 2_000
"""On one page: the SDK validates a page without a break, and more would block the event loop for over a fifth of a second."""
MOST_REASONS = 100
LONGEST_NAME = 128
LONGEST_TITLE = 200
LONGEST_DESCRIPTION = 20_000
"""As much as the search for orders to a model reads (`sentence_weights.MOST_CHARACTERS`)."""
MOST_BEYOND_BYTES = 16_000
MOST_BYTES = 64_000
DEEPEST = 64
MOST_PARTS = 1_000
"""The most content parts in the answer to one call."""
_KINDS = ("text", "image", "audio", "resource", "resource_link")


def screen(result: JsonObject) -> JsonObject:
    """Return a listing that the SDK will accept, with the valid tools; the others are named in its `_meta`."""
    offered = result.get("tools")
    tools: list[JsonObject] = []
    out: list[Quarantined] = []
    seen: set[str] = set()
    if not isinstance(offered, list):
        offered = []
        out.append(Quarantined(tool="", reason="its list of tools is not a list"))
    if len(offered) > MOST_TOOLS:
        beyond = f"of {len(offered)} tools on one page the last {len(offered) - MOST_TOOLS} are left out"
        out.append(Quarantined(tool="", reason=beyond))
    for tool in offered[:MOST_TOOLS]:
        if problem := _problem(tool, seen):
            out.append(Quarantined(tool=_label(tool), reason=problem))
        else:
            seen.add(tool["name"])
            tools.append(_trimmed(tool))
            out += [Quarantined(tool=tool["name"], reason=reason) for reason in _left_out(tool)]
    return _header(result) | {"tools": tools, "_meta": {QUARANTINED: [item.model_dump() for item in out[:MOST_REASONS]]}}


def readable(content: list[Any]) -> list[Any]:
    """Return the content parts that the SDK will accept; notes stand in place of the others.

    The SDK would refuse the whole answer for one part of an unknown kind, and takes long over tens of thousands of parts.
    """
    kept = content[:MOST_PARTS]
    for at, part in enumerate(kept):
        kind = part.get("type") if isinstance(part, dict) else "text"
        if not (isinstance(kind, str) and kind in _KINDS):
            kept[at] = {"type": "text", "text": f"(a part of the kind {str(kind)[:40]!r} was left out)"}
    if len(content) > MOST_PARTS:
        kept.append({"type": "text", "text": f"… {len(content) - MOST_PARTS} more parts were left out"})
    return kept


@asynccontextmanager
async def firewalled(
    transport: AbstractAsyncContextManager[TransportStreams], exchange: Exchange
) -> AsyncIterator[TransportStreams]:
    """Open the transport, screen every `tools/list` result, and pass answers to requests of `exchange` to it."""
    async with transport as (read, write):
        listings: set[RequestId] = set()
        exchange.opened(write)
        try:
            yield _ScreenedReads(read, listings, exchange), _NotedWrites(write, listings)
        finally:
            exchange.close()


class _ScreenedReads(OwnRead):
    """A `ReadStream` of answers that the SDK will accept. It screens in `receive`, which costs no switch to a task of its own."""

    def __init__(self, inner: ReadStream[SessionMessage | Exception], listings: set[RequestId], exchange: Exchange) -> None:
        self._inner, self._listings, self._exchange = inner, listings, exchange

    @property
    def last_context(self) -> Context | None:
        """The context in which the last message was sent, if the transport knows it."""
        return getattr(self._inner, "last_context", None)

    async def receive(self) -> SessionMessage | Exception:
        """Return the next message for the session. Raises `EndOfStream`."""
        while True:
            try:
                item = await self._inner.receive()
            except (anyio.EndOfStream, anyio.ClosedResourceError):
                self._exchange.close()
                raise
            message = item.message if isinstance(item, SessionMessage) else None
            if isinstance(message, JSONRPCResponse):
                if message.id in self._listings:
                    self._listings.discard(message.id)
                    message.result = await anyio.to_thread.run_sync(screen, message.result)  # thousands of tools take a while
                elif isinstance(message.result.get("content"), list):
                    message.result["content"] = readable(message.result["content"])
            if not self._exchange.took(item):
                return item

    async def aclose(self) -> None:
        """Close the stream."""
        self._exchange.close()
        await self._inner.aclose()


class _NotedWrites(OwnWrite):
    """A `WriteStream` that remembers which requests ask for a listing."""

    def __init__(self, inner: WriteStream[SessionMessage], listings: set[RequestId]) -> None:
        self._inner, self._listings = inner, listings

    async def send(self, item: SessionMessage, /) -> None:
        """Send a message."""
        if isinstance(item.message, JSONRPCRequest) and item.message.method == "tools/list":
            self._listings.add(item.message.id)
        await self._inner.send(item)

    async def aclose(self) -> None:
        """Close the stream."""
        await self._inner.aclose()


@asynccontextmanager
async def buffered(transport: AbstractAsyncContextManager[TransportStreams]) -> AsyncIterator[TransportStreams]:
    """Open a transport whose writes are HTTP exchanges, and make its writes return at once.

    A write that waits would hold a caller beyond its deadline, because the SDK shields the cancellation notice that it sends
    then. Each message keeps its sender's context, through which the SDK suspends the timeout of a request while a person signs
    in.
    """
    to_server, from_session = create_context_streams[SessionMessage](inf)

    async def outward(write: WriteStream[SessionMessage]) -> None:
        try:
            async with from_session, write:
                async for item in from_session:
                    async with anyio.create_task_group() as sending:
                        (from_session.last_context or copy_context()).run(sending.start_soon, write.send, item)
        except* (anyio.BrokenResourceError, anyio.ClosedResourceError):
            pass  # every connection ends so: the other side hangs up

    async with to_server, from_session, transport as (read, write), anyio.create_task_group() as tasks:
        tasks.start_soon(outward, write)
        yield read, to_server
        tasks.cancel_scope.cancel()


def _problem(tool: Any, seen: set[str]) -> str:
    """Return why a tool is dropped; empty if it is valid."""
    if not isinstance(tool, dict):
        return "is not an object"
    name = tool.get("name")
    if not isinstance(name, str) or not name.strip():
        return "has no name"
    if len(name) > LONGEST_NAME:
        return f"its name is longer than {LONGEST_NAME} characters"
    if any(unicodedata.category(character)[0] == "C" for character in name):
        return "its name holds control or invisible characters"
    if name in seen:
        return "another tool of the provider has the same name"
    return _schema_problem(tool.get("inputSchema")) or _shape_problem(tool)


def _schema_problem(schema: Any) -> str:
    """Return why the SDK would refuse the whole page because of this schema; empty if it would not.

    Whether the schema makes sense is checked later (`discovery.review.reviewer`).
    """
    if not isinstance(schema, dict):
        return "its inputSchema is not an object"
    if schema.get("type", "object") != "object":
        return f"its inputSchema has the type {schema['type']!r} and not 'object'"
    if not isinstance(schema.get("$schema", ""), str):
        return "its inputSchema has a $schema that is not a string"
    properties, required = schema.get("properties") or {}, schema.get("required") or []
    if not isinstance(properties, dict) or not all(isinstance(value, dict | bool) for value in properties.values()):
        return "its inputSchema has properties that are not schemas"
    if not isinstance(required, list) or not all(isinstance(name, str) for name in required):
        return "its inputSchema has a `required` that is not a list of names"
    if depth_of(schema, DEEPEST) > DEEPEST:
        return f"its inputSchema is nested deeper than {DEEPEST} levels"
    return ""


def _shape_problem(tool: JsonObject) -> str:
    trimmed = _trimmed(tool)
    try:
        size = len(json.dumps(trimmed))
        Tool.model_validate(trimmed, by_name=False)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        return f"{'.'.join(str(part) for part in first['loc'])}: {first['msg']}"
    return f"its definition is larger than {MOST_BYTES} bytes" if size > MOST_BYTES else ""


def _left_out(tool: JsonObject) -> Iterator[str]:
    """Name the parts of a valid tool that are too large to keep."""
    if (length := len(_text(tool.get("description")))) > LONGEST_DESCRIPTION:
        yield f"its description is cut at {LONGEST_DESCRIPTION} of {length} characters"
    if _size(_offered_beyond(tool)) > MOST_BEYOND_BYTES:
        yield f"its icons and its _meta are left out: they are larger than {MOST_BEYOND_BYTES} bytes, or nested too deep"


def _trimmed(tool: JsonObject) -> JsonObject:
    """Return the parts of a tool that we read. The output schema is moved into `_meta`, because the SDK would run its regular
    expressions on the event loop, without a limit."""
    trimmed = {"name": tool["name"]}
    if title := _text(tool.get("title"))[:LONGEST_TITLE]:
        trimmed["title"] = title
    trimmed["description"] = _text(tool.get("description"))[:LONGEST_DESCRIPTION]
    trimmed["inputSchema"] = {"type": "object"} | {key: value for key, value in tool["inputSchema"].items() if value is not None}
    if (annotations := _annotations(tool.get("annotations"))) is not None:
        trimmed["annotations"] = annotations
    execution = tool.get("execution")
    if isinstance(execution, dict) and execution.get("taskSupport") in ("optional", "required"):
        trimmed["execution"] = {"taskSupport": execution["taskSupport"]}
    meta = _declared(tool.get("_meta"))
    output = tool.get("outputSchema")
    if isinstance(output, dict) and depth_of(output, DEEPEST) <= DEEPEST:
        meta[OUTPUT_SCHEMA] = output
    if _size(beyond := _offered_beyond(tool)) <= MOST_BEYOND_BYTES and beyond:
        meta[BEYOND] = beyond
    return trimmed | ({"_meta": meta} if meta else {})


def _offered_beyond(tool: JsonObject) -> JsonObject:
    """Return the parts of a tool for the programs of clients: its valid icons, and its `_meta` without our keys."""
    icons, meta = tool.get("icons"), tool.get("_meta")
    beyond = {
        "icons": [one for one in icons if _is_icon(one)] if isinstance(icons, list) else [],
        "_meta": {key: value for key, value in meta.items() if not key.startswith(OURS)} if isinstance(meta, dict) else {},
    }
    return {key: value for key, value in beyond.items() if value}


def _is_icon(value: Any) -> bool:
    try:
        Icon.model_validate(value, by_name=False)
    except ValidationError:
        return False
    return True


def _size(value: JsonObject) -> float:
    """Return the bytes of a JSON value; infinite if it is nested too deep."""
    return inf if depth_of(value, DEEPEST) > DEEPEST else len(json.dumps(value).encode())


def _declared(meta: Any) -> JsonObject:
    """Return the keys of a tool's `_meta` that declare something to us beyond the protocol."""
    declared = {key: meta[key] for key in (KEYED, LOOKUP) if key in meta} if isinstance(meta, dict) else {}
    return declared if depth_of(declared, DEEPEST) <= DEEPEST else {}


def _annotations(value: Any) -> JsonObject | None:
    """Return the annotations without those of a wrong type; None if there are none."""
    if not isinstance(value, dict):
        return None
    sound = {}
    for key, hint in value.items():
        try:
            ToolAnnotations.model_validate({key: hint}, by_name=False, strict=True)
        except ValidationError:
            continue
        sound[key] = hint
    return sound


def _header(result: JsonObject) -> JsonObject:
    """Return the other fields of a listing, with the types that the protocol prescribes."""
    header: JsonObject = {
        "resultType": "complete",
        "ttlMs": ttl if isinstance(ttl := result.get("ttlMs"), int) and not isinstance(ttl, bool) and ttl > 0 else 0,
        "cacheScope": "private",
    }
    if isinstance(cursor := result.get("nextCursor"), str):
        header["nextCursor"] = cursor
    return header


def _text(value: Any) -> str:
    return value if isinstance(value, str) else ""


def _label(tool: Any) -> str:
    name = tool.get("name") if isinstance(tool, dict) else tool
    return repr(name)[:40] if not isinstance(name, str) else name[:40]
