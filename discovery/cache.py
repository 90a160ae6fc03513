"""Caches the catalog: a TTL, then stale-while-revalidate with single flight."""

from collections.abc import Awaitable, Callable

import anyio
import anyio.abc

from discovery.catalog import Catalog, Freshness
from discovery.timing.clock import Clock

LEAST_FRESH_S = 1.0
"""Without it, a provider whose listing has expired would make every reader ask for a new one."""


class CatalogCache:
    """One snapshot in memory, valid until its earliest listing expires or something changes."""

    def __init__(
        self,
        take: Callable[[], tuple[Catalog, float]],
        renew: Callable[[bool], Awaitable[None]],
        tasks: anyio.abc.TaskGroup,
        clock: Clock,
    ) -> None:
        """`take` returns a snapshot and the seconds for which it is fresh. `renew` waits for the providers' listings, within
        limits; with True it requests new ones first, which the first catalog does not need."""
        self._take, self._renew, self._tasks, self._clock = take, renew, tasks, clock
        self._expires_at = 0.0
        """When the last snapshot stops being fresh, in monotonic seconds."""
        self._last: Catalog | None = None
        self._changed = True
        self._renewing: anyio.Event | None = None

    async def get(self, *, refresh: bool = False, at_once: bool = False) -> Catalog:
        """Return the catalog. Waits for providers only with `refresh`, and the first time unless `at_once` is set."""
        if refresh or (self._last is None and not at_once):
            await self._renewed(ask=refresh).wait()
        if self._changed or self._last is None:
            self._changed = False
            self._last, fresh_for_s = self._take()
            self._expires_at = self._clock.monotonic() + max(fresh_for_s, LEAST_FRESH_S)
        if self._clock.monotonic() >= self._expires_at:
            self._renewed()
            if self._last.freshness is Freshness.FRESH:
                self._last = self._last.model_copy(update={"freshness": Freshness.STALE})
        return self._last

    def invalidate(self) -> None:
        """Let the next reader get a new snapshot."""
        self._changed = True

    def _renewed(self, *, ask: bool = True) -> anyio.Event:
        """Start a renewal if none is under way; return the event that is set when it is done."""
        if self._renewing is None:
            done = self._renewing = anyio.Event()

            async def run() -> None:
                try:
                    await self._renew(ask)
                finally:
                    self._changed, self._renewing = True, None
                    done.set()

            self._tasks.start_soon(run)
        return self._renewing
