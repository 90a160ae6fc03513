"""Every use of a non-public name of the MCP SDK, and the common part of our streams.

`mcp.client.Transport` names them without exporting them. `tests/architecture/test_sdk.py` holds that no other module imports
what is private, and says what to look at when the SDK moves it.
"""

from anyio.abc import ObjectReceiveStream, ObjectSendStream
from mcp.client._transport import ReadStream, TransportStreams, WriteStream
from mcp.shared._context_streams import create_context_streams
from mcp.shared.message import SessionMessage

__all__ = ["OwnRead", "OwnWrite", "ReadStream", "TransportStreams", "WriteStream", "create_context_streams"]


class _OwnStream:
    """A stream of ours that ends once."""

    _closed = False

    async def aclose(self) -> None:
        """Use it no more."""
        self._closed = True


class OwnWrite(_OwnStream, ObjectSendStream[SessionMessage]):
    """A `WriteStream` of ours: it brings `send`."""


class OwnRead(_OwnStream, ObjectReceiveStream[SessionMessage | Exception]):
    """A `ReadStream` of ours: it brings `receive`."""
