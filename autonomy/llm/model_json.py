"""Reads JSON written by models and tools, without halves of surrogate pairs."""

import json
from typing import Any

from discovery.text.characters import DEEPEST, replace_lone_surrogates


def read_json(written: str | bytes, *, strict: bool = True) -> Any:
    """The value; without `strict`, strings may hold control characters. Raises `ValueError`, also for what is nested too
    deeply."""
    try:
        value = json.loads(written) if strict else json.loads(written, strict=False)  # for options it makes a decoder each time
        return value if _is_whole(written) else replace_lone_surrogates(value)
    except RecursionError as error:
        raise ValueError("is nested too deeply") from error


def _is_whole(written: str | bytes) -> bool:
    """Whether no half of a pair can stand in it, nor more levels than it has brackets: so it is with most, at a glance."""
    brackets, escape = (("{", "["), "\\u") if isinstance(written, str) else ((b"{", b"["), b"\\u")
    if isinstance(written, bytes) and b"\0" in written:  # UTF-16 or UTF-32, in which signs lie apart
        return False
    return written.isascii() and escape not in written and sum(map(written.count, brackets)) < DEEPEST  # type: ignore[operator,arg-type]  # both of one kind
