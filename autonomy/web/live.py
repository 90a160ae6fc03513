"""Server-sent events that tell browsers a run has changed."""

import time
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass, field

import anyio

from autonomy.errors import StoreError

LOOK_S = 0.4
"""How often the database is asked about one run, however many watch it: a change is shown well within a second."""

ALIVE_S = 15.0
"""How often a silent stream says that it is there, so that proxies keep it open."""

Version = Callable[[str], Awaitable[str]]


@dataclass
class Changes:
    """Versions of runs, asked for once for all who watch."""

    version: Version
    clock: Callable[[], float] = time.monotonic
    sleep: Callable[[float], Awaitable[None]] = anyio.sleep
    _known: dict[str, tuple[float, str]] = field(default_factory=dict)
    _asking: dict[str, anyio.Lock] = field(default_factory=dict)

    async def stream(self, run_id: str, *, ended: Callable[[str], bool]) -> AsyncIterator[str]:
        """One message for each change, until the run has ended; `ended` tells by the version."""
        seen, quiet_s = "", 0.0
        while True:
            try:
                now = await self._now(run_id)
            except StoreError:
                now = seen or "away"
            if now != seen:
                seen, quiet_s = now, 0.0
                yield f"event: changed\ndata: {now}\n\n"
                if ended(now):
                    yield "event: ended\ndata: \n\n"
                    return
            elif quiet_s >= ALIVE_S:
                quiet_s = 0.0
                yield ": here\n\n"
            await self.sleep(LOOK_S)
            quiet_s += LOOK_S

    async def _now(self, run_id: str) -> str:
        async with self._asking.setdefault(run_id, anyio.Lock()):
            asked_at, version = self._known.get(run_id, (float("-inf"), ""))
            if self.clock() - asked_at >= LOOK_S * 0.9:
                version = await self.version(run_id)
                if len(self._known) > 1000:  # runs nobody watches any more
                    self._known.clear()
                self._known[run_id] = (self.clock(), version)
            return version
