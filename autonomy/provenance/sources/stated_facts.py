"""Decides whether a fact in a source equals the fact that is sought."""

import re
from collections.abc import Iterable, Iterator
from datetime import date
from functools import lru_cache

from autonomy.provenance.text.dates import is_iso_day
from autonomy.provenance.text.facts import CURRENCIES, Fact, FactKind, unit_key

NAMED_BESIDE = frozenset({"wh", "kwh", "mwh", "km/h", "m/s", "mph", "kn", "km", "mi", "cm", "mm", "inch", "kg", "lb"})
"""Units that results name in a field of its own, beside bare figures: `"wind_speed": "m/s"`."""
COUNTS_OF_OTHERS = frozenset({"count", "reply_count", "num_members", "revision_number", "weather_code", "limit"})
"""Keys of small figures that count something of their own (reactions, replies): no source of a figure with a unit."""
_ONLY_BESIDE = {"count": re.compile("reaction|emoji|repl", re.IGNORECASE), "limit": re.compile(r"\A[^\[]*\Z")}
"""A key that counts others where its whole path, or a name on it, is such; else it is a figure of the thing itself. The
`limit` of a page stands beside the list, that of a person (45 hours) inside."""


@lru_cache(maxsize=5_000)
def counts_others(key: str, path: str) -> bool:
    """Whether a small figure under a key counts something of its own: `reply_count`, the `limit` of a page."""
    name = key.lower()
    return name in COUNTS_OF_OTHERS and (name not in _ONLY_BESIDE or bool(_ONLY_BESIDE[name].search(path)))


_DIMENSIONS = (
    frozenset({"ms", "秒", "分", "時間", "日"}),
    CURRENCIES,
    frozenset({"mm", "cm", "km", "mi"}),
    frozenset({"g", "kg"}),
)


_LENGTHS = _DIMENSIONS[2]
"""Units of one quantity: a figure in one of them is another figure in the others."""


@lru_cache(maxsize=5_000)
def measured_otherwise(key: str, unit: str) -> bool:
    """Whether a field's name says another unit of the same quantity: `total_minutes` gives no hours."""
    # split before the first capital alone: `energyKWh` is in kWh
    words = re.findall(r"[a-z]{2,}", re.sub(r"(?<=[a-z])(?=[A-Z])", " ", key).lower())
    named = {unit_key(word) for word in words}
    if unit == "%":
        return bool(named & _LENGTHS) and "%" not in named  # `rain_mm` is no chance of rain
    return any(unit in units and unit not in named and named & units for units in _DIMENSIONS)


def is_small(fact: Fact) -> bool:
    """Whether a figure is one digit with a unit: such a digit without its unit stands in any text, as 1. in a list."""
    return fact.kind is FactKind.NUMBER and bool(fact.unit) and len(fact.keys[0].lstrip("-")) == 1


def states(stated: Fact, fact: Fact) -> bool:
    """Whether a fact of a source says the same: by kind, key and unit; a full date says its parts too."""
    if stated.kind is not fact.kind:
        return (
            fact.unit == "日" and stated.kind is FactKind.DATE and any(key[-2:].lstrip("0") in fact.keys for key in stated.keys)
        )
    if fact.unit and stated.unit and fact.unit != stated.unit and not _is_short_for(stated, fact.unit):
        return False
    if fact.kind is FactKind.TIME and any(_SECONDS.fullmatch(key) and key[:5] in fact.keys for key in stated.keys):
        return True  # 08:02 for 08:02:40
    keys = stated.keys if fact.kind is not FactKind.DATE else _widened(stated.keys)
    return any(key in keys for key in fact.keys)


def _is_short_for(stated: Fact, unit: str) -> bool:
    """Whether a unit is written short as a tool's listing does: 24G is 24 GB, and a pod that is 61m old is no length."""
    return f"{stated.unit}b" == unit or (unit == "分" and stated.unit == "m" and stated.text[-2:-1].isdigit())


_SECONDS = re.compile(r"\d\d:\d\d:\d\d")


@lru_cache(maxsize=5_000)
def _widened(days: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(widened_days(days))


def widened_days(days: Iterable[str]) -> Iterator[str]:
    """The keys of days, and what they also say: month and day, month, ISO week."""
    for day in days:
        yield day
        if is_iso_day(day):
            yield f"--{day[5:]}"
            yield f"--{day[5:7]}"
            yield day[:7]
            year, week, _ = date.fromisoformat(day).isocalendar()
            yield f"{year}-W{week:02}"
        elif _FULL_MONTH.fullmatch(day):
            yield f"--{day[5:]}"


_FULL_MONTH = re.compile(r"\d{4}-\d\d")
