"""Die at a fault point of a run, start again, and look: nothing lost, nothing doubled silently (after SQLite's own tests).

A few points are tried whenever the tests run; all of them in turn, on both databases, by `pytest -m sweep
tests/sweeps/test_crash_points.py`, or those that fit into `CRASH_MINUTES` for each.
"""

import os
import time
from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import count
from pathlib import Path

import pytest

from tests.requirements import requirement
from tests.support.durable import start
from tests.support.postgres import NEEDED, postgres
from tests.sweeps.findings import check, show
from tests.sweeps.places import Place, databases, files

STRIDE = int(os.environ.get("CRASH_STRIDE", "1"))
"""Every how many points the sweep stops; 1 tries all of them."""

MINUTES = float(os.environ.get("CRASH_MINUTES", "110"))
"""After this no further point is tried; the figures say how many there were, and whether it was all of them."""

WAIT_S = 600.0
"""For what another process does on a busy machine: only a process that is stuck takes so long."""

SAMPLE = (20, 90)
"""Before the model's first answer is kept, and among the writes of a turn."""


@requirement("J4")
def test_a_run_survives_a_crash_at_some_points(tmp_path: Path) -> None:
    where, total = crashes(tmp_path, SAMPLE, files(tmp_path / "jiritsu.db"))
    assert sum(where.values()) == total["runs"] == len(SAMPLE)
    assert not violations(total)


@requirement("J4")
@pytest.mark.sweep
@pytest.mark.timeout(7800)
def test_a_run_on_sqlite_survives_a_crash_at_every_point(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    sweep("SQLite", tmp_path, files(tmp_path / "jiritsu.db"), capsys)


@requirement("J4")
@pytest.mark.sweep
@pytest.mark.postgres
@NEEDED
@pytest.mark.timeout(7800)
def test_a_run_on_postgresql_survives_a_crash_at_every_point(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with postgres() as server:
        sweep("PostgreSQL", tmp_path, databases(server), capsys)


def sweep(title: str, tmp_path: Path, url_of: Place, capsys: pytest.CaptureFixture[str]) -> None:
    """Every point, or every `CRASH_STRIDE`th, while there is time; figures are printed."""
    ended: list[int] = []
    began = time.monotonic()
    where, total = crashes(tmp_path, in_time(began, ended), url_of)
    with capsys.disabled():
        spent = time.monotonic() - began
        show(f"crash points on {title}: {sum(where.values())}{' (the time was up)' if ended else ''}, {spent:.0f} s", total)
    assert sum(where.values()) > 60 // STRIDE or ended
    assert not violations(total)


def in_time(began: float, ended: list[int]) -> Iterator[int]:
    """The numbers of the points; the last one that there was no time for is put into `ended`."""
    for at in count(1, STRIDE):
        if time.monotonic() - began > MINUTES * 60:
            ended.append(at)
            return
        yield at


def crashes(tmp_path: Path, points: Iterable[int], url_of: Place) -> tuple[Counter[str], Counter[str]]:
    """Die at each of the points in turn, until a run is through before it comes to one; where it died, and what was found after."""
    total: Counter[str] = Counter()
    where: Counter[str] = Counter()
    start(url_of(None), str(tmp_path)).join(WAIT_S)  # all tables are made here, once
    for at in points:
        folder = tmp_path / str(at)
        folder.mkdir()
        url = url_of(folder)
        command = (url, str(folder), "--runs", "1", "--tick")
        start(*command, "--crash-at", str(at)).join(WAIT_S)
        if not (folder / "crashed").exists():
            break
        point = (folder / "crashed").read_text()
        where[point] += 1
        again = start(*command)
        again.join(WAIT_S)
        assert again.exitcode == 0, f"point {at}: {point}"
        found = check(url, folder, 1, ticks=1)
        total += found
        total.update({f"{kind} (at {at}: {point})": found[kind] for kind in violations(found)})
    return where, total


def violations(total: Counter[str]) -> list[str]:
    """The promises that were broken."""
    return [kind for kind in total if kind.startswith("violation")]
