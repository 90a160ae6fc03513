"""The freee HR (人事労務) adapter: employees and attendance.

It follows freee's published schema of 2022-02-01 (`tests/autonomy/hr/data/`). The design document's sketch uses a range of work
records that does not exist; `docs/hr.md` lists the differences and the reasons.
"""

import re
from collections.abc import AsyncIterator, Callable, Sequence
from datetime import date, datetime
from typing import TypeVar

import httpx2
from pydantic import BaseModel

from autonomy.errors import VendorError
from autonomy.hr.timekeeping.attendance import AttendanceRecord, DayType, Figures, MonthlyAttendance, Span
from autonomy.hr.timekeeping.employee import Employee, EmploymentType, Roster, status_on
from autonomy.hr.timekeeping.month import Month, in_jst
from autonomy.hr.vendors.vendor_api import Query, VendorAPI, VendorRefusal, problem_of, wait_asked_s

T = TypeVar("T")
PageT = TypeVar("PageT")

BASE_URL = "https://api.freee.co.jp/hr"
PAGE = 100
EVERYBODY: Query = {"with_no_payroll_calculation": True}
OVERUSE_S = 600.0
"""How long freee refuses, with 403, after too many requests: about ten minutes."""

EMPLOYMENT_TYPES: dict[str | None, EmploymentType] = {
    "board-member": "board_member",
    "regular": "full_time",
    "fixed-term": "contract",
    "part-time": "part_time",
    "temporary": "dispatched",
    "": "other",
}
DAY_TYPES: dict[str | None, DayType] = {"normal_day": "weekday", "prescribed_holiday": "weekend", "legal_holiday": "holiday"}


class FreeeAPIError(VendorError):
    """freee's API or sign-in server answered with an error, or not at all (the name and arguments of the design document)."""

    def __init__(
        self,
        message: str,
        status_code: int,
        retryable: bool = False,
        *,
        outcome_unknown: bool = False,
        token_refused: bool = False,
    ) -> None:
        self.status_code = status_code
        self.outcome_unknown = outcome_unknown
        """Whether the request may have been carried out although no answer came."""
        self.token_refused = token_refused
        """Whether freee will not accept this refresh token again."""
        super().__init__("freee", message, retryable=retryable, status=status_code or None)


class Company(BaseModel):
    """`ApiV1UsersCompanySerializer`, the fields we read."""

    id: int
    name: str = ""
    role: str = ""


class SignedIn(BaseModel):
    """`ApiV1UsersMeSerializer`: who the token belongs to."""

    companies: list[Company] = []


class RosterEntry(BaseModel):
    """`ApiV1CompaniesEmployeeSerializer`, the fields we read: everyone of all times."""

    id: int
    num: str | None = None
    display_name: str
    entry_date: date | None = None
    retire_date: date | None = None
    month_of_pay_day: str | None = None


class FreeeProfile(BaseModel):
    """`ApiV1EmployeesProfileRuleSerializer`, the fields we read. The address, the family and the rest are never parsed."""

    last_name: str
    first_name: str
    employment_type: str | None = None
    title: str | None = None


class ProfiledEmployee(BaseModel):
    """`ApiV1EmployeeSerializer`, the fields we read."""

    id: int
    profile_rule: FreeeProfile | None = None


class ProfilePage(BaseModel):
    """`ApiV1EmployeesIndexSerializer`."""

    employees: list[ProfiledEmployee]


class Membership(BaseModel):
    """`ApiV1GroupMembershipSerializer`, the fields we read."""

    main_duty: str | None = None
    group_name: str | None = None
    position_name: str | None = None


class FreeeMember(BaseModel):
    """`ApiV1EmployeeGroupMembershipSerializer`, the fields we read."""

    id: int
    group_memberships: list[Membership] = []


class FreeeMemberPage(BaseModel):
    """`ApiV1EmployeeGroupMembershipsIndexSerializer`."""

    employee_group_memberships: list[FreeeMember]


class TimeRange(BaseModel):
    """`ApiV1EmployeesWorkRecordTimeRangeResponseSerializer`; an end may be missing while somebody is at work."""

    clock_in_at: datetime | None = None
    clock_out_at: datetime | None = None


