"""The listings of one server (tools, resources, prompts), kept current while its connection lives."""

import math
from collections.abc import Awaitable, Callable
from typing import Any, NamedTuple

import anyio
from mcp import MCPError
from mcp.client.session import ClientSession
from mcp.client.subscriptions import SubscriptionLost, listen
from mcp.shared.subscriptions import PromptsListChanged, ResourcesListChanged, ToolsListChanged
from mcp_types import (
    PromptListChangedNotification,
    ResourceListChangedNotification,
    ServerCapabilities,
    ToolListChangedNotification,
)
from mcp_types.version import MODERN_PROTOCOL_VERSIONS
from pydantic import ValidationError

from discovery.catalog import Listing, Prompt, Resource, ResourceTemplate
from discovery.connections.listing import list_tools, listed, prompts_of, resources_of, templates_of
from discovery.gateway_settings import GatewaySettings
from discovery.servers.servers_file import ServerConfig
from discovery.timing.clock import Clock, sleep_unless
from discovery.transport.connection_end import cause_of

LONGEST_PAUSE_S = 30.0
QUIET_S = 60.0
"""A server that announced nothing for so long is heard at once again."""


ListingReview = Callable[[ServerConfig, Listing], Awaitable[Listing]]
"""Decides what of a listing may be shown."""


class Announced(NamedTuple):
    """How often servers have said that a list of theirs is another now."""

    tools: int = 0
    prompts: int = 0
    resources: int = 0


