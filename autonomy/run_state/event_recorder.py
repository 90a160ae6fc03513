"""Sends a run's events to listeners at once and to the journal in batches.

An event is known by its key, so emitting it again (after a crash, or first live and then for the record) changes nothing.
"""

import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from metrics.events import EventSink, RunEvent

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

    async def emit(self, kind: Callable[..., RunEvent], key: str, **facts: Any) -> None:
        """Tell of one event, once."""
        if key in self._seen:
            return
        self._seen.add(key)
        event = kind(run_id=self.run_id, key=key, at=self.clock(), tenant=self.tenant, job=self.job, **facts)
        self._waiting.append(event)
        for watcher in self.watchers:
            await self._show(watcher, event)

    async def show(self, kind: Callable[..., RunEvent], key: str, **facts: Any) -> None:
        """Tell those who watch, and nobody else: of the moment, and no part of what happened when the run is played again."""
        event = kind(run_id=self.run_id, key=key, at=self.clock(), tenant=self.tenant, job=self.job, **facts)
        for watcher in self.watchers:
            await self._show(watcher, event)

    async def flush(self) -> None:
        """Make sure that everything told so far stands in the journal: before models, calls and questions, and at the end of the
        run."""
        if not self._waiting:
            return
        waiting = tuple(self._waiting)
        if self.journal is not None:
            await self.journal.write(waiting)
        del self._waiting[: len(waiting)]

    async def _show(self, watcher: EventSink, event: RunEvent) -> None:
        try:
            await watcher.write((event,))
        except Exception:
            log.warning("a watcher failed on %s", event.type, exc_info=True)
