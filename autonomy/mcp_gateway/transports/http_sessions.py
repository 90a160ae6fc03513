"""HTTP sessions of clients before 2026-07-28, which answer with JSON if nothing has to be sent before the answer.

The SDK would open an event stream for every request of such a client. The client then closes it, and with it the connection,
which takes more time than the call. For clients of 2026-07-28 the SDK already answers with JSON.
"""

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from http import HTTPStatus
from typing import Any

import anyio
import pydantic_core
from anyio.streams.memory import MemoryObjectReceiveStream
from mcp.server.lowlevel import Server
from mcp.server.streamable_http import (
    CONTENT_TYPE_SSE,
    MCP_SESSION_ID_HEADER,
    REQUEST_STREAM_BUFFER_SIZE,
    EventMessage,
    StreamableHTTPServerTransport,
    check_accept_headers,
)
from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from mcp.server.transport_security import TransportSecuritySettings
from mcp.shared.inbound import MCP_PROTOCOL_VERSION_HEADER
from mcp.shared.message import ServerMessageMetadata, SessionMessage
from mcp_types import DEFAULT_NEGOTIATED_VERSION, JSONRPCError, JSONRPCRequest, JSONRPCResponse
from mcp_types.jsonrpc import jsonrpc_message_adapter
from sse_starlette import EventSourceResponse
from starlette.requests import Request
from starlette.types import Receive, Scope, Send

from discovery.transport.sdk import OwnWrite, ReadStream, WriteStream

OnEnd = Callable[[str], Awaitable[None]]
STREAM_AFTER_S = 1.0
"""After this time a request gets an event stream anyway, because its pings keep the connection open."""
LOOPBACK = TransportSecuritySettings(
    enable_dns_rebinding_protection=True,
    allowed_hosts=["127.0.0.1:*", "localhost:*", "[::1]:*"],
    allowed_origins=["http://127.0.0.1:*", "http://localhost:*", "http://[::1]:*"],
)
"""Settings for loopback, which keep web pages of other origins out."""


_ENDED = (anyio.EndOfStream, anyio.ClosedResourceError, anyio.BrokenResourceError)
"""What a stream raises whose session has ended."""


class Sessions(StreamableHTTPSessionManager):
    """All sessions of one gateway, at the path `/mcp`."""

    def __init__(self, server: Server[Any], host: str, on_end: OnEnd) -> None:
        """`on_end`: called with the id of a session that has ended, because its client ended it or was silent for long."""
        self._on_end = on_end
        loopback = host in ("127.0.0.1", "localhost", "::1")
        # no limit here: `gateway_http` limits each client, while one limit for all would let a client lock the others out
        super().__init__(server, security_settings=LOOPBACK if loopback else None, max_sessions=None)

    async def end(self, session_id: str) -> None:
        """End a session, if it exists."""
        if (transport := self._server_instances.get(session_id)) is not None:
            await self._discard_session(session_id, transport)

    def _admit_session(self, requestor: Any) -> StreamableHTTPServerTransport | None:
        made = super()._admit_session(requestor)
        if made is None or made.mcp_session_id is None:
            return made
        own = SessionTransport(
            made.mcp_session_id, security_settings=self.security_settings, idle_timeout=self.session_idle_timeout
        )
        own.on_end = self._on_end
        self._server_instances[made.mcp_session_id] = own
        return own


class SessionTransport(StreamableHTTPServerTransport):
    """One session, which answers requests with JSON where possible."""

    on_end: OnEnd

    @asynccontextmanager
    async def connect(self) -> AsyncIterator[tuple[ReadStream[SessionMessage | Exception], WriteStream[SessionMessage]]]:
        """Yield the session's streams. A message that belongs to a request is sent to it without a task in between."""
        try:
            async with super().connect() as (read, write):
                yield read, _ToRequests(self, write)
        finally:
            with anyio.CancelScope(shield=True):
                await self.on_end(self.mcp_session_id or "")

    async def _handle_post_request(self, scope: Scope, request: Request, receive: Receive, send: Send) -> None:
        message = await self._own_request(request)
        if message is None or self._read_stream_writer is None:
            await super()._handle_post_request(scope, request, receive, send)
            return
        key = str(message.id)
        if key in self._request_streams:
            await self._create_error_response("a request with this id is under way", HTTPStatus.BAD_REQUEST)(scope, receive, send)
            return
        revision = request.headers.get(MCP_PROTOCOL_VERSION_HEADER, DEFAULT_NEGOTIATED_VERSION)
        outgoing, events = anyio.create_memory_object_stream[EventMessage](REQUEST_STREAM_BUFFER_SIZE)
        self._request_streams[key] = outgoing, events
        first = None
        try:
            await self._read_stream_writer.send(self._create_session_message(message, request, key, revision))
            with anyio.move_on_after(STREAM_AFTER_S):
                first = await events.receive()
            if first is not None and _is_answer(first):
                await self._create_json_response(first.message)(scope, receive, send)
            else:
                headers = {"cache-control": "no-cache, no-transform", MCP_SESSION_ID_HEADER: self.mcp_session_id or ""}
                stream = EventSourceResponse(self._stream_events(first, events), headers=headers, media_type=CONTENT_TYPE_SSE)
                await stream(scope, receive, send)
        except _ENDED:
            gone = self._create_error_response("the session ended before the request was answered", HTTPStatus.NOT_FOUND)
            await gone(scope, receive, send)
        finally:
            outgoing.close()
            events.close()
            if self._request_streams.get(key, (None,))[0] is outgoing:
                del self._request_streams[key]

    async def _own_request(self, request: Request) -> JSONRPCRequest | None:
        """Return a valid request of this session; None for anything else, which is left to the SDK."""
        headers = request.headers
        if (
            headers.get(MCP_SESSION_ID_HEADER) != self.mcp_session_id
            or headers.get("content-type", "").partition(";")[0].strip() != "application/json"
            or check_accept_headers(request) != (True, True)
        ):
            return None
        try:
            message = jsonrpc_message_adapter.validate_python(pydantic_core.from_json(await request.body()), by_name=False)
        except ValueError:
            return None
        if not isinstance(message, JSONRPCRequest) or message.method == "initialize":
            return None
        return message

    async def _stream_events(
        self, first: EventMessage | None, events: MemoryObjectReceiveStream[EventMessage]
    ) -> AsyncIterator[Any]:
        """Yield the messages before the answer, and the answer. If the session ends before, the stream ends without one."""
        with suppress(*_ENDED):
            item = first or await events.receive()
            while not _is_answer(item):
                yield self._create_event_data(item)
                item = await events.receive()
            yield self._create_event_data(item)


class _ToRequests(OwnWrite):
    """Sends a session's messages to the requests that they belong to, and all others to the SDK's stream."""

    def __init__(self, session: SessionTransport, others: WriteStream[SessionMessage]) -> None:
        self._session, self._others = session, others

    async def send(self, item: SessionMessage, /) -> None:
        """Send a message."""
        message, metadata = item.message, item.metadata
        whose = metadata.related_request_id if isinstance(metadata, ServerMessageMetadata) else None
        if isinstance(message, JSONRPCResponse | JSONRPCError):
            whose = message.id
        waiting = self._session._request_streams.get(str(whose)) if whose is not None else None
        if waiting is None:
            await self._others.send(item)
        else:
            with suppress(anyio.BrokenResourceError, anyio.ClosedResourceError):  # its client has gone
                await waiting[0].send(EventMessage(message))


def _is_answer(event: EventMessage) -> bool:
    return isinstance(event.message, JSONRPCResponse | JSONRPCError)
