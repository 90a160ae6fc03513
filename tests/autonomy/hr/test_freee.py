"""freee's answers, in the form its published schema gives them, become the neutral model, and nothing is made up on the way."""

from datetime import date

import httpx2
import pytest

from autonomy.hr.tenants import Tenant
from autonomy.hr.vendors import freee as adapter
from tests.autonomy.hr.conftest import House
from tests.requirements import requirement
from tests.support.freee import FakeFreee, duty, schema, summary, work_day
from tests.support.loopback_api import Hangup, Reply

ACME = Tenant(id="acme", vendor="freee", company_ids=("1",))
SHAPES = {
    "ApiV1UsersMeSerializer": adapter.SignedIn,
    "ApiV1UsersCompanySerializer": adapter.Company,
    "ApiV1CompaniesEmployeeSerializer": adapter.RosterEntry,
    "ApiV1EmployeesIndexSerializer": adapter.ProfilePage,
    "ApiV1EmployeeSerializer": adapter.ProfiledEmployee,
    "ApiV1EmployeesProfileRuleSerializer": adapter.FreeeProfile,
    "ApiV1EmployeeGroupMembershipsIndexSerializer": adapter.FreeeMemberPage,
    "ApiV1EmployeeGroupMembershipSerializer": adapter.FreeeMember,
    "ApiV1GroupMembershipSerializer": adapter.Membership,
    "ApiV1EmployeesWorkRecordSummarySerializer": adapter.WorkRecordSummary,
    "ApiV1EmployeesWorkRecordTimeRangeResponseSerializer": adapter.TimeRange,
}


@requirement("H4")
@pytest.mark.parametrize("name", SHAPES)
def test_every_field_that_is_read_stands_in_the_published_schema(name: str):
    assert set(SHAPES[name].model_fields) <= set(schema()["components"]["schemas"][name]["properties"])


def test_every_field_of_a_day_stands_in_the_current_or_the_legacy_schema():
    schemas = schema()["components"]["schemas"]
    known = {field for name in ("", "Legacy") for field in schemas[f"{name}ApiV1EmployeesWorkRecordSerializer"]["properties"]}
    assert set(adapter.WorkRecord.model_fields) <= known


async def test_the_fake_itself_refuses_what_the_schema_does_not_have():
    with FakeFreee() as fake:
        token = fake.sign_in.new_pair()["access_token"]
        async with httpx2.AsyncClient(base_url=fake.base_url, headers={"Authorization": f"Bearer {token}"}) as http:
            sketched = await http.get("/api/v1/employees/1/work_records", params={"company_id": 1})
            without_month = await http.get("/api/v1/employees", params={"company_id": 1})
            too_many = await http.get("/api/v1/employees", params={"company_id": 1, "year": 2026, "month": 10, "limit": 101})
        assert [sketched.status_code, without_month.status_code, too_many.status_code] == [400, 400, 400]
        assert [violation.split(":")[0] for violation in fake.violations] == [
            "no such path",
            "/api/v1/employees needs year",
            "/api/v1/employees",
        ]


@requirement("H2", "H4")
async def test_employees_are_joined_from_three_lists(house: House):
    await house.connect(ACME)
    house.freee.hire(11, "山田", "太郎", department="営業部", position="課長")
    house.freee.hire(12, "鈴木", "花子", department="開発部", employment_type="part-time", retire_date="2026-03-31")
    answer = await house.call("list_employees", "acme")
    assert answer.payload["total_count"] == 2
    first, second = answer.payload["employees"]
    assert first == {
        "id": "11",
        "name": "山田 太郎",
        "number": "E0011",
        "department": "営業部",
        "position": "課長",
        "employment_type": "full_time",
        "status": "active",
        "hire_date": "2020-04-01",
        "retire_date": None,
        "source": "freee",
    }
    assert (second["status"], second["name"]) == ("retired", "鈴木花子")


@requirement("H4")
@pytest.mark.parametrize(
    ("theirs", "ours"),
    [
        ("board-member", "board_member"),
        ("regular", "full_time"),
        ("fixed-term", "contract"),
        ("part-time", "part_time"),
        ("temporary", "dispatched"),
        ("", "other"),
        (None, "unknown"),
        ("something-new", "unknown"),
    ],
)
async def test_an_employment_type_is_never_guessed(house: House, theirs: str | None, ours: str):
    await house.connect(ACME)
    house.freee.hire(1, "山田", "太郎", employment_type=theirs)
    answer = await house.call("list_employees", "acme")
    assert answer.payload["employees"][0]["employment_type"] == ours


