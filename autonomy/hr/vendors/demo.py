"""A simulated HR vendor with thirty employees, for trials and MOCK_MODE.

Everything is derived from the employee and the day by a hash, so that all processes see the same company, in any month. It has
what real companies have: nights, work on days off, leave, absences, a forgotten clock-out, a corrected entry.
"""

import hashlib
from collections.abc import Mapping
from datetime import date, datetime, time, timedelta
from functools import lru_cache
from typing import Literal, TypeVar

import jpholiday

from autonomy.errors import VendorError
from autonomy.hr.timekeeping.attendance import AttendanceRecord, DayType, Figures, MonthlyAttendance, Span
from autonomy.hr.timekeeping.employee import Employee, EmploymentType, Roster, status_on
from autonomy.hr.timekeeping.month import JST, Month

T = TypeVar("T")

PEOPLE = 30
FAMILY_NAMES = {
    "佐藤": "Sato", "鈴木": "Suzuki", "高橋": "Takahashi", "田中": "Tanaka", "伊藤": "Ito", "渡辺": "Watanabe",
    "山本": "Yamamoto", "中村": "Nakamura", "小林": "Kobayashi", "加藤": "Kato", "吉田": "Yoshida", "山田": "Yamada",
    "佐々木": "Sasaki", "山口": "Yamaguchi", "松本": "Matsumoto",
}  # fmt: skip
GIVEN_NAMES = {
    "葵": "Aoi", "蓮": "Ren", "結衣": "Yui", "湊": "Minato", "陽菜": "Hina", "大翔": "Taiga", "凛": "Rin",
    "悠真": "Yuma", "咲良": "Sakura", "樹": "Itsuki", "美咲": "Misaki", "颯太": "Sota", "楓": "Kaede", "律": "Ritsu",
    "花": "Hana",
}  # fmt: skip
NIGHT_SHIFT = "製造部"
DEPARTMENTS = {
    "営業部": "Sales", "開発部": "Engineering", "人事部": "Human Resources", NIGHT_SHIFT: "Manufacturing",
    "総務部": "General Affairs",
}  # fmt: skip
IN_ENGLISH = {**FAMILY_NAMES, **GIVEN_NAMES, **DEPARTMENTS, "部長": "Head of department", "": ""}
"""The English names. Days and figures are the same in both languages."""
SCHEDULED_MIN = 480
FLEX_IDS = frozenset({"demo-007", "demo-012"})


class Demo:
    """The demo company."""

    def __init__(self, language: Literal["ja", "en"] = "ja") -> None:
        self._language = language

    async def employees(self, on: date) -> Roster:
        """Return all thirty employees, two of whom have left and one of whom is on leave."""
        return Roster(
            employees=tuple(self._localized(person(number, on)) for number in range(1, PEOPLE + 1)),
            statuses_told=frozenset({"active", "retired", "on_leave"}),
        )

    def _localized(self, someone: Employee) -> Employee:
        if self._language == "ja":
            return someone
        family_name, given_name = someone.name.split()
        return someone.model_copy(
            update={
                "name": f"{IN_ENGLISH[given_name]} {IN_ENGLISH[family_name]}",
                "department": IN_ENGLISH[someone.department or ""],
                "position": IN_ENGLISH[someone.position or ""],
            }
        )

    async def attendance(self, employee_id: str, month: Month) -> MonthlyAttendance:
        """Return the days of the month on which the person was employed. Raises VendorError for an unknown id."""
        numbers = {f"demo-{number:03d}": number for number in range(1, PEOPLE + 1)}
        if employee_id not in numbers:
            raise VendorError("demo", f"there is no employee {employee_id!r}", retryable=False, status=404)
        someone = person(numbers[employee_id], month.last)
        employed = [
            day
            for day in month.days()
            if (someone.hire_date is None or someone.hire_date <= day)
            and (someone.retire_date is None or day <= someone.retire_date)
        ]
        return MonthlyAttendance(
            employee_id=employee_id,
            month=str(month),
            records=tuple(day_of(someone, day) for day in employed),
            next_day_type=_day_type(month.next().first),
            flex=employee_id in FLEX_IDS,
            source="demo",
        )


