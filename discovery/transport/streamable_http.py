"""A Streamable HTTP transport with size and time limits for untrusted servers.

The protocol is implemented by the SDK's transport, and the HTTP client below it is ours. Any failure of a request becomes its
JSON-RPC error, with HTTP status, Retry-After and cause in the `data` (`answers.HTTP`): the SDK would lose the first two, and an
exception of the client would end all other calls of the connection.
"""

import json
import re
from collections import deque
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from typing import Any
from weakref import WeakValueDictionary

import anyio
import httpx2
from mcp.client.auth import OAuthFlowError
from mcp.client.sse import sse_client
from mcp.client.streamable_http import MCP_SESSION_ID, streamable_http_client
from mcp_types import INTERNAL_ERROR
from pydantic import ValidationError
from sqlalchemy.exc import SQLAlchemyError

from discovery.catalog import JsonObject
from discovery.discovery_errors import said_by, words_of
from discovery.servers.certificates import certificates
from discovery.servers.network import place, proxy_of, unreached
from discovery.servers.server_config import Launch
from discovery.timing.clock import SYSTEM_CLOCK, Clock
from discovery.timing.retry_after import seconds_asked
from discovery.transport.answers import HTTP
from discovery.transport.authorization.oauth import SignInNeeded
from discovery.transport.authorization.sign_in_requests import ANSWER_S, OF_THE_SERVER, SignInRequests
from discovery.transport.message_limits import (
    MOST_VALUES,
    ORDINARY_BYTES,
    READABLE_BYTES,
    cut_where_too_deep,
    too_large,
    values_in,
    without_halves,
)
from discovery.transport.sdk import TransportStreams
from discovery.transport.silence import SignsOfLife

MOST_ERROR_BYTES = 64 << 10
MOST_STREAMS = 20
"""Streams that may be opened within `STREAMS_WINDOW_S`, because the SDK reconnects at once to a server that hangs up."""
STREAMS_WINDOW_S = 10.0
CONNECT_TIMEOUT_S = 10.0
SILENCE_TIMEOUT_S = 600.0
"""Between two bytes of a stream. Callers have deadlines of their own; this one ends streams that nobody waits for any more."""
LONGEST_WAIT_S = 86_400.0
"""What a server that is busy may ask for."""
NOTICE_TIMEOUT_S = 3.0
"""For messages without an answer: the SDK sends nothing else until such a message is accepted."""

_UNSENT = (httpx2.ConnectError, httpx2.ConnectTimeout, httpx2.PoolTimeout, httpx2.UnsupportedProtocol, httpx2.ProxyError)
_FAILURES = (httpx2.HTTPError, httpx2.InvalidURL, httpx2.StreamError, OAuthFlowError, ValidationError, OSError)
_TAGS = re.compile(r"<(script|style)\b.*?</\1>|<[^>]*>", re.DOTALL | re.IGNORECASE)
_WRONG_PATH = "; is the path of its address right? many servers end in /mcp"


@asynccontextmanager
async def guarded_http(
    launch: Launch, *, auth: httpx2.Auth | None = None, clock: Clock = SYSTEM_CLOCK, signs: SignsOfLife | None = None
) -> AsyncIterator[TransportStreams]:
    """Exchange messages with a remote server; on leaving, its session is ended, within `NOTICE_TIMEOUT_S`."""
    # it reads certificates from disk
    client = await anyio.to_thread.run_sync(lambda: GuardedClient(launch, auth, clock, signs=signs))
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
    launch: Launch, *, auth: httpx2.Auth | None = None, clock: Clock = SYSTEM_CLOCK, signs: SignsOfLife | None = None
) -> AsyncIterator[TransportStreams]:
    """Exchange messages over the HTTP+SSE transport of revision 2024-11-05, for servers that have no other."""
    client = await anyio.to_thread.run_sync(lambda: GuardedClient(launch, auth, clock, signs=signs, answers_in_stream=True))

    async with sse_client(launch.url, httpx_client_factory=lambda headers=None, timeout=None, auth=None: client) as streams:
        yield streams


