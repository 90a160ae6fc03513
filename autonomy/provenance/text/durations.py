"""Parses weekdays and months by name, and computes with times of day and spans in minutes."""

from collections.abc import Sequence
from decimal import Decimal
from functools import cache

from autonomy.provenance.text.facts import Fact, FactKind
from autonomy.provenance.text.word_data import load_words


@cache
def _weekday_names() -> frozenset[str]:
    return frozenset(load_words("dates")["weekdays"])


def is_weekday(text: str) -> bool:
    """Whether a word names a day of the week, and so a date and no person."""
    return text.lower() in _weekday_names()


def is_month(text: str) -> bool:
    """Whether a word names a month."""
    return text.lower() in load_words("dates")["months"]


def minutes_of(facts: Sequence[Fact]) -> frozenset[int]:
    """The minutes since midnight of the times of day among facts."""
    return frozenset(int(key[:2]) * 60 + int(key[3:5]) for fact in facts if fact.kind is FactKind.TIME for key in fact.keys[:1])


def spans_of(facts: Sequence[Fact]) -> frozenset[int]:
    """The minutes of the spans among facts: of `1 h 41 min`, `90 minutes`, `2 hours`."""
    spans = (Decimal(fact.keys[0]) * _MINUTES[fact.unit] for fact in facts if fact.unit in _MINUTES)
    return frozenset(int(span) for span in spans if span == span.to_integral_value() and 0 < span < 1440)


_MINUTES = {"分": 1, "時間": 60}


def durations(facts: Sequence[Fact]) -> frozenset[int]:
    """Minutes between any two times of day among facts."""
    minutes = minutes_of(facts)
    return frozenset(abs(one - other) for one in minutes for other in minutes if one != other)
