"""Runs are remembered step by step, and go on where they were."""

import base64
import itertools
import json
import os
import pickle
import re
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Sequence
from contextlib import closing
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any

import anyio
import anyio.to_thread
import pytest
import sqlalchemy as sa
from dbos import DBOS

from autonomy.durable import engine, run_control
from autonomy.durable.durable_runs import durable_step
from autonomy.durable.engine import ConcurrencyLimits, Liveness
from autonomy.durable.liveness.stalled_lock_holder import stalled_lock_holder
from autonomy.durable.records.run_records import RunRecord
from autonomy.durable.storage.serializer import JsonSerializer
from autonomy.errors import RunConflict, StoreError
from autonomy.jobs.job_folders import BUILT_IN
from autonomy.jobs.job_loading import find
from autonomy.run_state.run_values import RunRequest
from autonomy.run_state.step import Interrupted
from metrics.events import Intervention, RunFinished, RunStarted
from tests.requirements import requirement
from tests.support.durable import Workshop, asked, box, start, workshop
from tests.support.waiting import until


def wrote(folder: Path, kind: str) -> list[str]:
    file = folder / f"{kind}.txt"
    return file.read_text().split() if file.exists() else []


async def test_a_run_takes_the_same_loop_and_every_step_of_it_is_remembered(url: str, tmp_path: Path) -> None:
    async with workshop(url, box(tmp_path)) as shop:
        with anyio.fail_after(240):
            result = await shop.runs.run(asked("run-1"))
        assert (result.ending, result.text) == ("completed", "run-1 is done")
        steps = await shop.orders.steps("run-1")
        assert steps[:3] == ["start", "catalog", "turn-1/model"]
        assert steps[-1] == "turn-3/model"
        assert (await shop.records.get("run-1")).state == "completed"
        assert (await shop.journal.verify()).findings == ()
    assert wrote(tmp_path, "note") == ["run-1/1", "run-1/2"]


async def test_a_run_of_the_same_id_is_not_run_again(url: str, tmp_path: Path) -> None:
    async with workshop(url, box(tmp_path)) as shop:
        with anyio.fail_after(240):
            first = await shop.runs.run(asked("run-1"))
            await shop.orders.enqueue(asked("run-1"))
            again = await shop.runs.run(asked("run-1"))
    assert first == again
    assert wrote(tmp_path, "note") == ["run-1/1", "run-1/2"]


async def test_two_who_wait_for_one_run_both_get_its_result(url: str, tmp_path: Path) -> None:
    results = []

    async def wait(shop: Workshop) -> None:
        results.append(await shop.runs.run(asked("run-1")))

    async with workshop(url, box(tmp_path)) as shop:
        with anyio.fail_after(240):
            async with anyio.create_task_group() as group:
                group.start_soon(wait, shop)
                group.start_soon(wait, shop)
    assert [result.ending for result in results] == ["completed", "completed"]
    assert wrote(tmp_path, "note") == ["run-1/1", "run-1/2"]


async def test_an_interrupted_run_goes_on_where_it_was_and_asks_the_model_nothing_twice(url: str, tmp_path: Path) -> None:
    reached, go_on = anyio.Event(), anyio.Event()

    async def held(seconds: float) -> None:
        reached.set()
        await go_on.wait()

    async with workshop(url, box(tmp_path), approvals={"sleep": held}) as shop:
        await shop.orders.enqueue(asked("run-1", "ask"))
        with anyio.fail_after(240):
            await reached.wait()
    assert wrote(tmp_path, "risky") == []
    async with workshop(url, box(tmp_path)) as shop:
        (approval,) = await shop.approvals.listed()
        await shop.approvals.answer(approval.id, granted=True, by="haruka", reason="fine")
        with anyio.fail_after(240):
            result = await shop.runs.ended("run-1")
        assert result.ending == "completed"
        assert len(shop.asked_of_the_model) == 2, "the first reply was remembered"
    assert wrote(tmp_path, "risky") == ["run-1/1"]


@requirement("J4")
@pytest.mark.parametrize("number", [1, pytest.param(2, marks=pytest.mark.sweep)])
def test_a_process_killed_in_the_middle_loses_nothing_and_doubles_nothing(url: str, tmp_path: Path, number: int) -> None:
    for options, code in ((["--crash-at", str(30 * number)], 137), ([], 0)):
        process = start(url, str(tmp_path), "--runs", "1", *options)
        process.join(240)
        assert process.exitcode == code
    for kind, most in (("note", 2), ("post", 2), ("risky", 1)):
        lines_of = wrote(tmp_path, kind)
        assert len(lines_of) == len(set(lines_of)) <= most
    assert len(wrote(tmp_path, "post")) == 2, "what may be sent again is never lost"


