"""Types of the arguments and options that people give to commands."""

import json
import re
import reprlib
from datetime import UTC, datetime, timedelta
from typing import Any

import click

_UNITS = {"m": "minutes", "h": "hours", "d": "days", "w": "weeks"}
_YEARS = (1900, 9998)
"""The years of a time that can be told in any time zone."""

LAST_UPGRADE = "last-upgrade"

HOW_MANY = click.IntRange(min=1, max=1_000_000)
"""How many rows a command may show; no database is asked for more."""


class NonEmptyText(click.ParamType[str]):
    """A text that is not blank: why somebody did something, or what is to be done. `request`: what to ask for where it is."""

    name = "text"

    def __init__(self, request: str) -> None:
        self.request = request

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """The text as it was typed; a usage error where it is blank."""
        if not str(value).strip():
            self.fail(f"is empty: {self.request}", param, ctx)
        return str(value)


REASON = NonEmptyText("say why")
GOAL = NonEmptyText("say what is to be done")


class NameAndValue(click.ParamType[tuple[str, str]]):
    """`NAME=VALUE`, given as a pair of name and value."""

    name = "pair"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> tuple[str, str]:
        """The texts before and after the first `=`; a usage error where there is no name."""
        name, equals, text = value.partition("=")
        if not equals or not name:
            self.fail(f"{value!r} is not NAME=VALUE", param, ctx)
        return name, text


NAME_AND_VALUE = NameAndValue()

INPUTS = click.option(
    "-i",
    "--input",
    "inputs",
    multiple=True,
    type=NAME_AND_VALUE,
    metavar="NAME=VALUE",
    help="An input of the job; repeat it for more.",
)


class JsonTable(click.ParamType[dict[str, Any]]):
    """A JSON object, given as a dictionary."""

    name = "json"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> dict[str, Any]:
        """The object; a usage error for what is no JSON, or no object."""
        try:
            data = json.loads(value)
        except (ValueError, RecursionError) as error:
            example = '{"name": "text", "count": 3}'
            self.fail(f"{reprlib.repr(value)} is not JSON ({error}): write an object such as {example}", param, ctx)
        if not isinstance(data, dict):
            self.fail(f"{reprlib.repr(value)} is not an object", param, ctx)
        return data


class Moment(click.ParamType[str]):
    """`7d`, `12h`, `2w` (ago), `2026-11-20` or `2026-11-20T09:00`; turned into a time by `moment_of`."""

    name = "when"
    problem = "neither a span such as 7d, 12h or 2w nor a date such as 2026-11-20"

    def convert(self, value: str, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """The text as it was typed; a usage error where `moment_of` cannot read it."""
        try:
            moment_of(value, datetime(2026, 1, 1).astimezone())
        except (ValueError, OverflowError):
            self.fail(f"{value!r} is {self.problem}", param, ctx)
        return value


class Since(Moment):
    """What `Moment` takes, or `last-upgrade`: since this release first opened the database."""

    problem = "neither last-upgrade, a span such as 7d, 12h or 2w nor a date such as 2026-11-20"

    def convert(self, value: str, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """The text as it was typed; a usage error where it is neither."""
        return value if value == LAST_UPGRADE else super().convert(value, param, ctx)


def moment_of(text: str, now: datetime) -> datetime:
    """The time that a text means: a span before `now` (`7d`), or ISO text, in the time zone of `now` where it names none.

    Hours and minutes are those that passed, days and weeks those of the calendar, also where a clock change lies between. Raises `ValueError`, and `OverflowError` for a span that leads out of the calendar.
    """
    span = re.fullmatch(r"(\d+)([mhdw])", text.strip())
    if span is not None:
        ago = timedelta(**{_UNITS[span[2]]: int(span[1])})
        return now - ago if span[2] in "dw" else (now.astimezone(UTC) - ago).astimezone(now.tzinfo)
    found = datetime.fromisoformat(text.strip())
    if not _YEARS[0] <= found.year <= _YEARS[1]:
        raise ValueError(f"the year {found.year} is not within {_YEARS[0]} and {_YEARS[1]}")
    return found if found.tzinfo else found.replace(tzinfo=now.tzinfo)
