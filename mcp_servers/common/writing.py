"""Writes rows into a sheet exactly once, by key."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from pydantic import BaseModel, Field

from mcp_servers.common.one_writer import OneWriter
from mcp_servers.common.rows import (
    Cell,
    Row,
    Target,
    ValueInput,
    by_key,
    check_rows,
    fingerprint,
    key_of,
    occurrences,
    parse_range,
    same,
)
from mcp_servers.common.service_requests import NotDone, ServiceOutcomeUnknown
from mcp_servers.common.write_ledger import Ledger


class Sheets(Protocol):
    """The destination of rows: Google's spreadsheets, or the local outbox."""

    outbox: str | None

    async def values(self, spreadsheet_id: str, range_: str) -> list[list[Cell]]:
        """Return the content of a range or a whole sheet, from A1 on. Raises NotDone."""

    async def append(self, spreadsheet_id: str, range_: str, rows: Sequence[Row], value_input: ValueInput) -> str:
        """Insert rows below the table and return where they are. Raises NotDone or ServiceOutcomeUnknown."""


class Written(BaseModel):
    """The result of a write."""

    spreadsheet_id: str
    updated_range: str | None = Field(description="Where the new rows stand; null if none was new")
    appended: int = Field(description="Rows written now")
    already_there: int = Field(description="Rows not written because a row with their key is there")
    differing_keys: list[str] = Field(description="Keys whose row is there with other values; those rows were left as they are")
    verified: bool = Field(description="The new rows were read back and are as sent")
    replayed: bool = Field(default=False, description="This request was done before under the same idempotency key")
    outbox: str | None = Field(default=None, description="No Google credentials are set: the file the rows went to instead")


@dataclass(frozen=True)
class Order:
    """The rows to write, and where. `key_column` counts the cells of a row from 1."""

    spreadsheet_id: str
    range: str
    rows: Sequence[Row]
    key_column: int | None
    value_input: ValueInput


class SheetWriter:
    """Writes orders one after another, so that nothing is written between reading a sheet and writing it."""

    def __init__(self, sheets: Sheets, ledger: Ledger, one_writer: OneWriter) -> None:
        self._sheets, self._ledger, self._one_writer = sheets, ledger, one_writer

    async def write(self, order: Order, key: str | None) -> Written:
        """Write the rows, once for each `key`. Raises NotDone or ServiceOutcomeUnknown."""
        check_rows(order.rows, order.value_input)
        if order.key_column and order.value_input != "RAW":
            raise NotDone("Nothing was written: key_column needs RAW, because the sheet may store another text than was entered.")
        target = parse_range(order.range)
        async with self._one_writer.turn():
            if key is None and order.key_column is None:
                return await self._append_new(order, target, None)
            table = await self._sheets.values(order.spreadsheet_id, target.whole)
            if key is None:
                return await self._append_new(order, target, table)
            return await self._write_under(key, order, target, table)

    async def _write_under(self, key: str, order: Order, target: Target, table: Sequence[Row]) -> Written:
        name = fingerprint(order.spreadsheet_id, order.range, order.rows, order.key_column, order.value_input)
        claim = await self._ledger.claim(key, name, len(occurrences(table, order.rows, target.first_column)))
        if claim.fingerprint != name:
            raise NotDone("Nothing was written: this idempotency key was used for other rows. Send these under a new one.")
        if claim.result is not None:
            return Written.model_validate_json(claim.result).model_copy(update={"replayed": True})
        written = None if claim.fresh else self._find(order, target, table, claim.before)
        if written is None:
            try:
                written = await self._append_new(order, target, table)
            except NotDone:
                await self._ledger.release(key)
                raise
        await self._ledger.settle(key, written.model_dump_json())
        return written

    async def _append_new(self, order: Order, target: Target, table: Sequence[Row] | None) -> Written:
        new, differing = _sort_out(order, target, table or ())
        updated_range = None
        if new:
            updated_range = await self._append(order, target, table, new)
        return Written(
            spreadsheet_id=order.spreadsheet_id,
            updated_range=updated_range,
            appended=len(new),
            already_there=len(order.rows) - len(new),
            differing_keys=differing,
            verified=updated_range is None or await self._verify(order, updated_range, new),
            outbox=self._sheets.outbox,
        )

    async def _append(self, order: Order, target: Target, table: Sequence[Row] | None, new: Sequence[Row]) -> str:
        try:
            return await self._sheets.append(order.spreadsheet_id, order.range, new, order.value_input)
        except ServiceOutcomeUnknown:
            if table is None:  # the sheet was not read before, so reading it now would prove nothing
                raise
            before = len(occurrences(table, new, target.first_column))
            return await self._look_again(order, target, new, before)

    async def _look_again(self, order: Order, target: Target, new: Sequence[Row], before: int) -> str:
        try:
            table = await self._sheets.values(order.spreadsheet_id, target.whole)
        except NotDone as problem:
            raise ServiceOutcomeUnknown(f"The outcome is unknown: the rows may have been written. {problem}") from problem
        found = occurrences(table, new, target.first_column)
        if len(found) <= before:
            raise ServiceOutcomeUnknown(
                "The outcome is unknown: Google Sheets did not answer and the rows are not there yet. Look before you repeat it."
            )
        return target.block(found[-1], len(new), max(map(len, new)))

    async def _verify(self, order: Order, updated_range: str, new: Sequence[Row]) -> bool:
        try:
            there = await self._sheets.values(order.spreadsheet_id, updated_range)
        except NotDone:
            return False
        if order.value_input == "USER_ENTERED":
            return len(there) == len(new)  # the sheet converts dates and numbers, so cells cannot be compared
        return len(there) == len(new) and all(map(same, new, there))

    def _find(self, order: Order, target: Target, table: Sequence[Row], before: int) -> Written | None:
        """Return what an earlier request under this key wrote although its outcome was unknown; None if it wrote nothing. Raises
        ServiceOutcomeUnknown if that cannot be found out."""
        found = occurrences(table, order.rows, target.first_column)
        if len(found) <= before:
            if order.value_input == "RAW":
                return None
            raise ServiceOutcomeUnknown(
                "The outcome of the first request under this idempotency key is unknown, and what the sheet made of its texts "
                "cannot be compared. Look there; if the rows are missing, send them under a new key."
            )
        return Written(
            spreadsheet_id=order.spreadsheet_id,
            updated_range=target.block(found[-1], len(order.rows), max(map(len, order.rows))),
            appended=len(order.rows),
            already_there=0,
            differing_keys=[],
            verified=True,
            replayed=True,
            outbox=self._sheets.outbox,
        )


def _sort_out(order: Order, target: Target, table: Sequence[Row]) -> tuple[list[Row], list[str]]:
    """Return the rows whose key is not in the table yet, and the keys that are there with other values. Raises NotDone."""
    if order.key_column is None:
        return list(order.rows), []
    present = by_key(table, order.key_column, target.first_column)
    new: dict[str, Row] = {}
    differing = []
    for number, row in enumerate(order.rows, 1):
        key = key_of(row, order.key_column)
        if not key:
            raise NotDone(f"Nothing was written: row {number} has nothing in its key column {order.key_column}.")
        if key in new:
            raise NotDone(f"Nothing was written: two rows have the key {key!r}. Send each key once.")
        if key not in present:
            new[key] = row
        elif not same(row, present[key]):
            differing.append(key)
    return list(new.values()), differing
