"""Die at a fault point of a run, start again, and look: nothing lost, nothing doubled silently (after SQLite's own tests).

A few points are tried whenever the tests run; all of them in turn by `pytest -m sweep tests/sweeps/test_crash_points.py`.
"""

import os
import shutil
from collections import Counter
from collections.abc import Iterable
from itertools import count
from pathlib import Path

import pytest

from tests.requirements import requirement
from tests.support.durable import start
from tests.sweeps.findings import check, show

STRIDE = int(os.environ.get("CRASH_STRIDE", "1"))
"""Every how many points the sweep stops; 1 tries all of them."""

SAMPLE = (20, 55, 90, 125)
"""Before the model's first answer is kept, among the writes of a turn, and late in the run."""


@requirement("J4")
def test_a_run_survives_a_crash_at_some_points(tmp_path: Path) -> None:
    where, total = crashes(tmp_path, SAMPLE)
    assert sum(where.values()) == total["runs"] == len(SAMPLE)
    assert not violations(total)


@requirement("J4")
@pytest.mark.sweep
@pytest.mark.timeout(3600)
def test_a_run_survives_a_crash_at_every_point(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    where, total = crashes(tmp_path, count(1, STRIDE))
    with capsys.disabled():
        show(f"crash points: {sum(where.values())}", total)
    assert sum(where.values()) > 60 // STRIDE
    assert not violations(total)


def crashes(tmp_path: Path, points: Iterable[int]) -> tuple[Counter[str], Counter[str]]:
    """Die at each of the points in turn, until a run is through before it comes to one; where it died, and what was found after."""
    total: Counter[str] = Counter()
    where: Counter[str] = Counter()
    empty = tmp_path / "jiritsu.db"
    start(f"sqlite:///{empty}", str(tmp_path)).join(60)  # all tables are made here, once
    for at in points:
        folder = tmp_path / str(at)
        folder.mkdir()
        shutil.copy(empty, folder)
        url = f"sqlite:///{folder / empty.name}"
        command = (url, str(folder), "--runs", "1", "--tick")
        start(*command, "--crash-at", str(at)).join(60)
        if not (folder / "crashed").exists():
            break
        point = (folder / "crashed").read_text()
        where[point] += 1
        again = start(*command)
        again.join(60)
        assert again.exitcode == 0, f"point {at}: {point}"
        found = check(url, folder, 1, ticks=1)
        total += found
        total.update({f"{kind} (at {at}: {point})": found[kind] for kind in violations(found)})
    return where, total


def violations(total: Counter[str]) -> list[str]:
    """The promises that were broken."""
    return [kind for kind in total if kind.startswith("violation")]
