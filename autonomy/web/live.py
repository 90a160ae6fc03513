"""Server-sent events that tell browsers what changed in a run, and what its model is writing."""

import json
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass, field
from typing import NamedTuple

import anyio

from autonomy.durable.records.live_text import LiveText
from autonomy.errors import StoreError
from metrics.written_out import AWAY

LOOK_S = 0.4
"""How often the database is asked about one run, however many watch it: a change is shown well within a second."""

ALIVE_S = 15.0
"""How often a silent stream says that it is there, so that proxies keep it open."""

WATCH_S = 10.0
"""How often the run's process is told that somebody watches."""

MOST_KNOWN = 1000
"""Runs whose version is remembered."""

GONE = "away"
"""In place of a version, while the database is."""

Version = Callable[[str], Awaitable[str]]


class _Known(NamedTuple):
    """What is known of one run, and since when."""

    at: float = float("-inf")
    version: str = ""
    words: str = ""


@dataclass
class Changes:
    """Versions and words of runs, asked for once for all who watch."""

    version: Version
    words: LiveText
    clock: Callable[[], float] = time.monotonic
    sleep: Callable[[float], Awaitable[None]] = anyio.sleep
    _known: dict[str, _Known] = field(default_factory=dict)
    _watched_at: dict[str, float] = field(default_factory=dict)
    _asking: dict[str, anyio.Lock] = field(default_factory=dict)

    async def stream(
        self, run_id: str, *, ended: Callable[[str], bool], may_look: Callable[[], bool] = lambda: True
    ) -> AsyncIterator[str]:
        """Stream one message for each change, until the run has ended (`ended` tells by the version) or the reader's session
        has."""
        seen, heard, quiet_s = "", "", 0.0
        while may_look():
            try:
                now = await self._now(run_id)
            except (StoreError, *AWAY):
                now = _Known(version=GONE, words=heard)  # a change as well: the page looks again, and says so
            if now.version != seen:
                seen, quiet_s = now.version, 0.0
                yield f"event: changed\ndata: {seen}\n\n"
                if ended(seen):
                    yield "event: ended\ndata: \n\n"
                    return
            if now.words != heard:
                heard, quiet_s = now.words, 0.0
                yield f"event: words\ndata: {json.dumps(heard)}\n\n"
            elif quiet_s >= ALIVE_S:
                quiet_s = 0.0
                yield ": here\n\n"
            await self.sleep(LOOK_S)
            quiet_s += LOOK_S

    async def _now(self, run_id: str) -> _Known:
        async with self._asking.setdefault(run_id, anyio.Lock()):
            latest = self._known.get(run_id, _Known())
            if self.clock() - latest.at >= LOOK_S * 0.9:
                if len(self._known) > MOST_KNOWN:  # runs nobody watches any more
                    self._known.clear()
                    self._watched_at.clear()
                    self._asking = {one: lock for one, lock in self._asking.items() if lock.locked()}
                if self.clock() - self._watched_at.get(run_id, float("-inf")) >= WATCH_S:
                    await self.words.watch(run_id)
                    self._watched_at[run_id] = self.clock()
                latest = _Known(self.clock(), await self.version(run_id), await self.words.partial_reply(run_id))
                self._known[run_id] = latest
            return latest