class GuardedClient(httpx2.AsyncClient):
    """An HTTP client for one MCP endpoint. It returns a response for every failure and raises nothing."""

    def __init__(
        self,
        launch: Launch,
        auth: httpx2.Auth | None,
        clock: Clock,
        *,
        signs: SignsOfLife | None = None,
        answers_in_stream: bool = False,
    ) -> None:
        """`answers_in_stream`: whether all answers arrive in one stream that is opened first, as in HTTP+SSE."""
        proxy_of(launch.url)  # names the variable that cannot be used
        super().__init__(
            headers={**launch.headers, "accept-encoding": "identity"},
            timeout=httpx2.Timeout(CONNECT_TIMEOUT_S, read=SILENCE_TIMEOUT_S),
            auth=auth,
            verify=certificates(),
            event_hooks=SignInRequests(launch.url).hooks,
        )
        self._endpoint, self._clock, self._answers_in_stream = launch.url, clock, answers_in_stream
        self._signs = signs
        self._session_id = ""
        self._opened: deque[float] = deque()
        self._under_way: dict[Any, Callable[[], None]] = {}
        self._streams: WeakValueDictionary[Any, httpx2.Response] = WeakValueDictionary()

    async def send(self, request: httpx2.Request, **options: Any) -> httpx2.Response:
        """Send like `AsyncClient.send`; a failure becomes a response with a JSON-RPC error."""
        message = _message(request)
        request.extensions[OF_THE_SERVER] = True
        if self._signs is not None and self._signs.owed():
            request.extensions["trace"] = self._signs.trace
        if request.method == "GET" and self._too_many_streams():
            return _refusal(request, {"status": 429, "cause": "it hangs up every stream at once"})
        if "id" not in message:
            read_timeout_s = SILENCE_TIMEOUT_S if request.method == "GET" else NOTICE_TIMEOUT_S
            request.extensions["timeout"] = {**request.extensions.get("timeout", {}), "read": read_timeout_s}
        if message.get("method") == "notifications/cancelled":
            await self._abort((message.get("params") or {}).get("requestId"))
        with anyio.CancelScope() as scope:
            if "id" in message:
                self._under_way[message["id"]] = scope.cancel
            try:
                response = await self._checked(
                    await super().send(request, **options),
                    str(message.get("method")),
                    is_request="id" in message and "method" in message,
                )
            except SignInNeeded as error:
                response = _refusal(request, {"cause": str(error), "status": 401})
            except _FAILURES as error:
                response = _refusal(request, self._failure(error, request))
            except SQLAlchemyError as error:  # nothing is sent, or the server has refused it
                response = _refusal(request, {"cause": f"its sign-in cannot be read or stored: {words_of(error)}", "sent": False})
            finally:
                self._under_way.pop(message.get("id"), None)
            self._streams[message.get("id")] = response
            return response
        return _refusal(request, {"cause": "the call was cancelled", "sent": True})

    def _failure(self, error: Exception, request: httpx2.Request) -> JsonObject:
        failed = _request_of(error) or request  # where its sign-in failed, the call was not sent, or was refused
        if isinstance(error, OAuthFlowError) or OF_THE_SERVER not in failed.extensions:
            return {"cause": f"its sign-in failed: {self._words(error, failed)}", "sent": False}
        if not isinstance(error, _UNSENT):
            return {"cause": said_by(error), "sent": True}
        return {"cause": self._words(error, failed), "sent": False}

    def _words(self, error: Exception, request: httpx2.Request) -> str:
        authority = request.url.netloc.decode()
        if isinstance(error, httpx2.ReadTimeout):
            return f"{authority} did not answer within {ANSWER_S:g} s"
        if not isinstance(error, _UNSENT):
            return said_by(error)
        proxy = proxy_of(str(request.url))
        refusal = str(error) if isinstance(error, httpx2.ProxyError) else ""
        return f"{place(authority, proxy)}: {unreached(error, proxy, refusal=refusal)}"

    async def end_session(self) -> None:
        """End the session with the server, if there is one."""
        if self._session_id:
            await self.request("DELETE", self._endpoint, headers={MCP_SESSION_ID: self._session_id})

    async def _checked(self, response: httpx2.Response, method: str, *, is_request: bool) -> httpx2.Response:
        """Return the response for the SDK: errors as JSON-RPC, JSON read whole and within limits, streams limited as they
        arrive."""
        self._session_id = response.headers.get(MCP_SESSION_ID, self._session_id)
        kind = response.headers.get("content-type", "").partition(";")[0].strip().lower()
        if response.headers.get("content-encoding", "identity") != "identity":
            await response.aclose()
            return _refusal(response.request, {"cause": "it compressed its answer, which it was asked not to do", "sent": True})
        if response.request.method == "GET" and self._answers_in_stream and kind == "text/event-stream":
            response.stream = _Mended(_Weighed(response.stream, READABLE_BYTES), listing=True)
        if response.request.method != "POST" or response.is_redirect:
            return response
        if response.status_code >= 400:
            return await self._explained(response, kind)
        if is_request and response.status_code != 202 and kind not in ("application/json", "text/event-stream"):
            return await self._not_mcp(response, kind)
        if self._signs is not None and self._signs.owed():
            response.stream = _Heard(response.stream, self._signs)
        listing = method.endswith("/list")
        most = ORDINARY_BYTES if listing else READABLE_BYTES
        if kind == "application/json":
            return await self._whole(response, most, listing=listing, is_request=is_request)
        if kind == "text/event-stream":
            response.stream = _Mended(_Weighed(response.stream, most), listing=listing)
        return response

    async def _whole(self, response: httpx2.Response, most: int, *, listing: bool, is_request: bool) -> httpx2.Response:
        body = await _read(response, most)
        if is_request and body is not None and b'"jsonrpc"' not in body:
            return _refusal(response.request, {"cause": _not_mcp(response, "application/json", body), "unreadable": True})
        if why := f"it sent a message of more than {most} bytes; ask for less of it" if body is None else too_large(body):
            return _refusal(response.request, {"cause": why, "unreadable": True})
        return _response(response.request, response.status_code, _mended(_utf8(body or b""), listing=listing), response.headers)

    async def _not_mcp(self, response: httpx2.Response, kind: str) -> httpx2.Response:
        """Return an error for an answer of another kind than MCP's, such as the page of a sign-in or of a proxy."""
        try:
            body = await _beginning(response)
        except httpx2.HTTPError:
            body = b""
        return _refusal(response.request, {"cause": _not_mcp(response, kind, body), "unreadable": True})

    async def _explained(self, response: httpx2.Response, kind: str) -> httpx2.Response:
        """Return an error response as a JSON-RPC error, unless it is one already."""
        body = await _read(response, MOST_ERROR_BYTES) or b""
        status = response.status_code
        in_session = MCP_SESSION_ID in response.request.headers
        if (status == 404 and in_session) or (status in (400, 404) and _is_jsonrpc_error(body, kind)):
            return _response(response.request, status, body, response.headers)  # the SDK interprets these itself
        words = _words_in(body)
        advice = _WRONG_PATH if status in (404, 405) else ""
        cause = f"HTTP {status} {response.reason_phrase}" + (f": {words}" if words else "") + advice
        detail = {"status": status, "cause": cause}
        if (asked_s := seconds_asked(response.headers.get("retry-after"), self._clock.now())) is not None:
            detail["retry_after_s"] = min(asked_s, LONGEST_WAIT_S)
        return _refusal(response.request, detail, response.headers)

    def _too_many_streams(self) -> bool:
        now = self._clock.monotonic()
        while self._opened and now - self._opened[0] > STREAMS_WINDOW_S:
            self._opened.popleft()
        self._opened.append(now)
        return len(self._opened) > MOST_STREAMS

    async def _abort(self, request_id: Any) -> None:
        """Stop waiting for the answer to a cancelled request, whose stream the SDK would leave open."""
        if (stop := self._under_way.get(request_id)) is not None:
            stop()
        elif (response := self._streams.pop(request_id, None)) is not None:
            await response.aclose()


