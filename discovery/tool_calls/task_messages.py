"""Parses servers' task messages, in both revisions that have tasks.

2025-11-25 has tasks in its core (basic/utilities/tasks): the client asks for one. 2026-07-28 has them as an extension (SEP-2663):
the server makes one where it likes, for a client that says it knows them.
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
"""In the `_meta` of what a server of 2025-11-25 asks: which task it belongs to."""
LONGEST_ID = 1_000
LONGEST_MESSAGE = 500
SHORTEST_POLL_S, LONGEST_POLL_S = 0.05, 30.0
"""Whatever a server suggests: sooner floods it, later hides that it has ended."""
ENDED = ("completed", "failed", "cancelled")


@dataclass(frozen=True)
class RemoteTask:
    """A server's task as it stood when the server last told of it."""

    id: str
    status: str
    """`working`, `input_required`, `completed`, `failed` or `cancelled`; what a server makes up counts as `working`."""
    message: str = ""
    poll_s: float | None = None
    """How often the server wants to be asked, in seconds."""
    result: JsonObject | None = None
    error: JsonObject | None = None
    questions: JsonObject = field(default_factory=dict)
    """What it waits for, by the server's own names (2026-07-28)."""

    @property
    def ended(self) -> bool:
        """Whether nothing will change any more."""
        return self.status in ENDED


def read_task(task: Any) -> RemoteTask:
    """A task from the wire, in either revision's words. Raises ValueError for one that has no id to ask for it by."""
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
    """Whether a server of 2025-11-25 takes calls as tasks; without it the words of its tools count for nothing."""
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
    """The handle that comes in place of an answer (2026-07-28)."""

    model_config = ConfigDict(extra="allow")

    result_type: Literal["task"] = "task"

    @property
    def task(self) -> RemoteTask:
        """The task. Raises ValueError for one without an id."""
        return read_task(self.model_dump(by_alias=True))


class BecameTask(Exception):
    """A call that the SDK made was answered with a task. Lives between `TasksExtension` and whoever made the call."""

    def __init__(self, handle: TaskHandle) -> None:
        self.handle = handle
        super().__init__("the call became a task")


class TasksExtension(ClientExtension):
    """Says to servers of 2026-07-28 that we know tasks."""

    identifier = EXTENSION

    def claims(self) -> tuple[ResultClaim[Any], ...]:
        """See `ClientExtension`."""
        return (ResultClaim(result_type="task", model=TaskHandle, resolve=self._became),)

    async def _became(self, handle: TaskHandle, context: ClaimContext) -> CallToolResult:
        raise BecameTask(handle)
