"""The measures against planted truth: each sees the faults it is there for, none sees those that leave no trace, no clean run suffers."""

import pytest

from metrics.autonomy import MEASURES
from metrics.measures import measure
from tests.bench.validity_bench import feedback, graded, planted, runs_by_fault, separation, spearman
from tests.metrics.auc import auc
from tests.metrics.synthetic import CLEAN, FAULTS, faulty
from tests.support.sampling import rows_in_part

SEES = {
    "unknown_tool": "tool_selection_accuracy",
    "wrong_arguments": "tool_selection_accuracy",
    "repeated_calls": "tool_selection_accuracy",
    "irrelevant_calls": "tool_selection_accuracy",
    "refused_call": "tool_selection_accuracy",
    "nothing_called": "tool_selection_accuracy",
    "read_lost": "error_recovery_rate",
    "person_mended": "error_recovery_rate",
    "model_down": "error_recovery_rate",
    "need_skipped": "data_collection_completeness",
    "exhausted": "result_quality",
    "effect_unknown": "result_quality",
    "disliked": "result_quality",
}


@pytest.fixture(scope="module")
def runs() -> dict[str, list[object]]:
    return runs_by_fault(300, 40)  # type: ignore[return-value]


@pytest.mark.parametrize(("fault", "name"), rows_in_part(SEES.items(), every=4))
def test_a_measure_tells_the_runs_with_its_faults_from_clean_ones(runs: dict[str, list[object]], fault: str, name: str) -> None:
    found = separation(runs[CLEAN], runs[fault], name)  # type: ignore[arg-type]
    assert (found.value or 0.0) > 0.95


@pytest.mark.parametrize("fault", [fault for fault in FAULTS if fault.startswith("hidden")])
def test_what_leaves_no_trace_is_seen_by_none(runs: dict[str, list[object]], fault: str) -> None:
    for name in (*MEASURES, "overall"):
        found = separation(runs[CLEAN], runs[fault], name)  # type: ignore[arg-type]
        assert found.low is not None
        assert found.low <= 0.5 <= (found.high or 0.0) + 0.02


def test_clean_runs_with_harmless_noise_score_high(runs: dict[str, list[object]]) -> None:
    assert {run.autonomy.level for run in runs[CLEAN]} == {"high"}  # type: ignore[attr-defined]


def test_the_score_falls_with_each_fault_more() -> None:
    found = [(float(count), measure(events).runs[0].autonomy.overall or 0.0) for count, events in faulty(5, runs=600)]
    means = [sum(score for count, score in found if count == faults) / 100 for faults in range(6)]
    assert means == sorted(means, reverse=True)
    assert spearman(found) < -0.6


def test_the_tables_can_be_printed(capsys: pytest.CaptureFixture[str]) -> None:
    planted(clean_runs=20, per_fault=2)
    graded(runs=12)
    feedback(runs=200)
    out = capsys.readouterr().out
    assert all(f"| {fault} |" in out for fault in FAULTS)
    assert "| always 👍 |" in out


def test_the_area_is_that_of_its_definition() -> None:
    assert auc([1, 2, 3], [0, 0]).value == 1.0
    assert auc([1, 2], [1, 2]).value == 0.5
    assert auc([0, 0.5], [0.5, 1]).value == pytest.approx(0.125)
    assert auc([], [1]).value is None
