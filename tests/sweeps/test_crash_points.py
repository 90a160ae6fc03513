"""Die at every fault point of a run in turn, start again, and look: nothing lost, nothing doubled silently (after SQLite's own tests)."""

import os
from collections import Counter
from pathlib import Path

import pytest

from tests.requirements import requirement
from tests.support.durable import start
from tests.sweeps.findings import check, show

STRIDE = int(os.environ.get("CRASH_STRIDE", "1"))
"""Every how many points; 1 tries all of them."""


@requirement("J4")
@pytest.mark.sweep
@pytest.mark.timeout(3600)
def test_a_run_survives_a_crash_at_every_point(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    total: Counter[str] = Counter()
    where: Counter[str] = Counter()
    for at in range(1, 1000, STRIDE):
        folder = tmp_path / str(at)
        folder.mkdir()
        url = f"sqlite:///{folder / 'jiritsu.db'}"
        command = (url, str(folder), "--runs", "1", "--tick")
        start(*command, "--crash-at", str(at)).join(60)
        if not (folder / "crashed").exists():
            break
        where[(folder / "crashed").read_text()] += 1
        again = start(*command)
        again.join(60)
        assert again.exitcode == 0, f"point {at}: {(folder / 'crashed').read_text()}"
        found = check(url, folder, 1, ticks=1)
        for kind in [kind for kind in found if kind.startswith("violation")]:
            total[f"{kind} (at {at}: {(folder / 'crashed').read_text()})"] += found[kind]
        total += found
    with capsys.disabled():
        show(f"crash points: {sum(where.values())}", total)
    assert sum(where.values()) > 60 // STRIDE
    assert not [kind for kind in total if kind.startswith("violation")]
