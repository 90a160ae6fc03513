"""Schemas: one bad one is kept out by itself, vendors get what they accept, and arguments are checked without surprises."""

import re
import time
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from discovery.catalog import JsonObject
from discovery.schemas import bounded
from discovery.schemas.regexes import matches
from discovery.schemas.schema import _are_plain_scalars, for_vendor, mended, problems, restored, validate
from tests.requirements import requirement

NODE = {"type": "object", "properties": {"value": {"type": "string"}, "next": {"$ref": "#/$defs/node"}}}
RECURSIVE = {"type": "object", "properties": {"root": {"$ref": "#/$defs/node"}}, "required": ["root"], "$defs": {"node": NODE}}
EITHER = {
    "anyOf": [
        {"type": "object", "properties": {"id": {"type": "integer"}, "full": {"type": "boolean"}}, "required": ["id"]},
        {"type": "object", "properties": {"name": {"type": "string"}, "full": {"type": "boolean"}}, "required": ["name"]},
    ]
}


@pytest.mark.parametrize(
    ("schema", "reason"),
    [
        ([], "must be an object, not list"),
        ({"type": "string"}, "must describe an object, not 'string'"),
        ({"type": "object", "properties": {"a": {"type": "strnig"}}}, "not valid at properties.a.type"),
        ({"type": "object", "properties": {"a": {"$ref": "#/$defs/gone"}}}, "refers to '#/$defs/gone', which is not in it"),
        ({"type": "object", "properties": {"a": {"$ref": "https://e.example/s.json"}}}, "refers to 'https://e.example/s.json'"),
        ({"type": "object", "description": "x" * 70_000}, "has 70037 bytes"),
        ({"type": "object", "properties": []}, "not valid at properties"),
    ],
)
def test_a_schema_no_model_can_use_says_why(schema: Any, reason: str) -> None:
    (problem,) = problems(schema)
    assert reason in problem


def test_a_schema_nested_without_end_is_refused_and_not_followed() -> None:
    schema: JsonObject = {}
    for _ in range(5000):
        schema = {"type": "object", "properties": {"a": schema}}
    assert problems(schema)


@pytest.mark.parametrize(
    "schema",
    [
        {},
        {"type": "object"},
        RECURSIVE,
        EITHER,
        {"type": "object", "properties": {"n": {"type": "number", "minimum": 0, "exclusiveMinimum": True}}},  # draft 4
        {"type": "object", "properties": {"a": {"type": "string", "required": True}}},  # draft 3
        {"type": "object", "properties": {"t": {"type": "array", "items": [{"type": "string"}, {"type": "number"}]}}},  # draft 7
        {"$schema": "http://json-schema.org/draft-07/schema#", "type": "object", "properties": {"x": True}},
    ],
)
def test_habits_of_older_drafts_are_no_problem(schema: JsonObject) -> None:
    assert problems(schema) == ()


@pytest.mark.parametrize("vendor", ["openai", "anthropic", "compatible"])
@pytest.mark.parametrize("schema", [{}, RECURSIVE, EITHER, {"allOf": [EITHER, {"properties": {"x": {"type": "array"}}}]}])
def test_every_vendor_gets_an_object_without_a_union_at_the_top(schema: JsonObject, vendor: Any) -> None:
    converted = for_vendor(schema, vendor)
    assert converted["type"] == "object"
    assert isinstance(converted["properties"], dict)
    assert not converted.keys() & {"anyOf", "oneOf", "allOf", "enum", "not", "$ref"}
    assert problems(converted) == ()


def test_a_union_at_the_top_keeps_all_its_arguments_and_says_the_choice_in_words() -> None:
    converted = for_vendor(EITHER, "anthropic")
    assert set(converted["properties"]) == {"id", "name", "full"}
    assert converted["required"] == []
    assert converted["description"] == "Give one of: id | name."
    assert validate(EITHER, {"full": True}) == ("arguments fits none of the allowed forms",)


def test_recursion_stays_a_reference_for_those_who_know_it_and_is_cut_for_the_others() -> None:
    assert for_vendor(RECURSIVE, "openai")["$defs"] == {"node": NODE}
    inlined = for_vendor(RECURSIVE, "compatible")
    assert "$ref" not in str(inlined)
    assert inlined["properties"]["root"]["properties"]["value"] == {"type": "string"}


