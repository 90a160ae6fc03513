"""Reads a question: puts chat into plain words, and takes its times, exclusions and comparison out."""

import re
import unicodedata
from dataclasses import replace
from datetime import date, time, timedelta
from difflib import get_close_matches
from functools import partial

from autonomy.llm.offline.lookup_words import relations_in, with_single_words
from autonomy.llm.offline.questions.preface import without_preface
from autonomy.llm.offline.questions.question import Question
from autonomy.llm.offline.time_expressions import spans_in, without_spans
from autonomy.llm.offline.vocabulary import LANGUAGES, NUMBERS
from metrics.text.phrases import patterns_of
from metrics.text.quotations import SPOKEN

_SAID = [(re.compile(pattern, re.IGNORECASE), verb) for words in LANGUAGES.values() for pattern, verb in words.said]
_REPHRASED = [(re.compile(pattern, re.IGNORECASE), form) for words in LANGUAGES.values() for pattern, form in words.rephrased]
_COMPARISONS = [(re.compile(one.pattern, re.IGNORECASE), one) for words in LANGUAGES.values() for one in words.comparisons]
_SHORT_FORMS = {short: full for words in LANGUAGES.values() for short, full in words.short_forms.items()}
_SHORT_FORM = re.compile(
    "|".join(rf"(?<![\w#@./'’:-]){re.escape(one)}(?![\w/'’-])" if one.isascii() else re.escape(one) for one in _SHORT_FORMS),
    re.IGNORECASE,
)
_PICTOGRAPHS = re.compile("[\u2600-\u27bf\U0001f000-\U0001faff\ufe0f\u200d]+")
"""They ask for nothing: ☔ behind a question is no place."""
_EMOTICON = re.compile(r"(?<=[\w.!?])\s*[:;]-?[)(DPp](?=\s+\S)")
"""It ends a sentence, as a full stop does."""
_LAUGHTER = re.compile(r"(?<=[\u3041-\u30ff。、！!])\s?(?:[（(]?笑[)）]?|[wｗ]{1,9})\s+(?=\S)")
"""It ends a sentence as well."""
_DAY_BEHIND = "日"
"""Stands behind a weekday (金曜日) or not."""
_PARTS = {
    ("morning", "am"): (time(0), time(11, 59)),
    ("afternoon",): (time(12), time(17, 59)),
    ("pm",): (time(12), time(23, 59)),
}
"""Parts of a day, by the group that tells them: 午後 lasts until midnight, an afternoon until the evening."""
_PHRASES = patterns_of("autonomy.llm.offline")
_LATIN = re.compile(r"\b[A-Za-z]+\b")
_SHORTEST_MISSPELT, _NEAR_ENOUGH = 6, 0.85
_TIME_WORDS = {
    part for words in LANGUAGES.values() for word in (*words.days, *words.weeks, *words.weekdays) for part in word.split()
}
_TIMES = sorted(word for word in {*_TIME_WORDS, "weekend"} if word.isascii() and len(word) >= _SHORTEST_MISSPELT)
_ASKED_AS = [
    (re.compile(rf"(?:{pattern})[\s.。?？!！]*", re.IGNORECASE), questions)
    for words in LANGUAGES.values()
    for pattern, questions in words.asked_as
]


def normalize_chat(goal: str) -> str:
    """A question without pictographs and words of courtesy, greeting and chat around it, and with what chat shortens in full."""
    # a dotless ı is an i where case makes no difference, and stays itself when folded
    plain_goal = _LAUGHTER.sub("。", _EMOTICON.sub(". ", _PICTOGRAPHS.sub(" ", goal))).strip()
    text, before = _SHORT_FORM.sub(lambda short: _SHORT_FORMS.get(short.group().casefold(), short.group()), plain_goal), ""
    text = re.sub(r"(?<=\w) +(?=[.,?!](?:\s|$))", "", text)  # where an interjection was taken out
    while text != before:
        before, text = text, _PHRASES["courtesy"].sub("", without_preface(text)).strip()
    for pattern, plain_form in _REPHRASED:
        text = pattern.sub(plain_form, text)
    return text or goal


def with_this_weekday(goal: str, today: date) -> tuple[str, list[tuple[str, str]]]:
    """A question about a weekday that today is, too, put about today, and how that was read: on Friday may be either."""
    text = unicodedata.normalize("NFKC", goal)
    week_ago = today - timedelta(days=7)
    bare = {name: code for code, words in LANGUAGES.items() for name in words.weekdays}
    weekday_spans = [
        (span, language)
        for span in spans_in(text, today)
        if span.first == span.last == week_ago
        and (language := bare.get(span.words.casefold().removeprefix("on ").removesuffix(_DAY_BEHIND)))
    ]
    if len(weekday_spans) != 1:
        return goal, []
    span, language = weekday_spans[0]
    now = next(word for word, offset in LANGUAGES[language].days.items() if not offset)
    return f"{text[: span.at]}{now}{text[span.end :]}", [(span.words, now)]


