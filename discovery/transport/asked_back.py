"""What a server may ask or tell in the middle of a call, and who hears it for the caller."""

from contextvars import ContextVar
from typing import Protocol

import anyio
from mcp_types import ElicitRequestParams, ElicitResult

LONGEST_TIMES = 10.0
"""A call that reports progress may take so many times its timeout, where the caller says nothing else."""


class CallListener(Protocol):
    """Stands beside one call, on the caller's side."""

    async def elicit(self, provider: str, tool: str, params: ElicitRequestParams) -> ElicitResult:
        """Answer what the server wants to know of a person; whoever cannot be asked declines."""
        ...

    async def progress(self, progress: float, total: float | None, message: str | None) -> None:
        """Hear how far the call is."""
        ...


call_listener: ContextVar[CallListener | None] = ContextVar("jiritsu-call-listener", default=None)
"""Who stands beside the call that the current task is about to make."""


class CallInFlight:
    """One call that a server is working on, and how long it may still take."""

    def __init__(self, tool: str, scope: anyio.CancelScope, timeout_s: float, longest_s: float | None) -> None:
        self.tool, self.listener = tool, call_listener.get()
        self._scope, self._timeout_s = scope, timeout_s
        self._longest_s = LONGEST_TIMES * timeout_s if longest_s is None else max(longest_s, timeout_s)
        self._last_at = anyio.current_time() + self._longest_s

    async def progressed(self, progress: float, total: float | None, message: str | None) -> None:
        """A sign of work prolongs the deadline, within the cap (MCP 2025-11-25, basic/utilities/progress and lifecycle,
        "Timeouts")."""
        self._scope.deadline = min(self._last_at, max(self._scope.deadline, anyio.current_time() + self._timeout_s))
        if self.listener is not None:
            await self.listener.progress(progress, total, message)

    async def elicit(self, provider: str, params: ElicitRequestParams) -> ElicitResult:
        """Put the question to whoever stands beside the call; its clock stands still meanwhile."""
        if self.listener is None:
            return ElicitResult(action="decline")
        left_s = self._scope.deadline - anyio.current_time()
        asked_at, self._scope.deadline = anyio.current_time(), float("inf")
        try:
            return await self.listener.elicit(provider, self.tool, params)
        finally:
            self._scope.deadline = anyio.current_time() + max(left_s, 1.0)
            self._last_at += anyio.current_time() - asked_at
