"""Whatever a server offers: a tool that is not quarantined breaks nothing that reads it."""

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from discovery.catalog import Effect, ToolSpec
from discovery.hints.describe import describe
from discovery.hints.hints import make_hint
from discovery.hints.usage import UsageSample
from discovery.review.definition_changes import difference
from discovery.review.descriptors import flags
from discovery.schemas.schema import for_vendor, problems, validate
from discovery.schemas.strict import strict, without_nulls
from discovery.search.argument_mapping import mapped
from discovery.search.fallback_tools import find_fallback_tools
from discovery.search.search_index import SearchIndex
from tests.support.specs import catalog_of

KEYS = [
    "type", "properties", "required", "items", "anyOf", "oneOf", "allOf", "enum", "const", "not", "$ref", "$defs", "description", "title",
    "additionalProperties", "pattern", "patternProperties", "minimum", "exclusiveMinimum", "maxLength", "prefixItems", "if", "default",
    "nullable", "format", "dependentRequired", "$schema", "additionalItems",
]  # fmt: skip
values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-3, 3)
    | st.sampled_from(["string", "object", "array", "null", "#/$defs/a", "#", "#/properties/a", "(", "(a+)+$", "a", ""]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from([*KEYS, "a", "b"]), inner, max_size=4),
    max_leaves=14,
)
schemas = st.dictionaries(st.sampled_from(KEYS), values, max_size=5).map(lambda schema: {**schema, "type": "object"})
arguments = st.dictionaries(st.sampled_from("ab"), values, max_size=2)


@given(schemas, schemas, arguments)
def test_a_tool_that_is_not_quarantined_breaks_nothing(one: Any, other: Any, given_arguments: Any) -> None:
    specs = [
        ToolSpec(name=f"t{at}", provider=f"p{at}", tool=f"t{at}", description="Find a", input_schema=schema, effect=Effect.READ)
        for at, schema in enumerate((one, other))
        if not problems(schema)
    ]
    catalog = catalog_of(*specs)
    index = SearchIndex(specs, make_hint)
    index.search("find a b")
    describe(catalog, make_hint, budget_tokens=500)
    for spec in specs:
        validate(spec.input_schema, given_arguments)
        flags(spec, {"t9"})
        UsageSample.of(spec, given_arguments, ok=True, duration_s=0.1)
        find_fallback_tools(catalog, spec, given_arguments, index=index)
        strict(spec.input_schema)
        without_nulls(spec.input_schema, given_arguments)
        for vendor in ("openai", "anthropic", "compatible"):
            assert problems(for_vendor(spec.input_schema, vendor)) == ()
    if len(specs) == 2:
        difference(*specs)
        mapped(specs[0], given_arguments, specs[1])
