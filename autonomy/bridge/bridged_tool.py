"""A converted tool, independent of the SDK that will serve it."""

from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass
from typing import Any

from mcp.server import Server
from mcp.types import CallToolRequestParams, CallToolResult, ListToolsResult, Tool, ToolAnnotations
from pydantic import ValidationError

from autonomy.bridge.mcp_responses import McpResponse, error_response

JsonObject = dict[str, Any]
Handler = Callable[[JsonObject], Awaitable[McpResponse]]


@dataclass(frozen=True)
class BridgedTool:
    """A tool as MCP sees it; the fields are those of the SDK's `SdkMcpTool`, which takes their place one to one."""

    name: str
    description: str
    input_schema: JsonObject
    handler: Handler
    """Arguments in, response out. Never raises but for cancellation: what went wrong is in the response."""
    annotations: ToolAnnotations | None = None


def mcp_tool(tool: BridgedTool) -> Tool:
    """The listing of a tool as a client of MCP reads it."""
    return Tool(name=tool.name, description=tool.description, input_schema=tool.input_schema, annotations=tool.annotations)


async def answer(tools: Iterable[BridgedTool], request: CallToolRequestParams) -> CallToolResult:
    """Run the tool that a client asks for."""
    tool = next((tool for tool in tools if tool.name == request.name), None)
    if tool is None:
        response = error_response(f"there is no tool named {request.name!r}")
    else:
        response = await tool.handler(request.arguments or {})
    try:
        return _on_the_wire(response)
    except ValidationError as error:
        return _on_the_wire(
            error_response(f"{request.name} answered in no form of MCP: {error.errors(include_input=False)[0]['msg']}")
        )


def _on_the_wire(response: McpResponse) -> CallToolResult:
    return CallToolResult.model_validate({key: part for key, part in response.items() if key != "is_error"})


def mcp_server(name: str, tools: Iterable[BridgedTool], version: str = "1.0.0") -> Server[Any]:
    """A server of a fixed set of tools, in process; any transport of MCP can serve it."""
    offered = tuple(tools)
    listing = ListToolsResult(tools=[mcp_tool(tool) for tool in offered])

    async def list_tools(_ctx: Any, _params: Any) -> ListToolsResult:
        return listing

    async def call_tool(_ctx: Any, request: CallToolRequestParams) -> CallToolResult:
        return await answer(offered, request)

    return Server(name, version=version, on_list_tools=list_tools, on_call_tool=call_tool)
