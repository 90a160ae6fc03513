"""Runs as DBOS workflows: each step is a checkpoint.

`DurableRuns` runs; orders from outside (enqueue, cancel, pause, resume, retry) are in `durable.run_control` and need no running
engine.
"""

import json
import logging
import time
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager, suppress
from dataclasses import dataclass, field
from functools import cache
from typing import Any, Literal, TypeVar

import anyio
import anyio.to_thread
import sqlalchemy as sa
from pydantic import TypeAdapter, ValidationError
from pydantic_core import PydanticSerializationError
from sqlalchemy import exc

from autonomy.agent.loop import Executor
from autonomy.database import end_lock_waits
from autonomy.durable.dbos_internals import DBOS, DBOSException, SetWorkflowID
from autonomy.durable.dbos_internals.dbos_engine import uncounted, until_ended
from autonomy.durable.dbos_internals.dbos_steps import attempts_of
from autonomy.durable.ending_outside import close_open_items, end_from_outside
from autonomy.durable.engine import WORKFLOW, ConcurrencyLimits, EngineProcess, Liveness, new_executor_id
from autonomy.durable.engine_tables import ATTEMPTS, QUEUE, WAITING, change_queue, owner_of, row_of, waits_for_person
from autonomy.durable.liveness.process_locks import is_free
from autonomy.durable.records.run_records import CALLS, RunRecords, unknown_part
from autonomy.durable.storage.serializer import WrittenJson
from autonomy.errors import RunConflict, StoreError, UnknownRun
from autonomy.run_state.run_values import CallRecord, RunRequest, RunResult
from autonomy.run_state.step import Interrupted, RunGivenUp, giving_up
from discovery.catalog import JsonObject
from discovery.discovery_errors import words_of
from metrics.endings import Ending

T = TypeVar("T")

LAST_ATTEMPTS = 3
"""Attempts at ending a run that kills its process by playing it once more, in which nothing new begins. When its process dies of
these too, it is ended without."""

GIVEN_UP = f"its process died {ATTEMPTS} times in a row, and it got no further"

AS_MADE = frozenset({"catalog"})
"""Steps whose result goes on as it was made, where it was made here: a catalog is long, and what was worked out about its tools
serves the next run too. Read again it is the same: frozen data, all of whose fields are stored."""

OWNER_S = 1.0
"""How often whoever waits for a run looks whether the process that has it is alive."""

log = logging.getLogger(__name__)


@asynccontextmanager
async def open_runs(
    engine: sa.Engine,
    executor: Executor,
    records: RunRecords,
    *,
    keys: Sequence[str] = (),
    executor_id: str = "",
    takes_work: bool = False,
    concurrency: ConcurrencyLimits = ConcurrencyLimits(),  # noqa: B008 - frozen
    liveness: Liveness = Liveness(),  # noqa: B008 - frozen
    kind: str = "worker",
) -> AsyncIterator["DurableRuns"]:
    """Run the engine until left; calls under way may then finish for a while, and unfinished runs wait to be resumed.

    `keys` encrypt the stored steps; `takes_work`: also run queued runs and those of dead processes; `kind`: the command, as the
    list of workers shows it. One at a time in a process. Raises `RunConflict` when `executor_id` is taken or an engine runs
    here already, `StoreError` when the database cannot be used.
    """
    name = executor_id or new_executor_id()
    runs = DurableRuns(executor, records, time.time, engine, name, takes_over=takes_work)
    if _open_here:
        raise RunConflict("the engine is already running in this process")
    _open_here.append(runs)
    try:
        async with EngineProcess(engine, name, runs, keys, concurrency, liveness, takes_work, kind).launched():
            yield runs
    finally:
        _open_here.clear()


@dataclass
class _ActiveRun:
    """A run that is being worked on here."""

    scope: anyio.CancelScope
    counts: Counter[Literal["running", "waiting"]] = field(default_factory=Counter)
    """Steps that end by themselves; and those that wait for a person or, once the process is told to stop, for its end."""
    in_steps: set[str] = field(default_factory=set)
    """The ids of the calls whose records stand in its steps."""

    @property
    def is_waiting(self) -> bool:
        """Whether stopping it now cuts nothing short."""
        return self.counts["waiting"] > 0 and not self.counts["running"]


