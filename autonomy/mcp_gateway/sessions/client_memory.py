"""Keeps the state of a client across its sessions: rate, data that it read, open questions.

Many clients over HTTP open a session for each call, so limits for each session would have no effect.
"""

import time
from collections import Counter, deque
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
TEACHING_S = 3_600.0
"""In which a client's calls teach the statistics that all clients are served by no more than a run's."""
LISTS_PER_MINUTE = 600
"""Lists of tools, resources and prompts. With a thousand tools each list blocks all clients for a twentieth of a second."""
MOST_STANDING = 1_000
"""How many calls with open questions are remembered. For older ones a new question is asked."""


@dataclass(eq=False)
class Window:
    """Limits how often something may be done in a minute."""

    most: int
    monotonic: Callable[[], float]
    _recent: deque[float] = field(default_factory=deque)

    def too_early_s(self) -> float:
        """Count one more and return 0, or, if there are too many, do not count it and return how many seconds to wait."""
        now = self.monotonic()
        while self._recent and self._recent[0] <= now - WINDOW_S:
            self._recent.popleft()
        if len(self._recent) >= self.most:
            return self._recent[0] + WINDOW_S - now
        self._recent.append(now)
        return 0.0


@dataclass(eq=False)
class ClientMemory:
    """The state of one client."""

    profile: ClientProfile
    monotonic: Callable[[], float] = time.monotonic
    seen_at: float = 0.0
    _read: ReadByClient = field(default_factory=ReadByClient)
    _standing: MutableMapping[str, list[ApprovalQuestion]] = field(default_factory=partial(FIFOCache, MOST_STANDING))
    """Call → its questions that nobody waits for, and that were not answered as far as we know."""
    _taught: Counter[str] = field(default_factory=Counter)
    _taught_since: float = float("-inf")

    def __post_init__(self) -> None:
        self.slots = anyio.CapacityLimiter(self.profile.calls_at_once)
        self._calls = Window(self.profile.calls_per_minute, self.monotonic)
        self._lists = Window(LISTS_PER_MINUTE, self.monotonic)

    def refusal(self) -> str:
        """Count one more call and return an empty text, or return why it cannot be made now."""
        return _rate_refusal(self._calls.too_early_s(), self.profile.calls_per_minute, "calls")

    def count_call(self) -> None:
        """Count a request that is not a call of a tool but counts as one. Raises `MCPError` if there were too many."""
        if why := self.refusal():
            raise MCPError(INVALID_REQUEST, why)

    def count_list(self) -> None:
        """Count a request for a list. Raises `MCPError` if there were too many."""
        if why := _rate_refusal(self._lists.too_early_s(), LISTS_PER_MINUTE, "lists"):
            raise MCPError(INVALID_REQUEST, why)

    async def take_slot(self) -> None:
        """Wait until one more call may run. The caller must call `slots.release()` after it."""
        try:
            self.slots.acquire_nowait()  # because `acquire` always yields to the event loop
        except anyio.WouldBlock:
            await self.slots.acquire()

    def taught(self) -> Counter[str]:
        """Return by how many calls of each tool this client has taught statistics within the hour, to be counted on."""
        if (now := self.monotonic()) - self._taught_since > TEACHING_S:
            self._taught, self._taught_since = Counter(), now
        return self._taught

    def carried(self, spec: ToolSpec, arguments: JsonObject) -> str:
        """Return a sentence on the data that this read would send out; empty if there is none or it is allowed."""
        return "" if self.profile.exits == "allow" else self._read.carried(spec, arguments)

    def remember(self, provider: str, text: Callable[[], str]) -> None:
        """Remember a text that a provider returned, unless the client may send out everything anyway."""
        if self.profile.exits != "allow":
            self._read.add(provider, text())

    def take_standing(self, call: str) -> ApprovalQuestion | None:
        """Take an open question about the same call that no other call waits for; None if there is none."""
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
