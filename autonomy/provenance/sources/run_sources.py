"""Keeps the sources of a run and finds those of a value."""

import re
from bisect import insort
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from datetime import UTC, date, datetime, time, timedelta, tzinfo
from decimal import Decimal
from functools import lru_cache
from itertools import islice
from typing import Any, NamedTuple
from urllib.parse import unquote
from zoneinfo import ZoneInfo

from autonomy.provenance.sources.echoes import Echoes
from autonomy.provenance.sources.evidence_units import (
    LONGEST_FIELD,
    EvidenceUnit,
    UnitReader,
    announces_text,
    attribute_kind,
    epoch,
    is_line,
)
from autonomy.provenance.sources.identities import Identities, asked_and_shown
from autonomy.provenance.sources.leaf_text import BETWEEN, LeafText
from autonomy.provenance.sources.leaves import Leaf, Scalar, leaves, parsed, walk
from autonomy.provenance.sources.origins import Origin
from autonomy.provenance.sources.result_rows import rows_of
from autonomy.provenance.sources.tabular.captions import caption_units, new_lines
from autonomy.provenance.sources.tabular.columns import column_figures, sheet_minutes
from autonomy.provenance.sources.tabular.table_rows import (
    STATE_COLUMNS,
    means_by_week,
    minutes_taken,
    names_somebody,
)
from autonomy.provenance.sources.tabular.tables import Table, tables_of
from autonomy.provenance.sources.tabular.text_tables import with_named_cells, with_rows
from autonomy.provenance.sources.unit_index import UnitIndex
from autonomy.provenance.text.dates import is_iso_day, is_moment, local_moment, read_moment
from autonomy.provenance.text.facts import (
    CURRENCIES,
    Fact,
    FactKind,
    exact_facts_in,
    facts_in,
    ids_and_addresses_in,
    number_key,
    unit_key,
)
from autonomy.provenance.text.normalize import fold, normalize
from autonomy.provenance.text.sentences import terms
from autonomy.provenance.text.units import converted, units_like
from autonomy.provenance.text.word_data import load_words
from autonomy.provenance.text.zones import zone_called, zones_named
from discovery.catalog import Effect, JsonObject
from discovery.schemas.schema_walk import subschemas

SHOWN_CHARS = 300
"""How much of a leaf a source quotes."""
_FIGURE = re.compile(r"-?\d{1,15}(?:\.\d{1,15})?")
_MEASURES_KEY = re.compile(r"(?:^|_)(?:cents?|amount|total|sum|price|cost|count|balance|value)s?(?:_|$)", re.IGNORECASE)
"""Of a text with figures: a number that a database or a payment service writes as a text, and no id."""
SHORTEST_INITIALS = 3
"""Two words side by side have any two initials."""
_INITIALS = re.compile(r"([A-Z])(\d?)")
_ABBREVIATION = re.compile(r"(?:[A-Z]\d?){1,6}")
_OFFSET = re.compile(r"([-+]\d\d):?\d\d$")
_WITH_OFFSET = re.compile(r"(?:Z|[-+]\d\d:?\d\d)$")
MOST_MOMENTS = 20_000
_LAST_TWO = re.compile(r"\[\d+\](\[\d+\])$")
MOST_SOURCES = 8
"""Of one value: enough to show, and the strongest are among them."""
_IS_ZONE_KEY = re.compile(r"zone|tz", re.IGNORECASE)
_ZONE = re.compile(r"[A-Z][A-Za-z]+/[A-Z][A-Za-z_/-]{2,40}")
MOST_ZONES = 4
"""Of more, any time of day is the time somewhere."""
MOST_EXAMINED = 400
"""Leaves that are read for one fact; those that hold its figures come first."""
LONGEST_COMPOSED = 200_000
"""Characters of an argument in which facts are sought; the rest counts as without source."""
SHORTEST_CONTAINED = 2
LONGEST_PERSON = 8
"""Characters of a full name in kanji."""
MOST_STATES = 8
"""Different words of a column that says how rows stand; names and titles are more."""
MOST_GROUPED = 200
"""Rows of a table whose equal cells are counted; of a longer one any small number is a count."""


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


class _Read(NamedTuple):
    """One answered read, kept for its units."""

    call_id: str
    tool: str
    result: Any
    arguments: JsonObject | None
    lines: tuple[str, ...]


