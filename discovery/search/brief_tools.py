"""Shortens a tool's definition, and estimates the tokens that definitions cost.

A tool in brief form can be called: its arguments keep their names, types and choices. A model that sends invalid arguments is
told the rest (`calls.prepare`).
"""

import json
import re
from typing import Any

from discovery.catalog import JsonObject, ToolSpec
from discovery.text.token_estimates import estimate_tokens

BRIEF_CHARS = 160
"""The longest first sentence of a description."""
BRIEF_ARGUMENT_CHARS = 60
"""The longest description of a required argument. With these limits, two real tools in brief form take the tokens of one
whole."""
_AS_IT_IS = ("type", "enum", "const", "required", "$ref", "format", "pattern", "minimum", "maximum", "minItems", "maxItems")
_SCHEMAS = ("items", "anyOf", "oneOf", "allOf", "additionalProperties")
_BY_NAME = ("properties", "$defs", "definitions")
_SENTENCE_END = re.compile(r"(?<=[.!?])\s|(?<=[。！？])|\n")


def brief_form(spec: ToolSpec) -> ToolSpec:
    """Return the tool with the first sentence of its description, and with descriptions of its required arguments only."""
    sentence = _SENTENCE_END.split(spec.description.strip(), maxsplit=1)[0][:BRIEF_CHARS]
    schema = _without_words(spec.input_schema)
    for name in spec.required:
        words = spec.parameters.get(name, {}).get("description")
        if isinstance(words, str) and words.strip():
            schema["properties"][name]["description"] = words.strip()[:BRIEF_ARGUMENT_CHARS]
    return spec.model_copy(update={"description": sentence, "input_schema": schema})


def _without_words(schema: Any) -> Any:
    if isinstance(schema, list):
        return [_without_words(one) for one in schema]
    if not isinstance(schema, dict):
        return schema
    brief: JsonObject = {key: schema[key] for key in _AS_IT_IS if key in schema}
    brief |= {key: _without_words(schema[key]) for key in _SCHEMAS if schema.get(key, False) is not False}
    for key in _BY_NAME:
        if isinstance(found := schema.get(key), dict):
            brief[key] = {name: _without_words(one) for name, one in found.items()}
    return brief


def cost_tokens(spec: ToolSpec) -> int:
    """Estimate the tokens of offering a tool to a model."""
    return 8 + estimate_tokens(f"{spec.name}{spec.description}{json.dumps(spec.input_schema, ensure_ascii=False)}")
