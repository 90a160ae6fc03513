"""What durability costs: `python -m tests.bench.durable_bench`. Each figure stands beside a floor measured in the same run."""

import os
import sqlite3
import statistics
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path

import anyio
import anyio.to_thread

from autonomy.durable.engine import owners
from autonomy.durable.ledger import SqlLedger
from autonomy.durable.orders import Orders
from autonomy.durable.records import RunRecords
from autonomy.durable.runs import durable
from autonomy.durable.store import Store
from autonomy.execution.context import RunRequest, RunResult
from metrics.journal import Journal
from tests.support.durable import POLICY, asked, box, lines, prepared, start, workshop
from tests.support.house import house
from tests.support.postgres import BINARIES, Server, postgres

STEPS, RUNS = 60, 24


def say(name: str, value: str) -> None:
    sys.stdout.write(f"{name:<58} {value}\n")
    sys.stdout.flush()


@contextmanager
def folder() -> Iterator[Path]:
    with tempfile.TemporaryDirectory() as made:
        yield Path(made)


def floor_ms(place: Path) -> float:
    """One row, inserted and committed with full sync: what any durable step costs at least on this disk now."""
    connection = sqlite3.connect(place / "floor.db")
    connection.execute("pragma journal_mode=wal")
    connection.execute("pragma synchronous=full")
    connection.execute("create table t (x)")
    took = []
    for number in range(STEPS):
        began = time.perf_counter()
        connection.execute("insert into t values (?)", (number,))
        connection.commit()
        took.append(time.perf_counter() - began)
    return 1000 * statistics.median(took)


async def steps_ms(url: str, place: Path) -> float:
    """The median of a step that does nothing."""
    took: list[float] = []

    async def nothing() -> int:
        return 1

    async def many(request: RunRequest, _step: object) -> RunResult:
        for number in range(STEPS):
            began = time.perf_counter()
            await durable(f"step-{number}", nothing, int)
            took.append(time.perf_counter() - began)
        return RunResult(run_id=request.run_id, ending="completed", started_at=time.time())

    async with workshop(url, box(place)) as shop:
        object.__setattr__(shop.runs.executor, "execute", many)
        await shop.runs.run(asked("run-steps"))
    return 1000 * statistics.median(took)


async def run_ms(url: str, place: Path) -> tuple[float, float]:
    """A run of three turns and six calls: inline, and durable."""

    async def timed(run: Callable[[int], Awaitable[object]]) -> float:
        took = []
        for number in range(8):
            began = time.perf_counter()
            await run(number)
            took.append(time.perf_counter() - began)
        return 1000 * statistics.median(took)

    async with house(box(place), script=lines, policy=POLICY) as made:
        inline = await timed(lambda number: made.executor.execute(asked(f"inline-{number}")))
    async with workshop(url, box(place)) as shop:
        kept = await timed(lambda number: shop.runs.run(asked(f"kept-{number}")))
    return inline, kept


def throughput(url: str, place: Path, workers: int) -> float:
    """Runs a second, start-up left out; each write takes 50 ms."""
    crew = [start(url, str(place), "--forever", "--delay-s", "0.05") for _ in range(workers)]
    try:
        while len(list(place.glob("ready-*"))) < workers:
            time.sleep(0.02)
        return anyio.run(_feed, url)
    finally:
        for worker in crew:
            worker.kill()
            worker.join()


async def _feed(url: str) -> float:
    engine = await anyio.to_thread.run_sync(prepared, url)
    records = RunRecords(engine)
    orders = Orders(engine, records, SqlLedger(Store(engine)), Journal(engine))
    began = time.perf_counter()
    for number in range(RUNS):
        await orders.enqueue(asked(f"run-{number}", tenant=f"tenant-{number % 4}"))
    while any(record.ended_at is None for record in await records.newest(limit=RUNS)):
        await anyio.sleep(0.02)
    took = time.perf_counter() - began
    await anyio.to_thread.run_sync(engine.dispose)
    return RUNS / took


async def takeover_s(url: str, place: Path) -> float:
    """From kill -9 of a worker with a run in its hands until another owns it."""
    engine = await anyio.to_thread.run_sync(prepared, url)
    orders = Orders(engine, RunRecords(engine), SqlLedger(Store(engine)), Journal(engine))
    crew = [start(url, str(place), "--forever", "--id", name, "--delay-s", "20") for name in ("first", "second")]
    while len(list(place.glob("ready-*"))) < 2:
        await anyio.sleep(0.02)
    for number in range(8):
        await orders.enqueue(asked(f"run-{number}"))
    while "first" not in await anyio.to_thread.run_sync(owners, engine):
        await anyio.sleep(0.02)
    crew[0].kill()
    began = time.perf_counter()
    while "first" in await anyio.to_thread.run_sync(owners, engine):
        await anyio.sleep(0.01)
    took = time.perf_counter() - began
    for worker in crew:
        worker.kill()
        worker.join()
    await anyio.to_thread.run_sync(engine.dispose)
    return took


def main() -> None:
    """Measure on SQLite, and on PostgreSQL where it is."""
    say("load of the machine when it began", f"{os.getloadavg()[0]:.1f} on {os.cpu_count()} cores")
    server_of = postgres() if (BINARIES / "postgres").exists() else nullcontext(None)
    with server_of as server, folder() as place:
        say("floor: one row committed, SQLite, full sync", f"{floor_ms(place):.1f} ms")
        for name in ("SQLite", "PostgreSQL"):
            if name == "SQLite" or server is not None:
                measure(name, server, place)


def measure(name: str, server: Server | None, place: Path) -> None:
    """All figures on one kind of database."""
    count = 0

    def fresh() -> tuple[str, Path]:
        nonlocal count
        count += 1
        own = place / f"{name}-{count}"
        own.mkdir()
        return (f"sqlite:///{own / 'x.db'}" if server is None or name == "SQLite" else server.create(f"b{count}")), own

    say(f"{name}: a step that does nothing, median", f"{anyio.run(steps_ms, *fresh()):.1f} ms")
    inline, kept = anyio.run(run_ms, *fresh())
    say(f"{name}: a run of 3 turns and 6 calls, inline → durable", f"{inline:.0f} → {kept:.0f} ms")
    for workers in (1, 2, 4):
        say(f"{name}: runs a second with {workers} worker{'s' * (workers > 1)}", f"{throughput(*fresh(), workers):.1f}")
    say(f"{name}: takeover of a killed worker's runs", f"{anyio.run(takeover_s, *fresh()):.1f} s")


if __name__ == "__main__":
    main()
