"""Launches DBOS on our event loop and database, and recovers the runs of dead processes.

Everything is recorded as JSON under one constant application version, so that a newer program takes up the runs of an older
one.
"""

import asyncio
import logging
import math
import os
import socket
import time
import uuid
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager, contextmanager, suppress
from dataclasses import dataclass
from typing import NamedTuple, Protocol

import anyio
import anyio.to_thread
import sqlalchemy as sa
from anyio.abc import TaskStatus
from pydantic import Field
from sqlalchemy import exc

from autonomy.database import cause_of, for_reads, repeatable, resume_lock_waits, unwaiting
from autonomy.durable.dbos_internals import DBOS, DBOSClient, DBOSConfig, Serializer, dbos_engine, dbos_steps
from autonomy.durable.durable_tables import runs
from autonomy.durable.engine_tables import (
    OWN_PREFIX,
    QUEUE,
    SUSPECTS,
    forget_attempt,
    own_queue,
    owner_of,
    requeue,
    status_table,
)
from autonomy.durable.liveness.process_locks import Locks, open_locks
from autonomy.durable.liveness.stalled_lock_holder import stalled_lock_holder
from autonomy.durable.records.worker_heartbeats import HEARTBEAT_S, WorkerHeartbeats
from autonomy.durable.storage.serializer import JsonSerializer
from autonomy.errors import RunConflict, StoreError
from discovery.catalog import Frozen
from discovery.discovery_errors import words_of
from discovery.timing.background_tasks import background_tasks
from metrics.written_out import AWAY, WrittenOut

APPLICATION = "jiritsu"
APPLICATION_VERSION = "1"
"""Raised by hand, when steps change so that old runs can no longer be played again. DBOS's own would change with every edit."""

WORKFLOW = "jiritsu.run"

_GIVEN_UP = "MAX_RECOVERY_ATTEMPTS_EXCEEDED"
"""A run's status in DBOS's words, when too many attempts at it came to nothing."""

IDLE_LOOKS = 4
"""So many looks in a row must find a run of ours that nobody works on before it is taken up: dispatching takes a moment."""

MOST_IDLE_LOOKS = 60
"""The most for a run that comes back each time: one that only a newer release can read would else start every five seconds."""

RARE_LOOKS = 5
"""Polls of the work queue for one poll of our own queue and of the suspects': both are rare, and may wait a second."""

TOLD_AGAIN_S = 30.0
"""How often the log repeats that a stopped process holds the database."""

DEFAULT_TENANT = "default"
"""The tenant of a run that only the engine knows: its process died before it was recorded."""

LAUNCHING = "(launching)"
"""The lock of a process that is launching; no executor has this name."""

log = logging.getLogger(__name__)


class ConcurrencyLimits(Frozen):
    """How many runs go on at once, and how fast new ones may start."""

    here: int = Field(8, ge=1)
    """Runs at once in one process."""
    tenant: int = Field(4, ge=1)
    """Runs at once of one tenant, in all processes together."""
    tenant_rate: int | None = Field(None, ge=1)
    """How many runs of one tenant may start within `rate_period_s`."""
    rate_period_s: float = Field(60.0, gt=0)
    """Seconds."""
    poll_s: float = Field(0.2, gt=0)
    """How often a process looks for work."""


class Liveness(Frozen):
    """How often processes look after one another, in seconds."""

    every_s: float = Field(1.0, gt=0)
    grace_s: float = Field(10.0, ge=0)
    """How long calls under way may go on when the process is told to stop."""


def new_executor_id() -> str:
    """A name that no process had before."""
    return f"{socket.gethostname()}-{os.getpid()}-{uuid.uuid4().hex[:6]}"


class _Unfinished(NamedTuple):
    """A run of `_unfinished`."""

    workflow_uuid: str
    status: str
    executor_id: str | None
    queue_name: str | None
    ended_at: float | None


class EngineSerializer(JsonSerializer, Serializer):
    """Our JSON, as DBOS's serializer."""


class Drainable(Protocol):
    """Executes the runs of this process (`durable.durable_runs`)."""

    def going(self) -> frozenset[str]:
        """The ids of the runs that are executed here now."""
        ...

    async def give_up(self, run_ids: Sequence[str]) -> None:
        """End runs that the engine will not execute any more."""
        ...

    async def drain(self, grace_s: float) -> None:
        """Interrupt all runs; calls under way may finish within `grace_s` seconds."""
        ...


