"""Deletes old runs and old journal rows.

Whatever still needs a person stays: a run that has not ended, a write of which nobody knows whether it happened, a question
that may still be answered.
"""

import logging
import time
from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from itertools import count

import anyio
import anyio.to_thread
import sqlalchemy as sa
from pydantic import Field

from autonomy.durable.durable_tables import alerts, approvals, effects, live_text, long_results, remote_tasks, runs, ticks
from autonomy.durable.engine import engine_client
from autonomy.durable.records.confirmed_time import DAY_S, MEND, ClockJump, jump_of
from autonomy.durable.records.run_records import RunRecords
from autonomy.durable.records.run_search import forget_words
from autonomy.durable.scheduling.alerts import BROKEN, PUT_OFF
from autonomy.errors import RunConflict, StoreError
from discovery.catalog import Frozen
from metrics.journal import Journal

HOUR_S = 3600.0
"""How often a worker looks at the clock; more often than the shortest `KeepSettings.plausible_s`."""

AT_ONCE = 100
"""How many runs go in one transaction, so that nobody waits long for the database."""

ForgetRuns = Callable[[sa.Connection, Sequence[str]], None]
"""Deletes what another package keeps of runs."""

log = logging.getLogger(__name__)


class KeepSettings(Frozen):
    """How long things are kept, in days; 0 is for ever."""

    runs_days: int = Field(90, ge=0)
    """What a run was asked, remembers and brought, from its end on: steps, result, writes, questions, ticks, what was said."""
    log_days: int = Field(0, ge=0)
    """The journal, from which reports are made."""

    @property
    def plausible_s(self) -> float:
        """How far the clock may be from the last time that was believed: a week, or a quarter of what is kept for less."""
        kept = [days for days in (self.runs_days, self.log_days) if days]
        return min([7.0, *(days / 4 for days in kept)]) * DAY_S


class Pruned(Frozen):
    """The counts of deleted rows, and of old rows that must stay."""

    runs: int = 0
    held: int = 0
    """Runs that stay because a write's outcome is unknown or a question stands."""
    log_rows: int = 0


