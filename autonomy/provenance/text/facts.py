"""Extracts facts (numbers, ids, dates, times, URLs, quotations, names, places) from any text, in one normal form."""

import re
from collections.abc import Iterator
from datetime import date, tzinfo
from decimal import Decimal
from enum import StrEnum
from functools import cache, lru_cache
from math import prod
from typing import NamedTuple
from urllib.parse import quote, unquote

from autonomy.provenance.text.dates import (
    CHARACTER_FORMS,
    DIGIT_FORMS,
    LETTER_FORMS,
    DateReading,
    date_pattern,
    kanji_or_digits,
    read_date,
    read_moment,
)
from autonomy.provenance.text.normalize import fold, normalize_with_offsets
from autonomy.provenance.text.word_data import alternatives, load_words
from metrics.text.phrases import patterns_of

LONGEST_QUOTE = 300
"""Characters; what stands between quotation marks further apart is a passage, and judged by its sentences."""


COUNT_WORDS: dict[str, int] = load_words("units")["count_words"]
"""English numbers of things; they are no facts of their own, for `one` and its like stand in any sentence."""


class FactKind(StrEnum):
    """The kinds of facts that are compared exactly."""

    NUMBER = "number"
    ID = "id"
    DATE = "date"
    TIME = "time"
    URL = "url"
    QUOTE = "quote"
    NAME = "name"
    PLACE = "place"


EXACT = frozenset({FactKind.NUMBER, FactKind.TIME, FactKind.DATE, FactKind.ID})
"""Kinds of facts that are right or wrong to the letter."""


class Fact(NamedTuple):
    """One fact as it stands in a text."""

    kind: FactKind
    text: str
    """As written."""
    start: int
    end: int
    """Half-open range in the text it was extracted from."""
    keys: tuple[str, ...]
    """Normal forms; two facts of one kind are equal when they share one. A weekday has two: the last and the next."""
    unit: str = ""
    """A number's canonical unit (`件`, `JPY`, `%`, `ms`), or empty."""
    relative: bool = False
    """Whether a date depends on the day of speaking (今日, next Friday)."""


def facts_in(text: str, day: date | None = None, zone: tzinfo | None = None) -> tuple[Fact, ...]:
    """All facts of a text, by position. A quotation overlaps the facts inside of it; others do not overlap.

    `day`: the day that relative words and dates without a year are seen from. `zone`: where times with an offset are told in.
    """
    if len(text) <= ARGUMENT_CHARS:
        return _facts_of_argument(text, day, zone)
    return _facts_of_answer(text, day, zone) if len(text) <= ANSWER_CHARS else _facts_in(text, day, zone)


ARGUMENT_CHARS = 200
"""A text so short is read again and again: an argument by the policy and by the judge, for each call that follows."""
ANSWER_CHARS = 40_000
"""A text so short may be an answer, which several checks of one judgement read whole."""


@lru_cache(maxsize=1024)
def _facts_of_argument(text: str, day: date | None, zone: tzinfo | None) -> tuple[Fact, ...]:
    return _facts_in(text, day, zone)


@lru_cache(maxsize=8)
def _facts_of_answer(text: str, day: date | None, zone: tzinfo | None) -> tuple[Fact, ...]:
    return _facts_in(text, day, zone)


def _facts_in(text: str, day: date | None, zone: tzinfo | None) -> tuple[Fact, ...]:
    normal = normalize_with_offsets(text)
    found = [*_exact(normal.text, day, zone), *_named(normal.text)]
    placed = (fact._replace(start=(span := normal.span(fact.start, fact.end))[0], end=span[1]) for fact in found)
    facts = (fact._replace(text=text[fact.start : fact.end]) for fact in placed)
    return tuple(sorted(facts, key=lambda fact: (fact.start, -fact.end)))


