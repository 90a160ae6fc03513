"""Sends a run's events to listeners at once and to the journal in batches.

An event is known by its key, so emitting it again (after a crash, or first live and then for the record) changes nothing.
"""

import logging
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import anyio

from discovery.timing.background_tasks import background_tasks
from metrics.events import EventSink, RunEvent

SEEN_WITHIN_S = 0.25
"""How long an event may wait for others to be written with: whoever watches looks twice a second."""

log = logging.getLogger(__name__)


@dataclass
class EventRecorder:
    """Emits the events of one run."""

    run_id: str
    tenant: str
    job: str
    clock: Callable[[], float]
    """Seconds since the epoch. It stamps events only; no decision of the run reads it."""
    journal: EventSink | None = None
    watchers: Sequence[EventSink] = ()
    _seen: set[str] = field(default_factory=set)
    _waiting: list[RunEvent] = field(default_factory=list)
    _news: anyio.Event = field(default_factory=anyio.Event)
    """Set when the first of those that wait came."""
    _flushing: anyio.Lock = field(default_factory=partial(anyio.Lock, fast_acquire=True))

    async def emit(self, kind: Callable[..., RunEvent], key: str, **facts: Any) -> None:
        """Emit one event, once for each key."""
        if key in self._seen:
            return
        self._seen.add(key)
        event = kind(run_id=self.run_id, key=key, at=self.clock(), tenant=self.tenant, job=self.job, **facts)
        if not self._waiting:  # else whoever flushes in time knows already
            self._news.set()
        self._waiting.append(event)
        for watcher in self.watchers:
            await self._show(watcher, event)

    async def show(self, kind: Callable[..., RunEvent], key: str, **facts: Any) -> None:
        """Show an event to watchers alone: it is of this moment, and neither journalled nor repeated by a replay."""
        event = kind(run_id=self.run_id, key=key, at=self.clock(), tenant=self.tenant, job=self.job, **facts)
        for watcher in self.watchers:
            await self._show(watcher, event)

    @property
    def has_news(self) -> bool:
        """Whether an event was emitted that is not in the journal yet."""
        return bool(self._waiting)

    async def flush(self) -> None:
        """Write every event emitted so far to the journal: before writes and questions, and at the end of the run."""
        async with self._flushing:
            waiting = tuple(self._waiting)
            if waiting and self.journal is not None:
                await self.journal.write(waiting)
            del self._waiting[: len(waiting)]

    @asynccontextmanager
    async def flushed_in_time(self) -> AsyncIterator[None]:
        """Within the block, no event waits longer than `SEEN_WITHIN_S` for the journal.

        So whoever watches from another process sees a model or a read at work; what is quicker costs no transaction of its own.
        """
        async with background_tasks() as tasks:
            tasks.start_soon(self._flush_in_time)
            yield

    async def _flush_in_time(self) -> None:
        try:
            while True:
                if not self._waiting:
                    await self._news.wait()
                await anyio.sleep(SEEN_WITHIN_S)
                self._news = anyio.Event()
                await self.flush()
        except Exception:
            log.debug("the journal cannot be written now", exc_info=True)  # whoever flushes next is told

    async def _show(self, watcher: EventSink, event: RunEvent) -> None:
        try:
            await watcher.write((event,))
        except Exception:
            log.warning("a watcher failed on %s", event.type, exc_info=True)
