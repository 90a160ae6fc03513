"""The limits of an agreement under article 36, and a forecast to the end of a month.

Labour Standards Act, article 36: paragraph 4 (45 hours in a month, 360 in a year), paragraph 5 (with a special clause: less than
100 hours in a month, 720 in a year, at most six months of a year above 45) and paragraph 6, items 2 and 3 (in any case less than
100 hours in a month and 80 on the average of each two to six months). The limits of 45, 360 and 720 hours count overtime alone,
those of 100 and 80 hours work on the statutory day off, too (https://laws.e-gov.go.jp/law/322AC0000000049). The limits of 42 and
320 hours for variable hours over a year (§32-4) are not looked at.
"""

from collections.abc import Iterator, Sequence
from datetime import date
from typing import Literal

import jpholiday

from autonomy.hr.timekeeping.attendance import MonthlyAttendance
from autonomy.hr.timekeeping.month import Month
from autonomy.hr.timekeeping.overtime import summarise
from discovery.catalog import Frozen

HOUR = 60
MONTH_MOST, YEAR_MOST = 45 * HOUR, 360 * HOUR
SPECIAL_YEAR_MOST, MONTHS_ABOVE_MOST = 720 * HOUR, 6
MONTH_BELOW, AVERAGE_MOST = 100 * HOUR, 80 * HOUR
LOOKED_BACK = 5
"""Months before the one that is asked about: an average goes over six at most."""

Limit = Literal["month_45h", "year_360h", "year_720h", "months_above_45h", "month_100h", "average_80h"]


class MonthOvertime(Frozen):
    """The minutes of one month that count towards the limits."""

    month: str
    overtime: int = 0
    """Beyond the statutory hours. Work on a prescribed day off counts whole: too much where the week had forty hours only
    with it."""
    holiday: int = 0
    """On the statutory day off."""
    complete: bool = True
    """False: a day cannot be counted yet, and the figures are a lower bound."""

    @property
    def both(self) -> int:
        """Overtime and work on the statutory day off."""
        return self.overtime + self.holiday


class LimitUse(Frozen):
    """The use of one limit."""

    limit: Limit
    months: tuple[str, ...]
    """The months that it looks at."""
    used: int
    """Minutes; of `months_above_45h` months; of an average rounded up."""
    most: int
    """What may be used; of `month_100h` the hundred hours that must not be reached."""
    exceeded: bool


class Forecast(Frozen):
    """The forecast to the end of a month."""

    overtime: int
    working_days_left: int


def counted(attendance: MonthlyAttendance, until_day: int | None = None) -> MonthOvertime:
    """Count the minutes of a month, up to a day if it is not over."""
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
    """The overtime to the end of a month that is under way: a working day to come takes what those up to today took on average.

    `today`: the last day of the month that counts as worked. None where no working day has passed: nobody can know. Days of leave
    are among those that passed; work on days off is not expected to come again.
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
    on_working_days = counted(settled).overtime
    return Forecast(overtime=so_far.overtime + -(-on_working_days * left // len(passed)), working_days_left=left)


def uses(months: Sequence[MonthOvertime], *, year_begins: int = 4, special_clause: bool = False) -> tuple[LimitUse, ...]:
    """The use of each limit in the last of these consecutive months. `year_begins`: the month in which a year of the agreement
    begins."""
    this = months[-1]
    year = list(_of_the_year(months, year_begins))
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
    averages = [_average(months[-length:]) for length in range(2, LOOKED_BACK + 2) if len(months) >= length]
    worst = [max(averages, key=lambda one: one.used)] if averages else []
    return (*(special if special_clause else ordinary), *always, *worst)


def _of_the_year(months: Sequence[MonthOvertime], begins: int) -> Iterator[MonthOvertime]:
    last = Month.parse(months[-1].month)
    first = Month(last.year - (last.month < begins), begins)
    return (one for one in months if first <= Month.parse(one.month) <= last)


def _average(months: Sequence[MonthOvertime]) -> LimitUse:
    used = -(-sum(one.both for one in months) // len(months))  # rounded up: 80 hours and a second are too many
    return _use("average_80h", tuple(one.month for one in months), used, AVERAGE_MOST)


def _use(limit: Limit, months: tuple[str, ...], used: int, most: int) -> LimitUse:
    return LimitUse(limit=limit, months=months, used=used, most=most, exceeded=used > most)