@pytest.mark.parametrize("vendor", ["openai", "anthropic", "compatible"])
def test_titles_that_repeat_a_name_and_empty_descriptions_are_not_sent_and_those_that_say_more_are(vendor: Any) -> None:
    said = {"type": "integer", "title": "Celsius", "description": "of the water"}
    schema = {
        "title": "boil_waterArguments",
        "type": "object",
        "properties": {
            "tea_kind": {"type": "string", "title": "Tea Kind", "description": ""},
            "heat": said,
            "title": {"type": "string", "title": "Title"},
            "cups": {"type": "array", "items": {"type": "object", "properties": {"Größe": {"type": "string", "title": "größe"}}}},
            "description": {"type": "string", "enum": [""], "default": ""},
        },
    }
    sent = for_vendor(schema, vendor)
    properties = sent["properties"]
    assert "title" not in sent
    assert properties["tea_kind"] == properties["title"] == {"type": "string"}
    assert properties["heat"] == said
    assert "größe" not in str(properties["cups"])
    assert properties["description"] == {"type": "string", "enum": [""], "default": ""}
    assert for_vendor({"title": "Boil water", "type": "object"}, vendor)["title"] == "Boil water"


def test_an_array_without_items_gets_some() -> None:
    schema = {"type": "object", "properties": {"a": {"type": "array"}}}
    assert for_vendor(schema, "openai")["properties"]["a"]["items"] == {}


def test_names_that_anthropic_refuses_are_changed_for_it_and_changed_back() -> None:
    schema = {
        "type": "object",
        "properties": {
            "場所": {"type": "string", "description": "市区町村"},
            "days": {"type": "array", "items": {"type": "object", "properties": {"日付": {}, "n": {}}}},
        },
        "required": ["場所"],
    }
    assert for_vendor(schema, "openai") == schema
    converted = for_vendor(schema, "anthropic")
    place, days = converted["properties"]
    assert (re.fullmatch(r"[a-zA-Z0-9_.-]{1,64}", place) is not None, days) == (True, "days")
    assert (converted["required"], converted["properties"][place]["description"]) == ([place], "場所: 市区町村")
    (date, n) = converted["properties"]["days"]["items"]["properties"]
    assert restored(schema, {place: "東京", "days": [{date: "今日", n: 1}]}) == {
        "場所": "東京",
        "days": [{"日付": "今日", "n": 1}],
    }
    assert restored(schema, {"days": []}) == {"days": []}


@requirement("X16")
@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ({}, "location is required"),
        ({"location": 3}, "location must be string, not integer"),
        ({"location": "東京", "date": "someday"}, 'date must be one of ["today", "tomorrow", "week"]'),
        ({"location": "東京", "place": "x"}, "arguments: unknown 'place'; known: location, date, days"),
        ({"location": "東京", "days": [1, "x"]}, "days[1] must be integer, not string"),
        ({"location": "東京", "days": [400]}, "days[0]: 400 is greater than the maximum of 7"),
    ],
)
def test_wrong_arguments_are_explained(arguments: JsonObject, sentence: str) -> None:
    schema = {
        "type": "object",
        "properties": {
            "location": {"type": "string"},
            "date": {"enum": ["today", "tomorrow", "week"]},
            "days": {"type": "array", "items": {"type": "integer", "maximum": 7}},
        },
        "required": ["location"],
        "additionalProperties": False,
    }
    assert validate(schema, arguments) == (sentence,)
    assert validate(schema, {"location": "東京", "date": "today", "days": [1]}) == ()


def test_an_argument_by_another_name_is_named_beside_the_one_that_is_missing() -> None:
    schema = {"type": "object", "properties": {"part": {"type": "string"}}, "required": ["part"]}
    assert validate(schema, {"prt": "bolt"}) == ("part is required (there is no 'prt')",)


def test_a_reference_to_the_network_is_a_sentence_and_never_a_request() -> None:
    assert validate({"properties": {"a": {"$ref": "http://127.0.0.1:9/x"}}}, {"a": 1}) == (
        "the tool's schema cannot be checked: _WrappedReferencingError",
    )


HOSTILE = ["^(a+)+$", "^(a|aa)+$", "(x*)*y", "^(([a-z])+.)+[A-Z]([a-z])+$", r"(\w+\s?)*$", r"(a)\1+", "(", "a*a*a*a*a*b", "^a*a*a*$", f"^{'a{0,19}' * 40}$",
           f"^{'a?' * 30}{'a' * 30}$", "^((a{1,19}){1,19}){1,19}$", f"^{'(a|a)' * 40}$", "a" * 2000]  # fmt: skip


