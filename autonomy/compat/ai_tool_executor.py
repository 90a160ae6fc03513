"""`AIToolExecutor`: a façade over the executor, the gateway and the journal."""

import uuid
from collections.abc import Sequence

from autonomy.agent.loop import Executor
from autonomy.compat.run_history import ExecutionStats, PastRun, RunHistory, stats, stats_of
from autonomy.llm.model import Task
from autonomy.run_state.limits import Limits
from autonomy.run_state.run_values import RunRequest, RunResult
from discovery.catalog import JsonObject
from discovery.search.fallback_tools import FallbackTool


class AIToolExecutor:
    """Reaches goals with tools that the model chooses.

    With a `history`, such as the journal the executor writes to, the statistics cover every run it knows and survive restarts;
    without one they cover the runs of this object.
    """

    def __init__(self, executor: Executor, history: RunHistory | None = None) -> None:
        self._executor, self._history = executor, history
        self._own: list[PastRun] = []

    async def execute_with_ai_guidance(
        self, prompt: str, *, max_steps: int = 10, timeout_s: float = 300.0, allowed_tools: Sequence[str] = ("*",)
    ) -> RunResult:
        """Work on a goal. `allowed_tools` are globs of full names. Raises nothing but cancellation: see `RunResult.ending`."""
        limits = Limits(turns=max_steps, wall_s=timeout_s)
        request = RunRequest(
            run_id=uuid.uuid4().hex, task=Task(goal=prompt), tools=tuple(allowed_tools), limits=limits, trigger="api"
        )
        result = await self._executor.execute(request)
        self._own.append(
            PastRun(
                run_id=result.run_id,
                ended_at=result.started_at + result.duration_s,
                steps=result.turns,
                ending=result.ending,
                reason=result.reason,
            )
        )
        return result

    async def find_alternative_tools(self, failed_tool: str, arguments: JsonObject | None = None) -> tuple[FallbackTool, ...]:
        """The tools that could replace a tool, with its arguments mapped, best first; nothing for an unknown one."""
        gateway = self._executor.services.gateway
        catalog = await gateway.catalog()
        spec = catalog.get(failed_tool)
        return gateway.advisor.substitutes(catalog, spec, arguments or {}) if spec is not None else ()

    async def get_execution_stats(self) -> ExecutionStats:
        """Totals, the success rate and average steps of the last ten runs, and the last one."""
        if self._history is None:
            return stats(self._own)
        return await self._history.scan(stats_of, types=("run_finished",))
