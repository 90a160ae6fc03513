"""Claude Code's messages as parts of a response; above all, what happens to words that came and were taken back."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic_ai import messages as pm
from pydantic_ai.exceptions import ModelRateLimitError
from pydantic_ai.models import ModelRequestParameters

from autonomy.bridge import ClaudeCodeStopped

sdk = pytest.importorskip("claude_agent_sdk")
from autonomy.bridge.claude.claude_stream import ClaudeStream  # noqa: E402 -- needs the SDK


def start(message_id="m1"):
    return sdk.StreamEvent("u", "s", {"type": "message_start", "message": {"id": message_id}})


def piece(index, words, kind="text"):
    delta = {"type": f"{kind}_delta", kind: words}
    return sdk.StreamEvent("u", "s", {"type": "content_block_delta", "index": index, "delta": delta})


def said(*blocks, **more):
    return sdk.AssistantMessage(list(blocks), "claude-x", message_id="m", **more)


def text(words):
    return sdk.TextBlock(words)


def thought(words):
    return sdk.ThinkingBlock(words, "sig")


def result(**more):
    base = {"subtype": "success", "duration_ms": 1, "duration_api_ms": 1, "is_error": False, "num_turns": 1, "session_id": "s"}
    return sdk.ResultMessage(**base | more)


async def response_to(*messages):
    async def source():
        for message in messages:
            yield message

    async def nothing_to_end():
        return None

    stream = ClaudeStream(
        model_request_parameters=ModelRequestParameters(), source=source(), end=nothing_to_end, asked_model="default"
    )
    async for _event in stream:
        pass
    return stream.get()


def words_of(response):
    return [(part.part_kind, part.content) for part in response.parts if part.content]


async def test_pieces_are_settled_by_the_whole():
    response = await response_to(
        start(),
        piece(0, "ふ", "thinking"),
        piece(0, "む", "thinking"),
        said(thought("ふむ")),
        piece(1, "晴"),
        said(text("晴れ")),
        result(),
    )
    assert words_of(response) == [("thinking", "ふむ"), ("text", "晴れ")]
    assert response.parts[0].signature == "sig"
    assert (response.model_name, response.state) == ("claude-x", "complete")


async def test_without_pieces_the_whole_is_enough():
    assert words_of(await response_to(said(thought("ふむ"), text("晴れ")), result())) == [("thinking", "ふむ"), ("text", "晴れ")]


async def test_another_whole_takes_the_place_of_the_pieces():
    assert words_of(await response_to(start(), piece(0, "半分"), said(text("別の答え")), result())) == [("text", "別の答え")]


async def test_a_second_try_takes_the_place_of_the_first():
    first = [start("m1"), piece(0, "ふむ", "thinking"), piece(1, "半"), piece(2, "端")]
    second = [start("m2"), piece(0, "全"), said(text("全部")), result()]
    assert words_of(await response_to(*first, *second)) == [("text", "全部")]


@given(
    broken=st.lists(st.lists(st.tuples(st.sampled_from(["text", "thinking"]), st.text(min_size=1)), max_size=3), max_size=3),
    whole=st.lists(st.tuples(st.sampled_from(["text", "thinking"]), st.text(min_size=1)), max_size=4),
    streamed=st.booleans(),
)
async def test_whatever_broke_before_only_the_last_message_counts(broken, whole, streamed):
    messages = []
    for attempt, blocks in enumerate(broken):
        messages.append(start(f"broken-{attempt}"))
        messages += [piece(index, words, kind) for index, (kind, words) in enumerate(blocks)]
    messages.append(start("last"))
    for index, (kind, words) in enumerate(whole):
        middle = len(words) // 2
        parts = [part for part in (words[:middle], words[middle:]) if part]
        messages += [piece(index, part, kind) for part in parts] if streamed else []
        messages.append(said(text(words) if kind == "text" else thought(words)))
    assert words_of(await response_to(*messages, result())) == whole


async def test_what_a_subagent_says_is_not_the_answer():
    inner = said(text("inner"), parent_tool_use_id="t")
    assert words_of(await response_to(inner, said(text("outer")), result())) == [("text", "outer")]


async def test_a_call_and_its_return_are_native_parts():
    call = sdk.ToolUseBlock("t1", "mcp__pydantic_tools__weather", {"city": "東京"})
    other = sdk.ToolUseBlock("t2", "mcp__other__tool", {})
    picture = [{"type": "image", "source": {}}]
    answers = [sdk.ToolResultBlock("t1", [{"type": "text", "text": "晴れ"}]), sdk.ToolResultBlock("t2", picture, is_error=True)]
    response = await response_to(said(call, other), sdk.UserMessage(answers), sdk.UserMessage("words"), result())
    assert [(type(part), part.tool_name) for part in response.parts] == [
        (pm.NativeToolCallPart, "weather"),
        (pm.NativeToolCallPart, "mcp__other__tool"),
        (pm.NativeToolReturnPart, "weather"),
        (pm.NativeToolReturnPart, "mcp__other__tool"),
    ]
    assert [(part.content, part.outcome) for part in response.parts[2:]] == [("晴れ", "success"), (picture, "failed")]


async def test_an_end_without_a_result_is_no_answer():
    with pytest.raises(ClaudeCodeStopped, match="ended without a result"):
        await response_to(said(text("晴れ")))


async def test_an_error_is_no_answer_whatever_was_said():
    with pytest.raises(ModelRateLimitError):
        await response_to(said(text("API Error"), error="rate_limit"), result(is_error=True, api_error_status=429))
