"""A database that is full, read-only or away is a clear error, and nothing is lost; what is kept can be copied and opened again."""

import asyncio
import concurrent.futures
import contextlib
import fcntl
import gc
import os
import resource
import sqlite3
import stat
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import BinaryIO

import anyio
import anyio.to_thread
import pytest
import sqlalchemy as sa
from starlette.requests import Request

from autonomy import database
from autonomy.calls.verification.effect_ledger import Seen, execute_once
from autonomy.cli.commands.doctor import _local_checks
from autonomy.database import (
    BUSY_S,
    LOOK_S,
    NEEDED_BYTES,
    SchemaModule,
    check_room,
    end_lock_waits,
    is_current,
    migrate,
    open_engine,
    repeatable,
    resume_lock_waits,
    unwaiting,
)
from autonomy.durable.durable_tables import effects
from autonomy.durable.liveness.process_locks import FileLocks
from autonomy.durable.memory.sql_ledger import SqlLedger
from autonomy.durable.records.run_records import RunRecords
from autonomy.durable.storage.database_backup import back_up, bring_back
from autonomy.durable.store import Store
from autonomy.errors import ConfigError, RunConflict, StoreError, UnknownRun
from autonomy.run_state.event_recorder import EventRecorder
from autonomy.settings import Config, Settings, load
from autonomy.stores import open_store
from autonomy.web.readiness import _ready
from discovery.catalog import Effect, ToolOutput, ToolSpec
from metrics import events
from metrics.journal import Journal
from metrics.written_out import AWAY
from tests.requirements import requirement
from tests.support.durable import ROOMS, asked, box, prepared, start, workshop
from tests.support.postgres import NEEDED, Server


async def no_wait(_seconds: float) -> None:
    await anyio.lowlevel.checkpoint()


async def test_a_full_disk_is_waited_for_and_then_said_and_what_was_written_stays(engine: sa.Engine) -> None:
    def fill(connection: sa.Connection) -> None:
        pages = connection.exec_driver_sql("pragma page_count").scalar_one()
        connection.exec_driver_sql(f"pragma max_page_count={pages}")

    store = Store(engine, patience_s=1.0, sleep=no_wait)
    ledger = SqlLedger(store)
    await ledger.claim("run/1", run_id="run", tool="t", arguments_sha256="a")
    single = sa.create_engine(engine.url, poolclass=sa.StaticPool)
    full = Store(single, patience_s=1.0, sleep=no_wait)
    await full(fill)
    with pytest.raises(StoreError, match="full"):
        await SqlLedger(full).claim("run/2", run_id="run", tool="t" * 200, arguments_sha256="a" * 64 + "x" * 100_000)
    assert [effect.key for effect in await ledger.of_run("run")] == ["run/1"]


def test_a_database_that_is_up_to_date_is_opened_without_a_question_for_each_table(tmp_path: Path) -> None:
    """Every command does this first."""
    prepared(f"sqlite:///{tmp_path / 'jiritsu.db'}").dispose()
    engine, asked_of_it, commits = open_engine(f"sqlite:///{tmp_path / 'jiritsu.db'}"), list[str](), list[object]()
    sa.event.listen(
        engine, "before_cursor_execute", lambda _connection, _cursor, statement, *_more: asked_of_it.append(statement)
    )
    sa.event.listen(engine, "commit", commits.append)
    migrate(engine, ROOMS)
    engine.dispose()
    tables = sum(len(room.metadata.tables) for room in ROOMS)
    assert len(asked_of_it) < tables
    assert len(commits) == 2


def test_a_table_that_is_missing_is_made_again_beside_those_that_are_there(tmp_path: Path) -> None:
    engine = prepared(f"sqlite:///{tmp_path / 'jiritsu.db'}")
    with engine.begin() as connection:
        connection.exec_driver_sql("DROP TABLE durable_effects")
        connection.exec_driver_sql("INSERT INTO durable_search_keys (run_id, tenant) VALUES ('run-1', 'default')")
    migrate(engine, ROOMS)
    with engine.connect() as connection:
        assert connection.scalar(sa.select(sa.func.count()).select_from(effects)) == 0
        assert connection.exec_driver_sql("SELECT run_id FROM durable_search_keys").scalars().all() == ["run-1"]
    engine.dispose()


