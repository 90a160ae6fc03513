"""Strict mode: asked for wherever nothing is lost, and a server sees what it would have seen without it."""

import gzip
import json
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from discovery.catalog import JsonObject, ToolSpec
from discovery.schemas.schema import mended, validate
from discovery.schemas.schema_walk import as_object, followed, rewritten
from discovery.schemas.strict import MOST_CHOICES, MOST_LEVELS, strict, without_nulls
from discovery.search.brief_tools import brief_form
from tests.requirements import requirement
from tests.support.sampling import rows_in_part

TEXT = {"type": "string"}
with gzip.open(Path(__file__).parent / "data" / "honest_tools.jsonl.gz", "rt", encoding="utf-8") as _file:
    _ROWS = [json.loads(line) for line in _file]
RECORDED: list[JsonObject] = [row["input_schema"] for row in _ROWS if row["source"] not in ("nineteenth", "twentyfirst")]
"""These two sets were written for the descriptor review and stand on no server."""


def closed(properties: JsonObject, **more: Any) -> JsonObject:
    return {"type": "object", "properties": properties, "additionalProperties": False, **more}


def test_an_optional_argument_may_be_null_and_the_null_is_taken_out_again() -> None:
    schema = closed({"q": TEXT, "limit": {"type": "integer"}, "when": {"type": ["string", "null"]}}, required=["q"])
    converted = strict(schema)
    assert converted is not None
    assert converted["required"] == ["q", "limit", "when"]
    assert converted["properties"]["limit"] == {"anyOf": [{"type": "integer"}, {"type": "null"}]}
    assert without_nulls(schema, {"q": "x", "limit": None, "when": None}) == {"q": "x", "when": None}


def test_an_object_that_says_nothing_of_further_properties_is_closed_at_every_level() -> None:
    schema = {"type": "object", "properties": {"at": {"type": "array", "items": {"type": "object", "properties": {"day": TEXT}}}}}
    converted = strict(schema)
    assert converted is not None
    (at,) = [one for one in converted["properties"]["at"]["anyOf"] if one != {"type": "null"}]
    assert (converted["additionalProperties"], at["items"]["additionalProperties"], at["items"]["required"]) == (
        False,
        False,
        ["day"],
    )


def test_what_strict_mode_does_not_read_is_told_in_words() -> None:
    name = {"type": "string", "description": "A name.", "minLength": 2, "pattern": "^(?!x)", "default": "tea"}
    converted = strict(closed({"name": name, "link": {"type": "string", "format": "uri"}}, required=["name", "link"]))
    assert converted is not None
    assert converted["properties"] == {
        "name": {"type": "string", "description": 'A name. (minLength: 2, default: "tea", pattern: "^(?!x)")'},
        "link": {"type": "string", "description": '(format: "uri")'},
    }


def test_a_reference_stands_alone_and_a_choice_of_one_is_a_choice_of_any() -> None:
    day = {"$ref": "#/$defs/day", "description": "when"}
    converted = strict(closed({"day": day, "n": {"oneOf": [TEXT]}}, required=["day", "n"], **{"$defs": {"day": TEXT}}))
    assert converted is not None
    assert converted["properties"] == {"day": {"anyOf": [{"$ref": "#/$defs/day"}], "description": "when"}, "n": {"anyOf": [TEXT]}}


@pytest.mark.parametrize(
    "schema",
    [
        {"type": "object", "properties": {"a": TEXT}, "additionalProperties": True},  # others are welcome
        {"type": "object", "properties": {"a": TEXT}, "additionalProperties": TEXT},
        {"type": "object"},  # any arguments
        closed({"a": {"type": "object"}}),  # a map
        closed({"a": {"type": ["object", "null"]}}),
        closed({"a": {"type": "object", "properties": {}}}),
        closed({"a": {}}),  # anything
        closed({"a": {"type": "array", "items": {}}}),
        closed({"a": TEXT}, required=["b"]),
        closed({"a": {"type": ["integer", "null"], "default": 10}}),  # null is no limit, and not given is ten
        closed({"a": TEXT, "b": {"$ref": "#/properties/a"}}),
        closed({"a": {"allOf": [TEXT]}}),
        closed({"a": {"enum": list(range(MOST_CHOICES + 1))}}),
        {"anyOf": [closed({"a": TEXT}), closed({"b": TEXT})]},
    ],
)
def test_a_schema_that_strict_mode_cannot_say_is_left_alone(schema: JsonObject) -> None:
    assert strict(schema) is None


