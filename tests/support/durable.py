"""A durable house: runs over a database of the test's own, with tools that leave traces in files and a model that knows its lines.

Also a program (`python -m tests.support.durable URL FOLDER …`), so that tests can kill it: see `main`.
"""

import argparse
import fcntl
import json
import multiprocessing
import os
import tempfile
import threading
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from functools import cache
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import TYPE_CHECKING, Any

import anyio
import sqlalchemy as sa
from mcp.server.mcpserver import MCPServer
from sqlalchemy import event

from autonomy.database import migrate, open_engine
from autonomy.durable.approval_store import Approval, Approvals
from autonomy.durable.durable_runs import DurableRuns, open_runs
from autonomy.durable.durable_upgrades import DURABLE
from autonomy.durable.engine import ConcurrencyLimits, Liveness, engine_client, make_engine_tables
from autonomy.durable.memory.sql_ledger import SqlLedger
from autonomy.durable.records.run_records import RunRecords
from autonomy.durable.run_control import RunControl
from autonomy.durable.scheduling.schedules import Schedules
from autonomy.durable.scheduling.timetable import Timetable
from autonomy.durable.store import Store
from autonomy.errors import RunConflict
from autonomy.llm.messages import AssistantMessage
from autonomy.llm.model import ModelRequest, Task
from autonomy.llm.scripted import calling
from autonomy.policy.operator_rules import PolicyRule
from autonomy.policy.policy import Policy
from autonomy.run_state.run_values import RunRequest
from autonomy.stores import METRICS
from autonomy.stores import ROOMS as ALL_ROOMS
from discovery.servers.server_config import ServerConfig
from metrics.journal import Journal
from tests.support.house import IDEMPOTENT, READ, WRITE, house

if TYPE_CHECKING:  # it imports pytest, which the programs here need not
    from tests.support.postgres import Server

ROOMS = [DURABLE, METRICS]
POLICY = Policy(
    rules=(
        PolicyRule(name="risky", decision="ask", tool="box_risky"),
        PolicyRule(name="box", decision="allow", tool="box_*"),
    )
)
QUICK = ConcurrencyLimits(poll_s=0.05)
LOOKING = Liveness(every_s=0.2, grace_s=0.5)


def prepared(url: str) -> sa.Engine:
    """An engine with all tables in place."""
    engine = open_engine(url)
    migrate(engine, ROOMS)
    return engine


def in_place(url: str) -> sa.Engine:
    """The same, with the engine's tables; a new SQLite file is a copy of one that this process made before. A test that is about
    making them asks for `prepared`."""
    file = sa.make_url(url).database
    if url.startswith("sqlite:") and file and not Path(file).exists():
        Path(file).write_bytes(new_sqlite_file())
    return prepared(url)


