"""Finds the sources of each fact of a sentence, as written or in another form."""

import re
from collections.abc import Iterable, Iterator, Sequence
from datetime import date
from decimal import Decimal

from autonomy.provenance.reckoning.derivations import (
    counts_few,
    derivation,
    ends_of_spans,
    follows,
    in_units_of,
    is_measure,
    is_rough,
    numbers,
)
from autonomy.provenance.reckoning.shown_working import is_reckoned_time
from autonomy.provenance.reckoning.told_columns import SHOWN
from autonomy.provenance.sources.evidence_units import EvidenceUnit
from autonomy.provenance.sources.run_sources import Sources
from autonomy.provenance.sources.stated_facts import states
from autonomy.provenance.support import FactSupport
from autonomy.provenance.text.dates import is_iso_day
from autonomy.provenance.text.facts import COUNT_WORDS, Fact, FactKind, facts_in
from autonomy.provenance.text.normalize import fold
from autonomy.provenance.text.sentences import Sentence, terms
from autonomy.provenance.text.units import units_like
from metrics.text.phrases import lazy_pattern, patterns_of

_PHRASES = patterns_of("autonomy.provenance")


def supports_of(
    sentence: Sentence,
    own: Sequence[Fact],
    before: Sequence[Fact],
    shown: Sequence[tuple[Fact, tuple[Fact, ...]]],
    sources: Sources,
    near: Sequence[EvidenceUnit],
    units: Sequence[EvidenceUnit],
    failed: Sequence[EvidenceUnit] = (),
) -> tuple[FactSupport, ...]:
    """The sources of each fact of a sentence; figures may follow from those of the sentence that have one or follow themselves,
    whichever of them stands first. `failed`: the failures that it may tell of."""
    known = [*before, *(fact for fact in own if fact.kind is not FactKind.NUMBER or sources.of_fact(fact))]
    found: dict[Fact, FactSupport] = {}
    for _ in range(2 if len(own) <= MOST_BESIDE else 1):
        for fact in own:
            if fact not in found or not found[fact].supported:
                beside = known[-MOST_BESIDE:]
                found[fact] = _supported(fact, sentence, sources, [*near, *failed], units, beside)
                if not found[fact].supported and _is_of_a_failure(fact, failed, sources):
                    found[fact] = FactSupport(fact, (), "failure")
                if not found[fact].supported and _is_shown(fact, shown, beside):
                    found[fact] = FactSupport(fact, (), SHOWN)
                known += [fact] if found[fact].supported and fact not in beside else []
    return tuple(found[fact] for fact in own)


def _is_of_a_failure(fact: Fact, failed: Sequence[EvidenceUnit], sources: Sources) -> bool:
    """Whether a call that failed was made with it, or an error says it."""
    lines = (line for unit in failed for line in unit.text.splitlines())
    return any(states(other, fact) for line in lines for other in facts_in(line, sources.day, sources.zone))


MOST_BESIDE = 400
"""The last facts of a sentence and of those before it from which a figure may follow; a text of figures alone has thousands, and
none of them follows from one behind it."""


def _is_shown(fact: Fact, shown: Sequence[tuple[Fact, tuple[Fact, ...]]], known: Sequence[Fact]) -> bool:
    """Whether a figure is the result of an equation in its sentence whose figures have a source or count a few things."""
    return any(result == fact and all(one in known or counts_few(one) for one in from_) for result, from_ in shown)


