"""Names the run that the current task works for, for log lines alone."""

from contextvars import ContextVar

current_run: ContextVar[str] = ContextVar("current_run", default="")
