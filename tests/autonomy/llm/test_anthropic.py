"""Anthropic's Messages API over real HTTP: what is sent, what is made of replies, and what goes wrong."""

from collections.abc import Iterator
from typing import Any

import pytest

import autonomy.llm.vendors.anthropic_messages  # noqa: F401 - the registry would import it inside the event loop
from autonomy.errors import ModelGarbled, ModelRejected, ModelUnavailable
from autonomy.llm.messages import AssistantMessage, Message, SystemMessage, ToolCall, ToolDefinition, ToolResult, UserMessage
from autonomy.llm.model import Model, ModelOptions, ModelRequest
from autonomy.llm.model_registry import open_model
from tests.autonomy.llm.conftest import Listening
from tests.requirements import requirement
from tests.support.anthropic_messages import KEY, AnthropicMessages, Raw, failure, reply, text, thinking, tool_use

TOOL = ToolDefinition(
    name="weather_get", description="天気", input_schema={"type": "object", "properties": {"place": {"type": "string"}}}
)
HELLO = ModelRequest(messages=(UserMessage(text="hello"),), tools=(TOOL,))


@pytest.fixture
def fake() -> Iterator[AnthropicMessages]:
    with AnthropicMessages() as server:
        yield server


@pytest.fixture
async def opened(fake: AnthropicMessages):
    models: list[Model] = []

    def opener(name: str = "anthropic:claude-sonnet-5-5", **options: Any) -> Model:
        models.append(open_model(name, ModelOptions(**{"api_key": KEY, "base_url": fake.url, **options})))
        return models[-1]

    yield opener
    for model in models:
        await model.aclose()


@requirement("L1", "L4", "X1")
async def test_the_conversation_and_the_tools_are_sent_in_anthropic_s_form(fake, opened):
    fake.script(reply(text("晴れです")))
    talk = (
        SystemMessage(text="be brief"),
        UserMessage(text="東京と大阪の天気"),
        AssistantMessage(
            text="調べます。",
            calls=(
                ToolCall(id="t1", name="weather_get", arguments={"place": "東京"}),
                ToolCall(id="t2", name="weather_get", arguments={"place": "火星"}),
            ),
        ),
        ToolResult(call_id="t1", name="weather_get", text="晴れ"),
        ToolResult(call_id="t2", name="weather_get", text="unknown place", is_error=True, kind="terminal"),
        UserMessage(text="二つ目は別の方法で", host=True),
        SystemMessage(text="出典を添える"),
    )
    await opened().complete(ModelRequest(messages=talk, tools=(TOOL,)))
    (request,) = fake.requests
    assert request.path == "/v1/messages"
    assert request.headers["authorization"] == f"Bearer {KEY}"
    assert request.headers["anthropic-version"] == "2026-10-21"
    assert request.body == {
        "model": "claude-sonnet-5-5",
        "max_tokens": 1500,
        "system": [{"type": "text", "text": "be brief", "cache_control": {"type": "ephemeral"}}],
        "cache_control": {"type": "ephemeral"},
        "messages": [
            {
                "role": "user",
                "content": [{"type": "text", "text": "東京と大阪の天気", "cache_control": {"type": "ephemeral"}}],
            },
            {
                "role": "assistant",
                "content": [
                    {"type": "text", "text": "調べます。"},
                    {"type": "tool_use", "id": "t1", "name": "weather_get", "input": {"place": "東京"}},
                    {"type": "tool_use", "id": "t2", "name": "weather_get", "input": {"place": "火星"}},
                ],
            },
            {
                "role": "user",
                "content": [
                    {"type": "tool_result", "tool_use_id": "t1", "content": "晴れ"},
                    {"type": "tool_result", "tool_use_id": "t2", "content": "unknown place", "is_error": True},
                    {"type": "text", "text": "二つ目は別の方法で"},
                ],
            },
            {"role": "system", "content": "出典を添える"},
        ],
        "tools": [
            {
                "name": "weather_get",
                "description": "天気",
                "input_schema": {"type": "object", "properties": {"place": {"type": "string"}}},
            }
        ],
    }


@requirement("X4")
async def test_no_temperature_is_sent_because_the_current_models_take_none(fake, opened):
    fake.script(reply(text("ok")))
    await opened().complete(HELLO)
    assert "temperature" not in fake.requests[0].body


