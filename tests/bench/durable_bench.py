"""What durability costs: `python -m tests.bench.durable_bench`. Each figure stands beside a floor measured in the same run."""

import os
import sqlite3
import statistics
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager, nullcontext
from multiprocessing.process import BaseProcess
from pathlib import Path

import anyio
import anyio.to_thread
import psycopg
import sqlalchemy as sa

from autonomy.durable.durable_runs import durable_step, open_runs
from autonomy.durable.engine_tables import owners
from autonomy.durable.memory.sql_ledger import SqlLedger
from autonomy.durable.records.run_records import RunRecords
from autonomy.durable.run_control import RunControl
from autonomy.durable.store import Store
from autonomy.run_state.run_values import RunRequest, RunResult
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


def postgres_floor_ms(server: Server) -> float:
    """The same on PostgreSQL."""
    with psycopg.connect(server.url(), autocommit=True) as connection:
        connection.execute("create table t (x int)")
        took = []
        for number in range(STEPS):
            began = time.perf_counter()
            connection.execute("insert into t values (%s)", (number,))
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
            await durable_step(f"step-{number}", nothing, int)
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


async def crew_of(url: str, place: Path, *names: str, delay_s: float) -> list[BaseProcess]:
    """Workers that are ready. One that dies meanwhile ends the benchmark."""
    crew = [start(url, str(place), "--forever", "--id", name, "--delay-s", str(delay_s)) for name in names]
    while len(list(place.glob("ready-*"))) < len(crew):
        if dead := [worker for worker in crew if not worker.is_alive()]:
            raise SystemExit(f"{len(dead)} of {len(crew)} workers died while they started")
        await anyio.sleep(0.02)
    return crew


async def throughput(url: str, place: Path, workers: int, delay_s: float) -> float:
    """Runs a second, start-up left out: each run makes two turns of two writes, of `delay_s` each, and is asked for beforehand."""
    engine = await anyio.to_thread.run_sync(prepared, url)
    records = RunRecords(engine)
    orders = RunControl(engine, records, SqlLedger(Store(engine)), Journal(engine))
    crew = await crew_of(url, place, *(f"worker-{number}" for number in range(workers)), delay_s=delay_s)
    try:
        for number in range(4 * workers):
            await orders.enqueue(asked(f"warm-{number}", tenant=f"tenant-{number % 4}"))
        await _ended(records)
        began = time.perf_counter()
        for number in range(RUNS):
            await orders.enqueue(asked(f"run-{number}", tenant=f"tenant-{number % 4}"))
        await _ended(records)
        return RUNS / (time.perf_counter() - began)
    finally:
        await _stop(crew, engine)


async def _ended(records: RunRecords) -> None:
    with anyio.fail_after(60):
        while any(record.ended_at is None for record in await records.newest(limit=RUNS)):
            await anyio.sleep(0.05)


async def _stop(crew: list[BaseProcess], engine: sa.Engine) -> None:
    for worker in crew:
        worker.kill()
        await anyio.to_thread.run_sync(worker.join)
    await anyio.to_thread.run_sync(engine.dispose)


async def start_up_s(url: str, place: Path) -> float:
    """Opening the engine on a database that is there, imports left out."""
    engine = await anyio.to_thread.run_sync(prepared, url)
    took = []
    for _ in range(3):
        async with house(box(place), script=lines, policy=POLICY) as made:
            began = time.perf_counter()
            async with open_runs(engine, made.executor, RunRecords(engine), takes_work=True):
                took.append(time.perf_counter() - began)
    await anyio.to_thread.run_sync(engine.dispose)
    return statistics.median(took[1:])


async def takeover_s(url: str, place: Path) -> float:
    """From kill -9 of a worker with runs in its hands until another owns them."""
    engine = await anyio.to_thread.run_sync(prepared, url)
    orders = RunControl(engine, RunRecords(engine), SqlLedger(Store(engine)), Journal(engine))
    crew = await crew_of(url, place, "first", "second", delay_s=20)
    try:
        for number in range(16):  # more than one of them takes
            await orders.enqueue(asked(f"run-{number}", tenant=f"tenant-{number % 4}"))
        with anyio.fail_after(30):
            while "first" not in await anyio.to_thread.run_sync(owners, engine):
                await anyio.sleep(0.02)
            crew[0].kill()
            began = time.perf_counter()
            while "first" in await anyio.to_thread.run_sync(owners, engine):
                await anyio.sleep(0.01)
        return time.perf_counter() - began
    finally:
        await _stop(crew, engine)


def main() -> None:
    """Measure on SQLite, and on PostgreSQL where it is."""
    say("load of the machine when it began", f"{os.getloadavg()[0]:.1f} on {os.cpu_count()} cores")
    server_of = postgres() if (BINARIES / "postgres").exists() else nullcontext(None)
    with server_of as server, folder() as place:
        say("floor: one row committed, SQLite, full sync", f"{floor_ms(place):.1f} ms")
        if server is not None:
            say("floor: one row committed, PostgreSQL", f"{postgres_floor_ms(server):.1f} ms")
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
    for delay_s in (0.0, 0.2):
        for workers in (1, 2, 4):
            rate = anyio.run(throughput, *fresh(), workers, delay_s)
            say(f"{name}: runs a second, {workers} worker{'s' * (workers > 1)}, writes of {1000 * delay_s:.0f} ms", f"{rate:.1f}")
    say(f"{name}: opening the engine", f"{anyio.run(start_up_s, *fresh()):.2f} s")
    say(f"{name}: takeover of a killed worker's runs", f"{anyio.run(takeover_s, *fresh()):.1f} s")


if __name__ == "__main__":
    main()
