"""Tracks which client watches which resource, and notifies it of changes."""

from collections import Counter
from collections.abc import Awaitable, Callable, Collection, Hashable, Iterable
from dataclasses import dataclass, field

import anyio
from anyio.lowlevel import checkpoint
from mcp import MCPError
from mcp.server.subscriptions import InMemorySubscriptionBus, ServerEvent
from mcp_types import INVALID_REQUEST

from discovery.discovery_errors import DiscoveryError
from discovery.gateway import Gateway

MOST_WATCHED = 1_000
"""Resources that one client watches."""
Tell = Callable[[str, str], Awaitable[None]]
"""Hears of a resource that is watched, and of the one that changed: itself, or one below it."""
Resource = tuple[str, str]
"""A provider, and the URI of a resource of it."""


@dataclass(frozen=True)
class Watcher:
    """One subscription of a client."""

    client: str
    key: Hashable
    """Of its session, or of its stream."""
    tell: Tell = field(compare=False)


@dataclass(eq=False)
class ResourceWatches:
    """All that is watched. A server is asked for a resource once, however many watch it."""

    gateway: Gateway
    _by_resource: dict[Resource, set[Watcher]] = field(default_factory=dict)
    _locks: dict[str, anyio.Lock] = field(default_factory=dict)
    """Of each provider: whoever comes while the last one leaves is not left without."""

    async def add(self, watcher: Watcher, provider: str, uris: Collection[str]) -> frozenset[str]:
        """Subscribe a client to these; gives those that the server agreed to tell of. Raises `DiscoveryError` where there are
        none, `MCPError` for too many."""
        if self._count()[watcher.client] + len(uris) > MOST_WATCHED:
            raise MCPError(INVALID_REQUEST, f"a client watches {MOST_WATCHED} resources at most")
        async with self._locks.setdefault(provider, anyio.Lock()):
            known = frozenset(uri for uri in uris if (provider, uri) in self._by_resource)
            new = frozenset(uris) - known
            try:
                agreed = known | (await self.gateway.watch(provider, new) if new else frozenset())
            except DiscoveryError:
                if not known:
                    raise
                agreed = known
            for uri in agreed:
                self._by_resource.setdefault((provider, uri), set()).add(watcher)
        return agreed

    async def drop(self, watcher: Watcher, resources: Iterable[Resource] | None = None) -> None:
        """Unsubscribe a client from these, or from everything."""
        watched = [one for one, watchers in self._by_resource.items() if watcher in watchers]
        for provider in {one for one, _ in watched}:
            async with self._locks.setdefault(provider, anyio.Lock()):
                unwatched = list[str]()
                for resource in watched if resources is None else resources:
                    watchers = self._by_resource.get(resource, set())
                    watchers.discard(watcher)
                    if resource[0] == provider and not watchers and self._by_resource.pop(resource, None) is not None:
                        unwatched.append(resource[1])
                if unwatched:
                    await self.gateway.unwatch(provider, unwatched)

    def watches(self, watcher: Watcher) -> bool:
        """Whether a client is subscribed to anything."""
        return any(watcher in watchers for watchers in self._by_resource.values())

    async def changed(self, provider: str, uri: str) -> None:
        """A provider says that a resource is another now: whoever watches it, or the one it is part of, hears so."""
        for (owner, watched), watchers in list(self._by_resource.items()):
            if owner == provider and (uri == watched or uri.startswith(f"{watched.rstrip('/')}/")):
                for watcher in list(watchers):
                    await watcher.tell(watched, uri)

    def _count(self) -> Counter[str]:
        return Counter(watcher.client for watchers in self._by_resource.values() for watcher in watchers)


@dataclass(eq=False)
class StreamBus:
    """The events for the stream of one client of 2026-07-28: those for all clients, and those of its own resources."""

    everybody: InMemorySubscriptionBus
    tools: bool
    """Whether it wants to hear of changed tools."""
    _heard: Callable[[ServerEvent], None] = lambda _event: None

    def subscribe(self, listener: Callable[[ServerEvent], None]) -> Callable[[], None]:
        """Let the stream hear."""
        self._heard = listener
        return self.everybody.subscribe(listener)

    async def publish(self, event: ServerEvent) -> None:
        """Tell this stream alone."""
        self._heard(event)
        await checkpoint()
