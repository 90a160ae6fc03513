"""What the events of simulated runs say agrees with what was true."""

import logging
from collections.abc import Iterator

import pytest

from metrics.autonomy import AutonomyMetrics
from metrics.events import CallFinished
from tests.bench.validity_bench import simulated
from tests.simulation.truth import Labelled, labelled
from tests.simulation.world import FAULTS


@pytest.fixture(autouse=True)
def blocked_loop(unguarded_loop: None) -> None:
    """As in test_simulation."""


@pytest.fixture(scope="module")
def runs() -> Iterator[list[Labelled]]:
    logging.disable(logging.CRITICAL)
    try:
        yield list(labelled(range(30_025, 30_060)))
    finally:
        logging.disable(logging.NOTSET)


def test_a_job_that_had_to_post_is_completed_only_where_the_post_is_there(runs: list[Labelled]) -> None:
    completed = [run for run in runs if run.wanted and run.ending == "completed"]
    assert completed
    assert all(run.met for run in completed)


def test_without_a_fault_in_the_world_no_call_tells_of_one(runs: list[Labelled]) -> None:
    calm = [run for run in runs if not run.faults]
    assert calm
    problems = {event.problem for run in calm for event in run.events if isinstance(event, CallFinished)}
    assert problems <= {"", "unknown_tool", "invalid_arguments", "unreadable", "limit", "simulated"}


def test_every_run_can_be_measured(runs: list[Labelled]) -> None:
    scores = [AutonomyMetrics.measure_autonomy_level(run.events).overall for run in runs]
    assert all(score is None or 0 <= score <= 1 for score in scores)
    assert any(score is not None for score in scores)


def test_the_tables_of_how_well_measures_tell_can_be_printed(runs: list[Labelled], capsys: pytest.CaptureFixture[str]) -> None:
    simulated(runs=12)
    told = capsys.readouterr().out
    assert all(f"| {name} |" in told for name in (*FAULTS, "liar", "ended completed"))
