"""KING OF TIME, SmartHR and the demo company speak through the same model as freee, each with its own traps."""

import json
from datetime import date, datetime
from pathlib import Path

import pytest
from pydantic import TypeAdapter

from autonomy.hr.hr_tools import calculate_overtime, list_attendance
from autonomy.hr.tenants import Tenant
from autonomy.hr.timekeeping.month import JST, Month
from autonomy.hr.vendors import king_of_time, smarthr
from autonomy.hr.vendors.demo import FLEX_IDS, PEOPLE, Demo
from tests.autonomy.hr.conftest import House
from tests.requirements import requirement
from tests.support.freee import summary, work_day
from tests.support.king_of_time import TOO_MANY, punch
from tests.support.loopback_api import Reply

KOT = Tenant(id="kot-inc", vendor="king_of_time")
SMART = Tenant(id="smart-inc", vendor="smarthr", subdomain="smart-inc")
DATA = Path(__file__).parent / "data"
SAMPLE = json.loads((DATA / "kot-daily-workings.json").read_text())
KEY = SAMPLE[0]["dailyWorkings"][0]["employeeKey"]


def kot_day(day: str, key: str = KEY, **more: object) -> dict:
    return {"date": day, "employeeKey": key, "workdayTypeName": "平日", "isError": False, **more}


# KING OF TIME


def test_the_vendor_s_own_sample_of_a_day_is_read():
    [day] = TypeAdapter(list[king_of_time.DailyWorkings]).validate_python(SAMPLE)
    record = king_of_time.to_record(day.daily_workings[0], ())
    figures = record.vendor_figures
    assert (figures.work, figures.within_statutory, figures.beyond_statutory) == (615, 0, 135)
    assert (record.day_type, record.break_minutes) == ("weekday", 60)
    assert (record.paid_leave_days, record.paid_leave_minutes) == (1.5, 60)


@requirement("H5")
async def test_employees_of_king_of_time(house: House):
    await house.connect(KOT)
    house.king_of_time.employees = [
        {
            "key": "a1",
            "code": "1000",
            "divisionName": "本社",
            "typeName": "正社員",
            "lastName": "勤怠",
            "firstName": "太郎",
            "hiredDate": "2016-04-01",
        },
        {
            "key": "b2",
            "code": "1001",
            "typeName": "特別枠",
            "lastName": "退職",
            "firstName": "花子",
            "resignationDate": "2026-01-31",
        },
    ]
    answer = await house.call("list_employees", "kot-inc")
    first, second = answer.payload["employees"]
    assert (first["id"], first["department"], first["employment_type"], first["hire_date"]) == (
        "a1",
        "本社",
        "full_time",
        "2016-04-01",
    )
    assert (second["employment_type"], second["status"], second["department"]) == ("unknown", "retired", None)
    assert answer.payload["notes"] == ["KING OF TIME keeps no positions (役職)"]


@requirement("H5", "H9")
async def test_minutes_come_from_daily_workings_and_clock_times_from_time_records(house: House):
    await house.connect(KOT)
    house.king_of_time.days = [
        kot_day("2026-10-01", totalWork=600, assigned=480, unassigned=120, overtime=120, breakTime=60),
        kot_day("2026-10-01", key="somebodyelse", totalWork=9999),
        kot_day("2026-10-04", workdayTypeName="法定休日", totalWork=120),
    ]
    house.king_of_time.punches = [
        punch("2026-10-01", KEY, ("09:00", 1), ("12:00", 3), ("13:00", 4), ("20:00", 2)),
        punch("2026-10-04", KEY, ("10:00", 1), ("12:00", 2)),
    ]
    attendance = await house.call("list_attendance", "kot-inc", employee_id=KEY, month="2026-10")
    assert [(r["clock_in"], r["clock_out"], r["work_minutes"]) for r in attendance.payload["records"]] == [
        ("09:00", "20:00", 600),
        ("10:00", "12:00", 120),
    ]
    overtime = await house.call("calculate_overtime", "kot-inc", employee_id=KEY, month="2026-10")
    assert overtime.payload["breakdown"] == {
        "normal_overtime_minutes": 120,
        "late_night_overtime_minutes": 0,
        "holiday_work_minutes": 120,
    }
    assert overtime.payload["disagreements"] == []


async def test_a_day_the_vendor_marks_as_an_error_is_unsettled(house: House):
    await house.connect(KOT)
    house.king_of_time.days = [kot_day("2026-10-01", isError=True, totalWork=0)]
    house.king_of_time.punches = [punch("2026-10-01", KEY, ("09:00", 1))]
    answer = await house.call("calculate_overtime", "kot-inc", employee_id=KEY, month="2026-10")
    assert (answer.payload["complete"], answer.payload["unsettled_days"]) == (False, ["2026-10-01"])


