"""Quiet hours: when people get no questions and no reports that they did not ask for."""

from datetime import datetime, time, timedelta
from typing import Any, Literal
from zoneinfo import ZoneInfo

from pydantic import field_validator, model_validator

from autonomy.settings import TimeZone
from discovery.catalog import Frozen

LONGEST = timedelta(hours=16)
"""A result is not posted any more a day after its run, and a post not after 20 hours: longer hours would lose what they hold."""


class QuietHours(Frozen):
    """From `start` on until before `end`, each day, also across midnight."""

    start: time
    """The time of day at which they begin."""
    end: time
    """The time of day at which they end."""
    timezone: TimeZone = "Asia/Tokyo"
    """None given takes that of the settings."""
    alerts: Literal["hold", "pass"] = "hold"
    """Whether people are told at once of a schedule that paused itself, the highest kind of alert."""

    @field_validator("start", "end", mode="before")
    @classmethod
    def _sexagesimal(cls, value: Any) -> Any:
        """YAML 1.1 reads 22:00 without quotes as a number to the base of 60 (yaml.org/type/int.html); 7:00 is 07:00."""
        if isinstance(value, str) and value[1:2] == ":":
            return f"0{value}"
        return time(*divmod(value, 60)) if isinstance(value, int) and 0 <= value < 24 * 60 else value

    @model_validator(mode="after")
    def _not_for_ever(self) -> "QuietHours":
        if self.start.tzinfo or self.end.tzinfo:
            raise ValueError("give times without an offset; the zone is `timezone`")
        begins, ends = (timedelta(hours=one.hour, minutes=one.minute, seconds=one.second) for one in (self.start, self.end))
        length = (ends - begins) % timedelta(days=1)
        if not timedelta(0) < length <= LONGEST:
            raise ValueError(f"from {self.start:%H:%M} until {self.end:%H:%M} is not between a minute and 16 hours")
        return self

    def until(self, moment: float) -> float | None:
        """The end of the quiet hours that contain a moment (seconds since the epoch); None if none do."""
        zone = ZoneInfo(self.timezone)
        local = datetime.fromtimestamp(moment, zone)
        now = local.time().replace(fold=0)
        across = self.start > self.end
        if not (now >= self.start or now < self.end if across else self.start <= now < self.end):
            return None
        day = local.date() + timedelta(days=across and now >= self.start)
        # an end that comes twice in a night on which clocks go back is the one that is still to come
        ends = (datetime.combine(day, self.end, zone).replace(fold=fold).timestamp() for fold in (0, 1))
        return next((end for end in ends if end > moment), moment + 1)

    def ends(self, moment: float, timezone: str) -> str:
        """The time of day at which they end, in the zone of the times beside it; empty when the moment lies in none."""
        until = self.until(moment)
        return f"{datetime.fromtimestamp(until, ZoneInfo(timezone)):%H:%M}" if until is not None else ""


def is_quiet(hours: QuietHours | None, moment: float) -> bool:
    """Whether a moment (seconds since the epoch) lies in the quiet hours, where there are any."""
    return hours is not None and hours.until(moment) is not None
