"""Splits results into evidence units with author, time and path."""

import re
from collections.abc import Iterable, Iterator
from datetime import UTC, date, datetime, tzinfo
from functools import cache, lru_cache
from typing import Any, NamedTuple

from autonomy.provenance.sources.leaves import MOST_LEAVES, member, parsed
from autonomy.provenance.text.facts import FactKind, exact_facts_in
from autonomy.provenance.text.normalize import fold, normalize
from autonomy.provenance.text.word_data import load_words

LONGEST_FIELD = 120
"""Characters of one line; what is longer is prose."""
MOST_UNITS_OF_A_TEXT = 5_000


class EvidenceUnit(NamedTuple):
    """One line of what a JSON object says (a message, a post, a row), or one line of a plain text."""

    call_id: str
    tool: str
    path: str
    """JSON path of the object; lines of one object share it."""
    text: str
    persons: frozenset[str]
    """Folded ids and names of its author."""
    days: frozenset[str]
    """ISO days in the run's time zone."""
    places: frozenset[str]
    """Folded names and ids of the channel, category or place it stands in."""


class _Attributes(NamedTuple):
    persons: frozenset[str] = frozenset()
    days: frozenset[str] = frozenset()
    places: frozenset[str] = frozenset()

    def under(self, above: "_Attributes") -> "_Attributes":
        """These, and where one is empty the ones of the object around."""
        if above == _SILENT:
            return self
        return _Attributes(self.persons or above.persons, self.days or above.days, self.places or above.places)


_SILENT = _Attributes()


_NOTHING: frozenset[str] = frozenset()


class UnitReader(NamedTuple):
    """Reads the units of results in one run's day and time zone."""

    day: date | None
    zone: tzinfo | None

    def units(self, call_id: str, tool: str, result: Any, arguments: Any = None) -> Iterator[EvidenceUnit]:
        """The units of one result. What the call asked for (a channel, a day, a user) holds where the result itself is silent."""
        asked = self._attributes(arguments) if isinstance(arguments, dict) else _Attributes()
        stack: list[tuple[Any, str, str, _Attributes]] = [(parsed(result), "$", "", asked)]
        for _ in range(MOST_LEAVES):
            if not stack:
                return
            value, path, key, above = stack.pop()
            if isinstance(value, dict):
                own = self._attributes(value).under(above)
                for text in _told(value):
                    yield from _lines(call_id, tool, path, text, own)
                inner = [(name, item) for name, item in value.items() if isinstance(item, dict | list | tuple)]
                stack += [(item, member(path, name), str(name), own) for name, item in reversed(inner)]
            elif isinstance(value, list | tuple):
                stack += [(item, f"{path}[{at}]", key, above) for at, item in reversed(list(enumerate(value[:MOST_LEAVES])))]
            elif isinstance(value, str):
                yield from _lines(call_id, tool, path, value, above)

    def _attributes(self, value: dict[str, Any]) -> _Attributes:
        found: dict[str, list[str]] = {"person": [], "time": [], "place": []}
        for name, item in value.items():
            if kind := attribute_kind(str(name)):
                found[kind] += self._days(item) if kind == "time" else _names(item)
        return _Attributes(*(frozenset(names) if names else _NOTHING for names in found.values()))

    def _days(self, value: Any) -> Iterator[str]:
        if at := epoch(value, self.zone):
            yield at.date().isoformat()
        elif isinstance(value, str) and len(value) <= LONGEST_FIELD:
            for fact in exact_facts_in(normalize(value), self.day, self.zone):
                if fact.kind is FactKind.DATE:
                    yield fact.keys[0]


def epoch(value: Any, zone: tzinfo | None) -> datetime | None:
    """The moment that seconds or milliseconds since 1970 stand for, between 2001 and 2100; None for anything else."""
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        return None
    return _moment(value, zone)


@lru_cache(maxsize=20_000)
def _moment(value: str | float, zone: tzinfo | None) -> datetime | None:
    if isinstance(value, str) and not _EPOCH.fullmatch(value):
        return None
    seconds = float(value)
    seconds = seconds / 1000 if seconds >= 1e12 else seconds
    return datetime.fromtimestamp(seconds, zone or UTC) if 1e9 <= seconds < 4.1e9 else None


_EPOCH = re.compile(r"[1-4]\d{9}(?:\d{3})?(?:\.\d{1,9})?")


@lru_cache(maxsize=5_000)
def attribute_kind(key: str) -> str:
    """What a key tells of its object: `person`, `time`, `place`, or empty."""
    return _attribute_keys().get(key.lower(), "")


@cache
def _attribute_keys() -> dict[str, str]:
    words = load_words("result_keys")
    return {key: kind for kind in ("place", "time", "person") for key in words[kind]}


@cache
def text_keys() -> frozenset[str]:
    """The keys under which free text stands."""
    return frozenset(load_words("result_keys")["text"])


def is_field(key: str, text: str) -> bool:
    """Whether a string is a structured field: one short line under a key that does not announce free text."""
    return bool(key) and len(text) <= LONGEST_FIELD and "\n" not in text and not _announces_text(key)


@lru_cache(maxsize=5_000)
def _announces_text(key: str) -> bool:
    return key.lower() in text_keys()


def _names(value: Any) -> Iterator[str]:
    if isinstance(value, str) and len(value) <= LONGEST_FIELD:
        yield fold(value).strip()
        if "/" in value:
            yield from filter(None, fold(value).split("/"))
    elif isinstance(value, int) and not isinstance(value, bool):
        yield str(value)
    elif isinstance(value, dict):
        words = load_words("result_keys")
        for name, item in list(value.items())[:50]:
            if str(name).lower() in words["name"] or str(name).lower() == "id":
                yield from _names(item) if not isinstance(item, dict) else ()


def _told(value: dict[str, Any]) -> Iterator[str]:
    """What an object says: its free texts, or, for a row without any, its scalars with their keys."""
    texts = [item for name, item in value.items() if isinstance(item, str) and item and not is_field(str(name), item)]
    titles = [value[name] for name in ("title", "name") if isinstance(value.get(name), str)]
    if texts:
        yield from dict.fromkeys([*titles, *texts])
        return
    scalars = [(name, item) for name, item in value.items() if isinstance(item, str | int | float) and not isinstance(item, bool)]
    if row := ", ".join(f"{name}: {item}" for name, item in scalars[:100]):
        yield row


def _lines(call_id: str, tool: str, path: str, text: str, attributes: _Attributes) -> Iterable[EvidenceUnit]:
    lines = [stripped for line in text.split("\n", MOST_UNITS_OF_A_TEXT)[:MOST_UNITS_OF_A_TEXT] if (stripped := line.strip())]
    return (EvidenceUnit(call_id, tool, path, line, *attributes) for line in lines)