@dataclass
class DurableRuns:
    """The runs of this process."""

    executor: Executor
    records: RunRecords
    clock: Callable[[], float]
    engine: sa.Engine
    executor_id: str
    """The name of this process; its own queue goes by it."""
    takes_over: bool
    """Whether what was interrupted here, or left by others, is taken up again here."""
    interrupted: tuple[str, ...] = ()
    """When closed: the runs that were stopped where they stood, and go on when they are taken up again."""
    stopping: bool = False
    """Whether the process was told to stop: no step begins, and what fails meanwhile may fail because everything is being
    closed."""
    _active: dict[str, _ActiveRun] = field(default_factory=dict)
    _interruptions: dict[str, str] = field(default_factory=dict)
    """Run id → why it was interrupted here although the process was not told to stop."""
    _awaited: dict[str, RunResult | None] = field(default_factory=dict)
    """Run id → its result, of runs that `run` waits for: they need not be read again."""
    _changed: anyio.Event | None = None
    """Set at each change of `_active`; there only while `drain` waits for one."""

    async def run(self, request: RunRequest) -> RunResult:
        """Execute a run in this process; gives its result, also of a run of that id that has ended before.

        Raises `StoreError` when the database failed for good: the run can be resumed.
        """
        run_id = request.run_id
        self._awaited.setdefault(run_id, None)
        try:
            with SetWorkflowID(run_id):
                handle = await DBOS.start_workflow_async(_run, request.as_data())
            await until_ended(handle)
            return self._awaited.get(run_id) or await self.ended(run_id)  # whoever waited for it, too, may have taken it
        except Interrupted as error:
            raise StoreError(f"run {run_id} was interrupted, `jiritsu runs resume` goes on: {error}") from error
        finally:
            self._awaited.pop(run_id, None)

    async def ended(self, run_id: str, *, poll_s: float = 0.1) -> RunResult:
        """Wait until a run has ended, in whichever process; gives its result.

        Raises `StoreError` when its process is gone and this one does not take it over, `UnknownRun`.
        """
        looked_at = anyio.current_time()
        while True:
            record = await self.records.get(run_id)
            if record.result is not None and record.ended_at is not None:
                return record.result
            if not self.takes_over and anyio.current_time() - looked_at >= OWNER_S:
                looked_at = anyio.current_time()
                if why := self._interruptions.get(run_id) or await self._lost_owner(run_id):
                    raise StoreError(f"run {run_id} was interrupted, `jiritsu runs resume` goes on: {why}")
            await anyio.sleep(poll_s)

    async def _lost_owner(self, run_id: str) -> str:
        """A sentence if the process that owns the run is gone; else empty."""
        row = await anyio.to_thread.run_sync(row_of, self.engine, run_id)
        owner = owner_of(row) if row is not None else ""
        lost = owner and owner != self.executor_id and await anyio.to_thread.run_sync(is_free, self.engine, owner)
        return f"worker {owner} is gone" if lost else ""

    async def carry_out(self, run_id: str, data: JsonObject) -> str:
        """The body of the workflow, replayed from the top after each crash; gives the ending."""
        logged = self._interruptions.pop(run_id, "")
        with anyio.CancelScope() as scope:
            active = self._active[run_id] = _ActiveRun(scope)
            try:
                return await self._execute_and_record(run_id, data)
            except (StoreError, Interrupted) as error:
                self._interruptions[run_id] = str(error)
                log.log(logging.INFO if logged == str(error) else logging.WARNING, "run %s is interrupted: %s", run_id, error)
                raise Interrupted(str(error)) from error
            finally:
                if self._active.get(run_id) is active:
                    del self._active[run_id]
                self._notify_change()
        raise Interrupted("the process was told to stop")

    async def _execute_and_record(self, run_id: str, data: JsonObject) -> str:
        try:
            request = _read(RunRequest.model_validate, {**data, "run_id": run_id})
            request = await self.records.take_up(request, self.clock())
            result = await self.executor.execute(request, durable_step)
            if attempts_of(run_id) > ATTEMPTS:
                await close_open_items(run_id, self.records.store)
            await self.records.end(result, in_steps=self._active[run_id].in_steps)
            if run_id in self._awaited:
                self._awaited[run_id] = result
        except StoreError:
            raise
        except RunGivenUp as error:
            return await self._end_without(run_id, str(error))
        except Exception as error:
            if self.stopping:  # what fails now may fail because everything is being closed
                raise Interrupted(f"the process was told to stop: {error}") from error
            log.exception("run %s failed outside of its loop", run_id)
            return await self._end_without(run_id, f"{type(error).__name__}: {error}")
        return result.ending

    async def _end_without(self, run_id: str, reason: str) -> Ending:
        """End a run as failed whose loop cannot end it; one that somebody else has ended is left as it is."""
        record = await self.records.get(run_id)
        if record.ended_at is not None and record.result is not None:
            return record.result.ending
        log.error("run %s is left alone: %s", run_id, reason)
        await end_from_outside(
            record,
            "failed",
            reason,
            records=self.records,
            journal=self.executor.services.journal,
            now=self.clock(),
            nobody_has_it=True,
        )
        return "failed"

    async def step(self, run_id: str, name: str, effect: Callable[[], Awaitable[T]]) -> T:
        """Run the effect of a step; gives its result. Raises what it raises, and `RunGivenUp` for a run that kills its process.

        Once the process is told to stop, no step begins, and one that fails waits for the end: servers may be closing with us.
        """
        active = self._active[run_id]
        if self.stopping:
            await self._halt(active)
        if attempts_of(run_id) > ATTEMPTS:
            if not CALLS.search(name):
                raise RunGivenUp(GIVEN_UP)
            giving_up.set(True)
        failure: Exception | None = None
        is_waiting = waits_for_person(name)  # a process that is told to stop does not wait with it
        with self._counting(active, "waiting" if is_waiting else "running"):
            try:
                value = await (self._outside_queue(run_id, effect) if is_waiting else effect())
            except Exception as error:  # noqa: BLE001 - raised again below, unless it is our own doing
                failure = error
        if self.stopping and (failure or not all(call.ok for call in _calls_in(value))):
            await self._halt(active)
        if failure is not None:
            raise failure
        return value

    async def _outside_queue(self, run_id: str, effect: Callable[[], Awaitable[T]]) -> T:
        """Wait for a person without counting as a running run: else a few open questions would stop all work of a tenant.

        Afterwards the run counts again at once, even if that exceeds the limit. One that is interrupted here is requeued by
        whoever resumes it.
        """
        store = self.records.store
        with uncounted(run_id, QUEUE):
            await store(lambda connection: change_queue(connection, run_id, QUEUE, WAITING))
            value = await effect()
            await store(lambda connection: change_queue(connection, run_id, WAITING, QUEUE))
        return value

    def note_stored(self, run_id: str, made: object) -> None:
        """Note which calls have their records in a stored step."""
        self._active[run_id].in_steps.update(call.call_id for call in _calls_in(made))

    async def _halt(self, active: _ActiveRun) -> None:
        """Wait for ever: `drain` cancels the run when the steps under way have ended."""
        with self._counting(active, "waiting"):
            await anyio.sleep_forever()

    @contextmanager
    def _counting(self, active: _ActiveRun, what: Literal["running", "waiting"]) -> Iterator[None]:
        active.counts[what] += 1
        self._notify_change()
        try:
            yield
        finally:
            active.counts[what] -= 1
            self._notify_change()

    def _notify_change(self) -> None:
        if self._changed is not None:
            self._changed.set()
            self._changed = None

    def going(self) -> frozenset[str]:
        """See `Drainable`."""
        return frozenset(self._active)

    async def give_up(self, run_ids: Sequence[str]) -> None:
        """See `Drainable`: such a run is what kills its process. It has failed, and says so."""
        for run_id in run_ids:
            try:
                await self._end_without(run_id, GIVEN_UP)
            except (StoreError, UnknownRun) as error:  # the next look tries again, and others are not kept waiting
                log.warning("run %s could not be ended: %s", run_id, error)

    async def drain(self, grace_s: float) -> None:
        """Let steps under way finish for `grace_s` seconds, then cancel every run, to be resumed later."""
        self.stopping = True
        self._notify_change()
        with anyio.move_on_after(grace_s):
            await self._wait_until(lambda: all(active.is_waiting for active in self._active.values()))
        end_lock_waits(self.engine)  # a thread that waits for another process cannot be cancelled
        self.interrupted = tuple(self._active)
        for active in list(self._active.values()):
            active.scope.cancel()
        with anyio.move_on_after(5):
            await self._wait_until(lambda: not self._active)

    async def _wait_until(self, condition: Callable[[], bool]) -> None:
        while not condition():
            self._changed = self._changed or anyio.Event()
            await self._changed.wait()


