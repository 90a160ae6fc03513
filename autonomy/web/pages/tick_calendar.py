"""Lays the ticks of all schedules out as a calendar: last week, this one and the next two."""

from collections import Counter
from collections.abc import Iterable, Sequence
from datetime import date, datetime, timedelta
from typing import Literal, NamedTuple
from zoneinfo import ZoneInfo

from autonomy.jobs.job import Job

WEEKS_BACK, WEEKS_AHEAD = 1, 2
"""Beside the present week."""

MOST_OF_JOB = 2000
"""Ticks of one job before now, and to come: those of a job of every quarter of an hour. One of every minute has 30,000."""

MOST_A_DAY = 5
"""Ticks shown of one day; the rest is counted."""


TickEnding = Literal["run", "skipped", "merged", "coming", "paused", "off"]


class CalendarTick(NamedTuple):
    """One tick of a job's schedule, past or to come."""

    at: float
    job: Job
    did: TickEnding
    """`paused`: it would come if its schedule did not stand still; `off`: if its job, which came with us, were on."""
    reason: str = ""
    run_id: str = ""


class CalendarDay(NamedTuple):
    """A day, and the ticks that are shown of it."""

    day: date
    is_today: bool
    ticks: Sequence[CalendarTick]
    left_out: int


def window(now: float, zone: ZoneInfo) -> tuple[float, float]:
    """The bounds of the calendar, in seconds since the epoch: at the midnights before two Mondays."""
    today = datetime.fromtimestamp(now, zone).replace(hour=0, minute=0, second=0, microsecond=0)
    monday = today - timedelta(days=today.weekday())
    return (monday - timedelta(weeks=WEEKS_BACK)).timestamp(), (monday + timedelta(weeks=1 + WEEKS_AHEAD)).timestamp()


def lay_out(ticks: Iterable[CalendarTick], now: float, zone: ZoneInfo) -> list[list[CalendarDay]]:
    """The weeks, Monday first, each of seven days."""
    begin, _ = window(now, zone)
    first, today = datetime.fromtimestamp(begin, zone).date(), datetime.fromtimestamp(now, zone).date()
    by_day: dict[date, list[CalendarTick]] = {}
    for tick in sorted(ticks, key=lambda one: one.at):
        by_day.setdefault(datetime.fromtimestamp(tick.at, zone).date(), []).append(tick)

    def of(day: date) -> CalendarDay:
        day_ticks = by_day.get(day, [])
        return CalendarDay(day, day == today, _of_each_job(day_ticks), max(0, len(day_ticks) - MOST_A_DAY))

    weeks = range(WEEKS_BACK + 1 + WEEKS_AHEAD)
    return [[of(first + timedelta(days=7 * week + day)) for day in range(7)] for week in weeks]


def _of_each_job(day_ticks: Sequence[CalendarTick]) -> list[CalendarTick]:
    """The ticks shown of a day: the first of each job before the second of any, so that none of every minute hides the others."""
    seen = Counter[str]()

    def turn(tick: CalendarTick) -> int:
        seen[tick.job.name] += 1
        return seen[tick.job.name]

    return sorted(sorted(day_ticks, key=turn)[:MOST_A_DAY], key=lambda tick: tick.at)
