"""Parses JSON with comments, trailing commas and a byte order mark."""

import json
import re
from typing import Any

_TOKEN = re.compile(
    r"""
    (?P<string>"(?:[^"\\]|\\.)*")
  | (?P<comment>//[^\n]*|/\*.*?\*/)
  | (?P<other>[^"/]+|.)
    """,
    re.VERBOSE | re.DOTALL,
)
_TRAILING_COMMA = re.compile(r",(\s*[}\]])")


class RepeatedKey(ValueError):
    """A JSON object has the same key twice, and parsers differ in which one counts."""

    def __init__(self, key: str) -> None:
        self.key = key
        super().__init__(f"the key {key!r} stands twice in one object")


def loads(text: str) -> Any:
    """Parse a text. Raises `json.JSONDecodeError` with line and column, or `RepeatedKey`."""
    return json.loads(strip(text), object_pairs_hook=_without_repeats)


def strip(text: str) -> str:
    """Replace comments and trailing commas by spaces, so that positions in error messages stay correct."""
    out, between = list[str](), ""
    for found in _TOKEN.finditer(text.removeprefix("\ufeff")):
        if found.lastgroup == "string":
            out += [_TRAILING_COMMA.sub(r" \1", between), found[0]]
            between = ""
        else:  # joined first, because a comment may stand between a comma and the bracket
            between += re.sub(r"[^\n]", " ", found[0]) if found.lastgroup == "comment" else found[0]
    return "".join([*out, _TRAILING_COMMA.sub(r" \1", between)])


def _without_repeats(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    seen: dict[str, Any] = {}
    for key, value in pairs:
        if key in seen:
            raise RepeatedKey(key)
        seen[key] = value
    return seen
