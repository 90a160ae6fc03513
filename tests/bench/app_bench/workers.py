"""How runs a second grow with workers: `python -m tests.bench.app_bench.workers [--workers N …] [--kind reads|writes] [--sqlite]`.

Real `jiritsu worker` processes with four stdio servers each, the model in another process, and runs that were queued before. The
first runs warm the workers and are not counted. On a machine with few cores the workers share them with the database, the servers
and the model; `--delay-ms` lets each call take time, as calls of the world do, however many a server has at once. What the calls
alone would let a worker make is told beside it: where its runs a second come close to that, nothing else is waited for.
"""

import argparse
import json
import math
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import anyio
import sqlalchemy as sa

from autonomy.database import open_engine
from autonomy.durable.durable_tables import runs
from autonomy.durable.engine import ConcurrencyLimits
from autonomy.durable.memory.sql_ledger import SqlLedger
from autonomy.durable.records.run_records import RunRecords
from autonomy.durable.run_control import RunControl
from autonomy.durable.store import Store
from autonomy.llm.model import Task
from autonomy.run_state.limits import Limits
from autonomy.run_state.run_values import RunRequest
from metrics.journal import Journal
from tests.bench.app_bench.__main__ import GOAL, ROOT, cpu_of, fields_of, model_at, say
from tests.bench.app_bench.contenders import CONDUCT, settled_home
from tests.support.postgres import BINARIES, Server, postgres

COMPLETED = sa.select(sa.func.count()).select_from(runs).where(runs.c.state == "completed")
STEPS = 4
"""Calls of a run, one after the other but for `fan`."""
WARMING = 12
"""Runs for each worker that are not counted: caches, connections and statements."""


@contextmanager
def crew(home: Path, count: int, env: dict[str, str]) -> Iterator[list[subprocess.Popen[bytes]]]:
    """Worker processes at work on one home."""
    workers = [
        subprocess.Popen([sys.executable, "-m", "autonomy", "worker"], cwd=home, env=env, stdout=log, stderr=log)
        for number in range(count)
        for log in [(home / f"worker-{number}.log").open("wb")]
    ]
    try:
        yield workers
    finally:
        for worker in workers:
            worker.send_signal(signal.SIGTERM)
        for worker in workers:
            worker.wait(60)


def cpu_of_process(pid: int) -> float:
    """Seconds of CPU of one process, without its children."""
    return sum(map(int, fields_of(Path(f"/proc/{pid}/stat"))[11:13])) / os.sysconf("SC_CLK_TCK")


async def enqueue(url: str, goal: str, count: int) -> None:
    """Queue runs of one goal, spread over many tenants, for one tenant's runs at once are limited."""
    engine = open_engine(url)
    control = RunControl(engine, RunRecords(engine), SqlLedger(Store(engine)), Journal(engine))
    for number in range(count):
        task = Task(goal=goal, language="en")
        await control.enqueue(
            RunRequest(run_id=f"run-{number}", task=task, tenant=f"t{number % 16}", instructions=CONDUCT, limits=Limits(turns=64))
        )
    await anyio.to_thread.run_sync(engine.dispose)


def measure(home: Path, url: str, model: str, count: int, options: Any, server: Server | None) -> str:
    """Runs a second of so many workers, and what a run costs them; one line."""
    settled_home(model, home, url, delay_ms=options.delay_ms)
    env = {**os.environ, "JIRITSU_HOME": str(home), "JIRITSU_WARM": "0", "OPENAI_API_KEY": "k", "PYTHONPATH": str(ROOT)}
    subprocess.run([sys.executable, "-m", "autonomy", "runs", "list"], cwd=home, env=env, check=True, capture_output=True)
    first = WARMING * count
    anyio.run(enqueue, url, GOAL.format(kind=options.kind, steps=STEPS), first + options.runs)
    engine = open_engine(url)

    def ended() -> int:
        with engine.connect() as connection:
            return int(connection.execute(COMPLETED).scalar_one())

    def used() -> tuple[float, float, float]:
        return time.perf_counter(), sum(cpu_of_process(worker.pid) for worker in workers), cpu_of(server)

    with crew(home, count, env) as workers:
        until = time.monotonic() + 300
        while (begun := ended()) < first:
            if time.monotonic() > until or any(worker.poll() is not None for worker in workers):
                raise SystemExit(f"{begun} runs completed of {first}: see {home}\n{(home / 'worker-0.log').read_text()[-2000:]}")
            time.sleep(0.1)
        before = used()
        while (now := ended()) < first + options.runs - 8 * count:  # the last ones no longer fill the workers
            if time.monotonic() > until:
                raise SystemExit(f"{now} runs completed: see {home}")
            time.sleep(0.1)
        wall, in_workers, in_server = (b - a for a, b in zip(before, used(), strict=True))
    engine.dispose()
    made = now - begun
    most = count * ConcurrencyLimits().here / (STEPS * options.delay_ms / 1000) if options.delay_ms else math.inf
    return (
        f"{count} workers: {made / wall:5.2f} runs a second, of {most:5.2f} that the calls let them make; "
        f"CPU a run {1000 * in_workers / made:5.1f} ms in the workers, {1000 * in_server / made:4.1f} ms in the database; "
        f"load {os.getloadavg()[0]:.1f}"
    )


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure each count of workers in turn, and print."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--workers", type=int, nargs="+", default=[1, 2, 4])
    parser.add_argument("--kind", default="reads", choices=["reads", "writes", "fan"])
    parser.add_argument("--runs", type=int, default=200)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--delay-ms", type=int, default=0)
    parser.add_argument("--sqlite", action="store_true")
    options: Any = parser.parse_args(arguments)
    with ExitStack() as stack:
        place = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        at = stack.enter_context(model_at())
        over_postgres = not options.sqlite and (BINARIES / "postgres").exists()
        server = stack.enter_context(postgres()) if over_postgres else None
        say(f"{options.kind}, {'PostgreSQL' if server else 'SQLite'}, {json.dumps(vars(options))}")
        for number in range(options.rounds):
            for count in options.workers:
                home = place / f"{number}-{count}"
                home.mkdir()
                url = server.create("bench") if server else f"sqlite:///{home}/jiritsu.db"
                say(measure(home, url, at, count, options, server))


if __name__ == "__main__":
    main()
