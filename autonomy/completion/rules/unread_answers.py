"""Checks an answer for which nothing was looked up: it is an account of nothing, unless it says so."""

from collections.abc import Iterator

from autonomy.completion.rules.answer_rules import MARKS, was_said
from autonomy.completion.rules.case import Judgement
from autonomy.provenance.anchors import Anchor, anchors_of
from autonomy.provenance.text.facts import FactKind, facts_in
from autonomy.provenance.text.sentences import sentences_in
from metrics.phrases import patterns_of

_PHRASES = patterns_of("autonomy.completion")


def own_knowledge(case: Judgement) -> Iterator[tuple[str, str]]:
    """What is told without any working read behind it has to be marked as not collected; of these days nobody knows anything."""
    if _looked_anywhere(case):
        return
    goal, marked = case.ctx.request.task.goal, MARKS.search(case.answer)
    stated = [
        fact
        for fact in facts_in(case.answer, case.evidence.day)
        if fact.kind in (FactKind.NUMBER, FactKind.URL) and not was_said(fact, case)
    ]
    if stated and not marked:
        yield (
            "a read",
            f"you say 『{stated[0].text}』 and have looked nothing up: look it up, or say that it is from your own knowledge",
        )
    elif _wants_an_account(goal) and not _tells_nothing(case.answer) and not _was_talked_of(case):
        if lately := _of_these_days(case):
            yield "a read", f"you were asked about {lately}, and have looked nothing up: do so, or say that you cannot"
        elif not marked:
            yield "a read", "you have looked nothing up: do so, or say that your answer is from your own knowledge"


def _looked_anywhere(case: Judgement) -> bool:
    """Whether anything was read or written, or there was nothing to look with."""
    return bool(case.evidence.reads or case.evidence.writes or case.ctx.beforehand or not case.ctx.offered)


def _wants_an_account(goal: str) -> bool:
    """Whether a goal asks how something is, and not for words of the model's own making or about a text that it brings along."""
    if _PHRASES["brings_material"].search(goal) or _PHRASES["asks_of_the_agent"].search(goal):
        return False
    return bool(
        _PHRASES["asks_for_an_account"].search(goal)
        or (_PHRASES["asks_to_know"].search(goal) and not _PHRASES["asks_for_wording"].search(goal))
    )


def _tells_nothing(answer: str) -> bool:
    """Whether the answer asks back, or says for the most part that it could not be done."""
    said = [sentence.text.rstrip() for sentence in sentences_in(answer)]
    without = [text for text in said if text.endswith(("?", "？", "か。", "か")) or _PHRASES["could_not_look"].search(text)]
    return 2 * len(without) >= len(said)


def _was_talked_of(case: Judgement) -> bool:
    """Whether the conversation before names all that the goal names, so that the answer may stand there."""
    before = "\n".join(message.text for message in case.ctx.request.history)
    return bool(before) and all(anchor.text in before for anchor in _named(case) if anchor.kind != "negation")


def _of_these_days(case: Judgement) -> str:
    """The first day that the goal names by its distance from now, like today or last week."""
    days = (anchor.text for anchor in _named(case) if anchor.kind == "date")
    return next((day for day in days if not any(char.isdecimal() for char in day)), "")


def _named(case: Judgement) -> tuple[Anchor, ...]:
    return anchors_of(case.ctx.request.task.goal, case.evidence.day, case.evidence.sources.zone)