def asked_of_a_newcomer(goal: str) -> list[str]:
    """The questions that together answer one about a workspace as a whole; empty for any other question."""
    found = ((match, questions) for pattern, questions in _ASKED_AS if (match := pattern.fullmatch(goal.strip())))
    return next(
        ([one.format(time=next(filter(None, match.groups()), "")) for one in questions] for match, questions in found), []
    )


def read_question(goal: str, today: date) -> Question:
    """The question, with its times and its comparison."""
    text = unicodedata.normalize("NFKC", goal)
    text = _PHRASES["forbidden"].sub("", text)
    for pattern, verb in _SAID:
        text = pattern.sub(partial(_with_verb, verb), text)
    misspelt = [(word, correction) for word in _LATIN.findall(text) if (correction := _time_meant(word))]
    for word, correction in misspelt:
        text = re.sub(rf"\b{word}\b", correction, text)
    text, excluded = _taken_out(text)
    text, hours, hours_said = _hours_taken_out(text, today)
    times = spans_in(text, today)
    question = Question(text, today, goal, times, excluded=excluded, hours=hours, hours_said=hours_said, misspelt=tuple(misspelt))
    question = replace(question, relations=relations_in(with_single_words(goal)))  # a pull request asks for nothing
    remainder = without_spans(text, times)
    for pattern, comparison in _COMPARISONS:
        if comparison.order == "count" and question.unit_of_time:
            continue  # a time is told, and no items are counted
        if found := pattern.search(remainder):
            groups = found.groupdict()
            count = groups.get("count")
            number = NUMBERS.get(count.lower()) or int(count) if count else None
            return replace(question, comparison=comparison, count=number, compared_by=found.group())
    return question


def _time_meant(word: str) -> str:
    """The word for a time of which this is a misspelling; empty for any other word."""
    lower = word.lower()
    if len(word) < _SHORTEST_MISSPELT or lower in _TIMES or lower.removesuffix("s") in _TIMES:
        return ""
    near = get_close_matches(lower, _TIMES, n=1, cutoff=_NEAR_ENOUGH)
    return near[0] if near and near[0][0] == lower[0] else ""


def _taken_out(text: str) -> tuple[str, tuple[str, ...]]:
    """A question without what it leaves out, and whose things or which those are."""
    plain = SPOKEN.sub(lambda quoted: "x" * len(quoted.group()), text)
    found = list(_PHRASES["excluded"].finditer(plain))
    if len(found) != 1:
        return text, ()
    words = _PHRASES["joins_names"].split(found[0]["en"] or found[0]["ja"])
    bare = [_PHRASES["honorific"].sub("", word.strip().lstrip("#@")) for word in words]
    text = f"{text[: found[0].start()]} {text[found[0].end() :]}".strip()
    return text, tuple(word.removesuffix("'s").removesuffix("’s") for word in bare)


def _hours_taken_out(text: str, today: date) -> tuple[str, tuple[time, time] | None, str]:
    """A question about a day without its hours, those hours, and its words for them."""
    found = _PHRASES["clock"].search(text)
    if found is None or not spans_in(text, today):
        return text, None, ""
    if (hours := hours_of(found)) is None:
        return text, None, ""
    gap = " " if text.isascii() else "、"  # 16日 is read as a day before a comma
    return f"{text[: found.start()]}{gap}{text[found.end() :]}", hours, found.group().strip().strip("のにはを")


def hours_of(found: re.Match[str]) -> tuple[time, time] | None:
    """Between which times something was, by what the phrase `clock` found; None for times that no day has."""
    groups = found.groupdict()
    begin = next((groups[name] for name in "aceg" if groups[name]), "0:00")
    end = next((groups[name] for name in "bdfh" if groups[name]), "23:59")
    try:
        return next((span for parts, span in _PARTS.items() if any(groups[part] for part in parts)), (_clock(begin), _clock(end)))
    except ValueError:
        return None


def _clock(text: str) -> time:
    hour, *minute = re.findall(r"\d+", text)
    return time(int(hour), int(minute[0]) if minute else 0)


def _with_verb(verb: str, match: re.Match[str]) -> str:
    begin, end = match.start("verb") - match.start(), match.end("verb") - match.start()
    return f"{match.group()[:begin]}{verb}{match.group()[end:]}"
