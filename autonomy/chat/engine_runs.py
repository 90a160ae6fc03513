"""Runs conversations on the durable engine, so that they survive this process.

`DurableRuns.run` and `RunControl.cancel`, as `chat.chat_service.RunBackend`.
"""

import logging
from contextlib import suppress
from dataclasses import dataclass

import anyio

from autonomy.durable.durable_runs import DurableRuns
from autonomy.durable.run_control import RunControl
from autonomy.errors import RunError, StoreError
from autonomy.run_state.run_values import RunRequest, RunResult

ORDER_S = 10.0
"""How long an order takes to be written down, at the most: it is so only after the engine has stopped the run."""

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class EngineRuns:
    """A `chat.chat_service.RunBackend` on the engine."""

    engine: DurableRuns
    orders: RunControl

    async def run(self, request: RunRequest) -> RunResult:
        """See `RunBackend`. Raises `StoreError` when the database failed for good: the run can be taken up again."""
        try:
            return await self.engine.run(request)
        except StoreError:
            raise
        except Exception as error:  # the engine's own words for a run that was cancelled or paused by order
            record = await self.engine.records.get(request.run_id)
            with anyio.move_on_after(ORDER_S):
                while record.result is None and record.state != "paused":
                    await anyio.sleep(0.1)
                    record = await self.engine.records.get(request.run_id)
            if record.result is None and record.state != "paused":
                raise
            log.info("run %s was stopped by order: %s", request.run_id, error)
            return await self.engine.ended(request.run_id)

    async def cancel(self, run_id: str, *, by: str) -> None:
        """See `RunBackend`."""
        with suppress(RunError):  # it has ended, or was never begun
            await self.orders.cancel(run_id, by=by)
