"""OpenAI and its dialect over real HTTP: what is sent, what is made of replies, and each quirk of compatible servers."""

import gc
import json
import tracemalloc
from dataclasses import replace
from decimal import Decimal
from typing import Any

import anyio
import pytest
from openai.types.chat import ChatCompletion

from autonomy.errors import ConfigError, ModelGarbled, ModelRejected, ModelUnavailable
from autonomy.llm.messages import AssistantMessage, SystemMessage, ToolCall, ToolDefinition, ToolResult, UserMessage
from autonomy.llm.model import Model, ModelOptions, ModelRequest
from autonomy.llm.model_registry import open_model
from autonomy.llm.vendors import openai_models, serialized_tools
from autonomy.llm.vendors.serialized_tools import Encoded, SerializedMessages, assembled, compact
from tests.autonomy.llm.conftest import Listening
from tests.requirements import requirement
from tests.support.openai_chat import Chunks, OpenAIChat, Raw, Silence, Whole, call, chunk, failure, reply

TOOL = ToolDefinition(
    name="weather_get", description="天気", input_schema={"type": "object", "properties": {"place": {"type": "string"}}}
)
TALK = (
    SystemMessage(text="be brief"),
    UserMessage(text="東京の天気"),
    AssistantMessage(calls=(ToolCall(id="c1", name="weather_get", arguments={"place": "東京"}),)),
    ToolResult(call_id="c1", name="weather_get", text="晴れ"),
    SystemMessage(text="出典を添える"),
    UserMessage(text="まだ足りません", host=True),
)
HELLO = ModelRequest(messages=(UserMessage(text="hello"),), tools=(TOOL,))


@pytest.fixture
async def opened(fake: OpenAIChat):
    models: list[Model] = []

    def opener(name: str = "openai:gpt-6.1-sol", base_url: str = fake.url, **options: Any) -> Model:
        models.append(open_model(name, ModelOptions(api_key="sk-secret", base_url=base_url, **options)))
        return models[-1]

    yield opener
    for model in models:
        await model.aclose()


# ── what is sent ────────────────────────────────────────────────────────────────────────────────────────────────────────


@requirement("L1", "L3", "X1", "X4")
async def test_the_conversation_and_the_tools_are_sent_in_openai_s_form(fake, opened):
    fake.script(reply("晴れです"))
    await opened().complete(ModelRequest(messages=TALK, tools=(TOOL,)))
    (request,) = fake.requests
    assert request.path == "/v1/chat/completions"
    assert request.headers["authorization"] == "Bearer sk-secret"
    assert request.body.pop("prompt_cache_key")
    assert request.body == {
        "model": "gpt-6.1-sol",
        "messages": [
            {"role": "system", "content": "be brief"},
            {"role": "user", "content": "東京の天気"},
            {
                "role": "assistant",
                "content": None,
                "tool_calls": [
                    {"id": "c1", "type": "function", "function": {"name": "weather_get", "arguments": '{"place": "東京"}'}}
                ],
            },
            {"role": "tool", "tool_call_id": "c1", "content": "晴れ"},
            {"role": "system", "content": "出典を添える"},
            {"role": "user", "content": "まだ足りません"},
        ],
        "max_completion_tokens": 1500,
        "temperature": 0.3,
        "parallel_tool_calls": True,
        "tools": [
            {
                "type": "function",
                "function": {
                    "name": "weather_get",
                    "description": "天気",
                    "parameters": {"type": "object", "properties": {"place": {"type": "string"}}},
                },
            }
        ],
    }


async def test_small_models_get_one_system_message_and_roles_that_take_turns(fake, opened):
    fake.script(reply("ok"))
    await opened("lmstudio:qwen3-8b").complete(ModelRequest(messages=TALK))
    body = fake.bodies[0]
    assert [message["role"] for message in body["messages"]] == ["system", "user", "assistant", "tool", "user"]
    assert body["messages"][-1]["content"] == "(from the operator) 出典を添える\n\nまだ足りません"
    assert body["max_tokens"] == 1500
    assert "tools" not in body
    assert "parallel_tool_calls" not in body


async def test_every_optional_field_can_be_switched_off(fake, opened):
    fake.script(reply("ok"))
    model = opened(send_temperature=False, send_parallel_tool_calls=False, omit=("max_completion_tokens", "prompt_cache_key"))
    await model.complete(HELLO)
    assert sorted(fake.bodies[0]) == ["messages", "model", "tools"]


@requirement("N6")
@pytest.mark.parametrize(
    ("name", "api", "said"),
    [
        ("openai:gpt-6.1-sol", "chat", {"reasoning_effort": "low"}),
        ("openai:gpt-6.1-sol", "responses", {"reasoning": {"effort": "low"}}),
        ("google:gemini-3", "chat", {"reasoning_effort": "low"}),
    ],
)
async def test_how_much_a_model_thinks_is_said_in_its_vendor_s_words_and_to_nobody_unasked(fake, opened, name, api, said):
    answer = {"status": "completed", "output": [{"type": "message", "content": [{"type": "output_text", "text": "ok"}]}]}
    fake.script(*([Raw(json.dumps(answer).encode()) for _ in "ab"] if api == "responses" else [reply("ok"), reply("ok")]))
    await opened(name, api=api, reasoning="low").complete(HELLO)
    await opened(name, api=api).complete(HELLO)
    asked, unasked = fake.bodies
    assert said.items() <= asked.items()
    assert not said.keys() & unasked.keys()