@requirement("X3")
async def test_words_are_forced_while_the_tools_stay(fake, opened):
    fake.script(reply(text("ok")))
    await opened().complete(HELLO.model_copy(update={"tool_choice": "none"}))
    assert fake.requests[0].body["tool_choice"] == {"type": "none"}
    assert fake.requests[0].body["tools"]


@requirement("X3")
async def test_a_call_is_forced_by_tool_choice(fake, opened):
    fake.script(reply(text("ok")))
    await opened().complete(HELLO.model_copy(update={"tool_choice": "required"}))
    assert fake.requests[0].body["tool_choice"] == {"type": "any"}


@requirement("N6")
@pytest.mark.parametrize(
    ("reasoning", "said"),
    [
        ("none", {"thinking": {"type": "disabled"}}),
        ("minimal", {"output_config": {"effort": "low"}}),
        ("max", {"output_config": {"effort": "max"}}),
        (None, {}),
    ],
)
async def test_how_much_a_model_thinks_is_said_as_effort(fake, opened, reasoning, said):
    fake.script(reply(text("ok")))
    await opened(reasoning=reasoning).complete(HELLO)
    body = fake.requests[0].body
    assert {name: body[name] for name in ("thinking", "output_config") if name in body} == said


async def test_a_json_schema_is_sent_as_the_output_format(fake, opened):
    fake.script(reply(text("{}")))
    await opened().complete(HELLO.model_copy(update={"json_schema": {"type": "object"}}))
    assert fake.requests[0].body["output_config"] == {"format": {"type": "json_schema", "schema": {"type": "object"}}}


@requirement("L4")
@pytest.mark.parametrize("streamed", [False, True])
async def test_text_calls_usage_and_cost_come_back_the_same_whole_or_streamed(fake, opened, streamed):
    fake.script(
        reply(
            text("調べます。"),
            tool_use("weather_get", {"place": "東京"}, "t1"),
            tool_use("weather_get", {}, "t2"),
            input_tokens=100,
            output_tokens=50,
            cache_read=400,
            cache_creation=500,
        )
    )
    listening = Listening()
    answer = await opened().complete(HELLO, listening if streamed else None)
    assert answer.text == "調べます。"
    assert [(one.id, one.arguments) for one in answer.calls] == [("t1", {"place": "東京"}), ("t2", {})]
    assert (answer.model, answer.stop_reason) == ("anthropic:claude-sonnet-5-5", "tool_calls")
    assert (answer.usage.input_tokens, answer.usage.output_tokens, answer.usage.cached_tokens) == (1000, 50, 400)
    assert answer.usage.cost_usd is not None
    assert answer.usage.cost_usd > 0
    assert answer.vendor_state == {}
    if streamed:
        assert len(listening.pieces) > 1
        assert "".join(listening.pieces) == "調べます。"


@pytest.mark.parametrize("streamed", [False, True])
async def test_signed_thinking_comes_back_verbatim_while_the_same_model_carries_on(fake, opened, streamed):
    fake.script(
        reply(thinking("東京だな", "c2ln"), tool_use("weather_get", {"place": "東京"}, "t1")),
        reply(text("晴れ")),
        reply(text("晴れ")),
    )
    model = opened()
    answer = await model.complete(HELLO, Listening() if streamed else None)
    result = ToolResult(call_id="t1", name="weather_get", text="晴れ")
    await model.complete(ModelRequest(messages=(*HELLO.messages, answer, result), tools=(TOOL,)))
    assert fake.requests[1].body["messages"][1]["content"] == [
        {"type": "thinking", "thinking": "東京だな", "signature": "c2ln"},
        {"type": "tool_use", "id": "t1", "name": "weather_get", "input": {"place": "東京"}},
    ]
    await opened("anthropic:claude-haiku-5-5").complete(ModelRequest(messages=(*HELLO.messages, answer, result), tools=(TOOL,)))
    assert [block["type"] for block in fake.requests[2].body["messages"][1]["content"]] == ["tool_use"]


