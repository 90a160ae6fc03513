"""Serialises tool dependencies to JSON and back, and builds the `RunContext` given to a tool.

Whatever `serialize_deps` accepts, `deserialize_deps` returns equal. Everything else is refused, with its path. pydantic rebuilds
dataclasses (see `docs/decisions/bridge-deps.md`).
"""

import logging
import math
from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from datetime import date, time, timedelta
from decimal import Decimal
from enum import Enum
from itertools import zip_longest
from pathlib import PurePath
from typing import Any, Generic, TypeVar, get_type_hints
from uuid import UUID

from pydantic import BaseModel, PydanticSchemaGenerationError, PydanticUserError, TypeAdapter, ValidationError
from pydantic_core import PydanticSerializationError, to_json

from autonomy.bridge.bridge_errors import TypeHintResolutionError, UnsupportedDepsTypeError

logger = logging.getLogger(__name__)

T = TypeVar("T")
T_co = TypeVar("T_co", covariant=True)

_SCALARS = (str, int, bool, bytes, date, time, timedelta, Decimal, Enum, PurePath, UUID)
_ROOT = "deps"


def serialize_deps(deps: Any) -> str:
    """Write dependencies (dict, list, primitives, dataclasses, pydantic models) as JSON text.

    Raises `UnsupportedDepsTypeError`, naming the path, for what JSON cannot represent (clients, locks, functions, NaN) and for
    what would not be read back equal (a date in an untyped dict). If a dataclass's type hints cannot be resolved, it is written
    with a warning, because only reading needs the hints.
    """
    _refuse_what_is_not_data(deps, _ROOT, ())
    adapter = _adapter_or_warning(type(deps))
    try:
        text = _dump(deps, adapter)
    except PydanticSerializationError as error:
        raise UnsupportedDepsTypeError(_ROOT, str(error)) from error
    if adapter is not None:
        _refuse_what_does_not_return(deps, text, adapter)
    return text


def deserialize_deps(text: str, deps_type: type[T]) -> T:
    """Rebuild dependencies of `deps_type` from JSON text.

    Raises `TypeHintResolutionError` if a dataclass names a type that cannot be found, `UnsupportedDepsTypeError` if the type is
    not one of data, and pydantic's `ValidationError` if the text does not fit the type.
    """
    return _adapter(deps_type).validate_json(text, by_name=True)


class DepsContext(Generic[T_co]):
    """Experimental: what a converted tool gets instead of a `RunContext`. It has only `deps`.

    Its dependencies must be serialisable (else `UnsupportedDepsTypeError`), so that the tool would work in another process as
    well.
    """

    def __init__(self, deps: T_co) -> None:
        serialize_deps(deps)
        self._deps = deps

    @property
    def deps(self) -> T_co:
        """The dependencies given at conversion."""
        return self._deps

    def __getattr__(self, name: str) -> Any:
        raise AttributeError(f"a converted tool runs outside an agent run: its context has deps, but no {name!r}")

    def __repr__(self) -> str:
        return f"DepsContext({type(self._deps).__qualname__})"  # the values may be secrets


def _refuse_what_is_not_data(value: object, path: str, above: tuple[int, ...]) -> None:
    """Raise `UnsupportedDepsTypeError` for the first part of the value that is not data. `above`: ids of its containers."""
    if id(value) in above:
        raise UnsupportedDepsTypeError(path, "refers back to something that contains it")
    if isinstance(value, float) and not math.isfinite(value):
        raise UnsupportedDepsTypeError(path, f"JSON has no {value}")
    if value is None or isinstance(value, (*_SCALARS, float)):
        return
    for child_path, child in _children(value, path):
        _refuse_what_is_not_data(child, child_path, (*above, id(value)))


def _children(value: object, path: str) -> Iterator[tuple[str, object]]:
    """Yield the members of a container with their paths. Raises `UnsupportedDepsTypeError` if it is not a container of data."""
    if isinstance(value, dict):
        yield from ((f"{path}.key({key!r})", key) for key in value)
        yield from ((f"{path}[{key!r}]", item) for key, item in value.items())
    elif isinstance(value, (list, tuple, set, frozenset)):
        yield from ((f"{path}[{index}]", item) for index, item in enumerate(value))
    elif isinstance(value, BaseModel):
        yield from ((f"{path}.{name}", item) for name, item in value)
    elif is_dataclass(value) and not isinstance(value, type):
        yield from ((f"{path}.{field.name}", getattr(value, field.name)) for field in fields(value))
    else:
        kind = f"{type(value).__module__}.{type(value).__qualname__}"
        raise UnsupportedDepsTypeError(path, f"{kind} is not data that JSON can carry")


def _adapter(deps_type: type[T]) -> TypeAdapter[T]:
    try:
        adapter = TypeAdapter(deps_type)
        adapter.rebuild(raise_errors=True)
    except PydanticSchemaGenerationError as error:
        cause = error.message.splitlines()[0]
        raise UnsupportedDepsTypeError(_ROOT, f"{_type_name(deps_type)} is not a type of data: {cause}") from error
    except (PydanticUserError, NameError) as error:
        raise TypeHintResolutionError(_type_name(deps_type), _unresolved_name(deps_type) or str(error)) from error
    return adapter


def _adapter_or_warning(deps_type: type[T]) -> TypeAdapter[T] | None:
    try:
        return _adapter(deps_type)
    except TypeHintResolutionError as error:
        logger.warning("%s; taken as serialisable, but it cannot be read back", error)
        return None


def _unresolved_name(deps_type: type) -> str:
    try:
        get_type_hints(deps_type)
    except NameError as error:
        return f"{error} (a forward reference must be visible in the module of the class)"
    return ""


def _dump(deps: Any, adapter: TypeAdapter[Any] | None) -> str:
    if isinstance(deps, BaseModel):
        return deps.model_dump_json(warnings="none")
    # no warnings, because reading back finds a value that does not fit its field, and its error does not show the value
    written = to_json(deps) if adapter is None else adapter.dump_json(deps, warnings="none")
    return written.decode()


def _refuse_what_does_not_return(deps: Any, text: str, adapter: TypeAdapter[Any]) -> None:
    try:
        restored = adapter.validate_json(text, by_name=True)
    except ValidationError as error:
        path, problem = _first_problem(error)
        raise UnsupportedDepsTypeError(path, f"cannot be read back: {problem}") from None  # the cause would show the value
    if (difference := _first_difference(deps, restored, _ROOT)) is not None:
        raise UnsupportedDepsTypeError(
            difference, "does not come back equal from JSON: declare its type, or keep to JSON's own types"
        )


def _first_problem(error: ValidationError) -> tuple[str, str]:
    """Return path and problem, but not the value, which may be a secret."""
    problem = error.errors(include_url=False, include_input=False, include_context=False)[0]
    steps = (f".{step}" if isinstance(step, str) else f"[{step}]" for step in problem["loc"])
    return _ROOT + "".join(steps), problem["msg"]


def _first_difference(one: object, other: object, path: str) -> str | None:
    """Return the path of the first difference between two pieces of data. Compares parts, since a dataclass may not define
    `==`."""
    if type(one) is not type(other):
        return path
    if not isinstance(one, (dict, list, tuple, BaseModel)) and not is_dataclass(one):
        return None if one == other else path
    pairs = list(zip_longest(_children(one, path), _children(other, path)))
    if any(left is None or right is None for left, right in pairs):
        return path
    return next((found for left, right in pairs if (found := _first_difference(left[1], right[1], left[0]))), None)


def _type_name(deps_type: Any) -> str:
    return getattr(deps_type, "__qualname__", str(deps_type))
