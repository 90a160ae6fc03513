"""Parses days, weeks and months, absolute and relative, in Japanese and English."""

import re
import unicodedata
from calendar import monthrange
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta

from autonomy.llm.offline.vocabulary import LANGUAGES
from discovery.catalog import JsonObject
from metrics.text.phrases import patterns_of

Month = tuple[int, int]
"""Year and month."""

_KANJI = ("一", "二", "三", "四", "五", "六", "七", "八", "九", "十", "十一", "十二")
_ENGLISH = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_NEAR = {word: offset for language in LANGUAGES.values() for word, offset in language.months.items()}
_YEARS = {word: offset for language in LANGUAGES.values() for word, offset in language.years.items()}
_AHEAD = re.compile("|".join(language.ahead for language in LANGUAGES.values()), re.IGNORECASE)
"""Such a goal looks ahead; any other asks for what was."""
_YEAR = rf"(?:(?P<year>\d{{4}})\s*年?|(?P<which>(?i:{'|'.join(_YEARS)})))"
_NUMBER = rf"1[0-2]|0?[1-9]|{'|'.join(sorted(_KANJI, key=len, reverse=True))}"
_NAME = (
    r"(?i:jan(?:uary)?|feb(?:ruary)?|apr(?:il)?|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)"
    r"|March|Mar|May(?!\s+(?:I|we|you|he|she|they|it)\b)"
)
_PATTERNS = tuple(
    re.compile(pattern)
    for pattern in (
        rf"(?<![A-Za-z])(?P<near>(?i:{'|'.join(sorted(_NEAR, key=len, reverse=True))}))",
        rf"(?:{_YEAR}\s*の?\s*)?(?<![\d{''.join(_KANJI[:10])}])(?P<number>{_NUMBER})月(?!曜)",
        r"(?<!\d)(?P<year>\d{4})[-/.](?P<number>1[0-2]|0?[1-9])(?!\d)",
        rf"(?<![A-Za-z])(?P<name>{_NAME})(?![A-Za-z])\.?(?:,?\s+(?:of\s+)?{_YEAR})?",
    )
)


def takes_month(schema: JsonObject) -> bool:
    """Whether an argument is a month: its pattern takes `2026-10`, and neither a day nor anything shorter."""
    pattern = schema.get("pattern")
    if not isinstance(pattern, str):
        return False
    try:
        fits: Callable[[str], object] = re.compile(pattern).search
        return bool(fits("2026-10")) and not any(fits(other) for other in ("2026-10-01", "2026", "10", "x"))
    except re.error:
        return False


def months_in(goal: str, today: date) -> list[str]:
    """The months a goal speaks of, as `YYYY-MM`, in its order.

    A month without a year is the last one that has begun, or in a goal that looks ahead the next that has not ended.
    """
    goal = unicodedata.normalize("NFKC", goal)
    found = sorted((match.start(), _month(match, goal, today)) for match in _matches(goal))
    return list(dict.fromkeys(f"{year:04}-{month:02}" for _, (year, month) in found))


_DAY_IN_DIGITS = re.compile(r"(?<![\d./-])(\d{4})([-/])(\d{1,2})\2(\d{1,2})(?![\d/-])")


def impossible_day(goal: str) -> str:
    """The first day of a goal, written as `2026-02-30` or `2026/02/30`, that no calendar has; empty where there is none."""
    for match in _DAY_IN_DIGITS.finditer(unicodedata.normalize("NFKC", goal)):
        try:
            date(int(match[1]), int(match[3]), int(match[4]))
        except ValueError:
            return match.group()
    return ""


def _matches(goal: str) -> list[re.Match[str]]:
    """What speaks of months; of two that overlap, the one of the earlier pattern."""
    taken: list[re.Match[str]] = []
    for pattern in _PATTERNS:
        for match in pattern.finditer(goal):
            if all(match.end() <= other.start() or match.start() >= other.end() for other in taken):
                taken.append(match)
    return taken


