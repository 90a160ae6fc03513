"""Handles each due tick of a schedule once across processes.

What is decided about a tick and how far the schedule has been handled change in one transaction; the run of a tick has an id
made of job and time, so starting it twice starts it once.
"""

import logging
import time
from collections.abc import Callable
from typing import Literal, NamedTuple

import sqlalchemy as sa

from autonomy.durable.durable_tables import runs, schedules, ticks
from autonomy.durable.scheduling.alerts import Alert, raise_alert
from autonomy.durable.scheduling.timetable import Timetable, run_id_of
from autonomy.durable.store import Store, insert_unless_there
from discovery.catalog import Frozen

LATE_S = 90.0
"""A tick found later than this was missed: no process was there when it came."""

BACKFILL_S = 48 * 3600.0
"""How far back missed ticks are looked for."""

FAILURES = ("failed", "blocked", "exhausted")

log = logging.getLogger(__name__)


class ScheduleTick(Frozen):
    """One tick, and what was done about it."""

    job: str
    due: float
    """Seconds since the epoch, by the schedule and not by the clock that found it."""
    did: Literal["run", "skipped", "merged"]
    reason: str = ""
    run_id: str
    handled_at: float


class ScheduleState(Frozen):
    """How a job's schedule stands."""

    job: str
    handled_until: float
    paused: bool = False
    paused_because: str = ""
    resumed_at: float = 0.0


class PauseCause(NamedTuple):
    """The run after which a schedule pauses itself."""

    run_id: str
    failures: int
    endings: str

    @property
    def because(self) -> str:
        """Why, for whoever asks."""
        return f"the last {self.failures} runs have failed ({self.endings})"


class Schedules:
    """The schedules' memory, in a database."""

    def __init__(self, store: Store, *, clock: Callable[[], float] = time.time) -> None:
        self._store, self._clock = store, clock

    async def handle(self, plan: Timetable) -> tuple[ScheduleTick, ...]:
        """Decide on every tick that came due since anybody looked. A schedule seen for the first time begins now.

        Raises `ValueError` for a cron nobody can read, `StoreError`.
        """
        now = self._clock()
        return await self._store(lambda connection: _handle(connection, plan, now))

    async def to_start(self, job: str | None = None) -> tuple[ScheduleTick, ...]:
        """The ticks that are to run and whose run was not yet handed to the queue, oldest first; of one job, or of all."""
        wanted = (ticks.c.did == "run") & ticks.c.started.is_(False)
        if job is not None:
            wanted &= ticks.c.job == job
        return await self._store(lambda connection: _ticks(connection, wanted, 1000, newest=False))

    async def started(self, tick: ScheduleTick) -> None:
        """The run of a tick is in the queue."""
        mine = (ticks.c.job == tick.job, ticks.c.due == tick.due)
        await self._store(lambda connection: connection.execute(ticks.update().where(*mine).values(started=True)))

    async def standing(self, job: str) -> ScheduleState | None:
        """How a schedule stands; None for one that no worker has seen."""
        return await self._store(lambda connection: _standing(connection, job))

    async def history(self, job: str, *, limit: int = 20) -> tuple[ScheduleTick, ...]:
        """The last ticks, newest first."""
        return await self._store(lambda connection: _ticks(connection, ticks.c.job == job, limit, newest=True))

    async def pause(self, job: str, because: str) -> None:
        """Start no more runs by schedule; ticks that come are skipped."""
        await self._store(lambda connection: _pause(connection, job, because, self._clock()))

    async def resume(self, job: str) -> None:
        """Start runs by schedule, for the first time or again; failures before now no longer count."""
        now = self._clock()
        await self._store(lambda connection: _resume(connection, job, now))


def _handle(connection: sa.Connection, plan: Timetable, now: float) -> tuple[ScheduleTick, ...]:
    standing = _standing(connection, plan.job)
    if standing is None:
        _begin(connection, plan.job, now)
        return ()
    if not plan.due(_since(standing, now), now) and (standing.paused or not _last_straw(connection, plan, standing)):
        return ()  # what workers see all day long: nothing is written for it
    mine = schedules.c.job == plan.job
    connection.execute(schedules.update().where(mine).values(job=plan.job))  # whoever else looks waits for us
    standing = _standing(connection, plan.job) or standing
    if not standing.paused and (straw := _last_straw(connection, plan, standing)):
        standing = _pause_itself(connection, plan, standing, straw, now)
    due = plan.due(_since(standing, now), now)
    if not due:
        return ()
    paused = standing.paused_because if standing.paused else ""
    decided = _decide(plan, due, now, paused, busy=_under_way(connection, plan.job))
    connection.execute(ticks.insert(), [{**tick.model_dump(), "started": False} for tick in decided])
    connection.execute(schedules.update().where(mine).values(handled_until=due[-1]))
    return decided


