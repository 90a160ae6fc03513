"""Which run the code under way works for: for logs alone, nothing is decided by it."""

from contextvars import ContextVar

current_run: ContextVar[str] = ContextVar("current_run", default="")
