"""Shows the configured servers and their last listed tools in a process that connects to none."""

from collections.abc import Callable, Collection, Mapping

import anyio.to_thread
from sqlalchemy import Engine

from discovery.advisor import Advisor
from discovery.catalog import Catalog, Freshness, Listing, Provider, ProviderState, ToolSpec
from discovery.discovery_errors import ProviderUnavailable
from discovery.hints.hints import Hint, Language
from discovery.names import full_names
from discovery.review.last_known import LastKnown
from discovery.review.pins import DefinitionChange
from discovery.servers.server_config import ServerConfig
from discovery.timing.clock import SYSTEM_CLOCK, Clock

FRESH_S = 2.0
"""How long a catalog is shown before it is read again: pages ask often, and reading thousands of tools takes a moment."""


class StoredTools:
    """The tools that the gateway of another process has stored. Nothing is connected, so nothing can be called or approved."""

    def __init__(
        self, engine: Engine, entries: Callable[[], Mapping[str, ServerConfig]], language: Language, clock: Clock = SYSTEM_CLOCK
    ) -> None:
        """`entries` reads the servers files. It blocks, and its errors are raised by `catalog`."""
        self._last_known, self._advisor = LastKnown(engine, clock), Advisor(engine, clock, language=language)
        self._entries, self._clock = entries, clock
        self._catalog = Catalog()

    async def catalog(self) -> Catalog:
        """Return the stored catalog. Raises the database's errors."""
        if self._catalog.providers and self._clock.now() - self._catalog.taken_at < FRESH_S:
            return self._catalog
        entries = await anyio.to_thread.run_sync(self._entries)
        await self._advisor.load()
        listings = await anyio.to_thread.run_sync(self._last_known.load, entries.values())
        listed = [spec for listing in listings.values() for spec in listing.tools]
        names = full_names((spec.provider, spec.tool) for spec in listed)
        tools = [spec.model_copy(update={"name": names[spec.provider, spec.tool]}) for spec in listed]
        self._catalog = Catalog(
            tools=tuple(sorted(tools, key=lambda spec: spec.name)),
            providers=tuple(_provider(entry, listings.get(name)) for name, entry in entries.items()),
            freshness=Freshness.LAST_KNOWN_GOOD,
            taken_at=self._clock.now(),
        )
        return self._catalog

    def status(self) -> tuple[Provider, ...]:
        """Return the servers as of the last `catalog`."""
        return self._catalog.providers

    def hint(self, spec: ToolSpec) -> Hint:
        """Return the usage hint of a tool, with its statistics."""
        return self._advisor.hint(spec)

    def held(self) -> tuple[DefinitionChange, ...]:
        """Return nothing: only a tool's server can tell what its definition is now."""
        return ()

    async def approve(self, provider: str, seen: Collection[DefinitionChange], *, by: str) -> tuple[str, ...]:
        """Raise ProviderUnavailable, because nothing is held here."""
        raise ProviderUnavailable(provider, "this process connects to no servers")

    def wake(self, provider: str) -> None:
        """Read the entries anew with the next `catalog`; a process that connects to them does the same when a run needs one."""
        self._catalog = self._catalog.model_copy(update={"taken_at": 0.0})


def _provider(entry: ServerConfig, listing: Listing | None) -> Provider:
    waits = bool(entry.obstacle) and not entry.disabled
    return Provider(
        name=entry.name,
        state=ProviderState.CLOSED,
        reason=entry.obstacle,
        missing="disabled" if entry.disabled else "needs_operator" if waits else "",
        transport=entry.transport,
        system_instruction=entry.system_instruction,
        response_instruction=entry.response_instruction,
        quarantined=listing.quarantined if listing else (),
        listed_at=listing.listed_at if listing and listing.tools else None,
    )
