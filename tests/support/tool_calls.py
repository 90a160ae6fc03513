"""Calls one tool as a host does, with or without an idempotency key, and reads what it answered."""

from collections.abc import Awaitable, Callable
from typing import Any

from mcp import Client
from mcp.server.mcpserver import MCPServer
from mcp_types import CallToolResult, TextContent

from discovery.gateway import IDEMPOTENCY_KEY

Call = Callable[..., Awaitable[CallToolResult]]


def caller(server: MCPServer[None]) -> Call:
    """Call one tool of a server in this process."""

    async def call(tool: str, key: str | None = None, **arguments: Any) -> CallToolResult:
        async with Client(server) as client:
            return await client.call_tool(tool, arguments, meta={IDEMPOTENCY_KEY: key} if key else None)  # type: ignore[typeddict-item]

    return call


def words(result: CallToolResult) -> str:
    """What the tool said."""
    return "\n".join(block.text for block in result.content if isinstance(block, TextContent))


def content(result: CallToolResult) -> dict[str, Any]:
    """The structured answer of a call that went well."""
    assert not result.is_error, result.content
    assert isinstance(result.structured_content, dict)
    return result.structured_content


def refusal(result: CallToolResult) -> str:
    """The sentence of a call that did not go well."""
    assert result.is_error
    return words(result)
