"""Finds the values of a goal that are whole by their form."""

import re
import zoneinfo
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from pathlib import Path

from autonomy.llm.offline.tool_use.argument_kinds import COUNTED_FROM, COUNTERS, FORMS
from metrics.text.quotations import SPOKEN

_LEAD = re.compile(COUNTED_FROM)
_SENTENCE_MARKS = ".,;:?!)"
"""They end a sentence around a path or an address, and no path or address."""


def _cities() -> dict[str, str]:
    """The time zone that is named after a city, as the system's own table lists them; none where it has no table."""
    table = next((file for one in zoneinfo.TZPATH if (file := Path(one, "zone.tab")).is_file()), None)
    lines = table.read_text(encoding="utf-8").splitlines() if table else ()
    zones = [line.split("\t")[2] for line in lines if not line.startswith("#")]
    return {zone.rpartition("/")[2].replace("_", " "): zone for zone in zones}


_ZONE_OF_CITY = _cities()
_CITY = re.compile(r"\b[A-Z][a-z]{2,}(?: [A-Z][a-z]{2,})?\b")


@dataclass(frozen=True)
class ExactValue:
    """A value of a goal: its kind, how it was written, how it is given, and the words on both sides of it."""

    kind: str
    text: str
    value: str
    before: str
    after: str


def values_in(text: str, kinds: Collection[str]) -> tuple[list[ExactValue], str]:
    """The values of these kinds and the quoted texts, in the order of the text, and the text with a bar for each of them."""
    spans: dict[tuple[int, int], tuple[str, str]] = {}
    for quoted in SPOKEN.finditer(text):
        quotation = next(filter(None, quoted.groups()))
        spans[quoted.span()] = (next((kind for kind in FORMS if kind in kinds and _whole(kind, quotation)), "text"), quotation)
    for kind in (one for one in FORMS if one in kinds):
        for found, value in _found(kind, text):
            begin, end = found.start(), found.start() + len(_trimmed(kind, found.group()))
            if all(end <= first or begin >= last for first, last in spans):
                spans[begin, end] = (kind, value)
    values, remainder, last = list[ExactValue](), "", 0
    for (begin, end), (kind, value) in sorted(spans.items()):
        lead = text[begin:end].partition(value)[0] if kind == "number" else ""
        before = "".join((lead or text[last:begin]).split()[-1:]).lower()
        values.append(ExactValue(kind, text[begin:end], value, before, text[end:].lstrip()[:3]))
        remainder, last = f"{remainder}{text[last:begin]} | ", end
    return values, remainder + text[last:]


def _found(kind: str, text: str) -> Iterator[tuple[re.Match[str], str]]:
    """Where such values stand, and what is given for each; a city is its time zone."""
    for match in FORMS[kind].looks.finditer(text):
        value = _trimmed(kind, match.group())
        value = _LEAD.sub("", value).rstrip(COUNTERS) if kind == "number" else value
        if value:
            yield match, value
    for match in _CITY.finditer(text) if kind == "zone" else ():
        if zone := _ZONE_OF_CITY.get(match.group()):
            yield match, zone


def _trimmed(kind: str, text: str) -> str:
    return text.rstrip("" if kind == "expression" else _SENTENCE_MARKS).strip()


def _whole(kind: str, text: str) -> bool:
    return FORMS[kind].looks.fullmatch(text.strip()) is not None
