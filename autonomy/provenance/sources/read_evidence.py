"""Stores the answered reads of a run: evidence units, records, tables and figures."""

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Set
from datetime import UTC, date, tzinfo
from decimal import Decimal
from functools import lru_cache, wraps
from itertools import chain
from typing import Any, NamedTuple, TypeVar

from autonomy.provenance.sources.evidence_units import LONGEST_FIELD, EvidenceUnit, UnitReader, is_line
from autonomy.provenance.sources.leaves import leaves
from autonomy.provenance.sources.result_rows import rows_of
from autonomy.provenance.sources.sibling_records import Naming, Read, fields_with, is_beside_named, names_beside
from autonomy.provenance.sources.stated_facts import widened_days
from autonomy.provenance.sources.tabular.captions import caption_units
from autonomy.provenance.sources.tabular.columns import MeasuredFigures, column_figures, sheet_minutes
from autonomy.provenance.sources.tabular.table_rows import STATE_COLUMNS, minutes_taken, names_somebody
from autonomy.provenance.sources.tabular.tables import Table, tables_of, without_blanks
from autonomy.provenance.sources.unit_index import UnitIndex
from autonomy.provenance.text.dates import is_iso_day, read_moment
from autonomy.provenance.text.facts import FactKind, facts_in, unit_key
from autonomy.provenance.text.normalize import fold, fold_all
from autonomy.provenance.text.units import conversions, measure_alike
from autonomy.provenance.text.word_data import load_words
from discovery.catalog import JsonObject

MOST_STATES = 8
"""Different words of a column that says how rows stand; names and titles are more."""
MOST_GROUPED = 200
"""Rows of a table whose equal cells are counted; of a longer one any small number is a count."""


class _Read(NamedTuple):
    """One answered read, kept for its units."""

    call_id: str
    tool: str
    result: Any
    arguments: JsonObject | None
    lines: tuple[str, ...]


_ITEM = re.compile(r"^(?:[-*+•]|\d{1,3}[.)])\s+\S", re.MULTILINE)
"""An item of a list in a text, at its outermost level."""
_MAILBOX = re.compile(
    r"(?P<name>[^\s<>\"'(:,;@-][^<>\"():,;@\n]{0,60}?)[\"']?\s?<(?P<address>[\w.+%-]{1,64}@[\w.-]{1,253}\.[A-Za-z]{2,24})>"
)
"""A mailbox as mail writes it, behind the name of its owner: Priya Shah <priya@acme.example>."""


_ENTRY = re.compile(
    r"^[-*•\s]{0,4}(?P<address>@?[a-z]{1,12}[-_]?\d[\w-]{0,20})\s?[:|,\t–-]\s?(?P<name>[^\W\d][^:|,\t()<>\d]{1,40}?)\s*(?:[|,\t(].*)?$"
)
"""A line that lists somebody by an id, with what else is known in brackets or behind a comma: u-31: Priya Shah (Finance)."""
LONGEST_ENTRY = 160


class Mailbox(NamedTuple):
    """A mailbox, or the id by which somebody is written to, that was read beside its owner's name."""

    owner: str
    """Folded."""
    address: str
    """Folded."""
    beside: str
    """The line or row in which it stands, folded."""

    @property
    def names(self) -> frozenset[str]:
        """The owner's name without blanks, and its parts."""
        return frozenset((without_blanks(self.owner), *self.owner.split()))


LONGEST_MENTION = 40
"""Characters before the words of a message by which it is addressed to the one who answers."""

_T = TypeVar("_T")


def _kept_for(
    basis: Callable[["ReadEvidence"], object],
) -> Callable[[Callable[["ReadEvidence"], _T]], Callable[["ReadEvidence"], _T]]:
    """Keeps what a method works out until what it is worked out from is another one: judges and policy ask again and again."""

    def keeping(method: Callable[["ReadEvidence"], _T]) -> Callable[["ReadEvidence"], _T]:
        @wraps(method)
        def kept(self: "ReadEvidence") -> _T:
            now, known = basis(self), self._kept.get(method.__name__)
            if known is None or (known[0] is not now and known[0] != now):
                known = self._kept[method.__name__] = now, method(self)
            value: _T = known[1]
            return value

        return kept

    return keeping


