"""Corrects a call's arguments from the tool's own error message."""

import re
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher
from typing import Any

from autonomy.llm.messages import ToolDefinition
from autonomy.llm.offline.argument_filler import choose, fit, noun_of, properties, required
from discovery.catalog import JsonObject
from metrics.text.phrases import patterns_of
from metrics.text.quotations import LISTED

_PHRASES = patterns_of("autonomy.llm.offline")


def corrected(tool: ToolDefinition, arguments: JsonObject, error: str) -> JsonObject | None:
    """The arguments as the error wants them, or None when it does not say; an optional argument it complains of is left out."""
    form = properties(tool)
    for name, value in arguments.items():
        if not re.search(rf"(?<![A-Za-z0-9_]){re.escape(name)}(?![A-Za-z0-9_])", error):
            continue
        correction = _better(value, form.get(name, {}), error)
        if correction is not None and correction != value:
            return {**arguments, name: correction}
        if name not in required(tool):
            return {other: argument for other, argument in arguments.items() if other != name}
    value = next((value for value in arguments.values() if isinstance(value, str) and value in error), None)
    correction = _better(value, {}, error) if value is not None else None
    return None if correction is None else {name: correction if old == value else old for name, old in arguments.items()}


def _better(value: Any, schema: JsonObject, error: str) -> Any:
    """Another value for the argument an error names: a bound it gives, or what it offers that is most like the old value."""
    if isinstance(value, int | float) and not isinstance(value, bool):
        for pattern, too_far in ((_PHRASES["at_most"], value.__gt__), (_PHRASES["at_least"], value.__lt__)):
            bound = pattern.search(error)
            number = int(next(filter(None, bound.groups()))) if bound else None
            if number is not None and too_far(number):
                return number
        return None
    options = [str(one) for one in schema.get("enum", ())] or list(_offered(error, str(value)))
    choice = choose(options, str(value))
    if choice is None and options:
        choice = max(options, key=lambda option: SequenceMatcher(None, option.casefold(), str(value).casefold()).ratio())
    return None if choice is None else fit(choice, schema)


def offered_values(error: str) -> list[str]:
    """The values an error offers to choose from, in its order."""
    return list(dict.fromkeys(_offered(error, "")))


def _offered(error: str, value: str) -> Iterator[str]:
    """The values an error offers in place of one."""
    offer = _PHRASES["choices"].search(error)
    if offer is None:
        return
    listed = re.split(r"[:：]\s+", offer.group(1).splitlines()[0])[-1]
    quoted = [next(filter(None, groups)) for groups in LISTED.findall(listed)]
    for option in quoted or re.split(r"[,、，/]| or |または|\s+", listed):
        plain = option.strip(" .。?？!")
        if plain and plain != value:
            yield plain


def pointed_to(
    tools: Sequence[ToolDefinition], failed: ToolDefinition, arguments: JsonObject, error: str
) -> tuple[ToolDefinition, JsonObject] | None:
    """The tool an error says to use instead, and its arguments: those it shares, and what the error names for the rest."""
    for tool in sorted(tools, key=lambda one: -len(one.name)):
        short = tool.name.split("_", 1)[-1]
        mention = re.search(rf"(?<![A-Za-z0-9_])(?:{re.escape(tool.name)}|{re.escape(short)})(?![A-Za-z0-9_])", error)
        if tool.name == failed.name or not mention or tool.name in failed.name:
            continue
        form = properties(tool)
        carried = {name: value for name, value in arguments.items() if name in form}
        for name in required(tool):
            if name not in carried:
                value = _named_in(error, name, noun_of(tool, name))
                if value is None:
                    break
                carried[name] = fit(value, form.get(name, {}))
        else:
            return tool, carried
    return None


def _named_in(error: str, argument: str, noun: str) -> str | None:
    """The value an error gives for an argument: `post_number=12`, `post 12`, `#12`, `番号 12`."""
    for label in (re.escape(argument), re.escape(noun) if noun else None, "#", "番号"):
        found = re.search(rf"{label}[\"']?\s*[=:：#は]?\s*[\"'#]?([\w-]*\d[\w-]*)", error, re.IGNORECASE) if label else None
        if found:
            return found.group(1)
    return None
