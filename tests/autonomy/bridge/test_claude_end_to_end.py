"""The whole way, for real: pydantic-ai → the Claude Agent SDK → its bundled CLI → a fake of the Messages API on loopback.

`pytest -m claude`; needs the extras `claude` and `pydantic-ai`.
"""

import os
import threading
from dataclasses import dataclass
from pathlib import Path

import anyio
import pytest
from pydantic import BaseModel
from pydantic_ai import Agent, RunContext, ToolOutput
from pydantic_ai import messages as pm
from pydantic_ai.exceptions import ModelAPIError, ModelHTTPError, ModelOverloadedError, ModelRequestTimeout
from pydantic_ai.models import ModelRequestParameters
from pydantic_ai.models.fallback import FallbackModel
from pydantic_ai.models.test import TestModel
from pydantic_ai.toolsets import FunctionToolset

from autonomy.bridge import ClaudeCodeStopped
from tests.requirements import requirement
from tests.support.anthropic_messages import KEY, AnthropicMessages, Raw, Silence, failure, reply, text, thinking, tool_use

pytestmark = [pytest.mark.claude, pytest.mark.timeout(120)]
pytest.importorskip("claude_agent_sdk")
from autonomy.bridge.claude.claude_model import ClaudeCodeModel, isolated_options  # noqa: E402 -- needs the SDK

TOOL = "mcp__pydantic_tools__"


@dataclass
class Config:
    unit: str


class Weather(BaseModel):
    city: str
    degrees: int


@pytest.fixture
def fake():
    with AnthropicMessages() as fake:
        yield fake
        assert fake.unscripted == []


@pytest.fixture
def model(fake, tmp_path):
    environment = {"ANTHROPIC_BASE_URL": fake.url, "ANTHROPIC_API_KEY": KEY, "CLAUDE_CONFIG_DIR": str(tmp_path / "claude")}
    options = isolated_options(cwd=tmp_path)
    options.env.update(environment)
    return ClaudeCodeModel("claude-sonnet-5-5", options=options)


@pytest.fixture
def agent(model):
    agent = Agent(model, deps_type=Config, instructions="短く答える")

    @agent.tool_plain
    def weather(city: str) -> str:
        """The weather of a city."""
        return f"{city}は晴れ"

    @agent.tool_plain
    async def double(n: int) -> int:
        return n * 2

    @agent.tool
    def temperature(ctx: RunContext[Config], degrees: int) -> str:
        if degrees > 100:
            raise ValueError("暑すぎる")
        return f"{degrees}{ctx.deps.unit}"

    model.set_agent_toolsets(agent._function_toolset, deps=Config("度"))
    return agent


@requirement("SC-001", "SC-002", "SC-003", "FR-002", "FR-011", "US1", "US5")
async def test_three_tools_are_called_in_claude_codes_loop_and_the_answer_comes_back(fake, agent):
    fake.script(
        reply(text("調べます"), tool_use(TOOL + "weather", {"city": "東京"}), tool_use(TOOL + "double", {"n": 10})),
        reply(tool_use(TOOL + "temperature", {"degrees": 20})),
        reply(thinking("ふむ"), text("東京は晴れ、20度です")),
    )
    result = await agent.run("東京の天気は?", deps=Config("-"))
    assert result.output == "東京は晴れ、20度です"

    first, second, third = fake.requests
    offered = {tool["name"]: tool for tool in first.body["tools"]}
    assert {TOOL + "weather", TOOL + "double", TOOL + "temperature"} <= set(offered)
    assert offered[TOOL + "weather"]["description"] == "The weather of a city."
    assert "短く答える" in first.system
    assert [block["content"][0]["text"] for block in second.tool_results] == ["東京は晴れ", "20"]
    assert third.tool_results[-1]["content"][0]["text"] == "20度"

    response = result.all_messages()[-1]
    calls = [(part.part_kind, part.tool_name) for part in response.parts if hasattr(part, "tool_name")]
    assert sorted(calls) == sorted(
        (kind, name) for name in ("weather", "double", "temperature") for kind in ("builtin-tool-call", "builtin-tool-return")
    )
    assert [part.content for part in response.parts if isinstance(part, pm.ThinkingPart)] == ["ふむ"]
    assert (result.usage.input_tokens, result.usage.output_tokens) == (30, 15)
    assert result.usage.cost > 0
    assert response.provider_details["num_turns"] == 4
    assert (response.model_name, response.finish_reason) == ("claude-sonnet-5-5", "stop")


@requirement("US1")
async def test_a_tool_that_fails_is_read_by_claude(fake, agent):
    fake.script(reply(tool_use(TOOL + "temperature", {"degrees": 900})), reply(text("だめでした")))
    result = await agent.run("x", deps=Config("-"))
    assert result.output == "だめでした"
    (error,) = fake.requests[1].tool_results
    assert error["is_error"]
    assert "ValueError: 暑すぎる" in str(error["content"])
    (returned,) = [part for part in result.all_messages()[-1].parts if isinstance(part, pm.NativeToolReturnPart)]
    assert returned.outcome == "failed"


