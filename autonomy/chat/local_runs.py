"""Runs conversations in this process, without the durable engine.

A run whose process died is not executed again, because nobody knows which of its writes happened: its result is `failed`.
"""

import time
from collections.abc import Callable
from dataclasses import dataclass, field

import anyio

from autonomy.agent.loop import Executor
from autonomy.durable.records.run_records import RunRecords
from autonomy.errors import UnknownRun
from autonomy.run_state.run_values import RunRequest, RunResult
from metrics.events import Ending, EventSink, Intervention


@dataclass
class LocalRuns:
    """A `chat.chat_service.RunBackend` without an engine."""

    executor: Executor
    records: RunRecords
    journal: EventSink | None = None
    clock: Callable[[], float] = time.time
    _going: dict[str, tuple[RunRequest, anyio.CancelScope]] = field(default_factory=dict)

    async def run(self, request: RunRequest) -> RunResult:
        """See `RunBackend`."""
        if (known := await self._known_result(request.run_id)) is not None:
            return known
        await self.records.begin(request, self.clock())
        result = self._ended_result(request, "cancelled", "cancelled")
        with anyio.CancelScope() as scope:
            self._going[request.run_id] = request, scope
            try:
                result = await self.executor.execute(request)
            finally:
                del self._going[request.run_id]
        await self.records.end(result)
        return result

    async def cancel(self, run_id: str, *, by: str) -> None:
        """See `RunBackend`."""
        if run_id not in self._going:
            return
        request, scope = self._going[run_id]
        if scope.cancel_called:
            return
        if self.journal is not None:
            at = self.clock()
            order = Intervention(
                run_id=run_id, key=f"cancel-{at:.3f}", at=at, tenant=request.tenant, job=request.job, kind="cancel", by=by
            )
            await self.journal.write([order])
        scope.cancel()

    async def _known_result(self, run_id: str) -> RunResult | None:
        try:
            record = await self.records.get(run_id)
        except UnknownRun:
            return None
        if record.run_id != run_id:
            return None
        return record.result or self._ended_result(
            record.request, "failed", "it was interrupted, and is not begun again by itself"
        )

    def _ended_result(self, request: RunRequest, ending: Ending, reason: str) -> RunResult:
        return RunResult(run_id=request.run_id, job=request.job, ending=ending, reason=reason, started_at=self.clock())