@requirement("N6")
async def test_requests_that_begin_alike_name_the_same_cache_and_only_openai_is_told(fake, opened):
    fake.script(*[reply("ok") for _ in range(5)])
    begin = SystemMessage(text="be brief")
    other = TOOL.model_copy(update={"description": "another"})
    model = opened()
    for messages, tools in [
        ((begin, UserMessage(text="a")), (TOOL,)),
        ((begin, UserMessage(text="b"), AssistantMessage(text="c"), UserMessage(text="d")), (TOOL,)),
        ((begin, UserMessage(text="a")), (other,)),
        ((SystemMessage(text="be long"), UserMessage(text="a")), (TOOL,)),
    ]:
        await model.complete(ModelRequest(messages=messages, tools=tools))
    first, later, *others = [body["prompt_cache_key"] for body in fake.bodies]
    assert first == later
    assert len({first, *others}) == 3
    await opened("groq:llama").complete(HELLO)
    assert "prompt_cache_key" not in fake.bodies[-1]


async def test_a_tool_that_joins_a_run_changes_no_key_of_its_cache(fake, opened):
    fake.script(reply("a"), reply("b"))
    many = tuple(TOOL.model_copy(update={"name": f"tool_{number}"}) for number in range(30))
    for tools in (many[:20], many):
        await opened().complete(ModelRequest(messages=(SystemMessage(text="be brief"), UserMessage(text="a")), tools=tools))
    first, later = (body["prompt_cache_key"] for body in fake.bodies)
    assert first == later


@requirement("M4")
@pytest.mark.parametrize(
    ("counted_in", "read", "written"),
    [
        ({"prompt_tokens_details": {"cached_tokens": 400}}, 400, 0),
        ({"prompt_tokens_details": {"cached_tokens": 400, "cache_write_tokens": 300}}, 400, 300),  # OpenRouter
        ({"prompt_tokens_details": {"cached_tokens": 400}, "cache_creation_input_tokens": 300}, 400, 300),  # LiteLLM
        ({"prompt_tokens_details": {"cached_tokens": 0}, "cache_creation_input_tokens": 300}, 0, 300),
        ({"prompt_tokens_details": None, "cache_read_input_tokens": 400}, 400, 0),
        ({"cached_tokens": 400}, 400, 0),  # Moonshot
        ({"prompt_cache_hit_tokens": 400, "prompt_cache_miss_tokens": 600}, 400, 0),  # DeepSeek
        ({}, 0, 0),
    ],
)
async def test_what_a_cache_spared_and_cost_is_counted_wherever_the_server_tells_it(fake, opened, counted_in, read, written):
    fake.script(reply("ok", usage={"prompt_tokens": 1000, "completion_tokens": 50, **counted_in}))
    usage = (await opened("openrouter:anthropic/claude-sonnet-4.5").complete(HELLO)).usage
    assert (usage.input_tokens, usage.cached_tokens) == (1000, read)
    a_token = Decimal("0.000003")
    expected = a_token * (1000 - read - written) + a_token * read / 10 + a_token * written * 5 / 4 + a_token * 5 * 50
    assert usage.cost_usd == expected


async def test_what_a_proxy_counts_beside_the_prompt_is_a_part_of_the_input(fake, opened):
    apart = {"prompt_tokens": 100, "cache_read_input_tokens": 400, "cache_creation_input_tokens": 500, "completion_tokens": 1}
    fake.script(reply("ok", usage=apart))
    usage = (await opened("openrouter:anthropic/claude-sonnet-4.5").complete(HELLO)).usage
    assert (usage.input_tokens, usage.cached_tokens) == (1000, 400)


async def test_a_model_of_anthropic_behind_openrouter_is_asked_to_cache_the_prompt_and_no_other(fake, opened):
    fake.script(reply("a"), reply("b"), reply("c"))
    for name in ("openrouter:anthropic/claude-sonnet-4.5", "openrouter:openai/gpt-4.1-mini", "litellm:anthropic/claude"):
        await opened(name).complete(HELLO)
    assert [body.get("cache_control") for body in fake.bodies] == [{"type": "ephemeral"}, None, None]


async def test_fields_and_headers_of_the_operator_are_sent(fake, opened):
    fake.script(reply("ok"))
    await opened(extra_body={"reasoning_effort": "low"}, headers={"x-team": "a"}).complete(HELLO)
    assert fake.bodies[0]["reasoning_effort"] == "low"
    assert fake.requests[0].headers["x-team"] == "a"


@requirement("X3")
async def test_words_are_forced_by_tool_choice_and_where_that_is_ignored_by_sending_no_tools(fake, opened):
    fake.script(reply("done"), reply("done", calls=[call("weather_get", {})]))
    words = HELLO.model_copy(update={"tool_choice": "none"})
    await opened().complete(words)
    answer = await opened("lmstudio:qwen3-8b").complete(words)
    assert fake.bodies[0]["tool_choice"] == "none"
    assert fake.bodies[0]["tools"]
    assert "tools" not in fake.bodies[1]
    assert answer.calls == ()


