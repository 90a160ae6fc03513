"""A JSON Schema validator with bounded work for untrusted schemas."""

import json
from collections.abc import Callable, Iterator
from contextvars import ContextVar
from functools import cached_property
from typing import Any

import jsonschema
from jsonschema import Draft202012Validator
from jsonschema.exceptions import ValidationError
from referencing import Registry

from discovery.catalog import JsonObject
from discovery.schemas.regexes import matches
from discovery.schemas.schema_walk import rewritten, subschemas

MOST_STEPS = 6_000
"""The most keywords that are evaluated for one call; they take less than a tenth of a second."""

_NO_NETWORK: Registry[Any] = Registry()
"""It has no retriever, so a `$ref` to a URL is an error and never a request."""
_MANY_PARTS = 100


class _TooLong(Exception):
    """The validation has used all its steps."""


class _Steps:
    """The steps that are left for one validation."""

    def __init__(self, instance: Any) -> None:
        self._left, self._instance = MOST_STEPS, instance

    def spend(self, steps: int) -> None:
        self._left -= steps
        if self._left < 0:
            raise _TooLong

    @cached_property
    def per_error(self) -> int:
        """The steps that an error costs, because it quotes the invalid value, however long that is."""
        return 1 + len(json.dumps(self._instance, default=str)) // 1000


_steps: ContextVar[_Steps] = ContextVar("_steps")


def validator(schema: JsonObject) -> Draft202012Validator:
    """Make a validator for `errors`."""
    parts = subschemas(schema)
    if len(parts) > _MANY_PARTS or any("patternProperties" in part for part in parts):
        # to find what is unevaluated, the library runs all patterns and all branches again
        unevaluated = ("unevaluatedProperties", "unevaluatedItems")
        schema = rewritten(schema, lambda part: {key: value for key, value in part.items() if key not in unevaluated})
    made: Draft202012Validator = _Validator(schema, registry=_NO_NETWORK)
    return made


def errors(validator: Draft202012Validator, instance: Any) -> list[ValidationError]:
    """Return the errors that are found within the limit of steps; the server itself will find others."""
    found: list[ValidationError] = []
    token = _steps.set(_Steps(instance))
    try:
        found.extend(validator.iter_errors(instance))  # keeps those found before the limit
    except _TooLong:
        pass
    finally:
        _steps.reset(token)
    return found


Check = Callable[[Any, Any, Any, Any], Iterator[ValidationError] | None]


def _counted(check: Check) -> Check:
    def counted(validator: Any, value: Any, instance: Any, schema: Any) -> Iterator[ValidationError]:
        steps = _steps.get()
        steps.spend(1)
        for error in check(validator, value, instance, schema) or ():
            steps.spend(steps.per_error)
            yield error

    return counted


def _pattern(validator: Any, pattern: str, instance: Any, schema: JsonObject) -> Iterator[ValidationError]:
    if isinstance(instance, str) and matches(pattern, instance) is False:
        yield ValidationError(f"does not match {pattern!r}")


def _pattern_properties(validator: Any, patterns: JsonObject, instance: Any, schema: JsonObject) -> Iterator[ValidationError]:
    if isinstance(instance, dict):
        for pattern, subschema in patterns.items():
            for name, value in instance.items():
                if matches(pattern, name):
                    yield from validator.descend(value, subschema, path=name, schema_path=pattern)


def _additional_properties(validator: Any, rule: Any, instance: Any, schema: JsonObject) -> Iterator[ValidationError]:
    """Check `additionalProperties`; the library's own check runs unbounded patterns."""
    if not isinstance(instance, dict):
        return
    patterns, known = schema.get("patternProperties", {}), schema.get("properties", {})
    extra = [name for name in instance if name not in known and not any(matches(p, name) is not False for p in patterns)]
    if isinstance(rule, dict):
        for name in extra:
            yield from validator.descend(instance[name], rule, path=name)
    elif rule is False and extra:
        yield ValidationError(f"unknown {', '.join(map(repr, extra))}")


def _unique_items(validator: Any, unique: Any, instance: Any, schema: JsonObject) -> Iterator[ValidationError]:
    """Check `uniqueItems`; the library's own check compares each item with each other."""
    if unique and isinstance(instance, list) and len({json.dumps(item, sort_keys=True) for item in instance}) < len(instance):
        yield ValidationError("has the same item twice")


_CHECKS: dict[str, Check] = {
    **Draft202012Validator.VALIDATORS,
    "pattern": _pattern,
    "patternProperties": _pattern_properties,
    "additionalProperties": _additional_properties,
    "uniqueItems": _unique_items,
}
_Validator: Any = jsonschema.validators.extend(
    Draft202012Validator, {keyword: _counted(check) for keyword, check in _CHECKS.items()}
)
