"""Defines providers that run inside this process."""

from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING, Any, TypeAlias

from discovery.servers.server_config import ServerConfig

if TYPE_CHECKING:  # the SDK's server half is loaded where a server runs in this process
    from mcp.server import Server
    from mcp.server.mcpserver import MCPServer

McpServer: TypeAlias = "Server[Any] | MCPServer"


@dataclass(frozen=True)
class InProcess:
    """A provider that runs inside this process."""

    server: McpServer
    in_backend: str
    """Why its tools run in the backend rather than in a server of their own."""
    settings: ServerConfig | None = None
    """Settings that a servers file could hold, such as effects and instructions."""

    def entry(self, name: str) -> ServerConfig:
        """Return its entry as if it stood in a servers file."""
        return (self.settings or ServerConfig(name=name)).model_copy(update={"name": name, "transport": "in_process"})


def imported(python: str) -> McpServer:
    """Import the server that `package.module:name` names: a server object, or a function without arguments that returns one.

    Raises ImportError or TypeError with a sentence for the operator. Blocks: call it in a thread.
    """
    from mcp.server import Server
    from mcp.server.mcpserver import MCPServer

    module, _, name = python.partition(":")
    try:
        found = getattr(import_module(module), name)
    except (ImportError, AttributeError, ValueError) as error:
        raise ImportError(f"python: {python!r} cannot be imported: {error}") from error
    server = found if isinstance(found, Server | MCPServer) or not callable(found) else found()
    if not isinstance(server, Server | MCPServer):
        raise TypeError(f"python: {python!r} is no MCP server but {type(server).__name__}")
    return server