@requirement("J4")
async def test_another_process_takes_over_the_runs_of_one_that_was_killed(url: str, tmp_path: Path) -> None:
    # a note that was claimed when the victim died is looked up by what the victim's catalog says of it
    options = ["--runs", "2", "--delay-s", "30", "--absent-after-s", "0.3", "--forever", "--id", "victim"]
    victim = await anyio.to_thread.run_sync(lambda: start(url, str(tmp_path), *options))
    try:
        async with workshop(url, box(tmp_path)) as shop:
            with anyio.fail_after(240):
                while not any(record.state == "running" for record in await shop.records.newest()):
                    await anyio.sleep(0.05)
                victim.kill()
                with anyio.fail_after(240):
                    while pending := [record.run_id for record in await shop.records.newest() if record.ended_at is None]:
                        for approval in await shop.approvals.listed():
                            await shop.approvals.answer(approval.id, granted=True, by="tester")
                        await anyio.sleep(0.05)
            assert pending == []
    finally:
        victim.kill()
        await anyio.to_thread.run_sync(victim.join)


async def test_two_processes_cannot_have_the_same_name(url: str, tmp_path: Path) -> None:
    first = await anyio.to_thread.run_sync(lambda: start(url, str(tmp_path), "--forever", "--id", "worker-1"))
    try:
        with anyio.fail_after(240):
            while not list(tmp_path.glob("ready-*")):
                await anyio.sleep(0.05)
        with pytest.raises(RunConflict, match="worker-1"):
            async with workshop(url, box(tmp_path), executor_id="worker-1"):
                pass
        first.kill()
        await anyio.to_thread.run_sync(first.join)
        async with workshop(url, box(tmp_path), executor_id="worker-1"):
            pass
    finally:
        first.kill()
        await anyio.to_thread.run_sync(first.join)


async def test_a_tenant_has_no_more_runs_at_once_than_its_lanes(url: str, tmp_path: Path) -> None:
    async with workshop(url, box(tmp_path, delay_s=0.1), concurrency=ConcurrencyLimits(tenant=2, poll_s=0.02)) as shop:
        for number in range(5):
            await shop.orders.enqueue(asked(f"run-{number}"))
        with anyio.fail_after(240):
            for number in range(5):
                await shop.runs.ended(f"run-{number}")
        told = await shop.journal.read()
    under_way = itertools.accumulate(
        isinstance(event, RunStarted) - isinstance(event, RunFinished)
        for event in sorted(told, key=lambda event: (event.at, isinstance(event, RunStarted)))
    )
    assert max(under_way) == 2


async def test_a_cancelled_run_ends_for_good_and_nothing_new_begins(url: str, tmp_path: Path) -> None:
    async with workshop(url, box(tmp_path)) as shop:
        await shop.orders.enqueue(asked("run-1", "ask"))
        with anyio.fail_after(240):
            await shop.question()
            record = await shop.orders.cancel("run-1", by="haruka", reason="a mistake")
        assert (record.state, record.result and record.result.reason) == ("cancelled", "a mistake")
        told = [event for event in await shop.journal.read(run_id="run-1") if isinstance(event, Intervention)]
        assert [(event.kind, event.by) for event in told] == [("cancel", "haruka")]
        with pytest.raises(RunConflict, match="has ended"):
            await shop.orders.resume("run-1", by="haruka")
    assert wrote(tmp_path, "note") == []


async def test_a_run_that_ends_while_it_is_cancelled_stays_what_it_became(url: str, tmp_path: Path) -> None:
    async with workshop(url, box(tmp_path)) as shop:
        with anyio.fail_after(240):
            await shop.runs.run(asked("run-1"))
        whole = await shop.records.get("run-1")
        read = iter((whole.model_copy(update={"state": "running"}), whole))

        async def as_it_was_a_moment_ago(_run_id: str, _tenant: str | None = None) -> RunRecord:
            return next(read)

        shop.records.get = as_it_was_a_moment_ago  # type: ignore[method-assign]
        with pytest.raises(RunConflict, match="ended before it could be cancelled"):
            await shop.orders.cancel("run-1", by="haruka")
        assert [event.kind for event in await shop.journal.read(run_id="run-1") if isinstance(event, Intervention)] == []


