"""Runs one server process in a session of its own, with three pipes."""

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
    """A running process with three pipes: a child of ours, or one that was started ahead."""

    pid: int
    stdin: IO[bytes] | None
    stdout: IO[bytes] | None
    stderr: IO[bytes] | None

    def poll(self) -> int | None:
        """The exit code, negative for a signal; None while it runs."""


class Spares(Protocol):
    """A source of processes that were started ahead and have received nothing yet."""

    def take(self, command: Sequence[str], env: Mapping[str, str], cwd: str | None) -> tuple[ServerProcess, str] | None:
        """Return a process of exactly this command, environment and folder, now owned by the caller, and its mark.

        None if there is none. Blocks for some milliseconds: call it in a thread.
        """


class Child:
    """One process in a session of its own, with three pipes.

    It is started in a thread: starting blocks for 15 ms on a busy machine, so thirty servers would block the event loop for half
    a second.
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
        """Identifies it and everything it starts (`processes`)."""
        self.stdout, self.stderr = stdout, stderr

    @classmethod
    async def start(
        cls, command: Sequence[str], *, env: Mapping[str, str], cwd: str | None, spares: Spares | None = None
    ) -> "Child":
        """Run the command, or take over a spare of it. Raises OSError if it cannot be started."""
        with anyio.CancelScope(shield=True):  # a cancellation in between would leave a process that nobody ends
            process, mark = await anyio.to_thread.run_sync(_started, command, env, cwd, spares)
            stdout, reading = await _reader(process.stdout)
            stderr, reading_errors = await _reader(process.stderr)
            loop = asyncio.get_running_loop()
            writing, flow_control = await loop.connect_write_pipe(asyncio.streams.FlowControlMixin, process.stdin)
        stdin = asyncio.StreamWriter(writing, flow_control, None, loop)
        return cls(process, mark, stdin, stdout, stderr, (writing, reading, reading_errors))

    @property
    def pid(self) -> int:
        """The id of the process that was started, which is that of its session too."""
        return self._process.pid

    @property
    def returncode(self) -> int | None:
        """The exit code, negative for a signal; None while it runs."""
        return self._process.poll()

    def write(self, data: bytes) -> None:
        """Queue bytes. Raises `BrokenPipeError` if the child's end is closed."""
        if not self._stdin.transport.is_closing():
            self._stdin.write(data)
        if self._stdin.transport.is_closing():  # perhaps since this write: if it fails, it closes the pipe and raises nothing
            raise BrokenPipeError
        self._written += len(data)

    @property
    def unread(self) -> tuple[int, int]:
        """The number of bytes that wait for room in the pipe, and of those that have been written into it."""
        waiting = self._stdin.transport.get_write_buffer_size()
        return waiting, self._written - waiting

    async def end(self, grace_s: float) -> None:
        """End the process and its group: close its stdin, after `grace_s` send SIGTERM, after `grace_s` more SIGKILL."""
        self._stdin.close()
        if not await self.exits_within(grace_s):
            self.signal_group(signal.SIGTERM)
            await self.exits_within(grace_s)
        self.signal_group(signal.SIGKILL)  # also after a clean exit: it may have left children in its group
        await self.exits_within(1.0)
        for transport in self._transports:  # the other ends may still be open in processes that escaped
            transport.close()

    async def exits_within(self, seconds: float) -> bool:
        """Wait until the process has ended, for at most so many seconds; return whether it has."""
        if self.returncode is not None:
            return True
        with anyio.move_on_after(seconds):
            try:
                descriptor = os.pidfd_open(self._process.pid)
            except (AttributeError, OSError):  # this system has no pidfd: poll
                while self.returncode is None:  # noqa: ASYNC110 - nobody else could set an event
                    await anyio.sleep(_POLL_S)
                return True
            try:
                await anyio.wait_readable(descriptor)
            finally:
                os.close(descriptor)
        return self.returncode is not None

    def signal_group(self, number: signal.Signals) -> None:
        """Send a signal to all of its process group."""
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