class PaidHoliday(BaseModel):
    """One entry of `paid_holidays`."""

    mins: int
    days: float


class WorkRecord(BaseModel):
    """`ApiV1EmployeesWorkRecordSerializer` and its Legacy form, the fields we read."""

    date: str
    day_pattern: str | None = None
    schedule_pattern: str | None = None
    clock_in_at: datetime | None = None
    clock_out_at: datetime | None = None
    work_record_segments: list[TimeRange] = []
    break_records: list[TimeRange] = []
    normal_work_mins: int | None = None
    is_absence: bool | None = None
    paid_holidays: list[PaidHoliday] | None = None
    paid_holiday: float | None = None
    hourly_paid_holiday_mins: int | None = None
    not_auto_calc_work_time: bool = False
    total_overtime_work_mins: int | None = None
    total_overtime_except_normal_work_mins: int | None = None
    total_excess_statutory_work_mins: int | None = None
    total_prescribed_holiday_work_mins: int | None = None
    total_holiday_work_mins: int | None = None
    total_latenight_work_mins: int | None = None
    total_latenight_excess_statutory_work_mins: int | None = None
    total_latenight_overtime_except_normal_work_min: int | None = None


class WorkRecordSummary(BaseModel):
    """`ApiV1EmployeesWorkRecordSummarySerializer`, the fields we read."""

    start_date: date
    end_date: date
    total_work_mins: int | None = None
    total_excess_statutory_work_mins: int | None = None
    total_overtime_except_normal_work_mins: int | None = None
    total_prescribed_holiday_work_mins: int | None = None
    total_holiday_work_mins: int | None = None
    total_latenight_work_mins: int | None = None
    work_records: list[WorkRecord] = []


