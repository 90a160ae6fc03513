"""Checks tool schemas, adapts them to vendors, and validates arguments.

Pure; compiled validators are cached by content.
"""

import hashlib
import json
import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Any, Literal

from jsonschema import Draft202012Validator
from jsonschema.exceptions import SchemaError, ValidationError
from referencing.exceptions import Unresolvable

from discovery.catalog import JsonObject
from discovery.schemas import bounded
from discovery.schemas.schema_walk import (
    KEYWORDS,
    UNIONS,
    as_object,
    children,
    depth_of,
    followed,
    objects,
    resolved,
    rewritten,
    subschemas,
)

Vendor = Literal["openai", "anthropic", "compatible"]

LARGEST_BYTES = 64_000
DEEPEST = 60
DEEPEST_REFERENCE = 8
"""How many references inside each other are followed."""
MOST_FAULTS = 5
"""How many faults of a call's arguments are reported."""
MOST_PARTS = 20_000
"""The most parts of a schema whose references are followed: a few references, each to two others, can expand to millions."""


# ── Is it a valid schema? ───────────────────────────────────────────────────────────────────────────────────────────────


def problems(schema: Any) -> tuple[str, ...]:
    """Say in sentences why a tool with this input schema cannot be offered to any model; empty if it can."""
    if not isinstance(schema, dict):
        return (f"the input schema must be an object, not {type(schema).__name__}",)
    try:
        text = json.dumps(schema)
    except (TypeError, ValueError, RecursionError) as error:
        return (f"the input schema is no JSON: {error}",)
    if len(text) > LARGEST_BYTES:
        return (f"the input schema has {len(text)} bytes, more than {LARGEST_BYTES}",)
    if depth_of(schema, DEEPEST) > DEEPEST:
        return (f"the input schema is nested deeper than {DEEPEST}",)
    if schema.get("type", "object") not in ("object", ["object"]):
        return (f"the input schema must describe an object, not {schema['type']!r}",)
    if not isinstance(schema.get("required", []), list):
        return (f"the input schema is not valid at required: {schema['required']!r} is not a list of names",)
    plain = mended(schema)
    return _ill_formed(plain) or (_bad_references(schema) or _explosive(plain) if '"$ref"' in text else ())


def _ill_formed(schema: JsonObject) -> tuple[str, ...]:
    """Return the first fault of a keyword that all models and validators read.

    A check against the metaschema would take thirty times as long, for thousands of tools; `validate` makes it for a tool that is
    called.
    """
    waiting: list[tuple[str, Any]] = [("", schema)]
    while waiting:
        at, part = waiting.pop()
        if isinstance(part, bool):
            continue
        if not isinstance(part, dict):
            return (f"the input schema is not valid at {at}: {str(part)[:60]!r} is no schema",)
        for keyword, (fits, what) in KEYWORDS.items():
            if keyword in part and not fits(part[keyword]):
                place = f"{at}.{keyword}".lstrip(".")
                return (f"the input schema is not valid at {place}: {str(part[keyword])[:60]!r} is not {what}",)
        waiting += [(f"{at}.{step}".lstrip("."), child) for step, child in children(part)]
    return ()


def _bad_references(schema: JsonObject) -> tuple[str, ...]:
    for part in subschemas(schema):
        reference = part.get("$ref")
        if isinstance(reference, str) and resolved(schema, reference) is None:
            return (f"the input schema refers to {reference!r}, which is not in it",)
    return ()


def _explosive(schema: JsonObject) -> tuple[str, ...]:
    try:
        inlined(schema)
    except TooLarge:
        return (f"the input schema stands for more than {MOST_PARTS} parts when its references are followed",)
    return ()


def mended(schema: JsonObject) -> JsonObject:
    """Convert keywords of older drafts to those of draft 2020-12, without changing the meaning."""
    return rewritten(schema, _mend)


def _mend(part: JsonObject) -> JsonObject:
    mended = dict(part)
    mended.pop("$schema", None)
    for bound, exclusive in (("minimum", "exclusiveMinimum"), ("maximum", "exclusiveMaximum")):
        if isinstance(mended.get(exclusive), bool) and mended.pop(exclusive) and bound in mended:
            mended[exclusive] = mended.pop(bound)
    if isinstance(mended.get("required"), bool):
        mended.pop("required")
    if isinstance(mended.get("items"), list):
        mended["prefixItems"] = mended.pop("items")
        if "additionalItems" in mended:
            mended["items"] = mended.pop("additionalItems")
    if mended.get("nullable") is True and isinstance(mended.get("type"), str):
        mended["type"] = [mended["type"], "null"]
        mended.pop("nullable")
    return mended


