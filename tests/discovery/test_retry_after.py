"""How long a busy server asks to wait, whoever asked it."""

import time

import pytest

from discovery.timing.retry_after import seconds_asked

NOW = 1_000.0
ASKED = {
    "7": 7.0,
    " 0.5 ": 0.5,
    "Thu, 01 Jan 1970 00:17:00 GMT": 20.0,
    "Thu, 01 Jan 1970 00:17:00": 20.0,  # without a zone, which is no local time
    "Thu, 01 Jan 1970 00:00:00 GMT": 0.0,
    "1970-01-01T09:17:00+09:00": 20.0,
    "1970-01-01T00:17:00Z": 20.0,
    "Fri, 31 Dec 9999 23:59:59 GMT": 253402299799.0,
    "Fri, 31 Dec 99999999999999999999 23:59:59 GMT": None,
    "soon": None,
    "nan": None,
    "inf": None,
    "-1": None,
    "\u00b2": None,  # a digit that is no decimal
    "": None,
    None: None,
}


def test_a_wait_is_read_as_seconds_or_as_a_time_and_nothing_that_is_neither_raises(monkeypatch: pytest.MonkeyPatch) -> None:
    """The far dates ended a call of an HR vendor and a model's request in `OverflowError`, each of its own."""
    monkeypatch.setenv("TZ", "Asia/Tokyo")
    time.tzset()
    try:
        assert {header: seconds_asked(header, NOW) for header in ASKED} == ASKED
    finally:
        monkeypatch.undo()
        time.tzset()
