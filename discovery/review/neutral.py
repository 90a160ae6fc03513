"""Describes a tool from its name and schema until its provider's description is approved."""

import re
from collections.abc import Collection
from typing import Any

from discovery.catalog import Effect, JsonObject, ToolSpec
from discovery.review.descriptors import PlainTexts, flags

_KEPT = frozenset({
    "type", "properties", "required", "items", "prefixItems", "additionalProperties", "anyOf", "oneOf", "allOf", "not", "$ref",
    "$defs", "definitions", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "minLength", "maxLength", "minItems",
    "maxItems", "minProperties", "maxProperties", "multipleOf", "uniqueItems",
})  # fmt: skip
"""What of a schema says which values are valid in no words of the provider's."""
_BY_NAME = ("properties", "$defs", "definitions")
_CHOICE = re.compile(r"[\w.:/+ -]{1,40}", re.ASCII)
"""What may stand among the choices: a value, never a sentence in another script or with signs of its own."""
_MOST_WORDS = 3


def neutral(spec: ToolSpec, plain: PlainTexts | None = None) -> ToolSpec:
    """The tool in our words. It cannot be called where even its bare name and arguments read like an order.

    Held, it counts as a write and nothing of its provider's wording is left. Doubted, it keeps its effect and its `plain` texts.
    """
    description, described_names = plain or PlainTexts("", frozenset())
    update: dict[str, Any] = {
        "title": "",
        "description": _sentence(spec, description),
        "whole_description": "",
        "annotations": {},
        "beyond": {},
        "input_schema": _bare(spec.input_schema, described_names),
        "unshown_defaults": {name: schema["default"] for name, schema in spec.parameters.items() if "default" in schema},
        "output_schema": None,
    }
    if plain is None:
        update |= {"effect": Effect.WRITE if spec.effect is Effect.READ else spec.effect, "idempotent": False}
    bare = spec.model_copy(update=update)
    found = flags(bare.model_copy(update={"description": ""}))
    speaks = any(flag.sure or flag.where not in ("name", "title") for flag in found)
    return bare.model_copy(update={"available": False, "description": "", "input_schema": _NOTHING}) if speaks else bare


_NOTHING: JsonObject = {"type": "object", "properties": {}}


def _sentence(spec: ToolSpec, text: str) -> str:
    arguments = [f"{name} ({_type(schema)})" for name, schema in list(spec.parameters.items())[:12] if name.isidentifier()]
    takes = f"takes {', '.join(arguments)}" if arguments else "takes no arguments"
    if not text:
        return f"{spec.tool} of {spec.provider}: {takes}. Its provider's own description waits for a person."
    return f"{text}\n\n{spec.tool} of {spec.provider} {takes}. The rest of its provider's description waits for a person."


def _type(schema: JsonObject) -> str:
    kind = schema.get("type")
    return kind if isinstance(kind, str) and kind.isalpha() else "any"


def _bare(schema: Any, described: Collection[str] = ()) -> Any:
    """A schema without words: descriptions, titles, defaults, examples, patterns, and choices that are sentences; of the
    `described` properties the descriptions stay."""
    if isinstance(schema, list):
        return [_bare(part) for part in schema]
    if not isinstance(schema, dict):
        return schema
    parts = {key: part for key, part in schema.items() if key in _KEPT}
    for key, part in parts.items():
        is_properties = key in _BY_NAME and isinstance(part, dict)
        parts[key] = {name: _bare(inner) for name, inner in part.items()} if is_properties else _bare(part)
        if key == "properties" and is_properties:
            parts[key] |= {name: _bare_but_described(part[name]) for name in described if name in part}
    choices = schema.get("enum")
    if isinstance(choices, list) and all(_is_value(choice) for choice in choices):
        parts["enum"] = choices
    return parts


def _bare_but_described(schema: Any) -> Any:
    description = schema.get("description") if isinstance(schema, dict) else None
    return _bare(schema) | ({"description": description} if isinstance(description, str) else {})


def _is_value(choice: Any) -> bool:
    return not isinstance(choice, str) or (bool(_CHOICE.fullmatch(choice)) and len(choice.split()) <= _MOST_WORDS)
