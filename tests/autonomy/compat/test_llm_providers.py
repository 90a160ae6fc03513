"""The seeds' public names, over the same models."""

from collections.abc import Sequence

import pytest

from autonomy.compat.llm_providers import AnthropicProvider, LLMProvider, LMStudioProvider, ModelProvider, OpenAIProvider
from autonomy.llm.messages import LLMResponse, Message, ToolDefinition, UserMessage
from autonomy.llm.scripted import ScriptedModel, calling
from tests.requirements import requirement
from tests.support.anthropic_messages import KEY, AnthropicMessages
from tests.support.anthropic_messages import reply as anthropic_reply
from tests.support.anthropic_messages import text as anthropic_text
from tests.support.openai_chat import OpenAIChat, call, reply

HELLO = (UserMessage(text="hello"),)
TOOL = ToolDefinition(name="t", description="d", input_schema={"type": "object", "properties": {}})


class Parrot(LLMProvider):
    """A provider that knows no tools."""

    async def complete(self, messages: Sequence[Message]) -> LLMResponse:
        last = messages[-1]
        assert isinstance(last, UserMessage)
        return LLMResponse(text=last.text)


@requirement("L2")
async def test_a_provider_that_knows_no_tools_ignores_them():
    assert (await Parrot().complete_with_tools(HELLO, [TOOL])).text == "hello"


@requirement("L2")
async def test_any_model_is_a_provider():
    model = ScriptedModel(["words", calling(("t", {}))])
    provider = ModelProvider(model)
    assert (await provider.complete(HELLO)).text == "words"
    assert (await provider.complete_with_tools(HELLO, [TOOL])).calls[0].name == "t"
    assert [len(request.tools) for request in model.requests] == [0, 1]
    await provider.aclose()
    assert model.closed


@requirement("L3", "L5")
@pytest.mark.parametrize("vendor", [OpenAIProvider, LMStudioProvider])
async def test_openai_and_lm_studio_answer_with_and_without_a_tool_call(vendor):
    with OpenAIChat() as fake:
        fake.script(reply("words"), reply(calls=[call("t", {"a": 1})]))
        provider = vendor("some-model", api_key="k", base_url=fake.url)
        assert (await provider.complete(HELLO)).text == "words"
        assert (await provider.complete_with_tools(HELLO, [TOOL])).calls[0].arguments == {"a": 1}
        await provider.aclose()
        assert ["tools" in body for body in fake.bodies] == [False, True]


@requirement("L4")
async def test_anthropic_answers():
    with AnthropicMessages() as fake:
        fake.script(anthropic_reply(anthropic_text("words")))
        provider = AnthropicProvider("claude-sonnet-5-5", api_key=KEY, base_url=fake.url)
        assert (await provider.complete_with_tools(HELLO, [TOOL])).text == "words"
        await provider.aclose()