@requirement("X3")
async def test_a_call_is_forced_by_tool_choice(fake, opened):
    fake.script(reply("", calls=[call("weather_get", {})]))
    await opened().complete(HELLO.model_copy(update={"tool_choice": "required"}))
    assert fake.bodies[0]["tool_choice"] == "required"


async def test_a_json_schema_is_sent_as_the_response_format(fake, opened):
    fake.script(reply('{"a": 1}'))
    schema = {"type": "object", "properties": {"a": {"type": "integer"}}, "required": ["a"], "additionalProperties": False}
    await opened().complete(HELLO.model_copy(update={"json_schema": schema}))
    sent = fake.bodies[0]["response_format"]
    assert sent["type"] == "json_schema"
    assert sent["json_schema"]["schema"]["properties"] == {"a": {"type": "integer"}}


async def test_tools_are_encoded_once_and_sent_again_byte_for_byte(fake, opened):
    fake.script(reply("1"), reply("2"), reply("3"))
    model = opened()
    for request in (HELLO, HELLO, ModelRequest(messages=HELLO.messages, tools=(TOOL.model_copy(),))):
        await model.complete(request)
    sent = [request.raw.partition(b',"tools":')[2] for request in fake.requests]
    assert sent[0]
    assert sent == [sent[0]] * 3


async def test_of_a_conversation_that_goes_on_only_what_is_new_is_encoded(fake, opened, monkeypatch):
    encoded: list[object] = []

    def counted(value: object) -> bytes:
        encoded.append(value)
        return compact(value)

    monkeypatch.setattr(serialized_tools, "compact", counted)
    fake.script(*[reply("ok")] * 3)
    model = opened()
    for length in (2, 4, 6):
        await model.complete(ModelRequest(messages=TALK[:length], tools=(TOOL,)))
    assert [len(body["messages"]) for body in fake.bodies] == [2, 4, 6]
    assert sum(isinstance(value, dict) and "role" in value for value in encoded) == len(TALK)


async def test_what_was_encoded_of_a_conversation_goes_with_it(fake, opened):
    fake.script(reply("ok"))
    model = opened()
    request = ModelRequest(messages=(UserMessage(text="tea"),), tools=(TOOL,))
    await model.complete(request)
    assert model._serialized._kept._known
    del request
    gc.collect()
    assert not model._serialized._kept._known


@pytest.mark.parametrize(
    ("refusal", "gone"),
    [
        (failure(400, "Unsupported value: 'temperature'", param="temperature"), "temperature"),
        (failure(400, "Unknown field: parallel_tool_calls"), "parallel_tool_calls"),
        (failure(422, "Extra inputs are not permitted: stream_options", param="stream_options"), "stream_options"),
    ],
)
async def test_an_optional_field_that_the_server_refuses_by_name_is_left_out_from_then_on(fake, opened, refusal, gone):
    fake.script(refusal, reply("ok"), reply("again"))
    model, listening = opened(), Listening()
    assert (await model.complete(HELLO, listening)).text == "ok"
    await model.complete(HELLO, listening)
    assert [gone in body for body in fake.bodies] == [True, False, False]


async def test_a_setting_of_the_operator_that_the_server_refuses_is_told_once(fake, opened, caplog):
    fake.script(failure(400, "Unknown argument", param="reasoning_effort"), reply("ok"), reply("again"))
    model = opened(reasoning="low")
    await model.complete(HELLO)
    await model.complete(HELLO)
    assert ["reasoning_effort" in body for body in fake.bodies] == [True, False, False]
    assert [record.message for record in caplog.records] == [
        f"{model.id} refuses reasoning_effort: it is asked without your setting from now on"
    ]


async def test_a_server_that_wants_the_older_name_of_the_limit_gets_it(fake, opened):
    fake.script(failure(400, "Unsupported parameter: 'max_completion_tokens'", param="max_completion_tokens"), reply("ok"))
    await opened().complete(HELLO)
    assert fake.bodies[1]["max_tokens"] == 1500
    assert "max_completion_tokens" not in fake.bodies[1]


# ── what is made of replies ─────────────────────────────────────────────────────────────────────────────────────────────


@requirement("L3")
@pytest.mark.parametrize("streamed", [False, True])
async def test_text_calls_usage_and_cost_come_back_the_same_whole_or_streamed(fake, opened, streamed):
    fake.script(
        reply("調べます。", calls=[call("weather_get", {"place": "東京"}, "c1"), call("weather_get", {"place": "大阪"}, "c2")])
    )
    listening = Listening() if streamed else None
    answer = await opened().complete(HELLO, listening)
    assert answer.text == "調べます。"
    assert [(one.id, one.arguments["place"]) for one in answer.calls] == [("c1", "東京"), ("c2", "大阪")]
    assert (answer.model, answer.stop_reason) == ("openai:gpt-6.1-sol", "tool_calls")
    assert (answer.usage.input_tokens, answer.usage.output_tokens, answer.usage.cached_tokens) == (1000, 50, 400)
    assert answer.usage.cost_usd is not None
    assert answer.usage.cost_usd > 0
    assert listening is None or (listening.text == "調べます。" and len(listening.pieces) > 1)
    assert fake.bodies[0].get("stream_options") == ({"include_usage": True} if streamed else None)


