"""pass@k and pass^k: against brute force, known values, and over runs."""

from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from metrics.measures import measure
from metrics.repeats import pass_at_k, pass_hat_k, repeats
from tests.metrics.story import Story


@given(st.lists(st.booleans(), min_size=1, max_size=9), st.data())
def test_the_estimators_are_the_mean_over_all_draws(outcomes: list[bool], data: st.DataObject) -> None:
    k = data.draw(st.integers(1, len(outcomes)))
    drawn = list(combinations(outcomes, k))
    n, c = len(outcomes), sum(outcomes)
    assert pass_at_k(n, c, k) == pytest.approx(sum(map(any, drawn)) / len(drawn))
    assert pass_hat_k(n, c, k) == pytest.approx(sum(map(all, drawn)) / len(drawn))


def test_known_values() -> None:
    assert pass_at_k(10, 3, 5) == pytest.approx(1 - 21 / 252)
    assert pass_hat_k(8, 6, 4) == pytest.approx(15 / 70)


def runs(job: str, *endings: str, goal: str = "") -> list[object]:
    stories = [
        Story(f"{job}{goal}-{n}", job=job).start(goal_sha256=goal).turn().finish(ending) for n, ending in enumerate(endings)
    ]
    return [event for story in stories for event in story.events]


def test_runs_of_one_job_or_one_goal_are_one_task() -> None:
    events = [
        *runs("diary", "completed", "failed"),
        *runs("", "completed", "completed", "completed", goal="abc"),
        *runs("hr", "blocked"),
    ]
    measures = measure(events)  # type: ignore[arg-type]
    once, twice, thrice = repeats(measures, (1, 2, 3))
    assert (once.any_of_k.value, once.any_of_k.n) == (pytest.approx((0.5 + 1 + 0) / 3), 3)
    assert once.any_of_k == once.all_of_k
    assert (twice.any_of_k.value, twice.all_of_k.value, twice.all_of_k.n) == (1.0, 0.5, 2)
    assert (thrice.all_of_k.value, thrice.all_of_k.n) == (1.0, 1)


def test_too_few_runs_are_not_applicable() -> None:
    assert repeats(measure(runs("diary", "completed")), (2,))[0].any_of_k.value is None  # type: ignore[arg-type]
