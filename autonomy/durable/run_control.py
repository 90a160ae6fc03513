"""Controls runs: enqueue, cancel, pause, resume, and fork from a step.

Each is recorded in the journal with its author.
"""

import re
import time
from collections.abc import Callable, Collection, Sequence
from datetime import UTC, datetime
from functools import partial
from typing import TYPE_CHECKING, Literal, NamedTuple, TypeVar

import sqlalchemy as sa
from anyio.to_thread import run_sync as in_thread

from autonomy.durable.dbos_internals import EnqueueOptions, SetWorkflowID
from autonomy.durable.durable_tables import runs
from autonomy.durable.ending_outside import end_from_outside
from autonomy.durable.engine import APPLICATION_VERSION, WORKFLOW, engine_client, make_engine_tables
from autonomy.durable.engine_tables import QUEUE, Row, has_engine, own_queue, owner_of, owners, requeue, row_of
from autonomy.durable.interrupted_runs import RunState, interrupted, is_alive
from autonomy.durable.liveness.process_locks import held
from autonomy.durable.memory.sql_ledger import EffectRecord, SqlLedger
from autonomy.durable.records.run_records import ENDED, RunRecord, RunRecords
from autonomy.durable.records.worker_heartbeats import WorkerHeartbeat, read_heartbeats
from autonomy.errors import RunConflict
from autonomy.run_state.run_values import RunRequest, UserRemark, new_run_id
from metrics.events import Intervention

if TYPE_CHECKING:
    from metrics.journal import Journal

T = TypeVar("T")

Kind = Literal["cancel", "pause", "resume", "retry"]

_TURN = re.compile(r"^turn-(\d+)/model$")


class Worker(NamedTuple):
    """A process that runs runs."""

    name: str
    alive: bool
    runs: tuple[str, ...]
    """The ids of those it has now, of the tenant that was asked for."""
    others: int
    """How many it has of other tenants."""
    sign: WorkerHeartbeat | None
    """What it last said of itself; None for a command that carries out its own run alone."""


