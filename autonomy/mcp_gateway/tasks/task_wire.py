"""Serializes tasks for the gateway's clients, in both revisions of MCP.

Those are 2026-07-28, with the extension of SEP-2663, and 2025-11-25, basic/utilities/tasks.
"""

from datetime import UTC, datetime
from typing import Any, Literal

from mcp import MCPError
from mcp_types import INVALID_PARAMS, MISSING_REQUIRED_CLIENT_CAPABILITY, ClientCapabilities, RequestParams, Result
from pydantic import SerializerFunctionWrapHandler, model_serializer

from discovery.catalog import JsonObject
from discovery.tool_calls.task_messages import EXTENSION, RELATED

Status = Literal["working", "input_required", "completed", "failed", "cancelled"]
AS_TASK = "jiritsu/task"
"""Key in the `_meta` of a handler's answer: the task that a client of 2025-11-25 gets instead of the answer."""


class TaskParams(RequestParams):
    """The parameters of `tasks/get`, `tasks/cancel` and `tasks/result`."""

    task_id: str


class TaskUpdateParams(TaskParams):
    """The parameters of `tasks/update`: answers to questions, by the keys of these."""

    input_responses: dict[str, Any]


class TaskResult(Result):
    """A task. Its type is `task` as the answer to a call, and `complete` as the answer to `tasks/get`."""

    result_type: Literal["task", "complete"] = "complete"
    task_id: str
    status: Status
    status_message: str | None = None
    created_at: str
    last_updated_at: str
    ttl_ms: int | None = None
    poll_interval_ms: int
    input_requests: JsonObject | None = None
    result: JsonObject | None = None
    error: JsonObject | None = None

    @model_serializer(mode="wrap")
    def _with_ttl(self, write: SerializerFunctionWrapHandler) -> dict[str, Any]:
        """Write `ttlMs` even if it is null, which means forever, because the schema requires it."""
        return {"ttlMs": None, **write(self)}

    @property
    def ended(self) -> bool:
        """Whether the task has ended."""
        return self.status not in ("working", "input_required")

    def legacy(self) -> JsonObject:
        """Return the task for a client of 2025-11-25, which requests the result separately.

        There a task whose tool returned an error has failed (2025-11-25, basic/utilities/tasks, "Tool Call Tasks").
        """
        failed = self.status == "completed" and (self.result or {}).get("isError")
        data = {
            "taskId": self.task_id,
            "status": "failed" if failed else self.status,
            "createdAt": self.created_at,
            "lastUpdatedAt": self.last_updated_at,
            "ttl": self.ttl_ms,
            "pollInterval": self.poll_interval_ms,
        }
        return data | ({"statusMessage": self.status_message} if self.status_message else {})

    def brought(self) -> JsonObject:
        """Return the response to `tasks/result` of 2025-11-25 for a task that has ended. Raises `MCPError` if it failed."""
        if self.result is None:
            error = self.error or {"code": INVALID_PARAMS, "message": f"the task was {self.status}"}
            raise MCPError(error["code"], error["message"], error.get("data"))
        plain = {name: value for name, value in self.result.items() if name != "resultType"}
        return {**plain, "_meta": {**plain.get("_meta", {}), RELATED: {"taskId": self.task_id}}}


class TaskDone(Result):
    """The acknowledgement of `tasks/update` and `tasks/cancel`."""

    result_type: Literal["complete"] = "complete"


def no_such_task() -> MCPError:
    """Return the error for an unknown task. Other clients get it for an existing task as well."""
    return MCPError(INVALID_PARAMS, "there is no such task")


def require_extension(capabilities: ClientCapabilities | None) -> None:
    """Raise `MCPError` for a client that does not support tasks."""
    if not knows_tasks(capabilities):
        needed: JsonObject = {"requiredCapabilities": {"extensions": {EXTENSION: {}}}}
        raise MCPError(MISSING_REQUIRED_CLIENT_CAPABILITY, "Missing required client capability", needed)


def knows_tasks(capabilities: ClientCapabilities | None) -> bool:
    """Whether a client declares with its request that it supports tasks."""
    return capabilities is not None and EXTENSION in (capabilities.extensions or {})


def timestamp(at: float) -> str:
    """Return seconds since the epoch as ISO 8601."""
    return datetime.fromtimestamp(at, UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
