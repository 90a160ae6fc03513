"""A job whose file is broken is told of once in the alert channel, whoever comes upon it, and harms no other."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from autonomy.durable.scheduling.alerts import Alerts
from autonomy.durable.store import Store
from autonomy.jobs.job_folders import BUILT_IN
from autonomy.jobs.job_loading import read_all
from autonomy.jobs.job_runner import JobRunner
from autonomy.notifications.schedule_alerts import AlertSettings, ScheduleAlerter
from tests.autonomy.jobs.test_runner import JOB, START
from tests.requirements import requirement
from tests.support.desk import Desk, RequestQueue, away_journal
from tests.support.house import Listener


@pytest.fixture
async def desk(tmp_path: Path) -> AsyncIterator[Desk]:
    async with Desk.open(tmp_path, now=START) as made:
        yield made


def runner(desk: Desk, queue: RequestQueue) -> JobRunner:
    alerts = Alerts(Store(desk.engine), clock=lambda: desk.now)
    return JobRunner([desk.folder], desk.schedules, queue, Listener(), alert=alerts.broken)


@requirement("R6", "J2")
async def test_a_broken_job_is_told_of_once_by_whichever_worker_and_the_others_run(desk: Desk) -> None:
    (desk.folder / "good.md").write_text(JOB, encoding="utf-8")
    (desk.folder / "bad.md").write_text(JOB.replace("schedule:", "title: 2026-02-30\nschedule:"), encoding="utf-8")
    queue, workers = RequestQueue(), []
    workers = [runner(desk, queue), runner(desk, queue)]
    for _ in range(2):
        for worker in workers:
            await worker.look()
        desk.now += 3600
    assert {request.job for request in queue.requests} == {"good"}
    alerts = Alerts(Store(desk.engine))
    alarm = ScheduleAlerter(
        alerts=alerts,
        ledger=desk.ledger,
        caller=desk.gateway,
        settings=AlertSettings(channel="#general"),
        clock=lambda: desk.now - 3000,
    )
    assert await alarm.look()
    (post,) = desk.posted()
    assert "「bad」のファイルが読めない" in post["text"]
    assert "front matter: holds a value" in post["text"]


def test_a_link_that_leads_to_itself_is_a_broken_job_and_harms_no_other(tmp_path: Path) -> None:
    (tmp_path / "good.md").write_text(JOB, encoding="utf-8")
    (tmp_path / "bad.md").symlink_to("bad.md")
    for _ in range(2):
        jobs, problems = read_all([tmp_path])
        assert [job.name for job in jobs] == ["good"]
        assert "cannot be read" in str(problems["bad"])
    (tmp_path / "bad.md").unlink()
    assert not read_all([tmp_path])[1]


class Enough(Exception):
    """Ends a service that goes on for ever."""


async def enough(_seconds: float) -> None:
    raise Enough


async def test_a_journal_that_cannot_be_written_is_no_fault_of_the_job_and_ends_no_worker(desk: Desk) -> None:
    (desk.folder / "good.md").write_text(JOB, encoding="utf-8")
    queue, alerts = RequestQueue(), Alerts(Store(desk.engine), clock=lambda: desk.now)
    await runner(desk, queue).look()
    desk.now += 3600
    with pytest.raises(Enough):
        await JobRunner([desk.folder], desk.schedules, queue, away_journal(), alert=alerts.broken, sleep=enough).keep()
    assert not await alerts.waiting()
    await runner(desk, queue).look()
    assert {request.job for request in queue.requests} == {"good"}


@requirement("R6", "J2")
async def test_a_built_in_schedule_begins_when_somebody_enables_it(desk: Desk) -> None:
    queue = RequestQueue()
    worker = JobRunner([BUILT_IN], desk.schedules, queue, Listener())
    for _ in range(3):
        await worker.look()
        desk.now += 86_400
    assert queue.requests == []
    assert await desk.schedules.standing("diary") is None
    own = desk.folder / "diary.md"
    own.write_text('---\nschedule: {cron: "0 0 1 1 *"}\n---\nMine.\n', encoding="utf-8")
    await JobRunner([desk.folder, BUILT_IN], desk.schedules, queue, Listener()).look()
    own.unlink()
    for _ in range(3):
        desk.now += 86_400
        await worker.look()
    assert queue.requests == [], "an own job of that name that was taken away enables nothing"
    await desk.schedules.resume("diary")
    for _ in range(7):
        desk.now += 86_400
        await worker.look()
    assert "diary" in {request.job for request in queue.requests}