@cache
def new_sqlite_file() -> bytes:
    """Both kinds of tables take a quarter of a short test."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "jiritsu.db"
        _make_tables(f"sqlite:///{file}")
        return file.read_bytes()


def _make_tables(url: str) -> None:
    engine = open_engine(url)
    migrate(engine, ALL_ROOMS)
    make_engine_tables(engine, engine_client(engine))
    engine.dispose()  # which folds SQLite's log into the file


def furnished_database(server: "Server", name: str) -> str:
    """A new database of PostgreSQL with all tables in place, its URL: a copy of one that is made once on each server. A test that is
    about making them asks the server for an empty one."""
    with (server.folder.parent / "furnished").open("a+", encoding="utf-8") as noted:
        fcntl.flock(noted, fcntl.LOCK_EX)
        noted.seek(0)
        template = noted.read()
        if not template:
            url = server.create("furnished")
            _make_tables(url)
            template = url.rpartition("/")[2]
            noted.write(template)
    return server.create(name, template)


def asked(run_id: str, goal: str = "two", **more: Any) -> RunRequest:
    """A request; the first word of the goal says what the model does (see `lines`)."""
    return RunRequest(run_id=run_id, task=Task(goal=f"{goal} {run_id}"), trigger="test", **more)


def lines(request: ModelRequest) -> AssistantMessage | str:
    """What the model says: `two` turns of a guarded and an idempotent write, the first with an approval when the goal is `ask`."""
    kind, name = request.task.goal.split()[:2]
    turn = 1 + sum(isinstance(message, AssistantMessage) for message in request.messages)
    if turn > 2:
        return f"{name} is done"
    text = {"text": f"{name}/{turn}"}
    calls: list[tuple[str, dict[str, Any]]] = [("box_note", text), ("box_post", text), ("box_look", {})]
    if kind == "ask" and turn == 1:
        calls.insert(0, ("box_risky", text))
    return calling(*calls)


def box(
    folder: Path, point: Callable[[str], None] = lambda _name: None, delay_s: float = 0.0, absent_after_s: float = 0.3
) -> MCPServer:
    """Tools that write lines into files: `note` and `risky` every time, `post` once for each text; of notes one can see which there are.

    `absent_after_s`: how long after a look a note that was sent may still appear.
    """
    server, lock = MCPServer("box"), threading.Lock()

    async def append(kind: str, text: str, *, once: bool = False) -> str:
        point(f"{kind} before")
        await anyio.sleep(delay_s)

        def write() -> None:
            with lock, (folder / f"{kind}.txt").open("a+") as file:
                file.seek(0)
                if not (once and f"{text}\n" in file.readlines()):
                    os.write(file.fileno(), f"{text}\n".encode())

        await anyio.to_thread.run_sync(write)
        point(f"{kind} after")
        return f"{kind} holds {text}"

    @server.tool(
        annotations=WRITE, meta={"jiritsu/lookup": {"tool": "notes", "shows": "$text", "absent_after_s": absent_after_s}}
    )
    async def note(text: str) -> str:
        """Note a text down."""
        return await append("note", text)

    @server.tool(annotations=WRITE)
    async def risky(text: str) -> str:
        """Note a risky text down."""
        return await append("risky", text)

    @server.tool(annotations=IDEMPOTENT)
    async def post(text: str) -> str:
        """Post a text, once."""
        return await append("post", text, once=True)

    @server.tool(annotations=READ)
    def notes() -> str:
        """Read all notes."""
        file = folder / "note.txt"
        return file.read_text() if file.exists() else "(none)"

    @server.tool(annotations=READ)
    def look() -> str:
        """Look into the box."""
        return "there are texts in the box"

    return server


@dataclass
class Workshop:
    """What a test drives and looks at."""

    engine: sa.Engine
    runs: DurableRuns
    records: RunRecords
    ledger: SqlLedger
    approvals: Approvals
    orders: RunControl
    journal: Journal
    asked_of_the_model: list[ModelRequest]

    async def question(self) -> Approval:
        """The first question that waits for a person, once there is one."""
        with anyio.fail_after(240):
            while not (waiting := await self.approvals.listed()):
                await anyio.sleep(0.02)
        return waiting[0]


@asynccontextmanager
async def workshop(
    url: str, *servers: MCPServer | ServerConfig, script: Any = lines, takes_work: bool = True, executor_id: str = "", keys: tuple[str, ...] = (),
    concurrency: ConcurrencyLimits = QUICK, liveness: Liveness = LOOKING, approvals: dict[str, Any] | None = None,
    engine: sa.Engine | None = None, **means: Any,
) -> AsyncIterator[Workshop]:  # fmt: skip
    """Runs over a database; `means` are fields of `Services`."""
    engine = engine or await anyio.to_thread.run_sync(in_place, url)
    store, records, journal = Store(engine), RunRecords(engine, keys=keys), Journal(engine)
    ledger, approver = SqlLedger(store), Approvals(store, **{"poll_s": 0.05, **(approvals or {})})
    patient = journal.within(store.together)  # as the app has it
    built: dict[str, Any] = {"policy": POLICY, "ledger": ledger, "approver": approver, "journal": patient, **means}
    try:
        async with (
            house(*servers, script=script, **built) as made,
            open_runs(
                engine,
                made.executor,
                records,
                keys=keys,
                executor_id=executor_id,
                takes_work=takes_work,
                concurrency=concurrency,
                liveness=liveness,
            ) as runs,
        ):
            orders = RunControl(engine, records, ledger, journal, keys=keys)
            yield Workshop(engine, runs, records, ledger, approver, orders, journal, made.model.requests)
    finally:
        await anyio.to_thread.run_sync(engine.dispose)


class Crash:
    """Numbered fault points: the process dies at the n-th, as if its power were cut."""

    def __init__(self, at: int, folder: Path) -> None:
        self._at, self._folder, self._lock, self.passed = at, folder, threading.Lock(), 0
        self._written = threading.local()

    def point(self, name: str) -> None:
        """Pass a point, or die at it."""
        with self._lock:
            self.passed += 1
            if self.passed == self._at:
                (self._folder / "crashed").write_text(name)
                os._exit(137)

    def watch(self) -> None:
        """Points before each write of a run, before its commit and after it, whatever engine it goes through; what pollers do is not
        deterministic, so not counted."""

        @event.listens_for(sa.Engine, "before_cursor_execute")
        def _(_connection: Any, _cursor: Any, statement: str, parameters: Any, *_rest: Any) -> None:
            word = statement.lstrip()[:6].upper()
            if word in ("INSERT", "UPDATE", "DELETE") and "run-" in repr(parameters):
                self._written.statement = " ".join(statement.split()[:3])
                self.point(f"before {self._written.statement}")

        @event.listens_for(sa.Engine, "commit")
        def _(_connection: Any) -> None:
            if statement := getattr(self._written, "statement", ""):
                self.point(f"before commit of {statement}")

        @event.listens_for(sa.Pool, "checkin")
        def _(_connection: Any, _record: Any) -> None:
            if statement := getattr(self._written, "statement", ""):
                self._written.statement = ""
                self.point(f"after commit of {statement}")


def start(*arguments: str) -> BaseProcess:
    """The program in a process of its own: sweeps start it hundreds of times."""
    return forked(_run, arguments)


def forked(target: Callable[..., None], *arguments: Any) -> BaseProcess:
    """A function of a module in a process of its own, forked from one that has imported everything."""
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload([target.__module__, "tests.support.crash_between", "tests.support.token_racer"])
    process = context.Process(target=target, args=arguments)
    process.start()
    return process


def _run(arguments: tuple[str, ...]) -> None:
    anyio.run(main, arguments)


async def main(arguments: tuple[str, ...] | None = None) -> None:
    """Work until every run that was ever asked for has ended: enqueue `--runs`, approve what is asked, and say so in `done.json`."""
    parser = argparse.ArgumentParser()
    parser.add_argument("url")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--runs", type=int, default=0)
    parser.add_argument("--crash-at", type=int, default=0)
    parser.add_argument("--delay-s", type=float, default=0.0)
    parser.add_argument("--absent-after-s", type=float, help="of a note; eight times the delay when it is not said")
    parser.add_argument("--forever", action="store_true")
    parser.add_argument("--id", default="")
    parser.add_argument("--concurrency", type=json.loads, default={"tenant": 8}, help="JSON")
    parser.add_argument("--tick", action="store_true", help="the one run is asked for by a tick of a schedule")
    options = parser.parse_args(arguments)
    crash = Crash(options.crash_at, options.folder)
    engine = await anyio.to_thread.run_sync(prepared, options.url)
    crash.watch()
    # a tool says the same of itself in each process: what it is slow to do may be seen late
    absent_after_s = max(0.3, 8 * options.delay_s) if options.absent_after_s is None else options.absent_after_s
    server = box(options.folder, crash.point, options.delay_s, absent_after_s)
    concurrency = ConcurrencyLimits(poll_s=0.05, **options.concurrency)
    async with workshop(options.url, server, executor_id=options.id, engine=engine, concurrency=concurrency) as shop:
        if options.tick:
            await _handle_tick(shop)
        for number in range(0 if options.tick else options.runs):
            await shop.orders.enqueue(asked(f"run-{number}", "ask" if number % 3 == 0 else "two"))
        (options.folder / f"ready-{os.getpid()}").touch()
        while options.forever or not await _all_ended(shop, options.runs):
            for approval in await shop.approvals.listed():
                with suppress(RunConflict):  # another process of the sweep answered it meanwhile
                    await shop.approvals.answer(approval.id, granted=True, by="tester")
            await anyio.sleep(0.05)
        ended = {record.run_id: record.state for record in await shop.records.newest(limit=10_000)}
    (options.folder / "done.json").write_text(json.dumps({"runs": ended, "points": crash.passed}))


async def _handle_tick(shop: Workshop) -> None:
    """What a worker does about a schedule: it begins, its first tick comes due, and its run is handed to the queue."""
    plan = Timetable(job="run", cron="* * * * *", missed="run")
    for now in (0.0, 60.0):
        schedules = Schedules(Store(shop.engine), clock=lambda now=now: now)
        await schedules.handle(plan)
    for tick in await schedules.to_start():
        await shop.orders.enqueue(asked("run-0", "ask"))
        await schedules.started(tick)


async def _all_ended(shop: Workshop, wanted: int) -> bool:
    found = await shop.records.newest(limit=10_000)
    return len(found) >= wanted and all(record.ended_at is not None for record in found)


if __name__ == "__main__":
    anyio.run(main)
