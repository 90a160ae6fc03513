"""Carries what the answer to one question tells into the next question of the same message."""

import re
from collections.abc import Sequence

from autonomy.llm.offline.argument_filler import ArgumentFiller
from autonomy.llm.offline.lookup.passage_search import PassageSearch
from autonomy.llm.offline.lookup_words import is_general
from autonomy.llm.offline.refusal import say
from autonomy.llm.offline.result_items import is_called
from autonomy.llm.offline.time_expressions import spans_in
from metrics.text.phrases import patterns_of

_PHRASES = patterns_of("autonomy.llm.offline")
_MESSAGE = re.compile(r"^ {0,4}- \d{4}-\d\d-\d\d \d\d:\d\d #\S+ [^:\n]{1,60}: (?P<text>.*)$", re.MULTILINE)
"""A quoted message: when, where and by whom it is stands before what it says."""
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
    if sum(one.group().startswith("- ") for one in quoted) != 1 or question.comparison or question.excluded or question.hours:
        return False
    if _PHRASES["asks_of_a_message"].fullmatch(question.text.strip()):
        return True
    text = quoted[-1]["text"]
    said = _PHRASES["asks_what_was_said"].match(question.text.strip()) if of_somebody else None
    if said and len(quoted) <= _ROOT_AND_REPLY:
        return not said.groupdict().get("asked") or _PHRASES["tells_a_question"].search(text) is not None
    words = [word for word in search.words.content_words() if not is_general(word, verbs=True)]
    typed = question.asks_when or question.wants_number or question.which or question.numbered
    on_it = words and _PHRASES["points_back"].search(question.text)  # their question, and it stands in what they said
    return bool((typed or on_it) and search.criteria.answers(text, words) and search.criteria.tells_which(text, words))
