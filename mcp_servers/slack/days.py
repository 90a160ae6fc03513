"""Converts days and times into Slack timestamps."""

import re
from datetime import date, datetime, timedelta, timezone, tzinfo
from decimal import Decimal
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from mcp.server.mcpserver.exceptions import ToolError

from mcp_servers.slack.workspace import Period

MICROSECOND = Decimal("0.000001")
_TIMESTAMP = re.compile(r"[0-9]{9,11}(\.[0-9]+)?|0(\.0+)?")
"""Seconds since 1970. A shorter number is a day, such as 20261121."""


def time_zone(name: str) -> tzinfo:
    """Return the zone of that name. Raises ValueError for an unknown one. Asia/Tokyo works without zone data as well."""
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError) as error:
        if name == "Asia/Tokyo":
            return timezone(timedelta(hours=9), "JST")
        raise ValueError(f"SLACK_TIMEZONE: {name!r} is no time zone; write one such as Asia/Tokyo") from error


def as_day(text: str, today: date) -> date:
    """Parse a day: `today`, `yesterday`, 2026-11-21 or 2026/11/21. Raises ToolError for any other text."""
    words = {"today": today, "今日": today, "yesterday": today - timedelta(days=1), "昨日": today - timedelta(days=1)}
    try:
        return words.get(text.strip().lower()) or date.fromisoformat(text.strip().replace("/", "-"))
    except ValueError:
        raise ToolError(f"{text!r} is not a day. Write it as YYYY-MM-DD, or today or yesterday.") from None


def stamp(moment: datetime) -> Decimal:
    """Convert a time to Slack's seconds since 1970."""
    return Decimal(str(moment.timestamp())).quantize(MICROSECOND)


def day_period(day: date, zone: tzinfo) -> Period:
    """Return the period of a day, from midnight to midnight."""
    start = datetime(day.year, day.month, day.day, tzinfo=zone)
    next_day = day + timedelta(days=1)
    return Period(stamp(start), stamp(datetime(next_day.year, next_day.month, next_day.day, tzinfo=zone)))


def as_moment(text: str, zone: tzinfo) -> Decimal:
    """Parse a time: a Slack timestamp such as `1732150800.000100`, or an ISO date with or without a time. Raises ToolError.

    `zone`: of a time that names none.
    """
    if _TIMESTAMP.fullmatch(text.strip()):
        return Decimal(text.strip()).quantize(MICROSECOND)
    try:
        moment = datetime.fromisoformat(text.strip().replace("/", "-"))
    except ValueError:
        raise ToolError(f"{text!r} is no point in time. Write a Slack timestamp, or YYYY-MM-DDTHH:MM:SS.") from None
    return stamp(moment if moment.tzinfo else moment.replace(tzinfo=zone))


def local_time(ts: str, zone: tzinfo) -> str:
    """Convert a Slack timestamp to ISO 8601, to the second."""
    return datetime.fromtimestamp(int(Decimal(ts)), zone).isoformat()