def _month(match: re.Match[str], goal: str, today: date) -> Month:
    parts = match.groupdict()
    if near := parts.get("near"):
        return _moved((today.year, today.month), _NEAR[near.lower()])
    month = _number(parts.get("number") or parts["name"])
    if parts.get("year"):
        return int(parts["year"]), month
    if parts.get("which"):
        return today.year + _YEARS[parts["which"].lower()], month
    if _AHEAD.search(goal):
        return today.year + (month < today.month), month
    return today.year - (month > today.month), month


def _number(word: str) -> int:
    if word.isdecimal():
        return int(word)
    return _KANJI.index(word) + 1 if word in _KANJI else _ENGLISH.index(word[:3].lower()) + 1


def _moved(month: Month, by: int) -> Month:
    year, zero_based = divmod(month[0] * 12 + month[1] - 1 + by, 12)
    return year, zero_based + 1


@dataclass(frozen=True)
class TimeSpan:
    """Days that a question speaks of: its words, the first and the last day, and where the words stand."""

    words: str
    first: date
    last: date
    at: int
    end: int

    @property
    def hours(self) -> tuple[time, time] | None:
        """Between which times of the day, where its words mean a part of one (this morning); None for whole days."""
        return _PARTS_OF_DAY.get(self.words.casefold())

    def holds(self, day: date) -> bool:
        """Whether the day is one of them."""
        return self.first <= day <= self.last

    def covers(self, moment: datetime) -> bool:
        """Whether the moment is on one of them, within its hours."""
        begin, end = self.hours or (time.min, time.max)
        return self.holds(moment.date()) and begin <= moment.time() <= end


_PARTS_OF_DAY = {word: hours for language in LANGUAGES.values() for word, hours in language.parts_of_day.items()}
_DAYS = {word: offset for language in LANGUAGES.values() for word, offset in language.days.items()}
_WEEKS = {word: offset for language in LANGUAGES.values() for word, offset in language.weeks.items()}
_WEEKDAYS = {word: index for language in LANGUAGES.values() for index, word in enumerate(language.weekdays)}
_PAST = patterns_of("autonomy.llm.offline")["past"]


def _words(table: Iterable[str]) -> str:
    words = sorted(table, key=lambda word: (-len(word), word))
    return "|".join(rf"\b{re.escape(word)}\b" if word.isascii() else re.escape(word) for word in words)


