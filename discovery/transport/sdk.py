"""Every use of a name of the MCP SDK that is not public API.

`mcp.client.Transport` names them without exporting them. `tests/architecture/test_sdk.py` holds that no other module imports
what is private, and says what to look at when the SDK moves it.
"""

from mcp.client._transport import ReadStream, TransportStreams, WriteStream
from mcp.shared._context_streams import create_context_streams

__all__ = ["ReadStream", "TransportStreams", "WriteStream", "create_context_streams"]
