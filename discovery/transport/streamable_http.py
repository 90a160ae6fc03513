"""A Streamable HTTP transport with size and time limits for untrusted servers.

The SDK's transport speaks the protocol; the HTTP client underneath is ours. Whatever goes wrong with one request becomes the
JSON-RPC error of that request, with HTTP status, Retry-After and cause in its `data` (`answers.HTTP`): the SDK would lose the
first two, and an exception out of the client would end every other call of the connection.
"""

import json
import re
from collections import deque
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from email.utils import parsedate_to_datetime
from typing import Any
from weakref import WeakValueDictionary

import anyio
import httpx2
from mcp.client.auth import OAuthFlowError
from mcp.client.sse import sse_client
from mcp.client.streamable_http import MCP_SESSION_ID, streamable_http_client
from mcp_types import INTERNAL_ERROR
from pydantic import ValidationError

from discovery.catalog import JsonObject
from discovery.discovery_errors import said_by
from discovery.servers.certificates import certificates
from discovery.servers.network import place, proxy_of, unreached
from discovery.servers.server_config import Launch
from discovery.timing.clock import SYSTEM_CLOCK, Clock
from discovery.transport.answers import HTTP
from discovery.transport.authorization.oauth import SignInNeeded
from discovery.transport.message_limits import (
    MOST_VALUES,
    ORDINARY_BYTES,
    READABLE_BYTES,
    cut_where_too_deep,
    too_large,
    values_in,
)
from discovery.transport.sdk import TransportStreams

MOST_ERROR_BYTES = 64 << 10
MOST_STREAMS = 20
"""Streams one may open within `STREAMS_WINDOW_S`; a server that hangs up at once would else be asked hundreds of times."""
STREAMS_WINDOW_S = 10.0
CONNECT_TIMEOUT_S = 10.0
SILENCE_TIMEOUT_S = 600.0
"""Between two bytes of a stream. Deadlines of calls are the caller's; this only ends what nobody waits for any more."""
NOTICE_TIMEOUT_S = 3.0
"""For messages that have no answer: the SDK sends nothing else until one is accepted."""

_UNSENT = (httpx2.ConnectError, httpx2.ConnectTimeout, httpx2.PoolTimeout, httpx2.UnsupportedProtocol, httpx2.ProxyError)
_FAILURES = (httpx2.HTTPError, httpx2.InvalidURL, httpx2.StreamError, OAuthFlowError, ValidationError, OSError)
_TAGS = re.compile(r"<[^>]*>")


@asynccontextmanager
async def guarded_http(
    launch: Launch, *, auth: httpx2.Auth | None = None, clock: Clock = SYSTEM_CLOCK
) -> AsyncIterator[TransportStreams]:
    """Exchange messages with a remote server; on the way out its session is ended, within a bound."""
    client = await anyio.to_thread.run_sync(lambda: GuardedClient(launch, auth, clock))  # it reads certificates from disk
    async with client:
        try:
            async with streamable_http_client(
                launch.url, http_client=client, terminate_on_close=False, max_sse_event_size=READABLE_BYTES
            ) as streams:
                yield streams
        finally:
            with anyio.move_on_after(NOTICE_TIMEOUT_S, shield=True):
                await client.end_session()


@asynccontextmanager
async def guarded_sse(
    launch: Launch, *, auth: httpx2.Auth | None = None, clock: Clock = SYSTEM_CLOCK
) -> AsyncIterator[TransportStreams]:
    """The same over the transport of 2024, for servers that have no other."""
    client = await anyio.to_thread.run_sync(lambda: GuardedClient(launch, auth, clock, answers_in_stream=True))

    async with sse_client(launch.url, httpx_client_factory=lambda headers=None, timeout=None, auth=None: client) as streams:
        yield streams


