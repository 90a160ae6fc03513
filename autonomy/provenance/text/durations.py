"""Tells days of the week from names, and reckons the time between two times of day."""

from collections.abc import Sequence
from functools import cache

from autonomy.provenance.text.facts import Fact, FactKind
from autonomy.provenance.text.word_data import load_words


@cache
def _weekday_names() -> frozenset[str]:
    return frozenset(load_words("dates")["weekdays"])


def is_weekday(text: str) -> bool:
    """Whether a word names a day of the week, and so a date and no person."""
    return text.lower() in _weekday_names()


def durations(facts: Sequence[Fact]) -> frozenset[int]:
    """Minutes between any two times of day among facts."""
    minutes = [int(key[:2]) * 60 + int(key[3:5]) for fact in facts if fact.kind is FactKind.TIME for key in fact.keys[:1]]
    return frozenset(abs(one - other) for one in minutes for other in minutes if one != other)
