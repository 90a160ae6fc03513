"""What is old goes, and whatever still needs a person stays; the journal verifies all along."""

import time
from collections.abc import Mapping
from functools import partial
from pathlib import Path

import anyio
import anyio.to_thread
import pytest
import sqlalchemy as sa
from hypothesis import given
from hypothesis import strategies as st

from autonomy.chat.chat_tables import posts
from autonomy.chat.conversation_history import ConversationHistory, forget_runs
from autonomy.durable.durable_tables import approvals, confirmed_time, runs
from autonomy.durable.memory.sql_long_results import SqlLongResults
from autonomy.durable.records.confirmed_time import DAY_S, jump_of, noted_jump
from autonomy.durable.retention import HOUR_S, KeepSettings, Pruned, Retention
from autonomy.durable.scheduling.alerts import Alert, Alerts
from autonomy.durable.scheduling.schedules import Schedules
from autonomy.durable.scheduling.timetable import Timetable
from autonomy.durable.store import Store, insert_unless_there
from autonomy.errors import RunConflict, UnknownRun
from metrics.events import RecordErased
from tests.requirements import requirement
from tests.support.command import jiritsu
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


async def prune_later(shop: Workshop, days: float, **keep: int) -> Pruned:
    """What the retention deletes on a day to come."""
    return await retention(shop, **keep).prune(time.time() + days * DAY_S)


def retention(shop: Workshop, **keep: int) -> Retention:
    return Retention(shop.engine, shop.journal, KeepSettings(**keep), others=[forget_runs])


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
            assert await prune_later(shop, days=89) == await prune_later(shop, days=89, runs_days=0)
            assert await kept.piece("run-old", "1.1", 0) == "a long answer \x00"
            before = await rows(shop)
            assert all(before[name] for name in ("durable_runs", "durable_effects", "chat_messages", "workflow_status"))
            gone = await prune_later(shop, days=91)
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
            gone = await prune_later(shop, days=1000, runs_days=1)
            assert (gone.runs, gone.held) == (0, 1)
            assert [effect.state for effect in await shop.ledger.unsettled()] == ["unknown"]
            assert await shop.approvals.listed() == (approval,)
            with pytest.raises(RunConflict, match="still needed"):
                await retention(shop).forget("run-unknown", by="haruka", reason="asked to")
            with pytest.raises(RunConflict, match="has not ended"):
                await retention(shop).forget("run-asking", by="haruka", reason="asked to")
            await shop.approvals.answer(approval.id, granted=True, by="haruka")
            assert (await shop.runs.ended("run-asking")).ending == "completed"
            await ask_again(engine, until=1e12)  # it died after the answer was taken back, and before it could go on
            assert (await prune_later(shop, days=1000, runs_days=1)).runs == 0
            await ask_again(engine, until=0.0)
            assert (await prune_later(shop, days=1000, runs_days=1)).runs == 1


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
            assert await retention(shop).forget("run-1", by="haruka", reason="Kenta asked") == "run-1"
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
            gone = await prune_later(shop, days=401, runs_days=0, log_days=400)
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
            assert (await prune_later(shop, days=-10_000)).runs == 0
            assert len(await schedules.history("run")) == 1
            assert (await prune_later(shop, days=91)).runs == 1
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
                await prune_later(shop, days=91)
                assert len(await alerts.waiting()) == 1, "what nobody was told yet stays"
                await alerts.each(tell)
                await alerts.broken("diary", "its folder is gone")
                assert await alerts.waiting() == ()
                await prune_later(shop, days=91)


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
            dying = Retention(shop.engine, shop.journal, KeepSettings(), others=[dies])
            with pytest.raises(ZeroDivisionError):
                await dying.prune(now)
            assert (await prune_later(shop, days=91)).runs == 5
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


class Hours:
    """A clock that goes on by an hour whenever somebody sleeps, for so many hours, by way of steps that set it."""

    def __init__(self, now: float, hours: int, *, sets: Mapping[int, float] | None = None) -> None:
        self.now, self._left, self._sets, self._slept = now, hours, sets or {}, 0

    def clock(self) -> float:
        return self.now

    async def sleep(self, seconds: float) -> None:
        self._slept += 1
        self._left -= 1
        if self._left < 0:
            raise Enough
        self.now += seconds + self._sets.get(self._slept, 0.0)


async def tidied(shop: Workshop, hours: Hours, **keep: int) -> int:
    """How many runs are left once a worker has looked after the database for so long."""
    worker = Retention(
        shop.engine, shop.journal, KeepSettings(**keep), others=[forget_runs], clock=hours.clock, sleep=hours.sleep
    )
    with pytest.raises(Enough):
        await worker.keep_tidy()
    return len(await shop.records.newest())


