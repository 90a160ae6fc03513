"""Parses dates, times of day and time zones, absolute and relative, in Japanese, English and ISO 8601."""

import re
from calendar import monthrange
from collections.abc import Iterable
from datetime import UTC, date, datetime, time, timedelta, tzinfo
from functools import cache
from typing import NamedTuple
from zoneinfo import ZoneInfo

from autonomy.provenance.text.normalize import fold
from autonomy.provenance.text.word_data import alternatives, load_words


class DateReading(NamedTuple):
    """The keys of a date and of a time of day; either may be empty."""

    days: tuple[str, ...]
    times: tuple[str, ...]
    relative: bool = False


DIGIT_FORMS = (
    "stamp",
    "ymd",
    "year_last",
    "compact",
    "year_month",
    "kanji",
    "ago",
    "english_day_first",
    "english_from",
    "english_to",
    "kanji_to",
    "slash_to",
    "slash",
    "clock",
    "hour",
    "english_hour",
)
"""The forms that begin with a digit."""
LETTER_FORMS = ("noon", "english_month_first", "english_month", "english_weekday", "word")
CHARACTER_FORMS = ("noon", "kanji", "clock", "hour", "weekday", "word")
"""The forms that begin with a kanji, kana or bracket."""


def date_pattern(*forms: str) -> str:
    """A regular expression with the named groups that `read_date` takes apart; for normalised text, ignoring case."""
    return "|".join(_forms()[form] for form in forms)


_BEFORE_A_MONTH: list[str] = load_words("dates")["before_a_month"]
"""What makes a month of a word that may be a name or a verb as well: April, may, march."""


