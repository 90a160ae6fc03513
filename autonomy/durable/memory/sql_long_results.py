"""Stores the texts of results that are too long for a run's record."""

import json

import anyio.to_thread
import sqlalchemy as sa

from autonomy.durable.durable_tables import long_results
from autonomy.durable.store import Store
from autonomy.run_state.long_results import PIECE


class SqlLongResults:
    """`LongResults` that every process of the database shares; they go with their run."""

    def __init__(self, store: Store) -> None:
        self._store = store

    async def keep(self, run_id: str, handle: str, text: str) -> None:
        """As `LongResults.keep`: one transaction for all of it. Raises `StoreError`."""
        rows = await anyio.to_thread.run_sync(_rows, run_id, handle, text)

        def replace(connection: sa.Connection) -> None:
            connection.execute(long_results.delete().where(*_where(run_id, handle)))
            connection.execute(long_results.insert(), rows)

        await self._store(replace)

    async def piece(self, run_id: str, handle: str, number: int) -> str | None:
        """As `LongResults.piece`. Raises `StoreError`."""
        query = sa.select(long_results.c.text).where(*_where(run_id, handle), long_results.c.number == number)
        found = await self._store(lambda connection: connection.scalar(query))
        return str(json.loads(found)[0]) if found else None


def _where(run_id: str, handle: str) -> tuple[sa.ColumnElement[bool], ...]:
    return long_results.c.run_id == run_id, long_results.c.handle == handle


def _rows(run_id: str, handle: str, text: str) -> list[dict[str, object]]:
    """The pieces, their characters escaped: no database refuses one then."""
    return [
        {"run_id": run_id, "handle": handle, "number": number, "text": json.dumps([text[start : start + PIECE]])}
        for number, start in enumerate(range(0, len(text), PIECE))
    ]
