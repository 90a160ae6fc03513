"""Keeps the sources of a run and finds those of a value."""

import re
from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from datetime import UTC, date, tzinfo
from decimal import Decimal
from enum import StrEnum
from heapq import nsmallest
from typing import Any, NamedTuple
from urllib.parse import unquote

from autonomy.provenance.sources.captions import caption_units, new_lines
from autonomy.provenance.sources.columns import column_figures
from autonomy.provenance.sources.evidence_units import EvidenceUnit, UnitReader, attribute_kind, epoch, is_field
from autonomy.provenance.sources.identities import Identities, asked_and_shown
from autonomy.provenance.sources.leaves import Leaf, leaves, parsed
from autonomy.provenance.sources.table_rows import Row, group_sums, rows_of
from autonomy.provenance.sources.unit_index import UnitIndex
from autonomy.provenance.text.facts import Fact, FactKind, exact_facts_in, facts_in, number_key
from autonomy.provenance.text.normalize import fold, normalize
from autonomy.provenance.text.sentences import terms
from autonomy.provenance.text.word_data import load_words
from discovery.catalog import Effect, JsonObject
from discovery.schemas.schema_walk import subschemas

SHOWN_CHARS = 300
"""How much of a leaf a source quotes."""
MOST_SOURCES = 8
"""Of one value: enough to show, and the strongest are among them."""
MOST_EXAMINED = 400
"""Leaves that are read for one fact; those that hold its figures come first."""
LONGEST_COMPOSED = 200_000
"""Characters of an argument in which facts are sought; the rest counts as without source."""
SHORTEST_CONTAINED = 2


class Origin(StrEnum):
    """Where a value came from; the order of the members is their strength, strongest first."""

    OPERATOR = "operator"
    """The operator's settings."""
    JOB = "job"
    """The job file: goal, inputs, needs."""
    ASKER = "asker"
    """The words of the person who asked."""
    SCHEMA = "schema"
    """A default or choice of the tool's own schema."""
    FIELD = "field"
    """A structured field of a result: one line of at most 120 characters, not under a key like `text` or `note`."""
    TEXT = "text"
    """Free text of a result, an error, a plain string, or anything of a read that untrusted text steered."""
    HISTORY = "history"
    """Earlier conversation."""
    CONTEXT = "context"
    """Context that was looked up before the first turn."""
    DESCRIPTION = "description"
    """A tool's or a provider's own description."""

    @property
    def strength(self) -> int:
        """0 for the strongest."""
        return _STRENGTHS[self]

    @property
    def trusted(self) -> bool:
        """Whether the operator, the job or the person who asked said it."""
        return self is Origin.OPERATOR or self is Origin.JOB or self is Origin.ASKER


_STRENGTHS = {origin: at for at, origin in enumerate(Origin)}


class ValueSource(NamedTuple):
    """One place where a value stands."""

    origin: Origin
    path: str
    """JSON path in what it was taken from, `$` for a whole text."""
    text: str
    """The leaf as it stands there, at most 300 characters around the value."""
    start: int
    end: int
    """Half-open range of the value in the whole leaf."""
    call_id: str = ""
    tool: str = ""
    """The call whose result it is, empty for others."""
    label: str = ""
    """What it was given as: `goal`, `inputs`, a setting's or argument's name."""
    alias: str = ""
    """The name or id through which it matched, when the value itself does not stand there (`U123` for 佐藤 遥)."""
    named_by: Origin | None = None
    """With `alias`: the origin of the place where the other name stands. The pair itself is only as good as `origin`."""


def _rank(source: ValueSource) -> tuple[int, bool, str, str, int, str]:
    return source.origin.strength, bool(source.alias), source.call_id, source.path, source.start, source.alias


class Part(NamedTuple):
    """One fact of a composed value, or a whole value, with its sources (strongest first)."""

    fact: Fact | None
    """None when the value was found as a whole."""
    sources: tuple[ValueSource, ...]


