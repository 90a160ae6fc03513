"""Answers a goal that holds a path, an address or the like with the one tool that takes it."""

import re
from collections.abc import Sequence, Set
from dataclasses import dataclass
from typing import Any

from autonomy.llm.messages import ToolDefinition
from autonomy.llm.offline.argument_filler import CannotFillError, fit, properties, required, sayings, subject_terms
from autonomy.llm.offline.conversation_state import PlannedCall
from autonomy.llm.offline.questions.question import Question
from autonomy.llm.offline.questions.question_reading import read_question
from autonomy.llm.offline.result_items import MOST_LINES, answer_lines, content, lists_nothing
from autonomy.llm.offline.text_composition import left_out
from autonomy.llm.offline.tool_use.argument_kinds import COUNTED_FROM_FIRST, COUNTED_FROM_LAST, FORMS, kind_of, takes
from autonomy.llm.offline.tool_use.call_plan import AnswerContext, NotCarried
from autonomy.llm.offline.tool_use.exact_values import ExactValue, values_in
from autonomy.llm.offline.vocabulary import terms
from discovery.catalog import JsonObject
from discovery.text.search_terms import STOP_WORDS
from discovery.text.stack_traces import error_words
from metrics.reporting.reason_words import reason_in
from metrics.text.phrases import patterns_of

_PHRASES = patterns_of("autonomy.llm.offline")
_READS_SQL = re.compile(r"(?i)\s*select\b(?!.*\b(?:insert|update|delete|drop|alter|create|replace)\b)", re.DOTALL)
_RUN = re.compile("[\u30a1-\u30fa\u30fc]+|[\u3400-\u9fff々]+|[\u3041-\u309f]+")
_WHOSE = frozenset({"i", "my", "our", "us", "we", "your", "their", "them", "they", "two", "some"})
"""Words that pick something out, which no tool is told."""
_EXECUTING = frozenset({"run", "execute", "calculate", "compute", "evaluate", "実行", "計算"})
_LIMITS = {"limit", "count", "max", "num", "n"}
"""Words of the name of an argument that says how many things are wanted."""
_ENDS = {"source": {"source", "from", "start", "old"}, "target": {"target", "to", "destination", "dest", "end", "new"}}


@dataclass(frozen=True)
class _Fit:
    """How one tool takes a goal: its arguments, what it lacks, and how much of its name the goal speaks of."""

    tool: ToolDefinition
    arguments: JsonObject
    lacking: str
    score: float
    is_named: bool
    """Whether the goal speaks of the tool's name, and not only of what its description says; without values, of all of it."""


def answer_exactly(context: AnswerContext, *, in_any_form: bool = False) -> tuple[str, str] | None:
    """The answer, or the problem, for a goal with such values; None for a goal without. Raises `AnswerPending`.

    `in_any_form`: also a goal with numbers and quoted texts alone, or with no value, which other readers take as well."""
    readers = context.filler.readers
    arguments = [one for tool in readers for one in properties(tool).items()]
    kinds = {kind for kind in FORMS if any(takes(kind, name, schema) for name, schema in arguments)}
    values, remainder = values_in(context.goal, kinds)
    if not in_any_form and all(value.kind in ("number", "text") for value in values):
        return None
    remainder = _PHRASES["around_a_value"].sub(" ", remainder)
    question = read_question(remainder, context.question.today)
    try:
        return _answer(context, _best(context, values, question), values), ""
    except NotCarried as gap:
        return "", context.explain(gap)


