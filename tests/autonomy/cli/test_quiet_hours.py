"""What waits for the quiet hours to end is told as waiting by `jobs list` and `runs show`, and settings that cannot be meant are refused."""

from datetime import datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

import anyio
import anyio.to_thread

from autonomy.durable.records.run_records import RunRecords
from autonomy.durable.scheduling.schedules import Schedules
from autonomy.durable.store import Store
from autonomy.jobs.job_loading import load
from autonomy.jobs.job_runner import plan_of
from autonomy.llm.model import Task
from autonomy.run_state.quiet_hours import QuietHours
from autonomy.run_state.run_values import RunRequest
from tests.requirements import requirement
from tests.support.command import jiritsu
from tests.support.durable import prepared

JOB = "---\ntitle: Each minute\nschedule: {cron: '* * * * *', pause_after_failures: 9}\n---\nLook.\n"


@requirement("Y6")
async def test_a_tick_and_a_question_that_wait_are_told_with_the_time_they_wait_for(tmp_path: Path) -> None:
    now = datetime.now(ZoneInfo("Asia/Tokyo"))
    start, end = (
        (now - timedelta(hours=1)).time().replace(microsecond=0),
        (now + timedelta(hours=3)).time().replace(microsecond=0),
    )
    quiet = QuietHours(start=start, end=end)

    def write() -> None:
        (tmp_path / "jobs").mkdir()
        (tmp_path / "jobs" / "minutely.md").write_text(JOB)
        (tmp_path / "jiritsu.toml").write_text(f"jobs = '{tmp_path / 'jobs'}'\n[quiet_hours]\nstart = {start}\nend = {end}\n")

    await anyio.to_thread.run_sync(write)
    engine = await anyio.to_thread.run_sync(prepared, f"sqlite:///{tmp_path / 'jiritsu.db'}")
    clock = [now.timestamp() - 300]
    schedules = Schedules(Store(engine), clock=lambda: clock[0])
    plan = plan_of(await anyio.to_thread.run_sync(load, tmp_path / "jobs" / "minutely.md"), "Asia/Tokyo")
    await schedules.handle(plan)
    clock[0] += 300
    await schedules.handle(plan)
    request = RunRequest(run_id="tick-1", job="minutely", trigger="schedule", task=Task(goal="Look."), quiet=quiet)
    await RunRecords(engine).begin(request, clock[0], "waiting")
    await anyio.to_thread.run_sync(engine.dispose)
    listed = await anyio.to_thread.run_sync(lambda: jiritsu("jobs", "list", home=tmp_path))
    (line,) = [line for line in listed.stdout.splitlines() if line.startswith("minutely")]
    assert f"held back until {end:%H:%M}" in line
    past = await anyio.to_thread.run_sync(lambda: jiritsu("jobs", "history", "minutely", home=tmp_path))
    to_run = [line for line in past.stdout.splitlines() if "  run  " in line]
    assert to_run
    assert all(f"held back until {end:%H:%M}" in line for line in to_run)
    shown = await anyio.to_thread.run_sync(lambda: jiritsu("runs", "show", "tick-1", home=tmp_path))
    assert f"held back until {end:%H:%M} (quiet hours)" in shown.stdout, shown.stderr


@requirement("Y6")
def test_quiet_hours_that_cannot_be_meant_are_one_line_that_names_them(tmp_path: Path) -> None:
    (tmp_path / "jiritsu.toml").write_text('[quiet_hours]\nstart = "22:00"\nend = "7 o\'clock"\n')
    done = jiritsu("jobs", "list", home=tmp_path)
    assert done.returncode == 3
    assert "quiet_hours.end" in done.stderr
    assert "Traceback" not in done.stderr
