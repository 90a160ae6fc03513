"""Parses JSON with comments, trailing commas and a byte order mark."""

import json
import re
from collections.abc import Iterable
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
    """A JSON object names the same key twice; which one counts would depend on the reader."""

    def __init__(self, key: str) -> None:
        self.key = key
        super().__init__(f"the key {key!r} stands twice in one object")


def loads(text: str) -> Any:
    """The value the text stands for. Raises `json.JSONDecodeError` with line and column, or `RepeatedKey`."""
    return json.loads(strip(text), object_pairs_hook=_without_repeats)


def strip(text: str) -> str:
    """Plain JSON of the same length: comments and trailing commas become spaces, so that positions in errors stay true."""
    pieces = [(found.lastgroup, found.group()) for found in _TOKEN.finditer(text.removeprefix("\ufeff"))]
    blanked = [(kind, re.sub(r"[^\n]", " ", piece) if kind == "comment" else piece) for kind, piece in pieces]
    return _without_trailing_commas(blanked)


def _without_trailing_commas(pieces: Iterable[tuple[str | None, str]]) -> str:
    """Joins everything between two strings first, because a comment may stand between the comma and the bracket."""
    out: list[str] = []
    between: list[str] = []
    for kind, piece in pieces:
        if kind == "string":
            out += [_TRAILING_COMMA.sub(r" \1", "".join(between)), piece]
            between.clear()
        else:
            between.append(piece)
    return "".join([*out, _TRAILING_COMMA.sub(r" \1", "".join(between))])


def _without_repeats(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    seen: dict[str, Any] = {}
    for key, value in pairs:
        if key in seen:
            raise RepeatedKey(key)
        seen[key] = value
    return seen
