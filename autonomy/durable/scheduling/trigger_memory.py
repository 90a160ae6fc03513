"""Stores since when each trigger is watched, and the starts that a budget holds back."""

import sqlalchemy as sa

from autonomy.durable.durable_tables import held_starts, triggers
from autonomy.durable.store import Store, insert_unless_there
from discovery.catalog import Frozen


class HeldStart(Frozen):
    """A start that waits: what asked for it comes only once."""

    run_id: str
    job: str
    inputs: dict[str, str]
    actor: str
    asked_at: float
    """Seconds since the epoch."""
    reason: str


class TriggerMemory:
    """The triggers' memory, in a database: an edited job file and a restart forget nothing."""

    def __init__(self, store: Store) -> None:
        self._store = store

    async def since(self, job: str, trigger: str, begin: float) -> float:
        """Since when what happens may start a job by this trigger, in seconds since the epoch.

        The first time anybody asks it is `begin`, and it stays that.
        """

        def first_seen(connection: sa.Connection) -> float:
            insert_unless_there(connection, triggers, {"job": job, "trigger": trigger, "since": begin})
            is_this_trigger = (triggers.c.job == job, triggers.c.trigger == trigger)
            return float(connection.execute(sa.select(triggers.c.since).where(*is_this_trigger)).scalar_one())

        return await self._store(first_seen)

    async def hold(self, start: HeldStart) -> None:
        """Keep a start that cannot be made now; one that is kept already stays as it is."""
        await self._store(lambda connection: insert_unless_there(connection, held_starts, start.model_dump()))

    async def held(self) -> tuple[HeldStart, ...]:
        """The starts that wait, oldest first."""
        return await self._store(_held)

    async def let_go(self, run_id: str) -> None:
        """Forget a start that waits no longer."""
        await self._store(lambda connection: connection.execute(held_starts.delete().where(held_starts.c.run_id == run_id)))


def _held(connection: sa.Connection) -> tuple[HeldStart, ...]:
    query = sa.select(held_starts).order_by(held_starts.c.asked_at, held_starts.c.run_id)
    return tuple(HeldStart.model_validate(dict(row)) for row in connection.execute(query).mappings())
