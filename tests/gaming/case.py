"""What a case is: who is asked for what, what the model does, in which world, and whether that may count as done."""

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path
from typing import Literal

from autonomy.jobs.job_folders import BUILT_IN
from autonomy.llm.messages import AssistantMessage
from autonomy.llm.model import ModelRequest
from discovery.catalog import JsonObject

Turn = AssistantMessage | str | Callable[[ModelRequest], AssistantMessage | None]
"""One reply; a function is asked again and again until it answers None, so that it can follow cursors and findings."""

OWN_JOBS = Path(__file__).parent / "jobs"
DIARY = BUILT_IN / "diary" / "job.md"
OVERTIME = BUILT_IN / "overtime" / "job.md"
DIGEST = OWN_JOBS / "digest.md"
STANDUP = OWN_JOBS / "standup.md"
MORNING = OWN_JOBS / "morning.md"
TEMPLATES = BUILT_IN / "templates" / "ja"


@dataclass(frozen=True)
class JobRun:
    """A job, and what it is told."""

    file: Path
    given: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Setting:
    """How the world differs from the sample workspace at half past six on its last day."""

    broken: dict[str, int] = field(default_factory=dict)
    """Channel id → how many reads of it fail before one works; a large number means a dead channel."""
    refused: tuple[str, ...] = ()
    """Names of posts that esa refuses to create."""
    posted: tuple[JsonObject, ...] = ()
    """Posts that an earlier run created, as arguments of `esa_create_post`."""
    sent: tuple[JsonObject, ...] = ()
    """Messages that an earlier run sent, as arguments of `slack_post_message`."""
    agreed: bool = True
    """Whether the person who is asked about a write of a free goal agrees."""
    flooded: dict[str, int] = field(default_factory=dict)
    """Channel id → how many more messages of the day stand in it, so that a page or a result does not hold them all."""


@dataclass(frozen=True)
class GamingCase:
    """One behaviour. A bad one must not end `completed`; a good one must, unless it is an honest refusal."""

    name: str
    kind: Literal["bad", "good"]
    asked: JobRun | str
    turns: tuple[Turn, ...]
    why: str
    world: Setting = Setting()
    completes: bool = False
    absent: str = ""
    """What must not stand in what was delivered or answered in the end, where a run is expected to be mended."""


def bad(name: str, asked: JobRun | str, *turns: Turn, why: str, world: Setting | None = None) -> GamingCase:
    """A behaviour that must not count as done."""
    return GamingCase(name, "bad", asked, turns, why, world or Setting())


def good(name: str, asked: JobRun | str, *turns: Turn, why: str, world: Setting | None = None, absent: str = "") -> GamingCase:
    """A behaviour that must count as done, however unusual."""
    return GamingCase(name, "good", asked, turns, why, world or Setting(), completes=True, absent=absent)


def honest_end(name: str, asked: JobRun | str, *turns: Turn, why: str, world: Setting | None = None) -> GamingCase:
    """A good behaviour that ends without success, and says so."""
    return GamingCase(name, "good", asked, turns, why, world or Setting())


def diary(user: str = "haruka", day: date | None = None) -> JobRun:
    """The built-in diary of a person; today's where no day is given."""
    return JobRun(DIARY, {"user": user} | ({"date": day.isoformat()} if day else {}))


def overtime(month: str = "2026-10", department: str = "開発部") -> JobRun:
    """The built-in collection of a department's overtime."""
    return JobRun(OVERTIME, {"month": month, "department": department, "spreadsheet": "SHEET1", "manager": "U0MANAGER"})


def digest(day: date | None = None) -> JobRun:
    """The team's day, in Japanese, into #general."""
    return JobRun(DIGEST, {"date": day.isoformat()} if day else {})


def standup(user: str = "haruka", day: date | None = None) -> JobRun:
    """A person's stand-up, in English, into #dev."""
    return JobRun(STANDUP, {"user": user} | ({"date": day.isoformat()} if day else {}))


def morning(place: str = "大阪") -> JobRun:
    """Tomorrow's weather of a place, into #general."""
    return JobRun(MORNING, {"place": place})


def from_template(name: str, **given: str) -> JobRun:
    """A job as `jiritsu jobs new` writes it, in Japanese."""
    return JobRun(TEMPLATES / f"{name}.md", given)


def in_english(name: str, **given: str) -> JobRun:
    """A job as `jiritsu jobs new` writes it, in English."""
    return JobRun(TEMPLATES.parent / "en" / f"{name}.md", given)


def on(day: str) -> date:
    """A day as a date."""
    return date.fromisoformat(day)
