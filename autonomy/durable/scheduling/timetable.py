"""Computes due times from cron, time zone, daylight saving and Japanese holidays.

A time that a clock change leaves out comes right after it; one that comes twice is taken once. A cron that runs every hour
follows the hours as they pass instead.
"""

from bisect import bisect_right
from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta
from functools import lru_cache
from heapq import heappop, heappush
from itertools import islice, takewhile
from typing import Literal
from zoneinfo import ZoneInfo

from discovery.catalog import Frozen

HORIZON_YEARS = 5
"""How far ahead the next ticks are looked for: a cron may name a day that never comes, or one that is always a holiday."""

CRON_FIELDS = {"minute": "0-59", "hour": "0-23", "day": "1-31", "month": "1-12", "weekday": "0-7"}
"""The fields of a cron expression in their order, with what each may hold."""


def why_no_cron(cron: str) -> str:
    """The fault of a cron expression: the unreadable field and its content; empty for a valid one."""
    if _can_be_read(cron):
        return ""
    fields = cron.split()
    if len(fields) not in (1, 5, 6, 7):
        return f"it has {len(fields)} fields in place of five: {' '.join(CRON_FIELDS)}"
    for place, (name, holds) in enumerate(CRON_FIELDS.items() if len(fields) > 1 else ()):
        if not _can_be_read(" ".join(fields[place] if other == place else "*" for other in range(5))):
            return f"its {name} {fields[place][:40]!r} is not within {holds}"
    return "nobody can read it"


def _can_be_read(cron: str) -> bool:
    from croniter import croniter  # forty modules, which only a schedule needs

    try:
        return bool(croniter.is_valid(cron))
    except Exception:  # noqa: BLE001 - croniter trips over what it cannot read in many ways
        return False


class Timetable(Frozen):
    """A job's schedule as plain data (`jobs.job.Schedule`)."""

    job: str
    cron: str
    timezone: str = "Asia/Tokyo"
    holidays: Literal["run", "skip"] = "run"
    missed: Literal["run", "skip", "merge"] = "merge"
    overlap: Literal["skip", "queue"] = "skip"
    pause_after_failures: int = 3
    fans_out: bool = False
    """Whether a tick starts several runs, whose ids begin with its own and a dot."""

    def due(self, after: float, until: float, *, most: int | None = None) -> list[float]:
        """The ticks with `after < tick ≤ until`, in seconds since the epoch; the first `most` of them.

        Raises `ValueError` for a cron nobody can read.
        """
        return list(islice(takewhile(lambda tick: tick <= until, self._ticks(after)), most))

    def next(self, after: float, count: int) -> list[float]:
        """The next ticks that are not left out for a holiday; fewer when no more come within `HORIZON_YEARS`."""
        horizon = after + HORIZON_YEARS * 366 * 86_400
        coming = takewhile(lambda tick: tick <= horizon, self._ticks(after))
        return list(islice((tick for tick in coming if not self.left_out(tick)), count))

    def left_out(self, tick: float) -> str:
        """The name of the holiday for which a tick is left out, or nothing."""
        return (holiday(self.day(tick)) or "") if self.holidays == "skip" else ""

    def day(self, tick: float) -> date:
        """The day of a tick in the schedule's own time zone."""
        return datetime.fromtimestamp(tick, ZoneInfo(self.timezone)).date()

    def _ticks(self, after: float) -> Iterator[float]:
        """The ticks after a moment, in order and each once, though a clock change mixes up those within an hour or two."""
        zone, last, later = ZoneInfo(self.timezone), after, list[float]()
        for moments, earliest in self._times(after, zone):
            for moment in moments:
                heappush(later, moment)
            while later and later[0] <= earliest:
                if (tick := heappop(later)) > last:
                    yield (last := tick)
        yield from (tick for tick in sorted({*later}) if tick > last)

    def _wall_times(self, start: datetime) -> Iterator[datetime]:
        """The times after `start` that the cron names, in order; of a plain one, croniter finds the days alone, since it takes
        ten times as long for a time as for an addition."""
        from croniter import croniter

        fields = self.cron.split()
        if len(fields) != len(CRON_FIELDS):  # with seconds, or `@daily`
            clock = croniter(self.cron, start, max_years_between_matches=HORIZON_YEARS)
            while True:
                yield clock.get_next(datetime)
        times = _times_of_day(self.cron)
        midnight = start.replace(hour=0, minute=0, second=0, microsecond=0)
        days = croniter(f"0 0 {' '.join(fields[2:])}", midnight - timedelta(minutes=1), max_years_between_matches=HORIZON_YEARS)
        while True:
            day = days.get_next(datetime)
            yield from (day + time for time in times[bisect_right(times, start - day) :])

    def _times(self, after: float, zone: ZoneInfo) -> Iterator[tuple[list[float], float]]:
        """The moments of each time that the clocks show, with the earliest that any later time can have."""
        from croniter import CroniterError, croniter

        start = datetime.fromtimestamp(after, zone).replace(tzinfo=None) - timedelta(hours=3)
        try:
            fields = self.cron.split()
            hourly = fields[1].startswith("*") if len(fields) > 1 else croniter.expand(self.cron)[0][1] == ["*"]  # of `@daily`
            for wall in self._wall_times(start):
                yield _moments(wall, zone, hourly=hourly)
        except CroniterError as error:
            if "failed to find next" not in str(error).lower():
                raise ValueError(f"{self.cron!r} is no cron expression: {error}") from error
        except (OverflowError, IndexError, TypeError, KeyError) as error:
            raise ValueError(f"{self.cron!r} leads nowhere: {type(error).__name__}: {error}") from error


@lru_cache(maxsize=128)
def _times_of_day(cron: str) -> list[timedelta]:
    """The times after midnight that a cron of five fields names, in order."""
    from croniter import croniter

    minutes, hours, *_ = croniter.expand(cron)[0]
    return [
        timedelta(hours=hour, minutes=minute)
        for hour in (range(24) if hours == ["*"] else sorted(hours))
        for minute in (range(60) if minutes == ["*"] else sorted(minutes))
    ]


def holiday(day: date) -> str | None:
    """The name of the Japanese public holiday on a day."""
    import jpholiday

    name: str | None = jpholiday.is_holiday_name(day)
    return name


def run_id_of(job: str, tick: float) -> str:
    """The run of a tick: the same in whichever process it is found due."""
    return f"{job}-{datetime.fromtimestamp(tick, UTC):%Y%m%dT%H%M%SZ}"


def _moments(wall: datetime, zone: ZoneInfo, *, hourly: bool) -> tuple[list[float], float]:
    """The moments at which clocks in the zone show this time, usually one, and the first that it could stand for."""
    first, second = (wall.replace(tzinfo=zone, fold=fold).timestamp() for fold in (0, 1))
    if first == second:
        return [first], first
    left_out = datetime.fromtimestamp(first, zone).replace(tzinfo=None) != wall
    if left_out:
        return [] if hourly else [first], second
    return [first, second] if hourly else [first], first
