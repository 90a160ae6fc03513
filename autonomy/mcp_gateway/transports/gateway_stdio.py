"""Serves the gateway over stdio: reads and writes on the event loop, with a limit on request size."""

import asyncio
import json
import os
import re
import stat
import sys
from collections import deque
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import asynccontextmanager, suppress
from typing import Any

import anyio
import anyio.lowlevel
import mcp_types as types
from mcp.server.lowlevel import Server
from mcp.server.runner import serve_loop
from mcp.server.stdio import stdio_server
from mcp.shared.message import SessionMessage
from mcp_types.jsonrpc import jsonrpc_message_adapter

from autonomy.mcp_gateway.past_writes import OnDelivery
from discovery.transport.local.stdio import encoded
from discovery.transport.sdk import OwnRead, OwnWrite

CHUNK_BYTES = 65_536
LARGEST_LINE = 4_000_000
"""Bytes of one request, as over HTTP."""
MOST_AHEAD = 8
"""How many messages before the first request are kept."""
_ENDS = 1_024
_ID = re.compile(rb'"id"\s*:\s*("(?:[^"\\]|\\.){0,64}"|-?\d{1,18})')


def are_pipes() -> bool:
    """Whether our stdin and stdout are pipes or sockets, as from a client, and neither files nor terminals."""
    modes = [os.fstat(stream.fileno()).st_mode for stream in (sys.stdin, sys.stdout)]
    return all(stat.S_ISFIFO(mode) or stat.S_ISSOCK(mode) for mode in modes)


@asynccontextmanager
async def stdio_streams(owed: dict[types.RequestId, OnDelivery]) -> AsyncIterator[tuple[Any, Any]]:
    """Yield streams for the SDK over our stdin and stdout, without its two threads, which take a quarter of the time of a call.

    Meanwhile everything that is printed to stdout goes to stderr. For files and terminals the SDK's own streams are used.
    `owed`: functions that are called with whether the answer to a request was sent.
    """
    if not are_pipes():
        async with stdio_server() as streams:
            yield streams
        return
    sys.stdout.flush()
    incoming, outgoing = os.dup(0), os.dup(1)
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    os.dup2(2, 1)
    loop = asyncio.get_running_loop()
    reader = asyncio.StreamReader(limit=CHUNK_BYTES)
    reading, _ = await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), os.fdopen(incoming, "rb", 0))
    writing, protocol = await loop.connect_write_pipe(asyncio.streams.FlowControlMixin, os.fdopen(outgoing, "wb", 0))
    written = OwnStdout(asyncio.StreamWriter(writing, protocol, None, loop), owed)
    try:
        yield Requests(StdinLines(reader, written)), written
    finally:
        reading.close()
        writing.close()


class OwnStdout(OwnWrite):
    """Our stdout as a `WriteStream`. The sender writes to the pipe itself, without a task in between."""

    def __init__(self, writer: asyncio.StreamWriter, owed: dict[types.RequestId, OnDelivery]) -> None:
        self._writer, self._owed = writer, owed

    async def send(self, item: SessionMessage, /) -> None:
        """Send a message."""
        if self._closed:
            raise anyio.ClosedResourceError
        message = item.message
        on_delivery = self._owed.pop(message.id, None) if isinstance(message, types.JSONRPCResponse) and self._owed else None
        written = await self.write(encoded(message))
        if on_delivery is not None:
            on_delivery(written)

    async def write(self, line: bytes) -> bool:
        """Write a line, and wait until there is room for more. Returns False if the client has gone."""
        self._writer.write(line + b"\n")
        try:
            await self._writer.drain()
        except ConnectionError:
            return False
        return True


async def serve_stdio(server: Server[Any], owed: dict[types.RequestId, OnDelivery]) -> None:
    """Serve the client on our stdin and stdout until it closes its end, in the protocol version of its first request.

    If that is an earlier version, the SDK's loop is called directly, because `Server.run` passes each request through more tasks.
    """
    async with stdio_streams(owed) as (read, write):
        if isinstance(read, Requests) and await read.opens_with("initialize"):
            read.refuse_later_era = write
            await serve_loop(server, read, write, lifespan_state={}, init_options=server.create_initialization_options())
        else:
            await server.run(read, write, server.create_initialization_options())


