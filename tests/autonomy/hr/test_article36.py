"""The limits of an agreement under article 36, the forecast to the month's end, and who may ask for them."""

from datetime import date, datetime, time, timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from autonomy.chat import chat_service
from autonomy.errors import StoreError, VendorError
from autonomy.hr.hr_tenancy import HRTenancy
from autonomy.hr.hr_tools import check_overtime_limits, list_overtime
from autonomy.hr.tenants import HRCaller, Tenant
from autonomy.hr.timekeeping.article36 import Forecast, MonthOvertime, counted, forecast, uses
from autonomy.hr.timekeeping.attendance import AttendanceRecord, MonthlyAttendance, Span
from autonomy.hr.timekeeping.month import JST, Month
from autonomy.hr.vendors.demo import Demo, person
from autonomy.llm.model import Task
from autonomy.run_state.run_values import RunRequest
from tests.autonomy.hr.conftest import House
from tests.requirements import requirement

APRIL_TO = [f"2026-{month:02d}" for month in range(4, 13)]
HOURS = st.integers(0, 130)


def months(*hours: float, holiday: float = 0) -> list[MonthOvertime]:
    return [
        MonthOvertime(month=month, overtime=round(one * 60), holiday=round(holiday * 60))
        for month, one in zip(APRIL_TO, hours, strict=False)
    ]


def exceeded(*hours: float, special: bool = False, holiday: float = 0) -> list[str]:
    return [one.limit for one in uses(months(*hours, holiday=holiday), special_clause=special) if one.exceeded]


@requirement("H17")
@pytest.mark.parametrize(
    ("hours", "holiday", "special", "told"),
    [
        ((45,), 0, False, []),
        ((45.02,), 0, False, ["month_45h"]),
        ((45,), 54.98, False, []),  # 99 hours 59 minutes with work on the statutory day off
        ((45,), 55, False, ["month_100h"]),
        ((45,) * 8, 0, False, []),
        ((46,) * 7 + (44,), 0, False, ["year_360h"]),
        ((60,), 0, True, []),
        ((46,) * 6 + (45,), 0, True, []),
        ((46,) * 7, 0, True, ["months_above_45h"]),
        ((80, 80), 0, True, []),
        ((80, 80.02), 0, True, ["average_80h"]),
        ((99, 0, 0), 0, True, []),
        ((0, 90, 75), 0, True, ["average_80h"]),
        ((100,), 0, True, ["month_100h"]),
        ((90,) * 8, 0, True, ["months_above_45h", "average_80h"]),
        ((90.2,) * 8, 0, True, ["year_720h", "months_above_45h", "average_80h"]),
    ],
)
def test_the_limits_of_the_law_are_met_to_the_minute(
    hours: tuple[float, ...], holiday: float, special: bool, told: list[str]
) -> None:
    assert exceeded(*hours, special=special, holiday=holiday) == told


@requirement("H17")
@given(st.lists(st.tuples(HOURS, HOURS), min_size=1, max_size=9), st.booleans())
def test_the_average_is_that_of_the_worst_two_to_six_months_and_more_work_never_mends_a_limit(
    worked: list[tuple[int, int]], special: bool
) -> None:
    told = [MonthOvertime(month=month, overtime=a * 60, holiday=b * 60) for month, (a, b) in zip(APRIL_TO, worked, strict=False)]
    found = {one.limit: one for one in uses(told, special_clause=special)}
    both = [a + b for a, b in worked]
    assert (("average_80h" in found) and found["average_80h"].exceeded) == any(
        sum(both[-n:]) > 80 * n for n in range(2, 7) if len(both) >= n
    )
    assert found["month_100h"].exceeded == (both[-1] >= 100)
    more = [*told[:-1], told[-1].model_copy(update={"overtime": told[-1].overtime + 60})]
    after = {one.limit: one.exceeded for one in uses(more, special_clause=special)}
    assert all(after[limit] for limit, one in found.items() if one.exceeded)