def exact_facts_in(text: str, day: date | None = None, zone: tzinfo | None = None) -> Iterator[Fact]:
    """Numbers, ids, dates, times and URLs of a text that is normalised already; positions are the normalised text's."""
    if _PLAIN_NUMBER.fullmatch(text):  # as half of the cells of a table are
        return iter((Fact(FactKind.NUMBER, text, 0, len(text), (number_key(text),)),))
    moment = read_moment(text, zone)
    return iter(_told(moment, text, 0, len(text))) if moment else _exact(text, day, zone)


_PLAIN_NUMBER = re.compile(r"-?(?:0|[1-9]\d{0,6})(?:\.\d{1,40})?", re.ASCII)
"""Shorter than a day in figures (20270131) and than an id."""


def ids_and_addresses_in(text: str) -> Iterator[str]:
    """The ids and URLs of a text, as written."""
    normal = normalize_with_offsets(text)
    for fact in _exact(normal.text, None, None):
        if fact.kind in (FactKind.ID, FactKind.URL):
            start, end = normal.span(fact.start, fact.end)
            yield text[start:end]


def _told(reading: DateReading, written: str, start: int, end: int) -> list[Fact]:
    kinds = ((FactKind.DATE, reading.days), (FactKind.TIME, reading.times))
    return [Fact(kind, written, start, end, keys, "", reading.relative) for kind, keys in kinds if keys]


def _exact(text: str, day: date | None, zone: tzinfo | None) -> Iterator[Fact]:
    patterns, telling = _patterns(), _telling_words()
    at = 0
    for candidate in _beginnings().finditer(text.lower()) if text.isascii() else _CANDIDATE.finditer(text):
        start, end = candidate.span()
        if start < at:
            continue
        first = text[start]
        if first.isascii() and (first.isalpha() or first == "_"):
            if not _GOES_ON.match(text, end) and text[start:end].lower() not in telling:
                continue
            match = patterns.letter.match(text, start)
            at = start if match else end
        else:
            match = (patterns.character if first in _KANJI_OR_KANA else patterns.digit).match(text, start)
        if match:
            facts, at = _read(match, text, day, zone)
            yield from facts


class _Patterns(NamedTuple):
    """What may begin at a letter, at a digit or sign, and at a kanji, kana or bracket."""

    letter: re.Pattern[str]
    digit: re.Pattern[str]
    character: re.Pattern[str]


_KANJI_OR_KANA = frozenset("午令平昭今本昨一明先前来再次翌正きあおこ月火水木金土日(〇零二三四五六七八九十百千万億")
"""The characters that words of time and kanji numerals begin with."""
_CANDIDATE = re.compile(r"[A-Za-z_][A-Za-z_]*+|[0-9$¥€£#]|[-+](?=[$¥€£]?[0-9])|[" + "".join(sorted(_KANJI_OR_KANA)) + "]")
_GOES_ON = re.compile(r"[0-9#]|[.@:/+-](?=\S)")
"""What follows the letters of an id, a host, a mail or another address. A full stop or a colon with a blank behind ends a clause."""


@cache
def _telling_words() -> frozenset[str]:
    words = load_words("dates")
    english = {word.split()[0] for word in (*words["relative_days"], *words["relative_weeks"]) if word.isascii()}
    return frozenset(
        {*words["months"], *words["weekdays"], *english, "last", "next", "this", "noon", "pr", "mr", "issue", "issues", "pull"}
    )


@cache
def _beginnings() -> re.Pattern[str]:
    """Where a fact may begin in ASCII text in small letters. Prose is full of words that begin none: to take each of them from
    `_CANDIDATE` and look at it takes three times as long."""
    telling = [word for word in _telling_words() if word.isascii()]
    initials = "".join(sorted({word[0] for word in telling}))
    word = rf"[a-z_]++(?={_GOES_ON.pattern})|(?=[{initials}])(?:{alternatives(telling)})(?![a-z_])"
    return re.compile(rf"(?<![a-z_])(?:{word})|[0-9$#(]|[-+](?=\$?[0-9])")