def test_the_fake_speaks_as_the_sdk_expects():
    whole = reply("hi", calls=[call("weather_get", {})])
    assert isinstance(whole, Whole)
    assert ChatCompletion.model_validate(whole.body()).choices[0].message.content == "hi"


async def test_an_unknown_price_is_unknown_and_a_local_model_is_free(fake, opened):
    fake.script(reply("a"), reply("b"), reply("c", usage=None))
    assert (await opened("openai:gpt-0-nobody-knows").complete(HELLO)).usage.cost_usd is None
    assert (await opened("lmstudio:qwen3-8b").complete(HELLO)).usage.cost_usd == Decimal(0)
    missing = (await opened().complete(HELLO)).usage
    assert (missing.input_tokens, missing.cost_usd) == (0, None)


@pytest.mark.parametrize(
    ("finish", "reason"), [("stop", "end"), ("length", "length"), ("content_filter", "refusal"), (None, "end"), ("odd", "end")]
)
async def test_why_it_stopped_is_said_in_neutral_words(fake, opened, finish, reason):
    fake.script(reply("text", finish_reason=finish))
    assert (await opened().complete(HELLO)).stop_reason == reason


async def test_a_refusal_is_an_answer(fake, opened):
    fake.script(reply(None, refusal="I cannot help with that."))
    answer = await opened().complete(HELLO)
    assert (answer.text, answer.stop_reason) == ("I cannot help with that.", "refusal")


async def test_a_streamed_refusal_is_an_answer_too_and_is_heard(fake, opened):
    fake.script(Chunks([chunk({"refusal": "I cannot "}), chunk({"refusal": "help."}, "stop")]))
    listening = Listening()
    answer = await opened().complete(HELLO, listening)
    assert (answer.text, answer.stop_reason, listening.text) == ("I cannot help.", "refusal", "I cannot help.")


# ── quirks of compatible servers ────────────────────────────────────────────────────────────────────────────────────────


@requirement("L5")
@pytest.mark.parametrize(
    ("written", "arguments"),
    [
        ('{"place": "東京"}', {"place": "東京"}),
        ("", {}),
        ("null", {}),
        ('"{\\"place\\": \\"東京\\"}"', {"place": "東京"}),
        ('```json\n{"place": "東京"}\n```', {"place": "東京"}),
        ('{"place": "東京",}', {"place": "東京"}),
        ("{'place': '東京'}", {"place": "東京"}),
        ('{"place": "東京", "days": [1, 2]', None),
        ('{"place": "東京", "where": {"city": "x"', {"place": "東京", "where": {"city": "x"}}),
    ],
)
async def test_arguments_with_the_usual_faults_are_repaired_once(fake, opened, written, arguments):
    fake.script(reply(calls=[call("weather_get", written)]))
    (made,) = (await opened("lmstudio:qwen3-8b").complete(HELLO)).calls
    assert made.arguments == (arguments if arguments is not None else {"place": "東京", "days": [1, 2]})
    assert made.unreadable == ""


@requirement("L5")
@pytest.mark.parametrize("written", ['{"place": "東', '{"place":', "place=東京", "[1, 2]", "}{"])
async def test_arguments_that_cannot_be_read_are_kept_as_they_were_written(fake, opened, written):
    fake.script(reply(calls=[call("weather_get", written)]))
    (made,) = (await opened("lmstudio:qwen3-8b").complete(HELLO)).calls
    assert (made.arguments, made.unreadable) == ({}, written)


async def test_arguments_that_are_an_object_already_are_taken_as_they_are(fake, opened):
    odd = {"id": "c1", "type": "function", "function": {"name": "weather_get", "arguments": {"place": "東京"}}}
    fake.script(reply(calls=[odd]))
    assert (await opened("lmstudio:qwen3-8b").complete(HELLO)).calls[0].arguments == {"place": "東京"}


@pytest.mark.parametrize(
    ("written", "given"),
    [
        ("<parameter=days>3</parameter><parameter=to>[1, 2]</parameter>", {"days": 3, "to": [1, 2]}),
        ("<parameter=place>[1, oops]</parameter>", {"place": "[1, oops]"}),
        ("", {}),
    ],
)
async def test_what_stands_between_tags_is_json_or_words(fake, opened, written, given):
    fake.script(reply(f"<function=weather_get>{written}</function>"))
    assert (await opened("lmstudio:qwen3-coder").complete(HELLO)).calls[0].arguments == given


async def test_a_named_call_that_breaks_off_is_a_call_nobody_can_read_and_a_tag_in_prose_is_none(fake, opened):
    fake.script(reply('[TOOL_CALLS]weather_get[ARGS]{"place": "Kyo'), reply("Write <function=name> to call it."))
    (made,) = (await opened("lmstudio:m").complete(HELLO)).calls
    assert (made.name, made.unreadable) == ("weather_get", '{"place": "Kyo')
    assert (await opened("lmstudio:m").complete(HELLO)).text == "Write <function=name> to call it."