class ReadEvidence:
    """The evidence of a run's answered reads; append-only.

    Adding is cheap: units and tables are made when something is looked up first, and only of what came since.
    """

    def __init__(self, day: date | None = None, zone: tzinfo | None = None) -> None:
        """`day`: the run's day, from which relative words are resolved; `zone`: where its people live (UTC when None)."""
        self.day, self.zone = day, zone or UTC
        self._cells: list[tuple[str, str, float]] = []
        """The numbers in fields of results: call, key and value; of a list of pairs (`[1804222800, "0.41"]`, as Prometheus gives
        them) the list instead of a key."""
        self._figures: tuple[Decimal, ...] = ()
        self._request = ""
        """The words of the person who asked, folded."""
        self._own = ""
        """The id of whoever answers, folded."""
        self._units: list[EvidenceUnit] = []
        self._read: list[_Read] = []
        self._answers: list[Read] = []
        """What calls brought back that may have changed something, in whatever form: a tool without hints may only have read."""
        self._beside: dict[tuple[int, str, Naming], bool] = {}
        self._units_of = 0
        """How many of the reads are in `_units`."""
        self._told: tuple[EvidenceUnit, ...] = ()
        self._index = UnitIndex()
        self._tables: tuple[Table, ...] = ()
        self._tables_of = 0
        self._kept: dict[str, tuple[object, Any]] = {}
        """What methods worked out, each with what it was worked out from."""

    def _add_read(self, call_id: str, tool: str, result: Any, arguments: JsonObject | None, lines: tuple[str, ...]) -> None:
        self._read.append(_Read(call_id, tool, result, arguments, lines))

    def _add_answer(self, result: Any, arguments: JsonObject | None) -> None:
        self._answers.append(Read(result, arguments or {}))

    def stands_beside(self, value: str, naming: Naming) -> bool:
        """Whether a value stands in records alone beside those that the request names."""
        reads = (*(Read(read.result, read.arguments or {}) for read in self._read), *self._answers)
        known = (len(reads), value, naming)
        if known not in self._beside:
            self._beside[known] = is_beside_named(value, reads, naming)
        return self._beside[known]

    def named_in_records(self, value: str) -> tuple[str, ...]:
        """The fields of a word or a few that stand in the records of results that hold this value."""
        return tuple(dict.fromkeys(name for read in self._read for name in names_beside(value, read.result)))

    def records_with(self, value: str) -> tuple[tuple[str, str], ...]:
        """The fields that hold this value as a whole, each with what its record is known by, folded."""
        return tuple(dict.fromkeys(found for read in self._read for found in fields_with(value, read.result)))

    def short_fields(self) -> Iterator[str]:
        """The texts of one line in the fields of results."""
        found = (leaf.value for read in self._read for leaf in leaves(read.result))
        return (text for text in found if isinstance(text, str) and is_line(text))

    def _forget_units(self) -> None:
        """The units are made again when they are asked for: their times were told in another zone."""
        self._units.clear()
        self._units_of = 0
        self._index = UnitIndex()

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

    @property
    def units(self) -> tuple[EvidenceUnit, ...]:
        """The evidence units of all reads, in the order of arrival."""
        if self._units_of < len(self._read):
            reader = UnitReader(self.day, self.zone)
            for read in self._read[self._units_of :]:
                found = list(reader.units(read.call_id, read.tool, read.result, read.arguments))
                requests = self._requests_among({unit.text for unit in found})
                new_units = [unit for unit in found if not (self._own in unit.persons or unit.text in requests)]
                self._units += [*new_units, *caption_units(read.call_id, read.tool, read.lines, new_units)]
            self._units_of = len(self._read)
            self._told = tuple(self._units)
        return self._told

    def _requests_among(self, lines: Set[str]) -> frozenset[str]:
        """Those lines that are the message that asked, with a mention in front at most: they show nothing of what it asks for."""
        length = len(self._request)
        near = [line for line in lines if 0 <= len(line) - length <= LONGEST_MENTION] if length else []
        return frozenset(
            line for line, folded in zip(near, fold_all(near), strict=True) if folded.strip().endswith(self._request)
        )

    @property
    @_kept_for(lambda evidence: evidence.units)
    def persons(self) -> frozenset[str]:
        """Everybody who wrote a unit, by folded ids and names."""
        return frozenset[str]().union(*(unit.persons for unit in self.units))

    @property
    def index(self) -> UnitIndex:
        """The units by their terms."""
        self._index.extend(self.units[len(self._index.units) :])
        return self._index

    @_kept_for(lambda evidence: evidence.units)
    def counts(self) -> frozenset[int]:
        """How many objects there are: in all, of each list of each call, of each person, day, week and place; items of texts."""
        found = self._objects()
        lists = Counter((call, _list_of(path)) for call, path in found)
        records = _outermost(found)
        items = (len(_ITEM.findall(read.result)) for read in self._read if isinstance(read.result, str))
        return frozenset({len(records), *lists.values(), *_grouped(records.values()).values(), *items})

    def members_of_lists(self, unit: str) -> frozenset[int]:
        """How many rows the tables of people have, for a count of people (`人`); of other things there is no telling."""
        tables = self.tables() if unit == "人" else ()
        sizes = frozenset(len(rows) for rows in tables if all(any(map(names_somebody, row.cells)) for row in rows))
        return sizes | self.members_of_groups() if sizes else sizes

    @_kept_for(lambda evidence: len(evidence._read))
    def days_asked(self) -> frozenset[str]:
        """The days that arguments of answered reads name."""
        texts = (str(leaf.value)[:LONGEST_FIELD] for read in self._read for leaf in leaves(read.arguments or {}))
        facts = (fact for text in texts for fact in facts_in(text, self.day, self.zone) if fact.kind is FactKind.DATE)
        return frozenset(widened_days(key for fact in facts for key in fact.keys))

    def times_asked(self) -> frozenset[str]:
        """The clock times that arguments of answered reads name: when somebody leaves."""
        moments = (read_moment(str(leaf.value), self.zone) for read in self._read for leaf in leaves(read.arguments or {}))
        return frozenset(key for moment in moments if moment for key in moment.times)

    @_kept_for(lambda evidence: evidence.tables())
    def group_totals(self) -> frozenset[Decimal]:
        """The totals of columns of figures by columns of words."""
        return frozenset[Decimal]().union(*(table.group_sums for table in self._tables_of_parts()))

    def sums_of_named(self, text: str) -> frozenset[Decimal]:
        """The totals of columns of figures over the rows that a text names."""
        folded = fold(text)
        return frozenset[Decimal]().union(*(table.sums_of_named(folded) for table in self._tables_of_parts()))

    @_kept_for(lambda evidence: evidence.tables())
    def _tables_of_parts(self) -> tuple[Table, ...]:
        """The tables, and of several with the same columns, as pages and days are, all rows together."""
        alike: dict[tuple[str, ...], list[Table]] = {}
        for table in self.tables():
            alike.setdefault(tuple(table[0].cells), []).append(table)
        parts = (tables for tables in alike.values() if len(tables) > 1)
        return (*self.tables(), *(Table(list(chain.from_iterable(tables))) for tables in parts))

    @_kept_for(lambda evidence: evidence.tables())
    def group_means(self) -> frozenset[Decimal]:
        """The means of columns of figures by columns of words."""
        return frozenset[Decimal]().union(*(table.group_means for table in self.tables()))

    @_kept_for(lambda evidence: evidence.tables())
    def row_sums(self) -> frozenset[Decimal]:
        """The totals of the figures of rows."""
        return frozenset[Decimal]().union(*(table.row_sums for table in self.tables()))

    @_kept_for(lambda evidence: evidence.tables())
    def sums_of_products(self) -> frozenset[Decimal]:
        """The totals of two columns of figures multiplied, in all and by columns of words."""
        return frozenset[Decimal]().union(*(table.sums_of_products for table in self.tables()))

    @_kept_for(lambda evidence: evidence.tables())
    def minutes_taken(self) -> frozenset[int]:
        """The minutes between the moments of rows, and those of columns of hours (`minutes_taken`, `sheet_minutes`)."""
        return minutes_taken(self.tables()) | sheet_minutes(self.tables())

    def records(self) -> dict[tuple[str, str], EvidenceUnit]:
        """The first unit of each item of a list, by call and path.

        The list stands inside no other one (a message, not a reaction to it); of a result without a list, its objects count.
        """
        return _outermost(self._objects())

    def _objects(self) -> dict[tuple[str, str], EvidenceUnit]:
        return {(unit.call_id, unit.path): unit for unit in reversed(self.units)}

    def tables(self) -> tuple[Table, ...]:
        """The tables in all reads."""
        if self._tables_of < len(self._read):
            for read in self._read[self._tables_of :]:
                self._tables += tables_of(rows_of(read.call_id, read.result, read.arguments))
            self._tables_of = len(self._read)
        return self._tables

    def figures(self) -> tuple[Decimal, ...]:
        """The numbers that stand in fields of results."""
        self._figures += tuple(Decimal(str(value)) for _, _, value in self._cells[len(self._figures) :])
        return self._figures

    def has_figure_between(self, least: float, end: float) -> bool:
        """Whether a number that is at least the one, and less than the other, stands in a field of a result."""
        cells = self._cells_in_order()
        return bisect_left(cells, least) < bisect_left(cells, end)

    @_kept_for(lambda evidence: len(evidence._cells))
    def _cells_in_order(self) -> list[float]:
        return sorted(value for _, _, value in self._cells)

    def fields_of(self, names: str) -> frozenset[Decimal]:
        """The numbers in fields whose name matches a pattern; none for no pattern."""
        keys = {key for key in self._names_of_cells() if re.search(names, key, re.IGNORECASE)} if names else set()
        return frozenset(Decimal(str(value)) for _, key, value in self._cells if key in keys) if keys else frozenset()

    def measured_fields(self, unit: str) -> frozenset[Decimal]:
        """The numbers in fields whose name tells another unit of the same measure, in this one."""
        named = {key: [one for one in units_of_key(key) - {unit} if measure_alike(one, unit)] for key in self._names_of_cells()}
        return frozenset(
            figure
            for _, key, value in (self._cells if any(named.values()) else ())
            for other in named[key]
            for figure in conversions(Decimal(str(value)), other, unit)
        )

    @_kept_for(lambda evidence: len(evidence._cells))
    def _names_of_cells(self) -> frozenset[str]:
        return frozenset(key for _, key, _ in self._cells)

    @_kept_for(lambda evidence: len(evidence._cells))
    def column_figures(self) -> dict[Decimal, str]:
        """The figures that can be computed from whole columns of results, by `columns.column_figures`."""
        columns = ((call, key) for call, key, _ in self._cells)
        return column_figures(zip(columns, self.figures(), strict=True))

    @_kept_for(lambda evidence: (len(evidence._cells), len(evidence._read)))
    def measured(self) -> MeasuredFigures:
        """The figures that may be measures: those in fields, and those that can be computed from columns and groups."""
        return MeasuredFigures.of(dict.fromkeys(chain(self.column_figures(), self.figures(), self.group_totals())))

    @_kept_for(lambda evidence: (len(evidence._read), evidence.tables()))
    def mailboxes(self) -> tuple[Mailbox, ...]:
        """The mailboxes and ids that rows, or texts in the form of mail or of a list, give to somebody by name."""
        texts = [leaf.value for read in self._read for leaf in leaves(read.result) if isinstance(leaf.value, str)]
        lines = [fold(line) for text in texts for line in text.splitlines()[:MOST_LINES]]
        told = [
            Mailbox(match["name"].strip(), match["address"], line)
            for line in lines
            if len(line) <= LONGEST_ENTRY or "@" in line
            for match in (*_MAILBOX.finditer(line), *_ENTRY.finditer(line))
        ]
        rows = (row.cells for table in self.tables() for row in table)
        listed = [
            Mailbox(fold(str(cells[name])), fold(cell), fold(" ".join(map(str, cells.values()))))
            for cells in rows
            for cell in cells.values()
            if isinstance(cell, str) and _ADDRESS.fullmatch(cell)
            for name in cells
            if name.lower() in _OWNERS and isinstance(cells[name], str)
        ]
        return (*told, *listed)

    def mailboxes_of(self, person: str) -> frozenset[str]:
        """The folded addresses and account names in rows that have a person's name as a cell of its own, with blanks or without
        (佐藤 真); and the addresses that a text gives to that name, or to one of which it is a part."""
        name = without_blanks(person)
        for honorific in load_words("names")["honorifics"]:
            name = name.removesuffix(honorific) or name
        rows = (row.cells for table in self.tables() for row in table)
        own = (cells for cells in rows if any(isinstance(cell, str) and without_blanks(cell) == name for cell in cells.values()))
        found = {
            fold(cell)
            for cells in own
            for key, cell in cells.items()
            if isinstance(cell, str) and ("@" in cell or (key.lower() in _ACCOUNTS and without_blanks(cell) != name))
        }
        return frozenset({*found, *(mailbox.address for mailbox in self.mailboxes() if name in mailbox.names)})

    def states(self, word: str) -> bool:
        """Whether a cell of a row that was read is a state of this name: `state: APPROVED`."""
        return fold(word) in self._states_told()

    @_kept_for(lambda evidence: evidence.tables())
    def _states_told(self) -> frozenset[str]:
        cells = (cell for table in self.tables() for row in table for cell in row.cells.items())
        return frozenset(map(fold, {str(cell) for name, cell in cells if _is_state(name)}))