@requirement("H4")
async def test_those_paid_in_the_month_after_are_shown_as_they_are_this_month(house: House):
    await house.connect(ACME)
    contracts = [("2020-04-01", "regular"), ("2026-12-01", "fixed-term")]
    house.freee.hire(1, "山田", "太郎", contracts=contracts, paid="next_month")
    house.freee.hire(2, "鈴木", "花子", contracts=contracts)
    answer = await house.call("list_employees", "acme")
    assert [person["employment_type"] for person in answer.payload["employees"]] == ["full_time", "full_time"]


async def test_more_than_a_page_is_read_to_the_end(house: House):
    await house.connect(ACME)
    for number in range(1, 251):
        house.freee.hire(number, "山田", f"{number}", department="営業部")
    answer = await house.call("list_employees", "acme", department="営業部")
    assert answer.payload["total_count"] == 250
    offsets = [asked.query["offset"] for asked in house.freee.asked if asked.path.endswith("/companies/1/employees")]
    assert offsets == ["0", "100", "200"]


async def test_a_side_duty_is_not_taken_for_the_department(house: House):
    await house.connect(ACME)
    house.freee.hire(1, "山田", "太郎", department="営業部")
    house.freee.people[0]["duties"].insert(0, duty("総務部", main="sub_duty"))
    answer = await house.call("list_employees", "acme")
    assert answer.payload["employees"][0]["department"] == "営業部"


async def test_who_is_on_leave_is_not_told_by_freee_and_not_answered_with_nobody(house: House):
    await house.connect(ACME)
    house.freee.hire(1, "山田", "太郎")
    answer = await house.call("list_employees", "acme", status="on_leave")
    assert answer.is_error
    assert "does not tell who is 'on_leave'" in answer.payload["error"]


async def test_a_department_that_does_not_exist_is_answered_with_those_that_do(house: House):
    await house.connect(ACME)
    house.freee.hire(1, "山田", "太郎", department="営業部")
    answer = await house.call("list_employees", "acme", department="えいぎょう")
    assert "営業部" in answer.payload["error"]


OCTOBER = (2026, 10, "2026-10-01", "2026-10-31")


def october(*records: dict, **more: object) -> dict:
    return summary(*OCTOBER, list(records), **more)


@requirement("H2", "H4")
async def test_a_day_comes_out_in_the_words_of_the_tool(house: House):
    await house.connect(ACME)
    late = work_day("2026-10-01", "09:00", "25:00", total_overtime_work_mins=420, total_latenight_work_mins=180)
    off = work_day("2026-10-02", is_absence=True)
    leave = work_day("2026-10-05", paid_holidays=[{"type": "half", "mins": 240, "days": 0.5}])
    house.freee.summaries[1, 2026, 10] = october(late, off, leave)
    answer = await house.call("list_attendance", "acme", employee_id="1", month="2026-10")
    assert answer.payload["total_records"] == 3
    first, second, third = answer.payload["records"]
    assert first == {
        "date": "2026-10-01",
        "day_type": "weekday",
        "clock_in": "09:00",
        "clock_out": "01:00",
        "clock_out_next_day": True,
        "break_minutes": 60,
        "work_minutes": 900,
        "overtime_minutes": 420,
        "is_absent": False,
        "is_paid_leave": False,
        "paid_leave_days": 0.0,
        "unsettled": None,
    }
    assert second["is_absent"] is True
    assert (third["is_paid_leave"], third["paid_leave_days"]) == (True, 0.5)


async def test_the_legacy_form_of_a_day_is_read_as_well(house: House):
    await house.connect(ACME)
    legacy = work_day("2026-10-01", paid_holiday=1.0)
    del legacy["paid_holidays"]
    house.freee.summaries[1, 2026, 10] = october(legacy)
    answer = await house.call("list_attendance", "acme", employee_id="1", month="2026-10")
    assert answer.payload["records"][0]["is_paid_leave"] is True


