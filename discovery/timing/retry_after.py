"""Reads how long an HTTP server asks to wait."""

import re
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

_NUMBER = re.compile(r"[0-9]+(?:\.[0-9]+)?")


def number_asked(header: str | None) -> float | None:
    """Parse a header that is a number only (`retry-after-ms`); None if it is missing or anything else."""
    value = (header or "").strip()
    return float(value) if _NUMBER.fullmatch(value) else None


def seconds_asked(header: str | None, now: float) -> float | None:
    """Parse a `Retry-After` or `…-Reset` header into seconds from `now` (seconds since the epoch), never less than 0; None if it
    is missing or unreadable.

    It is a number of seconds, the date of HTTP (RFC 9110, 10.2.3) or an ISO 8601 time (freee); without a zone, it is UTC.
    """
    if (seconds := number_asked(header)) is not None:
        return seconds
    value = (header or "").strip()
    for parse in (datetime.fromisoformat, parsedate_to_datetime):
        try:
            moment = parse(value)
            return max(0.0, (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp() - now)
        except (ValueError, OverflowError):
            continue
    return None