async def test_a_conversation_goes_on(fake, agent):
    fake.script(reply(text("晴れです")), reply(text("雨です")))
    first = await agent.run("今日は?", deps=Config("-"))
    second = await agent.run("明日は?", deps=Config("-"), message_history=first.all_messages())
    assert second.output == "雨です"
    history, newest = fake.requests[1].blocks[:2]
    assert '{"role": "assistant", "content": "晴れです"}' in history["text"]
    assert newest["text"] == "明日は?"


@pytest.mark.parametrize("output_type", [Weather, ToolOutput(Weather)])
async def test_a_structured_answer_is_built(fake, agent, output_type):
    fake.script(reply(text("では"), tool_use("StructuredOutput", {"city": "東京", "degrees": 20})))
    result = await agent.run("x", deps=Config("-"), output_type=output_type)
    assert result.output == Weather(city="東京", degrees=20)


async def test_text_is_streamed_as_it_comes(fake, agent):
    fake.script(reply(text("調べます"), tool_use(TOOL + "double", {"n": 1})), reply(text("流れる言葉")))
    async with agent.run_stream("x", deps=Config("-")) as run:
        pieces = [piece async for piece in run.stream_text(delta=True, debounce_by=None)]
        assert pieces[-2:] == ["流れ", "る言葉"]
        assert run.usage.output_tokens == 10


async def test_a_wrapped_toolset_is_called(fake, model):
    def hello(name: str) -> str:
        return f"こんにちは{name}"

    toolset = FunctionToolset([hello]).prefixed("jp")
    model.set_agent_toolsets([toolset])
    fake.script(reply(tool_use(TOOL + "jp_hello", {"name": "世界"})), reply(text("済")))
    assert (await Agent(model, toolsets=[toolset]).run("x")).output == "済"
    assert fake.requests[1].tool_results[0]["content"][0]["text"] == "こんにちは世界"


async def test_an_overloaded_vendor_is_asked_once_and_a_fallback_takes_over(fake, model):
    fake.script(failure(529), failure(529))
    with pytest.raises(ModelOverloadedError):
        await Agent(model).run("x")
    assert len(fake.requests) == 1
    result = await Agent(FallbackModel(model, TestModel(custom_output_text="代わり"))).run("x")
    assert result.output == "代わり"


@pytest.mark.parametrize("cut", [{"break_after": 3}, {"error_after": (3, "overloaded_error")}])
async def test_the_pieces_of_a_stream_that_broke_are_no_answer(fake, model, cut):
    fake.script(reply(thinking("ふむ"), text("半分の言葉"), **cut), reply(text("別の答えです")))
    result = await Agent(model).run("x")
    assert result.output == "別の答えです"
    assert [request.body["stream"] for request in fake.requests] == [True, False]


@pytest.mark.parametrize(
    "answer",
    [Raw(b"<html>"), reply(text("いや"), stop_reason="refusal"), reply(thinking("ふむ"), text("半分"), break_after=6)],
)
async def test_a_reply_that_is_none_is_an_error_and_no_answer(fake, model, answer):
    fake.answer = lambda _request: answer
    with pytest.raises(ModelAPIError):
        await Agent(model).run("x")


async def test_a_deadline_ends_claude_code(fake, model):
    fake.script(Silence())
    before = children()
    with pytest.raises(ModelRequestTimeout):
        await Agent(model).run("x", model_settings={"request_timeout": 2})
    assert children() == before


async def test_leaving_a_stream_ends_claude_code(fake, model):
    fake.script(reply(text("長い言葉")))
    before = children()
    async with Agent(model).run_stream("x") as run:
        async for _words in run.stream_text(debounce_by=None):
            break
    assert children() == before


async def test_a_cancelled_stream_is_an_interrupted_response(fake, model):
    fake.script(reply(text("長い言葉")))
    before = children()
    asked = [pm.ModelRequest([pm.UserPromptPart("x")])]
    async with model.request_stream(asked, None, ModelRequestParameters()) as response:
        async for _event in response:
            await response.cancel()
        assert children() == before
        assert response.get().state == "interrupted"


async def test_a_wrong_key_is_an_error_with_its_status(fake, model):
    model._options.env["ANTHROPIC_API_KEY"] = "wrong"
    with pytest.raises(ModelHTTPError) as error:
        await Agent(model).run("x")
    assert error.value.status_code == 401


async def test_a_turn_limit_ends_without_an_answer(fake, agent, model):
    model._options.max_turns = 1
    fake.answer = lambda _request: reply(tool_use(TOOL + "double", {"n": 1}))
    with pytest.raises(ClaudeCodeStopped, match="max_turns"):
        await agent.run("x", deps=Config("-"))


def children():
    return Path(f"/proc/self/task/{os.getpid()}/children").read_text().split()


async def test_cancelling_ends_claude_code(fake, model):
    asked = threading.Event()

    def hang(_request):
        asked.set()
        return Silence()

    fake.answer = hang
    before = children()
    with anyio.fail_after(240):
        async with anyio.create_task_group() as group:
            group.start_soon(Agent(model).run, "x")
            await anyio.to_thread.run_sync(asked.wait)
            assert children() != before
            group.cancel_scope.cancel()
    assert children() == before
