"""Walks JSON Schemas: their subschemas, local references, and the values they declare."""

from collections.abc import Callable, Iterator
from typing import Any

from discovery.catalog import JsonObject

UNIONS = ("anyOf", "oneOf", "allOf")
_SINGLE = ("items", "additionalProperties", "not", "contains", "propertyNames", "if", "then", "else", "additionalItems",
           "unevaluatedItems", "unevaluatedProperties")  # fmt: skip
_LISTS = (*UNIONS, "prefixItems", "items")
_MAPS = ("properties", "patternProperties", "$defs", "definitions", "dependentSchemas")

_TYPES = {"string", "number", "integer", "boolean", "object", "array", "null"}


def _is_type(value: Any) -> bool:
    members = value if isinstance(value, list) else [value]
    return bool(members) and all(isinstance(member, str) and member in _TYPES for member in members)


def is_number(value: Any) -> bool:
    """Whether a value is a JSON number; `True` is none."""
    return isinstance(value, int | float) and not isinstance(value, bool)


def _is_count(value: Any) -> bool:
    return is_number(value) and value >= 0 and value == int(value)


Keyword = tuple[Callable[[Any], bool], str]
KEYWORDS: dict[str, Keyword] = {
    "type": (_is_type, "a type"),
    "required": (lambda value: isinstance(value, list) and all(isinstance(one, str) for one in value), "a list of names"),
    "enum": (lambda value: isinstance(value, list), "a list"),
    **dict.fromkeys(("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"), (is_number, "a number")),
    **dict.fromkeys(("minLength", "maxLength", "minItems", "maxItems", "minProperties", "maxProperties"), (_is_count, "a count")),
    **dict.fromkeys(("pattern", "$ref", "format", "description", "title"), (lambda value: isinstance(value, str), "a text")),
    **dict.fromkeys(_MAPS, (lambda value: isinstance(value, dict), "an object")),
    **dict.fromkeys((*UNIONS, "prefixItems"), (lambda value: isinstance(value, list) and bool(value), "a list of schemas")),
}
"""For each keyword, the check of its value and the name of what it must be."""


def children(schema: JsonObject) -> Iterator[tuple[str, Any]]:
    """Yield the parts of a schema that must be schemas themselves, each with its path."""
    for key in _MAPS:
        yield from ((f"{key}.{name}", part) for name, part in schema.get(key, {}).items())
    for key in (*UNIONS, "prefixItems"):
        yield from ((f"{key}[{at}]", part) for at, part in enumerate(schema.get(key, ())))
    yield from ((key, schema[key]) for key in _SINGLE if key in schema)


Change = Callable[[JsonObject], JsonObject]


def rewritten(schema: JsonObject, change: Change) -> JsonObject:
    """Apply `change` to every object schema in a schema, inner ones first; boolean schemas become objects."""
    out = dict(schema)
    for key, value in schema.items():
        if key in _LISTS and isinstance(value, list):
            out[key] = [_part(part, change) for part in value]
        elif key in _MAPS and isinstance(value, dict):
            out[key] = {name: _part(part, change) for name, part in value.items()}
        elif key in _SINGLE and (isinstance(value, dict) or key == "items"):
            out[key] = _part(value, change)
    return change(out)


def _part(schema: Any, change: Change) -> Any:
    if isinstance(schema, bool):
        return {} if schema else {"not": {}}
    return rewritten(schema, change) if isinstance(schema, dict) else schema


def subschemas(schema: JsonObject) -> list[JsonObject]:
    """Return every object schema in a schema, including itself, outer ones first."""
    found = [schema]
    for part in found:  # grows in the loop
        for key, value in part.items():
            if key in _MAPS and isinstance(value, dict):
                found += [inner for inner in value.values() if isinstance(inner, dict)]
            elif key in _LISTS and isinstance(value, list):
                found += [inner for inner in value if isinstance(inner, dict)]
            elif key in _SINGLE and isinstance(value, dict):
                found.append(value)
    return found


def resolved(schema: JsonObject, reference: str) -> Any:
    """Return the target of a local `$ref`, or None; URLs are never followed."""
    if not reference.startswith("#"):
        return None
    part: Any = schema
    for step in reference[1:].strip("/").split("/") if reference not in ("#", "#/") else []:
        step = step.replace("~1", "/").replace("~0", "~")
        if isinstance(part, list) and step.isdecimal() and int(step) < len(part):
            part = part[int(step)]
        elif isinstance(part, dict) and step in part:
            part = part[step]
        else:
            return None
    return part


def followed(schema: JsonObject, part: JsonObject, hops: int = 8) -> JsonObject:
    """Replace a `$ref` at the top of a part by its target; keywords beside it take precedence."""
    reference = part.get("$ref")
    target = resolved(schema, reference) if isinstance(reference, str) else None
    if not isinstance(target, dict) or hops == 0:
        return part
    beside = {key: value for key, value in part.items() if key != "$ref"}
    return followed(schema, {**target, **beside}, hops - 1)


def presets(schema: JsonObject, argument: JsonObject) -> list[Any]:
    """Return the defaults, constants and choices in an argument's schema; `schema` is the whole one, for references."""
    found, parts, seen = list[Any](), [argument], set[str]()
    for part in parts:  # grows in the loop
        for inner in subschemas(part):
            found += [inner[name] for name in ("default", "const") if name in inner]
            found += choices if isinstance(choices := inner.get("enum"), list) else []
            reference = inner.get("$ref")
            if isinstance(reference, str) and reference not in seen:
                seen.add(reference)
                target = resolved(schema, reference)
                parts += [target] if isinstance(target, dict) else []
    return found


def objects(value: Any) -> list[JsonObject]:
    """Return the objects in a list; empty if the value is no list."""
    return [part for part in value if isinstance(part, dict)] if isinstance(value, list) else []


def as_object(value: Any) -> JsonObject:
    """Return the value if it is an object, else an empty object."""
    return value if isinstance(value, dict) else {}


def depth_of(value: Any, most: int) -> int:
    """Return how deep a JSON value is nested, or `most + 1` if deeper; without recursion, which deep nesting would break."""
    depth, level = 0, [value]
    while level and depth <= most:
        depth += 1
        parents = [parent for parent in level if isinstance(parent, dict | list)]
        level = [child for parent in parents for child in (parent.values() if isinstance(parent, dict) else parent)]
    return depth
