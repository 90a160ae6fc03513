"""Parses servers' task messages, in both revisions that have tasks.

In 2025-11-25 tasks are part of the core (basic/utilities/tasks), and the client requests one. In 2026-07-28 they are an extension
(SEP-2663), and the server decides to make one, for a client that declares the extension.
"""

import math
from dataclasses import dataclass, field
from typing import Any, Literal

from mcp.client.extension import ClaimContext, ClientExtension, ResultClaim
from mcp_types import CallToolResult, Result, ServerCapabilities
from pydantic import ConfigDict

from discovery.catalog import JsonObject

EXTENSION = "io.modelcontextprotocol/tasks"
RELATED = "io.modelcontextprotocol/related-task"
"""In the `_meta` of a request of a server of 2025-11-25: the task that it belongs to."""
LONGEST_ID = 1_000
LONGEST_MESSAGE = 500
SHORTEST_POLL_S, LONGEST_POLL_S = 0.05, 30.0
"""Limits for the interval that a server suggests."""
ENDED = ("completed", "failed", "cancelled")


@dataclass(frozen=True)
class RemoteTask:
    """A server's task in its last known state."""

    id: str
    status: str
    """`working`, `input_required`, `completed`, `failed` or `cancelled`; any other word counts as `working`."""
    message: str = ""
    poll_s: float | None = None
    """The polling interval that the server suggests, in seconds."""
    result: JsonObject | None = None
    error: JsonObject | None = None
    questions: JsonObject = field(default_factory=dict)
    """The questions that it waits for, by the server's names (2026-07-28)."""

    @property
    def ended(self) -> bool:
        """Whether its status is final."""
        return self.status in ENDED


def read_task(task: Any) -> RemoteTask:
    """Parse a task of either revision. Raises ValueError if it has no usable id."""
    if not isinstance(task, dict) or not isinstance(id_ := task.get("taskId"), str) or not 0 < len(id_) <= LONGEST_ID:
        raise ValueError("a task without a usable id")
    message, questions = task.get("statusMessage"), task.get("inputRequests")
    return RemoteTask(
        id_,
        str(task.get("status")),
        message[:LONGEST_MESSAGE] if isinstance(message, str) else "",
        _seconds(task.get("pollIntervalMs", task.get("pollInterval"))),
        _object(task.get("result")),
        _object(task.get("error")),
        _object(questions) or {},
    )


def takes_tasks(capabilities: ServerCapabilities | None) -> bool:
    """Whether a server of 2025-11-25 accepts calls as tasks; if not, what its tools declare about tasks has no meaning."""
    requests = capabilities.tasks.requests if capabilities and capabilities.tasks else None
    return requests is not None and requests.tools is not None and requests.tools.call is not None


def makes_tasks(capabilities: ServerCapabilities | None) -> bool:
    """Whether a server of 2026-07-28 may answer a call with a task."""
    return capabilities is not None and EXTENSION in (capabilities.extensions or {})


def _object(value: Any) -> JsonObject | None:
    return value if isinstance(value, dict) else None


def _seconds(milliseconds: Any) -> float | None:
    if not isinstance(milliseconds, int | float) or isinstance(milliseconds, bool) or not math.isfinite(milliseconds):
        return None
    return min(max(milliseconds / 1000, SHORTEST_POLL_S), LONGEST_POLL_S)


class TaskHandle(Result):
    """The handle of a task that takes the place of an answer (2026-07-28)."""

    model_config = ConfigDict(extra="allow")

    result_type: Literal["task"] = "task"

    @property
    def task(self) -> RemoteTask:
        """The task. Raises ValueError if it has no usable id."""
        return read_task(self.model_dump(by_alias=True))


class BecameTask(Exception):
    """A call by the SDK was answered with a task; raised by `TasksExtension` and caught where the call was made."""

    def __init__(self, handle: TaskHandle) -> None:
        self.handle = handle
        super().__init__("the call became a task")


class TasksExtension(ClientExtension):
    """Declares to servers of 2026-07-28 that we support tasks."""

    identifier = EXTENSION

    def claims(self) -> tuple[ResultClaim[Any], ...]:
        """See `ClientExtension`."""
        return (ResultClaim(result_type="task", model=TaskHandle, resolve=self._became),)

    async def _became(self, handle: TaskHandle, context: ClaimContext) -> CallToolResult:
        raise BecameTask(handle)