def test_a_read_only_database_is_said_in_one_sentence(tmp_path: Path) -> None:
    prepared(f"sqlite:///{tmp_path / 'jiritsu.db'}").dispose()
    engine = sa.create_engine(f"sqlite:///file:{tmp_path / 'jiritsu.db'}?mode=ro&uri=true")
    with pytest.raises(StoreError, match=r"cannot be prepared: attempt to write a readonly database"):
        migrate(engine, [*ROOMS, SchemaModule("new", sa.MetaData())])
    engine.dispose()


@requirement("R6")
def test_who_only_reads_can_while_another_process_keeps_the_database_locked(tmp_path: Path) -> None:
    config = Config(Settings(home=tmp_path), {})
    open_store(config).dispose()
    with contextlib.closing(sqlite3.connect(tmp_path / "jiritsu.db", isolation_level=None)) as locking:
        locking.execute("BEGIN IMMEDIATE")
        engine = open_store(config, for_runs=False)  # one that writes waits for half a minute, and fails
        with engine.connect() as connection:
            assert connection.scalar(sa.select(sa.func.count()).select_from(effects)) == 0
    engine.dispose()


@requirement("R6")
def test_all_that_is_closed_waits_once_for_another_process_that_writes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(database, "CLOSING_S", 0.1)
    engine = prepared(f"sqlite:///{tmp_path / 'jiritsu.db'}")
    others = repeatable(engine), unwaiting(engine)
    for one in (engine, *others):
        with one.begin() as connection:  # opened before another writes
            connection.exec_driver_sql("UPDATE jiritsu_schema SET version = version")

    with contextlib.closing(sqlite3.connect(tmp_path / "jiritsu.db", isolation_level=None)) as locking:
        locking.execute("BEGIN IMMEDIATE")
        end_lock_waits(engine)
        began = time.monotonic()
        for one in (engine, *others) * 2:
            with pytest.raises(sa.exc.OperationalError, match="locked"), one.begin() as connection:
                connection.exec_driver_sql("UPDATE jiritsu_schema SET version = version")
        assert time.monotonic() - began < BUSY_S, "each has waited by itself"
        resume_lock_waits(engine)
        with concurrent.futures.ThreadPoolExecutor() as threads:
            writing = threads.submit(forget_releases, engine)
            with pytest.raises(TimeoutError):
                writing.result(2 * LOOK_S)
            locking.execute("ROLLBACK")
            writing.result(60)
    for one in (*others, engine):
        one.dispose()


def forget_releases(engine: sa.Engine) -> None:
    with engine.begin() as connection:
        connection.exec_driver_sql("DELETE FROM jiritsu_releases")


@pytest.mark.parametrize("missing", ["DELETE FROM jiritsu_releases", "DROP TABLE durable_effects", "DROP TABLE jiritsu_schema"])
def test_who_only_reads_brings_up_to_date_what_is_not(tmp_path: Path, missing: str) -> None:
    engine = prepared(f"sqlite:///{tmp_path / 'jiritsu.db'}")
    assert is_current(engine, ROOMS)
    with engine.begin() as connection:
        connection.exec_driver_sql(missing)
    assert not is_current(engine, ROOMS)
    engine.dispose()


