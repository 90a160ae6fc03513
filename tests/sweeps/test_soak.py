"""Runs over flaky servers for minutes: what the process holds (memory, files, threads, servers) stays as it was.

`SOAK_MINUTES=30 pytest -m sweep tests/sweeps/test_soak.py`; ten minutes unless told otherwise, and `SOAK_WITHOUT=large`
without the servers whose answers are of megabytes.
"""

import json
import os
from collections.abc import Callable
from pathlib import Path
from statistics import median
from typing import Any

import pytest

from tests.requirements import requirement
from tests.support import waiting
from tests.support.durable import forked
from tests.support.soaking import WITHOUT, serve, soak

MINUTES = float(os.environ.get("SOAK_MINUTES", "10"))
SLACK = {"objects": 10_000, "rss_mb": 20.0 if "large" in WITHOUT else 100.0, "fds": 5, "threads": 5, "children": 2}
"""By how much the median of the last quarter may lie above that of the second: the first warms up. What answers of megabytes leave to the
allocator of each thread is no object any more, and not given back."""


@requirement("R1")
@pytest.mark.sweep
@pytest.mark.timeout(7200)
def test_a_process_holds_no_more_after_many_runs_over_flaky_servers(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    server = forked(serve, str(tmp_path))
    assert waiting.until((tmp_path / "url").exists, timeout_s=240)
    worker = forked(soak, str(tmp_path), MINUTES)
    worker.join(MINUTES * 60 + 300)
    server.kill()
    assert worker.exitcode == 0
    samples = [json.loads(line) for line in (tmp_path / "samples.jsonl").read_text().splitlines()]
    with capsys.disabled():
        print(f"\na soak of {MINUTES:g} minutes: {(tmp_path / 'endings.json').read_text()}")  # noqa: T201 - the figures of the sweep
        for sample in samples[:: max(1, len(samples) // 10)] + samples[-1:]:
            print(f"  {sample}")  # noqa: T201
        for what in SLACK:
            print(f"  {what} by quarter: median {by_quarter(samples, what, median)}, most {by_quarter(samples, what, max)}")  # noqa: T201
    for what, slack in SLACK.items():
        _, settled, _, last = by_quarter(samples, what, median)
        assert last <= settled + slack, f"{what}: {settled} to {last}"


def by_quarter(samples: list[dict[str, Any]], what: str, of: Callable[[list[float]], float]) -> list[float]:
    """The median, or the most, of something in each quarter of the time."""
    size = len(samples) // 4
    return [of([sample[what] for sample in samples[at * size : (at + 1) * size]]) for at in range(4)]