class ServerLists:
    """The lists of one server over all its lives. Its attributes are for reading."""

    def __init__(
        self,
        settings: GatewaySettings,
        clock: Clock,
        review: ListingReview,
        on_change: Callable[[], None],
        on_fault: Callable[[str], None],
        last_known: Listing | None,
    ) -> None:
        """`on_fault` hears why the connection is of no use any more."""
        self.listing = last_known if last_known and last_known.tools else None
        """What it listed last, in this life or a former one; None before the first time."""
        self.overdue = last_known is not None and last_known.missed and not last_known.tools
        """Whether it was waited for in vain and has never listed its tools."""
        self.times = 0
        """How often it has listed its tools: a caller who asks for fresh ones waits for the count to rise."""
        self.resources: tuple[Resource, ...] = ()
        self.templates: tuple[ResourceTemplate, ...] = ()
        self.prompts: tuple[Prompt, ...] = ()
        self.announced = Announced()
        self._settings, self._clock, self._review = settings, clock, review
        self._on_change, self._on_fault = on_change, on_fault
        self._stale_tools, self._stale_rest, self._wanted = anyio.Event(), anyio.Event(), anyio.Event()
        self._listed, self._listed_after = anyio.Event(), 0

    def ask(self) -> None:
        """Have the tools listed again at once."""
        self._stale_tools.set()
        self._wanted.set()

    def doubt(self) -> None:
        """Have the tools listed again soon: something speaks for their being others now."""
        self._stale_tools.set()

    @property
    def outdated(self) -> bool:
        """Whether the server has announced other tools than it listed."""
        return self.announced.tools > self._listed_after

    async def caught_up(self) -> None:
        """Wait for the listing of what was announced so far; of what is announced meanwhile the next call hears."""
        announced = self.announced.tools
        while self._listed_after < announced:
            self.ask()
            await self._listed.wait()

    def changed(self, what: type) -> None:
        """Hear a notification of this type; those that announce no list are left alone."""
        announced = self.announced
        if what in (ToolListChangedNotification, ToolsListChanged):
            self.announced = announced._replace(tools=announced.tools + 1)
            self._stale_tools.set()
        elif what in (PromptListChangedNotification, PromptsListChanged):
            self.announced = announced._replace(prompts=announced.prompts + 1)
            self._stale_rest.set()
        elif what in (ResourceListChangedNotification, ResourcesListChanged):
            self.announced = announced._replace(resources=announced.resources + 1)
            self._stale_rest.set()

    async def list_tools(self, session: ClientSession, config: ServerConfig, started: float | None = None) -> None:
        """List the tools; `started` is when connecting began, in monotonic seconds, if this is the first listing of a life.

        Raises TimeoutError when the server takes too long (how long we look at thousands of tools is not its fault), and what
        the SDK raises.
        """
        self._stale_tools, announced = anyio.Event(), self.announced.tools
        with anyio.fail_after(self._settings.list_timeout_s):
            listing = await list_tools(session, config, now=self._clock.now())
            if not listing.tools and self.listing is not None and self.listing.tools:
                await self._clock.sleep(self._settings.debounce_s)  # one that is starting again may know nothing yet: ask twice
                listing = await list_tools(session, config, now=self._clock.now())
        before_s = self.listing.took_s if self.listing else 0.0
        took_s = before_s if started is None else self._clock.monotonic() - started
        self.listing = await self._review(config, listing.model_copy(update={"took_s": took_s}))
        self.times, self._listed_after = self.times + 1, announced
        self.overdue = False
        self._listed.set()
        self._listed = anyio.Event()

    async def list_the_rest(self, session: ClientSession) -> None:
        """List resources and prompts: nice to know, and no reason to fail."""
        capabilities = session.server_capabilities
        try:
            with anyio.move_on_after(self._settings.list_timeout_s):
                if capabilities and capabilities.resources:
                    self.resources = await listed(session.list_resources, resources_of)
                    self.templates = await listed(session.list_resource_templates, templates_of)
                if capabilities and capabilities.prompts:
                    self.prompts = await listed(session.list_prompts, prompts_of)
        except (MCPError, ValidationError):
            return
        self._on_change()

    async def keep_tools(self, session: ClientSession, config: ServerConfig, on_listed: Callable[[], None]) -> None:
        """List again whenever asked to; requests that come close together are answered by one listing.

        A server that announces a change after each is listened to less and less often, unless somebody asks for its tools.
        """
        pause_s, listed_at = 0.0, -math.inf
        while True:
            await self._stale_tools.wait()
            if self._clock.monotonic() - listed_at > QUIET_S:
                pause_s = 0.0
            await self._clock.sleep(self._settings.debounce_s)
            await sleep_unless(self._wanted, pause_s, self._clock)
            self._wanted, listed_at = anyio.Event(), self._clock.monotonic()
            pause_s = min(2 * pause_s or self._settings.debounce_s, LONGEST_PAUSE_S)
            try:
                await self.list_tools(session, config)
            except TimeoutError:
                self._on_fault(f"it did not list its tools within {self._settings.list_timeout_s:g} s")
            except (MCPError, ValidationError) as error:
                self._on_fault(f"it could not list its tools: {cause_of(error)}")
            else:
                on_listed()

    async def keep_the_rest(self, session: ClientSession) -> None:
        """List resources and prompts again when the server says so, less and less often if it says so all the time."""
        pause_s = self._settings.debounce_s
        while True:
            with anyio.move_on_after(QUIET_S) as quiet:
                await self._stale_rest.wait()
            if quiet.cancelled_caught:
                pause_s = self._settings.debounce_s
                continue
            await self._clock.sleep(pause_s)
            pause_s, self._stale_rest = min(2 * pause_s, LONGEST_PAUSE_S), anyio.Event()
            await self.list_the_rest(session)

    async def keep_listening(self, session: ClientSession, listening: anyio.Event) -> None:
        """Listen for changed lists: from 2026-07-28 on they are announced on a stream that one asks for, before unasked.

        `listening` is set once every change is heard, or none ever will be. A stream that opens after that, because it was late
        or ended, has the lists asked for again: nobody heard what was announced before.
        """
        try:
            await self._listen(session, listening)
        finally:
            listening.set()

    async def _listen(self, session: ClientSession, listening: anyio.Event) -> None:
        can = session.server_capabilities or ServerCapabilities()
        tells: dict[str, Any] = {
            f"{name}_list_changed": bool(offered and offered.list_changed)
            for name, offered in (("tools", can.tools), ("prompts", can.prompts), ("resources", can.resources))
        }
        while session.protocol_version in MODERN_PROTOCOL_VERSIONS and any(tells.values()):
            try:
                async with listen(session, **tells) as changes:
                    if listening.is_set():
                        self._stale_tools.set()
                        self._stale_rest.set()
                    listening.set()
                    async for change in changes:
                        self.changed(type(change))
            except SubscriptionLost:
                self._stale_tools.set()  # something may have been announced meanwhile, and it may not open again
            except MCPError:
                return  # it announces nothing after all; listings expire anyway
            await self._clock.sleep(self._settings.retry_cap_s)
