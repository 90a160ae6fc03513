"""Picks values out of a structured result by a path such as `days[].rain_percent`."""

import re
from collections.abc import Mapping
from typing import Any

_STEP = re.compile(r"([^.\[\]]+)((?:\[\d*\])*)|\A((?:\[\d*\])+)")


def values_at(value: Any, path: str) -> list[Any]:
    """The values at a path; an empty path is the value itself. Raises `LookupError` for a step that leads nowhere."""
    found: list[Any] = [value]
    for name, behind, leading in _STEP.findall(path):
        if name:
            before, found = found, [one[name] for one in found if isinstance(one, Mapping) and name in one]
            if before and not found:
                raise LookupError(f"the result has no {name!r}")
        for index in re.findall(r"\[(\d*)\]", behind or leading):
            lists = [one for one in found if isinstance(one, list)]
            if found and not lists:
                raise LookupError(f"the result has no list where {path!r} looks for one")
            found = [item for one in lists for item in (one if not index else one[int(index) : int(index) + 1])]
    return found