@cache
def _forms() -> dict[str, str]:
    words = load_words("dates")
    months, weekdays = alternatives(words["months"]), alternatives([word for word in words["weekdays"] if len(word) > 2])
    long_months = alternatives([month for month in words["months"] if len(month) > 3 or month == "may"])
    short_months = alternatives([month for month in words["months"] if len(month) == 3])
    behind = "|".join(f"(?<={word} )" for word in _BEFORE_A_MONTH)
    clock = r"\d{1,2}:[0-5]\d(?::[0-5]\d|(?!\.\d))(?!\d|:\d)"  # the 37.0 of 1:37.0℃ has a label before it
    toward = alternatives([*words["last"], *words["next"], "今週"])
    year = r"(?:,?\s(?P<{}>(?:19|20)\d\d)\b)?"
    return {
        "ymd": r"(?P<ymd>(?<!\d)(?:19|20)\d\d(?P<sep>[-/.])(?:0?[1-9]|1[0-2])(?P=sep)(?:3[01]|[12]\d|0?[1-9])(?!\d)"
        r"(?:(?:T|\s)(?P<iso>\d\d:[0-5]\d(?::[0-5]\d(?:\.\d{1,9})?)?)\s?(?P<offset>Z(?![a-z])|[-+]\d\d:?\d\d(?!\d))?)?)",
        "stamp": rf"(?P<stamp>(?<!\d)(?P<stamp_day>\d{{1,2}})[ /](?P<stamp_month>{short_months})[ /](?P<stamp_year>20\d\d)[: ]"
        r"(?P<stamp_time>[0-2]\d:[0-5]\d(?::[0-5]\d)?) (?P<stamp_offset>[-+]\d{4}|GMT|UTC)(?!\w))",
        "year_last": r"(?P<year_last>(?<![\d/.\w])(?:3[01]|[12]\d|0?[1-9])(?P<last_sep>[/.])(?:3[01]|[12]\d|0?[1-9])(?P=last_sep)"
        r"(?:19|20)\d\d(?![\w/]))",
        "compact": r"(?P<compact>(?<![\w.])20\d\d(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])(?!\w))",
        "year_month": r"(?P<year_month>(?<![\w.-])(?:19|20)\d\d-(?:0[1-9]|1[0-2])(?![\w-]))",
        "kanji": rf"(?P<kanji>(?:(?P<era>{alternatives(words['eras'])})?(?P<year>\d{{1,4}}|元)年\s?)?"
        r"(?P<month>1[0-2]|0?[1-9])月(?:\s?(?P<day>3[01]|[12]\d|0?[1-9])日)?(?![間齢]))",
        "slash": r"(?P<slash>(?:(?<![\d/.\w])|(?<=[はがもにでをとへりらくてし限日]))(?:1[0-2]|0?[1-9])/(?:3[01]|[12]\d|0?[1-9])(?![\d/%])"
        r"(?!\s?(?:ポイント|件|点|個|人|名|枚|冊|問|(?:pts?|points?|items?|tasks?|tests?)\b)))",
        "english_month_first": rf"(?P<english_month_first>\b(?P<m1>{months})\.?\s(?P<d1>\d{{1,2}})(?:st|nd|rd|th)?\b(?!:\d){year.format('y1')})",
        "english_from": rf"(?P<english_from>(?<![\d.,])(?P<d3>\d{{1,2}})(?:st|nd|rd|th)?(?=(?:\s?-\s?|\s(?:to|and|until|or|through)\s)"
        rf"\d{{1,2}}(?:st|nd|rd|th)?\s(?:of\s)?(?P<m3>{months})\b\.?{year.format('y3')}))",
        "english_to": rf"(?P<english_to>(?:(?<=[a-z] \d-)|(?<=[a-z] \d\d-)|(?<=\d to ))(?:{_behind_a_day(words['months'])})(?P<d6>\d{{1,2}})(?:st|nd|rd|th)?\b(?![-/.:,]?\d)"
        rf"{year.format('y6')})",
        "kanji_to": rf"(?P<kanji_to>(?=\d)(?:{_BEHIND_A_KANJI_DAY})(?P<d7>3[01]|[12]\d|0?[1-9])日)",
        "slash_to": rf"(?P<slash_to>(?=\d)(?:{_BEHIND_A_SLASH_DAY})(?P<d8>3[01]|[12]\d|0?[1-9])(?=日?(?:[\s)\]、。,:;|]|[のにはでともを]|$)))",
        "english_month": rf"(?P<english_month>\b(?:(?:{behind})(?P<m4>{long_months})\b(?!\s\d)"
        rf"|(?P<m5>{long_months})\s(?P<y5>(?:19|20)\d\d)\b))",
        "english_day_first": rf"(?P<english_day_first>(?<!\d)(?P<d2>\d{{1,2}})(?:st|nd|rd|th)?\s(?:of\s)?(?P<m2>{months})\b\.?{year.format('y2')})",
        "clock": rf"(?P<clock>(?<!\d)(?<!\d:)(?:(?P<half1>午前|午後)\s?)?(?P<ends>(?<=[~〜～–—-])|(?<=[~〜～–—-] ))?(?P<hm>{clock})(?:\s?(?P<half2>[ap]\.?m\b\.?))?(?P<utc>\s?(?:UTC|GMT|Z)\b)?(?!\s?%))",
        "hour": r"(?P<hour>(?:(?P<half3>午前|午後)\s?)?(?P<h>(?<!\d)\d{1,2}|(?!一時[^にかまご頃半過発着\s、。,.)\d])[一二三四五六七八九十]{1,3})時(?!間)"
        r"(?P<rest>半|[0-5]?\d分)?)",
        "noon": r"(?P<noon>正午|\bnoon\b)",
        "english_hour": r"(?P<english_hour>(?<![\d.:])(?P<h12>\d{1,2})\s?(?P<half4>[ap]\.?m\b\.?))",
        "weekday": rf"(?P<weekday>(?:(?P<toward>{toward})\s?の?)?(?:(?P<wja>[月火水木金土日])曜日?|\((?P<wparen>[月火水木金土日])\)))",
        "english_weekday": rf"(?P<english_weekday>\b(?:(?P<toward_en>last|next|this)\s)?(?P<wen>{weekdays})\b"
        r"(?:,? the (?P<nth>[12]?\d|3[01])(?:st|nd|rd|th)\b|\s(?P<bare>[12]?\d|3[01])(?=\s?(?:[(:;)\]*|]|$|\n)(?!\d)))?)",
        "ago": r"(?P<ago>(?<![\d.])(?P<n>\d{1,3})\s?(?:(?P<japanese>日前|日後)|days?\s(?P<en>ago|later)\b))",
        "word": rf"(?P<word>(?:{alternatives([*words['relative_days'], *words['relative_weeks']])})(?![a-z]))",
    }