def _calls_in(made: object) -> list[CallRecord]:
    return [record for record in (made if isinstance(made, tuple) else (made,)) if isinstance(record, CallRecord)]


_open_here: list[DurableRuns] = []
"""The runs of this process, for the workflow function, which DBOS calls by name."""


def _runs_of_process() -> DurableRuns:
    """The runs of this process. Raises `Interrupted` for a run that is still under way when they are closed already."""
    if not _open_here:
        raise Interrupted("the process was told to stop")
    return _open_here[0]


@DBOS.workflow(name=WORKFLOW, max_recovery_attempts=ATTEMPTS + LAST_ATTEMPTS - 1)
async def _run(data: JsonObject) -> str:
    return await _runs_of_process().carry_out(str(DBOS.workflow_id), data)


@cache
def _adapter_of(returns: Any) -> TypeAdapter[Any]:
    """The serializer of a step's result; cached, because building one costs as much as a statement."""
    return TypeAdapter(returns)


def _read(read: Callable[[Any], T], stored: Any) -> T:
    """Read stored data of a run. While workers are replaced one by one, a newer one may have stored what this one does not know:
    the run is interrupted here, and goes on there."""
    try:
        return read(stored)
    except ValidationError as error:
        if not (where := unknown_part(error)):
            raise
        raise Interrupted(f"a newer Jiritsu has it, this one does not know {where}: another worker goes on") from error


