"""OpenAI's Responses API over real HTTP: thoughts that come back, and what else differs from chat completions."""

import json
from typing import Any

import pytest
from openai.types.responses import Response

import autonomy.llm.vendors.openai_models  # noqa: F401 - the registry would import it inside the event loop
from autonomy.errors import ModelGarbled, ModelRejected, ModelUnavailable
from autonomy.llm.messages import AssistantMessage, SystemMessage, ToolCall, ToolDefinition, ToolResult, UserMessage
from autonomy.llm.model import Model, ModelOptions, ModelRequest
from autonomy.llm.model_registry import open_model
from tests.requirements import requirement
from tests.support.openai_chat import Chunks, OpenAIChat, Raw, failure

TOOL = ToolDefinition(
    name="weather_get", description="天気", input_schema={"type": "object", "properties": {"place": {"type": "string"}}}
)
HELLO = ModelRequest(messages=(UserMessage(text="hello"),), tools=(TOOL,))
THOUGHT = {"type": "reasoning", "id": "rs_1", "summary": [], "encrypted_content": "abc"}
CALL = {
    "type": "function_call",
    "id": "fc_1",
    "call_id": "c1",
    "name": "weather_get",
    "arguments": '{"place": "東京"}',
    "status": "completed",
}


def words(text: str, kind: str = "output_text", name: str = "text") -> dict[str, Any]:
    part = {"type": kind, name: text, **({"annotations": []} if kind == "output_text" else {})}
    return {"type": "message", "id": "msg_1", "role": "assistant", "status": "completed", "content": [part]}


def response(*output: dict[str, Any], status: str = "completed", **more: Any) -> dict[str, Any]:
    usage = {
        "input_tokens": 1000,
        "input_tokens_details": {"cached_tokens": 400, "cache_write_tokens": 0},
        "output_tokens": 50,
        "output_tokens_details": {"reasoning_tokens": 30},
        "total_tokens": 1050,
    }
    body = {
        "id": "resp_1",
        "object": "response",
        "created_at": 1,
        "model": "fake",
        "output": list(output),
        "status": status,
        "usage": usage,
    }
    return {**body, "error": None, "parallel_tool_calls": True, "tool_choice": "auto", "tools": [], **more}


def raw(body: dict[str, Any]) -> Raw:
    return Raw(json.dumps(body).encode())


@pytest.fixture
async def model(fake: OpenAIChat):
    options = ModelOptions(api_key="sk-secret", base_url=fake.url, api="responses")
    opened: Model = open_model("openai:gpt-6.1-sol", options)
    yield opened
    await opened.aclose()


@requirement("L3", "X4")
async def test_the_conversation_and_the_tools_are_sent_as_items(fake, model):
    fake.script(raw(response(words("晴れです"))))
    talk = (
        SystemMessage(text="be brief"),
        UserMessage(text="東京の天気"),
        AssistantMessage(text="調べます。", calls=(ToolCall(id="c1", name="weather_get", arguments={"place": "東京"}),)),
        ToolResult(call_id="c1", name="weather_get", text="晴れ"),
    )
    await model.complete(ModelRequest(messages=talk, tools=(TOOL,), tool_choice="none"))
    (request,) = fake.requests
    assert request.path == "/v1/responses"
    assert request.headers["authorization"] == "Bearer sk-secret"
    assert request.body.pop("prompt_cache_key")
    assert request.body == {
        "model": "gpt-6.1-sol",
        "input": [
            {"role": "system", "content": "be brief"},
            {"role": "user", "content": "東京の天気"},
            {"role": "assistant", "content": "調べます。"},
            {"type": "function_call", "call_id": "c1", "name": "weather_get", "arguments": '{"place": "東京"}'},
            {"type": "function_call_output", "call_id": "c1", "output": "晴れ"},
        ],
        "max_output_tokens": 1500,
        "temperature": 0.3,
        "store": False,
        "include": ["reasoning.encrypted_content"],
        "parallel_tool_calls": True,
        "tool_choice": "none",
        "tools": [
            {
                "type": "function",
                "name": "weather_get",
                "description": "天気",
                "parameters": {"type": "object", "properties": {"place": {"type": "string"}}},
                "strict": False,
            }
        ],
    }