def _behind_a_day(months: Iterable[str]) -> str:
    """That a month with a day and what leads to its last day stands before: `Nov 23-`. A look back has one width each."""
    by_width: dict[int, list[str]] = {}
    for month in months:
        by_width.setdefault(len(month), []).append(month)
    return "|".join(
        rf"(?<=\b(?P<m6{at}{digits}{way}>{alternatives(by_width[width])}) {{}}{{}})".format(r"\d" * digits, leads)
        for at, width in enumerate(sorted(by_width))
        for digits in (1, 2)
        for way, leads in enumerate(("-", " to "))
    )


def _behind_a_day_in_figures(group: str, month_mark: str, leads: Iterable[str]) -> str:
    """The same of a day in figures, or that another one stands before it: 11月23日〜, 11/23〜, 11/23・."""
    return "|".join(
        rf"(?<={month.format(f'{group}{at}{digits}{way}')}{month_mark}{chr(92) + 'd'}{{{digits}}}{lead})"
        for at, month in enumerate((r"(?P<{}>1[0-2])", r"(?<![\d/.])(?P<{}>[1-9])"))
        for digits in (1, 2)
        for way, lead in enumerate(leads)
    )


_BEHIND_A_KANJI_DAY = _behind_a_day_in_figures("m7", "月", ("日[~-]", "日から", "[~-]", "日・"))
_BEHIND_A_SLASH_DAY = _behind_a_day_in_figures("m8", "/", ("[~-]", "から", "・"))


def read_date(match: re.Match[str], day: date | None, zone: tzinfo | None) -> DateReading | None:
    """The date of a match of `date_pattern`; None if it is not a date after all (2026-02-30, 25:00)."""
    groups = {name: text for name, text in match.groupdict().items() if text is not None}
    form = next(name for name in _READERS if name in groups)
    try:
        return _READERS[form](groups, day, zone)
    except (ValueError, OverflowError):
        return None


Groups = dict[str, str]


def _ymd(groups: Groups, _day: date | None, zone: tzinfo | None) -> DateReading:
    year, month, day = _YMD.findall(groups["ymd"])[:3]
    written = date(int(year), int(month), int(day))
    if "iso" not in groups:
        return DateReading((written.isoformat(),), ())
    at = datetime.fromisoformat(f"{written.isoformat()}T{groups['iso'].split('.')[0]}{groups.get('offset', '').upper()}")
    return _moment(at, zone)


_YMD = re.compile(r"\d+")


def _year_last(groups: Groups, _day: date | None, _zone: tzinfo | None) -> DateReading:
    """A day as Europe writes it, or with slashes as the United States do: 02/11/2026 may be either, and is told as either."""
    first, second, year = map(int, _YMD.findall(groups["year_last"]))
    orders = ((second, first), (first, second)) if groups["last_sep"] == "/" else ((second, first),)
    days = [date(year, month, day).isoformat() for month, day in orders if month <= LAST_MONTH]
    if not days:
        raise ValueError(groups["year_last"])
    return DateReading(tuple(dict.fromkeys(days)), ())


LAST_MONTH = 12


def with_slashes(field: str) -> str:
    """A field that is nothing but month and day in two digits each (`03-05`) as dates are told; any other as it is. In running
    text such a pair may be a score or a range."""
    return field.replace("-", "/") if _MONTH_DAY.fullmatch(field) else field


_MONTH_DAY = re.compile(r"(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])", re.ASCII)


def read_moment(text: str, zone: tzinfo | None) -> DateReading | None:
    """The moment of a text that is only a day or a timestamp (RFC 3339, also without seconds or offset, or RFC 5322 as in mails
    and feeds); None for any other. Results hold thousands of them."""
    if _DAY_OR_MOMENT.fullmatch(text):
        try:
            at = datetime.fromisoformat(text)
        except ValueError:
            return None
        return _moment(at, zone) if len(text) > len("2027-03-05") else DateReading((text,), ())
    if not (mail := _MAIL_DATE.fullmatch(text)):
        return None
    try:
        return _moment(_stamped(mail["year"], mail["month"], mail["day"], mail["time"], mail["offset"]), zone)
    except ValueError:
        return None


