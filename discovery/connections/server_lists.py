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
            listing = await _listed_tools(session, config, now=self._clock.now())
            if not listing.tools and self.listing is not None and self.listing.tools:
                await self._clock.sleep(self._settings.debounce_s)  # one that is starting again may know nothing yet: ask twice
                listing = await _listed_tools(session, config, now=self._clock.now())
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
                    self.resources = await _listed(session.list_resources, resources_of)
                    self.templates = await _listed(session.list_resource_templates, templates_of)
                if capabilities and capabilities.prompts:
                    self.prompts = await _listed(session.list_prompts, prompts_of)
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


async def _listed_tools(session: ClientSession, config: ServerConfig, *, now: float) -> Listing:
    """All pages of `tools/list`, or the error of the one that failed: half a list is no list."""
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
    specs, left_out = await anyio.to_thread.run_sync(specs_of, list(tools.values())[:MOST_TOOLS], config, session)
    ttl_s = min(min(ttls) / 1000, LONGEST_TTL_S) if ttls else 0.0
    # An SDK server that sets nothing sends 0: it cannot mean "never keep it", or nothing would ever be kept.
    return Listing(tools=specs, quarantined=(*quarantined, *left_out), ttl_s=ttl_s or None, listed_at=now)


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
    """The pages of a list, as many as are sane; a provider without that list has none."""
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
