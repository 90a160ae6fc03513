"""How the tests call a tool: over MCP, with or without an idempotency key."""

from typing import Any

from mcp import Client
from mcp.types import CallToolResult

from mcp_servers.common.server import IDEMPOTENCY_KEY, server_from_environment


async def call(environment: dict[str, str], tool: str, arguments: dict[str, Any], key: str | None = None) -> CallToolResult:
    """One call to a server of its own, as after a restart."""
    async with Client(server_from_environment(environment)) as client:
        return await client.call_tool(tool, arguments, meta={IDEMPOTENCY_KEY: key} if key else None)  # type: ignore[typeddict-item]


def text(result: CallToolResult) -> str:
    """What the tool said."""
    (content,) = result.content
    return content.text  # type: ignore[union-attr]


def data(result: CallToolResult) -> dict[str, Any]:
    """The structured answer of a call that succeeded."""
    assert not result.is_error, text(result)
    assert result.structured_content is not None
    return dict(result.structured_content)
