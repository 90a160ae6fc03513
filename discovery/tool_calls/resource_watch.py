"""Subscribes to the watched resources of one server, in whichever revision it speaks."""

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
Told = Callable[[str], Awaitable[None]]
"""Hears the URI of a resource that is another now."""


class ResourceWatch:
    """The resources of one server that are watched; those of one life of its connection are watched again in the next."""

    def __init__(self, on_update: Told, *, patience_s: float, pause_s: float) -> None:
        """`patience_s` is how long the server may take to agree, `pause_s` how long a stream that broke off rests."""
        self._told, self._patience_s, self._pause_s = on_update, patience_s, pause_s
        self._uris: set[str] = set()
        self._asked: frozenset[str] = frozenset()
        """What the stream that is open now was opened for."""
        self._refused: dict[str, MCPError] = {}
        self._stir, self._settled = anyio.Event(), anyio.Event()

    async def add(self, session: ClientSession, uris: Collection[str]) -> frozenset[str]:
        """Watch these, too; those that the server agreed to. Raises `MCPError` where it agrees to none."""
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
        self._asked -= refused.keys()  # whoever asks for one of them again is answered anew
        if refused and not taken and len(refused) == len(new):
            raise next(iter(refused.values()))
        return taken | (new - refused.keys())

    async def drop(self, session: ClientSession | None, uris: Collection[str]) -> None:
        """Watch these no longer."""
        self._uris -= set(uris)
        self._changed()
        if session is not None and _old(session):
            with warnings.catch_warnings(action="ignore", category=MCPDeprecationWarning):
                for uri in uris:
                    with suppress(MCPError):  # it is told of what nobody hears; that harms nobody
                        await session.unsubscribe_resource(uri)

    async def keep(self, session: ClientSession) -> None:
        """Watch for one life of the connection, until cancelled. What changed while there was none is told as changed."""
        before = frozenset(self._uris)
        if _old(session):
            await self._subscribe(session, before)
            self._refused.clear()
        else:
            self._asked = frozenset()
        async with anyio.create_task_group() as streams:
            if before:
                streams.start_soon(self._tell, before)
            if _old(session):
                return
            # as of 2026-07-28: one stream for all; it is opened anew for others before the one there is is left
            current: anyio.CancelScope | None = None
            while True:
                stir, uris = self._stir, frozenset(self._uris)
                if uris != self._asked:
                    following = await streams.start(self._listen, session, uris) if uris else None
                    if current is not None and (following is not None or not uris):
                        current.cancel()
                    current, self._asked = following or current, uris
                    self._settled.set()
                    self._settled = anyio.Event()
                await stir.wait()

    async def _subscribe(self, session: ClientSession, uris: Collection[str]) -> None:
        """Subscribe as until 2025-11-25: with a request for each."""
        with warnings.catch_warnings(action="ignore", category=MCPDeprecationWarning):
            for uri in uris:
                try:
                    await session.subscribe_resource(uri)
                except MCPError as error:
                    self._refused[uri] = error

    async def _streamed(self, uris: Collection[str]) -> None:
        """Wait until the one stream has been opened for these, too."""
        self._changed()
        while not self._asked.issuperset(uris):
            await self._settled.wait()

    async def _listen(
        self, session: ClientSession, uris: frozenset[str], *, task_status: anyio.abc.TaskStatus[anyio.CancelScope | None]
    ) -> None:
        """Hear of changes of these until cancelled; a stream that broke off is opened again, one that was refused is not."""
        began = False
        with anyio.CancelScope() as scope:
            while True:
                try:
                    async with AsyncExitStack() as stack:
                        with anyio.fail_after(self._patience_s):
                            stream = await stack.enter_async_context(listen(session, resource_subscriptions=sorted(uris)))
                        honored = frozenset(stream.honored.resource_subscriptions or ())
                        if began:
                            await self._tell(honored)  # it may have changed meanwhile
                        else:
                            began = True
                            self._refused |= {uri: MCPError(METHOD_NOT_FOUND, NOT_TOLD) for uri in uris - honored}
                            task_status.started(scope)
                        async for change in stream:
                            if isinstance(change, ResourceUpdated):
                                await self._told(change.uri)
                except (MCPError, SubscriptionLost, TimeoutError) as error:
                    if not began:
                        why = error if isinstance(error, MCPError) else MCPError(METHOD_NOT_FOUND, NOT_TOLD)
                        self._refused |= dict.fromkeys(uris, why)
                        task_status.started(None)
                        return
                await anyio.sleep(self._pause_s)

    async def _tell(self, uris: Collection[str]) -> None:
        for uri in sorted(uris):
            await self._told(uri)

    def _changed(self) -> None:
        self._stir.set()
        self._stir = anyio.Event()


def _old(session: ClientSession) -> bool:
    return session.protocol_version not in MODERN_PROTOCOL_VERSIONS
