"""Filling arguments by the schema alone."""

from datetime import date
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from autonomy.llm.messages import AssistantMessage, ToolCall, ToolDefinition, ToolResult
from autonomy.llm.offline.argument_correction import corrected, pointed_to
from autonomy.llm.offline.argument_filler import ArgumentFiller, CannotFillError, choose, fit, noun_of, properties
from autonomy.llm.offline.conversation_state import AnswerPending, ConversationState
from autonomy.llm.templates import render
from tests.requirements import requirement

JST = ZoneInfo("Asia/Tokyo")
TEXT = {"type": "string"}


def tool(name: str, required: tuple[str, ...] = (), description: str = "", **form: Any) -> ToolDefinition:
    schema = {"type": "object", "properties": form, "required": list(required)}
    return ToolDefinition(name=name, description=description, input_schema=schema)


def filler(*readers: ToolDefinition, state: ConversationState | None = None, words: str = "", **inputs: Any) -> ArgumentFiller:
    return ArgumentFiller(readers, state or ConversationState(()), inputs, words, date(2026, 11, 21), JST, "en")


def answered(name: str, structured: Any) -> ConversationState:
    call = ToolCall(id="1", name=name)
    return ConversationState(
        (AssistantMessage(calls=(call,)), ToolResult(call_id="1", name=name, text="", structured=structured))
    )


def test_values_go_to_the_argument_of_their_name_or_meaning():
    save = tool("save", content=TEXT, folder=TEXT, title=TEXT)
    assert filler().fill(save, {"body_md": "a", "category": "b", "name": "c"}) == [{"content": "a", "folder": "b", "title": "c"}]


def test_a_write_whose_value_finds_no_place_is_not_filled_at_all():
    with pytest.raises(CannotFillError) as caught:
        filler().fill(tool("post", text=TEXT), {"text": "a", "colour": "red"}, strict=True)
    assert caught.value.values == {"tool": "post", "argument": "colour", "example": ""}
    assert filler().fill(tool("post", text=TEXT), {"text": "a", "colour": "red"}) == [{"text": "a"}]


def test_what_is_required_comes_from_const_enum_and_the_words_but_defaults_are_left_to_the_tool():
    form = tool(
        "t",
        ("kind", "span", "page"),
        kind={"const": "x"},
        span={"enum": ["today", "tomorrow"]},
        page={"type": "integer", "default": 1},
    )
    assert filler(words="明日の天気").fill(form, {}) == [{"kind": "x", "span": "tomorrow"}]
    assert filler().fill(form, {}) == [{"kind": "x", "span": "today"}]


def test_a_read_is_answered_in_the_readers_language_where_its_tool_takes_one():
    weather = tool("get_weather", place=TEXT, language={"anyOf": [{"enum": ["ja", "en"]}, {"type": "null"}]})
    assert filler().fill(weather, {"place": "Osaka"}) == [{"place": "Osaka", "language": "en"}]
    assert filler().fill(weather, {"place": "Osaka", "language": "ja"}) == [{"place": "Osaka", "language": "ja"}]
    assert filler().fill(tool("translate", text=TEXT, language={"enum": ["de", "fr"]}), {"text": "a"}) == [{"text": "a"}]


@pytest.mark.parametrize(
    ("words", "given", "inputs", "asked"),
    [
        ("天気予報 明日の札幌の天気を教えてください", {}, {}, {"day": "tomorrow"}),
        ("a forecast: How will it be on 22 November?", {}, {}, {"day": "tomorrow"}),
        ("a forecast: Tell the weather", {}, {}, {}),
        ("昨日の予報は外れました。明日の天気を教えてください", {}, {}, {}),
        ("一昨日の天気", {}, {}, {}),
        ("明日の天気", {"day": "today"}, {}, {"day": "today"}),
        ("明日の天気", {}, {"date": "2026-11-21"}, {"day": "2026-11-21"}),
    ],
)
@requirement("V9")
def test_a_read_is_asked_about_the_one_day_that_the_goal_says_in_place_of_a_default(words, given, inputs, asked):
    form = tool("forecast", day={"type": "string", "description": "today, tomorrow or week", "default": "today"})
    assert filler(words=words, **inputs).fill(form, given) == [asked]


@pytest.mark.parametrize(
    ("schema", "start", "end"),
    [
        ({"type": "string", "description": "Slack timestamp"}, "1795186800", "1795273200"),
        ({"type": "number"}, 1795186800, 1795273200),
        ({"type": "string", "format": "date"}, "2026-11-21", "2026-11-22"),
        ({"type": "string", "format": "date-time"}, "2026-11-21T00:00:00+09:00", "2026-11-22T00:00:00+09:00"),
        ({"anyOf": [{"type": "string"}, {"type": "null"}], "description": "YYYY-MM-DD"}, "2026-11-21", "2026-11-22"),
    ],
)
def test_a_day_becomes_a_period_in_the_form_the_tool_takes(schema, start, end):
    assert filler(date="2026-11-21").fill(tool("t", oldest=schema, latest=schema), {}) == [{"oldest": start, "latest": end}]


def test_a_tool_that_takes_the_day_itself_gets_no_period():
    assert filler(date="2026-11-21").fill(tool("t", day=TEXT, since=TEXT), {}) == [{"day": "2026-11-21"}]