@requirement("H4", "H9")
async def test_overtime_is_freee_s_where_freee_gives_it_and_a_disagreement_is_shown(house: House):
    await house.connect(ACME)
    day = work_day("2026-10-01", "09:00", "20:00", total_overtime_work_mins=90)
    house.freee.summaries[1, 2026, 10] = october(day, total_overtime_except_normal_work_mins=90, total_work_mins=600)
    answer = await house.call("calculate_overtime", "acme", employee_id="1", month="2026-10")
    assert answer.payload["total_overtime_minutes"] == 90
    assert answer.payload["total_work_minutes"] == 600
    assert answer.payload["disagreements"] == [
        {"day": "2026-10-01", "kind": "beyond_statutory", "vendor_minutes": 90, "computed_minutes": 120}
    ]


@requirement("H4")
async def test_lengths_typed_in_are_taken_from_the_field_that_has_them(house: House):
    await house.connect(ACME)
    typed = work_day(
        "2026-10-01",
        "09:00",
        "20:00",
        not_auto_calc_work_time=True,
        total_overtime_work_mins=0,
        total_overtime_except_normal_work_mins=75,
    )
    house.freee.summaries[1, 2026, 10] = october(typed)
    answer = await house.call("calculate_overtime", "acme", employee_id="1", month="2026-10")
    assert answer.payload["total_overtime_minutes"] == 75
    assert answer.payload["disagreements"] == []


@requirement("H4", "H9")
async def test_night_work_and_work_on_days_off_are_kept_apart(house: House):
    await house.connect(ACME)
    night = work_day(
        "2026-10-01",
        "13:00",
        "24:00",
        breaks=[("17:00", "18:00")],
        total_overtime_work_mins=120,
        total_latenight_work_mins=120,
        total_latenight_overtime_except_normal_work_min=120,
    )
    saturday = work_day(
        "2026-10-03", "09:00", "12:00", breaks=[], day_pattern="prescribed_holiday", total_prescribed_holiday_work_mins=180
    )
    sunday = work_day("2026-10-04", "09:00", "10:00", breaks=[], day_pattern="legal_holiday", total_holiday_work_mins=60)
    house.freee.summaries[1, 2026, 10] = october(night, saturday, sunday)
    answer = await house.call("calculate_overtime", "acme", employee_id="1", month="2026-10")
    assert answer.payload["breakdown"] == {
        "normal_overtime_minutes": 0,
        "late_night_overtime_minutes": 120,
        "holiday_work_minutes": 240,
    }
    assert (answer.payload["total_overtime_minutes"], answer.payload["disagreements"]) == (360, [])


async def test_a_day_off_swapped_for_another_is_a_working_day(house: House):
    await house.connect(ACME)
    swapped = work_day(
        "2026-10-03", "09:00", "18:00", day_pattern="prescribed_holiday", schedule_pattern="substitute_holiday_work"
    )
    house.freee.summaries[1, 2026, 10] = october(swapped)
    answer = await house.call("calculate_overtime", "acme", employee_id="1", month="2026-10")
    assert answer.payload["breakdown"]["holiday_work_minutes"] == 0
    assert answer.payload["total_work_minutes"] == 480


@requirement("H4")
async def test_a_calendar_month_is_put_together_from_the_pay_periods_that_cover_it(house: House):
    """Closing on the 20th and paid the month after: what freee calls 2026-10 ends on 20 September."""
    await house.connect(ACME)
    periods = {
        (2026, 9): ("2026-08-21", "2026-09-20"),
        (2026, 10): ("2026-09-21", "2026-10-20"),
        (2026, 11): ("2026-10-21", "2026-11-20"),
    }
    for (year, month), (start, end) in periods.items():
        house.freee.summaries[1, year, month] = summary(
            year, month, start, end, [work_day(start, "09:00", "18:00"), work_day(end, "09:00", "18:00")]
        )
    answer = await house.call("list_attendance", "acme", employee_id="1", month="2026-10")
    assert [record["date"] for record in answer.payload["records"]] == ["2026-10-20", "2026-10-21"]


async def test_a_pay_month_that_is_the_month_after_the_work_is_found_by_its_dates(house: House):
    await house.connect(ACME)
    house.freee.summaries[1, 2026, 10] = summary(2026, 10, "2026-09-01", "2026-09-30", [])
    house.freee.summaries[1, 2026, 11] = summary(2026, 11, "2026-10-01", "2026-10-31", [work_day("2026-10-05", "09:00", "18:00")])
    answer = await house.call("list_attendance", "acme", employee_id="1", month="2026-10")
    assert answer.payload["total_records"] == 1