@pytest.mark.parametrize(
    ("stop", "reason"),
    [("end_turn", "end"), ("max_tokens", "length"), ("refusal", "refusal"), ("pause_turn", "pause"), ("stop_sequence", "end")],
)
async def test_why_it_stopped_is_said_in_neutral_words(fake, opened, stop, reason):
    fake.script(reply(text("words"), stop_reason=stop))
    assert (await opened().complete(HELLO)).stop_reason == reason


async def test_a_field_that_a_compatible_server_refuses_is_left_out_from_then_on(fake, opened):
    fake.script(failure(400, "cache_control: Extra inputs are not permitted"), reply(text("ok")), reply(text("ok")))
    model = opened()
    asked = HELLO.model_copy(update={"messages": (SystemMessage(text="be brief"), *HELLO.messages)})
    await model.complete(asked)
    await model.complete(asked)
    assert ["cache_control" in str(request.body) for request in fake.requests] == [True, False, False]
    assert [request.body["system"] for request in fake.requests[1:]] == ["be brief"] * 2


async def test_each_request_marks_where_the_one_before_it_ended(fake, opened):
    fake.script(*(reply(text("ok")) for _ in range(3)))
    model = opened()
    messages: tuple[Message, ...] = (SystemMessage(text="be brief"), UserMessage(text="go"))
    for turn in range(3):
        await model.complete(ModelRequest(messages=messages, tools=(TOOL,)))
        calls = tuple(ToolCall(id=f"t{turn}-{at}", name="weather_get", arguments={}) for at in range(12))
        results = tuple(ToolResult(call_id=call.id, name=call.name, text=call.id) for call in calls)
        messages = (*messages, AssistantMessage(calls=calls), *results)
    ends = [request.body["messages"][-1]["content"][-1] for request in fake.requests]
    marked = [
        [block for message in request.body["messages"] for block in message["content"] if block.pop("cache_control", None)]
        for request in fake.requests
    ]
    assert marked == [[], ends[:1], ends[1:2]]


@requirement("L7")
@pytest.mark.parametrize("status", [429, 500, 529])
async def test_a_vendor_that_is_down_or_busy_is_unavailable(fake, opened, status):
    fake.script(failure(status, "try later", retry_after_s=7))
    with pytest.raises(ModelUnavailable, match=f"HTTP {status}: try later") as caught:
        await opened().complete(HELLO)
    assert caught.value.retry_after_s == 7
    assert len(fake.requests) == 1, "no hidden retry"


async def test_a_wrong_key_is_rejected(fake, opened):
    with pytest.raises(ModelRejected, match="HTTP 401"):
        await opened(api_key="wrong").complete(HELLO)


async def test_a_stream_that_breaks_off_is_unavailable_and_so_is_an_overload_inside_it(fake, opened):
    fake.script(reply(text("晴れです"), break_after=3), reply(text("晴れです"), error_after=(3, "overloaded_error")))
    model = opened()
    with pytest.raises(ModelUnavailable, match="ended before"):
        await model.complete(HELLO, Listening())
    with pytest.raises(ModelUnavailable, match="broke off"):
        await model.complete(HELLO, Listening())


async def test_an_error_inside_a_stream_that_no_retry_cures_is_rejected(fake, opened):
    fake.script(reply(text("晴れです"), error_after=(2, "invalid_request_error")))
    with pytest.raises(ModelRejected):
        await opened().complete(HELLO, Listening())


@pytest.mark.parametrize("content", [b"Bad gateway", b"[]", b"{}", b'{"content": []}'])
async def test_a_body_that_is_no_reply_is_garbled(fake, opened, content):
    fake.script(Raw(content))
    with pytest.raises(ModelGarbled):
        await opened().complete(HELLO)


async def test_the_fake_speaks_as_the_sdk_expects_and_takes_the_same_headers(fake):
    from anthropic import AsyncAnthropic
    from anthropic.types import Message

    fake.script(reply(text("hi")))
    async with AsyncAnthropic(api_key=KEY, base_url=fake.url, max_retries=0) as client:
        message = await client.messages.create(
            model="claude-sonnet-5-5", max_tokens=9, messages=[{"role": "user", "content": "hi"}]
        )
    assert isinstance(message, Message)
    assert fake.requests[0].headers["anthropic-version"] == "2026-10-21"
    assert fake.requests[0].headers["authorization"] == f"Bearer {KEY}"
