"""Handles each due tick of a schedule once across processes.

The decision on a tick and the time until which the schedule is handled change in one transaction. The run id of a tick is made of
job and time, so starting it twice starts one run.
"""

import logging
from collections.abc import Callable, Iterator, Sequence
from datetime import datetime
from itertools import groupby, islice
from typing import Any, Literal, NamedTuple
from zoneinfo import ZoneInfo

import sqlalchemy as sa
from pydantic import ValidationError

from autonomy.durable.durable_tables import runs, schedules, ticks
from autonomy.durable.scheduling.alerts import PUT_OFF, Alert, raise_alert
from autonomy.durable.scheduling.timetable import Timetable, run_id_of
from autonomy.durable.store import Store, insert_unless_there, time_of
from autonomy.run_state.run_values import RunResult
from discovery.catalog import Frozen

LATE_S = 90.0
"""A tick found later than this was missed: no process was there when it came."""

SET_BACK_S = 600.0
"""A clock so far behind what a schedule has been handled until was set back."""

BACKFILL_S = 48 * 3600.0
"""How far back missed ticks are made up for."""

MOST_MADE_UP = 50
"""Runs of one job that wait to make up for missed ticks: two days of an hourly one."""

MOST_COUNTED = 10_000
"""Ticks that are counted to tell how many were not made up for: a third of a second."""

NOT_MADE_UP = "not made up for: "
"""What the reason of a row begins with that stands for many ticks."""

LATE = "late"
"""The reason of a tick that makes up for one that was missed."""

FAILURES = ("failed", "blocked", "exhausted", "declined", "unanswered", "unfinished", "doubtful")

PUT_OFF_S, LONGEST_PUT_OFF_S = 60.0, 1800.0
"""Seconds until a run that lacked a provider is tried again: the first time, doubled each time after, and at most."""

PUT_OFF_FOR_S = 6 * 3600.0
"""So long after its time a tick is given up, or when the next one comes: by then a day's report is of use to few."""

TOLD_FROM = 3
"""The run of one tick from which on people are told that it waits: after some minutes."""

