"""Represents a converted tool independently of SDKs, and serves such tools over MCP."""

from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass
from typing import Any

from mcp.server import Server
from mcp.types import CallToolRequestParams, CallToolResult, ListToolsResult, Tool, ToolAnnotations
from pydantic import ValidationError

from autonomy.bridge.mcp_responses import McpResponse, error_response
from discovery.text.characters import replace_lone_surrogates

JsonObject = dict[str, Any]
Handler = Callable[[JsonObject], Awaitable[McpResponse]]


@dataclass(frozen=True)
class BridgedTool:
    """A tool for MCP, with the same fields as `SdkMcpTool` of the Claude Agent SDK."""

    name: str
    description: str
    input_schema: JsonObject
    handler: Handler
    """Takes the arguments and returns the response. Errors are in the response; only cancellation is raised."""
    annotations: ToolAnnotations | None = None


def mcp_tool(tool: BridgedTool) -> Tool:
    """Return the definition of a tool for clients of MCP."""
    return Tool(name=tool.name, description=tool.description, input_schema=tool.input_schema, annotations=tool.annotations)


async def answer(tools: Iterable[BridgedTool], request: CallToolRequestParams) -> CallToolResult:
    """Call the tool that a client requests, and return its answer or an error."""
    tool = next((tool for tool in tools if tool.name == request.name), None)
    if tool is None:
        response = error_response(f"there is no tool named {request.name!r}")
    else:
        response = await tool.handler(request.arguments or {})
    try:
        return _on_the_wire(response)
    except ValueError as error:
        problem = error.errors(include_input=False)[0]["msg"] if isinstance(error, ValidationError) else error
        return _on_the_wire(error_response(f"{request.name} answered in no form of MCP: {problem}"))


def _on_the_wire(response: McpResponse) -> CallToolResult:
    parts = {key: replace_lone_surrogates(part) for key, part in response.items() if key != "is_error"}  # as in a file's name
    return CallToolResult.model_validate(parts)


def mcp_server(name: str, tools: Iterable[BridgedTool], version: str = "1.0.0") -> Server[Any]:
    """Return a server of a fixed set of tools, for any transport of MCP."""
    offered = tuple(tools)
    listing = ListToolsResult(tools=[mcp_tool(tool) for tool in offered])

    async def list_tools(_ctx: Any, _params: Any) -> ListToolsResult:
        return listing

    async def call_tool(_ctx: Any, request: CallToolRequestParams) -> CallToolResult:
        return await answer(offered, request)

    return Server(name, version=version, on_list_tools=list_tools, on_call_tool=call_tool)