_ADDRESS = re.compile(r"[\w.+%-]{1,64}@[\w.-]{1,253}\.[A-Za-z]{2,24}")
_ACCOUNTS = frozenset({"login", "username", "user_name", "handle", "account"})
_OWNERS = frozenset({"name", "display_name", "full_name", "displayname", "fullname"})
MOST_LINES = 2_000
"""Of one text in which mailboxes are looked for."""


def _outermost(found: dict[tuple[str, str], EvidenceUnit]) -> dict[tuple[str, str], EvidenceUnit]:
    listed = {call for call, path in found if "[" in path}
    return {
        (call, path): unit
        for (call, path), unit in found.items()
        if ("[" in path or call not in listed) and not ((above := _above(path)) and any((call, up) in found for up in above))
    }


@lru_cache(maxsize=5_000)
def _is_state(column: str) -> bool:
    return column.lower().split("_")[-1] in STATE_COLUMNS


_INDEX = re.compile(r"\[\d+\]")


def _ends_index(text: str) -> bool:
    """Whether a text is what stands behind the bracket of an index: `12]`."""
    return text[-1:] == "]" and text[:-1].isdecimal()


def _list_of(path: str) -> str:
    """The path of the lists that an item, or what is inside of it, stands in: the same for all items."""
    above, mark, last = path.rpartition("[")
    return f"{_without_indexes(above)}[]" if mark and _ends_index(last) else _without_indexes(path)