class Sources:
    """The sources of one run: append-only, rebuilt from the run's records. What is looked up does not depend on the order of
    adding.

    Adding is cheap; indexes are made when something is looked up first, and only of what came since.
    """

    def __init__(self, day: date | None = None, zone: tzinfo | None = None) -> None:
        """`day`: the run's day, from which relative words are resolved; `zone`: where its people live (UTC when None)."""
        self.day, self.zone = day, zone or UTC
        self._texts: list[LeafText] = []
        """Strongest origin first, and of one origin in the order of arrival."""
        self._cells: list[tuple[str, str, float]] = []
        """The numbers in fields of results: call, key and value; of a list of pairs (`[1804222800, "0.41"]`, as Prometheus gives
        them) the list instead of a key."""
        self._figures: tuple[Decimal, ...] = ()
        self._units: list[EvidenceUnit] = []
        self._read: list[_Read] = []
        self._units_of = 0
        """How many of the reads are in `_units`."""
        self._told: tuple[EvidenceUnit, ...] = ()
        self._index = UnitIndex()
        self._echoes = Echoes()
        self._answered: tuple[str, ...] = ()
        self._tables: tuple[Table, ...] = ()
        self._tables_of = 0
        self._persons: tuple[tuple[EvidenceUnit, ...], frozenset[str]] | None = None
        self._counted: tuple[tuple[EvidenceUnit, ...], frozenset[int]] | None = None
        self._totals: tuple[tuple[Table, ...], frozenset[Decimal]] | None = None
        self._periodic: tuple[tuple[Table, ...], frozenset[Decimal]] | None = None
        self._spans: tuple[tuple[Table, ...], frozenset[int]] | None = None
        self._spaced: set[str] = set()
        """Whole addresses with blanks or quotation marks inside, decoded."""
        self._offsets: set[int] = set()
        """Hours ahead of UTC in which moments of results are written."""
        self._zones: set[str] = set()
        """The zones that results and the request name, by their IANA names."""
        self._clocks: tuple[ZoneInfo, ...] = ()
        self._elsewhere: dict[str, list[tuple[LeafText, int]]] | None = None
        """The moments of results by the times of day that clocks in those zones show."""
        self._identities = Identities()
        self._given_terms: set[str] = set()
        self._found: dict[tuple[FactKind, str, tuple[str, ...], str], tuple[ValueSource, ...]] = {}
        """The sources of facts that were asked for since the last addition."""
        self._read_facts: dict[str, tuple[Fact, ...]] = {}
        """The facts of short texts that were read."""
        self._columns: tuple[int, dict[Decimal, str]] | None = None
        self._asked: tuple[int, frozenset[str]] = (0, frozenset())

    def add_settings(self, values: Mapping[str, Any]) -> None:
        """The operator's settings that values may be taken from, by name."""
        self._add(Origin.OPERATOR, leaves(dict(values)), "settings")

    def add_job(self, values: Mapping[str, Any]) -> None:
        """What the job file fixes: `{"goal": …, "inputs": {…}, "needs": […]}`."""
        self._add(Origin.JOB, leaves(dict(values)), "job")

    def add_words(self, text: str, label: str = "goal") -> None:
        """The words of the person who asked."""
        self.add_text(Origin.ASKER, text, label)

    def add_schema(self, tool: str, schema: JsonObject) -> None:
        """Defaults, enums and constants of a tool's input schema."""
        for part in subschemas(schema):
            if given := {name: part[name] for name in ("default", "enum", "const") if name in part}:
                self._add(Origin.SCHEMA, leaves(given), "schema", tool=tool)

    def add_text(self, origin: Origin, text: str, label: str = "") -> None:
        """Any other text in view: `HISTORY`, `CONTEXT`, `DESCRIPTION`. Structure inside of it changes nothing."""
        self._add(origin, (Leaf("$", "", text),), label)

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
        A write's answer repeats what the run sent, so it is no evidence: only ids and addresses that are new count. The same
        goes for what is read back of it later.
        """
        result = with_named_cells(parsed(result))
        lines = new_lines(text, result) if text and not isinstance(result, str) else ()
        if effect is not Effect.READ:
            self._echoes.wrote(arguments)
            forced = Origin.TEXT if steered or is_error else None
            self._add(forced, _made_known(result, "\n".join(lines), arguments), "", call_id, tool)
            if not is_error:
                new = tuple(_new_in_the_answer(result, arguments))
                self._add(Origin.TEXT, new, "", call_id, tool)
                self._answered += tuple(f"{leaf.key}: {leaf.value}" for leaf in new)
            return
        result = self._echoes.without(result, arguments)
        lines = tuple(line for line in lines if self._echoes.without(line, arguments))
        forced = Origin.TEXT if steered or is_error or isinstance(result, str) else None
        self._add(forced, walk(result), "", call_id, tool)
        if isinstance(result, str) and (rows := with_rows(result)):
            self._add(forced, walk(rows), "", call_id, tool)
            result = rows
        if lines:
            self._add(Origin.TEXT, (Leaf("$", "", line) for line in lines), "", call_id, tool)
        if not is_error:
            self._identities.learn(result)
            for name, identifier in asked_and_shown(result, arguments):
                self._identities.same(name, identifier)
            self._read.append(_Read(call_id, tool, result, arguments, tuple(lines)))

    @property
    def _hours_ahead(self) -> int:
        """How far the clocks of the run's people are ahead of UTC, in which logs are written."""
        offset = self.zone.utcoffset(datetime.combine(self.day or date(2000, 1, 1), time(12)))
        return round((offset or timedelta()).total_seconds() / 3600)

    def members_of_groups(self) -> frozenset[int]:
        """How many rows of a table have the same word in a column: five answers, three of them Wednesday."""
        tables = (rows for rows in self.tables() if len(rows) <= MOST_GROUPED)
        columns = (
            ({**row.cells, **row.flags}.get(name) for row in rows) for rows in tables for name in (*rows[0].cells, *rows[0].flags)
        )
        found: set[int] = set()
        for column in columns:
            counted = Counter(map(str, column))
            found |= set(counted.values())
            if len(counted) <= MOST_STATES:  # and of all that are not done
                found |= {counted.total() - count for count in counted.values()}
        return frozenset(found)

    def settle(self, zone: tzinfo, day: date | None = None) -> None:
        """Times are told in this zone from now on, and relative words are of this day, where one is given; what was
        read otherwise is read again."""
        day = day or self.day
        if (zone, day) != (self.zone, self.day):
            self.zone, self.day = zone, day
            self._found.clear()
            self._units.clear()
            self._units_of = 0
            self._index = UnitIndex()
            self._read_facts.clear()
            for text in self._texts:
                text.facts.clear()

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
        asked = fact.kind, fact.text, fact.keys, fact.unit
        if asked not in self._found:
            self._found[asked] = self._search(fact)
        return self._found[asked]

    def _search(self, fact: Fact) -> tuple[ValueSource, ...]:
        if fact.kind in (FactKind.QUOTE, FactKind.NAME, FactKind.PLACE, FactKind.URL):
            found = [source for key in fact.keys for source in self._containing(fold(key), exact=fact.kind is FactKind.URL)]
            if fact.kind is FactKind.URL:  # where a form ends at a blank, the address itself goes on
                found = [source for source in found if source.text not in self._spaced or source.text == fact.text]
            aliases = self._by_alias(fact.keys[0]) if fact.kind is FactKind.NAME else ()
            if fact.kind is FactKind.NAME and len(fact.keys[0]) < SHORTEST_CONTAINED:
                found += [*self._equal(fact.keys[0], fact.keys[0]), *self._family_names(fact.keys[0])]
            return _strongest([*found, *aliases])
        if fact.kind is FactKind.ID and _SHORT_HASH.fullmatch(fact.keys[0]):
            return _strongest([*self._stating(fact), *self._beginning(fact.keys[0])])
        found = list(self._stating(fact))
        if fact.kind is FactKind.TIME and not found:
            shown = (self._by_clocks_elsewhere().get(key, ()) for key in fact.keys)
            found = [_source(*place, 0, len(str(place[0].values[place[1]]))) for places in shown for place in places]
        return _strongest(found)

    def open_clocks(self) -> None:
        """From now on a time of day counts as read as well where clocks show it in a zone that results or the request name.
        It reads the zones' files: not for an event loop."""
        called = (zone_called(name) for name in sorted(self._zones)[:MOST_ZONES])
        self._clocks, self._elsewhere = tuple(zone for zone in called if zone), None
        self._found.clear()

    def _by_clocks_elsewhere(self) -> dict[str, list[tuple[LeafText, int]]]:
        if self._elsewhere is None:
            self._elsewhere = defaultdict(list)
            places = ((text, leaf) for text in self._texts if text.moments for leaf in range(len(text.values)))
            for text, leaf in islice(places, MOST_MOMENTS) if self._clocks else ():
                for zone in self._clocks:
                    at = local_moment(text.values[leaf], zone) if _WITH_OFFSET.search(str(text.values[leaf])) else None
                    if at:
                        self._elsewhere[f"{at:%H:%M}"].append((text, leaf))
        return self._elsewhere

    def names_of(self, person: str) -> frozenset[str]:
        """Every folded id and name that results show for the same person, channel or place; itself included."""
        return self._identities.names_of(person)

    def named_in_part(self, name: str) -> frozenset[str]:
        """The same for whoever has this as a given or a family name, and nobody else has."""
        return self._identities.named_in_part(name)

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
    def persons(self) -> frozenset[str]:
        """Everybody who wrote a unit, by folded ids and names."""
        if self._persons is None or self._persons[0] is not self.units:
            self._persons = self.units, frozenset().union(*(unit.persons for unit in self.units))
        return self._persons[1]

    @property
    def index(self) -> UnitIndex:
        """The units by their terms."""
        self._index.extend(self.units[len(self._index.units) :])
        return self._index

    def address_at(self, text: str, start: int) -> str:
        """The address with blanks that begins there, as a result gives it; empty where none does. No form tells its end."""
        spaced = (written for written in self._spaced if text.startswith(written, start))
        return max(spaced, key=len, default="")

    def counts(self) -> frozenset[int]:
        """How many objects there are: in all, of each list of each call, and of each person, day and place."""
        if self._counted is None or self._counted[0] is not self.units:
            lists = Counter((call, _list_of(path)) for call, path in self._objects())
            records = self.records()
            self._counted = self.units, frozenset({len(records), *lists.values(), *_grouped(records.values()).values()})
        return self._counted[1]

    def members_of_lists(self, unit: str) -> frozenset[int]:
        """How many rows the tables of people have, for a count of people (`人`); of other things there is no telling."""
        tables = self.tables() if unit == "人" else ()
        told = frozenset(len(rows) for rows in tables if all(any(map(names_somebody, row.cells)) for row in rows))
        return told | self.members_of_groups() if told else told

    def days_asked(self) -> frozenset[str]:
        """The days that arguments of answered reads name."""
        if self._asked[0] != len(self._read):
            texts = (str(leaf.value)[:LONGEST_FIELD] for read in self._read for leaf in leaves(read.arguments or {}))
            facts = (fact for text in texts for fact in facts_in(text, self.day, self.zone) if fact.kind is FactKind.DATE)
            self._asked = len(self._read), frozenset(widened_days(key for fact in facts for key in fact.keys))
        return self._asked[1]

    def times_asked(self) -> frozenset[str]:
        """The clock times that arguments of answered reads name: when somebody leaves."""
        moments = (read_moment(str(leaf.value), self.zone) for read in self._read for leaf in leaves(read.arguments or {}))
        return frozenset(key for moment in moments if moment for key in moment.times)

    def group_totals(self) -> frozenset[Decimal]:
        """The totals of columns of figures by columns of words."""
        tables = self.tables()
        if self._totals is None or self._totals[0] is not tables:
            grouped = (group for table in tables for group in table.group_sums)
            self._totals = tables, frozenset(sums[label] for sums, rows in grouped for label in sums if rows[label] > 1)
        return self._totals[1]

    def periodic_figures(self) -> frozenset[Decimal]:
        """The totals and means of columns by week and by month."""
        tables = self.tables()
        if self._periodic is None or self._periodic[0] is not tables:
            self._periodic = tables, means_by_week(tables)
        return self._periodic[1]

    def minutes_taken(self) -> frozenset[int]:
        """The minutes between the moments of rows, and those of columns of hours (`minutes_taken`, `sheet_minutes`)."""
        tables = self.tables()
        if self._spans is None or self._spans[0] is not tables:
            self._spans = tables, minutes_taken(tables) | sheet_minutes(tables)
        return self._spans[1]

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

    def tables(self) -> tuple[Table, ...]:
        """The tables in all reads."""
        if self._tables_of < len(self._read):
            for read in self._read[self._tables_of :]:
                self._tables += tables_of(rows_of(read.call_id, read.result, read.arguments))
            self._tables_of = len(self._read)
        return self._tables

    def trusted_text(self) -> tuple[str, ...]:
        """The folded values that the operator, the job and the person who asked gave."""
        return tuple(leaf for text in self._texts if text.origin.trusted for leaf in text.folded)

    def trusted_values(self) -> tuple[str, ...]:
        """The same as they were written: folding takes ドル for どる, which is no unit."""
        return tuple(str(value) for text in self._texts if text.origin.trusted for value in text.values)

    def figures(self) -> tuple[Decimal, ...]:
        """The numbers that stand in fields of results."""
        self._figures += tuple(Decimal(str(value)) for _, _, value in self._cells[len(self._figures) :])
        return self._figures

    def fields_of(self, names: str) -> frozenset[Decimal]:
        """The numbers in fields whose name matches a pattern; none for no pattern."""
        told = re.compile(names, re.IGNORECASE) if names else None
        return frozenset(Decimal(str(value)) for _, key, value in self._cells if told and told.search(key))

    def measured_fields(self, unit: str) -> frozenset[Decimal]:
        """The numbers in fields whose name tells another unit of the same measure, in this one."""
        return frozenset(
            figure
            for _, key, value in self._cells
            for named in _units_of_key(key)
            if named != unit and (figure := converted(Decimal(str(value)), named, unit)) is not None
        )

    def column_figures(self) -> dict[Decimal, str]:
        """What follows from whole columns of results, by `columns.column_figures`."""
        if self._columns is None or self._columns[0] != len(self._cells):
            self._columns = len(self._cells), column_figures(self._cells)
        return self._columns[1]

    def given_terms(self) -> frozenset[str]:
        """The terms of what the operator, the job and the person who asked said or pasted: no sentence of them is invented."""
        return frozenset(self._given_terms)

    def contains(self, text: str) -> bool:
        """Whether a folded text stands anywhere in what the run has seen."""
        key = fold(text).strip()
        return bool(key) and any(key in text.text for text in self._texts)

    @property
    def answered(self) -> tuple[str, ...]:
        """What answers to writes say beyond what was sent, each with the name of its field."""
        return self._answered

    def states(self, word: str) -> bool:
        """Whether a cell of a row that was read is a state of this name: `state: APPROVED`."""
        wanted = fold(word)
        return any(
            fold(str(cell)) == wanted
            for table in self.tables()
            for row in table
            for name, cell in row.cells.items()
            if _is_state(name)
        )

    def abbreviates(self, short: str) -> bool:
        """Whether the initials of words that stand side by side in what was read are this: RDS, and EC2 for two Cs."""
        initials = "".join(letter * int(times or 1) for letter, times in _INITIALS.findall(short.upper()))
        if len(initials) < SHORTEST_INITIALS or not _ABBREVIATION.fullmatch(short):
            return False
        words = r"[\w]*\W{1,3}(?:of |and |the |for )?".join(map(re.escape, initials.lower()))
        spelt = re.compile(rf"(?<![^\W_]){words}")
        return any(spelt.search(text.text) for text in self._texts)

    def _add(
        self, origin: Origin | None, given: Iterable[tuple[str, str, Scalar]], label: str, call_id: str = "", tool: str = ""
    ) -> None:
        """Take in leaves of one thing, as path, key and value. `origin`: None where each leaf tells its own."""
        self._found.clear()
        self._elsewhere = None
        field = LeafText(origin or Origin.FIELD, call_id, tool, label)
        prose = field if origin else LeafText(Origin.TEXT, call_id, tool, label)
        moments = LeafText(origin or Origin.FIELD, call_id, tool, label, moments=True)
        for path, key, value in given:
            free, is_time, lists_moments, counts_others = _key_traits(key)
            written = isinstance(value, str)
            text = prose if written and (free or not is_line(value)) else field  # type: ignore[arg-type]  # it is a str
            is_stamp = is_time and text is field and written and is_moment(value)  # type: ignore[arg-type]  # it is a str
            (moments if is_stamp else text).add(path, key, value)
            if is_stamp and (offset := _OFFSET.search(value)):  # type: ignore[arg-type]
                self._offsets.add(int(offset[1]))
            if (is_time or lists_moments) and (at := epoch(value, self.zone)):
                moments.add(path, key, at.isoformat(timespec="seconds"))
            if written and _IS_ZONE_KEY.search(key) and _ZONE.fullmatch(value):  # type: ignore[arg-type]  # it is a str
                self._zones.add(value)  # type: ignore[arg-type]
            if written and "://" in value:  # type: ignore[operator]  # it is a str
                for other in self._other_forms(value):  # type: ignore[arg-type]
                    text.add(path, key, other)
            if call_id and not counts_others:
                self._add_cell(call_id, path, key, value)
        for text in {field: None, moments: None, prose: None}:
            if text.values:
                insort(self._texts, text, key=lambda text: text.strength)
                if text.origin.trusted or text.origin is Origin.PASTED:
                    self._given_terms.update(*(terms(str(value)[:LONGEST_COMPOSED]) for value in text.values))
                    self._zones.update(*(zones_named(str(value)[:LONGEST_FIELD]) for value in text.values))

    def _add_cell(self, call_id: str, path: str, key: str, value: Scalar) -> None:
        """Keep a number that stands in a field, also as a text."""
        if isinstance(value, int | float) and not isinstance(value, bool):
            self._cells.append((call_id, key, value))
        elif isinstance(value, str) and _FIGURE.fullmatch(value):
            if path.endswith("]"):
                self._cells.append((call_id, _LAST_TWO.sub(r"[]\1", path), float(value)))
            elif "." in value or _MEASURES_KEY.search(key):
                self._cells.append((call_id, key, float(value)))

    def _other_forms(self, address: str) -> Iterator[str]:
        """An address as people write it."""
        if _WHOLE_ADDRESS.fullmatch(address):
            written = unquote(address)
            if written != address:  # people write it decoded, in whatever way the result encodes it
                yield written
            if _ENDS_ADDRESS.search(written):
                self._spaced.add(written)

    def _of_scalar(self, value: float | bool) -> tuple[ValueSource, ...]:
        equal = ((text, leaf) for text in self._texts for leaf in text.same(value))
        same = [_source(text, leaf, 0, len(str(value))) for text, leaf in islice(equal, MOST_EXAMINED)]
        if isinstance(value, bool):
            return _strongest(same)
        key = number_key(value)
        number = Fact(FactKind.NUMBER, key, 0, 0, (key,))
        reference = Fact(FactKind.ID, f"#{key}", 0, 0, (f"#{key}",))
        return _strongest([*same, *self._stating(number), *self._stating(reference)])

    def _of_whole(self, value: str) -> tuple[ValueSource, ...]:
        """The sources of a text as it is: a leaf of its own, a word of a leaf, or the other name of one."""
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
        for text in self._texts:
            for leaf in text.equal(key, MOST_EXAMINED) if len(key) <= SHOWN_CHARS else ():
                written = str(text.values[leaf])
                if normalize(written).strip() == exact or not _CASE_MATTERS.fullmatch(exact):
                    yield _source(text, leaf, 0, len(written))

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
        for text in self._texts:
            found = 0
            for at in text.places_of(key, MOST_EXAMINED):
                if _is_bounded(text.text, at, at + len(key), exact=exact):
                    yield _located(text, at, key)
                    found += 1
                    if found == MOST_SOURCES:
                        break

    def _family_names(self, key: str) -> Iterator[ValueSource]:
        """Short leaves that begin with a family name of one character: 林 in 林 直樹."""
        for text in self._texts:
            for at in text.places_of(key, MOST_EXAMINED):
                leaf = text.leaf_at(at)
                if at == text.start_of(leaf) and len(str(text.values[leaf])) <= LONGEST_PERSON:
                    yield _located(text, at, key)

    def _beginning(self, key: str) -> Iterator[ValueSource]:
        """Leaves with a commit's hash that begins like this: people write seven of its forty figures."""
        for text in self._texts:
            for at in islice(text.places_of(key, MOST_EXAMINED), MOST_SOURCES):
                if not _is_wordy(text.text[at - 1 : at]) and _HASH_GOES_ON.match(text.text, at + len(key)):
                    yield _located(text, at, key)

    def _stating(self, fact: Fact) -> Iterator[ValueSource]:
        """Leaves that state a number, id, date or time, whatever its notation; as many as are shown, the strongest first."""
        found, otherwise = 0, self._given_otherwise(fact.unit)
        for text, leaf in self._candidates(fact):
            if otherwise and text.call_id and isinstance(text.values[leaf], int | float):
                continue
            if fact.unit and _counts_others(text.keys[leaf], text.paths[leaf]):
                continue
            if fact.unit and _measured_otherwise(text.keys[leaf], fact.unit):
                continue
            for stated in self._facts_of(text, leaf):
                if _states(stated, fact) and not (is_small(fact) and not stated.unit and isinstance(text.values[leaf], str)):
                    yield _source(text, leaf, stated.start, stated.end)
                    found += 1
                    break
            if found == MOST_SOURCES:
                return

    def _given_otherwise(self, unit: str) -> bool:
        """Whether results give what this unit measures in another one, which they name, and never in this one."""
        return unit in _NAMED_BESIDE and not self._is_named(unit) and any(map(self._is_named, units_like(unit)))

    def _is_named(self, unit: str) -> bool:
        return any(f"{BETWEEN}{unit}{BETWEEN}" in text.text for text in self._texts if text.call_id)

    def _candidates(self, fact: Fact) -> list[tuple[LeafText, int]]:
        """Leaves that hold the figures any notation of a fact has, and those that write numbers in words, in the order of
        sources."""
        wanted: set[str] = set()
        forms = [fold(fact.text)]
        for key in fact.keys:
            runs = [run.lstrip("0") or "0" for run in _FIGURES.findall(key)]
            if fact.kind is FactKind.DATE:
                wanted.update(runs[-1:])
                if is_iso_day(key):  # 22:40 in UTC is the next day in Tokyo
                    beside = (date.fromisoformat(key) + timedelta(days=days) for days in (-1, 1))
                    wanted.update(str(other.day) for other in beside)
                    forms.append(key)
            elif fact.kind is FactKind.TIME:
                hour = int(runs[0])
                in_utc = hour - self._hours_ahead
                shifted = {other % 24 for other in (hour, in_utc, *(in_utc + offset for offset in self._offsets))}
                wanted.update(map(str, {*shifted, (hour - 12) % 24}))
                forms += [f"{other:02}{key[2:]}" for other in shifted]
            else:
                wanted.add(max(runs, key=len, default=""))
                if fact.unit in ("分", "秒") and key.isdecimal() and int(key) >= 60:
                    wanted.update(map(str, divmod(int(key), 60)))  # 101 minutes are written "1 hour 41 mins"
        in_words = fact.kind is not FactKind.ID
        timed = fact.kind in (FactKind.DATE, FactKind.TIME) or fact.unit == "日"
        texts = [text for text in self._texts if timed or not text.moments]
        found = ((text, leaf) for text in texts for leaf in text.stating(wanted, in_words=in_words, most=MOST_EXAMINED))
        # days and times hold the same figures a thousand times over: what is written like the fact, or as in ISO, is read too
        alike = (((text, leaf) for text in texts for leaf in text.holding(form, MOST_EXAMINED)) for form in dict.fromkeys(forms))
        first = dict.fromkeys(place for places in alike for place in islice(places, MOST_EXAMINED))
        rest = (place for place in islice(found, MOST_EXAMINED) if place not in first)
        return sorted([*sorted(first, key=_standing), *sorted(rest, key=_standing)], key=lambda place: place[0].strength)

    def _facts_of(self, text: LeafText, leaf: int) -> tuple[Fact, ...]:
        facts = text.facts.get(leaf)
        if facts is None:
            written = normalize(str(text.values[leaf]))
            facts = self._read_facts.get(written)
            if facts is None:
                facts = tuple(exact_facts_in(written[:LONGEST_COMPOSED], self.day, self.zone))
                if len(written) <= LONGEST_FIELD:  # the objects of a list repeat the same few
                    self._read_facts[written] = facts
            if not text.origin.trusted:  # 今日 in a message of another day is another day
                facts = tuple(fact for fact in facts if not fact.relative)
            if isinstance(text.values[leaf], int) and _numbers_things(text.keys[leaf]):
                facts = (*facts, Fact(FactKind.ID, written, 0, len(written), (f"#{written}",)))
            text.facts[leaf] = facts
        return facts