def _stamped(year: str, month: str, day: str, at: str, offset: str) -> datetime:
    """The moment of a stamp as mails and logs of web servers write it: `05 Mar 2027 08:02:40 +0900`."""
    number = load_words("dates")["months"].get(month.lower(), 0)
    ahead = offset if offset[0] in "+-" else "+0000"
    return datetime.fromisoformat(f"{year}-{number:02}-{int(day):02}T{at}{ahead[:3]}:{ahead[3:]}")


def is_moment(text: str) -> bool:
    """Whether a text is nothing but a timestamp, in which no other fact stands than a day and a time."""
    try:
        return bool(_MOMENT.fullmatch(text) and datetime.fromisoformat(text))
    except ValueError:
        return False


def is_iso_day(text: str) -> bool:
    """Whether a text is a day of the calendar as a whole: `2027-03-05`, and not `2027-02-29`."""
    try:
        return bool(_ISO_DAY.fullmatch(text) and date.fromisoformat(text))
    except ValueError:
        return False


def months_later(day: date, months: int) -> date:
    """The same day of the month so many months later, or the last one of a shorter month."""
    year, month = divmod(day.year * 12 + day.month - 1 + months, 12)
    return date(year, month + 1, min(day.day, monthrange(year, month + 1)[1]))


_ISO_DAY = re.compile(r"\d{4}-\d\d-\d\d", re.ASCII)
_MAIL_DATE = re.compile(
    r"(?:[A-Z][a-z]{2}, )?(?P<day>\d{1,2}) (?P<month>[A-Z][a-z]{2}) (?P<year>\d{4}) (?P<time>\d\d:\d\d(?::\d\d)?) "
    r"(?P<offset>GMT|UTC|UT|[+-]\d{4})(?: \([A-Z]{3,5}\))?",
    re.ASCII,
)
_DAY_OR_MOMENT = re.compile(r"(?:19|20)\d\d-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d)?(?:Z|[+-]\d\d:\d\d)?)?", re.ASCII)
_MOMENT = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:Z|[+-]\d\d:\d\d)", re.ASCII)


def local_moment(value: object, zone: tzinfo | None) -> datetime | None:
    """The day and time of a value that is nothing but a moment, as clocks in the zone show it.

    Seconds and offset may be missing; without an offset or a zone, it is as it is written. None for anything else, and for a day or
    hour that does not exist.
    """
    if not isinstance(value, str) or not _LOOSE_MOMENT.fullmatch(value):
        return None
    try:
        at = datetime.fromisoformat(value)
    except ValueError:
        return None
    return in_zone(at, zone).replace(tzinfo=None)


_LOOSE_MOMENT = re.compile(r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d)?", re.ASCII)


def in_zone(at: datetime, zone: tzinfo | None) -> datetime:
    """A moment as clocks in a zone show it; as it is written where none can: 9999-12-31T23:59:59Z means no end, 0001-01-01 none."""
    try:
        return at.astimezone(zone) if at.tzinfo and zone else at
    except OverflowError:
        return at


def _moment(at: datetime, zone: tzinfo | None) -> DateReading:
    written, local = at.date(), in_zone(at, zone)
    days = tuple(dict.fromkeys((local.date().isoformat(), written.isoformat())))
    return DateReading(days, tuple(dict.fromkeys((*time_keys(local), *time_keys(at)))))


def _stamp(groups: Groups, _day: date | None, zone: tzinfo | None) -> DateReading:
    year, month, day, at, offset = (groups[f"stamp_{part}"] for part in ("year", "month", "day", "time", "offset"))
    return _moment(_stamped(year, month, day, at, offset.upper()), zone)


def _compact(groups: Groups, _day: date | None, _zone: tzinfo | None) -> DateReading:
    text = groups["compact"]
    return DateReading((date(int(text[:4]), int(text[4:6]), int(text[6:])).isoformat(),), ())


def _year_month(groups: Groups, _day: date | None, _zone: tzinfo | None) -> DateReading:
    return DateReading((groups["year_month"],), ())


def _english_month(groups: Groups, _day: date | None, _zone: tzinfo | None) -> DateReading:
    month = load_words("dates")["months"][(groups.get("m4") or groups["m5"]).lower()]
    return DateReading((f"{groups['y5']}-{month:02}" if "y5" in groups else f"--{month:02}",), ())