@dataclass
class EngineProcess:
    """A process with a running engine, from its launch to its end."""

    engine: sa.Engine
    executor_id: str
    drainable: Drainable
    keys: Sequence[str]
    concurrency: ConcurrencyLimits
    liveness: Liveness
    takes_work: bool
    """Whether queued runs, and those of processes that died, are run here."""
    kind: str
    """What such a process calls itself where workers are listed."""

    def __post_init__(self) -> None:
        limits = self.concurrency
        self._heartbeats = (
            WorkerHeartbeats(self.engine, self.executor_id, self.kind, limits.here, limits.tenant) if self.takes_work else None
        )

    @asynccontextmanager
    async def launched(self) -> AsyncIterator[None]:
        """Run DBOS until left, when `drainable` is drained first.

        Raises `RunConflict` when another process has this name, `StoreError` when the database cannot be used.
        """
        async with (
            _lock_waits_resumed(self.engine),
            self._own_name() as locks,
            self._running(locks) as (dbos, waits),
            background_tasks() as tasks,
        ):
            if self.engine.dialect.name == "sqlite":
                tasks.start_soon(_report_stalled_lock_holders, self.engine, self.liveness.every_s)
            if self._heartbeats is not None:
                tasks.start_soon(_send_heartbeats, self._heartbeats)
            supervision = await tasks.start(self._supervise_workers, locks)
            try:
                yield
            finally:
                with anyio.CancelScope(shield=True):
                    dbos_engine.stop_intake(dbos)
                    supervision.cancel()  # what is interrupted now stands still on purpose
                    await self.drainable.drain(self.liveness.grace_s)
                    waits.end()

    @asynccontextmanager
    async def _own_name(self) -> AsyncIterator[Locks]:
        """The locks of the database, that of this process's name among those held until left. Raises `RunConflict`."""
        locks = await anyio.to_thread.run_sync(open_locks, self.engine)
        try:
            if not await anyio.to_thread.run_sync(locks.take, self.executor_id):
                raise RunConflict(f"a worker called {self.executor_id!r} is already running")
            yield locks
        finally:
            with anyio.CancelScope(shield=True):
                await anyio.to_thread.run_sync(locks.close)

    @asynccontextmanager
    async def _running(self, locks: Locks) -> AsyncIterator[tuple[DBOS, dbos_engine.ShortWaits]]:
        """DBOS on this event loop, until left; and its waits for the database. Raises `StoreError`."""
        engine, loop = self.engine, asyncio.get_running_loop()
        steps = await anyio.to_thread.run_sync(repeatable, engine)
        at_once = await anyio.to_thread.run_sync(unwaiting, engine) if engine.dialect.name == "sqlite" else None
        waits, dbos = dbos_engine.limit_retry_waits(), None
        try:
            try:
                dbos = await anyio.to_thread.run_sync(self._launch, locks, loop, steps, at_once)
            except exc.SQLAlchemyError as error:
                cause = await anyio.to_thread.run_sync(cause_of, engine)
                raise StoreError(f"the engine cannot use the database: {words_of(error)}{cause}") from error
            yield dbos, waits
        finally:
            with anyio.CancelScope(shield=True):
                await anyio.to_thread.run_sync(DBOS.destroy)
                dbos_steps.release_step_storage()
                for other in (steps, at_once):
                    if other is not None and other is not engine:
                        await anyio.to_thread.run_sync(other.dispose)
                if dbos is not None:
                    dbos_engine.leave_own_queue(dbos, self.executor_id)
                with suppress(*AWAY):  # then one attempt more is counted, and it is told of as gone
                    if dbos is not None:  # else no attempt was made in this process
                        await anyio.to_thread.run_sync(forget_attempt, engine, self.executor_id)
                    if self._heartbeats is not None:
                        await anyio.to_thread.run_sync(self._heartbeats.leave)
                loop.set_default_executor(ThreadPoolExecutor())  # DBOS made its own the loop's, and has just shut it down

    def _launch(self, locks: Locks, loop: asyncio.AbstractEventLoop, steps: sa.Engine, at_once: sa.Engine | None) -> DBOS:
        """Launch DBOS in this thread, whose waits for the database block nobody, with its runs on the event loop `loop`.

        `steps`, `at_once`: the database as DBOS and the event loop use it.
        """
        config = DBOSConfig(
            name=APPLICATION,
            system_database_engine=steps,
            application_version=APPLICATION_VERSION,
            executor_id=self.executor_id,
            serializer=EngineSerializer(self.keys),
            log_level="WARNING",
            notification_listener_polling_interval_sec=0.5,
            scheduler_polling_interval_sec=3600.0,
        )
        with _alone(locks):
            dbos_engine.filter_logs()
            dbos = DBOS(config=config)
            dbos_engine.prepare_launch(dbos, self.executor_id, RARE_LOOKS * self.concurrency.poll_s, loop)
            with suppress(exc.SQLAlchemyError):  # a new database: launching makes the tables
                if self.takes_work:  # before a run is taken under the limits of another time
                    _declare_queues(engine_client(self.engine).register_queue, self.concurrency, "always_update")
                    _take_back_failed(self.engine)
                # what an earlier process of this name left: DBOS would let anyone have it
                _hand_over(self.engine, self.executor_id)
            if not self.takes_work:
                DBOS.listen_queues([])
            if self.engine.dialect.name == "postgresql":
                dbos_engine.disable_notifier()
            DBOS.launch()
            if at_once is not None:
                at_once.connect().close()  # opened here, and kept: that would wait
            dbos_steps.install_step_storage(dbos, at_once)
            if self.engine.dialect.name == "sqlite":
                dbos_engine.serialize_dequeues(dbos)
            _declare_queues(DBOS.register_queue, self.concurrency, "always_update" if self.takes_work else "never_update")
            dbos_engine.install_cheap_polling(dbos)
            return dbos

    async def _supervise_workers(self, locks: Locks, *, task_status: TaskStatus[anyio.CancelScope]) -> None:
        """Keep our own lock until cancelled; a worker also takes over the runs of dead processes, and requeues idle runs of its
        own."""
        idle: dict[str, int] = {}
        patience: dict[str, int] = {}
        engine, own_name, every_s = self.engine, self.executor_id, self.liveness.every_s
        unfinished = WrittenOut(_unfinished(engine)) if self.takes_work else None
        with anyio.CancelScope() as scope:
            task_status.started(scope)
            # when PostgreSQL is restarted all lose their locks, and whoever starts then would find the living dead
            if engine.dialect.name == "postgresql":
                await anyio.sleep(every_s)
            while True:
                try:
                    own_runs, given_up = await anyio.to_thread.run_sync(_take_over, engine, own_name, locks, unfinished)
                    going = self.drainable.going()
                    idle = {run_id: idle.get(run_id, 0) + 1 for run_id in own_runs - going}
                    patience = {run_id: looks for run_id, looks in patience.items() if run_id not in going}
                    if stuck := [one for one, looks in idle.items() if looks >= patience.get(one, IDLE_LOOKS)]:
                        await anyio.to_thread.run_sync(_take_up, engine, stuck, own_name)
                        idle |= dict.fromkeys(stuck, 0)  # only now: while the disk is full it is tried again
                        patience |= {one: min(2 * patience.get(one, IDLE_LOOKS), MOST_IDLE_LOOKS) for one in stuck}
                    if given_up:
                        await self.drainable.give_up(sorted(given_up))
                except AWAY as error:
                    log.warning("cannot look after other workers: %s", words_of(error))
                    await anyio.sleep(every_s * 3)
                await anyio.sleep(every_s)


