"""Subscribes to resources of one server, by the method of its protocol revision."""

import warnings
from collections.abc import Awaitable, Callable, Collection
from contextlib import AsyncExitStack, suppress

import anyio
import anyio.abc
from mcp import MCPError
from mcp.client.session import ClientSession
from mcp.client.subscriptions import SubscriptionLost, listen
from mcp.shared.exceptions import MCPDeprecationWarning
from mcp.shared.subscriptions import ResourceUpdated
from mcp_types import METHOD_NOT_FOUND
from mcp_types.version import MODERN_PROTOCOL_VERSIONS

MOST_WATCHED = 2_000
"""Resources of one server."""
NOT_TOLD = "the server tells of no changes of this resource"


class ResourceWatch:
    """The watched resources of one server. After a reconnect they are watched again."""

    def __init__(self, on_update: Callable[[str], Awaitable[None]], *, patience_s: float, pause_s: float) -> None:
        """`on_update` is called with the URI of a changed resource. `patience_s` is how long the server may take to open a
        stream, `pause_s` how long to wait before a broken stream is opened again."""
        self._on_update, self._patience_s, self._pause_s = on_update, patience_s, pause_s
        self._uris: set[str] = set()
        self._asked: frozenset[str] = frozenset()
        """The URIs that the present stream was opened for."""
        self._refused: dict[str, MCPError] = {}
        self._wanted_changed, self._stream_changed = anyio.Event(), anyio.Event()

    async def add(self, session: ClientSession, uris: Collection[str]) -> frozenset[str]:
        """Watch these resources, too; return those that the server accepted. Raises `MCPError` if it accepted none."""
        taken = frozenset(uris) & self._uris
        new = frozenset(uris) - taken
        if len(self._uris) + len(new) > MOST_WATCHED:
            raise MCPError(METHOD_NOT_FOUND, f"{MOST_WATCHED} resources of one server are watched at most")
        if not new:
            return taken
        self._uris |= new
        try:
            await (self._subscribe(session, new) if _old(session) else self._streamed(new))
        except BaseException:
            await self.drop(None, new)
            raise
        refused = {uri: self._refused.pop(uri) for uri in new & self._refused.keys()}
        self._uris -= refused.keys()
        self._asked -= refused.keys()  # a later request for one of them is sent again
        if refused and not taken and len(refused) == len(new):
            raise next(iter(refused.values()))
        return taken | (new - refused.keys())

    async def drop(self, session: ClientSession | None, uris: Collection[str]) -> None:
        """Stop watching these resources."""
        self._uris -= set(uris)
        self._changed()
        if session is not None and _old(session):
            with warnings.catch_warnings(action="ignore", category=MCPDeprecationWarning):
                for uri in uris:
                    with suppress(MCPError):  # further notifications would be ignored
                        await session.unsubscribe_resource(uri)

    async def keep(self, session: ClientSession) -> None:
        """Watch during one connection, until cancelled. All resources are first reported as changed, as they may have been."""
        before = frozenset(self._uris)
        if _old(session):
            await self._subscribe(session, before)
            self._refused.clear()
        else:
            self._asked = frozenset()
        async with anyio.create_task_group() as streams:
            if before:
                streams.start_soon(self._report, before)
            if _old(session):
                return
            # from 2026-07-28 on there is one stream for all URIs; when they change, a new one is opened before the old is closed
            current: anyio.CancelScope | None = None
            while True:
                wanted_changed, uris = self._wanted_changed, frozenset(self._uris)
                if uris != self._asked:
                    following = await streams.start(self._listen, session, uris) if uris else None
                    if current is not None and (following is not None or not uris):
                        current.cancel()
                    current, self._asked = following or current, uris
                    self._stream_changed.set()
                    self._stream_changed = anyio.Event()
                await wanted_changed.wait()

    async def _subscribe(self, session: ClientSession, uris: Collection[str]) -> None:
        """Subscribe with one request per URI, as revisions up to 2025-11-25 require."""
        with warnings.catch_warnings(action="ignore", category=MCPDeprecationWarning):
            for uri in uris:
                try:
                    await session.subscribe_resource(uri)
                except MCPError as error:
                    self._refused[uri] = error

    async def _streamed(self, uris: Collection[str]) -> None:
        """Wait until a stream was opened that includes these URIs."""
        self._changed()
        while not self._asked.issuperset(uris):
            await self._stream_changed.wait()

    async def _listen(
        self, session: ClientSession, uris: frozenset[str], *, task_status: anyio.abc.TaskStatus[anyio.CancelScope | None]
    ) -> None:
        """Report changes of these resources until cancelled; reopen a broken stream, but not one that was refused."""
        began = False
        with anyio.CancelScope() as scope:
            while True:
                try:
                    async with AsyncExitStack() as stack:
                        with anyio.fail_after(self._patience_s):
                            stream = await stack.enter_async_context(listen(session, resource_subscriptions=sorted(uris)))
                        honored = frozenset(stream.honored.resource_subscriptions or ())
                        if began:
                            await self._report(honored)  # they may have changed meanwhile
                        else:
                            began = True
                            self._refused |= {uri: MCPError(METHOD_NOT_FOUND, NOT_TOLD) for uri in uris - honored}
                            task_status.started(scope)
                        async for change in stream:
                            if isinstance(change, ResourceUpdated):
                                await self._on_update(change.uri)
                except (MCPError, SubscriptionLost, TimeoutError) as error:
                    if not began:
                        why = error if isinstance(error, MCPError) else MCPError(METHOD_NOT_FOUND, NOT_TOLD)
                        self._refused |= dict.fromkeys(uris, why)
                        task_status.started(None)
                        return
                await anyio.sleep(self._pause_s)

    async def _report(self, uris: Collection[str]) -> None:
        for uri in sorted(uris):
            await self._on_update(uri)

    def _changed(self) -> None:
        self._wanted_changed.set()
        self._wanted_changed = anyio.Event()


def _old(session: ClientSession) -> bool:
    return session.protocol_version not in MODERN_PROTOCOL_VERSIONS
