"""Schemas written to keep us busy: each is kept out with a reason, or costs no more than a moment wherever it is read."""

import gc
import time
from collections.abc import Iterator
from typing import Any

import pytest

from discovery.catalog import JsonObject, ToolSpec
from discovery.review.definition_changes import difference
from discovery.review.descriptors import flags
from discovery.schemas.schema import for_vendor, problems, validate
from discovery.schemas.strict import strict
from discovery.transport.firewall import QUARANTINED, screen
from tests.support.sampling import in_part

LONG = "a" * 1999 + "!"
ARGUMENTS: list[JsonObject] = [
    {"a": LONG},
    {"a": "a" * 30},
    {LONG[-60:]: 1},
    {"a": [{"x": number} for number in range(2000)]},
    {"a": 1e308},
    {"a": {"a": {"a": {"a": {}}}}},
]


def laughing(times: int, levels: int, keyword: str) -> JsonObject:
    """A few definitions, each referring to the next more than once: they stand for `times ** levels` parts."""
    each = {f"d{at}": {keyword: [{"$ref": f"#/$defs/d{at + 1}"}] * times} for at in range(levels)}
    return {**each, f"d{levels}": {"type": "integer"}}


def properties(times: int, levels: int) -> JsonObject:
    each = {
        f"d{at}": {"type": "object", "properties": {f"p{n}": {"$ref": f"#/$defs/d{at + 1}"} for n in range(times)}}
        for at in range(levels)
    }
    return {**each, f"d{levels}": {"type": "string"}}


def of_a(schema: JsonObject, **more: Any) -> JsonObject:
    return {"type": "object", "properties": {"a": schema}, **more}


FIRST = {"$ref": "#/$defs/d0"}
BOMBS: dict[str, JsonObject] = {
    "billion laughs": of_a(FIRST, **{"$defs": properties(10, 12)}),
    "laughing choices": of_a(FIRST, **{"$defs": laughing(2, 40, "anyOf")}),
    "laughing conditions": of_a(FIRST, **{"$defs": laughing(2, 40, "allOf")}),
    "laughing at the top": {"type": "object", "anyOf": [FIRST, FIRST], "$defs": laughing(3, 30, "anyOf")},
    "a ring": {"type": "object", "properties": {"a": {"$ref": "#/properties/b"}, "b": {"$ref": "#/properties/a"}}},
    "its own choice": {"type": "object", "anyOf": [{"$ref": "#"}, {"$ref": "#"}]},
    "its own part": {"type": "object", "allOf": [{"$ref": "#"}]},
    "all know all": of_a(
        FIRST,
        **{"$defs": {f"d{at}": {"properties": {f"p{n}": {"$ref": f"#/$defs/d{n}"} for n in range(10)}} for at in range(10)}},
    ),
    "a thousand choices": of_a({"anyOf": [{"const": number} for number in range(4000)]}),
    "a giant enum": of_a({"enum": [f"v{number}" for number in range(6000)]}),
    "patterns of names": {"type": "object", "patternProperties": {"^(a+)+$": {"type": "string"}}},
    "patterns of other names": {"type": "object", "patternProperties": {"^(a+)+$": {}}, "additionalProperties": False},
    "patterns of what is left": {
        "type": "object",
        "allOf": [{"patternProperties": {"^(a+)+$": {}}}],
        "unevaluatedProperties": False,
    },
    "patterns of keys": {"type": "object", "propertyNames": {"pattern": "^(a+)+$"}},
    "three repeats": of_a({"type": "string", "pattern": "^a*a*a*$"}),
    "all different": of_a({"type": "array", "uniqueItems": True}),
    "what nobody looked at": {
        "type": "object",
        "anyOf": [{"properties": {f"k{number}": {}}} for number in range(500)],
        "unevaluatedProperties": False,
    },
    "a tiny step": of_a({"multipleOf": 1e-300}),
    "no step": of_a({"multipleOf": 0}),
    "a giant number": of_a({"maximum": 10**4000}),
    "another draft": {"$schema": "http://json-schema.org/draft-04/schema#", **of_a({"minimum": 0, "exclusiveMinimum": True})},
    "an address of its own": {"$id": "http://127.0.0.1:9/x", **of_a({"$ref": "other.json"})},
    "a dynamic anchor": {"$dynamicAnchor": "x", **of_a({"$dynamicRef": "#x"})},
}


@pytest.fixture
def no_collection() -> Iterator[None]:
    """No garbage is collected meanwhile: going through all that the other tests left behind is no part of what is timed."""
    gc.disable()
    yield
    gc.enable()


@pytest.mark.usefixtures("no_collection")
@pytest.mark.parametrize("name", in_part(BOMBS, every=4))
def test_a_schema_that_is_a_bomb_costs_a_moment_wherever_it_is_read(name: str) -> None:
    schema = BOMBS[name]
    slowest_s = 0.0

    def timed(work: Any, *given: Any) -> Any:
        nonlocal slowest_s
        started = time.thread_time()
        done = work(*given)
        slowest_s = max(slowest_s, time.thread_time() - started)
        return done

    listing = timed(screen, {"tools": [{"name": "x", "inputSchema": schema}]})
    if not listing["tools"]:
        assert listing["_meta"][QUARANTINED][0]["reason"]
    elif not timed(problems, schema):
        spec = ToolSpec(name="x", provider="p", tool="x", input_schema=schema)
        timed(flags, spec)
        timed(difference, spec, spec.model_copy(update={"input_schema": {**schema, "title": "other"}}))
        timed(strict, schema)
        for vendor in ("openai", "anthropic", "compatible"):
            assert timed(for_vendor, schema, vendor)["type"] == "object"
        for arguments in ARGUMENTS:
            timed(validate, schema, arguments)
    assert slowest_s < 10  # a guard, no bound of speed: a bomb takes minutes, or for ever


@pytest.mark.parametrize("name", ["billion laughs", "laughing at the top", "all know all"])
def test_a_schema_that_stands_for_millions_of_parts_is_kept_out_with_a_reason(name: str) -> None:
    assert problems(BOMBS[name]) == ("the input schema stands for more than 20000 parts when its references are followed",)


def test_large_honest_arguments_are_looked_at_as_far_as_the_steps_go_and_then_let_through() -> None:
    schema = of_a({"type": "array", "items": {"type": "object", "properties": {"x": {"type": "integer"}}}})
    rows: list[Any] = [{"x": number} for number in range(50_000)]
    assert validate(schema, {"a": rows}) == ()
    assert validate(schema, {"a": [*rows[:3], {"x": "three"}, *rows]}) == ("a[3].x must be integer, not string",)


def test_items_that_are_the_same_are_found_also_when_they_are_objects() -> None:
    schema = of_a({"type": "array", "uniqueItems": True})
    assert validate(schema, {"a": [{"x": 1, "y": 2}, {"y": 2, "x": 1}]})
    assert not validate(schema, {"a": [1, True, "1", {"x": 1}, {"x": 2}]})


def test_patterns_for_names_still_count() -> None:
    schema = {
        "type": "object",
        "properties": {"a": {}},
        "patternProperties": {"^x-": {"type": "integer"}},
        "additionalProperties": False,
    }
    assert validate(schema, {"a": 1, "x-b": 2}) == ()
    assert validate(schema, {"x-b": "two"}) == ("x-b must be integer, not string",)
    assert "unknown" in validate(schema, {"y": 1})[0]