@asynccontextmanager
async def _lock_waits_resumed(engine: sa.Engine) -> AsyncIterator[None]:
    """After this, wait for other processes again, which draining ended."""
    try:
        yield
    finally:
        resume_lock_waits(engine)


@contextmanager
def _alone(locks: Locks) -> Iterator[None]:
    """Wait until no other process launches, because DBOS makes its tables then without a lock. Blocks."""
    while not locks.take(LAUNCHING):
        time.sleep(0.05)
    try:
        yield
    finally:
        locks.free(LAUNCHING)


def _declare_queues(register: Callable[..., object], concurrency: ConcurrencyLimits, on_conflict: str) -> None:
    rate, period_s = concurrency.tenant_rate, concurrency.rate_period_s
    register(
        QUEUE,
        worker_concurrency=concurrency.here,
        partition_concurrency=concurrency.tenant,
        partition_limiter={"limit": rate, "period": period_s} if rate else None,
        polling_interval_sec=concurrency.poll_s,
        on_conflict=on_conflict,
    )
    register(SUSPECTS, concurrency=1, polling_interval_sec=RARE_LOOKS * concurrency.poll_s, on_conflict=on_conflict)


async def _send_heartbeats(heartbeats: WorkerHeartbeats) -> None:
    """Write a heartbeat of this process at intervals; while the database is away nobody could read it."""
    while True:
        with suppress(*AWAY):
            await anyio.to_thread.run_sync(heartbeats.send)
        await anyio.sleep(HEARTBEAT_S)


async def _report_stalled_lock_holders(engine: sa.Engine, every_s: float) -> None:
    """Warn at intervals while a process that was put to sleep holds the write lock of SQLite."""
    told_at = -math.inf
    while True:
        await anyio.sleep(every_s)
        asleep = await anyio.to_thread.run_sync(stalled_lock_holder, engine)
        if asleep and anyio.current_time() - told_at >= TOLD_AGAIN_S:
            told_at = anyio.current_time()
            log.error("nothing can be written to the database: %s", asleep)