def test_a_missing_id_is_asked_of_the_tool_that_lists_such_things_and_spread_over_what_it_finds():
    read, lists = tool("read", ("channel_id",), channel_id=TEXT), tool("list_channels", description="List the channels")
    waiting = filler(read, lists)
    with pytest.raises(AnswerPending):
        waiting.fill(read, {})
    assert [call.tool for call in waiting.state.planned.values()] == ["list_channels"]
    found = {"channels": [{"id": "C1", "is_member": True}, {"id": "C2", "is_member": False}, {"id": "C3", "is_member": True}]}
    known = filler(read, lists, state=answered("list_channels", found))
    assert known.fill(read, {}) == [{"channel_id": "C1"}, {"channel_id": "C3"}]
    with pytest.raises(CannotFillError):
        known.fill(read, {}, strict=True)


def test_a_name_becomes_the_id_of_the_thing_that_bears_it():
    post, lists = tool("post", ("channel_id",), channel_id=TEXT), tool("list_channels", description="List the channels")
    known = filler(post, lists, state=answered("list_channels", [{"id": "C1", "name": "general"}, {"id": "C2", "name": "dev"}]))
    assert known.fill(post, {"channel_id": "#dev"}, strict=True) == [{"channel_id": "C2"}]
    assert known.fill(post, {"channel_id": "C9"}, strict=True) == [{"channel_id": "C9"}]


def test_what_is_an_identifier_already_is_not_looked_up():
    tell = tool("send_direct_message", ("user_id",), user_id=TEXT)
    people = tool("get_users", description="List the users")
    assert filler(people).fill(tell, {"user_id": "U07KENTA"}, strict=True) == [{"user_id": "U07KENTA"}]
    with pytest.raises(AnswerPending):
        filler(people).fill(tell, {"user_id": "KENTA"}, strict=True)


def test_nothing_to_list_means_the_argument_cannot_be_filled():
    with pytest.raises(CannotFillError, match="channel_id"):
        filler(tool("list_users", description="List the users")).fill(tool("read", ("channel_id",), channel_id=TEXT), {})


def test_references_in_a_schema_are_followed():
    schema = {
        "properties": {"span": {"$ref": "#/$defs/Span"}},
        "$defs": {"Span": {"enum": ["today", "week"], "type": "string"}},
    }
    form = properties(ToolDefinition(name="t", description="", input_schema=schema))
    assert choose(form["span"]["enum"], "今週の予定") == "week"


@pytest.mark.parametrize(
    ("argument", "name", "noun"),
    [
        ("channel_id", "read", "channel"),
        ("roomId", "read", "room"),
        ("post_number", "x", "post"),
        ("id", "wiki_get_post", "post"),
    ],
)
def test_what_an_argument_identifies(argument, name, noun):
    assert noun_of(tool(name), argument) == noun


def test_text_is_no_identifier():
    assert noun_of(tool("search"), "query") == ""


@pytest.mark.parametrize(
    ("value", "schema", "fitted"),
    [
        ("5", {"type": "integer"}, 5),
        ("0.2", {"type": "integer"}, "0.2"),
        ("0.2", {"type": "number"}, 0.2),
        ("a", {"type": "array"}, ["a"]),
        (5, {"type": "string"}, "5"),
        ("true", {"type": "boolean"}, True),
    ],
)
def test_values_take_the_type_of_the_schema(value, schema, fitted):
    assert fit(value, schema) == fitted


@pytest.mark.parametrize(
    ("arguments", "error", "better"),
    [
        ({"limit": 50}, "limit must be <= 15", {"limit": 15}),
        ({"limit": 50}, "Input should be less than or equal to 15: limit", {"limit": 15}),
        ({"day": "someday"}, "day: not a day", {}),
        ({"place": "池田"}, "place is ambiguous; did you mean '池田町' or '大津'?", {"place": "池田町"}),
        ({"place": "池田"}, "server error", None),
    ],
)
def test_an_error_corrects_the_argument_it_names(arguments, error, better):
    form = tool("t", ("place",), limit={"type": "integer"}, day=TEXT, place=TEXT)
    assert corrected(form, arguments, error) == better


def test_an_error_that_names_a_tool_and_a_value_is_followed_only_when_everything_is_known():
    create, update = tool("wiki_create", text=TEXT), tool("wiki_update", ("number",), number={"type": "integer"}, text=TEXT)
    found = pointed_to([create, update], create, {"text": "a"}, "exists already as number 12: use wiki_update")
    assert found == (update, {"text": "a", "number": 12})
    assert pointed_to([create, update], create, {"text": "a"}, "exists already: use wiki_update") is None
    assert pointed_to([create, update], create, {"text": "a"}, "out of order") is None


def test_templates_leave_out_what_has_no_value():
    values = {"a": 1, "b.c": "x"}
    given = {"n": "{{a}}", "s": "{{ b.c }}-{{a}}", "none": "{{z}}", "half": "x{{z}}", "list": ["{{a}}", "{{z}}"], "plain": 5}
    assert render(given, values.get) == {"n": 1, "s": "x-1", "list": [1], "plain": 5}
