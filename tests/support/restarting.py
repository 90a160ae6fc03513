"""A worker that is told to stop in the middle of a step: it marks the moment, holds it, and closes as the real command does.

Run by `tests/sweeps/test_restarts.py` in processes of their own; its tools leave lines in files, as those of `tests.support.durable`.
"""

import json
import logging
import os
import threading
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Any

import anyio
import anyio.to_thread
from mcp.server.mcpserver import MCPServer
from mcp.server.mcpserver.exceptions import ToolError

from autonomy.calls.backoff import Backoff
from autonomy.cli.entry import closed_first, run_async
from autonomy.durable.approval_store import Approvals
from autonomy.durable.durable_runs import open_runs
from autonomy.durable.engine import ConcurrencyLimits, Liveness
from autonomy.durable.memory.sql_ledger import SqlLedger
from autonomy.durable.records.run_records import RunRecords
from autonomy.durable.run_control import RunControl
from autonomy.durable.scheduling.schedules import Schedules
from autonomy.durable.scheduling.timetable import Timetable
from autonomy.durable.store import Store
from autonomy.errors import RunConflict
from autonomy.llm.messages import AssistantMessage
from autonomy.llm.model import ModelRequest, OnText
from autonomy.llm.scripted import ScriptedModel, calling
from metrics import events
from metrics.events import RunEvent
from metrics.journal import Journal
from tests.support.durable import POLICY, asked, forked, prepared
from tests.support.house import IDEMPOTENT, READ, WRITE, house

STEPS = ("model", "read", "before write", "after write", "read-back", "judge", "question", "approval", "retry", "tick")
ASKING = ("question", "approval")
"""The steps for which every run asks a person, not every third."""
HOLD_S = 0.3
"""So long a step goes on after the signal: shorter than what steps under way are given."""
PATIENCE_S = 20.0
"""So long a run stays in the step for the signal, shorter than a call may take; after that it passes, and does not count."""


@dataclass
class Hold:
    """The step in which runs stand when the process is told to stop.

    `held-RUN` says that a run has come to it, `left-RUN` how it left: `caught` by the signal, or `passed` because none came.
    """

    at: str
    folder: Path

    async def point(self, name: str, run: str) -> None:
        """Stay in the step, the first time that a run comes to it in any process, until the process is told to stop."""
        if name != self.at or not make(self.folder / f"held-{run}", str(os.getpid())):
            return
        told = self.folder / f"told-{os.getpid()}"
        try:
            with anyio.move_on_after(PATIENCE_S):
                while not told.exists():
                    await anyio.sleep(0.02)
        except anyio.get_cancelled_exc_class():
            make(self.folder / f"left-{run}", "caught")
            raise
        make(self.folder / f"left-{run}", "caught" if told.exists() else "passed")
        await anyio.sleep(HOLD_S)

    async def write(self, told: Sequence[RunEvent]) -> None:
        """See `EventSink`: what no tool or model sees is held where it is told of."""
        moments = {events.Judged: "judge", events.ApprovalRequested: "question", events.AttemptFailed: "retry"}
        for event in told:
            if (name := moments.get(type(event))) is not None:
                await self.point(name, event.run_id)


class HeldModel(ScriptedModel):
    """A scripted model that takes its time."""

    hold: Hold

    async def complete(self, request: ModelRequest, on_text: OnText | None = None) -> AssistantMessage:
        """See `Model`."""
        await self.hold.point("model", _run_of(request))
        return await super().complete(request, on_text)


def lines(request: ModelRequest) -> AssistantMessage | str:
    """As many turns of reads and writes as the goal says; the first write is asked about where it begins with `ask`."""
    name, goal = _run_of(request), request.task.goal if request.task else ""
    turn = 1 + sum(isinstance(message, AssistantMessage) for message in request.messages)
    if turn > int(goal.split()[0].split("-")[1]):
        return f"{name} is done"
    text = {"text": f"{name}/{turn}"}
    calls: list[tuple[str, dict[str, Any]]] = [("box_note", text), ("box_post", text), ("box_look", text), ("box_flaky", text)]
    if turn == 1 and goal.startswith("ask"):
        calls.insert(0, ("box_risky", text))
    return calling(*calls)


def _run_of(request: ModelRequest) -> str:
    return request.task.goal.split()[1] if request.task else ""