def _kanji(groups: Groups, day: date | None, _zone: tzinfo | None) -> DateReading:
    month = int(groups["month"])
    era = load_words("dates")["eras"].get(groups.get("era", ""), 0)
    year = era + (1 if groups.get("year") == "元" else int(groups["year"])) if "year" in groups else None
    if "day" not in groups:
        return DateReading((f"{year:04}-{month:02}" if year else f"--{month:02}",), ())
    return DateReading(_month_day(year, month, int(groups["day"]), day), ())


def _kanji_to(groups: Groups, day: date | None, _zone: tzinfo | None) -> DateReading:
    month = next(int(text) for name, text in groups.items() if name.startswith("m7"))
    return DateReading(_month_day(None, month, int(groups["d7"]), day), ())


def _slash_to(groups: Groups, day: date | None, _zone: tzinfo | None) -> DateReading:
    month = next(int(text) for name, text in groups.items() if name.startswith("m8"))
    return DateReading(_month_day(None, month, int(groups["d8"]), day), ())


def _slash(groups: Groups, day: date | None, _zone: tzinfo | None) -> DateReading:
    month, of_month = map(int, groups["slash"].split("/"))
    return DateReading(_month_day(None, month, of_month, day), ())


def _english(groups: Groups, day: date | None, _zone: tzinfo | None) -> DateReading:
    written = {name[0]: text for name, text in groups.items() if name[0] in "mdy" and name[1:].isdecimal()}
    month, year = load_words("dates")["months"][written["m"].lower()], written.get("y")
    return DateReading(_month_day(int(year) if year else None, month, int(written["d"]), day), ())


def _month_day(year: int | None, month: int, of_month: int, day: date | None) -> tuple[str, ...]:
    """The day; without a year the one nearest to `day`, and the month and day alone, as others may have meant another year."""
    if year:
        return (date(year, month, of_month).isoformat(),)
    partial = f"--{date(2024, month, of_month).isoformat()[5:]}"  # 2024: a leap year knows every day
    return (partial,) if day is None else (_nearest(month, of_month, day), partial)


def _nearest(month: int, of_month: int, day: date) -> str:
    years = [year for year in range(day.year - 4, day.year + 5) if of_month < 29 or _exists(year, month, of_month)]
    return min((date(year, month, of_month) for year in years), key=lambda found: abs((found - day).days)).isoformat()


def _exists(year: int, month: int, of_month: int) -> bool:
    try:
        date(year, month, of_month)
    except ValueError:
        return False
    return True


HOURS_OF_A_DAY = 24
"""23:00–24:00 ends at 0:00 of the next day; alone, 24:00 may be a span of time."""


def _clock(groups: Groups, day: date | None, zone: tzinfo | None) -> DateReading:
    hour, minute, *second = map(int, groups["hm"].split(":"))
    hour = _on_24(hour, groups.get("half1") or groups.get("half2") or "")
    hour = 0 if hour == HOURS_OF_A_DAY and not minute and "ends" in groups else hour
    at = time(hour, minute, second[0] if second else 0)
    if "utc" in groups and day and zone:
        here = datetime.combine(day, at, UTC).astimezone(zone).time()
        return DateReading((), (time_keys(here)[0], time_keys(at)[0]))
    return DateReading((), time_keys(at)[:1])


def _hour(groups: Groups, _day: date | None, _zone: tzinfo | None) -> DateReading:
    hour, half = kanji_or_digits(groups["h"]), groups.get("half3", "")
    rest = groups.get("rest", "")
    minute = 30 if rest == "半" else int(rest[:-1] or 0) if rest else 0
    # 3時 in the afternoon is 15:00 for most who say it
    hours = (_on_24(hour, half),) if half or hour > 12 else (hour, (hour + 12) % 24)
    if max(hours) > 24:
        raise ValueError(groups["hour"])
    return DateReading((), tuple(f"{at % 24:02}:{minute:02}" for at in hours))


def _english_hour(groups: Groups, _day: date | None, _zone: tzinfo | None) -> DateReading:
    if not 1 <= int(groups["h12"]) <= 12:
        raise ValueError(groups["h12"])
    return DateReading((), (f"{_on_24(int(groups['h12']), groups['half4']):02}:00",))


def _noon(_groups: Groups, _day: date | None, _zone: tzinfo | None) -> DateReading:
    return DateReading((), ("12:00",))


