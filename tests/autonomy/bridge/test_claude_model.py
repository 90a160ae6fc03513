"""`ClaudeCodeModel` before Claude Code is started: which tools a request gets, and how Claude Code is set up."""

import logging
from dataclasses import dataclass

import httpx2
import pytest
from mcp import Client
from pydantic_ai import Agent, RunContext, Tool, UserError
from pydantic_ai.models import ModelRequestParameters
from pydantic_ai.tools import ToolDefinition
from pydantic_ai.toolsets import FunctionToolset

from autonomy.bridge import ToolNotFoundError, ToolsetNotRegisteredError, UnsupportedDepsTypeError
from tests.requirements import requirement

pytest.importorskip("claude_agent_sdk")
from autonomy.bridge.claude.claude_model import ClaudeCodeModel, isolated_options


@dataclass
class Config:
    unit: str


def one() -> str:
    return "1"


def two() -> str:
    return "2"


def three() -> str:
    return "3"


@pytest.fixture
def agent():
    return Agent(tools=[one, two, three])


@pytest.fixture
def model(agent):
    model = ClaudeCodeModel("claude-test")
    model.set_agent_toolsets(agent._function_toolset)
    return model


async def names_of(config):
    async with Client(config["instance"]) as client:
        return [tool.name for tool in (await client.list_tools()).tools]


@requirement("FR-001", "FR-002", "US1")
async def test_registering_gives_a_server_of_all_tools(agent):
    config = ClaudeCodeModel().set_agent_toolsets(agent._function_toolset)
    assert (config["type"], config["name"]) == ("sdk", "pydantic_tools")
    assert await names_of(config) == ["one", "two", "three"]


@requirement("FR-011", "SC-006", "US5")
@pytest.mark.parametrize("form", [str, lambda name: ToolDefinition(name=name)])
async def test_a_request_gets_the_tools_it_names_and_no_others(model, form):
    config = model._process_function_tools([form("three"), form("one")])
    assert await names_of(config) == ["three", "one"]


@requirement("FR-011", "US5")
def test_a_request_that_names_no_tools_gets_no_server(model):
    assert model._process_function_tools([]) is None
    assert ClaudeCodeModel()._process_function_tools([]) is None


@requirement("FR-011", "SC-006", "US5")
def test_a_name_that_is_not_registered_is_reported(model):
    with pytest.raises(ToolNotFoundError, match=r"no tool named four is registered; known: one, two, three") as error:
        model._process_function_tools(["one", "four"])
    assert error.value.missing == ("four",)


@requirement("FR-011", "US5")
def test_tools_without_a_toolset_are_reported():
    with pytest.raises(ToolsetNotRegisteredError, match=r"set_agent_toolsets\(\)") as error:
        ClaudeCodeModel()._process_function_tools(["one"])
    assert error.value.wanted == ("one",)


@requirement("US1")
def test_registering_again_replaces_and_warns(model, caplog):
    with caplog.at_level(logging.WARNING, "autonomy.bridge"):
        model.set_agent_toolsets([Tool(one)])
    assert "replaced" in caplog.text
    assert set(model._tools) == {"one"}


@requirement("US3", "FR-009")
def test_deps_must_be_serialisable_for_every_kind_of_toolset():
    def fetch(ctx: RunContext[httpx2.AsyncClient]) -> str:
        return str(ctx.deps)

    toolset = FunctionToolset([fetch])
    for form in (toolset, toolset.prefixed("x")):
        with pytest.raises(UnsupportedDepsTypeError):
            ClaudeCodeModel().set_agent_toolsets(form, deps=httpx2.AsyncClient())


async def test_a_wrapped_toolset_is_asked_when_the_request_comes():
    def unit(ctx: RunContext[Config]) -> str:
        return ctx.deps.unit

    model = ClaudeCodeModel()
    config = model.set_agent_toolsets([FunctionToolset([unit]).prefixed("a"), FunctionToolset([two])], deps=Config("度"))
    assert await names_of(config) == ["a_unit", "two"]
    async with model._registered_tools() as registered:
        assert await names_of(model._process_function_tools(["a_unit"], registered)) == ["a_unit"]
        assert (await registered["a_unit"].handler({}))["content"][0]["text"] == "度"
        with pytest.raises(ToolNotFoundError):
            model._process_function_tools(["unit"], registered)


def options_of(model, settings=None, **parameters):
    given = ModelRequestParameters(**parameters)
    return model._request_options([], settings, given, model._process_function_tools(given.function_tools))


def test_claude_code_gets_the_named_tools_and_nothing_else(model):
    options = options_of(model, function_tools=[ToolDefinition(name="two")])
    assert options.tools == []
    assert options.allowed_tools == ["mcp__pydantic_tools__two"]
    assert list(options.mcp_servers) == ["pydantic_tools"]
    assert options.permission_mode == "dontAsk"
    assert options.setting_sources == []
    assert options.strict_mcp_config
    assert options.verbatim_prompts
    assert options.model == "claude-test"
    assert options.env["CLAUDE_CODE_MAX_RETRIES"] == "0"


def test_settings_and_options_of_the_caller_are_kept():
    model = ClaudeCodeModel(options=isolated_options(max_turns=3, model="claude-base", system_prompt="base"))
    options = options_of(model, {"max_tokens": 99})
    assert (options.max_turns, options.model, options.system_prompt) == (3, "claude-base", "base")
    assert options.env["CLAUDE_CODE_MAX_OUTPUT_TOKENS"] == "99"
    assert "CLAUDE_CODE_MAX_OUTPUT_TOKENS" not in isolated_options().env


def test_servers_in_a_file_cannot_be_added_to():
    with pytest.raises(UserError, match="must be a dict"):
        options_of(ClaudeCodeModel(options=isolated_options(mcp_servers="servers.json")))


def test_one_output_tool_becomes_the_schema_of_the_answer(model):
    schema = {"type": "object", "properties": {"a": {"type": "integer"}}}
    tool = ToolDefinition(name="final", parameters_json_schema=schema)
    assert options_of(model, output_tools=[tool]).output_format == {"type": "json_schema", "schema": schema}
    with pytest.raises(UserError, match="NativeOutput"):
        options_of(model, output_tools=[tool, tool])


def test_it_has_a_name_for_logs_and_prices():
    assert (ClaudeCodeModel().model_name, ClaudeCodeModel("m").system) == ("default", "claude-code")
