"""kill -9 at random moments, over and over, until all runs have ended: on SQLite and on PostgreSQL, which is crashed as well."""

import os
import random
import time
from collections import Counter
from collections.abc import Callable
from multiprocessing.process import BaseProcess
from pathlib import Path

import pytest

from tests.requirements import requirement
from tests.support.durable import start
from tests.support.postgres import NEEDED, postgres
from tests.sweeps.findings import check, show

RUNS = 12


def rounds(
    kills: int, place: Callable[[int], tuple[str, Path]], capsys: pytest.CaptureFixture[str], title: str, workers: int = 1
) -> None:
    """Rounds of runs, each under fire until it is done, until there were `kills`."""
    total: Counter[str] = Counter()
    chance = random.Random(20261122)
    started, number = time.monotonic(), 0
    while total["kills"] < kills:
        number += 1
        url, folder = place(number)
        total["kills"] += under_fire(url, folder, chance, workers)
        found = check(url, folder, RUNS)
        total += found
    with capsys.disabled():
        show(f"{title}: {number} rounds of {RUNS} runs in {time.monotonic() - started:.0f} s", total)
    assert not [kind for kind in total if kind.startswith("violation")]


def under_fire(url: str, folder: Path, chance: random.Random, workers: int) -> int:
    """Kill the workers at random until the runs are done; how often. The time between grows, so that it comes to an end."""
    command = (url, str(folder), "--runs", str(RUNS), "--delay-s", "0.15")
    kills = 0
    crew: list[BaseProcess] = []
    deadline = time.monotonic() + 900  # on a machine that others use each life takes seconds to begin
    while not (folder / "done.json").exists():
        assert time.monotonic() < deadline, "the runs do not come to an end"
        while len(crew) < workers:
            crew.append(start(*command))
        victim = chance.choice(crew)
        for _ in range(600):  # start-up is not what is tried
            if (folder / f"ready-{victim.pid}").exists() or not victim.is_alive():
                break
            time.sleep(0.05)
        time.sleep(chance.uniform(0.05, 0.9) + 0.02 * kills)
        if victim.is_alive():
            victim.kill()
            kills += 1
        victim.join()
        crew.remove(victim)
    for worker in crew:
        worker.kill()
        worker.join()
    return kills


@requirement("J4")
@pytest.mark.sweep
@pytest.mark.timeout(3600)
def test_runs_on_sqlite_survive_being_killed_at_random(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    def place(number: int) -> tuple[str, Path]:
        folder = tmp_path / str(number)
        folder.mkdir()
        return f"sqlite:///{folder / 'jiritsu.db'}", folder

    rounds(int(os.environ.get("KILLS", "200")), place, capsys, "kill -9 on SQLite")


@requirement("J4")
@pytest.mark.sweep
@pytest.mark.postgres
@NEEDED
@pytest.mark.timeout(3600)
def test_runs_on_postgresql_survive_being_killed_at_random_with_two_workers(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with postgres() as server:

        def place(number: int) -> tuple[str, Path]:
            folder = tmp_path / str(number)
            folder.mkdir()
            return server.create(f"chaos_{number}"), folder

        rounds(int(os.environ.get("KILLS", "100")), place, capsys, "kill -9 on PostgreSQL, two workers", workers=2)
