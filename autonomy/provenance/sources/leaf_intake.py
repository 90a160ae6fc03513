"""Sorts the leaves of one thing into texts: fields, prose and moments."""

import re
from collections.abc import Iterable, Iterator, Sequence
from datetime import tzinfo
from functools import lru_cache
from itertools import compress
from operator import itemgetter
from typing import NamedTuple
from urllib.parse import unquote

from autonomy.provenance.sources.evidence_units import LONGEST_FIELD, announces_text, are_lines, attribute_kind, epoch
from autonomy.provenance.sources.leaf_text import LeafText
from autonomy.provenance.sources.leaves import Entry, ListedObjects, Scalar, in_rows, is_figure, last_key
from autonomy.provenance.sources.origins import Origin
from autonomy.provenance.sources.stated_facts import COUNTS_OF_OTHERS
from autonomy.provenance.text.dates import is_moment

_OFFSET = re.compile(r"([-+]\d\d):?\d\d$")
_IS_ZONE_KEY = re.compile(r"zone|tz", re.IGNORECASE)
_ZONE = re.compile(r"[A-Z][A-Za-z]+/[A-Z][A-Za-z_/-]{2,40}")
_FIGURE = re.compile(r"-?\d{1,15}(?:\.\d{1,15})?")
_MEASURES_KEY = re.compile(r"(?:^|_)(?:cents?|amount|total|sum|price|cost|count|balance|value)s?(?:_|$)", re.IGNORECASE)
"""Of a text with figures: a number that a database or a payment service writes as a text, and no id."""
_LAST_TWO = re.compile(r"\[\d+\](\[\d+\])$")
_WHOLE_ADDRESS = re.compile(r"(?:https?|ftp|file)://(?:[^\s]{1,2000}|/[^\n]{1,2000})")
"""A leaf that is one address; only in a path of a machine blanks stand undecoded."""
_LISTS_MOMENTS = re.compile(r"values?$|series|points", re.IGNORECASE)
"""Under such a key a series has pairs of a moment and a figure."""
_ENDS_ADDRESS = re.compile(r"[\s'\"ぁ-ヿ一-鿿()]")
"""What ends an address in running text, so that its form does not show how far one with it goes."""


