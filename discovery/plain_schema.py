"""Tells at once that an input schema is sound, when it is made of what nine in ten are made of; the others need the metaschema.

Pure. Called by `discovery.review`, because checking against the metaschema takes 2 ms a tool and this takes 10 µs. It may say no to a sound
schema, never yes to one with `discovery.schema.problems`.
"""

from collections.abc import Callable, Mapping
from typing import Any

_TYPES = {"array", "boolean", "integer", "null", "number", "object", "string"}


def _is_text(value: Any) -> bool:
    return isinstance(value, str)


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _is_count(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0


def _is_type(value: Any) -> bool:
    return isinstance(value, str) and value in _TYPES


def _is_names(value: Any) -> bool:
    return isinstance(value, list) and all(map(_is_text, value)) and len(set(value)) == len(value)


_ALLOWED: Mapping[str, Callable[[Any], bool]] = {
    "type": _is_type,
    "title": _is_text,
    "description": _is_text,
    "required": _is_names,
    "enum": lambda value: isinstance(value, list) and bool(value),
    "default": lambda value: True,
    "minimum": _is_number,
    "maximum": _is_number,
    "minLength": _is_count,
    "maxLength": _is_count,
    "minItems": _is_count,
    "maxItems": _is_count,
}


def is_plain(schema: Any) -> bool:
    """Whether the schema is an object's, and every part of it is plainly sound."""
    if not isinstance(schema, dict) or schema.get("type", "object") != "object":
        return False
    parts = [schema]
    while parts:
        part = parts.pop()
        if not isinstance(part, dict):
            return False
        for key, value in part.items():
            if key == "properties" and isinstance(value, dict):
                parts.extend(value.values())
            elif key == "items" or (key == "additionalProperties" and not isinstance(value, bool)):
                parts.append(value)
            elif key != "additionalProperties" and not (key in _ALLOWED and _ALLOWED[key](value)):
                return False
    return True
