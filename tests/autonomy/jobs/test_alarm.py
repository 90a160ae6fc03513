"""A schedule that paused itself is told of in a channel: once, whoever looks and whoever dies."""

import json
from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import anyio
import anyio.to_thread
import pytest
import sqlalchemy as sa

from autonomy.durable.alerts import Alerts
from autonomy.durable.ledger import SqlLedger
from autonomy.durable.records import RunRecords
from autonomy.durable.schedules import Schedules
from autonomy.durable.store import Store
from autonomy.durable.timetable import Plan
from autonomy.execution.context import RunResult
from autonomy.jobs.alarm import Alarm, AlertSettings
from autonomy.sources import SAMPLE
from discovery.catalog import JsonObject, ToolOutput
from discovery.errors import ConnectionLost
from discovery.gateway import Gateway
from mcp_servers.slack.server import server_from_environment
from tests.requirements import requirement
from tests.support.durable import asked, prepared
from tests.support.house import house

HOUR = 3600.0
START = 1_795_000_000.0 - 1_795_000_000.0 % HOUR


@dataclass
class Desk:
    """A job that has failed twice, and the real Slack server over files."""

    engine: sa.Engine
    gateway: Gateway
    outbox: Path
    folder: Path
    now: float = START

    @property
    def schedules(self) -> Schedules:
        return Schedules(Store(self.engine), clock=lambda: self.now)

    async def fail(self, times: int = 2) -> None:
        plan = Plan(job="diary", cron="0 * * * *", timezone="UTC", pause_after_failures=2)
        await self.schedules.handle(plan)
        for _ in range(times):
            self.now += HOUR
            (tick,) = await self.schedules.handle(plan)
            await RunRecords(self.engine).begin(asked(tick.run_id, job="diary"), self.now)
            await RunRecords(self.engine).end(RunResult(run_id=tick.run_id, ending="blocked", started_at=self.now))
        await self.schedules.handle(plan)

    def alarm(self, channel: str = "#general", **more: Any) -> Alarm:
        ledger = SqlLedger(Store(self.engine))
        fields: dict[str, Any] = {"caller": self.gateway, "settings": AlertSettings(channel=channel), **more}
        return Alarm(Alerts(Store(self.engine)), ledger=ledger, folders=[self.folder], clock=lambda: self.now, **fields)

    def posted(self) -> list[JsonObject]:
        return [json.loads(line) for line in self.outbox.read_text().splitlines()] if self.outbox.exists() else []


@pytest.fixture
async def desk(tmp_path: Path) -> AsyncIterator[Desk]:
    outbox = tmp_path / "outbox.jsonl"
    slack = server_from_environment({"SLACK_EXPORT_DIR": str(SAMPLE / "sample" / "slack"), "SLACK_OUTBOX": str(outbox)})
    engine = await anyio.to_thread.run_sync(prepared, f"sqlite:///{tmp_path / 'jiritsu.db'}")
    async with house(slack) as made:
        yield Desk(engine, made.gateway, outbox, tmp_path)
    await anyio.to_thread.run_sync(engine.dispose)


@requirement("J2")
async def test_a_schedule_pauses_as_soon_as_its_last_straw_has_failed_and_the_channel_is_told_once(desk: Desk) -> None:
    await desk.fail()
    standing = await desk.schedules.standing("diary")
    assert standing is not None
    assert standing.paused, "nobody waits for the next tick"
    workers = [desk.alarm() for _ in range(4)]
    with anyio.fail_after(10):
        async with anyio.create_task_group() as group:
            for worker in workers:
                group.start_soon(worker.look)
        for worker in workers:
            assert await worker.look()
    (post,) = desk.posted()
    assert "「diary」を止めました" in post["text"]
    assert "続けて 2 回失敗" in post["text"]
    assert "jiritsu jobs resume diary" in post["text"]


@requirement("J2")
async def test_each_pause_is_told_of(desk: Desk) -> None:
    for _ in range(2):
        await desk.fail()
        await desk.alarm().look()
        desk.now += 1
        await desk.schedules.resume("diary")
    assert len(desk.posted()) == 2


class Dying:
    """A gateway under which the process dies, or the line breaks, right after the post."""

    def __init__(self, gateway: Gateway, error: BaseException) -> None:
        self._gateway, self._error = gateway, error
        self.catalog = gateway.catalog

    async def call(self, name: str, arguments: JsonObject, *, idempotency_key: str = "") -> ToolOutput:
        await self._gateway.call(name, arguments, idempotency_key=idempotency_key)
        raise self._error


@requirement("J2", "J4")
@pytest.mark.parametrize("error", [ConnectionLost("slack", "slack_post_message", "gone"), KeyboardInterrupt()])
async def test_a_worker_that_dies_right_after_the_post_does_not_double_it(desk: Desk, error: BaseException) -> None:
    await desk.fail()
    dying = desk.alarm(caller=Dying(desk.gateway, error))
    if isinstance(error, KeyboardInterrupt):
        with pytest.raises(KeyboardInterrupt):
            await dying.look()
    else:
        assert not await dying.look()
    assert await desk.alarm().look()
    assert len(desk.posted()) == 1


async def test_a_job_may_name_its_own_channel(desk: Desk) -> None:
    job = '---\nschedule:\n  cron: "0 * * * *"\n  alert: "#dev"\n---\nWrite.\n'
    await anyio.to_thread.run_sync((desk.folder / "diary.md").write_text, job)
    await desk.fail()
    await desk.alarm().look()
    own = desk.posted()
    desk.now += 1
    await desk.schedules.resume("diary")
    await anyio.to_thread.run_sync((desk.folder / "diary.md").unlink)
    await desk.fail()
    await desk.alarm().look()
    (first, second) = desk.posted()
    assert [first] == own
    assert first["channel"] != second["channel"]


async def test_without_a_channel_the_log_says_it_and_nothing_is_posted_later(
    desk: Desk, caplog: pytest.LogCaptureFixture
) -> None:
    await desk.fail()
    assert await desk.alarm(channel="").look()
    assert await desk.alarm().look()
    assert desk.posted() == []
    assert "the schedule of job diary is paused" in caplog.text


async def test_a_channel_that_cannot_be_reached_is_tried_again_and_complained_of_once(
    desk: Desk, caplog: pytest.LogCaptureFixture
) -> None:
    await desk.fail()
    lost = desk.alarm(channel="#nowhere")
    assert not await lost.look()
    assert not await lost.look()
    assert caplog.text.count("#nowhere cannot be told that job diary is paused") == 1
    assert not await desk.alarm(settings=AlertSettings(channel="#general", tool="pigeon_send")).look()
    assert await desk.alarm().look()
    assert len(desk.posted()) == 1


async def test_an_alert_that_nobody_could_be_told_of_for_most_of_a_day_is_left_to_the_log(desk: Desk) -> None:
    await desk.fail()
    desk.now += 21 * HOUR
    assert await desk.alarm().look()
    assert desk.posted() == []
