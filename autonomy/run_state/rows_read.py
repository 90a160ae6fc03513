"""The rows that a job's table is filled with (`{{hours[name, minutes]}}`), as its reads bring and its writes carry them."""

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any

from autonomy.llm.model import Need
from autonomy.llm.templates import TableTemplate, tables_in
from autonomy.provenance.sources.leaves import leaves, objects_in
from autonomy.run_state.run_provenance import data_of
from autonomy.run_state.run_values import CallRecord
from discovery.catalog import JsonObject


def rows_read(reads: Iterable[CallRecord], table: TableTemplate, *, counting: bool = True) -> Iterator[JsonObject]:
    """The fields of each row that was read and counts, or does not."""
    for record in reads:
        for row in objects_in(data_of(record)):
            whole = all(isinstance(row.get(name), str | int | float) for name in table.fields)
            if whole and table.counts(row) is counting:
                yield {name: row[name] for name in table.fields}


def rows_to_tell(reads: Iterable[CallRecord], table: TableTemplate, language: str) -> Iterator[tuple[str, ...]]:
    """The cells of each row that counts, as the job tells them."""
    for row in rows_read(reads, table):
        yield tuple(str(table.cell(name, value, language)) for name, value in row.items())


def rows_carried(need: Need, arguments: JsonObject) -> list[frozenset[str]]:
    """The cells of each row that a write carries in a list which a need fills with a table."""
    lists = [arguments.get(name) for name, value in need.arguments.items() if tables_in(value)]
    return [cells_of(row) for rows in lists if isinstance(rows, list) for row in rows]


def cells_of(row: Any) -> frozenset[str]:
    """The cells of a row."""
    return frozenset(str(leaf.value) for leaf in leaves(row))


def times_written(need: Need, arguments: JsonObject, made: Iterable[JsonObject], read: Iterable[tuple[str, ...]]) -> int | None:
    """How often the rows of a write went out before, where all of them were read: with others of the table it goes on with what
    was begun. None where it carries anything else, or one of them more often than it was read."""
    told = Counter(map(frozenset, read))

    def counted(arguments: JsonObject) -> Counter[frozenset[str] | None]:
        rows = rows_carried(need, arguments)
        return Counter(next((one for one in told if one <= row), None) for row in rows)

    rows = counted(arguments)
    if not rows or any(row is None or count > told[row] for row, count in rows.items()):
        return None
    before = sum(map(counted, made), Counter())
    return max((before[row] + count - 1) // told[row] for row, count in rows.items() if row is not None)