# ── What does a model read in vain? ─────────────────────────────────────────────────────────────────────────────────────


def without_noise(schema: JsonObject) -> JsonObject:
    """Leave out what tells a model nothing: titles that only repeat a name, as pydantic writes them, and empty descriptions."""
    plain = rewritten(schema, _without_repeated_names)
    if re.fullmatch(r"\w*", str(plain.get("title", " "))):  # one word is the name of a type: the tool itself has a name
        del plain["title"]
    return plain


def _without_repeated_names(part: JsonObject) -> JsonObject:
    plain = {key: value for key, value in part.items() if (key, value) != ("description", "")}
    for key in ("properties", "$defs", "definitions"):
        if isinstance(named := plain.get(key), dict):
            plain[key] = {name: _without_own_name(name, schema) for name, schema in named.items()}
    return plain


def _without_own_name(name: str, schema: Any) -> Any:
    if not isinstance(schema, dict) or _letters_of(schema.get("title")) not in ("", _letters_of(name)):
        return schema
    return {key: value for key, value in schema.items() if key != "title"}


def _letters_of(text: Any) -> str:
    """A text without what sets words apart; empty for what is no text, which the metaschema forbids."""
    return "".join(filter(str.isalnum, text.casefold())) if isinstance(text, str) else ""


# ── What does a vendor accept? ──────────────────────────────────────────────────────────────────────────────────────────


def for_vendor(schema: JsonObject, vendor: Vendor) -> JsonObject:
    """Convert a schema into one that a vendor accepts. It is never narrower; `validate` checks arguments by the original.

    All vendors require an object without a union at the top (OpenAI and Anthropic reject the whole request otherwise). Servers
    that imitate OpenAI often compile the schema to a grammar and support neither `$ref` nor patterns: these are inlined and
    dropped.

    The result is cached and shared: do not change it.
    """
    return _for_vendor(json.dumps(schema), vendor)


@lru_cache(maxsize=2_000)
def _for_vendor(schema: str, vendor: Vendor) -> JsonObject:
    whole = without_noise(mended(json.loads(schema)))
    plain = _flat_top(whole, whole)
    plain = rewritten(inlined(plain), _simple) if vendor == "compatible" else rewritten(plain, _typed_items)
    if vendor == "anthropic":
        plain = rewritten(plain, _safely_named)
    plain.setdefault("properties", {})
    return {**plain, "type": "object"}


_SAFE_NAME = re.compile(r"[a-zA-Z0-9_.-]{1,64}")
"""The names of arguments that Anthropic accepts; one other name makes the whole request fail with status 400."""


def _safely_named(part: JsonObject) -> JsonObject:
    """Rename arguments to names that are accepted, with the real names in their descriptions; `restored` reverses it."""
    properties = as_object(part.get("properties"))
    renamed = {name: _safe_name(name) for name in properties if not _SAFE_NAME.fullmatch(name)}
    if not renamed:
        return part
    described = {
        name: {**schema, "description": f"{name}: {schema.get('description', '')}".removesuffix(": ")}
        for name, schema in properties.items()
        if name in renamed
    }
    named = {renamed.get(name, name): described.get(name, schema) for name, schema in properties.items()}
    return {**part, "properties": named, "required": [renamed.get(name, name) for name in part.get("required", [])]}


def _safe_name(name: str) -> str:
    digest = hashlib.sha256(name.encode()).hexdigest()[:8]
    return f"{re.sub(r'[^a-zA-Z0-9_.-]+', '_', name)[:50].strip('_') or 'argument'}_{digest}"


def restored(schema: JsonObject, arguments: JsonObject) -> JsonObject:
    """Rename the arguments of a call back to the names of the tool's own schema, where `for_vendor` changed them."""
    own = {_safe_name(name): name for name in as_object(schema.get("properties")) if not _SAFE_NAME.fullmatch(name)}
    back = {own.get(name, name): value for name, value in arguments.items()}
    return {
        name: _restored_value(as_object(as_object(schema.get("properties")).get(name)), value) for name, value in back.items()
    }