@pytest.mark.parametrize("streamed", [False, True])
async def test_text_calls_usage_and_cost_come_back_the_same_whole_or_streamed(fake, model, streamed):
    whole = response(words("調べます。"), CALL)
    assert Response.model_validate(whole).output_text == "調べます。"
    deltas = [{"type": "response.output_text.delta", "delta": piece} for piece in ("調べ", "ます。")]
    fake.script(Chunks([*deltas, {"type": "response.completed", "response": whole}]) if streamed else raw(whole))
    pieces: list[str] = []

    async def listen(piece: str) -> None:
        pieces.append(piece)

    answer = await model.complete(HELLO, listen if streamed else None)
    assert (answer.text, answer.stop_reason, answer.model) == ("調べます。", "tool_calls", "openai:gpt-6.1-sol")
    assert [(one.id, one.arguments) for one in answer.calls] == [("c1", {"place": "東京"})]
    assert (answer.usage.input_tokens, answer.usage.output_tokens, answer.usage.cached_tokens) == (1000, 50, 400)
    assert answer.usage.cost_usd is not None
    assert pieces == (["調べ", "ます。"] if streamed else [])


async def test_thoughts_go_back_encrypted_with_the_next_turn(fake, model):
    fake.script(raw(response(THOUGHT, CALL)), raw(response(words("晴れ"))))
    answer = await model.complete(HELLO)
    result = ToolResult(call_id="c1", name="weather_get", text="晴れ")
    await model.complete(ModelRequest(messages=(*HELLO.messages, answer, result), tools=(TOOL,)))
    call = {"type": "function_call", "call_id": "c1", "name": "weather_get", "arguments": '{"place": "東京"}'}
    assert fake.bodies[1]["input"][1:3] == [THOUGHT, call]


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        (response(words("text"), status="incomplete", incomplete_details={"reason": "max_output_tokens"}), "length"),
        (response(words("text"), status="incomplete", incomplete_details={"reason": "content_filter"}), "refusal"),
        (response(words("I cannot.", "refusal", "refusal")), "refusal"),
        (response(words("text")), "end"),
    ],
)
async def test_why_it_stopped_is_said_in_neutral_words(fake, model, body, reason):
    fake.script(raw(body))
    answer = await model.complete(HELLO)
    assert answer.stop_reason == reason
    assert answer.text


async def test_a_json_schema_is_sent_as_the_text_format(fake, model):
    fake.script(raw(response(words("{}"))))
    await model.complete(HELLO.model_copy(update={"json_schema": {"type": "object", "properties": {}}}))
    assert fake.bodies[0]["text"]["format"]["type"] == "json_schema"


@pytest.mark.parametrize(
    ("error", "kind"),
    [
        ({"code": "server_error", "message": "try again"}, ModelUnavailable),
        ({"code": "rate_limit_exceeded", "message": "slow down"}, ModelUnavailable),
        ({"code": "invalid_prompt", "message": "no"}, ModelRejected),
    ],
)
async def test_a_failed_reply_is_unavailable_or_rejected_by_its_code(fake, model, error, kind):
    fake.script(raw(response(status="failed", error=error)))
    with pytest.raises(kind, match=error["message"]):
        await model.complete(HELLO)


async def listen_to_nothing(piece: str) -> None:
    """Somebody who only wants a stream."""


async def test_errors_inside_a_stream_and_its_early_end_are_told(fake, model):
    failed = response(status="failed", error={"code": "server_error", "message": "overheated"})
    fake.script(
        Chunks([{"type": "error", "code": "server_error", "message": "overheated"}]),
        Chunks([{"type": "response.failed", "response": failed}]),
        Chunks([{"type": "response.output_text.delta", "delta": "晴"}], cut=True),
    )
    for problem in ("overheated", "overheated", "ended before"):
        with pytest.raises(ModelUnavailable, match=problem):
            await model.complete(HELLO, listen_to_nothing)


async def test_an_empty_reply_is_garbled_and_a_busy_vendor_unavailable(fake, model):
    fake.script(raw(response()), failure(429, "slow down", retry_after="3"))
    with pytest.raises(ModelGarbled):
        await model.complete(HELLO)
    with pytest.raises(ModelUnavailable) as caught:
        await model.complete(HELLO)
    assert caught.value.retry_after_s == 3
