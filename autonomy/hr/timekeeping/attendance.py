"""Vendor-neutral attendance records: minutes, days and clock times in Japan.

None always means that nobody knows; it is never the same as 0.
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
    """A stretch of time, its end excluded. Both ends are aware datetimes."""

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
    """Worked minutes of a day or a month by kind. The first five kinds never overlap and add up to `work`;
    the two of the night tell which of those minutes lie between 22:00 and 05:00."""

    work: int | None = None
    regular: int | None = None
    """Within the scheduled hours (所定内)."""
    within_statutory: int | None = None
    """Beyond the scheduled hours, within eight a day (法定内残業)."""
    beyond_statutory: int | None = None
    """Beyond eight hours a day (法定外残業)."""
    prescribed_holiday: int | None = None
    statutory_holiday: int | None = None
    late_night: int | None = None
    """All work at night, of whatever kind (深夜労働)."""
    late_night_overtime: int | None = None
    """Night minutes of the two kinds of overtime."""

    @property
    def overtime(self) -> int:
        """Both kinds of overtime together, as far as known."""
        return (self.within_statutory or 0) + (self.beyond_statutory or 0)

    @property
    def known(self) -> dict[str, int]:
        """The kinds somebody knows."""
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
    """All breaks, those without clock times included."""
    work_minutes: int | None = None
    scheduled_minutes: int | None = None
    is_absent: bool | None = None
    paid_leave_days: float = 0
    paid_leave_minutes: int = 0
    unsettled: str = ""
    """Why the day cannot be counted yet (a clock-out is missing, the vendor flags an error); empty when it can."""
    vendor_figures: Figures = Figures()
    """What the vendor itself counted, as far as it tells."""
    entered_by_hand: bool = False
    """The lengths were typed in, so that they need not agree with the clock times."""
    source: VendorName

    @property
    def is_paid_leave(self) -> bool:
        """Whether any of the day was paid leave, be it an hour."""
        return self.paid_leave_days > 0 or self.paid_leave_minutes > 0


class MonthlyAttendance(Frozen):
    """The days of one employee in one calendar month."""

    employee_id: str
    month: str
    records: tuple[AttendanceRecord, ...]
    next_day_type: DayType = "unknown"
    """The type of the first day after the month: work over midnight on the last day reaches into it."""
    flex: bool = False
    """Flexible hours (フレックスタイム制): overtime is settled over the month, not by the day."""
    vendor_totals: Figures | None = None
    """The vendor's own totals, when it keeps them for exactly this calendar month."""
    missing_days: int = 0
    """Days of the month about which the vendor said nothing at all."""
    source: VendorName