YEARS_S = 3 * 365 * DAY_S


@requirement("S5")
async def test_a_worker_that_starts_with_a_clock_years_ahead_deletes_nothing_and_says_so(
    engine: sa.Engine, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async with workshop("", box(tmp_path), engine=engine) as shop:
        with anyio.fail_after(240):
            await shop.runs.run(asked("run-1"))
            now = time.time()
            is_sqlite = engine.dialect.name == "sqlite"
            assert await tidied(shop, Hours(now + YEARS_S, 26)) == 1
            assert ("when this database was last in use" in caplog.text) is is_sqlite, "PostgreSQL's server knows the time"
            jump = await Store(engine)(noted_jump)
            assert (jump is not None) is is_sqlite
            if jump:
                assert jump.believed_at == pytest.approx(now + YEARS_S + 7 * DAY_S, abs=60)
            assert await tidied(shop, Hours(now + 60, 2)) == 1
            assert await Store(engine)(noted_jump) is None, "the clock was set right"


async def test_a_clock_that_jumps_ahead_while_a_worker_is_there_deletes_nothing(engine: sa.Engine, tmp_path: Path) -> None:
    async with workshop("", box(tmp_path), engine=engine) as shop:
        with anyio.fail_after(240):
            await shop.runs.run(asked("run-1"))
            assert await tidied(shop, Hours(time.time(), 60, sets={20: YEARS_S, 50: -YEARS_S})) == 1
            assert await Store(engine)(noted_jump) is None


async def test_after_a_long_absence_old_runs_go_once_the_clock_has_gone_on_for_a_week(tmp_path: Path) -> None:
    engine = await anyio.to_thread.run_sync(in_place, f"sqlite:///{tmp_path / 'jiritsu.db'}")
    async with workshop("", box(tmp_path), engine=engine) as shop:
        with anyio.fail_after(240):
            await shop.runs.run(asked("run-1"))
            assert await tidied(shop, Hours(time.time(), 1)) == 1
            back = time.time() + 120 * DAY_S
            assert await tidied(shop, Hours(back, 6 * 24)) == 1
            assert await tidied(shop, Hours(back + 6.5 * DAY_S, 30)) == 0


async def test_a_person_who_prunes_by_a_clock_that_jumped_ahead_is_told_and_loses_nothing(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'jiritsu.db'}"
    engine = await anyio.to_thread.run_sync(in_place, url)
    async with workshop("", box(tmp_path), engine=engine) as shop:
        with anyio.fail_after(240):
            await shop.runs.run(asked("run-1"))
        long_ago = time.time() - YEARS_S

        def years_ago(connection: sa.Connection) -> None:
            connection.execute(sa.update(runs).values(asked_at=long_ago, ended_at=long_ago))
            jump_of(connection, long_ago + DAY_S, plausible_s=7 * DAY_S, began=long_ago)

        await Store(engine)(years_ago)
        for before, left in (((), 1), (("--before", "90d"), 1), (("--before", "2100-01-01"), 0)):
            done = await anyio.to_thread.run_sync(
                partial(jiritsu, "runs", "prune", "--yes", *before, home=tmp_path, JIRITSU_DATABASE_URL=url)
            )
            assert "when this database was last in use" in done.stdout
            assert len(await shop.records.newest()) == left, before


def test_a_shorter_period_believes_less() -> None:
    for keep, hours in ((KeepSettings(), 168), (KeepSettings(runs_days=1), 6), (KeepSettings(runs_days=0, log_days=8), 48)):
        assert keep.plausible_s == hours * HOUR_S
    assert KeepSettings(runs_days=1).plausible_s > HOUR_S, "a clock that is right is believed from one look to the next"


@given(st.lists(st.tuples(st.floats(0, 30 * DAY_S), st.floats(-4 * YEARS_S, 4 * YEARS_S)), max_size=12))
def test_nothing_is_deleted_by_a_time_that_did_not_go_on_steadily(looks: list[tuple[float, float]]) -> None:
    """Whatever the clock says, the time to delete by follows on the last one, or the clock has agreed with itself for a week."""
    engine = sa.create_engine("sqlite://")
    confirmed_time.create(engine)
    runs.create(engine)
    true, week, begun = 20_000 * DAY_S, 7 * DAY_S, 20_000 * DAY_S
    with engine.begin() as connection:
        by, _ = jump_of(connection, true, plausible_s=week, began=true)
        steady_since, last = true, true
        for passed, wrong in looks:
            true += passed
            now = true + wrong
            if not 0 <= now - last <= week:
                steady_since = now
            last = now
            following, jump = jump_of(connection, now, plausible_s=week, began=begun)
            assert following <= by + week or now - steady_since >= week
            assert following >= by
            assert jump is None or following == by
            by = following
    engine.dispose()
