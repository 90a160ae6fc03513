"""Matches untrusted regular expressions in linear time.

Python's matcher backtracks: in the worst case it tries every way in which the repeats and alternatives of a pattern can divide a
text. An upper bound of the number of ways is computed before anything is matched.
"""

import math
import re
from functools import lru_cache
from re import _constants as ops  # type: ignore[attr-defined]  # the parser has no public name
from re import _parser as parser  # type: ignore[attr-defined]
from typing import Any

MOST_STEPS = 10_000_000
"""They take about a twentieth of a second."""
LONGEST_PATTERN = 1_000
_REPEATS = (ops.MAX_REPEAT, ops.MIN_REPEAT, ops.POSSESSIVE_REPEAT)
_AT_START = (ops.AT_BEGINNING, ops.AT_BEGINNING_STRING)


def matches(pattern: str, text: str) -> bool | None:
    """Whether the text contains a match; None if the search could take too long, or the pattern is invalid."""
    if math.log(MOST_STEPS) < _effort(pattern, 1 << len(text).bit_length()):
        return None
    return _compiled(pattern).search(text) is not None


@lru_cache(maxsize=1024)
def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern)


@lru_cache(maxsize=4096)
def _effort(pattern: str, length: int) -> float:
    """Return the logarithm of an upper bound of the steps for a text of that length; infinite for an invalid pattern."""
    try:
        tree = parser.parse(pattern[: LONGEST_PATTERN + 1])
        ways = math.inf if len(pattern) > LONGEST_PATTERN else _ways(tree, length)
    except (re.error, RecursionError, OverflowError):
        return math.inf
    anchored = len(tree) > 0 and tree[0][0] is ops.AT and tree[0][1] in _AT_START
    return ways + (0.0 if anchored else math.log(length + 1))


def _ways(tree: Any, length: int) -> float:
    """Return the logarithm of the number of ways to match a sequence: the product of those of its parts."""
    return sum((_ways_of(op, argument, length) for op, argument in tree), 0.0)


def _ways_of(op: Any, argument: Any, length: int) -> float:
    if op in _REPEATS:
        least, most, body = argument
        least, most = min(int(least), length), min(int(most), length)
        return math.log(most - least + 1) + most * _ways(body, length)
    if op is ops.BRANCH:
        return math.log(len(argument[1])) + max(_ways(branch, length) for branch in argument[1])
    if op in (ops.GROUPREF, ops.GROUPREF_EXISTS):
        return math.inf
    if op is ops.SUBPATTERN:
        return _ways(argument[3], length)
    if op is ops.ATOMIC_GROUP:
        return _ways(argument, length)
    return _ways(argument[1], length) if op in (ops.ASSERT, ops.ASSERT_NOT) else 0.0
