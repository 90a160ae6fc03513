"""All rules and checks by name, in the order in which the judge asks them; `docs/completion-rules.md` is made from them."""

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from autonomy.completion.rules import actions, agreement_rules, content, form, needs, relations, unread_answers, written_rows
from autonomy.completion.rules import answer_rules as answers
from autonomy.completion.rules.asked import asked_rows, question_rules
from autonomy.completion.rules.case import Judgement
from autonomy.completion.rules.postcondition import postcondition
from autonomy.policy.need_binding import is_write
from autonomy.run_state.completion_rules import (
    DEFAULT_RULES,
    Agrees,
    Covers,
    Evidence,
    Forbidden,
    Fresh,
    Grounded,
    InOrder,
    Language,
    Length,
    Matches,
    NotPadding,
    OnSubject,
    Postcondition,
    Rule,
    Sections,
    ToolUsed,
)
from autonomy.run_state.run_values import RunRequest

RULES: dict[type, Callable[[Any, Judgement], str]] = {
    Sections: form.sections,
    Length: form.length,
    Language: form.language,
    Matches: form.matches,
    Forbidden: form.forbidden,
    Fresh: form.fresh,
    ToolUsed: needs.tool_used,
    Evidence: needs.evidence,
    OnSubject: needs.about,
    Covers: needs.covers,
    InOrder: needs.in_order,
    Grounded: content.grounded,
    NotPadding: content.not_padding,
    Agrees: content.agrees,
    Postcondition: postcondition,
}
"""What holds each rule: a sentence that says what is wrong, or nothing."""


class FreeCheck(NamedTuple):
    """A check that needs no declaration: what it asks, and what its findings make of a run that does not mend them."""

    ask: Callable[[Judgement], Iterator[tuple[str, str]]]
    ending: str


CHECKS: tuple[FreeCheck, ...] = (
    FreeCheck(actions.unproven, "exhausted"),
    FreeCheck(actions.given_up, "unfinished"),
    FreeCheck(actions.asked, "unfinished"),
    FreeCheck(actions.promised, "unfinished"),
    FreeCheck(written_rows.other_rows, "exhausted"),
    FreeCheck(written_rows.told_otherwise, "exhausted"),
    FreeCheck(unread_answers.own_knowledge, "doubtful"),
    FreeCheck(unread_answers.unheard, "doubtful"),
    FreeCheck(unread_answers.untold_failures, "unfinished"),
    FreeCheck(answers.anchored, "doubtful"),
    FreeCheck(answers.whole, "unfinished"),
    FreeCheck(answers.numbered, "doubtful"),
    FreeCheck(answers.strangers, "doubtful"),
    FreeCheck(answers.names_beside, "doubtful"),
    FreeCheck(answers.of_nothing, "doubtful"),
    FreeCheck(question_rules.as_asked, "doubtful"),
    FreeCheck(asked_rows.as_wanted, "doubtful"),
    FreeCheck(agreement_rules.consistent, "doubtful"),
    FreeCheck(relations.related, "doubtful"),
)
"""Asked of every run, jobs and free goals; each names the finding and says it in a sentence."""

DOUBTS = frozenset({"grounded", "about", "not_padding", "agrees"})
"""Rules about content: a run that breaks nothing else ends `doubtful`."""


def rules_in_force(request: RunRequest) -> tuple[Rule, ...]:
    """What a run declares, and for a job with needs the rules that hold by default: each write that is not
    `required: false` has a receipt."""
    declared = {rule.rule for rule in request.rules}
    wanted = DEFAULT_RULES if request.job and request.task.needs else ()
    proven = {rule.need for rule in request.rules if isinstance(rule, Evidence)}
    writes = (need for need in request.task.needs if request.job and need.required and is_write(need.effect))
    receipts = (Evidence(need=need.id) for need in writes if need.id not in proven)
    rules = (*request.rules, *receipts, *(rule for rule in wanted if rule.rule not in declared))
    rehearsed = (Postcondition,) if request.simulate else ()  # a rehearsal wrote nothing that could be read
    return tuple(rule for rule in rules if not getattr(rule, "off", False) and not isinstance(rule, rehearsed))