_COUNTS = {word: number for language in LANGUAGES.values() for word, number in language.numbers.items()}
_COUNTED = rf"\d+|{_words(_COUNTS)}"
_FROM = {"tomorrow": 1, "yesterday": -1}
"""From which day on an expression such as `a week from tomorrow` counts."""
_COMING = ("next", "coming", "この先", "向こう")
"""Counts days from today on; any other word of its kind counts those that end with today."""
_ORDINAL = r"\d{1,2}(?:st|nd|rd|th)?"
_WEEKDAY = rf"(?P<weekday>{_words(_WEEKDAYS)})日?"
_SPAN_PATTERNS = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        rf"\b(?:from\s+)?(?:the\s+)?(?P<day>{_ORDINAL})\s*(?:[-–]|to|until|till|through)\s*(?:the\s+)?(?P<to_day>{_ORDINAL})"
        rf"\s+(?:of\s+)?(?P<name>{_NAME})\b(?:,?\s+(?P<year>\d{{4}}))?",
        rf"\bbetween\s+(?:the\s+)?(?P<day>{_ORDINAL})\s+and\s+(?:the\s+)?(?P<to_day>{_ORDINAL})"
        rf"\s+(?:of\s+)?(?P<name>{_NAME})\b(?:,?\s+(?P<year>\d{{4}}))?",
        rf"\b(?:(?:over\s+)?the\s+weekend\s+(?:of\s+)?)?(?:the\s+)?(?P<day>{_ORDINAL})\s+(?P<pair>and)\s+(?:the\s+)?(?P<to_day>{_ORDINAL})"
        rf"\s+(?:of\s+)?(?P<name>{_NAME})\b(?:,?\s+(?P<year>\d{{4}}))?",
        rf"\b(?:from\s+)?(?P<name>{_NAME})\.?\s+(?P<day>{_ORDINAL})\s*(?:[-–]|to|until|till|through)\s*(?:the\s+)?(?P<to_day>{_ORDINAL})"
        rf"(?![\d:]|st|nd|rd|th|\s+(?:{_NAME}))(?:,?\s+(?P<year>\d{{4}}))?",
        r"(?<!\d)(?P<month>\d{1,2})\s*月\s*(?P<day>\d{1,2})\s*日?\s*(?:から|[-〜～~–])\s*(?P<to_day>\d{1,2})\s*日(?:まで)?(?:の間)?(?:に|の)?",
        r"(?<!\d)(?P<year>\d{4})(?:[-/.]|\s*年\s*)(?P<month>\d{1,2})(?:[-/.]|\s*月\s*)(?P<day>\d{1,2})(?!\d)日?",
        r"(?<!\d)(?P<month>\d{1,2})\s*月\s*(?P<day>\d{1,2})\s*日",
        r"(?<![\d/])(?P<month>1[0-2]|0?[1-9])/(?P<day>[12]\d|3[01]|0?[1-9])(?![\d/])",
        rf"\b(?P<name>{_NAME})\.?\s+(?P<day>\d{{1,2}})(?:st|nd|rd|th)?\b(?:,?\s+(?P<year>\d{{4}}))?",
        rf"\b(?P<day>\d{{1,2}})(?:st|nd|rd|th)?\s+(?:of\s+)?(?P<name>{_NAME})\b(?:,?\s+(?P<year>\d{{4}}))?",
        r"\bthe\s+(?P<day>\d{1,2})(?:st|nd|rd|th)\b(?!\s+(?:of|day|time|person|one|post|message|page))",
        r"(?<![\d月年第])(?P<day>\d{1,2})日(?=[のにはもから、まで]|以降|$)(?!ごと|おき)",
        rf"(?P<number>{_COUNTED})\s*(?P<unit>日|週間)(?P<away>前|後)",
        rf"(?<![\w.])(?P<number>{_COUNTED})\s+(?P<unit>day|week)s?\s+(?P<away>ago|later|from (?:now|today|tomorrow|yesterday))\b",
        rf"\bin\s+(?P<number>{_COUNTED})\s+(?P<unit>day|week)s?\b",
        rf"\b(?P<reach>last|past|next|coming)\s+(?P<number>{_COUNTED})\s+(?P<unit>day|week)s?\b",
        rf"(?P<reach>直近の?|過去|ここ|この先|向こう)(?P<number>{_COUNTED})(?P<unit>日|週)間?",
        rf"(?P<week>{_words(_WEEKS)})(?:の?\s*|\s+(?:on\s+)?){_WEEKDAY}",
        rf"{_WEEKDAY}(?:\s+of)?\s+(?P<week>{_words(word for word in _WEEKS if word.isascii())})",
        r"(?P<weekend>(?P<past_weekend>この前の|前の|先週の?|先|\blast\s+)?(?:今度の|次の|今週の?|今|\b(?:this|next|the)\s+)?(?:週末|土日|\bweekend\b))",
        rf"(?:今度の|次の|\b(?P<which>next|this|last|on)\s+)?{_WEEKDAY}(?![^\W\d_]*ly)",
        rf"\b(?P<shifts>(?:the\s+day\s+(?:before|after)\s+)+)(?P<offset>{_words(_DAYS)})",
        rf"(?P<offset>{_words(_DAYS)})",
        rf"(?<!every )(?<!each )(?<!per )(?P<week>{_words(_WEEKS)})",
    )
)


_TO = re.compile(r"\s*(?P<word>and|to|until|till|through|から|[〜～~])\s*(?:the\s+)?", re.IGNORECASE)
_BESIDE = re.compile(r"[\s,、(（]{0,3}の?")
"""What stands between a date and its weekday (Friday the 13th, 月曜の16日)."""
_BETWEEN = re.compile(r"\b(?:between|from)\s+(?:the\s+)?$", re.IGNORECASE)
_THROUGH = re.compile(r"(?:まで)?(?:の間)?(?:に|の)?")
_SINCE = re.compile(r"\bsince\s+(?:the\s+)?$", re.IGNORECASE)
_ONWARDS = re.compile(r"(?:以降|以来)(?:に|の)?|\s+onwards?\b", re.IGNORECASE)


