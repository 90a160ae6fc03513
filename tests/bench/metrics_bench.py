"""A million events, written to a journal and reported on: how long, and how much memory. Run: `python tests/bench/metrics_bench.py [EVENTS]`.

The report is made in a process of its own, so that its memory is its own; the target is 10 s and 300 MB on two cores.
"""

import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from zoneinfo import ZoneInfo

import anyio
import sqlalchemy as sa

sys.path.insert(0, str(Path(__file__).parents[2]))

from metrics import hash_chain, metrics_tables
from metrics.events import EVENT, RunEvent
from metrics.journal import Journal
from metrics.measures import measure
from metrics.reporting.report_data import read_report
from metrics.reporting.report_html import render_report
from tests.metrics.story import MONDAY
from tests.metrics.synthetic import DAY_S, period

DAYS = 28


def events(count: int) -> Iterator[RunEvent]:
    """About `count` events over four weeks."""
    per_run = 22
    yield from period(5, days=DAYS, runs_per_day=max(count // per_run // DAYS, 1))


def write(database: str, count: int) -> int:
    """Fill a journal through its own `write`, in batches of a run or so; how many events."""
    engine = sa.create_engine(f"sqlite:///{database}")
    metrics_tables.metadata.create_all(engine)
    journal, written, batch = Journal(engine, key=b"bench"), 0, list[RunEvent]()

    async def fill() -> None:
        nonlocal written
        for event in events(count):
            batch.append(event)
            if len(batch) == 5000:
                await journal.write(batch)
                written += len(batch)
                batch.clear()
        await journal.write(batch)
        written += len(batch)

    anyio.run(fill)
    engine.dispose()
    return written


def report(database: str) -> dict[str, float]:
    """What `jiritsu report --html` does, timed in its parts."""
    engine = sa.create_engine(f"sqlite:///{database}")
    journal = Journal(engine, key=b"bench")
    since, until = MONDAY, MONDAY + DAYS * DAY_S
    times = {"start": time.perf_counter()}

    async def read() -> object:
        return await read_report(journal, since=since, until=until, made_at=until, tz=ZoneInfo("Asia/Tokyo"), pictures=6)

    found = anyio.run(read)
    times["read_report_s"] = time.perf_counter() - times.pop("start")
    began = time.perf_counter()
    page = render_report(found)  # type: ignore[arg-type]
    times["html_s"] = time.perf_counter() - began
    times["cpu_s"] = time.process_time()
    times["peak_mb"] = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return {**times, "html_kb": len(page) / 1024, "runs": found.runs}  # type: ignore[attr-defined]


def floor(database: str) -> dict[str, float]:
    """The least anyone must do: fetch every body and parse it, keeping nothing; and the chain's own check."""
    engine = sa.create_engine(f"sqlite:///{database}")
    began, count = time.perf_counter(), 0
    with engine.connect() as connection:
        for body in connection.execution_options(yield_per=2000).execute(sa.select(metrics_tables.events.c.body)).scalars():
            EVENT.validate_json(body)
            count += 1
    parsed, cpu_s = time.perf_counter() - began, time.process_time()
    began = time.perf_counter()
    checked = anyio.run(Journal(engine, key=b"bench").verify)
    assert checked.intact, checked.findings[:3]
    assert isinstance(checked, hash_chain.Verification)
    return {"fetch_and_parse_s": parsed, "cpu_s": cpu_s, "events": count, "verify_s": time.perf_counter() - began}


def main(count: int) -> None:
    """Write, then measure in fresh processes."""
    with tempfile.TemporaryDirectory() as folder:
        database = os.path.join(folder, "bench.db")  # noqa: PTH118 - a plain string is what the child takes
        began = time.perf_counter()
        written = write(database, count)
        size = Path(database).stat().st_size / 2**20
        print(f"written: {written} events in {time.perf_counter() - began:.1f} s, {size:.0f} MB")  # noqa: T201 - a bench prints
        for part in ("report", "floor", "fold"):
            told = subprocess.run(
                [sys.executable, __file__, part, database, str(count)], check=True, capture_output=True, text=True
            )
            print(part, told.stdout.strip())  # noqa: T201 - a bench prints


def fold(_: str, count: int) -> dict[str, float]:
    """Folding alone, from events in memory."""
    found = list(events(min(count, 200_000)))
    began = time.perf_counter()
    measures = measure(found)
    return {"events": len(found), "us_per_event": (time.perf_counter() - began) / len(found) * 1e6, "runs": len(measures.facts)}


if __name__ == "__main__":
    if len(sys.argv) > 2:
        part = {"report": report, "floor": floor}.get(sys.argv[1])
        result = part(sys.argv[2]) if part else fold(sys.argv[2], int(sys.argv[3]))
        print(json.dumps({key: round(value, 3) for key, value in result.items()}))  # noqa: T201 - a bench prints
    else:
        main(int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000)
