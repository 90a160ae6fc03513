"""pass@1, pass@k and pass^k over repeated runs of a task.

pass@k: the chance that at least one of k runs is completed, 1 - C(n-c, k) / C(n, k) (Chen et al. 2021, arXiv 2107.03374).
pass^k: that all k are, C(c, k) / C(n, k) (Yao et al. 2024, tau-bench, arXiv 2406.12045). n runs of a task, c of them completed;
the mean over tasks.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import comb

from metrics import intervals
from metrics.intervals import Estimate
from metrics.measures import Measures
from metrics.run_facts import RunFacts


@dataclass(frozen=True)
class Repeats:
    """The reliability of k runs."""

    k: int
    any_of_k: Estimate
    """pass@k; its n is the number of tasks that were run at least k times."""
    all_of_k: Estimate
    """pass^k."""


def pass_at_k(runs: int, completed: int, k: int) -> float:
    """The chance that at least one of k runs, drawn from these without putting back, was completed; needs 1 ≤ k ≤ runs."""
    return 1 - comb(runs - completed, k) / comb(runs, k)


def pass_hat_k(runs: int, completed: int, k: int) -> float:
    """The chance that all of k runs, drawn from these without putting back, were completed; needs 1 ≤ k ≤ runs."""
    return comb(completed, k) / comb(runs, k)


def repeats(measures: Measures, attempts: Sequence[int]) -> tuple[Repeats, ...]:
    """pass@k and pass^k for each k, over all tasks that were run at least k times and ended; n/a if there is none."""
    counted = tasks(measures).values()
    return tuple(_repeats(k, [(runs, completed) for runs, completed in counted if runs >= k]) for k in attempts)


def _repeats(k: int, counted: Sequence[tuple[int, int]]) -> Repeats:
    return Repeats(
        k,
        intervals.score([pass_at_k(runs, completed, k) for runs, completed in counted]),
        intervals.score([pass_hat_k(runs, completed, k) for runs, completed in counted]),
    )


def tasks(measures: Measures) -> Mapping[tuple[str, str], tuple[int, int]]:
    """Task → how many runs of it ended, and how many of those were completed."""
    found: dict[tuple[str, str], tuple[int, int]] = {}
    for run in measures.runs:
        if run.facts.end is not None:
            ended, completed = found.get(task_of(run.facts), (0, 0))
            found[task_of(run.facts)] = (ended + 1, completed + run.facts.completed)
    return found


def task_of(run: RunFacts) -> tuple[str, str]:
    """The key by which two runs are the same task: the tenant's job; for a goal in one's own words, that goal; else the run
    alone."""
    goal = run.start.goal if run.start else ""
    return run.tenant, run.job or goal or run.run_id
