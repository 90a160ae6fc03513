"""All rules and checks by name, in the order of judging; `docs/completion-rules.md` is generated from them."""

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from autonomy.completion.rules import (
    actions,
    agreement_rules,
    answer_rows,
    measured_units,
    needs,
    ordered_actions,
    unread_answers,
)
from autonomy.completion.rules.asked import (
    asked_form,
    asked_person,
    asked_records,
    clocks_asked,
    conditions,
    named_regions,
    named_subjects,
    plain_answers,
    question_rules,
    scope_claims,
    whole_answers,
)
from autonomy.completion.rules.case import Case
from autonomy.completion.rules.postcondition import postcondition
from autonomy.completion.rules.retold import credited_persons, told_concepts
from autonomy.completion.rules.text import content, form, substance
from autonomy.completion.rules.written import named_recipients, named_targets, ordered_values, written_rows, written_states
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
from metrics.events import Ending

RULES: dict[type, Callable[[Any, Case], str]] = {
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
    NotPadding: substance.not_padding,
    Agrees: content.agrees,
    Postcondition: postcondition,
}
"""What holds each rule: a sentence that says what is wrong, or nothing."""


class BuiltInCheck(NamedTuple):
    """A check that needs no declaration: what it asks, and what its findings make of a run that does not mend them."""

    ask: Callable[[Case], Iterator[tuple[str, str]]]
    ending: Ending
    caught: int
    refused: int
    """Bad and good answers to free goals that it held against them at first sight, before its set of told runs was known to it:
    thirteen sets, 343 bad ones and 351 good ones (docs/gaming.md)."""
    is_firm: bool = False
    """Whether no second reader may settle it, though it is about content: a text could talk it over, or there is none to read."""

    @property
    def is_doubt(self) -> bool:
        """Whether a second reader that decides may settle it: it holds a text against what was read, and no deed or order."""
        return self.ending == "doubtful" and not self.is_firm