def _supported(
    fact: Fact,
    sentence: Sentence,
    sources: Sources,
    near: Sequence[EvidenceUnit],
    units: Sequence[EvidenceUnit],
    beside: Sequence[Fact],
) -> FactSupport:
    if fact.kind is FactKind.NUMBER and _counts_the_bracket(fact, sentence, sources):
        return FactSupport(fact, (), "listing")
    if (
        fact.kind is FactKind.NUMBER
        and _contradicted(fact, units, beside)
        and not _is_told_elsewhere(fact, sentence, units, beside)
    ):
        return FactSupport(fact, ())
    since = fact.unit == "日" and _SINCE.match(sentence.text, fact.end - sentence.start)  # 4日超過 is no day of a month
    if since and derivation(fact, sources, near, beside) == "difference":
        return FactSupport(fact, (), "difference")
    if found := sources.of_fact(fact):
        return FactSupport(fact, found)
    if fact.kind is FactKind.QUOTE and sources.contains(inner := fact.keys[0].strip(" 。.、,!！?？…/")):
        return FactSupport(fact, sources.of_fact(fact._replace(keys=(inner,))), "quotation")
    if fact.relative:
        return FactSupport(fact, (), "relative")
    if fact.kind is FactKind.NUMBER:
        return FactSupport(fact, (), _how_it_follows(fact, sentence, sources, near, units, beside))
    if fact.kind is FactKind.DATE:
        also = any(other.kind is FactKind.DATE and other.relative and _is_that_day(fact, other) for other in beside)
        return FactSupport(fact, (), "relative" if also or _is_reckoned_day(fact, sources, [*units, *near]) else "")
    if how := _in_another_form(fact, sources):
        return FactSupport(fact, (), how)
    if fact.kind is FactKind.TIME and _is_about_a_time(fact, sentence, sources):
        return FactSupport(fact, (), "rounding")
    reckoned = fact.kind is FactKind.TIME and is_reckoned_time(fact, sentence.text, beside, near, sources)
    return FactSupport(fact, (), "difference" if reckoned else "")


def _is_about_a_time(fact: Fact, sentence: Sentence, sources: Sources) -> bool:
    """Whether a time is told as a rough one (12時すぎ, around 4:30 pm, about 16:20), and one near it was read: nearer where it
    is no full or half hour; of an hour (10時台) any within it."""
    in_front, behind = sentence.text[: fact.start - sentence.start], sentence.text[fact.end - sentence.start :]
    hour, _, minute = fact.keys[0].partition(":")
    if minute == "00" and _PHRASES["of_an_hour"].search(behind):
        hours = [key.partition(":")[0] for key in fact.keys]
        return any(sources.of_fact(fact._replace(keys=(f"{one}:{other:02}",))) for one in hours for other in range(60))
    if minute[-1:] not in ("0", "5") or not (_PHRASES["about_a_time"].search(in_front) or _PHRASES["or_near_it"].search(behind)):
        return False
    most = NEAR_A_TIME if minute in ("00", "30") else HALF_OF_FIVE if minute[-1:] == "5" else HALF_OF_TEN
    near = (divmod((60 * int(hour) + int(minute) + away) % 1440, 60) for away in range(-most, most + 1))
    return any(sources.of_fact(fact._replace(keys=(f"{one:02}:{other:02}",))) for one, other in near)


NEAR_A_TIME = 20
"""Minutes from a full or half hour, told as a rough time, within which the exact one lies."""
HALF_OF_TEN, HALF_OF_FIVE = 5, 2
"""The same of other tens and of fives: who rounds takes the nearest."""


def _counts_the_bracket(fact: Fact, sentence: Sentence, sources: Sources) -> bool:
    """Whether a number is that of the things in the bracket behind it, each of which was read: three people (Ann, Bo, Cy)."""
    bracket = _BRACKET.match(sentence.text, fact.end - sentence.start)
    things = _BETWEEN_THINGS.split(bracket[1]) if bracket else ()
    return len(things) > 1 and str(len(things)) == fact.keys[0] and all(sources.contains(thing.strip()) for thing in things)


_BRACKET = re.compile(r"[^（()）。.]{0,24}[（(]([^（()）]{1,400})[）)]")
_BETWEEN_THINGS = _PHRASES["parts_listed_things"]


def _stands_in_words(fact: Fact, sources: Sources, own: Sequence[EvidenceUnit]) -> bool:
    """Whether a number that is told in figures stands in an English word in what was read (11週間 for eleven weeks), a small one
    in a line of its sentence's own."""
    words = [(word, number) for word, number in COUNT_WORDS.items() if str(number) == fact.keys[0]]
    return any(
        re.search(rf"\b{word}\b", unit.text, re.IGNORECASE)
        for word, number in words
        for unit in (sources.units[:MOST_LABELLED] if number >= SMALLEST_IN_WORDS else own)
    )