def box(folder: Path, hold: Hold) -> MCPServer:
    """Tools that leave lines; of a note one can see that it is there, and read it back by its id."""
    server, lock = MCPServer("box"), threading.Lock()

    async def append(kind: str, text: str, *, once: bool = False) -> None:
        def write() -> None:
            with lock, (folder / f"{kind}.txt").open("a+") as file:
                file.seek(0)
                if not (once and f"{text}\n" in file.readlines()):
                    os.write(file.fileno(), f"{text}\n".encode())

        await hold.point("before write", text.split("/")[0])
        await anyio.to_thread.run_sync(write)
        await hold.point("after write", text.split("/")[0])

    @server.tool(annotations=WRITE, meta={"jiritsu/lookup": {"tool": "notes", "shows": "$text", "absent_after_s": 0.3}})
    async def note(text: str) -> dict[str, str]:
        """Note a text down."""
        await append("note", text)
        return {"id": text}

    @server.tool(annotations=READ)
    async def read_note(id: str) -> str:  # noqa: A002 - what it is called in answers
        """Read a note by its id."""
        await hold.point("read-back", id.split("/")[0])
        return id if id in (folder / "note.txt").read_text().splitlines() else "(none)"

    @server.tool(annotations=WRITE)
    async def risky(text: str) -> str:
        """Note a risky text down."""
        await append("risky", text)
        return "noted"

    @server.tool(annotations=IDEMPOTENT)
    async def post(text: str) -> str:
        """Post a text, once."""
        await append("post", text, once=True)
        return "posted"

    @server.tool(annotations=READ)
    def notes() -> str:
        """Read all notes."""
        file = folder / "note.txt"
        return file.read_text() if file.exists() else "(none)"

    @server.tool(annotations=READ)
    async def look(text: str) -> str:
        """Look for a text in the box."""
        await hold.point("read", text.split("/")[0])
        return "there are texts in the box"

    @server.tool(annotations=READ)
    def flaky(text: str) -> str:
        """Read what is often busy."""
        if make(folder / f"flaky-{text.replace('/', '-')}", ""):
            raise ToolError("503 Service Unavailable, try again later")
        return "there"

    return server


def start(*arguments: str) -> BaseProcess:
    """A worker, as `work` takes its arguments, in a process of its own."""
    return forked(_run, arguments)


def _run(arguments: tuple[str, ...]) -> None:
    url, folder, runs, here, turns, at = arguments
    logging.getLogger("mcp").setLevel("ERROR")  # our servers fail on purpose, and a painted traceback costs more than the call
    run_async(lambda: work(url, Path(folder), int(runs), int(here), int(turns), at))


async def work(url: str, folder: Path, runs: int, here: int, turns: int, at: str) -> int:
    """What a worker does, closed as a worker is: until all runs have ended, or it is told to stop.

    `here`: runs at once; `turns`: of each run.
    """
    hold = Hold(at, folder)
    engine = await anyio.to_thread.run_sync(prepared, url)
    store, records, journal = Store(engine), RunRecords(engine), Journal(engine)
    ledger, approvals = SqlLedger(store), Approvals(store, poll_s=0.1)
    model = HeldModel(lines)
    model.hold = hold
    means: dict[str, Any] = {"policy": POLICY, "ledger": ledger, "approver": approvals, "watchers": (hold,)}
    means["journal"] = journal.within(store.together)  # as the app has it
    async with house(box(folder, hold), model=model, backoff=Backoff(first_s=0.4, most_s=0.4), **means) as made:
        liveness, concurrency = Liveness(every_s=0.2, grace_s=20), ConcurrencyLimits(poll_s=0.05, here=here, tenant=2 * runs + 1)
        async with (
            closed_first(),
            open_runs(engine, made.executor, records, takes_work=True, concurrency=concurrency, liveness=liveness),
        ):
            orders = RunControl(engine, records, ledger, journal)
            async with anyio.create_task_group() as tasks:
                for number in range(runs):
                    tasks.start_soon(_ask_for, number, turns, store, orders, hold)
                (folder / f"ready-{os.getpid()}").touch()
                while not await _all_ended(records, runs):
                    await _answer(approvals, hold)
                    await anyio.sleep(0.2)
            ended = {record.run_id: record.state for record in await records.newest(limit=10_000)}
            (folder / "done.json").write_text(json.dumps({"runs": ended}))
    await anyio.to_thread.run_sync(engine.dispose)
    return 0


async def _ask_for(number: int, turns: int, store: Store, orders: RunControl, hold: Hold) -> None:
    """One run: asked for at once, or by the first tick of a schedule of its own, which is held before it is handed over or after."""
    run = f"run-{number}"
    request = asked(run, f"{'ask' if hold.at in ASKING or number % 3 == 0 else 'do'}-{turns}")
    if hold.at != "tick":
        await orders.enqueue(request)
        return
    plan = Timetable(job=run, cron="* * * * *", missed="run")
    for now in (0.0, 60.0):
        schedules = Schedules(store, clock=partial(float, now))
        await schedules.handle(plan)
    for tick in await schedules.to_start(run):
        if number % 2:
            await hold.point("tick", run)
        await orders.enqueue(request)
        await hold.point("tick", run)
        await schedules.started(tick)


async def _answer(approvals: Approvals, hold: Hold) -> None:
    """Say yes; where runs are caught while they wait for that, only when every worker has been told to stop."""
    waits = hold.at == "approval"
    told = (hold.folder / "all-told").exists()
    for approval in await approvals.listed():
        if waits:
            make(hold.folder / f"held-{approval.question.run_id}", "")
        if waits and not told:
            continue
        if waits:
            make(hold.folder / f"left-{approval.question.run_id}", "caught")
        with suppress(RunConflict):  # the other worker's tester was first
            await approvals.answer(approval.id, granted=True, by="tester")


async def _all_ended(records: RunRecords, wanted: int) -> bool:
    found = await records.newest(limit=10_000)
    return len(found) >= wanted and all(record.ended_at is not None for record in found)


def make(file: Path, text: str) -> bool:
    """Write a file unless it is there; whether it was written."""
    try:
        with file.open("x") as made:
            made.write(text)
    except FileExistsError:
        return False
    return True
