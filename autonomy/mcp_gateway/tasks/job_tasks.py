"""Runs jobs as MCP tasks: a client gets a handle at once and polls for the result (SEP-2663).

A task is a durable run with the same id. It survives the gateway: when its client asks for it afterwards, it is resumed.
"""

import logging
from collections.abc import Awaitable, Callable, Collection
from contextlib import suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import anyio.abc
from mcp_types import INTERNAL_ERROR

from autonomy.durable.records.run_records import RunRecord, RunRecords
from autonomy.errors import RunConflict, StoreError, UnknownRun
from autonomy.mcp_gateway.job_tools import answer_of_run
from autonomy.mcp_gateway.tasks.task_wire import TaskDone, TaskResult, no_such_task, timestamp
from autonomy.run_state.run_values import RunRequest, RunResult

if TYPE_CHECKING:  # it imports the engine, which a gateway without jobs does not need
    from autonomy.durable.run_control import RunControl

_log = logging.getLogger(__name__)
POLL_MS = 2_000
IDLE_S = 5.0
"""After so long a run of this process that nobody carries out is resumed: to begin one takes a moment."""
MOST_LISTED = 200
"""How many of the runs that a client ordered are listed. Older ones are found by their ids."""
_WAITS = {"waiting": "it waits for a person (jiritsu approvals)", "paused": "it is paused (jiritsu runs resume)"}


@dataclass(eq=False)
class JobTasks:
    """The runs that clients ordered as tasks."""

    records: RunRecords
    control: "RunControl"
    carry_out: Callable[[RunRequest], Awaitable[RunResult]]
    tenant: str
    """Clients of two tenants may have the same name."""
    executor_id: str
    """Of this process, which resumes runs that another one left."""
    clock: Callable[[], float]
    going: Callable[[], Collection[str]]
    """The runs that are carried out in this process now."""
    group: anyio.abc.TaskGroup | None = None
    """In which runs are carried out; None while the gateway is not open."""
    _here: set[str] = field(default_factory=set)
    """Runs that this process began and that have neither ended nor been interrupted."""
    _idle_since: dict[str, float] = field(default_factory=dict)
    """When a run that has not ended was first found to go on nowhere here."""

    async def create(self, request: RunRequest) -> TaskResult:
        """Store and start a run, and return its task. Raises `StoreError`."""
        assert self.group is not None  # noqa: S101 - a gateway that is not open serves nobody
        await self.records.begin(request, self.clock(), "queued")
        self._here.add(request.run_id)
        self.group.start_soon(self._carry_out, request)
        return _task_result(await self.records.get(request.run_id)).model_copy(update={"result_type": "task"})

    async def get(self, task_id: str, actor: str) -> TaskResult:
        """Return the state of a task of this client, and resume it if no process runs it, unless a person has paused it. Raises
        `MCPError` for an unknown one."""
        record = await self._own_record(task_id, actor)
        if record.ended_at is not None or record.state == "paused" or task_id in {*self._here, *self.going()}:
            self._idle_since.pop(task_id, None)
            return _task_result(record)
        # the database may have been away: this process lives, and has let the run go
        idle = self.clock() - self._idle_since.setdefault(task_id, self.clock()) >= IDLE_S
        with suppress(RunConflict):  # another process runs it, or this one is about to
            await self.control.resume(task_id, by=actor, tenant=self.tenant, owner=self.executor_id, idle=idle)
            del self._idle_since[task_id]
        return _task_result(record)

    async def of(self, actor: str) -> list[TaskResult]:
        """Return the newest tasks of this client."""
        runs = await self.records.newest(tenant=self.tenant, actor=actor, limit=MOST_LISTED)
        return [_task_result(record) for record in runs]

    async def cancel(self, task_id: str, actor: str) -> TaskDone:
        """Cancel a task. A call that is under way may still finish. Raises `MCPError` for an unknown task."""
        await self._own_record(task_id, actor)
        with suppress(RunConflict):  # it has ended
            await self.control.cancel(task_id, by=actor, tenant=self.tenant)
        return TaskDone()

    async def update(self, task_id: str, actor: str) -> TaskDone:
        """Ignore answers, because jobs ask their clients no questions. Raises `MCPError` for an unknown task."""
        await self._own_record(task_id, actor)
        return TaskDone()

    async def _own_record(self, task_id: str, actor: str) -> RunRecord:
        try:
            record = await self.records.get(task_id, self.tenant)
        except (UnknownRun, RunConflict):  # the latter if several ids begin like it
            record = None
        if record is None or record.run_id != task_id or record.actor != actor:
            raise no_such_task()
        return record

    async def _carry_out(self, request: RunRequest) -> None:
        try:
            await self.carry_out(request)
        except StoreError as error:
            _log.warning("task %s was interrupted: %s", request.run_id, error)
        finally:
            self._here.discard(request.run_id)


def _task_result(record: RunRecord) -> TaskResult:
    task = TaskResult(
        task_id=record.run_id,
        status="working",
        status_message=_WAITS.get(record.state),
        created_at=timestamp(record.asked_at),
        last_updated_at=timestamp(record.ended_at or record.asked_at),
        poll_interval_ms=POLL_MS,
    )
    if record.ended_at is None:
        return task
    if record.result is None:
        error = {"code": INTERNAL_ERROR, "message": f"the run ended {record.state}, and what it brought cannot be read"}
        return task.model_copy(update={"status": "failed", "error": error})
    if record.result.ending == "cancelled":
        return task.model_copy(update={"status": "cancelled", "status_message": record.result.reason})
    answer = answer_of_run(record.result).model_dump(mode="json", by_alias=True, exclude_none=True)
    return task.model_copy(update={"status": "completed", "status_message": record.result.ending, "result": answer})