class Requests(OwnRead):
    """The client's messages as a `ReadStream`. A message that cannot be read is returned as an exception."""

    refuse_later_era: OwnStdout | None = None
    """To which requests of 2026-07-28 are refused, once the client has begun with an earlier revision."""

    def __init__(self, lines: "StdinLines") -> None:
        self._lines = aiter(lines)
        self._ahead: deque[SessionMessage | Exception] = deque()

    async def opens_with(self, method: str) -> bool:
        """Whether the first request is for that method. All messages up to it are kept for `receive`."""
        while len(self._ahead) < MOST_AHEAD:
            try:
                item = await self._next()
            except anyio.EndOfStream:
                return False
            self._ahead.append(item)
            if isinstance(item, SessionMessage) and isinstance(item.message, types.JSONRPCRequest):
                return item.message.method == method
        return False

    async def receive(self) -> SessionMessage | Exception:
        """Return the next message. Raises `EndOfStream`."""
        while True:
            item = self._ahead.popleft() if self._ahead else await self._next()
            if self.refuse_later_era is None or (later := _of_later_era(item)) is None:
                return item
            error = types.ErrorData(code=types.INVALID_REQUEST, message="this connection was begun in an earlier revision")
            refused = types.JSONRPCError(jsonrpc="2.0", id=later.id, error=error)
            await self.refuse_later_era.send(SessionMessage(refused))

    async def _next(self) -> SessionMessage | Exception:
        try:
            line = await anext(self._lines)
        except StopAsyncIteration:
            raise anyio.EndOfStream from None
        try:
            return SessionMessage(jsonrpc_message_adapter.validate_json(line, by_name=False))
        except ValueError as error:
            return error

    async def aclose(self) -> None:
        """Stop reading."""
        await self._lines.aclose()


class StdinLines:
    """Reads the lines of our stdin. A line that is too long is skipped, and its request answered with an error."""

    def __init__(self, reader: asyncio.StreamReader, written: OwnStdout, largest: int = LARGEST_LINE) -> None:
        self._reader, self._written, self._largest = reader, written, largest

    async def __aiter__(self) -> AsyncGenerator[str]:
        """Yield each line, until the client closes its end."""
        parts: list[bytes] = []
        size = 0
        with suppress(ConnectionError):
            while chunk := await self._reader.read(CHUNK_BYTES):
                *ends, rest = chunk.split(b"\n")
                for number, end in enumerate(ends):
                    if number:
                        await anyio.lowlevel.checkpoint()  # so that many requests at once do not block the event loop
                    line = b"".join([*parts, end])
                    size += len(end)
                    if size > self._largest:
                        await self._refuse(line)
                    else:
                        yield line.decode("utf-8", "replace")
                    parts, size = [], 0
                parts.append(rest)
                size += len(rest)
                if size > self._largest and len(parts) > 2:
                    whole = b"".join(parts)
                    parts = [whole[:_ENDS], whole[-_ENDS:]]
            if 0 < size <= self._largest:  # a client that ends its input may leave out the end of the last line
                yield b"".join(parts).decode("utf-8", "replace")

    async def _refuse(self, line: bytes) -> None:
        """Answer a request that is too long, so that its client does not wait."""
        found = _ID.search(line[:_ENDS]) or _ID.search(line[-_ENDS:])
        if found is None:
            return
        error = {"code": types.INVALID_REQUEST, "message": f"a request may have {self._largest} bytes"}
        await self._written.write(json.dumps({"jsonrpc": "2.0", "id": json.loads(found[1]), "error": error}).encode())


def _of_later_era(item: SessionMessage | Exception) -> types.JSONRPCRequest | None:
    """Return the request if it names its protocol version, as every request does from 2026-07-28 on; else None."""
    message = item.message if isinstance(item, SessionMessage) else None
    if not isinstance(message, types.JSONRPCRequest) or message.method == "initialize":
        return None
    meta = (message.params or {}).get("_meta")
    return message if isinstance(meta, dict) and types.PROTOCOL_VERSION_META_KEY in meta else None
