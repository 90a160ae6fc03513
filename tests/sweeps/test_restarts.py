"""SIGTERM in the middle of every kind of step: a restarted worker ends every run as if nothing had been, and doubles nothing.

One signal catches a crowd of runs, each in the middle of the same kind of step. One run of some is tried whenever the tests run, one of
each with `-m sweep`; many, and rolling restarts of two workers, by `RESTARTS=100 pytest -m sweep tests/sweeps/test_restarts.py` (so many runs caught in
each kind of step), or as many as fit into `RESTART_MINUTES` for each of the four.
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
from tests.support.restarting import ASKING, STEPS, start
from tests.support.sampling import only
from tests.sweeps.findings import check, show
from tests.sweeps.places import Place, databases, files

TIMES = int(os.environ.get("RESTARTS", "100"))
CROWD = int(os.environ.get("RESTART_CROWD", "20"))
"""How many runs stand in the step when the signal comes."""
WANTED = [step for step in STEPS if step in os.environ.get("RESTART_STEPS", ",".join(STEPS)).split(",")]
"""The kinds of step that the sweep tries."""
MINUTES = float(os.environ.get("RESTART_MINUTES", "110"))
"""After this no further round is begun; the figures say how many runs were caught."""
WAIT_S = 600.0
"""For what another process does on a busy machine: only a process that is stuck takes so long."""
HEADINGS = ("SIGTERMs", "runs", "caught in the step", "passed it before", "writes", "lost", "doubled", "unknown")


@requirement("J4", "R1")
@pytest.mark.parametrize("step", only(("after write", "question"), STEPS))
def test_a_worker_told_to_stop_in_the_middle_of_a_step_ends_no_run(tmp_path: Path, step: str) -> None:
    found = restarted(f"sqlite:///{tmp_path / 'jiritsu.db'}", tmp_path, step, workers=1, runs=1, turns=2)
    assert found["SIGTERMs"] == found["runs"] == 1
    assert found["caught in the step"] + found["passed it before"] == 1
    assert not broken(found), found


@requirement("J4", "R1")
@pytest.mark.sweep
@pytest.mark.timeout(7200)
@pytest.mark.parametrize("workers", [1, 2])
def test_every_run_on_sqlite_outlasts_restarts(tmp_path: Path, capsys: pytest.CaptureFixture[str], workers: int) -> None:
    sweep("SQLite", files(tmp_path / "jiritsu.db"), tmp_path, capsys, workers)


@requirement("J4", "R1")
@pytest.mark.sweep
@pytest.mark.postgres
@NEEDED
@pytest.mark.timeout(7200)
@pytest.mark.parametrize("workers", [1, 2])
def test_every_run_on_postgresql_outlasts_restarts(tmp_path: Path, capsys: pytest.CaptureFixture[str], workers: int) -> None:
    with postgres() as server:
        sweep("PostgreSQL", databases(server), tmp_path, capsys, workers)


def sweep(title: str, url_of: Place, tmp_path: Path, capsys: pytest.CaptureFixture[str], workers: int) -> None:
    """Every kind of step, until `RESTARTS` runs were caught in it; figures are printed for each."""
    totals = {step: Counter[str]() for step in WANTED}
    began = time.monotonic()
    start(url_of(None), str(tmp_path), "0", "1", "1", "").join(WAIT_S)  # all tables are made here, once
    while left := [step for step, total in totals.items() if total["caught in the step"] < TIMES]:
        for step in left:
            if time.monotonic() - began > MINUTES * 60:
                break
            folder = tmp_path / f"{step.replace(' ', '_')}-{totals[step]['rounds']}"
            folder.mkdir()
            totals[step] += restarted(url_of(folder), folder, step, workers=workers, runs=CROWD, turns=1) + Counter(rounds=1)
        else:
            continue
        break
    with capsys.disabled():
        for step, total in totals.items():
            figures = ", ".join(f"{what} {total[what]}" for what in HEADINGS)
            print(f"\n{title}, {workers}, {step}: {figures}", end="")  # noqa: T201 - the figures of the sweep
    everything = sum(totals.values(), Counter[str]())
    with capsys.disabled():
        load = os.getloadavg()[0]
        show(f"restarts on {title}, {workers} workers, {time.monotonic() - began:.0f} s, load {load:.0f}", everything)
    assert not {step: wrong for step, total in totals.items() if (wrong := broken(total))}


def restarted(url: str, folder: Path, step: str, *, workers: int, runs: int, turns: int) -> Counter[str]:
    """Stop each worker in turn while its runs stand in the step, and start it again; until all runs have ended."""
    command = (url, str(folder), str(runs), str(-(-runs // workers)), str(turns), step)
    crew = [start(*command) for _ in range(workers)]
    until(lambda: _held(folder) == runs or not all(process.is_alive() for process in crew), f"{step}: not every run came to it")
    assert _held(folder) == runs, f"{step}: a worker has ended"
    stopped = 0
    for number, process in enumerate(crew):
        until(lambda process=process: (folder / f"ready-{process.pid}").exists() or not process.is_alive(), "no start")
        stopped += told_to_stop(process, folder, last=number + 1 == workers)
        crew[number] = start(*command)
        until(lambda process=crew[number]: (folder / f"ready-{process.pid}").exists() or not process.is_alive(), "no start")
    for process in crew:
        process.join(WAIT_S)
        assert process.exitcode == 0, f"{step}: exit code {process.exitcode}"
    found = check(url, folder, runs, ticks=runs if step == "tick" else 0, asking=1 if step in ASKING else 3, turns=turns)
    left = Counter(file.read_text() for file in folder.glob("left-*"))
    return found + Counter(
        {
            "SIGTERMs": stopped,
            "caught in the step": left["caught"],
            "passed it before": left["passed"],
            "writes": found["effects"],
            "lost": found["violation: an effect is lost silently"],
            "doubled": found["violation: an effect is doubled"],
            "unknown": sum(found[kind] for kind in found if kind.endswith("unknown")),
        }
    )


def _held(folder: Path) -> int:
    return len(list(folder.glob("held-*")))


def told_to_stop(process: BaseProcess, folder: Path, *, last: bool) -> int:
    """SIGTERM, and a clean end; how many were still there to be told."""
    process.terminate()
    (folder / f"told-{process.pid}").touch()  # after the signal: who sees it was caught
    if last:
        (folder / "all-told").touch()
    process.join(WAIT_S)
    assert process.exitcode in (0, 130), f"exit code {process.exitcode}"
    return int(process.exitcode == 130)


def broken(found: Counter[str]) -> list[str]:
    """What may not be: beside what may not be after a crash, an outcome that is unknown, and an ending that is another."""
    others = [
        kind for kind in found if found[kind] and ("unknown" in kind or (kind.startswith("run ") and kind != "run completed"))
    ]
    return [*(kind for kind in found if kind.startswith("violation")), *others]


def until(condition, otherwise: str) -> None:  # type: ignore[no-untyped-def]
    """Wait for what another process does."""
    assert waiting.until(condition, timeout_s=WAIT_S), otherwise
