"""Intervals: known values, honesty with few or equal values, and coverage against simulated truth."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from metrics.intervals import Estimate, difference, mean, quantile, rate, ratio, score, wilson
from tests.support.sampling import rows_in_part

shares = st.floats(0, 1)


@pytest.mark.parametrize(
    ("successes", "n", "low", "high"),
    [(0, 10, 0.0, 0.2775), (5, 10, 0.2366, 0.7634), (10, 10, 0.7225, 1.0), (81, 263, 0.2553, 0.3662)],
)
def test_wilson_gives_the_published_values(successes: int, n: int, low: float, high: float) -> None:
    """Newcombe 1998, table I (81/263), and the textbook values for ten trials."""
    assert wilson(successes / n, n) == (pytest.approx(low, abs=1e-4), pytest.approx(high, abs=1e-4))


def test_newcombes_difference_gives_the_published_value() -> None:
    """Newcombe 1998, table II, method 10, contrast (a): 56/70 - 48/80."""
    found = difference(rate([True] * 56 + [False] * 14), rate([True] * 48 + [False] * 32))
    assert (found.value, found.low, found.high) == (
        pytest.approx(0.2),
        pytest.approx(0.0524, abs=1e-4),
        pytest.approx(0.3339, abs=1e-4),
    )


def test_nothing_measured_is_no_number() -> None:
    for empty in (rate([]), score([]), mean([]), ratio([]), ratio([(0.0, 0.0)])):
        assert empty == Estimate()
    assert difference(rate([True]), Estimate()) == Estimate()


def test_equal_values_are_not_certain() -> None:
    assert score([1.0] * 50).low == pytest.approx(wilson(1.0, 50)[0])
    assert ratio([(3, 3)] * 20, bounded=True).low == pytest.approx(wilson(1.0, 20)[0])


def test_a_single_value_has_no_interval() -> None:
    assert mean([3.0]) == Estimate(3.0, None, None, 1)


@given(st.lists(shares, min_size=1, max_size=150))
def test_a_score_lies_in_its_interval_and_both_in_the_unit_range(values: list[float]) -> None:
    found = score(values)
    assert found.value is not None
    assert found.low is not None
    assert found.high is not None
    assert -1e-9 <= found.low <= found.value + 1e-9
    assert found.value <= found.high + 1e-9 <= 1 + 2e-9


@given(st.lists(st.tuples(shares, st.floats(0.5, 9)), min_size=2, max_size=40), st.integers(0, 999))
def test_the_order_of_runs_changes_nothing(pairs: list[tuple[float, float]], seed: int) -> None:
    shuffled = list(pairs)
    random.Random(seed).shuffle(shuffled)
    assert ratio(shuffled) == ratio(pairs)


@pytest.mark.parametrize(
    ("n", "trials"),
    rows_in_part([(6, 400), (25, 400), (40, 100), (150, 400)], every=2),
)
def test_ninety_five_in_a_hundred_intervals_hold_the_truth(n: int, trials: int) -> None:
    """Scores that are 1 for seven runs in ten and uniform below for the rest: their mean is 0.85."""
    rng = random.Random(4)
    held = 0
    for _ in range(trials):
        found = score([1.0 if rng.random() < 0.7 else rng.random() for _ in range(n)])
        held += (found.low or 0.0) <= 0.85 <= (found.high or 0.0)
    assert held / trials > 0.92


def test_quantiles_are_values_of_the_sample() -> None:
    assert [quantile([1.0, 2.0, 3.0, 4.0], share) for share in (0.0, 0.5, 0.95)] == [1.0, 2.0, 4.0]
    assert quantile([], 0.5) is None


@pytest.mark.parametrize("count", [1, 3, 200])
def test_counts_that_are_all_alike_have_no_interval_rather_than_one_without_width(count: int) -> None:
    assert mean([2.0] * count) == Estimate(2.0, None, None, count)