def _since(standing: ScheduleState, now: float) -> float:
    return max(standing.handled_until, now - BACKFILL_S)


def _pause_itself(
    connection: sa.Connection, plan: Timetable, standing: ScheduleState, straw: PauseCause, now: float
) -> ScheduleState:
    log.error("the schedule of job %s is paused: %s", plan.job, straw.because)
    _pause(connection, plan.job, straw.because, now)
    raise_alert(connection, Alert(job=plan.job, raised_at=now, **straw._asdict()))
    return standing.model_copy(update={"paused": True, "paused_because": straw.because})


def _decide(plan: Timetable, due: list[float], now: float, paused: str, *, busy: bool) -> tuple[ScheduleTick, ...]:
    """What becomes of each tick. Pure."""
    working = [tick for tick in due if not plan.left_out(tick)]
    kept = working[-1] if working else 0.0

    def of(tick: float) -> tuple[Literal["run", "skipped", "merged"], str]:
        late = now - tick > LATE_S
        if name := plan.left_out(tick):
            return "skipped", name
        if paused:
            return "skipped", f"paused: {paused}"
        if late and plan.missed == "skip":
            return "skipped", "missed: no process was there"
        if late and plan.missed == "merge" and tick != kept:
            return "merged", f"into {run_id_of(plan.job, kept)}"
        if busy and plan.overlap == "skip":
            return "skipped", "the last run is still under way"
        return "run", "late" if late else ""

    decided = []
    for tick in due:
        did, reason = of(tick)
        decided.append(
            ScheduleTick(job=plan.job, due=tick, did=did, reason=reason, run_id=run_id_of(plan.job, tick), handled_at=now)
        )
    return tuple(decided)


def _last_straw(connection: sa.Connection, plan: Timetable, standing: ScheduleState) -> PauseCause | None:
    """Why a schedule should pause: the last runs it started, since it was resumed, have all failed."""
    query = (
        sa.select(runs.c.state, runs.c.run_id)
        .join(ticks, ticks.c.run_id == runs.c.run_id)
        .where(ticks.c.job == plan.job, runs.c.ended_at.is_not(None), runs.c.asked_at >= standing.resumed_at)
        .order_by(ticks.c.due.desc())
        .limit(plan.pause_after_failures)
    )
    last = connection.execute(query).all()
    if len(last) < plan.pause_after_failures or any(row.state not in FAILURES for row in last):
        return None
    return PauseCause(last[0].run_id, len(last), ", ".join(dict.fromkeys(row.state for row in last)))


def _under_way(connection: sa.Connection, job: str) -> bool:
    """Whether a run that the schedule started has not ended, or was not even handed to the queue yet."""
    going = (
        sa.select(ticks.c.run_id)
        .outerjoin(runs, ticks.c.run_id == runs.c.run_id)
        .where(ticks.c.job == job, ticks.c.did == "run", runs.c.ended_at.is_(None))
        .limit(1)
    )
    return connection.execute(going).first() is not None


def _begin(connection: sa.Connection, job: str, now: float) -> None:
    row = {"job": job, "handled_until": now, "paused": False, "paused_because": "", "resumed_at": 0.0}
    insert_unless_there(connection, schedules, row)


def _pause(connection: sa.Connection, job: str, because: str, now: float) -> None:
    _begin(connection, job, now)
    values = {"paused": True, "paused_because": because}
    connection.execute(schedules.update().where(schedules.c.job == job).values(values))


def _resume(connection: sa.Connection, job: str, now: float) -> None:
    _begin(connection, job, now)
    values = {"paused": False, "paused_because": "", "resumed_at": now}
    connection.execute(schedules.update().where(schedules.c.job == job).values(values))


def _standing(connection: sa.Connection, job: str) -> ScheduleState | None:
    row = connection.execute(sa.select(schedules).where(schedules.c.job == job)).mappings().one_or_none()
    return ScheduleState.model_validate(dict(row)) if row is not None else None


def _ticks(connection: sa.Connection, wanted: sa.ColumnElement[bool], limit: int, *, newest: bool) -> tuple[ScheduleTick, ...]:
    columns = [ticks.c[name] for name in ScheduleTick.model_fields]
    order = ticks.c.due.desc() if newest else ticks.c.due
    query = sa.select(*columns).where(wanted).order_by(order).limit(limit)
    return tuple(ScheduleTick.model_validate(dict(row)) for row in connection.execute(query).mappings())
