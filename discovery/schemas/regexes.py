"""Patterns written by strangers: which could take for ever on the wrong text, and matching that never does."""

import re
from functools import lru_cache
from re import _constants as ops  # type: ignore[attr-defined]  # the parser has no public name
from re import _parser as parser  # type: ignore[attr-defined]
from typing import Any

LONGEST_TEXT = 2_000
"""Longer text is not matched: two repeats side by side cost the square of it."""
_REPEATS = (ops.MAX_REPEAT, ops.MIN_REPEAT)
_MANY = 20
"""A repeat with a smaller end than this cannot blow up."""
_SIDE_BY_SIDE = 3
"""More endless repeats than this in one pattern cost too much: n of them take the n-th power of the text."""


@lru_cache(maxsize=4096)
def unsafe(pattern: str) -> bool:
    """Whether matching could take too long, or the pattern is not one: a repeat or a choice within a repeat, many endless repeats,
    or a reference back."""
    try:
        return (
            len(pattern) > 1000
            or _branching(parser.parse(pattern), within=False)
            or _repeats(parser.parse(pattern)) > _SIDE_BY_SIDE
        )
    except (re.error, RecursionError, OverflowError):
        return True


def matches(pattern: str, text: str) -> bool:
    """Whether the text has a match, as JSON Schema means it; True where finding out could take too long."""
    if unsafe(pattern) or len(text) > LONGEST_TEXT:
        return True
    return _compiled(pattern).search(text) is not None


@lru_cache(maxsize=1024)
def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern)


def _branching(tree: Any, *, within: bool) -> bool:
    """Whether a part that can be matched in several ways stands within a repeat without a small end."""
    for op, argument in tree:
        inner = within
        if op in _REPEATS:
            least, most, _ = argument
            if within and least != most:
                return True
            inner = within or most > _MANY
        if (op is ops.BRANCH and within) or op in (ops.GROUPREF, ops.GROUPREF_EXISTS):
            return True
        if any(_branching(part, within=inner) for part in _parts(op, argument)):
            return True
    return False


def _repeats(tree: Any) -> int:
    """How many repeats without a small end the pattern has."""
    return sum((op in _REPEATS and argument[1] > _MANY) + sum(map(_repeats, _parts(op, argument))) for op, argument in tree)


def _parts(op: Any, argument: Any) -> list[Any]:
    if op is ops.SUBPATTERN:
        return [argument[3]]
    if op is ops.BRANCH:
        return list(argument[1])
    if op in (ops.ASSERT, ops.ASSERT_NOT):
        return [argument[1]]
    if op in _REPEATS:
        return [argument[2]]
    return []
