"""Half characters and other JSON that Python reads and nothing else can carry: made whole where a model's reply is read."""

import json
import sys
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from mcp.server.mcpserver import MCPServer

import autonomy.llm.vendors.anthropic_messages
import autonomy.llm.vendors.openai_models  # noqa: F401 - the registry would import both inside the event loop
from autonomy.database import migrate, open_engine
from autonomy.errors import ModelError, ModelGarbled, ModelRejected
from autonomy.llm.messages import ToolDefinition, UserMessage
from autonomy.llm.model import ModelOptions, ModelRequest
from autonomy.llm.model_json import read_json
from autonomy.llm.model_registry import open_model
from autonomy.stores import ROOMS
from discovery.text.characters import replace_lone_surrogates
from metrics.journal import Journal
from tests.requirements import requirement
from tests.support import anthropic_messages, openai_chat
from tests.support.anthropic_messages import KEY, AnthropicMessages
from tests.support.house import READ, house
from tests.support.openai_chat import OpenAIChat

HALF = "\ud83d"
WRITTEN = '{"text": "tea \\ud83d", "\\ude00": ["\\ud83d\\ude00"]}'
"""Arguments as a model writes them that was cut off within a character."""
UNDERSTOOD = {"text": "tea \ufffd", "\ufffd": ["😀"]}
TOOL = ToolDefinition(name="say", description="Say it.", input_schema={"type": "object"})
REQUEST = ModelRequest(messages=(UserMessage(text="hello"),), tools=(TOOL,))


@pytest.fixture
def journal(tmp_path: Path) -> Iterator[Journal]:
    engine = open_engine(f"sqlite:///{tmp_path / 'run.db'}")
    migrate(engine, ROOMS)
    yield Journal(engine, key=b"k")
    engine.dispose()


def test_halves_that_meet_become_their_character_and_the_others_are_replaced():
    assert replace_lone_surrogates("\ud83d" + "\ude00") == "😀"
    assert replace_lone_surrogates({f"a{HALF}": [f"{HALF}b", 1, None, True]}) == {"a\ufffd": ["\ufffdb", 1, None, True]}


@given(st.text(st.characters(codec="utf-8")))
def test_text_that_is_whole_stays_as_it_is(text: str):
    assert replace_lone_surrogates(text) == text


@given(st.recursive(st.text() | st.none(), lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner), max_leaves=10))
def test_whatever_json_says_can_be_sent_on(value: Any):
    read = read_json(json.dumps(value))
    assert json.dumps(read, ensure_ascii=False).encode()


@pytest.mark.parametrize("depth", [101, 10 * sys.getrecursionlimit()])
def test_what_is_nested_too_deeply_is_no_value(depth: int):
    assert read_json("[" * 99 + "]" * 99)
    with pytest.raises(ValueError, match="nested too deeply"):
        read_json("[" * depth + "]" * depth)


def openai_reply() -> Any:
    body = openai_chat.reply(f"take {HALF}", calls=[openai_chat.call("say", WRITTEN, f"c{HALF}")]).body()
    return openai_chat.Raw(json.dumps(body).encode())


def openai_stream() -> Any:
    chunks = openai_chat.reply(f"take {HALF}", calls=[openai_chat.call("say", WRITTEN, f"c{HALF}")]).chunks()
    events = "".join(f"data: {json.dumps(event)}\n\n" for event in chunks)
    return openai_chat.Raw(f"{events}data: [DONE]\n\n".encode(), headers={"content-type": "text/event-stream"})


def responses_reply() -> Any:
    said = {"type": "message", "content": [{"type": "output_text", "text": f"take {HALF}"}]}
    thought = {"type": "reasoning", "id": "rs_1", "summary": [], "encrypted_content": f"abc{HALF}"}
    call = {"type": "function_call", "call_id": f"c{HALF}", "name": "say", "arguments": WRITTEN}
    return openai_chat.Raw(json.dumps({"object": "response", "output": [thought, said, call]}).encode())


