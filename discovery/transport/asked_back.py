"""Defines what a server may ask or report in the middle of a call, and the listener for it."""

from collections.abc import Awaitable, Callable
from contextvars import ContextVar
from typing import Protocol, TypeVar
from urllib.parse import urlsplit

import anyio
from mcp import MCPError, UrlElicitationRequiredError
from mcp_types import (
    URL_ELICITATION_REQUIRED,
    ClientCapabilities,
    CreateMessageRequestParams,
    CreateMessageResult,
    CreateMessageResultWithTools,
    ElicitRequestParams,
    ElicitRequestURLParams,
    ElicitResult,
    ErrorData,
    ListRootsResult,
    LoggingMessageNotificationParams,
)

ResultT = TypeVar("ResultT")
Sampled = CreateMessageResult | CreateMessageResultWithTools | ErrorData
"""What becomes of a server's wish for a reply of a model."""

MOST_PAGES = 5
LONGEST_TIMES = 10.0
"""A call that reports progress may take so many times its timeout, where the caller says nothing else."""


class CallListener(Protocol):
    """Answers what a server asks during one call, on the caller's side."""

    @property
    def capabilities(self) -> ClientCapabilities:
        """The capabilities for a server's requests during this call; from 2026-07-28 on it is told so with the request."""

    @property
    def asks_for_pages(self) -> bool:
        """Whether it has its person open the pages that a server wants opened before a call; else it gets the refusal."""

    async def elicit(self, provider: str, tool: str, params: ElicitRequestParams) -> ElicitResult:
        """Answer what the server wants to know of a person; declined where nobody can be asked."""

    async def sample(self, provider: str, tool: str, params: CreateMessageRequestParams) -> Sampled:
        """Lend the server a reply of the caller's language model, or say why not."""

    async def roots(self, provider: str) -> ListRootsResult | ErrorData | None:
        """The folders the server may work in; None leaves it to the server's own entry."""

    async def progress(self, progress: float, total: float | None, message: str | None) -> None:
        """Hear how far the call is."""

    async def logged(self, provider: str, params: LoggingMessageNotificationParams) -> None:
        """Hear what the server logs meanwhile."""

    async def became_task(self) -> None:
        """Hear that the server made a task of the call: its answer may be long in coming."""


call_listener: ContextVar[CallListener | None] = ContextVar("jiritsu-call-listener", default=None)
"""Who stands beside the call that the current task is about to make."""


question_key: ContextVar[str] = ContextVar("jiritsu-question-key", default="")
"""The server's own name of the question that is just being answered (SEP-2322); empty where questions have none."""


class CallInFlight:
    """One call that a server is working on, and how long it may still take."""

    def __init__(
        self,
        tool: str,
        scope: anyio.CancelScope,
        timeout_s: float,
        longest_s: float | None,
        hide: Callable[[str], str] = lambda text: text,
    ) -> None:
        """`hide` takes out of the server's words what nobody is to read."""
        self._hide = hide
        self.tool, self.listener = tool, call_listener.get()
        self._scope, self._timeout_s = scope, timeout_s
        self._longest_s = LONGEST_TIMES * timeout_s if longest_s is None else max(longest_s, timeout_s)
        self._last_at = anyio.current_time() + self._longest_s
        self.task_id = ""
        """The task that its server made of it."""

    @property
    def expired(self) -> bool:
        """Whether its time is over."""
        return self._scope.cancel_called

    def alive(self) -> None:
        """A sign of work prolongs the deadline, within the cap (MCP 2025-11-25, basic/utilities/progress and lifecycle,
        "Timeouts")."""
        self._scope.deadline = min(self._last_at, max(self._scope.deadline, anyio.current_time() + self._timeout_s))

    async def progressed(self, progress: float, total: float | None, message: str | None) -> None:
        """Progress is a sign of work, and told to the caller."""
        self.alive()
        if self.listener is not None:
            await self.listener.progress(progress, total, message and self._hide(message))

    async def asked(self, answer: Callable[[], Awaitable[ResultT]]) -> ResultT:
        """Have the call's listener answer; the call's clock stands still meanwhile."""
        left_s = self._scope.deadline - anyio.current_time()
        asked_at, self._scope.deadline = anyio.current_time(), float("inf")
        try:
            return await answer()
        finally:
            self._scope.deadline = anyio.current_time() + max(left_s, 1.0)
            self._last_at += anyio.current_time() - asked_at


def pages_of(error: MCPError) -> tuple[ElicitRequestURLParams, ...]:
    """The pages that an error asks for; none for any other error, nor where it names one that nobody should open."""
    if error.code != URL_ELICITATION_REQUIRED:
        return ()
    try:
        pages = tuple(UrlElicitationRequiredError.from_error(error.error).elicitations)
    except (ValueError, TypeError):
        return ()
    return pages if len(pages) <= MOST_PAGES and all(can_be_opened(page.url) for page in pages) else ()


def can_be_opened(url: str) -> bool:
    """Whether an address is one of the web, and shows where it leads: no other scheme, and no name before the host."""
    try:
        parts = urlsplit(url)
        host = parts.hostname
    except ValueError:
        return False
    return parts.scheme in ("https", "http") and bool(host) and parts.username is None and url.isprintable() and " " not in url
