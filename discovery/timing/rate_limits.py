"""Limits the rate of calls per provider, shared by all processes on one database.

Each call is given the moment at which it may start, first come, first served, and sleeps until then. With a database these
moments are stored in one row per provider.
"""

import logging
import math
from collections.abc import Sequence
from dataclasses import dataclass

import anyio.to_thread
from sqlalchemy import Connection, Engine, extract, func, select, update
from sqlalchemy.exc import SQLAlchemyError

from discovery.discovery_errors import ProviderBusy, words_of
from discovery.discovery_tables import insertion
from discovery.discovery_tables import rate_limits as table
from discovery.servers.server_config import RateLimit
from discovery.timing.clock import Clock

_log = logging.getLogger(__name__)

NO_LIMIT = RateLimit(calls=10_000, per_s=1.0)
"""For a provider without a limit that asked us to wait."""

LONGEST_PAUSE_S = 3_600.0
"""The longest wait that a provider can impose."""

TOLD_FROM_S = 5.0
"""A wait of this length or more is logged when it begins."""

SET_BACK_S = 60.0
"""A clock so far behind what another process has written was set back; processes that wait for the database differ by less."""

STALE_S = 1.0
"""A slot that was not used within this time is lost; the call takes another."""


@dataclass(frozen=True)
class Slot:
    """The permission to send one call now."""

    taken_at: float
    """When it was granted, in monotonic seconds."""
    waited_s: float = 0.0


class RateLimiter:
    """The slots of one provider. Without an `engine`, they are counted for this process alone."""

    def __init__(self, provider: str, limit: RateLimit | None, engine: Engine | None, clock: Clock) -> None:
        self._provider, self._limit, self._clock = provider, limit or NO_LIMIT, clock
        self._engine = engine if limit else None
        self._starts: Sequence[float] = ()
        self._free_at = 0.0

    async def take(self, patience_s: float) -> Slot:
        """Wait for a slot. Raises ProviderBusy if the wait would exceed `patience_s`, and if the database fails."""
        if self._engine is None:
            wait_s, self._starts = granted(self._starts, self._free_at, self._clock.monotonic(), self._limit, patience_s)
        else:
            now = self._clock.now()
            try:
                wait_s = await anyio.to_thread.run_sync(_take, self._engine, self._provider, self._limit, patience_s, now)
            except SQLAlchemyError as error:
                why = f"the database that keeps its limit failed ({type(error).__name__})"
                raise ProviderBusy(self._provider, why, 1.0) from error
        if wait_s > patience_s:
            raise ProviderBusy(self._provider, self._why, math.ceil(wait_s))
        if wait_s >= TOLD_FROM_S:
            _log.warning("%s: a call waits %.0f s for its slot (%s)", self._provider, wait_s, self._why)
        if wait_s > 0:
            await self._clock.sleep(wait_s)
        return Slot(self._clock.monotonic(), wait_s)

    async def pause(self, seconds: float) -> None:
        """Grant no slot for so many seconds, because the provider asked us to wait; with a database, in all processes."""
        seconds = min(seconds, LONGEST_PAUSE_S)
        self._free_at = max(self._free_at, self._clock.monotonic() + seconds)
        if self._engine is not None:
            try:
                await anyio.to_thread.run_sync(_pause, self._engine, self._provider, seconds, self._clock.now())
            except SQLAlchemyError as error:
                _log.error(
                    "%s asked everybody to wait %.0f s, and only this process knows: %s", self._provider, seconds, words_of(error)
                )

    def fresh(self, slot: Slot) -> bool:
        """Whether a slot can still be used."""
        return self._clock.monotonic() - slot.taken_at < STALE_S

    @property
    def _why(self) -> str:
        if self._limit is NO_LIMIT:
            return "it asked to be left alone for a while"
        return f"it gets {self._limit.calls} calls in {self._limit.per_s:g} s, and the pauses it asks for"


def granted(
    starts: Sequence[float], free_at: float, now: float, limit: RateLimit, patience_s: float
) -> tuple[float, Sequence[float]]:
    """Return how many seconds the next call must wait, and the new list of starts; the old list if the wait exceeds `patience_s`.

    `starts` ascend. No window of `per_s` seconds gets more than `calls` starts, because each start is at least `per_s` after the
    one that stands `calls` places before it.
    """
    counting = [start for start in starts if start > now - limit.per_s]
    start = max(now, free_at, *counting[-1:])
    if len(counting) >= limit.calls:
        start = max(start, counting[-limit.calls] + limit.per_s)
    if start - now > patience_s:
        return start - now, starts
    return start - now, (*counting, start)


def _take(engine: Engine, provider: str, limit: RateLimit, patience_s: float, now: float) -> float:
    with engine.begin() as connection:
        starts, free_at, now = _row(connection, provider, now)
        wait_s, counting = granted(starts, free_at, now, limit, patience_s)
        if wait_s <= patience_s:
            written = {"starts": list(counting), "free_at": free_at, "seen_at": now}
            connection.execute(update(table).where(table.c.provider == provider).values(written))
    return wait_s


def _pause(engine: Engine, provider: str, seconds: float, now: float) -> None:
    with engine.begin() as connection:
        starts, free_at, now = _row(connection, provider, now)
        written = {"starts": list(starts), "free_at": max(free_at, now + seconds), "seen_at": now}
        connection.execute(update(table).where(table.c.provider == provider).values(written))


def _row(connection: Connection, provider: str, now: float) -> tuple[Sequence[float], float, float]:
    """Return a provider's starts, the end of its pause, and the time. The row stays locked until the transaction ends.

    Where the clock was set back since they were written, both are: else no call would be sent until it is as late again.
    """
    new_row = insertion(connection, table).values(provider=provider, starts=[], free_at=0.0, seen_at=0.0)
    connection.execute(new_row.on_conflict_do_nothing())
    row = connection.execute(select(table).where(table.c.provider == provider).with_for_update()).one()
    if connection.dialect.name == "postgresql":  # the clocks of several machines need not agree
        now = float(connection.execute(select(extract("epoch", func.clock_timestamp()))).scalar_one())
    back_s = row.seen_at - now if row.seen_at > now + SET_BACK_S else 0.0
    return [start - back_s for start in row.starts], min(row.free_at - back_s, now + LONGEST_PAUSE_S), now
