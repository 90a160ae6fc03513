"""The listings of one server (tools, resources, prompts), kept current while its connection lives."""

import math
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable
from typing import Any, NamedTuple, Protocol, TypeVar

import anyio
import anyio.to_thread
from mcp import MCPError
from mcp.client.session import ClientSession
from mcp.client.subscriptions import SubscriptionLost, listen
from mcp.shared.subscriptions import PromptsListChanged, ResourcesListChanged, ToolsListChanged
from mcp_types import (
    METHOD_NOT_FOUND,
    PaginatedRequestParams,
    PromptListChangedNotification,
    ResourceListChangedNotification,
    ServerCapabilities,
    Tool,
    ToolListChangedNotification,
)
from mcp_types.version import MODERN_PROTOCOL_VERSIONS
from pydantic import ValidationError

from discovery.catalog import Listing, Prompt, Quarantined, Resource, ResourceTemplate
from discovery.connections.listing import prompts_of, resources_of, specs_of, templates_of
from discovery.gateway_settings import GatewaySettings
from discovery.servers.server_config import ServerConfig
from discovery.timing.clock import Clock, sleep_unless
from discovery.transport import firewall
from discovery.transport.connection_end import cause_of

MOST_PAGES = 50
MOST_TOOLS = 5_000
"""Tools of one provider that are listed, of those that its operator lets into the catalog."""
LONGEST_TTL_S = 86_400.0
LONGEST_PAUSE_S = 30.0
QUIET_S = 60.0
"""After so long without an announcement, the next one is followed without a pause."""


ListingReview = Callable[[ServerConfig, Listing], Awaitable[Listing]]
"""Decides which parts of a listing may be shown."""


class Announced(NamedTuple):
    """How often servers have announced that a list of theirs changed."""

    tools: int = 0
    prompts: int = 0
    resources: int = 0


