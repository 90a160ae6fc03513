"""Announced changes of a server's tools: what is announced is listed before the next call, or nothing is called."""

import sys
from typing import Any

import anyio
import pytest
from mcp.server.mcpserver import Context, MCPServer

from discovery.discovery_errors import ProviderUnavailable
from discovery.gateway import open_gateway
from discovery.servers.server_config import ServerConfig
from discovery.transport.in_process import InProcess
from tests.requirements import requirement
from tests.support.server_configs import PATIENT


class Changing(MCPServer[Any]):
    """Announces that its tools are others, and lists them once it is let."""

    def __init__(self) -> None:
        super().__init__("o")
        self.calls, self.let = 0, anyio.Event()
        self.add_tool(self.change)
        self.add_tool(self.count)

    async def change(self, ctx: Context[Any, Any]) -> str:
        """Change."""
        self.list_tools = self._late  # type: ignore[method-assign]
        await ctx.notify_tools_changed()
        return "changed"

    async def count(self) -> str:
        """Count the calls."""
        self.calls += 1
        return "counted"

    async def _late(self) -> Any:
        await self.let.wait()
        return await MCPServer.list_tools(self)


@requirement("S6")
async def test_a_call_waits_for_the_tools_that_were_announced() -> None:
    server = Changing()
    async with (
        open_gateway([], in_process={"o": InProcess(server, in_backend="a test")}) as gateway,
        anyio.create_task_group() as tasks,
    ):
        await gateway.catalog()
        await gateway.call("o_change", {})
        tasks.start_soon(gateway.call, "o_count", {})
        await anyio.wait_all_tasks_blocked()
        assert server.calls == 0
        server.let.set()
    assert server.calls == 1


@requirement("S6")
async def test_nothing_is_called_where_announced_tools_are_not_listed_in_time() -> None:
    server = Changing()
    async with open_gateway([], in_process={"o": InProcess(server, in_backend="a test")}) as gateway:
        await gateway.catalog()
        await gateway.call("o_change", {})
        with pytest.raises(ProviderUnavailable, match="has not listed them since"):
            await gateway.call("o_count", {}, timeout_s=0.5)
        server.let.set()
        await gateway.call("o_count", {})
    assert server.calls == 1


LATE = """
import json, sys
names, streams = ["swap"], []

def send(message):
    print(json.dumps({"jsonrpc": "2.0", **message}), flush=True)

def tool(name):
    return {"name": name, "inputSchema": {"type": "object"}, "annotations": {"readOnlyHint": True}}

def answer(request):
    kept = {"ttlMs": 86_400_000, "cacheScope": "private"}
    if request["method"] == "server/discover":
        return {"supportedVersions": ["2026-07-28"], "capabilities": {"tools": {"listChanged": True}}, **kept}
    if request["method"] == "tools/list":
        return {"tools": [tool(name) for name in names], **kept}
    names.append("new")  # and nobody is told, for nobody's stream stands yet
    stream = streams.pop()
    stamp = {"io.modelcontextprotocol/subscriptionId": stream["id"]}
    told = {"notifications": stream["params"]["notifications"], "_meta": stamp}
    send({"method": "notifications/subscriptions/acknowledged", "params": told})
    return {"content": [{"type": "text", "text": "swapped"}]}

for request in map(json.loads, sys.stdin):
    if request.get("method") == "subscriptions/listen":
        streams.append(request)
    elif "id" in request:
        send({"id": request["id"], "result": {"resultType": "complete", **answer(request)}})
"""
"""A server of 2026-07-28 that acknowledges the stream of changes late: when its tools are others already."""


@requirement("S6")
async def test_a_start_waits_for_no_stream_and_one_that_opens_late_has_the_tools_listed_again() -> None:
    late = ServerConfig(name="o", command=sys.executable, args=("-I", "-S", "-c", LATE))
    with anyio.fail_after(240):
        async with open_gateway([late], settings=PATIENT) as gateway:
            assert [spec.name for spec in (await gateway.catalog()).callable_tools] == ["o_swap"]
            await gateway.call("o_swap", {})
            while [spec.name for spec in (await gateway.catalog()).callable_tools] != ["o_new", "o_swap"]:
                await gateway.next_change()
