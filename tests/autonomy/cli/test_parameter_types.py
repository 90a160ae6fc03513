"""What people write for a time, read in their time zone."""

from datetime import datetime
from zoneinfo import ZoneInfo

import pytest

from autonomy.cli.parameter_types import moment_of


@pytest.mark.parametrize(
    ("now", "text", "hours"),
    [
        ("2026-03-08T06:00-04:00", "12h", 12),
        ("2026-03-08T06:00-04:00", "1d", 23),
        ("2026-11-01T06:00-05:00", "12h", 12),
        ("2026-11-01T06:00-05:00", "720m", 12),
        ("2026-11-01T06:00-05:00", "1d", 25),
        ("2026-11-01T01:10-05:00", "30m", 0.5),
        ("2026-11-01T06:00-05:00", "2026-10-31T06:00", 25),
    ],
)
def test_hours_are_those_that_passed_and_days_those_of_the_calendar(now: str, text: str, hours: float) -> None:
    moment = datetime.fromisoformat(now).astimezone(ZoneInfo("America/New_York"))
    assert moment.timestamp() - moment_of(text, moment).timestamp() == hours * 3600
