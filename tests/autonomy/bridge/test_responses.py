"""Return values as MCP responses."""

import base64
import json
from dataclasses import dataclass
from datetime import UTC, date, datetime
from decimal import Decimal
from enum import Enum, StrEnum

import pytest
from hypothesis import given
from hypothesis import strategies as st
from mcp.types import CallToolResult, TextContent
from pydantic import BaseModel
from pydantic_ai import BinaryContent, ToolReturn

from autonomy.bridge.bridged_tool import _on_the_wire
from autonomy.bridge.mcp_responses import _format_return_value_as_mcp as formatted
from autonomy.bridge.mcp_responses import error_response
from tests.requirements import requirement

PNG = b"\x89PNG\r\n\x1a\n...."


class Size(StrEnum):
    BIG = "big"


class Level(Enum):
    HIGH = 3


@dataclass
class Report:
    when: date
    amount: Decimal
    level: Level


class Note(BaseModel):
    text: str
    at: datetime


def only_text(value):
    (block,) = formatted(value)["content"]
    assert block["type"] == "text"
    return block["text"]


@requirement("FR-006", "SC-002")
@pytest.mark.parametrize(
    ("value", "text"),
    [
        (None, ""),
        ("晴れ", "晴れ"),
        ("", ""),
        (Size.BIG, "big"),
        (3, "3"),
        (1.5, "1.5"),
        (True, "true"),
        ([], "[]"),
        ({"天気": "晴れ"}, '{"天気":"晴れ"}'),
        ([1, "二"], '[1,"二"]'),
        ({1: date(2026, 1, 2)}, '{"1":"2026-01-02"}'),
        (Report(date(2026, 1, 2), Decimal("1.10"), Level.HIGH), '{"when":"2026-01-02","amount":"1.10","level":3}'),
        (Note(text="あ", at=datetime(2026, 1, 2, tzinfo=UTC)), '{"text":"あ","at":"2026-01-02T00:00:00Z"}'),
        ([Note(text="x", at=datetime(2026, 1, 2, tzinfo=UTC))], '[{"text":"x","at":"2026-01-02T00:00:00Z"}]'),
        (float("nan"), '"NaN"'),
        ({"raw": b"\xff"}, '{"raw":"_w=="}'),
    ],
)
def test_a_value_becomes_text(value, text):
    assert only_text(value) == text


@requirement("FR-006", "US2")
@given(st.dictionaries(st.text(), st.integers() | st.text() | st.none() | st.booleans()))
def test_a_dict_survives_as_json(value):
    if set(value) <= {"content"}:
        value["other"] = 1
    assert json.loads(only_text(value)) == value


@requirement("US2")
@pytest.mark.parametrize("flags", [{}, {"isError": True}, {"is_error": True}, {"structuredContent": {"a": 1}}])
def test_a_response_passes_as_it_is(flags):
    ready = {"content": [{"type": "text", "text": "済"}, {"type": "image", "data": "", "mimeType": "image/png"}], **flags}
    assert formatted(ready) is ready


@pytest.mark.parametrize(
    "record",
    [
        {"content": [{"type": "text", "text": "x"}], "title": "a record of an article"},
        {"content": [{"type": "chapter"}]},
        {"content": []},
        {"content": "words"},
    ],
)
def test_a_record_with_a_content_field_is_not_taken_for_a_response(record):
    assert json.loads(only_text(record)) == record


def test_a_result_of_mcp_passes_with_its_error_flag():
    response = formatted(CallToolResult(content=[TextContent(text="no")], is_error=True, structured_content={"a": 1}))
    assert response["content"] == [{"type": "text", "text": "no"}]
    assert response["isError"] is response["is_error"] is True
    assert response["structuredContent"] == {"a": 1}


@pytest.mark.parametrize(
    ("data", "kind"),
    [(PNG, "image/png"), (b"\xff\xd8\xff\xe0", "image/jpeg"), (b"GIF89a", "image/gif"), (b"RIFF0000WEBP", "image/webp")],
)
def test_the_bytes_of_a_picture_become_a_picture(data, kind):
    assert formatted(data)["content"] == [{"type": "image", "data": base64.b64encode(data).decode(), "mimeType": kind}]


def test_other_bytes_become_a_resource():
    (block,) = formatted(b"\x00\x01")["content"]
    assert block["type"] == "resource"
    assert base64.b64decode(block["resource"]["blob"]) == b"\x00\x01"


def test_binary_content_becomes_a_block_of_its_kind():
    picture = BinaryContent(PNG, media_type="image/png")
    sound = BinaryContent(b"abc", media_type="audio/wav")
    assert [block["type"] for block in formatted(["見て", picture, sound])["content"]] == ["text", "image", "audio"]


def test_a_tool_return_gives_its_value_and_what_stands_beside_it():
    returned = ToolReturn({"ok": True}, content=["説明", BinaryContent(PNG, media_type="image/png")])
    kinds = [(block["type"], block.get("text")) for block in formatted(returned)["content"]]
    assert kinds == [("text", '{"ok":true}'), ("text", "説明"), ("image", None)]


def test_an_object_of_no_known_kind_is_shown_as_python_shows_it():
    class Odd:
        def __str__(self):
            return "odd one"

    assert json.loads(only_text({"it": Odd()})) == {"it": "odd one"}


def test_half_of_a_character_as_in_the_name_of_a_file_is_sent_as_one_that_is_unknown():
    for response in (
        formatted("a\udce9"),
        error_response("no file a\udce9"),
        {"content": [], "structuredContent": {"name": "a\udce9"}},
    ):
        assert "a\ufffd" in _on_the_wire(response).model_dump_json()
