"""Every use of a non-public name of the MCP SDK, and the common part of our streams.

`mcp.client.Transport` names them without exporting them. `tests/architecture/test_sdk.py` holds that no other module imports
what is private, and says what to look at when the SDK moves it.
"""

from abc import abstractmethod
from typing import Self

import anyio
from mcp.client._transport import ReadStream, TransportStreams, WriteStream
from mcp.shared._context_streams import create_context_streams
from mcp.shared.message import SessionMessage

__all__ = ["OwnRead", "OwnWrite", "ReadStream", "TransportStreams", "WriteStream", "create_context_streams"]


class OwnWrite:
    """A `WriteStream` of ours: `send`, and an end, once."""

    _closed = False

    async def aclose(self) -> None:
        """Use it no more."""
        self._closed = True

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *exc: object) -> None:
        await self.aclose()


class OwnRead(OwnWrite):
    """A `ReadStream` of ours: `receive`, an end, and iteration over its messages."""

    @abstractmethod
    async def receive(self) -> SessionMessage | Exception:
        """The next message. Raises `EndOfStream`."""

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> SessionMessage | Exception:
        try:
            return await self.receive()
        except anyio.EndOfStream:
            raise StopAsyncIteration from None