_LOOKED_BACK = 30
"""How many runs that only lacked a provider are passed over in search of the last failures."""

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
    """The state of a job's schedule."""

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

    def __init__(self, store: Store, *, clock: Callable[[], float] | None = None) -> None:
        """`clock`: in place of the one that all processes of the database share."""
        self._store, self._clock = store, clock

    async def handle(self, plan: Timetable, *, held: bool = False) -> tuple[ScheduleTick, ...]:
        """Decide on every tick that came due since the last look of any process; gives those decided now.

        A schedule that is seen for the first time begins now. `held`: whether quiet hours hold its runs back, so that a tick
        that waits for its start does not count as under way. Raises `ValueError` for an invalid cron expression, `StoreError`.
        """
        return await self._store(lambda connection: _handle(connection, plan, time_of(connection, self._clock), held=held))

    async def to_start(self, job: str | None = None) -> tuple[ScheduleTick, ...]:
        """The ticks that are to run and whose run was not yet handed to the queue, oldest first; of one job, or of all."""
        condition = (ticks.c.did == "run") & ticks.c.started.is_(False)
        if job is not None:
            condition &= ticks.c.job == job
        return await self._store(lambda connection: _ticks(connection, condition, 1000, newest=False))

    async def started(self, tick: ScheduleTick) -> None:
        """Record that the run of a tick is in the queue."""
        await self._store(lambda connection: connection.execute(ticks.update().where(*_row_of(tick)).values(started=True)))

    async def leave_out(self, tick: ScheduleTick) -> None:
        """Record that a tick that was to run is left out, with its reason."""
        values = {"started": True, "did": tick.did, "reason": tick.reason}
        await self._store(lambda connection: connection.execute(ticks.update().where(*_row_of(tick)).values(values)))

    async def standing(self, job: str) -> ScheduleState | None:
        """The state of a schedule; None for one that no worker has seen."""
        return await self._store(lambda connection: _state_of(connection, job))

    async def standings(self) -> dict[str, ScheduleState]:
        """The state of every schedule that a worker has seen, by its job."""
        rows = await self._store(lambda connection: connection.execute(sa.select(schedules)).mappings().all())
        return {row["job"]: ScheduleState.model_validate(dict(row)) for row in rows}

    async def busy(self, plan: Timetable) -> bool:
        """Whether a run that the schedule started has not ended."""
        return await self._store(lambda connection: _under_way(connection, plan, held=True))

    async def not_made_up(self, job: str) -> ScheduleTick | None:
        """The last row that tells of ticks which were not made up for: its `due` is the last of them."""
        condition = (ticks.c.job == job) & ticks.c.reason.startswith(NOT_MADE_UP, autoescape=True)
        return next(iter(await self._store(lambda connection: _ticks(connection, condition, 1, newest=True))), None)

    async def histories(self, jobs: Sequence[str], *, limit: int) -> dict[str, tuple[ScheduleTick, ...]]:
        """The last ticks of each of these jobs, newest first."""
        return await self._store(
            lambda connection: {job: _ticks(connection, ticks.c.job == job, limit, newest=True) for job in jobs}
        )

    async def since(self, jobs: Sequence[str], begin: float, *, limit: int) -> dict[str, Sequence[sa.Row[float, str, str, str]]]:
        """The last ticks of each of these jobs from then on, newest first, as rows of a calendar: of a busy job there are
        thousands, and to check each of them takes five times as long as to read it."""
        query = sa.select(ticks.c.due, ticks.c.did, ticks.c.reason, ticks.c.run_id).order_by(ticks.c.due.desc()).limit(limit)
        return await self._store(
            lambda connection: {
                job: connection.execute(query.where(ticks.c.job == job, ticks.c.due >= begin)).all() for job in jobs
            }
        )

    async def history(self, job: str, *, limit: int = 20) -> tuple[ScheduleTick, ...]:
        """The last ticks, newest first."""
        return await self._store(lambda connection: _ticks(connection, ticks.c.job == job, limit, newest=True))

    async def pause(self, job: str, because: str) -> None:
        """Start no more runs by schedule; ticks that come are skipped."""
        await self._store(lambda connection: _pause(connection, job, because, time_of(connection, self._clock)))

    async def resume(self, job: str) -> None:
        """Start runs by schedule, for the first time or again; failures before now no longer count."""

        def go_on(connection: sa.Connection) -> None:
            now = time_of(connection, self._clock)
            _set(connection, job, now, paused=False, paused_because="", resumed_at=now)

        await self._store(go_on)


def _handle(connection: sa.Connection, plan: Timetable, now: float, *, held: bool) -> tuple[ScheduleTick, ...]:
    state = _state_of(connection, plan.job)
    if state is None:
        _begin(connection, plan.job, now)
        return ()
    of_this_job = schedules.c.job == plan.job
    if state.handled_until > now + SET_BACK_S:  # else no tick would come until then: an hour, or ten years
        ahead_s = state.handled_until - now
        log.warning("job %s: the clock was set back by %.0f s; what ran for a later tick is not run again", plan.job, ahead_s)
        connection.execute(ticks.delete().where(ticks.c.job == plan.job, ticks.c.due > now, ticks.c.did != "run"))
        connection.execute(schedules.update().where(of_this_job).values(handled_until=now))
        return ()
    nothing_due = not plan.due(state.handled_until, now, most=1)
    if nothing_due and (state.paused or not (_pause_cause(connection, plan, state) or _due_retry(connection, plan, now))):
        return ()  # what workers see all day long: nothing is written for it
    connection.execute(schedules.update().where(of_this_job).values(job=plan.job))  # whoever else looks waits for us
    state = _state_of(connection, plan.job) or state
    if not state.paused and (cause := _pause_cause(connection, plan, state)):
        log.error("the schedule of job %s is paused: %s", plan.job, cause.because)
        _pause(connection, plan.job, cause.because, now)
        raise_alert(connection, Alert(job=plan.job, raised_at=now, **cause._asdict()))
        state = state.model_copy(update={"paused": True, "paused_because": cause.because})
    later = sa.select(ticks.c.due).where(ticks.c.job == plan.job, ticks.c.due > state.handled_until)  # of a clock set back
    handled = frozenset(connection.scalars(later))
    due = [tick for tick in plan.due(max(state.handled_until, now - BACKFILL_S), now) if tick not in handled]
    older = plan.due(state.handled_until, now - BACKFILL_S, most=MOST_COUNTED)
    if not due and not older:
        retry_tick = None if state.paused else _due_retry(connection, plan, now)
        return _retry(connection, retry_tick) if retry_tick else ()
    if given_up := _last_without_provider(connection, plan, now):
        _raise_outage_alert(connection, given_up)
    paused = state.paused_because if state.paused else ""
    surplus = [] if paused else _surplus(plan, due, now, most=MOST_MADE_UP - _count_waiting_ticks(connection, plan.job))
    surplus_ticks = _skip_unstarted(plan, older, surplus, now, paused)
    decided = surplus_ticks + _decide(plan, due[len(surplus) :], now, paused, busy=_under_way(connection, plan, held=held))
    if decided:
        connection.execute(ticks.insert(), [{**tick.model_dump(), "started": False} for tick in decided])
    connection.execute(schedules.update().where(of_this_job).values(handled_until=now))
    return decided