def _read(match: re.Match[str], text: str, day: date | None, zone: tzinfo | None) -> tuple[list[Fact], int]:
    """The facts of one match, and where the next search begins."""
    start, end, form = match.start(), match.end(), match.lastgroup
    if form == "skip":
        return [], end
    if form == "url" or form == "host":
        return _url(match.group(), start)
    if form in _SPANS:
        longer, shorter, unit = _SPANS[form]
        key = number_key(60 * int(match[longer] or 0) + int(match[shorter] or 0))
        return [Fact(FactKind.NUMBER, match.group(), start, end, (key,), unit)], end
    if form in ("number", "kanji_number", "mixed"):
        return _number(match, text)
    if form == "id":
        written = match.group()
        return [Fact(FactKind.ID, written, start, end, (id_key(written),))], end
    reading = read_date(match, day, zone)
    if reading is None:  # 2026-02-30, 25:00: its figures stand for themselves
        figures = _FIGURES.match(text, start)
        return ([_figure(figures.group(), start, "")], figures.end()) if figures else ([], start + 1)
    return _told(reading, match.group(), start, end), end


_SPANS = {
    "duration": ("hours", "minutes", "分"),
    "sheet_duration": ("sheet_hours", "sheet_minutes", "分"),
    "iso_duration": ("iso_hours", "iso_minutes", "分"),
    "short_duration": ("whole_minutes", "seconds", "秒"),
}
"""The forms of a span, each with the groups of its two parts and the unit of the shorter one."""
_FIGURES = re.compile(r"\d{1,40}")
_NUMBER = (  # no ordinal, which counts nothing, unless it numbers a day of the week that it does not fall on
    r"(?P<number>(?P<sign>(?<![\w)\]%])[-+]|(?P<behind_a_word>(?<=[ぁ-ヿ一-鿿々])-))?(?P<currency>[¥$€£]\s?)?"
    r"(?P<figures>(?<![\d])(?:(?<=day the )|(?!\d{1,40}(?:st|nd|rd|th)\b))(?:\d{1,3}(?:,\d{3})+(?!\d|,\d)|\d{1,40})(?:\.\d{1,40})?)"
    r"(?P<times>千?[万億兆]|千|\s?(?:k|thousand|million|billion)\b)?)"
)
_DURATION = r"(?P<duration>(?<![\d.])(?P<hours>\d{1,4})\s?(?:時間|hours?|hrs?|h)\s?(?:and )?(?P<minutes>[0-5]?\d)(?!\d)\s?(?:分|minutes?|mins?|m)(?![a-z]))"
"""Hours and minutes of one span; a number of minutes."""
_HOURS_AND_MINUTES = r"(?P<sheet_duration>(?<![\d.:])(?!(?<=[~〜～–—-])24:00|(?<=[~〜～–—-] )24:00)(?P<sheet_hours>2[4-9]|[3-9]\d|\d{3}):(?P<sheet_minutes>[0-5]\d)(?![\d:]))"
"""61:05 of a time sheet: no time of day, as the end of 23:00–24:00 is; a number of minutes."""
_SHORT_DURATION = (
    r"(?P<short_duration>(?<![\d.])(?P<whole_minutes>\d{1,4})\s?(?:分|minutes?|mins?|m)\s?(?:and )?"
    r"(?P<seconds>\d{1,2})\s?(?:秒|seconds?|secs?|s)(?![a-z]))"
)
"""Minutes and seconds of one span; a number of seconds."""
_MIXED = r"(?P<mixed>(?<![\d.,])\d{1,4}(?:千?[兆億万]|千)(?=\d)(?:\d{1,4}(?:千?[億万]|千)){0,3}(?:\d,\d{3}|\d{0,4})(?!\d))"
"""12万8千, 3億2000万, 2万9,640: figures and kanji in turn."""
_BELOW_ZERO = ("氷点下", "マイナス", "minus ")


