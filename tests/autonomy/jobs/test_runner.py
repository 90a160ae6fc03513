"""Jobs that run by themselves: their ticks become runs in the queue, each once; a broken job file harms no other."""

from datetime import datetime
from pathlib import Path
from zoneinfo import ZoneInfo

import anyio.to_thread
import pytest
import sqlalchemy as sa

from autonomy.durable.scheduling.schedules import Schedules
from autonomy.durable.store import Store
from autonomy.jobs.job import RunDefaults
from autonomy.jobs.job_runner import JobRunner
from autonomy.run_state.run_values import RunRequest
from metrics.events import TickHandled
from tests.requirements import requirement
from tests.support.durable import prepared
from tests.support.house import Listener

START = datetime(2026, 11, 16, 23, 30, tzinfo=ZoneInfo("Asia/Tokyo")).timestamp()
JOB = '---\ninputs:\n  day: {type: date, default: today}\nschedule:\n  cron: "59 23 * * *"\n---\nWrite about {{inputs.day}}.\n'


class Asked:
    """A queue that keeps what it is asked for."""

    def __init__(self) -> None:
        self.requests: list[RunRequest] = []

    async def enqueue(self, request: RunRequest, *, priority: int = 100) -> str:
        self.requests.append(request)
        return request.run_id


@pytest.fixture
async def engine(tmp_path: Path) -> sa.Engine:
    return await anyio.to_thread.run_sync(prepared, f"sqlite:///{tmp_path / 'jiritsu.db'}")


@requirement("J1", "J2")
async def test_a_tick_becomes_a_run_of_its_own_day_however_late_it_starts(engine: sa.Engine, tmp_path: Path) -> None:
    (tmp_path / "night.md").write_text(JOB, encoding="utf-8")
    now, queue, journal = [START], Asked(), Listener()
    runner = JobRunner(
        [tmp_path], Schedules(Store(engine), clock=lambda: now[0]), queue, journal, defaults=RunDefaults(tenant="acme")
    )
    await runner.look()
    now[0] += 3600
    await runner.look()
    await runner.look()
    (request,) = queue.requests
    assert request.run_id == "night-20261116T145900Z"
    assert request.task.goal == "Write about 2026-11-16."
    assert (request.trigger, request.actor, request.tenant) == ("schedule", "schedule", "acme")
    (told,) = journal.of(TickHandled)
    assert (told.did, told.run_id) == ("run", request.run_id)


async def test_a_job_file_that_cannot_be_used_is_told_of_once_and_harms_no_other(
    engine: sa.Engine, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "good.md").write_text(JOB, encoding="utf-8")
    (tmp_path / "bad.md").write_text(JOB.replace("59 23", "99 23"), encoding="utf-8")
    (tmp_path / "worse.md").write_text("no front matter", encoding="utf-8")
    now, queue = [START], Asked()
    runner = JobRunner([tmp_path], Schedules(Store(engine), clock=lambda: now[0]), queue, Listener())
    for _ in range(3):
        await runner.look()
        now[0] += 1800
    assert [request.job for request in queue.requests] == ["good"]
    assert caplog.text.count("'99 23 * * *' is no cron expression: its minute '99' is not within 0-59") == 1
    assert caplog.text.count("has no front matter") == 1
