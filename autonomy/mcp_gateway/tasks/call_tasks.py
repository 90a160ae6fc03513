"""Keeps running calls as MCP tasks for the clients that made them.

The server turned such a call into a task, or a client of 2025-11-25 sent it as one. It goes through the pipeline like every call,
and does not survive the process.
"""

from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass, field

from mcp import MCPError
from mcp_types import INTERNAL_ERROR, CallToolResult, InputRequest, InputResponse, InputResponses
from pydantic import TypeAdapter, ValidationError

from autonomy.mcp_gateway.held_requests import HeldRequest
from autonomy.mcp_gateway.tasks.task_wire import TaskResult, timestamp
from discovery.catalog import JsonObject

POLL_MS = 1_000
KEPT_S = 3_600.0
"""How long the result of a task is kept after its end."""
MOST_TASKS = 1_000
_RESPONSE: TypeAdapter[InputResponse] = TypeAdapter(InputResponse)

Held = HeldRequest[CallToolResult]
AskTaskClient = Callable[[InputRequest], Awaitable[InputResponse | None]]
"""Asks the client a question over a channel of its own; returns None if it cannot be asked or does not answer."""


@dataclass(eq=False)
class ClientTask:
    """One task. Times are seconds since the epoch."""

    held: Held
    began_at: float
    ended_at: float | None = None
    asking: set[str] = field(default_factory=set)
    """Keys of the questions that the client is being asked now."""


@dataclass(eq=False)
class CallTasks:
    """The tasks of all clients of one process."""

    clock: Callable[[], float]
    _tasks: dict[str, ClientTask] = field(default_factory=dict)

    @property
    def room(self) -> bool:
        """Whether another call may become a task. If not, it is answered when it has ended."""
        if len(self._tasks) >= MOST_TASKS:
            self._forget_ended()
        return len(self._tasks) < MOST_TASKS

    def keep(self, held: Held) -> TaskResult:
        """Keep a call that became a task, and return the answer for its client."""
        self._tasks[held.task_id] = task = ClientTask(held, self.clock())
        return self.get(task).model_copy(update={"result_type": "task"})

    def find(self, task_id: str, client: str) -> ClientTask | None:
        """Return a task of this client; None if there is none of that id here."""
        self._forget_ended()
        task = self._tasks.get(task_id)
        return task if task is not None and task.held.owner == client else None

    def of(self, client: str) -> list[TaskResult]:
        """Return all tasks of a client."""
        self._forget_ended()
        return [self.get(task) for task in self._tasks.values() if task.held.owner == client]

    async def push_statuses(self, held: Held, push: Callable[[TaskResult], Awaitable[None]]) -> None:
        """Call `push` each time the status of a task changes, until it has ended or is forgotten."""
        status = "working"
        while (task := self._tasks.get(held.task_id)) is not None:
            snapshot = self.get(task)
            if snapshot.status != status:
                status = snapshot.status
                await push(snapshot)
            elif snapshot.ended:
                return
            else:
                await held.changed()

    def cancel(self, task: ClientTask) -> None:
        """Cancel the call, and with it the server's."""
        if not task.held.done:
            task.held.give_up()

    def update(self, task: ClientTask, responses: JsonObject) -> None:
        """Take the answers to a task's questions. Invalid ones and those of unknown questions are ignored (SEP-2663)."""
        answers: InputResponses = {}
        for name, response in responses.items():
            with suppress(ValidationError):
                answers[name] = _RESPONSE.validate_python(response, by_name=False)
        task.held.answered(answers)

    async def result(self, task: ClientTask, ask: AskTaskClient) -> TaskResult:
        """Wait for the end of a task. Meanwhile its questions are asked on this request (2025-11-25, "Input Required Status")."""
        held = task.held
        while not held.done:
            waiting = [(key, request) for key, request in held.questions.items() if key not in task.asking]
            for key, request in waiting:
                task.asking.add(key)
                try:
                    answer = await ask(request)
                finally:
                    task.asking.discard(key)
                if answer is not None:
                    held.answered({key: answer})
                if key in held.questions:  # it was not answered, or the answer does not fit
                    held.leave(key)
            if not waiting:
                await held.changed()
        return self.get(task)

    def get(self, task: ClientTask) -> TaskResult:
        """Return the state of a task, with its questions or its result."""
        held = task.held
        if held.done and task.ended_at is None:
            task.ended_at = self.clock()
        ttl_ms = None if task.ended_at is None else round((task.ended_at - task.began_at + KEPT_S) * 1000)
        snapshot = TaskResult(
            task_id=held.task_id,
            status="working",
            status_message=held.status_message or None,
            created_at=timestamp(task.began_at),
            last_updated_at=timestamp(task.ended_at or task.began_at),
            ttl_ms=ttl_ms,
            poll_interval_ms=POLL_MS,
        )
        if not held.done and held.questions:
            requests = {key: _dumped(request) for key, request in held.questions.items()}
            return snapshot.model_copy(update={"status": "input_required", "input_requests": requests})
        if not held.done:
            return snapshot
        if held.error is not None:
            return snapshot.model_copy(update={"status": "failed", "error": _error_of(held.error)})
        if held.result is None:
            return snapshot.model_copy(update={"status": "cancelled"})
        return snapshot.model_copy(update={"status": "completed", "result": _dumped(held.result)})

    def _forget_ended(self) -> None:
        now = self.clock()
        for task_id, task in list(self._tasks.items()):
            if task.held.done and task.ended_at is None:
                task.ended_at = now
            if task.ended_at is not None and now - task.ended_at > KEPT_S:
                del self._tasks[task_id]
                if task.held.on_delivery is not None:
                    task.held.on_delivery(False)


def _dumped(model: CallToolResult | InputRequest) -> JsonObject:
    return model.model_dump(mode="json", by_alias=True, exclude_none=True)


def _error_of(error: Exception) -> JsonObject:
    if not isinstance(error, MCPError):
        return {"code": INTERNAL_ERROR, "message": "the call broke"}
    return error.error.model_dump(mode="json", by_alias=True, exclude_none=True)