SMALLEST_IN_WORDS = 6
"""A smaller number in a word stands in almost any text."""


def _how_it_follows(
    fact: Fact,
    sentence: Sentence,
    sources: Sources,
    near: Sequence[EvidenceUnit],
    units: Sequence[EvidenceUnit],
    beside: Sequence[Fact],
) -> str:
    """How a number without a source of its own follows from what was read."""
    if is_measure(fact.unit) and _rounded_field(fact, sources):
        return "rounding"
    if is_measure(fact.unit) and _field_in_another_unit(fact, sentence, sources):
        return "conversion"
    if fact.unit == "日" and (
        _is_reckoned_day(fact, sources, [*units, *near]) or _is_number_of_day_asked(fact, sentence, sources)
    ):
        return "relative"
    if _stands_in_words(fact, sources, units):
        return "quotation"
    if not fact.unit and fact.keys[0] in _FACTORS and _CONVERTS.search(sentence.text):
        return "conversion"  # cents divided by 100
    in_front, behind = sentence.text[: fact.start - sentence.start], sentence.text[fact.end - sentence.start :]
    how = derivation(fact, sources, near, beside, in_front, behind)
    if not how and not fact.unit and "|" in sentence.text:  # whose column says that it is an age in days
        dates = [other for other in beside if other.kind is FactKind.DATE and sentence.start <= other.start < sentence.end]
        how = derivation(fact._replace(unit="日"), sources, (), dates, in_front, behind) if dates else ""
        how = how if how == "difference" else ""
    return how


_SINCE = _PHRASES["spans_from_then"]


def _rounded_field(fact: Fact, sources: Sources) -> bool:
    """Whether a measure in whole ones is a field with places, rounded: 32 km/h for 31.7."""
    value = Decimal(fact.keys[0])
    if value != value.to_integral_value():
        return False
    fields = {figure for figure in sources.fields_of(_MEASURED_BY.get(fact.unit, "")) if figure != figure.to_integral_value()}
    return len(fields) <= MOST_ROUNDED and any(abs(figure - value) <= Decimal("0.5") for figure in fields)


def _field_in_another_unit(fact: Fact, sentence: Sentence, sources: Sources) -> bool:
    """Whether a measure is a bare field of a result that names another unit beside: 45 km/h for `wind_speed: 12.5` in m/s."""
    fields = sources.fields_of(_MEASURED_BY.get(fact.unit, ""))
    others = [unit for unit in units_like(fact.unit) if sources.contains(unit)] if 0 < len(fields) <= MOST_ROUNDED else []
    roughly = is_rough(sentence.text, fact.start - sentence.start)
    return in_units_of(Decimal(fact.keys[0]), fact.unit, fields, others, roughly=roughly)


_MEASURED_BY = {
    "度": r"temp|degree|high|low|max|min|feel|dew|気温|最高|最低",
    "km/h": r"kph|kmh|wind|speed|gust|風",
    "m/s": r"wind|speed|gust|風",
    "mm": r"precip|rain|mm|降水|雨",
    "%": r"pct|percent|humid|prob|chance|share|rate|usage|used|utili|率",
    "km": r"km|dist|距離",
    "kg": r"kg|weight|mass|体重",
    "分": r"min|duration|dur",
    "秒": r"sec|duration|latency|elapsed",
    "ms": r"ms|latency|duration",
}
"""Of a unit what a field's name says that holds it."""
MOST_ROUNDED = 60
"""Fields with places; of more any whole number is one, rounded."""


_FACTORS = frozenset({"12", "24", "60", "100", "1000", "1024", "3600"})
"""How many of a smaller unit make a greater one."""
_CONVERTS = _PHRASES["converts_units"]
_DOTTED = re.compile(r"\w{2,60}(?:\.\w{2,60}){1,3}")


