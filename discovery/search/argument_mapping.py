"""Maps a call's arguments to another tool by name, meaning and type."""

import json
import re
from functools import cache
from typing import Any, NamedTuple

from discovery.catalog import JsonObject, ToolSpec
from discovery.schemas.schema import validate
from discovery.text.data_files import read_data
from discovery.text.search_terms import normalized

GUESS = 0.6
"""The factor for a mapping in which an argument was carried over only because it was the last one left."""
_MANNER = """
cache count cursor depth first format include k length limit max n num offset order page per refresh results safe size sort
timeout top unit units verbose
"""
MANNER = frozenset(_MANNER.split())
"""Words in the names of arguments that say how much is shown and how; any other one changes the question when it is lost."""
_PLACEHOLDER = re.compile(r"\{(\w+\??)\}")


class Mapped(NamedTuple):
    """Arguments for the other tool, and the share of the given arguments that they use."""

    arguments: JsonObject
    coverage: float


def mapped(failed: ToolSpec, arguments: JsonObject, other: ToolSpec) -> Mapped | None:
    """Map the arguments to the other tool; None if the result would be invalid or answer a wider question.

    Lost may be what stands in the failed tool's schema as the default, and optional arguments that say how much is shown: of
    another day, language or site, nobody asked. What the failed tool requires counts fully towards coverage, the rest half.
    """
    carried: JsonObject = {}
    remaining = dict(arguments)
    for key in (_plain, _meaning):
        for name, schema in other.parameters.items():
            wanted = key(name) if name not in carried else None
            source = next((one for one in remaining if wanted is not None and key(one) == wanted), None)
            if source is not None and (value := _fitting(remaining[source], schema)) is not None:
                carried[name] = value
                del remaining[source]
    guessed = _carry_the_only_one(carried, remaining, failed, other)
    if validate(other.input_schema, carried) or any(_narrows(name, value, failed) for name, value in remaining.items()):
        return None
    weights = {name: 1.0 if name in failed.required else 0.5 for name in arguments}
    total = sum(weights.values())
    coverage = 1.0 - sum(weights[name] for name in remaining) / total if total else 1.0
    return Mapped(carried, coverage * (GUESS if guessed else 1.0))


def _narrows(name: str, value: Any, failed: ToolSpec) -> bool:
    """Whether the question would be wider without this argument."""
    if name in failed.required:
        return True
    usual = failed.parameters.get(name, {}).get("default")
    return value not in (None, "", usual) and MANNER.isdisjoint(_plain(name).split("_"))


def _meaning(name: str) -> int | None:
    """The number of the group of synonyms that an argument's name belongs to."""
    return _groups().get(_plain(name))


def _plain(name: str) -> str:
    return "_".join(re.findall(r"[^\W_]+", normalized(name)))


def _fitting(value: Any, schema: JsonObject) -> Any:
    """Return the value, or another form of it, if the schema accepts it; else None."""
    for candidate in (value, *_other_forms(value)):
        if candidate is not None and not validate({"type": "object", "properties": {"value": schema}}, {"value": candidate}):
            return candidate
    return None


def _other_forms(value: Any) -> tuple[Any, ...]:
    if isinstance(value, str) and re.fullmatch(r"-?\d{1,15}", value):
        return (int(value), [value])
    if isinstance(value, int | float) and not isinstance(value, bool):
        return (str(value),)
    if isinstance(value, list) and len(value) == 1:
        return (value[0],)
    return ([value],) if isinstance(value, str) else ()


def _carry_the_only_one(carried: JsonObject, remaining: JsonObject, failed: ToolSpec, other: ToolSpec) -> bool:
    """Carry an argument over if one required text is left on either side, as they may mean the same; return whether it was so."""
    left_names = [name for name in remaining if name in failed.required and isinstance(remaining[name], str)]
    lacking = [name for name in other.required if name not in carried]
    if len(left_names) != 1 or len(lacking) != 1 or _refers(lacking[0]) or _refers(left_names[0]):
        return False
    value = _fitting(remaining[left_names[0]], other.parameters.get(lacking[0], {}))
    if value is not None:
        carried[lacking[0]] = value
        del remaining[left_names[0]]
    return value is not None


def _refers(name: str) -> bool:
    """Whether an argument is a key that only tools of the same provider understand."""
    return _plain(name).split("_")[-1] in ("id", "number", "key", "token", "ts", "cursor", "slug")


def fill(template: JsonObject, arguments: JsonObject) -> JsonObject | None:
    """Replace `{name}` in the template by the argument of that name; None if there is no such argument.

    A value `{name?}` is omitted if there is no such argument.
    """
    filled: JsonObject = {}
    for key, value in template.items():
        names = _PLACEHOLDER.findall(value) if isinstance(value, str) else []
        if names and value == f"{{{names[0]}}}":
            name = names[0].removesuffix("?")
            if name in arguments:
                filled[key] = arguments[name]
            elif not names[0].endswith("?"):
                return None
        elif any(name not in arguments for name in names):
            return None
        else:
            filled[key] = _PLACEHOLDER.sub(lambda found: str(arguments[found[1]]), value) if names else value
    return filled


@cache
def _groups() -> dict[str, int]:
    groups = json.loads(read_data("argument_names.json"))
    return {_plain(name): number for number, group in enumerate(groups) for name in group}
