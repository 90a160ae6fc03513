"""Finds unfinished runs whose process died."""

from collections.abc import Sequence

import sqlalchemy as sa
from anyio.to_thread import run_sync as in_thread

from autonomy.durable.engine_tables import Row, owner_of, row_of
from autonomy.durable.liveness.process_locks import is_free
from autonomy.durable.records.run_records import ENDED, RunRecord


async def interrupted(engine: sa.Engine, records: Sequence[RunRecord]) -> frozenset[str]:
    """The runs that nobody works on although they have neither ended nor been paused."""
    at_work = [record.run_id for record in records if record.state not in ENDED and record.state != "paused"]
    return await in_thread(lambda: frozenset(run_id for run_id in at_work if not is_alive(engine, row_of(engine, run_id))))


def is_alive(engine: sa.Engine, row: Row | None) -> bool:
    """Whether a run waits for any worker, or the process that has it is alive. Blocks."""
    if row is None or row.status not in ("PENDING", "ENQUEUED"):
        return False
    owner = owner_of(row)
    return not owner or not is_free(engine, owner)