@requirement("L5")
@pytest.mark.parametrize(
    "text",
    [
        '<tool_call>\n{"name": "weather_get", "arguments": {"place": "東京"}}\n</tool_call>',
        '[TOOL_REQUEST]{"name": "weather_get", "arguments": {"place": "東京"}}[END_TOOL_REQUEST]',
        '<|python_tag|>{"name": "weather_get", "parameters": {"place": "東京"}}',
        '[TOOL_CALLS] [{"name": "weather_get", "arguments": {"place": "東京"}}]',
        '[TOOL_CALLS]weather_get[ARGS]{"place": "東京"}',
        '[TOOL_CALLS]weather_get{"place": "東京"}',
        "<tool_call>\n<function=weather_get>\n<parameter=place>\n東京\n</parameter>\n</function>\n</tool_call>",
        "<function=weather_get><parameter=place>東京</parameter></function>",
        '{"name": "weather_get", "arguments": {"place": "東京"}}',
        '```json\n{"function": {"name": "weather_get", "arguments": {"place": "東京"}}}\n```',
        '<think>東京だな</think>\n<tool_call>{"name": "weather_get", "arguments": "{\\"place\\": \\"東京\\"}"}</tool_call>',
    ],
)
@pytest.mark.parametrize("streamed", [False, True])
async def test_a_call_written_as_text_is_a_call_and_is_not_said_aloud(fake, opened, text, streamed):
    fake.script(reply(text))
    listening = Listening()
    answer = await opened("lmstudio:qwen3-8b").complete(HELLO, listening if streamed else None)
    assert [(one.name, one.arguments) for one in answer.calls] == [("weather_get", {"place": "東京"})]
    assert (answer.text, listening.text, answer.stop_reason) == ("", "", "tool_calls")


async def test_a_tool_call_in_text_that_cannot_be_read_stays_one(fake, opened):
    fake.script(reply('<tool_call>{"name": "weather_get", "argum'))
    (made,) = (await opened("lmstudio:qwen3-8b").complete(HELLO)).calls
    assert made.unreadable.startswith('{"name"')


async def test_json_that_names_no_offered_tool_is_an_answer_and_an_unknown_tool_stays_a_call(fake, opened):
    fake.script(reply('{"name": "佐藤", "arguments": []}'), reply(calls=[call("no_such_tool", {})]))
    model = opened("lmstudio:qwen3-8b")
    assert (await model.complete(HELLO)).calls == ()
    assert (await model.complete(HELLO)).calls[0].name == "no_such_tool"


@requirement("L5")
@pytest.mark.parametrize("streamed", [False, True])
@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("<think>えーと</think>\n\n晴れです。", "晴れです。"),
        ("そうか…</think>晴れです。", "晴れです。"),
        ("晴れ<think>ほんと?</think>です。", "晴れです。"),
        ("a < b かつ `x` は {y} です", "a < b かつ `x` は {y} です"),
    ],
)
async def test_thoughts_are_taken_out_of_the_words(fake, opened, text, words, streamed):
    fake.script(reply(text))
    listening = Listening()
    answer = await opened("lmstudio:qwen3-8b").complete(HELLO, listening if streamed else None)
    assert answer.text == words
    if streamed and not text.startswith("そうか"):
        assert listening.text == words


async def test_openai_s_own_text_is_left_alone(fake, opened, monkeypatch):
    monkeypatch.setattr(openai_models, "OPENAI", replace(openai_models.OPENAI, base_url=fake.url))
    fake.script(reply("<think> is a tag"))
    assert (await opened().complete(HELLO)).text == "<think> is a tag"


@requirement("L5")
@pytest.mark.parametrize("streamed", [False, True])
async def test_a_small_model_that_is_reached_under_openai_s_name_is_read_as_one(fake, opened, streamed):
    written = '<tool_call>{"name": "weather_get", "arguments": {"place": "東京"}}</tool_call>'
    fake.script(reply("<think>えーと</think>晴れです。"), reply(written))
    listening, model = Listening(), opened()
    assert (await model.complete(HELLO, listening if streamed else None)).text == "晴れです。"
    (made,) = (await model.complete(HELLO, listening if streamed else None)).calls
    assert (made.name, made.arguments) == ("weather_get", {"place": "東京"})
    assert listening.text == ("晴れです。" if streamed else "")


async def test_missing_and_repeated_call_ids_get_ids_of_their_own(fake, opened):
    fake.script(reply(calls=[call("weather_get", {}, ""), call("weather_get", {}, "c1"), call("weather_get", {}, "c1")]))
    answer = await opened("lmstudio:qwen3-8b").complete(ModelRequest(messages=TALK, tools=(TOOL,)))
    ids = [one.id for one in answer.calls]
    assert ids == ["call_2", "call_3", "call_4"]