def spans_in(goal: str, today: date, *, past: bool = False) -> list[TimeSpan]:
    """The days a question speaks of, in its order; a longer expression hides the shorter ones inside it (一昨日 holds no
    昨日). `past`: it asks for what was, whatever its words."""
    goal = unicodedata.normalize("NFKC", goal)
    was = past or _PAST.search(goal) is not None
    taken: list[TimeSpan] = []
    for pattern in _SPAN_PATTERNS:
        for match in pattern.finditer(goal):
            if all(match.end() <= other.at or match.start() >= other.end for other in taken) and (
                days := _days(match, goal, today, was=was)
            ):
                taken.append(TimeSpan(match.group().strip(), *days, match.start(), match.end()))
    for match in _matches(goal):
        if all(match.end() <= other.at or match.start() >= other.end for other in taken):
            year, month = _month(match, goal, today)
            last = date(year, month, monthrange(year, month)[1])
            taken.append(TimeSpan(match.group().strip(), date(year, month, 1), last, match.start(), match.end()))
    return _joined(sorted(taken, key=lambda span: span.at), goal, today)


def _joined(spans: Sequence[TimeSpan], goal: str, today: date) -> list[TimeSpan]:
    """The times of a question, with two ends as one span, and a beginning that reaches to today as one."""
    joined: list[TimeSpan] = []
    for span in spans:
        begin = joined[-1] if joined else None
        if begin and (joining := _TO.fullmatch(goal[begin.end : span.at])):
            opening = _BETWEEN.search(goal[: begin.at]) if joining["word"].isascii() else None
            if opening or not joining["word"].isascii():
                joined[-1] = _between(begin, span, goal, opening.start() if opening else begin.at, today)
                continue
        if begin and _BESIDE.fullmatch(goal[begin.end : span.at]) and (day := _one_day(begin, span)):
            joined[-1] = TimeSpan(goal[begin.at : span.end].strip(), day, day, begin.at, span.end)
            continue
        joined.append(span)
    return [_since(span, goal, today) for span in joined]


def _one_day(one: TimeSpan, other: TimeSpan) -> date | None:
    """The day that a date and the name of its weekday mean together; None for two times."""
    if one.first != one.last or other.first != other.last or one.first.weekday() != other.first.weekday():
        return None
    numbered = [span.first for span in (one, other) if re.search(r"\d", span.words)]
    weekdays = [span for span in (one, other) if re.search(_WEEKDAY, span.words, re.IGNORECASE)]
    return numbered[0] if len(numbered) == len(weekdays) == 1 else None


def _between(begin: TimeSpan, end: TimeSpan, goal: str, at: int, today: date) -> TimeSpan:
    """From the one to the other; of weekdays that stand the wrong way round, the one that was guessed wrongly is moved by a week."""
    first, last, week = begin.first, end.last, timedelta(days=7)
    if last < first:
        first, last = (first - week, last) if first > today >= last else (first, last + week)
    through = _THROUGH.match(goal[end.end :])
    closed = end.end + (through.end() if through else 0)
    return TimeSpan(goal[at:closed].strip(), first, last, at, closed)


def _since(span: TimeSpan, goal: str, today: date) -> TimeSpan:
    """A time with `since` before it, or 以降 behind it, reaches to today; any other is as it was."""
    before, behind = _SINCE.search(goal[: span.at]), _ONWARDS.match(goal, span.end)
    if span.first > today or not (before or behind):
        return span
    at, end = before.start() if before else span.at, behind.end() if behind else span.end
    return TimeSpan(goal[at:end].strip(), span.first, max(today, span.last), at, end)


def without_spans(goal: str, spans: Iterable[TimeSpan]) -> str:
    """The goal with a comma in place of each time, and its letters and digits of the common width."""
    goal = unicodedata.normalize("NFKC", goal)
    for span in sorted(spans, key=lambda span: -span.at):
        goal = f"{goal[: span.at]}、{goal[span.end :]}"
    return goal