def _best(context: AnswerContext, values: Sequence[ExactValue], question: Question) -> _Fit:
    """The one tool that takes the goal whole. Raises `NotCarried` where there is none, or it lacks an argument."""
    if problem := _other_kind(context.goal, question, values):
        raise problem
    assigned = [(tool, found) for tool in context.filler.readers if (found := _assigned(tool, values)) is not None]
    results = [_fit(tool, found, values, question) for tool, found in assigned]
    fits = [result for result in results if isinstance(result, _Fit)]
    best = max(fits, key=lambda one: one.score, default=None)
    if best is None or not (best.is_named or (values and len(fits) == 1)):
        uncarried = [result for result in results if result and not isinstance(result, _Fit)]
        raise NotCarried("uncarried", *min(uncarried, key=len, default=[context.goal]))
    even = [result.tool.name for result in fits if result.score == best.score]
    if len(even) > 1:
        raise NotCarried("several", context.goal, candidates=context.listed(even))
    counts = [name for name in properties(best.tool) if _LIMITS & set(name.split("_"))]
    if question.wants_everything and set(counts) - set(best.arguments):
        raise NotCarried("uncarried", context.goal)  # there may be more than it returns
    if question.asks_what_was and "current" in terms(best.tool.name):
        raise NotCarried("uncarried", context.goal)
    if best.lacking:
        gap = CannotFillError(best.tool, best.lacking)
        raise NotCarried(gap.phrase, **gap.values)
    return best


def _other_kind(goal: str, question: Question, values: Sequence[ExactValue]) -> NotCarried | None:
    """Why no tool's result as a whole can answer: somebody, a reason, a number of things or a yes is asked for, or a time."""
    is_sum = any(value.kind in ("number", "expression") for value in values)
    if picked := [*question.excluded, *filter(None, ("" if is_sum else question.compared_by, question.hours_said))]:
        return NotCarried("unsupported", *picked)
    if question.times:
        return NotCarried("unread_time", *(span.words for span in question.times))
    if found := _PHRASES["asks_beyond_a_result"].search(question.text):
        return NotCarried("unsupported", found.group())
    is_asked = goal.rstrip().endswith(("?", "？", "か", "か。"))
    if is_asked and not (question.asks_openly or is_sum):
        return NotCarried("uncarried", goal)
    if unreadable := next((value.text for value in values if value.kind == "sql" and not _READS_SQL.match(value.value)), ""):
        return NotCarried("unsupported", unreadable)
    return None


def _fit(tool: ToolDefinition, assigned: JsonObject, values: Sequence[ExactValue], question: Question) -> _Fit | list[str]:
    """How the tool takes the goal with the values that are given to it, or the words of the goal that it leaves aside."""
    form, arguments, text = properties(tool), dict(assigned), question.text
    for name, schema in form.items():
        if name not in arguments and (chosen := _chosen(schema, text)):
            arguments[name], text = chosen
        elif name not in arguments and schema.get("type") == "boolean" and terms(name) and terms(name) <= terms(text):
            arguments[name] = True
    name_terms = terms(tool.name)
    details = [_described(form[name]) for name in arguments if kind_of(name, form[name]) == "number"]
    about = subject_terms(tool) | terms(" ".join([*arguments, *details])) | ({"#past"} if "#history" in name_terms else set())
    plain = read_question(text, question.today)
    text_terms = terms(text) | _implied(values, plain)
    if (obstacle := plain.obstacle()) and not _is_told(obstacle[1], about):
        return [obstacle[1]]
    if edge := COUNTED_FROM_LAST.search(text) or COUNTED_FROM_FIRST.search(text):
        return [edge.group()]  # the last of them, without a number that an argument takes
    if (joint := _PHRASES["joins_two_things"].search(text)) and joint.group().casefold() not in tool.description.casefold():
        return [joint.group()]  # a part told is not both
    if (uncarried := _left_out(plain, about, _neutral(values))) or not (text_terms & about or computed(values)):
        return uncarried
    if (order := _PHRASES["gives_an_order"].search(text)) and not _is_order_to(tool, order, values):
        return [order.group().strip()]
    shared = text_terms & name_terms
    lacking = next((name for name in required(tool) if name not in arguments and "default" not in form.get(name, {})), "")
    score = len(shared) + len(shared & {"#list", "#read", "#search"}) - 0.5 * len(name_terms - text_terms) - 10 * bool(lacking)
    own = terms(" ".join(re.split("[_-]", tool.name)[1:]))  # the name without its server, or its verb
    whole = own and all(any(word.startswith(one) for word in text_terms & about) for one in own)  # as env is environment
    return _Fit(tool, arguments, lacking, score, bool(shared if values else whole))


