"""Quiet hours: when they hold, across midnight and the changes of clocks, and which of them cannot be meant."""

from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from autonomy.run_state.quiet_hours import LONGEST, QuietHours
from tests.requirements import requirement

NIGHT = QuietHours(start=time(22), end=time(7), timezone="Asia/Tokyo")


def at(text: str, zone: str = "Asia/Tokyo") -> float:
    return datetime.fromisoformat(text).replace(tzinfo=ZoneInfo(zone)).timestamp()


@requirement("Y6")
@pytest.mark.parametrize(
    ("moment", "until"),
    [
        ("2026-11-20T21:59:59", None),
        ("2026-11-20T22:00:00", "2026-11-21T07:00:00"),
        ("2026-11-21T00:00:00", "2026-11-21T07:00:00"),
        ("2026-11-21T06:59:59", "2026-11-21T07:00:00"),
        ("2026-11-21T07:00:00", None),
    ],
)
def test_a_night_begins_at_its_start_and_is_over_at_its_end(moment: str, until: str | None) -> None:
    assert NIGHT.until(at(moment)) == (at(until) if until else None)
    assert NIGHT.ends(at(moment), "Asia/Tokyo") == ("07:00" if until else "")
    assert NIGHT.ends(at(moment), "UTC") == ("22:00" if until else "")


@requirement("Y6")
def test_quiet_hours_of_one_day_are_those_of_their_own_time_zone() -> None:
    lunch = QuietHours(start=time(12), end=time(13), timezone="Europe/Berlin")
    one = at("2026-11-20T13:00:00", "Europe/Berlin")
    assert [lunch.until(one + past_s) for past_s in (-3601, -3600, -1, 0)] == [None, one, one, None]
    assert lunch.until(at("2026-11-20T12:30:00", "Asia/Tokyo")) is None


@requirement("Y6")
def test_an_end_that_comes_twice_in_a_night_is_the_one_that_is_still_to_come() -> None:
    night = QuietHours(start=time(22), end=time(2, 30), timezone="Europe/Berlin")
    first = datetime(2026, 10, 25, 0, 30, tzinfo=UTC).timestamp()  # clocks go back to two at three
    again = first + 3600
    for moment, until in ((first - 9000, first), (first - 1, first), (first, None), (again - 1801, None), (again - 1800, again)):
        assert night.until(moment) == until
    assert night.until(again) is None


@requirement("Y6")
@pytest.mark.parametrize("zone", ["Asia/Tokyo", "America/New_York", "Europe/Berlin", "Australia/Lord_Howe", "UTC"])
@given(
    st.times().map(lambda one: one.replace(second=0, microsecond=0)),
    st.integers(1, int(LONGEST.total_seconds()) // 60),
    st.integers(946_684_800, 2_208_988_800).map(lambda second: datetime.fromtimestamp(second, UTC)),  # 2000 until 2040
)
def test_what_is_held_back_is_held_for_a_while_and_never_for_ever(zone: str, start: time, minutes: int, when: datetime) -> None:
    end = (datetime.combine(date(2026, 1, 1), start) + timedelta(minutes=minutes)).time()
    hours, moment = QuietHours(start=start, end=end, timezone=zone), when.timestamp()
    until = hours.until(moment)
    local = when.astimezone(ZoneInfo(zone)).time().replace(fold=0)
    inside = start <= local < end if start < end else local >= start or local < end
    assert (until is not None) == inside
    if until is not None:
        assert moment < until <= moment + LONGEST.total_seconds() + 2 * 3600
        assert hours.until(until) is None or hours.until(until + 7200) is None


@requirement("Y6")
def test_times_without_quotes_in_yaml_are_read_as_times() -> None:
    assert QuietHours.model_validate({"start": 22 * 60, "end": 7 * 60}) == NIGHT


@requirement("Y6")
@pytest.mark.parametrize(
    ("given", "problem"),
    [
        ({"start": "22:00", "end": "22:00"}, "is not between a minute and 16 hours"),
        ({"start": "07:00", "end": "23:30"}, "is not between a minute and 16 hours"),
        ({"start": "22:00", "end": "7 Uhr"}, "end"),
        ({"start": "22:00", "end": "07:00", "timezone": "Mars"}, "'Mars' is no time zone"),
        ({"start": "22:00+09:00", "end": "07:00"}, "without an offset"),
    ],
)
def test_hours_that_cannot_be_meant_are_refused(given: dict[str, str], problem: str) -> None:
    with pytest.raises(ValidationError, match=problem):
        QuietHours.model_validate(given)
