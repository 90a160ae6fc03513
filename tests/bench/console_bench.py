"""How quickly pages of `jiritsu web` begin over a database of many runs, and what watchers cost a run.

`python -m tests.bench.console_bench --runs 100000`, and with `--postgres` over a PostgreSQL server of its own.
"""

import argparse
import os
import re
import statistics
import subprocess
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from decimal import Decimal
from pathlib import Path
from typing import Any

import anyio
import httpx2
import sqlalchemy as sa

from autonomy.database import migrate, open_engine
from autonomy.durable.durable_tables import runs, ticks, workers
from autonomy.durable.engine import engine_client, make_engine_tables
from autonomy.durable.engine_tables import status_table
from autonomy.durable.liveness.process_locks import Locks, open_locks
from autonomy.durable.records.run_search import index_run, words_of
from autonomy.llm.model import Task
from autonomy.run_state.run_values import RunRequest, RunResult
from autonomy.stores import ROOMS
from metrics import events
from metrics.events import EVENT
from metrics.hash_chain import digest_of
from metrics.metrics_tables import events as log
from metrics.metrics_tables import head
from metrics.running_totals import RunningTotals
from metrics.telemetry.prometheus import READ
from tests.support.command import command_line, environment
from tests.support.console import console_over
from tests.support.console_browser import free_port
from tests.support.postgres import postgres

BATCH = 2000
EVENTS = 10
"""Of each run."""

JOBS, WORKERS, WATCHERS = 12, 20, 50

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
    "/costs?days=90",
    "/runs/run-000050",
    "/inbox",
    "/runs/run-000051",
    "/measures/sides?days=7&b_back=1",
    "/measures/runs?figure=completion",
    "/measures/tasks?k=2",
    "/schedules",
    "/schedules/job-0",
    "/compare?a=run-000050&b=run-000051",
    "/audit",
    "/conversations",
)


def fill(engine: sa.Engine, count: int) -> None:
    """Runs that ended, each with a few events; the chain's seals are left out, because no page reads them; a log without
    digests of its key would not be written to."""
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
        "run_id": run_id, "job": job, "tenant": "default", "actor": "haruka",
        "state": "failed" if number % 100 == 3 else "completed",  # few enough to be listed before the words are searched for
        "request": request.model_dump_json(), "result": result.model_dump_json(), "asked_at": at, "ended_at": at + 9.0,
    }  # fmt: skip