@requirement("H4")
async def test_a_pay_period_that_is_not_open_yet_makes_the_month_incomplete(house: House):
    await house.connect(ACME)
    days = [work_day("2026-10-01", "09:00", "18:00")]
    house.freee.summaries[1, 2026, 10] = summary(2026, 10, "2026-09-21", "2026-10-20", days)
    answer = await house.call("calculate_overtime", "acme", employee_id="1", month="2026-10")
    assert answer.payload["complete"] is False
    assert answer.payload["notes"] == ["freee has no records for 11 days of the month"]


async def test_a_month_that_is_not_over_says_so(house: House):
    await house.connect(ACME)
    house.freee.summaries[1, 2026, 11] = summary(2026, 11, "2026-11-01", "2026-11-30", [])
    answer = await house.call("calculate_overtime", "acme", employee_id="1", month="2026-11")
    assert answer.payload["notes"] == ["the month is not over; this is as of 2026-11-20"]


@requirement("H4")
async def test_work_typed_in_without_clock_times_is_unknown_and_not_zero(house: House):
    await house.connect(ACME)
    typed = work_day("2026-10-01", not_auto_calc_work_time=True, total_overtime_except_normal_work_mins=30)
    house.freee.summaries[1, 2026, 10] = october(typed)
    days = await house.call("list_attendance", "acme", employee_id="1", month="2026-10")
    total = await house.call("calculate_overtime", "acme", employee_id="1", month="2026-10")
    assert days.payload["records"][0]["work_minutes"] is None
    assert (total.payload["total_overtime_minutes"], total.payload["complete"]) == (30, False)


async def test_more_people_than_one_call_can_fetch_are_asked_for_by_department(house: House):
    await house.connect(ACME)
    for number in range(1, 202):
        house.freee.hire(number, "山田", f"{number}")
    answer = await house.call("list_overtime", "acme", month="2026-10")
    assert "name a department" in answer.payload["error"]


async def test_a_missing_clock_out_is_unsettled_and_not_zero(house: House):
    await house.connect(ACME)
    forgot = work_day("2026-10-01", "09:00")
    house.freee.summaries[1, 2026, 10] = october(forgot)
    answer = await house.call("calculate_overtime", "acme", employee_id="1", month="2026-10")
    assert answer.payload["complete"] is False
    assert answer.payload["unsettled_days"] == ["2026-10-01"]


@requirement("H2")
async def test_somebody_without_attendance_does_not_hide_the_overtime_of_the_others(house: House):
    await house.connect(ACME)
    house.freee.hire(1, "山田", "太郎")
    house.freee.hire(2, "役員", "花子", employment_type="board-member")
    house.freee.summaries[1, 2026, 10] = october(work_day("2026-10-01", "09:00", "19:00", total_overtime_work_mins=60))
    answer = await house.call("list_overtime", "acme", month="2026-10")
    assert [(row["name"], row["total_overtime_minutes"]) for row in answer.payload["employees"]] == [("山田 太郎", 60)]
    assert [(row["name"], row["error"]) for row in answer.payload["failed"]] == [
        ("役員 花子", "HTTP 400: 従業員が存在しません。")
    ]


@requirement("H7")
async def test_an_expired_token_is_renewed_once_and_the_request_sent_once_more(house: House):
    await house.connect(ACME)
    house.freee.hire(1, "山田", "太郎")
    house.freee.sign_in.access.clear()
    answer = await house.call("list_employees", "acme")
    assert not answer.is_error
    assert house.freee.sign_in.refreshes == 1


@requirement("H7")
async def test_a_token_refused_again_after_renewal_is_an_error_in_words(house: House):
    await house.connect(ACME)
    refused = Reply({"message": "ログインをしてください。", "code": "expired_access_token"}, 401)
    house.freee.break_next(refused, Reply(house.freee.sign_in.new_pair()), refused)
    answer = await house.call("list_employees", "acme")
    assert answer.is_error
    assert len(house.freee.asked) == 3


