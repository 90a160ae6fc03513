"""A run that waits for a server's task: whatever happens to its process, the tool is called once and its task asked after."""

import json
import os
import signal
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import anyio
import anyio.to_thread
import pytest
import sqlalchemy as sa

from autonomy.durable.durable_tables import remote_tasks
from autonomy.durable.memory.sql_ledger import SqlLedger
from autonomy.durable.memory.sql_remote_tasks import SqlRemoteTasks
from autonomy.durable.records.run_records import RunRecords
from autonomy.durable.store import Store
from autonomy.errors import StoreError
from tests.discovery.test_remote_tasks import noted, until
from tests.requirements import requirement
from tests.support.durable import Workshop, asked, forked, prepared, workshop
from tests.support.server_configs import task_server
from tests.support.task_life import ALLOW, RUN, live, one_call

KEY = "run-1/turn-1/call-1"


async def killed(folder: Path, options: dict[str, Any]) -> None:
    """One life, ended by SIGKILL while the task is asked after."""
    process = forked(live, str(folder), json.dumps(options))
    await until(folder, "gets", 2)
    assert process.pid is not None
    os.kill(process.pid, signal.SIGKILL)
    await anyio.to_thread.run_sync(process.join)


async def lived(folder: Path, options: dict[str, Any]) -> None:
    process = forked(live, str(folder), json.dumps(options))
    await anyio.to_thread.run_sync(process.join, 120)
    assert process.exitcode == 0


@requirement("J4", "N5")
@pytest.mark.parametrize(
    ("revision", "read_only"),
    [
        ("2025-11-25", False),
        pytest.param("2026-07-28", True, marks=pytest.mark.sweep),
        pytest.param("2025-11-25", True, marks=pytest.mark.sweep),
        pytest.param("2026-07-28", False, marks=pytest.mark.sweep),
    ],
)
async def test_a_worker_killed_while_a_task_is_asked_after_goes_on_with_that_task(
    tmp_path: Path, revision: str, read_only: bool
) -> None:
    options = {"revision": revision, "read_only": read_only}
    await killed(tmp_path, options)
    (tmp_path / "go").write_text("it was done while nobody looked")
    await lived(tmp_path, options)
    assert len(noted(tmp_path, "calls")) == 1
    assert set(noted(tmp_path, "gets")) == {"t0"}
    assert noted(tmp_path, "cancels") == []
    engine = await anyio.to_thread.run_sync(prepared, f"sqlite:///{tmp_path / 'jiritsu.db'}")
    record, effects = await RunRecords(engine).get(RUN), await SqlLedger(Store(engine)).of_run(RUN)
    assert record.result is not None
    assert record.result.ending == "completed"
    assert [(effect.tool, effect.state) for effect in effects] == ([] if read_only else [("far_long", "done")])
    assert [receipt.state for receipt in record.result.receipts] == ([] if read_only else ["reconciled"])
    with engine.connect() as connection:
        assert connection.scalar(sa.select(sa.func.count()).select_from(remote_tasks)) == 0, "what is answered is forgotten"
    await anyio.to_thread.run_sync(engine.dispose)


@asynccontextmanager
async def shop(folder: Path, **options: Any) -> AsyncIterator[Workshop]:
    url = f"sqlite:///{folder / 'jiritsu.db'}"
    engine = await anyio.to_thread.run_sync(prepared, url)
    kept = SqlRemoteTasks(Store(engine))
    far = task_server(folder, **options)
    async with workshop(url, far, script=one_call, engine=engine, policy=ALLOW, remote_tasks=kept) as made:
        yield made


async def cut_off(folder: Path, task: str) -> None:
    """What a process leaves behind that died while it asked after its task."""
    engine = await anyio.to_thread.run_sync(prepared, f"sqlite:///{folder / 'jiritsu.db'}")
    await SqlLedger(Store(engine)).claim(KEY, run_id="run-1", tool="far_long", arguments_sha256="")
    await SqlRemoteTasks(Store(engine)).keep(KEY, run_id="run-1", task_id=task)
    await anyio.to_thread.run_sync(engine.dispose)


@requirement("J4")
@pytest.mark.parametrize(
    ("task", "options", "ending", "effect", "receipt"),
    [
        ("t0", {}, "completed", ["done"], ["reconciled"]),
        ("gone", {}, "blocked", ["unknown"], ["unknown"]),
        ("t0", {"ending": "cancelled"}, "blocked", ["unknown"], ["unknown"]),
        ("t0", {"ending": "failed"}, "unfinished", [], []),
    ],
)
async def test_a_write_is_never_called_again_whatever_became_of_its_task(
    tmp_path: Path, task: str, options: dict[str, Any], ending: str, effect: list[str], receipt: list[str]
) -> None:
    await cut_off(tmp_path, task)
    (tmp_path / "task-t0.json").write_text('{"status": "working"}')
    (tmp_path / "go").write_text("it was done while nobody looked")
    async with shop(tmp_path, **options) as made:
        with anyio.fail_after(240):
            result = await made.runs.run(asked("run-1"))
        effects = await made.ledger.of_run("run-1")
    assert noted(tmp_path, "calls") == []
    assert [one.state for one in effects] == effect
    assert [one.state for one in result.receipts] == receipt
    assert result.ending == ending


@requirement("N5")
async def test_cancelling_a_run_cancels_the_task_it_waits_for(tmp_path: Path) -> None:
    async with shop(tmp_path) as made:
        await made.orders.enqueue(asked("run-1"))
        await until(tmp_path, "gets", 2)
        await made.orders.cancel("run-1", by="a person")
        await until(tmp_path, "cancels")
        with anyio.fail_after(240):
            while made.runs.going():
                await anyio.sleep(0.02)
    assert noted(tmp_path, "cancels") == ["t0"]
    assert len(noted(tmp_path, "calls")) == 1


@requirement("J4", "N5")
async def test_a_process_that_is_told_to_stop_leaves_the_task_to_the_next_one(tmp_path: Path) -> None:
    async with shop(tmp_path) as first, anyio.create_task_group() as group:
        group.start_soon(_interrupted, first)
        await until(tmp_path, "gets", 2)
        await first.runs.drain(0)
    assert noted(tmp_path, "cancels") == []
    (tmp_path / "go").write_text("it was done while nobody looked")
    async with shop(tmp_path) as second:
        with anyio.fail_after(240):
            result = await second.runs.ended("run-1")
        (effect,) = await second.ledger.of_run("run-1")
    assert (result.ending, effect.state) == ("completed", "done")
    assert len(noted(tmp_path, "calls")) == 1


async def _interrupted(made: Workshop) -> None:
    with pytest.raises(StoreError, match="interrupted"):
        await made.runs.run(asked("run-1"))