def _days(match: re.Match[str], goal: str, today: date, *, was: bool) -> tuple[date, date] | None:
    parts = match.groupdict()
    if parts.get("offset"):
        shifts = (parts.get("shifts") or "").lower().split()
        by = _DAYS[parts["offset"].lower()] + shifts.count("after") - shifts.count("before")
        day = today + timedelta(days=by)
        return day, day
    if parts.get("number"):
        number, away = parts["number"].lower(), (parts.get("away") or "").lower()
        days = min(_COUNTS.get(number) or int(number), 999) * (7 if parts["unit"].lower() in ("週間", "週", "week") else 1)
        if reach := (parts.get("reach") or "").lower():
            other_days = timedelta(days=max(days - 1, 0))
            return (today, today + other_days) if reach in _COMING else (today - other_days, today)
        day = today + timedelta(days=(-days if away in ("前", "ago") else days) + _FROM.get(away.rpartition(" ")[2], 0))
        return day, day
    if parts.get("weekday") or parts.get("week") or parts.get("weekend"):
        return _in_week(parts, today, was=was)
    if not parts.get("month") and not parts.get("name"):
        return _day_of_month(int(parts["day"]), goal, today)
    two_days = parts.get("to_day") and parts.get("name") and match.start("day") < match.start("name")
    before = goal[: match.start("day")].rstrip() if two_days else ""
    if any(month.end() == len(before) for month in _PATTERNS[-1].finditer(before)):
        return None  # 12 to 14 November, of November 12 to 14 November
    month = int(parts["month"]) if parts.get("month") else _number(parts["name"])
    try:
        day = date(int(parts["year"]) if parts.get("year") else today.year, month, _ordinal(parts["day"]))
        last = day.replace(day=_ordinal(parts["to_day"])) if parts.get("to_day") else day
    except ValueError:
        return None
    if parts.get("pair") and last - day != timedelta(days=1):
        return None  # 3 and 9 November are no days from one to the other
    return (day, last) if day <= last else None


def _ordinal(ordinal: str) -> int:
    """The number of a day: 6 of `6` and of `6th`."""
    return int(ordinal[:2]) if ordinal[:2].isdecimal() else int(ordinal[0])


def _day_of_month(number: int, goal: str, today: date) -> tuple[date, date] | None:
    """A day without its month (the 19th, 19日): the last one, or the next where the question looks ahead."""
    ahead = _AHEAD.search(goal) is not None
    for by in (0, 1) if ahead else (0, -1):
        year, month = _moved((today.year, today.month), by)
        if number <= monthrange(year, month)[1] and number > 0:
            day = date(year, month, number)
            if day >= today if ahead else day <= today:
                return day, day
    return None


def _in_week(parts: Mapping[str, str | None], today: date, *, was: bool) -> tuple[date, date]:
    """A weekday, a weekend or a whole week. `this week` of a question is the coming seven days, as forecasts have it."""
    weekday, week = parts.get("weekday"), parts.get("week")
    monday = today - timedelta(days=today.weekday())
    if weekday and week:
        day = monday + timedelta(days=7 * _WEEKS[week.lower()] + _WEEKDAYS[weekday.lower()])
        return day, day
    if weekday:
        ahead = (_WEEKDAYS[weekday.lower()] - today.weekday()) % 7
        which = (parts.get("which") or "").lower()
        if which == "last" or (which in ("", "on") and was):
            ahead = ahead - 7
        elif which == "next" and ahead == 0:
            ahead = 7
        day = today + timedelta(days=ahead)
        return day, day
    if parts.get("weekend"):
        saturday = monday + timedelta(days=5)
        if parts.get("past_weekend") or (was and today < saturday):
            return saturday - timedelta(days=7), saturday - timedelta(days=6)
        return max(saturday, today), saturday + timedelta(days=1)
    offset = _WEEKS[str(week).lower()]
    if offset == 0:
        return (monday, today) if was else (today, today + timedelta(days=6))
    return monday + timedelta(days=7 * offset), monday + timedelta(days=7 * offset + 6)


def begins_ahead(text: str, day: date) -> bool:
    """Whether a text of that day begins with a time to come, and so tells what is planned (Tomorrow: …)."""
    return any(span.at == 0 and span.first > day for span in spans_in(text, day))