@cache
def _patterns() -> _Patterns:
    units = load_words("units")
    host = rf"(?:[a-z0-9][a-z0-9-]{{0,62}}+\.){{1,8}}(?:{alternatives(load_words('hosts')['top_level'])})(?![\w-])"
    path = r"[!#-&(-;=?-Z\\^-_a-z~]"
    before = r"(?<![\w.+@-])"
    address = (
        rf"(?P<host>{before}(?:[a-z0-9_.+-]{{1,64}}+@)?{host}(?::\d{{1,5}})?(?:/{path}{{0,2000}})?"
        r"|(?<![\w.])\d{1,3}(?:\.\d{1,3}){3}(?![\w.]))"
    )
    kanji = "".join(units["kanji_digits"])
    numerals = rf"(?P<kanji_number>(?<![{kanji}第])(?!{_ENOUGH})(?P<kanji_figures>[{kanji}]{{1,12}})(?={alternatives(units['kanji_counters'])}))"
    letter = (
        rf"(?P<skip>\b(?:{_TECHNIQUES})\b)",
        # A path of this machine goes on in Japanese; a web address is followed by Japanese that is no part of it.
        rf"(?P<url>(?<![a-z0-9])(?:file:/{{0,3}}(?:{path}|(?-i:[ぁ-ヿ一-鿿])){{2,2000}}"
        rf"|(?:(?:https?|ftp|wss?|slack|mailto):/{{0,3}}|www\.){path}{{2,2000}}))",
        address,
        rf"(?P<date>{date_pattern(*LETTER_FORMS)})",
        r"(?P<iso_duration>\bPT(?=\d)(?:(?P<iso_hours>\d{1,4})H)?(?:(?P<iso_minutes>\d{1,4})M)?\b)",
        rf"(?P<id>{_LETTER_IDS})",
    )
    digit = (
        r"(?P<skip>(?<=\n)\d{1,3}[.)](?=\s)|\A\d{1,3}[.)](?=\s)|(?<!\d)\d{1,2}分の\d{1,2}(?!\d))",  # 3分の2: two thirds
        _HOURS_AND_MINUTES,
        rf"(?P<date>{date_pattern(*DIGIT_FORMS)})",
        address,
        rf"(?P<id>{_DIGIT_IDS})",
        _DURATION,
        _SHORT_DURATION,
        _MIXED,
        _NUMBER,
    )
    character = (rf"(?P<date>{date_pattern(*CHARACTER_FORMS)})", numerals)
    return _Patterns(*(re.compile("|".join(forms), re.IGNORECASE) for forms in (letter, digit, character)))


_TECHNIQUES = r"utf-?8|utf-?16|mp[34]|h[1-6]|base64|sha-?256|sha-?1|md5|oauth2|http/[12]"
"""Words with figures that name techniques and formats, not things."""

_UUID = r"\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b"
_HASH = r"(?<![a-z0-9_-])(?=[a-z_-]{0,60}\d)(?=[0-9a-f]{0,63}[a-f])[0-9a-f]{7,64}+(?![a-z0-9_-])"
_LETTER_IDS = "|".join(
    (
        _UUID,
        r"\b(?:PR|MR|issue|pull)s?[\s/]?#?\d{1,12}(?![\w.-])",
        r"(?<![a-z0-9_.])v\.?\d{1,9}(?:\.\d{1,9}){0,4}(?:-[a-z0-9.]{1,20})?(?![a-z0-9_])",
        _HASH,
        r"(?<![a-z0-9_-])[a-z_](?:[a-z_]|-(?=\w)){0,60}+\d[a-z0-9_-]{0,200}",
    )
)
_DIGIT_IDS = "|".join(
    (
        _UUID,
        r"(?<![\w.])1[0-9]{9}\.[0-9]{6}(?!\d)",  # a Slack message's `ts`
        r"(?<![\w&])#\d{1,12}(?![\w.-]*[a-z_])",
        r"(?<![a-z0-9_.])\d{1,9}(?:\.\d{1,9}){2,4}(?![\w.]*\d)",
        r"(?<![\w.-])\d{2,4}-\d{2,4}-\d{3,4}(?![\w-])",  # a telephone number
        _HASH,
        r"(?<![a-z0-9_.,-])\d{13,40}(?![\d.,])",
        r"(?<=\.\.\.)-\d{1,12}[a-z][a-z0-9]{2,20}(?![\w-])",  # the end of a long name: …-8mwvn
    )
)


