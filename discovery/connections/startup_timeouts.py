"""Decides how long a catalog request waits for each provider."""

from collections.abc import Awaitable, Callable, Collection

import anyio

from discovery.catalog import Catalog, Provider, ProviderState
from discovery.connections.connection import Connection
from discovery.gateway_settings import GatewaySettings

SLOWER_THAN_USUAL = 1.5
"""A provider may take this many times as long as its last start before the first catalog is built without it."""

Needed = Collection[str] | Callable[[Catalog], Collection[str]]
"""Globs of full tool names, or names of providers. A function is called again whenever a provider connects, disconnects or lists
its tools."""

OnWait = Callable[[tuple[Provider, ...]], Awaitable[None]]
"""Called with the providers that the caller waits for, each time these change."""


class StartupTimeouts:
    """Waits for providers that are starting or listing their tools."""

    def __init__(self, settings: GatewaySettings, next_change: Callable[[], anyio.Event]) -> None:
        """`next_change` returns the event that is set when a provider connects, disconnects or lists its tools."""
        self._settings, self._next_change = settings, next_change
        self._in_vain: dict[Connection, int] = {}
        """How many listings a provider had when the wait for its next one was given up. Nobody waits for it until it lists
        again."""

    async def answers(self, asked: dict[Connection, int]) -> None:
        """Wait until the quick providers have listed their tools more often than the given number of times.

        After each answer, the other providers get `grace_s` more, or as long as their start usually takes. An answer of a
        provider inside this process does not count, because it tells nothing about servers. At most `startup_s` in all.
        """
        awaited = {one: seen for one, seen in asked.items() if self._in_vain.get(one) != seen}
        started = anyio.current_time()
        with anyio.move_on_after(self._settings.startup_s):
            while owing := [one for one, seen in awaited.items() if one.owes_listing(seen)]:
                answered = any(one.lists.times > seen and not one.inside for one, seen in awaited.items())
                patience_s = self._settings.grace_s if answered else self._settings.startup_s
                usual_s = max(one.usual_s for one in owing) * SLOWER_THAN_USUAL
                with anyio.move_on_after(max(patience_s, usual_s - (anyio.current_time() - started))) as waiting:
                    while all(one.owes_listing(awaited[one]) for one in owing):
                        await self._next_change().wait()
                if waiting.cancelled_caught:
                    break
        self._in_vain.update({one: seen for one, seen in awaited.items() if one.owes_listing(seen)})

    async def settled(self, connections: Collection[Connection], timeout_s: float) -> list[Connection]:
        """Wait until each has connected or failed, or none has done so for `timeout_s` seconds; return those that did neither and
        have never listed their tools. One whose tools have come and are being compared is waited for: that takes ten seconds for
        thousands, and ends."""
        late = [one for one in connections if one.state is ProviderState.CONNECTING]
        while late:
            with anyio.move_on_after(timeout_s) as waiting:
                while all(one.state is ProviderState.CONNECTING for one in late):
                    await self._next_change().wait()
            if waiting.cancelled_caught:
                if not any(one.lists.compares for one in late):
                    break
                await self._next_change().wait()
            late = [one for one in late if one.state is ProviderState.CONNECTING]
        self._in_vain.update({one: one.lists.times for one in late})
        return [one for one in late if not one.lists.times]

    async def needed(
        self, missing: Callable[[], Awaitable[Collection[Provider]]], wait_s: float, on_wait: OnWait | None
    ) -> tuple[Provider, ...]:
        """Wait while any provider that `missing` returns is starting, at most `wait_s` seconds; return those still starting then.

        `on_wait` is not called for a wait shorter than `grace_s`.
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
