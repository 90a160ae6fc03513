"""A process that is put to sleep while it holds SQLite's lock is named to everybody who waits, and costs nothing when it is gone."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import anyio
import anyio.to_thread
import pytest
import sqlalchemy as sa

from autonomy.durable.liveness.stalled_lock_holder import _is_write_lock, stalled_lock_holder
from autonomy.durable.store import Store
from autonomy.errors import StoreError
from tests.requirements import requirement
from tests.support.durable import asked, box, prepared, workshop

HOLD = """
import sys, time
from autonomy.database import open_engine
with open_engine(sys.argv[1]).begin() as connection:
    connection.exec_driver_sql("update durable_runs set actor = 'x'")
    print("held", flush=True)
    sys.stdin.read()
"""


@pytest.fixture
def url(tmp_path: Path) -> str:
    made = f"sqlite:///{tmp_path / 'jiritsu.db'}"
    prepared(made).dispose()
    return made


@pytest.fixture
def holder(url: str) -> Iterator[subprocess.Popen[bytes]]:
    """A process in the middle of a write."""
    process = subprocess.Popen([sys.executable, "-c", HOLD, url], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert process.stdout is not None
    process.stdout.readline()
    yield process
    process.kill()
    process.communicate()


def put_to_sleep(process: subprocess.Popen[bytes]) -> None:
    os.kill(process.pid, signal.SIGSTOP)
    os.waitid(os.P_PID, process.pid, os.WSTOPPED | os.WNOWAIT)


def impatient(url: str) -> sa.Engine:
    """An engine that does not wait for locks inside an attempt."""
    engine = sa.create_engine(url)
    sa.event.listen(engine, "connect", lambda connection, _: connection.execute("PRAGMA busy_timeout=0"))
    return engine


def write(connection: sa.Connection) -> None:
    connection.exec_driver_sql("update durable_runs set actor = 'y'")


async def no_wait(_seconds: float) -> None:
    await anyio.lowlevel.checkpoint()


def test_only_a_writer_that_is_stopped_is_a_sleeper(url: str, holder: subprocess.Popen[bytes]) -> None:
    engine = sa.create_engine(url)
    assert stalled_lock_holder(engine) is None, "it writes, and is awake"
    put_to_sleep(holder)
    found = stalled_lock_holder(engine)
    assert found is not None
    assert found.pid == holder.pid
    assert f"kill -CONT {holder.pid}" in str(found)
    holder.send_signal(signal.SIGCONT)
    holder.kill()
    holder.wait()
    assert stalled_lock_holder(engine) is None
    engine.dispose()
    assert stalled_lock_holder(sa.create_engine("sqlite:////nowhere/x.db")) is None


def test_of_the_locks_of_a_database_only_that_of_its_writer_counts() -> None:
    held = "1: POSIX  ADVISORY  WRITE 13721 fe:00:2777588 {first} {last}"
    for first, last, writes in ((120, 120, True), (118, 121, True), (0, "EOF", True), (123, 123, False), (128, 128, False)):
        assert _is_write_lock(held.format(first=first, last=last).split(), 2777588) is writes, (first, last)
    assert not _is_write_lock(held.format(first=120, last=120).split(), 2777589), "of another file"
    assert not _is_write_lock(held.replace("POSIX", "-> POSIX").format(first=120, last=120).split(), 2777588), "it waits"


@requirement("J4")
async def test_who_waits_for_a_sleeping_process_is_told_which_and_not_for_ever(url: str, holder: subprocess.Popen[bytes]) -> None:
    await anyio.to_thread.run_sync(put_to_sleep, holder)
    engine = impatient(url)
    with anyio.fail_after(240), pytest.raises(StoreError, match=rf"database is locked: process {holder.pid} .* was stopped"):
        await Store(engine, patience_s=1.0, sleep=no_wait)(write)
    holder.kill()
    await anyio.to_thread.run_sync(holder.wait)
    await Store(engine, patience_s=1.0, sleep=no_wait)(write)
    await anyio.to_thread.run_sync(engine.dispose)


async def test_the_time_that_attempts_take_counts_as_waiting(url: str) -> None:
    engine = await anyio.to_thread.run_sync(prepared, url)
    attempts = 0

    async def slow() -> None:
        nonlocal attempts
        attempts += 1
        await anyio.sleep(0.2)
        raise sa.exc.OperationalError("insert", None, Exception("database is locked"))

    with pytest.raises(StoreError, match="database is locked"):
        await Store(engine, patience_s=0.25, sleep=no_wait).until_there(slow)
    assert attempts < 3, "the waits between them, of 0.1 and 0.2 s, would allow three by themselves"
    await anyio.to_thread.run_sync(engine.dispose)


@requirement("J4")
async def test_a_worker_says_who_keeps_it_from_writing_and_goes_on_when_that_one_is_gone(
    url: str, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async with workshop(url, box(tmp_path)) as shop:
        holder = await anyio.to_thread.run_sync(
            lambda: subprocess.Popen([sys.executable, "-c", HOLD, url], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        )
        try:
            assert holder.stdout is not None
            with anyio.fail_after(240):
                await anyio.to_thread.run_sync(holder.stdout.readline)
                await anyio.to_thread.run_sync(put_to_sleep, holder)
                while f"process {holder.pid} (" not in caplog.text:
                    await anyio.sleep(0.05)
        finally:
            holder.kill()
            await anyio.to_thread.run_sync(holder.communicate)
        with anyio.fail_after(240):
            assert (await shop.runs.run(asked("run-1"))).ending == "completed"
    assert "nothing can be written to the database" in caplog.text
