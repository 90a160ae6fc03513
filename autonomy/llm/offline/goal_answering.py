"""Answers a question with one read tool that covers all of its words.

What cannot be carried is named in a refusal; nothing is answered that only looks like an answer.
"""

import operator
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime, time, timedelta
from functools import partial
from typing import Any

from autonomy.llm.messages import ToolDefinition
from autonomy.llm.model import ModelRequest, Task
from autonomy.llm.offline.argument_correction import corrected, offered_values
from autonomy.llm.offline.argument_filler import (
    ArgumentFiller,
    CannotFillError,
    choose,
    noun_of,
    page_argument,
    properties,
    required,
)
from autonomy.llm.offline.conversation_state import AnswerPending, ConversationState, PastCall, PlannedCall, collect_all
from autonomy.llm.offline.lookup.passage_search import PassageSearch, quote_passages, search_argument
from autonomy.llm.offline.lookup_words import plays_the_part, stands_for_somebody
from autonomy.llm.offline.need_solver import zone_of
from autonomy.llm.offline.query.misspelling import respelled, with_apostrophe, without_apostrophe
from autonomy.llm.offline.query.query_answering import answer_query
from autonomy.llm.offline.question import Question, put_plainly, read_question, with_this_weekday
from autonomy.llm.offline.refusal import Refusal, listed, say, without_orders
from autonomy.llm.offline.result_items import (
    answer_lines,
    authors,
    content,
    field_asked_for,
    identity,
    is_called,
    is_data,
    items,
    moment_of,
    next_cursor,
    strings,
    text_of,
    texts,
)
from autonomy.llm.offline.time_expressions import impossible_day, months_in, takes_month
from autonomy.llm.offline.tool_ranking import is_about, ranked_tools
from autonomy.llm.offline.vocabulary import ARGUMENT_ENDINGS, ATTRIBUTES, FIELDS, LANGUAGES, TIME_WORDS, terms
from discovery.catalog import JsonObject
from discovery.text.stack_traces import without_frames

MAX_SUBJECTS = 5
MAX_TOOLS = 4
"""How many tools are tried for one question."""
CLOSE = 0.4
"""A tool whose words fit less than this share of the best one's is about something else."""
_REACH_DAYS = {"today": (0, 0), "tomorrow": (1, 1), "day_after_tomorrow": (2, 2), "yesterday": (-1, -1), "week": (0, 6)}
"""The days, from today, that a schema's word for time stands for; a forecast's week begins today."""


_BESIDE = {"above": operator.gt, "from": operator.ge, "below": operator.lt, "to": operator.le}
"""How a figure stands to a threshold, by the order of a comparison."""
_PAST_ONLY = {"#message", "#history"}
"""What nobody has written yet cannot be read."""


class NotCarried(Exception):
    """Something in the question that a tool cannot carry; `phrase` and `values` say what."""

    def __init__(self, phrase: str, **values: str) -> None:
        self.phrase, self.values = phrase, values
        super().__init__(phrase)


@dataclass
class GoalPlan:
    """The calls of one tool that a question comes to, and what is looked for in their results."""

    tool: ToolDefinition
    sets: list[JsonObject]
    by_time: bool = False
    """Whether the items must be picked by their day, as the calls bring more."""
    changed: bool = False
    """Whether that is the day on which they were last changed."""
    words: list[str] = field(default_factory=list)
    """Words of the question that no other argument is for."""
    searched: list[str] = field(default_factory=list)
    """Those of them that an optional search argument carries."""
    search_argument: str = ""
    looked_for: dict[str, set[str]] = field(default_factory=dict)
    """Words that items must hold, each with the names its person also has."""

    carried: list[str] = field(default_factory=list)
    """Words that an argument carries: a person, a channel, a place."""
    tags: list[str] = field(default_factory=list)
    """Words that items must have as a tag."""
    open_text: str = ""
    """The argument that takes words of the question as they are."""
    excluding: bool = False
    """Whether some of the items are to be left out."""

    @property
    def filters(self) -> bool:
        """Whether part of the question is left to the results."""
        return bool(self.looked_for or self.tags or self.excluding)


def answer_goal(task: Task, request: ModelRequest, state: ConversationState, day: date, *, talking: bool) -> str:
    """The answer to a goal without declared needs. Raises `AnswerPending` with the call noted, unless it must talk now.

    Words of courtesy around a question are left aside; where it has no answer, its misspelt words are mended, and told."""
    goal = task.goal.strip()
    plain = put_plainly(goal)
    if read_question(goal, day).is_small_talk:
        return Refusal(say(task.language, "no_fit", goal=goal, problem=""))
    if any(read_question(one, day).asks_for_action for one in dict.fromkeys((goal, plain))):
        return Refusal(say(task.language, "undeclared", goal=goal))
    if never := impossible_day(goal):
        return Refusal(say(task.language, "cannot", goal=goal, problem=say(task.language, "no_day", words=never)))
    readers = [tool for tool in request.tools if request.effects.get(tool.name) == "read"]
    filler = ArgumentFiller(readers, state, task.inputs, goal, day, zone_of(task, request))
    if not talking and (owned := without_apostrophe(plain)):
        plain = with_apostrophe(plain, owned, _people(filler))
    text = _answer_as_read(task, plain, filler, state, talking=talking)
    if not isinstance(text, Refusal):
        return text
    people = _people(filler) if not talking else []
    seen = [one.text for one in state.results]
    for mended, words in (with_this_weekday(plain, day), respelled(plain, people, seen)):
        if words and not isinstance(again := _answer_as_read(task, mended, filler, state, talking=talking), Refusal):
            return "\n".join([*(say(task.language, "read_as", before=before, after=after) for before, after in words), again])
    return text


def _people(filler: ArgumentFiller) -> list[str]:
    return [str(one["name"]) for one in filler.listed("user") if one.get("name")]


