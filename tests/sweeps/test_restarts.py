"""SIGTERM in the middle of every kind of step: a restarted worker ends every run as if nothing had been, and doubles nothing.

One of each is tried whenever the tests run; many, and rolling restarts of two workers, by `RESTARTS=100 pytest -m sweep
tests/sweeps/test_restarts.py`, or as many as fit into `RESTART_MINUTES` for each of the four.
"""

import os
import time
from collections import Counter
from multiprocessing.process import BaseProcess
from pathlib import Path

import pytest

from tests.requirements import requirement
from tests.support import waiting
from tests.support.postgres import NEEDED, postgres
from tests.support.restarting import STEPS, start
from tests.sweeps.findings import check, show

TIMES = int(os.environ.get("RESTARTS", "20"))
MINUTES = float(os.environ.get("RESTART_MINUTES", "110"))
"""After this no further round is begun; the figures say how many rounds there were."""
WAIT_S = 600.0
"""For what another process does on a busy machine: only a process that is stuck takes so long."""


@requirement("J4", "R1")
@pytest.mark.parametrize("step", STEPS)
def test_a_worker_told_to_stop_in_the_middle_of_a_step_ends_no_run(tmp_path: Path, step: str) -> None:
    found = restarted(f"sqlite:///{tmp_path / 'jiritsu.db'}", tmp_path, step)
    assert not broken(found), found


@requirement("J4", "R1")
@pytest.mark.sweep
@pytest.mark.timeout(7200)
@pytest.mark.parametrize("workers", [1, 2])
def test_every_run_on_sqlite_outlasts_restarts(tmp_path: Path, capsys: pytest.CaptureFixture[str], workers: int) -> None:
    sweep("SQLite", lambda folder: f"sqlite:///{folder / 'jiritsu.db'}", tmp_path, capsys, workers)


@requirement("J4", "R1")
@pytest.mark.sweep
@pytest.mark.postgres
@NEEDED
@pytest.mark.timeout(7200)
@pytest.mark.parametrize("workers", [1, 2])
def test_every_run_on_postgresql_outlasts_restarts(tmp_path: Path, capsys: pytest.CaptureFixture[str], workers: int) -> None:
    with postgres() as server:
        sweep("PostgreSQL", lambda folder: server.create(f"restarts_{folder.name}"), tmp_path, capsys, workers)


def sweep(title: str, url_of, tmp_path: Path, capsys: pytest.CaptureFixture[str], workers: int) -> None:  # type: ignore[no-untyped-def]
    """Every kind of step, `RESTARTS` times; figures are printed."""
    total: Counter[str] = Counter()
    began = time.monotonic()
    for number in range(TIMES):
        if time.monotonic() - began > MINUTES * 60:
            break
        total["times each step"] += 1
        for step in STEPS:
            folder = tmp_path / f"{step.replace(' ', '_').replace('-', '_')}_{number}"
            folder.mkdir()
            found = restarted(url_of(folder), folder, step, workers=workers, runs=1 if step == "tick" else workers)
            total += found
            total.update({f"{kind} ({step})": found[kind] for kind in broken(found)})
    with capsys.disabled():
        show(f"restarts on {title}, {workers} workers, {time.monotonic() - began:.0f} s", total)
    assert not broken(total)


def restarted(url: str, folder: Path, step: str, *, workers: int = 1, runs: int = 1) -> Counter[str]:
    """Stop whoever comes to the step, in the middle of it, and start it again; with two, then the other one as well."""
    command = (url, str(folder), str(runs), step)
    crew = {process.pid: process for process in (start(*command) for _ in range(workers))}
    until(lambda: (folder / "held").exists() and (folder / "held").read_text(), "the step never came")
    first = int((folder / "held").read_text())
    stopped = 0
    for pid in sorted(crew, key=lambda pid: pid != first):
        until(lambda pid=pid: (folder / f"ready-{pid}").exists() or pid == first or not crew[pid].is_alive(), "no start")
        stopped += told_to_stop(crew.pop(pid))
        (folder / "told").touch()
        process = start(*command)
        crew[process.pid] = process
    for process in crew.values():
        process.join(WAIT_S)
        assert process.exitcode == 0, f"{step}: exit code {process.exitcode}"
    found = check(url, folder, runs, ticks=1 if step == "tick" else 0)
    found["stopped"] = stopped
    return found


def told_to_stop(process: BaseProcess) -> int:
    """SIGTERM, and a clean end; how many were still there to be told."""
    process.terminate()
    process.join(WAIT_S)
    assert process.exitcode in (0, 130), f"exit code {process.exitcode}"
    return int(process.exitcode == 130)


def broken(found: Counter[str]) -> list[str]:
    """What may not be: beside what may not be after a crash, an outcome that is unknown, and an ending that is another."""
    others = [kind for kind in found if "unknown" in kind or (kind.startswith("run ") and kind != "run completed")]
    return [*(kind for kind in found if kind.startswith("violation")), *others]


def until(condition, otherwise: str) -> None:  # type: ignore[no-untyped-def]
    """Wait for what another process does."""
    assert waiting.until(condition, timeout_s=WAIT_S), otherwise
