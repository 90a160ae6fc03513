"""A calendar month in Japan: the unit in which attendance is asked for."""

import calendar
import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, datetime, timedelta, timezone

JST = timezone(timedelta(hours=9), "JST")
"""Asia/Tokyo. Japan has had no summer time since 1951, so a fixed offset is exact and needs no time zone files."""

PATTERN = r"^\d{4}-(0[1-9]|1[0-2])$"


def in_jst(moment: datetime) -> datetime:
    """The same moment on a clock in Japan; a moment without a zone is already one of Japan's."""
    return moment.replace(tzinfo=JST) if moment.tzinfo is None else moment.astimezone(JST)


@dataclass(frozen=True, order=True)
class Month:
    """One calendar month."""

    year: int
    month: int

    @classmethod
    def parse(cls, text: str) -> "Month":
        """`YYYY-MM` → Month; ValueError for anything else."""
        if not re.match(PATTERN, text):
            raise ValueError(f"{text!r} is not a month of the form YYYY-MM")
        return cls(int(text[:4]), int(text[5:]))

    @classmethod
    def of(cls, day: date) -> "Month":
        """The month a day lies in."""
        return cls(day.year, day.month)

    @property
    def first(self) -> date:
        """Its first day."""
        return date(self.year, self.month, 1)

    @property
    def last(self) -> date:
        """Its last day."""
        return date(self.year, self.month, calendar.monthrange(self.year, self.month)[1])

    def next(self) -> "Month":
        """The month after."""
        return Month.of(self.last + timedelta(days=1))

    def previous(self) -> "Month":
        """The month before."""
        return Month.of(self.first - timedelta(days=1))

    def days(self) -> Iterator[date]:
        """Every day of it, in order."""
        for offset in range((self.last - self.first).days + 1):
            yield self.first + timedelta(days=offset)

    def __contains__(self, day: date) -> bool:
        return self.first <= day <= self.last

    def __str__(self) -> str:
        return f"{self.year:04d}-{self.month:02d}"