def _answer_as_read(task: Task, asked: str, filler: ArgumentFiller, state: ConversationState, *, talking: bool) -> str:
    """The answer to the question as it is read. Raises `AnswerPending`, unless it must talk now."""
    goal, day = task.goal.strip(), filler.today
    task = task.model_copy(update={"goal": asked})
    question = read_question(asked, day)
    try:
        if told := answer_query(task.goal, task.language, day, filler, state):
            return without_orders(told, task.language)
        if obstacle := question.obstacle():
            if passages := PassageSearch(question, filler, state).run_for(obstacle[1]):
                return without_orders(quote_passages(passages, task.language), task.language)
            return Refusal(say(task.language, "cannot", goal=goal, problem=say(task.language, obstacle[0], words=obstacle[1])))
        text, problem = _answer(task, question, filler, state)
    except AnswerPending:
        if not talking:
            raise
        text, problem = "", say(task.language, "out_of_steps")
    if text:
        read_as = [say(task.language, "read_as", before=before, after=after) for before, after in question.misspelt]
        return without_orders("\n".join([*read_as, text]), task.language)
    return Refusal(say(task.language, "cannot" if problem else "no_fit", goal=goal, problem=problem))


def _answer(task: Task, question: Question, filler: ArgumentFiller, state: ConversationState) -> tuple[str, str]:
    """The answer, or else why there is none: what a tool returns, or what messages and documents say. Raises `AnswerPending`."""
    looked_up = PassageSearch(question, filler, state)
    text = problem = ""
    passages, lead = looked_up.replies() or looked_up.plans(), "passages"
    if not passages and question.wants_text:
        passages = looked_up.run()
    if not passages and question.person_sought and (people := looked_up.people()):
        passages, lead = people, "who"
    if not passages and (deeds := looked_up.deeds()):
        passages, lead = deeds, "deeds"
    if not passages and question.replied_to is None:  # no list of what somebody wrote tells what was replied to it
        text, problem = _GoalAnswer(task, question, filler, state).run()
        passages = None if text else looked_up.run()
        if not text and not passages and (before := looked_up.asked_before()):
            passages, lead = before, "asked_before"
        if passages and question.wants_everything:
            passages, problem = None, problem or say(task.language, "no_passage")
    if passages:
        return quote_passages(passages, task.language, lead=lead), ""
    looked_up_in_vain = passages is not None or question.replied_to is not None
    return text, problem or (say(task.language, "no_passage") if looked_up_in_vain and not text else "")