def _is_state(column: str) -> bool:
    return column.lower().split("_")[-1] in STATE_COLUMNS


def _numbers_things(key: str) -> bool:
    """Whether what stands under a key is a number by which a thing is called: `number`, `run_number`."""
    return key.lower() in load_words("result_keys")["id"] or key.lower().endswith(("number", "#"))


def _standing(place: tuple[LeafText, int]) -> tuple[int, str, str]:
    text, leaf = place
    return text.strength, text.call_id, text.paths[leaf]


def _source(text: LeafText, leaf: int, start: int, end: int) -> ValueSource:
    written = str(text.values[leaf])
    shown = written if len(written) <= SHOWN_CHARS else written[max(0, start - SHOWN_CHARS // 2) :][:SHOWN_CHARS]
    return ValueSource(text.origin, text.paths[leaf], shown, start, end, text.call_id, text.tool, text.label)


def _located(text: LeafText, at: int, key: str) -> ValueSource:
    """A source whose span is looked for again in the original, where folding may have changed lengths."""
    leaf = text.leaf_at(at)
    raw = str(text.values[leaf])
    start = raw.lower().find(key)
    start = start if start >= 0 else min(at - text.start_of(leaf), max(0, len(raw) - 1))
    return _source(text, leaf, start, min(len(raw), start + len(key)))


_FOUND_BY_TEXT = (FactKind.QUOTE, FactKind.NAME, FactKind.PLACE, FactKind.URL)
_FIGURES = re.compile(r"\d+")
_NAMED_BESIDE = frozenset({"wh", "kwh", "mwh", "km/h", "m/s", "mph", "kn", "km", "mi", "cm", "mm", "inch", "kg", "lb"})
"""Units that results name in a field of its own, beside bare figures: `"wind_speed": "m/s"`."""
_COUNTS_OF_OTHERS = frozenset({"count", "reply_count", "num_members", "revision_number", "weather_code", "limit"})
"""Keys of small figures that count something of their own (reactions, replies): no source of a figure with a unit."""
_ONLY_BESIDE = {"count": re.compile("reaction|emoji|repl", re.IGNORECASE), "limit": re.compile(r"\A[^\[]*\Z")}
"""A key that counts others where its whole path, or a name on it, is such; else it is a figure of the thing itself. The
`limit` of a page stands beside the list, that of a person (45 hours) inside."""
_SHORT_HASH = re.compile(r"(?=.*\d)[0-9a-f]{7,12}", re.IGNORECASE)
_HASH_GOES_ON = re.compile(r"[0-9a-f]{4,}")
_CASE_MATTERS = re.compile(r"(?=.*[A-Z])(?=.*\d)[\w.-]{6,}")
"""An id of letters and figures: another case is another thing."""


_INDEX = re.compile(r"\[\d+\]")
_LAST_INDEX = re.compile(r"\d+\]")


def _list_of(path: str) -> str:
    """The path of the lists that an item, or what is inside of it, stands in: the same for all items."""
    above, mark, last = path.rpartition("[")
    return f"{_without_indexes(above)}[]" if mark and _LAST_INDEX.fullmatch(last) else _without_indexes(path)


@lru_cache(maxsize=5_000)
def _without_indexes(path: str) -> str:
    return _INDEX.sub("[]", path)


def _above(path: str) -> tuple[str, ...]:
    """The paths of the items of lists that a path leads through, itself left out."""
    above, mark, last = path.rpartition("[")
    return _items_on(above) if mark and _LAST_INDEX.fullmatch(last) else _items_on(path)


@lru_cache(maxsize=5_000)
def _items_on(path: str) -> tuple[str, ...]:
    return tuple(path[: match.end()] for match in _INDEX.finditer(path))


def _grouped(units: Iterable[EvidenceUnit]) -> Counter[str]:
    found: Counter[str] = Counter()
    for (call, persons, days, places), count in Counter(
        (unit.call_id, unit.persons, unit.days, unit.places) for unit in units
    ).items():
        for name in {call, *persons, *days, *places}:
            found[name] += count
    return found


_WHOLE_ADDRESS = re.compile(r"(?:https?|ftp|file)://(?:[^\s]{1,2000}|/[^\n]{1,2000})")
"""A leaf that is one address; only in a path of a machine blanks stand undecoded."""
_LISTS_MOMENTS = re.compile(r"values?$|series|points", re.IGNORECASE)
"""Under such a key a series has pairs of a moment and a figure."""
_ENDS_ADDRESS = re.compile(r"[\s'\"ぁ-ヿ一-鿿()]")
"""What ends an address in running text, so that its form does not show how far one with it goes."""


def _made_known(result: Any, words: str, arguments: JsonObject | None) -> Iterator[Leaf]:
    """Ids and addresses that a write's answer gives and its arguments do not."""
    known = {str(leaf.value) for leaf in leaves(arguments or {})}
    keys = load_words("result_keys")["id"]
    for leaf in leaves(result):
        is_id = leaf.key.lower() in keys or leaf.key.lower().endswith("_id")
        if is_id and str(leaf.value) not in known and "@" not in str(leaf.value):  # a mailbox is no id that a write makes
            yield leaf
    words = result if isinstance(result, str) else words
    sent = "\n".join(known)
    for made in ids_and_addresses_in(words[:LONGEST_ANSWER]):
        if made not in sent:
            yield Leaf("$", "", made)


_ADDRESSES = re.compile(r"@|://")
"""A mailbox or an address is no value that a write may hand on."""


def _new_in_the_answer(result: Any, arguments: JsonObject | None) -> Iterator[Leaf]:
    """Short fields of a write's answer of which nothing stands in its arguments: the deposit of what was booked, its number."""
    sent = fold("\n".join(str(leaf.value) for leaf in leaves(arguments or {})))
    for leaf in leaves(result) if isinstance(result, dict) else ():
        told = fold(str(leaf.value))
        is_new = bool(told) and told not in sent and is_line(told) and not _ADDRESSES.search(told)
        if is_new and not isinstance(leaf.value, bool) and not announces_text(leaf.key):
            yield leaf


LONGEST_ANSWER = 5_000
"""Characters of a write's answer in which ids are sought; what is longer is no acknowledgement."""


@lru_cache(maxsize=5_000)
def _counts_others(key: str, path: str) -> bool:
    name = key.lower()
    return name in _COUNTS_OF_OTHERS and (name not in _ONLY_BESIDE or bool(_ONLY_BESIDE[name].search(path)))


@lru_cache(maxsize=5_000)
def _key_traits(key: str) -> tuple[bool, bool, bool, bool]:
    """Whether a key announces free text, a time, a series that may hold moments, and a figure that is no source of others."""
    lists_moments = not key or bool(_LISTS_MOMENTS.search(key))
    return not key or announces_text(key), attribute_kind(key) == "time", lists_moments, key.lower() in _COUNTS_OF_OTHERS


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


_DIMENSIONS = (
    frozenset({"ms", "秒", "分", "時間", "日"}),
    CURRENCIES,
    frozenset({"mm", "cm", "km", "mi"}),
    frozenset({"g", "kg"}),
)
_LENGTHS = _DIMENSIONS[2]
"""Units of one quantity: a figure in one of them is another figure in the others."""


@lru_cache(maxsize=5_000)
def _units_of_key(key: str) -> frozenset[str]:
    """The units of a measure that the words of a field's name tell: `distance_meters`, `ascent_m`, `high_f`."""
    words = re.findall(r"[a-z]{2,}|(?<=_)[mcf]$", re.sub(r"(?<=[a-z])(?=[A-Z])", " ", key).lower())
    return frozenset(_UNITS_OF_FIELDS.get(word, unit_key(word)) for word in words)


_UNITS_OF_FIELDS = {
    "meters": "m",
    "metres": "m",
    "kilometers": "km",
    "kilometres": "km",
    "c": "度",
    "celsius": "度",
    "f": "°f",
    "fahrenheit": "°f",
}


@lru_cache(maxsize=5_000)
def _measured_otherwise(key: str, unit: str) -> bool:
    """Whether a field's name says another unit of the same quantity: `total_minutes` gives no hours."""
    words = re.findall(r"[a-z]{2,}", re.sub(r"(?<=[a-z])(?=[A-Z])", " ", key).lower())
    named = {unit_key(word) for word in words}
    if unit == "%":
        return bool(named & _LENGTHS) and "%" not in named  # `rain_mm` is no chance of rain
    return any(unit in units and unit not in named and named & units for units in _DIMENSIONS)


def is_small(fact: Fact) -> bool:
    """Whether a figure is one digit with a unit: such a digit without its unit stands in any text, as 1. in a list."""
    return fact.kind is FactKind.NUMBER and bool(fact.unit) and len(fact.keys[0].lstrip("-")) == 1


def _states(stated: Fact, fact: Fact) -> bool:
    """Whether a fact of a source says the same: by kind, key and unit; a full date says its parts too."""
    if stated.kind is not fact.kind:
        return (
            fact.unit == "日" and stated.kind is FactKind.DATE and any(key[-2:].lstrip("0") in fact.keys for key in stated.keys)
        )
    if fact.unit and stated.unit and fact.unit != stated.unit and not _is_short_for(stated, fact.unit):
        return False
    if fact.kind is FactKind.TIME and any(_SECONDS.fullmatch(key) and key[:5] in fact.keys for key in stated.keys):
        return True  # 08:02 for 08:02:40
    keys = stated.keys if fact.kind is not FactKind.DATE else _widened(stated.keys)
    return any(key in keys for key in fact.keys)


def _is_short_for(stated: Fact, unit: str) -> bool:
    """Whether a unit is written short as a tool's listing does: 24G is 24 GB, and a pod that is 61m old is no length."""
    return f"{stated.unit}b" == unit or (unit == "分" and stated.unit == "m" and stated.text[-2:-1].isdigit())


_SECONDS = re.compile(r"\d\d:\d\d:\d\d")


@lru_cache(maxsize=5_000)
def _widened(days: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(widened_days(days))


def widened_days(days: Iterable[str]) -> Iterator[str]:
    """The keys of days, and what they also say: month and day, month, ISO week."""
    for day in days:
        yield day
        if is_iso_day(day):
            yield f"--{day[5:]}"
            yield f"--{day[5:7]}"
            yield day[:7]
            year, week, _ = date.fromisoformat(day).isocalendar()
            yield f"{year}-W{week:02}"
        elif _FULL_MONTH.fullmatch(day):
            yield f"--{day[5:]}"


_FULL_MONTH = re.compile(r"\d{4}-\d\d")


def _strongest(found: Iterable[ValueSource]) -> tuple[ValueSource, ...]:
    order = sorted(
        set(found), key=lambda source: (source.origin.strength, source.call_id, source.path, source.start, source.alias)
    )
    return tuple(order[:MOST_SOURCES])
