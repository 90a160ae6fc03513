"""Summarises earlier runs: totals, recent success rate, average steps, last run.

Pure, over the events that close a run; asked by `ai_tool_executor`.
"""

from collections import deque
from collections.abc import Callable, Collection, Iterable, Iterator
from typing import Protocol, TypeVar

from discovery.catalog import Frozen
from metrics.events import Ending, RunEvent, RunFinished

T = TypeVar("T")

RECENT = 10
"""How many of the last runs the rate and the average speak of."""


class PastRun(Frozen):
    """The ending of one run."""

    run_id: str
    job: str = ""
    ended_at: float
    """Seconds since the epoch."""
    steps: int
    ending: Ending
    reason: str = ""

    @property
    def success(self) -> bool:
        """Only the judge's `completed` is one."""
        return self.ending == "completed"


class ExecutionStats(Frozen):
    """The history in a few figures; None where there is nothing to say, which is not 0."""

    total_executions: int = 0
    recent_success_rate: float | None = None
    average_steps: float | None = None
    last_execution: PastRun | None = None


class RunHistory(Protocol):
    """Something that remembers events, such as `metrics.journal.Journal`."""

    async def scan(self, consume: Callable[[Iterator[RunEvent]], T], *, types: Collection[str] | None = None) -> T:
        """Hand the events of these types to `consume`, oldest first."""
        ...


def stats_of(events: Iterable[RunEvent]) -> ExecutionStats:
    """The figures of a log, whatever else stands in it; rehearsals are no history."""
    finished = (event for event in events if isinstance(event, RunFinished) and event.ending != "simulated")
    return stats(
        PastRun(run_id=end.run_id, job=end.job, ended_at=end.at, steps=end.turns, ending=end.ending, reason=end.reason)
        for end in finished
    )


def stats(runs: Iterable[PastRun]) -> ExecutionStats:
    """The figures of some runs, oldest first."""
    total, recent = 0, deque[PastRun](maxlen=RECENT)
    for run in runs:
        total += 1
        recent.append(run)
    if not recent:
        return ExecutionStats()
    return ExecutionStats(
        total_executions=total,
        recent_success_rate=sum(run.success for run in recent) / len(recent),
        average_steps=sum(run.steps for run in recent) / len(recent),
        last_execution=recent[-1],
    )