class _GoalAnswer:
    """One turn's attempt to answer a question."""

    def __init__(self, task: Task, question: Question, filler: ArgumentFiller, state: ConversationState) -> None:
        self._task, self._question, self._filler, self._state = task, question, filler, state
        self._found_nothing = False
        self._implied: list[str] = []

    def run(self) -> tuple[str, str]:
        """The answer, or else the first problem that a tool that speaks of the goal had with it.

        Where one tool finds nothing, another may: what it finds is the answer.
        """
        text, problem = self._tried(self._tools())
        if text or not (implied := self._implied_by_names()):
            return text, problem
        self._implied = implied
        return self._tried(self._tools())

    def _tried(self, tools: Sequence[ToolDefinition]) -> tuple[str, str]:
        problem = empty = ""
        later: list[GoalPlan] = []
        for tool in tools:
            try:
                plan = self._plan(tool)
            except CannotFillError as gap:
                problem = problem or self._say("no_value", tool=gap.tool, argument=gap.argument)
            except NotCarried as gap:
                if gap.phrase == "several":
                    return "", self._say(gap.phrase, **gap.values)
                problem = problem or self._say(gap.phrase, **gap.values)
            else:
                if plan.filters or len(plan.sets) > MAX_SUBJECTS:
                    later.append(plan)
                    continue
                text, told = self._ended(plan)
                if text and not self._found_nothing:
                    return text, ""
                problem, empty = problem or told, empty or text
        for plan in sorted(later, key=lambda one: len(one.sets) > MAX_SUBJECTS):
            text, told = self._ended(plan)
            if text and not self._found_nothing:
                return text, ""
            problem, empty = problem or told, empty or text
        return empty, "" if empty else problem

    def _implied_by_names(self) -> list[str]:
        """What a name tells that a tool lists: where a channel is named, its messages are asked for."""
        plain = self._question.without_asking(self._question.text)
        words = [word.removesuffix("'s").removesuffix("’s") for word in re.findall(r"[\w\-'’]+", plain)]
        told_of_people = any(word in self._question.text for word in ATTRIBUTES if not word.isascii() or word in words)
        if told_of_people and any(is_called(item, word) for item in self._filler.listed("user") for word in words):
            return ["user profile"]
        channels = self._filler.listed("channel")
        return ["channel messages"] if any(is_called(item, word) for item in channels for word in words) else []

    def _tools(self) -> list[ToolDefinition]:
        about = " ".join([self._question.text, *self._question.implied_words(), *self._implied])
        readers = self._filler.readers
        if self._question.asks_who_belongs:
            readers = [tool for tool in readers if "#message" not in terms(f"{tool.name} {tool.description}")]
        if self._question.asks_who:  # nobody's name is a place's
            readers = [tool for tool in readers if not any("#place" in terms(name) for name in required(tool))]
        ranked = [(tool, score) for tool, score in ranked_tools(about, readers) if is_about(about, tool)]
        return [tool for tool, score in ranked[:MAX_TOOLS] if score >= CLOSE * ranked[0][1]]

    def _ended(self, plan: GoalPlan) -> tuple[str, str]:
        self._found_nothing = False
        try:
            return self._answered(plan), ""
        except NotCarried as gap:
            return "", self._say(gap.phrase, **gap.values)

    def _plan(self, tool: ToolDefinition) -> GoalPlan:
        """Every word, time and number of the question put into an argument, or left to the result. Raises `NotCarried`."""
        form = properties(tool)
        enums = {
            name: choose(schema["enum"], self._question.text)
            for name, schema in form.items()
            if "enum" in schema and not _timed(schema) and name not in FIELDS.language_arguments
        }
        enums |= {
            one: self._task.language
            for one in FIELDS.language_arguments
            if self._task.language in form.get(one, {}).get("enum", ())
        }
        given: JsonObject = {name: value for name, value in enums.items() if value is not None}
        plan = GoalPlan(tool, [given], excluding=bool(self._question.excluded))
        self._carry_times(plan, form)
        if self._question.hours and not plan.by_time:
            raise NotCarried("out_of_reach", words=self._question.hours_said, tool=plan.tool.name)
        subjects: list[str] = []
        channel = "#channel" in terms(" ".join([self._question.text, *self._question.implied_words(), *self._implied]))
        words = [part for word in self._question.content_words(tool, channel=channel) for part in self._parted(tool, form, word)]
        while words:
            word = words.pop(0)
            named = next((name for name in form if words and word.isascii() and terms(word) and terms(word) == terms(name)), None)
            named = (
                None if named and terms(named) & {"#start", "#end"} else named
            )  # what stands behind it is a time, and was read
            if named and named not in plan.sets[0] and form[named].get("type") == "string":
                plan.sets = [{**one, named: words[0]} for one in plan.sets]
                words.pop(0)
            else:
                self._carry_word(plan, form, word, subjects)
        if change := [word for word in subjects if self._is_change(word)]:
            if not plan.by_time:
                raise NotCarried("uncarried", words=self._listed(change))
            plan.changed = True  # it says which of a thing's times is meant, and is nothing to search for
            subjects = [word for word in subjects if word not in change]
        self._check_subjects(tool, subjects)
        plan.words = subjects
        open_text = self._open_text(tool, form, plan.sets[0])
        if open_text and subjects:
            plan.open_text = open_text
            if open_text == search_argument(form):
                subjects = [" ".join(subjects)]
            plan.sets = [{**one, open_text: subject} for subject in subjects[:MAX_SUBJECTS] for one in plan.sets]
        elif subjects:
            self._search_or_look(plan, form, subjects)
        asked_with = set(plan.sets[0])
        plan.sets = [filled for one in plan.sets for filled in self._filler.fill(tool, one)]
        if wanted := self._counted_apart(tool, asked_with):
            raise NotCarried("uncarried", words=wanted)
        if len(plan.sets) > MAX_SUBJECTS and not (plan.filters or plan.by_time or self._question.times or self._task.inputs):
            raise CannotFillError(tool.name, next(iter(required(tool)), ""))
        if len(plan.sets) > MAX_SUBJECTS and any(
            moment_of(item, self._filler.zone) for item in self._filler.listed(noun_of(tool, required(tool)[0]), asking=tool)
        ):
            raise CannotFillError(tool.name, required(tool)[0])  # documents: the tool that lists them tells them apart
        return plan

    def _counted_apart(self, tool: ToolDefinition, carried: set[str]) -> str:
        """The kind of thing whose number is asked for, where this tool is asked once for each of them and tells something else.

        How many channels there are is not how many messages all of them hold.
        """
        if self._question.comparison is None or self._question.comparison.order != "count":
            return ""
        nouns = {noun for name in required(tool) if name not in carried and (noun := noun_of(tool, name))}
        asked = terms(self._question.text)
        if "#category" in terms(tool.name) - asked:
            return self._question.quantity or self._task.goal.strip()  # folders are not what lies in them
        told = terms(tool.name) - {term for noun in nouns for term in terms(noun)}
        return "" if told & asked else next((noun for noun in sorted(nouns) if terms(noun) & asked), "")

    def _carry_times(self, plan: GoalPlan, form: Mapping[str, JsonObject]) -> None:
        times = self._question.times
        monthly = [name for name, schema in form.items() if takes_month(schema)]
        if monthly and times:
            months = months_in(self._question.text, self._question.today)
            if len(months) != len(times) or not all(_is_month(one.first, one.last) for one in times):
                raise NotCarried("out_of_reach", words=self._listed(one.words for one in times), tool=plan.tool.name)
            plan.sets = [{**one, **dict.fromkeys(monthly, month)} for month in months[:MAX_SUBJECTS] for one in plan.sets]
        elif times and (worded := next((name for name, schema in form.items() if _timed(schema)), None)):
            options = [self._option(plan, form[worded], one.first, one.last, one.words) for one in times]
            plan.sets = [{**one, worded: option} for option in dict.fromkeys(options) for one in plan.sets]
        elif times:
            self._carry_days(plan, form)
        elif self._question.asks_when and any(_timed(schema) for schema in form.values()):
            raise NotCarried("unsupported", words=self._question.quantity or self._task.goal.strip())  # one day tells no other

    def _option(self, plan: GoalPlan, schema: JsonObject, first: date, last: date, words: str) -> str:
        """The schema's word for these days, or the widest that holds some of them and is no shorter than they are."""
        from_today = ((first - self._question.today).days, (last - self._question.today).days)
        reaches = {one: _REACH_DAYS[one] for one in _timed(schema)}
        if exact := next((one for one, reach in reaches.items() if reach == from_today), None):
            return exact
        holding = [
            one
            for one, (begin, end) in reaches.items()
            if begin <= from_today[0] <= end and from_today[1] - from_today[0] <= end - begin
        ]  # the first days of next month that a week reaches into are not next month
        if not holding:
            raise NotCarried("out_of_reach", words=words, tool=plan.tool.name)
        plan.by_time = True
        return max(holding, key=lambda one: reaches[one][1])

    def _carry_days(self, plan: GoalPlan, form: Mapping[str, JsonObject]) -> None:
        """One day in an argument for a day, a period in a start and an end; what has neither is picked by its day."""
        plan.by_time = True
        if len(self._question.times) > 1:
            return
        span = self._question.times[0]
        if span.first > self._question.today and terms(plan.tool.name) & _PAST_ONLY:
            raise NotCarried("out_of_reach", words=span.words, tool=plan.tool.name)
        day = next((name for name in form if terms(name) == terms("day")), None)
        begins, ends = (next((name for name in form if concept in terms(name)), None) for concept in ("#start", "#end"))
        if day and span.first == span.last:
            plan.sets = [{**one, day: span.first.isoformat()} for one in plan.sets]
        elif begins and ends:
            bounds = {begins: self._midnight(span.first), ends: self._midnight(span.last + timedelta(days=1))}
            plan.sets = [{**one, **bounds} for one in plan.sets]

    def _midnight(self, day: date) -> datetime:
        return datetime.combine(day, time(), self._filler.zone)

    def _carry_word(self, plan: GoalPlan, form: Mapping[str, JsonObject], word: str, subjects: list[str]) -> None:
        given = plan.sets[0]
        if self._question.is_spoken_of(word) and search_argument(form):
            subjects.append(word)
            return
        if word.isdigit():
            name = next(
                (
                    one
                    for one, schema in form.items()
                    if one not in given and schema.get("type") == "integer" and noun_of(plan.tool, one)
                ),
                None,
            )
            if name is None and f"#{word}" in self._question.text and search_argument(form):
                subjects.append(f"#{word}")
                return
            if name is None:
                raise NotCarried("uncarried", words=word)
            value: Any = int(word)
        else:
            name, value = self._named(plan, form, word)
        if name is None and (f"#{word}" in self._question.text or (search_argument(form) and self._is_channel(word))):
            raise NotCarried("uncarried", words=f"#{word}")  # a channel, and no word to search for
        kind = _is_kind(word) and not self._is_change(word)
        if name is None and (kind or any(word.endswith(one) for ends in ARGUMENT_ENDINGS.values() for one in ends)):
            raise NotCarried("uncarried", words=word)
        if name is None:
            subjects.append(word)
        else:
            plan.carried.append(word)
            plan.sets = [{**one, name: value} for one in plan.sets]

    def _named(self, plan: GoalPlan, form: Mapping[str, JsonObject], word: str) -> tuple[str | None, Any]:
        """The argument that a name is for: by its ending (製造部), or as something that a tool lists."""
        for name in form:
            if name in plan.sets[0]:
                taken = noun_of(plan.tool, name) if form[name].get("type") != "integer" else ""
                if taken and any(is_called(item, word) for item in self._filler.listed(taken, asking=plan.tool)):
                    raise NotCarried("uncarried", words=word)  # a second person or channel is nothing to search for
                continue
            ends = (one for one in ARGUMENT_ENDINGS.get(name, ()) if word.casefold().endswith(one) and len(word) > len(one))
            if (ending := next(ends, None)) is not None:
                return name, word[: -len(ending)].strip() if terms(ending) == terms(name) else word
            noun = noun_of(plan.tool, name)
            if not noun or form[name].get("type") == "integer":
                continue
            known = self._filler.listed(noun, asking=plan.tool)
            if not known and _NUMBERED.fullmatch(word) and name in required(plan.tool):
                return name, word  # who may not list employees may know his own number
            matches = [item for item in known if is_called(item, word)]
            if len(matches) > 1:
                raise NotCarried("several", words=word, candidates=self._listed(_label(item) for item in matches))
            if matches:
                return name, next(iter(matches[0][one] for one in (name, "id", "name") if matches[0].get(one)), word)
        return None, None

    def _parted(self, tool: ToolDefinition, form: Mapping[str, JsonObject], words: str) -> list[str]:
        """Words that stand together, cut where one of them is the name of somebody or something that an argument is for."""
        nouns = {noun for name in form if (noun := noun_of(tool, name)) and form[name].get("type") != "integer"} | {"user"}
        listed = [item for noun in sorted(nouns) if " " in words for item in self._filler.listed(noun, asking=tool)]
        if not any(is_called(item, word) for item in listed for word in words.split()):
            return [words]
        if any(is_called(item, words) for item in listed):
            return [words]
        parts: list[str] = []
        for word in words.split():
            named = any(is_called(item, word) for item in listed)
            if named or not parts or any(is_called(item, parts[-1]) for item in listed):
                parts.append(word)
            else:
                parts[-1] += f" {word}"
        return parts

    def _check_subjects(self, tool: ToolDefinition, subjects: Sequence[str]) -> None:
        """Raises `NotCarried` for what is left of a verb, and for people where the tool tells the weather."""
        if search_argument(properties(tool)) in required(tool) and subjects and all(map(_LEFT_OF_VERBS.fullmatch, subjects)):
            raise NotCarried("uncarried", words=self._listed(subjects))
        if not self._question.asks_what_was or "#weather" not in terms(tool.name):
            return  # a curry was hot that somebody had
        if any(is_called(item, word) for item in self._filler.listed("user") for words in subjects for word in words.split()):
            raise NotCarried("uncarried", words=self._listed(subjects))

    def _is_channel(self, word: str) -> bool:
        return any(is_called(item, word) for item in self._filler.listed("channel"))

    def _is_change(self, word: str) -> bool:
        """Whether a word of a question about a time says that things were changed then: 昨日更新された, updated yesterday."""
        said = word.casefold().endswith("ed") or re.search(rf"{re.escape(word)}(?:さ(?:れた|れて)|した)", self._question.text)
        return bool(self._question.times and said and "#update" in terms(word))

    def _open_text(self, tool: ToolDefinition, form: Mapping[str, JsonObject], given: JsonObject) -> str | None:
        """The required argument that takes words of the question as they are."""
        free = [
            name
            for name in required(tool)
            if name not in given and not takes_month(form.get(name, {})) and not noun_of(tool, name)
        ]
        return next((name for name in free if form.get(name, {}).get("type") == "string" and "enum" not in form[name]), None)

    def _search_or_look(self, plan: GoalPlan, form: Mapping[str, JsonObject], subjects: Sequence[str]) -> None:
        """Words that no argument is for: people are looked for in the items, the rest by the tool's search where it has one."""
        if "#tag" in terms(self._question.text) and "#tag" not in terms(plan.tool.name):
            plan.tags = list(subjects)
            return
        people = [item for item in self._filler.listed("user", asking=plan.tool) if "user" in "".join(FIELDS.author)]
        for word in subjects:
            same = [] if self._question.is_spoken_of(word) else [item for item in people if is_called(item, word)]
            search = search_argument(form)
            if same:
                plan.looked_for[word] = {
                    one for item in same for one in strings({key: item[key] for key in FIELDS.person if key in item})
                }
            elif search and re.fullmatch("[\u3041-\u309f]{1,3}", word) and f"「{word}」" not in self._question.text:
                raise NotCarried("uncarried", words=word)  # what is left of a verb is nothing to search for
            elif search:
                plan.searched.append(word)
                plan.search_argument = search
            else:
                plan.looked_for[word] = set()
        if plan.searched:
            plan.sets = [{**one, plan.search_argument: " ".join(plan.searched)} for one in plan.sets]

    def _answered(self, plan: GoalPlan) -> str:
        """The text of the answer. Raises `NotCarried` when the results do not hold what was asked for."""
        asked = collect_all(partial(self._ask, plan.tool, one) for one in plan.sets)
        good = [(answers, first) for answers, first in asked if answers[0].ok]
        failing = [(answers[0], arguments) for answers, arguments in asked if not answers[0].ok]
        unread = [one for one, arguments in failing if not self._may_be_named(str(arguments.get(plan.open_text, "")))]
        if not good or (plan.open_text and unread):  # ずっと is no place that was asked for beside 青森
            failed = unread[0] if unread else failing[0][0] if failing else None
            raise NotCarried(
                "tool_failed", tool=plan.tool.name, error=without_frames(failed.result.text.strip()) if failed else ""
            )
        lines = [line for answers, first in asked for line in self._remarks(answers[0], first)]
        if plan.searched and not any(items(content(answer.result)) for answers, _ in good for answer in answers):
            good = self._search_again(plan)
        whole = not (plan.filters or plan.by_time or self._question.comparison)
        found = [(one, items(content(one.result))) for answers, _ in good for one in answers]
        if (
            self._question.wants_number
            and self._question.comparison is None
            and any(authors(item) for _, some in found for item in some)
        ):
            raise NotCarried("unsupported", words=self._question.quantity)  # to list what somebody wrote is to count nothing
        if self._question.asks_who and plan.words:
            told = [text_of(item) for _, some in found for item in some]
            if not all(plays_the_part(self._question.relations, text) for text in told):
                raise NotCarried("uncarried", words=self._task.goal.strip())  # who fixed a thing is not who reported it
        in_order = self._in_order(found) if whole and len(good) > 1 else []
        for answers, _ in () if in_order else good:
            lines += [*self._yes_or_no(plan, answers), *self._told(plan, answers)] if whole else []
        lines += in_order
        if not whole:
            lines += self._picked(plan, [answer for answers, _ in good for answer in answers])
        elif all(_is_empty(content(answer.result)) for answers, _ in good for answer in answers):
            lines = [self._nothing(plan.words or [self._task.goal.strip()], plan.carried)]
        if not self._found_nothing and (owed := self._unaccounted(plan, lines, [item for _, some in found for item in some])):
            raise NotCarried("uncarried", words=self._listed(owed))
        if unseen := self._unseen(plan, lines):
            raise NotCarried("uncarried", words=self._listed(unseen))
        if plan.words and all(line.removeprefix("- ").casefold() in self._question.text.casefold() for line in lines):
            raise NotCarried("uncarried", words=self._listed(plan.words))  # it only says the question's own words again
        return "\n".join([*lines, "", self._say("source", tool=plan.tool.name)])

    def _may_be_named(self, word: str) -> bool:
        """Whether a word that a tool knows nothing of can be a name, as 火星 is."""
        return self._question.is_name(word) and not word.islower() and not re.fullmatch("[\u3041-\u309f]+", word)

    def _unaccounted(self, plan: GoalPlan, lines: Sequence[str], found: Sequence[Any]) -> list[str]:
        """The words that neither the tool's name, nor an argument, nor what is told accounts for."""
        given = {name for one in plan.sets for name, value in one.items() if value is not None}
        text = "\n".join(lines)
        accounted = terms(" ".join([plan.tool.name, *given, text]))
        told = {name for item in found if isinstance(item, dict) for name, value in item.items() if value and str(value) in text}
        taken = [
            word.split() for word in plan.words if plan.open_text and plan.open_text != search_argument(properties(plan.tool))
        ]
        unheard = [one for words in taken for one in words[1:] if one.islower() and one.isascii() and one not in text.lower()]
        return unheard + [
            word
            for word in self._question.owed_words(plan.tool)
            if word not in plan.words
            and not (told & set(ATTRIBUTES[word]) if word in ATTRIBUTES else terms(word) & accounted or _stem(word) in text)
        ]

    def _unseen(self, plan: GoalPlan, lines: Sequence[str]) -> list[str]:
        """Words by which things were found that only list titles, where what one of them says is asked for."""
        if self._found_nothing or self._question.comparison:
            return []
        told = "\n".join(lines)
        searched = [word for words in (*plan.searched, *(plan.words if plan.open_text else ())) for word in words.split()]
        unseen = [word for word in searched if not _holds(told, word, set())]
        return unseen if self._question.wants_fact or len(unseen) < len(searched) else []  # a diary's title tells not its TIL

    def _search_again(self, plan: GoalPlan) -> list[tuple[list[PastCall], JsonObject]]:
        """Without the search words, which then are looked for in the items by meaning: release finds リリース."""
        if plan.search_argument in required(plan.tool):
            return []
        sets = [{name: value for name, value in one.items() if name != plan.search_argument} for one in plan.sets]
        plan.looked_for |= {word: set() for word in plan.searched}
        return [one for one in collect_all(partial(self._ask, plan.tool, arguments) for arguments in sets) if one[0][0].ok]

    def _ask(self, tool: ToolDefinition, arguments: JsonObject) -> tuple[list[PastCall], JsonObject]:
        """The answers of all pages, corrected once by what an error says, and the arguments it was first asked with."""
        pages = page_argument(tool) if self._question.comparison or self._question.times or len(arguments) == 0 else None
        answers = self._state.ask_all_pages(PlannedCall(tool.name, arguments), pages)
        if not answers[0].ok and len(offered_values(answers[0].result.text)) <= 1:
            better = corrected(tool, arguments, answers[0].result.text)
            if better is not None:
                answers = self._state.ask_all_pages(PlannedCall(tool.name, better), pages)
        return answers, arguments

    def _remarks(self, answer: PastCall, asked: JsonObject) -> list[str]:
        """What was read as something else, and what failed beside others that did not."""
        if not answer.ok:
            return [self._say("failed_for", words=self._listed(map(str, asked.values())), error=answer.result.text.strip())]
        changed = [
            (asked[name], value) for name, value in answer.call.arguments.items() if name in asked and asked[name] != value
        ]
        return [self._say("read_as", before=before, after=after) for before, after in changed]

    def _told(self, plan: GoalPlan, answers: Sequence[PastCall]) -> list[str]:
        field = field_asked_for([item for answer in answers for item in items(content(answer.result))], self._task.goal)
        return [line for answer in answers for line in [*answer_lines(answer.result, field=field), ""]]

    def _picked(self, plan: GoalPlan, answers: Sequence[PastCall]) -> list[str]:
        """The items of the days, people and words asked for, compared as the question wants it."""
        words = [*plan.looked_for, *(one.words for one in self._question.times if plan.by_time)]
        kept: list[tuple[PastCall, list[Any]]] = [
            (one, self._of_the_time(plan, one, items(content(one.result)))) for one in answers
        ]
        kept = self._sifted(plan, kept)
        found = [item for _, some in kept for item in some]
        comparison = self._question.comparison
        if comparison is not None and next_cursor(content(answers[-1].result)):
            raise NotCarried("more_pages")
        if not found:
            if set(plan.looked_for) - set(plan.searched):
                raise NotCarried("uncarried", words=self._listed(plan.looked_for))
            if comparison is not None and comparison.order != "count":
                raise NotCarried("unsupported", words=self._question.compared_by)
            left = [self._say("left_aside", words=word) for word in self._question.excluded]
            sought = list(dict.fromkeys([*plan.words, *words])) or ([] if plan.carried else [self._task.goal.strip()])
            return [self._nothing(sought, [*plan.carried, *left])]
        if comparison is None and len([some for _, some in kept if some]) > 1 and (told := self._in_order(kept)):
            return told
        if comparison is None:
            return [
                line
                for answer, some in kept
                if some
                for line in [*self._yes_or_no(plan, [answer], some), *self._lines(answer, some)]
            ]
        if comparison.order == "count":
            if loose := [word for word in plan.searched if not self._question.is_topic(word)]:
                raise NotCarried("uncarried", words=self._listed(loose))
            if all(
                isinstance(one, dict) and some == [one] for one, some in ((content(answer.result), some) for answer, some in kept)
            ):
                return self._lines(None, found)  # one record each: what was counted for us stands in it, and is no list to count
            return [self._say("count", count=len(found)), *self._lines(None, found)]
        return self._ordered(plan, found)

    def _sifted(self, plan: GoalPlan, kept: list[tuple[PastCall, list[Any]]]) -> list[tuple[PastCall, list[Any]]]:
        """The items that hold every word, bear every tag, and are none of those to be left out. Raises `NotCarried`."""
        for word, names in plan.looked_for.items():
            kept = [(answer, [item for item in found if _holds(item, word, names)]) for answer, found in kept]
        if plan.tags and not any(isinstance(item, dict) and "tags" in item for _, found in kept for item in found):
            raise NotCarried("uncarried", words=self._listed(plan.tags))
        for word in plan.tags:
            kept = [(answer, [item for item in found if _has_tag(item, word)]) for answer, found in kept]
        for word in self._question.excluded:
            kept = self._without(word, kept)
        return kept

    def _without(self, word: str, kept: Sequence[tuple[PastCall, list[Any]]]) -> list[tuple[PastCall, list[Any]]]:
        """The items without those of a person or of a name. Raises `NotCarried` for a word that tells of none of them."""
        people = [item for item in self._filler.listed("user") if is_called(item, word)]
        names = {one for item in people for one in strings({key: item[key] for key in FIELDS.person if key in item})}
        left = [(answer, [item for item in found if not _is_excluded(item, word, names)]) for answer, found in kept]
        written = any(authors(item) for _, found in kept for item in found)
        if not (names and written) and sum(len(found) for _, found in left) == sum(len(found) for _, found in kept):
            raise NotCarried("uncarried", words=word)
        return left

    def _in_order(self, kept: Sequence[tuple[PastCall, list[Any]]]) -> list[str]:
        """What people wrote in several places, as it came about: a day is read from its beginning. Empty for anything else."""
        found = [item for _, some in kept for item in some]
        dated = [(moment, item) for item in found if (moment := moment_of(item, self._filler.zone))]
        in_time = [item for _, item in sorted(dated, key=lambda pair: pair[0])]
        written = len(dated) == len(found) and all(authors(item) for item in found)
        return self._lines(None, in_time) if written else []

    def _nothing(self, words: Sequence[str], carried: Sequence[str] = ()) -> str:
        """Nothing found of `words`, for what arguments carried.

        Raises `NotCarried` for words that were not understood, and for an English word over Japanese data:
        that it does not occur proves nothing."""
        if self._question.hours:
            raise NotCarried("uncarried", words=self._question.hours_said)  # of documents, whose hours nobody means
        foreign = [word for word in words if word.isascii() and f'"{word}"' not in self._question.text]
        searched = set(words) - {one.words for one in self._question.times}
        if searched == {self._task.goal.strip()} and not carried:
            raise NotCarried("uncarried", words=self._task.goal.strip())  # nothing of it was sought
        searched -= {self._task.goal.strip()}
        unclear = [word for word in searched if not (self._question.is_name(word) and self._question.is_topic(word))]
        unclear += [word for word in searched if stands_for_somebody(word, self._question.text)]  # and nobody is called so
        unclear += [word for word in searched if _MEMBER_ID.fullmatch(word)]  # of nobody who is there
        if unclear:
            raise NotCarried("uncarried", words=self._listed(unclear))
        if searched & set(foreign) and any(re.search("[\u3040-\u30ff]", one.text) for one in self._state.results):
            raise NotCarried("other_language", words=self._listed(foreign))
        self._found_nothing = True
        return self._say("nothing_found", words=self._listed(dict.fromkeys([*carried, *words])))

    def _ordered(self, plan: GoalPlan, found: list[Any]) -> list[str]:
        if self._question.comparison and self._question.comparison.order in ("latest", "earliest"):
            return self._at_the_edge(plan, found, latest=self._question.comparison.order == "latest")
        field = field_asked_for(found, self._task.goal, number=True)
        comparison = self._question.comparison
        known = [item for item in found if isinstance(item, dict) and isinstance(item.get(field), int | float)]
        if not field or not known or comparison is None:
            raise NotCarried("unsupported", words=self._question.compared_by)
        if self._question.minutes is not None:
            inside = self._beyond(known, field, len(found))
            told = [f"- {line}" for item in inside for line in answer_lines(item, field=field)]
            return told or [self._say("nothing_found", words=self._question.compared_by)]
        known.sort(key=lambda item: float(item[field]), reverse=comparison.order == "highest")
        edge = known[min(self._question.count or 1, len(known)) - 1][field]
        inside = [item for item in known if (item[field] >= edge if comparison.order == "highest" else item[field] <= edge)]
        return [f"- {line}" for item in inside for line in answer_lines(item, field=field)]

    def _beyond(self, known: Sequence[JsonObject], field: str, found: int) -> list[JsonObject]:
        """The items on the right side of a threshold, the most first. Raises `NotCarried` for a field that counts no time."""
        unit = next((60 if one == "hour" else 1 for one in ("hour", "minute") if one in field), None)
        order, threshold = self._question.comparison, self._question.minutes
        if unit is None or order is None or threshold is None or len(known) < found:
            raise NotCarried("unsupported", words=self._question.compared_by)
        inside = [item for item in known if _BESIDE[order.order](float(item[field]) * unit, threshold)]
        return sorted(inside, key=lambda item: -float(item[field]))

    def _at_the_edge(self, plan: GoalPlan, found: list[Any], *, latest: bool) -> list[str]:
        """The item that came last, or first. Raises `NotCarried` for items without a time."""
        dated = [(moment, item) for item in found if (moment := moment_of(item, self._filler.zone))]
        if len(dated) < len(found):
            raise NotCarried("unsupported", words=self._question.compared_by)
        moments = sorted((moment for moment, _ in dated), reverse=latest)[: self._question.count or 1]
        ordered = sorted(dated, key=lambda pair: pair[0], reverse=latest)
        inside = [item for moment, item in ordered if moment in moments]
        whole = PassageSearch(self._question, self._filler, self._state).reader_of(plan.tool, inside)
        if whole and self._question.wants_text:  # a title does not tell what it says
            reader, argument = whole
            calls = [PlannedCall(reader.name, {argument: identity(item, argument, noun_of(reader, argument))}) for item in inside]
            read = collect_all(partial(self._state.ask, call) for call in calls)
            return [line for answer, *_ in read for line in answer_lines(answer.result)]
        return [f"- {line}" for item in inside for line in answer_lines(item)]

    def _of_the_time(self, plan: GoalPlan, answer: PastCall, found: list[Any]) -> list[Any]:
        if not plan.by_time:
            return found
        moments = [(moment_of(item, self._filler.zone, changed=plan.changed), item) for item in found]
        if found and all(moment is None for moment, _ in moments):
            raise NotCarried("out_of_reach", words=self._listed(one.words for one in self._question.times), tool=plan.tool.name)
        begin, end = self._question.hours or (time.min, time.max)
        return [
            item
            for moment, item in moments
            if moment and begin <= moment.time() <= end and any(span.holds(moment.date()) for span in self._question.times)
        ]

    def _lines(self, answer: PastCall | None, found: Sequence[Any]) -> list[str]:
        """The items; of a text whose lines begin with days, those of the days asked for."""
        field = field_asked_for(found, self._task.goal)
        if answer is not None and not is_data(answer.result.text):
            return [line for line in answer.result.text.strip().splitlines() if self._speaks_of_the_time(line)] + [""]
        return [f"- {line}" for item in found for line in answer_lines(item, field=field)]

    def _speaks_of_the_time(self, line: str) -> bool:
        """False for a line that begins with another day."""
        dated = re.match(r"(?:\S{2,3}\s+)?(?:(\d{4})[-年/])?(\d{1,2})(?:月|[-/])(\d{1,2})日?", line)
        if dated is None or not self._question.times:
            return True
        months_days = (int(dated[2]), int(dated[3]))
        spans = self._question.times
        days = (one.first + timedelta(days=n) for one in spans for n in range(min((one.last - one.first).days + 1, 366)))
        return any((day.month, day.day) == months_days for day in days)

    def _yes_or_no(self, plan: GoalPlan, answers: Sequence[PastCall], found: Sequence[Any] | None = None) -> list[str]:
        """The yes or no that was asked for, from the percentages in what was found."""
        for one in (one for language in LANGUAGES.values() for one in language.yes_or_no):
            if not re.search(one.pattern, self._task.goal, re.IGNORECASE) or self._question.speaks_of_part_of_a_day:
                continue
            for answer in answers:
                percents = percentages(
                    list(found) if found is not None else content(answer.result), re.compile(one.fields, re.IGNORECASE)
                )
                highest = max(percents or percentages_in_text(answer.result.text, one.text), default=None)
                if highest is not None:
                    return [self._say(next(phrase for step, phrase in one.steps if highest >= step), percent=highest)]
        return []

    def _listed(self, words: Iterable[object]) -> str:
        return listed(self._task.language, words)

    def _say(self, phrase: str, **values: object) -> str:
        return say(self._task.language, phrase, **values)