class LeafIntake:
    """The texts of one thing, and what its leaves tell beside them.

    A list of thousands of objects with the same keys is taken column by column, which gives the same in a third of the time.
    """

    def __init__(self, origin: Origin | None, call_id: str, tool: str, label: str, zone: tzinfo) -> None:
        """`origin`: None where each leaf tells its own; `zone`: where bare timestamps are told."""
        self._field = LeafText(origin or Origin.FIELD, call_id, tool, label)
        self._prose = self._field if origin else LeafText(Origin.TEXT, call_id, tool, label)
        self._moments = LeafText(origin or Origin.FIELD, call_id, tool, label, moments=True)
        self._call_id, self._zone = call_id, zone
        self.cells: list[tuple[str, str, float]] = []
        """The numbers in fields of a result: call, key and value; of a list of pairs (`[1804222800, "0.41"]`, as Prometheus gives
        them) the list instead of a key."""
        self.offsets: set[int] = set()
        """Hours ahead of UTC in which moments are written."""
        self.zones: set[str] = set()
        """The zones that are named, by their IANA names."""
        self.spaced: set[str] = set()
        """Whole addresses with blanks or quotation marks inside, decoded."""

    def texts(self) -> Iterator[LeafText]:
        """The texts that hold something."""
        return (text for text in dict.fromkeys((self._field, self._moments, self._prose)) if text.values)

    def take(self, entries: Iterable[Entry]) -> None:
        """Take in leaves, as path, key and value."""
        field, prose, moments = self._field, self._prose, self._moments
        to_field, cell_of = field.add, self._call_id
        for path, key, value in entries:  # a megabyte has thirty thousand: each look at a value costs milliseconds in all
            free, is_time, lists_moments, counts_others, names_zone = _key_traits(key)
            if isinstance(value, str):
                is_prose = (free and (key or not _names_field(path, value))) or len(value) > LONGEST_FIELD or "\n" in value
                text = prose if is_prose else field
                is_stamp = is_time and text is field and is_moment(value)
                (moments if is_stamp else text).add(path, key, value)
                if is_stamp and (offset := _OFFSET.search(value)):
                    self.offsets.add(int(offset[1]))
                if names_zone and _ZONE.fullmatch(value):
                    self.zones.add(value)
                if "://" in value:
                    for other in self._other_forms(value):
                        text.add(path, key, other)
                if cell_of and not counts_others and (value[:1].isdecimal() or value[:1] == "-"):
                    self._add_written_cell(path, key, value)
            elif isinstance(value, ListedObjects):
                self._take_listed(path, value)
                continue
            else:
                to_field(path, key, value)
                if cell_of and not counts_others and is_figure(value):
                    self.cells.append((cell_of, key, value))
            if (is_time or lists_moments) and (at := epoch(value, self._zone)):
                moments.add(path, key, at.isoformat(timespec="seconds"))

    def _add_written_cell(self, path: str, key: str, value: str) -> None:
        """Keep a number that stands in a field as a text."""
        if _FIGURE.fullmatch(value):
            if path.endswith("]"):
                self.cells.append((self._call_id, _LAST_TWO.sub(r"[]\1", path), float(value)))
            elif "." in value or _MEASURES_KEY.search(key):
                self.cells.append((self._call_id, key, float(value)))

    def _other_forms(self, address: str) -> Iterator[str]:
        """An address as people write it."""
        if _WHOLE_ADDRESS.fullmatch(address):
            written = unquote(address)
            if written != address:  # people write it decoded, in whatever way the result encodes it
                yield written
            if _ENDS_ADDRESS.search(written):
                self.spaced.add(written)

    def _take_listed(self, path: str, listed: ListedObjects) -> None:
        """Take in a list of objects column by column, or one by one where a text tells more than itself."""
        traits = [_key_traits(name) for name in listed.names]
        if any(names_zone for *_, names_zone in traits) or any(
            _has_other_forms(text) for text in listed.texts() if "://" in text
        ):
            self.take(listed.leaves(path))
            return
        rows = [f"{path}[{at}]" for at in range(len(listed.columns[0]))]
        moments: list[tuple[int, int, str]] = []
        cells: list[tuple[int, int, float]] = []
        goes: list[list[int]] = []
        for at, (name, column, of_key) in enumerate(zip(listed.names, listed.columns, traits, strict=True)):
            goes.append(self._destinations(column, is_free=of_key.free, is_time=of_key.is_time))
            if of_key.is_time or of_key.lists_moments:
                moments += [(row, at, str(value)) for row, value in enumerate(column) if goes[at][row] == _MOMENT]
                found = ((row, epoch(value, self._zone)) for row, value in enumerate(column))
                moments += [(row, at, moment.isoformat(timespec="seconds")) for row, moment in found if moment]
            if self._call_id and not of_key.counts_others:
                cells += [(row, at, figure) for row, figure in _figures_in(column, name)]
        flat = list(in_rows(goes))
        paths, keys = [row + step for row in rows for step in listed.steps], listed.names * len(rows)
        values = list(in_rows(listed.columns))
        for text, number in ((self._field, _FIELD), (self._prose, _PROSE)):
            if number in flat:
                chosen = list(map(number.__eq__, flat))
                text.extend(compress(paths, chosen), compress(keys, chosen), compress(values, chosen))
        moments.sort(key=_PLACE)
        told = [rows[row] + listed.steps[at] for row, at, _ in moments]
        self._moments.extend(told, [listed.names[at] for _, at, _ in moments], [value for *_, value in moments])
        self.cells += [(self._call_id, listed.names[at], figure) for _, at, figure in sorted(cells, key=_PLACE)]

    def _destinations(self, column: Sequence[Scalar | None], *, is_free: bool, is_time: bool) -> list[int]:
        """Where each value of a column goes."""
        prose = _FIELD if self._prose is self._field else _PROSE
        goes = [prose if is_free else _FIELD] * len(column) if are_lines(column) else [
            (prose if is_free or len(value) > LONGEST_FIELD or "\n" in value else _FIELD)
            if isinstance(value, str)
            else _NOWHERE if value is None else _FIELD
            for value in column
        ]  # fmt: skip
        for row, value in enumerate(column) if is_time else ():
            if goes[row] == _FIELD and isinstance(value, str) and is_moment(value):
                goes[row] = _MOMENT
                if offset := _OFFSET.search(value):
                    self.offsets.add(int(offset[1]))
        return goes


_NOWHERE, _FIELD, _PROSE, _MOMENT = range(4)
_PLACE = itemgetter(0, 1)


class _Traits(NamedTuple):
    """What a key tells of what stands under it."""

    free: bool
    """Free text."""
    is_time: bool
    lists_moments: bool
    """It may be a series of moments."""
    counts_others: bool
    """A figure that is no source of others."""
    names_zone: bool


@lru_cache(maxsize=5_000)
def _key_traits(key: str) -> _Traits:
    return _Traits(
        free=not key or announces_text(key),
        is_time=attribute_kind(key) == "time",
        lists_moments=not key or bool(_LISTS_MOMENTS.search(key)),
        counts_others=key.lower() in COUNTS_OF_OTHERS,
        names_zone=bool(_IS_ZONE_KEY.search(key)),
    )


def _names_field(path: str, key: str) -> bool:
    """Whether a key that is data itself is a field's name in whatever script."""
    return key.isidentifier() and last_key(path) == key


def _has_other_forms(text: str) -> bool:
    """Whether people may write a text in another way as well: it is an address with signs in code, or blanks."""
    return bool(_WHOLE_ADDRESS.fullmatch(text) and ("%" in text or _ENDS_ADDRESS.search(text)))


def _figures_in(column: Sequence[Scalar | None], key: str) -> Iterator[tuple[int, float]]:
    """The numbers of a column, also those that are written as text, each with its row."""
    measures = bool(_MEASURES_KEY.search(key))
    if not measures and are_lines(column) and "." not in "".join(column):
        return
    for row, value in enumerate(column):
        if isinstance(value, str):
            if (measures or "." in value) and _FIGURE.fullmatch(value):
                yield row, float(value)
        elif value is not None and is_figure(value):
            yield row, value
