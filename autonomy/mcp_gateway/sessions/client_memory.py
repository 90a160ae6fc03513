"""Keeps the state of a client across its sessions: rate, data read, open questions.

Many clients over HTTP open a session for each call; whatever is counted by the session would bind them to nothing.
"""

import time
from collections import deque
from collections.abc import Callable, MutableMapping
from dataclasses import dataclass, field
from functools import partial

import anyio
from cachetools import FIFOCache
from mcp import MCPError
from mcp_types import INVALID_REQUEST

from autonomy.mcp_gateway.clients.profiles import ClientProfile
from autonomy.policy.client_reads import ReadByClient
from autonomy.run_state.asking.approvals import ApprovalQuestion
from discovery.catalog import JsonObject, ToolSpec

WINDOW_S = 60.0
LISTS_PER_MINUTE = 600
"""Lists of tools, resources and prompts: with a thousand tools each takes a twentieth of a second of everybody's time."""
MOST_STANDING = 1_000
"""Questions about calls that may be made again; an older one is asked anew."""


@dataclass(eq=False)
class Window:
    """How often something was done in the last minute."""

    most: int
    monotonic: Callable[[], float]
    _recent: deque[float] = field(default_factory=deque)

    def too_early_s(self) -> float:
        """How many seconds too early this one comes, and then it is not counted; 0 for one that may be."""
        now = self.monotonic()
        while self._recent and self._recent[0] <= now - WINDOW_S:
            self._recent.popleft()
        if len(self._recent) >= self.most:
            return self._recent[0] + WINDOW_S - now
        self._recent.append(now)
        return 0.0


@dataclass(eq=False)
class ClientMemory:
    """One client, known by its profile's name."""

    profile: ClientProfile
    monotonic: Callable[[], float] = time.monotonic
    seen_at: float = 0.0
    _read: ReadByClient = field(default_factory=ReadByClient)
    _standing: MutableMapping[str, list[ApprovalQuestion]] = field(default_factory=partial(FIFOCache, MOST_STANDING))
    """Call → its questions that nobody waits for and nobody has answered yet, as far as we know."""

    def __post_init__(self) -> None:
        self.slots = anyio.CapacityLimiter(self.profile.calls_at_once)
        self._calls = Window(self.profile.calls_per_minute, self.monotonic)
        self._lists = Window(LISTS_PER_MINUTE, self.monotonic)

    def refusal(self) -> str:
        """Why one more call cannot be made now; empty where it can, and then it counts."""
        return _rate_refusal(self._calls.too_early_s(), self.profile.calls_per_minute, "calls")

    def count_call(self) -> None:
        """Let one more read be made that is no call of a tool. Raises `MCPError` where there were too many."""
        if why := self.refusal():
            raise MCPError(INVALID_REQUEST, why)

    def count_list(self) -> None:
        """The same for a list."""
        if why := _rate_refusal(self._lists.too_early_s(), LISTS_PER_MINUTE, "lists"):
            raise MCPError(INVALID_REQUEST, why)

    async def take_slot(self) -> None:
        """Wait until one more call may be under way; give it back with `slots.release()`."""
        try:
            self.slots.acquire_nowait()  # `acquire` lets the event loop turn once, also where there is room
        except anyio.WouldBlock:
            await self.slots.acquire()

    def carried(self, spec: ToolSpec, arguments: JsonObject) -> str:
        """One sentence about the data that this read would send out; empty if there is none, or if it may."""
        return "" if self.profile.exits == "allow" else self._read.carried(spec, arguments)

    def remember(self, provider: str, text: Callable[[], str]) -> None:
        """Keep what a provider brought in mind, where it matters."""
        if self.profile.exits != "allow":
            self._read.add(provider, text())

    def take_standing(self, call: str) -> ApprovalQuestion | None:
        """A question about this very call that was asked before and that no other call waits for."""
        standing = self._standing.get(call)
        if not standing:
            return None
        question = standing.pop()
        if not standing:
            del self._standing[call]
        return question

    def keep_open(self, call: str, question: ApprovalQuestion) -> None:
        """Keep an unanswered question, so that the repeated call finds it."""
        self._standing.setdefault(call, []).append(question)


def _rate_refusal(wait_s: float, most: int, what: str) -> str:
    return f"this client may make {most} {what} a minute; retry after {wait_s:.0f} s" if wait_s > 0 else ""