class _Heard(httpx2.AsyncByteStream):
    """A body of which each part is a sign of life, since a long list takes a slow line a while; a comment that only keeps the
    connection open is none."""

    def __init__(self, stream: Any, signs: SignsOfLife) -> None:
        self._stream, self._signs = stream, signs

    async def __aiter__(self) -> AsyncIterator[bytes]:
        async for chunk in self._stream:
            if not chunk.startswith(b":"):
                self._signs.hear()
            yield chunk

    async def aclose(self) -> None:
        await self._stream.aclose()


class _Weighed(httpx2.AsyncByteStream):
    """A stream of server-sent events that fails at an event with too many bytes or values."""

    def __init__(self, stream: Any, most: int) -> None:
        self._stream, self._most = stream, most

    async def __aiter__(self) -> AsyncIterator[bytes]:
        size = values = 0
        async for chunk in self._stream:
            if any(blank in chunk for blank in _BLANK_LINES):
                size = values = 0
            size, values = size + len(chunk), values + values_in(chunk)
            if size > self._most:
                raise httpx2.SSEError(f"it sent a message of more than {self._most} bytes; ask for less of it")
            if size > ORDINARY_BYTES and values > MOST_VALUES:
                raise httpx2.SSEError(f"it sent a message of more than {MOST_VALUES} values; ask for less of it")
            yield chunk

    async def aclose(self) -> None:
        await self._stream.aclose()