def _row_of(tick: ScheduleTick) -> tuple[sa.ColumnElement[bool], ...]:
    return ticks.c.job == tick.job, ticks.c.due == tick.due


def _surplus(plan: Timetable, due: list[float], now: float, *, most: int) -> list[float]:
    """The first of the ticks, up to the last missed one that is too many to be run. Pure."""
    missed = [number for number, tick in enumerate(due, 1) if now - tick > LATE_S and not plan.left_out(tick)]
    too_many = len(missed) - max(most, 0) if plan.missed == "run" else 0
    return due[: missed[too_many - 1]] if too_many > 0 else []


def _skip_unstarted(
    plan: Timetable, older: list[float], surplus: list[float], now: float, paused: str
) -> tuple[ScheduleTick, ...]:
    """One row, and one line of the log, for all the ticks that are not made up for, however many."""
    unstarted = [tick for tick in older + surplus if not plan.left_out(tick)]
    if not unstarted:
        return ()
    if paused:
        why = f"paused: {paused}"
    elif plan.missed == "skip":
        why = "the job skips missed ticks"
    else:
        why = f"at most {MOST_MADE_UP} runs wait" if surplus else f"they are older than {BACKFILL_S / 3600:.0f} hours"
    uncounted = len(older) == MOST_COUNTED
    number = f"{MOST_COUNTED:,}+" if uncounted else f"{len(unstarted):,}"
    first, last = unstarted[0], max(unstarted[-1], now - BACKFILL_S) if uncounted else unstarted[-1]
    zone = ZoneInfo(plan.timezone)
    begin, end = (f"{datetime.fromtimestamp(tick, zone):%Y-%m-%d %H:%M}" for tick in (first, last))
    reason = f"{NOT_MADE_UP}{number} ticks from {begin} to {end}: {why}"
    log.warning("job %s: %s", plan.job, reason)
    run_id = run_id_of(plan.job, unstarted[-1])
    return (ScheduleTick(job=plan.job, due=unstarted[-1], did="skipped", reason=reason, run_id=run_id, handled_at=now),)


def _decide(plan: Timetable, due: list[float], now: float, paused: str, *, busy: bool) -> tuple[ScheduleTick, ...]:
    """Decide on each tick: run, skip or merge. A run that makes up for a missed tick waits for the current run. Pure."""
    working = [tick for tick in due if not plan.left_out(tick)]
    latest = working[-1] if working else 0.0
    into = latest if plan.missed == "merge" and any(now - tick > LATE_S for tick in working) else None

    def decision(tick: float) -> tuple[Literal["run", "skipped", "merged"], str]:
        late = now - tick > LATE_S
        if name := plan.left_out(tick):
            return "skipped", name
        if paused:
            return "skipped", f"paused: {paused}"
        if late and plan.missed == "skip":
            return "skipped", "missed: no process was there"
        if late and plan.missed == "merge" and tick != latest:
            return "merged", f"into {run_id_of(plan.job, latest)}"
        if busy and plan.overlap == "skip" and not (late or tick == into):
            return "skipped", "the last run is still under way"
        return "run", LATE if late else ""

    decided = [(tick, run_id_of(plan.job, tick), *decision(tick)) for tick in due]
    return tuple(
        ScheduleTick(job=plan.job, due=tick, did=did, reason=reason, run_id=run_id, handled_at=now)
        for tick, run_id, did, reason in decided
    )