REFUSING: tuple[BuiltInCheck, ...] = (
    BuiltInCheck(actions.unproven, "exhausted", 10, 3),
    BuiltInCheck(actions.one_write_each, "exhausted", 0, 0),  # jobs alone: of all jobs told and run 13 bad, no good one
    BuiltInCheck(actions.given_up, "unfinished", 5, 0),
    BuiltInCheck(ordered_actions.asked, "unfinished", 4, 1),
    BuiltInCheck(ordered_actions.each_act, "unfinished", 0, 0),  # newer than these sets, in which it finds nothing
    BuiltInCheck(conditions.only_where_it_holds, "unfinished", 0, 0),  # the same
    BuiltInCheck(conditions.not_where_forbidden, "unfinished", 0, 0),  # the same
    BuiltInCheck(actions.promised, "unfinished", 0, 0),
    BuiltInCheck(written_rows.told_otherwise, "exhausted", 1, 0),
    BuiltInCheck(named_targets.where_named, "unfinished", 0, 0),
    BuiltInCheck(named_recipients.no_namesake, "unfinished", 0, 0),  # newer than these sets, in which it finds nothing
    BuiltInCheck(written_states.in_the_state_told, "unfinished", 0, 0),
    BuiltInCheck(written_states.denied, "exhausted", 0, 0),  # newer than all sets, in which it finds nothing
    BuiltInCheck(written_rows.row_of_the_goal, "exhausted", 1, 0),
    BuiltInCheck(unread_answers.own_knowledge, "doubtful", 1, 0, is_firm=True),
    BuiltInCheck(unread_answers.unheard, "doubtful", 2, 0),
    BuiltInCheck(unread_answers.untold_failures, "unfinished", 0, 0),
    BuiltInCheck(named_subjects.anchored, "doubtful", 10, 3),
    BuiltInCheck(whole_answers.whole, "unfinished", 4, 1),
    BuiltInCheck(scope_claims.all_were_visited, "unfinished", 0, 0),
    BuiltInCheck(agreement_rules.added_up, "doubtful", 0, 0),
    BuiltInCheck(agreement_rules.in_the_one_text, "doubtful", 0, 0),  # of all told runs as they are 3 bad ones, no good one
    BuiltInCheck(agreement_rules.nothing_traced, "doubtful", 0, 0),  # measured on the sets as they are: 4 bad, no good one
    BuiltInCheck(unread_answers.names_beside, "doubtful", 1, 0),
    BuiltInCheck(unread_answers.of_nothing, "doubtful", 0, 0),
    # of all told and executed runs as they are 1 bad one each, and no good one
    BuiltInCheck(unread_answers.by_its_name, "doubtful", 0, 0),
    BuiltInCheck(named_regions.of_the_region_asked, "doubtful", 0, 0),
    # newer than the sets; of all told runs that ask why, as they are, 7 of 13 bad ones and none of 12 good ones
    BuiltInCheck(unread_answers.cause_from_nowhere, "doubtful", 0, 0),
    BuiltInCheck(question_rules.as_asked, "doubtful", 4, 0),
    # newer than these sets; of all told and executed free goals as they are 8 bad ones, and no good one
    BuiltInCheck(plain_answers.who_was_read, "doubtful", 0, 0),
    BuiltInCheck(plain_answers.each_part, "unfinished", 0, 0),
    BuiltInCheck(plain_answers.as_many_above, "doubtful", 0, 0),
    BuiltInCheck(agreement_rules.not_reversed, "doubtful", 5, 1),
    BuiltInCheck(agreement_rules.no_orders, "doubtful", 0, 0, is_firm=True),
    # newer than these sets: at first sight 1 bad and 1 good one of the eighteenth; of all told runs as they are 24 bad, no good
    BuiltInCheck(agreement_rules.of_its_record, "doubtful", 0, 0),
    # of all executed runs as they are 4 bad ones, and no good one
    BuiltInCheck(agreement_rules.exchanged_figures, "doubtful", 0, 0),
    # of all older told and executed runs as they are 27 bad ones, and no good one
    BuiltInCheck(credited_persons.deeds_as_read, "doubtful", 0, 0),
    BuiltInCheck(told_concepts.as_heard, "doubtful", 0, 0),
    BuiltInCheck(unread_answers.not_by_its_own_name, "doubtful", 0, 0),  # of all sets 2 bad ones, of two authors, and no good one
    # two that stand for eleven older ones of rows; of all told runs as they are 23 and 8 bad ones, and no good one
    BuiltInCheck(answer_rows.as_its_row, "doubtful", 0, 0),
    BuiltInCheck(answer_rows.as_the_outermost, "doubtful", 0, 0),
    # of all told and executed runs as they are 3 bad ones, of three authors, and no good one
    BuiltInCheck(answer_rows.of_the_day_asked, "doubtful", 0, 0),
    # the same: 8 bad ones, of seven authors, and no good one
    BuiltInCheck(answer_rows.not_outermost_there, "doubtful", 0, 0),
    # the same: 15 bad ones of ten sets, 2 of two, and 3 of three, and no good one
    BuiltInCheck(answer_rows.together_in_a_row, "doubtful", 0, 0),
    BuiltInCheck(answer_rows.of_the_row_asked, "doubtful", 0, 0),
    BuiltInCheck(answer_rows.no_row_left_out, "unfinished", 0, 0),
    # of all told and executed runs as they are 1 bad one, which others find as well, and 1 bad one; no good one
    BuiltInCheck(ordered_values.as_ordered, "unfinished", 0, 0),
    BuiltInCheck(ordered_values.as_its_message_says, "unfinished", 0, 0),  # newer than these sets, in which it finds nothing
    BuiltInCheck(ordered_values.in_whose_name, "doubtful", 0, 0),  # the same: 1 bad one, no good one
    BuiltInCheck(measured_units.in_the_unit_read, "doubtful", 0, 0),
    BuiltInCheck(asked_person.in_own_words, "doubtful", 0, 0),
    BuiltInCheck(agreement_rules.in_the_state_read, "doubtful", 0, 0),
    BuiltInCheck(agreement_rules.told_as_utc, "doubtful", 0, 0),
    # of all told runs as they are 1, 1, 1 and no bad ones, and no good one
    BuiltInCheck(asked_records.totals_of_those_asked, "doubtful", 0, 0),
    BuiltInCheck(asked_records.rows_as_asked, "doubtful", 0, 0),
    BuiltInCheck(asked_records.events_of_the_day, "doubtful", 0, 0),
    BuiltInCheck(asked_records.as_it_stands_now, "doubtful", 0, 0),
    BuiltInCheck(clocks_asked.at_the_time_ordered, "doubtful", 0, 0),
    # about the form of a text alone; newer than all sets
    BuiltInCheck(asked_form.in_the_language_asked, "unfinished", 0, 0),
    BuiltInCheck(asked_form.no_blanks, "unfinished", 0, 0),
    BuiltInCheck(asked_form.as_much_as_asked, "unfinished", 0, 0),
)
"""What a run did and did not do, and whether it looked at what it was asked about. At first sight four of five answers with such
a finding were bad (docs/gaming.md)."""