@pytest.mark.skipif(sys.platform == "win32", reason="permissions of Windows are others")
def test_a_new_database_and_its_folder_are_the_owners_alone_and_an_old_one_becomes_so(tmp_path: Path) -> None:
    file = tmp_path / "home" / "jiritsu.db"
    prepared(f"sqlite:///{file}").dispose()
    kept = {path.name: stat.S_IMODE(path.stat().st_mode) for path in (file.parent, *file.parent.iterdir())}
    assert kept.pop("home") == 0o700
    assert set(kept.values()) == {0o600}
    file.chmod(0o644)
    log = file.with_name("jiritsu.db-wal")
    log.touch()
    log.chmod(0o664)
    file.parent.chmod(0o755)
    open_engine(f"sqlite:///{file}").dispose()
    assert [stat.S_IMODE(path.stat().st_mode) for path in (file, log, file.parent)] == [0o600, 0o600, 0o755]
    linked, real = tmp_path / "linked.db", tmp_path / "elsewhere.db"
    linked.symlink_to(real)
    for mode in (None, 0o644):
        if mode:
            real.chmod(mode)
        open_engine(f"sqlite:///{linked}").connect().close()
        assert stat.S_IMODE(real.stat().st_mode) == 0o600, "also where a link leads"


def test_a_disk_without_room_is_named_where_sqlite_only_speaks_of_an_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "jiritsu.db").mkdir()  # what cannot be opened stands for what cannot be written
    engine = open_engine(f"sqlite:///{tmp_path / 'jiritsu.db'}")
    with pytest.raises(StoreError, match=r"unable to open database file$"):
        migrate(engine, ROOMS)
    monkeypatch.setattr("autonomy.database.NEEDED_BYTES", 1 << 60)
    with pytest.raises(StoreError, match=r"unable to open database file \(the disk is full\)"):
        migrate(engine, ROOMS)
    monkeypatch.undo()
    left = SimpleNamespace(f_bavail=1 << 30, f_frsize=4096, f_files=400, f_favail=0)
    monkeypatch.setattr("autonomy.database.os.statvfs", lambda _folder: left)
    with pytest.raises(StoreError, match=r"no room for one more file: its inodes are used up\)"):
        migrate(engine, ROOMS)
    monkeypatch.setattr("autonomy.database.os.access", lambda *_: False)
    for flag, why in ((os.ST_RDONLY, "is read-only"), (0, r"may not be written to by uid \d+: it belongs to uid \d+")):
        left = SimpleNamespace(f_bavail=1 << 30, f_frsize=4096, f_files=400, f_favail=400, f_flag=flag)
        monkeypatch.setattr("autonomy.database.os.statvfs", lambda _folder, left=left: left)
        with pytest.raises(StoreError, match=rf"unable to open database file \({tmp_path} {why}\)"):
            migrate(engine, ROOMS)
    engine.dispose()


