"""Checks the limits of an agreement under article 36, and forecasts overtime to the end of a month.

Labour Standards Act, article 36: paragraph 4 (45 hours in a month, 360 in a year), paragraph 5 (with a special clause: less than
100 hours in a month, 720 in a year, at most six months of a year above 45) and paragraph 6, items 2 and 3 (in any case less than
100 hours in a month, and at most 80 on average over two to six months). The limits of 45, 360 and 720 hours apply to overtime
only, those of 100 and 80 hours to overtime and work on the statutory day off (https://laws.e-gov.go.jp/law/322AC0000000049). The
limits of 42 and 320 hours for variable hours over a year (§32-4) are not checked.
"""

from collections.abc import Sequence
from datetime import date
from typing import Literal

import jpholiday

from autonomy.hr.timekeeping.attendance import MonthlyAttendance
from autonomy.hr.timekeeping.month import Month
from autonomy.hr.timekeeping.overtime import statutory_frame, summarise
from discovery.catalog import Frozen

HOUR = 60
MONTH_MOST, YEAR_MOST = 45 * HOUR, 360 * HOUR
SPECIAL_YEAR_MOST, MONTHS_ABOVE_MOST = 720 * HOUR, 6
MONTH_BELOW, AVERAGE_MOST = 100 * HOUR, 80 * HOUR
LOOKED_BACK = 5
"""How many months before the one in question count for averages, which are over at most six months."""

Limit = Literal["month_45h", "year_360h", "year_720h", "months_above_45h", "month_100h", "average_80h"]


class MonthOvertime(Frozen):
    """The minutes of one month that count towards the limits."""

    month: str
    overtime: int = 0
    """Beyond the statutory hours. All work on a prescribed day off counts, which is too much if the week has no more than forty
    hours with it."""
    holiday: int = 0
    """On the statutory day off."""
    complete: bool = True
    """False if some day cannot be counted yet, so that the figures are a lower bound."""

    @property
    def both(self) -> int:
        """Overtime and work on the statutory day off."""
        return self.overtime + self.holiday


class LimitUse(Frozen):
    """The use of one limit."""

    limit: Limit
    months: tuple[str, ...]
    """The months that count."""
    used: int
    """In minutes (averages are rounded up), but in months for `months_above_45h`."""
    most: int
    """The limit. `month_100h` must not even be reached."""
    exceeded: bool


class Forecast(Frozen):
    """The forecast to the end of a month."""

    overtime: int
    """Minutes of the whole month."""
    working_days_left: int


def counted(attendance: MonthlyAttendance, until_day: int | None = None) -> MonthOvertime:
    """Count the minutes of a month that count towards the limits. `until_day`: the last day that counts; None for all."""
    records = tuple(one for one in attendance.records if until_day is None or one.date.day <= until_day)
    summary = summarise(attendance.model_copy(update={"records": records}) if until_day is not None else attendance)
    figures = summary.figures
    return MonthOvertime(
        month=attendance.month,
        overtime=(figures.beyond_statutory or 0) + (figures.prescribed_holiday or 0),
        holiday=figures.statutory_holiday or 0,
        complete=summary.complete,
    )


def forecast(attendance: MonthlyAttendance, today: int) -> Forecast | None:
    """Forecast the overtime to the end of a month: each coming working day has the average overtime of those that passed, or with
    flexible hours their average work.

    `today`: the last day of the month that counts as worked. Returns None if no working day has passed. Days of leave count as
    passed days. No more work on days off is expected.
    """
    month = Month.parse(attendance.month)
    types = {record.date: record.day_type for record in attendance.records}
    unsettled = {record.date for record in attendance.records if record.unsettled}

    def is_working(day: date) -> bool:
        day_type = types.get(day, "unknown")
        return day_type == "weekday" if day_type != "unknown" else day.weekday() < 5 and not jpholiday.is_holiday(day)

    working = [day for day in month.days() if is_working(day)]
    passed = [day for day in working if day.day <= today and day not in unsettled]
    left = sum(day.day > today for day in working)
    so_far = counted(attendance, today)
    if not passed:
        return Forecast(overtime=so_far.overtime, working_days_left=0) if not left else None
    settled = attendance.model_copy(update={"records": tuple(one for one in attendance.records if one.date in set(passed))})

    def to_come(minutes: int) -> int:
        return -(-minutes * left // len(passed))

    if not attendance.flex:
        return Forecast(overtime=so_far.overtime + to_come(counted(settled).overtime), working_days_left=left)
    # until the month's frame is full no day has overtime, and from then on each is overtime as a whole
    figures = summarise(settled.model_copy(update={"vendor_totals": None})).figures
    worked, frame = (figures.regular or 0) + (figures.beyond_statutory or 0), statutory_frame(attendance.month)
    beyond = max(0, worked + to_come(worked) - frame) - max(0, worked - frame)
    return Forecast(overtime=so_far.overtime + beyond, working_days_left=left)


def uses(months: Sequence[MonthOvertime], *, year_begins: int = 4, special_clause: bool = False) -> tuple[LimitUse, ...]:
    """Return the use of each limit in the last of these consecutive months. `year_begins`: the month in which the agreement's
    year begins."""
    this = months[-1]
    last = Month.parse(this.month)
    first = Month(last.year - (last.month < year_begins), year_begins)
    year = [one for one in months if first <= Month.parse(one.month) <= last]
    listed = tuple(one.month for one in year)
    overtime, above = sum(one.overtime for one in year), [one.month for one in year if one.overtime > MONTH_MOST]
    ordinary = [
        _use("month_45h", (this.month,), this.overtime, MONTH_MOST),
        _use("year_360h", listed, overtime, YEAR_MOST),
    ]
    special = [
        _use("year_720h", listed, overtime, SPECIAL_YEAR_MOST),
        _use("months_above_45h", tuple(above), len(above), MONTHS_ABOVE_MOST),
    ]
    always = [_use("month_100h", (this.month,), this.both, MONTH_BELOW - 1).model_copy(update={"most": MONTH_BELOW})]
    averages = []
    for length in range(2, min(LOOKED_BACK + 1, len(months)) + 1):
        averaged = months[-length:]
        used = -(-sum(one.both for one in averaged) // length)  # rounded up, because 80 hours and a second are too many
        averages.append(_use("average_80h", tuple(one.month for one in averaged), used, AVERAGE_MOST))
    worst = [max(averages, key=lambda one: one.used)] if averages else []
    return (*(special if special_clause else ordinary), *always, *worst)


def _use(limit: Limit, months: tuple[str, ...], used: int, most: int) -> LimitUse:
    return LimitUse(limit=limit, months=months, used=used, most=most, exceeded=used > most)