def anthropic_reply() -> Any:
    call = anthropic_messages.tool_use("say", json.loads(WRITTEN), f"c{HALF}")
    content = [anthropic_messages.thinking(f"hm {HALF}"), anthropic_messages.text(f"take {HALF}"), call]
    body = {"type": "message", "content": content, "stop_reason": "tool_use"}
    return anthropic_messages.Raw(json.dumps(body).encode())


@requirement("L1", "L5")
@pytest.mark.parametrize(
    ("name", "api", "step", "listened"),
    [
        ("openai:m", "chat", openai_reply, False),
        ("openai:m", "chat", openai_stream, True),
        ("compatible:m", "chat", openai_stream, True),
        ("openai:m", "responses", responses_reply, False),
        ("anthropic:m", "chat", anthropic_reply, False),
    ],
)
async def test_half_characters_of_a_reply_reach_nobody_and_the_conversation_goes_on(name, api, step, listened):
    heard: list[str] = []

    async def hear(piece: str) -> None:
        heard.append(piece)

    with ExitStack() as stack:
        fake: Any = stack.enter_context(AnthropicMessages() if name.startswith("anthropic") else OpenAIChat())
        model = open_model(name, ModelOptions(api_key=KEY, base_url=fake.url, api=api))
        fake.script(step())
        reply = await model.complete(REQUEST, hear if listened else None)
        again = REQUEST.model_copy(update={"messages": (*REQUEST.messages, reply)})
        with pytest.raises(ModelError):  # nobody scripted an answer; what was sent is what is looked at
            await model.complete(again)
        await model.aclose()
    assert reply.text == "take \ufffd"
    assert [call.arguments for call in reply.calls] == [UNDERSTOOD]
    assert reply.model_dump_json().encode()
    assert "".join(heard) == ("take \ufffd" if listened else "")
    assert HALF not in json.dumps(fake.requests[1].body, ensure_ascii=False)


@requirement("X13")
async def test_a_run_whose_model_writes_half_characters_is_completed_and_written_down(journal):
    said: list[str] = []
    tools = MCPServer("words")

    @tools.tool(annotations=READ)
    def say(text: str) -> str:
        said.append(text)
        return f"said {text}"

    calling = openai_chat.reply(calls=[openai_chat.call("words_say", '{"text": "tea \\ud83d"}')])
    with OpenAIChat() as fake:
        fake.script(calling, openai_chat.Raw(json.dumps(openai_chat.reply(f"done {HALF}").body()).encode()))
        model = open_model("openai:m", ModelOptions(api_key=KEY, base_url=fake.url))
        async with house(tools, model=model, journal=journal) as home:
            result = await home.run()
        await model.aclose()
    assert (result.ending, result.text) == ("completed", "done \ufffd")
    assert said == ["tea \ufffd"]
    assert result.model_dump_json().encode()
    assert home.heard.events


@pytest.mark.parametrize("depth", [200, 100_000])
async def test_a_reply_that_is_nested_too_deeply_is_garbled_and_such_arguments_are_unreadable(depth):
    deep = '{"a":' * depth + "1" + "}" * depth
    with OpenAIChat() as fake:
        model = open_model("openai:m", ModelOptions(api_key=KEY, base_url=fake.url))
        fake.script(openai_chat.Raw(deep.encode()), openai_chat.reply(calls=[openai_chat.call("say", deep)]))
        fake.script(openai_chat.Raw(deep.encode(), 400))
        with pytest.raises(ModelGarbled):
            await model.complete(REQUEST)
        reply = await model.complete(REQUEST)
        with pytest.raises(ModelRejected, match="HTTP 400"):
            await model.complete(REQUEST)
        await model.aclose()
    assert reply.calls[0].unreadable == deep


@requirement("M5")
@pytest.mark.parametrize(
    "encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "utf-32", "utf-32-le", "utf-32-be"]
)
def test_half_a_character_is_replaced_in_each_encoding_of_a_body(encoding: str) -> None:
    assert read_json('{"\\udfff": "a\\ud800b"}'.encode(encoding)) == {"\ufffd": "a\ufffdb"}