async def test_a_whole_call_in_one_delta_and_calls_that_share_an_index_are_told_apart(fake, opened):
    first, second = call("weather_get", {"place": "東京"}, "a"), call("weather_get", {"place": "大阪"}, "b")
    fake.script(Chunks([chunk({"tool_calls": [{**first, "index": 0}]}), chunk({"tool_calls": [{**second, "index": 0}]}, "stop")]))
    answer = await opened("lmstudio:qwen3-8b").complete(HELLO, Listening())
    assert [one.arguments["place"] for one in answer.calls] == ["東京", "大阪"]
    fake.script(Chunks([chunk({"tool_calls": [first]}), chunk({"tool_calls": [second]}, "stop")]))
    answer = await opened("lmstudio:qwen3-8b").complete(HELLO, Listening())
    assert [one.arguments["place"] for one in answer.calls] == ["東京", "大阪"]


async def test_a_server_that_does_not_stream_is_understood_all_the_same(fake, opened):
    whole = reply("晴れです")
    assert isinstance(whole, Whole)
    fake.script(Raw(json.dumps(whole.body()).encode()))
    listening = Listening()
    assert (await opened().complete(HELLO, listening)).text == listening.text == "晴れです"


async def test_streaming_can_be_switched_off_and_the_text_is_still_heard(fake, opened):
    fake.script(reply("晴れです"))
    listening = Listening()
    await opened(stream=False).complete(HELLO, listening)
    assert listening.pieces == ["晴れです"]
    assert "stream" not in fake.bodies[0]


# ── what goes wrong ─────────────────────────────────────────────────────────────────────────────────────────────────────


@requirement("L7")
@pytest.mark.parametrize("status", [408, 429, 500, 502, 503, 529])
async def test_a_vendor_that_is_down_or_busy_is_unavailable(fake, opened, status):
    fake.script(failure(status, "try later", retry_after="7"))
    with pytest.raises(ModelUnavailable, match=f"HTTP {status}: try later") as caught:
        await opened().complete(HELLO)
    assert (caught.value.status, caught.value.retry_after_s) == (status, 7)
    assert len(fake.requests) == 1, "no hidden retry"


@pytest.mark.parametrize(
    ("headers", "waits_s"),
    [
        ({"retry-after-ms": "1500", "retry-after": "7"}, 1.5),
        ({"retry-after-ms": "Fri, 31 Dec 2100 23:59:59 GMT", "retry-after": "7"}, 7),
        ({"retry-after-ms": "2100-12-31T23:59:59Z"}, None),
    ],
)
async def test_milliseconds_to_wait_are_a_number_and_no_date(fake, opened, headers, waits_s):
    fake.script(Raw(failure(429).content, 429, headers))
    with pytest.raises(ModelUnavailable) as caught:
        await opened().complete(HELLO)
    assert caught.value.retry_after_s == waits_s


@pytest.mark.parametrize(("status", "code"), [(401, ""), (403, ""), (404, "model_not_found"), (429, "insufficient_quota")])
async def test_a_refused_request_is_rejected_without_saying_the_key(fake, opened, status, code):
    fake.script(failure(status, "Incorrect API key provided: sk-secret", code=code))
    with pytest.raises(ModelRejected) as caught:
        await opened().complete(HELLO)
    assert caught.value.status == status
    assert "sk-secret" not in str(caught.value)
    assert "***" in str(caught.value)


@pytest.mark.parametrize("content", [b"Bad gateway", b"[]", b'{"choices": []}', b'{"choices": [{}]}', b""])
async def test_a_body_that_is_no_reply_is_garbled(fake, opened, content):
    fake.script(Raw(content))
    with pytest.raises(ModelGarbled):
        await opened().complete(HELLO)


@pytest.mark.parametrize(("finish", "problem"), [("stop", "empty"), ("length", "thinking")])
async def test_a_reply_with_nothing_in_it_is_garbled(fake, opened, finish, problem):
    fake.script(reply("", finish_reason=finish))
    with pytest.raises(ModelGarbled, match=problem):
        await opened().complete(HELLO)


async def test_a_stream_that_breaks_off_is_unavailable_and_so_is_an_error_inside_it(fake, opened):
    fake.script(
        Chunks([chunk({"content": "晴"})], cut=True), Chunks([chunk({"content": "晴"}), {"error": {"message": "overheated"}}])
    )
    model = opened()
    with pytest.raises(ModelUnavailable, match="ended before"):
        await model.complete(HELLO, Listening())
    with pytest.raises(ModelUnavailable, match="overheated"):
        await model.complete(HELLO, Listening())


@pytest.mark.parametrize("name", ["openai:gpt-6.1-sol", "lmstudio:qwen3-8b"])
async def test_characters_that_unicode_calls_line_ends_do_not_end_an_event(fake, opened, name):
    fake.script(reply("a\u2028b\u0085c"))
    assert (await opened(name).complete(HELLO, Listening())).text == "a\u2028b\u0085c"


async def test_an_endpoint_that_is_not_there_is_unavailable():
    model = open_model("compatible:any", ModelOptions(base_url="http://127.0.0.1:9/v1"))
    with pytest.raises(ModelUnavailable, match="connection refused"):
        await model.complete(HELLO)
    await model.aclose()


async def test_an_address_that_is_none_is_rejected():
    model = open_model("compatible:any", ModelOptions(base_url="localhost:1234"))
    with pytest.raises(ModelRejected, match="no usable address"):
        await model.complete(HELLO)
    await model.aclose()


