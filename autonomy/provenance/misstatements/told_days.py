"""Finds relative days and parts of the day that are told otherwise than their evidence gives them."""

import re
from collections.abc import Iterator, Sequence
from datetime import date
from functools import cache

from autonomy.provenance.sources.run_sources import Sources
from autonomy.provenance.sources.stated_facts import widened_days
from autonomy.provenance.support import SentenceSupport
from autonomy.provenance.text.dates import is_iso_day
from autonomy.provenance.text.durations import is_weekday
from autonomy.provenance.text.facts import Fact, FactKind, facts_in
from autonomy.provenance.text.word_data import load_words
from metrics.text.phrases import patterns_of
from metrics.text.quotations import INSIDE

_PHRASES = patterns_of("autonomy.provenance")


def moved_days(sentence: SentenceSupport, sources: Sources, asked: Sequence[Fact]) -> Iterator[str]:
    """The evidence of another relative day (明日 for 来週), or of another part of the day, than the sentence tells. `asked`: the
    question's days, of which a sentence tells that names none."""
    told = [found.fact for found in sentence.facts if found.fact.kind is FactKind.DATE]
    quoted = [(sentence.start + match.start(), sentence.start + match.end()) for match in INSIDE.finditer(sentence.text)]
    sentence_days = [fact for fact in told if fact.relative and not any(begin < fact.start < end for begin, end in quoted)]
    part = _parts_of_day(sentence.text)
    for unit in sentence.units[:1]:
        # neither a month, nor a week, nor a day to come tells on which day it was written
        days = [day for day in unit.days if is_iso_day(day) and not (sources.day and day > sources.day.isoformat())]
        written = date.fromisoformat(min(days)) if days else sources.day
        unit_days = [fact for fact in facts_in(unit.text[:500], written, sources.zone) if fact.kind is FactKind.DATE]
        if (
            len(sentence_days) == len(unit_days) == 1
            and unit_days[0].relative
            and (_is_copied(sentence_days[0], unit_days[0], sentence) or not _overlap(sentence_days[0], unit_days[0]))
            and not _is_heading(sentence.text, sentence_days[0], unit.text)
            and not (_is_weekday(unit_days[0].text) and _PHRASES["holds_every_week"].search(unit.text))
        ):
            yield f"{unit.text} ({written})"  # the same words mean another day by now
        elif not (told or sentence.neutral) and len(asked) == len(unit_days) == 1 and written != sources.day:
            away = _days_away(asked[0], sources.day)
            if away is not None and away == _days_away(unit_days[0], written):  # yesterday's tomorrow is today
                yield f"{unit.text} ({written})"
        shown = _parts_of_day(unit.text)
        if len(part) == len(shown) == 1 and not part & shown and len(sentence.text) < 2 * len(unit.text):
            yield unit.text


def _is_weekday(text: str) -> bool:
    return "曜" in text or is_weekday(text)


def _is_heading(text: str, day: Fact, read: str) -> bool:
    """Whether a text with a day in it heads lines instead of telling something: it is the day alone, or a heading of what was
    read, which stands above or in front of each day's lines alike (明日やること)."""
    bare = text.strip(" #*:：")
    return bare == day.text or f"# {text.strip(' #')}" in read or read.startswith((f"{bare}:", f"{bare}："))


def _days_away(fact: Fact, written: date | None) -> int | None:
    """How many days a word for a day is from the day on which it was written; None of a date, and of a week."""
    if written is None or not fact.relative or not is_iso_day(fact.keys[0]):
        return None
    return (date.fromisoformat(fact.keys[0]) - written).days


def _overlap(one: Fact, other: Fact) -> bool:
    return bool(set(widened_days(one.keys)) & set(widened_days(other.keys)))


def _is_copied(told: Fact, read: Fact, sentence: SentenceSupport) -> bool:
    """Whether the word for a day is that of a line where it means another day, neither quoted nor beside the line's own day:
    明日の13時です, told on the day itself."""
    beside = any(found.fact.kind is FactKind.DATE and not found.fact.relative for found in sentence.facts)
    return told.text == read.text and not set(told.keys) & set(read.keys) and not beside and not INSIDE.search(sentence.text)


def _parts_of_day(text: str) -> frozenset[str]:
    return frozenset(name for name, form in _forms_of_parts() if form.search(text))


@cache
def _forms_of_parts() -> tuple[tuple[str, re.Pattern[str]], ...]:
    words = load_words("dates")["parts_of_day"]
    return tuple((name, re.compile("|".join(forms), re.IGNORECASE)) for name, forms in words.items())


def names_a_day_by_number(question: str) -> bool:
    """Whether a question names a day of the month by its number alone, beside which another one is not the only day: the 29th."""
    return _PHRASES["day_by_number"].search(question) is not None
