"""A run that a client ordered as a task, and that a person has paused."""

from pathlib import Path

import anyio.to_thread
import pytest

from autonomy.durable.records.run_records import RunRecord, RunRecords
from autonomy.durable.run_control import RunControl
from autonomy.llm.model import Task
from autonomy.mcp_gateway.tasks.job_tasks import JobTasks
from autonomy.run_state.run_values import RunRequest, RunResult
from tests.support.durable import prepared


class NoResuming(RunControl):
    """Orders about runs, of which none is to be resumed."""

    def __init__(self) -> None:
        """It needs no database for that."""

    async def resume(self, run_id: str, *, by: str, tenant: str | None = None, owner: str = "") -> RunRecord:
        pytest.fail(f"{run_id} was resumed for {by}")


async def carry_out(request: RunRequest) -> RunResult:
    raise AssertionError(request.run_id)


async def test_a_client_that_asks_how_its_task_stands_does_not_resume_what_a_person_has_paused(tmp_path: Path) -> None:
    engine = await anyio.to_thread.run_sync(prepared, f"sqlite:///{tmp_path / 'jiritsu.db'}")
    records = RunRecords(engine)
    tasks = JobTasks(records, NoResuming(), carry_out, "default", "this process", lambda: 0.0)
    await records.begin(RunRequest(run_id="run-1", task=Task(goal="Tidy up."), actor="gateway:alice"), 0.0, "paused")
    found = await tasks.get("run-1", "gateway:alice")
    assert (found.status, found.status_message) == ("working", "it is paused (jiritsu runs resume)")
    await anyio.to_thread.run_sync(engine.dispose)