def id_key(written: str) -> str:
    """The form under which an id compares: `PR 436`, `#436` and `pull/436` are one; UUIDs and hashes ignore case, other ids do
    not. A hash is written in one case: `aB3dE5f` is an id of figures and letters that are each its own."""
    if number := _REFERENCE.fullmatch(written):
        return f"#{int(number[1])}"
    if version := _VERSION.fullmatch(written):
        return version[1]
    is_hash = _HEX.fullmatch(written) and written in (written.lower(), written.upper())
    return written.lower() if is_hash or _WHOLE_UUID.fullmatch(written) else written


_REFERENCE = re.compile(r"(?:(?:PR|MR|issue|pull)s?[\s/]?#?|#)(\d+)", re.IGNORECASE)
_VERSION = re.compile(r"v?\.?(\d+(?:\.\d+)+.*)", re.IGNORECASE)
_HEX = re.compile(r"[0-9a-f-]{7,64}", re.IGNORECASE)
_WHOLE_UUID = re.compile(_UUID, re.IGNORECASE)


def _url(written: str, start: int) -> tuple[list[Fact], int]:
    shown = _until_closed(written).rstrip(".,;:!?)(*_~")
    if shown.count("(") > shown.count(")") and written[len(shown) : len(shown) + 1] == ")":
        shown += ")"
    return [Fact(FactKind.URL, shown, start, start + len(shown), address_keys(shown))], start + len(shown)


def _until_closed(written: str) -> str:
    """An address up to the bracket that closes what was opened before it: [a title](https://…)**(more."""
    depth = 0
    for at, character in enumerate(written):
        depth += (character == "(") - (character == ")")
        if depth < 0:
            return written[:at]
    return written


def address_keys(written: str) -> tuple[str, ...]:
    """The address decoded and, where that differs, with percent-encoding: results and people write either."""
    key = url_key(written)
    return tuple(dict.fromkeys((unquote(key), quote(unquote(key), safe="/?#&=%:@+,;~!$'()*-._"))))


def url_key(written: str) -> str:
    """The form under which an address compares: no http scheme, no `www.`, host in lower case, no slash at the end."""
    bare = re.sub(r"^(?:https?:/{0,3}|mailto:)", "", written, flags=re.IGNORECASE)
    bare = re.sub(r"^www\.", "", bare, flags=re.IGNORECASE)
    host, slash, path = bare.partition("/")
    return (host.lower() + slash + path).rstrip("/")


