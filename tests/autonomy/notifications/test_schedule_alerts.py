"""A schedule that paused itself is told of in a channel: once, whoever looks and whoever dies."""

import re
from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import anyio
import anyio.to_thread
import pytest

from autonomy.durable.records.run_records import RunRecords
from autonomy.durable.scheduling.alerts import Alerts
from autonomy.durable.scheduling.timetable import Timetable
from autonomy.durable.store import Store
from autonomy.notifications.schedule_alerts import AlertSettings, ScheduleAlerter
from autonomy.run_state.quiet_hours import QuietHours
from autonomy.run_state.run_values import RunResult
from discovery.discovery_errors import ConnectionLost
from tests.requirements import requirement
from tests.support.desk import Desk, Dying, look_together
from tests.support.durable import asked

HOUR = 3600.0
START = 1_795_000_000.0 - 1_795_000_000.0 % HOUR


class FailingDesk(Desk):
    """A desk with a job that fails."""

    async def fail(self, times: int = 2) -> None:
        plan = Timetable(job="diary", cron="0 * * * *", timezone="UTC", pause_after_failures=2)
        await self.schedules.handle(plan)
        for _ in range(times):
            self.now += HOUR
            (tick,) = await self.schedules.handle(plan)
            await RunRecords(self.engine).begin(asked(tick.run_id, job="diary"), self.now)
            await RunRecords(self.engine).end(RunResult(run_id=tick.run_id, ending="blocked", started_at=self.now))
        await self.schedules.handle(plan)

    def alarm(self, channel: str = "#general", **more: Any) -> ScheduleAlerter:
        fields: dict[str, Any] = {"caller": self.gateway, "settings": AlertSettings(channel=channel), **more}
        alerts = Alerts(Store(self.engine))
        return ScheduleAlerter(alerts=alerts, ledger=self.ledger, folders=[self.folder], clock=lambda: self.now, **fields)


@pytest.fixture
async def desk(tmp_path: Path) -> AsyncIterator[FailingDesk]:
    async with FailingDesk.open(tmp_path, now=START) as made:
        yield made


@requirement("J2")
async def test_a_schedule_pauses_as_soon_as_its_last_straw_has_failed_and_the_channel_is_told_once(desk: FailingDesk) -> None:
    await desk.fail()
    standing = await desk.schedules.standing("diary")
    assert standing is not None
    assert standing.paused, "nobody waits for the next tick"
    await look_together([desk.alarm() for _ in range(4)])
    (post,) = desk.posted()
    assert "「diary」を止めました" in post["text"]
    assert "続けて 2 回失敗" in post["text"]
    assert "jiritsu jobs resume diary" in post["text"]


@requirement("J2")
async def test_each_pause_is_told_of(desk: FailingDesk) -> None:
    for _ in range(2):
        await desk.fail()
        await desk.alarm().look()
        desk.now += 1
        await desk.schedules.resume("diary")
    assert len(desk.posted()) == 2


@requirement("J2", "J4")
@pytest.mark.parametrize("error", [ConnectionLost("slack", "slack_post_message", "gone"), KeyboardInterrupt()])
async def test_a_worker_that_dies_right_after_the_post_does_not_double_it(desk: FailingDesk, error: BaseException) -> None:
    await desk.fail()
    dying = desk.alarm(caller=Dying(desk.gateway, error))
    if isinstance(error, KeyboardInterrupt):
        with pytest.raises(KeyboardInterrupt):
            await dying.look()
    else:
        assert not await dying.look()
    assert await desk.alarm().look()
    assert len(desk.posted()) == 1


async def test_a_job_may_name_its_own_channel(desk: FailingDesk) -> None:
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
    desk: FailingDesk, caplog: pytest.LogCaptureFixture
) -> None:
    await desk.fail()
    assert await desk.alarm(channel="").look()
    assert await desk.alarm().look()
    assert desk.posted() == []
    assert "the schedule of job diary is paused" in caplog.text


async def test_a_channel_that_cannot_be_reached_is_tried_again_and_complained_of_once(
    desk: FailingDesk, caplog: pytest.LogCaptureFixture
) -> None:
    await desk.fail()
    lost = desk.alarm(channel="#nowhere")
    assert not await lost.look()
    assert not await lost.look()
    assert caplog.text.count("#nowhere cannot be told that job diary is paused") == 1
    assert not await desk.alarm(settings=AlertSettings(channel="#general", tool="pigeon_send")).look()
    assert await desk.alarm().look()
    assert len(desk.posted()) == 1


async def test_an_alert_that_nobody_could_be_told_of_for_most_of_a_day_is_left_to_the_log(desk: FailingDesk) -> None:
    await desk.fail()
    desk.now += 21 * HOUR
    assert await desk.alarm().look()
    assert desk.posted() == []


@requirement("Y6")
@pytest.mark.parametrize(("alerts", "posted"), [("hold", 0), ("pass", 1)])
async def test_an_alert_waits_for_the_quiet_hours_to_end_unless_the_setting_lets_it_pass(
    desk: FailingDesk, alerts: str, posted: int
) -> None:
    await desk.fail()
    begins = datetime.fromtimestamp(desk.now, UTC) - timedelta(hours=1)
    ends = begins + timedelta(hours=8)
    quiet = QuietHours.model_validate({"start": begins.time(), "end": ends.time(), "timezone": "UTC", "alerts": alerts})
    assert await desk.alarm(quiet=quiet).look() is bool(posted)
    assert len(desk.posted()) == posted
    desk.now = ends.timestamp()
    assert await desk.alarm(quiet=quiet).look()
    assert len(desk.posted()) == 1


@requirement("K3", "J2")
async def test_what_a_server_worded_calls_nobody_and_leads_nowhere_in_an_alert(desk: FailingDesk) -> None:
    said = "when: x_look answered with an error:\n<!channel> <https://evil.example|sign in> evil.example"
    await Alerts(Store(desk.engine)).broken("diary", said)
    assert await desk.alarm().look()
    (post,) = desk.posted()
    text = str(post["text"])
    assert "x_look answered with an error" in text, "what it is about is told all the same"
    assert not {"<", ">", "\n"} & {*text}
    assert "evil.example" not in re.sub("`[^`]*`", "", text)
