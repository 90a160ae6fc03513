"""A stdio transport with size and time limits for untrusted servers.

Unlike the SDK's own, it survives endless and huge lines, bytes that are not UTF-8, floods of messages, a server that stops
reading or ignores SIGTERM, and child processes that a server leaves behind.
"""

import json
import re
import signal
from asyncio import StreamReader
from collections import deque
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager

import anyio
import anyio.lowlevel
import anyio.to_thread
from mcp.shared.message import SessionMessage
from mcp_types import (
    METHOD_NOT_FOUND,
    PARSE_ERROR,
    ErrorData,
    JSONRPCError,
    JSONRPCMessage,
    JSONRPCNotification,
    JSONRPCRequest,
    JSONRPCResponse,
    RequestId,
)
from mcp_types.jsonrpc import jsonrpc_message_adapter
from pydantic_core import PydanticSerializationError, from_json

from discovery.servers.network import proxies_without_password
from discovery.servers.server_config import Launch
from discovery.text.redaction import Redaction, redact
from discovery.text.stack_traces import last_words
from discovery.timing.clock import SYSTEM_CLOCK, Clock
from discovery.transport.local import processes, stillness
from discovery.transport.local.child import CHUNK_BYTES, Child, Spares
from discovery.transport.local.server_log import LONGEST_LINE_BYTES, LineSplitter, ServerLog
from discovery.transport.message_limits import ORDINARY_BYTES, READABLE_BYTES, cut_where_too_deep, too_large, without_halves
from discovery.transport.sdk import OwnRead, OwnWrite, TransportStreams

AUTHORITIES = ("CURL_CA_BUNDLE", "NODE_EXTRA_CA_CERTS", "REQUESTS_CA_BUNDLE", "SSL_CERT_DIR", "SSL_CERT_FILE")
"""Variables that name a company's certificate authorities, without which `uvx` and `npx` cannot install behind its proxy."""

INHERITED = ("HOME", "JIRITSU_LANGUAGE", "LANG", "LOGNAME", "PATH", "SHELL", "TERM", "TMPDIR", "TZ", "USER", *AUTHORITIES)
"""The variables of our environment that a server gets, together with proxies without passwords; none holds a secret of ours."""

_SHOWN_NOISE = 100
"""Characters shown of a line that is no message."""
_ENDS = 1024
"""Bytes kept of the beginning and of the end of a line that is too long."""
_TOO_LONG = b"\x00too long\x00"
"""Replaces the middle of a line that is too long; JSON has no such byte."""
_ID = re.compile(rb'"id"\s*:\s*("(?:[^"\\]|\\.){0,64}"|-?\d{1,18})')


EXIT_S = 0.5
"""How long a process may take to end after it closed its stdout; later, it counts as running without stdout."""
LAST_WORDS_S = 0.5
"""How long the end of stderr may take to arrive after the process has ended."""


LOOK_S = 0.3
RESTING_LOOKS = 3
"""A server that owes an answer, and at so many looks in a row has done nothing since the first, is taken for hung."""
_PROBE = "server/discover"
_BEFORE_TOOLS = (_PROBE, "initialize", "tools/list")
"""The requests that a server has to answer before its tools are known."""


SKIPPED_BYTES = 64 << 20
"""A longer line is a fault of the server: it may never end."""
WRITE_TIMEOUT_S = 10.0
GRACE_S = 1.0
"""How long a server may take to end after its stdin was closed, and again after SIGTERM."""
NOISE_PER_S = 200
"""More lines on stdout within a second that are no JSON-RPC messages are a fault."""
UNASKED_PER_S = 200
"""Notifications and requests of the server; more are dropped, and fifty times as many are a fault."""
STDERR_BYTES = 64 << 10
"""How much of the end of stderr is kept for the error message."""


class _Fault(Exception):
    """The server broke a limit, so it is ended."""


