"""The gateway over stdio: reads and writes on the event loop, and bounds what a client may send at once."""

import asyncio
import json
import os
import re
import stat
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from typing import Any, cast

import anyio
from mcp.server.stdio import stdio_server
from mcp_types import INVALID_REQUEST

CHUNK_BYTES = 65_536
LARGEST_LINE = 4_000_000
"""Bytes of one request, as over HTTP."""
_ENDS = 1_024
_ID = re.compile(rb'"id"\s*:\s*("(?:[^"\\]|\\.){0,64}"|-?\d{1,18})')


@asynccontextmanager
async def stdio_streams() -> AsyncIterator[tuple[Any, Any]]:
    """The SDK's streams over our stdin and stdout, without its two threads, which cost a quarter of a call.

    Whatever prints to stdout meanwhile prints to stderr. What is no pipe (a file, a terminal) is left to the SDK.
    """
    if not all(_is_pipe(stream.fileno()) for stream in (sys.stdin, sys.stdout)):
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
    written = OwnStdout(asyncio.StreamWriter(writing, protocol, None, loop))
    try:
        lines = cast("anyio.AsyncFile[str]", StdinLines(reader, written))
        async with stdio_server(lines, cast("anyio.AsyncFile[str]", written)) as streams:
            yield streams
    finally:
        reading.close()
        writing.close()


class OwnStdout:
    """Our stdout, as far as the SDK uses a file."""

    def __init__(self, writer: asyncio.StreamWriter) -> None:
        self._writer = writer

    async def write(self, text: str) -> None:
        """Queue a line."""
        self._writer.write(text.encode("utf-8", "replace"))

    async def flush(self) -> None:
        """Wait until there is room for more. A client that has gone reads no answer."""
        with suppress(ConnectionError):
            await self._writer.drain()


class StdinLines:
    """The lines of our stdin; one that is too long is refused by its id, and read past."""

    def __init__(self, reader: asyncio.StreamReader, written: OwnStdout, largest: int = LARGEST_LINE) -> None:
        self._reader, self._written, self._largest = reader, written, largest

    async def __aiter__(self) -> AsyncIterator[str]:
        """Each, until the client closes its end."""
        parts: list[bytes] = []
        size = 0
        with suppress(ConnectionError):
            while chunk := await self._reader.read(CHUNK_BYTES):
                *ends, rest = chunk.split(b"\n")
                for end in ends:
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

    async def _refuse(self, line: bytes) -> None:
        """Answer a request that cannot be taken, so that its client need not wait."""
        found = _ID.search(line[:_ENDS]) or _ID.search(line[-_ENDS:])
        if found is None:
            return
        error = {"code": INVALID_REQUEST, "message": f"a request may have {self._largest} bytes"}
        await self._written.write(json.dumps({"jsonrpc": "2.0", "id": json.loads(found[1]), "error": error}) + "\n")
        await self._written.flush()


def _is_pipe(descriptor: int) -> bool:
    mode = os.fstat(descriptor).st_mode
    return stat.S_ISFIFO(mode) or stat.S_ISSOCK(mode)