class RunControl:
    """Changes runs by their rows in the engine's database, so that any process can."""

    def __init__(
        self,
        engine: sa.Engine,
        records: RunRecords,
        ledger: SqlLedger,
        journal: "Journal",
        *,
        keys: Sequence[str] = (),
        clock: Callable[[], float] = time.time,
    ) -> None:
        self._engine, self._records, self._ledger, self._journal, self._clock = engine, records, ledger, journal, clock
        self._client, self._store = engine_client(engine, keys), records.store
        self._has_tables = False
        """Whether the engine's were there once, or were made: they do not go."""

    async def enqueue(self, request: RunRequest, *, priority: int = 100) -> str:
        """Queue a run for any worker; gives its id. The same id again changes nothing. A lower `priority` (from 1) goes first.

        Raises `StoreError`.
        """
        await self._command(self._journal.require_key)
        options = _enqueue_options(request, priority=priority)
        if not self._has_tables:
            await self._command(partial(make_engine_tables, self._engine, self._client))
            self._has_tables = True
        await self._command(partial(self._client.enqueue, options, request.as_data()))
        await self._records.begin(request, self._clock(), "queued")
        return request.run_id

    async def cancel(self, run_id: str, *, by: str, reason: str = "", tenant: str | None = None) -> RunRecord:
        """End a run for good: a call under way may finish, nothing new begins. Raises `UnknownRun`, `RunConflict`."""
        record = await self._unended_record(run_id, tenant)
        row = await in_thread(row_of, self._engine, record.run_id)
        await self._command(partial(self._client.cancel_workflow, record.run_id))
        ended = await in_thread(row_of, self._engine, record.run_id)
        if ended is not None and ended.status == "SUCCESS":
            raise RunConflict(f"run {record.run_id} ended before it could be cancelled")
        alive = await in_thread(is_alive, self._engine, row)  # asked now: whoever died before would leave a write as started
        await self._record_intervention(record, "cancel", by)
        await end_from_outside(
            record,
            "cancelled",
            reason or f"cancelled by {by}",
            records=self._records,
            journal=self._journal,
            now=self._clock(),
            nobody_has_it=not alive,
        )
        return await self._records.get(record.run_id)

    async def pause(self, run_id: str, *, by: str, tenant: str | None = None) -> RunRecord:
        """Stop after the step that is under way, to be resumed later. Raises `UnknownRun`, `RunConflict`."""
        record = await self._unended_record(run_id, tenant)
        if record.state == "paused":
            raise RunConflict(f"run {record.run_id} is paused already")
        await self._command(partial(self._client.cancel_workflow, record.run_id))
        await self._records.move(record.run_id, "paused")
        await self._record_intervention(record, "pause", by)
        return await self._records.get(record.run_id)

    async def resume(self, run_id: str, *, by: str, tenant: str | None = None, owner: str = "", idle: bool = False) -> RunRecord:
        """Resume a paused run, or one whose process died, in the process `owner` (`DurableRuns.executor_id`), else in any worker.

        `idle`: whether `owner`, which lives, does not carry it out if it has it. Raises `UnknownRun`, `RunConflict` when a live
        process has it, `StoreError`.
        """
        record = await self._unended_record(run_id, tenant)
        row = await in_thread(row_of, self._engine, record.run_id)
        waits = row is not None and row.status == "ENQUEUED" and not owner_of(row)
        was_let_go = idle and row is not None and row.status == "PENDING" and row.executor_id == owner
        is_had = not waits and not was_let_go and await in_thread(is_alive, self._engine, row)
        if (waits and not owner) or is_had:
            raise RunConflict(f"run {record.run_id} is {record.state}: a live process has it")
        queue = own_queue(owner) if owner else QUEUE
        if row is None:  # its process died before the engine knew of it
            await self._records.move(record.run_id, "queued")
            options = _enqueue_options(record.request, queue=queue)
            await self._command(partial(self._client.enqueue, options, record.request.as_data()))
        elif not await self._store(lambda connection: _requeue(connection, row, queue, record)):
            raise RunConflict(f"run {record.run_id} was taken up by somebody else at the same moment")
        await self._record_intervention(record, "resume", by)
        return await self._records.get(record.run_id)

    async def interrupted(self, records: Sequence[RunState]) -> frozenset[str]:
        """The runs that nobody works on although they have neither ended nor been paused: their process died."""
        return await interrupted(self._engine, records)

    async def workers(self, tenant: str) -> list[Worker]:
        """The processes that take runs or have some, whether they are alive or died lately, with their runs of a tenant."""

        def look() -> list[Worker]:
            signs = {sign.name: sign for sign in read_heartbeats(self._engine)}
            having = owners(self._engine) if has_engine(self._engine) else {}
            names = [*signs, *sorted(having.keys() - signs.keys())]
            alive = held(self._engine, names) if names else frozenset()
            every = [run_id for ids in having.values() for run_id in ids]
            with self._engine.connect() as connection:
                of_tenant = set(
                    connection.scalars(sa.select(runs.c.run_id).where(runs.c.run_id.in_(every), runs.c.tenant == tenant))
                )
            return [_worker(name, name in alive, having.get(name, ()), of_tenant, signs.get(name)) for name in names]

        return await in_thread(look)

    async def steps(self, run_id: str, *, tenant: str | None = None) -> list[str]:
        """The names of the steps a run has taken, in order."""
        record = await self._records.get(run_id, tenant)
        taken = await self._command(partial(self._client.list_workflow_steps, record.run_id, load_output=False))
        return [step["function_name"] for step in taken]

    async def retry(
        self,
        run_id: str,
        *,
        by: str,
        now: datetime | None = None,
        step: str = "",
        again: bool = False,
        words: str = "",
        tenant: str | None = None,
    ) -> tuple[str, tuple[EffectRecord, ...]]:
        """Fork an ended run from a step (by default its last turn); gives the new id, and the writes that may be made again.

        Steps before it keep their results. Where the old run wrote from that step on, `again` must allow it. `words`: what a
        person says to the model before that turn. `now`, in the operator's time zone, is what the new id tells. Raises
        `UnknownRun`, `RunConflict` naming the steps or the writes.
        """
        await self._command(self._journal.require_key)
        record = await self._records.get(run_id, tenant)
        if record.state not in ENDED:
            raise RunConflict(f"run {record.run_id} has not ended: it is {record.state}")
        taken = await self._command(partial(self._client.list_workflow_steps, record.run_id, load_output=False))
        names = {one["function_name"]: one["function_id"] for one in taken}
        if not names:
            raise RunConflict(f"the steps of run {record.run_id} are not kept any more")
        chosen = step or next((name for name in reversed(names) if name.endswith("/model")), "start")
        if chosen not in names:
            raise RunConflict(f"run {record.run_id} has no step {chosen!r}; it has {', '.join(names)}")
        unchanged = {name for name, number in names.items() if number < names[chosen]}
        made = await self._ledger.of_run(record.run_id)
        at_stake = tuple(effect for effect in made if effect.key.removeprefix(f"{record.run_id}/") not in unchanged)
        if at_stake and not again:
            tools = ", ".join(f"{effect.tool} ({effect.state})" for effect in at_stake)
            raise RunConflict(f"run {record.run_id} has written from there on: {tools}; say that it may be done again")
        if words and (turn := _TURN.match(chosen)) is None:
            raise RunConflict(f"words can be said before a turn, and {chosen!r} belongs to none")
        new_id = new_run_id(now or datetime.fromtimestamp(self._clock(), UTC))
        remarks = (UserRemark(turn=int(turn[1]), text=words),) if words and turn else ()
        forked = record.request.model_copy(update={"run_id": new_id, "remarks": (*record.request.remarks, *remarks)})
        await self._records.begin(forked, self._clock(), "queued")  # first, because a worker may take the fork at once

        def fork() -> None:
            with SetWorkflowID(new_id):
                self._client.fork_workflow(record.run_id, names[chosen], queue_name=QUEUE, queue_partition_key=record.tenant)

        await self._command(fork)
        await self._record_intervention(record, "retry", by)
        return new_id, at_stake

    async def _command(self, command: Callable[[], T]) -> T:
        """Run a command of the engine's client, with retries while the database is away. Raises `StoreError`."""
        return await self._store.until_there(lambda: in_thread(command))

    async def _unended_record(self, run_id: str, tenant: str | None) -> RunRecord:
        await self._command(self._journal.require_key)
        record = await self._records.get(run_id, tenant)
        if record.state in ENDED:
            raise RunConflict(f"run {record.run_id} has ended: {record.state}")
        return record

    async def _record_intervention(self, record: RunRecord, kind: Kind, by: str) -> None:
        now = self._clock()
        fields = {"run_id": record.run_id, "key": f"{kind}-{now:.3f}", "at": now, "tenant": record.tenant, "job": record.job}
        await self._journal.write([Intervention(kind=kind, by=by, **fields)])


def _worker(name: str, alive: bool, ids: Sequence[str], own_ids: Collection[str], sign: WorkerHeartbeat | None) -> Worker:
    listed = tuple(run_id for run_id in ids if run_id in own_ids)
    return Worker(name, alive, listed, len(ids) - len(listed), sign)


def _enqueue_options(request: RunRequest, *, priority: int = 100, queue: str = QUEUE) -> EnqueueOptions:
    options: EnqueueOptions = {
        "workflow_name": WORKFLOW,
        "queue_name": queue,
        "workflow_id": request.run_id,
        "app_version": APPLICATION_VERSION,
    }
    if queue == QUEUE:
        options |= {"queue_partition_key": request.tenant, "priority": priority}
    return options


def _requeue(connection: sa.Connection, row: Row, queue: str, record: RunRecord) -> bool:
    """Requeue a run in one transaction: nobody takes it before it says `queued`, nor does it say so without waiting in the
    queue."""
    if not requeue(connection, row, queue, record.tenant, anew=True):
        return False
    connection.execute(runs.update().where(runs.c.run_id == record.run_id).values(state="queued"))
    return True
