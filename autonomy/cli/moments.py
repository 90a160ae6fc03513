"""Reads moments that people give to commands: a span before now, a date, or a time."""

import re
from datetime import datetime, timedelta

import click

_UNITS = {"m": "minutes", "h": "hours", "d": "days", "w": "weeks"}
LAST_UPGRADE = "last-upgrade"


class Moment(click.ParamType[str]):
    """`7d`, `12h`, `2w` (ago), `2026-11-20` or `2026-11-20T09:00`; turned into a time by `moment_of`."""

    name = "when"
    wanted = "neither a span such as 7d, 12h or 2w nor a date such as 2026-11-20"

    def convert(self, value: str, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """Refuse what is no time."""
        try:
            moment_of(value, datetime(2026, 1, 1).astimezone())
        except (ValueError, OverflowError):
            self.fail(f"{value!r} is {self.wanted}", param, ctx)
        return value


class Since(Moment):
    """The same, or `last-upgrade`: since this release first opened the database."""

    wanted = "neither last-upgrade, a span such as 7d, 12h or 2w nor a date such as 2026-11-20"

    def convert(self, value: str, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """Refuse what is neither."""
        return value if value == LAST_UPGRADE else super().convert(value, param, ctx)


def moment_of(text: str, now: datetime) -> datetime:
    """A time from a span before `now`, or from ISO text in its time zone. Raises ValueError."""
    span = re.fullmatch(r"(\d+)([mhdw])", text.strip())
    if span is not None:
        return now - timedelta(**{_UNITS[span[2]]: int(span[1])})
    found = datetime.fromisoformat(text.strip())
    return found if found.tzinfo else found.replace(tzinfo=now.tzinfo)
