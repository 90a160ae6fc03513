"""A whole toolset as one server, seen by an MCP client."""

from dataclasses import dataclass
from functools import reduce
from typing import Any

import pytest
from mcp import Client
from pydantic_ai import Agent, RunContext
from pydantic_ai.toolsets import FunctionToolset

from autonomy.bridge import MCP_SERVER_NAME, AgentToolset, ToolValidationError, create_mcp_server_from_tools, tool_definitions
from autonomy.bridge.mcp_integration import TOOL_PREFIX
from autonomy.bridge.tool_converter import convert_tools_to_mcp_server
from tests.requirements import requirement


@dataclass
class Config:
    unit: str


@pytest.fixture
def agent():
    agent = Agent(deps_type=Config)

    @agent.tool_plain
    def weather(city: str) -> str:
        """The weather of a city."""
        return f"{city}は晴れ"

    @agent.tool_plain
    async def double(n: int) -> dict[str, int]:
        return {"result": n * 2}

    return agent


@requirement("FR-001", "FR-002", "SC-001", "SC-002", "US1")
async def test_an_agents_tools_become_a_server_configuration(agent):
    assert isinstance(agent._function_toolset, AgentToolset)
    config = create_mcp_server_from_tools(agent._function_toolset)
    assert (config["type"], config["name"]) == ("sdk", "pydantic_tools")
    async with Client(config["instance"]) as client:
        listed = (await client.list_tools()).tools
        assert [(tool.name, tool.description) for tool in listed] == [("weather", "The weather of a city."), ("double", "")]
        answer = await client.call_tool("weather", {"city": "東京"})
        assert (answer.is_error, answer.content[0].text) == (False, "東京は晴れ")
        assert (await client.call_tool("double", {"n": 4})).content[0].text == '{"result":8}'


@requirement("US1")
def test_claude_sees_the_tools_under_the_servers_name():
    assert TOOL_PREFIX + "weather" == "mcp__pydantic_tools__weather"
    assert MCP_SERVER_NAME == "pydantic_tools"


async def test_errors_cross_the_wire_as_results(agent):
    @agent.tool_plain
    def fails() -> str:
        raise ValueError("だめ")

    async with Client(create_mcp_server_from_tools(agent._function_toolset)["instance"]) as client:
        for name, arguments, words in [
            ("fails", {}, "ValueError: だめ"),
            ("double", {"n": "x"}, "invalid arguments for double: n:"),
            ("nowhere", {}, "there is no tool named 'nowhere'"),
        ]:
            result = await client.call_tool(name, arguments)
            assert result.is_error
            assert words in result.content[0].text


async def test_a_response_that_is_none_is_an_error_result():
    def odd() -> dict[str, list[dict[str, str]]]:
        return {"content": [{"type": "image"}]}

    def deep() -> dict[str, Any]:
        return {
            "content": [{"type": "text", "text": ""}],
            "structuredContent": reduce(lambda inner, _: {"in": inner}, range(300), {}),
        }

    async with Client(create_mcp_server_from_tools(FunctionToolset([odd, deep]))["instance"]) as client:
        for name in ("odd", "deep"):
            result = await client.call_tool(name, {})
            assert result.is_error
            assert f"{name} answered in no form of MCP" in result.content[0].text


async def test_an_error_flag_in_either_spelling_is_an_error():
    def first() -> dict[str, object]:
        return {"content": [{"type": "text", "text": "x"}], "isError": True}

    def second() -> dict[str, object]:
        return {"content": [{"type": "text", "text": "x"}], "is_error": True}

    async with Client(create_mcp_server_from_tools(FunctionToolset([first, second]))["instance"]) as client:
        assert (await client.call_tool("first", {})).is_error
        assert (await client.call_tool("second", {})).is_error


@requirement("FR-007", "US3")
async def test_with_deps_tools_that_take_a_context_are_converted_too(agent):
    @agent.tool
    def temperature(ctx: RunContext[Config], degrees: int) -> str:
        return f"{degrees}{ctx.deps.unit}"

    with pytest.raises(NotImplementedError):
        create_mcp_server_from_tools(agent._function_toolset)
    config = create_mcp_server_from_tools(agent._function_toolset, deps=Config("度"), name="mine", version="2")
    async with Client(config["instance"]) as client:
        assert (await client.call_tool("temperature", {"degrees": 20})).content[0].text == "20度"


async def test_a_toolsets_own_timeout_holds_for_its_tools():
    async def endless() -> None:
        import anyio

        await anyio.sleep_forever()

    toolset = FunctionToolset([endless], timeout=0.05)
    async with Client(create_mcp_server_from_tools(toolset)["instance"]) as client:
        assert "did not answer within 0.05 s" in (await client.call_tool("endless", {})).content[0].text


@requirement("FR-002", "SC-007")
async def test_a_list_of_tools_becomes_a_server(agent):
    config = convert_tools_to_mcp_server(agent._function_toolset.tools.values(), server_name="mine", server_version="2.1")
    assert config["name"] == "mine"
    async with Client(config["instance"]) as client:
        assert client.server_info.version == "2.1"
        assert len((await client.list_tools()).tools) == 2


@pytest.mark.parametrize(
    ("form", "words"),
    [
        (FunctionToolset([]).prefixed("a"), r"PrefixedToolset has no fixed set .* toolset_server\(\)"),
        ([FunctionToolset([])], "a FunctionToolset is given as a tool, and has no name"),
    ],
)
def test_what_cannot_be_converted_once_and_for_all_is_said_clearly(form, words):
    with pytest.raises(ToolValidationError, match=words):
        create_mcp_server_from_tools(form)


def test_tools_can_be_had_as_data(agent):
    first = tool_definitions(agent._function_toolset)[0]
    assert set(first) == {"name", "description", "input_schema", "function"}
    assert first["function"]("東京") == "東京は晴れ"