@requirement("H17")
def test_a_new_year_of_the_agreement_begins_anew_but_averages_look_back_over_it() -> None:
    told = [
        MonthOvertime(month=str(month), overtime=85 * 60)
        for month in (Month(2026, 1), Month(2026, 2), Month(2026, 3), Month(2026, 4))
    ]
    found = {one.limit: one for one in uses(told, special_clause=True)}
    assert found["year_720h"].months == ("2026-04",)
    assert found["average_80h"].months == ("2026-03", "2026-04")
    assert found["average_80h"].exceeded
    beginning_in_january = {one.limit: one for one in uses(told, special_clause=True, year_begins=1)}
    assert len(beginning_in_january["year_720h"].months) == 4


def november(overtime: int, *, worked: int, holiday_on: int = 0) -> MonthlyAttendance:
    """Weekdays of ten hours less the break, up to a day; no other day is on record."""

    def record(day: date) -> AttendanceRecord:
        start = datetime.combine(day, time(9), JST)
        kind = "holiday" if day.weekday() == 6 else "weekday"
        length = 480 + overtime if kind == "weekday" else 120
        return AttendanceRecord(
            date=day,
            day_type=kind,
            scheduled_minutes=480,
            segments=(Span(start=start, end=start + timedelta(minutes=length)),),
            source="demo",
        )

    days = [date(2026, 11, n) for n in range(1, worked + 1)]
    chosen = [day for day in days if (day.weekday() < 5 and day.day not in (3, 23)) or day.day == holiday_on]
    return MonthlyAttendance(employee_id="x", month="2026-11", records=tuple(map(record, chosen)), source="demo")


@requirement("H17")
@given(st.integers(0, 300), st.integers(2, 30))
def test_who_goes_on_as_he_began_ends_where_the_forecast_says(overtime: int, today: int) -> None:
    whole = counted(november(overtime, worked=30)).overtime
    assert whole == overtime * 19  # November 2026: 21 weekdays, of which two are holidays
    assert (forecast(november(overtime, worked=today), today) or Forecast(overtime=-1, working_days_left=0)).overtime == whole