OF_SHORT_ANSWERS: tuple[BuiltInCheck, ...] = (
    BuiltInCheck(actions.too_many, "doubtful", 2, 4),
    BuiltInCheck(named_subjects.anchored_days, "doubtful", 2, 3),
    BuiltInCheck(agreement_rules.not_denied, "doubtful", 17, 30),
)
"""What refuses an answer that says one thing (`Case.stands_or_falls`), and is not asked of longer ones. At first sight of sets
younger than these checks they found 30 bad and 9 good short answers, and of longer ones 9 bad and 53 good ones, since a word, a
day or a number of a long answer is as often told of another thing (docs/gaming.md)."""

REMARKS: tuple[BuiltInCheck, ...] = (
    BuiltInCheck(ordered_actions.asked_otherwise, "doubtful", 8, 7),
    BuiltInCheck(ordered_values.written_beside, "doubtful", 0, 0),  # newer than all sets, in which it finds nothing
    BuiltInCheck(unread_answers.warned, "doubtful", 0, 0),
    BuiltInCheck(named_subjects.named_things, "doubtful", 7, 10),
    BuiltInCheck(whole_answers.each_place, "doubtful", 0, 0),
    BuiltInCheck(unread_answers.words_sought, "doubtful", 0, 0),  # of all sets 2 bad ones, of two authors, and no good one
    BuiltInCheck(agreement_rules.sourced, "doubtful", 96, 145),
)
"""What could not be traced. True answers show more of these than false ones, so they go back to the model once and are shown to
people. They make a free goal's run `doubtful` only where its answer says one thing (`Case.stands_or_falls`)."""

REMARKS_OF: dict[type, tuple[BuiltInCheck, ...]] = {
    Grounded: (
        BuiltInCheck(content.told_alike, "doubtful", 10, 12),
        # as refusals, at first sight of sets younger than they are and of what a large model told: right, and wrong
        BuiltInCheck(content.called_as_read, "doubtful", 4, 10),
        BuiltInCheck(told_concepts.told_somewhere, "doubtful", 8, 8),
    )
}
"""What is remarked, and not refused, of a run with this rule in force. The counts are of jobs: six sets at first sight, 133 bad
and 132 good runs. A kind of finding that was right less than two times in three there is remarked, unless it is about a fact that
has no source (a figure, time, day, name, id); whichever set is left out, the others choose the same kinds (docs/gaming.md)."""

DOUBTS = frozenset({"grounded", "about", "not_padding", "agrees"})
"""Rules about content: a run that breaks nothing else ends `doubtful`."""


def rules_in_force(request: RunRequest) -> tuple[Rule, ...]:
    """What a run declares, and for a job with needs the rules that hold by default: each write that is not
    `required: false` has a receipt."""
    declared = {rule.rule for rule in request.rules}
    default_rules = DEFAULT_RULES if request.job and request.task.needs else ()
    proven = {rule.need for rule in request.rules if isinstance(rule, Evidence)}
    writes = (need for need in request.task.needs if request.job and need.required and is_write(need.effect))
    receipts = (Evidence(need=need.id) for need in writes if need.id not in proven)
    rules = (*request.rules, *receipts, *(rule for rule in default_rules if rule.rule not in declared))
    rehearsed = (Postcondition,) if request.simulate else ()  # a rehearsal wrote nothing that could be read
    return tuple(rule for rule in rules if not getattr(rule, "off", False) and not isinstance(rule, rehearsed))
