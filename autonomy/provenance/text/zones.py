"""Tells the time zones that a text names: by a city whose clocks people speak of."""

import re
from functools import cache
from zoneinfo import ZoneInfo

from autonomy.provenance.text.normalize import fold
from autonomy.provenance.text.word_data import alternatives, load_words


def zones_named(text: str) -> frozenset[str]:
    """The IANA names of the zones of cities that a text names: London, New York, ロンドン."""
    return frozenset(load_words("places")["zones"][city] for city in _cities().findall(fold(text)))


def zone_called(name: str) -> ZoneInfo | None:
    """The zone with this IANA name; None where there is none. It reads a file at the first call: not for an event loop."""
    try:
        return ZoneInfo(name)
    except (LookupError, ValueError, OSError):  # `ZoneInfoNotFoundError` is a `KeyError`
        return None


@cache
def _cities() -> re.Pattern[str]:
    cities = load_words("places")["zones"]
    latin, other = ([city for city in cities if city.isascii() is plain] for plain in (True, False))
    return re.compile(rf"(?<![^\W_])(?:{alternatives(latin)})(?![^\W_])|{alternatives(other)}")