@contextmanager
def files_of_at_most(size: int) -> Iterator[None]:
    """A limit that the system puts on what this process writes, as a full disk does."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


@requirement("R6")
def test_want_of_room_is_found_while_the_database_still_answers(tmp_path: Path) -> None:
    engine = open_engine(f"sqlite:///{tmp_path / 'jiritsu.db'}")
    migrate(engine, ROOMS)
    ready = partial(_ready, engine, threading.Lock(), Request({"type": "http"}))
    assert anyio.run(ready).body == b"ready\n"
    with files_of_at_most(NEEDED_BYTES // 2):
        with pytest.raises(StoreError, match="there is no room to write to the database"):
            check_room(engine)
        assert anyio.run(ready).status_code == 503
    assert {file.name for file in tmp_path.iterdir()} <= {"jiritsu.db", "jiritsu.db-wal", "jiritsu.db-shm"}
    engine.dispose()


@NEEDED
@requirement("R6")
def test_a_look_for_room_leaves_nothing_in_postgresql_and_finds_what_cannot_be_written(postgres_server: Server) -> None:
    engine = open_engine(postgres_server.create("room"))
    ready = partial(_ready, engine, threading.Lock(), Request({"type": "http"}))
    check_room(engine)
    assert anyio.run(ready).body == b"ready\n"
    assert sa.inspect(engine).get_temp_table_names() == []
    for limited, named in (
        ("temp_file_limit = '64kB'", "there is no room"),
        ("default_transaction_read_only = on", "is read-only"),
    ):
        with engine.connect() as connection:
            connection.execute(sa.text(f"ALTER DATABASE {engine.url.database} SET {limited}"))
            connection.commit()
        engine.dispose()
        with pytest.raises(StoreError, match=named):
            check_room(engine)
        assert anyio.run(ready).status_code == 503
        with engine.connect() as connection:
            connection.execute(sa.text("SET default_transaction_read_only = off"))
            connection.commit()
            connection.execute(sa.text(f"ALTER DATABASE {engine.url.database} RESET ALL"))
            connection.commit()
        engine.dispose()
    check_room(engine)
    engine.dispose()


@NEEDED
@requirement("R6")
def test_doctor_asks_for_the_primary_where_the_database_is_a_standby(postgres_server: Server, tmp_path: Path) -> None:
    url = postgres_server.create("standby")
    engine = open_engine(url)
    migrate(engine, ROOMS)
    with engine.connect() as connection:
        connection.execute(sa.text(f"ALTER DATABASE {engine.url.database} SET default_transaction_read_only = on"))
        connection.commit()
    engine.dispose()
    config = load({"home": str(tmp_path), "database_url": url}, {}, tmp_path)
    (found,) = (check for check in _local_checks(config) if check[0] == "database")
    assert (found[1], found[3]) == ("fail", "name the primary in JIRITSU_DATABASE_URL")


async def test_work_is_done_again_until_the_database_is_back(engine: sa.Engine) -> None:
    away = [2]

    def work(_connection: sa.Connection) -> str:
        if away[0]:
            away[0] -= 1
            raise sa.exc.OperationalError("select", None, sqlite3.OperationalError("database is locked"))
        return "done"

    assert await Store(engine, sleep=no_wait)(work) == "done"


async def test_moments_of_work_that_come_together_share_a_transaction_and_one_that_is_refused_takes_none_along(
    engine: sa.Engine,
) -> None:
    store, commits, refused = Store(engine), list[object](), list[str]()
    ledger = SqlLedger(store)
    sa.event.listen(engine, "commit", commits.append)
    async with anyio.create_task_group() as group:
        for number in range(20):
            group.start_soon(partial(ledger.claim, f"k{number}", run_id="r", tool="t", arguments_sha256="a"))
    assert len(commits) <= 2

    async def refuse() -> None:
        try:
            await store.together(lambda connection: connection.execute(sa.insert(effects).values(key="k0")))
        except sa.exc.IntegrityError as error:
            refused.append(str(error.orig))

    async with anyio.create_task_group() as group:
        group.start_soon(ledger.settle, "k0", "done", None)
        group.start_soon(refuse)
        group.start_soon(ledger.settle, "k1", "done", None)
    assert len(refused) == 1
    assert [effect.state for effect in await ledger.of_run("r")].count("done") == 2


async def test_what_is_done_together_is_done_once_though_the_loop_cancels_who_took_it_along(engine: sa.Engine) -> None:
    store, began, go_on, done = Store(engine), threading.Event(), threading.Event(), list[str]()

    def work(name: str) -> Callable[[sa.Connection], str]:
        def do(connection: sa.Connection) -> str:
            began.set()
            assert go_on.wait(60)
            done.append(name)
            return name

        return do

    def begin(name: str) -> "asyncio.Task[str]":
        return asyncio.create_task(store.together(work(name)))  # noqa: TID251 - one of anyio's cannot be cancelled so

    first, second = begin("first"), begin("second")
    assert await anyio.to_thread.run_sync(began.wait, 60)
    first.cancel()  # as `asyncio.run` does at Ctrl-C, and no scope of anyio's
    with pytest.raises(asyncio.CancelledError):
        await first
    third = begin("third")
    await anyio.wait_all_tasks_blocked()
    go_on.set()
    assert [await second, await third] == ["second", "third"]
    assert done == ["first", "second", "third"]


async def test_the_thread_of_a_store_ends_with_it(engine: sa.Engine) -> None:
    store = Store(engine)
    thread = await store.together(lambda connection: threading.current_thread())
    assert await store.together(lambda connection: threading.current_thread()) is thread
    del store
    gc.collect()
    await anyio.to_thread.run_sync(thread.join, 60)
    assert not thread.is_alive()


async def test_a_store_that_keeps_its_connection_takes_one_for_all_transactions_and_gives_it_back(engine: sa.Engine) -> None:
    taken, store = list[object](), Store(engine)
    sa.event.listen(engine, "checkout", lambda connection, *_more: taken.append(connection))

    def refuse(_connection: sa.Connection) -> None:
        raise RunConflict("no")

    async with store.keeping_connected():
        for key in ("run/1", "run/2"):
            await SqlLedger(store).claim(key, run_id="run", tool="t", arguments_sha256="a")
            with pytest.raises(RunConflict):
                await store.together(refuse)
        assert len(taken) == 1
    assert engine.pool.checkedout() == 0  # type: ignore[attr-defined]  # of a pool with a limit
    assert [effect.key for effect in await SqlLedger(store).of_run("run")] == ["run/1", "run/2"]


async def test_a_claim_and_what_the_journal_is_told_before_it_are_one_transaction(engine: sa.Engine) -> None:
    store, commits, counted = Store(engine), list[object](), list[int]()
    ledger, journal = SqlLedger(store), Journal(engine).within(store.together)
    recorder = EventRecorder("run-1", "default", "", lambda: 1.0, journal)
    sa.event.listen(engine, "commit", commits.append)

    async def send(_in_doubt: bool) -> ToolOutput:
        counted.append(len(commits))
        assert [event.type for event in await journal.read(run_id="run-1")] == ["turn_started"]
        return ToolOutput(text="posted")

    async def look() -> Seen:
        raise AssertionError("nothing was in doubt")

    await recorder.emit(events.TurnStarted, "turn-1/turn", turn=1)
    spec = ToolSpec(name="box_post", provider="box", tool="post", description="", input_schema={}, effect=Effect.WRITE)
    once = partial(execute_once, ledger, spec=spec, run_id="run-1", arguments_sha256="a")
    await once("k", send, look, flush=recorder.flush)
    assert counted == [1]

    async def cannot_tell() -> None:
        raise StoreError("the database is away")

    await ledger.claim("begun", run_id="run-1", tool="box_post", arguments_sha256="a")
    for key in ("other", "begun"):
        with pytest.raises(StoreError):
            await once(key, send, look, flush=cannot_tell)
    assert counted == [1]
    assert [effect.key for effect in await ledger.of_run("run-1")] == ["k", "begun"], "an earlier claim is nobody's to undo"


@requirement("J4")
async def test_a_write_whose_outcome_nobody_knows_is_listed_and_resolved_by_a_person(engine: sa.Engine) -> None:
    ledger = SqlLedger(Store(engine))
    for number in (1, 2, 3):
        await ledger.claim(f"run/{number}", run_id="run", tool="slack_post", arguments_sha256="a")
    await ledger.settle("run/1", "done", ToolOutput(text="posted"))
    await ledger.settle("run/2", "unknown", None)
    assert [effect.key for effect in await ledger.unsettled(older_than_s=600)] == ["run/2"]
    assert [effect.key for effect in await ledger.unsettled()] == ["run/2", "run/3"]
    resolved = await ledger.resolve("run/2", happened=True, by="haruka", note="it is in #random")
    assert (resolved.state, resolved.resolved_by) == ("done", "haruka")
    await ledger.resolve("run/3", happened=False, by="haruka")
    assert (await ledger.claim("run/3", run_id="run", tool="slack_post", arguments_sha256="a")).state == "new"
    with pytest.raises(RunConflict, match="it happened"):
        await ledger.resolve("run/1", happened=False, by="haruka")
    with pytest.raises(UnknownRun):
        await ledger.resolve("run/9", happened=False, by="haruka")


async def test_the_answer_of_a_write_that_was_made_is_held_longer_than_all_else(engine: sa.Engine) -> None:
    single, waited_s = sa.create_engine(engine.url, poolclass=sa.StaticPool), [0.0]

    def room(pages: int | None = None) -> None:
        with single.connect() as connection:
            most = pages or connection.exec_driver_sql("pragma page_count").scalar_one()
            connection.exec_driver_sql(f"pragma max_page_count={most}")

    async def sleep(seconds: float) -> None:
        waited_s[0] += seconds
        if waited_s[0] > 600:
            await anyio.to_thread.run_sync(room, 1 << 20)
        await anyio.lowlevel.checkpoint()

    ledger = SqlLedger(Store(single, sleep=sleep))
    await ledger.claim("run/1", run_id="run", tool="post", arguments_sha256="a")
    await anyio.to_thread.run_sync(room)
    with pytest.raises(StoreError, match="full"):
        await ledger.claim("run/2", run_id="run", tool="post", arguments_sha256="a" * 100_000)
    assert waited_s[0] < 100
    waited_s[0], answer = 0.0, ToolOutput(text=os.urandom(100_000).hex())  # which cannot be packed
    await ledger.settle("run/1", "done", answer)
    assert waited_s[0] > 600
    claim = await ledger.claim("run/1", run_id="run", tool="post", arguments_sha256="a")
    assert (claim.state, claim.output) == ("done", answer)


async def test_of_many_claims_of_a_key_at_once_one_is_new(engine: sa.Engine) -> None:
    states: list[str] = []

    async def claim() -> None:
        states.append((await SqlLedger(Store(engine)).claim("k", run_id="r", tool="t", arguments_sha256="a")).state)

    async with anyio.create_task_group() as group:
        for _ in range(12):
            group.start_soon(claim)
    assert sorted(states) == ["new"] + ["started"] * 11


async def test_a_copy_taken_while_runs_go_on_opens_like_the_original(tmp_path: Path) -> None:
    url, copy = f"sqlite:///{tmp_path / 'jiritsu.db'}", tmp_path / "copy.db"
    async with workshop(url, box(tmp_path)) as shop:
        with anyio.fail_after(240):
            await shop.runs.run(asked("run-1"))
        await shop.orders.enqueue(asked("run-2", "ask"))
        assert await anyio.to_thread.run_sync(back_up, shop.engine, copy) > 0
        with pytest.raises(ConfigError, match="is there already"):
            await anyio.to_thread.run_sync(back_up, shop.engine, copy)
    opened = await anyio.to_thread.run_sync(open_engine, f"sqlite:///{copy}")
    assert (await RunRecords(opened).get("run-1")).state == "completed"
    await anyio.to_thread.run_sync(opened.dispose)


@requirement("Y4")
@pytest.mark.parametrize(
    "planted",
    [
        "create trigger yes after insert on durable_approvals begin update durable_approvals set state = 'granted'; end",
        "create trigger metrics_events_fixed before update on metrics_events "
        "begin select raise(ABORT, 'x'); delete from metrics_events; end",
        "create view durable_seen as select 1",
        "",
    ],
)
def test_a_copy_that_brings_a_program_of_its_own_does_not_come_back(tmp_path: Path, planted: str) -> None:
    """Whoever can write to a backup could else have every question answered from then on."""
    engine, copy = prepared(f"sqlite:///{tmp_path / 'jiritsu.db'}"), tmp_path / "copy.db"
    back_up(engine, copy)
    engine.dispose()
    with sqlite3.connect(copy) as opened:
        if "metrics_events_fixed" in planted:
            opened.execute("drop trigger metrics_events_fixed")
        opened.execute(planted or "select 1")
    opened.close()
    target = f"sqlite:///{tmp_path / 'new.db'}"
    if planted:
        with pytest.raises(ConfigError, match="a program that we did not write"):
            bring_back(target, copy, {})
    else:
        assert bring_back(target, copy, {}) is None


@requirement("Y4")
def test_a_copy_with_a_hole_behind_it_or_versions_that_are_none_does_not_come_back(tmp_path: Path) -> None:
    engine, copy = prepared(f"sqlite:///{tmp_path / 'jiritsu.db'}"), tmp_path / "copy.db"
    back_up(engine, copy)
    engine.dispose()
    size = copy.stat().st_size
    for larger in (1 << 40, size + 1):  # takes no place; a copy of it would take a terabyte
        os.truncate(copy, larger)
        with pytest.raises(ConfigError, match="bytes large, and its database only"):
            bring_back(f"sqlite:///{tmp_path / 'new.db'}", copy, {})
    os.truncate(copy, size)
    with closing(sqlite3.connect(copy)) as opened, opened:
        opened.execute("update jiritsu_schema set version = 'x'")
    with pytest.raises(ConfigError, match="is damaged"):
        bring_back(f"sqlite:///{tmp_path / 'new.db'}", copy, {"durable": 1})
    assert list(tmp_path.glob("new*")) == []


@requirement("Y4")
def test_a_copy_takes_the_place_of_a_database_that_nobody_uses_and_only_where_this_program_knows_it(tmp_path: Path) -> None:
    url, copy, marked = f"sqlite:///{tmp_path / 'jiritsu.db'}", tmp_path / "copy.db", "select count(*) from marked"
    engine = prepared(url)
    back_up(engine, copy)
    assert stat.S_IMODE(copy.stat().st_mode) == 0o600
    with engine.begin() as connection:
        connection.exec_driver_sql("create table marked (at)")
    with closing(sqlite3.connect(copy)) as opened:
        versions = dict(opened.execute("select room, version from jiritsu_schema"))
    with engine.connect() as user:
        assert user.exec_driver_sql(marked).scalar_one() == 0
        with pytest.raises(StoreError, match="stop every worker first"):
            bring_back(url, copy, versions)
    engine.dispose()
    with pytest.raises(ConfigError, match="was made by a newer Jiritsu"):
        bring_back(url, copy, {**versions, "durable": versions["durable"] - 1})
    rename = Path.replace

    def refused(file: Path, place: Path) -> Path:
        if file.suffix == ".restoring":
            raise PermissionError(13, "not allowed")
        return rename(file, place)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Path, "replace", refused)
        with pytest.raises(StoreError, match="not allowed"):
            bring_back(url, copy, versions)
    assert [file.name for file in tmp_path.glob("jiritsu.db*")] == ["jiritsu.db"], "the old one is where it was"
    kept = bring_back(url, copy, versions)
    assert kept is not None
    with closing(sqlite3.connect(kept)) as before, closing(sqlite3.connect(tmp_path / "jiritsu.db")) as now:
        assert before.execute(marked).fetchone() == (0,)
        with pytest.raises(sqlite3.OperationalError, match="no such table"):
            now.execute(marked)


@requirement("Y4")
@pytest.mark.parametrize("left", ["a database that is damaged, and its log", "the log of one that was removed"])
def test_a_copy_comes_back_alone_where_a_database_was_damaged_or_removed(tmp_path: Path, left: str) -> None:
    file, copy, marked = tmp_path / "jiritsu.db", tmp_path / "copy.db", "select count(*) from sqlite_master where name = 'marked'"
    engine = prepared(f"sqlite:///{file}")
    back_up(engine, copy)
    with engine.begin() as connection:
        connection.exec_driver_sql("create table marked (at)")
    log = file.with_name("jiritsu.db-wal").read_bytes()
    engine.dispose()
    file.unlink()
    if "damaged" in left:
        file.write_bytes(b"no database" * 1_000)
    file.with_name("jiritsu.db-wal").write_bytes(log)
    kept = bring_back(f"sqlite:///{file}", copy, {})
    with closing(sqlite3.connect(file)) as now:
        assert now.execute(marked).fetchone() == (0,)
    assert (kept is not None) is ("damaged" in left)
    (kept_log,) = tmp_path.glob("jiritsu.db.before-*-wal")
    assert kept_log.read_bytes() == log


def test_a_lock_that_cannot_be_looked_at_is_told_as_a_database_that_is_away(tmp_path: Path) -> None:
    locks = FileLocks(tmp_path / "workers")
    (tmp_path / "workers").rmdir()
    with pytest.raises(AWAY):
        locks.take("another")


@requirement("Y4")
def test_a_copy_to_a_place_that_cannot_be_is_refused_and_what_is_there_stays(tmp_path: Path) -> None:
    engine = prepared(f"sqlite:///{tmp_path / 'jiritsu.db'}")
    with pytest.raises(StoreError, match="cannot be written: Not a directory"):
        back_up(engine, tmp_path / "jiritsu.db" / "copy.db")
    (tmp_path / "copy.db").symlink_to(tmp_path / "nowhere")
    with pytest.raises(ConfigError, match="is there already"):
        back_up(engine, tmp_path / "copy.db")
    engine.dispose()


@requirement("Y4")
def test_of_a_damaged_database_no_copy_is_left(tmp_path: Path) -> None:
    url, copy = f"sqlite:///{tmp_path / 'jiritsu.db'}", tmp_path / "copy.db"
    prepared(url).dispose()
    with closing(sqlite3.connect(tmp_path / "jiritsu.db")) as opened, opened:
        opened.execute("pragma writable_schema = on")
        opened.execute("delete from sqlite_master where type = 'index' and sql is not null")
    engine = open_engine(url)
    with pytest.raises(StoreError, match="the database is damaged"):
        back_up(engine, copy)
    engine.dispose()
    assert not copy.exists()


def test_a_lock_whose_last_holder_goes_between_opening_and_locking_its_file_has_one_holder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    last, next_one, another = (FileLocks(tmp_path / "workers") for _ in range(3))
    assert last.take("w-1")
    assert not next_one.take("w-1")
    flock = fcntl.flock

    def after_it_was_freed(file: BinaryIO, how: int) -> None:
        if "w-1" in last._held:
            last.free("w-1")
        flock(file, how)

    monkeypatch.setattr(fcntl, "flock", after_it_was_freed)
    assert next_one.take("w-1")
    assert another.is_held("w-1")
    assert not another.take("w-1")
    next_one.close()
    assert another.take("w-1")
    another.close()


def test_several_processes_may_start_at_once_on_a_new_database(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'jiritsu.db'}"
    crew = [start(url, str(tmp_path)) for _ in range(4)]
    for worker in crew:
        worker.join(240)
    assert [worker.exitcode for worker in crew] == [0, 0, 0, 0]


async def test_a_new_file_that_somebody_writes_to_is_waited_for(tmp_path: Path) -> None:
    file = tmp_path / "jiritsu.db"
    writer = sqlite3.connect(file, isolation_level=None, check_same_thread=False)
    writer.execute("begin immediate")
    opened: list[str] = []

    def open_it() -> None:
        engine = open_engine(f"sqlite:///{file}")
        with engine.connect() as connection:
            opened.append(str(connection.exec_driver_sql("pragma journal_mode").scalar_one()))
        engine.dispose()

    async with anyio.create_task_group() as group:
        group.start_soon(anyio.to_thread.run_sync, open_it)
        with anyio.move_on_after(0.2):
            await anyio.sleep_forever()
        assert opened == []
        await anyio.to_thread.run_sync(writer.execute, "commit")
    writer.close()
    assert opened == ["wal"]


async def test_a_run_that_is_asked_for_and_begun_at_the_same_moment_has_one_record(engine: sa.Engine) -> None:
    records = RunRecords(engine)
    async with anyio.create_task_group() as group:
        for _ in range(12):
            group.start_soon(records.begin, asked("run-1"), 1.0, "queued")
    assert [record.run_id for record in await records.newest()] == ["run-1"]
