"""What we send, encoded by ourselves, is what the vendors' SDKs of the current version describe by their types, down to every message."""

from contextlib import ExitStack
from typing import Any, get_type_hints

import pytest
from openai.types.chat import ChatCompletionMessageParam
from openai.types.chat.completion_create_params import CompletionCreateParamsNonStreaming
from openai.types.responses import ResponseInputItemParam
from openai.types.responses.response_create_params import ResponseCreateParamsNonStreaming
from pydantic import TypeAdapter

import autonomy.llm.vendors.anthropic_messages
import autonomy.llm.vendors.openai_models  # noqa: F401 - the registry would import it inside the event loop
from autonomy.errors import ModelError
from autonomy.llm.messages import AssistantMessage, SystemMessage, ToolCall, ToolDefinition, ToolResult, UserMessage
from autonomy.llm.model import ModelOptions, ModelRequest
from autonomy.llm.model_registry import open_model
from tests.requirements import requirement
from tests.support.anthropic_messages import KEY, AnthropicMessages
from tests.support.openai_chat import OpenAIChat

SCHEMA = {"type": "object", "properties": {"place": {"anyOf": [{"type": "string"}, {"type": "null"}]}}, "required": ["place"]}
REQUEST = ModelRequest(
    messages=(
        SystemMessage(text="be brief"),
        UserMessage(text="東京の天気"),
        AssistantMessage(calls=(ToolCall(id="c1", name="weather_get", arguments={"place": "東京"}),)),
        ToolResult(call_id="c1", name="weather_get", text="down", is_error=True, kind="retryable"),
        UserMessage(text="もう一度", host=True),
        AssistantMessage(text="晴れです。"),
        UserMessage(text="明日は？"),
    ),
    tools=(ToolDefinition(name="weather_get", description="天気", input_schema=SCHEMA),),
    tool_choice="none",
    json_schema={"type": "object", "properties": {"a": {"type": "string"}}, "required": ["a"], "additionalProperties": False},
)


def anthropic_messages() -> tuple[Any, str, Any]:
    """As below; the SDK takes seconds to import, and no worker that only collects shall wait for it."""
    from anthropic.types import MessageParam
    from anthropic.types.message_create_params import MessageCreateParamsNonStreaming

    return MessageCreateParamsNonStreaming, "messages", MessageParam


def chat_completions() -> tuple[Any, str, Any]:
    """The type of a request, the field with the conversation, and the type of what stands in it."""
    return CompletionCreateParamsNonStreaming, "messages", ChatCompletionMessageParam


def responses() -> tuple[Any, str, Any]:
    """As above."""
    return ResponseCreateParamsNonStreaming, "input", ResponseInputItemParam


def conforms(body: dict[str, Any], params: Any, conversation: str, item: Any) -> bool:
    """Whether a body has no field the SDK does not know, and every field and item of the conversation its type."""
    TypeAdapter(params).validate_python(body)
    TypeAdapter(list[item]).validate_python(body[conversation])
    return body.keys() <= get_type_hints(params).keys()


@requirement("L3", "L4")
@pytest.mark.parametrize(
    ("name", "api", "described"),
    [
        ("openai:gpt-6.1-sol", "chat", chat_completions),
        ("openai:gpt-6.1-sol", "responses", responses),
        ("anthropic:claude-sonnet-5-5", "chat", anthropic_messages),
    ],
)
async def test_every_request_fits_the_sdk_s_own_types(name, api, described):
    with ExitStack() as stack:
        fake: Any = stack.enter_context(AnthropicMessages() if name.startswith("anthropic") else OpenAIChat())
        model = open_model(name, ModelOptions(api_key=KEY, base_url=fake.url, api=api))
        with pytest.raises(ModelError):  # nobody scripted an answer; what was sent is what is looked at
            await model.complete(REQUEST)
        await model.aclose()
        assert conforms(fake.requests[0].body, *described())


def test_a_body_that_does_not_fit_is_noticed():
    good = {"model": "m", "max_tokens": 1, "messages": [{"role": "user", "content": "hi"}]}
    assert conforms(good, *anthropic_messages())
    assert not conforms({**good, "max_completion_tokens": 1}, *anthropic_messages())
    with pytest.raises(ValueError, match="role"):
        conforms({**good, "messages": [{"role": "tool", "content": "hi"}]}, *anthropic_messages())