def _number(match: re.Match[str], text: str) -> tuple[list[Fact], int]:
    half = _AND_A_HALF.match(text, match.end())
    unit_match = _unit_pattern().match(text, half.end() if half else match.end())
    half = half or (_AND_A_HALF.match(text, unit_match.end()) if unit_match else None)
    other_end = None if unit_match else _OTHER_END.match(text, match.end())
    of_range = _unit_pattern().match(text, other_end.end()) if other_end else None
    currency = match["currency"] if match.lastgroup == "number" else None
    of_range = None if currency else of_range  # ¥2,400 - 9-year-old
    written_unit = unit_match[1] if unit_match else of_range[1] if of_range else ""  # 38–45%: the unit is of both
    if not written_unit and _WEEKDAY.match(text, match.end()):
        written_unit = "日"  # 3/29(月)・30(火)
    if written_unit == "度" and text[: match.start()].endswith("華氏"):
        written_unit = "°f"
    end = max(found.end() for found in (match, half, unit_match) if found)
    if (
        match.lastgroup == "kanji_number"
        and _SCALE.issuperset(match["kanji_figures"])
        and _UNIT_BEFORE.search(text[: match.start()])
    ):
        return [], end
    if match.lastgroup == "kanji_number":
        figures = str(kanji_or_digits(match["kanji_figures"]))
    elif match.lastgroup == "mixed":
        figures = str(
            sum(int(part) * _times(signs) for part, signs in re.findall(r"(\d+)([兆億万千]*)", match["mixed"].replace(",", "")))
        )
    else:
        below = text[max(0, match.start() - 6) : match.start()].lower().endswith(_BELOW_ZERO)
        figures = ("-" if below else match["sign"] or "") + match["figures"].replace(",", "")
        if match["times"]:
            figures = str(Decimal(figures) * _times(match["times"].strip().lower()))
        code = _CODE_BEFORE.search(text[max(0, match.start() - 4) : match.start()])
        written_unit = written_unit or (currency or "").strip() or (code[1] if code else "")
    if half and figures.isdecimal():
        figures += ".5"
    fact = _figure(figures, match.start(), written_unit)
    if match.lastgroup == "number" and match["behind_a_word"]:
        if fact.unit not in _DEGREES | _MAY_BE_NEGATIVE or _ends_with_quantity(
            text[max(0, match.start() - LONGEST_UNIT) : match.start()]
        ):
            return [], match.start() + 1  # a hyphen: what stands behind it is read by itself
        if fact.unit in _MAY_BE_NEGATIVE:
            fact = fact._replace(keys=(*fact.keys, *(key.removeprefix("-") for key in fact.keys)))
    return [fact._replace(end=end, text=text[match.start() : end])], end


CURRENCIES = frozenset({"JPY", "USD", "EUR", "GBP"})
"""The units of money."""
_DEGREES = frozenset({"度", "°f"})
_MAY_BE_NEGATIVE = CURRENCIES | {"%"}
"""Units before whose figure a hyphen directly behind a Japanese word is its sign, as before degrees: of no other (会議室-2階). A sum or
share may stand behind a mere dash (カレー-800円), so it compares with and without its sign."""
_CODE_BEFORE = re.compile(rf"\b({'|'.join(sorted(CURRENCIES))})\s?$")
"""ISO 4217, in front of the sum."""
_SCALE = frozenset("百千万億")
_WEEKDAY = re.compile(r"\([月火水木金土日]\)")
_OTHER_END = re.compile(r"(?:[ \t]?[–~〜～-][ \t]?|[ \t]to[ \t]|・)-?\d{1,12}(?:\.\d{1,9})?")


def _times(signs: str) -> int:
    """What a word (`million`) or one or two kanji (千万) multiply a figure by."""
    known = load_words("units")["multipliers"]
    return int(known[signs]) if signs in known else prod(known[sign] for sign in signs)


def _figure(figures: str, start: int, unit: str) -> Fact:
    if unit.endswith("円") and unit != "円":  # 5〜6億円, 3 万円
        figures, unit = str(Decimal(figures) * _times(unit.removesuffix("円"))), "円"
    return Fact(FactKind.NUMBER, figures, start, start + len(figures), (number_key(figures),), unit_key(unit))


def number_key(figures: str | float | Decimal) -> str:
    """A number's canonical decimal form, without exponent and trailing zeros."""
    value = Decimal(str(figures))
    if not value.is_finite() or value.adjusted() > 60 or value.adjusted() < -60:
        return str(figures)
    plain = format(value, "f")
    plain = plain.rstrip("0").rstrip(".") if "." in plain else plain
    return "0" if plain == "-0" else plain.removeprefix("+")


def unit_key(unit: str) -> str:
    """A unit's canonical form: `名` and `people` are `人`, `yen` is `JPY`."""
    return str(load_words("units")["same"].get(unit.lower(), unit.lower()))