@requirement("H7")
async def test_too_many_requests_are_sent_again_when_freee_says(house: House):
    await house.connect(ACME)
    house.freee.hire(1, "山田", "太郎")
    house.freee.break_next(Reply({}, 429, {"Retry-After": "7"}), Reply({}, 429, {"Retry-After": "3"}))
    answer = await house.call("list_employees", "acme")
    assert not answer.is_error
    assert house.waits == [7.0, 3.0]


@requirement("H7")
async def test_a_long_wait_is_told_and_not_waited(house: House):
    await house.connect(ACME)
    house.freee.break_next(Reply({}, 429, {"X-Ratelimit-Reset": "2999-01-01T12:00:00.000000Z"}))
    answer = await house.call("list_employees", "acme")
    assert (answer.is_error, answer.retryable, house.waits) == (True, True, [])
    assert "try again in" in answer.payload["error"]


@requirement("H7")
async def test_failures_of_the_server_are_tried_three_times_more_with_growing_waits(house: House):
    await house.connect(ACME)
    house.freee.break_next(*[Reply({}, 503)] * 4)
    answer = await house.call("list_employees", "acme")
    assert house.waits == [0.5, 1.0, 2.0]
    assert (answer.is_error, answer.retryable) == (True, True)
    assert len(house.freee.asked) == 4


@requirement("H7")
async def test_a_lost_connection_is_tried_again(house: House):
    await house.connect(ACME)
    house.freee.hire(1, "山田", "太郎")
    house.freee.break_next(Hangup())
    answer = await house.call("list_employees", "acme")
    assert not answer.is_error


@requirement("H7")
@pytest.mark.parametrize(
    ("body", "said"),
    [
        (
            {"status_code": 400, "errors": [{"type": "validation", "messages": ["従業員が存在しません。"]}]},
            "従業員が存在しません。",
        ),
        ({"message": "ログインをしてください。", "code": "source_ip_address_limit"}, "ログインをしてください。"),
        ({"error": "access_denied", "message": "アクセスする権限がありません"}, "アクセスする権限がありません"),
        ({"errors": ["a text where an object belongs", {"messages": None}], "message": "no"}, "HTTP 403"),
    ],
)
async def test_each_of_freee_s_three_error_shapes_is_read(house: House, body: dict, said: str):
    await house.connect(ACME)
    house.freee.break_next(Reply(body, 403))
    answer = await house.call("list_employees", "acme")
    assert said in answer.payload["error"]
    assert (answer.retryable, house.waits) == (False, [])


@requirement("H4", "H7")
async def test_a_403_that_means_overuse_is_told_from_one_that_means_no_permission(house: House):
    await house.connect(ACME)
    house.freee.break_next(Reply({"error": "access_denied", "message": "…"}, 403, {"X-Ratelimit-Remaining": "0"}))
    answer = await house.call("list_employees", "acme")
    assert answer.retryable
    assert "try again in 600 s" in answer.payload["error"]


@requirement("H8")
async def test_an_answer_of_an_unexpected_form_is_told_without_quoting_it(house: House):
    await house.connect(ACME)
    house.freee.break_next(Reply([{"id": "not a number", "display_name": "山田 花子"}]))
    answer = await house.call("list_employees", "acme")
    assert "0.id" in answer.payload["error"]
    assert "山田" not in answer.text


@pytest.mark.parametrize("employee_id", ["../users/me", "1/../../2", "0", "1?company_id=2", "１"])
async def test_an_employee_id_cannot_lead_to_another_path(house: House, employee_id: str):
    await house.connect(ACME)
    answer = await house.call("list_attendance", "acme", employee_id=employee_id, month="2026-10")
    assert answer.is_error
    assert house.freee.asked == []


@requirement("H1")
async def test_private_fields_of_freee_never_come_out(house: House):
    await house.connect(ACME)
    house.freee.hire(1, "山田", "太郎")
    house.freee.summaries[1, 2026, 10] = october(work_day("2026-10-01", "09:00", "18:00"))
    texts = [
        (await house.call("list_employees", "acme")).text,
        (await house.call("list_attendance", "acme", employee_id="1", month="2026-10")).text,
    ]
    assert not any(private in text for text in texts for private in ("秘密", "1985", "example.com"))


def test_a_date_with_a_time_is_the_day_it_is_in_japan():
    record = adapter.to_record(adapter.WorkRecord(date="2026-09-30T15:00:00.000Z"))
    assert record.date == date(2026, 10, 1)