def _in_another_form(fact: Fact, sources: Sources) -> str:
    """How a fact stands in what was read in another form: a part of a path, a shortened quotation, an id in the other case,
    0:41 for 41 s."""
    key = fact.keys[0]
    if fact.kind is FactKind.URL:
        return "quotation" if "/" not in key and "@" not in key and sources.contains(key) else ""
    if fact.kind is FactKind.ID:
        as_it_is = (len(key) <= SHORTEST_ID or key[:1] == "-") and sources.contains(key)
        return "quotation" if as_it_is or sources.abbreviates(key) else ""
    if fact.kind is FactKind.QUOTE:
        if _DOTTED.fullmatch(key) and all(map(sources.contains, key.split("."))):
            return "quotation"  # a column with its table
        if key.endswith("()") and sources.contains(key[:-1]):
            return "quotation"  # a function is called by its name with empty brackets
        if _is_told_as_label(fact, sources):
            return "quotation"
        pieces = [piece.strip(" 。.、,!！?？") for piece in key.replace("...", "…").split("…")]
        return "quotation" if len(pieces) > 1 and all(sources.contains(piece) for piece in pieces if piece) else ""
    if fact.kind is FactKind.TIME:
        seconds = sum(int(part) * by for part, by in zip(reversed(key.split(":")), (1, 60, 3600), strict=False))
        spans = ((seconds * size, (seconds + 1) * size) for size in (1, 1000))  # of seconds, or of a player's milliseconds
        return "conversion" if any(sources.has_figure_between(least, end) for least, end in spans) else ""
    return ""


def _is_told_as_label(fact: Fact, sources: Sources) -> bool:
    """Whether a short quotation gives a field with its value (`pets allowed` of `pets: allowed`), or, in Japanese, where brackets
    set a gist apart as well, is made of the letters of one line."""
    words = f" {_PUNCTUATION.sub(' ', fact.keys[0]).strip()} "
    units = sources.units[:MOST_LABELLED]
    if words.count(" ") > 2 and any(words in f" {_PUNCTUATION.sub(' ', fold(unit.text)).strip()} " for unit in units):
        return True
    letters = [fold(letter) for letter in _TELLING.findall(fact.text)]
    if fact.text[:1] != "「" or not FEWEST_LETTERS <= len(letters) <= LONGEST_GIST:
        return False
    near = (sources.index.units[at].text for at in sources.index.shortlist(terms(fact.keys[0]), 3))
    denied = _PHRASES["denied_by_grammar"]
    return any(
        sum(letter in fold(line) for letter in letters) >= MOSTLY_THERE * len(letters)
        and all(letter in fold(line) for letter in letters if letter.isdecimal())
        and bool(denied.search(fact.text)) is bool(denied.search(line))  # 届かない is no gist of 2通届いた
        for line in near
    )


_PUNCTUATION = re.compile(r"[^\w]+")
_TELLING = lazy_pattern(r"[\u30a1-\u30fa\u3400-\u9fff々\d]")
MOST_LABELLED = 500
FEWEST_LETTERS, LONGEST_GIST = 4, 20
MOSTLY_THERE = 0.85
"""Share of its kanji, katakana and figures, of which no figure may differ; all others are told in words of its own."""


SHORTEST_ID = 3
"""An id so short, as of a quarter, is written in either case."""


def _is_reckoned_day(fact: Fact, sources: Sources, near: Sequence[EvidenceUnit]) -> bool:
    """Whether a day follows from what was asked or read.

    A read was asked for it, a message names it by its relative name (来週の火曜, written on the 4th), or it ends a span
    that one or two lines give: 24 months from 1 June.
    """
    few = sources.units if len(sources.units) <= MOST_RELATIVE else ()  # one of them is meant, also in another language
    if set(fact.keys) & sources.days_asked() or ends_of_spans((near or few)[:MOST_RELATIVE], sources) & set(fact.keys):
        return True
    for unit in near[:MOST_RELATIVE]:
        for day in unit.days:
            unit_facts = facts_in(unit.text[:500], date.fromisoformat(day), sources.zone) if is_iso_day(day) else ()
            if any(other.relative and _is_that_day(fact, other) for other in unit_facts if other.kind is FactKind.DATE):
                return True
        if _has_its_number(fact, unit.text[:500], sources):
            return True
    return False


