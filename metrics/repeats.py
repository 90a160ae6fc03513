"""Computes pass@k and pass^k over repeated runs of a task.

With n runs of a task, c of them completed: pass@k is the probability that at least one of k runs is completed, 1 - C(n-c, k) /
C(n, k) (Chen et al. 2021, arXiv 2107.03374); pass^k that all k are, C(c, k) / C(n, k) (Yao et al. 2024, tau-bench, arXiv
2406.12045). Both are means over tasks.
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
    """The reliability of k runs of a task."""

    k: int
    any_of_k: Estimate
    """pass@k; its n is the number of tasks that were run at least k times."""
    all_of_k: Estimate
    """pass^k."""


def pass_at_k(runs: int, completed: int, k: int) -> float:
    """Return the probability that at least one of k runs, drawn without replacement, was completed; requires 1 ≤ k ≤ runs."""
    return 1 - comb(runs - completed, k) / comb(runs, k)


def pass_hat_k(runs: int, completed: int, k: int) -> float:
    """Return the probability that all of k runs, drawn without replacement, were completed; requires 1 ≤ k ≤ runs."""
    return comb(completed, k) / comb(runs, k)


def repeats(measures: Measures, attempts: Sequence[int]) -> tuple[Repeats, ...]:
    """Compute pass@k and pass^k for each k, over the tasks with at least k ended runs; n/a if there is none."""
    found, ended = [], tasks(measures).values()
    for k in attempts:
        counted = [(runs, completed) for runs, completed in ended if runs >= k]
        any_of_k, all_of_k = (
            intervals.score([chance(runs, completed, k) for runs, completed in counted]) for chance in (pass_at_k, pass_hat_k)
        )
        found.append(Repeats(k, any_of_k, all_of_k))
    return tuple(found)


def tasks(measures: Measures) -> Mapping[tuple[str, str], tuple[int, int]]:
    """Count for each task the runs that ended and could have been completed, and those that were."""
    found: dict[tuple[str, str], tuple[int, int]] = {}
    for run in measures.runs:
        if run.facts.had_goal:
            ended, completed = found.get(task_of(run.facts), (0, 0))
            found[task_of(run.facts)] = (ended + 1, completed + run.facts.completed)
    return found


def task_of(run: RunFacts) -> tuple[str, str]:
    """Return the key that runs of the same task share: the tenant with the job, else with the goal, else with the run's id."""
    goal = run.start.goal if run.start else ""
    return run.tenant, run.job or goal or run.run_id
