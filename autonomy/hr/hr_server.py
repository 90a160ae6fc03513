"""Serves the HR tools over MCP: in process, stdio or HTTP.

If the server was started for one tenant, it is that one. Otherwise it is the tenant of the current caller, which the host sets.
It is never an argument.
"""

import hmac
from typing import Any

import mcp_types as types
from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel import Server
from mcp.server.stdio import stdio_server
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from autonomy.hr.hr_tools import HANDLES, TOOLS, HRTool
from autonomy.hr.placement import place
from autonomy.hr.router import CustomTools, HRAnswer
from autonomy.hr.tenants import HRCaller, current_caller
from discovery.servers.server_config import ServerConfig
from discovery.transport.in_process import InProcess

PLACEMENT_KEY = "jiritsu/placement"
"""Key in a tool's definition: where the tool runs, and why."""

Context = ServerRequestContext[Any]


def hr_server(tools: CustomTools, tenant_id: str | None = None) -> Server[Any]:
    """Return the server. `mcp.Client(hr_server(tools))` connects to it in process."""

    def caller() -> HRCaller | None:
        return current_caller.get() if tenant_id is None else HRCaller(tenant_id, actor="mcp")

    async def list_tools(context: Context, params: types.PaginatedRequestParams | None) -> types.ListToolsResult:
        who = caller()
        offered = TOOLS if who is None else await tools.offered(who.tenant_id)
        return types.ListToolsResult(tools=[definition(TOOLS[name]) for name in offered])

    async def call_tool(context: Context, params: types.CallToolRequestParams) -> types.CallToolResult:
        who = caller()
        if who is None:
            return _result(HRAnswer.refuse("denied", "no tenant: the call came from outside a run"))
        return _result(await tools.execute(params.name, params.arguments or {}, who))

    return Server("hr", title="HR", on_list_tools=list_tools, on_call_tool=call_tool)


def hr_provider(tools: CustomTools) -> InProcess:
    """Return the tools as a provider of the gateway. The caller is the one set by `acting_for`."""
    entry = ServerConfig(name="hr", transport="in_process", python=f"{__name__}:{hr_server.__name__}")
    return InProcess(hr_server(tools), in_backend=place(HANDLES).reason, settings=entry)


def definition(tool: HRTool) -> types.Tool:
    """Return the MCP definition of a tool."""
    return types.Tool(
        name=tool.name,
        description=tool.description,
        input_schema=tool.parameters,
        annotations=types.ToolAnnotations(read_only_hint=True, idempotent_hint=True, open_world_hint=False),
        meta={PLACEMENT_KEY: str(place(tool.handles))},
    )


async def serve_stdio(server: Server[Any]) -> None:
    """Serve one client over stdin and stdout until it leaves."""
    async with stdio_server() as (read, write):
        await server.run(read, write, server.create_initialization_options())


def http_app(server: Server[Any], token: str) -> ASGIApp:
    """Return an app that serves Streamable HTTP at `/mcp`, for callers that know the token."""
    return _Guarded(server.streamable_http_app(), token)


class _Guarded:
    """Requires a token, because every program on the machine can reach the port, and with it personal data."""

    def __init__(self, app: ASGIApp, token: str) -> None:
        self._app, self._expected = app, f"Bearer {token}".encode()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        headers = dict(scope.get("headers", ()))
        if scope["type"] == "http" and not hmac.compare_digest(headers.get(b"authorization", b""), self._expected):
            await JSONResponse({"error": "unauthorized"}, 401, {"www-authenticate": "Bearer"})(scope, receive, send)
            return
        await self._app(scope, receive, send)


def _result(answer: HRAnswer) -> types.CallToolResult:
    return types.CallToolResult(
        content=[types.TextContent(type="text", text=answer.text)],
        structured_content=None if answer.is_error else answer.payload,
        is_error=answer.is_error,
    )
