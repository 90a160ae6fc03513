"""Imports all non-public names of the MCP SDK that we use, and defines the base of our streams.

`mcp.client.Transport` uses these types without exporting them. `tests/architecture/test_sdk.py` ensures that no other module
imports private names, and tells where to look if the SDK moves them.
"""

from anyio.abc import ObjectReceiveStream, ObjectSendStream
from mcp.client._transport import ReadStream, TransportStreams, WriteStream
from mcp.shared._context_streams import create_context_streams
from mcp.shared.message import SessionMessage

__all__ = ["OwnRead", "OwnWrite", "ReadStream", "TransportStreams", "WriteStream", "create_context_streams"]


class _OwnStream:
    """A stream of ours that can be closed."""

    _closed = False

    async def aclose(self) -> None:
        """Close the stream."""
        self._closed = True


class OwnWrite(_OwnStream, ObjectSendStream[SessionMessage]):
    """The base of our `WriteStream`s; a subclass defines `send`."""


class OwnRead(_OwnStream, ObjectReceiveStream[SessionMessage | Exception]):
    """The base of our `ReadStream`s; a subclass defines `receive`."""
