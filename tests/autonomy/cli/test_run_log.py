"""What a service logs of its runs: how each began and ended, under its id; what somebody should look at is a warning."""

import json
import logging
from types import SimpleNamespace

import pytest

from autonomy.cli.process_log import JsonFormatter
from autonomy.cli.reports.run_log import RunLog
from metrics.endings import Ending
from metrics.events import CatalogTaken, RunFinished, RunStarted
from tests.requirements import requirement


@requirement("Y4")
@pytest.mark.parametrize(
    ("ending", "level"), [("completed", "info"), ("cancelled", "info"), ("doubtful", "warning"), ("failed", "warning")]
)
async def test_a_run_of_a_service_is_two_lines_under_its_id(ending: Ending, level: str, caplog: pytest.LogCaptureFixture) -> None:
    class Lines(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            told.append(json.loads(JsonFormatter().format(record)))

    told = list[dict[str, str]]()
    logger = logging.getLogger("autonomy.cli.reports.run_log")
    caplog.set_level("INFO", logger.name)
    logger.addHandler(handler := Lines())
    batch = [
        RunStarted(run_id="r-1", key="1", at=1.0, job="diary", trigger="schedule"),
        CatalogTaken(run_id="r-1", key="2", at=2.0, snapshot_id="s", tools=1, offered=1, freshness="fresh"),
        RunFinished(run_id="r-1", key="3", at=3.0, job="diary", ending=ending, reason="why"),
        RunStarted(run_id="r-2", key="1", at=4.0),
    ]
    try:
        await RunLog().write(batch)
    finally:
        logger.removeHandler(handler)
    assert [(one["level"], one["run_id"], one["message"]) for one in told] == [
        ("info", "r-1", "run r-1 of diary begins (schedule)"),
        (level, "r-1", f"run r-1 of diary: {ending}: why"),
        ("info", "r-2", "run r-2 of a goal begins (cli)"),
    ]


@requirement("Y4")
@pytest.mark.parametrize(
    ("watched", "asked", "level"),
    [
        (True, logging.WARNING, logging.INFO),
        (False, logging.WARNING, logging.WARNING),
        (True, logging.ERROR, logging.ERROR),
        (True, logging.DEBUG, logging.DEBUG),
    ],
)
async def test_a_good_run_is_told_to_a_person_who_watches_and_to_nobody_else(
    watched: bool, asked: int, level: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    logger = logging.getLogger("autonomy.cli.reports.run_log")
    monkeypatch.setattr("sys.stderr", SimpleNamespace(isatty=lambda: watched))
    logger.setLevel(asked)
    try:
        RunLog()
        assert logger.level == level
    finally:
        logger.setLevel(logging.NOTSET)