def _restored_value(schema: JsonObject, value: Any) -> Any:
    if isinstance(value, dict):
        return restored(schema, value)
    if isinstance(value, list):
        return [_restored_value(as_object(schema.get("items")), part) for part in value]
    return value


def _flat_top(root: JsonObject, part: JsonObject, seen: tuple[str, ...] = ("#",)) -> JsonObject:
    """Convert unions at the top into one object with all properties of the branches; it requires what every branch requires."""
    top = followed(root, part)
    branches = [*_flat_branches(root, top.get("anyOf"), seen), *_flat_branches(root, top.get("oneOf"), seen)]
    together = list(_flat_branches(root, top.get("allOf"), seen))
    flat = {key: value for key, value in top.items() if key not in ("enum", "const", "not", "if", "then", "else", *UNIONS)}
    if not branches and not together:
        return flat
    flat["properties"] = _merged([flat, *together, *branches])
    required = set(flat.get("required", [])).union(*(part.get("required", []) for part in together))
    if branches:
        required |= set.intersection(*(set(branch.get("required", [])) for branch in branches))
        groups = [" + ".join(branch.get("required") or branch.get("properties", {})) or "nothing" for branch in branches]
        choice = f"Give one of: {' | '.join(dict.fromkeys(groups))}."
        flat["description"] = f"{flat.get('description', '')} {choice}".strip()
    flat["required"] = [name for name in flat["properties"] if name in required]
    if any(part.get("additionalProperties") is not False for part in [*together, *branches]):
        flat.pop("additionalProperties", None)
    return flat


def _flat_branches(root: JsonObject, union: Any, seen: tuple[str, ...]) -> Iterator[JsonObject]:
    """Yield the branches as objects, without those that refer to an object around them."""
    for branch in objects(union):
        reference = branch.get("$ref")
        if not isinstance(reference, str):
            yield _flat_top(root, branch, seen)
        elif reference not in seen and len(seen) <= DEEPEST_REFERENCE:
            yield _flat_top(root, branch, (*seen, reference))


def _merged(parts: list[JsonObject]) -> JsonObject:
    merged: JsonObject = {}
    for part in parts:
        for name, schema in part.get("properties", {}).items():
            before = merged.get(name)
            if before is None or before == schema:
                merged[name] = schema
            else:
                branches = before["anyOf"] if set(before) == {"anyOf"} else [before]
                merged[name] = {"anyOf": [*branches, *([] if schema in branches else [schema])]}
    return merged


def _typed_items(part: JsonObject) -> JsonObject:
    """Add `items` to an array without them, which OpenAI would reject."""
    if part.get("type") == "array" and "items" not in part and "prefixItems" not in part:
        return {**part, "items": {}}
    return part


_DROPPED_FOR_GRAMMARS = ("pattern", "format", "patternProperties", "propertyNames", "if", "then", "else", "not", "$defs", "definitions",
                         "dependentSchemas", "dependentRequired", "unevaluatedProperties", "$id", "$comment", "examples")  # fmt: skip


def _simple(part: JsonObject) -> JsonObject:
    simple = {key: value for key, value in part.items() if key not in _DROPPED_FOR_GRAMMARS}
    if "oneOf" in simple:
        simple["anyOf"] = simple.pop("oneOf")
    return _typed_items(simple)


class TooLarge(ValueError):
    """A schema expands to more than `MOST_PARTS` parts; no tool of the catalog has such a schema."""


def inlined(schema: JsonObject) -> JsonObject:
    """Replace every `$ref` by its target; a recursive one allows anything. Raises TooLarge."""
    parts = 0

    def inline(value: Any, seen: tuple[str, ...]) -> Any:
        nonlocal parts
        parts += 1
        if parts > MOST_PARTS:
            raise TooLarge
        if isinstance(value, list):
            return [inline(part, seen) for part in value]
        if not isinstance(value, dict):
            return value
        reference = value.get("$ref")
        if not isinstance(reference, str):
            return {key: inline(part, seen) for key, part in value.items() if key not in ("$defs", "definitions")}
        beside = {key: part for key, part in value.items() if key != "$ref"}
        target = resolved(schema, reference)
        if reference in seen or len(seen) > DEEPEST_REFERENCE or not isinstance(target, dict):
            return inline(beside, seen)
        return inline({**target, **beside}, (*seen, reference))

    whole: JsonObject = inline(schema, ())
    return whole


# ── Are arguments valid? ────────────────────────────────────────────────────────────────────────────────────────────────