def _events(number: int, at: float) -> Iterator[dict[str, Any]]:
    facts = {"run_id": f"run-{number:06}", "tenant": "default", "job": "diary" if number % 10 else ""}
    turns = [events.TurnStarted(key=f"turn-{turn}/turn", turn=turn, at=at + turn, **facts) for turn in range(1, EVENTS - 2)]
    told = [
        events.RunStarted(key="started", at=at, **facts),
        *turns,
        events.ModelAnswered(
            key="turn-1/reply",
            turn=1,
            model=f"model-{number % 3}",
            duration_s=1.0,
            input_tokens=900,
            output_tokens=90,
            cost_usd=Decimal("0.002"),
            at=at + 8,
            **facts,
        ),
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
        yield {**row, "seq": number * EVENTS + place + 1, "body": body, "digest": digest_of(b"", body), "mac": b"\0" * 32}


def people(engine: sa.Engine, folder: Path, count: int) -> Locks:
    """What stands beside the runs: jobs with their past ticks, workers alive and gone, the engine's own rows."""
    jobs = folder / "jobs"
    jobs.mkdir()
    now = time.time() // 60 * 60
    for number in range(JOBS):
        cron = "* * * * *" if number == 0 else f"{number} * * * *"
        text = f"---\ntitle: Job {number}\nschedule:\n  cron: '{cron}'\n---\nTidy up.\n"
        (jobs / f"job-{number}.md").write_text(text, encoding="utf-8")
    make_engine_tables(engine, engine_client(engine))
    locks = open_locks(engine)
    with engine.begin() as connection:
        done = [
            {"job": f"job-{number % JOBS}", "due": now - 60.0 * number, "did": "skipped" if number % 7 else "run", "reason": "holiday",
             "run_id": f"tick-{number}", "handled_at": now}
            for number in range(count)
        ]  # fmt: skip
        connection.execute(ticks.insert(), done)
        status = status_table(engine)
        rows = [{"workflow_uuid": f"run-{number:06}", "status": "SUCCESS", "queue_name": "runs"} for number in range(count)]
        connection.execute(sa.insert(status).values(updated_at=0), rows)
        for number in range(WORKERS):
            alive = number % 2 == 0
            sign = {"name": f"worker-{number}", "kind": "worker", "host": "here", "pid": number, "here": 8, "tenant": 4,
                    "started_at": now, "seen_at": now}  # fmt: skip
            connection.execute(workers.insert(), sign)
            if alive:
                locks.take(f"worker-{number}")
        connection.execute(sa.text("ANALYZE"))
    return locks


async def watch(engine: sa.Engine, run_id: str, watchers: int, seconds: float = 5.0) -> tuple[int, float]:
    """Statements sent, and seconds of processor spent, while so many look at one run."""
    console, sent = console_over(engine), 0

    def count(*_: Any) -> None:
        nonlocal sent
        sent += 1

    async def look() -> None:
        async for _ in console.changes.stream(run_id, ended=lambda _: False):
            pass

    sa.event.listen(engine, "before_cursor_execute", count)
    began = time.process_time()
    with anyio.move_on_after(seconds):
        async with anyio.create_task_group() as group:
            for _ in range(watchers):
                group.start_soon(look)
    sa.event.remove(engine, "before_cursor_execute", count)
    return sent, time.process_time() - began


def around(home: Path, url: str) -> dict[str, str]:
    """The environment of a command over a data directory and a database."""
    return environment(home, JIRITSU_DATABASE_URL=url)


@contextmanager
def served(home: Path, url: str) -> Iterator[httpx2.Client]:
    """Somebody signed in to `jiritsu web` over a data directory and a database, both on loopback, as people run it."""
    address = f"127.0.0.1:{free_port()}"
    arguments = command_line("web", "--listen", address)
    with subprocess.Popen(arguments, cwd=home, env=around(home, url), stderr=subprocess.PIPE, text=True) as console:
        try:
            assert console.stderr is not None
            link = next(found.group() for line in console.stderr if (found := re.search(r"http://\S+", line)))
            with httpx2.Client(base_url=f"http://{address}", headers={"accept": "text/html"}, timeout=60) as reader:
                while True:
                    try:
                        reader.get(link)
                        break
                    except httpx2.ConnectError:  # the link is said before the socket listens
                        time.sleep(0.05)
                time.sleep(2)  # nobody reads a link and clicks on it sooner
                yield reader
        finally:
            console.terminate()


def measure(reader: httpx2.Client, rounds: int) -> None:
    """Print when the first byte of each page is there, in milliseconds: the first visit to it, and the later ones."""
    for path in PAGES:
        taken, size = list[float](), 0
        for _ in range(rounds):
            began = time.perf_counter()
            with reader.stream("GET", path) as page:
                assert page.status_code == 200, (path, page.status_code)
                parts = page.iter_raw()
                size = len(next(parts))
                taken.append(1000 * (time.perf_counter() - began))
                size += sum(len(part) for part in parts)
        first, later = taken[0], taken[1:]
        told = f"first {first:7.1f} ms  later: median {statistics.median(later):6.1f}, worst {max(later):6.1f} ms"
        tell(f"{path:<40} {told}  {size / 1000:6.1f} kB sent")


def run_watched(reader: httpx2.Client, home: Path, url: str, watchers: int) -> float:
    """Seconds of processor that `jiritsu run diary` itself takes while so many have its page open."""
    arguments = command_line("run", "diary")
    with subprocess.Popen(
        arguments, cwd=home, env=around(home, url), stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    ) as run:
        assert run.stdout is not None
        over, run_id = threading.Event(), next(found.group(1) for line in run.stdout if (found := re.search(r"Run (\S+)", line)))

        def look() -> None:
            while not over.is_set():
                with (
                    httpx2.Client(base_url=reader.base_url, cookies=reader.cookies, timeout=60) as client,
                    client.stream("GET", f"/runs/{run_id}/live") as page,
                ):
                    for _ in page.iter_raw():  # until the run is in the database this is a page that says so
                        pass
                time.sleep(0.05)

        watching = [threading.Thread(target=look) for _ in range(watchers)]
        for watcher in watching:
            watcher.start()
        for _ in run.stdout:
            pass
        _, _, used = os.wait4(run.pid, 0)
        run.returncode = 0
        over.set()
        for watcher in watching:
            watcher.join()
        return used.ru_utime + used.ru_stime


def look_around(url: str, home: Path, count: int, rounds: int) -> None:
    """Fill a database and look at it."""
    engine = open_engine(url)
    migrate(engine, ROOMS)
    began = time.perf_counter()
    fill(engine, count)
    tell(f"{count} runs, {count * EVENTS} events in {time.perf_counter() - began:.0f} s")
    for when in ("the first time", "later"):
        began = time.perf_counter()
        anyio.run(RunningTotals(engine).read, READ)
        tell(f"/metrics {when}: {1000 * (time.perf_counter() - began):.1f} ms")
    locks = people(engine, home, count)
    with served(home, url) as reader:
        measure(reader, rounds)
        spent = [(run_watched(reader, home, url, 0), run_watched(reader, home, url, WATCHERS)) for _ in range(rounds)]
    for watchers, seconds in zip((0, WATCHERS), zip(*spent, strict=True), strict=True):
        told = f"median {statistics.median(seconds):.2f} s, {min(seconds):.2f} to {max(seconds):.2f}"
        tell(f"`jiritsu run diary` with {watchers} watchers: {told} of its own processor time")
    for watchers in (1, WATCHERS):
        sent, used_s = anyio.run(watch, engine, "run-000050", watchers)
        tell(f"{watchers} watchers of one run, 5 s: {sent} statements, {1000 * used_s:.0f} ms of the console's processor time")
    locks.close()
    engine.dispose()


def tell(line: str) -> None:
    """Print a row."""
    print(line, flush=True)  # noqa: T201


def main() -> None:
    """Look around in a database of one's own."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--runs", type=int, default=100_000)
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--postgres", action="store_true")
    options = parser.parse_args()
    with ExitStack() as stack:
        home = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        url = stack.enter_context(postgres()).create("console") if options.postgres else f"sqlite:///{home / 'jiritsu.db'}"
        look_around(url, home, options.runs, options.rounds)


if __name__ == "__main__":
    main()
