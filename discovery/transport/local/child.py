"""One server process in a session of its own, with three pipes."""

import asyncio
import os
import signal
import subprocess
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import IO, Protocol

import anyio
import anyio.to_thread

from discovery.transport.local import processes

CHUNK_BYTES = 65_536
_POLL_S = 0.02


class ServerProcess(Protocol):
    """A running process with three pipes: a child of ours, or one that somebody started ahead."""

    pid: int
    stdin: IO[bytes] | None
    stdout: IO[bytes] | None
    stderr: IO[bytes] | None

    def poll(self) -> int | None:
        """The exit code, negative for a signal; None while it runs."""


class Spares(Protocol):
    """A source of processes that were started ahead and have received nothing yet."""

    def take(self, command: Sequence[str], env: Mapping[str, str], cwd: str | None) -> tuple[ServerProcess, str] | None:
        """One of exactly this command, environment and folder, which is nobody else's, in a session of its own; and its mark.

        None where there is none. Blocks for some milliseconds: call it in a thread.
        """


class Child:
    """One process in a session of its own, with three pipes; started from a thread, and its end awaited on a pidfd.

    Starting a process stops the thread that does it until the child runs, 15 ms on a busy machine; thirty servers would stop
    the event loop for half a second.
    """

    def __init__(
        self,
        process: ServerProcess,
        mark: str,
        stdin: asyncio.StreamWriter,
        stdout: asyncio.StreamReader,
        stderr: asyncio.StreamReader,
        transports: Sequence[asyncio.BaseTransport],
    ) -> None:
        self._process, self._stdin, self._transports = process, stdin, transports
        self._written = 0
        self.mark = mark
        """What it and everything it starts can be known by (`processes`)."""
        self.stdout, self.stderr = stdout, stderr

    @classmethod
    async def start(
        cls, command: Sequence[str], *, env: Mapping[str, str], cwd: str | None, spares: Spares | None = None
    ) -> "Child":
        """Run the command, or take over a spare of it. Raises OSError when it cannot be started."""
        with anyio.CancelScope(shield=True):  # a cancellation in between would lose a process that nobody knows of
            process, mark = await anyio.to_thread.run_sync(_started, command, env, cwd, spares)
            stdout, reading = await _reader(process.stdout)
            stderr, reading_errors = await _reader(process.stderr)
            loop = asyncio.get_running_loop()
            writing, flow_control = await loop.connect_write_pipe(asyncio.streams.FlowControlMixin, process.stdin)
        stdin = asyncio.StreamWriter(writing, flow_control, None, loop)
        return cls(process, mark, stdin, stdout, stderr, (writing, reading, reading_errors))

    @property
    def returncode(self) -> int | None:
        """The exit code, negative for a signal; None while it runs."""
        return self._process.poll()

    def write(self, data: bytes) -> None:
        """Queue bytes. Raises `BrokenPipeError` when the child's end is closed."""
        if not self._stdin.transport.is_closing():
            self._stdin.write(data)
        if self._stdin.transport.is_closing():  # the loop had not heard of it yet, and a write that fails closes without a word
            raise BrokenPipeError
        self._written += len(data)

    @property
    def unread(self) -> tuple[int, int]:
        """How many bytes wait for room in the pipe, and how many have gone into it."""
        waiting = self._stdin.transport.get_write_buffer_size()
        return waiting, self._written - waiting

    async def end(self, grace_s: float) -> None:
        """End it and its group: end of input, then SIGTERM, then SIGKILL, each after the grace."""
        self._stdin.close()
        if not await self.exits_within(grace_s):
            self.signal_group(signal.SIGTERM)
            await self.exits_within(grace_s)
        self.signal_group(signal.SIGKILL)  # also after a clean exit: it may have left children in its group
        await self.exits_within(1.0)
        for transport in self._transports:  # whoever else may still hold their other ends
            transport.close()

    async def exits_within(self, seconds: float) -> bool:
        """Wait for its end, that long at most; whether it came."""
        if self.returncode is not None:
            return True
        with anyio.move_on_after(seconds):
            try:
                descriptor = os.pidfd_open(self._process.pid)
            except (AttributeError, OSError):  # not on this system: look now and then
                while self.returncode is None:  # noqa: ASYNC110 - nobody else could set an event
                    await anyio.sleep(_POLL_S)
                return True
            try:
                await anyio.wait_readable(descriptor)
            finally:
                os.close(descriptor)
        return self.returncode is not None

    def signal_group(self, number: signal.Signals) -> None:
        """Send a signal to it and everything in its process group."""
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(self._process.pid, number)


def _started(command: Sequence[str], env: Mapping[str, str], cwd: str | None, spares: Spares | None) -> tuple[ServerProcess, str]:
    if spares is not None and (spare := spares.take(command, env, cwd)) is not None:
        return spare
    pipe, mark = subprocess.PIPE, processes.new_mark()
    marked = {**env, processes.VARIABLE: mark}
    return subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe, env=marked, cwd=cwd, start_new_session=True), mark


async def _reader(pipe: object) -> tuple[asyncio.StreamReader, asyncio.BaseTransport]:
    reader = asyncio.StreamReader(limit=CHUNK_BYTES)
    protocol = asyncio.StreamReaderProtocol(reader)
    transport, _ = await asyncio.get_running_loop().connect_read_pipe(lambda: protocol, pipe)
    return reader, transport