def _implied(values: Sequence[ExactValue], question: Question) -> set[str]:
    """What a goal speaks of without saying it: a time, a file, a list."""
    implied = {
        "time": question.asks_clock or any(value.kind == "clock" for value in values),
        "#file": any(value.kind == "path" and "." in value.value.rpartition("/")[2].lstrip(".") for value in values),
        "#list": _PHRASES["asks_which_things"].search(question.text),
    }
    return {term for term, holds in implied.items() if holds}


def _described(schema: JsonObject) -> str:
    return str(schema.get("description", ""))


def _left_out(question: Question, about: Set[str], neutral: Set[str]) -> list[str]:
    """The words of a question that are neither among a tool's nor only ask; each part of a Japanese word counts."""
    latin = [word.removesuffix("'s") for word in re.findall("[A-Za-z][A-Za-z'-]*", question.text)]
    runs = [one for one in _RUN.findall(question.without_asking(question.text)) if not _PHRASES["joins_words"].fullmatch(one)]
    words = [word for word in (*latin, *runs) if word.lower() not in neutral and not _is_told(word, about)]
    return [*words, *re.findall(r"\d+", question.text)]


def _is_told(word: str, about: Set[str]) -> bool:
    """Whether a word is among a tool's, or can be parted into Japanese words that each mean one of them."""
    word_terms = terms(word)
    if word.isascii():
        return bool(word_terms) and word_terms <= about
    return any(
        {one for one in terms(word[:end]) if one.isascii()} & about and (end == len(word) or _is_told(word[end:], about))
        for end in range(1, len(word) + 1)
    )


def _chosen(schema: JsonObject, text: str) -> tuple[Any, str] | None:
    """The one choice of an argument that a text names, in any of the ways people say it, and the text without it."""
    quoted = re.findall(r"\('([a-z]\w*)'\)", _described(schema)) if schema.get("type") == "string" else []
    found = {
        match.group(): option
        for option in schema.get("enum") or (quoted if len(quoted) > 1 else ())
        for saying in sayings(option)
        if (match := re.search(rf"(?<![a-z]){re.escape(saying)}(?![a-z])", text, re.IGNORECASE))
    }
    if len(set(map(str, found.values()))) != 1:
        return None
    [(saying, option), *_] = found.items()
    return option, text.replace(saying, " ", 1)


def computed(values: Sequence[ExactValue]) -> bool:
    """Whether a goal gives what is to be worked out whole: an expression, a query."""
    return any(value.kind in ("expression", "sql") for value in values)


def _neutral(values: Sequence[ExactValue]) -> frozenset[str]:
    """Words that ask for nothing beside such values."""
    return (STOP_WORDS - _WHOSE) | (_EXECUTING if computed(values) else frozenset())


def _is_order_to(tool: ToolDefinition, order: re.Match[str], values: Sequence[ExactValue]) -> bool:
    """Whether the verb of an order is what the tool does, by its name or the first word of its description."""
    verb = order["en"] or order["ja"]
    does = terms(tool.name) | terms(tool.description.split(maxsplit=1)[0])
    return verb.lower() in _neutral(values) or bool(terms(verb) & (does | {"#read", "#list", "display"}))


