"""Stores the last good listing of each provider, shown while it is unreachable."""

import logging
from collections.abc import Collection, Sequence

import anyio
import anyio.to_thread
from pydantic import ValidationError
from sqlalchemy import Engine, delete, insert, select
from sqlalchemy.exc import SQLAlchemyError

from discovery.catalog import JsonObject, Listing, ToolSpec
from discovery.discovery_errors import words_of
from discovery.discovery_tables import listings as table
from discovery.servers.server_config import ServerConfig
from discovery.timing.clock import Clock

_log = logging.getLogger(__name__)

Saved = tuple[str, str]
"""A provider's name and the fingerprint of its entry."""


class LastKnown:
    """The last listing of each provider, if there is an engine to keep it in."""

    def __init__(self, engine: Engine | None, clock: Clock) -> None:
        self._engine, self._clock = engine, clock
        self._waiting = dict[str, tuple[ServerConfig, Listing]]()
        self._turn = anyio.Lock()

    def load(self, servers: Collection[ServerConfig]) -> dict[str, Listing]:
        """The listing of each of these servers by name. Blocks. Raises whatever the database raises."""
        if self._engine is None:
            return {}
        stored = _read(self._engine)
        keys = {server.name: (server.name, server.fingerprint) for server in servers}
        return {name: stored[key] for name, key in keys.items() if key in stored}

    async def save(self, server: ServerConfig, listing: Listing) -> None:
        """Keep a listing; an empty one never takes the place of a good one. What the database refuses is logged, and not kept.

        Those that come while one is being written are written together: servers that start together would wait for the disk in a
        row.
        """
        if self._engine is None or not (listing.tools or listing.missed):
            return
        self._waiting[server.name] = server, listing
        async with self._turn:
            waiting, self._waiting = self._waiting, {}
            if waiting:
                try:
                    await anyio.to_thread.run_sync(_write, self._engine, list(waiting.values()), self._clock.now())
                except SQLAlchemyError as error:
                    _log.error(
                        "what is known of %s could not be kept for the next start: %s", ", ".join(waiting), words_of(error)
                    )


def _read(engine: Engine) -> dict[Saved, Listing]:
    with engine.connect() as connection:
        rows = connection.execute(select(table.c.provider, table.c.config_fingerprint, table.c.listing)).all()
    found = {}
    for row in rows:
        try:
            # tool by tool: pydantic lets no other thread run until it is done, which thousands at once made half a second
            tools = tuple(ToolSpec.model_validate(tool) for tool in row.listing.get("tools", ()))
            found[row.provider, row.config_fingerprint] = Listing.model_validate({**row.listing, "tools": ()}).model_copy(
                update={"tools": tools}
            )
        except (ValidationError, TypeError, AttributeError):
            continue  # written by another version of this program; the provider will list again
    return found


def _dumped(listing: Listing) -> JsonObject:
    rest = listing.model_dump(mode="json", exclude={"tools"})
    return rest | {"tools": [tool.model_dump(mode="json") for tool in listing.tools]}


def _write(engine: Engine, listed: Sequence[tuple[ServerConfig, Listing]], now: float) -> None:
    rows = [
        {"provider": server.name, "config_fingerprint": server.fingerprint, "listing": _dumped(listing), "saved_at": now}
        for server, listing in listed
    ]
    with engine.begin() as connection:
        connection.execute(delete(table).where(table.c.provider.in_([row["provider"] for row in rows])))
        connection.execute(insert(table), rows)