@lru_cache(maxsize=256)
def person(number: int, on: date) -> Employee:
    """Return the employee of that number, as of a day."""
    draw = _Dice(f"person {number}")
    retired = date(2025, 3, 31) if number in (9, 21) else None
    contracts: tuple[EmploymentType, ...] = ("full_time", "full_time", "full_time", "contract", "part_time")
    return Employee(
        id=f"demo-{number:03d}",
        number=f"{1000 + number}",
        name=f"{_pick(FAMILY_NAMES, number)} {_pick(GIVEN_NAMES, number * 7)}",
        department=_pick(DEPARTMENTS, number),
        position="部長" if number <= len(DEPARTMENTS) else "",
        employment_type="full_time" if number <= len(DEPARTMENTS) else draw.one_of(contracts),
        status="on_leave" if number == 17 else status_on(on, retired),
        hire_date=date(2015 + draw.upto(9), 4, 1),
        retire_date=retired,
        source="demo",
    )


def _pick(names: Mapping[str, str], number: int) -> str:
    return list(names)[number % len(names)]


def day_of(someone: Employee, day: date) -> AttendanceRecord:
    """Return the simulated attendance of one day."""
    draw, day_type = _Dice(f"{someone.id} {day}"), _day_type(day)
    blank = AttendanceRecord(
        date=day,
        day_type=day_type,
        scheduled_minutes=SCHEDULED_MIN,
        break_minutes=0,
        work_minutes=0,
        is_absent=False,
        source="demo",
    )
    chance = draw.upto(100)
    if someone.status == "on_leave" or (day_type != "weekday" and chance >= 6):
        return blank
    if day_type == "weekday" and chance < 5:
        return blank.model_copy(update={"paid_leave_days": 1.0 if chance < 3 else 0.5})
    if day_type == "weekday" and chance == 5:
        return blank.model_copy(update={"is_absent": True})
    record = _shift(blank, draw, at_night=someone.department == NIGHT_SHIFT and day.day % 2 == 0)
    if chance == 6:
        return record.model_copy(
            update={
                "unsettled": "the clock-out is missing",
                "segments": (),
                "breaks": (),
                "clock_out": None,
                "work_minutes": None,
            }
        )
    corrected = Figures(beyond_statutory=draw.upto(60)) if chance == 7 and day_type == "weekday" else Figures()
    return record.model_copy(update={"vendor_figures": corrected})


def _shift(blank: AttendanceRecord, draw: "_Dice", *, at_night: bool) -> AttendanceRecord:
    hours = 4 if blank.day_type != "weekday" else 9
    start = datetime.combine(blank.date, time(20 if at_night else 9), JST) + timedelta(minutes=draw.upto(20) - 10)
    end = start + timedelta(hours=hours, minutes=draw.one_of((0, 0, 15, 30, 45, 90, 180)))
    rest = Span(start=start + timedelta(hours=3), end=start + timedelta(hours=4)) if hours > 4 else Span(start=start, end=start)
    fields = {
        "segments": (Span(start=start, end=end),),
        "breaks": (rest,),
        "clock_in": start,
        "clock_out": end,
        "break_minutes": rest.minutes,
        "work_minutes": Span(start=start, end=end).minutes - rest.minutes,
    }
    return blank.model_copy(update=fields)


def _day_type(day: date) -> DayType:
    """Return the type of a day: Sundays are statutory days off, Saturdays and public holidays are prescribed ones."""
    if day.weekday() == 6:
        return "holiday"
    return "weekend" if day.weekday() == 5 or jpholiday.is_holiday(day) else "weekday"


class _Dice:
    """Random draws that depend only on the seed, on any machine and in any version of Python."""

    def __init__(self, seed: str) -> None:
        self._seed, self._drawn = seed, 0

    def upto(self, sides: int) -> int:
        """Draw a number from 0 to sides - 1."""
        self._drawn += 1
        return int.from_bytes(hashlib.sha256(f"{self._seed} {self._drawn}".encode()).digest()[:8]) % sides

    def one_of(self, choices: tuple[T, ...]) -> T:
        """Draw one of the choices."""
        return choices[self.upto(len(choices))]