class _Mended(httpx2.AsyncByteStream):
    """A stream of server-sent events in which what the parser would refuse is replaced (`_mended`)."""

    def __init__(self, stream: httpx2.AsyncByteStream, *, listing: bool) -> None:
        self._stream, self._listing = stream, listing

    async def __aiter__(self) -> AsyncIterator[bytes]:
        held = bytearray()
        async for chunk in self._stream:
            unread = max(0, len(held) - len(b"\r\n\r"))
            held += chunk
            ends = (found + len(blank) for blank in _BLANK_LINES if (found := held.rfind(blank, unread)) >= 0)
            end = max(ends, default=0)
            if end:
                yield _mended(bytes(held[:end]), listing=self._listing)
                del held[:end]
        if held:
            yield _mended(bytes(held), listing=self._listing)

    async def aclose(self) -> None:
        await self._stream.aclose()


_BLANK_LINES = (b"\n\n", b"\r\n\r\n")
"""The end of an event; JSON holds no empty line."""


def _request_of(error: Exception) -> httpx2.Request | None:
    """The request that failed, which may be one of a sign-in; None if the error names none."""
    with suppress(RuntimeError):
        return error.request if isinstance(error, httpx2.HTTPError) else None
    return None


def _message(request: httpx2.Request) -> JsonObject:
    """Return the JSON-RPC message of a request; empty if it has none, like the requests of a sign-in."""
    if request.method != "POST" or request.headers.get("content-type") != "application/json":
        return {}
    with suppress(ValueError, httpx2.RequestNotRead):
        message = json.loads(request.content)
        return message if isinstance(message, dict) else {}
    return {}


def _not_mcp(response: httpx2.Response, kind: str, body: bytes) -> str:
    """Say what came in place of an answer of MCP."""
    kinds = {"text/html": "a web page", "application/json": "JSON that is no MCP message", "": "no answer"}
    words = _words_in(body)
    return f"HTTP {response.status_code} with {kinds.get(kind, kind)}" + (f" ({words})" if words else "") + _WRONG_PATH


def _words_in(body: bytes) -> str:
    """The beginning of an answer that people can read, without markup."""
    return " ".join(_TAGS.sub(" ", body[:2000].decode("utf-8", "replace")).split())[:200]


async def _beginning(response: httpx2.Response) -> bytes:
    """Read what comes first, however much there is."""
    try:
        async for chunk in response.aiter_raw():
            return chunk
    finally:
        await response.aclose()
    return b""


async def _read(response: httpx2.Response, most: int) -> bytes | None:
    """Read the body; None if it has more than `most` bytes."""
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
    """Replace bytes that are not UTF-8, because the SDK would refuse the whole answer for one of them."""
    try:
        body.decode()
    except UnicodeDecodeError:
        return body.decode("utf-8", "replace").encode()
    return body


def _mended(message: bytes, *, listing: bool) -> bytes:
    message = without_halves(message)
    return cut_where_too_deep(message) if listing else message


def _response(request: httpx2.Request, status: int, body: bytes, headers: httpx2.Headers) -> httpx2.Response:
    forwarded = {name: value for name, value in headers.items() if name not in ("content-length", "transfer-encoding")}
    return httpx2.Response(status, headers=forwarded, content=body, request=request)


def _refusal(request: httpx2.Request, detail: JsonObject, headers: httpx2.Headers | None = None) -> httpx2.Response:
    """Return a response with a JSON-RPC error without an id; the SDK fills in the id of the request."""
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