@cache
def _unit_pattern() -> re.Pattern[str]:
    units = load_words("units")
    latin = alternatives(units["latin"])
    return re.compile(rf"[\s-]?(%|(?:{latin})(?![a-z0-9])|{alternatives(units['counters'])})", re.IGNORECASE)


LONGEST_UNIT = 12


def _ends_with_quantity(text: str) -> bool:
    """Whether a text ends with a figure and its unit, from which a range may go on: 3度-5度, 10時-5度."""
    return bool(_quantity_pattern().search(text))


@cache
def _quantity_pattern() -> re.Pattern[str]:
    return re.compile(rf"\d\s?(?:{alternatives(load_words('units')['counters'])}|[時月半])\Z")


def _named(text: str) -> Iterator[Fact]:
    """Quotations, names and places: what is compared by looking for it, not by its form."""
    taken = 0
    code = [match.span() for match in _CODE.finditer(text)] if "```" in text else []
    for match in _QUOTES.finditer(text):
        if any(start <= match.start() < end for start, end in code):
            continue  # what stands in quotation marks in a program quotes nobody
        inner = next(group for group in match.groups() if group is not None)
        if key := fold(inner).strip():
            bare = _BOLD.sub(r"\1", key)  # the marks may be the quoting text's own
            keys: tuple[str, ...] = (key,) if bare == key else (bare, key)
            yield Fact(FactKind.QUOTE, inner, match.start(), match.end(), keys)
    for match in _names_pattern(text.isascii()).finditer(text):
        kind = FactKind.PLACE if match["place"] else FactKind.NAME
        if match.start() >= taken and (keys := _name_keys(match)):
            taken, begin = match.end(), match.start() + len(_leading(match))
            yield Fact(kind, text[begin:taken], begin, taken, keys)


def _leading(match: re.Match[str]) -> str:
    """What only leads to a name in kana: というりょーさん."""
    person = match["person"] or ""
    led = (word for word in load_words("names")["leads_to_a_name"] if person.startswith(word) and len(person) > len(word) + 1)
    return next(led, "") if _KANA_NAME.fullmatch(person) else ""


_KANA_NAME = re.compile("[\u3041-\u3096ー]+")


_BOLD = re.compile(r"\*\*([^*\n]{1,100})\*\*")
_NEVER = "(?!)"
_ACCENTED = "À-ÖØ-öø-ɏ"
LATIN_NAME = rf"[A-ZÀ-ÖØ-Þ][A-Za-z0-9{_ACCENTED}_'-]{{1,30}}"
"""A name in Latin letters ends where Japanese goes on: Wen Zhaoにして."""
_ENOUGH = "十分(?:」|だ|で(?:す|は|あ|し|な|も)|な|に|とは|と[い言思]|すぎ|、|。|$)"
"""十分 that says enough, and no ten minutes."""
_CODE = re.compile(r"^```.*?(?:^```|\Z)", re.MULTILINE | re.DOTALL)
_BETWEEN = rf"{{1,{LONGEST_QUOTE}}}"
_QUOTES = re.compile(
    rf"「([^「」\n]{_BETWEEN})」|『([^『』\n]{_BETWEEN})』|(?<![\w\"])\"([^\"\n]{_BETWEEN})\"(?!\w)|`([^`\n]{_BETWEEN})`"
)