class ServerLists:
    """The lists of one server, over all its connections. Only this class changes its attributes."""

    def __init__(
        self,
        settings: GatewaySettings,
        clock: Clock,
        review: ListingReview,
        on_change: Callable[[], None],
        on_fault: Callable[[str], None],
        last_known: Listing | None,
    ) -> None:
        """`on_fault` is called with the reason why the connection has become useless."""
        self.listing = last_known if last_known and last_known.tools else None
        """The last listing, also of an earlier process; None before the first."""
        self.overdue = last_known is not None and last_known.missed and not last_known.tools
        """Whether it has never listed its tools although somebody waited for it."""
        self.times = 0
        """How often it has listed its tools: a caller who asks for a new listing waits until this number rises."""
        self.resources: tuple[Resource, ...] = ()
        self.templates: tuple[ResourceTemplate, ...] = ()
        self.prompts: tuple[Prompt, ...] = ()
        self.announced = Announced()
        self.compares = False
        """Whether it has listed its tools, and they are being compared with what was approved."""
        self._settings, self._clock, self._review = settings, clock, review
        self._on_change, self._on_fault = on_change, on_fault
        self._stale_tools, self._stale_rest, self._wanted = anyio.Event(), anyio.Event(), anyio.Event()
        self._listed, self._listed_after = anyio.Event(), 0

    def ask(self) -> None:
        """List the tools again at once."""
        self._stale_tools.set()
        self._wanted.set()

    def doubt(self) -> None:
        """List the tools again soon, because they may have changed."""
        self._stale_tools.set()

    @property
    def outdated(self) -> bool:
        """Whether the server has announced a change of its tools since it listed them."""
        return self.announced.tools > self._listed_after

    async def caught_up(self) -> None:
        """Wait until all changes that were announced before this call are listed."""
        announced = self.announced.tools
        while self._listed_after < announced:
            self.ask()
            await self._listed.wait()

    def changed(self, what: type) -> None:
        """Note a notification of this type; types that announce no changed list have no effect."""
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

        Raises TimeoutError if the server takes too long, not counting our own review of the tools, and the SDK's errors.
        """
        self._stale_tools, announced = anyio.Event(), self.announced.tools
        try:
            with anyio.fail_after(self._settings.list_timeout_s):
                listing = await self._listed_tools(session, config)
                if not listing.tools and self.listing is not None and self.listing.tools:
                    # a restarting server may not know its tools yet: ask twice
                    await self._clock.sleep(self._settings.debounce_s)
                    listing = await self._listed_tools(session, config)
            before_s = self.listing.took_s if self.listing else 0.0
            took_s = before_s if started is None else self._clock.monotonic() - started
            self.listing = await self._review(config, listing.model_copy(update={"took_s": took_s}))
        finally:
            self.compares = False
        self.times, self._listed_after = self.times + 1, announced
        self.overdue = False
        self._listed.set()
        self._listed = anyio.Event()

    async def _listed_tools(self, session: ClientSession, config: ServerConfig) -> Listing:
        """Fetch all pages of `tools/list`. Raises if any page fails: an incomplete list would hide tools."""
        self.compares, now = False, self._clock.now()
        tools: dict[str, Tool] = {}
        quarantined: list[Quarantined] = []
        ttls: list[int] = []

        def note(reason: str) -> None:
            quarantined.append(Quarantined(tool="", reason=reason))

        async for page in _pages(session.list_tools, on_endless=note):
            tools = tools | {tool.name: tool for tool in page.tools if tool.name not in tools and config.offers(tool.name)}
            if len(tools) > MOST_TOOLS:
                note(f"it offers more than {MOST_TOOLS} tools; the rest is left out: name the ones you need in its `include`")
                break
            ttls.append(page.ttl_ms)
            quarantined += [Quarantined.model_validate(item) for item in (page.meta or {}).get(firewall.QUARANTINED, ())]
        self.compares = True
        specs, left_out = await anyio.to_thread.run_sync(specs_of, list(tools.values())[:MOST_TOOLS], config, session)
        ttl_s = min(min(ttls) / 1000, LONGEST_TTL_S) if ttls else 0.0
        # A server of the SDK that sets no TTL sends 0, which therefore cannot mean "do not cache".
        return Listing(tools=specs, quarantined=(*quarantined, *left_out), ttl_s=ttl_s or None, listed_at=now)

    async def list_the_rest(self, session: ClientSession) -> None:
        """List resources and prompts. A failure is ignored, because the tools can be called without them."""
        capabilities = session.server_capabilities
        try:
            with anyio.move_on_after(self._settings.list_timeout_s):
                if capabilities and capabilities.resources:
                    self.resources = await _listed(session.list_resources, resources_of)
                    self.templates = await _listed(session.list_resource_templates, templates_of)
                if capabilities and capabilities.prompts:
                    self.prompts = await _listed(session.list_prompts, prompts_of)
        except (MCPError, ValidationError):
            return
        self._on_change()

    async def keep_tools(self, session: ClientSession, config: ServerConfig, on_listed: Callable[[], None]) -> None:
        """List the tools again whenever that is requested; requests in quick succession lead to one listing.

        If a server announces a change after every listing, the pauses grow, unless somebody asks for its tools.
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
        """List resources and prompts again when the server announces a change; the pauses grow if it does so all the time."""
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
        """Listen to the stream on which servers of the revisions from 2026-07-28 on announce changed lists.

        `listening` is set once the stream is open, or once it is clear that there will be none. If the stream opens only after
        that, or opens again, everything is listed anew, because earlier announcements may have been missed.
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
                self._stale_tools.set()  # a change may have been announced meanwhile, and the stream may not open again
            except MCPError:
                return  # the server has no such stream after all; listings expire anyway
            await self._clock.sleep(self._settings.retry_cap_s)


T = TypeVar("T")


class _Page(Protocol):
    @property
    def next_cursor(self) -> str | None: ...


PageT_co = TypeVar("PageT_co", bound=_Page, covariant=True)


class _Fetch(Protocol[PageT_co]):
    async def __call__(self, *, params: PaginatedRequestParams | None = None) -> PageT_co: ...


async def _listed(fetch: _Fetch[PageT_co], values_of: Callable[[PageT_co], Iterable[T]]) -> tuple[T, ...]:
    """Fetch a whole list and convert its items; empty where the provider has no such list."""
    values: list[T] = []
    async for page in _pages(fetch):
        values += values_of(page)
    return tuple(values)


async def _pages(fetch: _Fetch[PageT_co], *, on_endless: Callable[[str], None] = lambda _: None) -> AsyncIterator[PageT_co]:
    """Yield the pages of a list, at most `MOST_PAGES`; none if the provider does not support that list."""
    cursor: str | None = None
    seen: set[str] = set()
    while len(seen) < MOST_PAGES:
        try:
            page = await fetch(params=PaginatedRequestParams(cursor=cursor) if cursor else None)
        except MCPError as error:
            if error.code == METHOD_NOT_FOUND and cursor is None:
                return
            raise
        yield page
        cursor = page.next_cursor
        if not cursor:
            return
        if cursor in seen:
            on_endless("the list repeats itself; what came before is kept")
            return
        seen.add(cursor)
    on_endless(f"the list goes on after {MOST_PAGES} pages; the rest is left out")
