"""The KING OF TIME adapter: employees and attendance.

Its peculiarities are in `docs/hr.md`: a static token tied to an IP address, hours of the day when the API is closed, lists that
cannot be filtered by employee, and days off that are told only by the name of the day's type.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, time
from typing import Literal

import anyio
import httpx2
from pydantic import AliasGenerator, BaseModel, ConfigDict, TypeAdapter
from pydantic.alias_generators import to_camel

from autonomy.errors import VendorError
from autonomy.hr.timekeeping.attendance import AttendanceRecord, DayType, Figures, MonthlyAttendance, Span
from autonomy.hr.timekeeping.employee import Employee, EmploymentType, Roster, status_on
from autonomy.hr.timekeeping.month import Month, in_jst
from autonomy.hr.vendors.vendor_api import Query, VendorAPI, VendorRefusal, json_object, problem_of, wait_asked_s

BASE_URL = "https://api.kingtime.jp/v1.0"
CLOSED = ((time(8, 30), time(10)), (time(17, 30), time(18, 30)))
"""The times of day in Japan when the API accepts only clock-ins."""
TOO_MANY_REQUESTS = "303"

DAY_TYPES: Mapping[str, DayType] = {"平日": "weekday", "法定外休日": "weekend", "法定休日": "holiday"}
EMPLOYMENT_WORDS: Sequence[tuple[str, EmploymentType]] = (
    ("役員", "board_member"),
    ("派遣", "dispatched"),
    ("契約", "contract"),
    ("パート", "part_time"),
    ("アルバイト", "part_time"),
    ("正社員", "full_time"),
)
"""Words in the names of employee types → the type. Customers choose these names freely, so others are unknown."""
PAID_LEAVE_WORDS = ("有休", "有給")
Punch = Literal["in", "out", "break_in", "break_out"]
PUNCHES: Mapping[int, Punch] = {1: "in", 2: "out", 3: "break_in", 4: "break_out"}


class _Raw(BaseModel):
    """An object of the API, in camelCase. The API omits properties without a value."""

    model_config = ConfigDict(alias_generator=AliasGenerator(validation_alias=to_camel))


class RawEmployee(_Raw):
    """One of `GET /employees`."""

    key: str
    code: str | None = None
    last_name: str
    first_name: str
    division_name: str | None = None
    type_name: str | None = None
    hired_date: date | None = None
    resignation_date: date | None = None


class Holiday(_Raw):
    """A leave by its name. An hourly one has minutes."""

    name: str = ""
    minutes: int = 0


class Holidays(_Raw):
    """`holidaysObtained`."""

    fulltime_holiday: Holiday | None = None
    halfday_holidays: list[Holiday] = []
    hour_holidays: list[Holiday] = []


class DailyWorking(_Raw):
    """One employee's day of `GET /daily-workings`, in minutes."""

    date: date
    employee_key: str
    workday_type_name: str | None = None
    is_error: bool = False
    unassigned: int | None = None
    overtime: int | None = None
    late_night_unassigned: int | None = None
    late_night_overtime: int | None = None
    break_time: int | None = None
    total_work: int | None = None
    holidays_obtained: Holidays = Holidays()


class DailyWorkings(_Raw):
    """A day of `GET /daily-workings`."""

    daily_workings: list[DailyWorking] = []


class TimeRecord(_Raw):
    """One punch: code 1 in, 2 out, 3 and 4 begin and end of a break."""

    time: datetime
    code: int


class DailyTimeRecords(_Raw):
    """One employee's punches of a day."""

    date: date
    employee_key: str
    time_record: list[TimeRecord] = []


class TimeRecords(_Raw):
    """A day of `GET /daily-workings/timerecord`."""

    daily_workings: list[DailyTimeRecords] = []


class MonthlyWorking(_Raw):
    """One employee of `GET /monthly-workings/YYYY-MM`."""

    employee_key: str
    start_date: date | None = None
    end_date: date | None = None
    total_work: int | None = None
    overtime: int | None = None
    night_overtime: int | None = None


