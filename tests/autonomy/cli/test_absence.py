"""`jiritsu jobs history` tells of the ticks that an absence left out, however many were made up for."""

from datetime import datetime
from pathlib import Path
from zoneinfo import ZoneInfo

import anyio.to_thread
import pytest

from autonomy.durable.scheduling.schedules import Schedules
from autonomy.durable.scheduling.timetable import Timetable
from autonomy.durable.store import Store
from tests.requirements import requirement
from tests.support.command import jiritsu
from tests.support.durable import prepared

BACK = datetime(2026, 11, 24, 0, 30, tzinfo=ZoneInfo("Asia/Tokyo")).timestamp()
DAY_S = 86_400.0


@requirement("J2")
@pytest.mark.parametrize(
    ("language", "day", "did", "waits", "told"),
    [
        (
            "en",
            "Tue +0900",
            "run",
            "late, queued",
            "not made up for: 120 ticks from 2026-11-17 01:00 to 2026-11-22 00:00: they are older than 48 hours",
        ),
        pytest.param(
            "ja",
            "火 +0900",
            "実行",
            "遅れて実行, 順番待ち",
            "2026-11-17 01:00 から 2026-11-22 00:00 までの 120 回分は、あとから実行しません: 48 時間より前のものです",
            marks=pytest.mark.sweep,
        ),
    ],
)
async def test_the_history_tells_below_a_full_page_of_the_ticks_that_were_not_made_up_for(
    tmp_path: Path, language: str, day: str, did: str, waits: str, told: str
) -> None:
    await anyio.to_thread.run_sync((tmp_path / "jobs").mkdir)
    schedule = "schedule: {cron: '0 * * * *', timezone: Asia/Tokyo, missed: run}"
    await anyio.Path(tmp_path / "jobs" / "hourly.md").write_text(f"---\n{schedule}\n---\nLook.\n")
    await anyio.Path(tmp_path / "jiritsu.toml").write_text(
        f"jobs = '{tmp_path / 'jobs'}'\nlanguage = '{language}'\ntimezone = 'UTC'\n"
    )
    engine = await anyio.to_thread.run_sync(prepared, f"sqlite:///{tmp_path / 'jiritsu.db'}")
    plan, clock = Timetable(job="hourly", cron="0 * * * *", missed="run"), [BACK - 7 * DAY_S]
    schedules = Schedules(Store(engine), clock=lambda: clock[0])

    async def history() -> list[str]:
        done = await anyio.to_thread.run_sync(lambda: jiritsu("jobs", "history", "hourly", home=tmp_path))
        return done.stdout.splitlines()

    await schedules.handle(plan)
    clock[0] = BACK
    await schedules.handle(plan)
    *rows, last = await history()
    assert len(rows) == 20
    assert [waits in row for row in rows] == [True] * 20, rows[0]
    assert f" {day}  {did} " in rows[0]
    assert told in last
    for _ in range(20):
        clock[0] += 3600
        await schedules.handle(plan)
    assert len(await history()) == 20, "a page of later ticks says nothing of it"
    await anyio.to_thread.run_sync(engine.dispose)