async def test_a_total_of_the_month_that_differs_is_shown(house: House):
    await house.connect(KOT)
    house.king_of_time.days = [kot_day("2026-10-01", totalWork=480, unassigned=0, overtime=0)]
    total = {"employeeKey": KEY, "startDate": "2026-10-01", "endDate": "2026-10-31", "totalWork": 500, "overtime": 15}
    house.king_of_time.months = {"2026-10": [total]}
    answer = await house.call("calculate_overtime", "kot-inc", employee_id=KEY, month="2026-10")
    assert answer.payload["disagreements"] == [
        {"day": None, "kind": "work", "vendor_minutes": 500, "computed_minutes": 480},
        {"day": None, "kind": "beyond_statutory", "vendor_minutes": 15, "computed_minutes": 0},
    ]


@requirement("H5")
@pytest.mark.parametrize(("clock", "until"), [((8, 30), "10:00"), ((9, 59), "10:00"), ((17, 30), "18:30")])
async def test_in_the_closed_hours_it_says_when_to_come_back_and_asks_nothing(house: House, clock: tuple[int, int], until: str):
    await house.connect(KOT)
    house.clock[0] = datetime(2026, 11, 20, *clock, tzinfo=JST)
    answer = await house.call("list_employees", "kot-inc")
    assert answer.retryable
    assert f"try again at {until}" in answer.payload["error"]
    assert house.king_of_time.asked == []


async def test_the_hours_just_outside_are_open(house: House):
    await house.connect(KOT)
    for clock in ((8, 29), (10, 0), (18, 30)):
        house.clock[0] = datetime(2026, 11, 20, *clock, tzinfo=JST)
        assert not (await house.call("list_employees", "kot-inc")).is_error


@requirement("H7")
async def test_both_error_shapes_of_king_of_time_are_read(house: House):
    await house.connect(KOT)
    house.king_of_time.break_next(TOO_MANY, Reply([]))
    assert not (await house.call("list_employees", "kot-inc")).is_error
    assert house.waits == [0.5]
    house.king_of_time.break_next(Reply({"errors": [{"message": "Bad Authentication.", "code": 111}]}, 401))
    answer = await house.call("list_employees", "kot-inc")
    assert "Bad Authentication." in answer.payload["error"]
    assert not answer.retryable
    house.king_of_time.break_next(Reply({"errors": ["a text where an object belongs"]}, 401))
    assert "HTTP 401" in (await house.call("list_employees", "kot-inc")).payload["error"]


async def test_the_lists_of_everybody_are_asked_for_once_for_a_whole_department(house: House):
    await house.connect(KOT)
    house.king_of_time.employees = [
        {"key": f"key{number}", "code": str(number), "lastName": "勤怠", "firstName": str(number)} for number in range(5)
    ]
    house.king_of_time.days = [
        kot_day("2026-10-01", key=f"key{number}", totalWork=480 + number, unassigned=number, overtime=number)
        for number in range(5)
    ]
    answer = await house.call("list_overtime", "kot-inc", month="2026-10")
    assert [row["total_overtime_minutes"] for row in answer.payload["employees"]] == [4, 3, 2, 1, 0]
    paths = [asked.path.removeprefix("/v1.0/") for asked in house.king_of_time.asked]
    assert paths.count("daily-workings") == paths.count("monthly-workings/2026-10") == 1


# One model for all


@requirement("H3", "H5")
async def test_the_same_question_has_the_same_form_of_answer_whoever_keeps_the_record(house: House):
    await house.connect(KOT)
    await house.connect(Tenant(id="acme", vendor="freee", company_ids=("1",)))
    await house.connect(Tenant(id="trial", vendor="demo"))
    house.king_of_time.employees = [{"key": KEY, "code": "1", "lastName": "勤怠", "firstName": "太郎"}]
    house.king_of_time.days = [kot_day("2026-10-01", totalWork=540, unassigned=60, overtime=60, breakTime=60)]
    house.king_of_time.punches = [punch("2026-10-01", KEY, ("09:00", 1), ("19:00", 2))]
    house.freee.hire(1, "勤怠", "太郎")
    house.freee.summaries[1, 2026, 10] = summary(
        2026, 10, "2026-10-01", "2026-10-31", [work_day("2026-10-01", "09:00", "19:00", total_overtime_work_mins=60)]
    )
    forms = []
    for tenant, employee in (("acme", "1"), ("kot-inc", KEY), ("trial", "demo-001")):
        people = await house.call("list_employees", tenant)
        days = await house.call("list_attendance", tenant, employee_id=employee, month="2026-10")
        overtime = await house.call("calculate_overtime", tenant, employee_id=employee, month="2026-10")
        assert {people.payload["employees"][0]["source"], days.payload["source"], overtime.payload["source"]} == {
            {"acme": "freee", "kot-inc": "king_of_time", "trial": "demo"}[tenant]
        }
        if tenant != "trial":
            assert overtime.payload["breakdown"]["normal_overtime_minutes"] == 60
            assert overtime.payload["disagreements"] == []
        forms.append([set(people.payload["employees"][0]), set(days.payload["records"][0]), set(overtime.payload)])
    assert forms[0] == forms[1] == forms[2]


