"""The report on its schedule: posted once, within the policy, told to the journal, and counted nowhere."""

from collections.abc import AsyncIterator
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import anyio
import anyio.to_thread
import pytest

from autonomy.durable.liveness.process_locks import alone
from autonomy.errors import ConfigError
from autonomy.jobs.job import Schedule
from autonomy.jobs.job_loading import load
from autonomy.jobs.job_runner import JobRunner
from autonomy.notifications.report_settings import ReportSettings, report_settings
from autonomy.notifications.scheduled_report import Reporter
from autonomy.policy.operator_rules import PolicyRule
from autonomy.policy.policy import Policy
from autonomy.settings import load as load_settings
from discovery.discovery_errors import ConnectionLost
from metrics.journal import Journal
from metrics.measures import measure
from metrics.reporting.report_data import read_report
from tests.metrics.story import MONDAY, Story, diary
from tests.requirements import requirement
from tests.support.desk import Desk, Dying, away_journal, look_together

HOUR = 3600.0
BERLIN = ZoneInfo("Europe/Berlin")
SETTINGS = ReportSettings(channel="#general", schedule=Schedule(cron="0 * * * *", timezone="UTC"), days=1)


class ReportingDesk(Desk):
    """A desk with a journal of two runs of the last hour."""

    @property
    def journal(self) -> Journal:
        return Journal(self.engine)

    def reporter(self, settings: ReportSettings = SETTINGS, **more: Any) -> Reporter:
        fields: dict[str, Any] = {
            "alone": partial(alone, self.engine, "(reporting)"),
            "journal": self.journal,
            "caller": self.gateway,
            "ledger": self.ledger,
            "policy": Policy(),
            "clock": lambda: self.now,
        }
        return Reporter(settings=settings, schedules=self.schedules, **{**fields, **more})

    async def come_due(self) -> None:
        """The schedule is seen for the first time, and an hour goes by."""
        await self.reporter().look()
        self.now += HOUR


@pytest.fixture
async def desk(tmp_path: Path) -> AsyncIterator[ReportingDesk]:
    async with ReportingDesk.open(tmp_path, now=MONDAY) as made:
        await made.journal.write(
            [*diary("good").events, *Story("bad").start(needs=("style",)).turn().finish("exhausted", "x").events]
        )
        yield made


@requirement("M3", "J2")
async def test_each_tick_is_posted_once_whoever_looks_and_says_what_the_report_says(desk: ReportingDesk) -> None:
    await desk.come_due()
    await look_together([desk.reporter() for _ in range(4)])
    (post,) = desk.posted()
    assert post["text"].startswith("*自律性レポート 2025-11-1")
    assert "2 件の実行" in post["text"]
    assert "• 結果の品質: 50.0%" in post["text"]
    desk.now += HOUR
    assert await desk.reporter().look()
    assert len(desk.posted()) == 2


@requirement("S1", "M3")
async def test_the_post_stands_in_the_journal_and_in_no_measure(desk: ReportingDesk) -> None:
    before = measure(await desk.journal.read())
    await desk.come_due()
    await desk.reporter().look()
    told = [event for event in await desk.journal.read() if event.job == "report"]
    assert [event.type for event in told] == ["call_decided", "receipt_recorded"]
    assert {event.run_id for event in told} == {"report-20251117T010000Z"}
    after = measure(await desk.journal.read())
    assert [run.facts.run_id for run in after.runs] == [run.facts.run_id for run in before.runs]
    assert (after.estimate("effects_done"), after.tools(), after.ticks) == (before.estimate("effects_done"), before.tools(), ())
    report = await read_report(desk.journal, since=MONDAY - HOUR, until=desk.now, made_at=desk.now, tz=ZoneInfo("UTC"))
    assert report.runs == 2


@requirement("J4")
@pytest.mark.parametrize("error", [ConnectionLost("slack", "slack_post_message", "gone"), KeyboardInterrupt()])
async def test_a_worker_that_dies_right_after_the_post_does_not_double_it(desk: ReportingDesk, error: BaseException) -> None:
    await desk.come_due()
    dying = desk.reporter(caller=Dying(desk.gateway, error))
    if isinstance(error, KeyboardInterrupt):
        with pytest.raises(KeyboardInterrupt):
            await dying.look()
    else:
        assert not await dying.look()
    assert await desk.reporter().look()
    assert len(desk.posted()) == 1


