"""When schedules are due: time zones, daylight saving, holidays."""

from contextlib import suppress
from datetime import datetime, timedelta
from itertools import pairwise
from zoneinfo import ZoneInfo

import pytest
from croniter import CroniterBadDateError, croniter
from hypothesis import given, settings
from hypothesis import strategies as st

from autonomy.durable.scheduling.timetable import HORIZON_YEARS, Timetable, why_no_cron
from tests.requirements import requirement


def at(text: str, zone: str = "Asia/Tokyo") -> float:
    return datetime.fromisoformat(text).replace(tzinfo=ZoneInfo(zone)).timestamp()


def shown(ticks: list[float], zone: str = "Asia/Tokyo") -> list[str]:
    return [datetime.fromtimestamp(tick, ZoneInfo(zone)).strftime("%m-%d %H:%M %z") for tick in ticks]


def test_the_next_five_ticks_leave_out_public_holidays_and_weekends() -> None:
    plan = Timetable(job="diary", cron="30 18 * * 1-5", holidays="skip")
    ticks = plan.next(at("2026-05-01T12:00"), 5)
    assert shown(ticks) == [
        "05-01 18:30 +0900",
        "05-07 18:30 +0900",
        "05-08 18:30 +0900",
        "05-11 18:30 +0900",
        "05-12 18:30 +0900",
    ]
    assert plan.left_out(at("2026-05-04T18:30")) == "みどりの日"


@requirement("J2")
def test_a_time_that_the_clocks_leave_out_comes_right_after_and_one_that_comes_twice_is_taken_once() -> None:
    plan = Timetable(job="x", cron="30 2 * * *", timezone="America/New_York")
    zone = "America/New_York"
    spring = plan.due(at("2026-03-07T12:00", zone), at("2026-03-09T12:00", zone))
    assert shown(spring, zone) == ["03-08 03:30 -0400", "03-09 02:30 -0400"]
    autumn = Timetable(job="x", cron="30 1 * * *", timezone=zone).due(at("2026-10-31T12:00", zone), at("2026-11-02T12:00", zone))
    assert shown(autumn, zone) == ["11-01 01:30 -0400", "11-02 01:30 -0500"]


@requirement("J2")
def test_a_schedule_of_every_other_hour_leaves_out_the_hour_that_the_clocks_do() -> None:
    plan, zone = Timetable(job="x", cron="30 */2 * * *", timezone="America/New_York"), "America/New_York"
    spring = plan.due(at("2026-03-08T00:00", zone), at("2026-03-08T07:00", zone))
    assert shown(spring, zone) == ["03-08 00:30 -0500", "03-08 04:30 -0400", "03-08 06:30 -0400"]


def test_many_ticks_to_come_are_each_held_against_none_of_the_others() -> None:
    plan = Timetable(job="x", cron="* * * * *", timezone="Asia/Tokyo")
    ticks = plan.next(at("2026-03-08T00:00"), 3_000)
    assert [ticks[0], ticks[-1]] == [at("2026-03-08T00:01"), at("2026-03-10T02:00")]


def test_a_month_of_a_busy_schedule_asks_for_its_days_and_not_for_each_of_its_times(monkeypatch: pytest.MonkeyPatch) -> None:
    asked, get_next = list[object](), croniter.get_next
    monkeypatch.setattr(croniter, "get_next", lambda self, *kind: asked.append(kind) or get_next(self, *kind))
    assert len(Timetable(job="x", cron="*/20 * * * *").next(at("2026-03-08T00:00"), 2_000)) == 2_000
    assert len(asked) <= 2_000 / 72 + 3


def test_an_hourly_schedule_follows_the_hours_as_they_pass() -> None:
    plan, zone = Timetable(job="x", cron="0 * * * *", timezone="America/New_York"), "America/New_York"
    for start in ("2026-03-08T00:30", "2026-11-01T00:30"):
        ticks = plan.due(at(start, zone), at(start, zone) + 6 * 3600)
        assert [later - earlier for earlier, later in pairwise(ticks)] == [3600.0] * 5


