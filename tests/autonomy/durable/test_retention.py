"""What is old goes, and whatever still needs a person stays; the journal verifies all along."""

import time
from functools import partial
from pathlib import Path

import anyio
import anyio.to_thread
import pytest
import sqlalchemy as sa

from autonomy.chat.chat_tables import posts
from autonomy.chat.conversation_history import ConversationHistory, forget_runs
from autonomy.durable.durable_tables import approvals
from autonomy.durable.memory.sql_long_results import SqlLongResults
from autonomy.durable.retention import DAY_S, KeepSettings, Retention
from autonomy.durable.scheduling.alerts import Alert, Alerts
from autonomy.durable.scheduling.schedules import Schedules
from autonomy.durable.scheduling.timetable import Timetable
from autonomy.durable.store import Store, insert_unless_there
from autonomy.errors import RunConflict, UnknownRun
from metrics.events import RecordErased
from tests.requirements import requirement
from tests.support.desk import away_journal
from tests.support.durable import Workshop, asked, box, furnished_database, in_place, workshop
from tests.support.postgres import NEEDED, Server


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=[pytest.mark.postgres, NEEDED])])
async def engine(request: pytest.FixtureRequest, tmp_path: Path) -> sa.Engine:
    """A database with the tables of every room."""
    url = f"sqlite:///{tmp_path / 'jiritsu.db'}"
    if request.param == "postgresql":
        server: Server = request.getfixturevalue("postgres_server")
        url = await anyio.to_thread.run_sync(furnished_database, server, "retention")

    return await anyio.to_thread.run_sync(in_place, url)


def later(shop: Workshop, days: float, **keep: int) -> Retention:
    """The retention, on a day to come."""
    clock = partial(lambda now: now + days * DAY_S, time.time())
    return Retention(shop.engine, shop.journal, KeepSettings(**keep), others=[forget_runs], clock=clock)


async def rows(shop: Workshop) -> dict[str, int]:
    """How many rows each table holds that has a word of runs."""

    def count() -> dict[str, int]:
        inspector = sa.inspect(shop.engine)
        schema = "dbos" if shop.engine.dialect.name == "postgresql" else None
        wanted = ["durable_runs", "durable_effects", "durable_approvals", "durable_ticks", "chat_messages"]
        tables: list[tuple[str | None, str]] = [(None, name) for name in wanted]
        tables += [(schema, name) for name in inspector.get_table_names(schema) if name.startswith(("workflow_", "operation_"))]
        with shop.engine.connect() as connection:
            return {
                name: connection.execute(sa.select(sa.func.count()).select_from(sa.table(name, schema=where))).scalar_one()
                for where, name in tables
            }

    return await anyio.to_thread.run_sync(count)


async def unknown_after_a_crash(shop: Workshop) -> None:
    """A run that has ended although nobody knows what became of one of its writes."""
    await shop.runs.run(asked("run-unknown"))
    (first, *_) = await shop.ledger.of_run("run-unknown")

    def unsettle() -> None:
        with shop.engine.begin() as connection:
            connection.exec_driver_sql(f"update durable_effects set state = 'unknown' where key = '{first.key}'")

    await anyio.to_thread.run_sync(unsettle)


@requirement("S5")
async def test_runs_that_ended_long_ago_go_with_all_they_remember_and_the_log_still_verifies(
    engine: sa.Engine, tmp_path: Path
) -> None:
    async with workshop("", box(tmp_path), engine=engine) as shop:
        with anyio.fail_after(240):
            await shop.runs.run(asked("run-old"))
            await ConversationHistory(Store(engine), "default").add(
                "C1/1.0", "run-old", user_id="U1", asked="やって", answered="した"
            )
            of_run = ("run-old/answer", "report/run-old/1", "run-older/answer")
            for key in of_run:
                row = {"key": key, "channel": "C1", "state": "sent", "at": 1.0}
                await Store(engine)(lambda connection, row=row: insert_unless_there(connection, posts, row))
            kept = SqlLongResults(Store(engine))
            await kept.keep("run-old", "1.1", "a long answer \x00")
            assert await later(shop, days=89).prune() == await later(shop, days=89, runs_days=0).prune()
            assert await kept.piece("run-old", "1.1", 0) == "a long answer \x00"
            before = await rows(shop)
            assert all(before[name] for name in ("durable_runs", "durable_effects", "chat_messages", "workflow_status"))
            gone = await later(shop, days=91).prune()
        assert (gone.runs, gone.held, gone.log_rows) == (1, 0, 0)
        assert not any((await rows(shop)).values()), await rows(shop)
        assert await kept.piece("run-old", "1.1", 0) is None
        assert await Store(engine)(lambda connection: list(connection.scalars(sa.select(posts.c.key)))) == ["run-older/answer"]
        assert (await shop.journal.verify()).intact
        assert len(await shop.journal.read(run_id="run-old")) > 10, "the log is kept longer"
        with pytest.raises(UnknownRun):
            await shop.records.get("run-old")


@requirement("S5", "J4")
async def test_what_still_needs_a_person_stays(engine: sa.Engine, tmp_path: Path) -> None:
    async with workshop("", box(tmp_path), engine=engine) as shop:
        with anyio.fail_after(240):
            await unknown_after_a_crash(shop)
            await shop.orders.enqueue(asked("run-asking", "ask"))
            approval = await shop.question()
            gone = await later(shop, days=1000, runs_days=1).prune()
            assert (gone.runs, gone.held) == (0, 1)
            assert [effect.state for effect in await shop.ledger.unsettled()] == ["unknown"]
            assert await shop.approvals.listed() == (approval,)
            with pytest.raises(RunConflict, match="still needed"):
                await later(shop, days=1).forget("run-unknown", by="haruka", reason="asked to")
            with pytest.raises(RunConflict, match="has not ended"):
                await later(shop, days=1).forget("run-asking", by="haruka", reason="asked to")
            await shop.approvals.answer(approval.id, granted=True, by="haruka")
            assert (await shop.runs.ended("run-asking")).ending == "completed"
            await ask_again(engine, until=1e12)  # it died after the answer was taken back, and before it could go on
            assert (await later(shop, days=1000, runs_days=1).prune()).runs == 0
            await ask_again(engine, until=0.0)
            assert (await later(shop, days=1000, runs_days=1).prune()).runs == 1


