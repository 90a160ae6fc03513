"""The quick check of a schema never says yes where the thorough one finds a problem."""

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from discovery.plain_schema import is_plain
from discovery.schema import problems

VALUE = st.none() | st.booleans() | st.integers(-2, 3) | st.text(max_size=3) | st.sampled_from(["string", "object", "integer"])
KEYS = (
    "type",
    "title",
    "description",
    "required",
    "enum",
    "minimum",
    "maxLength",
    "additionalProperties",
    "default",
    "minItems",
    "$ref",
)


def schemas() -> st.SearchStrategy[Any]:
    return st.recursive(
        st.dictionaries(st.sampled_from(KEYS), VALUE | st.lists(VALUE, max_size=3), max_size=3) | VALUE,
        lambda inner: st.fixed_dictionaries(
            {}, optional={"properties": st.dictionaries(st.text(max_size=3), inner, max_size=3), "items": inner, "type": VALUE}
        ),
        max_leaves=6,
    )


@given(schemas())
def test_what_is_plain_has_no_problems(schema: Any) -> None:
    if is_plain(schema):
        assert problems(schema) == ()


def test_the_usual_schema_is_plain() -> None:
    usual = {
        "type": "object",
        "properties": {
            "channel": {"type": "string", "description": "Where"},
            "limit": {"type": "integer", "default": 20, "minimum": 1, "maximum": 200},
            "tags": {"type": "array", "items": {"type": "string", "enum": ["a", "b"]}},
        },
        "required": ["channel"],
        "additionalProperties": False,
    }
    assert is_plain(usual)


def test_what_could_hide_something_is_not_plain() -> None:
    for part in ({"$ref": "#/x"}, {"pattern": "(a+)+"}, {"anyOf": []}, {"type": ["string", "null"]}):
        assert not is_plain({"type": "object", "properties": {"a": part}})
