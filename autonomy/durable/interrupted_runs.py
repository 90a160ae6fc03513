"""Finds unfinished runs whose process died."""

from collections.abc import Iterable, Sequence
from typing import Protocol

import sqlalchemy as sa
from anyio.to_thread import run_sync as in_thread

from autonomy.durable.engine_tables import Row, owner_of, rows_of
from autonomy.durable.liveness.process_locks import held
from autonomy.durable.records.run_records import ENDED


class RunState(Protocol):
    """A run in a list, or its record."""

    @property
    def run_id(self) -> str:
        """Its id."""
        ...

    @property
    def state(self) -> str:
        """What it said last."""
        ...


async def interrupted(engine: sa.Engine, records: Sequence[RunState]) -> frozenset[str]:
    """The runs that nobody works on although they have neither ended nor been paused."""
    at_work = [record.run_id for record in records if record.state not in ENDED and record.state != "paused"]
    return await in_thread(lambda: frozenset(at_work) - _alive(engine, rows_of(engine, at_work).values()))


def is_alive(engine: sa.Engine, row: Row | None) -> bool:
    """Whether a run waits for any worker, or the process that has it is alive. Blocks."""
    return row is not None and bool(_alive(engine, [row]))


def _alive(engine: sa.Engine, rows: Iterable[Row]) -> frozenset[str]:
    """Those of the runs that wait for any worker, or that a living process has."""
    owners = {row.workflow_uuid: owner_of(row) for row in rows if row.status in ("PENDING", "ENQUEUED")}
    living = held(engine, names) if (names := {*owners.values()} - {""}) else frozenset()
    return frozenset(run_id for run_id, owner in owners.items() if not owner or owner in living)