async def test_silence_ends_at_the_deadline(fake, opened):
    fake.script(Silence(), Silence())
    model = opened(timeout_s=0.2)
    with anyio.fail_after(240):
        with pytest.raises(ModelUnavailable, match=r"no answer within 0\.2 s"):
            await model.complete(HELLO)
        with pytest.raises(ModelUnavailable, match=r"no answer within 0\.2 s"):
            await model.complete(HELLO, Listening())


async def test_a_reply_that_stops_half_way_is_told_from_one_that_never_came(fake, opened):
    fake.script(Chunks([chunk({"content": "The "}), chunk({"content": "answer"})], stops=True))
    heard = Listening()
    with anyio.fail_after(240):
        with pytest.raises(ModelUnavailable, match=r"its reply stopped half-way: nothing more came within 0\.2 s"):
            await opened(timeout_s=0.2).complete(HELLO, heard)


async def test_cancelling_a_request_leaves_the_client_usable(fake, opened):
    fake.script(reply("ready"), Silence(), reply("ok"))
    model = opened()
    await model.complete(HELLO)
    with anyio.move_on_after(0.2) as scope:
        await model.complete(HELLO)
    assert scope.cancelled_caught
    assert (await model.complete(HELLO)).text == "ok"


async def test_all_models_share_one_http_client_and_the_last_closes_it(fake, opened):
    from autonomy.llm.vendors.http_transport import _client

    fake.script(reply("a"), reply("b"))
    one, other = opened(), opened("lmstudio:qwen3-8b")
    await one.complete(HELLO)
    await other.complete(HELLO)
    assert _client.get() is not None
    await one.aclose()
    assert _client.get() is not None
    await other.aclose()
    await other.aclose()
    assert _client.get() is None


async def test_closing_one_of_two_equal_models_leaves_the_other_its_client(fake, opened):
    fake.script(reply("a"), reply("b"), reply("c"))
    one, other = opened(), opened()
    await one.complete(HELLO)
    await other.complete(HELLO)
    await one.aclose()
    assert (await other.complete(HELLO)).text == "c"


@pytest.mark.parametrize(
    ("name", "problem"),
    [("nobody:x", "no known vendor"), ("openai", "names no model"), ("compatible:x", "base_url")],
)
def test_an_id_that_cannot_work_is_a_sentence_for_the_operator(name, problem):
    with pytest.raises(ConfigError, match=problem):
        open_model(name, ModelOptions())


def test_planner_and_scripted_are_models_too():
    assert open_model("planner", ModelOptions()).id == "planner:offline"
    assert open_model("scripted:tiny", ModelOptions()).id == "scripted:tiny"


BIG = tuple(
    ToolDefinition(name=f"tool_{number}", description="Finds things in the archive. " * 4, input_schema={"type": "object"})
    for number in range(40)
)


def counted(tokens: int) -> dict[str, Any]:
    return {"prompt_tokens": tokens, "completion_tokens": 5, "total_tokens": tokens + 5}


async def test_tools_that_a_template_drops_are_written_into_the_prompt_and_that_is_told(fake, opened, caplog):
    called = '<tool_call>\n{"name": "tool_3", "arguments": {"q": "鍵"}}\n</tool_call>'
    fake.script(
        reply("I have no tools.", usage=counted(30)), reply(called, usage=counted(900)), reply("done", usage=counted(950))
    )
    model = opened("compatible:tiny")
    first = await model.complete(ModelRequest(messages=TALK[:2], tools=BIG))
    assert [(call.name, call.arguments) for call in first.calls] == [("tool_3", {"q": "鍵"})]
    assert "does not show its model the tools" in caplog.text
    talk = (*TALK[:2], first, ToolResult(call_id=first.calls[0].id, name="tool_3", text="the key is here"))
    await model.complete(ModelRequest(messages=talk, tools=BIG))
    asked, written, later = fake.bodies
    assert "tools" in asked
    assert "tools" not in written
    assert "tools" not in later
    assert '"tool_39"' in later["messages"][1]["content"]
    assert later["messages"][0] == {"role": "system", "content": "be brief"}, "what servers wrote is no system message"
    assert later["messages"][-1]["content"] == "<tool_response>\ntool_3: the key is here\n</tool_response>"


@pytest.mark.parametrize("name", ["compatible:tiny", "openai:gpt-6.1-sol"])
async def test_tools_that_the_prompt_has_room_for_stay_where_they_are(fake, opened, name):
    fake.script(reply("no tool needed", usage=counted(3_000)))
    await opened(name).complete(ModelRequest(messages=TALK[:2], tools=BIG))
    assert len(fake.bodies) == 1


async def test_tools_that_the_model_called_once_are_shown_to_it_however_few_tokens_the_server_counts(fake, opened):
    fake.script(reply(calls=[call("tool_3", {"q": "鍵"})], usage=counted(30)), reply("The key is here.", usage=counted(30)))
    model = opened("compatible:tiny")
    first = await model.complete(ModelRequest(messages=TALK[:2], tools=BIG))
    talk = (*TALK[:2], first, ToolResult(call_id=first.calls[0].id, name="tool_3", text="the key is here"))
    assert (await model.complete(ModelRequest(messages=talk, tools=BIG))).text == "The key is here."
    assert ["tools" in body for body in fake.bodies] == [True, True]


