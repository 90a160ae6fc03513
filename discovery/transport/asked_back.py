"""Defines what a server may ask or report during a call, and the listener for it."""

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
"""The answer to a server's sampling request."""

MOST_PAGES = 5
LONGEST_TIMES = 10.0
"""A call that reports progress may take this many times its timeout, unless the caller sets a limit."""


class CallListener(Protocol):
    """Answers what a server asks during one call, on the caller's side."""

    @property
    def caller(self) -> str:
        """Whose call it is. What a server says late may be about another caller's call, and then reaches nobody."""

    @property
    def capabilities(self) -> ClientCapabilities:
        """What the server may request during this call; servers of revisions from 2026-07-28 on are told with the call."""

    @property
    def asks_for_pages(self) -> bool:
        """Whether it lets its person open the pages that a server requires before a call; otherwise it gets an error."""

    async def elicit(self, provider: str, tool: str, params: ElicitRequestParams) -> ElicitResult:
        """Answer a server's question to a person; decline it if nobody can be asked."""

    async def sample(self, provider: str, tool: str, params: CreateMessageRequestParams) -> Sampled:
        """Return a reply of the caller's language model, or an error that says why there is none."""

    async def roots(self, provider: str, *, kept: bool) -> ListRootsResult | None:
        """Return the folders that the server may work in; None means those of the server's own entry. `kept`: the server may
        keep them for the calls of others."""

    async def progress(self, provider: str, progress: float, total: float | None, message: str | None) -> None:
        """Take a progress report of the call."""

    async def logged(self, provider: str, params: LoggingMessageNotificationParams) -> None:
        """Take a log message that the server sends during the call."""

    async def became_task(self) -> None:
        """Note that the server made a task of the call, whose answer may take long."""


call_listener: ContextVar[CallListener | None] = ContextVar("jiritsu-call-listener", default=None)
"""The listener of the calls that the current task makes."""


question_key: ContextVar[str] = ContextVar("jiritsu-question-key", default="")
"""The server's name for the question that is being answered (SEP-2322); empty where questions have no names."""


class CallInFlight:
    """One call that a server is working on, with its deadline."""

    def __init__(
        self,
        tool: str,
        scope: anyio.CancelScope,
        timeout_s: float,
        longest_s: float | None,
        hide: Callable[[str], str] = lambda text: text,
        provider: str = "",
    ) -> None:
        """`hide` redacts secrets from the server's messages."""
        self._hide, self._provider = hide, provider
        self.tool, self.listener = tool, call_listener.get()
        self._scope, self._timeout_s = scope, timeout_s
        self._longest_s = LONGEST_TIMES * timeout_s if longest_s is None else max(longest_s, timeout_s)
        self._last_at = anyio.current_time() + self._longest_s
        self._open, self._left_s, self._asked_at = 0, 0.0, 0.0
        """How many questions are open; what was left of its time before the first of them, and when that was asked."""
        self.task_id = ""
        """The id of the task that the server made of it; empty if it made none."""
        self.is_answered = False
        """Whether the server has answered the call, be it after it was given up, and works on it no more."""

    @property
    def expired(self) -> bool:
        """Whether its time is over."""
        return self._scope.cancel_called

    def answered(self) -> None:
        """Note that the server has answered the call."""
        self.is_answered = True

    def alive(self) -> None:
        """Extend the deadline up to its cap, because the server shows that it is working (MCP 2025-11-25, lifecycle,
        "Timeouts"). While it asks, there is none."""
        if self._open:
            return
        self._scope.deadline = min(self._last_at, max(self._scope.deadline, anyio.current_time() + self._timeout_s))

    async def progressed(self, progress: float, total: float | None, message: str | None) -> None:
        """Extend the deadline, and report the progress to the caller."""
        self.alive()
        if self.listener is not None:
            await self.listener.progress(self._provider, progress, total, message and self._hide(message))

    async def asked(self, answer: Callable[[], Awaitable[ResultT]]) -> ResultT:
        """Let the call's listener answer; the deadline is suspended until the last of several questions is answered."""
        if not self._open:
            self._left_s, self._asked_at = self._scope.deadline - anyio.current_time(), anyio.current_time()
            self._scope.deadline = float("inf")
        self._open += 1
        try:
            return await answer()
        finally:
            self._open -= 1
            if not self._open:
                self._scope.deadline = anyio.current_time() + max(self._left_s, 1.0)
                self._last_at += anyio.current_time() - self._asked_at


def pages_of(error: MCPError) -> tuple[ElicitRequestURLParams, ...]:
    """Return the pages that a person must open according to an error; none for other errors, or if any page is unsafe to open."""
    if error.code != URL_ELICITATION_REQUIRED:
        return ()
    try:
        pages = tuple(UrlElicitationRequiredError.from_error(error.error).elicitations)
    except (ValueError, TypeError):
        return ()
    return pages if len(pages) <= MOST_PAGES and all(can_be_opened(page.url) for page in pages) else ()


def can_be_opened(url: str) -> bool:
    """Whether a URL is HTTP(S) and shows where it leads: without a user name, which could pose as the host."""
    try:
        parts = urlsplit(url)
        host = parts.hostname
    except ValueError:
        return False
    return parts.scheme in ("https", "http") and bool(host) and parts.username is None and url.isprintable() and " " not in url
