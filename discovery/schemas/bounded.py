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
"""Keywords looked at for one call, less than a tenth of a second."""

_NO_NETWORK: Registry[Any] = Registry()
"""Without a retriever, so that a `$ref` to an address is an error and never a request."""
_MANY_PARTS = 100


class _TooLong(Exception):
    """Finding out would take too long."""


class _Steps:
    """The steps left for one validation."""

    def __init__(self, instance: Any) -> None:
        self._left, self._instance = MOST_STEPS, instance

    def spend(self, steps: int) -> None:
        self._left -= steps
        if self._left < 0:
            raise _TooLong

    @cached_property
    def per_error(self) -> int:
        """An error quotes the value it is about, however long that is."""
        return 1 + len(json.dumps(self._instance, default=str)) // 1000


_steps: ContextVar[_Steps] = ContextVar("_steps")


def validator(schema: JsonObject) -> Draft202012Validator:
    """A validator for `errors`."""
    parts = subschemas(schema)
    if len(parts) > _MANY_PARTS or any("patternProperties" in part for part in parts):
        schema = rewritten(schema, _without_leftovers)
    made: Draft202012Validator = _Validator(schema, registry=_NO_NETWORK)
    return made


def _without_leftovers(part: JsonObject) -> JsonObject:
    """To tell what is left over the library runs all patterns, whatever they are, and all branches again."""
    return {key: value for key, value in part.items() if key not in ("unevaluatedProperties", "unevaluatedItems")}


def errors(validator: Draft202012Validator, instance: Any) -> list[ValidationError]:
    """The errors found within the steps; what takes longer is for the server to judge."""
    found: list[ValidationError] = []
    token = _steps.set(_Steps(instance))
    try:
        found.extend(validator.iter_errors(instance))  # one by one: what came before the last step stays
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
    """The library's own runs the patterns beside it, whatever they are."""
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
    """The library's own compares each with each."""
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
