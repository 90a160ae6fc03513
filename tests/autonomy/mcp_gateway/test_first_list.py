"""The first list of tools waits for nobody long: it shows what is known, names who is missing, and announces who comes later."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import anyio
import anyio.to_thread
import pytest
from mcp import Client
from mcp.server.lowlevel import Server
from mcp_types import CallToolRequestParams, CallToolResult, ListToolsResult, TextContent, Tool, ToolListChangedNotification

from autonomy.calls.services import Services
from autonomy.database import open_engine
from autonomy.mcp_gateway.clients.profiles import ClientProfile, GatewayClients
from autonomy.mcp_gateway.mcp_server import MISSING, GatewayServer
from discovery.discovery_tables import metadata
from discovery.gateway import open_gateway
from discovery.gateway_settings import GatewaySettings
from discovery.servers.server_config import ServerConfig
from discovery.transport.in_process import InProcess
from tests.requirements import requirement
from tests.support.house import NO_WAIT
from tests.support.server_configs import stdio_server

READS = {"effects": {"*": {"effect": "read"}}}
NEAR = stdio_server("near", entry=READS)
HUNG = stdio_server("hung", fault="hang_initialize")


@asynccontextmanager
async def client(
    folder: Path, *servers: ServerConfig, changes: anyio.Event | None = None, face: str = "all", wait_s: float = 1.0
) -> AsyncIterator[Client]:
    """A client in front of a gateway that remembers in `folder`."""
    engine = await anyio.to_thread.run_sync(open_engine, f"sqlite:///{folder / 'discovery.db'}")
    await anyio.to_thread.run_sync(metadata.create_all, engine)

    async def heard(message: object) -> None:
        if changes is not None and isinstance(message, ToolListChangedNotification):
            changes.set()

    profile = ClientProfile.model_validate({"list_wait_s": wait_s, "face": face})
    with anyio.fail_after(240):
        async with open_gateway(servers, engine=engine) as gateway:
            serving = GatewayServer(Services(gateway, backoff=NO_WAIT), GatewayClients(clients={"default": profile}))
            async with serving.open(), Client(serving.server(), mode="legacy", message_handler=heard) as connected:
                yield connected
    await anyio.to_thread.run_sync(engine.dispose)


async def called_while_closed(gateway: Client, name: str, closed: Path) -> CallToolResult:
    """What a call comes to that was under way before its server came."""
    results = list[CallToolResult]()

    async def call() -> None:
        results.append(await gateway.call_tool(name, {"text": "a"}))

    async with anyio.create_task_group() as group:
        group.start_soon(call)
        await anyio.wait_all_tasks_blocked()
        closed.unlink()
    return results[0]


@requirement("N1")
async def test_a_hung_server_holds_up_no_first_list_and_is_named_in_it(tmp_path: Path) -> None:
    async with client(tmp_path, HUNG, NEAR, wait_s=0.1) as gateway:
        await gateway.call_tool("near_tool_0", {"text": "a"})  # which waits until it is there
        with anyio.fail_after(240):
            listed = await gateway.list_tools()
        assert [tool.name for tool in listed.tools] == ["near_tool_0", "read_result"]
        assert listed.meta is not None
        assert listed.meta[MISSING] == {"hung": "it is still starting"}
        with anyio.fail_after(240):
            assert len((await gateway.list_tools()).tools) == 2, "nor the next ones"
            assert (await gateway.list_resources()).resources == [], "nor other lists"


async def test_a_search_says_whose_tools_it_could_not_look_through(tmp_path: Path) -> None:
    async with client(tmp_path, HUNG, face="search", wait_s=0.1) as gateway:
        answer = await gateway.call_tool("search_tools", {"query": "do something"})
    assert "[hung is not there: it is still starting]" in str(answer.content)


@requirement("N1")
async def test_a_server_that_is_slow_is_listed_as_it_was_last_time_and_a_call_waits_for_it(tmp_path: Path) -> None:
    closed = tmp_path / "closed"
    slow = stdio_server("slow", entry=READS, closed=str(closed))
    async with client(tmp_path, slow, wait_s=60) as gateway:
        assert [tool.name for tool in (await gateway.list_tools()).tools] == ["slow_tool_0", "read_result"]
    closed.touch()
    changed = anyio.Event()
    async with client(tmp_path, slow, changes=changed, wait_s=0.1) as gateway:
        listed = await gateway.list_tools()
        assert [tool.name for tool in listed.tools] == ["slow_tool_0", "read_result"]
        assert listed.meta is not None
        assert MISSING in listed.meta
        assert not (await called_while_closed(gateway, "slow_tool_0", closed)).is_error
        await changed.wait()
        assert MISSING not in ((await gateway.list_tools()).meta or {})


@pytest.mark.parametrize("name", ["slow_tool_0", "slow_nothing"])
async def test_a_server_that_was_never_seen_is_announced_when_it_comes_and_a_call_by_name_waits_for_it(
    tmp_path: Path, name: str
) -> None:
    closed = tmp_path / "closed"
    closed.touch()
    slow, changed = stdio_server("slow", entry=READS, closed=str(closed)), anyio.Event()
    async with client(tmp_path, slow, NEAR, changes=changed, wait_s=0.1) as gateway:
        assert "slow_tool_0" not in [tool.name for tool in (await gateway.list_tools()).tools]
        assert (await called_while_closed(gateway, name, closed)).is_error is (name == "slow_nothing")
        await changed.wait()
        assert "slow_tool_0" in [tool.name for tool in (await gateway.list_tools()).tools]


@requirement("N1")
async def test_while_a_server_changes_its_tools_each_list_is_whole_and_a_tool_that_is_gone_is_named(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("autonomy.mcp_gateway.sessions.client_memory.LISTS_PER_MINUTE", 1_000_000)
    generation = 0

    async def listed(context: Any, params: Any) -> ListToolsResult:
        now = generation
        await anyio.sleep(0)  # others go on meanwhile
        return ListToolsResult(tools=[Tool(name=f"g{now}_{at}", input_schema={"type": "object"}) for at in "abc"])

    async def called(context: Any, params: CallToolRequestParams) -> CallToolResult:
        known = params.name.startswith(f"g{generation}_")
        return CallToolResult(content=[TextContent(text=params.name if known else "Unknown tool")], is_error=not known)

    restless = Server[Any]("restless", on_list_tools=listed, on_call_tool=called)
    profile = ClientProfile(writes="allow")
    quick = GatewaySettings(debounce_s=0.01)
    inside = {"restless": InProcess(restless, in_backend="a test")}
    seen = list[set[str]]()
    with anyio.fail_after(240):
        async with open_gateway([], in_process=inside, settings=quick) as gateway:
            serving = GatewayServer(Services(gateway, backoff=NO_WAIT), GatewayClients(clients={"default": profile}))
            async with serving.open(), Client(serving.server(), mode="legacy") as one, anyio.create_task_group() as group:

                async def keep_listing() -> None:
                    while True:
                        tools = (await one.list_tools()).tools
                        seen.append({tool.name.split("_")[1] for tool in tools if tool.name != "read_result"})

                for _ in range(3):
                    group.start_soon(keep_listing)
                while generation < 19:
                    generation += 1
                    await gateway.catalog(refresh=True)
                group.cancel_scope.cancel()
            async with Client(serving.server(), mode="legacy") as other:
                names = [tool.name for tool in (await other.list_tools()).tools]
                gone = await other.call_tool("restless_g1_a", {})
                there = await other.call_tool(names[0], {})
    assert names == ["restless_g19_a", "restless_g19_b", "restless_g19_c", "read_result"]
    assert len(seen) > 20
    assert all(len(generations) == 1 for generations in seen), "never half of one and half of another"
    assert (gone.is_error, there.is_error) == (True, False)
    assert "restless_g1_a" in str(gone.content)


@requirement("N1")
async def test_definitions_reach_the_client_as_their_server_gave_them(tmp_path: Path) -> None:
    schema = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "type": "object",
        "properties": {"a": {"anyOf": [{"type": "string"}, {"type": "null"}], "default": None}, "b": {"$ref": "#/$defs/b"}},
        "$defs": {"b": {"enum": [1, "x", 1.5]}},
        "additionalProperties": False,
    }
    given: list[dict[str, Any]] = [
        {"name": "plain", "description": "Reads a thing.", "inputSchema": {"type": "object"}},
        {"name": "titled", "title": "Titled", "description": "Reads it.", "inputSchema": schema},
        {
            "name": "annotated",
            "description": "Reads all of it.",
            "inputSchema": schema,
            "outputSchema": {"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]},
            "annotations": {"title": "Annotated", "readOnlyHint": True, "openWorldHint": False},
        },
        {"name": "both", "title": "Both", "description": "B.", "inputSchema": schema, "annotations": {"title": "Both"}},
        {"name": "two", "title": "One", "description": "B.", "inputSchema": schema, "annotations": {"title": "Another"}},
        {"name": "long", "description": "Reads a thing. " * 400, "inputSchema": schema},
        {"name": "indented", "description": "\n    Reads it.\n\n    Args:\n\ta: which\n    ", "inputSchema": schema},
        {"name": "silent", "inputSchema": schema},
        {
            "name": "drawn",
            "description": "Shows it.",
            "inputSchema": schema,
            "icons": [{"src": "https://example.com/a.png", "mimeType": "image/png", "sizes": ["48x48"]}],
            "_meta": {"ui": {"resourceUri": "ui://near/view"}, "example.com/tags": ["a"]},
        },
    ]
    async with client(tmp_path, stdio_server("near", list=given), wait_s=60) as gateway:
        listed = {tool.name: tool for tool in (await gateway.list_tools()).tools}
    for tool in given:
        got = listed[f"near_{tool['name']}"].model_dump(mode="json", by_alias=True, exclude_none=True)
        assert got == {**tool, "name": f"near_{tool['name']}"}


@requirement("N1")
async def test_however_long_a_definition_is_its_arguments_come_first_and_the_rest_can_be_read_on(tmp_path: Path) -> None:
    schema = {"type": "object", "properties": {f"field_{at}": {"type": "string", "description": "w" * 90} for at in range(60)}}
    given = [
        {"name": "wordy", "description": "Reads a thing. " * 1_000, "inputSchema": {"type": "object", "properties": {"a": {}}}},
        {"name": "wide", "description": "Reads it.", "inputSchema": schema},
    ]
    async with client(tmp_path, stdio_server("near", list=given), wait_s=60, face="search") as gateway:
        (wordy,) = (await gateway.call_tool("describe_tool", {"name": "near_wordy"})).content
        assert '"properties": {"a": {}}' in wordy.text  # type: ignore[union-attr]
        (begun,) = (await gateway.call_tool("describe_tool", {"name": "near_wide"})).content
        assert 'handle "tool-near_wide", offset 4000' in begun.text  # type: ignore[union-attr]
        (rest,) = (await gateway.call_tool("read_result", {"handle": "tool-near_wide", "offset": 8_000})).content
        assert "field_59" in rest.text  # type: ignore[union-attr]