def validate(schema: JsonObject, arguments: JsonObject) -> tuple[str, ...]:
    """Return the faults of the arguments as sentences for the model; empty if they are valid, or if the schema itself is not."""
    if _are_plain_scalars(schema, arguments):
        return ()
    key = json.dumps(schema)
    try:
        errors = bounded.errors(_validator(key), arguments)
    except Exception as error:  # an invalid schema may raise anything
        if not _is_schema(key):
            return ()
        if not isinstance(error, Unresolvable | RecursionError):
            raise
        return (f"the tool's schema cannot be checked: {type(error).__name__}",)
    if errors and not _is_schema(key):
        return ()
    errors.sort(key=lambda error: list(map(str, error.absolute_path)))
    return tuple(dict.fromkeys(_sentence(error) for error in errors))[:MOST_FAULTS]


def _are_plain_scalars(schema: JsonObject, arguments: JsonObject) -> bool:
    """Whether arguments are valid by a quick check, which suffices for most calls: each argument is a scalar of its declared
    type, and its schema requires nothing else."""
    properties, required = schema.get("properties"), schema.get("required", [])
    if not (isinstance(properties, dict) and isinstance(required, list) and isinstance(arguments, dict)):
        return False
    if schema.get("type", "object") != "object" or not _PLAIN_OBJECT.issuperset(schema):
        return False
    for name, value in arguments.items():
        part = properties.get(name)
        if (
            not isinstance(part, dict)
            or not _PLAIN_SCALAR.issuperset(part)
            or type(value) is not _TYPES.get(str(part.get("type")))
        ):
            return False
        if "enum" in part and not (isinstance(value, str) and isinstance(part["enum"], list) and value in part["enum"]):
            return False
    return all(isinstance(name, str) and name in arguments for name in required)


_NOTES = {"title", "description", "examples", "$comment", "deprecated"}
_PLAIN_OBJECT = _NOTES | {"type", "properties", "required", "additionalProperties", "$schema", "$defs", "definitions"}
_PLAIN_SCALAR = _NOTES | {"type", "enum", "default", "format"}
_TYPES = {"string": str, "boolean": bool, "integer": int, "number": float}


@lru_cache(maxsize=2048)
def _validator(schema: str) -> Draft202012Validator:
    return bounded.validator(mended(json.loads(schema)))


@lru_cache(maxsize=2048)
def _is_schema(schema: str) -> bool:
    """Whether a schema is valid. It takes 40 ms, twenty times as long as a validation, so call it only for invalid arguments."""
    try:
        Draft202012Validator.check_schema(mended(json.loads(schema)))
    except SchemaError:
        return False
    return True


def _sentence(error: ValidationError) -> str:
    path = (f"[{part}]" if isinstance(part, int) else f".{part}" for part in error.absolute_path)
    where = "".join(path).lstrip(".")
    if error.validator == "required":
        missing = next((name for name in error.validator_value if name not in error.instance), "")
        strange = [repr(name) for name in error.instance if name not in error.schema.get("properties", {})]
        instead = f" (there is no {', '.join(strange)})" if strange and "additionalProperties" not in error.schema else ""
        return f"{where + '.' if where else ''}{missing} is required{instead}"
    if error.validator == "additionalProperties" and isinstance(error.instance, dict):
        names = list(error.schema.get("properties", {}))
        strange = [name for name in error.instance if name not in names]
        return f"{where or 'arguments'}: unknown {', '.join(map(repr, strange))}; known: {', '.join(names) or 'none'}"
    if error.validator in ("enum", "const"):
        allowed = error.validator_value if error.validator == "enum" else [error.validator_value]
        return f"{where} must be one of {json.dumps(allowed, ensure_ascii=False)}"
    if error.validator == "type":
        kinds = error.validator_value if isinstance(error.validator_value, list) else [error.validator_value]
        return f"{where or 'arguments'} must be {' or '.join(kinds)}, not {_json_type(error.instance)}"
    if error.validator in ("anyOf", "oneOf"):
        return f"{where or 'arguments'} fits {'none of the allowed forms' if error.context else 'more than one form'}"
    return f"{where or 'arguments'}: {error.message[:200]}"


def _json_type(value: Any) -> str:
    names = {dict: "object", list: "array", str: "string", bool: "boolean", int: "integer", float: "number", type(None): "null"}
    return names.get(type(value), type(value).__name__)
