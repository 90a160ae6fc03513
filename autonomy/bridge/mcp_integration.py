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
"""Claude sees a tool of this server as `mcp__pydantic_tools__<name>`."""

Tools = AgentToolset | Iterable[PydanticAITool]


class BridgedToolDefinition(TypedDict):
    """A tool as plain data, for those who build a conversion of their own."""

    name: str
    description: str
    input_schema: JsonObject
    function: Callable[..., Any]


ToolDefinition = BridgedToolDefinition
"""Its name in `autonomy.bridge`, which is public; the models' is another one (`autonomy.llm.messages`)."""


class _NoDeps:
    """Told apart from None, which is a dependency like any other."""


NO_DEPS = _NoDeps()


def create_mcp_server_from_tools(
    tools: Tools, *, name: str = MCP_SERVER_NAME, version: str = "1.0.0", deps: Any = NO_DEPS
) -> "McpSdkServerConfig":
    """Package a toolset as an entry of `ClaudeAgentOptions.mcp_servers`.

    With `deps`, tools that take a `RunContext` find them in `ctx.deps` (experimental); without, such a tool raises
    `NotImplementedError`. Raises `ToolValidationError` and `UnsupportedDepsTypeError` as the single conversion does.
    """
    return sdk_server(name, bridge_tools(tools, deps), version)


def bridge_tools(tools: Tools, deps: Any = NO_DEPS) -> list[BridgedTool]:
    """Convert every tool of a toolset, for no vendor in particular."""
    context = None if deps is NO_DEPS else DepsContext(deps)
    timeout_s = getattr(tools, "timeout", None)  # a FunctionToolset has one for all its tools
    return [bridge_tool(tool, context, timeout_s) for tool in tools_of(tools)]


def tool_definitions(tools: Tools) -> list[BridgedToolDefinition]:
    """The tools of a toolset as data: name, description, schema, function."""
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
    """The tools of a toolset, or of any collection of them; raises `ToolValidationError` for what has no fixed set of tools."""
    if isinstance(tools, AgentToolset):
        return list(tools.tools.values())
    if not isinstance(tools, Iterable):
        kind = type(tools).__name__
        raise ToolValidationError(f"{kind} has no fixed set of tools to convert: serve it with toolset_server(), which asks it")
    return list(tools)


TOOL_PREFIX = f"mcp__{MCP_SERVER_NAME}__"
"""The prefix that Claude Code puts before the names of a server's tools."""