class Retention:
    """Deletes what is older than it must be."""

    def __init__(
        self,
        engine: sa.Engine,
        journal: Journal,
        keep: KeepSettings,
        *,
        others: Sequence[ForgetRuns] = (),
        clock: Callable[[], float] = time.time,
        sleep: Callable[[float], Awaitable[None]] = anyio.sleep,
    ) -> None:
        """`others`: of packages above this one. The engine's tables must be there: `open_runs` makes them."""
        self._records, self._client = RunRecords(engine), engine_client(engine)
        self._store = self._records.store
        self._journal, self._keep, self._others = journal, keep, tuple(others)
        self._clock, self._sleep = clock, sleep
        self._began = clock()

    async def keep_tidy(self) -> None:
        """Look at the clock each hour, and prune once a day. Several workers may: what one deleted, the next does not find."""
        for hour in count():
            try:
                now, jump = await self.time()
                if hour % 24 == 0:
                    if jump:
                        log.warning("%s; %s", jump, MEND)
                    pruned = await self.prune(now)
                    if pruned.runs or pruned.log_rows:
                        log.info("%d runs and %d rows of the log were older than they are kept", pruned.runs, pruned.log_rows)
            except StoreError as error:
                log.warning("cannot delete what is old: %s", error)
            await self._sleep(HOUR_S)

    async def time(self) -> tuple[float, ClockJump | None]:
        """The time by which to delete, and why it is not that of the clock. Raises `StoreError`."""
        look = partial(jump_of, now=self._clock(), plausible_s=self._keep.plausible_s, began=self._began)
        return await self._store(look)

    async def prune(self, now: float, runs_before: float | None = None) -> Pruned:
        """Delete what is older `now` than the settings say; `runs_before`, in epoch seconds, instead for runs.

        Raises `StoreError`.
        """
        before = _before(now, self._keep.runs_days) if runs_before is None else runs_before
        runs = held_runs = rows = 0
        if before is not None:
            while batch := await self._store(partial(_deletable_runs, before=before, now=now)):
                await self._delete(batch)
                runs += len(batch)
            held_runs = await self._store(partial(_delete_leftovers, before=before))
        log_before = _before(now, self._keep.log_days)
        if log_before is not None:
            rows = await self._journal.prune(log_before)
        return Pruned(runs=runs, held=held_runs, log_rows=rows)

    async def forget(self, run_id: str, *, by: str, reason: str, tenant: str | None = None) -> str:
        """Delete all that is kept of one run, for a person's sake, and the bodies of its events in the journal; gives its id.

        That it was done, by whom and why stays in the journal. Raises `UnknownRun`, or `RunConflict` while it is still needed.
        """
        record = await self._records.get(run_id, tenant)
        if record.ended_at is None:
            raise RunConflict(f"run {record.run_id} has not ended: it is {record.state}")
        if not await self._store(partial(_deletable_runs, before=None, now=self._clock(), run_id=record.run_id)):
            raise RunConflict(f"run {record.run_id} is still needed: see `jiritsu effects list` and `jiritsu approvals list`")
        await self._journal.erase(record.run_id, by=by, reason=reason)
        await self._delete([record.run_id])
        return record.run_id

    async def _delete(self, run_ids: Sequence[str]) -> None:
        """The engine's rows first: a run whose record is left is found again, were we to die in between."""
        delete = partial(self._client.delete_workflows, list(run_ids))
        await self._store.until_there(lambda: anyio.to_thread.run_sync(delete))

        def rest(connection: sa.Connection) -> None:
            for forget in self._others:
                forget(connection, run_ids)
            forget_words(connection, run_ids)
            # a tick without its run would count as one that is under way
            for table in (effects, approvals, ticks, alerts, live_text, long_results, remote_tasks, runs):
                connection.execute(table.delete().where(table.c.run_id.in_(run_ids)))

        await self._store(rest)


def _before(now: float, days: int) -> float | None:
    return now - days * DAY_S if days else None


def _deletable_runs(connection: sa.Connection, *, before: float | None, now: float, run_id: str = "") -> list[str]:
    """Up to `AT_ONCE` ended runs, oldest first, that nothing needs any more: those that ended before then, or this one."""
    unsettled = sa.exists().where(effects.c.run_id == runs.c.run_id, effects.c.state != "done")
    has_question = sa.exists().where(
        approvals.c.run_id == runs.c.run_id, approvals.c.state == "pending", approvals.c.expires_at > now
    )
    query = sa.select(runs.c.run_id).where(runs.c.ended_at.is_not(None), ~unsettled, ~has_question)
    query = query.where(runs.c.ended_at < before) if before is not None else query.where(runs.c.run_id == run_id)
    return list(connection.scalars(query.order_by(runs.c.ended_at).limit(AT_ONCE)))


def _delete_leftovers(connection: sa.Connection, *, before: float) -> int:
    """Delete old ticks and alerts that belong to no run, and old remote tasks.

    Gives how many runs that ended before then stay.
    """
    beginning = ticks.c.run_id + "."  # of the runs of a list; not LIKE: a name may hold its wildcards
    of_tick = (runs.c.run_id == ticks.c.run_id) | (sa.func.substr(runs.c.run_id, 1, sa.func.length(beginning)) == beginning)
    has_run = sa.exists().where(runs.c.job == ticks.c.job, of_tick)
    is_over = (ticks.c.did != "run") | (ticks.c.started.is_(True) & ~has_run)
    connection.execute(ticks.delete().where(ticks.c.handled_at < before, is_over))
    of_no_run = alerts.c.run_id.startswith(BROKEN) | alerts.c.run_id.startswith(PUT_OFF)
    connection.execute(alerts.delete().where(alerts.c.told_at < before, of_no_run))
    connection.execute(remote_tasks.delete().where(remote_tasks.c.began_at < before))
    return connection.execute(sa.select(sa.func.count()).where(runs.c.ended_at < before)).scalar_one()
