"""Notices that a remote server says nothing, so that a hung one holds up nobody who does not need it.

Whether it hangs or is slow nobody can tell from outside; so it is only not waited for, and joins when it answers.
"""

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from typing import Any

import anyio

from discovery.transport.sdk import TransportStreams

LOOK_S = 0.1
QUIET_S = 1.0
"""A name that is looked up, a connection, each answer of a server far away takes less. One lost packet takes a second more."""
_SIGNS = ("connect_tcp.complete", "start_tls.complete", "receive_response_headers.complete")


class SignsOfLife:
    """For how long nothing has come from a remote server whose tools are awaited."""

    def __init__(self, owed: Callable[[], bool]) -> None:
        """`owed` tells whether its tools are awaited still."""
        self.owed = owed
        self.quiet_s = 0.0
        """Counted look by look, since an event loop that was busy may have an answer before it that it has not read."""

    async def trace(self, event: str, _details: Any) -> None:
        """Note a step of a request; for the HTTP client's extension `trace`."""
        if event.endswith(_SIGNS):
            self.hear()

    def hear(self) -> None:
        """Note that something has come."""
        self.quiet_s = 0.0


@asynccontextmanager
async def watched(
    transport: AbstractAsyncContextManager[TransportStreams],
    signs: SignsOfLife,
    slowest_s: Callable[[], float],
    on_silence: Callable[[], Awaitable[None]],
) -> AsyncIterator[TransportStreams]:
    """Open the transport, and call `on_silence` once if nothing comes for `QUIET_S` and `slowest_s()` seconds.

    `slowest_s`: what the slowest server of this process took to list its tools; on a machine that is full of work all are slow.
    """

    async def watch() -> None:
        while signs.owed():
            await anyio.sleep(LOOK_S)
            signs.quiet_s += LOOK_S
            if signs.owed() and signs.quiet_s > QUIET_S + slowest_s():
                await on_silence()
                return

    async with anyio.create_task_group() as tasks:
        tasks.start_soon(watch)  # before the transport, which for HTTP+SSE is open only once the server has answered
        async with transport as streams:
            yield streams
        tasks.cancel_scope.cancel()
