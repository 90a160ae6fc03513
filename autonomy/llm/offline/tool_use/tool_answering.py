"""Answers a question with one read tool that covers all of its words.

From top to bottom: which tool, which arguments (`argument_planning`), which items (`item_selection`), which answer
(`answer_text`, `answer_check`). What cannot be carried is named as the problem, as an answer without it only looks like one.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from autonomy.llm.messages import ToolDefinition
from autonomy.llm.offline.argument_correction import corrected, offered_values
from autonomy.llm.offline.argument_filler import page_argument, required, search_argument
from autonomy.llm.offline.conversation_state import PastCall, PlannedCall, collect_all
from autonomy.llm.offline.questions.question import Question
from autonomy.llm.offline.result_items import content, is_called, items, lists_nothing
from autonomy.llm.offline.tool_use.answer_check import check_answer, check_results, nothing_found
from autonomy.llm.offline.tool_use.answer_text import lines_in_order, result_lines
from autonomy.llm.offline.tool_use.argument_planning import plan_calls
from autonomy.llm.offline.tool_use.call_plan import MAX_SUBJECTS, AmbiguousName, AnswerContext, CallPlan, NotCarried, NothingFound
from autonomy.llm.offline.tool_use.item_selection import picked_lines
from autonomy.llm.offline.tool_use.tool_ranking import is_about, ranked_tools
from autonomy.llm.offline.vocabulary import ATTRIBUTES, terms
from discovery.catalog import JsonObject
from discovery.text.stack_traces import error_words
from metrics.reporting.reason_words import reason_in
from metrics.text.phrases import patterns_of

_PHRASES = patterns_of("autonomy.llm.offline")
MAX_TOOLS = 4
"""How many tools are tried for one question."""
CLOSE = 0.4
"""A tool whose words fit less than this share of the best one's is about something else."""

Asked = tuple[list[PastCall], JsonObject]
"""The answers of all pages, and the arguments that were first asked with."""


def answer_from_tools(context: AnswerContext) -> tuple[str, str]:
    """The answer, or else the first problem that a tool that speaks of the question had with it. Raises `AnswerPending`.

    Where one tool finds nothing, another may: what it finds is the answer.
    """
    text, problem = _try_tools(context)
    if text or not (implied := _implied_by_names(context)):
        return text, problem
    return _try_tools(replace(context, implied=implied))


def _try_tools(context: AnswerContext) -> tuple[str, str]:
    problems: list[str] = []
    empty = ""
    try:
        for plan in _plans(context, problems):
            try:
                text, found = _answer_from(context, plan)
            except NotCarried as gap:
                problems.append(context.explain(gap))
                continue
            if found:
                return text, ""
            empty = empty or text
    except AmbiguousName as gap:
        return "", context.explain(gap)
    return empty, problems[0] if problems and not empty else ""


def _plans(context: AnswerContext, problems: list[str]) -> Iterator[CallPlan]:
    """The plans of the tools that carry the question, those last that leave much to the results or take many calls.

    The problems of the other tools are added to `problems`. Raises `AmbiguousName`."""
    later = []
    for tool in _tools(context):
        try:
            plan = plan_calls(context, tool)
        except AmbiguousName:
            raise
        except NotCarried as gap:
            problems.append(context.explain(gap))
            continue
        if plan.filters or len(plan.sets) > MAX_SUBJECTS:
            later.append(plan)
        else:
            yield plan
    yield from sorted(later, key=lambda one: len(one.sets) > MAX_SUBJECTS)


def _tools(context: AnswerContext) -> list[ToolDefinition]:
    """The tools that are about the question, best first."""
    readers = context.filler.readers
    if context.question.asks_who_belongs:
        readers = [tool for tool in readers if "#message" not in terms(f"{tool.name} {tool.description}")]
    if context.question.asks_who:  # nobody's name is a place's
        readers = [tool for tool in readers if not any("#place" in terms(name) for name in required(tool))]
    spoken_of = _PHRASES["spoken_of"].search(context.question.text)
    if spoken_of:  # what was said about a service is told by none of its lists
        service = f"{spoken_of['service'].casefold()}_"
        readers = [] if any(tool.name.startswith(service) for tool in readers) else readers
    ranked = [(tool, score) for tool, score in ranked_tools(context.about, readers) if is_about(context.about, tool)]
    return [tool for tool, score in ranked[:MAX_TOOLS] if score >= CLOSE * ranked[0][1]]


def _implied_by_names(context: AnswerContext) -> str:
    """What a name tells that a tool lists: where a channel is named, its messages are asked for."""
    question, listed = context.question, context.filler.listed
    words = [
        word.removesuffix("'s").removesuffix("’s") for word in re.findall(r"[\w\-'’]+", question.without_asking(question.text))
    ]

    def names(noun: str) -> bool:
        return any(is_called(item, word) for item in listed(noun) for word in words)

    told_of_people = any(word in question.text for word in ATTRIBUTES if not word.isascii() or word in words)
    if told_of_people and names("user"):
        return "user profile"
    return "channel messages" if names("channel") else ""