def _due_retry(connection: sa.Connection, plan: Timetable, now: float) -> ScheduleTick | None:
    """The last tick, if a new run of it is due now: the last one could not reach a provider, and has written nothing."""
    last = _last_without_provider(connection, plan, now, again=True)
    if last is None or now - last.due > PUT_OFF_FOR_S:
        return None
    number = _attempt_number(last.run_id, plan.job, last.due)
    if now - last.handled_at < min(PUT_OFF_S * 2 ** (number - 1), LONGEST_PUT_OFF_S):
        return None
    run_id = f"{run_id_of(plan.job, last.due)}-{number + 1}"
    return last.model_copy(update={"run_id": run_id, "reason": f"put off: {last.reason}", "handled_at": now})


def _last_without_provider(connection: sa.Connection, plan: Timetable, now: float, *, again: bool = False) -> ScheduleTick | None:
    """The last tick, if each of its runs ended for want of a provider: when (`handled_at`) and which (`reason`).

    `again`: only where each of the runs may be repeated as a whole.
    """
    last = sa.select(sa.func.max(ticks.c.due)).where(ticks.c.job == plan.job, ticks.c.due > now - BACKFILL_S).scalar_subquery()
    query = (
        sa.select(ticks, runs.c.ended_at, runs.c.result)
        .outerjoin(runs, _of_tick(plan))
        .where(ticks.c.job == plan.job, ticks.c.due == last)
    )
    rows = connection.execute(query).all()
    if any(row.did != "run" or row.ended_at is None or (plan.fans_out and not row.started) for row in rows):
        return None  # of several that are still handed to the queue, the last may have no row yet
    if not rows or not all(_missing_provider(row.result, again=again) for row in rows):
        return None
    row = max(rows, key=lambda row: row.ended_at)
    why = _missing_provider(row.result, again=again)
    return ScheduleTick(job=plan.job, due=row.due, did="run", reason=why, run_id=row.run_id, handled_at=row.ended_at)


def _retry(connection: sa.Connection, tick: ScheduleTick) -> tuple[ScheduleTick, ...]:
    """Give a tick another run in place of its last one."""
    values = tick.model_dump(include={"reason", "run_id", "handled_at"})
    connection.execute(ticks.update().where(*_row_of(tick)).values(**values, started=False))
    if _attempt_number(tick.run_id, tick.job, tick.due) >= TOLD_FROM:
        _raise_outage_alert(connection, tick)
    return (tick,)


def _raise_outage_alert(connection: sa.Connection, tick: ScheduleTick) -> None:
    """Raise an alert that a job waits for a provider, once a day."""
    name = f"{PUT_OFF}{run_id_of(tick.job, tick.due // 86_400 * 86_400)}"
    raise_alert(connection, Alert(run_id=name, job=tick.job, failures=0, endings=tick.reason[:128], raised_at=tick.handled_at))


def _attempt_number(run_id: str, job: str, due: float) -> int:
    """The number of this run among those of its tick, from 1."""
    number = run_id.removeprefix(run_id_of(job, due)).removeprefix("-")
    return int(number) if number.isdecimal() else 1


def _missing_provider(result: str | None, *, again: bool = False) -> str:
    """The provider that a run lacked, in words; nothing for another reason, or for an unreadable row."""
    try:
        found = RunResult.model_validate_json(result or "")
    except ValidationError:
        return ""
    return found.reason if (found.may_run_again if again else found.unavailable) else ""