def test_the_next_ticks_are_the_next_ones_while_an_hour_comes_twice() -> None:
    """Of three ticks every quarter of an hour the last was that of an hour later."""
    zone = "Europe/Berlin"
    plan, start = Timetable(job="x", cron="*/15 * * * *", timezone=zone), at("2026-10-25T01:50", zone)
    for count in range(1, 12):
        assert plan.next(start, count) == [start + 600 + 900 * number for number in range(count)]
        assert plan.due(start, start + 7200, most=count) == plan.due(start, start + 7200)[:count]


@pytest.mark.parametrize("cron", ["30 2 * * *", "*/17 * * * *", "15 1,2,3 * * *", "0 9 * * 1-5"])
@pytest.mark.parametrize("zone", ["Asia/Tokyo", "America/New_York", "Australia/Lord_Howe", "Europe/Berlin"])
@settings(max_examples=4)
@given(
    since=st.floats(1_735_700_000, 1_830_300_000),
    hours=st.integers(1, 72),
    cut=st.floats(0.0, 1.0),
)
def test_looking_in_two_parts_finds_the_same_ticks_as_looking_once(
    cron: str, zone: str, since: float, hours: int, cut: float
) -> None:
    plan = Timetable(job="x", cron=cron, timezone=zone)
    until = since + timedelta(hours=hours).total_seconds()
    middle = since + (until - since) * cut
    assert plan.due(since, middle) + plan.due(middle, until) == plan.due(since, until)


def test_a_cron_nobody_can_read_is_named() -> None:
    with pytest.raises(ValueError, match="'61 \\* \\* \\* \\*' is no cron"):
        Timetable(job="x", cron="61 * * * *").next(0, 1)
    assert Timetable(job="x", cron="0 0 30 2 *").next(0, 1) == []


@pytest.mark.parametrize(
    ("cron", "why"),
    [
        ("0 9 * * 1-5", ""),
        ("@daily", ""),
        ("61 9 * * *", "its minute '61' is not within 0-59"),
        ("0 25 * * *", "its hour '25' is not within 0-23"),
        ("0 9 32 * *", "its day '32' is not within 1-31"),
        ("0 9 * 13 *", "its month '13' is not within 1-12"),
        ("0 9 * * 8", "its weekday '8' is not within 0-7"),
        ("nine 9 * * *", "its minute 'nine' is not within 0-59"),
        ("0 9 * *", "it has 4 fields in place of five: minute hour day month weekday"),
        ("every working day", "it has 3 fields in place of five: minute hour day month weekday"),
        ("", "it has 0 fields in place of five: minute hour day month weekday"),
        ("@sometimes", "nobody can read it"),
    ],
)
def test_what_is_wrong_with_a_cron_is_told_by_its_field(cron: str, why: str) -> None:
    assert why_no_cron(cron) == why


FIELDS = [
    ["*", "0", "30", "*/7", "5-20/5", "59,0,13", "0-59", "10-50/20"],
    ["*", "0", "23", "*/3", "9-18", "22,1", "1-23/2"],
    ["*", "1", "31", "*/10", "29", "l", "1,15"],
    ["*", "2", "*/5", "jan", "4-6"],
    ["*", "0", "7", "1-5", "sun", "5#2", "mon,wed"],
]


@given(
    st.tuples(*(st.sampled_from(field) for field in FIELDS)).map(" ".join)
    | st.sampled_from(["@hourly", "@weekly", "*/9 2 * * * */20"]),
    st.floats(at("2026-01-01"), at("2028-06-01")),
    st.integers(1, 200),
)
def test_the_times_of_a_cron_are_those_that_croniter_finds_one_by_one(cron: str, after: float, many: int) -> None:
    """In a zone without clock changes, whatever day, hour and second one looks from."""
    start = datetime.fromtimestamp(after, ZoneInfo("Asia/Tokyo"))
    one_by_one = croniter(cron, start.replace(tzinfo=None), max_years_between_matches=HORIZON_YEARS)
    expected = list[float]()
    with suppress(CroniterBadDateError):
        while len(expected) < many:
            expected.append(one_by_one.get_next(datetime).replace(tzinfo=start.tzinfo).timestamp())
    horizon = after + HORIZON_YEARS * 366 * 86_400
    assert Timetable(job="x", cron=cron).next(after, many) == [tick for tick in expected if tick <= horizon]