@requirement("S1")
@pytest.mark.parametrize("decision", ["ask", "deny"])
async def test_the_operators_rules_stand_above_it(desk: ReportingDesk, decision: Any, caplog: pytest.LogCaptureFixture) -> None:
    await desk.come_due()
    rules = (PolicyRule(name="quiet", decision=decision, job="report", tool="slack_*"),)
    assert await desk.reporter(policy=Policy(rules=rules)).look()
    assert desk.posted() == []
    assert f"rule 'quiet' says {decision}" in caplog.text
    assert await desk.reporter().look()
    assert desk.posted() == []


async def test_a_paused_report_is_not_posted_and_goes_on_when_resumed(desk: ReportingDesk) -> None:
    await desk.come_due()
    await desk.schedules.pause("report", "by hand")
    assert await desk.reporter().look()
    assert desk.posted() == []
    await desk.schedules.resume("report")
    desk.now += HOUR
    await desk.reporter().look()
    assert [tick.did for tick in await desk.schedules.history("report")] == ["run", "skipped"]
    assert len(desk.posted()) == 1


async def test_after_an_outage_one_report_makes_up_for_all_that_were_missed(desk: ReportingDesk) -> None:
    await desk.come_due()
    desk.now += 5 * HOUR
    await desk.reporter().look()
    assert len(desk.posted()) == 1


async def test_a_channel_that_cannot_be_reached_is_tried_again_and_given_up_after_most_of_a_day(
    desk: ReportingDesk, caplog: pytest.LogCaptureFixture
) -> None:
    await desk.come_due()
    lost = desk.reporter(SETTINGS.model_copy(update={"channel": "#nowhere"}))
    assert not await lost.look()
    assert not await lost.look()
    assert caplog.text.count("the report cannot be posted in #nowhere") == 1
    assert not await desk.reporter(SETTINGS.model_copy(update={"tool": "pigeon_send"})).look()
    (tick,) = await desk.schedules.to_start("report")
    desk.now = tick.due + 21 * HOUR
    await desk.reporter().look()
    assert f"the report of {tick.run_id} was not posted" in caplog.text


async def test_a_database_that_goes_away_under_the_report_ends_no_worker_and_the_report_comes_later(
    desk: ReportingDesk, caplog: pytest.LogCaptureFixture
) -> None:
    await desk.come_due()
    assert not await desk.reporter(journal=away_journal()).look()
    assert "the database cannot be used" in caplog.text
    assert desk.posted() == []
    assert await desk.reporter().look()
    assert len(desk.posted()) == 1


async def test_a_weekly_report_begins_where_the_last_one_ended_also_when_the_clocks_change(desk: ReportingDesk) -> None:
    weekly = ReportSettings(channel="#general", schedule=Schedule(cron="0 9 * * 1", timezone="Europe/Berlin"))
    for day, hours in (("2026-10-26", 7 * 24 + 1), ("2026-03-30", 7 * 24 - 1), ("2026-06-01", 7 * 24)):
        due = datetime.fromisoformat(f"{day}T09:00").replace(tzinfo=BERLIN).timestamp()
        assert (due - desk.reporter(weekly).since(due)) / HOUR == hours


async def test_without_a_channel_nothing_is_looked_after(desk: ReportingDesk) -> None:
    with anyio.fail_after(240):
        await desk.reporter(ReportSettings()).keep()
    assert await desk.schedules.standing("report") is None


async def test_jobs_leave_the_report_to_its_own(desk: ReportingDesk, tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    await desk.come_due()
    await desk.schedules.handle(SETTINGS.plan)
    await JobRunner([], desk.schedules, queue=None, journal=desk.journal).look()  # type: ignore[arg-type]  # nothing is to be queued
    assert caplog.text == ""
    assert len(await desk.schedules.to_start("report")) == 1


@pytest.mark.parametrize("place", ["report.md", "report/job.md"])
def test_no_job_takes_its_name(tmp_path: Path, place: str) -> None:
    file = tmp_path / place
    file.parent.mkdir(exist_ok=True)
    file.write_text("---\ntitle: x\n---\nDo it.\n")
    with pytest.raises(ConfigError, match="take another name"):
        load(file)


@pytest.mark.parametrize(("schedule", "zone"), [({}, "Europe/Berlin"), ({"cron": "0 8 * * 1", "timezone": "UTC"}, "UTC")])
def test_a_report_goes_by_the_time_zone_of_the_settings_unless_it_names_one(
    tmp_path: Path, schedule: dict[str, str], zone: str
) -> None:
    report = {"channel": "#general", **({"schedule": schedule} if schedule else {})}
    config = load_settings({"home": tmp_path, "timezone": "Europe/Berlin", "report": report}, env={})
    assert report_settings(config).plan.timezone == zone
