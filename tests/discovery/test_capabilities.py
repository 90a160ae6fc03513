"""The names of the source documents: their shape, and that they are the real thing."""

import anyio
import pytest

from discovery.compat.capabilities import (
    MCPCapabilityDiscovery,
    MCPClientManager,
    MCPServerConfig,
    MCPToolExecutionError,
    MCPToolNotFoundError,
)
from discovery.gateway import open_gateway
from tests.requirements import requirement
from tests.support.server_configs import PATIENT, stdio_server

SETTINGS = PATIENT.model_copy(update={"retry_base_s": 5})


@requirement("D7")
async def test_capabilities_have_the_promised_shape() -> None:
    servers = [stdio_server("files", tools=2), stdio_server("broken", fault="exit")]
    async with open_gateway(servers, settings=SETTINGS) as gateway:
        await gateway.settle(60)
        capabilities = await MCPCapabilityDiscovery(gateway).discover_all_capabilities()
    files, broken = capabilities["providers"]["files"], capabilities["providers"]["broken"]
    assert (files["status"], broken["status"]) == ("available", "unavailable")
    assert "exit code 3" in broken["error"]
    assert files["connection_info"]["protocol_version"] == "2025-11-25"
    assert files["connection_info"]["instructions"] == "Be kind."
    assert [tool["full_name"] for tool in capabilities["all_tools"]] == ["files_tool_0", "files_tool_1"]
    assert capabilities["summary"] == {
        "total_providers": 2,
        "total_tools": 2,
        "available_providers": ["files"],
        "unavailable_providers": ["broken"],
    }
    assert not capabilities["emergency_mode"]


@requirement("D10")
async def test_the_emergency_names_the_configured_providers() -> None:
    async with open_gateway([stdio_server("broken", fault="exit")], settings=SETTINGS) as gateway:
        discovery = MCPCapabilityDiscovery(gateway)
        found, emergency = await discovery.discover_all_capabilities(), discovery.get_emergency_capabilities()
    assert found["emergency_mode"]
    assert emergency["emergency_mode"]
    assert found["summary"]["unavailable_providers"] == emergency["summary"]["unavailable_providers"] == ["broken"]
    assert emergency["message"]


@requirement("D11", "D12", "D13")
async def test_descriptions_recommendations_and_hints_come_from_the_gateway() -> None:
    async with open_gateway(
        [stdio_server("esa", list=[{"name": "esa_create_post", "inputSchema": {}}])], settings=SETTINGS
    ) as gateway:
        discovery = MCPCapabilityDiscovery(gateway)
        described = await discovery.generate_ai_tool_descriptions()
        (spec,) = (await gateway.catalog()).tools
        hint = discovery.generate_tool_usage_hint(spec)
    assert set(described) >= {"tool_summary", "provider_overview", "recommended_usage", "tool_details"}
    assert "AI代筆日記" in hint


@requirement("D17", "D3", "D16", "D15")
async def test_the_manager_initializes_calls_and_cleans_up_from_different_tasks() -> None:
    entry = {"system_instruction": "常に丁寧に", "response_instruction": "出典を書く", "auto_context_tool": "tool_0"}
    servers = [stdio_server("files", tools=1, entry=entry), stdio_server("broken", fault="exit")]
    assert isinstance(servers[0], MCPServerConfig)
    with anyio.fail_after(240):
        async with anyio.create_task_group() as tasks:
            manager = MCPClientManager(tasks, settings=SETTINGS)
            await manager.initialize(servers)
            assert [tool.name for tool in await manager.get_available_tools()] == ["files_tool_0"]
            assert '"text": "x"' in await manager.call_tool("files_tool_0", {"text": "x"})
            with pytest.raises(MCPToolNotFoundError):
                await manager.call_tool("nowhere", {})
            assert await manager.get_system_instructions() == ("常に丁寧に",)
            assert await manager.get_response_instruction("files_tool_0") == "出典を書く"
            assert await manager.get_auto_context_tools() == ("files_tool_0",)
            tasks.start_soon(manager.cleanup)
        assert await manager.get_available_tools() == ()


@requirement("D17")
async def test_a_tool_that_fails_raises_the_execution_error() -> None:
    async with anyio.create_task_group() as tasks:
        manager = MCPClientManager(tasks, settings=SETTINGS)
        await manager.initialize([stdio_server("files", fault="soft_error")])
        with pytest.raises(MCPToolExecutionError, match="no such file"):
            await manager.call_tool("files_tool_0", {})
        await manager.cleanup()


async def test_a_second_set_of_servers_takes_the_place_of_the_first_whose_processes_end() -> None:
    with anyio.fail_after(240):
        async with anyio.create_task_group() as tasks:
            manager = MCPClientManager(tasks, settings=SETTINGS)
            await manager.initialize([stdio_server("files")])
            await manager.initialize([stdio_server("notes")])
            assert {tool.provider for tool in await manager.get_available_tools()} == {"notes"}
            await manager.cleanup()
