"""Defines the HR tools: their schemas, and what they do."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

import anyio

from autonomy.errors import JiritsuError, VendorError
from autonomy.hr.placement import Handles
from autonomy.hr.timekeeping.article36 import LOOKED_BACK, MonthOvertime, counted, forecast, uses
from autonomy.hr.timekeeping.attendance import AttendanceRecord, MonthlyAttendance
from autonomy.hr.timekeeping.employee import Employee, Roster
from autonomy.hr.timekeeping.month import PATTERN, Month
from autonomy.hr.timekeeping.overtime import OvertimeSummary, split_day, summarise
from autonomy.hr.vendors.vendor import Vendor
from discovery.catalog import JsonObject

Arguments = dict[str, Any]
BY_LAW = {"within_statutory", "beyond_statutory", "prescribed_holiday", "statutory_holiday", "late_night"}
AT_ONCE = 4
"""How many employees are fetched at the same time."""
MOST_AT_ONCE = 200
"""How many employees one call of `list_overtime` may fetch, because more would take longer than a call may."""

HANDLES = Handles(credentials=True, personal_data=True, needs_audit=True)

COMPANY = {"company_id": {"type": "string", "description": "事業所 ID(省略時はデフォルト事業所)"}}
EMPLOYEE = {"employee_id": {"type": "string", "minLength": 1, "description": "従業員 ID(list_employees の id)"}}
MONTH = {"month": {"type": "string", "pattern": PATTERN, "description": "対象月 (YYYY-MM)"}}
DEPARTMENT = {"department": {"type": "string", "description": "部署名でフィルタ(省略時は全部署)"}}
AGREEMENT = {
    "special_clause": {"type": "boolean", "default": False, "description": "特別条項付きの協定か"},
    "agreement_begins": {"type": "integer", "minimum": 1, "maximum": 12, "default": 4, "description": "協定の一年が始まる月"},
}
STATUS = {
    "status": {
        "type": "string",
        "enum": ["active", "retired", "on_leave"],
        "description": "在籍ステータスでフィルタ(省略時は全件)",
    }
}


@dataclass(frozen=True)
class HRTool:
    """One tool: its definition for a model, and what it does."""

    name: str
    description: str
    parameters: JsonObject
    run: Callable[[Vendor, Arguments, date], Awaitable[JsonObject]]
    """Called with the tenant's vendor, valid arguments, and today's date in Japan; returns the answer."""

    handles: Handles = HANDLES


async def list_employees(vendor: Vendor, arguments: Arguments, today: date) -> JsonObject:
    """Return all employees, or those of a department or a status."""
    roster = await vendor.employees(today)
    chosen = _in_department(_in_status(roster, arguments.get("status")), arguments.get("department"))
    answer: JsonObject = {
        "employees": [employee.model_dump(mode="json") for employee in chosen],
        "total_count": len(chosen),
    }
    return answer | ({"notes": list(roster.notes)} if roster.notes else {})


async def list_attendance(vendor: Vendor, arguments: Arguments, today: date) -> JsonObject:
    """Return the days of one employee in a month."""
    attendance = await vendor.attendance(arguments["employee_id"], Month.parse(arguments["month"]))
    return {
        "employee_id": attendance.employee_id,
        "month": attendance.month,
        "records": [_record_fields(record, flex=attendance.flex) for record in attendance.records],
        "total_records": len(attendance.records),
        "source": attendance.source,
    } | _attendance_notes(attendance, today)


async def calculate_overtime(vendor: Vendor, arguments: Arguments, today: date) -> JsonObject:
    """Return one employee's overtime in a month, by kind."""
    attendance = await vendor.attendance(arguments["employee_id"], Month.parse(arguments["month"]))
    return _totalled(summarise(attendance)) | _attendance_notes(attendance, today)


