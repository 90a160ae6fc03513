"""Splits results into evidence units with author, time and path."""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import UTC, date, datetime, tzinfo
from functools import cache, lru_cache, partial
from itertools import islice, repeat
from typing import Any, NamedTuple, TypeGuard

from autonomy.provenance.sources.leaves import (
    LISTS,
    LONGEST_INDEX,
    LONGEST_PATH,
    MOST_LEAVES,
    MOST_SHAPES,
    NESTED,
    SCALARS,
    Entry,
    columns_of,
    member,
    parsed,
    walk_in_columns,
)
from autonomy.provenance.text.dates import with_slashes
from autonomy.provenance.text.facts import FactKind, exact_facts_in
from autonomy.provenance.text.normalize import fold, normalize
from autonomy.provenance.text.word_data import load_words
from discovery.text.near_names import snake_case

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


_UNIT: Callable[[tuple[str, str, str, str, frozenset[str], frozenset[str], frozenset[str]]], EvidenceUnit] = partial(
    tuple.__new__, EvidenceUnit
)
"""`EvidenceUnit._make` without a call in Python: a result has tens of thousands."""


class _Attributes(NamedTuple):
    persons: frozenset[str] = frozenset()
    days: frozenset[str] = frozenset()
    places: frozenset[str] = frozenset()


_KINDS = ("person", "time", "place")
_SILENT = _Attributes()


class UnitReader:
    """Reads the units of results in one run's day and time zone."""

    def __init__(self, day: date | None, zone: tzinfo | None) -> None:
        self._day, self._zone = day, zone
        self._known: dict[str, dict[str, frozenset[str]]] = {kind: {} for kind in _KINDS}
        """What values of a kind tell; the objects of a list repeat the same few."""

    def units(self, call_id: str, tool: str, result: Any, arguments: Any = None) -> Iterator[EvidenceUnit]:
        """The units of one result. What the call asked for (a channel, a day, a user) holds where the result itself is silent."""
        call_attributes = self._taken_apart(arguments, _SILENT)[2] if isinstance(arguments, dict) else _SILENT
        stack: list[tuple[Any, str, str, _Attributes]] = [(parsed(result), "$", "", call_attributes)]
        left = MOST_LEAVES
        while stack and left > 0:
            left -= 1
            value, path, key, above = stack.pop()
            if len(path) > LONGEST_PATH and not isinstance(value, str):
                continue
            if isinstance(value, dict):
                texts, inner, own = self._taken_apart(value, above)
                for text in texts:
                    yield from _lines(call_id, tool, path, text, own)
                if inner:
                    stack += [(item, member(path, name), str(name), own) for name, item in reversed(inner)]
            elif isinstance(value, LISTS):
                if len(value) <= left and (units := self._listed(call_id, tool, path, value, above)) is not None:
                    left -= len(value)
                    yield from units
                    continue
                stack += [(item, f"{path}[{at}]", key, above) for at, item in reversed(list(enumerate(value[:MOST_LEAVES])))]
            elif isinstance(value, str):
                yield from _lines(call_id, tool, path, value, above)

    def _listed(
        self, call_id: str, tool: str, path: str, value: Sequence[Any], above: _Attributes
    ) -> Iterator[EvidenceUnit] | None:
        """The units of objects that are alike and say one line each, in columns: a third of the time of one by one."""
        columns = columns_of(value) if len(path) < LONGEST_PATH - LONGEST_INDEX else None
        lines = _only_lines(tuple(value[0]), columns) if columns else None
        if lines is None or not columns:
            return None
        kinds = [kind for kind, _ in _traits(tuple(value[0]))]
        attributes: list[Iterable[frozenset[str]]] = []
        for kind, around in zip(_KINDS, above, strict=True):
            told = [map(self._says, repeat(kind), column) for of, column in zip(kinds, columns, strict=True) if of == kind]
            if len(told) == 1:
                attributes.append(_each_or(told[0], around))
            else:
                attributes.append(map(_together, zip(*told, strict=True), repeat(around)) if told else repeat(around))
        paths = (f"{path}[{at}]" for at in range(len(value)))
        found = zip(paths, lines, *attributes, strict=False)
        return (_UNIT((call_id, tool, *unit)) for unit in found if unit[1])

    def _taken_apart(self, value: dict[str, Any], above: _Attributes) -> tuple[Iterable[str], list[tuple[str, Any]], _Attributes]:
        """What an object says, what is inside of it, and whose, when and where it is."""
        texts: list[str] = []
        inner: list[tuple[str, Any]] = []
        found: dict[str, frozenset[str]] = {}
        for (kind, free), (name, item) in zip(_traits(tuple(value)), value.items(), strict=True):
            if isinstance(item, str):
                if item if free else len(item) > LONGEST_FIELD or "\n" in item:
                    texts.append(item)
            elif isinstance(item, NESTED):
                inner.append((name, item))
            if kind and item is not None and (values := self._says(kind, item)):
                found[kind] = found[kind] | values if kind in found else values
        if not found:
            return _told(value, texts), inner, above
        persons, days, places = above
        named = _Attributes(found.get("person", persons), found.get("time", days), found.get("place", places))
        return _told(value, texts), inner, named

    def _says(self, kind: str, value: Any) -> frozenset[str]:
        if not isinstance(value, str):
            return frozenset(self._days(value) if kind == "time" else _names(value))
        values = self._known[kind].get(value)
        if values is None:
            values = self._known[kind][value] = frozenset(self._days(value) if kind == "time" else _names(value))
        return values

    def _days(self, value: Any) -> Iterator[str]:
        if at := epoch(value, self._zone):
            yield at.date().isoformat()
        elif isinstance(value, str) and len(value) <= LONGEST_FIELD:
            for fact in exact_facts_in(with_slashes(normalize(value)), self._day, self._zone):
                if fact.kind is FactKind.DATE:
                    yield fact.keys[0]


