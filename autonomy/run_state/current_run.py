"""Names the run of the current task, for log lines only."""

from contextvars import ContextVar

current_run: ContextVar[str] = ContextVar("current_run", default="")