class Trace(NamedTuple):
    """What is known about the origin of an argument's value."""

    parts: tuple[Part, ...]
    """Empty for wording that states no fact."""

    @property
    def sources(self) -> tuple[ValueSource, ...]:
        """Strongest first; empty when any part has none."""
        if not all(part.sources for part in self.parts):
            return ()
        return tuple(
            sorted({source for part in self.parts for source in part.sources}, key=lambda source: source.origin.strength)
        )

    @property
    def weakest(self) -> Origin | None:
        """The origin of the weakest part, each taken at its strongest source; None when any part has none."""
        if not self.parts or not all(part.sources for part in self.parts):
            return None
        return max((part.sources[0].origin for part in self.parts), key=lambda origin: origin.strength)


class _Place(NamedTuple):
    """One leaf of anything the run has seen."""

    origin: Origin
    path: str
    key: str
    value: str | int | float | bool
    call_id: str = ""
    tool: str = ""
    label: str = ""


class _Read(NamedTuple):
    """One answered read, kept for its units."""

    call_id: str
    tool: str
    result: Any
    arguments: JsonObject | None
    lines: tuple[str, ...]


class _Haystack(NamedTuple):
    """The folded leaves of one origin in one string, for looking a text up in all of them at once."""

    text: str
    starts: list[int]
    places: list[int]