async def durable_step(name: str, effect: Callable[[], Awaitable[T]], returns: type[T]) -> T:
    """A `Step` whose result is stored as JSON, and is the same the first time and in a replay.

    Raises `Interrupted` when the database fails for good: the run is resumed, not ended. A cancelled run lets steps finish that
    make calls, since a call is not undone by cancelling it; all others are cut short.
    """
    result: TypeAdapter[T] = _adapter_of(returns)  # type: ignore[arg-type]  # mypy does not see that a type is hashable
    run_id, durable_runs, made = str(DBOS.workflow_id), _runs_of_process(), list[T]()

    async def recorded() -> object:
        try:
            value = await durable_runs.step(run_id, name, effect)
        except StoreError as error:
            raise Interrupted(str(error)) from error
        if name in AS_MADE:
            made[:] = [value]
            with suppress(PydanticSerializationError):  # half of a surrogate pair, which only Python's JSON can write
                return WrittenJson(result.dump_json(value, fallback=str))
        data = result.dump_python(value, mode="json", fallback=str)
        if name not in AS_MADE:
            made[:] = [result.validate_python(data)]
        return WrittenJson(json.dumps(data).encode())

    try:
        data = await DBOS.run_step_async({"name": name, "preemptible": CALLS.search(name) is None}, recorded)
    except exc.SQLAlchemyError as error:
        raise Interrupted(f"the database cannot be used: {words_of(error)}") from error
    except DBOSException as error:
        if type(error) is not DBOSException:  # the others say what is wrong with the run; this one, that the engine comes or goes
            raise
        raise Interrupted(f"the engine is not running: {error}") from error
    value = made[0] if made else _read(result.validate_python, data)
    if CALLS.search(name):
        durable_runs.note_stored(run_id, value)
    return value
