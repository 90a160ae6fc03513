"""Converts days and times into Slack timestamps."""

from datetime import date, datetime, timedelta, timezone, tzinfo
from decimal import Decimal, InvalidOperation
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from mcp.server.mcpserver.exceptions import ToolError

from mcp_servers.slack.workspace import Period

MICROSECOND = Decimal("0.000001")


def time_zone(name: str) -> tzinfo:
    """The zone of that name; Asia/Tokyo also where the machine has no zone data. Raises ValueError for an unknown one."""
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError) as error:
        if name == "Asia/Tokyo":
            return timezone(timedelta(hours=9), "JST")
        raise ValueError(f"SLACK_TIMEZONE: {name!r} is no time zone; write one such as Asia/Tokyo") from error


def as_day(text: str, today: date) -> date:
    """`today`, `yesterday`, 2026-11-21 or 2026/11/21 as a date."""
    words = {"today": today, "今日": today, "yesterday": today - timedelta(days=1), "昨日": today - timedelta(days=1)}
    try:
        return words.get(text.strip().lower()) or date.fromisoformat(text.strip().replace("/", "-"))
    except ValueError:
        raise ToolError(f"{text!r} is not a day. Write it as YYYY-MM-DD, or today or yesterday.") from None


def stamp(moment: datetime) -> Decimal:
    """A moment as Slack's seconds since 1970."""
    return Decimal(str(moment.timestamp())).quantize(MICROSECOND)


def day_period(day: date, zone: tzinfo) -> Period:
    """From midnight to midnight."""
    start = datetime(day.year, day.month, day.day, tzinfo=zone)
    next_day = day + timedelta(days=1)
    return Period(stamp(start), stamp(datetime(next_day.year, next_day.month, next_day.day, tzinfo=zone)))


def as_moment(text: str, zone: tzinfo) -> Decimal:
    """Slack's own `1732150800.000100`, or an ISO date or date and time (in the workspace's zone unless it names one)."""
    try:
        return Decimal(text).quantize(MICROSECOND)
    except InvalidOperation:
        pass
    try:
        moment = datetime.fromisoformat(text.strip().replace("/", "-"))
    except ValueError:
        raise ToolError(f"{text!r} is no point in time. Write a Slack timestamp, or YYYY-MM-DDTHH:MM:SS.") from None
    return stamp(moment if moment.tzinfo else moment.replace(tzinfo=zone))


def local_time(ts: str, zone: tzinfo) -> str:
    """A Slack timestamp as ISO 8601, to the second."""
    return datetime.fromtimestamp(int(Decimal(ts)), zone).isoformat()
