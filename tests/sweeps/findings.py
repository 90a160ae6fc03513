"""What must hold after any crash, and the count of what was seen."""

import json
import sys
from collections import Counter
from pathlib import Path

import anyio.to_thread

from autonomy.database import open_engine
from autonomy.durable.memory.sql_ledger import SqlLedger
from autonomy.durable.scheduling.schedules import Schedules
from autonomy.durable.store import Store
from metrics.journal import Journal


def check(url: str, folder: Path, runs: int, ticks: int = 0, asking: int = 3, turns: int = 2) -> Counter[str]:
    """Look at the receiver, the ledger, the records and the journal; a broken promise is counted as `violation: …`.

    `asking`: of so many runs one made the write that a person is asked about. `turns`: of each run.
    """
    return anyio.run(_check, url, folder, runs, ticks, asking, turns)


def show(title: str, total: Counter[str]) -> None:
    """The figures of a sweep, on the terminal."""
    sys.stdout.write(f"\n{title}\n" + "".join(f"  {kind}: {times}\n" for kind, times in sorted(total.items())))


async def _check(url: str, folder: Path, runs: int, ticks: int, asking: int, turns: int) -> Counter[str]:
    engine = await anyio.to_thread.run_sync(open_engine, url)
    seen: Counter[str] = Counter()
    try:
        ledger = {}
        for number in range(runs):
            for effect in await SqlLedger(Store(engine)).of_run(f"run-{number}"):
                ledger[effect.key] = effect
        for number in range(runs):
            mine = {key: one for key, one in ledger.items() if one.run_id == f"run-{number}"}
            _count_run(seen, folder, f"run-{number}", mine, turns, asks=number % asking == 0)
        done = json.loads((folder / "done.json").read_text())["runs"]
        seen["runs"] = len(done)
        if len(done) != runs:
            seen["violation: a run is lost"] += 1
        seen.update(f"run {state}" for state in done.values())
        schedules = Schedules(Store(engine))
        handled = [tick for job in ("run", *done) for tick in await schedules.history(job)]
        seen["ticks"] = len(handled)
        if len(handled) != ticks or await schedules.to_start():
            seen["violation: a tick is not handled once"] += 1
        verified = await Journal(engine).verify()
        if verified.findings:
            seen["violation: the journal's chain is broken"] += 1
        for number in range(runs):
            kinds = [event.type for event in await Journal(engine).read(run_id=f"run-{number}")]
            if kinds.count("run_started") != 1 or kinds.count("run_finished") != 1:
                seen["violation: a run is not told once"] += 1
    finally:
        await anyio.to_thread.run_sync(engine.dispose)
    return seen


def _count_run(seen: Counter[str], folder: Path, run_id: str, ledger: dict[str, object], turns: int, *, asks: bool) -> None:
    planned = {(kind, turn) for kind in ("note", "post") for turn in range(1, turns + 1)}
    if asks:
        planned.add(("risky", 1))
    for kind, turn in planned:
        times = _lines(folder, kind).count(f"{run_id}/{turn}")
        keys = [key for key, effect in ledger.items() if f"/turn-{turn}/" in key and getattr(effect, "tool", "") == f"box_{kind}"]
        state = getattr(ledger[keys[0]], "state", "") if keys else "none"
        seen["effects"] += 1
        seen[f"{kind}: {times} times, {state}"] += 1
        if times > 1:
            seen["violation: an effect is doubled"] += 1
        if times == 0 and state != "unknown":
            seen["violation: an effect is lost silently"] += 1
        if times == 1 and state not in ("done", "unknown"):
            seen["violation: an effect is not in the ledger"] += 1
        if kind in ("post", "note") and (times != 1 or state != "done"):
            seen["violation: an effect that may be repeated, or looked up, is not done once"] += 1


def _lines(folder: Path, kind: str) -> list[str]:
    file = folder / f"{kind}.txt"
    return file.read_text().split() if file.exists() else []
