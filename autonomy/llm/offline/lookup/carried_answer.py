"""Carries what the answer to one question tells into the next question of the same message."""

import re
from collections.abc import Sequence
from datetime import date

from autonomy.llm.offline.argument_filler import ArgumentFiller
from autonomy.llm.offline.lookup.passage_search import PassageSearch
from autonomy.llm.offline.lookup_words import TELLING, is_common_verb, is_general, relations_of, turns
from autonomy.llm.offline.questions.question import Question
from autonomy.llm.offline.refusal import say
from autonomy.llm.offline.result_items import is_called
from autonomy.llm.offline.time_expressions import spans_in
from metrics.text.phrases import patterns_of

_PHRASES = patterns_of("autonomy.llm.offline")
_MESSAGE = re.compile(r"^ {0,4}- \d{4}-\d\d-\d\d \d\d:\d\d #\S+ [^:\n]{1,60}: (?P<text>.*)$", re.MULTILINE)
"""A quoted message: when, where and by whom it is stands before what it says."""
_QUOTED = re.compile(r"^ {0,4}- (?P<day>\d{4}-\d\d-\d\d) \d\d:\d\d #\S+ [^:\n]{1,60}: (?P<text>.*)$|^ {2}(?P<line>\S.*)$")
"""The same, or a line of a document."""
OF = "の"
_ROOT_AND_REPLY = 2
"""A message alone, or with one reply."""
_FIGURES = {"high": _PHRASES["tells_high"], "low": _PHRASES["tells_low"], "rain": _PHRASES["tells_rain"]}
"""How a forecast tells the figures that are asked for."""
_POINTERS = {"channel": _PHRASES["that_channel"], "user": _PHRASES["that_person"], "day": _PHRASES["that_day"]}
"""The words that stand for what was found, by its kind."""


def with_what_was_found(
    question: str, before: str, answer: str, filler: ArgumentFiller, language: str
) -> tuple[str, tuple[tuple[str, str], ...]]:
    """A question with the one channel, person or day that the answer before finds in place of the word that points to it."""
    name, kind = _found(answer, filler, language)
    pointer = _POINTERS[kind].search(question) if name else None
    if pointer is None:
        return question, ()
    owner = "_owner" if pointer.groupdict().get("owner") else ""
    of_his = owner or question.startswith(OF, pointer.end())  # what he is called and does, which has no time
    asked = f"{question[: pointer.start()]}{say(language, f'carried_{kind}{owner}', name=name)}{question[pointer.end() :]}"
    timeless = kind == "day" or of_his or spans_in(question, filler.today)
    times = [] if timeless else spans_in(before, filler.today)
    when = before[times[0].at : times[-1].end] if times else ""
    dated = asked if not when else f"{asked.rstrip(' ?.')} {when}?" if asked.isascii() else f"{when}、{asked}"
    return dated, ((pointer.group(), ", ".join(filter(None, (name, when)))),)


def _found(answer: str, filler: ArgumentFiller, language: str) -> tuple[str, str]:
    """The one thing that an answer finds, by its first line or the only name that it lists, with its kind; else both empty."""
    lines = answer.splitlines()
    leads = "|".join(
        re.escape(say(language, phrase, what="WHAT", figure="FIGURE")).replace("WHAT", f"(?P<{phrase}>.+?)")
        for phrase in ("query_most", "query_least")
    ).replace("FIGURE", r"[\d.]{1,9}")
    led = re.fullmatch(leads, lines[0]) if lines else None
    names = [next(filter(None, led.groups()))] if led else _listed(lines)
    if len(names) != 1:
        return "", ""
    kinds = [kind for kind in ("channel", "user") if any(is_called(one, names[0]) for one in filler.listed(kind))]
    days = [span.words for span in spans_in(names[0], filler.today)][:1]
    return (names[0], kinds[0]) if len(kinds) == 1 else (days[0], "day") if days else ("", "")


def _listed(lines: Sequence[str]) -> list[str]:
    return [line.removeprefix("- ").removeprefix("#") for line in lines if line.startswith("- ") and ":" not in line]


def is_told_by(answer: str, search: PassageSearch, *, of_somebody: bool = False) -> bool:
    """Whether the one message that an answer quotes tells what a further question asks: when, where or by whom it was written,
    or a time, a number or one of several, beside all of the question's words; or whether the forecast does that it tells.

    `of_somebody`: the question before asked who did something, so that the last message quoted is what he said."""
    question, quoted = search.question, list(_MESSAGE.finditer(answer))
    if figure := _PHRASES["asks_for_the_figure"].match(question.text.strip()):
        kind = next(name.rstrip("2") for name, found in figure.groupdict().items() if found)
        return any(_FIGURES[kind].search(line) for line in answer.splitlines())
    compares = question.comparison is not None and question.comparison.order != "count"
    if compares or question.excluded or question.hours:
        return False
    if _one_line_tells(answer, search):
        return True
    if len(_roots(answer)) != 1:
        return False
    if _PHRASES["asks_of_a_message"].fullmatch(question.text.strip()):
        return True
    text = quoted[-1]["text"]
    said = _PHRASES["asks_what_was_said"].match(question.text.strip()) if of_somebody else None
    if said and len(quoted) <= _ROOT_AND_REPLY:
        return not said.groupdict().get("asked") or _PHRASES["tells_a_question"].search(text) is not None
    return False


def _roots(answer: str) -> list[str]:
    """The messages that an answer quotes, without the replies to them."""
    return [one.group() for one in _MESSAGE.finditer(answer) if one.group().startswith("- ")]


def _one_line_tells(answer: str, search: PassageSearch) -> bool:
    """Whether just one line of what an answer quotes, to which a question points, tells what it asks for.

    The line is of the question's time, tells the kind of thing that is asked for, and holds the question's words, but for a
    common verb where the kind shows by itself (how long did it take). Japanese points by what it leaves out."""
    question = search.question
    points = _PHRASES["points_back"].search(question.text) or not question.text.isascii()
    obstacle = question.obstacle()
    if obstacle is not None and obstacle[0] != "reference":
        return False
    words = [word for word in search.words.content_words() if not is_general(word, verbs=True)]
    if question.asks_for_one or question.wants_number:
        by_verb = not (points and (question.asks_how_long or question.counted or question.unit))
        words = [word for word in words if by_verb or turns(word) or not is_common_verb(word)]
        if question.asks_who and not (words or question.written_to):
            return False
    else:
        words = [word for word in words if relations_of(word) != {TELLING}]
        if not (words and points and question.asks_openly) or question.asks_how_to:
            return False
    lines = [found for line in answer.splitlines() if (found := _QUOTED.match(line)) and _is_of_the_time(found, question)]
    texts = list(dict.fromkeys(found["text"] or found["line"] for found in lines))
    telling = [one for one in texts if search.criteria.answers(one, words) and search.criteria.tells_which(one, words)]
    return len(telling) == 1 or (bool(telling) and telling[-1] == texts[-1] and len(_roots(answer)) == 1)


def _is_of_the_time(quoted: re.Match[str], question: Question) -> bool:
    """Whether a quoted line was written at the time that a question names, or names it itself."""
    day = date.fromisoformat(quoted["day"]) if quoted["day"] else None
    return all((day and span.holds(day)) or span.words.casefold() in quoted.group().casefold() for span in question.times)