@lru_cache(maxsize=5_000)
def _without_indexes(path: str) -> str:
    return _INDEX.sub("[]", path)


def _above(path: str) -> tuple[str, ...]:
    """The paths of the items of lists that a path leads through, itself left out."""
    above, mark, last = path.rpartition("[")
    return _items_on(above) if mark and _ends_index(last) else _items_on(path)


@lru_cache(maxsize=5_000)
def _items_on(path: str) -> tuple[str, ...]:
    return tuple(path[: match.end()] for match in _INDEX.finditer(path))


def _grouped(units: Iterable[EvidenceUnit]) -> Counter[str]:
    found: Counter[str] = Counter()
    for (call, persons, days, places), count in Counter(
        (unit.call_id, unit.persons, unit.days, unit.places) for unit in units
    ).items():
        for name in {call, *persons, *days, *_weeks_of(days), *places}:
            found[name] += count
    return found


def _weeks_of(days: Iterable[str]) -> Iterator[str]:
    """The weeks in which days lie, from Monday."""
    for day in days:
        if is_iso_day(day):
            year, week, _ = date.fromisoformat(day).isocalendar()
            yield f"{year}-W{week:02}"


@lru_cache(maxsize=5_000)
def units_in_words(key: str) -> Mapping[str, str]:
    """The words of a field's name, each with the unit that it may tell: `distance_meters`, `ascent_m`, `high_f`."""
    # split before the first capital of a word alone: `energyKWh` and `kWh` are in kWh
    words = re.findall(r"[a-z]{2,}|(?<=_)(?:[mcf]|k?m2)$", re.sub(r"(?<=[a-z]{2})(?=[A-Z])", " ", key).lower())
    return {word: _UNITS_OF_FIELDS.get(word, unit_key(word)) for word in words}


def units_of_key(key: str) -> frozenset[str]:
    """The units of a measure that a field's name may tell."""
    return frozenset(units_in_words(key).values())


_UNITS_OF_FIELDS = {
    "c": "度",
    "celsius": "度",
    "f": "°f",
    "fahrenheit": "°f",
}
