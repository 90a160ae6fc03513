"""Computes due times from cron, time zone, daylight saving and Japanese holidays.

A time that a clock change leaves out comes right after it; one that comes twice is taken once. A cron that runs every hour
follows the hours as they pass instead.
"""

from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta
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

    def _times(self, after: float, zone: ZoneInfo) -> Iterator[tuple[list[float], float]]:
        """The moments of each time that the clocks show, with the earliest that any later time can have."""
        from croniter import CroniterError, croniter

        start = datetime.fromtimestamp(after, zone).replace(tzinfo=None) - timedelta(hours=3)
        try:
            clock = croniter(self.cron, start, max_years_between_matches=HORIZON_YEARS)
            fields = self.cron.split()
            hourly = fields[1].startswith("*") if len(fields) > 1 else croniter.expand(self.cron)[0][1] == ["*"]  # of `@daily`
            while True:
                yield _moments(clock.get_next(datetime), zone, hourly=hourly)
        except CroniterError as error:
            if "failed to find next" not in str(error).lower():
                raise ValueError(f"{self.cron!r} is no cron expression: {error}") from error
        except (OverflowError, IndexError, TypeError, KeyError) as error:
            raise ValueError(f"{self.cron!r} leads nowhere: {type(error).__name__}: {error}") from error


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