async def test_a_paused_run_waits_and_goes_on_when_it_is_resumed(url: str, tmp_path: Path) -> None:
    async with workshop(url, box(tmp_path)) as shop:
        await shop.orders.enqueue(asked("run-1", "ask"))
        with anyio.fail_after(240):
            approval = await shop.question()
            assert (await shop.orders.pause("run-1", by="haruka")).state == "paused"
            with pytest.raises(RunConflict, match="is paused already"):
                await shop.orders.pause("run-1", by="haruka")
            await shop.approvals.answer(approval.id, granted=True, by="haruka")
            assert wrote(tmp_path, "risky") == []
            await shop.orders.resume("run-1", by="haruka")
            result = await shop.runs.ended("run-1")
    assert result.ending == "completed"
    assert wrote(tmp_path, "risky") == ["run-1/1"]


async def test_an_ended_run_is_tried_again_from_a_step_and_its_writes_only_when_they_are_wanted_again(
    url: str, tmp_path: Path
) -> None:
    async with workshop(url, box(tmp_path)) as shop:
        with anyio.fail_after(240):
            await shop.runs.run(asked("run-1"))
            last, at_stake = await shop.orders.retry("run-1", by="haruka", words="Be brief this time.")
            assert at_stake == ()
            assert re.fullmatch(r"\d{8}-\d{6}-\w{6}", last), "as the ids of other runs"
            assert (await shop.runs.ended(last)).ending == "completed"
            assert "Be brief this time." in str(shop.asked_of_the_model[-1].messages)
            with pytest.raises(RunConflict, match=r"box_note \(done\)"):
                await shop.orders.retry("run-1", by="haruka", step="turn-2/model")
            written = [effect.key.removeprefix("run-1/") for effect in await shop.ledger.of_run("run-1")]
            last_write = [step for step in await shop.orders.steps("run-1") if step in written][-1]
            with pytest.raises(RunConflict, match="has written from there on"):
                await shop.orders.retry("run-1", by="haruka", step=last_write)
            assert wrote(tmp_path, "note") == ["run-1/1", "run-1/2"]
            other, at_stake = await shop.orders.retry("run-1", by="haruka", step="turn-2/model", again=True)
            assert {effect.tool for effect in at_stake} == {"box_note", "box_post"}
            assert (await shop.runs.ended(other)).ending == "completed"
        assert {event.run_id for event in await shop.journal.read(run_id=other)} == {other}
    assert wrote(tmp_path, "note") == ["run-1/1", "run-1/2", "run-1/2"]


async def test_what_is_remembered_is_encrypted_when_a_key_is_set(url: str, tmp_path: Path) -> None:
    async with workshop(url, box(tmp_path), keys=("second", "first")) as shop:
        with anyio.fail_after(240):
            await shop.runs.run(asked("run-secret"))

        def remembered() -> str:
            with shop.engine.connect() as connection:
                rows = [*connection.exec_driver_sql("select output from operation_outputs")]
                return "".join(map(str, [*rows, *connection.exec_driver_sql("select inputs from workflow_status")]))

        stored = await anyio.to_thread.run_sync(remembered)  # where none is free, a connection is opened
    assert stored.count("('e") > 8
    assert "('j" not in stored


def test_keys_rotate_and_a_missing_key_is_named() -> None:
    old, new = JsonSerializer(("old",)), JsonSerializer(("new", "old"))
    text = {"text": "日本語 \ud800", "pair": (1, 2)}
    assert new.deserialize(old.serialize(text)) == {"text": "日本語 \ud800", "pair": [1, 2]}
    assert new.deserialize(JsonSerializer().serialize(text))["text"] == text["text"], "written before a key was set"
    with pytest.raises(StoreError, match="not among"):
        old.deserialize(new.serialize(text))
    with pytest.raises(StoreError, match="no key is set"):
        JsonSerializer().deserialize(old.serialize(text))


async def test_an_error_nobody_foresaw_ends_the_run_as_failed(url: str, tmp_path: Path) -> None:
    def broken(request: object) -> str:
        raise ZeroDivisionError("by nought")

    async with workshop(url, box(tmp_path), script=broken) as shop:
        with anyio.fail_after(240):
            result = await shop.runs.run(asked("run-1"))
    assert (result.ending, result.reason) == ("failed", "ZeroDivisionError: by nought")