class Sources:
    """The sources of one run: append-only, rebuilt from the run's records. What is looked up does not depend on the order of
    adding.

    Adding is cheap; indexes are made when something is looked up first, and only of what came since.
    """

    def __init__(self, day: date | None = None, zone: tzinfo | None = None) -> None:
        """`day`: the run's day, from which relative words are resolved; `zone`: where its people live (UTC when None)."""
        self.day, self.zone = day, zone or UTC
        self._places: list[_Place] = []
        self._folded: list[str] = []
        self._facts: dict[int, tuple[Fact, ...]] = {}
        self._whole: dict[str, list[int]] = defaultdict(list)
        self._typed: dict[tuple[type, object], list[int]] = defaultdict(list)
        self._figures: dict[str, list[int]] = defaultdict(list)
        self._wordy: list[int] = []
        self._haystacks: list[_Haystack] = []
        self._units: list[EvidenceUnit] = []
        self._read: list[_Read] = []
        self._units_of = 0
        """How many of the reads are in `_units`."""
        self._told: tuple[EvidenceUnit, ...] = ()
        self._index: UnitIndex | None = None
        self._rows: tuple[Row, ...] = ()
        self._rows_of = 0
        self._counted: tuple[tuple[EvidenceUnit, ...], frozenset[int]] | None = None
        self._totals: tuple[tuple[Row, ...], frozenset[Decimal]] | None = None
        self._spaced: set[str] = set()
        """Whole addresses with blanks or quotation marks inside, decoded."""
        self._identities = Identities()
        self._untold: list[_Place] = []
        self._trusted_terms: set[str] = set()
        self._columns: tuple[int, dict[Decimal, str]] | None = None

    def add_settings(self, values: Mapping[str, Any]) -> None:
        """The operator's settings that values may be taken from, by name."""
        self._add(Origin.OPERATOR, dict(values), "settings")

    def add_job(self, values: Mapping[str, Any]) -> None:
        """What the job file fixes: `{"goal": …, "inputs": {…}, "needs": […]}`."""
        self._add(Origin.JOB, dict(values), "job")

    def add_words(self, text: str, label: str = "goal") -> None:
        """The words of the person who asked."""
        self._add_plain(Origin.ASKER, text, label)

    def add_schema(self, tool: str, schema: JsonObject) -> None:
        """Defaults, enums and constants of a tool's input schema."""
        for part in subschemas(schema):
            given = {name: part[name] for name in ("default", "enum", "const") if name in part}
            self._add(Origin.SCHEMA, given, "schema", tool=tool)

    def add_text(self, origin: Origin, text: str, label: str = "") -> None:
        """Any other text in view: `HISTORY`, `CONTEXT`, `DESCRIPTION`. Structure inside of it changes nothing."""
        self._add_plain(origin, text, label)

    def add_result(
        self,
        call_id: str,
        tool: str,
        result: Any,
        *,
        arguments: JsonObject | None = None,
        effect: Effect = Effect.READ,
        steered: bool = False,
        is_error: bool = False,
        text: str = "",
    ) -> None:
        """One result: its structured form or its text. `steered`: whether untrusted text chose the call or its arguments.

        `text`: the words that came beside structured data; what they only repeat of it counts once.
        A write's answer repeats what the run sent, so it is no evidence: only ids and addresses that are new count.
        """
        result = parsed(result)
        lines = new_lines(text, result) if text and not isinstance(result, str) else ()
        if effect is not Effect.READ:
            forced = Origin.TEXT if steered or is_error else None
            for leaf in _made_known(result, "\n".join(lines), arguments):
                self._place(_origin(leaf, forced), leaf, call_id, tool)
            return
        forced = Origin.TEXT if steered or is_error or isinstance(result, str) else None
        self._add(forced, result, "", call_id, tool)
        for line in lines:
            self._place(Origin.TEXT, Leaf("$", "", line), call_id, tool)
        if not is_error:
            self._identities.learn(result)
            for name, identifier in asked_and_shown(result, arguments):
                self._identities.same(name, identifier)
            self._read.append(_Read(call_id, tool, result, arguments, tuple(lines)))

    def settle(self, zone: tzinfo) -> None:
        """Times are told in this zone from now on; what was read in another is read again."""
        if zone != self.zone:
            self.zone = zone
            self._facts.clear()
            self._units.clear()
            self._units_of = 0

    def sources_of(self, value: Any) -> tuple[ValueSource, ...]:
        """The sources of an argument's value, strongest first; empty when it, or any fact in it, has none.

        A policy that needs every part of a composed value to be trusted asks `trace(value).weakest`.
        """
        return self.trace(value).sources

    def trace(self, value: Any) -> Trace:
        """The sources of a value, part by part: a scalar as a whole, else each fact in it; a list or object leaf by leaf."""
        if isinstance(value, dict | list | tuple):
            return Trace(tuple(part for leaf in leaves(value) for part in self.trace(leaf.value).parts))
        if value is None or value == "":
            return Trace(())
        if not isinstance(value, str):
            return Trace((Part(None, self._of_scalar(value)),))
        if whole := self._of_whole(value):
            return Trace((Part(None, whole),))
        parts = [Part(fact, self.of_fact(fact)) for fact in facts_in(value[:LONGEST_COMPOSED], self.day, self.zone)]
        return Trace((*parts, Part(None, ())) if len(value) > LONGEST_COMPOSED else tuple(parts))

    def of_fact(self, fact: Fact) -> tuple[ValueSource, ...]:
        """The sources of one fact, strongest first."""
        self._catch_up()
        if fact.kind in (FactKind.QUOTE, FactKind.NAME, FactKind.PLACE, FactKind.URL):
            found = [source for key in fact.keys for source in self._containing(fold(key), exact=fact.kind is FactKind.URL)]
            if fact.kind is FactKind.URL:  # where a form ends at a blank, the address itself goes on
                found = [source for source in found if source.text not in self._spaced or source.text == fact.text]
            aliases = self._by_alias(fact.keys[0]) if fact.kind is FactKind.NAME else ()
            return _strongest([*found, *aliases])
        return _strongest(self._stating(fact))

    def names_of(self, person: str) -> frozenset[str]:
        """Every folded id and name that results show for the same person, channel or place; itself included."""
        return self._identities.names_of(person)

    def ids_of(self, name: str) -> frozenset[str]:
        """The folded ids that bear a name; more than one when it is ambiguous."""
        return self._identities.ids_of(name)

    @property
    def units(self) -> tuple[EvidenceUnit, ...]:
        """The evidence units of all reads, in the order of arrival."""
        if self._units_of < len(self._read):
            reader = UnitReader(self.day, self.zone)
            for read in self._read[self._units_of :]:
                told = list(reader.units(read.call_id, read.tool, read.result, read.arguments))
                self._units += [*told, *caption_units(read.call_id, read.tool, read.lines, told)]
            self._units_of = len(self._read)
            self._told = tuple(self._units)
        return self._told

    @property
    def index(self) -> UnitIndex:
        """The units by their terms."""
        if self._index is None or self._index.units is not self.units:
            self._index = UnitIndex(self.units)
        return self._index

    def address_at(self, text: str, start: int) -> str:
        """The address with blanks that begins there, as a result gives it; empty where none does. No form tells its end."""
        self._catch_up()
        spaced = (written for written in self._spaced if text.startswith(written, start))
        return max(spaced, key=len, default="")

    def counts(self) -> frozenset[int]:
        """How many objects there are: in all, of each list of each call, and of each person, day and place."""
        if self._counted is None or self._counted[0] is not self.units:
            lists = Counter((unit.call_id, _INDEX.sub("[]", path)) for (_, path), unit in self._objects().items())
            records = self.records()
            self._counted = self.units, frozenset({len(records), *lists.values(), *_grouped(records.values()).values()})
        return self._counted[1]

    def group_totals(self) -> frozenset[Decimal]:
        """The totals of columns of figures by columns of words."""
        rows = self.rows()
        if self._totals is None or self._totals[0] is not rows:
            self._totals = rows, frozenset(total for sums in group_sums(rows) for total in sums.values())
        return self._totals[1]

    def records(self) -> dict[tuple[str, str], EvidenceUnit]:
        """The first unit of each item of a list that stands inside no other one (a message, not a reaction to it), by call and
        path; of a result without a list its objects."""
        found = self._objects()
        listed = {call for call, path in found if "[" in path}
        return {
            (call, path): unit
            for (call, path), unit in found.items()
            if ("[" in path or call not in listed) and not any((call, up) in found for up in _above(path))
        }

    def _objects(self) -> dict[tuple[str, str], EvidenceUnit]:
        return {(unit.call_id, unit.path): unit for unit in reversed(self.units)}

    def rows(self) -> tuple[Row, ...]:
        """The rows of the tables in all reads."""
        if self._rows_of < len(self._read):
            for read in self._read[self._rows_of :]:
                self._rows += tuple(rows_of(read.call_id, read.result, read.arguments))
            self._rows_of = len(self._read)
        return self._rows

    def trusted_text(self) -> tuple[str, ...]:
        """The folded values that the operator, the job and the person who asked gave."""
        self._catch_up()
        return tuple(self._folded[at] for at, place in enumerate(self._places) if place.origin.trusted)

    def figures(self) -> tuple[Decimal, ...]:
        """The numbers that stand in fields of results."""
        return tuple(Decimal(str(value)) for _, _, value in self._cells())

    def column_figures(self) -> dict[Decimal, str]:
        """What follows from whole columns of results, by `columns.column_figures`."""
        if self._columns is None or self._columns[0] != len(self._places):
            self._columns = len(self._places), column_figures(self._cells())
        return self._columns[1]

    def _cells(self) -> Iterator[tuple[str, str, float]]:
        for place in self._places:
            if (
                place.call_id
                and isinstance(place.value, int | float)
                and not isinstance(place.value, bool)
                and place.key.lower() not in _COUNTS_OF_OTHERS
            ):
                yield place.call_id, place.key, place.value

    def trusted_terms(self) -> frozenset[str]:
        """The terms of what the operator, the job and the person who asked said."""
        for place in self._untold:
            self._trusted_terms |= terms(str(place.value)[:LONGEST_COMPOSED])
        self._untold.clear()
        return frozenset(self._trusted_terms)

    def contains(self, text: str) -> bool:
        """Whether a folded text stands anywhere in what the run has seen."""
        self._catch_up()
        key = fold(text).strip()
        return bool(key) and any(key in haystack.text for haystack in self._haystacks)

    def _add(self, origin: Origin | None, value: Any, label: str, call_id: str = "", tool: str = "") -> None:
        for leaf in leaves(value):
            self._place(origin or _origin(leaf, None), leaf, call_id, tool, label)

    def _add_plain(self, origin: Origin, text: str, label: str) -> None:
        self._place(origin, Leaf("$", "", text), "", "", label)

    def _place(self, origin: Origin, leaf: Leaf, call_id: str, tool: str, label: str = "") -> None:
        place = _Place(origin, leaf.path, leaf.key, leaf.value, call_id, tool, label)
        self._places.append(place)
        if origin.trusted:
            self._untold.append(place)
        if attribute_kind(leaf.key) == "time" and (at := epoch(leaf.value, self.zone)):
            self._places.append(place._replace(value=at.isoformat(timespec="seconds")))
        if isinstance(leaf.value, str) and _WHOLE_ADDRESS.fullmatch(leaf.value):
            written = unquote(leaf.value)
            if written != leaf.value:  # people write it decoded, in whatever way the result encodes it
                self._places.append(place._replace(value=written))
            if _ENDS_ADDRESS.search(written):
                self._spaced.add(written)

    def _catch_up(self) -> None:
        """Index what was added since the last look-up."""
        first = len(self._folded)
        if first == len(self._places):
            return
        folded: dict[str, str] = {}
        for at, place in enumerate(self._places[first:], first):
            raw = place.value if isinstance(place.value, str) else str(place.value)
            key = folded.get(raw)
            if key is None:
                key = folded[raw] = fold(raw).strip()
            self._folded.append(key)
            if isinstance(place.value, str):
                if len(key) <= SHOWN_CHARS:
                    self._whole[key].append(at)
            else:
                self._typed[type(place.value), place.value].append(at)
            for run in {digits.lstrip("0") or "0" for digits in _FIGURES.findall(_THOUSANDS.sub("", key))}:
                self._figures[run].append(at)
            if _WORDY_NUMBER.search(key):
                self._wordy.append(at)
        by_origin: dict[Origin, list[int]] = defaultdict(list)
        for at in range(first, len(self._folded)):
            by_origin[self._places[at].origin].append(at)
        self._haystacks += (_haystack([self._folded[at] for at in places], places) for places in by_origin.values())

    def _of_scalar(self, value: float | bool) -> tuple[ValueSource, ...]:
        self._catch_up()
        same = [self._source(at, 0, len(self._folded[at])) for at in self._first(self._typed.get((type(value), value), []))]
        if isinstance(value, bool):
            return _strongest(same)
        key = number_key(value)
        number = Fact(FactKind.NUMBER, key, 0, 0, (key,))
        reference = Fact(FactKind.ID, f"#{key}", 0, 0, (f"#{key}",))
        return _strongest([*same, *self._stating(number), *self._stating(reference)])

    def _of_whole(self, value: str) -> tuple[ValueSource, ...]:
        """The sources of a text as it is: a leaf of its own, a word of a leaf, or the other name of one."""
        self._catch_up()
        key = fold(value).strip()
        if not key:
            return ()
        facts = facts_in(value.strip(), self.day, self.zone) if len(key) <= SHOWN_CHARS else ()
        single = next((fact for fact in facts if fact.text == value.strip() and fact.kind not in _FOUND_BY_TEXT), None)
        if single:
            return _strongest([*self._equal(key, value), *self._stating(single), *self._by_alias(key)])
        return _strongest([*self._equal(key, value), *self._containing(key), *self._by_alias(key)])

    def _equal(self, key: str, value: str) -> Iterator[ValueSource]:
        exact = normalize(value).strip()
        for at in self._first(self._whole.get(key, [])):
            same = normalize(str(self._places[at].value)).strip()
            if same == exact or not _CASE_MATTERS.fullmatch(exact):
                yield self._source(at, 0, len(str(self._places[at].value)))

    def _first(self, places: Collection[int]) -> list[int]:
        """As many of these leaves as are examined, those of the strongest origins first."""
        return nsmallest(MOST_EXAMINED, places, key=lambda at: (self._places[at].origin.strength, at))

    def _by_alias(self, key: str) -> list[ValueSource]:
        """Sources of the other names of a person. They are worth no more than the result that showed the pair: a structured
        field."""
        found = []
        for other in self._identities.names_of(key) - {key}:
            for source in (*self._equal(other, other.upper()), *self._containing(other)):
                weaker = max(source.origin, Origin.FIELD, key=lambda origin: origin.strength)
                found.append(source._replace(origin=weaker, alias=other, named_by=source.origin))
        return found

    def _containing(self, key: str, *, exact: bool = False) -> Iterator[ValueSource]:
        """Leaves in which a folded text stands as words of its own. `exact`: as a whole address."""
        if len(key) < SHORTEST_CONTAINED:
            return
        for haystack in self._haystacks:
            found = examined = 0
            at = haystack.text.find(key)
            while at >= 0 and found < MOST_SOURCES and examined < MOST_EXAMINED:
                examined += 1
                if _is_bounded(haystack.text, at, at + len(key), exact=exact):
                    place = bisect_right(haystack.starts, at) - 1
                    yield self._located(haystack.places[place], at - haystack.starts[place], key)
                    found += 1
                at = haystack.text.find(key, at + len(key))

    def _stating(self, fact: Fact) -> Iterator[ValueSource]:
        """Leaves that state a number, id, date or time, whatever its notation."""
        places = self._candidates(fact)
        written = fold(fact.text)
        # times of day hold the same figures a thousand times over: what is written like the fact itself is read first
        alike = [at for at in places if written in self._folded[at]]
        for at in dict.fromkeys((*self._first(alike), *self._first(places))):
            if fact.unit and self._places[at].key.lower() in _COUNTS_OF_OTHERS:
                continue
            for stated in self._facts_of(at):
                if _states(stated, fact) and not (is_small(fact) and not stated.unit and isinstance(self._places[at].value, str)):
                    yield self._source(at, stated.start, stated.end)
                    break

    def _candidates(self, fact: Fact) -> set[int]:
        """Leaves that hold the figures any notation of a fact has, and those that write numbers in words."""
        wanted: set[str] = set()
        for key in fact.keys:
            runs = [run.lstrip("0") or "0" for run in _FIGURES.findall(key)]
            if fact.kind is FactKind.DATE:
                wanted.update(runs[-1:])
            elif fact.kind is FactKind.TIME:
                wanted.update((runs[0], str((int(runs[0]) - 12) % 24)))
            else:
                wanted.add(max(runs, key=len, default=""))
        found = {at for run in wanted for at in self._figures.get(run, ())}
        return found if fact.kind is FactKind.ID else found.union(self._wordy)

    def _facts_of(self, at: int) -> tuple[Fact, ...]:
        facts = self._facts.get(at)
        if facts is None:
            place = self._places[at]
            text = normalize(str(place.value))
            found: Iterable[Fact] = exact_facts_in(text[:LONGEST_COMPOSED], self.day, self.zone)
            # 今日 in a message of another day is another day
            relative = place.origin.trusted
            facts = self._facts[at] = tuple(fact for fact in found if relative or not fact.relative)
            if isinstance(place.value, int) and place.key.lower() in load_words("result_keys")["id"]:
                facts = self._facts[at] = (*facts, Fact(FactKind.ID, text, 0, len(text), (f"#{text}",)))
        return facts

    def _source(self, at: int, start: int, end: int) -> ValueSource:
        place = self._places[at]
        text = str(place.value)
        shown = text if len(text) <= SHOWN_CHARS else text[max(0, start - SHOWN_CHARS // 2) :][:SHOWN_CHARS]
        return ValueSource(place.origin, place.path, shown, start, end, place.call_id, place.tool, place.label)

    def _located(self, at: int, offset: int, key: str) -> ValueSource:
        """A source whose span is looked for again in the original, where folding may have changed lengths."""
        raw = str(self._places[at].value)
        start = raw.lower().find(key)
        start = start if start >= 0 else min(offset, max(0, len(raw) - 1))
        return self._source(at, start, min(len(raw), start + len(key)))


_FOUND_BY_TEXT = (FactKind.QUOTE, FactKind.NAME, FactKind.PLACE, FactKind.URL)
_FIGURES = re.compile(r"\d+")
_COUNTS_OF_OTHERS = frozenset({"count", "reply_count", "num_members", "revision_number", "weather_code", "limit"})
"""Keys of small figures that count something of their own (reactions, replies): no source of a figure with a unit."""
_THOUSANDS = re.compile(r"(?<=\d),(?=\d{3}(?!\d))")
_WORDY_NUMBER = re.compile(
    r"[〇一二三四五六七八九十百千万億兆]|\d\s?(?:k|thousand|million|billion)\b|今日|昨日|明日|本日|today|yesterday|tomorrow|week|曜|day\b"
)
_CASE_MATTERS = re.compile(r"(?=.*[A-Z])(?=.*\d)[\w.-]{6,}")
"""An id of letters and figures: another case is another thing."""


_INDEX = re.compile(r"\[\d+\]")


def _above(path: str) -> Iterator[str]:
    """The paths of the items of lists that a path leads through."""
    return (path[: match.end()] for match in _INDEX.finditer(path, 0, len(path) - 1))


def _grouped(units: Iterable[EvidenceUnit]) -> Counter[str]:
    return Counter(name for unit in units for name in {unit.call_id, *unit.persons, *unit.days, *unit.places})


_WHOLE_ADDRESS = re.compile(r"(?:https?|ftp|file)://(?:[^\s]{1,2000}|/[^\n]{1,2000})")
"""A leaf that is one address; only in a path of a machine blanks stand undecoded."""
_ENDS_ADDRESS = re.compile(r"[\s'\"ぁ-ヿ一-鿿()]")
"""What ends an address in running text, so that its form does not show how far one with it goes."""


def _made_known(result: Any, words: str, arguments: JsonObject | None) -> Iterator[Leaf]:
    """Ids and addresses that a write's answer gives and its arguments do not."""
    known = {str(leaf.value) for leaf in leaves(arguments or {})}
    keys = load_words("result_keys")["id"]
    for leaf in leaves(result):
        if leaf.key.lower() in keys and str(leaf.value) not in known:
            yield leaf
    words = result if isinstance(result, str) else words
    sent = "\n".join(known)
    for fact in facts_in(words[:LONGEST_ANSWER]):
        if fact.kind in (FactKind.URL, FactKind.ID) and fact.text not in sent:
            yield Leaf("$", "", fact.text)


LONGEST_ANSWER = 5_000
"""Characters of a write's answer in which ids are sought; what is longer is no acknowledgement."""


def _origin(leaf: Leaf, forced: Origin | None) -> Origin:
    if forced or not isinstance(leaf.value, str):
        return forced or Origin.FIELD
    return Origin.FIELD if is_field(leaf.key, leaf.value) else Origin.TEXT


def _haystack(folded: list[str], places: list[int]) -> _Haystack:
    starts, at = [], 0
    for text in folded:
        starts.append(at)
        at += len(text) + 1
    return _Haystack("\n".join(folded), starts, places)


def _is_bounded(text: str, start: int, end: int, *, exact: bool) -> bool:
    """Whether a text stands there as words of its own: `ann` does not stand in `annual`, nor `a.example` in `a.example.evil`."""
    before, after = text[start - 1 : start], text[end : end + 2]
    if _is_wordy(text[start]) and _is_wordy(before):
        return False
    if exact and (_GOES_ON_AFTER.match(after) or before in ("@", ".", "-")):
        return False
    return not (_is_wordy(text[end - 1]) and _is_wordy(after[:1]))


_GOES_ON_AFTER = re.compile(r"[/?#&=%@:-][\w/]|\.\w")


def _is_wordy(character: str) -> bool:
    return character.isascii() and (character.isalnum() or character == "_")


def is_small(fact: Fact) -> bool:
    """Whether a figure is one digit with a unit: such a digit without its unit stands in any text, as 1. in a list."""
    return fact.kind is FactKind.NUMBER and bool(fact.unit) and len(fact.keys[0].lstrip("-")) == 1


def _states(stated: Fact, fact: Fact) -> bool:
    """Whether a fact of a source says the same: by kind, key and unit; a full date says its parts too."""
    if stated.kind is not fact.kind:
        return (
            fact.unit == "日" and stated.kind is FactKind.DATE and any(key[-2:].lstrip("0") in fact.keys for key in stated.keys)
        )
    if fact.unit and stated.unit and fact.unit != stated.unit:
        return False
    keys = stated.keys if fact.kind is not FactKind.DATE else tuple(widened_days(stated.keys))
    return not set(keys).isdisjoint(fact.keys)


def widened_days(days: Iterable[str]) -> Iterator[str]:
    """The keys of days, and what they also say: month and day, month, ISO week."""
    for day in days:
        yield day
        if _FULL_DAY.fullmatch(day):
            yield f"--{day[5:]}"
            yield f"--{day[5:7]}"
            yield day[:7]
            year, week, _ = date.fromisoformat(day).isocalendar()
            yield f"{year}-W{week:02}"
        elif _FULL_MONTH.fullmatch(day):
            yield f"--{day[5:]}"


_FULL_DAY = re.compile(r"\d{4}-\d\d-\d\d")
_FULL_MONTH = re.compile(r"\d{4}-\d\d")


def _strongest(found: Iterable[ValueSource]) -> tuple[ValueSource, ...]:
    order = sorted(
        set(found), key=lambda source: (source.origin.strength, source.call_id, source.path, source.start, source.alias)
    )
    return tuple(order[:MOST_SOURCES])
