"""Puts the days of a question into a tool's arguments.

An argument takes a month, a word such as `tomorrow`, a day, or a start or an end.
"""

from datetime import date, datetime, time, timedelta

from autonomy.llm.offline.argument_filler import REACH_DAYS, time_words
from autonomy.llm.offline.questions.question import Question
from autonomy.llm.offline.time_expressions import TimeSpan, months_in, takes_month
from autonomy.llm.offline.tool_use.call_plan import MAX_SUBJECTS, AnswerContext, CallPlan, NotCarried
from autonomy.llm.offline.vocabulary import terms
from discovery.catalog import JsonObject

_PAST_ONLY = {"#message", "#history"}
"""What nobody has written yet cannot be read."""


def assign_times(plan: CallPlan, context: AnswerContext) -> None:
    """Gives the calls the question's days, or leaves them to the results. Raises `NotCarried` for days out of reach."""
    question, form = context.question, plan.form
    if question.times and (monthly := [name for name, schema in form.items() if takes_month(schema)]):
        _carry_months(plan, question, monthly)
    elif question.times and (argument := next((name for name, schema in form.items() if time_words(schema)), None)):
        words = [_word_for(plan, form[argument], span, question.today) for span in question.times]
        plan.give(*({argument: word} for word in dict.fromkeys(words)))
    elif question.times:
        _carry_days(plan, context)
    elif question.asks_when and any(time_words(schema) for schema in form.values()):
        raise NotCarried("unsupported", question.quantity or context.goal)  # one day tells no other
    if question.hours and not plan.by_time:
        raise NotCarried("out_of_reach", question.hours_said, tool=plan.tool.name)


def _carry_months(plan: CallPlan, question: Question, names: list[str]) -> None:
    months = months_in(question.text, question.today)
    if len(months) != len(question.times) or not all(_is_month(span.first, span.last) for span in question.times):
        raise NotCarried("out_of_reach", *(span.words for span in question.times), tool=plan.tool.name)
    plan.give(*(dict.fromkeys(names, month) for month in months[:MAX_SUBJECTS]))


def _is_month(first: date, last: date) -> bool:
    """Whether these are the days of one month, all of them."""
    return first.day == 1 and first.month == last.month and (last + timedelta(days=1)).day == 1


def _word_for(plan: CallPlan, schema: JsonObject, span: TimeSpan, today: date) -> str:
    """The schema's word for these days, or the widest that holds some of them and is no shorter than they are."""
    first, last = (span.first - today).days, (span.last - today).days
    reaches = {one: REACH_DAYS[one] for one in time_words(schema)}
    if exact := next((one for one, reach in reaches.items() if reach == (first, last)), None):
        return exact
    # the first days of next month that a week reaches into are not next month
    holding = [one for one, (begin, end) in reaches.items() if begin <= first <= end and last - first <= end - begin]
    if not holding:
        raise NotCarried("out_of_reach", span.words, tool=plan.tool.name)
    plan.by_time = True
    return max(holding, key=lambda one: reaches[one][1])


def _carry_days(plan: CallPlan, context: AnswerContext) -> None:
    """One day in an argument for a day, a period in a start and an end; what has neither is picked by its day."""
    plan.by_time = True
    if len(context.question.times) > 1:
        return
    span, zone = context.question.times[0], context.filler.zone
    if span.first > context.question.today and terms(plan.tool.name) & _PAST_ONLY:
        raise NotCarried("out_of_reach", span.words, tool=plan.tool.name)
    day = next((name for name in plan.form if terms(name) == terms("day")), None)
    begins, ends = (next((name for name in plan.form if concept in terms(name)), None) for concept in ("#start", "#end"))
    if day and span.first == span.last:
        plan.give({day: span.first.isoformat()})
    elif begins and ends:
        after = span.last + timedelta(days=1)
        plan.give({begins: datetime.combine(span.first, time(), zone), ends: datetime.combine(after, time(), zone)})