def epoch(value: Any, zone: tzinfo | None) -> datetime | None:
    """The moment that seconds or milliseconds since 1970 stand for, between 2001 and 2100; None for anything else."""
    if isinstance(value, bool) or not isinstance(value, SCALARS):
        return None
    if isinstance(value, str) and len(value) > LONGEST_EPOCH:  # what is remembered of a text is the text
        return None
    return _moment(value, zone)


@lru_cache(maxsize=20_000)
def _moment(value: str | float, zone: tzinfo | None) -> datetime | None:
    # a figure with more digits is too large for a float
    if not _EPOCH.fullmatch(value) if isinstance(value, str) else not 1e9 <= value < 4.1e12:
        return None
    seconds = float(value)
    seconds = seconds / 1000 if seconds >= 1e12 else seconds
    return datetime.fromtimestamp(seconds, zone or UTC) if 1e9 <= seconds < 4.1e9 else None


LONGEST_EPOCH = 23
_EPOCH = re.compile(r"[1-4]\d{9}(?:\d{3})?(?:\.\d{1,9})?")


@lru_cache(maxsize=5_000)
def attribute_kind(key: str) -> str:
    """The attribute that a key gives its object: `person`, `time`, `place`, or empty."""
    return _attribute_keys().get(key.lower(), "")


@cache
def _attribute_keys() -> dict[str, str]:
    words = load_words("result_keys")
    return {key: kind for kind in ("place", "time", "person") for key in words[kind]}


@cache
def text_keys() -> frozenset[str]:
    """The keys under which free text stands."""
    return frozenset(load_words("result_keys")["text"])


@cache
def person_keys() -> frozenset[str]:
    """Return the keys whose values name a person or a thing."""
    words = load_words("result_keys")
    return frozenset((*words["name"], *words["person"]))


def is_line(text: str) -> bool:
    """Whether a string is short enough for a field."""
    return len(text) <= LONGEST_FIELD and "\n" not in text


def are_lines(column: Sequence[Any]) -> TypeGuard[Sequence[str]]:
    """Whether all values of a column are strings short enough for a field; as one, which takes a fifth of the time."""
    return set(map(type, column)) == {str} and max(map(len, column)) <= LONGEST_FIELD and "\n" not in "".join(column)


def with_speech(result: Any) -> Iterator[Entry]:
    """The leaves of a result, those of a list of sentences under the key of a text: each of them is what somebody says, also one
    that is a mailbox or an id."""
    members = result.items() if isinstance(result, dict) else (("", result),)
    said = {member("$", key) if key else "$" for key, value in islice(members, MOST_LISTS) if _is_speech(value)}
    entries = walk_in_columns(result)
    return (
        ((path, "text" if path.rpartition("[")[0] in said else key, value) for path, key, value in entries) if said else entries
    )


def _is_speech(listed: Any) -> bool:
    is_of_texts = isinstance(listed, list) and all(isinstance(one, str) for one in listed)
    return is_of_texts and any(_SENTENCE.search(one[:LONGEST_FIELD]) for one in listed)


MOST_LISTS = 50
_SENTENCE = re.compile(r"[！？。]|\w \S{0,40}[^\W\d_][!?](?: |$)|(?:\w\S{0,40} ){2}\S{0,40}\w\.$|(?:\w\S{0,40} ){7}\w")
"""Words with a sign behind them that ends no name, three words with a full stop, or eight words."""


