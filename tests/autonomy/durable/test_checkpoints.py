"""What a run keeps of itself, and how little of the database that takes."""

import asyncio
import sqlite3
import time
from collections.abc import AsyncIterator, Callable
from contextlib import closing
from pathlib import Path

import anyio
import anyio.to_thread
import pytest
import sqlalchemy as sa
from dbos._error import DBOSWorkflowConflictIDError
from sqlalchemy import event

from autonomy import database
from autonomy.durable.dbos_internals import group_commit
from autonomy.durable.dbos_internals.group_commit import GroupCommit
from autonomy.durable.dbos_internals.step_lookup import NeedsThreadError
from autonomy.llm.model import ModelRequest
from autonomy.llm.scripted import calling
from autonomy.policy.operator_rules import PolicyRule
from autonomy.policy.policy import Policy
from autonomy.run_state.event_recorder import EventRecorder
from autonomy.run_state.step import Interrupted
from metrics import events
from metrics.events import RunEvent
from tests.requirements import requirement
from tests.support.durable import POLICY, Workshop, asked, box, workshop
from tests.support.statements import counted

TURNS = 4


def reads(request: ModelRequest) -> object:
    """Four turns of two reads."""
    turn = sum(message.role == "assistant" for message in request.messages)
    return calling(("box_look", {}), ("box_notes", {})) if turn < TURNS else "looked"


def writes(request: ModelRequest) -> object:
    """Four turns of a write."""
    turn = sum(message.role == "assistant" for message in request.messages)
    return calling(("box_note", {"text": f"note {turn}"})) if turn < TURNS else "noted"


@pytest.fixture
async def shop(tmp_path: Path) -> AsyncIterator[Workshop]:
    async with workshop(f"sqlite:///{tmp_path / 'jiritsu.db'}", box(tmp_path)) as opened:
        yield opened


@requirement("J4")
async def test_decisions_stand_with_the_reply_and_the_reads_of_a_turn_are_one_step(shop: Workshop) -> None:
    with anyio.fail_after(240):
        await shop.runs.run(asked("run-1"))
    assert await shop.orders.steps("run-1") == [
        "start",
        "catalog",
        *(f"turn-{turn}/{step}" for turn in (1, 2) for step in ("model", "reads", "call-1", "call-2")),
        "turn-3/model",
    ]


@pytest.mark.parametrize(("script", "most"), [(reads, 2), (writes, 4)], ids=["a turn of two reads", "a turn of a write"])
async def test_a_turn_asks_no_more_of_the_database_than_this(tmp_path: Path, script: object, most: int) -> None:
    """Statements about checkpoints and the ledger, which time does not change; seven are those of the run's begin and end.

    That the run is still its own is asked before each, once more where another who writes was in the way.
    """
    async with workshop(f"sqlite:///{tmp_path / 'jiritsu.db'}", box(tmp_path), script=script) as shop:
        with anyio.fail_after(240), counted() as sent:
            await shop.runs.run(asked("run-1"))
    about = ("operation_outputs", "durable_effects")
    assert len([text for text in sent.statements if any(words in text for words in about)]) <= most * TURNS + 7


@requirement("J4")
async def test_only_what_may_be_done_again_after_a_power_cut_does_not_wait_for_the_disk(shop: Workshop) -> None:
    """A checkpoint does not; a claim, a receipt, the journal and a run's record do, and take with them what was stored before."""
    waits: dict[str, set[int]] = {
        "operation_outputs": set(),
        "durable_effects": set(),
        "metrics_events": set(),
        "durable_runs": set(),
    }

    @event.listens_for(sa.Engine, "before_cursor_execute")
    def note(_connection: object, cursor: sqlite3.Cursor, statement: str, *_more: object) -> None:
        for table in waits:
            if statement.startswith(("INSERT", "UPDATE")) and table in statement.split("(")[0]:
                waits[table].add(cursor.connection.execute("PRAGMA synchronous").fetchone()[0])

    try:
        with anyio.fail_after(240):
            await shop.runs.run(asked("run-1"))
    finally:
        event.remove(sa.Engine, "before_cursor_execute", note)
    normal, full = 1, 2
    assert waits == {"operation_outputs": {normal}, "durable_effects": {full}, "metrics_events": {full}, "durable_runs": {full}}