async def ask_again(engine: sa.Engine, *, until: float) -> None:
    def leave_open() -> None:
        with engine.begin() as connection:
            connection.execute(sa.update(approvals).values(state="pending", expires_at=until))

    await anyio.to_thread.run_sync(leave_open)


@requirement("S5")
async def test_a_run_is_forgotten_for_a_persons_sake_and_the_log_says_so(engine: sa.Engine, tmp_path: Path) -> None:
    async with workshop("", box(tmp_path), engine=engine) as shop:
        with anyio.fail_after(240):
            await shop.runs.run(asked("run-1", "two"))
            await shop.runs.run(asked("run-2", "two"))
            assert await later(shop, days=0).forget("run-1", by="haruka", reason="Kenta asked") == "run-1"
        assert [record.run_id for record in await shop.records.newest()] == ["run-2"]
        assert await shop.ledger.of_run("run-1") == ()
        (told,) = await shop.journal.read(run_id="run-1")
        assert isinstance(told, RecordErased)
        assert (told.by, told.reason) == ("haruka", "Kenta asked")
        assert (await shop.journal.verify()).intact
        assert (await shop.orders.steps("run-2"))[0] == "start"


@requirement("S5")
async def test_the_oldest_rows_of_the_log_go_where_the_operator_says_so(engine: sa.Engine, tmp_path: Path) -> None:
    async with workshop("", box(tmp_path), engine=engine) as shop:
        with anyio.fail_after(240):
            await shop.runs.run(asked("run-1"))
            gone = await later(shop, days=401, runs_days=0, log_days=400).prune()
            await shop.runs.run(asked("run-2"))
        assert gone.log_rows > 10
        assert gone.runs == 0
        assert (await shop.journal.verify()).intact
        assert {event.run_id for event in await shop.journal.read()} == {"run-2"}


@requirement("J2")
@pytest.mark.parametrize("item", ["", ".ken"], ids=["one run", "a run for each of a list"])
async def test_a_schedule_whose_old_runs_are_gone_goes_on(engine: sa.Engine, tmp_path: Path, item: str) -> None:
    plan = Timetable(job="run", cron="0 0 * * *", timezone="UTC", missed="run", fans_out=bool(item))
    day = 20_780 * DAY_S
    async with workshop("", box(tmp_path), engine=engine) as shop:
        with anyio.fail_after(240):
            for number in range(2):
                schedules = Schedules(Store(engine), clock=partial(float, day + number * DAY_S + 1))
                await schedules.handle(plan)
            (tick,) = await schedules.to_start()
            await shop.runs.run(asked(f"{tick.run_id}{item}", job="run"))
            await schedules.started(tick)
            assert (await later(shop, days=-10_000).prune()).runs == 0
            assert len(await schedules.history("run")) == 1
            assert (await later(shop, days=91).prune()).runs == 1
            assert await schedules.history("run") == ()
            following = Schedules(Store(engine), clock=partial(float, day + 2 * DAY_S + 1))
            assert [one.did for one in await following.handle(plan)] == ["run"], "a tick without a run would count as under way"


async def test_a_problem_of_a_job_file_that_was_told_long_ago_is_told_again(engine: sa.Engine, tmp_path: Path) -> None:
    alerts = Alerts(Store(engine))

    async def tell(_alert: Alert) -> str:
        return "posted"

    async with workshop("", box(tmp_path), engine=engine) as shop:
        with anyio.fail_after(240):
            for _ in range(2):
                await alerts.broken("diary", "its folder is gone")
                await later(shop, days=91).prune()
                assert len(await alerts.waiting()) == 1, "what nobody was told yet stays"
                await alerts.each(tell)
                await alerts.broken("diary", "its folder is gone")
                assert await alerts.waiting() == ()
                await later(shop, days=91).prune()


async def test_many_old_runs_go_and_what_died_half_way_is_found_again(
    engine: sa.Engine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("autonomy.durable.retention.AT_ONCE", 2)
    async with workshop("", box(tmp_path), engine=engine) as shop:
        with anyio.fail_after(240):
            for number in range(5):
                await shop.runs.run(asked(f"run-{number}"))

            def dies(_connection: sa.Connection, _run_ids: object) -> None:
                raise ZeroDivisionError

            now = time.time() + 91 * DAY_S
            dying = Retention(shop.engine, shop.journal, KeepSettings(), others=[dies], clock=lambda: now)
            with pytest.raises(ZeroDivisionError):
                await dying.prune()
            assert (await later(shop, days=91).prune()).runs == 5
        assert not any((await rows(shop)).values())


class Enough(Exception):
    """Ends a service that goes on for ever."""


async def enough(_seconds: float) -> None:
    raise Enough


async def test_a_log_that_cannot_be_pruned_today_ends_no_worker(engine: sa.Engine, caplog: pytest.LogCaptureFixture) -> None:
    with pytest.raises(Enough):
        await Retention(engine, away_journal(), KeepSettings(log_days=30), sleep=enough).keep_tidy()
    assert "cannot delete what is old: the database cannot be used" in caplog.text
    await anyio.to_thread.run_sync(engine.dispose)