def _on_24(hour: int, half: str) -> int:
    if half.lower().startswith(("午後", "p")):
        return hour if hour >= 12 else hour + 12
    return 0 if half and hour == 12 else hour


def time_keys(at: datetime | time) -> tuple[str, ...]:
    """The keys of a clock time: to the second where there is one, and to the minute."""
    minute = f"{at.hour:02}:{at.minute:02}"
    return (f"{minute}:{at.second:02}", minute) if at.second else (minute,)


MOST_AWAY = 62
"""Days from today within which a weekday with its number lies."""


def _weekday(groups: Groups, day: date | None, _zone: tzinfo | None) -> DateReading | None:
    words = load_words("dates")
    name = (groups.get("wja") or groups.get("wparen") or groups["wen"]).lower()
    number, toward = words["weekdays"][name], (groups.get("toward") or groups.get("toward_en", "")).lower()
    if day is None:
        return DateReading((f"weekday-{number}",), (), relative=True)
    if nth := int(groups.get("nth") or groups.get("bare") or "0"):  # Thursday the 11th, `Thu 11:`: one day, whatever the month
        near = (day + timedelta(days=sign * away) for away in range(MOST_AWAY) for sign in (1, -1))
        nearest = next((found for found in near if found.day == nth and found.weekday() == number), None)
        return DateReading((nearest.isoformat(), f"-{nearest:-%m-%d}"), ()) if nearest else None
    last = day - timedelta(days=(day.weekday() - number) % 7)
    coming = day + timedelta(days=(number - day.weekday()) % 7)
    if toward in words["last"]:
        days = [last if last != day else day - timedelta(days=7), day - timedelta(days=day.weekday() + 7 - number)]
    elif toward in words["next"]:
        days = [coming if coming != day else day + timedelta(days=7), day + timedelta(days=7 - day.weekday() + number)]
    else:
        days = [last, coming if coming != day else day + timedelta(days=7)]
    return DateReading(tuple(dict.fromkeys(found.isoformat() for found in days)), (), relative=True)


def _ago(groups: Groups, day: date | None, _zone: tzinfo | None) -> DateReading:
    if day is None:
        raise ValueError(groups["ago"])
    back = groups.get("japanese") == "日前" or groups.get("en", "").lower() == "ago"
    days = int(groups["n"])
    return DateReading(((day + timedelta(days=-days if back else days)).isoformat(),), (), relative=True)


def _word(groups: Groups, day: date | None, _zone: tzinfo | None) -> DateReading:
    words, word = load_words("dates"), groups["word"].lower()
    if day is None:
        return DateReading((f"relative-{word}",), (), relative=True)
    if word in words["relative_days"]:
        first = day + timedelta(days=words["relative_days"][word])
        nights = [first, day] if word in words["past_midnight"] else [first]
        return DateReading(tuple(one.isoformat() for one in nights), (), relative=True)
    year, week, _ = (day + timedelta(weeks=words["relative_weeks"][word])).isocalendar()
    return DateReading((f"{year}-W{week:02}",), (), relative=True)


def kanji_or_digits(text: str) -> int:
    """The number that digits or kanji numerals (三十二, 一二三) stand for."""
    if text.isdecimal():
        return int(text)
    digits = load_words("units")["kanji_digits"]
    total = section = figure = 0
    for character in text:
        value = digits[character]
        if value >= 10_000:
            total, section, figure = total + max(section + figure, 1) * value, 0, 0
        elif value >= 10:
            section, figure = section + max(figure, 1) * value, 0
        else:
            figure = figure * 10 + value
    return total + section + figure


_READERS = {
    "stamp": _stamp,
    "ymd": _ymd,
    "year_last": _year_last,
    "compact": _compact,
    "year_month": _year_month,
    "kanji": _kanji,
    "kanji_to": _kanji_to,
    "slash_to": _slash_to,
    "slash": _slash,
    "english_month_first": _english,
    "english_month": _english_month,
    "english_from": _english,
    "english_to": _english,
    "english_day_first": _english,
    "clock": _clock,
    "hour": _hour,
    "english_hour": _english_hour,
    "noon": _noon,
    "weekday": _weekday,
    "english_weekday": _weekday,
    "ago": _ago,
    "word": _word,
}


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