@pytest.mark.parametrize("pattern", HOSTILE)
def test_a_pattern_that_could_take_for_ever_is_not_run(pattern: str) -> None:
    schema = {"type": "object", "properties": {"a": {"type": "string", "pattern": pattern}}}
    started = time.thread_time()
    assert validate(schema, {"a": "a" * 5000 + "!"}) == ()
    assert matches(pattern, "a" * 5000 + "!") is None
    assert time.thread_time() - started < 2


@pytest.mark.parametrize(
    "pattern", [r"^\d{4}-\d{2}-\d{2}$", "^[a-z0-9_-]+$", r"^https?://.+$", "^(today|tomorrow|week)$", "^.*@.*$"]
)
def test_usual_patterns_are_run(pattern: str) -> None:
    assert matches(pattern, "\x00") is False
    assert validate({"properties": {"a": {"pattern": pattern}}}, {"a": "\x00"})


schemas: st.SearchStrategy[JsonObject] = st.recursive(
    st.sampled_from([{"type": "string"}, {"type": "integer"}, {"enum": ["a", "b"]}, {"type": "boolean"}, {}]),
    lambda inner: st.one_of(
        st.fixed_dictionaries({"type": st.just("array"), "items": inner}),
        st.fixed_dictionaries({"anyOf": st.lists(inner, min_size=1, max_size=2)}),
        st.fixed_dictionaries({"type": st.just("object"), "properties": st.dictionaries(st.sampled_from("abc"), inner)}),
    ),
    max_leaves=6,
)
required = st.lists(st.sampled_from("abc"), unique=True)
branches = st.fixed_dictionaries(
    {"properties": st.fixed_dictionaries(dict.fromkeys("abc", schemas))}, optional={"required": required}
)
tops = st.fixed_dictionaries(
    {"type": st.just("object"), "properties": st.dictionaries(st.sampled_from("abc"), schemas, max_size=3)},
    optional={"required": required, "anyOf": st.lists(branches, min_size=1, max_size=2)},
)
values = st.recursive(
    st.sampled_from(["a", "zz", 1, True, None]),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.sampled_from("abc"), inner, max_size=2),
    max_leaves=5,
)


@given(schema=tops, arguments=st.dictionaries(st.sampled_from("abc"), values, max_size=3))
def test_what_a_vendor_gets_is_never_narrower_for_arguments_that_all_branches_declare(
    schema: JsonObject, arguments: JsonObject
) -> None:
    if not validate(schema, arguments):
        for vendor in ("openai", "anthropic", "compatible"):
            assert validate(for_vendor(schema, vendor), arguments) == ()


plain_types = st.sampled_from(["string", "integer", "number", "boolean", ["string", "null"], "strnig"])
plain_tops = st.fixed_dictionaries(
    {"type": st.just("object"), "properties": st.dictionaries(st.sampled_from("abc"), st.fixed_dictionaries(
        {"type": plain_types},
        optional={"enum": st.lists(st.sampled_from(["a", 1, True]), max_size=2), "format": st.just("date"), "minLength": st.just(2)},
    ), max_size=3)},
    optional={"required": required, "additionalProperties": st.sampled_from([False, {"type": "integer"}])},
)  # fmt: skip


@given(schema=plain_tops, arguments=st.dictionaries(st.sampled_from("abcd"), st.sampled_from(["a", "zz", 1, 1.5, True, None])))
def test_what_plainly_fits_fits_for_the_validator_too(schema: JsonObject, arguments: JsonObject) -> None:
    if _are_plain_scalars(schema, arguments):
        assert bounded.errors(bounded.validator(mended(schema)), arguments) == []


def test_a_call_of_a_common_tool_needs_no_validator(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[object] = []
    monkeypatch.setattr(bounded, "errors", lambda validator, arguments: asked.append(arguments) or [])
    schema = {
        "type": "object",
        "properties": {
            "q": {"type": "string"},
            "n": {"type": "integer", "default": 10},
            "sort": {"type": "string", "enum": ["new"]},
        },
        "required": ["q"],
        "additionalProperties": False,
    }
    assert validate(schema, {"q": "tea", "n": 5, "sort": "new"}) == ()
    assert not asked
    validate(schema, {"q": "tea", "other": 1})
    assert asked