class GuardedClient(httpx2.AsyncClient):
    """An HTTP client for one MCP endpoint that answers every request and raises for none."""

    def __init__(self, launch: Launch, auth: httpx2.Auth | None, clock: Clock, *, answers_in_stream: bool = False) -> None:
        """`answers_in_stream`: whether answers come in one stream of events that is opened first, as in 2024."""
        self._proxy = proxy_of(launch.url)
        super().__init__(
            headers={**launch.headers, "accept-encoding": "identity"},
            timeout=httpx2.Timeout(CONNECT_TIMEOUT_S, read=SILENCE_TIMEOUT_S),
            auth=auth,
            verify=certificates(),
        )
        self._endpoint, self._clock, self._answers_in_stream = launch.url, clock, answers_in_stream
        self._session_id = ""
        self._opened: deque[float] = deque()
        self._under_way: dict[Any, Callable[[], None]] = {}
        self._streams: WeakValueDictionary[Any, httpx2.Response] = WeakValueDictionary()

    async def send(self, request: httpx2.Request, **options: Any) -> httpx2.Response:
        """Send like `AsyncClient.send`; a failure becomes a response with a JSON-RPC error."""
        message = _message(request)
        if request.method == "GET" and self._too_many_streams():
            return _refusal(request, {"status": 429, "cause": "it hangs up every stream at once"})
        if "id" not in message:
            request.extensions["timeout"] = {**request.extensions.get("timeout", {}), "read": _read_timeout_s(request)}
        if message.get("method") == "notifications/cancelled":
            await self._abort((message.get("params") or {}).get("requestId"))
        with anyio.CancelScope() as scope:
            if "id" in message:
                self._under_way[message["id"]] = scope.cancel
            try:
                response = await self._checked(await super().send(request, **options), str(message.get("method")))
            except SignInNeeded as error:
                response = _refusal(request, {"cause": str(error), "status": 401})
            except _FAILURES as error:
                response = _refusal(request, self._failure(error, request.url.netloc.decode()))
            finally:
                self._under_way.pop(message.get("id"), None)
            self._streams[message.get("id")] = response
            return response
        return _refusal(request, {"cause": "the call was cancelled", "sent": True})

    def _failure(self, error: Exception, authority: str) -> JsonObject:
        if not isinstance(error, _UNSENT):
            return {"cause": said_by(error), "sent": True}
        refusal = str(error) if isinstance(error, httpx2.ProxyError) else ""
        return {"cause": f"{place(authority, self._proxy)}: {unreached(error, self._proxy, refusal=refusal)}", "sent": False}

    async def end_session(self) -> None:
        """Tell the server that we are done with it."""
        if self._session_id:
            await self.request("DELETE", self._endpoint, headers={MCP_SESSION_ID: self._session_id})

    async def _checked(self, response: httpx2.Response, method: str) -> httpx2.Response:
        """The response as the SDK may see it: errors explained, JSON whole and within bounds, streams as they come."""
        self._session_id = response.headers.get(MCP_SESSION_ID, self._session_id)
        kind = response.headers.get("content-type", "").partition(";")[0].strip().lower()
        if response.headers.get("content-encoding", "identity") != "identity":
            await response.aclose()
            return _refusal(response.request, {"cause": "it compressed its answer, which it was asked not to do", "sent": True})
        if response.request.method == "GET" and self._answers_in_stream and kind == "text/event-stream":
            response.stream = _Shallow(_Weighed(response.stream, READABLE_BYTES))
        if response.request.method != "POST" or response.is_redirect:
            return response
        if response.status_code >= 400:
            return await self._explained(response, kind)
        listing = method.endswith("/list")
        most = ORDINARY_BYTES if listing else READABLE_BYTES
        if kind == "application/json":
            return await self._whole(response, most, listing=listing)
        if kind == "text/event-stream":
            weighed = _Weighed(response.stream, most)
            response.stream = _Shallow(weighed) if listing else weighed
        return response

    async def _whole(self, response: httpx2.Response, most: int, *, listing: bool = False) -> httpx2.Response:
        body = await _read(response, most)
        if why := f"it sent a message of more than {most} bytes; ask for less of it" if body is None else too_large(body):
            return _refusal(response.request, {"cause": why, "unreadable": True})
        text = _utf8(body or b"")
        return _response(response.request, response.status_code, cut_where_too_deep(text) if listing else text, response.headers)

    async def _explained(self, response: httpx2.Response, kind: str) -> httpx2.Response:
        """An error response; unless it says in JSON-RPC what is wrong, it is made to."""
        body = await _read(response, MOST_ERROR_BYTES) or b""
        status = response.status_code
        in_session = MCP_SESSION_ID in response.request.headers
        if (status == 404 and in_session) or (status in (400, 404) and _is_jsonrpc_error(body, kind)):
            return _response(response.request, status, body, response.headers)  # the SDK reads meaning into these
        words = " ".join(_TAGS.sub(" ", body[:2000].decode("utf-8", "replace")).split())[:200]
        detail = {"status": status, "cause": f"HTTP {status} {response.reason_phrase}" + (f": {words}" if words else "")}
        if (retry_after_s := _retry_after_s(response.headers.get("retry-after", ""), self._clock.now())) is not None:
            detail["retry_after_s"] = retry_after_s
        return _refusal(response.request, detail, response.headers)

    def _too_many_streams(self) -> bool:
        now = self._clock.monotonic()
        while self._opened and now - self._opened[0] > STREAMS_WINDOW_S:
            self._opened.popleft()
        self._opened.append(now)
        return len(self._opened) > MOST_STREAMS

    async def _abort(self, request_id: Any) -> None:
        """Stop waiting for the answer to a request that was cancelled: the SDK leaves its stream open as long as the server
        likes."""
        if (stop := self._under_way.get(request_id)) is not None:
            stop()
        elif (response := self._streams.pop(request_id, None)) is not None:
            await response.aclose()