def _pause_cause(connection: sa.Connection, plan: Timetable, state: ScheduleState) -> PauseCause | None:
    """The cause for a schedule to pause: the last runs it started since it was resumed have all failed.

    One that lacked a provider did not fail: the schedule goes on when the provider is back.
    """
    result = sa.case((runs.c.state.in_(FAILURES), runs.c.result))
    query = (
        sa.select(runs.c.state, runs.c.run_id, result.label("result"), ticks.c.due, runs.c.ended_at)
        .join(ticks, _of_tick(plan))
        .where(ticks.c.job == plan.job, runs.c.asked_at >= state.resumed_at)
        .order_by(ticks.c.due.desc())
    )
    looked_back = plan.pause_after_failures + _LOOKED_BACK
    if plan.fans_out:
        query = query.limit(looked_back * _RUNS_OF_A_TICK)
    else:
        query = query.where(runs.c.ended_at.is_not(None)).limit(looked_back)
    found = connection.execute(query).all()
    own = (row for row in (_of_each_tick(found) if plan.fans_out else found) if not _missing_provider(row.result))
    last = list(islice(own, plan.pause_after_failures))
    if len(last) < plan.pause_after_failures or any(row.state not in FAILURES for row in last):
        return None
    return PauseCause(last[0].run_id, len(last), ", ".join(dict.fromkeys(row.state for row in last)))


_RUNS_OF_A_TICK = 500
"""At most (`jobs.team_jobs.MOST_ITEMS`)."""


def _of_each_tick(rows: Sequence[Any]) -> Iterator[Any]:
    """One run for each tick that started several and whose runs have all ended: one that did not fail, if there is any."""
    for _, several in groupby(rows, key=lambda row: row.due):
        attempts = list(several)
        if all(row.ended_at is not None for row in attempts):
            yield next((row for row in attempts if row.state not in FAILURES), attempts[0])


def _of_tick(plan: Timetable) -> sa.ColumnElement[bool]:
    """The join of a tick with its run or runs; only a plan that fans out pays for the search by prefix."""
    if not plan.fans_out:
        return ticks.c.run_id == runs.c.run_id
    beginning = ticks.c.run_id + "."  # not LIKE: a name may hold its wildcards
    return sa.func.substr(runs.c.run_id, 1, sa.func.length(beginning)) == beginning


def _under_way(connection: sa.Connection, plan: Timetable, *, held: bool) -> bool:
    """Whether a run of the schedule has not ended. One that is not in the queue yet counts unless runs are held back.

    A tick whose runs are not kept any more, or that the job began before it had its list, is over.
    """
    waits, is_there = ticks.c.started.is_(False), runs.c.run_id.is_not(None)
    counts = is_there & ticks.c.started.is_(True) if held else is_there | waits
    going = (
        sa.select(ticks.c.run_id)
        .outerjoin(runs, _of_tick(plan))
        .where(ticks.c.job == plan.job, ticks.c.did == "run", runs.c.ended_at.is_(None), counts)
        .limit(1)
    )
    return connection.execute(going).first() is not None


def _count_waiting_ticks(connection: sa.Connection, job: str) -> int:
    of_this_job = (ticks.c.job == job, ticks.c.did == "run", ticks.c.started.is_(False))
    return connection.execute(sa.select(sa.func.count()).select_from(ticks).where(*of_this_job)).scalar_one()


def _begin(connection: sa.Connection, job: str, now: float) -> None:
    row = {"job": job, "handled_until": now, "paused": False, "paused_because": "", "resumed_at": 0.0}
    insert_unless_there(connection, schedules, row)


def _pause(connection: sa.Connection, job: str, because: str, now: float) -> None:
    _set(connection, job, now, paused=True, paused_because=because)


def _set(connection: sa.Connection, job: str, now: float, **values: object) -> None:
    _begin(connection, job, now)
    connection.execute(schedules.update().where(schedules.c.job == job).values(values))


def _state_of(connection: sa.Connection, job: str) -> ScheduleState | None:
    row = connection.execute(sa.select(schedules).where(schedules.c.job == job)).mappings().one_or_none()
    return ScheduleState.model_validate(dict(row)) if row is not None else None


def _ticks(connection: sa.Connection, condition: sa.ColumnElement[bool], limit: int, *, newest: bool) -> tuple[ScheduleTick, ...]:
    columns = [ticks.c[name] for name in ScheduleTick.model_fields]
    order = ticks.c.due.desc() if newest else ticks.c.due
    query = sa.select(*columns).where(condition).order_by(order).limit(limit)
    return tuple(ScheduleTick.model_validate(dict(row)) for row in connection.execute(query).mappings())