async def list_overtime(vendor: Vendor, arguments: Arguments, today: date) -> JsonObject:
    """Return the overtime of everybody who was employed in the month, or of one department, the most first.

    Employees whose attendance the vendor refuses to show are listed under `failed`. Raises VendorError for a temporary fault.
    """
    month = Month.parse(arguments["month"])
    roster = await vendor.employees(min(month.last, today))
    employed = [
        person
        for person in roster.employees
        if (person.hire_date is None or person.hire_date <= month.last)
        and (person.retire_date is None or month.first <= person.retire_date)
    ]
    chosen = _in_department(employed, arguments.get("department"))
    if len(chosen) > MOST_AT_ONCE:
        raise VendorError(
            chosen[0].source, f"{len(chosen)} employees are too many for one call; name a department", retryable=False
        )
    rows: list[JsonObject] = []
    failed: list[JsonObject] = []
    turns = anyio.CapacityLimiter(AT_ONCE)

    async def total(employee: Employee) -> None:
        who = {"employee_id": employee.id, "name": employee.name, "department": employee.department}
        async with turns:
            try:
                attendance = await vendor.attendance(employee.id, month)
                rows.append(who | _totalled(summarise(attendance)) | _attendance_notes(attendance, today))
            except VendorError as error:
                if error.retryable or len(chosen) == 1:
                    raise
                failed.append(who | {"error": error.problem})

    try:
        async with anyio.create_task_group() as group:
            for employee in chosen:
                group.start_soon(total, employee)
    except* JiritsuError as errors:  # whoever called handles each of them by itself
        raise errors.exceptions[0] from None
    rows.sort(key=lambda row: (-row["total_overtime_minutes"], row["employee_id"]))
    answer: JsonObject = {"month": str(month), "employees": rows, "total_count": len(rows)}
    return answer | ({"failed": sorted(failed, key=lambda row: row["employee_id"])} if failed else {})


async def check_overtime_limits(vendor: Vendor, arguments: Arguments, today: date) -> JsonObject:
    """Check the limits of an agreement under article 36 for one employee in a month, with a forecast to the month's end."""
    month, begins = Month.parse(arguments["month"]), arguments.get("agreement_begins", 4)
    if today < month.first:
        raise VendorError("hr", f"{month} has not begun; there is nothing to count", retryable=False)
    special = arguments.get("special_clause", False)
    before = await _counted_before(vendor, arguments["employee_id"], _months_before(month, begins), today)
    attendance = await vendor.attendance(arguments["employee_id"], month)
    under_way = today <= month.last
    now = counted(attendance, today.day if under_way else None)
    coming = forecast(attendance, today.day) if under_way else None
    used = uses([*before, now], year_begins=begins, special_clause=special)
    answer: JsonObject = {
        "employee_id": arguments["employee_id"],
        "month": str(month),
        "special_clause": special,
        "overtime_minutes": now.overtime,
        "statutory_holiday_minutes": now.holiday,
        "limits": [one.model_dump(mode="json") for one in used],
        "exceeded": [one.limit for one in used if one.exceeded],
        "complete": all(one.complete for one in (*before, now)),
        "source": attendance.source,
    }
    if coming is not None:
        expected = now.model_copy(update={"overtime": coming.overtime})
        then = uses([*before, expected], year_begins=begins, special_clause=special)
        answer["forecast"] = {
            "overtime_minutes": coming.overtime,
            "working_days_left": coming.working_days_left,
            "limits": [one.model_dump(mode="json") for one in then],
            "exceeded": [one.limit for one in then if one.exceeded],
        }
    return answer | _attendance_notes(attendance, today)


async def _counted_before(vendor: Vendor, employee_id: str, months: Sequence[Month], today: date) -> list[MonthOvertime]:
    """Count earlier months. One that ended before the person was hired, which a vendor may refuse to show, has no overtime."""
    found: list[MonthOvertime] = []
    hired: date | None = None
    for month in months:
        try:
            found.append(counted(await vendor.attendance(employee_id, month)))
        except VendorError as error:
            if hired is None and not error.retryable:
                roster = await vendor.employees(today)
                hired = next((person.hire_date for person in roster.employees if person.id == employee_id), None)
            if error.retryable or hired is None or hired <= month.last:
                raise
            found.append(MonthOvertime(month=str(month)))
    return found


def _months_before(month: Month, begins: int) -> list[Month]:
    """Return the months before `month` that limits look at: the agreement's year and the longest average, in order."""
    first = Month(month.year - (month.month < begins), begins)
    found, at = list[Month](), month
    while at > first or len(found) < LOOKED_BACK:
        at = at.previous()
        found.append(at)
    return found[::-1]


def _schema(properties: JsonObject, *required: str) -> JsonObject:
    schema: JsonObject = {"type": "object", "properties": properties, "additionalProperties": False}
    return schema | ({"required": list(required)} if required else {})