@asynccontextmanager
async def guarded_stdio(
    launch: Launch,
    *,
    env: Mapping[str, str],
    on_fault: Callable[[str], None],
    clock: Clock = SYSTEM_CLOCK,
    log: ServerLog | None = None,
    spares: Spares | None = None,
    on_noise: Callable[[str], None] = lambda _: None,
    on_stillness: Callable[[], Awaitable[None]] | None = None,
) -> AsyncIterator[TransportStreams]:
    """Run the server, or a spare of it, and exchange messages with it; on leaving, it and everything it started are ended.

    `on_fault` is called with the reason why the connection broke, before the session notices. `on_noise` is called with the first
    line on stdout that is no message, `on_stillness` if the server does nothing although its greeting or its tools are awaited.
    `log` gets the server's stderr and those lines, without its secrets and anything that looks like a secret.
    Raises OSError if the command cannot be started.
    """
    inherited = {name: env[name] for name in INHERITED if name in env} | proxies_without_password(env)
    try:
        child = await Child.start(
            [launch.command, *launch.args], env=inherited | launch.env, cwd=launch.cwd or None, spares=spares
        )
    except FileNotFoundError as error:
        advice = await anyio.to_thread.run_sync(lambda: launch.advice)
        raise FileNotFoundError(error.errno, f"{error.strerror}{advice}", error.filename) from error
    redaction = Redaction(lambda: launch.given)
    server = _Server(child, clock, on_fault, on_noise, lambda text: redact(redaction.text(text)), log)
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(server.watch_stdin)
        tasks.start_soon(server.drain_stderr)
        if on_stillness is not None:
            tasks.start_soon(server.watch_start, on_stillness)
        try:
            yield server, _ToServer(server)
        finally:
            server.is_stopping = True
            with anyio.CancelScope(shield=True):
                try:
                    async with anyio.create_task_group() as ending:
                        ending.start_soon(server.discard_stdout)
                        await child.end(GRACE_S)
                        ending.cancel_scope.cancel()
                    await anyio.to_thread.run_sync(processes.kill_marked, child.mark)
                finally:
                    await server.stderr_read()  # returns at once, unless an escaped process holds the pipe
                    server.draining.cancel()
            tasks.cancel_scope.cancel()


class _ToServer(OwnWrite):
    """The `WriteStream` to a server. A write does not wait for a running server, which could hold a caller beyond its
    deadline."""

    def __init__(self, server: "_Server") -> None:
        self._server = server

    async def send(self, item: SessionMessage, /) -> None:
        """Send a message. Raises `BrokenResourceError` if the server accepts no more, once the reason is known."""
        if self._closed:
            raise anyio.ClosedResourceError
        try:
            self._server.write(item.message)
        except anyio.BrokenResourceError:
            await self._server.end_known()
            raise