# SmartHR


def crew(number: int, **more: object) -> dict:
    [sample] = json.loads((DATA / "smarthr-crews.json").read_text())
    return {**sample, "id": f"crew-{number}", **more}


@requirement("H5")
async def test_crews_are_shown_under_the_names_used_at_work(house: House):
    await house.connect(SMART)
    house.smarthr.crews = [
        crew(1),
        crew(2, emp_status="absent", employment_type={"name": "アルバイト", "preset_type": "part_timer"}),
    ]
    answer = await house.call("list_employees", "smart-inc")
    first, second = answer.payload["employees"]
    assert (first["name"], first["employment_type"], first["status"]) == ("ビジネス苗字 ビジネス名前", "full_time", "active")
    assert (second["employment_type"], second["status"]) == ("part_time", "on_leave")
    assert "1937" not in answer.text
    assert "dylan@example.com" not in answer.text


@pytest.mark.parametrize("tells_total", [True, False])
async def test_all_pages_of_crews_are_read(house: House, tells_total: bool):
    await house.connect(SMART)
    house.smarthr.crews = [crew(number) for number in range(205)]
    house.smarthr.tells_total = tells_total
    answer = await house.call("list_employees", "smart-inc")
    assert answer.payload["total_count"] == 205
    assert [asked.query["page"] for asked in house.smarthr.asked] == ["1", "2", "3"]


def test_a_status_never_seen_is_unknown():
    assert smarthr.to_employee(smarthr.Crew.model_validate(crew(1, emp_status="something new"))).status == "unknown"


@requirement("H5")
@pytest.mark.parametrize("tool", ["list_attendance", "calculate_overtime"])
async def test_attendance_of_smarthr_is_refused_with_the_reason(house: House, tool: str):
    await house.connect(SMART)
    answer = await house.call(tool, "smart-inc", employee_id="crew-1", month="2026-10")
    assert "no attendance" in answer.payload["error"]
    assert not answer.retryable


# The demo company


@requirement("H10")
async def test_the_demo_company_is_the_same_each_time_and_asks_nobody(house: House):
    await house.connect(Tenant(id="trial", vendor="demo"))
    first, again = [await house.call("list_overtime", "trial", month="2026-10") for _ in range(2)]
    assert first.text == again.text
    assert first.payload["total_count"] == PEOPLE - 2
    assert house.freee.asked == house.king_of_time.asked == house.smarthr.asked == []


@requirement("H10")
async def test_the_demo_company_has_what_real_ones_have():
    demo = Demo()
    people = (await demo.employees(date(2026, 10, 31))).employees
    assert {person.status for person in people} == {"active", "retired", "on_leave"}
    records = [
        record
        for person in people
        for month in (Month(2026, 9), Month(2026, 10))
        for record in (await demo.attendance(person.id, month)).records
    ]
    assert any(record.clock_out and record.clock_out.date() > record.date for record in records)
    assert any(record.is_absent for record in records)
    assert any(record.is_paid_leave for record in records)
    assert any(record.unsettled for record in records)
    assert any(record.work_minutes and record.day_type == "holiday" for record in records)
    assert any(record.vendor_figures.beyond_statutory for record in records)


@requirement("H10")
async def test_mock_mode_answers_every_tenant_from_the_demo_company(house: House):
    await house.connect(Tenant(id="acme", vendor="freee", company_ids=("1",)))
    house.tools.vendors._mock = True
    answer = await house.call("list_employees", "acme")
    assert answer.payload["employees"][0]["source"] == "demo"
    assert house.freee.asked == []


@pytest.mark.parametrize("month", ["2026-06", "2026-07"])
async def test_the_days_of_the_simulated_company_add_up_to_what_is_told_of_the_month(month: str) -> None:
    for number in range(1, 31):
        asked = {"employee_id": f"demo-{number:03d}", "month": month}
        days = await list_attendance(Demo(), asked, date(2026, 11, 1))
        told = await calculate_overtime(Demo(), asked, date(2026, 11, 1))
        by_day = [record["overtime_minutes"] for record in days["records"]]
        if asked["employee_id"] in FLEX_IDS:
            assert not any(by_day), "flexible hours are settled over the month"
        else:
            on_workdays = told["total_overtime_minutes"] - told["breakdown"]["holiday_work_minutes"]
            assert sum(minutes or 0 for minutes in by_day) == on_workdays, asked
        for found in told["disagreements"]:
            ours = next(record for record in days["records"] if record["date"] == found["day"])
            assert ours["overtime_minutes"] == found["vendor_minutes"] != ours["work_minutes"] - 480
