"""Represents a calendar month in Japan, the unit of attendance."""

import calendar
import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, datetime, timedelta, timezone

JST = timezone(timedelta(hours=9), "JST")
"""Asia/Tokyo as a fixed offset, which needs no time zone data. Japan has had no summer time since 1951."""

PATTERN = "^(19|20)[0-9]{2}-(0[1-9]|1[0-2])$"


def in_jst(moment: datetime) -> datetime:
    """Convert a time to Japan's zone. A time without a zone is taken to be in Japan."""
    return moment.replace(tzinfo=JST) if moment.tzinfo is None else moment.astimezone(JST)


@dataclass(frozen=True, order=True)
class Month:
    """One calendar month."""

    year: int
    month: int

    @classmethod
    def parse(cls, text: str) -> "Month":
        """Parse `YYYY-MM`. Raises ValueError for anything else."""
        if not re.fullmatch(PATTERN, text):
            raise ValueError(f"{text!r} is not a month of the form YYYY-MM")
        return cls(int(text[:4]), int(text[5:]))

    @classmethod
    def of(cls, day: date) -> "Month":
        """Return the month of a day."""
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
        """Return the month after."""
        return Month.of(self.last + timedelta(days=1))

    def previous(self) -> "Month":
        """Return the month before."""
        return Month.of(self.first - timedelta(days=1))

    def days(self) -> Iterator[date]:
        """Yield every day, in order."""
        for offset in range((self.last - self.first).days + 1):
            yield self.first + timedelta(days=offset)

    def __contains__(self, day: date) -> bool:
        return self.first <= day <= self.last

    def __str__(self) -> str:
        return f"{self.year:04d}-{self.month:02d}"
