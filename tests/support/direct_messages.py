"""A chat whose history holds what a test lets it say, and that remembers to whom it was told to write."""

from typing import Any

from mcp.server.mcpserver import MCPServer

from tests.support.house import OUTWARD, READ


def direct_messages(posted: str, what: str = "The messages.") -> tuple[MCPServer[Any], list[str]]:
    """The server, with `history` and `send_dm`, and the ids it has sent to; `what`: how it describes its history."""
    server: MCPServer[Any] = MCPServer("chat")
    sent: list[str] = []

    @server.tool(annotations=READ, description=what)
    def history() -> str:
        return posted

    @server.tool(annotations=OUTWARD)
    def send_dm(user_id: str, text: str) -> str:
        """Send a direct message."""
        sent.append(user_id)
        return "sent"

    return server, sent
