"""Follows a server's task until it has ended, through questions and lost connections.

call answered with a task ──► id stored ──► polled until it has ended ──► its result
                                  ▲             │
      a later process polls the same id         ├─ deadline, or no longer wanted: tasks/cancel
                                                └─ unknown to the server: TaskLost
"""

from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, NoReturn, Protocol

import anyio
from mcp import MCPError
from mcp_types import INTERNAL_ERROR, INVALID_PARAMS, METHOD_NOT_FOUND, CallToolResult, ErrorData

from discovery.catalog import JsonObject
from discovery.discovery_errors import CallFailed, DiscoveryError, ProviderBusy, TaskLost
from discovery.tool_calls.task_messages import LONGEST_POLL_S, RELATED, RemoteTask, read_task
from discovery.transport import answers
from discovery.transport.asked_back import CallInFlight
from discovery.transport.firewall import readable

FIRST_POLL_S, SLOWEST_POLL_S = 0.25, 5.0
"""The polling interval if the server suggests none; it doubles with each poll."""
CANCEL_S = 5.0
"""How long to wait for the server's answer to a cancellation."""
ERRORS_IN_A_ROW = 5
"""How often in a row a server may answer `tasks/get` with an error other than "there is no such task"."""


class TaskKeeper(Protocol):
    """Stores for one call the id of the task that the server made of it."""

    @property
    def known(self) -> str:
        """The id of the task that an earlier process began for this same call; empty if there is none."""

    @property
    def lasting(self) -> bool:
        """Whether the task will be followed later if this call is cancelled now."""

    async def began(self, task_id: str) -> None:
        """Store the id of the task that the server made of the call."""

    async def wanted(self) -> bool:
        """Whether the result is still needed."""


class NoKeeper:
    """A `TaskKeeper` that stores nothing, so a cancelled call is given up."""

    known, lasting = "", False

    async def began(self, task_id: str) -> None:
        """See `TaskKeeper`."""

    async def wanted(self) -> bool:
        """See `TaskKeeper`."""
        return True


Ask = Callable[[str, JsonObject], Awaitable[JsonObject]]
"""Sends a request `tasks/…` with these params over the present connection, and returns the result. Raises `DiscoveryError`."""
Answer = Callable[[str, Any], Awaitable[JsonObject | ErrorData]]
"""Lets the listener of the call answer a question, given with the server's name for it."""


