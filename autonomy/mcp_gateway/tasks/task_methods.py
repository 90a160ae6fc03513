"""Handles clients' methods for tasks (`tasks/…`), for both runs and calls, in both revisions of MCP."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import anyio
from mcp import MCPError
from mcp_types import INVALID_PARAMS, METHOD_NOT_FOUND

from autonomy.mcp_gateway.past_writes import OnDelivery
from autonomy.mcp_gateway.sessions.client_session import ClientSession
from autonomy.mcp_gateway.tasks.call_tasks import AskTaskClient, CallTasks, ClientTask
from autonomy.mcp_gateway.tasks.job_tasks import JobTasks
from autonomy.mcp_gateway.tasks.task_wire import (
    AS_TASK,
    TaskDone,
    TaskParams,
    TaskResult,
    TaskUpdateParams,
    no_such_task,
)
from discovery.catalog import JsonObject

LOOK_S = 0.5
"""How often to check whether a run has ended whose client waits for the result."""
PAGE = 100
"""Tasks in one answer to `tasks/list`."""
LEGACY = "2025-11-25"
"""The only earlier revision that has tasks."""

TrackDelivery = Callable[[OnDelivery], None]
"""Called with a function that is to be told whether the answer to this request was sent."""


@dataclass(eq=False)
class TaskMethods:
    """Both kinds of tasks behind the same methods."""

    calls: CallTasks
    jobs: JobTasks | None = None
    """None if runs do not survive the process."""

    async def modern(
        self, method: str, params: TaskParams, session: ClientSession, track: TrackDelivery
    ) -> TaskResult | TaskDone:
        """Answer a client of 2026-07-28. Raises `MCPError`."""
        task = self.calls.find(params.task_id, session.client)
        match method:
            case "tasks/get":
                return await self._get(params, session, task, track)
            case "tasks/cancel" if task is not None:
                self.calls.cancel(task)
            case "tasks/update" if task is not None and isinstance(params, TaskUpdateParams):
                self.calls.update(task, params.input_responses)
            case "tasks/cancel":
                await self._jobs.cancel(params.task_id, session.request.actor)
            case "tasks/update":
                await self._jobs.update(params.task_id, session.request.actor)
            case _:
                raise MCPError(METHOD_NOT_FOUND, "Method not found", method)
        return TaskDone()

    async def legacy(
        self, method: str, params: TaskParams, session: ClientSession, track: TrackDelivery, ask: Callable[[str], AskTaskClient]
    ) -> JsonObject:
        """Answer a client of 2025-11-25. `ask` asks it a task's questions. Raises `MCPError`."""
        task = self.calls.find(params.task_id, session.client)
        match method:
            case "tasks/get":
                return (await self._get(params, session, task, lambda on_delivery: None)).legacy()
            case "tasks/result":
                if task is None:
                    return (await self._job_ended(params.task_id, session.request.actor)).brought()
                ended = await self.calls.result(task, ask(params.task_id))
                _hand_over(task, track)
                return ended.brought()
            case "tasks/cancel":
                now = await self._get(params, session, task, lambda on_delivery: None)
                if now.ended:
                    raise MCPError(INVALID_PARAMS, f"the task is {now.legacy()['status']} already")
                if task is not None:
                    self.calls.cancel(task)
                else:
                    await self._jobs.cancel(params.task_id, session.request.actor)
                return now.model_copy(update={"status": "cancelled", "status_message": None}).legacy()
            case _:
                raise MCPError(METHOD_NOT_FOUND, "Method not found", method)

    async def listed(self, cursor: str | None, session: ClientSession) -> JsonObject:
        """Return a page of all tasks of a client of 2025-11-25, the newest first. Raises `MCPError` for an invalid cursor.

        A cursor is the place of the last task before the page, since tasks come and go between two pages.
        """
        created_at, blank, task_id = (cursor or "").partition(" ")
        if cursor is not None and not blank:
            raise MCPError(INVALID_PARAMS, "Invalid cursor")
        jobs = [] if self.jobs is None else await self.jobs.of(session.request.actor)
        tasks = sorted([*self.calls.of(session.client), *jobs], key=_place, reverse=True)
        left = [task for task in tasks if cursor is None or _place(task) < (created_at, task_id)]
        page: JsonObject = {"tasks": [task.legacy() for task in left[:PAGE]]}
        return page | ({"nextCursor": " ".join(_place(left[PAGE - 1]))} if len(left) > PAGE else {})

    @property
    def _jobs(self) -> JobTasks:
        if self.jobs is None:
            raise no_such_task()
        return self.jobs

    async def _job_ended(self, task_id: str, actor: str) -> TaskResult:
        while True:
            task = await self._jobs.get(task_id, actor)
            if task.ended:
                return task
            await anyio.sleep(LOOK_S)

    async def _get(self, params: TaskParams, session: ClientSession, task: ClientTask | None, track: TrackDelivery) -> TaskResult:
        if task is None:
            return await self._jobs.get(params.task_id, session.request.actor)
        snapshot = self.calls.get(task)
        if snapshot.ended:
            _hand_over(task, track)
        return snapshot


def in_its_place(result: Any) -> Any:
    """Replace an answer by the task that stands for it, if there is one (2025-11-25)."""
    meta = result.get("_meta") if isinstance(result, Mapping) else None
    return {"task": meta[AS_TASK]} if isinstance(meta, Mapping) and AS_TASK in meta else result


def _place(task: TaskResult) -> tuple[str, str]:
    return task.created_at, task.task_id


def _hand_over(task: ClientTask, track: TrackDelivery) -> None:
    on_delivery, task.held.on_delivery = task.held.on_delivery, None
    if on_delivery is not None:
        track(on_delivery)
