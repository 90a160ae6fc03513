"""Flattens structured data and text into leaves with JSON paths."""

import json
import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property, lru_cache, partial
from itertools import chain
from math import isfinite
from typing import Any, NamedTuple, cast

MOST_LEAVES = 200_000
"""Of one value; what lies beyond is not looked at, and so is evidence for nothing."""
LONGEST_PATH = 400
"""Characters of the path to an object or array that is looked into. Each leaf has its whole path: without a bound a key of
100,000 characters over a list of 10,000 numbers, or an array 50,000 deep, takes gigabytes."""
TOO_DEEP = "(too deep to be looked into)"
"""Stands for what lies there: evidence for nothing in a result, and in an argument a value that nobody gave."""
MOST_STEPS = 4 * MOST_LEAVES
MOST_JSON_CHARS = 16_000_000
_PLAIN_KEY = re.compile(r"[A-Za-z_][\w-]*")
_MEMBER = re.compile(rf"""\.({_PLAIN_KEY.pattern})|\["([^"]*)"\]""")
Scalar = str | int | float | bool


class ListedObjects(NamedTuple):
    """The objects of one list, none of which holds another one."""

    names: tuple[str, ...]
    """The keys, which are the same in each."""
    columns: tuple[tuple[Any, ...], ...]
    """What stands under each key, object by object: scalars and None."""
    steps: tuple[str, ...]
    """What each key adds to a path."""

    def leaves(self, path: str) -> Iterator[tuple[str, str, Any]]:
        """The scalars in document order, as path, key and value. `path`: that of the list."""
        for at, row in enumerate(zip(*self.columns, strict=True)):
            for step, name, value in zip(self.steps, self.names, row, strict=True):
                if value is not None:
                    yield f"{path}[{at}]{step}", name, value

    def texts(self) -> Iterator[str]:
        """The texts, column by column."""
        return (value for column in self.columns for value in column if isinstance(value, str))


Entry = tuple[str, str, Scalar | ListedObjects]
"""Path, key and value of a scalar, or of a list whose objects are alike."""


class Leaf(NamedTuple):
    """One scalar of a value."""

    path: str
    key: str
    """The nearest key above it, empty for a whole text."""
    value: Scalar


def leaves(value: Any, path: str = "$", key: str = "") -> Iterator[Leaf]:
    """The scalars of a value in document order, keys that are data themselves among them.

    A whole text that is JSON counts as its leaves. A string inside of it stays one: somebody's message must not become a record.
    """
    return map(_LEAF, walk(value, path, key))


_LEAF: Callable[[tuple[str, str, Scalar]], Leaf] = partial(tuple.__new__, Leaf)
"""`Leaf._make` without a call in Python: a result has tens of thousands."""


def walk(value: Any, path: str = "$", key: str = "") -> Iterator[tuple[str, str, Scalar]]:
    """`leaves` as plain tuples: a result has tens of thousands."""
    return cast("Iterator[tuple[str, str, Scalar]]", _walk(value, path, key, in_columns=False))


def walk_in_columns(value: Any) -> Iterator[Entry]:
    """`walk`, where a list of alike objects comes as one."""
    return _walk(value, "$", "", in_columns=True)


def _walk(value: Any, path: str, key: str, *, in_columns: bool) -> Iterator[Entry]:
    stack: list[Iterator[tuple[str, str, Any]]] = [iter(((path, key, parsed(value)),))]
    left = MOST_STEPS
    while stack:
        for path, key, value in stack[-1]:
            left -= 1
            if left < 0:
                return
            if isinstance(value, SCALARS):
                yield path, key, value
            elif len(path) > LONGEST_PATH and isinstance(value, NESTED):
                yield path[:LONGEST_PATH], key[:LONGEST_PATH], TOO_DEEP
            elif isinstance(value, dict):
                stack.append(_members(value, path))
                break
            elif isinstance(value, LISTS):
                if in_columns and (listed := _listed(value, path)) and (size := len(value) * (1 + len(listed.names))) <= left:
                    left -= size
                    yield path, key, listed
                    continue
                stack.append(iter([(f"{path}[{at}]", key, item) for at, item in enumerate(value[:MOST_LEAVES])]))
                break
        else:
            stack.pop()


def _listed(value: Sequence[Any], path: str) -> ListedObjects | None:
    """A list in columns, where that leaves nothing out: no key is data itself, and no object lies too deep."""
    columns = columns_of(value) if len(value) <= MOST_LEAVES and len(path) < LONGEST_PATH - LONGEST_INDEX else None
    steps = _steps_of(tuple(value[0])) if columns else None
    return ListedObjects(steps.keys, columns, steps.paths) if columns and steps and not steps.data else None


LONGEST_INDEX = 10
"""Characters of `[199999]`, and a few."""


def columns_of(objects: Sequence[Any]) -> tuple[tuple[Any, ...], ...] | None:
    """A list in columns; None where its objects differ in their keys, hold others, or are few."""
    if len(objects) < FEWEST_ALIKE or set(map(type, objects)) != {dict}:
        return None
    names = tuple(objects[0])
    if set(map(type, names)) != {str} or set(map(tuple, objects)) != {names}:
        return None
    columns = tuple(zip(*map(dict.values, objects), strict=True))
    return columns if all(SCALAR_TYPES.issuperset(map(type, column)) for column in columns) else None


def in_rows(columns: Iterable[Sequence[Any]]) -> Iterator[Any]:
    """The members of columns as they stand in a document: object by object."""
    return chain.from_iterable(zip(*columns, strict=True))