@dataclass(eq=False)
class TaskPolling:
    """One call that became a task."""

    provider: str
    tool: str
    ask: Ask
    answer: Answer
    flight: CallInFlight
    keeper: TaskKeeper
    modern: Callable[[], bool]
    """Whether the server speaks 2026-07-28 now; that may change with an update of the server."""
    _answers: dict[str, JsonObject] = field(default_factory=dict)
    _polls: int = 0
    _told: str = ""

    async def follow(self, task: RemoteTask) -> CallToolResult:
        """Wait for the result of a task. If this is cancelled, so is the task, unless it will be followed later.

        Raises `TaskLost`, `CallFailed` for a task that failed or was cancelled, and ValidationError for a malformed result.
        """
        self.flight.task_id = task.id
        try:
            return await self._until_ended(task)
        except anyio.get_cancelled_exc_class():
            if self.flight.expired or not self.keeper.lasting:
                await self._cancel()
            raise

    async def _until_ended(self, task: RemoteTask) -> CallToolResult:
        pause_s, errors = FIRST_POLL_S, 0
        while not task.ended:
            if not await self.keeper.wanted():
                await self._cancel()
                raise CallFailed(self.provider, self.tool, "its run was cancelled, and its task with it", outcome_unknown=True)
            if task.status == "input_required" and (result := await self._meet(task)) is not None:
                return result
            await anyio.sleep(task.poll_s or pause_s)
            pause_s = min(2 * pause_s, SLOWEST_POLL_S)
            now = await self._poll()
            if now is None:
                errors += 1
            else:
                task, errors = now, 0
            if errors > ERRORS_IN_A_ROW:
                raise TaskLost(self.provider, self.tool, "its server cannot say what became of its task")
        return await self._result(task)

    async def _poll(self) -> RemoteTask | None:
        """Return the task's state; None for an error that may pass. Waits while the server is away: the task may continue."""
        try:
            task = await self._ask_until_answered("tasks/get")
        except CallFailed as error:
            if error.error and error.error.get("code") in (INVALID_PARAMS, METHOD_NOT_FOUND):
                raise TaskLost(self.provider, self.tool, f"its server no longer knows its task: {error.cause}") from error
            return None
        try:
            now = read_task({**task, "taskId": self.flight.task_id})
        except ValueError:
            return None
        self._polls += 1
        if now.message != self._told:
            self._told = now.message
            await self.flight.progressed(self._polls, None, now.message)
        else:
            self.flight.alive()
        return now

    async def _ask_until_answered(self, method: str) -> JsonObject:
        """Send a request about the task, again and again while the server is away; return the answer. Raises `CallFailed`."""
        pause_s = FIRST_POLL_S
        while True:
            try:
                return await self.ask(method, {"taskId": self.flight.task_id})
            except CallFailed as error:
                if error.error is not None or (error.status is not None and error.status < 500):
                    raise
            except DiscoveryError as error:
                if isinstance(error, ProviderBusy) and error.retry_after_s:
                    pause_s = max(pause_s, min(error.retry_after_s, LONGEST_POLL_S))
            await anyio.sleep(pause_s)
            pause_s = min(2 * pause_s, SLOWEST_POLL_S)

    async def _result(self, task: RemoteTask) -> CallToolResult:
        if task.status == "cancelled":
            raise CallFailed(
                self.provider, self.tool, f"its server cancelled its task {task.message}".strip(), outcome_unknown=True
            )
        if task.result is not None:
            return tool_result(task.result)
        if self.modern():
            self._failed(task)
        try:
            return tool_result(await self._ask_until_answered("tasks/result"))
        except CallFailed as error:
            if task.status == "failed":
                raise
            cause = f"its task has ended, and what it brought cannot be had: {error.cause}"
            raise CallFailed(self.provider, self.tool, cause, outcome_unknown=True) from error

    def _failed(self, task: RemoteTask) -> NoReturn:
        if task.status == "completed":
            raise CallFailed(self.provider, self.tool, "its task has ended without a result", outcome_unknown=True)
        reported = task.error or {}
        code, words = reported.get("code"), reported.get("message")
        code = code if isinstance(code, int) else INTERNAL_ERROR
        message = words if isinstance(words, str) else task.message or "the task failed"
        error = MCPError(code, message, reported.get("data"))
        raise answers.failure_of(error, self.provider, self.tool, fault="")

    async def _meet(self, task: RemoteTask) -> CallToolResult | None:
        """Answer the server's questions. In 2025-11-25 they arrive while waiting for the result, which is then returned."""
        if not self.modern():
            return await self._until_asked()
        for name, question in task.questions.items():
            if name not in self._answers:
                answer = await self.answer(name, question)
                if isinstance(answer, ErrorData):
                    await self._cancel()
                    raise CallFailed(
                        self.provider, self.tool, f"it asked what nobody answers: {answer.message}", outcome_unknown=True
                    )
                self._answers[name] = answer
        responses = {name: self._answers[name] for name in task.questions}
        with suppress(DiscoveryError):  # sent again as long as the server asks; it ignores answers that it already has
            await self.ask("tasks/update", {"taskId": self.flight.task_id, "inputResponses": responses})
        return None

    async def _until_asked(self) -> CallToolResult | None:
        """Request the result, on whose stream a server of 2025-11-25 asks its questions. None if the connection was lost."""
        raw: JsonObject | None = None
        failure: CallFailed | None = None
        async with anyio.create_task_group() as beside:
            beside.start_soon(self._keep_alive)
            try:
                raw = await self.ask("tasks/result", {"taskId": self.flight.task_id})
            except CallFailed as error:
                failure = error if error.error is not None else None
            except DiscoveryError:
                pass
            beside.cancel_scope.cancel()
        if failure is not None:
            raise failure
        return tool_result(raw) if raw is not None else None

    async def _keep_alive(self) -> None:
        while True:
            await anyio.sleep(SLOWEST_POLL_S)
            with suppress(DiscoveryError):
                await self.ask("tasks/get", {"taskId": self.flight.task_id})
                self.flight.alive()
            if not await self.keeper.wanted():
                await self._cancel()

    async def _cancel(self) -> None:
        """Ask the server to cancel the task. It need not comply."""
        with anyio.CancelScope(shield=True), anyio.move_on_after(CANCEL_S), suppress(DiscoveryError):
            await self.ask("tasks/cancel", {"taskId": self.flight.task_id})


def tool_result(raw: JsonObject) -> CallToolResult:
    """Parse a tool's result, without the reference to its task. Raises ValidationError."""
    content, meta = raw.get("content"), raw.get("_meta")
    if isinstance(meta, dict) and RELATED in meta:
        raw = {**raw, "_meta": {key: value for key, value in meta.items() if key != RELATED}}
    return CallToolResult.model_validate(
        {**raw, "content": readable(content)} if isinstance(content, list) else raw, by_name=False
    )