class _Server(OwnRead):
    """One running server process. It is also the `ReadStream` of its messages, so no task is needed between pipe and session."""

    def __init__(
        self,
        child: "Child",
        clock: Clock,
        on_fault: Callable[[str], None],
        on_noise: Callable[[str], None],
        redacted: Callable[[str], str],
        log: ServerLog | None,
    ) -> None:
        self._child, self._clock = child, clock
        self._on_fault, self._on_noise, self._redacted, self._log = on_fault, on_noise, redacted, log
        self._stderr: deque[bytes] = deque()
        self._stderr_done = anyio.Event()
        self.draining = anyio.CancelScope(shield=True)
        """Cancelled after the end of stderr was read, so that what a server writes while it is being stopped is logged, too."""
        self._lines, self._line, self._size = deque[bytes](), bytearray(), 0
        self._over = False
        self._end_known = anyio.Event()
        self._backlog = anyio.Event()
        """Set when the server has not read everything that was written into its stdin."""
        self._owed: dict[RequestId, str] | None = {}
        """The requests of `_BEFORE_TOOLS` without an answer; None once the tools were listed."""
        self._noise, self._noise_second = 0, 0.0
        self._last_printed = ""
        """The last line on stdout that is no MCP message: some programs say there what is wrong."""
        self._stray: list[str] | None = None
        """Lines on stdout that are no messages, which the log does not have yet; None before the first."""
        self._second, self._unasked = 0.0, 0
        self.is_stopping = False
        """Whether it is being ended on purpose, which is no fault."""

    async def drain_stderr(self) -> None:
        """Read stderr, because a full pipe would stop the server; log it, and keep its end for the error message."""
        size, lines = 0, LineSplitter()
        with self.draining:
            while chunk := await _read_chunk(self._child.stderr):
                self._stderr.append(chunk)
                size += len(chunk)
                while size > STDERR_BYTES and len(self._stderr) > 1:
                    size -= len(self._stderr.popleft())
                await self._logged(lines.feed(chunk))
            await self._logged(lines.end())
        self._stderr_done.set()

    async def stderr_read(self) -> None:
        """Wait until all of stderr was read, for at most `LAST_WORDS_S`."""
        with anyio.move_on_after(LAST_WORDS_S):
            await self._stderr_done.wait()

    async def _logged(self, text: str) -> None:
        if self._log is not None and text:
            await self._log.write(self._redacted(text))

    async def receive(self) -> SessionMessage:
        """Return the next message. Raises `EndOfStream` once the server has ended or broken a limit, and
        `ClosedResourceError` once it is closed."""
        if self._closed:
            raise anyio.ClosedResourceError
        try:
            while not self._over:
                await self._log_stray_lines()
                if not self._lines:
                    await self._read_lines()
                else:
                    await anyio.lowlevel.checkpoint()  # a server that sends many lines at once must not block the event loop
                while self._lines:
                    if (message := self._message(self._lines.popleft())) is not None:
                        return SessionMessage(message)
        except _Fault as fault:
            self._over = True
            self._fail(str(fault))
        self._end_known.set()
        await self._log_stray_lines()
        raise anyio.EndOfStream

    def write(self, message: JSONRPCMessage) -> None:
        """Send a message. Raises `BrokenResourceError` if the server's end is closed; the reason becomes known on stdout."""
        try:
            self._child.write(encoded(message) + b"\n")
        except OSError:
            raise anyio.BrokenResourceError from None
        if self._child.unread[0]:
            self._backlog.set()
        if self._owed is not None and isinstance(message, JSONRPCRequest) and message.method in _BEFORE_TOOLS:
            self._owed[message.id] = message.method

    async def end_known(self) -> None:
        """Wait until the reader of stdout has reported why the server ended, because a write may fail before that.

        The wait is limited, because a server may close only its stdin.
        """
        with anyio.move_on_after(EXIT_S + LAST_WORDS_S):
            await self._end_known.wait()

    async def watch_stdin(self) -> None:
        """Watch until cancelled, and end a server that does not read its stdin, because its pipe stays blocked."""
        while True:
            await self._backlog.wait()
            self._backlog = anyio.Event()
            waiting, before = self._child.unread
            while waiting:
                await anyio.sleep(WRITE_TIMEOUT_S)
                waiting, sent = self._child.unread
                if waiting and sent == before:
                    return self._fail(f"it did not read its input for {WRITE_TIMEOUT_S:g} s")
                before = sent

    async def watch_start(self, on_stillness: Callable[[], Awaitable[None]]) -> None:
        """Watch until the tools are listed; of a server that does nothing, refuse its probe and at last tell.

        Some servers of an old revision ignore what they do not know, so they are greeted as one that refuses the probe.
        """
        looks = list[object]()
        while self._owed is not None:
            await anyio.sleep(LOOK_S)
            rest = await anyio.to_thread.run_sync(stillness.at_rest, self._child.pid) if self._owed else None
            look = None if rest is None or not self._owed else (rest, *self._owed)
            looks = [*looks, look] if look and look in looks else [look]
            if len(looks) < RESTING_LOOKS:
                continue
            probes = [request for request, method in (self._owed or {}).items() if method == _PROBE]
            if not probes:
                await on_stillness()
                return
            looks = []
            for request in probes:
                error = ErrorData(code=METHOD_NOT_FOUND, message="it does nothing about it")
                self._child.stdout.feed_data(encoded(JSONRPCError(jsonrpc="2.0", id=request, error=error)) + b"\n")

    def _settle(self, answer: JSONRPCResponse | JSONRPCError) -> None:
        if self._owed and answer.id is not None and self._owed.pop(answer.id, "") == "tools/list":
            self._owed = None

    async def _read_lines(self) -> None:
        """Wait for lines. Of a line that is too long, only its beginning and end are kept, where the id of its request stands."""
        chunk = await _read_chunk(self._child.stdout)
        if not chunk:
            self._over = True
            return await self._ended()
        *ends, rest = chunk.split(b"\n")
        for end in ends:
            self._line += end
            if line := self._line.strip(b"\r\n \t\xef\xbb\xbf"):
                self._lines.append(bytes(line))
            self._line, self._size = bytearray(), 0
        self._line += rest
        self._size += len(rest)
        if self._size > SKIPPED_BYTES:
            raise _Fault(f"it sent a message of more than {SKIPPED_BYTES} bytes")
        if self._size > READABLE_BYTES:
            self._line = self._line[:_ENDS] + _TOO_LONG + self._line[-_ENDS:]
        return None

    def _message(self, line: bytes) -> JSONRPCMessage | None:
        """Parse the message of a line; None for noise and for messages above the rate limit."""
        if _TOO_LONG in line[_ENDS : _ENDS + len(_TOO_LONG)]:
            return self._unreadable(line, f"it sent a message of more than {READABLE_BYTES} bytes; ask for less of it")
        if why := too_large(line):
            return self._unreadable(line, why)
        too_many = f"it sent a message of more than {ORDINARY_BYTES} bytes that answers no call"
        if len(line) > ORDINARY_BYTES and b'"tools"' in line[:_ENDS]:  # as listings begin: to parse one takes a third of a second
            return self._unreadable(line, too_many)
        line = without_halves(line)
        message = _parsed(line) or (_parsed(cut_where_too_deep(line)) if b'"tools"' in line[:_ENDS] else None)
        if message is None:
            return self._unreadable(line)
        if len(line) > ORDINARY_BYTES and not (isinstance(message, JSONRPCResponse) and "tools" not in message.result):
            return self._unreadable(line, too_many)
        if isinstance(message, JSONRPCRequest | JSONRPCNotification):
            return None if self._too_many() else message
        self._settle(message)
        return message

    def _unreadable(self, line: bytes, why: str = "the server's answer cannot be read") -> JSONRPCMessage | None:
        """Return an error for the request that an unreadable line answers; any other line is noise, and gives None."""
        found = _ID.search(line[:512]) or _ID.search(line[-512:])
        if found and b'"method"' not in line[:512]:
            return JSONRPCError(jsonrpc="2.0", id=json.loads(found.group(1)), error=ErrorData(code=PARSE_ERROR, message=why))
        printed = line[:LONGEST_LINE_BYTES].decode("utf-8", "replace")
        self._last_printed = printed
        if self._stray is None:
            self._on_noise(self._redacted(printed)[:_SHOWN_NOISE])
        self._stray = [*(self._stray or ()), printed]
        if self._clock.monotonic() - self._noise_second >= 1:
            self._noise_second, self._noise = self._clock.monotonic(), 0
        self._noise += 1
        if self._noise > NOISE_PER_S:
            raise _Fault(f"it printed more than {NOISE_PER_S} lines that are not MCP messages on its stdout within a second")
        return None

    async def _log_stray_lines(self) -> None:
        """Log what was printed to stdout by mistake: whoever debugs the server looks for it there."""
        if self._stray:
            lines, self._stray = self._stray, []
            await self._logged("\n".join(f"stdout: {line}" for line in lines))

    def _too_many(self) -> bool:
        if self._clock.monotonic() - self._second >= 1:
            self._second, self._unasked = self._clock.monotonic(), 0
        self._unasked += 1
        if self._unasked > UNASKED_PER_S * 50:
            raise _Fault(f"it sent more than {UNASKED_PER_S * 50} unasked messages within a second")
        return self._unasked > UNASKED_PER_S

    async def _ended(self) -> None:
        if self.is_stopping:
            return
        if await self._child.exits_within(EXIT_S):
            await self.stderr_read()
        code = self._child.returncode
        self._report("it closed its stdout" if code is None else f"its process ended with exit code {code}")

    def _fail(self, why: str) -> None:
        self._child.signal_group(signal.SIGKILL)
        self._report(why)

    def _report(self, why: str) -> None:
        if words := last_words(self._redacted(b"".join(self._stderr).decode("utf-8", "replace")).strip(), 400):
            why += f"; the end of its stderr: {words}"
        elif words := last_words(self._redacted(self._last_printed).strip(), 400):
            why += f"; the end of its stdout: {words}"
        self._on_fault(why)

    async def discard_stdout(self) -> None:
        """Read stdout and drop it, so that a server that is still writing can end."""
        while await _read_chunk(self._child.stdout):
            pass


async def _read_chunk(stream: StreamReader) -> bytes:
    """Return the next chunk of a server's output; empty once it has closed the pipe."""
    try:
        return await stream.read(CHUNK_BYTES)
    except OSError:
        return b""


def encoded(message: JSONRPCMessage) -> bytes:
    """Encode a message as JSON in UTF-8, without a line break."""
    try:
        return message.model_dump_json(by_alias=True, exclude_unset=True).encode()
    except (PydanticSerializationError, UnicodeEncodeError):  # a lone surrogate in an argument: JSON can escape it
        return json.dumps(message.model_dump(by_alias=True, exclude_unset=True)).encode()


def _parsed(line: bytes) -> JSONRPCMessage | None:
    """Parse a line into a message; None if it is none.

    Parsing the JSON first and trying a result first is seven times as fast as the adapter alone, for thousands of tools.
    """
    try:
        value = from_json(line.decode("utf-8", "replace"))
        if isinstance(value, dict) and "result" in value and "method" not in value and "error" not in value:
            return JSONRPCResponse.model_validate(value, by_name=False)
        return jsonrpc_message_adapter.validate_python(value, by_name=False)
    except (ValueError, RecursionError):
        return None