async def test_a_checkpoint_takes_no_thread_and_no_question_whether_it_was_taken(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """But one for which another who writes has to be waited for, which blocks: that takes a thread."""
    begun, to_thread = list[str](), asyncio.to_thread

    async def noted(work: Callable[..., object], *given: object, **more: object) -> object:
        begun.append(getattr(work, "__qualname__", ""))
        return await to_thread(work, *given, **more)

    monkeypatch.setattr(asyncio, "to_thread", noted)
    async with workshop(f"sqlite:///{tmp_path / 'jiritsu.db'}", box(tmp_path), script=reads) as shop:
        with anyio.fail_after(240):
            await shop.runs.run(asked("run-1"))
        stored = len(await shop.orders.steps("run-1"))
    assert begun.count("invoke_step.<locals>.record_step_result") < stored
    assert begun.count("invoke_step.<locals>.check_existing_result") == 0


async def test_of_steps_stored_together_one_that_is_refused_keeps_none_of_the_others(monkeypatch: pytest.MonkeyPatch) -> None:
    kept = list[str]()

    class Database:
        """Stores all but the steps of one run, which it has no more."""

        record_operation_result = None
        update_workflow_outcome = None

        def store(self, result: dict[str, str], _completed: int, _connection: object, **_more: object) -> None:
            if result["workflow_uuid"] == "lost":
                raise DBOSWorkflowConflictIDError("lost")
            kept.append(result["workflow_uuid"])

    engine = sa.create_engine("sqlite://")
    together = GroupCommit(Database(), Database(), engine)  # type: ignore[arg-type]  # as they are called
    told = dict[str, object]()

    async def stored(run_id: str) -> None:
        together.enqueue({"workflow_uuid": run_id, "function_id": 1}, owner_xid="me")
        try:
            told[run_id] = await together.last_stored
        except DBOSWorkflowConflictIDError as error:
            told[run_id] = error

    async with anyio.create_task_group() as group:
        for run_id in ("one", "lost", "two"):
            group.start_soon(stored, run_id)
    assert kept == ["one", "two"]
    assert (told["one"], told["two"]) == (True, True)
    assert isinstance(told["lost"], DBOSWorkflowConflictIDError)
    engine.dispose()


async def test_steps_that_cannot_be_stored_for_long_are_left_to_a_thread_with_the_time_they_were_completed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(group_commit, "IN_THE_WAY_S", 0.02)
    engine = await anyio.to_thread.run_sync(database.open_engine, f"sqlite:///{tmp_path / 'x.db'}")
    at_once, times = await anyio.to_thread.run_sync(database.unwaiting, engine), list[int]()

    class Database:
        """Notes when what a thread stores was completed."""

        update_workflow_outcome = None

        def record_operation_result(self, _result: object, *, completed_at_epoch_ms: int) -> None:
            times.append(completed_at_epoch_ms)

    together = GroupCommit(Database(), Database(), at_once)  # type: ignore[arg-type]  # as they are called
    step = {"workflow_uuid": "one", "function_id": 1}
    await anyio.to_thread.run_sync(lambda: at_once.connect().close())  # as the engine opens it: that would wait
    with closing(sqlite3.connect(tmp_path / "x.db")) as another:
        another.execute("BEGIN IMMEDIATE")
        began = time.time()
        together.enqueue(step, owner_xid="me")
        assert not await together.last_stored
    await anyio.to_thread.run_sync(together.enqueue, step)
    assert began * 1000 - 1 <= times[0] <= time.time() * 1000
    for one in (engine, at_once):
        one.dispose()


@requirement("J4")
async def test_an_outcome_is_recorded_at_once_by_its_owner_alone_and_left_to_a_thread_while_another_writes(
    shop: Workshop, tmp_path: Path
) -> None:
    with anyio.fail_after(240):
        await shop.runs.run(asked("run-1"))
    together = GroupCommit.current
    assert together is not None
    with together.ending():
        assert not together.end("run-1", "ERROR", error="a late one's", owner_xid="another")
    with closing(sqlite3.connect(tmp_path / "jiritsu.db")) as another:
        another.execute("BEGIN IMMEDIATE")
        with pytest.raises(NeedsThreadError), together.ending():
            together.end("run-1", "ERROR", error="a late one's", owner_xid="another")
        query = "select status, o.error from workflow_status join workflow_output o using (workflow_uuid)"
        assert another.execute(query).fetchall() == [("SUCCESS", None)]


@requirement("J4")
async def test_a_decision_that_was_made_holds_when_the_rules_have_changed_before_the_run_goes_on(tmp_path: Path) -> None:
    """Else a write that was under way would be told of as refused, and nobody would look whether it happened."""
    url = f"sqlite:///{tmp_path / 'jiritsu.db'}"
    under_way = anyio.Event()
    with anyio.fail_after(240):
        slow = box(tmp_path, lambda point: under_way.set() if point == "note before" else None, delay_s=60)
        async with workshop(url, slow, script=writes) as shop:
            await shop.orders.enqueue(asked("run-1"))
            await under_way.wait()
        assert not (tmp_path / "note.txt").exists()
        strict = Policy(rules=(PolicyRule(name="no", decision="deny", tool="box_note"), *POLICY.rules))
        async with workshop(url, box(tmp_path), script=writes, policy=strict) as shop:
            result = await shop.runs.ended("run-1")
    assert [call.result.kind for call in result.calls][:2] == ["ok", "denied"]
    assert (tmp_path / "note.txt").read_text().split("\n")[0] == "note 0"


async def test_what_is_under_way_is_seen_from_outside_before_it_ends() -> None:
    """A journal that learned of a slow read only afterwards would show a run as idle."""
    written: list[str] = []

    class Sink:
        async def write(self, told: tuple[RunEvent, ...]) -> None:
            written.extend(event.key for event in told)

    recorder = EventRecorder("run-1", "default", "", lambda: 0.0, Sink())  # type: ignore[arg-type]  # as a sink is called
    with anyio.fail_after(240):
        async with recorder.flushed_in_time():
            await recorder.emit(events.TurnStarted, "turn-1/turn", turn=1)
            await recorder.emit(events.ModelAsked, "turn-1/model-asked", turn=1, model="m")
            while not written:
                await anyio.sleep(0.01)
    assert written == ["turn-1/turn", "turn-1/model-asked"]


async def test_an_event_is_told_once_for_each_key_and_none_that_comes_while_others_are_written_is_lost() -> None:
    written: list[str] = []

    class Busy:
        async def write(self, told: tuple[RunEvent, ...]) -> None:
            written.extend(event.key for event in told)
            for turn in (1, 2):
                await recorder.emit(events.TurnStarted, f"turn-{turn}/turn", turn=turn)

    recorder = EventRecorder("run-1", "default", "", lambda: 0.0, Busy())  # type: ignore[arg-type]  # as a sink is called
    await recorder.emit(events.TurnStarted, "turn-1/turn", turn=1)
    await recorder.flush()
    assert (written, recorder.has_news) == (["turn-1/turn"], True)
    await recorder.flush()
    assert (written, recorder.has_news) == (["turn-1/turn", "turn-2/turn"], False)


async def test_an_error_leaves_the_block_as_what_it_is() -> None:
    recorder = EventRecorder("run-1", "default", "", lambda: 0.0)
    with pytest.raises(Interrupted):
        async with recorder.flushed_in_time():
            raise Interrupted("the database is away")


async def test_a_journal_that_cannot_be_written_is_told_to_whoever_flushes_next() -> None:
    tried = anyio.Event()

    class Away:
        async def write(self, told: tuple[RunEvent, ...]) -> None:
            tried.set()
            raise OSError("away")

    recorder = EventRecorder("run-1", "default", "", lambda: 0.0, Away())  # type: ignore[arg-type]  # as a sink is called
    async with recorder.flushed_in_time():
        await recorder.emit(events.TurnStarted, "turn-1/turn", turn=1)
        with anyio.fail_after(240):
            await tried.wait()
        with pytest.raises(OSError, match="away"):
            await recorder.flush()