TOOLS: dict[str, HRTool] = {
    tool.name: tool
    for tool in (
        HRTool(
            "list_employees",
            "従業員一覧を取得する。部署やステータスでフィルタ可能。null は不明を意味する。",
            _schema(COMPANY | DEPARTMENT | STATUS),
            list_employees,
        ),
        HRTool(
            "list_attendance",
            "指定従業員の指定月の勤怠データを取得する。null は不明を意味し、0 とは異なる。",
            _schema(COMPANY | EMPLOYEE | MONTH, "employee_id", "month"),
            list_attendance,
        ),
        HRTool(
            "calculate_overtime",
            "指定従業員の指定月の残業時間を集計する。breakdown の合計が total_overtime_minutes。"
            "complete が false のときは未確定の日があり、合計は下限値。",
            _schema(COMPANY | EMPLOYEE | MONTH, "employee_id", "month"),
            calculate_overtime,
        ),
        HRTool(
            "list_overtime",
            "指定月の残業時間を全従業員(または一部署)について一度に集計し、残業の多い順に返す。",
            _schema(COMPANY | DEPARTMENT | MONTH, "month"),
            list_overtime,
        ),
        HRTool(
            "check_overtime_limits",
            "36協定の上限（月45時間・年360時間、特別条項の年720時間・年6か月、月100時間未満・2〜6か月平均80時間）に対する"
            "指定従業員の状況と、月末の見込みを調べる。",
            _schema(COMPANY | EMPLOYEE | MONTH | AGREEMENT, "employee_id", "month"),
            check_overtime_limits,
        ),
    )
}


def _in_status(roster: Roster, status: str | None) -> list[Employee]:
    if status is None:
        return list(roster.employees)
    if status not in roster.statuses_told:
        statuses = ", ".join(sorted(roster.statuses_told))
        vendor = roster.employees[0].source if roster.employees else "this vendor"
        raise VendorError(vendor, f"its API does not tell who is {status!r}; it tells {statuses}", retryable=False)
    return [employee for employee in roster.employees if employee.status == status]


def _in_department(employees: list[Employee], department: str | None) -> list[Employee]:
    """Return the employees of a department. Raises VendorError naming the departments if there is no such one."""
    if department is None:
        return employees
    chosen = [employee for employee in employees if employee.department == department]
    departments = sorted({employee.department for employee in employees if employee.department})
    if not chosen and departments:
        raise VendorError(
            employees[0].source, f"nobody is in {department!r}; departments: {', '.join(departments)}", retryable=False
        )
    return chosen


def _attendance_notes(attendance: MonthlyAttendance, today: date) -> JsonObject:
    """Return notes on what is missing in the figures."""
    notes = []
    if attendance.missing_days:
        notes.append(f"{attendance.source} has no records for {attendance.missing_days} days of the month")
    if today <= Month.parse(attendance.month).last:
        notes.append(f"the month is not over; this is as of {today}")
    return {"notes": notes} if notes else {}


def _record_fields(record: AttendanceRecord, *, flex: bool) -> JsonObject:
    """Return a day with the fields of CT §4.2, followed by those that it does not have."""
    return {
        "date": record.date.isoformat(),
        "day_type": record.day_type,
        "clock_in": record.clock_in.strftime("%H:%M") if record.clock_in else None,
        "clock_out": record.clock_out.strftime("%H:%M") if record.clock_out else None,
        "clock_out_next_day": bool(record.clock_out and record.clock_out.date() > record.date),
        "break_minutes": record.break_minutes,
        "work_minutes": record.work_minutes,
        "overtime_minutes": _overtime_of(record, flex=flex),
        "is_absent": record.is_absent,
        "is_paid_leave": record.is_paid_leave,
        "paid_leave_days": record.paid_leave_days,
        "unsettled": record.unsettled or None,
    }


def _overtime_of(record: AttendanceRecord, *, flex: bool) -> int | None:
    """Return the overtime of a day in minutes: the vendor's figure, else our own.

    None if it is unknown, or if hours are flexible and overtime is settled over the month. The days around it are taken to be of
    unknown type.
    """
    vendor = record.vendor_figures
    if vendor.within_statutory is not None and vendor.beyond_statutory is not None:
        return vendor.within_statutory + vendor.beyond_statutory
    if flex:
        return None
    computed = split_day(record, lambda _: "unknown")
    within = vendor.within_statutory if vendor.within_statutory is not None else computed.within_statutory
    beyond = vendor.beyond_statutory if vendor.beyond_statutory is not None else computed.beyond_statutory
    return None if within is None or beyond is None else within + beyond


def _totalled(summary: OvertimeSummary) -> JsonObject:
    """Return a summary with the fields of CT §4.3, followed by those that it does not have."""
    figures = summary.figures
    breakdown = {
        "normal_overtime_minutes": summary.normal_overtime,
        "late_night_overtime_minutes": summary.late_night_overtime,
        "holiday_work_minutes": summary.holiday_work,
    }
    return {
        "employee_id": summary.employee_id,
        "month": summary.month,
        "total_work_minutes": figures.work,
        "total_overtime_minutes": sum(breakdown.values()),
        "working_days": summary.working_days,
        "breakdown": breakdown,
        "by_law": figures.model_dump(include=BY_LAW),
        "complete": summary.complete,
        "unsettled_days": [day.isoformat() for day in summary.unsettled_days],
        "disagreements": [difference.model_dump(mode="json") for difference in summary.disagreements],
        "source": summary.source,
    }
