"""Typed inputs of a job, with words such as `today` or `last month` for times."""

import re
import unicodedata
from calendar import monthrange
from datetime import date, timedelta
from typing import Literal

from discovery.catalog import Frozen

InputType = Literal["text", "date", "month", "week", "person", "channel"]


class Input(Frozen):
    """Something a run of the job is told."""

    description: str = ""
    type: InputType = "text"
    default: str = ""
    """For a time also a word (`WORDS`), read in the job's time zone."""
    required: bool = False
    example: str = ""
    """A value that the sample knows: what somebody who tries the job gives."""


class CalendarMonth(date):
    """A month, as its first day; written YYYY-MM."""

    def __str__(self) -> str:
        return f"{self:%Y-%m}"

    @property
    def end(self) -> date:
        """Its last day."""
        return date(self.year, self.month, monthrange(self.year, self.month)[1])


class Week(date):
    """An ISO week, as its Monday; written YYYY-Www."""

    def __str__(self) -> str:
        return f"{self:%G-W%V}"

    @property
    def end(self) -> date:
        """Its Sunday."""
        return date.fromordinal(self.toordinal() + 6)


_DAYS = {
    0: ("today", "今日", "きょう", "本日"),
    -1: ("yesterday", "昨日", "きのう"),
    1: ("tomorrow", "明日", "あした"),
    -2: ("一昨日", "おととい"),
    2: ("明後日", "あさって"),
}

WORDS: dict[str, dict[str, int]] = {
    "date": {word: days for days, words in _DAYS.items() for word in words},
    "month": {"this month": 0, "今月": 0, "last month": -1, "先月": -1, "next month": 1, "来月": 1},
    "week": {"this week": 0, "今週": 0, "last week": -1, "先週": -1, "next week": 1, "来週": 1},
}
"""How many days, months or weeks from today each word is."""

_MONTH_ENDS = {
    0: ("end of month", "end of this month", "月末", "今月末"),
    -1: ("end of last month", "先月末"),
    1: ("end of next month", "来月末"),
}
_LAST_DAYS = {word: months for months, words in _MONTH_ENDS.items() for word in words}
_DAYS_AWAY = {
    -1: ("day ago", "days ago", "日前"),
    -7: ("week ago", "weeks ago", "週間前"),
    1: ("day from now", "days from now", "日後"),
    7: ("week from now", "weeks from now", "週間後"),
}
_EACH_IS = {word: days for days, words in _DAYS_AWAY.items() for word in words}
_COUNTED = re.compile(r"(\d{1,4}) ?(\D+)")
_WRITTEN_DAY = re.compile(r"(\d{4})(?:/(\d{1,2})/(\d{1,2})|年(\d{1,2})月(\d{1,2})日)")

FORMS = {"date": "YYYY-MM-DD", "month": "YYYY-MM", "week": "YYYY-Www"}
SAMPLES: dict[InputType, str] = {
    "text": "1",  # it may stand where a figure does
    "date": "2026-01-31",
    "month": "2026-01",
    "week": "2026-W05",
    "person": "x",
    "channel": "x",
}
"""A value of each type, to try a job file with."""

_NAME = re.compile(r"[^\s@#<>|,、，]+(?: [^\s@#<>|,、，]+)*")


def read_input(kind: InputType, text: str, today: date) -> str | date:
    """The value that is meant. Raises `ValueError` saying what would do."""
    if kind == "text":
        return text
    if kind in ("person", "channel"):
        return _name(kind, text)
    words = WORDS[kind]
    try:
        plain = unicodedata.normalize("NFKC", text).strip().lower()
        return _time(kind, words.get(plain.replace("-", " ")), plain, today)
    except ValueError as error:
        examples = ", ".join(
            [*(word for word in words if word.isascii()), *(("3 days ago", "end of month") if kind == "date" else ())]
        )
        raise ValueError(f"{text!r} is no {kind} (say {examples} or {FORMS[kind]})") from error


def _name(kind: str, text: str) -> str:
    """A name without the sign that people write before it, and with a plain blank for a wide one; empty stays empty."""
    name = text.strip().lstrip("@#").replace("\u3000", " ")
    if name and not _NAME.fullmatch(name):
        raise ValueError(f"{text!r} is no {kind}: give one name or ID")
    return name


def _time(kind: str, away: int | None, text: str, today: date) -> date:
    if kind == "date":
        return _day(text, today) if away is None else today + timedelta(days=away)
    if kind == "month":
        months = None if away is None else today.year * 12 + today.month - 1 + away
        year, month = (
            map(int, _parts(r"(\d{4})(?:-|/|年)(\d{1,2})月?", text)) if months is None else (months // 12, months % 12 + 1)
        )
        return CalendarMonth(year, month, 1)
    if away is None:
        year, number = map(int, _parts(r"(\d{4})-w(\d{2})", text))
        monday = date.fromisocalendar(year, number, 7) - timedelta(days=6)  # the last one has no Sunday, and no end
    else:
        monday = today - timedelta(days=today.weekday()) + timedelta(weeks=away)
    return Week(monday.year, monday.month, monday.day)


def _day(text: str, today: date) -> date:
    """The day of an ISO date, of `2026/11/28` or 2026年11月28日, of `3 days ago`, or the last of a month."""
    if (months := _LAST_DAYS.get(text.replace("-", " "))) is not None:
        month = today.year * 12 + today.month - 1 + months
        return CalendarMonth(month // 12, month % 12 + 1, 1).end
    if written := _WRITTEN_DAY.fullmatch(text):
        year, month, day = (int(part) for part in written.groups() if part)
        return date(year, month, day)
    if (counted := _COUNTED.fullmatch(text)) and counted[2] in _EACH_IS:
        return today + timedelta(days=int(counted[1]) * _EACH_IS[counted[2]])
    return date.fromisoformat(text.upper())


def _parts(form: str, text: str) -> tuple[str, ...]:
    found = re.fullmatch(form, text)
    if found is None:
        raise ValueError(text)
    return found.groups()
