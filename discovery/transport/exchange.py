"""Sends tool calls over a connection and routes each answer, bypassing the SDK's session.

The session copies and validates the messages of a call four times, which takes longer than most calls. Only tool calls are sent
here; the session handles the rest of the protocol.
"""

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import count
from typing import Any

import anyio
from mcp import MCPError
from mcp.shared.dispatcher import ProgressFnT
from mcp.shared.message import ClientMessageMetadata, SessionMessage
from mcp_types import CONNECTION_CLOSED, JSONRPCError, JSONRPCNotification, JSONRPCRequest, JSONRPCResponse, RequestId
from opentelemetry.propagate import inject

from discovery.catalog import JsonObject
from discovery.schemas.schema_walk import is_number
from discovery.transport.sdk import WriteStream

FIRST_ID = 1 << 30
"""The SDK's session numbers its requests from 1; both share a connection."""
MOST_ABANDONED = 1_000
"""Requests that nobody waits for any more, whose late answers are still heard."""
MOST_PROGRESS = 100
"""Progress reports that wait for a slow caller; older ones are dropped."""


@dataclass(eq=False)
class _Waiting:
    """A request that has no answer yet."""

    news: anyio.Event = field(default_factory=anyio.Event)
    progress: deque[tuple[float, float | None, str | None]] = field(default_factory=lambda: deque(maxlen=MOST_PROGRESS))
    answer: JSONRPCResponse | JSONRPCError | None = None
    on_answer: Callable[[], None] = lambda: None


@dataclass(eq=False)
class Exchange:
    """The requests of one connection that wait for their answers."""

    on_question: Callable[[RequestId], None] = lambda _: None
    """Called with the id of each request of the server, in the order in which its messages come."""
    closed: bool = False
    _write: WriteStream[SessionMessage] | None = None
    _ids: "count[int]" = field(default_factory=lambda: count(FIRST_ID))
    _waiting: dict[RequestId, _Waiting] = field(default_factory=dict)
    _abandoned: dict[RequestId, Callable[[], None]] = field(default_factory=dict)
    """Of each request that its caller gave up, its `on_answer`."""

    def opened(self, write: WriteStream[SessionMessage]) -> None:
        """Set the stream on which messages are sent, now that the connection is open."""
        self._write = write

    async def request(
        self,
        method: str,
        params: JsonObject,
        *,
        headers: dict[str, str] | None = None,
        on_progress: ProgressFnT,
        on_answer: Callable[[], None] = lambda: None,
    ) -> JsonObject:
        """Send a request and return its result. `headers` are added to it over HTTP.

        Raises MCPError if the answer is an error, or if the connection ends. If cancelled, it notifies the server. `on_answer`
        is called as soon as the server has answered, also if that comes late: it works on the request no more.
        """
        if self._write is None or self.closed:
            raise _connection_ended()
        request_id, waiting = next(self._ids), _Waiting(on_answer=on_answer)
        meta = {**params.get("_meta", {}), "progressToken": request_id}
        inject(meta)  # W3C trace context (SEP-414)
        message = JSONRPCRequest(jsonrpc="2.0", id=request_id, method=method, params={**params, "_meta": meta})
        self._waiting[request_id] = waiting
        try:
            try:
                await self._write.send(SessionMessage(message, ClientMessageMetadata(headers=headers) if headers else None))
            except (anyio.BrokenResourceError, anyio.ClosedResourceError):
                raise _connection_ended() from None
            while True:
                while waiting.progress:
                    await on_progress(*waiting.progress.popleft())
                if isinstance(waiting.answer, JSONRPCResponse):
                    return waiting.answer.result
                if waiting.answer is not None:
                    raise MCPError.from_error_data(waiting.answer.error)
                if self.closed:
                    raise _connection_ended()
                await waiting.news.wait()
                if waiting.answer is None:
                    waiting.news = anyio.Event()
        except anyio.get_cancelled_exc_class():
            with anyio.CancelScope(shield=True):
                await self._cancel(request_id)
            if waiting.answer is None:
                self._abandoned[request_id] = on_answer
                if len(self._abandoned) > MOST_ABANDONED:
                    del self._abandoned[next(iter(self._abandoned))]
            raise
        finally:
            del self._waiting[request_id]

    async def _cancel(self, request_id: RequestId) -> None:
        """Tell the server that nobody waits for the answer any more."""
        params = {"requestId": request_id, "reason": "caller cancelled"}
        message = JSONRPCNotification(jsonrpc="2.0", method="notifications/cancelled", params=params)
        try:
            if self._write is not None:
                await self._write.send(SessionMessage(message))
        except (anyio.BrokenResourceError, anyio.ClosedResourceError):
            pass

    def took(self, item: SessionMessage | Exception) -> bool:
        """Take a message if it answers a request that was sent here; return whether it did. The session need not see it then."""
        message = item.message if isinstance(item, SessionMessage) else None
        match message:
            case JSONRPCResponse() | JSONRPCError() if (waiting := self._whose(message.id)) is not None:
                waiting.answer = message
                waiting.on_answer()
            case JSONRPCResponse() | JSONRPCError():
                self._abandoned.pop(_as_ours(message.id), lambda: None)()
                return False
            case JSONRPCNotification(method="notifications/progress", params=dict() as params) if (
                waiting := self._whose(params.get("progressToken"))
            ) is not None and is_number(params.get("progress")):
                total, words = params.get("total"), params.get("message")
                waiting.progress.append(
                    (params["progress"], total if is_number(total) else None, words if isinstance(words, str) else None)
                )
            case JSONRPCRequest():
                self.on_question(message.id)
                return False
            case _:
                return False
        waiting.news.set()
        return True

    def close(self) -> None:
        """Fail all waiting requests, because the connection has ended."""
        self.closed = True
        for waiting in self._waiting.values():
            waiting.news.set()

    def _whose(self, request_id: Any) -> _Waiting | None:
        """Return the waiting request with this id."""
        return self._waiting.get(_as_ours(request_id))


def _as_ours(request_id: Any) -> int:
    """An id of ours as it was sent, since some servers return the number as text; -1 for any other."""
    if isinstance(request_id, str) and request_id.isascii() and request_id.isdigit() and len(request_id) < 20:
        return int(request_id)
    return request_id if isinstance(request_id, int) else -1


def _connection_ended() -> MCPError:
    return MCPError(code=CONNECTION_CLOSED, message="Connection closed")
