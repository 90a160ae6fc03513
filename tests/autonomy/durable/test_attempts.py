"""Attempts are counted against the run that kills its process, and a run that is given up ends as any other."""

import os
import sqlite3
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from typing import Any

import anyio
import anyio.to_thread
import pytest
import sqlalchemy as sa
from mcp.server.mcpserver import MCPServer

from autonomy.durable import engine
from autonomy.durable.durable_runs import GIVEN_UP, LAST_ATTEMPTS
from autonomy.durable.durable_tables import effects
from autonomy.durable.engine import ConcurrencyLimits
from autonomy.durable.engine_tables import ATTEMPTS, SUSPECT, SUSPECTS, WAITING, status_table
from autonomy.durable.liveness.process_locks import open_locks
from autonomy.errors import StoreError
from autonomy.llm.messages import AssistantMessage
from autonomy.llm.model import ModelRequest
from autonomy.llm.scripted import calling
from metrics.events import RunFinished
from metrics.reporting.reason_words import reason_in
from tests.requirements import requirement
from tests.support.durable import Workshop, asked, box, forked, prepared, workshop
from tests.support.house import READ, WRITE


async def rows(engine: sa.Engine) -> dict[str, tuple[str, str, int]]:
    """Status, queue and attempts of each run, as the engine has them."""
    table = status_table(engine)
    query = sa.select(table.c.workflow_uuid, table.c.status, table.c.queue_name, table.c.recovery_attempts)

    def read() -> dict[str, tuple[str, str, int]]:
        with engine.connect() as connection:
            return {row[0]: (row[1], row[2], int(row[3])) for row in connection.execute(query)}

    return await anyio.to_thread.run_sync(read)


async def change(url: str, *statements: Callable[[sa.Engine], sa.Executable]) -> None:
    """Change the database while no process runs on it."""

    def write() -> None:
        engine = prepared(url)
        with engine.begin() as connection:
            for statement in statements:
                connection.execute(statement(engine))
        engine.dispose()

    await anyio.to_thread.run_sync(write)


def died(attempts: int, *run_ids: str) -> Callable[[sa.Engine], sa.Executable]:
    """The process of these runs was killed for the n-th time before they got further."""

    def statement(engine: sa.Engine) -> sa.Executable:
        table = status_table(engine)
        return sa.update(table).where(table.c.workflow_uuid.in_(run_ids)).values(recovery_attempts=attempts)

    return statement


async def until(happened: Callable[[], Awaitable[object]]) -> None:
    with anyio.fail_after(240):
        while not await happened():
            await anyio.sleep(0.02)


async def stands(shop: Workshop, run_id: str, *row: str | int) -> None:
    """Wait until the engine has a run as that."""

    async def as_that() -> bool:
        return (await rows(shop.engine))[run_id] == row

    await until(as_that)


async def asks(shop: Workshop, questions: int = 1) -> None:
    """Wait until so many questions stand."""

    async def asked_for() -> bool:
        return len(await shop.approvals.listed()) == questions

    await until(asked_for)


async def answered(shop: Workshop) -> None:
    for approval in await shop.approvals.listed():
        await shop.approvals.answer(approval.id, granted=True, by="haruka")


def finished(events: Sequence[object]) -> list[RunFinished]:
    return [event for event in events if isinstance(event, RunFinished)]


@requirement("J4")
async def test_a_process_that_ends_in_good_order_counts_against_none_of_its_runs(url: str, tmp_path: Path) -> None:
    for _ in range(2):
        async with workshop(url, box(tmp_path, delay_s=60)) as shop:
            await shop.orders.enqueue(asked("run-1"))
            await stands(shop, "run-1", "PENDING", "runs", 1)
        engine = await anyio.to_thread.run_sync(prepared, url)
        status, _, attempts = (await rows(engine))["run-1"]
        await anyio.to_thread.run_sync(engine.dispose)
        assert (status, attempts) == ("PENDING", 0)


