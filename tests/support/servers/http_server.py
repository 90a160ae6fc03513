"""A small MCP server over Streamable HTTP on loopback that can be told to misbehave, written on a bare socket so that it can.

`async with http_server(fault="reset_in_call") as server:` gives its `url` and what it was asked (`server.requests`).
"""

import gzip
import json
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any, TypeVar
from urllib.parse import parse_qsl

import anyio
import anyio.abc
from anyio.streams.buffered import BufferedByteReceiveStream


@dataclass
class Request:
    """One HTTP request; `message` is its JSON-RPC message."""

    method: str
    path: str
    headers: dict[str, str]
    message: dict[str, Any]
    form: dict[str, str]


@dataclass
class HttpServer:
    """The scriptable server."""

    options: dict[str, Any]
    port: int = 0
    requests: list[Request] = field(default_factory=list)
    session: str = "s1"
    streams: int = 0
    """How many HTTP exchanges are under way."""

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/mcp"

    def asked(self, method: str) -> int:
        """How many JSON-RPC requests of that method, or HTTP requests of that verb, came in."""
        return sum(method in (request.message.get("method"), request.method) for request in self.requests)

    async def serve(self, stream: anyio.abc.SocketStream) -> None:
        self.streams += 1
        async with stream:
            try:
                request = await _read(stream)
                self.requests.append(request)
                await self.respond(request, stream)
            except (anyio.EndOfStream, anyio.IncompleteRead, anyio.BrokenResourceError, anyio.ClosedResourceError):
                return
            finally:
                self.streams -= 1

    async def respond(self, request: Request, stream: anyio.abc.SocketStream) -> None:
        method = request.message.get("method", request.method)
        fault = self.options.get("fault", "")
        special: Callable[..., Any] | None = getattr(self, f"{fault}__{method.replace('/', '_')}", None) or getattr(
            self, fault, None
        )
        if special is not None:
            return await special(request, stream)
        if "id" not in request.message:
            return await reply(stream, 405 if request.method == "GET" else 202)
        expected = self.options.get("require_session") and method not in ("initialize", "server/discover")
        if expected and request.headers.get("mcp-session-id") != self.session:
            return await reply(stream, 404)
        answer = getattr(self, f"on_{method.replace('/', '_')}", None)
        if answer is None:
            return await reply_json(stream, request, error={"code": -32601, "message": "Method not found"})
        headers = {"mcp-session-id": self.session} if method == "initialize" and self.options.get("require_session") else {}
        return await reply_json(stream, request, result=answer(request.message), headers=headers)

    def on_initialize(self, message: dict[str, Any]) -> dict[str, Any]:
        return {
            "protocolVersion": message["params"]["protocolVersion"],
            "capabilities": {"tools": {}},
            "serverInfo": {"name": "http-test", "version": "1"},
        }

    def on_ping(self, message: dict[str, Any]) -> dict[str, Any]:
        return {}

    def on_tools_list(self, message: dict[str, Any]) -> dict[str, Any]:
        return {"tools": [{"name": "echo", "inputSchema": {"type": "object"}}]}

    def on_tools_call(self, message: dict[str, Any]) -> dict[str, Any]:
        return {"content": [{"type": "text", "text": json.dumps(message["params"].get("arguments"))}]}

    async def silent(self, request: Request, stream: anyio.abc.SocketStream) -> None:
        await anyio.sleep_forever()

    async def hang__tools_call(self, request: Request, stream: anyio.abc.SocketStream) -> None:
        await anyio.sleep_forever()

    async def hang_all_but_first__tools_call(self, request: Request, stream: anyio.abc.SocketStream) -> None:
        if self.asked("tools/call") == 1:
            await anyio.sleep_forever()
        await reply_json(stream, request, result=self.on_tools_call(request.message))

    async def keep_alive_for_ever__tools_call(self, request: Request, stream: anyio.abc.SocketStream) -> None:
        await stream.send(b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\nconnection: close\r\n\r\n")
        while True:
            await stream.send(b": still here\n\n")
            await anyio.sleep(0.02)

    async def status(self, request: Request, stream: anyio.abc.SocketStream) -> None:
        await reply(stream, self.options["status"], b"sorry", headers=self.options.get("headers", {}))

    async def status_in_call__tools_call(self, request: Request, stream: anyio.abc.SocketStream) -> None:
        await reply(stream, self.options["status"], b"<html><b>busy</b></html>", headers=self.options.get("headers", {}))

    async def revokes_in_call__tools_call(self, request: Request, stream: anyio.abc.SocketStream) -> None:
        self.options = {"fault": "status", "status": 401}
        await reply(stream, 401)

    async def reset_in_call__tools_call(self, request: Request, stream: anyio.abc.SocketStream) -> None:
        if "boom" in json.dumps(request.message):
            return  # the connection closes without a byte
        await anyio.sleep(0.2)
        await reply_json(stream, request, result=self.on_tools_call(request.message))

    async def short_body__tools_call(self, request: Request, stream: anyio.abc.SocketStream) -> None:
        await stream.send(b'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 5000\r\n\r\n{"jsonrpc"')

    async def html__tools_call(self, request: Request, stream: anyio.abc.SocketStream) -> None:
        await reply(stream, 200, b"<html>login</html>", headers={"content-type": "text/html"})

    async def bad_json__tools_call(self, request: Request, stream: anyio.abc.SocketStream) -> None:
        await reply(stream, 200, b'{"jsonrpc": ', headers={"content-type": "application/json"})

    async def accepted__tools_call(self, request: Request, stream: anyio.abc.SocketStream) -> None:
        await reply(stream, 202)

    async def huge_json__tools_call(self, request: Request, stream: anyio.abc.SocketStream) -> None:
        await stream.send(b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\nconnection: close\r\n\r\n")
        for _ in range(1600):
            await stream.send(b"x" * 65536)

    async def gzip_bomb__tools_call(self, request: Request, stream: anyio.abc.SocketStream) -> None:
        headers = {"content-type": "application/json", "content-encoding": "gzip"}
        await reply(stream, 200, gzip.compress(b" " * (64 << 20), 1), headers=headers)

    async def huge_event__tools_call(self, request: Request, stream: anyio.abc.SocketStream) -> None:
        await stream.send(b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\nconnection: close\r\n\r\ndata: ")
        for _ in range(640):
            await stream.send(b"x" * 65536)

    async def raw_result__tools_call(self, request: Request, stream: anyio.abc.SocketStream) -> None:
        """The result as bytes, in JSON or as an event."""
        body = b'{"jsonrpc":"2.0","id":%d,"result":%s}' % (request.message["id"], self.options["raw"])
        if self.options.get("as_event"):
            await reply(stream, 200, b"data: " + body + b"\n\n", {"content-type": "text/event-stream"})
        else:
            await reply(stream, 200, body, {"content-type": "application/json"})

    raw_list__tools_list = raw_result__tools_call

    async def hang_up__tools_call(self, request: Request, stream: anyio.abc.SocketStream) -> None:
        body = b"id: 1\nretry: 5\ndata:\n\n"
        await reply(stream, 200, body, headers={"content-type": "text/event-stream"})

    hang_up__GET = hang_up__tools_call

    async def bad_chunks__tools_call(self, request: Request, stream: anyio.abc.SocketStream) -> None:
        head = b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n"
        await stream.send(head + b"zz\r\nnot a chunk\r\n")

    async def giant_header__tools_call(self, request: Request, stream: anyio.abc.SocketStream) -> None:
        await stream.send(b"HTTP/1.1 200 OK\r\nx-giant: ")
        for _ in range(64):
            await stream.send(b"x" * 65536)

    async def elsewhere__tools_call(self, request: Request, stream: anyio.abc.SocketStream) -> None:
        await reply(stream, 307, headers={"location": self.options["elsewhere"]})

    async def redirect__tools_call(self, request: Request, stream: anyio.abc.SocketStream) -> None:
        await reply(stream, 307, headers={"location": "http://127.0.0.2:9/mcp"})

    async def forgets_session__tools_call(self, request: Request, stream: anyio.abc.SocketStream) -> None:
        if self.session == "s1":
            self.session = "s2"
        if request.headers.get("mcp-session-id") != self.session:
            return await reply(stream, 404)
        return await reply_json(stream, request, result=self.on_tools_call(request.message))

    async def without_result_type__server_discover(self, request: Request, stream: anyio.abc.SocketStream) -> None:
        result = {"supportedVersions": ["2026-07-28"], "capabilities": {"tools": {}}, "resultType": "complete"}
        await reply_json(stream, request, result=result | {"ttlMs": 0, "cacheScope": "private"})


async def _read(stream: anyio.abc.SocketStream) -> Request:
    buffered = BufferedByteReceiveStream(stream)
    head = (await buffered.receive_until(b"\r\n\r\n", 65536)).decode("latin-1").split("\r\n")
    method, path, _ = head[0].split(" ", 2)
    headers = {name.strip().lower(): value.strip() for name, _, value in (line.partition(":") for line in head[1:])}
    body = await buffered.receive_exactly(int(headers.get("content-length", 0)))
    message = json.loads(body) if body and headers.get("content-type") == "application/json" else {}
    form = dict(parse_qsl(body.decode())) if headers.get("content-type") == "application/x-www-form-urlencoded" else {}
    return Request(method, path, headers, message, form)


async def reply(stream: anyio.abc.SocketStream, status: int, body: bytes = b"", headers: dict[str, str] | None = None) -> None:
    lines = [f"HTTP/1.1 {status} Test", f"content-length: {len(body)}", "connection: close"]
    lines += [f"{name}: {value}" for name, value in (headers or {}).items()]
    await stream.send("\r\n".join(lines).encode() + b"\r\n\r\n" + body)


async def reply_json(
    stream: anyio.abc.SocketStream, request: Request, *, headers: dict[str, str] | None = None, **answer: Any
) -> None:
    body = json.dumps({"jsonrpc": "2.0", "id": request.message["id"], **answer}).encode()
    await reply(stream, 200, body, {"content-type": "application/json", **(headers or {})})


@asynccontextmanager
async def http_server(**options: Any) -> AsyncIterator[HttpServer]:
    """The server, listening on a free port of loopback."""
    async with listening(HttpServer(options)) as server:
        yield server


ServerT = TypeVar("ServerT", bound=HttpServer)


@asynccontextmanager
async def listening(server: ServerT) -> AsyncIterator[ServerT]:
    """Any such server, on a free port of loopback."""
    listener = await anyio.create_tcp_listener(local_host="127.0.0.1")
    server.port = listener.extra(anyio.abc.SocketAttribute.local_port)
    async with listener, anyio.create_task_group() as tasks:
        tasks.start_soon(listener.serve, server.serve)
        yield server
        tasks.cancel_scope.cancel()
