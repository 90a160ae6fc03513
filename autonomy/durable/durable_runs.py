"""Runs as workflows: the same executor, with steps that are remembered (J4).

Called by `app`, which opens it around everything else that runs; calls `execution.executor`. `DurableRuns` runs; orders from outside
(enqueue, cancel, pause, resume, retry) are in `durable.orders` and need no running engine.
"""

import logging
import re
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import TypeVar

import anyio
import sqlalchemy as sa
from dbos import DBOS, SetWorkflowID
from pydantic import TypeAdapter
from sqlalchemy import exc

from autonomy.agent.loop import Executor
from autonomy.durable.engine import ConcurrencyLimits, Liveness, launched, new_executor_id
from autonomy.durable.run_records import RunRecords
from autonomy.durable.store import words_of
from autonomy.errors import RunConflict, StoreError
from autonomy.run_state.context import RunRequest, RunResult
from autonomy.run_state.step import Interrupted
from discovery.catalog import JsonObject

T = TypeVar("T")

WORKFLOW = "jiritsu.run"
ATTEMPTS = 50
"""How often a run may be taken up again before it counts as the one that kills its process."""

_CALL = re.compile(r"/call-\d+$")
"""Steps that a cancelled run lets finish, because what they do is not undone by looking away; all others are cut short."""

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
    lanes: ConcurrencyLimits = ConcurrencyLimits(),  # noqa: B008 - frozen
    watch: Liveness = Liveness(),  # noqa: B008 - frozen
    clock: Callable[[], float] = time.time,
) -> AsyncIterator["DurableRuns"]:
    """Start the engine. When left, running calls may finish for a while, and what is unfinished waits to be taken up again.

    One at a time in a process. Raises `RunConflict` when `executor_id` is taken, `StoreError` when the database cannot be used.
    """
    runs = DurableRuns(executor, records, clock)
    if _here:
        raise RunConflict("the engine is already running in this process")
    _here.append(runs)
    name = executor_id or new_executor_id()
    try:
        async with launched(engine, name, keys=keys, lanes=lanes, watch=watch, takes_work=takes_work, keeper=runs):
            yield runs
    finally:
        _here.clear()


@dataclass
class DurableRuns:
    """The runs of this process."""

    executor: Executor
    records: RunRecords
    clock: Callable[[], float]
    interrupted: tuple[str, ...] = ()
    """When closed: the runs that were stopped where they stood, and go on when they are taken up again."""
    _going: dict[str, anyio.CancelScope] = field(default_factory=dict)
    _left: anyio.Event = field(default_factory=anyio.Event)

    async def run(self, request: RunRequest) -> RunResult:
        """Run in this process, and wait for the end. A run of that id that has ended before is not run again.

        Raises `StoreError` when the database failed for good: the run can be taken up again.
        """
        with SetWorkflowID(request.run_id):
            handle = await DBOS.start_workflow_async(_run, request.model_dump(mode="json"))
        try:
            await handle.get_result()
        except Interrupted as error:
            raise StoreError(f"run {request.run_id} was interrupted, `jiritsu runs resume` goes on: {error}") from error
        return await self.ended(request.run_id)

    async def ended(self, run_id: str, *, poll_s: float = 0.1) -> RunResult:
        """Wait until a run has ended, wherever it runs."""
        while True:
            record = await self.records.get(run_id)
            if record.result is not None and record.ended_at is not None:
                return record.result
            await anyio.sleep(poll_s)

    async def carry_out(self, run_id: str, data: JsonObject) -> str:
        """The body of the workflow, played from the top after each crash; gives the ending."""
        with anyio.CancelScope() as scope:
            self._going[run_id] = scope
            try:
                return await self._work(run_id, data)
            except StoreError as error:
                raise Interrupted(str(error)) from error
            finally:
                if self._going.get(run_id) is scope:
                    del self._going[run_id]
                self._left.set()
                self._left = anyio.Event()
        raise Interrupted("the process was told to stop")

    def going(self) -> frozenset[str]:
        """See `Drainable`."""
        return frozenset(self._going)

    async def give_up(self, run_ids: Sequence[str]) -> None:
        """See `Drainable`: such a run may be what kills its process. It has failed, and says so."""
        for run_id in run_ids:
            reason = f"it was taken up {ATTEMPTS} times and never came to its end"
            log.error("run %s is left alone: %s", run_id, reason)
            await self.records.end(RunResult(run_id=run_id, ending="failed", reason=reason, started_at=self.clock()))

    async def drain(self, grace_s: float) -> None:
        """Let what runs finish for a while, then interrupt it where it stands."""
        with anyio.move_on_after(grace_s):
            await self._until_idle()
        self.interrupted = tuple(self._going)
        for scope in list(self._going.values()):
            scope.cancel()
        with anyio.move_on_after(5):
            await self._until_idle()

    async def _until_idle(self) -> None:
        while self._going:
            await self._left.wait()

    async def _work(self, run_id: str, data: JsonObject) -> str:
        try:
            request = RunRequest.model_validate({**data, "run_id": run_id})
            await self.records.take_up(request, self.clock())
            result = await self.executor.execute(request, durable)
            await self.records.end(result)
        except StoreError:
            raise
        except Exception as error:
            log.exception("run %s failed outside of its loop", run_id)
            result = RunResult(run_id=run_id, ending="failed", reason=f"{type(error).__name__}: {error}", started_at=self.clock())
            await self.records.end(result)
        return result.ending


_here: list[DurableRuns] = []
"""The runs of this process, for the workflow function, which DBOS calls by name."""


@DBOS.workflow(name=WORKFLOW, max_recovery_attempts=ATTEMPTS)
async def _run(data: JsonObject) -> str:
    return await _here[0].carry_out(str(DBOS.workflow_id), data)


async def durable(name: str, effect: Callable[[], Awaitable[T]], returns: type[T]) -> T:
    """A `Step` that is remembered: its result is data, the same the first time and when the run is played again.

    A database that fails for good interrupts the run rather than ending it.
    """
    result: TypeAdapter[T] = TypeAdapter(returns)

    async def recorded() -> object:
        try:
            return result.dump_python(await effect(), mode="json", fallback=str)
        except StoreError as error:
            raise Interrupted(str(error)) from error

    try:
        data = await DBOS.run_step_async({"name": name, "preemptible": _CALL.search(name) is None}, recorded)
    except exc.SQLAlchemyError as error:
        raise Interrupted(f"the database cannot be used: {words_of(error)}") from error
    return result.validate_python(data)