def _has_its_number(fact: Fact, text: str, sources: Sources) -> bool:
    """Whether a text names a day by its number alone, behind a day of its month: 12月8日に200部、15日に300部."""
    known = facts_in(text, sources.day, sources.zone)
    return any(
        other.kind is FactKind.NUMBER and other.unit == "日" and int(other.keys[0]) == int(key[8:10])
        for key in fact.keys
        if is_iso_day(key)
        for at, day in enumerate(known)
        if day.kind is FactKind.DATE and any(one[:7] == key[:7] for one in day.keys if is_iso_day(one))
        for other in known[at + 1 :]
        if other.keys[0].isdecimal()
    )


def _is_number_of_day_asked(fact: Fact, sentence: Sentence, sources: Sources) -> bool:
    """Whether a number names a day that a read was asked for (18日のまとめ), and is no span of as many days (18日かかった)."""
    names_one = fact.text.endswith("日") and _PHRASES["behind_a_day"].search(sentence.text[fact.end - sentence.start :])
    return bool(names_one) and not set(fact.keys).isdisjoint(_numbers_of(sources.days_asked(), fact))


def _is_that_day(fact: Fact, other: Fact) -> bool:
    """Whether a day, or the number of one without its month (19日), is the day that another one names."""
    named = _numbers_of(other.keys, fact) | set(other.keys)
    return bool(set(fact.keys) & named) or any(key in other.keys for key in _weeks_begun(fact))


def _numbers_of(days: Iterable[str], fact: Fact) -> set[str]:
    """The numbers of days without their months, where a fact is a number."""
    return {str(date.fromisoformat(day).day) for day in days if is_iso_day(day)} if fact.kind is FactKind.NUMBER else set()


def _weeks_begun(fact: Fact) -> Iterator[str]:
    """The weeks that a day is the Monday of, by which a week is called: the week of 16 November."""
    for key in fact.keys:
        if is_iso_day(key) and date.fromisoformat(key).weekday() == 0:
            year, week, _ = date.fromisoformat(key).isocalendar()
            yield f"{year}-W{week:02}"


MOST_RELATIVE = 8
"""Lines near a sentence whose relative days are reckoned."""


def _is_told_elsewhere(fact: Fact, sentence: Sentence, units: Sequence[EvidenceUnit], beside: Sequence[Fact]) -> bool:
    """Whether several other figures of the sentence were read, and none of them stands in the lines whose words are nearest."""
    others = {
        (one.keys, one.unit) for one in beside if sentence.start <= one.start < sentence.end and one.kind is FactKind.NUMBER
    }
    others -= {(fact.keys, fact.unit)}
    shown = {(one.keys, one.unit) for unit in units for one in numbers(unit.text)}
    return len(others) >= FEWEST_ELSEWHERE and others.isdisjoint(shown)


FEWEST_ELSEWHERE = 2


def _contradicted(fact: Fact, units: Sequence[EvidenceUnit], beside: Sequence[Fact]) -> bool:
    """Whether the very evidence of the sentence gives other figures of this unit, and not this one. A sentence that tells both,
    what was first said and what is so, holds the other one as well."""
    figures = [other for unit in units for other in numbers(unit.text)] if fact.unit else []
    stated = [other for other in figures if other.unit == fact.unit and (other.keys != ("1",) or fact.keys == ("1",))]
    # 一人あたり counts nobody
    if not stated:
        return False
    bare = [other for other in figures if not other.unit]  # "from 14 minutes to 9"
    stated_figures = {(one.keys, one.unit) for one in beside}
    if all((other.keys, other.unit) in stated_figures for other in stated):
        return False
    known = [*stated, *(one for one in beside if one.kind is FactKind.NUMBER)]
    return all(other.keys != fact.keys for other in (*stated, *bare)) and not follows(fact, known)
