"""Stores the last good listing of each provider, shown while it is unreachable."""

import logging
from collections.abc import Collection, Sequence

import anyio
import anyio.to_thread
from pydantic import ValidationError
from sqlalchemy import Engine, delete, select
from sqlalchemy.exc import SQLAlchemyError

from discovery.catalog import Listing, ToolSpec
from discovery.discovery_errors import words_of
from discovery.discovery_tables import insertion
from discovery.discovery_tables import listings as table
from discovery.servers.server_config import ServerConfig
from discovery.timing.clock import Clock

_log = logging.getLogger(__name__)

STORED_AFTER_S = 1.0
"""Listings are stored together after this time."""

Saved = tuple[str, str]
"""A provider's name and the fingerprint of its entry."""


class LastKnown:
    """The last listing of each provider. Without an engine, nothing is stored."""

    def __init__(self, engine: Engine | None, clock: Clock) -> None:
        self._engine, self._clock = engine, clock
        self._waiting = dict[str, tuple[ServerConfig, Listing]]()
        self._has_news = anyio.Event()

    def load(self, servers: Collection[ServerConfig]) -> dict[str, Listing]:
        """Return the stored listings of these servers, by name. Blocks. Raises the database's errors."""
        if self._engine is None:
            return {}
        stored = _read(self._engine)
        keys = {server.name: (server.name, server.fingerprint) for server in servers}
        return {name: stored[key] for name, key in keys.items() if key in stored}

    def save(self, server: ServerConfig, listing: Listing) -> None:
        """Have a listing stored soon; an empty one does not replace a good one."""
        if self._engine is not None and (listing.tools or listing.missed):
            self._waiting[server.name] = server, listing
            self._has_news.set()

    async def keep_storing(self) -> None:
        """Store listings until cancelled, and then the last ones.

        Those of a second are stored together, so that no server that starts waits for the disk.
        """
        try:
            while True:
                await self._has_news.wait()
                await anyio.sleep(STORED_AFTER_S)
                await self.store()
        finally:
            with anyio.CancelScope(shield=True), anyio.move_on_after(5):
                await self.store()

    async def store(self) -> None:
        """Store the listings that wait. Errors of the database are logged."""
        waiting, self._waiting, self._has_news = self._waiting, {}, anyio.Event()
        if self._engine is None or not waiting:
            return
        try:
            await anyio.to_thread.run_sync(_write, self._engine, list(waiting.values()), self._clock.now())
        except SQLAlchemyError as error:
            self._waiting = waiting | self._waiting  # they are stored with the next ones, or at the end
            _log.error("what is known of %s could not be kept for the next start: %s", ", ".join(waiting), words_of(error))


def _read(engine: Engine) -> dict[Saved, Listing]:
    with engine.connect() as connection:
        rows = connection.execute(select(table.c.provider, table.c.config_fingerprint, table.c.listing)).all()
    found = {}
    for row in rows:
        try:
            # one tool at a time: pydantic blocks all other threads meanwhile, for half a second with thousands of tools
            tools = tuple(ToolSpec.model_validate(tool) for tool in row.listing.get("tools", ()))
            found[row.provider, row.config_fingerprint] = Listing.model_validate({**row.listing, "tools": ()}).model_copy(
                update={"tools": tools}
            )
        except (ValidationError, TypeError, AttributeError):
            continue  # written by another version of this program; the provider will list its tools again
    return found


def _write(engine: Engine, listed: Sequence[tuple[ServerConfig, Listing]], now: float) -> None:
    rows = []
    for server, listing in sorted(
        listed, key=lambda one: one[0].name
    ):  # in one order, so that two processes never wait in a ring
        tools = [tool.model_dump(mode="json") for tool in listing.tools]  # one at a time, as in `_read`
        stored = listing.model_dump(mode="json", exclude={"tools"}) | {"tools": tools}
        rows.append({"provider": server.name, "config_fingerprint": server.fingerprint, "listing": stored, "saved_at": now})
    with engine.begin() as connection:
        connection.execute(delete(table).where(table.c.provider.in_([row["provider"] for row in rows])))
        # another process that starts at the same time may have written the same by now
        statement = insertion(connection, table)
        newest = {name: statement.excluded[name] for name in ("listing", "saved_at")}
        same = ["provider", "config_fingerprint"]
        connection.execute(statement.on_conflict_do_update(index_elements=same, set_=newest), rows)