@requirement("J4")
async def test_a_process_whose_engine_never_launched_takes_no_attempt_off(
    url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with workshop(url, box(tmp_path), executor_id="one") as shop:
        await shop.orders.enqueue(asked("run-1", "ask"))
        await asks(shop)
    await change(url, died(2, "run-1"))

    def locked(*_: object) -> None:
        raise sa.exc.OperationalError("update", {}, sqlite3.OperationalError("database is locked"))

    with monkeypatch.context() as patched:
        patched.setattr(engine, "_hand_over", locked)
        patched.setattr(engine.DBOS, "launch", locked)
        with pytest.raises(StoreError, match="is locked"):
            async with workshop(url, box(tmp_path), executor_id="one"):
                pass
    looking = await anyio.to_thread.run_sync(prepared, url)
    assert (await rows(looking))["run-1"] == ("PENDING", WAITING, 2)
    await anyio.to_thread.run_sync(looking.dispose)


@requirement("J4")
async def test_a_run_that_came_to_wait_for_a_person_is_not_the_one_that_killed_its_process(url: str, tmp_path: Path) -> None:
    async with workshop(url, box(tmp_path)) as shop:
        await shop.orders.enqueue(asked("run-1", "ask"))
        await asks(shop)
    await change(url, died(ATTEMPTS - 1, "run-1"))
    async with workshop(url, box(tmp_path)) as shop:
        await stands(shop, "run-1", "PENDING", WAITING, 1)
        await answered(shop)
        with anyio.fail_after(240):
            assert (await shop.runs.ended("run-1")).ending == "completed"


@requirement("J4")
async def test_a_run_that_got_a_step_further_begins_to_count_anew(url: str, tmp_path: Path) -> None:
    async with workshop(url, box(tmp_path)) as shop:
        await shop.orders.enqueue(asked("run-1", "ask"))
        await asks(shop)
        await answered(shop)
    await change(url, died(SUSPECT - 1, "run-1"))
    async with workshop(url, box(tmp_path, delay_s=60)) as shop:
        await stands(shop, "run-1", "PENDING", "runs", 1)


@requirement("J4", "R1")
async def test_runs_under_which_processes_died_again_and_again_go_on_one_at_a_time_and_all_get_further(
    url: str, tmp_path: Path
) -> None:
    names = [f"run-{number}" for number in range(3)]
    async with workshop(url, box(tmp_path)) as shop:
        for name in (*names, "new"):
            await shop.orders.enqueue(asked(name, "ask"))
        await asks(shop, 4)
    await change(url, died(SUSPECT, *names))
    most = 0
    async with workshop(url, box(tmp_path), concurrency=ConcurrencyLimits(poll_s=0.02)) as shop:

        async def all_got_further() -> bool:
            nonlocal most
            now = await rows(shop.engine)
            suspected = [row for row in now.values() if row[1] == SUSPECTS]
            assert sum(row[0] == "PENDING" for row in suspected) <= 1
            most = max(most, len(suspected))
            return all(row == ("PENDING", WAITING, 1) for row in now.values())

        await until(all_got_further)
        priority = sa.select(sa.column("priority")).select_from(status_table(shop.engine)).distinct()
        with shop.engine.connect() as connection:
            assert list(connection.scalars(priority)) == [100], "later they go before nobody and after nobody"
    assert most == len(names), "the one that was never suspected waited for none of them"


def receiver(folder: Path, sent: list[str], *, shows: bool) -> MCPServer:
    """It writes a note down, and never answers; what it has can be read, if it `shows` it."""
    server = MCPServer("box")
    lookup: dict[str, Any] = {"meta": {"jiritsu/lookup": {"tool": "notes", "shows": "$text"}}} if shows else {}

    @server.tool(annotations=WRITE, **lookup)
    async def note(text: str) -> str:
        """Note a text down."""
        sent.append(text)
        await anyio.sleep_forever()
        return "never"

    @server.tool(annotations=READ)
    def notes() -> str:
        """Read all notes."""
        return "\n".join(sent)

    return server


def noting(request: ModelRequest) -> AssistantMessage | str:
    turn = 1 + sum(isinstance(message, AssistantMessage) for message in request.messages)
    return calling(("box_note", {"text": "a note"})) if turn == 1 else "done"


@requirement("J4", "R5")
@pytest.mark.parametrize("shows", [True, False])
async def test_a_run_that_kills_its_process_is_ended_by_looking_up_what_it_sent_and_sending_nothing(
    url: str, tmp_path: Path, shows: bool
) -> None:
    sent: list[str] = []
    async with workshop(url, receiver(tmp_path, sent, shows=shows), script=noting) as shop:
        await shop.orders.enqueue(asked("run-1"))

        async def was_sent() -> bool:
            return bool(sent)

        await until(was_sent)
    await change(url, died(ATTEMPTS, "run-1"), lambda _: effects.update().values(state="started", settled_at=None))
    async with workshop(url, receiver(tmp_path, sent, shows=shows), script=noting) as shop:
        with anyio.fail_after(240):
            result = await shop.runs.ended("run-1")
        assert result.ending == "failed"
        assert result.reason == (GIVEN_UP if shows else f"{GIVEN_UP}; outcome unknown: box_note")
        assert [receipt.state for receipt in result.receipts] == ["reconciled" if shows else "unknown"]
        assert [effect.state for effect in await shop.ledger.of_run("run-1")] == ["done" if shows else "unknown"]
        assert [event.reason for event in finished(await shop.journal.read(run_id="run-1"))] == [result.reason]
        assert shop.asked_of_the_model == []
    assert sent == ["a note"]


@requirement("J4", "R5")
async def test_a_run_that_cannot_even_be_ended_by_playing_it_is_told_once_and_leaves_nothing_open(
    url: str, tmp_path: Path
) -> None:
    async with workshop(url, box(tmp_path)) as shop:
        await shop.orders.enqueue(asked("run-1", "ask"))
        await asks(shop)
        await shop.ledger.claim("run-1/turn-1/call-9", run_id="run-1", tool="box_risky", arguments_sha256="")
    await change(url, died(ATTEMPTS + LAST_ATTEMPTS, "run-1"))
    async with workshop(url, box(tmp_path)) as shop:
        with anyio.fail_after(240):
            result = await shop.runs.ended("run-1")
        assert (result.ending, result.reason) == ("failed", f"{GIVEN_UP}; outcome unknown: box_risky")
        assert [event.reason for event in finished(await shop.journal.read(run_id="run-1"))] == [result.reason]
        assert await shop.approvals.listed() == ()
        assert [effect.key for effect in await shop.ledger.unsettled()] == ["run-1/turn-1/call-9"]
        assert (await shop.journal.verify()).findings == ()
        assert shop.asked_of_the_model == []
    assert "プロセスが 50 回続けて終了" in reason_in("ja", result.reason)


@requirement("R5")
async def test_a_cancelled_run_asks_nobody_any_more(url: str, tmp_path: Path) -> None:
    async with workshop(url, box(tmp_path)) as shop:
        await shop.orders.enqueue(asked("run-1", "ask"))
        await asks(shop)
    async with workshop(url, box(tmp_path), takes_work=False) as shop:
        await shop.ledger.claim("run-1/turn-1/call-9", run_id="run-1", tool="box_risky", arguments_sha256="")
        await shop.ledger.claim("run-1/turn-1/call-8", run_id="run-1", tool="box_note", arguments_sha256="")
        await shop.ledger.settle("run-1/turn-1/call-8", "done", None)
        record = await shop.orders.cancel("run-1", by="haruka")
        assert await shop.approvals.listed() == ()
        assert {one.tool: one.state for one in await shop.ledger.of_run("run-1")}["box_risky"] == "unknown", (
            "its process had died"
        )
        assert record.result is not None
        assert [(one.tool, one.state) for one in record.result.receipts] == [("box_note", "done"), ("box_risky", "unknown")]


@requirement("R5")
async def test_a_process_that_dies_while_its_run_is_cancelled_leaves_no_write_as_started(
    url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with workshop(url, box(tmp_path), executor_id="one") as shop:
        await shop.orders.enqueue(asked("run-1", "ask"))
        await asks(shop)
    async with workshop(url, box(tmp_path), takes_work=False) as shop:
        await shop.ledger.claim("run-1/turn-1/call-9", run_id="run-1", tool="box_risky", arguments_sha256="")
        life = await anyio.to_thread.run_sync(open_locks, shop.engine)
        assert await anyio.to_thread.run_sync(life.take, "one")
        client = shop.orders._client
        cancel = client.cancel_workflow

        def dies(run_id: str) -> None:
            life.close()
            cancel(run_id)

        monkeypatch.setattr(client, "cancel_workflow", dies)
        await shop.orders.cancel("run-1", by="haruka")
        assert [effect.state for effect in await shop.ledger.of_run("run-1")] == ["unknown"]


def deadly(request: ModelRequest) -> AssistantMessage | str:
    """What `poison` asks of the model ends the process; all others end well."""
    if request.task is not None and request.task.goal.startswith("poison"):
        os._exit(137)
    return "done"


def live(url: str, folder: str) -> None:
    """A worker's life, until every run has ended or one of them ends it."""

    async def work() -> None:
        async with workshop(url, box(Path(folder)), script=deadly, concurrency=ConcurrencyLimits(poll_s=0.02)) as shop:
            for record in await shop.records.newest():
                await shop.runs.ended(record.run_id)

    anyio.run(work)


@requirement("J4", "R1")
async def test_the_run_that_kills_its_process_is_given_up_and_those_beside_it_are_not(url: str, tmp_path: Path) -> None:
    async with workshop(url, box(tmp_path), takes_work=False) as shop:
        for name in ("poison", "run-1", "run-2", "run-3"):
            await shop.orders.enqueue(asked(name, name.partition("-")[0]))
    for life in range(10):
        process = forked(live, url, str(tmp_path))
        await anyio.to_thread.run_sync(process.join, 120)
        if process.exitcode == 0:
            break
        if life == 0:  # all the others died with it, up to now
            await change(url, died(ATTEMPTS - 1, "poison", "run-1", "run-2", "run-3"))
    async with workshop(url, box(tmp_path), takes_work=False) as shop:
        ended = {record.run_id: record.state for record in await shop.records.newest()}
        assert ended == {"poison": "failed", "run-1": "completed", "run-2": "completed", "run-3": "completed"}
        for run_id in ended:
            assert len(finished(await shop.journal.read(run_id=run_id))) == 1


@requirement("J4")
async def test_a_worker_without_the_key_loses_no_run_and_one_with_it_goes_on(url: str, tmp_path: Path) -> None:
    async with workshop(url, box(tmp_path), keys=("right",)) as shop:
        await shop.orders.enqueue(asked("run-1", "ask"))
        await asks(shop)
    async with workshop(url, box(tmp_path), keys=("wrong",)) as shop:
        await stands(shop, "run-1", "ERROR", "runs", 1)
        assert await shop.orders.interrupted([await shop.records.get("run-1")]) == {"run-1"}
    async with workshop(url, box(tmp_path), keys=("right",)) as shop:
        await answered(shop)
        with anyio.fail_after(240):
            assert (await shop.runs.ended("run-1")).ending == "completed"
