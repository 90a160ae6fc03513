"""Reads JSON written by models and tools; raises `ValueError` for invalid characters.

JSON can write half of a surrogate pair (`"\\ud83d"`), which UTF-8 cannot carry: left in, it would break whatever comes next,
the next request, SQLite, a terminal.
"""

import json
from typing import Any

DEEPEST = 100
"""Levels of a reply; pydantic writes no more than 255, and what a call says has further to go."""


def read_json(written: str | bytes, *, strict: bool = True) -> Any:
    """The value; without `strict`, strings may hold control characters. Raises `ValueError`, also for what is nested too
    deeply."""
    try:
        value = json.loads(written, strict=strict)
        return value if _is_whole(written) else whole(value)
    except RecursionError as error:
        raise ValueError("is nested too deeply") from error


def _is_whole(written: str | bytes) -> bool:
    """Whether no half of a pair can stand in it, nor more levels than it has brackets: so it is with most, at a glance."""
    brackets, escape = (("{", "["), "\\u") if isinstance(written, str) else ((b"{", b"["), b"\\u")
    return written.isascii() and escape not in written and sum(map(written.count, brackets)) < DEEPEST  # type: ignore[operator,arg-type]  # both of one kind


def whole(value: Any, deepest: int = DEEPEST) -> Any:
    """The value with U+FFFD in place of each half of a pair; two halves that meet become the character they stand for.

    Raises `ValueError` for what is nested deeper than `deepest` levels.
    """
    if not deepest:
        raise ValueError("is nested too deeply")
    match value:
        case str():
            return value if value.isascii() else value.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
        case dict():
            return {whole(name): whole(inner, deepest - 1) for name, inner in value.items()}
        case list():
            return [whole(inner, deepest - 1) for inner in value]
        case _:
            return value
