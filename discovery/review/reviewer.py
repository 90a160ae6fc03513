"""Reviews a provider's listing before it enters the catalog."""

import logging
import shlex
from collections.abc import Collection, Sequence

import anyio.to_thread
from sqlalchemy import Engine
from sqlalchemy.exc import SQLAlchemyError

from discovery.catalog import Listing, Quarantined, ToolSpec
from discovery.discovery_errors import words_of
from discovery.review import effect_words
from discovery.review.last_known import LastKnown
from discovery.review.pins import BATCH, DefinitionChange, Hold, PinBook
from discovery.schemas.schema import problems
from discovery.search import tool_kinds
from discovery.servers.server_config import ServerConfig
from discovery.timing.clock import Clock

_log = logging.getLogger(__name__)

_SAID = {"new": "a new tool", "gone": "no longer listed"}
"""What the log says of a change that has no details."""


class Reviewer:
    """Reviews the listings of all providers."""

    def __init__(self, engine: Engine | None, clock: Clock, *, hold: Hold = "meaning") -> None:
        self._pins = PinBook(engine, clock)
        self._last_known = LastKnown(engine, clock)
        self._hold: Hold = hold
        self._sound: set[str] = set()
        """Fingerprints of definitions with valid schemas."""
        self._names: dict[str, frozenset[str]] = {}
        self._held: dict[tuple[str, str], tuple[ToolSpec, DefinitionChange]] = {}

    async def load(self, servers: Collection[ServerConfig]) -> dict[str, Listing]:
        """Return the last known listing of each server, by name; nothing if the database cannot be read."""

        def read() -> dict[str, Listing]:
            # read these data files now, because the first review may not do so on the event loop; the weights of
            # descriptions are read by the thread that first compares a new definition
            effect_words.words()
            tool_kinds.kinds()
            self._pins.load()
            known = self._last_known.load(servers)
            self._sound |= {spec.fingerprint for listing in known.values() for spec in listing.tools}
            return known

        try:
            return await anyio.to_thread.run_sync(read)
        except SQLAlchemyError as error:
            _log.error("what was known of providers could not be read: %s", words_of(error))
            return {}

    async def review(self, server: ServerConfig, listing: Listing) -> Listing:
        """Return the listing as the catalog may show it. Raises the database's errors, because unreviewed tools must not be
        shown."""
        sound, bad = list[ToolSpec](), list[Quarantined]()
        for at in range(0, len(listing.tools), BATCH):
            fine, faulty = await anyio.to_thread.run_sync(self._checked, listing.tools[at : at + BATCH])
            sound, bad = sound + fine, bad + faulty
        self._names[server.name] = frozenset(spec.name for spec in sound)
        foreign = frozenset().union(*(names for provider, names in self._names.items() if provider != server.name))
        await self._pins.load_news(server.name)  # another process may have approved something meanwhile
        is_built_in = server.ships_with_us
        hold: Hold = "none" if is_built_in and self._hold == "meaning" else self._hold
        reviewed = await self._pins.review(sound, foreign, hold=hold, settled=server.settles)
        departed = await self._pins.departed(server.name, {spec.tool for spec in listing.tools}) if listing.tools else ()
        self._note(server, (*reviewed.changes, *departed), sound, reviewed.news)
        shown = listing.model_copy(update={"tools": reviewed.tools, "quarantined": (*listing.quarantined, *bad)})
        self._last_known.save(server, shown)
        return shown

    def missed(self, server: ServerConfig) -> None:
        """Have it stored that a provider has never listed its tools although somebody waited for it."""
        self._last_known.save(server, Listing(missed=True))

    async def keep_storing(self) -> None:
        """Store what was listed last until cancelled, for the next start."""
        await self._last_known.keep_storing()

    async def approve(self, provider: str, seen: Collection[DefinitionChange], *, by: str) -> tuple[str, ...]:
        """Approve held definitions that a person has seen; return their tools. One that its server has changed since then stays
        held. Raises the database's errors."""
        wanted = {(change.tool, change.fingerprint) for change in seen}
        held = [spec for (owner, _), (spec, _) in self._held.items() if owner == provider]
        specs = [spec for spec in held if (spec.tool, spec.fingerprint) in wanted]
        await self._pins.approve(specs, by=by)
        return tuple(spec.tool for spec in specs)

    def held(self) -> tuple[DefinitionChange, ...]:
        """The definitions that wait for a person."""
        return tuple(change for _, change in self._held.values())

    def _note(
        self, server: ServerConfig, changes: Sequence[DefinitionChange], offered: Sequence[ToolSpec], news: Collection[str]
    ) -> None:
        """Remember held tools, and log each change.

        Held tools of a server are one warning, the first time that they are seen (`news`), and so are its new tools, and those it
        no longer lists. Changes by an update of this program, or by the operator's own declaration, are none.
        """
        provider = server.name
        by_tool = {spec.tool: spec for spec in offered}
        others = {key: value for key, value in self._held.items() if key[0] != provider}
        self._held = others | {(provider, change.tool): (by_tool[change.tool], change) for change in changes if change.held}
        for change in changes:
            counted = change.summary in _SAID  # told of together below: an update may bring hundreds
            expected = change.held or counted or server.ships_with_us or (change.only_effect and server.settles(change.tool))
            level = logging.INFO if expected else logging.WARNING
            said = _SAID.get(change.summary, change.summary)
            _log.log(level, "%s: %s: %s%s", provider, change.tool, said, " (held)" if change.held else "")
        for summary, said in _SAID.items():
            tools = [change.tool for change in changes if change.summary == summary and not change.held]
            if tools and not server.ships_with_us:
                _log.warning("%s: %s%s: %s", provider, tools[0], f" and {len(tools) - 1} more" * (len(tools) > 1), said)
        if held := [change for change in changes if change.held and change.tool in news]:  # one line: a server may have dozens
            _log.warning(
                "%s: %s%s held: %s; `jiritsu servers review %s` shows all",
                provider, held[0].tool, f" and {len(held) - 1} more" * (len(held) > 1), held[0].summary, shlex.quote(provider),
            )  # fmt: skip

    def _checked(self, specs: tuple[ToolSpec, ...]) -> tuple[list[ToolSpec], list[Quarantined]]:
        """Return the tools whose schemas a model accepts, and the others with the reason."""
        sound, bad = [], []
        for spec in specs:
            if spec.fingerprint not in self._sound and (found := problems(spec.input_schema)):
                bad.append(Quarantined(tool=spec.tool, reason=found[0]))
            else:
                sound.append(spec)
        self._sound.update(spec.fingerprint for spec in sound)
        return sound, bad
