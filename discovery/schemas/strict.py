"""Converts a schema to OpenAI's strict mode, and removes values that only mean "not given"."""

import json
import re
from collections.abc import Iterable
from typing import Any

from discovery.catalog import JsonObject
from discovery.schemas.schema import mended, without_noise
from discovery.schemas.schema_walk import UNIONS, as_object, children, followed, objects, rewritten, subschemas

_READ = frozenset({"type", "properties", "required", "additionalProperties", "items", "enum", "const", "anyOf", "oneOf", "$ref",
                   "$defs", "definitions", "description", "title", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum",
                   "multipleOf", "minItems", "maxItems", "pattern", "format"})  # fmt: skip
_TOLD = ("minLength", "maxLength", "uniqueItems", "minProperties", "maxProperties", "default")
"""Keywords that strict mode does not support; they are moved into the description, and calls are validated by the original
schema."""
_FORMATS = frozenset({"date-time", "time", "date", "duration", "email", "hostname", "ipv4", "ipv6", "uuid"})
_TYPED = frozenset({"type", "enum", "const", "anyOf", "oneOf", "$ref"})
_REFERENCE = re.compile(r"#|#/(\$defs|definitions)/[^/]+")
_LOOKAROUND = re.compile(r"\(\?<?[=!]")

MOST_LEVELS = 10
MOST_PROPERTIES = 5_000
MOST_CHOICES = 1_000
MOST_NAME_CHARS = 120_000
"""Characters of names of properties and definitions, and of choices. A request with a larger schema is refused as a whole."""


def strict(schema: JsonObject) -> JsonObject | None:
    """Convert a schema for a vendor's strict mode, in which every property is required and no other allowed.

    None if that would lose something. An object that does not mention further properties is closed, because the model knows of
    none. An object that allows them, or that declares no properties, is a map and prevents the conversion. An optional property
    becomes nullable: `without_nulls` removes such nulls before the call. Source: OpenAI's structured outputs guide, "supported
    schemas".
    """
    plain = {"type": "object", **without_noise(mended(schema))}
    if any(key in plain for key in (*UNIONS, "$ref")) or "properties" not in plain:
        return None
    if not all(_strict_able(part, plain) for part in subschemas(plain)):
        return None
    closed = rewritten(plain, lambda part: _closed(part, plain))
    return closed if _small_enough(closed) else None


def _strict_able(part: JsonObject, root: JsonObject) -> bool:
    if part.keys() - _READ - set(_TOLD) or not part.keys() & _TYPED:
        return False
    kinds = _kinds(part)
    if "object" in kinds:
        declared = part.get("properties")
        if (not declared and part != root) or part.get("additionalProperties", False) is not False:
            return False
        required = part.get("required", ())
        optional = [as_object(one) for name, one in as_object(declared).items() if name not in required]
        # an optional property for which null has a meaning of its own: the model could not tell it from "not given"
        ambiguous = any(one.get("default") is not None and _accepts_null(root, one) for one in optional)
        if ambiguous or set(required) - as_object(declared).keys():
            return False
    elif "properties" in part:
        return False
    if "array" in kinds and not as_object(part.get("items")):
        return False
    return "$ref" not in part or _REFERENCE.fullmatch(part["$ref"]) is not None


def _kinds(part: JsonObject) -> list[str]:
    kind = part.get("type", [])
    return kind if isinstance(kind, list) else [kind]


def _closed(part: JsonObject, root: JsonObject) -> JsonObject:
    keys = [key for key in _TOLD if key in part]
    keys += ["format"] if part.get("format", "date") not in _FORMATS else []
    keys += ["pattern"] if _LOOKAROUND.search(part.get("pattern", "")) else []
    closed = {"anyOf" if key == "oneOf" else key: value for key, value in part.items() if key not in keys}
    if keys:
        words = ", ".join(f"{key}: {json.dumps(part[key], ensure_ascii=False)}" for key in keys)
        closed["description"] = f"{part.get('description', '')} ({words})".strip()
    if "$ref" in closed and len(closed) > 1:  # strict mode allows nothing beside a reference
        closed["anyOf"] = [{"$ref": closed.pop("$ref")}]
    if "object" in _kinds(part):
        properties, required = as_object(part.get("properties")), part.get("required", ())
        closed["properties"] = {
            name: inner if name in required or _accepts_null(root, inner) else {"anyOf": [inner, {"type": "null"}]}
            for name, inner in properties.items()
        }
        closed |= {"required": list(properties), "additionalProperties": False}
    return closed


def _small_enough(closed: JsonObject) -> bool:
    parts = subschemas(closed)
    names = [name for part in parts for key in ("properties", "$defs", "definitions") for name in as_object(part.get(key))]
    choices = [one for part in parts for one in part.get("enum", ())]
    chars = sum(map(len, names)) + sum(len(str(one)) for one in choices)
    return (
        sum(len(as_object(part.get("properties"))) for part in parts) <= MOST_PROPERTIES
        and len(choices) <= MOST_CHOICES
        and chars <= MOST_NAME_CHARS
        and _levels(closed) <= MOST_LEVELS
    )


def _levels(schema: Any) -> int:
    """Return how many objects are nested in each other."""
    deepest, waiting = 0, [(schema, 0)]
    while waiting:
        part, level = waiting.pop()
        if isinstance(part, dict):
            level += "object" in _kinds(part)
            deepest = max(deepest, level)
            waiting += [(inner, level) for _, inner in children(part)]
    return deepest


# ── The call ────────────────────────────────────────────────────────────────────────────────────────────────────────────


def without_nulls(schema: JsonObject, arguments: JsonObject) -> JsonObject:
    """Remove the nulls that mean "not given": those of declared, optional properties that are not nullable in the schema."""
    root = mended(schema)
    non_null: JsonObject = _drop_nulls(root, [root], arguments)
    return non_null


def _drop_nulls(root: JsonObject, schemas: Iterable[JsonObject], value: Any) -> Any:
    forms = [form for schema in schemas for form in _forms(root, schema)]
    if isinstance(value, list):
        items = [as_object(form.get("items")) for form in forms]
        return [_drop_nulls(root, items, one) for one in value]
    if not isinstance(value, dict):
        return value
    non_null = {}
    for name, inner in value.items():
        knowing = [form for form in forms if name in as_object(form.get("properties"))]
        declared = [as_object(form["properties"][name]) for form in knowing]
        optional = any(name not in form.get("required", ()) for form in knowing)
        if inner is not None or not optional or any(_accepts_null(root, one) for one in declared):
            non_null[name] = _drop_nulls(root, declared, inner)
    return non_null


def _forms(root: JsonObject, schema: JsonObject) -> list[JsonObject]:
    """Return the schema and the branches of its unions, with references followed, each once."""
    found, waiting, seen = [], [schema], set()
    while waiting:
        part = waiting.pop()
        reference = part.get("$ref")
        if isinstance(reference, str):
            if reference in seen:
                continue
            seen.add(reference)
        whole = followed(root, part)
        found.append(whole)
        waiting += [branch for key in UNIONS for branch in objects(whole.get(key))]
    return found


def _accepts_null(root: JsonObject, schema: JsonObject) -> bool:
    return any(map(_takes_null, _forms(root, schema)))


def _takes_null(form: JsonObject) -> bool:
    if "enum" in form or "const" in form:
        return None in form.get("enum", [form.get("const", "")])
    return "null" in _kinds(form) if "type" in form else not form.keys() & {*_TYPED, "allOf"}
