"""Decides how long a catalog request waits for each provider."""

from collections.abc import Awaitable, Callable, Collection

import anyio

from discovery.catalog import Catalog, Provider, ProviderState
from discovery.connections.connection import Connection
from discovery.gateway_settings import GatewaySettings

SLOWER_THAN_USUAL = 1.5
"""How much longer than last time a provider may take before the first catalog does without it."""

Needed = Collection[str] | Callable[[Catalog], Collection[str]]
"""Globs of full tool names, or names of providers; a function is asked again whenever a provider comes, goes or lists its
tools."""

OnWait = Callable[[tuple[Provider, ...]], Awaitable[None]]
"""Hears whom the caller waits for now, each time that changes; each provider with its cause and since when."""


class StartupTimeouts:
    """Waits for providers."""

    def __init__(self, settings: GatewaySettings, next_change: Callable[[], anyio.Event]) -> None:
        """`next_change` gives what is set when a provider comes, goes or lists its tools."""
        self._settings, self._next_change = settings, next_change
        self._in_vain: dict[Connection, int] = {}
        """How many listings a provider had when the wait for its next one was given up: until it has answered it holds up
        nobody."""

    async def answers(self, asked: dict[Connection, int]) -> None:
        """Wait until the quick ones have listed more often than the number given.

        After the first answer the others get the grace, each time one more comes; one that is known to need longer gets what it
        usually needs. A provider inside this process says nothing about how quick the others are.
        """
        awaited = {one: seen for one, seen in asked.items() if self._in_vain.get(one) != seen}
        with anyio.move_on_after(self._settings.startup_s):
            await self._quick_answers(awaited)
        self._in_vain.update({one: seen for one, seen in awaited.items() if one.owes_listing(seen)})

    async def _quick_answers(self, listings_seen: dict[Connection, int]) -> None:
        started = anyio.current_time()
        while owing := [one for one, seen in listings_seen.items() if one.owes_listing(seen)]:
            answered = any(one.lists.times > seen and not one.inside for one, seen in listings_seen.items())
            patience_s = self._settings.grace_s if answered else self._settings.startup_s
            usual_s = max(one.usual_s for one in owing) * SLOWER_THAN_USUAL
            with anyio.move_on_after(max(patience_s, usual_s - (anyio.current_time() - started))) as waiting:
                while all(one.owes_listing(listings_seen[one]) for one in owing):
                    await self._next_change().wait()
            if waiting.cancelled_caught:
                return

    async def settled(self, connections: Collection[Connection], timeout_s: float) -> list[Connection]:
        """Wait until each came up or failed, or none has done so for so many seconds; who was waited for in vain."""
        late = [one for one in connections if one.state is ProviderState.CONNECTING]
        while late:
            with anyio.move_on_after(timeout_s) as waiting:
                while all(one.state is ProviderState.CONNECTING for one in late):
                    await self._next_change().wait()
            if waiting.cancelled_caught:
                break
            late = [one for one in late if one.state is ProviderState.CONNECTING]
        self._in_vain.update({one: one.lists.times for one in late})
        return [one for one in late if not one.lists.times]

    async def needed(
        self, missing: Callable[[], Awaitable[Collection[Provider]]], wait_s: float, on_wait: OnWait | None
    ) -> tuple[Provider, ...]:
        """Wait while any of those that `missing` gives is starting, at most so many seconds; who was waited for in vain.

        A wait shorter than the grace is no news.
        """
        started = anyio.current_time()
        awaited: tuple[Provider, ...] = ()
        announced: set[str] = set()
        with anyio.move_on_after(wait_s) as waiting:
            while True:
                change = self._next_change()
                awaited = tuple(one for one in await missing() if one.missing == "starting")
                if not awaited:
                    return ()
                with anyio.move_on_after(started + self._settings.grace_s - anyio.current_time()):
                    await change.wait()
                if change.is_set():
                    continue
                if on_wait is not None and {one.name for one in awaited} != announced:
                    announced = {one.name for one in awaited}
                    await on_wait(awaited)
                await change.wait()
        return awaited if waiting.cancelled_caught else ()