class Freee:
    """One company of one tenant at freee."""

    def __init__(self, api: VendorAPI, company_id: str, *, flex_employee_ids: frozenset[str] = frozenset()) -> None:
        if not company_id.isdigit():
            raise FreeeAPIError("the company id is not a number", 0)
        self._api, self._company_id, self._flex = api, company_id, flex_employee_ids

    async def employees(self, on: date) -> Roster:
        """Return all employees ever. Names and dates are from the list of all employees, contracts from the list of the month,
        and departments from the memberships."""
        path = f"/api/v1/companies/{self._company_id}/employees"
        everyone = [entry async for entry in self._entries(path, list[RosterEntry], {}, lambda page: page)]
        profiles = await self._profiles(Month.of(on), everyone)
        duties = await self._main_duties(on)
        employees = tuple(to_employee(entry, profiles.get(entry.id), duties.get(entry.id), on) for entry in everyone)
        return Roster(employees=employees, statuses_told=frozenset({"active", "retired"}))

    async def attendance(self, employee_id: str, month: Month) -> MonthlyAttendance:
        """Return a calendar month, combined from the pay periods that cover it.

        freee finds a period by the month of its pay, which may be the month after the work (翌月払い), and a period need not
        begin on the first (20日締め). Therefore the period's own dates are decisive.
        """
        if not re.fullmatch(r"[1-9]\d{0,9}", employee_id):
            raise FreeeAPIError("an employee id is a number, as list_employees gives it", 0)
        periods = [await self._period(employee_id, month)]
        if month.first < periods[0].start_date:
            periods += await self._neighbour(employee_id, month.previous())
        if periods[0].end_date < month.last:
            periods += await self._neighbour(employee_id, month.next())
        days = {record.date: record for period in periods for record in map(to_record, period.work_records)}
        after = days.get(month.next().first)
        whole = next((period for period in periods if (period.start_date, period.end_date) == (month.first, month.last)), None)
        missing = sum(1 for day in month.days() if not any(period.start_date <= day <= period.end_date for period in periods))
        return MonthlyAttendance(
            employee_id=employee_id,
            month=str(month),
            records=tuple(days[day] for day in sorted(days) if day in month),
            next_day_type=after.day_type if after is not None else "unknown",
            flex=employee_id in self._flex,
            vendor_totals=None if whole is None else to_totals(whole),
            missing_days=missing,
            source="freee",
        )

    async def _neighbour(self, employee_id: str, month: Month) -> list[WorkRecordSummary]:
        """Return a neighbouring period; none if freee has not opened it yet, or if the person was not employed in it."""
        try:
            return [await self._period(employee_id, month)]
        except FreeeAPIError as error:
            if error.status_code not in (400, 404):
                raise
            return []

    async def _period(self, employee_id: str, month: Month) -> WorkRecordSummary:
        path = f"/api/v1/employees/{employee_id}/work_record_summaries/{month.year}/{month.month}"
        return await self._api.get(path, WorkRecordSummary, {"company_id": self._company_id, "work_records": True})

    async def _profiles(self, month: Month, everyone: Sequence[RosterEntry]) -> dict[int, FreeeProfile]:
        """Return the contracts as of the month. For employees who are paid in the month after, freee answers with the month after
        the requested one, so theirs are requested for the month before."""
        paid_later = {entry.id for entry in everyone if entry.month_of_pay_day == "next_month"}
        profiles: dict[int, FreeeProfile] = {}
        for queried, later in ((month, False), (month.previous(), True)):
            if later and not paid_later:
                continue
            query: Query = {"company_id": self._company_id, "year": queried.year, "month": queried.month}
            async for entry in self._entries("/api/v1/employees", ProfilePage, query, lambda page: page.employees):
                if entry.profile_rule is not None and (entry.id in paid_later) == later:
                    profiles[entry.id] = entry.profile_rule
        return profiles

    async def _main_duties(self, on: date) -> dict[int, Membership]:
        duties: dict[int, Membership] = {}
        query: Query = {"company_id": self._company_id, "base_date": on.isoformat()}
        path = "/api/v1/employee_group_memberships"
        async for member in self._entries(path, FreeeMemberPage, query, lambda page: page.employee_group_memberships):
            # the main duty (主務), else the first that is not marked as a side duty, else the first
            rank = {"main_duty": 0, "sub_duty": 2}
            if member.group_memberships:
                duties[member.id] = min(member.group_memberships, key=lambda duty: rank.get(duty.main_duty or "", 1))
        return duties

    async def _entries(
        self, path: str, form: type[PageT], query: Query, entries_of: Callable[[PageT], Sequence[T]]
    ) -> AsyncIterator[T]:
        """Yield the entries of all pages of a list."""
        offset, length = 0, PAGE
        while length >= PAGE:
            page = await self._api.get(path, form, {**EVERYBODY, **query, "limit": PAGE, "offset": offset})
            for entry in entries_of(page):
                yield entry
            offset, length = offset + PAGE, len(entries_of(page))


async def companies(api: VendorAPI) -> list[Company]:
    """Return the companies of the signed-in person, with the role in each. Only `company_admin` can read about everybody."""
    return (await api.get("/api/v1/users/me", SignedIn)).companies


def to_employee(entry: RosterEntry, profile: FreeeProfile | None, duty: Membership | None, on: date) -> Employee:
    """Convert freee's three views of a person. None of them tells leave of absence (休職)."""
    return Employee(
        id=str(entry.id),
        number=entry.num or None,
        name=f"{profile.last_name} {profile.first_name}" if profile else entry.display_name,
        department=(duty.group_name or None) if duty else None,
        position=((duty.position_name if duty else None) or (profile.title if profile else None)) or None,
        employment_type=EMPLOYMENT_TYPES.get(profile.employment_type, "unknown") if profile else "unknown",
        status=status_on(on, entry.retire_date),
        hire_date=entry.entry_date,
        retire_date=entry.retire_date,
        source="freee",
    )


