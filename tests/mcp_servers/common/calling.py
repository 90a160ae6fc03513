"""Calls a tool of a server of its own, as after a restart."""

from typing import Any

from mcp import Client
from mcp.types import CallToolResult

from mcp_servers.common.server import IDEMPOTENCY_KEY, server_from_environment


async def call(environment: dict[str, str], tool: str, arguments: dict[str, Any], key: str | None = None) -> CallToolResult:
    """One call to a server of its own, as after a restart."""
    async with Client(server_from_environment(environment)) as client:
        return await client.call_tool(tool, arguments, meta={IDEMPOTENCY_KEY: key} if key else None)  # type: ignore[typeddict-item]
