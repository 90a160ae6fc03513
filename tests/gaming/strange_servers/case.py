"""What such a case is: a goal, the calls of a scripted model turn by turn, its answer, and whether that may count as done."""

from dataclasses import dataclass, field
from typing import Any

from tests.gaming.strange_servers.company import day, iso

Call = tuple[str, dict[str, Any]]


@dataclass(frozen=True)
class StrangeCase:
    """One run."""

    name: str
    language: str
    good: bool
    why: str
    goal: str
    turns: list[list[Call]]
    answer: str
    faults: dict[str, Any] = field(default_factory=dict)
    """Tool → how it fails; see `servers.py`."""

    @property
    def kind(self) -> str:
        """`good` or `bad`."""
        return "good" if self.good else "bad"


def bad(name: str, language: str, why: str, goal: str, turns: list[list[Call]], answer: str, **more: Any) -> StrangeCase:
    """A run that must not count as done."""
    return StrangeCase(name, language, False, why, goal, turns, answer, **more)


def good(name: str, language: str, why: str, goal: str, turns: list[list[Call]], answer: str, **more: Any) -> StrangeCase:
    """A run that must count as done."""
    return StrangeCase(name, language, True, why, goal, turns, answer, **more)


def c(tool: str, **arguments: Any) -> Call:
    """A call."""
    return tool, arguments


def en(n: int) -> str:
    """The day in so many days, in English."""
    at_day = day(n)
    return f"{at_day:%A} {at_day.day} {at_day:%B}"


def ja(n: int) -> str:
    """The same in Japanese."""
    at_day = day(n)
    return f"{at_day.month}月{at_day.day}日({'月火水木金土日'[at_day.weekday()]})"


def at(n: int, time: str) -> str:
    """A time of that day in Tokyo."""
    return f"{iso(n)}T{time}:00+09:00"
