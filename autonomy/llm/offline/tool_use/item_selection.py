"""Selects, counts and compares the items of a tool's results for a question."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import time
from functools import partial
from typing import Any, NoReturn

from autonomy.llm.offline.argument_filler import noun_of
from autonomy.llm.offline.conversation_state import PastCall, PlannedCall, collect_all
from autonomy.llm.offline.lookup.passage_search import PassageSearch
from autonomy.llm.offline.result_items import (
    answer_lines,
    authors,
    content,
    field_asked_for,
    identity,
    items,
    moment_of,
    names_called,
    next_cursor,
    speaks_of,
    strings,
)
from autonomy.llm.offline.tool_use.answer_check import nothing_found
from autonomy.llm.offline.tool_use.answer_text import Found, item_lines, lines_in_order, yes_or_no
from autonomy.llm.offline.tool_use.call_plan import AnswerContext, CallPlan, NotCarried
from autonomy.llm.offline.vocabulary import FIELDS, Comparison, terms
from metrics.text.phrases import patterns_of

_COUNTS_PEOPLE = patterns_of("autonomy.llm.offline")["counts_people"]


def picked_lines(context: AnswerContext, plan: CallPlan, answers: Sequence[PastCall]) -> list[str]:
    """The items of the days, people and words asked for, compared as the question wants it.

    Raises `NotCarried` for what the items do not tell, `NothingFound`, and `AnswerPending` for documents still to be read.
    """
    return _ItemSelection(context, plan).lines(answers)


@dataclass(frozen=True)
class _ItemSelection:
    context: AnswerContext
    plan: CallPlan

    def lines(self, answers: Sequence[PastCall]) -> list[str]:
        results = self._sifted([(one, self._of_the_time(items(content(one.result)))) for one in answers])
        found = [item for _, some in results for item in some]
        comparison = self.context.question.comparison
        if comparison is not None and answers and next_cursor(content(answers[-1].result)):
            raise NotCarried("more_pages")
        if not found:
            self._nothing(comparison)
        if comparison is None:
            return self._listed([(answer, some) for answer, some in results if some])
        if comparison.order == "count":
            return self._counted(results, found)
        if comparison.order in ("latest", "earliest"):
            return self._at_the_edge(found, latest=comparison.order == "latest")
        return self._ordered(found, comparison)

    def _of_the_time(self, found: list[Any]) -> list[Any]:
        """The items of the days and hours asked for. Raises `NotCarried` for items that have no time."""
        if not self.plan.by_time:
            return found
        spans, (begin, end) = self.context.question.times, self.context.question.hours or (time.min, time.max)
        moments = [(moment_of(item, self.context.filler.zone, changed=self.plan.changed), item) for item in found]
        if found and all(moment is None for moment, _ in moments):
            raise NotCarried("out_of_reach", *(one.words for one in spans), tool=self.plan.tool.name)
        return [
            item
            for moment, item in moments
            if moment and begin <= moment.time() <= end and any(span.covers(moment) for span in spans)
        ]

    def _sifted(self, results: list[Found]) -> list[Found]:
        """The items that hold every word, bear every tag, and are none of those to be left out. Raises `NotCarried`."""
        for word, names in self.plan.looked_for.items():
            results = _only(results, partial(speaks_of, word=word, names=names))
        if self.plan.tags and not any(isinstance(item, dict) and "tags" in item for _, found in results for item in found):
            raise NotCarried("uncarried", *self.plan.tags)
        for word in self.plan.tags:
            results = _only(results, partial(_has_tag, word=word))
        for word in self.context.question.excluded:
            results = self._without(word, results)
        return results

    def _without(self, word: str, results: list[Found]) -> list[Found]:
        """The items without those of a person or of a name. Raises `NotCarried` for a word that tells of none of them."""
        names = names_called(self.context.filler.listed("user"), word)
        remaining = _only(results, lambda item: not _is_excluded(item, word, names))
        have_authors = any(authors(item) for _, found in results for item in found)
        if not (names and have_authors) and remaining == results:
            raise NotCarried("uncarried", word)
        return remaining

    def _nothing(self, comparison: Comparison | None) -> NoReturn:
        """Raises `NothingFound` for what was sought; `NotCarried` where that nothing was found does not tell it."""
        plan, question = self.plan, self.context.question
        if set(plan.looked_for) - set(plan.searched):
            raise NotCarried("uncarried", *plan.looked_for)
        if comparison is not None and comparison.order != "count":
            raise NotCarried("unsupported", question.compared_by)
        excluded = [self.context.say("left_aside", words=word) for word in question.excluded]
        times = [span.words for span in question.times if plan.by_time]
        sought = list(dict.fromkeys([*plan.words, *plan.looked_for, *times])) or ([] if plan.carried else [self.context.goal])
        nothing_found(self.context, sought, [*plan.carried, *excluded])

    def _listed(self, results: Sequence[Found]) -> list[str]:
        in_order = lines_in_order(self.context, results) if len(results) > 1 else []
        return in_order or [
            line
            for answer, some in results
            for line in [*yes_or_no(self.context, answer, some), *item_lines(self.context, some, answer)]
        ]

    def _counted(self, results: Sequence[Found], found: Sequence[Any]) -> list[str]:
        """How many items there are, and which. Raises `NotCarried` for words searched for that may occur in other items, and
        where people are to be counted, and the items are what they wrote."""
        if loose := [word for word in self.plan.searched if not self.context.question.is_topic(word)]:
            raise NotCarried("uncarried", *loose)
        if _COUNTS_PEOPLE.search(self.context.goal) and any(map(authors, found)):
            raise NotCarried("unsupported", self.context.question.compared_by)
        lines = item_lines(self.context, found)
        whole = ((content(answer.result), some) for answer, some in results)
        if all(isinstance(one, dict) and some == [one] for one, some in whole):
            return lines  # one record each: what was counted for us stands in it, and is no list to count
        return [self.context.say("count", count=len(found)), *lines]

    def _at_the_edge(self, found: Sequence[Any], *, latest: bool) -> list[str]:
        """The items that came last, or first. Raises `NotCarried` for items without a time."""
        question = self.context.question
        dated = [(moment, item) for item in found if (moment := moment_of(item, self.context.filler.zone))]
        if len(dated) < len(found):
            raise NotCarried("unsupported", question.compared_by)
        ordered = sorted(dated, key=lambda pair: pair[0], reverse=latest)
        moments = [moment for moment, _ in ordered[: question.count or 1]]
        inside = [item for moment, item in ordered if moment in moments]
        whole = PassageSearch(question, self.context.filler, self.context.state).reader_of(self.plan.tool, inside)
        if whole and question.wants_text:  # a title does not tell what it says
            reader, argument = whole
            calls = [PlannedCall(reader.name, {argument: identity(item, argument, noun_of(reader, argument))}) for item in inside]
            documents = collect_all(partial(self.context.state.ask, call) for call in calls)
            return [line for answer, *_ in documents for line in answer_lines(answer.result)]
        return [f"- {line}" for item in inside for line in answer_lines(item)]

    def _ordered(self, found: Sequence[Any], comparison: Comparison) -> list[str]:
        """The items with the highest or lowest figure. Raises `NotCarried` for items without one."""
        question, field = self.context.question, field_asked_for(found, self.context.task.goal, number=True)
        comparable = [item for item in found if isinstance(item, dict) and isinstance(item.get(field), int | float)]
        if not field or not comparable:
            raise NotCarried("unsupported", question.compared_by)
        highest = comparison.order == "highest"
        comparable.sort(key=lambda item: float(item[field]), reverse=highest)
        edge = comparable[min(question.count or 1, len(comparable)) - 1][field]
        inside = [item for item in comparable if (item[field] >= edge if highest else item[field] <= edge)]
        return [f"- {line}" for item in inside for line in answer_lines(item, field=field)]


def _only(results: Sequence[Found], condition: Callable[[Any], bool]) -> list[Found]:
    return [(answer, [item for item in found if condition(item)]) for answer, found in results]


def _has_tag(item: Any, word: str) -> bool:
    tags = item.get("tags") if isinstance(item, dict) else None
    return isinstance(tags, list) and bool(strings(tags) & strings(word))


def _is_excluded(item: Any, word: str, names: set[str]) -> bool:
    """Whether an item is by that person, is marked as such a thing (`is_bot`), or is called or described so."""
    if not isinstance(item, dict):
        return False
    if names and authors(item):
        return bool(authors(item) & names)
    word_terms = terms(word)
    if any(value is True and word_terms & terms(name) for name, value in item.items()):
        return True
    descriptions = [str(item[name]) for name in (*FIELDS.person, "topic", "purpose", "title", "category") if item.get(name)]
    return any(word.casefold() in text.casefold() for text in descriptions)