@lru_cache(maxsize=5_000)
def announces_text(key: str) -> bool:
    """Whether free text stands under a key: by the whole name, or its last word, as in `status_text`."""
    words = snake_case(key).split("_")
    return key.lower() in text_keys() or words[-1] in text_keys()


def _names(value: Any) -> Iterator[str]:
    if isinstance(value, str) and len(value) <= LONGEST_FIELD:
        whole = fold(value).strip()
        parts = whole.split("/") if "/" in whole else ()
        yield from filter(None, (whole, *parts))  # an empty field names nobody
    elif isinstance(value, int) and not isinstance(value, bool):
        yield str(value)
    elif isinstance(value, dict):
        for name in _naming_keys(tuple(islice(value, MOST_KEYS))):
            yield from _names(value[name]) if not isinstance(value[name], dict) else ()


MOST_KEYS = 50
"""Of a person or place that is an object, under which its names are looked for."""


@lru_cache(maxsize=2_000)
def _naming_keys(keys: tuple[object, ...]) -> tuple[object, ...]:
    """Those keys of an object under which it is named."""
    words = load_words("result_keys")["name"]
    return tuple(key for key in keys if str(key).lower() in words or str(key).lower() == "id")


_TRAITS: dict[tuple[object, ...], tuple[tuple[str, bool], ...]] = {}
"""By the keys of an object; the objects of a list mostly have the same."""


def _traits(names: tuple[object, ...]) -> tuple[tuple[str, bool], ...]:
    """Of each key what it tells of its object, and whether free text stands under it."""
    traits = _TRAITS.get(names)
    if traits is None:
        traits = tuple((attribute_kind(str(name)), not str(name) or announces_text(str(name))) for name in names)
        if len(_TRAITS) < MOST_SHAPES:
            _TRAITS[names] = traits
    return traits


def _told(value: dict[str, Any], texts: Sequence[str]) -> Iterable[str]:
    """What an object says: its free texts with its titles, or, for a row without any, its scalars with their keys."""
    if texts:
        titled = "title" in value or "name" in value
        titles = [value[name] for name in ("title", "name") if name in value and isinstance(value[name], str)] if titled else []
        return dict.fromkeys([*titles, *texts]) if titles or len(texts) > 1 else texts
    cells = [f"{name}: {item}" for name, item in value.items() if type(item) in _CELLS]
    row = ", ".join(cells[:MOST_CELLS])
    return (row,) if row else ()


MOST_CELLS = 100
"""Of one row that are told."""


def is_row(text: str) -> bool:
    """Whether the text of a unit is a row: fields with their names, none of them a sentence."""
    return bool(_ROW.match(text))


_ROW = re.compile(r"[^:,]{1,30}: .*?, [^:,]{1,30}: ")


def _only_lines(names: tuple[str, ...], columns: Sequence[Sequence[Any]]) -> Iterable[str] | None:
    """What alike objects say, where that is one line of each: their text, or the row; None where it is more."""
    pairs = [(free, column) for (_, free), column in zip(_traits(names), columns, strict=True)]
    free = [column for is_free, column in pairs if is_free]
    fields = (value for is_free, column in pairs if not is_free and not are_lines(column) for value in column)
    if len(free) > 1 or "title" in names or "name" in names or any(isinstance(one, str) and not is_line(one) for one in fields):
        return None
    if free:
        is_text = set(map(type, free[0])) == {str} and all(free[0]) and "\n" not in "".join(free[0])
        return map(str.strip, free[0]) if is_text else None
    if len(names) > MOST_CELLS or not all(_CELLS.issuperset(map(type, column)) for column in columns):
        return None
    row = ", ".join(name.replace("{", "{{").replace("}", "}}") + ": {}" for name in names)
    return map(str.strip, map(row.format, *columns))


_CELLS = frozenset(SCALARS)


def _each_or(told: Iterable[frozenset[str]], around: frozenset[str]) -> Iterator[frozenset[str]]:
    """What one column tells; what holds around it where it tells nothing."""
    return (one or around for one in told)


def _together(told: Sequence[frozenset[str]], around: frozenset[str]) -> frozenset[str]:
    """What the columns of a kind tell together; what holds around them where they tell nothing."""
    return frozenset[str]().union(*told) or around


def _lines(call_id: str, tool: str, path: str, text: str, attributes: _Attributes) -> Iterable[EvidenceUnit]:
    if "\n" not in text:
        return (_UNIT((call_id, tool, path, line, *attributes)),) if (line := text.strip()) else ()
    lines = [stripped for line in text.split("\n", MOST_UNITS_OF_A_TEXT)[:MOST_UNITS_OF_A_TEXT] if (stripped := line.strip())]
    return [_UNIT((call_id, tool, path, line, *attributes)) for line in lines]
