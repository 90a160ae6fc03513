"""The months that a goal speaks of, for tools that take one as `YYYY-MM`; called by the offline planner for a goal in words."""

import re
import unicodedata
from collections.abc import Callable
from datetime import date

from discovery.catalog import JsonObject

Month = tuple[int, int]
"""Year and month."""

_KANJI = ("一", "二", "三", "四", "五", "六", "七", "八", "九", "十", "十一", "十二")
_ENGLISH = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_NEAR = {
    "先々月": -2,
    "先月": -1,
    "前月": -1,
    "今月": 0,
    "当月": 0,
    "来月": 1,
    "再来月": 2,
    "month before last": -2,
    "last month": -1,
    "previous month": -1,
    "this month": 0,
    "current month": 0,
    "next month": 1,
}
_YEARS = {"一昨年": -2, "昨年": -1, "去年": -1, "last year": -1, "今年": 0, "本年": 0, "this year": 0, "来年": 1, "next year": 1}
_AHEAD = re.compile(r"予定|計画|シフト|見込|\b(?:plan|schedule|upcoming|forecast)", re.IGNORECASE)
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


def without_months(goal: str) -> str:
    """The goal with a comma in place of each month, and its letters and digits of the common width."""
    goal = unicodedata.normalize("NFKC", goal)
    for match in sorted(_matches(goal), key=lambda match: -match.start()):
        goal = f"{goal[: match.start()]}、{goal[match.end() :]}"
    return goal


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
