"""Parts of answers that are no text for the model: pictures for those that see, and what is meant for the person alone."""

import base64
from typing import Any

import pytest
from mcp_types import Annotations, CallToolResult, EmbeddedResource, ImageContent, TextContent, TextResourceContents

from autonomy.agent import compaction
from autonomy.calls.results.result_truncation import KEPT_PARTS, LARGEST_IMAGE, MOST_IMAGES, parts_kept, truncate_result
from autonomy.llm.messages import AssistantMessage, Message, ResultImage, ToolCall, ToolResult, UserMessage
from autonomy.llm.model import ModelOptions
from autonomy.llm.vendors.anthropic_messages import AnthropicModel
from autonomy.llm.vendors.chat_completions import messages_of
from autonomy.llm.vendors.openai_responses import ResponsesModel
from autonomy.outcomes.classifier import OK
from discovery.catalog import ContentPart, ToolOutput
from discovery.transport.answers import output_of
from tests.requirements import requirement

PNG = base64.b64encode(b"\x89PNG\r\n\x1a\n....").decode()
FOR_THE_PERSON = Annotations(audience=["user"])
PICTURE = ResultImage(mime_type="image/png", data=PNG)
ASKED = AssistantMessage(calls=(ToolCall(id="c1", name="shop_photo"), ToolCall(id="c2", name="shop_price")))
TALK: tuple[Message, ...] = (
    UserMessage(text="what is it?"),
    ASKED,
    ToolResult(call_id="c1", name="shop_photo", text="a photo", images=(PICTURE,)),
    ToolResult(call_id="c2", name="shop_price", text="120"),
    UserMessage(text="well?"),
)


def result_of(output: ToolOutput) -> ToolResult:
    return truncate_result(ToolCall(id="c1", name="t"), "turn-2/call-1", output, OK, answered_by="", is_write=False)


def answered(*content: Any) -> ToolOutput:
    return output_of(CallToolResult(content=list(content)), duration_s=0.0, max_text_chars=1_000)


@requirement("N5")
def test_what_is_meant_for_the_person_alone_reaches_no_model_and_is_kept() -> None:
    output = answered(
        TextContent(text="the total is 5"),
        TextContent(text="<chart of the total>", annotations=FOR_THE_PERSON),
        TextContent(text="for both", annotations=Annotations(audience=["user", "assistant"])),
        ImageContent(data=PNG, mime_type="image/png", annotations=FOR_THE_PERSON),
        EmbeddedResource(
            resource=TextResourceContents(uri="x://log", mime_type="text/plain", text="the whole log"), annotations=FOR_THE_PERSON
        ),
    )
    result = result_of(output)
    assert result.text.splitlines()[:2] == ["the total is 5", "for both"]
    assert "chart" not in result.text
    assert result.images == ()
    assert result.handle == "", "no handle lets the model read it after all"
    assert result.text.count("for the person alone; kept with the run") == 3
    assert [part.data for part in output.parts] == ["<chart of the total>", PNG, "the whole log"]
    assert len(output.blocks) == 5, "another host in front gets every part, and its own say"


@requirement("N5")
@pytest.mark.parametrize(
    ("mime_type", "data"),
    [
        ("image/png", "no base64!"),
        ("image/png", "ü"),
        ("image/png", base64.b64encode(b"<html>").decode()),
        ("image/tiff", base64.b64encode(b"II*\0").decode()),
        ("image/png", PNG + "A" * LARGEST_IMAGE),
    ],
    ids=["no base64", "no ASCII", "another thing", "a kind no vendor takes", "too large"],
)
def test_a_picture_that_would_have_a_vendor_refuse_the_whole_conversation_is_not_shown(mime_type: str, data: str) -> None:
    result = result_of(ToolOutput(text="here", parts=(ContentPart(kind="image", mime_type=mime_type, data=data),)))
    assert result.images == ()
    assert "kept with the run" in result.text


@requirement("N5")
def test_a_part_that_there_is_no_room_for_leaves_the_room_to_the_others() -> None:
    sizes = (KEPT_PARTS + 1, 9, KEPT_PARTS - 9, 1)
    parts = tuple(ContentPart(kind="audio", mime_type="audio/wav", data="x" * size) for size in sizes)
    assert [len(part.data) for part in parts_kept(ToolOutput(text="", parts=parts))] == [0, 9, KEPT_PARTS - 9, 0]


def test_a_few_pictures_of_one_result_are_shown_and_named_in_words_too() -> None:
    result = result_of(ToolOutput(text="", parts=(ContentPart(kind="image", mime_type="image/png", data=PNG),) * 9))
    assert result.images == (PICTURE,) * MOST_IMAGES
    assert ToolResult.model_validate_json(result.model_dump_json()) == result
    assert result.text.count("[image image/png") == 9


@requirement("N5")
def test_chat_completions_shows_pictures_behind_all_results_of_the_turn_and_only_to_a_model_that_sees() -> None:
    sent = messages_of(TALK, lenient=False, sees=True)
    assert [one["role"] for one in sent] == ["user", "assistant", "tool", "tool", "user", "user"]
    name, picture = sent[4]["content"]
    assert "shop_photo" in name["text"]
    assert picture == {"type": "image_url", "image_url": {"url": f"data:image/png;base64,{PNG}"}}
    assert PNG not in str(messages_of(TALK, lenient=False))
    lenient = messages_of(TALK, lenient=True, sees=True)
    assert lenient[-1] == {"role": "user", "content": "well?"}


@requirement("N5")
@pytest.mark.parametrize(
    ("told", "base_url", "sees"), [(None, "", True), (None, "http://127.0.0.1:1", False), (True, "x", True), (False, "", False)]
)
async def test_anthropic_is_sent_image_blocks_inside_of_the_result(told: bool | None, base_url: str, sees: bool) -> None:
    model = AnthropicModel("claude-x", ModelOptions(base_url=base_url, sees_images=told))
    result = model._messages(TALK)[2]["content"][0]
    if not sees:
        assert result["content"] == "a photo"
        return
    assert result["content"][0] == {"type": "text", "text": "a photo"}
    assert result["content"][1]["source"] == {"type": "base64", "media_type": "image/png", "data": PNG}


@requirement("N5")
async def test_responses_sends_pictures_in_the_output_of_the_call() -> None:
    def output(sees: bool | None) -> Any:
        model = ResponsesModel("gpt-x", ModelOptions(sees_images=sees))
        return next(one["output"] for one in model._input(TALK) if one.get("call_id") == "c1" and "output" in one)

    assert output(None) == "a photo"
    assert output(True)[1] == {"type": "input_image", "image_url": PICTURE.url}


def test_a_picture_counts_when_room_is_made() -> None:
    photo, plain = TALK[2], TALK[3]
    assert compaction._count_message_tokens(photo) - compaction._count_message_tokens(plain) > compaction.IMAGE_TOKENS / 2