def _assigned(tool: ToolDefinition, values: Sequence[ExactValue]) -> JsonObject | None:
    """Every value under the argument that takes its kind; None where one has no place, or may have several."""
    form, arguments = properties(tool), {}
    for kind in dict.fromkeys(value.kind for value in values):
        some = [value for value in values if value.kind == kind]
        whole = kind != "number" or all(re.fullmatch(r"-?\d+", value.value) for value in some)  # 0.2 counts nothing
        open_names = [name for name in form if name not in arguments and (whole or form[name].get("type") != "integer")]
        names = [name for name in open_names if takes(kind, name, form[name])]
        needed = [name for name in names if name in required(tool)]
        if kind == "number" and not needed:
            names = [name for name in names if len(some) == 1 and _is_counted(some[0], tool, name, form[name])]
        else:
            names = needed or names
        if len(names) == 1 and form[names[0]].get("type") == "array":
            arguments[names[0]] = [one.value for one in some]
        elif len(names) == 1 == len(some):
            arguments[names[0]] = fit(some[0].value, form[names[0]])
        elif len(names) == len(some) and (sides := _by_side(names, some, kind)):
            arguments.update({name: fit(one.value, form[name]) for name, one in sides.items()})
        else:
            return None
    return arguments


def _is_counted(value: ExactValue, tool: ToolDefinition, name: str, schema: JsonObject) -> bool:
    """Whether an optional argument says how many things are wanted, from the end that is meant: a log begins with the latest."""
    end = "first" if COUNTED_FROM_FIRST.match(value.before) else "last" if COUNTED_FROM_LAST.match(value.before) else ""
    if end and re.search(rf"\b{end} n\b", _described(schema), re.IGNORECASE):
        return True
    return bool(_LIMITS & set(name.lower().split("_"))) and (not end or (end == "last" and "#history" in terms(tool.name)))


def _by_side(names: Sequence[str], values: Sequence[ExactValue], kind: str) -> dict[str, ExactValue] | None:
    """Two values for two arguments, by what stands beside them; numbers that are joined, in their order."""
    if kind == "number":
        joined = all(value.before in ("and", "と", "plus") for value in values[1:])
        return dict(zip(names, values, strict=True)) if joined else None
    found: dict[str, ExactValue] = {}
    for side, words in _ENDS.items():
        ends = [name for name in names if words & set(name.lower().split("_"))]
        values_of_side = [value for value in values if _side(value) == side]
        if len(ends) != 1 or len(values_of_side) != 1:
            return None
        found[ends[0]] = values_of_side[0]
    return found


def _side(value: ExactValue) -> str:
    """Whether something comes from a value or goes to it; one right behind another value belongs to that, as in 9:00 UTC."""
    if value.before == "from" or value.after.startswith("から"):
        return "source"
    goes = value.before in ("to", "into", "in") or value.after.startswith(("へ", "に", "まで", "では"))
    return "target" if goes else "source" if not value.before else ""


def _answer(context: AnswerContext, fit_found: _Fit, values: Sequence[ExactValue]) -> str:
    """What the tool returns. Raises `NotCarried` where it fails, and `AnswerPending`."""
    [answer] = context.state.ask(PlannedCall(fit_found.tool.name, fit_found.arguments))
    if not answer.ok:
        error = reason_in(context.task.language, error_words(answer.result.text.strip()))
        raise NotCarried("tool_failed", tool=fit_found.tool.name, error=error)
    value = content(answer.result)
    texts = [text for text in value.values() if isinstance(text, str)] if isinstance(value, dict) and len(value) == 1 else []
    lines = [line for text in texts or answer_lines(answer.result) for line in text.splitlines()]
    reading_notes = [
        context.say("read_as", before=one.text, after=one.value) for one in values if one.kind == "zone" and one.text != one.value
    ]
    if lists_nothing(value) or not any(re.search(r"\w", line) for line in lines):
        lines = [context.say("nothing_found", words=context.listed(one.text for one in values))]
    more = [left_out(context.task.language, len(lines) - MOST_LINES)] if len(lines) > MOST_LINES + 1 else []
    shown_lines = lines[:MOST_LINES] if more else lines
    return "\n".join([*reading_notes, *shown_lines, *more, "", context.say("source", tool=fit_found.tool.name)])
