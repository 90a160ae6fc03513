"""Tracks which clients watch which resources, and notifies them of changes."""

from collections.abc import Awaitable, Callable, Collection, Hashable
from dataclasses import dataclass, field

import anyio
from anyio.lowlevel import checkpoint
from mcp import MCPError
from mcp.server.subscriptions import InMemorySubscriptionBus, ServerEvent
from mcp_types import INVALID_REQUEST

from discovery.discovery_errors import DiscoveryError
from discovery.gateway import Gateway

MOST_WATCHED = 1_000
"""How many resources one client may watch."""
Tell = Callable[[str, str], Awaitable[None]]
"""Called with the URI that is watched and the URI that changed, which is the same or below it."""
Resource = tuple[str, str]
"""A provider and the URI of one of its resources."""


@dataclass(frozen=True)
class Watcher:
    """One subscription of a client."""

    client: str
    key: Hashable
    """Identifies its session or its stream."""
    tell: Tell = field(compare=False)


@dataclass(eq=False)
class ResourceWatches:
    """All watched resources. The gateway subscribes to each only once, however many clients watch it."""

    gateway: Gateway
    _by_resource: dict[Resource, set[Watcher]] = field(default_factory=dict)
    _locks: dict[str, anyio.Lock] = field(default_factory=dict)
    """By provider, so that a client can subscribe while the last other one unsubscribes."""

    async def add(self, watcher: Watcher, provider: str, uris: Collection[str]) -> frozenset[str]:
        """Subscribe a client to resources, and return those that the server agreed to. Raises `DiscoveryError` if it agreed to
        none, `MCPError` if there are too many."""
        watched = sum(one.client == watcher.client for watchers in self._by_resource.values() for one in watchers)
        if watched + len(uris) > MOST_WATCHED:
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

    async def drop(self, watcher: Watcher, uri: str | None = None) -> None:
        """Unsubscribe a client from a URI, whoever offers it now, or from all that it watches."""
        watched = [one for one, watchers in self._by_resource.items() if watcher in watchers and uri in (None, one[1])]
        for provider in {one for one, _ in watched}:
            async with self._locks.setdefault(provider, anyio.Lock()):
                unwatched = list[str]()
                for resource in (one for one in watched if one[0] == provider):
                    watchers = self._by_resource.get(resource, set())
                    watchers.discard(watcher)
                    if not watchers and self._by_resource.pop(resource, None) is not None:
                        unwatched.append(resource[1])
                if unwatched:
                    await self.gateway.unwatch(provider, unwatched)

    def watches(self, watcher: Watcher) -> bool:
        """Whether a client is subscribed to anything."""
        return any(watcher in watchers for watchers in self._by_resource.values())

    async def changed(self, provider: str, uri: str) -> None:
        """Notify the clients that watch a resource of a provider, or one above it, that it changed."""
        for (owner, watched), watchers in list(self._by_resource.items()):
            if owner == provider and (uri == watched or uri.startswith(f"{watched.rstrip('/')}/")):
                for watcher in list(watchers):
                    await watcher.tell(watched, uri)


@dataclass(eq=False)
class StreamBus:
    """The events for one stream of a client of 2026-07-28: those for all clients, and those of the resources it watches."""

    everybody: InMemorySubscriptionBus
    tools: bool
    """Whether the stream is for changes of the list of tools."""
    _heard: Callable[[ServerEvent], None] = lambda _event: None

    def subscribe(self, listener: Callable[[ServerEvent], None]) -> Callable[[], None]:
        """Call `listener` for each event, until the returned function is called."""
        self._heard = listener
        return self.everybody.subscribe(listener)

    async def publish(self, event: ServerEvent) -> None:
        """Send an event to this stream only."""
        self._heard(event)
        await checkpoint()
