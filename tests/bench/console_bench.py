"""How quickly the console's pages begin, over a database of many runs: `python -m tests.bench.console_bench --runs 100000`."""

import argparse
import statistics
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import anyio
import anyio.to_thread
import sqlalchemy as sa

from autonomy.durable.durable_tables import runs
from autonomy.durable.records.run_search import index_run, words_of
from autonomy.llm.model import Task
from autonomy.run_state.context import RunRequest, RunResult
from metrics import events
from metrics.events import EVENT
from metrics.metrics_tables import events as log
from metrics.metrics_tables import head
from metrics.running_totals import RunningTotals
from metrics.telemetry.prometheus import READ
from tests.support.console import browsing, console_over
from tests.support.durable import prepared

BATCH = 2000
EVENTS = 10
"""Of each run."""

PAGES = (
    "/now",
    "/runs",
    "/runs?state=completed",
    "/runs?job=diary",
    "/runs?q=日記",
    "/runs?q=雨傘",
    "/runs?q=000050",
    "/runs?q=日記&job=diary&state=failed",
    "/measures?days=7",
    "/costs",
    "/runs/run-000050",
    "/inbox",
    "/measures/sides?days=7&b_back=1",
    "/schedules",
    "/audit",
    "/conversations",
)


def fill(engine: sa.Engine, count: int) -> None:
    """Runs that ended, each with a few events; the chain's seals are left out, because no page reads them."""
    begun = time.time() - count * 60.0
    for first in range(0, count, BATCH):
        numbers = range(first, min(first + BATCH, count))
        with engine.begin() as connection:
            rows = [_run(number, begun + 60.0 * number) for number in numbers]
            connection.execute(runs.insert(), rows)
            for row in rows:
                index_run(connection, row["run_id"], "default", words_of(row))
            connection.execute(log.insert(), [row for number in numbers for row in _events(number, begun + 60.0 * number)])
    with engine.begin() as connection:
        connection.execute(sa.update(head).values(seq=count * EVENTS))
        connection.execute(sa.text("ANALYZE"))


def _run(number: int, at: float) -> dict[str, Any]:
    run_id, job = f"run-{number:06}", "diary" if number % 10 else ""
    request = RunRequest(
        run_id=run_id,
        job=job,
        task=Task(goal=f"今日の日記を書いて投稿してください {number}{' 雨傘' if number % 5000 == 7 else ''}"),
    )
    result = RunResult(run_id=run_id, ending="completed", text="書きました。" * 100, started_at=at, duration_s=9.0)
    return {
        "run_id": run_id, "job": job, "tenant": "default", "actor": "haruka", "state": "completed", "request": request.model_dump_json(),
        "result": result.model_dump_json(), "asked_at": at, "ended_at": at + 9.0,
    }  # fmt: skip


def _events(number: int, at: float) -> Iterator[dict[str, Any]]:
    facts = {"run_id": f"run-{number:06}", "tenant": "default", "job": "diary" if number % 10 else ""}
    turns = [events.TurnStarted(key=f"turn-{turn}/turn", turn=turn, at=at + turn, **facts) for turn in range(1, EVENTS - 1)]
    told = [
        events.RunStarted(key="started", at=at, **facts),
        *turns,
        events.RunFinished(key="finished", ending="completed", at=at + 9, **facts),
    ]
    for place, event in enumerate(told):
        body = EVENT.dump_json(event).decode()
        row = {
            "run_id": event.run_id,
            "key": event.key,
            "type": event.type,
            "at": event.at,
            "tenant": event.tenant,
            "job": event.job,
        }
        yield {**row, "seq": number * EVENTS + place + 1, "body": body, "digest": b"\0" * 32, "mac": b"\0" * 32}


async def measure(engine: sa.Engine, rounds: int) -> None:
    """Print the median and the worst time to each page, in milliseconds, in process: no network, no browser."""
    async with browsing(console_over(engine)) as reader:
        for path in PAGES:
            taken = []
            for _ in range(rounds):
                began = time.perf_counter()
                page = await reader.get(path)
                taken.append(1000 * (time.perf_counter() - began))
                assert page.status_code == 200, path
            print(  # noqa: T201
                f"{path:<24} median {statistics.median(taken):7.1f} ms  worst {max(taken):7.1f} ms  {len(page.content) / 1000:6.1f} kB"
            )


async def main() -> None:
    """Fill a database and look at it."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--runs", type=int, default=100_000)
    parser.add_argument("--rounds", type=int, default=7)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        engine = await anyio.to_thread.run_sync(prepared, f"sqlite:///{Path(folder) / 'jiritsu.db'}")
        began = time.perf_counter()
        await anyio.to_thread.run_sync(fill, engine, options.runs)
        print(f"{options.runs} runs, {options.runs * EVENTS} events in {time.perf_counter() - began:.0f} s")  # noqa: T201
        began = time.perf_counter()
        await RunningTotals(engine).read(READ)
        first = time.perf_counter() - began
        began = time.perf_counter()
        await RunningTotals(engine).read(READ)
        print(f"/metrics the first time {first:.1f} s, then {1000 * (time.perf_counter() - began):.1f} ms")  # noqa: T201
        await measure(engine, options.rounds)
        engine.dispose()


if __name__ == "__main__":
    anyio.run(main)