_NUMBERED = re.compile(r"[A-Za-z]{1,12}-\d{1,12}")
"""What an id looks like that people know by heart: `demo-003`."""
_MEMBER_ID = re.compile(r"[UW](?=[A-Z]*\d)[A-Z0-9]{5,}")
"""What an id of a Slack member looks like: who is there is known by it, so a text without it says nothing of him."""


_LEFT_OF_VERBS = re.compile("[\u3041-\u309f]{1,3}")
"""What is left of a verb in kana, which is nothing to search for."""
_COMPOUND = re.compile("([\u3400-\u9fff々]{2,})([\u30a0-\u30ffー]{2,})|([\u30a0-\u30ffー]{2,})([\u3400-\u9fff々]{2,})")
"""A word made of two, in two scripts (リリース手順), between which a text may have a particle."""


def _is_month(first: date, last: date) -> bool:
    """Whether these are the days of one month, all of them."""
    return first.day == 1 and first.month == last.month and (last + timedelta(days=1)).day == 1


def _stem(word: str) -> str:
    """A Japanese word without its ending in kana; any other as it is."""
    return re.sub("[\u3041-\u309f]+$", "", word) or word


def _timed(schema: JsonObject) -> list[str]:
    """The words for time that an argument takes: of its enum, or named by the description of one that takes text."""
    if "enum" in schema:
        return [one for one in schema["enum"] if one in _REACH_DAYS]
    described = f"{schema.get('description', '')} {schema.get('default', '')}".lower()
    if "yyyy" in described:
        return []
    return [word for word in TIME_WORDS if word in _REACH_DAYS and re.search(rf"(?<![a-z_]){word}(?![a-z_])", described)]