async def test_a_run_that_was_interrupted_while_its_process_lives_on_is_taken_up_again(url: str, tmp_path: Path) -> None:
    away = [1]

    async def flaky(_seconds: float) -> None:
        if away[0]:
            away[0] -= 1
            raise StoreError("the database cannot be used: database or disk is full")
        await anyio.sleep(0.05)

    async with workshop(url, box(tmp_path), approvals={"sleep": flaky}, liveness=Liveness(every_s=0.05, grace_s=0.5)) as shop:
        await shop.orders.enqueue(asked("run-1", "ask"))
        with anyio.fail_after(240):
            approval = await shop.question()
            while away[0]:
                await anyio.sleep(0.02)
            await shop.approvals.answer(approval.id, granted=True, by="haruka")
            assert (await shop.runs.ended("run-1")).ending == "completed"
    assert wrote(tmp_path, "risky") == ["run-1/1"]


@requirement("J4")
async def test_a_run_is_taken_up_again_though_the_disk_was_still_full_at_the_first_try(
    url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    refused, take_up = list[object](), engine._take_up

    def take_up_later(database: sa.Engine, run_ids: Sequence[str], me: str) -> None:
        if run_ids and len(refused) < 2:
            refused.append(run_ids)
            raise sa.exc.OperationalError("update", {}, sqlite3.OperationalError("database or disk is full"))
        take_up(database, run_ids, me)

    async def full(_seconds: float) -> None:
        if len(refused) < 2:
            raise StoreError("the database cannot be used: database or disk is full")
        await anyio.sleep(0.05)

    monkeypatch.setattr(engine, "_take_up", take_up_later)
    async with workshop(url, box(tmp_path), approvals={"sleep": full}, liveness=Liveness(every_s=0.02, grace_s=0.5)) as shop:
        await shop.orders.enqueue(asked("run-1", "ask"))
        with anyio.fail_after(240):
            while len(refused) < 2:
                await anyio.sleep(0.02)
            (approval,) = await shop.approvals.listed()
            await shop.approvals.answer(approval.id, granted=True, by="haruka")
            assert (await shop.runs.ended("run-1")).ending == "completed"


@requirement("J4")
async def test_a_run_that_had_ended_when_its_process_died_has_ended_all_the_while(url: str, tmp_path: Path) -> None:
    async with workshop(url, box(tmp_path)) as shop:
        with anyio.fail_after(240):
            result = await shop.runs.run(asked("run-1"))
        await shop.records.take_up(asked("run-1"), 0.0)
        record = await shop.records.get("run-1")
    assert (record.state, record.result) == ("completed", result)


async def test_a_run_that_was_taken_up_too_often_has_failed_and_says_so(url: str, tmp_path: Path) -> None:
    async with workshop(url, box(tmp_path)) as shop:
        await shop.orders.enqueue(asked("run-1", "ask"))
        await shop.question()
    # where its process lives on, it hears that its question was withdrawn, and may reach its own end first

    def poison() -> None:
        with closing(sqlite3.connect(tmp_path / "jiritsu.db")) as connection, connection:
            connection.execute("update workflow_status set status = 'MAX_RECOVERY_ATTEMPTS_EXCEEDED'")

    await anyio.to_thread.run_sync(poison)
    async with workshop(url, box(tmp_path), liveness=Liveness(every_s=0.05, grace_s=0.5)) as shop:
        with anyio.fail_after(240):
            result = await shop.runs.ended("run-1")
    assert result.ending == "failed"
    assert "got no further" in result.reason


async def test_a_row_that_says_it_is_pickled_runs_nothing(url: str, tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    async with workshop(url, box(tmp_path)) as shop:
        with anyio.fail_after(240):
            await shop.runs.run(asked("run-1"))
    ran = tmp_path / "ran"

    class Bomb:
        def __reduce__(self) -> object:
            return Path.touch, (ran,)

    def plant() -> None:
        pickled = base64.b64encode(pickle.dumps(Bomb())).decode()
        with closing(sqlite3.connect(tmp_path / "jiritsu.db")) as connection, connection:
            connection.execute("update workflow_status set status = 'PENDING', serialization = 'py_pickle', executor_id = 'gone'")
            connection.execute("update workflow_input set inputs = ?", (pickled,))
            connection.execute("update operation_outputs set output = ?, serialization = 'py_pickle'", (pickled,))

    await anyio.to_thread.run_sync(plant)
    async with workshop(url, box(tmp_path), liveness=Liveness(every_s=0.05, grace_s=0.5)) as shop:
        with anyio.fail_after(240):
            refused = partial(until, lambda: "py_pickle is not available" in caplog.text, timeout_s=240)
            assert await anyio.to_thread.run_sync(refused)
            assert (await shop.runs.run(asked("run-2"))).ending == "completed"
    assert not ran.exists()


async def put_to_sleep(process: subprocess.Popen[bytes], engine: sa.Engine) -> None:
    """Stop it where it holds no lock of SQLite's: nobody could take anything over while everybody waits for it."""
    stopped = partial(os.waitid, os.P_PID, process.pid, os.WSTOPPED | os.WNOWAIT)
    process.send_signal(signal.SIGSTOP)
    await anyio.to_thread.run_sync(stopped)
    while await anyio.to_thread.run_sync(stalled_lock_holder, engine):
        process.send_signal(signal.SIGCONT)
        await anyio.sleep(0.02)
        process.send_signal(signal.SIGSTOP)
        await anyio.to_thread.run_sync(stopped)


async def test_a_process_that_was_only_asleep_finds_that_its_run_is_anothers_and_doubles_nothing(
    url: str, tmp_path: Path
) -> None:
    command = [sys.executable, "-m", "tests.support.durable", url, str(tmp_path), "--runs", "1", "--delay-s", "0.5", "--forever"]
    zombie = subprocess.Popen([*command, "--id", "zombie"], stderr=subprocess.DEVNULL)
    try:
        late = box(tmp_path, absent_after_s=4)  # what the sleeper has sent appears when it is awake again
        async with workshop(url, late, liveness=Liveness(every_s=3600, grace_s=0.5)) as shop:
            with anyio.fail_after(240):
                while not wrote(tmp_path, "risky"):
                    await anyio.sleep(0.02)
                await put_to_sleep(zombie, shop.engine)
                await anyio.to_thread.run_sync(DBOS._recover_pending_workflows, ["zombie"])
                zombie.send_signal(signal.SIGCONT)
                assert (await shop.runs.ended("run-0")).ending == "completed"
            with anyio.move_on_after(1.5):
                await anyio.sleep_forever()
    finally:
        zombie.kill()
        zombie.wait()
    for kind in ("note", "post", "risky"):
        assert len(wrote(tmp_path, kind)) == len(set(wrote(tmp_path, kind)))


@requirement("R5")
async def test_a_resumed_run_waits_for_its_owner_and_for_nobody_else(url: str, tmp_path: Path) -> None:
    async with workshop(url, box(tmp_path)) as shop:
        await shop.orders.enqueue(asked("run-1", "ask"))
        await shop.question()
    async with workshop(url, box(tmp_path), takes_work=False, executor_id="terminal-1") as shop:
        record = await shop.orders.resume("run-1", by="haruka", owner="terminal-2")
        assert record.state == "queued"
        with anyio.fail_after(240), pytest.raises(StoreError, match="worker terminal-2 is gone"):
            await shop.runs.ended("run-1", poll_s=0.02)
        assert shop.asked_of_the_model == [], "another terminal's run"
        assert await shop.orders.interrupted([await shop.records.get("run-1")]) == {"run-1"}, "its owner is gone"
        await shop.orders.resume("run-1", by="haruka", owner=shop.runs.executor_id)
        with anyio.fail_after(240):
            (approval,) = await shop.approvals.listed()
            await shop.approvals.answer(approval.id, granted=True, by="haruka")
            assert (await shop.runs.ended("run-1")).ending == "completed"
    assert wrote(tmp_path, "risky") == ["run-1/1"]


@requirement("R5")
async def test_a_worker_takes_over_what_waits_for_an_owner_that_is_gone(url: str, tmp_path: Path) -> None:
    async with workshop(url, box(tmp_path), takes_work=False) as shop:
        await shop.records.begin(asked("run-1"), 0.0, "queued")
        await shop.orders.resume("run-1", by="haruka", owner="gone")
    async with workshop(url, box(tmp_path)) as shop:
        with anyio.fail_after(240):
            assert (await shop.runs.ended("run-1")).ending == "completed"


@requirement("R5")
async def test_whoever_waits_for_a_run_hears_that_nobody_works_on_it_any_more(url: str, tmp_path: Path) -> None:
    async def full(_seconds: float) -> None:
        raise StoreError("the database cannot be used: database or disk is full")

    async with workshop(url, box(tmp_path), takes_work=False, approvals={"sleep": full}) as shop:
        await shop.records.begin(asked("run-1", "ask"), 0.0, "queued")
        await shop.orders.resume("run-1", by="haruka", owner=shop.runs.executor_id)
        with (
            anyio.fail_after(240),
            pytest.raises(StoreError, match=r"interrupted, `jiritsu runs resume` goes on: .*disk is full"),
        ):
            await shop.runs.ended("run-1")


@requirement("J4", "R1")
async def test_a_step_that_begins_after_the_runs_were_closed_interrupts_its_run_and_does_not_fail_it() -> None:
    async def effect() -> str:
        return "never"

    with pytest.raises(Interrupted, match="told to stop"):
        await durable_step("turn-1/model", effect, str)


@requirement("J4", "R1")
async def test_a_run_that_a_newer_release_asked_for_is_left_to_its_workers_and_does_not_fail(url: str, tmp_path: Path) -> None:
    """While workers are replaced one by one, an older one takes what a newer one put into the queue."""
    async with workshop(url, box(tmp_path)) as shop:
        client, newer = shop.orders._client, asked("run-new").as_data() | {"colour": "blue"}
        options = run_control._enqueue_options(asked("run-new"))
        await anyio.to_thread.run_sync(lambda: client.enqueue(options, newer))
        await shop.records.begin(asked("run-new"), 1.0, "queued")
        with anyio.fail_after(240):
            while not (why := shop.runs._interruptions.get("run-new")):
                await anyio.sleep(0.01)
            assert "a newer Jiritsu has it, this one does not know colour" in why
            assert (await shop.runs.run(asked("run-1"))).ending == "completed"
            assert (await shop.records.get("run-new")).ended_at is None

            def known() -> None:  # as to a worker of the newer release
                known_now = JsonSerializer().serialize({"args": [asked("run-new").as_data()], "kwargs": {}})
                with shop.engine.begin() as connection:
                    query = sa.text("UPDATE workflow_input SET inputs = :inputs WHERE workflow_uuid = 'run-new'")
                    assert connection.execute(query, {"inputs": known_now}).rowcount == 1

            await anyio.to_thread.run_sync(known)
            assert (await shop.runs.ended("run-new")).ending == "completed"
    assert wrote(tmp_path, "note") == ["run-1/1", "run-1/2", "run-new/1", "run-new/2"]


@requirement("J4", "R1")
async def test_a_run_that_only_a_newer_release_can_read_is_begun_ever_more_rarely_and_told_of_once(
    url: str, tmp_path: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    looks, handed_over = 0, list[int]()
    take_over, take_up = engine._take_over, engine._take_up

    def look(*arguments: Any) -> Any:
        nonlocal looks
        looks += 1
        return take_over(*arguments)

    def hand_over(*arguments: Any) -> None:
        handed_over.append(looks)
        take_up(*arguments)

    monkeypatch.setattr(engine, "_take_over", look)
    monkeypatch.setattr(engine, "_take_up", hand_over)
    async with workshop(url, box(tmp_path), liveness=Liveness(every_s=0.01, grace_s=0.5)) as shop:
        client, newer = shop.orders._client, asked("run-new").as_data() | {"colour": "blue"}
        await anyio.to_thread.run_sync(lambda: client.enqueue(run_control._enqueue_options(asked("run-new")), newer))
        await shop.records.begin(asked("run-new"), 1.0, "queued")
        with anyio.fail_after(240):
            while len(handed_over) < 4:
                await anyio.sleep(0.01)
    waits = [after - before for before, after in itertools.pairwise(handed_over)]
    assert all(wait >= engine.IDLE_LOOKS * 2**number for number, wait in enumerate(waits, 1)), waits
    told = [record.getMessage() for record in caplog.records if "run-new" in record.getMessage()]
    assert told == ["run run-new is interrupted: a newer Jiritsu has it, this one does not know colour: another worker goes on"]


@requirement("J4", "R1")
def test_a_request_is_stored_without_what_nobody_set_so_that_an_earlier_release_reads_it() -> None:
    rules: list[object] = [{"rule": "length", "min_chars": 3}, {"rule": "language", "language": "ja"}]
    history = [{"role": "user", "text": "and then?"}]
    request = RunRequest.model_validate({"run_id": "run-1", "task": {"goal": "x"}, "rules": rules, "history": history})
    assert asked("run-1", "two").as_data() == {"run_id": "run-1", "task": {"goal": "two run-1"}, "trigger": "test"}
    assert RunRequest.model_validate(request.as_data()) == request
    made = find("diary", [BUILT_IN]).request("run-1", {"user": "maya"}, now=datetime(2026, 11, 20, tzinfo=UTC))
    assert made.rules
    assert RunRequest.model_validate_json(json.dumps(made.as_data())) == made