@dataclass(frozen=True)
class _CompanyMonth:
    days: list[DailyWorkings]
    totals: list[MonthlyWorking]


class KingOfTime:
    """One tenant's company at KING OF TIME."""

    def __init__(self, api: VendorAPI, *, now: Callable[[], datetime] = lambda: datetime.now(UTC)) -> None:
        self._api, self._now = api, now
        self._lists: dict[Month, _CompanyMonth] = {}
        self._one_fetches = anyio.Lock()

    async def employees(self, on: date) -> Roster:
        """Return all employees, including those who have left."""
        self._check_hours()
        query: Query = {"date": on.isoformat(), "includeResigner": True, "additionalFields": "hiredDate,resignationDate"}
        found = await self._api.get("employees", TypeAdapter(list[RawEmployee]), query)
        return Roster(
            employees=tuple(to_employee(raw, on) for raw in found),
            statuses_told=frozenset({"active", "retired"}),
            notes=("KING OF TIME keeps no positions (役職)",),
        )

    async def attendance(self, employee_id: str, month: Month) -> MonthlyAttendance:
        """Return the days of one employee in a month, which is less than the 62 days that one request may span."""
        if not re.fullmatch(r"[0-9A-Za-z]{1,128}", employee_id):
            raise fail("an employee id is a key of letters and digits, as list_employees gives it", 0, retryable=False)
        self._check_hours()
        everyone = await self._company_month(month)
        query = _between(month) | {"employeeKeys": employee_id}
        punches = await self._api.get("daily-workings/timerecord", TypeAdapter(list[TimeRecords]), query)
        clocked = {
            day.date: day.time_record for each in punches for day in each.daily_workings if day.employee_key == employee_id
        }
        workings = [day for each in everyone.days for day in each.daily_workings if day.employee_key == employee_id]
        return MonthlyAttendance(
            employee_id=employee_id,
            month=str(month),
            records=tuple(to_record(day, clocked.get(day.date, ())) for day in sorted(workings, key=lambda day: day.date)),
            vendor_totals=next(
                (
                    to_totals(total)
                    for total in everyone.totals
                    # a month that closes on another day than the last is not the calendar month
                    if total.employee_key == employee_id and (total.start_date, total.end_date) == (month.first, month.last)
                ),
                None,
            ),
            source="king_of_time",
        )

    async def _company_month(self, month: Month) -> "_CompanyMonth":
        """Return the lists of all employees, which cannot be filtered. They are requested once in an execution."""
        async with self._one_fetches:
            if month not in self._lists:
                days = await self._api.get("daily-workings", TypeAdapter(list[DailyWorkings]), _between(month))
                totals = await self._api.get(f"monthly-workings/{month}", TypeAdapter(list[MonthlyWorking]))
                self._lists[month] = _CompanyMonth(days, totals)
            return self._lists[month]

    def _check_hours(self) -> None:
        clock = in_jst(self._now()).time()
        for start, end in CLOSED:
            if start <= clock < end:
                raise fail(
                    f"the API is closed from {start:%H:%M} to {end:%H:%M} (Japan); try again at {end:%H:%M}", 0, retryable=True
                )


def to_employee(raw: RawEmployee, on: date) -> Employee:
    """Convert an employee."""
    return Employee(
        id=raw.key,
        number=raw.code,
        name=f"{raw.last_name} {raw.first_name}",
        department=raw.division_name,
        employment_type=next((kind for word, kind in EMPLOYMENT_WORDS if word in (raw.type_name or "")), "unknown"),
        status=status_on(on, raw.resignation_date),
        hire_date=raw.hired_date,
        retire_date=raw.resignation_date,
        source="king_of_time",
    )