def _is_kind(word: str) -> bool:
    """Whether an English word names a kind of thing that the tool is not about: no name, and nothing to search for."""
    return word.isascii() and bool(terms(word)) and all(term.startswith("#") for term in terms(word))


def _is_empty(value: Any) -> bool:
    """Whether a result lists nothing and counts nothing."""
    told = value.values() if isinstance(value, dict) else ()
    return not items(value) and not any(isinstance(one, int | float) and one for one in told)


def _is_excluded(item: Any, word: str, names: set[str]) -> bool:
    """Whether an item is by that person, is marked as such a thing (`is_bot`), or is called or described so."""
    if not isinstance(item, dict):
        return False
    if names and authors(item):
        return bool(authors(item) & names)
    wanted = terms(word)
    if any(value is True and wanted & terms(name) for name, value in item.items()):
        return True
    told = [str(item[name]) for name in (*FIELDS.person, "topic", "purpose", "title", "category") if item.get(name)]
    return any(word.casefold() in text.casefold() for text in told)


def _has_tag(item: Any, word: str) -> bool:
    tags = item.get("tags") if isinstance(item, dict) else None
    return isinstance(tags, list) and bool(strings(tags) & strings(word))


def _label(item: JsonObject) -> str:
    told = [str(item[one]) for one in ("id", "full_name", "real_name", "name", "department") if item.get(one)]
    return " ".join(dict.fromkeys(told))


