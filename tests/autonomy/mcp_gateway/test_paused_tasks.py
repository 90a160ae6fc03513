"""Runs that clients ordered as tasks, and that a person has paused or a fault interrupted."""

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import anyio
import anyio.lowlevel
import anyio.to_thread
import pytest

from autonomy.durable.records.run_records import RunRecord, RunRecords
from autonomy.durable.run_control import RunControl
from autonomy.errors import StoreError
from autonomy.llm.model import Task
from autonomy.mcp_gateway.tasks import task_methods
from autonomy.mcp_gateway.tasks.call_tasks import CallTasks
from autonomy.mcp_gateway.tasks.job_tasks import JobTasks
from autonomy.mcp_gateway.tasks.task_methods import TaskMethods
from autonomy.mcp_gateway.tasks.task_wire import TaskResult
from autonomy.run_state.run_values import RunRequest, RunResult
from tests.support.durable import asked, box, prepared, workshop


class NoResuming(RunControl):
    """Orders about runs, of which none is to be resumed."""

    def __init__(self) -> None:
        """It needs no database for that."""

    async def resume(self, run_id: str, *, by: str, tenant: str | None = None, owner: str = "", idle: bool = False) -> RunRecord:
        pytest.fail(f"{run_id} was resumed for {by}")


async def carry_out(request: RunRequest) -> RunResult:
    raise AssertionError(request.run_id)


async def test_a_client_that_asks_how_its_task_stands_does_not_resume_what_a_person_has_paused(tmp_path: Path) -> None:
    engine = await anyio.to_thread.run_sync(prepared, f"sqlite:///{tmp_path / 'jiritsu.db'}")
    records = RunRecords(engine)
    tasks = JobTasks(records, NoResuming(), carry_out, "default", "this process", lambda: 0.0, frozenset)
    await records.begin(RunRequest(run_id="run-1", task=Task(goal="Tidy up."), actor="gateway:alice"), 0.0, "paused")
    found = await tasks.get("run-1", "gateway:alice")
    assert (found.status, found.status_message) == ("working", "it is paused (jiritsu runs resume)")
    await anyio.to_thread.run_sync(engine.dispose)


async def test_a_task_whose_run_was_interrupted_twice_while_the_gateway_lives_on_is_resumed_when_asked_for(
    tmp_path: Path,
) -> None:
    away, now, goes_on = 2, 0.0, anyio.Event()

    async def flaky(_seconds: float) -> None:
        nonlocal away
        if away:
            away -= 1
            raise StoreError("the database cannot be used: database or disk is full")
        goes_on.set()
        await anyio.lowlevel.checkpoint()

    url = f"sqlite:///{tmp_path / 'jiritsu.db'}"
    async with (
        workshop(url, box(tmp_path), takes_work=False, approvals={"sleep": flaky}) as shop,
        anyio.create_task_group() as group,
    ):
        its = (shop.runs.run, "default", shop.runs.executor_id, lambda: now, shop.runs.going, group)
        tasks = JobTasks(shop.records, shop.orders, *its)
        with anyio.fail_after(240):
            await tasks.create(asked("run-1", "ask", actor="gateway:alice"))
            while not goes_on.is_set():
                assert (await tasks.get("run-1", "gateway:alice")).status == "working"
                now += 1.0
                await anyio.sleep(0.02)
            approval = await shop.question()
            await shop.approvals.answer(approval.id, granted=True, by="haruka")
            await shop.runs.ended("run-1")
        assert (await tasks.get("run-1", "gateway:alice")).status == "completed"


async def test_tasks_that_come_while_a_client_turns_pages_push_none_onto_the_next(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(task_methods, "PAGE", 2)
    begun = [f"2026-11-29T00:00:0{second}Z" for second in (1, 2, 2, 3)]

    class Jobs:
        async def of(self, _actor: str) -> list[TaskResult]:
            return [
                TaskResult(task_id=f"task-{number}", status="working", created_at=at, last_updated_at=at, poll_interval_ms=1)
                for number, at in enumerate(begun)
            ]

    methods = TaskMethods(CallTasks(lambda: 0.0), Jobs())  # type: ignore[arg-type]  # lists alone
    session: Any = SimpleNamespace(client="c", request=SimpleNamespace(actor="gateway:c"))
    seen, cursor = list[str](), None
    while page := await methods.listed(cursor, session):
        seen += [task["taskId"] for task in page["tasks"]]
        begun.append("2026-11-29T00:00:09Z")
        if (cursor := page.get("nextCursor")) is None:
            break
    assert seen == ["task-3", "task-2", "task-1", "task-0"]