def to_record(raw: DailyWorking, punches: Sequence[TimeRecord]) -> AttendanceRecord:
    """Convert a day and its punches."""
    segments = _pair(punches, "in", "out")
    obtained = raw.holidays_obtained
    open_shift = _count(punches, "in") != _count(punches, "out")
    return AttendanceRecord(
        date=raw.date,
        day_type=DAY_TYPES.get(raw.workday_type_name or "", "unknown"),
        segments=segments,
        breaks=_pair(punches, "break_in", "break_out"),
        clock_in=segments[0].start if segments else None,
        clock_out=segments[-1].end if segments else None,
        break_minutes=raw.break_time,
        work_minutes=raw.total_work,
        paid_leave_days=_is_paid(obtained.fulltime_holiday) + 0.5 * sum(map(_is_paid, obtained.halfday_holidays)),
        paid_leave_minutes=sum(holiday.minutes for holiday in obtained.hour_holidays if _is_paid(holiday)),
        unsettled="KING OF TIME marks the day as an error"
        if raw.is_error
        else "a clock-in or clock-out is missing"
        if open_shift
        else "",
        vendor_figures=Figures() if raw.is_error else to_figures(raw),
        source="king_of_time",
    )


def to_figures(raw: DailyWorking) -> Figures:
    """Convert the minutes of a day.

    In the vendor's own sample `unassigned` (所定外) includes `overtime` (残業): 480 assigned and 135 unassigned, overtime 135. So
    the rest of `unassigned` is within the statutory hours. The same is assumed at night.
    """
    off = {"法定休日": "statutory_holiday", "法定外休日": "prescribed_holiday"}.get(raw.workday_type_name or "")
    if off is not None:
        return Figures(work=raw.total_work, **{off: raw.total_work})
    if raw.workday_type_name not in DAY_TYPES or raw.overtime is None or raw.unassigned is None:
        return Figures(work=raw.total_work)
    night_unassigned, night_overtime = raw.late_night_unassigned or 0, raw.late_night_overtime or 0
    beyond = raw.overtime + night_overtime
    return Figures(
        work=raw.total_work,
        within_statutory=max(0, raw.unassigned + night_unassigned - beyond),
        beyond_statutory=beyond,
        prescribed_holiday=0,
        statutory_holiday=0,
        late_night_overtime=max(night_unassigned, night_overtime),
    )


def to_totals(raw: MonthlyWorking) -> Figures:
    """Convert those totals of a month that are unambiguous. How the list counts days off is not documented publicly."""
    beyond = None if raw.overtime is None else raw.overtime + (raw.night_overtime or 0)
    return Figures(work=raw.total_work, beyond_statutory=beyond)


def explain(response: httpx2.Response) -> VendorRefusal:
    """Return the meaning of an error, which is `{"errors": [{"message", "code"}]}`, or `{"code", "message"}` for too many
    requests."""
    if response.status_code == httpx2.codes.TOO_MANY_REQUESTS or str(json_object(response).get("code")) == TOO_MANY_REQUESTS:
        wait_s = wait_asked_s(response, "Retry-After")
        return VendorRefusal("the limit of requests is reached", retryable=True, retry_after_s=wait_s)
    return VendorRefusal(problem_of(response), retryable=response.is_server_error)


def fail(problem: str, status: int, retryable: bool) -> VendorError:
    """Make this vendor's exception, for `VendorAPI`. `status`: of HTTP; 0 for none."""
    return VendorError("KING OF TIME", problem, retryable=retryable, status=status or None)


def _between(month: Month) -> dict[str, str]:
    return {"start": month.first.isoformat(), "end": month.last.isoformat()}


def _is_paid(holiday: Holiday | None) -> bool:
    return holiday is not None and any(word in holiday.name for word in PAID_LEAVE_WORDS)


def _count(punches: Sequence[TimeRecord], kind: Punch) -> int:
    return sum(1 for punch in punches if PUNCHES.get(punch.code) == kind)


def _pair(punches: Sequence[TimeRecord], begin: Punch, end: Punch) -> tuple[Span, ...]:
    """Pair each begin with the next end."""
    spans: list[Span] = []
    since: datetime | None = None
    for punch in sorted(punches, key=lambda punch: punch.time):
        kind = PUNCHES.get(punch.code)
        if kind == begin:
            since = in_jst(punch.time)
        elif kind == end and since is not None:
            spans.append(Span(start=since, end=in_jst(punch.time)))
            since = None
    return tuple(spans)
