"""The scripted model: a double that behaves like a model and remembers what it was asked."""

import pytest

from autonomy.errors import ModelRejected, ModelUnavailable
from autonomy.llm.messages import AssistantMessage, ToolCall, Usage, UserMessage
from autonomy.llm.model import ModelRequest
from autonomy.llm.scripted import ScriptedModel, calling

REQUEST = ModelRequest(messages=(UserMessage(text="hello"),))


async def test_replies_come_in_order_under_the_model_s_name():
    model = ScriptedModel([calling(("add", {"a": 1})), "done"], name="tiny")
    first, second = await model.complete(REQUEST), await model.complete(REQUEST)
    assert (first.calls[0].name, first.stop_reason, first.model) == ("add", "tool_calls", "scripted:tiny")
    assert (second.text, second.stop_reason, second.usage.cost_usd) == ("done", "end", 0)
    assert model.requests == [REQUEST, REQUEST]


async def test_call_ids_are_unique_through_the_conversation_unless_given():
    own = AssistantMessage(calls=(ToolCall(id="mine", name="a"),))
    model = ScriptedModel([calling(("a", {}), ("b", {})), calling(("a", {})), own])
    ids = [call.id for _ in range(3) for call in (await model.complete(REQUEST)).calls]
    assert ids == ["call-1", "call-2", "call-3", "mine"]


async def test_a_function_answers_from_the_request():
    model = ScriptedModel(lambda request: f"{len(request.messages)} messages")
    assert (await model.complete(REQUEST)).text == "1 messages"


async def test_an_error_in_the_script_is_raised_and_the_next_reply_follows():
    model = ScriptedModel([ModelUnavailable("scripted:model", "down", retry_after_s=2), "up again"])
    with pytest.raises(ModelUnavailable, match="down"):
        await model.complete(REQUEST)
    assert (await model.complete(REQUEST)).text == "up again"


async def test_a_script_that_is_too_short_is_said_plainly():
    with pytest.raises(ModelRejected, match="no reply for request 1"):
        await ScriptedModel([]).complete(REQUEST)


async def test_text_is_streamed_and_usage_kept():
    pieces: list[str] = []

    async def listen(piece: str) -> None:
        pieces.append(piece)

    reply = await ScriptedModel([AssistantMessage(text="hi", usage=Usage(input_tokens=3))]).complete(REQUEST, listen)
    assert pieces == ["hi"]
    assert reply.usage.input_tokens == 3


async def test_closing_is_remembered():
    model = ScriptedModel([])
    await model.aclose()
    assert model.closed
