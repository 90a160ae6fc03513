"""Stores alerts with the change that causes them, and delivers each once.

`durable.scheduling.schedules` raises an alert when a schedule pauses itself; `notifications.schedule_alerts` posts it. An alert
is identified by the last run that failed, so raising it again changes nothing.
"""

import hashlib
import time
from collections.abc import Awaitable, Callable

import sqlalchemy as sa

from autonomy.durable.durable_tables import alerts
from autonomy.durable.liveness.process_locks import alone
from autonomy.durable.store import Store, insert_unless_there
from discovery.catalog import Frozen

TELLING = "(telling)"
"""The lock of the process that delivers alerts; no executor has this name. It is freed when that process dies."""

BROKEN = "broken-"
"""The prefix of the id of an alert about a job whose file cannot be used."""

PUT_OFF = "put-off-"
"""The prefix of the id of an alert about a job that waits for a provider."""


class Alert(Frozen):
    """One alert."""

    run_id: str
    """The last run that failed."""
    job: str
    failures: int
    """How many runs failed in a row; 0 for a job whose file cannot be used, or that waits for a provider."""
    endings: str
    """How they ended, each way once; or what is wrong with the file, or with the provider."""
    raised_at: float
    """Seconds since the epoch."""

    @property
    def state(self) -> str:
        """The state of the job, for the log."""
        if self.failures:
            return "is paused"
        return "waits for a server" if self.put_off else "cannot be used"

    @property
    def put_off(self) -> bool:
        """Whether the job waits for a provider."""
        return self.run_id.startswith(PUT_OFF)


class Alerts:
    """The alerts, in a database."""

    def __init__(self, store: Store, *, clock: Callable[[], float] = time.time) -> None:
        self._store, self._clock = store, clock

    async def waiting(self) -> tuple[Alert, ...]:
        """The undelivered alerts, oldest first."""
        return await self._store(_waiting)

    async def broken(self, job: str, problem: str) -> None:
        """Raise an alert that a job's file cannot be used, once for each problem, however many processes find it.

        A problem that comes back after its alert was deleted as old is told again.
        """
        same = hashlib.sha256(f"{job}\n{problem}".encode(errors="replace")).hexdigest()[:16]
        alert = Alert(run_id=f"{BROKEN}{same}", job=job[:128], failures=0, endings=problem[:128], raised_at=self._clock())
        await self._store(lambda connection: raise_alert(connection, alert))

    async def each(self, tell: Callable[[Alert], Awaitable[str]]) -> None:
        """Deliver each waiting alert by `tell`, which says how; empty leaves it waiting. One process at a time delivers."""
        if not await self.waiting():
            return
        async with alone(self._store.engine, TELLING) as is_holder:
            for alert in await self.waiting() if is_holder else ():
                if how := await tell(alert):
                    await self._mark_told(alert, how)

    async def _mark_told(self, alert: Alert, how: str) -> None:
        values = {"told_at": self._clock(), "how": how}
        of_this_run = alerts.c.run_id == alert.run_id
        await self._store(lambda connection: connection.execute(alerts.update().where(of_this_run).values(values)))


def raise_alert(connection: sa.Connection, alert: Alert) -> None:
    """Write an alert down, together with what it is about."""
    insert_unless_there(connection, alerts, {**alert.model_dump(), "how": ""})


def _waiting(connection: sa.Connection) -> tuple[Alert, ...]:
    columns = [alerts.c[name] for name in Alert.model_fields]
    query = sa.select(*columns).where(alerts.c.told_at.is_(None)).order_by(alerts.c.raised_at)
    return tuple(Alert.model_validate(dict(row)) for row in connection.execute(query).mappings())
