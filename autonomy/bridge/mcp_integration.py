"""Serves a fixed toolset as one MCP server."""

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any, TypedDict

from autonomy.bridge.bridge_errors import ToolValidationError
from autonomy.bridge.bridged_tool import BridgedTool, JsonObject
from autonomy.bridge.deps_support import DepsContext
from autonomy.bridge.protocols import AgentToolset, PydanticAITool
from autonomy.bridge.tool_converter import _get_parameters_json_schema, bridge_tool, sdk_server

if TYPE_CHECKING:
    from claude_agent_sdk import McpSdkServerConfig

MCP_SERVER_NAME = "pydantic_tools"
"""Claude sees tools of this server as `mcp__pydantic_tools__<name>`."""

Tools = AgentToolset | Iterable[PydanticAITool]


class BridgedToolDefinition(TypedDict):
    """A tool as plain data, for custom conversions."""

    name: str
    description: str
    input_schema: JsonObject
    function: Callable[..., Any]


ToolDefinition = BridgedToolDefinition
"""Its public name in `autonomy.bridge`. The class of the same name in `autonomy.llm.messages` is another one."""


class _NoDeps:
    """Stands for no dependencies, since None may be a dependency."""


NO_DEPS = _NoDeps()


def create_mcp_server_from_tools(
    tools: Tools, *, name: str = MCP_SERVER_NAME, version: str = "1.0.0", deps: Any = NO_DEPS
) -> "McpSdkServerConfig":
    """Package a toolset as an entry of `ClaudeAgentOptions.mcp_servers`.

    `deps`: what tools with a `RunContext` get as `ctx.deps` (experimental). Without it such a tool raises `NotImplementedError`.
    Also raises `ToolValidationError` and `UnsupportedDepsTypeError`, like the conversion of a single tool.
    """
    return sdk_server(name, bridge_tools(tools, deps), version)


def bridge_tools(tools: Tools, deps: Any = NO_DEPS) -> list[BridgedTool]:
    """Convert every tool of a toolset. Raises as `create_mcp_server_from_tools`."""
    context = None if deps is NO_DEPS else DepsContext(deps)
    timeout_s = getattr(tools, "timeout", None)  # a FunctionToolset has one timeout for all its tools
    return [bridge_tool(tool, context, timeout_s) for tool in tools_of(tools)]


def tool_definitions(tools: Tools) -> list[BridgedToolDefinition]:
    """Return the tools of a toolset as plain data."""
    return [
        BridgedToolDefinition(
            name=tool.name,
            description=tool.description or "",
            input_schema=_get_parameters_json_schema(tool),
            function=tool.function,
        )
        for tool in tools_of(tools)
    ]


def tools_of(tools: Tools) -> list[PydanticAITool]:
    """Return the tools of a toolset or of a collection of tools. Raises `ToolValidationError` if there is no fixed set of
    tools."""
    if isinstance(tools, AgentToolset):
        return list(tools.tools.values())
    if not isinstance(tools, Iterable):
        kind = type(tools).__name__
        raise ToolValidationError(f"{kind} has no fixed set of tools to convert: serve it with toolset_server(), which asks it")
    return list(tools)


TOOL_PREFIX = f"mcp__{MCP_SERVER_NAME}__"
"""The prefix that Claude Code puts before the names of a server's tools."""