@cache
def _names_pattern(in_ascii: bool) -> re.Pattern[str]:
    """`in_ascii`: for a text of ASCII, in which no word of Japanese has to be sought: each of its words might bear an honorific."""
    names, places = load_words("names"), load_words("places")
    honorifics, japanese = (
        alternatives(word for word in words if word.isascii() or not in_ascii)
        for words in (names["honorifics"], places["places"])
    )
    particles = "|".join(names["particles_behind_a_channel"])  # #雑談に「…」と書いて
    latin = rf"[A-Za-z{_ACCENTED}][A-Za-z0-9{_ACCENTED}_.-]{{0,30}}"
    person = rf"{latin}(?:\s(?=[A-ZÀ-Þ]){latin})?"
    if not in_ascii:
        person = rf"[一-龯々]{{1,8}}(?:\s[一-龯々]{{1,6}})?|[ァ-ヶー]{{2,16}}|(?!を)[ぁ-ゖー]{{2,6}}|{person}"
    return re.compile(
        "|".join(
            (
                r"(?P<mention>(?<![\w.+/@-])[@＠](?P<handle>[\w][\w.-]{0,60})|<[@#](?P<coded>[UWC][A-Z0-9]{4,20})(?:\|[^>\n]{0,80})?>)",
                r"(?P<channel>(?<![A-Za-z0-9_\u30a1-\u30ff\u3400-\u9fff々&/#])#(?P<named>(?!\d+(?![A-Za-z0-9_-]))(?:[A-Za-z0-9_-]{1,80}(?=[ぁ-ん])|"
                rf"[A-Za-z0-9_\u30a1-\u30ff\u3400-\u9fff々-]{{1,80}}(?=(?:{particles})(?:[^ぁ-ん]|$))|[\w][\w-]{{0,80}})))",
                rf"(?P<honoured>{'' if honorifics else _NEVER}(?P<person>{person})\s?(?:{honorifics}))(?![ぁ-ん]?(?:屋|店)|(?<=様)[子式々相])",
                rf"(?P<titled>\b(?:{alternatives(names['titles'])})\.?\s(?P<titled_name>{LATIN_NAME}(?:\s{LATIN_NAME})?))",
                rf"(?P<place>(?:{japanese or _NEVER})(?:都|道|府|県|市|区|駅)?|\b(?:{alternatives(map(str.title, places['english']))})\b)",
            )
        )
    )


def _name_keys(match: re.Match[str]) -> tuple[str, ...]:
    if match["place"]:
        return _place_keys(match["place"])
    written = next(filter(None, (match["handle"], match["coded"], match["named"], match["person"], match["titled_name"])))
    if (
        match["person"]
        and match.string[: match.start()].endswith(_HONOURED)
        and written[0] in "とやにはがもの"
        and len(written) > 2
    ):
        written = written[1:]  # 美咲さんとさくらさん: the particle is no part of the second name
    if match["person"]:
        written = written.removeprefix(_leading(match))
        written = _DAY_BEFORE.sub("", written) or written  # 今日健太さん: the day is no part of the name
    unwanted = set(load_words("names")["not_names"])
    if match["person"] and (written in unwanted or fold(written) in unwanted):
        return ()
    behind_a_noun = match["person"] and _NOUN_ENDS.search(match.string[max(0, match.start() - 1) : match.start()])
    bare = _PARTICLE_IN_FRONT.match(written) if behind_a_noun else None
    return (fold(written),) if bare is None else (fold(bare["name"]), fold(written))  # アプリはりょーさん, お試しでりょーさん


_NOUN_ENDS = re.compile(r"[一-龯々ァ-ヶー]$")
_PARTICLE_IN_FRONT = re.compile(r"[ぁ-ゖ]?[はがをにでとのもへ](?P<name>[ぁ-ゖー]{2,5})$")


_AND_A_HALF = patterns_of("autonomy.provenance")["and_a_half"]
_UNIT_BEFORE = patterns_of("autonomy.provenance")["tells_a_unit"]
_DAY_BEFORE = patterns_of("autonomy.provenance")["day_in_front"]
_HONOURED = ("さん", "様", "氏", "くん", "ちゃん", "先生")


def _place_keys(written: str) -> tuple[str, ...]:
    """A place in Japanese and English, with and without its kind of town."""
    english = load_words("places")["english"]
    japanese = english.get(written.lower(), written)
    bare = japanese if japanese in load_words("places")["places"] else japanese[:-1]
    return tuple(
        dict.fromkeys(fold(name) for name in (japanese, bare, *(key for key, place in english.items() if place == bare)))
    )