def _take_up(engine: sa.Engine, run_ids: Sequence[str], me: str) -> None:
    """Requeue runs of this process, for any worker: the database was away for long, or they are of a newer release. Blocks."""
    _hand_over(engine, me, run_ids, counted=False)
    for run_id in run_ids:  # told once it is so: while the disk is full, each look fails
        log.info("run %s stood still: any worker may take it up", run_id)


def _hand_over(engine: sa.Engine, owner: str, run_ids: Sequence[str] | None = None, *, counted: bool = True) -> None:
    """Requeue all or some runs of an owner, for any worker, unless they moved on meanwhile. Blocks. `counted`: see `requeue`."""
    table = status_table(engine)
    tenant = sa.func.coalesce(table.c.queue_partition_key, runs.c.tenant, DEFAULT_TENANT).label("tenant")
    query = (
        sa.select(*table.c, tenant)
        .outerjoin(runs, runs.c.run_id == table.c.workflow_uuid)
        .where(
            table.c.status.in_(("PENDING", "ENQUEUED")), (table.c.executor_id == owner) | (table.c.queue_name == own_queue(owner))
        )
    )
    with engine.begin() as connection:
        for row in connection.execute(query).all():
            if owner_of(row) == owner and (run_ids is None or row.workflow_uuid in run_ids):
                requeue(connection, row, QUEUE, row.tenant, counted=counted)


def _take_back_failed(engine: sa.Engine) -> None:
    """Requeue runs that the engine gave up though they never ended: a worker without the right key could
    not read them."""
    table = status_table(engine)
    query = sa.select(*table.c, runs.c.tenant).join(runs, runs.c.run_id == table.c.workflow_uuid)
    with engine.begin() as connection:
        for row in connection.execute(query.where(table.c.status == "ERROR", runs.c.ended_at.is_(None))).all():
            log.warning("run %s could not be begun by an earlier worker: it is tried again", row.workflow_uuid)
            requeue(connection, row, QUEUE, row.tenant, counted=False)


def _unfinished(engine: sa.Engine) -> sa.Executable:
    """The runs that processes own, and those that the engine gave up though their record has not ended; a union, because each
    part has its own index."""
    table = status_table(engine)
    columns = [table.c[name] for name in ("workflow_uuid", "status", "executor_id", "queue_name")]
    query = sa.select(*columns, runs.c.ended_at).outerjoin(runs, runs.c.run_id == table.c.workflow_uuid)
    own = (table.c.status == "ENQUEUED", table.c.queue_name.startswith(OWN_PREFIX))
    given_up = (table.c.status == _GIVEN_UP, runs.c.run_id.is_not(None), runs.c.ended_at.is_(None))
    return sa.union_all(query.where(table.c.status == "PENDING"), query.where(*own), query.where(*given_up))


def _take_over(
    engine: sa.Engine, own_name: str, locks: Locks, unfinished: WrittenOut | None
) -> tuple[frozenset[str], frozenset[str]]:
    """Keep our own lock, and requeue the runs of dead processes, of those that `unfinished` selects. Blocks.

    Gives the ids of the runs that this process owns, and of those that the engine gave up.
    """
    locks.take(own_name)
    if unfinished is None:
        return frozenset(), frozenset()
    with for_reads(engine).connect() as connection:
        rows = [_Unfinished(*row) for row in unfinished.execute(connection, {})]
    for name in sorted({owner_of(row) for row in rows} - {own_name, ""}):
        if locks.tells_the_dead and locks.take(name):
            try:
                log.warning("worker %s is gone: taking over its runs", name)
                _hand_over(engine, name)
            finally:
                locks.free(name)
    own_rows = (row for row in rows if row.status == "PENDING" and row.executor_id == own_name and row.ended_at is None)
    own_runs = frozenset(row.workflow_uuid for row in own_rows)
    return own_runs, frozenset(row.workflow_uuid for row in rows if row.status == _GIVEN_UP)


def make_engine_tables(engine: sa.Engine, client: DBOSClient) -> None:
    """Make the engine's tables unless they are there, or wait while another process makes them. Blocks; raises `StoreError`."""
    if dbos_engine.has_all_tables(client):  # without the lock, which a worker that was stopped while it launched would hold
        return
    locks = open_locks(engine)
    try:
        with _alone(locks):
            dbos_engine.make_tables(client)
    finally:
        locks.close()


def engine_client(engine: sa.Engine, keys: Sequence[str] = ()) -> DBOSClient:
    """A client of the engine, which reads and writes its tables and runs nothing. They must exist when it is used.

    While the database is away its methods raise: `Store.until_there` retries them, and can be cancelled.
    """
    return DBOSClient(
        system_database_engine=engine,
        serializer=EngineSerializer(keys),
        application_name=APPLICATION,
        lazy=True,
        retry_connection_errors=False,
    )
