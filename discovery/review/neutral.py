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
"""The keywords of a schema that restrict values and hold no prose."""
_BY_NAME = ("properties", "$defs", "definitions")
_CHOICE = re.compile(r"[\w.:/+ -]{1,40}", re.ASCII)
"""A choice that may be shown: a short value, and no sentence."""
_MOST_WORDS = 3


def neutral(spec: ToolSpec, plain: PlainTexts | None = None) -> ToolSpec:
    """Describe a tool in our own words. If even its name and arguments read like an order, it cannot be called.

    Without `plain`, for a held tool, it counts as a write and loses all texts of its provider. With `plain`, for a doubted tool,
    it keeps its effect and these texts.
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
    types = {name: schema.get("type") for name, schema in list(spec.parameters.items())[:12] if name.isidentifier()}
    arguments = [f"{name} ({one if isinstance(one, str) and one.isalpha() else 'any'})" for name, one in types.items()]
    takes = f"takes {', '.join(arguments)}" if arguments else "takes no arguments"
    if not text:
        return f"{spec.tool} of {spec.provider}: {takes}. Its provider's own description waits for a person."
    return f"{text}\n\n{spec.tool} of {spec.provider} {takes}. The rest of its provider's description waits for a person."


def _bare(schema: Any, described: Collection[str] = ()) -> Any:
    """Remove all prose from a schema: descriptions, titles, defaults, examples, patterns, and choices that are sentences. The
    descriptions of the `described` properties stay."""
    if isinstance(schema, list):
        return [_bare(part) for part in schema]
    if not isinstance(schema, dict):
        return schema
    parts = {key: part for key, part in schema.items() if key in _KEPT}
    for key, part in parts.items():
        is_properties = key in _BY_NAME and isinstance(part, dict)
        parts[key] = {name: _bare(inner) for name, inner in part.items()} if is_properties else _bare(part)
        for name in described if key == "properties" and is_properties else ():
            description = part[name].get("description") if isinstance(part.get(name), dict) else None
            parts[key] |= {name: {**parts[key][name], "description": description}} if isinstance(description, str) else {}
    choices = schema.get("enum")
    if isinstance(choices, list) and all(_is_value(choice) for choice in choices):
        parts["enum"] = choices
    return parts


def _is_value(choice: Any) -> bool:
    return not isinstance(choice, str) or (bool(_CHOICE.fullmatch(choice)) and len(choice.split()) <= _MOST_WORDS)
