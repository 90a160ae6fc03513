"""Serves tools written for pydantic-ai as MCP tools: to the Claude Agent SDK, Jiritsu and other clients.

Each name is imported when it is first used, and raises `MissingExtraError` then if it needs an extra that is not installed. See
`docs/bridge.md`.
"""

from typing import TYPE_CHECKING, Any

from autonomy.bridge.bridge_errors import (
    ClaudeCodeError,
    ClaudeCodeStopped,
    MissingExtraError,
    ToolNotFoundError,
    ToolsetNotRegisteredError,
    ToolValidationError,
    TypeHintResolutionError,
    UnsupportedDepsTypeError,
)
from autonomy.bridge.extras import load_optional

if TYPE_CHECKING:
    from autonomy.bridge.bridged_tool import BridgedTool, mcp_server
    from autonomy.bridge.claude.claude_model import ClaudeCodeModel
    from autonomy.bridge.deps_support import DepsContext, deserialize_deps, serialize_deps
    from autonomy.bridge.mcp_integration import MCP_SERVER_NAME, ToolDefinition, create_mcp_server_from_tools, tool_definitions
    from autonomy.bridge.mcp_responses import McpResponse, McpTextContent
    from autonomy.bridge.protocols import AgentToolset, PydanticAITool
    from autonomy.bridge.tool_converter import bridge_tool, convert_tool, convert_tool_with_deps, convert_tools_to_mcp_server
    from autonomy.bridge.toolset_provider import load_toolset_server, python_providers
    from autonomy.bridge.toolsets import toolset_server

_HOMES = {
    "bridged_tool": ("BridgedTool", "mcp_server"),
    "claude.claude_model": ("ClaudeCodeModel",),
    "deps_support": ("DepsContext", "deserialize_deps", "serialize_deps"),
    "mcp_integration": ("MCP_SERVER_NAME", "ToolDefinition", "create_mcp_server_from_tools", "tool_definitions"),
    "protocols": ("AgentToolset", "PydanticAITool"),
    "toolset_provider": ("load_toolset_server", "python_providers"),
    "mcp_responses": ("McpResponse", "McpTextContent"),
    "tool_converter": ("bridge_tool", "convert_tool", "convert_tool_with_deps", "convert_tools_to_mcp_server"),
    "toolsets": ("toolset_server",),
}
_HOME_OF = {name: home for home, names in _HOMES.items() for name in names}

__all__ = [
    "MCP_SERVER_NAME",
    "AgentToolset",
    "BridgedTool",
    "ClaudeCodeError",
    "ClaudeCodeModel",
    "ClaudeCodeStopped",
    "DepsContext",
    "McpResponse",
    "McpTextContent",
    "MissingExtraError",
    "PydanticAITool",
    "ToolDefinition",
    "ToolNotFoundError",
    "ToolValidationError",
    "ToolsetNotRegisteredError",
    "TypeHintResolutionError",
    "UnsupportedDepsTypeError",
    "bridge_tool",
    "convert_tool",
    "convert_tool_with_deps",
    "convert_tools_to_mcp_server",
    "create_mcp_server_from_tools",
    "deserialize_deps",
    "load_toolset_server",
    "mcp_server",
    "python_providers",
    "serialize_deps",
    "tool_definitions",
    "toolset_server",
]


def __getattr__(name: str) -> Any:
    home = _HOME_OF.get(name)
    if home is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(load_optional(f"{__name__}.{home}"), name)