FEWEST_ALIKE = 8
"""Objects from which on columns are quicker."""
SCALAR_TYPES = frozenset((str, int, float, bool, type(None)))


class ResultContent:
    """A result and its leaves, taken apart once for all who look into it."""

    def __init__(self, result: Any) -> None:
        """`result`: its structured form, or its text."""
        self.result = result

    @cached_property
    def data(self) -> Any:
        """The result; of a text that is JSON its value."""
        return parsed(self.result)

    @cached_property
    def leaves(self) -> tuple[Leaf, ...]:
        """Its leaves, in document order."""
        return tuple(leaves(self.data))

    @cached_property
    def _by_key(self) -> dict[str, list[Leaf]]:
        found: dict[str, list[Leaf]] = defaultdict(list)
        for leaf in self.leaves:
            found[leaf.key].append(leaf)
        return found

    def under(self, holds: Callable[[str], object]) -> Iterator[Leaf]:
        """The leaves under keys of which something holds, key by key: a list of a thousand objects has a dozen keys."""
        return chain.from_iterable(found for key, found in self._by_key.items() if holds(key))

    @cached_property
    def titles(self) -> tuple[Leaf, ...]:
        """What its records are called."""
        return tuple(leaf for leaf in self.under(lambda key: key.lower() in TITLE_KEYS) if isinstance(leaf.value, str))


TITLE_KEYS = frozenset({"name", "title", "subject"})
"""Fields that tell what a record is called."""

SCALARS = (str, int, float)
LISTS = (list, tuple)
NESTED = (dict, *LISTS)


def _members(value: dict[Any, Any], path: str) -> Iterator[tuple[str, str, Any]]:
    """The keys that are data, and then what stands under each."""
    steps = _steps_of(tuple(value))
    found = zip(map(path.__add__, steps.paths), steps.keys, value.values(), strict=True)
    return chain([(path + step, "", name) for step, name in steps.data], found) if steps.data else found


class _Steps(NamedTuple):
    """How the members of every object with the same keys are called."""

    paths: tuple[str, ...]
    keys: tuple[str, ...]
    data: tuple[tuple[str, str], ...]
    """The keys that are values of their own, with their step."""


_SHAPES: dict[tuple[str, ...], _Steps] = {}
"""By the keys of an object; the objects of a list mostly have the same. Only keys that are text: 1 and True are one key."""
MOST_SHAPES = 2_000


def _steps_of(names: tuple[Any, ...]) -> _Steps:
    return _SHAPES.get(names) or _steps(names)


def _steps(names: tuple[Any, ...]) -> _Steps:
    data = tuple((_step(name), name) for name in names if isinstance(name, str) and is_data(name))
    steps = _Steps(tuple(map(_step, names)), tuple(map(str, names)), data)
    if len(_SHAPES) < MOST_SHAPES and len(names) < _LARGE and all(type(name) is str for name in names):
        _SHAPES[names] = steps
    return steps


_LARGE = 100
"""Members of an object that is a table by itself, and like no other one."""


def is_figure(value: object) -> bool:
    """Whether a scalar is a number, and neither NaN nor endless: Python writes these into JSON, and nothing can be reckoned with
    them."""
    return isfinite(value) if isinstance(value, float) else isinstance(value, int) and not isinstance(value, bool)


def objects_in(value: Any) -> Iterator[dict[str, Any]]:
    """The objects of a parsed value, however deep they stand, in document order."""
    stack = [value]
    while stack:
        if isinstance(one := stack.pop(), dict):
            yield one
        inner = one.values() if isinstance(one, dict) else one if isinstance(one, list) else ()
        stack += reversed([*inner])


def parsed(value: Any) -> Any:
    """The value of a text that is a JSON object or array; else the text itself."""
    if not isinstance(value, str) or not 2 <= len(value) <= MOST_JSON_CHARS:
        return value
    text = value.strip()
    if text[:1] not in ("{", "[") or text[-1] not in ("}", "]"):
        return value
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return value


def doubles_a_key(text: str) -> bool:
    """Whether a text is JSON in which an object has a key twice: of two receivers, readers of JSON take the first or the last."""
    doubled: list[bool] = []

    def note(pairs: list[tuple[str, object]]) -> None:
        doubled.append(len(dict(pairs)) < len(pairs))

    try:
        json.loads(text, object_pairs_hook=note)
    except (ValueError, RecursionError):
        return False
    return any(doubled)


def member(path: str, name: object) -> str:
    """The JSON path (RFC 9535) of a member."""
    return path + _step(name)


def keys_of(path: str) -> list[str]:
    """The names of the members on a JSON path."""
    return ["".join(found) for found in _MEMBER.findall(path)]


def last_key(path: str) -> str:
    """The name of the last member on a JSON path, whatever index follows; empty where there is none."""
    return "".join((_MEMBER.findall(path) or [("",)])[-1])


@lru_cache(maxsize=5_000, typed=True)
def _step(name: object) -> str:
    return f".{name}" if _PLAIN_KEY.fullmatch(str(name)) else f"[{json.dumps(str(name)[:200], ensure_ascii=False)}]"


@lru_cache(maxsize=5_000)
def is_data(key: str) -> bool:
    """Whether a key is a value of its own (a day, a person's name), not the name of a field."""
    return not _PLAIN_KEY.fullmatch(key) or (key[-1:].isdecimal() and len(key) > 6)
