"""Schedules that come due soon, in real time."""

from collections.abc import Callable
from datetime import datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

from tests.support.command import jiritsu


def comes_due(job: str, write: Callable[[str], object], *, home: Path, **env: str) -> None:
    """Have a schedule come due once, in a second or two; `write` is given its cron.

    The schedule begins before that, not with the first worker that sees it: one that a busy machine starts late finds the tick all
    the same.
    """
    write("0 0 1 1 *")
    begun = jiritsu("jobs", "resume", job, home=home, **env)
    assert begun.returncode == 0, begun.stderr
    due = datetime.now(ZoneInfo("Asia/Tokyo")) + timedelta(seconds=2)
    write(f"{due:%-M %-H %-d %-m} * {due:%-S}")