@requirement("H17")
@given(st.integers(0, 300), st.integers(2, 30))
def test_who_has_flexible_hours_is_warned_before_the_frame_of_the_month_is_full(overtime: int, today: int) -> None:
    def flexible(worked: int) -> MonthlyAttendance:
        return november(overtime, worked=worked).model_copy(update={"flex": True})

    whole = counted(flexible(30)).overtime
    assert whole == max(0, 19 * (480 + overtime) - 30 * 2400 // 7)
    assert (forecast(flexible(today), today) or Forecast(overtime=-1, working_days_left=0)).overtime == whole


@requirement("H17")
def test_before_the_first_working_day_nobody_knows_and_work_on_a_day_off_is_not_expected_again() -> None:
    assert forecast(november(60, worked=0), 1) is None
    once = november(60, worked=13, holiday_on=8)
    coming = forecast(once, 13)
    assert counted(once, 13).holiday == 120
    assert coming == Forecast(overtime=19 * 60, working_days_left=10)


NOVEMBER_20 = datetime(2026, 11, 20, 12, tzinfo=JST).timestamp()
TRIAL = Tenant(id="trial", vendor="demo", people={"U07SELF": "demo-004"}, readers=frozenset({"U07HEAD"}))
SELF = {"employee_id": "demo-004", "month": "2026-11"}


@requirement("H17")
async def test_the_tool_tells_the_limits_and_a_forecast_that_the_days_to_come_cannot_have_told(house: House) -> None:
    await house.connect(TRIAL)
    house.tools.now = lambda: NOVEMBER_20
    told = (await house.call("check_overtime_limits", "trial", **SELF)).payload
    assert [one["limit"] for one in told["limits"]] == ["month_45h", "year_360h", "month_100h", "average_80h"]
    assert told["forecast"]["working_days_left"] == 5
    assert told["overtime_minutes"] <= told["forecast"]["overtime_minutes"]
    assert told["notes"] == ["the month is not over; this is as of 2026-11-20"]
    past = (await house.call("check_overtime_limits", "trial", **{**SELF, "month": "2026-10", "special_clause": True})).payload
    assert "forecast" not in past
    assert [one["limit"] for one in past["limits"]][:2] == ["year_720h", "months_above_45h"]
    early = await house.call("check_overtime_limits", "trial", **{**SELF, "month": "2026-12"})
    assert "2026-12 has not begun" in early.text


class Newcomers(Demo):
    """A vendor that refuses to show the months before somebody was hired, as freee does; and all months, for `broken`."""

    def __init__(self, broken: Exception | None = None) -> None:
        super().__init__()
        self.broken = broken

    async def attendance(self, employee_id: str, month: Month) -> MonthlyAttendance:
        hired = person(int(employee_id.removeprefix("demo-")), month.last).hire_date
        if self.broken or (hired and month.last < hired):
            raise self.broken or VendorError("demo", "HTTP 404: not employed", retryable=False, status=404)
        return await super().attendance(employee_id, month)


@requirement("H17")
async def test_whoever_was_hired_within_the_year_is_checked_from_the_first_month_on() -> None:
    hired = person(4, date(2026, 1, 1)).hire_date
    assert hired is not None
    second = Month.of(hired).next()
    told = await check_overtime_limits(Newcomers(), {"employee_id": "demo-004", "month": str(second)}, second.next().first)
    (average,) = (one for one in told["limits"] if one["limit"] == "average_80h")
    assert set(average["months"]) >= {str(Month.of(hired)), str(second)}
    early = {"employee_id": "demo-004", "month": str(Month.of(hired).previous())}
    with pytest.raises(VendorError, match="404"):
        await check_overtime_limits(Newcomers(), early, second.first)


async def test_a_database_that_is_away_while_a_list_is_made_is_told_as_such() -> None:
    with pytest.raises(StoreError):
        await list_overtime(Newcomers(StoreError("the database is away")), {"month": "2026-10"}, date(2026, 11, 20))


@requirement("H17")
@pytest.mark.parametrize(
    ("who", "tool", "arguments", "refused"),
    [
        ("U07SELF", "calculate_overtime", SELF, ""),
        ("U07SELF", "check_overtime_limits", SELF, ""),
        ("U07SELF", "calculate_overtime", {**SELF, "employee_id": "demo-005"}, "about yourself only (employee_id demo-004)"),
        ("U07SELF", "list_overtime", {"month": "2026-11"}, "about yourself only"),
        ("U07SELF", "list_employees", {}, "about yourself only"),
        ("U07STRANGER", "calculate_overtime", SELF, "which employee you are"),
        ("U07HEAD", "list_overtime", {"month": "2026-11"}, ""),
        ("demo-004", "calculate_overtime", SELF, "which employee you are"),
    ],
)
async def test_a_person_in_a_conversation_reads_about_himself_unless_the_tenant_says_otherwise(
    house: House, who: str, tool: str, arguments: dict[str, str], refused: str
) -> None:
    await house.connect(TRIAL)
    answer = await house.tools.execute(tool, arguments, HRCaller("trial", actor=who, in_conversation=True))
    assert answer.is_error is bool(refused), answer.text
    assert refused in answer.text
    assert (house.audit.entries[-1].reason == "denied") is bool(refused)
    by_schedule = await house.tools.execute(tool, arguments, HRCaller("trial", actor="schedule"))
    assert not by_schedule.is_error


@requirement("H17")
@pytest.mark.parametrize(
    ("trigger", "actor", "refused"),
    [
        ("slack", "U07SELF", True),
        ("message", "U07SELF", True),  # whose message starts a job
        ("message", "U07HEAD", False),
        ("api", "webhook", False),
        ("api", "file", False),
        ("schedule", "schedule", False),
        ("cli", "kenta", False),
        ("chat", "U07SELF", True),  # a conversation that another program leads
        ("chat", chat_service.AT_THE_TERMINAL, False),
    ],
)
async def test_whoever_starts_a_run_by_a_message_reads_about_himself_only(
    house: House, trigger: Any, actor: str, refused: bool
) -> None:
    await house.connect(TRIAL)
    run = RunRequest(run_id="run-1", tenant="trial", task=Task(goal="残業は？"), trigger=trigger, actor=actor)
    with HRTenancy(house.tools).acting(run, confirmed=False) as caller:
        answer = await house.tools.execute("list_employees", {}, caller)
    assert answer.is_error is refused, answer.text
