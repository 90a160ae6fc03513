"""Renders a tool's results as lines of an answer."""

import re
from collections.abc import Iterator, Sequence
from datetime import timedelta
from typing import Any

from autonomy.llm.offline.conversation_state import PastCall
from autonomy.llm.offline.questions.question import Question
from autonomy.llm.offline.result_items import answer_lines, authors, content, field_asked_for, is_data, items, moment_of
from autonomy.llm.offline.tool_use.call_plan import AnswerContext
from autonomy.llm.offline.vocabulary import LANGUAGES

Found = tuple[PastCall, list[Any]]
"""An answer of a tool, and the items of it that are told."""
_DATED = re.compile(r"(?:\S{2,3}\s+)?(?:(\d{4})[-年/])?(\d{1,2})(?:月|[-/])(\d{1,2})日?")
"""A line that begins with a day."""


def result_lines(context: AnswerContext, answers: Sequence[PastCall]) -> list[str]:
    """All pages of a result as they are, with the yes or no that was asked for before them."""
    field = field_asked_for([item for answer in answers for item in items(content(answer.result))], context.task.goal)
    yes_no = next(filter(None, (yes_or_no(context, answer) for answer in answers)), [])
    return yes_no + [line for answer in answers for line in [*answer_lines(answer.result, field=field), ""]]


def item_lines(context: AnswerContext, found: Sequence[Any], answer: PastCall | None = None) -> list[str]:
    """The items; of an `answer` that is a text whose lines begin with days, those of the days asked for."""
    if answer is not None and not is_data(answer.result.text):
        return [line for line in answer.result.text.strip().splitlines() if _is_of_the_time(line, context.question)] + [""]
    field = field_asked_for(found, context.task.goal)
    return [f"- {line}" for item in found for line in answer_lines(item, field=field)]


def lines_in_order(context: AnswerContext, results: Sequence[Found]) -> list[str]:
    """The messages of several places in chronological order. Empty for anything else."""
    found = [item for _, some in results for item in some]
    dated = [(moment, item) for item in found if (moment := moment_of(item, context.filler.zone))]
    in_time = [item for _, item in sorted(dated, key=lambda pair: pair[0])]
    is_dated_and_signed = len(dated) == len(found) and all(authors(item) for item in found)
    return item_lines(context, in_time) if is_dated_and_signed else []


def yes_or_no(context: AnswerContext, answer: PastCall, found: Sequence[Any] | None = None) -> list[str]:
    """The yes or no that was asked for, from the percentages of an answer, or of those of its items that are told."""
    if context.question.names_hours:
        return []  # what holds for the day is no answer for its evening
    for one in (one for language in LANGUAGES.values() for one in language.yes_or_no):
        if not re.search(one.pattern, context.task.goal, re.IGNORECASE):
            continue
        value = content(answer.result) if found is None else list(found)
        highest = max(percentages(value, re.compile(one.fields, re.IGNORECASE)), default=None)
        if highest is not None:
            return [context.say(next(phrase for step, phrase in one.steps if highest >= step), percent=highest)]
    return []


def percentages(value: Any, named: re.Pattern[str], *, under: bool = False) -> Iterator[int]:
    """The percentages that stand under a name such as `pop` or `precipitation_probability`."""
    if isinstance(value, dict):
        for name, inner in value.items():
            yield from percentages(inner, named, under=under or named.search(str(name)) is not None)
    elif isinstance(value, list):
        for inner in value:
            yield from percentages(inner, named, under=under)
    elif under and not isinstance(value, bool) and (number := re.fullmatch(r"(\d{1,3})(?:\.0)?\s*[%％]?", str(value))):
        yield from [int(number.group(1))] if int(number.group(1)) <= 100 else []


def _is_of_the_time(line: str, question: Question) -> bool:
    """False for a line that begins with another day than those asked for."""
    dated = _DATED.match(line)
    if dated is None or not question.times:
        return True
    days = (span.first + timedelta(days=n) for span in question.times for n in range(min((span.last - span.first).days + 1, 366)))
    return (int(dated[2]), int(dated[3])) in {(day.month, day.day) for day in days}