class _Weighed(httpx2.AsyncByteStream):
    """A stream of events none of which may hold more bytes or values than can be read."""

    def __init__(self, stream: Any, most: int) -> None:
        self._stream, self._most = stream, most

    async def __aiter__(self) -> AsyncIterator[bytes]:
        size = values = 0
        async for chunk in self._stream:
            if b"\n\n" in chunk or b"\r\n\r\n" in chunk:  # another event begins: no JSON holds an empty line
                size = values = 0
            size, values = size + len(chunk), values + values_in(chunk)
            if size > self._most:
                raise httpx2.SSEError(f"it sent a message of more than {self._most} bytes; ask for less of it")
            if size > ORDINARY_BYTES and values > MOST_VALUES:
                raise httpx2.SSEError(f"it sent a message of more than {MOST_VALUES} values; ask for less of it")
            yield chunk

    async def aclose(self) -> None:
        await self._stream.aclose()


class _Shallow(httpx2.AsyncByteStream):
    """A stream of events in which what is nested too deep is cut, so that one schema costs no whole listing."""

    def __init__(self, stream: httpx2.AsyncByteStream) -> None:
        self._stream = stream

    async def __aiter__(self) -> AsyncIterator[bytes]:
        held = bytearray()
        async for chunk in self._stream:
            unread = max(0, len(held) - len(b"\r\n\r"))
            held += chunk
            ends = (found + len(blank) for blank in _BLANK_LINES if (found := held.rfind(blank, unread)) >= 0)
            end = max(ends, default=0)
            if end:
                yield cut_where_too_deep(bytes(held[:end]))
                del held[:end]
        if held:
            yield cut_where_too_deep(bytes(held))

    async def aclose(self) -> None:
        await self._stream.aclose()


_BLANK_LINES = (b"\n\n", b"\r\n\r\n")
"""What ends an event."""


def _message(request: httpx2.Request) -> JsonObject:
    """The JSON-RPC message a request carries; empty when it carries none, as in the steps of signing in."""
    if request.method != "POST" or request.headers.get("content-type") != "application/json":
        return {}
    with suppress(ValueError, httpx2.RequestNotRead):
        message = json.loads(request.content)
        return message if isinstance(message, dict) else {}
    return {}


def _read_timeout_s(request: httpx2.Request) -> float:
    return SILENCE_TIMEOUT_S if request.method == "GET" else NOTICE_TIMEOUT_S


async def _read(response: httpx2.Response, most: int) -> bytes | None:
    """The body; None when it is larger than that."""
    body = bytearray()
    try:
        async for chunk in response.aiter_raw():
            body += chunk
            if len(body) > most:
                return None
    finally:
        await response.aclose()
    return bytes(body)


def _utf8(body: bytes) -> bytes:
    """The same with a mark in place of what is no UTF-8: the SDK would refuse the whole answer for one byte."""
    try:
        body.decode()
    except UnicodeDecodeError:
        return body.decode("utf-8", "replace").encode()
    return body


def _response(request: httpx2.Request, status: int, body: bytes, headers: httpx2.Headers) -> httpx2.Response:
    forwarded = {name: value for name, value in headers.items() if name not in ("content-length", "transfer-encoding")}
    return httpx2.Response(status, headers=forwarded, content=body, request=request)


def _refusal(request: httpx2.Request, detail: JsonObject, headers: httpx2.Headers | None = None) -> httpx2.Response:
    """A JSON-RPC error for the request; the SDK puts the request's own id in place of the missing one."""
    error = {"code": INTERNAL_ERROR, "message": detail["cause"], "data": {HTTP: detail}}
    body = json.dumps({"jsonrpc": "2.0", "id": None, "error": error}).encode()
    typed = httpx2.Headers(headers)
    typed["content-type"] = "application/json"
    return _response(request, detail.get("status", 502), body, typed)


def _is_jsonrpc_error(body: bytes, kind: str) -> bool:
    if kind != "application/json":
        return False
    with suppress(ValueError, RecursionError):
        parsed = json.loads(body)
        return isinstance(parsed, dict) and isinstance(parsed.get("error"), dict)
    return False


def _retry_after_s(value: str, now: float) -> float | None:
    """Retry-After in seconds, from either of its two forms (RFC 9110, 10.2.3)."""
    if value.strip().isdigit():
        return float(value)
    with suppress(ValueError):
        return max(0.0, parsedate_to_datetime(value).timestamp() - now)
    return None
