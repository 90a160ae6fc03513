"""Vendor-neutral attendance records: minutes, days and clock times in Japan.

None always means unknown, and never 0.
"""

from datetime import date, datetime
from typing import Literal

from pydantic import model_validator

from autonomy.hr.timekeeping.employee import VendorName
from discovery.catalog import Frozen

DayType = Literal["weekday", "weekend", "holiday", "unknown"]
"""weekday: a day of scheduled work (所定労働日) · weekend: a prescribed day off (所定休日) · holiday: the statutory
day off (法定休日, Labour Standards Act §35). The words are those of the design document."""


class Span(Frozen):
    """A stretch of time between two aware datetimes, without its end."""

    start: datetime
    end: datetime

    @model_validator(mode="after")
    def _runs_forward(self) -> "Span":
        if self.end < self.start:
            raise ValueError("a span ends before it starts")
        return self

    @property
    def minutes(self) -> int:
        """Its length in whole minutes."""
        return int((self.end - self.start).total_seconds()) // 60


class Figures(Frozen):
    """Worked minutes of a day or a month by kind. The five kinds after `work` never overlap and add up to it. The two of the
    night tell how many of these minutes are between 22:00 and 05:00."""

    work: int | None = None
    regular: int | None = None
    """Within the scheduled hours (所定内)."""
    within_statutory: int | None = None
    """Beyond the scheduled hours, but within eight hours a day (法定内残業)."""
    beyond_statutory: int | None = None
    """Beyond eight hours a day (法定外残業)."""
    prescribed_holiday: int | None = None
    statutory_holiday: int | None = None
    late_night: int | None = None
    """All work at night (深夜労働)."""
    late_night_overtime: int | None = None
    """Overtime of both kinds at night."""

    @property
    def overtime(self) -> int:
        """Both kinds of overtime together, as far as known."""
        return (self.within_statutory or 0) + (self.beyond_statutory or 0)

    @property
    def known(self) -> dict[str, int]:
        """The figures that are known."""
        return self.model_dump(exclude_none=True)


class AttendanceRecord(Frozen):
    """One day of one employee."""

    date: date
    day_type: DayType = "unknown"
    segments: tuple[Span, ...] = ()
    """From each clock-in to its clock-out."""
    breaks: tuple[Span, ...] = ()
    clock_in: datetime | None = None
    clock_out: datetime | None = None
    break_minutes: int | None = None
    """All breaks, including those without clock times."""
    work_minutes: int | None = None
    scheduled_minutes: int | None = None
    is_absent: bool | None = None
    paid_leave_days: float = 0
    paid_leave_minutes: int = 0
    unsettled: str = ""
    """Why the day cannot be counted yet (a clock-out is missing, or the vendor reports an error); empty if it can."""
    vendor_figures: Figures = Figures()
    """The vendor's own figures, as far as it has any."""
    entered_by_hand: bool = False
    """Whether lengths were typed in, so that they need not agree with the clock times."""
    source: VendorName

    @property
    def is_paid_leave(self) -> bool:
        """Whether any part of the day was paid leave."""
        return self.paid_leave_days > 0 or self.paid_leave_minutes > 0


class MonthlyAttendance(Frozen):
    """The days of one employee in one calendar month."""

    employee_id: str
    month: str
    records: tuple[AttendanceRecord, ...]
    next_day_type: DayType = "unknown"
    """The type of the first day after the month, for work past midnight on the last day."""
    flex: bool = False
    """Whether hours are flexible (フレックスタイム制), so that overtime is settled over the month and not by the day."""
    vendor_totals: Figures | None = None
    """The vendor's own totals, if they are for exactly this calendar month."""
    missing_days: int = 0
    """How many days of the month the vendor has no record of."""
    source: VendorName