def _holds(item: Any, word: str, names: set[str]) -> bool:
    """Whether an item is by that person, or speaks of the word in either language."""
    if names:
        return bool(authors(item) & names or (not authors(item) and strings(item) & names))
    held = " ".join(strings(item))
    if compound := _COMPOUND.fullmatch(word):
        return all(_holds(item, part, set()) for part in compound.groups() if part)
    if re.search(r"[\d\-]", word):
        return "".join(strings(word)) in held  # a number, a name with a hyphen: nothing of the same meaning will do
    wanted = terms(word) - {"not"}  # which noting is cut to
    return "".join(strings(word)) in held or bool(wanted and wanted <= terms(" ".join(texts(_said_in(item)))))


def _said_in(item: Any) -> Any:
    """An item without where, when and by whom it is, which tell nothing of what it is about."""
    beside = {*FIELDS.room, *FIELDS.author, *FIELDS.time}
    return {name: value for name, value in item.items() if name not in beside} if isinstance(item, dict) else item


def percentages(value: Any, named: re.Pattern[str], *, under: bool = False) -> list[int]:
    """The percentages that stand under a name such as `pop` or `precipitation_probability`."""
    if isinstance(value, dict):
        return [
            one
            for name, inner in value.items()
            for one in percentages(inner, named, under=under or bool(named.search(str(name))))
        ]
    if isinstance(value, list):
        return [one for inner in value for one in percentages(inner, named, under=under)]
    number = re.fullmatch(r"(\d{1,3})(?:\.0)?\s*[%％]?", str(value)) if under and not isinstance(value, bool) else None
    return [int(number.group(1))] if number and int(number.group(1)) <= 100 else []


def percentages_in_text(text: str, named: str) -> list[int]:
    """The percentages of the lines that speak of what is named."""
    lines = [line for line in text.splitlines() if re.search(named, line, re.IGNORECASE)]
    return [int(number) for line in lines for number in re.findall(r"(\d{1,3})\s*[%％]", line) if int(number) <= 100]