def test_a_schema_nested_deeper_than_the_vendor_takes_is_left_alone() -> None:
    schema = closed({"a": TEXT})
    for _ in range(MOST_LEVELS - 1):
        schema = closed({"a": schema})
    assert strict(schema) is not None
    assert strict(closed({"a": schema})) is None


def test_nulls_are_taken_out_of_lists_references_and_branches_but_never_out_of_a_map() -> None:
    line = {"type": "object", "properties": {"text": TEXT, "bold": {"type": "boolean"}}, "required": ["text"]}
    schema = closed(
        {
            "lines": {"type": "array", "items": {"$ref": "#/$defs/line"}},
            "to": {"anyOf": [closed({"user": TEXT, "cc": TEXT}, required=["user"]), closed({"group": TEXT, "bcc": TEXT})]},
            "map": {"type": "object"},
            "any": {},
        },
        **{"$defs": {"line": line}},
    )
    made = {"lines": [{"text": "a", "bold": None}], "to": {"user": "x", "cc": None}, "map": {"a": None}, "any": None}
    kept = {"lines": [{"text": "a"}], "to": {"user": "x"}, "map": {"a": None}, "any": None}
    assert without_nulls(schema, made) == kept
    assert without_nulls(schema, {"unheard of": None}) == {"unheard of": None}


def test_a_union_that_refers_to_itself_ends() -> None:
    knot = {"anyOf": [{"$ref": "#/$defs/a"}, {"$ref": "#/$defs/b"}]}
    schema = closed({"a": {"$ref": "#/$defs/a"}}, **{"$defs": {"a": knot, "b": knot}})
    assert strict(schema) is not None
    assert without_nulls(schema, {"a": None}) == {}


# ── real tools ──────────────────────────────────────────────────────────────────────────────────────────────────────────


def written(root: JsonObject, schema: JsonObject, *, sparse: bool, depth: int = 0) -> Any:
    """What a model writes that is held to a strict schema: `sparse` says null wherever it may."""
    whole = followed(root, schema)
    if "anyOf" in whole:
        nullable = [one for one in whole["anyOf"] if one == {"type": "null"}]
        chosen = nullable[0] if nullable and (sparse or depth > 3) else whole["anyOf"][0]
        return written(root, chosen, sparse=sparse, depth=depth)
    if "enum" in whole or "const" in whole:
        return whole.get("enum", [whole.get("const")])[0]
    kinds = whole["type"] if isinstance(whole["type"], list) else [whole["type"]]
    kind = "null" if "null" in kinds and sparse else kinds[0]
    if kind == "object":
        return {
            name: written(root, as_object(one), sparse=sparse, depth=depth + 1)
            for name, one in whole.get("properties", {}).items()
        }
    if kind == "array":
        return [written(root, whole["items"], sparse=sparse, depth=depth + 1)] if depth < 8 else []
    return {"string": "x", "integer": 1, "number": 1, "boolean": True, "null": None}[kind]


FORM = {
    "type",
    "properties",
    "required",
    "additionalProperties",
    "items",
    "enum",
    "const",
    "anyOf",
    "oneOf",
    "$ref",
    "$defs",
    "definitions",
}


def wrong(schema: JsonObject, value: Any) -> list[str]:
    """Where a value breaks the form; what a text or a number has to be is no matter of strict mode."""
    form = rewritten(mended(schema), lambda part: {key: value for key, value in part.items() if key in FORM})
    return [error.message for error in Draft202012Validator(form).iter_errors(value)]


@requirement("N6")
@pytest.mark.parametrize(("every", "most"), rows_in_part([(5, 528), (1, 2629)], every=2))
def test_what_is_written_to_the_strict_form_of_a_recorded_tool_is_what_its_server_takes(every: int, most: int) -> None:
    expressible = 0
    for schema in RECORDED[::every]:
        converted = strict(schema)
        if converted is None:
            continue
        expressible += 1
        for sparse in (True, False):
            made = written(converted, converted, sparse=sparse)
            assert not wrong(converted, made), schema
            given = without_nulls(schema, made)
            assert not wrong(schema, given), (schema, given)
    assert (expressible, len(RECORDED)) == (most, 2716)


@requirement("N6")
def test_a_tool_in_brief_is_closed_only_where_the_whole_one_would_be() -> None:
    free = {"type": "object", "properties": {"a": TEXT}, "additionalProperties": {}}
    spec = ToolSpec(provider="notes", tool="add", name="notes_add", description="Add.", input_schema=free)
    brief = brief_form(spec).input_schema
    assert (strict(free), strict(brief)) == (None, None)
    assert validate(brief, {"b": 1}) == ()
