"""Checks that an answer uses every word of the question, and refuses it otherwise."""

import re
from collections.abc import Sequence
from typing import Any, NoReturn

from autonomy.llm.offline.argument_filler import search_argument
from autonomy.llm.offline.lookup.word_matching import tells
from autonomy.llm.offline.lookup_words import holds_duration, is_recipient, says_where, stands_for_somebody
from autonomy.llm.offline.result_items import authors, names_of, speaks_of, text_of
from autonomy.llm.offline.tool_use.call_plan import AnswerContext, CallPlan, NotCarried, NothingFound
from autonomy.llm.offline.tool_use.content_words import owed_words
from autonomy.llm.offline.vocabulary import ATTRIBUTES, terms
from discovery.text.search_terms import stem

_MEMBER_ID = re.compile(r"[UW](?=[A-Z]*\d)[A-Z0-9]{5,}")
"""What an id of a Slack member looks like: who is there is known by it, so a text without it says nothing of him."""


def check_results(context: AnswerContext, plan: CallPlan, found: Sequence[Any]) -> None:
    """Raises `NotCarried` for items that do not tell a number, or somebody, that is asked for."""
    question = context.question
    words = map(stem, [*plan.searched, *plan.looked_for, *plan.words])
    counts = question.comparison is not None and not (question.counted and stem(question.counted) in words)
    if question.wants_number and not counts and any(map(authors, found)):
        raise NotCarried("unsupported", question.quantity)  # to list what somebody wrote of a thing is to count nothing
    if (
        question.unit_of_time
        and question.comparison is None
        and not any(_tells_duration(item, question.unit_of_time) for item in found)
    ):
        raise NotCarried("unsupported", question.quantity)  # how many minutes are there: of meetings, not of a clock
    of_form = not question.asks_with_whom and all(question.has_its_form_in(text_of(item)) for item in found)
    if any(map(authors, found)) and not of_form:
        raise NotCarried("uncarried", context.goal)  # who can do a thing is not who did it, nor is who wrote of it
    if question.asks_where and any(map(authors, found)) and not all(_tells_where(text_of(item)) for item in found):
        raise NotCarried("uncarried", context.goal)  # to name a thing is not to tell where it is
    done = (question.asks_who or not question.asks_openly) and (question.asks_what_was or question.asks_who_did)
    if done and plan.words and any(map(context.is_planned, found)):
        raise NotCarried("uncarried", context.goal)  # who means to write a thing down is not who wrote it
    if not all(tells(text_of(item), word) for item in found for word in question.written_to):
        raise NotCarried("uncarried", *question.written_to)
    if not found or any(map(authors, found)):
        names = {name for item in context.filler.listed("user", asking=plan.tool) for name in names_of(item)}
        if recipients := [name for name in sorted(names) if is_recipient(name, question.text)]:
            raise NotCarried("uncarried", *recipients)  # each says by whom it is, and hardly ever to whom
    sought = [*plan.searched, *plan.looked_for]
    if question.times and any(context.is_of_another_day(item, word) for item in found for word in sought):
        raise NotCarried("uncarried", *sought)  # what is written today is not what is to be done today
    if question.asks_who and plan.words and not all(question.has_its_deed_in(text_of(item)) for item in found):
        raise NotCarried("uncarried", context.goal)  # who fixed a thing is not who reported it


def _tells_where(text: str) -> bool:
    """Whether a text says where something is, and does not ask it."""
    return says_where(text) and not text.rstrip().endswith(("?", "？"))


def _tells_duration(item: Any, unit: str) -> bool:
    """Whether an item tells how long something takes, in words or in a field that is named by the unit."""
    names_unit = isinstance(item, dict) and any(unit in name or terms(unit) & terms(name) for name in item)
    return names_unit or holds_duration(text_of(item))


def check_answer(context: AnswerContext, plan: CallPlan, lines: Sequence[str], found: Sequence[Any]) -> None:
    """Raises `NotCarried` for words of the question that the lines of an answer leave out; `found` are all items there were."""
    if missing := _unaccounted(context, plan, "\n".join(lines), found) or _unseen(context, plan, "\n".join(lines)):
        raise NotCarried("uncarried", *missing)
    if plan.words and all(line.removeprefix("- ").casefold() in context.question.text.casefold() for line in lines):
        raise NotCarried("uncarried", *plan.words)  # it only says the question's own words again


def nothing_found(context: AnswerContext, words: Sequence[str], carried: Sequence[str]) -> NoReturn:
    """Raises `NothingFound` for `words`, and for what arguments carried.

    Raises `NotCarried` for words that were not understood, and for an English word over Japanese data:
    that it does not occur proves nothing."""
    question = context.question
    if question.asks_which_channel:
        raise NotCarried("uncarried", *words)  # no text need say what a channel is for
    if question.hours:
        raise NotCarried("uncarried", question.hours_said)  # of documents, whose hours nobody means
    times = [time_span.words for time_span in question.times]
    searched = [word for word in dict.fromkeys(words) if word not in times]
    if searched == [context.goal] and not carried:
        raise NotCarried("uncarried", context.goal)  # nothing of it was sought
    searched = [word for word in searched if word != context.goal]
    unclear = [word for word in searched if not (question.is_name(word) and question.is_topic(word))]
    unclear += [word for word in searched if stands_for_somebody(word, question.text)]  # and nobody is called so
    unclear += [word for word in searched if _MEMBER_ID.fullmatch(word)]  # of nobody who is there
    if unclear:
        raise NotCarried("uncarried", *dict.fromkeys(unclear))
    foreign = [word for word in words if word.isascii() and f'"{word}"' not in question.text]
    if set(searched) & set(foreign) and any(re.search("[\u3040-\u30ff]", result.text) for result in context.state.results):
        raise NotCarried("other_language", *foreign)
    raise NothingFound([*carried, *words])


def _unaccounted(context: AnswerContext, plan: CallPlan, text: str, found: Sequence[Any]) -> list[str]:
    """The words that neither the tool's name, nor an argument, nor what is told accounts for."""
    arguments = {name for one in plan.sets for name, value in one.items() if value is not None}
    accounted = terms(" ".join([plan.tool.name, *arguments, text]))
    shown = {name for item in found if isinstance(item, dict) for name, value in item.items() if value and str(value) in text}

    def is_told(word: str) -> bool:
        if word in ATTRIBUTES:
            return bool(shown & set(ATTRIBUTES[word]))
        return bool(terms(word) & accounted) or _stem(word) in text

    taken = plan.words if plan.open_text and plan.open_text != search_argument(plan.form) else []
    behind = [part for word in taken for part in word.split()[1:]]
    unheard = [one for one in behind if one.islower() and one.isascii() and one not in text.lower()]
    owed = owed_words(context.question, plan.tool)
    return unheard + [word for word in owed if word not in plan.words and not is_told(word)]


def _stem(word: str) -> str:
    """A Japanese word without its ending in kana; any other as it is."""
    return re.sub("[\u3041-\u309f]+$", "", word) or word


def _unseen(context: AnswerContext, plan: CallPlan, text: str) -> list[str]:
    """Words by which things were found that only list titles, where what one of them says is asked for."""
    if context.question.comparison:
        return []
    is_place = "#place" in terms(plan.open_text)  # 東京渋谷 is 東京都渋谷区
    sought = [*plan.searched, *(plan.words if plan.open_text and not is_place else ())]
    searched = [part for word in sought for part in word.split()]
    unseen = [word for word in searched if not speaks_of(text, word)]
    some = len(unseen) < len(searched)  # a diary's title tells not its TIL
    return unseen if context.question.wants_fact or some else []