def to_record(raw: WorkRecord) -> AttendanceRecord:
    """Convert freee's record of a day."""
    segments, breaks = _spans(raw.work_record_segments), _spans(raw.break_records)
    worked = sum(span.minutes for span in segments) - sum(span.minutes for span in breaks)
    at_work = any(span.clock_out_at is None for span in raw.work_record_segments) or (raw.clock_in_at and not raw.clock_out_at)
    leave = raw.paid_holidays or []
    return AttendanceRecord(
        # declared as a date-time, but may be a plain date
        date=date.fromisoformat(raw.date) if len(raw.date) == 10 else in_jst(datetime.fromisoformat(raw.date)).date(),
        day_type=_day_type(raw),
        segments=segments,
        breaks=breaks,
        clock_in=_clock(raw.clock_in_at),
        clock_out=_clock(raw.clock_out_at),
        break_minutes=sum(span.minutes for span in breaks),
        work_minutes=worked if segments else None if raw.not_auto_calc_work_time else 0,
        scheduled_minutes=raw.normal_work_mins,
        is_absent=raw.is_absence,
        paid_leave_days=sum(holiday.days for holiday in leave) or raw.paid_holiday or 0,
        paid_leave_minutes=sum(holiday.mins for holiday in leave) or raw.hourly_paid_holiday_mins or 0,
        unsettled="the clock-out is missing" if at_work else "",
        vendor_figures=to_figures(raw),
        entered_by_hand=raw.not_auto_calc_work_time,
        source="freee",
    )


def to_figures(raw: WorkRecord) -> Figures:
    """Convert freee's figures of a day. `total_overtime_work_mins` is 0 if lengths are typed in; the other field then has
    them."""
    by_hand, counted = raw.total_overtime_except_normal_work_mins, raw.total_overtime_work_mins
    at_night = (raw.total_latenight_excess_statutory_work_mins, raw.total_latenight_overtime_except_normal_work_min)
    return Figures(
        within_statutory=raw.total_excess_statutory_work_mins,
        beyond_statutory=by_hand if by_hand or raw.not_auto_calc_work_time else counted,
        prescribed_holiday=raw.total_prescribed_holiday_work_mins,
        statutory_holiday=raw.total_holiday_work_mins,
        late_night=raw.total_latenight_work_mins,
        late_night_overtime=None if None in at_night else sum(part or 0 for part in at_night),
    )


def to_totals(period: WorkRecordSummary) -> Figures:
    """Convert freee's figures of a pay period, which must be a calendar month."""
    return Figures(
        work=period.total_work_mins,
        within_statutory=period.total_excess_statutory_work_mins,
        beyond_statutory=period.total_overtime_except_normal_work_mins,
        prescribed_holiday=period.total_prescribed_holiday_work_mins,
        statutory_holiday=period.total_holiday_work_mins,
        late_night=period.total_latenight_work_mins,
    )


def explain(response: httpx2.Response) -> VendorRefusal:
    """Return the meaning of an error of freee. With 403 freee also answers too many requests, for about ten minutes."""
    wait_s = wait_asked_s(response, "Retry-After", "X-Ratelimit-Reset")
    status = response.status_code
    if status == httpx2.codes.TOO_MANY_REQUESTS:
        return VendorRefusal("freee's limit of requests is reached", retryable=True, retry_after_s=wait_s)
    if status == httpx2.codes.FORBIDDEN and response.headers.get("X-Ratelimit-Remaining") == "0":
        return VendorRefusal(
            "freee refuses for a while after too many requests", retryable=True, retry_after_s=wait_s or OVERUSE_S
        )
    if status == httpx2.codes.FORBIDDEN:
        return VendorRefusal(f"{problem_of(response)} (the connected freee user needs to be an administrator of the company)")
    return VendorRefusal(problem_of(response), retryable=response.is_server_error)


def _day_type(raw: WorkRecord) -> DayType:
    """Return the type of a day. A day off that was swapped for another one (振替出勤) is a working day."""
    if raw.schedule_pattern == "substitute_holiday_work":
        return "weekday"
    return DAY_TYPES.get(raw.day_pattern, "unknown")


def _clock(moment: datetime | None) -> datetime | None:
    return None if moment is None else in_jst(moment)


def _spans(ranges: Sequence[TimeRange]) -> tuple[Span, ...]:
    """Return the ranges that have both ends in the right order."""
    complete = [(item.clock_in_at, item.clock_out_at) for item in ranges]
    return tuple(Span(start=in_jst(a), end=in_jst(b)) for a, b in complete if a is not None and b is not None and a <= b)
