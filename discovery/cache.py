"""Caches the catalog: a TTL, then stale-while-revalidate with single flight."""

from collections.abc import Awaitable, Callable

import anyio
import anyio.abc
from cachetools import TLRUCache

from discovery.catalog import Catalog, Freshness
from discovery.timing.clock import Clock

LEAST_FRESH_S = 1.0
"""A provider whose list is overdue must not make every reader ask again."""


class CatalogCache:
    """One snapshot in memory, valid until its earliest listing expires or something changes."""

    def __init__(
        self,
        take: Callable[[], tuple[Catalog, float]],
        renew: Callable[[bool], Awaitable[None]],
        tasks: anyio.abc.TaskGroup,
        clock: Clock,
    ) -> None:
        """`take` gives a snapshot and how long it stays fresh, in seconds; `renew` waits for the providers, within bounds,
        having asked them again if told to: for the first catalog they were asked by being started."""
        self._take, self._renew, self._tasks = take, renew, tasks
        self._fresh: TLRUCache[str, Catalog] = TLRUCache(1, ttu=self._expiry, timer=clock.monotonic)
        self._fresh_for_s = 0.0
        self._last: Catalog | None = None
        self._changed = True
        self._renewing: anyio.Event | None = None

    async def get(self, *, refresh: bool = False, at_once: bool = False) -> Catalog:
        """The catalog. Waits for the providers only the first time, unless it is wanted `at_once`, and when told to `refresh`."""
        if refresh or (self._last is None and not at_once):
            await self._renewed(ask=refresh).wait()
        last = self._snapshot() if self._changed or self._last is None else self._last
        if "catalog" in self._fresh:
            return last
        self._renewed()
        self._last = last.model_copy(update={"freshness": Freshness.STALE}) if last.freshness is Freshness.FRESH else last
        return self._last

    def invalidate(self) -> None:
        """Something changed: the next reader gets a new snapshot."""
        self._changed = True

    def _snapshot(self) -> Catalog:
        self._changed = False
        self._last, self._fresh_for_s = self._take()
        self._fresh["catalog"] = self._last
        return self._last

    def _expiry(self, _key: str, _catalog: Catalog, now: float) -> float:
        return now + max(self._fresh_for_s, LEAST_FRESH_S)

    def _renewed(self, *, ask: bool = True) -> anyio.Event:
        """Set when the renewal under way is done; starts one if there is none."""
        if self._renewing is None:
            self._renewing = anyio.Event()
            self._tasks.start_soon(self._run_renewal, ask, self._renewing)
        return self._renewing

    async def _run_renewal(self, ask: bool, done: anyio.Event) -> None:
        try:
            await self._renew(ask)
        finally:
            self._changed, self._renewing = True, None
            done.set()