def _answer_from(context: AnswerContext, plan: CallPlan) -> tuple[str, bool]:
    """The text of the answer, and whether anything was found. Raises `NotCarried` for what the results do not tell."""
    answered = collect_all(partial(_ask, context, plan.tool, one) for one in plan.sets)
    good = _succeeded(context, plan, answered)
    if plan.open_text and len(good) > 1 and (nameless := [one for one in good if lists_nothing(content(one[0][0].result))]):
        raise NotCarried("uncarried", *(str(arguments.get(plan.open_text)) for _, arguments in nameless))  # no name of anything
    lines = [line for answers, first in answered for line in _remarks(context, answers[0], first)]
    if plan.searched and not _items(good):
        good = _search_again(context, plan)
    found = _items(good)
    if (
        _PHRASES["asks_what_it_says"].search(context.question.text)
        and "#post" in terms(plan.tool.name)
        and not required(plan.tool)
    ):
        raise NotCarried("uncarried", context.goal)  # a list of documents tells their titles
    check_results(context, plan, found)
    empty = False
    try:
        lines += _lines(context, plan, good)
        check_answer(context, plan, lines, found)
    except NothingFound as nothing:
        if "#user" in terms(plan.tool.name):
            raise NotCarried("uncarried", *nothing.words) from nothing  # that nobody is called so tells nothing of a thing
        lines.append(context.say("nothing_found", words=context.listed(nothing.words)))
        empty = True
    return "\n".join([*lines, "", context.say("source", tool=plan.tool.name)]), not empty


def _ask(context: AnswerContext, tool: ToolDefinition, arguments: JsonObject) -> Asked:
    """The answers, corrected once by what an error says."""
    question, state = context.question, context.state
    pages = page_argument(tool) if question.comparison or question.times or not arguments else None
    answers = state.ask_all_pages(PlannedCall(tool.name, arguments), pages)
    if not answers[0].ok and len(offered_values(answers[0].result.text)) <= 1:
        correction = corrected(tool, arguments, answers[0].result.text)
        if correction is not None and correction.keys() == arguments.keys():  # each holds words of the question
            answers = state.ask_all_pages(PlannedCall(tool.name, correction), pages)
    return answers, arguments


def _succeeded(context: AnswerContext, plan: CallPlan, answered: Sequence[Asked]) -> list[Asked]:
    """The calls that succeeded. Raises `NotCarried` where none did, or one failed for what can be no name."""
    good = [one for one in answered if one[0][0].ok]
    failed = [(answers[0], arguments) for answers, arguments in answered if not answers[0].ok]
    nameless = [one for one, arguments in failed if not _may_be_name(context.question, str(arguments.get(plan.open_text, "")))]
    of_each = failed and _PHRASES["asks_of_each"].search(context.question.text)  # which of both needs both
    if good and not of_each and not (plan.open_text and nameless):  # ずっと is no place that was asked for beside 青森
        return good
    errors = [one.result.text for one in (*nameless, *(one for one, _ in failed))]
    error = reason_in(context.task.language, error_words(errors[0].strip())) if errors else ""
    raise NotCarried("tool_failed", tool=plan.tool.name, error=error)


def _may_be_name(question: Question, word: str) -> bool:
    """Whether a word that a tool knows nothing of can be a name, as 火星 is."""
    return question.is_name(word) and not word.islower() and not re.fullmatch("[\u3041-\u309f]+", word)


def _remarks(context: AnswerContext, answer: PastCall, requested: JsonObject) -> list[str]:
    """What was read as something else, and what failed beside others that did not."""
    if not answer.ok:
        failed = context.listed(map(str, requested.values()))
        return [context.say("failed_for", words=failed, error=reason_in(context.task.language, answer.result.text.strip()))]
    sent = answer.call.arguments.items()
    changed = [(requested[name], value) for name, value in sent if name in requested and requested[name] != value]
    return [context.say("read_as", before=before, after=after) for before, after in changed]


def _search_again(context: AnswerContext, plan: CallPlan) -> list[Asked]:
    """The calls without the search words, which then are looked for in the items by meaning: release finds リリース."""
    search = search_argument(plan.form)
    if search in required(plan.tool):
        return []
    sets = [{name: value for name, value in one.items() if name != search} for one in plan.sets]
    plan.looked_for |= {word: set() for word in plan.searched}
    answered = collect_all(partial(_ask, context, plan.tool, arguments) for arguments in sets)
    return [one for one in answered if one[0][0].ok]


def _lines(context: AnswerContext, plan: CallPlan, good: Sequence[Asked]) -> list[str]:
    """What the results tell: all of it, or the items that were asked for. Raises `NotCarried` and `NothingFound`."""
    answers = [page for pages, _ in good for page in pages]
    if plan.filters or plan.by_time or context.question.comparison:
        return picked_lines(context, plan, answers)
    if all(lists_nothing(content(answer.result)) for answer in answers):
        nothing_found(context, plan.words or [context.goal], plan.carried)
    found = [(answer, items(content(answer.result))) for answer in answers]
    in_order = lines_in_order(context, found) if len(good) > 1 else []
    return in_order or [line for pages, _ in good for line in result_lines(context, pages)]


def _items(good: Sequence[Asked]) -> list[Any]:
    return [item for pages, _ in good for page in pages for item in items(content(page.result))]
