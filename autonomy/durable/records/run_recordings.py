"""Reads a run's recording from the steps that DBOS stored.

Reads DBOS's table of steps as it stands; nothing has to run.
"""

from collections.abc import Sequence

import sqlalchemy as sa

from autonomy.agent.replay import RecordedStep, Recording
from autonomy.durable.engine_tables import stored_steps
from autonomy.durable.records.run_records import RunRecord
from autonomy.durable.storage.serializer import JsonSerializer
from autonomy.durable.store import Store
from autonomy.errors import RunConflict


async def recording_of(record: RunRecord, model: str, engine: sa.Engine, *, keys: Sequence[str]) -> Recording:
    """The recording of a run that has ended; `model` is who was asked first, as its journal says.

    Raises `RunConflict` when the run has not ended or its steps are gone, `StoreError` when they are encrypted under another key.
    """
    if record.result is None:
        raise RunConflict(f"run {record.run_id} has not ended")
    steps = await Store(engine, patience_s=0)(lambda connection: _steps(connection, record.run_id, JsonSerializer(keys)))
    if not steps:
        raise RunConflict(f"the steps of run {record.run_id} are not kept any more")
    return Recording(request=record.request, model=model, steps=steps, result=record.result)


def _steps(connection: sa.Connection, run_id: str, serializer: JsonSerializer) -> tuple[RecordedStep, ...]:
    found = stored_steps(connection, run_id)
    return tuple(RecordedStep(step=name, gave=serializer.deserialize(output)) for name, output in found)