async def test_a_server_that_refuses_tools_gets_them_in_words(fake, opened):
    fake.script(failure(400, message="registry.ollama.ai/library/gemma does not support tools"), reply("ok"))
    await opened("compatible:gemma").complete(ModelRequest(messages=TALK[:2], tools=BIG))
    assert "tools" not in fake.bodies[1]


async def test_the_length_of_a_reply_is_the_models_own_where_the_operator_says_so(fake, opened):
    fake.script(reply("ok"))
    await opened(max_output_tokens=32_000).complete(HELLO)
    assert fake.bodies[0]["max_completion_tokens"] == 32_000


async def test_an_address_that_is_not_served_is_named_with_what_it_lacks(fake, opened):
    fake.script(failure(404, message="Not Found"))
    with pytest.raises(ModelRejected, match=r"POST http://127.*/chat/completions; does its base_url lack /v1\?"):
        await opened("compatible:tiny", base_url=fake.url.removesuffix("/v1")).complete(HELLO)


@pytest.mark.parametrize("stream", [True, False])
async def test_what_a_model_signed_its_calls_with_goes_back_to_it_and_to_no_other(
    fake: OpenAIChat, opened: Any, stream: bool
) -> None:
    signed = {"google": {"thought_signature": "c2ln"}}
    calls = [call("weather_get", {"place": "東京"}) | {"extra_content": signed}, call("weather_get", {"place": "大阪"}, "call_2")]
    if stream:
        pieces = [chunk({"tool_calls": [one | {"index": index}]}) for index, one in enumerate(calls)]
        fake.script(Chunks([*pieces, chunk({}, "tool_calls")]))
    else:
        fake.script(reply(calls=calls))
    fake.script(reply("晴れ"), reply("晴れ"))
    gemini = opened("google:gemini-3", stream=stream)
    said = await gemini.complete(HELLO, Listening() if stream else None)
    results = [ToolResult(call_id=one.id, name=one.name, text="晴れ") for one in said.calls]
    talk = ModelRequest(messages=(*HELLO.messages, said, *results), tools=(TOOL,))
    await gemini.complete(talk)
    await opened("groq:other").complete(talk)
    back, elsewhere = ([one.get("extra_content") for one in body["messages"][1]["tool_calls"]] for body in fake.bodies[1:])
    assert back == [signed, None]
    assert elsewhere == [None, None]


@requirement("N6")
async def test_strict_mode_is_asked_for_where_a_schema_allows_it_and_its_nulls_are_taken_out_again(fake, opened):
    closed = {
        "type": "object",
        "properties": {"place": {"type": "string"}, "day": {"type": "string"}},
        "required": ["place"],
        "additionalProperties": False,
    }
    able = ToolDefinition(name="able", description="", input_schema=closed)
    made = call("able", {"place": "東京", "day": None})
    fake.script(reply(calls=[made]), reply(calls=[made]))
    free = ToolDefinition(name="free", description="", input_schema={"type": "object", "additionalProperties": True})
    said = await opened(strict_tools=True).complete(ModelRequest(messages=(UserMessage(text="x"),), tools=(able, free)))
    sent, loose = (one["function"] for one in fake.bodies[0]["tools"])
    assert sent["strict"] is True
    assert sent["parameters"]["required"] == ["place", "day"]
    assert "strict" not in loose
    assert said.calls[0].arguments == {"place": "東京"}
    await opened().complete(ModelRequest(messages=(UserMessage(text="x"),), tools=(able,)))
    assert "strict" not in fake.bodies[1]["tools"][0]["function"]


@pytest.mark.parametrize("aloud", [False, True])
async def test_a_reply_of_another_form_than_its_dialect_s_is_one_that_cannot_be_read(fake, opened, aloud):
    async def hear(_piece: str) -> None:
        pass

    for usage in ({"prompt_tokens": "many"}, {"prompt_tokens": 1, "prompt_tokens_details": 5}):
        fake.script(reply("ok", usage=usage))
        with pytest.raises(ModelGarbled, match="the reply is not of its dialect's form"):
            await opened().complete(HELLO, hear if aloud else None)


def test_a_request_is_put_together_without_a_copy_of_what_is_encoded() -> None:
    tools = Encoded(b'["%s"]' % (b"x" * 4_000_000))
    tracemalloc.start()
    try:
        body = assembled({"model": "m", "tools": tools, "n": 1})
        most = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert json.loads(body) == {"model": "m", "tools": ["x" * 4_000_000], "n": 1}
    assert most < 1.1 * len(body)  # itself


def test_messages_are_a_json_array_however_many_there_are() -> None:
    encode = SerializedMessages(lambda message: {"text": getattr(message, "text", "")}).encode
    messages = [UserMessage(text=text) for text in ("a", "b", "c")]
    assert [json.loads(encode(messages[:many])) for many in range(3)] == [[], [{"text": "a"}], [{"text": "a"}, {"text": "b"}]]
