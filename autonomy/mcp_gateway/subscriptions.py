"""Notifies clients of changed lists and of the resources they subscribed to, on streams or on their own channels."""

from collections import defaultdict
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field

import anyio
import mcp_types as types
from mcp import MCPError
from mcp.server.subscriptions import (
    InMemorySubscriptionBus,
    ListenHandler,
    ResourceUpdated,
    ServerEvent,
    ToolsListChanged,
)

from autonomy.mcp_gateway.client_listener import Context
from autonomy.mcp_gateway.content_reads import refuse_exit, spec_of
from autonomy.mcp_gateway.content_server import ContentServer, forwarded
from autonomy.mcp_gateway.resource_watches import ResourceWatches, StreamBus, Watcher
from autonomy.mcp_gateway.sessions.client_session import ClientSession
from autonomy.mcp_gateway.uris import owner_of
from discovery.discovery_errors import DiscoveryError

MOST_STREAMS = 100
"""How many streams one client of 2026-07-28 may have at once."""
Place = tuple[str, str]
"""The client and the HTTP session of a request."""


@dataclass(eq=False)
class Subscriptions:
    """The subscriptions of all clients."""

    content: ContentServer
    watches: ResourceWatches
    place: Callable[[Context], Place]
    """Returns the place of a request."""
    channels: dict[Place, Context] = field(default_factory=dict)
    """The newest request of each session, over whose connection it is notified (until 2025-11-25)."""
    _streams: defaultdict[str, set[StreamBus]] = field(default_factory=lambda: defaultdict(set))
    """By client."""
    _bus: InMemorySubscriptionBus = field(default_factory=InMemorySubscriptionBus)
    """The events for all clients of 2026-07-28."""

    async def announce(self, event: ServerEvent, notification: types.ServerNotification) -> None:
        """Notify every client: those of 2026-07-28 on their streams, the others on their own channels."""
        await self._bus.publish(event)
        for place in list(self.channels):
            await self.notify(place, notification)

    async def notify(self, place: Place, notification: types.ServerNotification) -> None:
        """Notify one session on its own channel, if it has one."""
        if (listener := self.channels.get(place)) is not None:
            with suppress(MCPError, anyio.BrokenResourceError, anyio.ClosedResourceError):
                await listener.session.send_notification(notification)

    async def tools_were_found(self, place: Place) -> None:
        """Notify a client that its list of tools has changed because of its search."""
        for stream in list(self._streams[place[0]]):
            await stream.publish(ToolsListChanged())
        await self.notify(place, types.ToolListChangedNotification())

    def hears_of_tools(self, client: str) -> bool:
        """Whether a client has a stream for changes of the list of tools."""
        return any(stream.tools for stream in self._streams[client])

    def watches_any(self, place: Place) -> bool:
        """Whether a session is subscribed to a resource."""
        return self.watches.watches(self._watcher(place))

    async def forget(self, place: Place) -> None:
        """Remove a session that has ended."""
        self.channels.pop(place, None)
        await self.watches.drop(self._watcher(place))

    async def subscribe(self, context: Context, params: types.SubscribeRequestParams) -> types.EmptyResult:
        """Answer `resources/subscribe` (until 2025-11-25)."""
        uri, session = str(params.uri), await self.content.requests.session(context)
        owner = await self.content.owner(session, uri)
        session.memory.count_call()
        refuse_exit(session, owner, context.method, {"uri": uri})
        await forwarded(None, lambda: self.watches.add(self._watcher(self.place(context)), owner, [uri]))
        return types.EmptyResult()

    async def unsubscribe(self, context: Context, params: types.UnsubscribeRequestParams) -> types.EmptyResult:
        """Answer `resources/unsubscribe` (until 2025-11-25)."""
        await self.content.requests.session(context)
        await self.watches.drop(self._watcher(self.place(context)), str(params.uri))
        return types.EmptyResult()

    def _watcher(self, place: Place) -> Watcher:
        """Return the watcher for a session of a client before 2026-07-28, which is notified on its own channel."""

        async def tell(_watched: str, changed: str) -> None:
            await self.notify(
                place, types.ResourceUpdatedNotification(params=types.ResourceUpdatedNotificationParams(uri=changed))
            )

        return Watcher(place[0], place, tell)

    async def listen(self, context: Context, params: types.SubscriptionsListenRequestParams) -> types.SubscriptionsListenResult:
        """Notify a client of 2026-07-28 of the changes that it asks for, as long as it listens. Raises `MCPError` if it has too
        many streams."""
        session = await self.content.requests.session(context)
        streams = self._streams[session.client]
        if len(streams) >= MOST_STREAMS:
            raise MCPError(types.INVALID_REQUEST, f"a client listens on {MOST_STREAMS} streams at most")
        bus = StreamBus(self._bus, tools=bool(params.notifications.tools_list_changed))

        async def tell(watched: str, _changed: str) -> None:
            await bus.publish(ResourceUpdated(uri=watched))

        watcher = Watcher(session.client, bus, tell)
        streams.add(bus)
        try:
            updates = await self._watch(watcher, session, params.notifications.resource_subscriptions or [])
            agreed = params.notifications.model_copy(update={"resource_subscriptions": updates or None})
            return await ListenHandler(bus)(context, params.model_copy(update={"notifications": agreed}))
        finally:
            streams.discard(bus)
            with anyio.CancelScope(shield=True):
                await self.watches.drop(watcher)

    async def _watch(self, watcher: Watcher, session: ClientSession, uris: list[str]) -> list[str]:
        """Subscribe to resources, and return those that this client may read and that their servers agreed to."""
        providers = await self.content.providers(session)
        owners = dict[str, str]()
        for uri in uris:
            owner = owner_of(uri, providers)
            if owner is not None and not session.memory.carried(spec_of(owner, "resources/subscribe"), {"uri": uri}):
                owners[uri] = owner
        agreed = set[str]()
        for owner in dict.fromkeys(owners.values()):
            with suppress(DiscoveryError):  # the client sees by the result which resources it is not subscribed to
                agreed |= await self.watches.add(watcher, owner, [uri for uri, one in owners.items() if one == owner])
        return [uri for uri in uris if uri in agreed]
