"""How long the catalog waits for whom. Called by `discovery.gateway`.

A provider that was waited for in vain holds up nobody again: in this process until it has answered (`Patience.answers`), and in the next
ones until it has listed its tools (`Patience.settled`, which tells who did not come).
"""

from collections.abc import Awaitable, Callable, Collection
from math import inf

import anyio

from discovery.catalog import ProviderState
from discovery.connection import Connection
from discovery.gateway_settings import GatewaySettings

SLOWER_THAN_USUAL = 1.5
"""How much longer than last time a provider may take before nobody waits for it."""


class StartupTimeouts:
    """What is left of it for each provider."""

    def __init__(self, settings: GatewaySettings, next_change: Callable[[], Awaitable[None]]) -> None:
        """`next_change` waits until a provider comes, goes or lists its tools."""
        self._settings, self._next_change = settings, next_change
        self._in_vain: dict[Connection, int] = {}
        """How many listings a provider had when the wait for its next one was given up."""

    async def answers(self, asked: dict[Connection, int]) -> None:
        """Wait until the quick ones have listed more often than the number given.

        After the first answer the others get the grace, each time one more comes; one that is known to need longer gets what it
        usually needs. A provider inside this process says nothing about how quick the others are.
        """
        awaited = {one: seen for one, seen in asked.items() if self._in_vain.get(one) != seen}
        with anyio.move_on_after(self._settings.startup_s):
            await self._quick_answers(awaited)
        self._in_vain.update({one: seen for one, seen in awaited.items() if one.owes_listing(seen)})

    async def _quick_answers(self, asked: dict[Connection, int]) -> None:
        started = anyio.current_time()
        while owing := [one for one, seen in asked.items() if one.owes_listing(seen)]:
            answered = any(one.listings > seen and not one.inside for one, seen in asked.items())
            patience_s = self._settings.grace_s if answered else self._settings.startup_s
            usual_s = max(one.usual_s for one in owing) * SLOWER_THAN_USUAL
            with anyio.move_on_after(max(patience_s, usual_s - (anyio.current_time() - started))) as waiting:
                while all(one.owes_listing(asked[one]) for one in owing):
                    await self._next_change()
            if waiting.cancelled_caught:
                return

    async def settled(self, connections: Collection[Connection], timeout_s: float, *, for_all: bool) -> list[Connection]:
        """Wait until each came up or failed; who was waited for in vain. `for_all` gives everyone the whole time."""
        started = anyio.current_time()
        slow: set[Connection] = set()
        while on_their_way := [one for one in connections if one.state is ProviderState.CONNECTING]:
            elapsed_s = anyio.current_time() - started
            left_s = [min(timeout_s, inf if for_all else self._deserved_s(one)) - elapsed_s for one in on_their_way]
            if max(left_s) <= 0:
                break
            with anyio.move_on_after(min(left for left in left_s if left > 0)):
                await self._next_change()
            if anyio.current_time() - started > self._settings.second_chance_s:
                slow.update(on_their_way)
        self._in_vain.update({one: one.listings for one in on_their_way})
        return [one for one in slow if not one.listings]

    def _deserved_s(self, connection: Connection) -> float:
        """For how long a provider that is connecting deserves to be waited for: one that nobody knows as long as it takes."""
        if connection.missed:
            return self._settings.second_chance_s
        usual_s = connection.usual_s * SLOWER_THAN_USUAL
        return max(usual_s, self._settings.second_chance_s) if usual_s else inf
