"""Answers a goal in words by the best reader for it, and corrects its spelling if none fits.

A question that counts or compares goes to `query/`, one of fact to `lookup/`, any other to a single tool, in `tool_use/`.
"""

import re
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import date
from functools import partial
from typing import TypeVar

from autonomy.llm.model import ModelRequest, Task
from autonomy.llm.offline.argument_filler import ArgumentFiller, listers
from autonomy.llm.offline.conversation_state import AnswerPending, ConversationState, PlannedCall, collect_all, first_told
from autonomy.llm.offline.lookup.carried_answer import is_told_by, with_what_was_found
from autonomy.llm.offline.lookup.described_channel import described_channels
from autonomy.llm.offline.lookup.nearest_passage import NearestPassage
from autonomy.llm.offline.lookup.passage_search import PassageSearch
from autonomy.llm.offline.lookup.passages import Passage, quote_passages
from autonomy.llm.offline.lookup.word_matching import tells
from autonomy.llm.offline.lookup_words import opposites_of
from autonomy.llm.offline.need_solver import zone_of
from autonomy.llm.offline.query.misspelling import respelled, with_apostrophe, with_capitals, without_apostrophe
from autonomy.llm.offline.query.query_answering import answer_query
from autonomy.llm.offline.query.question_division import (
    asked_again,
    leaves_out,
    questions_in,
    stands,
    with_day,
)
from autonomy.llm.offline.query.remarks import Reading, has_asides, reading_after
from autonomy.llm.offline.query.remarks import readings as readings_of
from autonomy.llm.offline.query.small_talk import answer_small_talk, small_talk_in
from autonomy.llm.offline.questions.question_reading import asked_of_a_newcomer, normalize_chat, read_question, with_this_weekday
from autonomy.llm.offline.refusal import Refusal, listed, say, without_orders
from autonomy.llm.offline.time_expressions import impossible_day, spans_in
from autonomy.llm.offline.tool_use.call_plan import AnswerContext
from autonomy.llm.offline.tool_use.exact_request import answer_exactly
from autonomy.llm.offline.tool_use.tool_answering import answer_from_tools
from autonomy.llm.offline.tool_use.tool_ranking import is_about, ranked_tools
from autonomy.llm.offline.vocabulary import CONCEPTS, FIELDS, terms
from discovery.catalog import JsonObject
from metrics.text.phrases import patterns_of

_PHRASES = patterns_of("autonomy.llm.offline")
Answered = TypeVar("Answered")
LONGEST_GOAL = 1_000
"""Characters of a goal that is read: what reads it takes up to the square of them, on the event loop."""
_SHOWN_OF_LONG = 80
LATE = 4
"""After so many turns the next reader's calls are made beside those of the one at work."""


def answer_goal(task: Task, request: ModelRequest, state: ConversationState, day: date, *, talking: bool) -> str:
    """The answer to a goal without declared needs. Raises `AnswerPending` with the call noted, unless it must talk now.

    Words of courtesy around a question are left aside; where it has no answer, its misspelt words are mended, and told."""
    goal = task.goal.strip()
    if len(goal) > LONGEST_GOAL:
        problem = say(task.language, "too_long", most=f"{LONGEST_GOAL:,}", count=f"{len(goal):,}")
        return Refusal(say(task.language, "cannot", goal=f"{goal[:_SHOWN_OF_LONG]}…", problem=problem))
    plain = normalize_chat(goal)
    if kind := small_talk_in(goal):
        return answer_small_talk(kind, task, request, lambda question: _is_answered(question, task, request, day))
    readers = [tool for tool in request.tools if request.effects.get(tool.name) == "read"]
    filler = ArgumentFiller(readers, state, task.inputs, goal, day, zone_of(task, request), task.language)
    answering = _Answering(task, filler, state, talking)
    exact = answering.answer_exactly()
    if exact and not isinstance(exact, Refusal):
        return exact
    if refusal := _no_question(goal, plain, task.language, day):
        return refusal
    try:
        text = exact or answering.answer_or_correct(plain)
    except AnswerPending:
        answering.plan_ahead(plain)
        raise
    return _with_what_is_lacking(text, task, plain, request) if isinstance(text, Refusal) else text


def _is_answered(question: str, task: Task, request: ModelRequest, day: date) -> bool:
    """Whether a question leads to calls of the tools that are offered, or to an answer without any."""
    try:
        question_task = task.model_copy(update={"goal": question})
        return not isinstance(answer_goal(question_task, request, ConversationState(()), day, talking=False), Refusal)
    except AnswerPending:
        return True


@dataclass(frozen=True)
class _Answering:
    """The ways to answer a goal. Each raises `AnswerPending` while something is still to be read."""

    task: Task
    filler: ArgumentFiller
    state: ConversationState
    talking: bool

    def of(self, question: str) -> "_Answering":
        """The same for another question."""
        return replace(self, task=self.task.model_copy(update={"goal": question}))

    @property
    def people(self) -> list[str]:
        """The names of people that a tool lists; none where nothing can be looked up any more."""
        listed = [] if self.talking else self.filler.listed("user")
        return [str(one["name"]) for one in listed if one.get("name")]

    def say(self, phrase: str, **values: object) -> str:
        """A phrase in the reader's language."""
        return say(self.task.language, phrase, **values)

    def read_as(self, words: Sequence[tuple[str, str]], text: str) -> str:
        """An answer that tells how these words of the question were read."""
        return "\n".join([*(self.say("read_as", before=before, after=after) for before, after in words), text])

    def quoted(self, passages: Sequence[Passage]) -> str:
        """Passages as an answer, without what gives orders to machines."""
        return without_orders(quote_passages(passages, self.task.language), self.task.language)

    def search(self, question: str) -> PassageSearch:
        """The search for what a question says."""
        return PassageSearch(read_question(question, self.filler.today), self.filler, self.state)

    def unless_talking(self, ask: Callable[[], Answered], otherwise: Answered) -> Answered:
        """What is asked for; the other, where something is still to be read and it must talk now. Raises `AnswerPending`."""
        try:
            return ask()
        except AnswerPending:
            if not self.talking:
                raise
            return otherwise

    def plan_ahead(self, plain: str) -> None:
        """Adds to the calls of a turn those that may be needed later, as a run has few turns.

        Names are looked for among people and channels; and what takes long is hardly told by a text with all the words."""
        lists = [tool for noun in ("user", "channel") for tool in list(listers(self.filler.readers, None, noun))[:1]]
        with suppress(AnswerPending):
            if {tool.name for tool in lists} & {call.tool for call in self.state.planned.values()}:
                self.state.ask(*(PlannedCall(tool.name, {}) for tool in lists))
        with suppress(AnswerPending):
            if self.state.turns >= LATE:
                self.answer_but_for_a_verb(plain)

    def answer_or_correct(self, plain: str) -> str:
        """The answer to a question without words of courtesy, or to one that its misspelt words may mean."""
        day = self.filler.today
        plain = _with_channels_signed(_with_own_channel(plain, self.filler), self.filler)
        if questions := questions_in(plain):
            return self.answer_each(plain, questions)
        if overview := self.overview(plain):
            return overview
        if not self.talking and (owned := without_apostrophe(plain)):
            plain = with_apostrophe(plain, owned, self.people)
        if not self.talking and (read_question(plain, day).obstacle() or ("", ""))[0] == "reference" and plain.islower():
            plain = with_capitals(plain, self.people)  # he is whoever is named before him, in small letters, too
        whole = not read_question(plain, day).has_sentences
        if not whole and (without_asides := self.answer_beside(plain)):
            return without_asides
        text = self.answer_as_read(plain)
        if not isinstance(text, Refusal):
            return text
        readings = [(mended, words) for mended, words in _mended(plain, day, self.people, self.state) if words]
        for reading, words in readings:
            if not isinstance(second_text := self.answer_as_read(reading), Refusal):
                return self.read_as(words, second_text)
        for reading, words in [*readings, (plain, [])] if whole else []:
            if not isinstance(second_text := self.answer_but_for_a_verb(reading), Refusal):
                return self.read_as(words, second_text)
        if whole and (without_asides := self.answer_beside(plain)):
            return without_asides
        exact = self.answer_exactly(in_any_form=True)
        return text if exact is None or isinstance(exact, Refusal) else exact

    def answer_exactly(self, *, in_any_form: bool = False) -> str | None:
        """The answer to a goal that holds a path, an address or the like; None for any other. Raises `AnswerPending`."""
        context = AnswerContext(self.task, read_question(self.task.goal.strip(), self.filler.today), self.filler, self.state)
        waiting: tuple[str, str] | None = "", self.say("out_of_steps")
        found = self.unless_talking(partial(answer_exactly, context, in_any_form=in_any_form), waiting)
        if found is None:
            return None
        text, problem = found
        return without_orders(text, self.task.language) if text else _refused(self.task, problem)

    def answer_each(self, message: str, questions: Sequence[str]) -> str:
        """The answers to the questions of one message, else what answers them together, or a refusal with those there are."""
        whole, *answers = collect_all(
            [
                partial(self.answer_as_read, message),
                *(partial(self.answer_next, questions[:at], question) for at, question in enumerate(questions)),
            ]
        )
        numbered = [f"({number})\n{text}" for number, text in enumerate(answers, 1)]
        refused = [isinstance(answer, Refusal) for answer in answers]
        if not isinstance(whole, Refusal) and not all(map(stands, questions[1:])):
            return whole  # what was said, and on which day
        if not any(refused):
            return "\n\n".join(numbered) if len(set(answers)) > 1 else answers[0]  # one text tells when it was, and how many
        # one text names one of them
        asks_for_several = all(read_question(question, self.filler.today).asks_who for question in questions)
        told = [answer for answer in answers if not isinstance(answer, Refusal)]
        tells_all = not isinstance(whole, Refusal) and all(
            set(_quoted_lines(answer)) <= set(_quoted_lines(whole)) for answer in told
        )
        if all(refused) or (tells_all and not asks_for_several):
            return whole
        return Refusal("\n\n".join([self.say("in_part"), *numbered]))

    def answer_next(self, before: Sequence[str], question: str) -> str:
        """The answer to one of several questions, read by itself where it says of what it asks, else with the one before it."""
        other = self.of(question)
        if not before:
            return other.answer_or_correct(question)
        if same := asked_again(question, before[-1]):
            text = other.answer_or_correct(same)
            if not isinstance(text, Refusal):
                return self.read_as([(question, same)], text)
        dated, changed = with_day(question, before[-1], self.filler.today)
        reading = reading_after(dated, before[-1], self.people, self.filler.today)
        alone, asks = "", []
        if reading and not leaves_out(reading.question, before[-1], self.filler.today):
            alone = other.answer_or_correct(reading.question)
            if not isinstance(alone, Refusal):
                return self.read_as([*changed, *reading.read_as], alone)
        elif reading:
            methods = (other.answer_as_read, other.answer_but_for_a_verb)
            asks = [partial(other.answer_with, one, reading, True) for one in methods]
        asks.insert(0, partial(self.answer_after, before, question))
        return first_told(asks) or alone or _refused(other.task, self.say("depends_on_question", words=before[-1]))

    def answer_after(self, before: Sequence[str], question: str) -> str:
        """The answer to a question that asks on about what the answer before found, or that this one tells, too; else empty."""
        found = self.answer_next(before[:-1], before[-1])
        if isinstance(found, Refusal):
            return ""
        of_somebody = read_question(before[-1], self.filler.today).asks_who
        if is_told_by(found, self.search(question), of_somebody=of_somebody):
            return found
        asked, changed = with_what_was_found(question, before[-1], found, self.filler, self.task.language)
        if not changed:
            return ""
        text = self.of(asked).answer_or_correct(asked)
        return "" if isinstance(text, Refusal) else self.read_as(changed, text)

    def answer_beside(self, message: str) -> str:
        """The answer to the one question of a message, and what was left aside; empty where a clause beside it may restrict it.

        What the clauses name has to stand in the answer, or is asked for with the question. Raises `AnswerPending`."""
        if not has_asides(message):
            return ""
        methods = (self.overview, self.answer_as_read, self.answer_but_for_a_verb)
        readings = list(readings_of(message, self.people, self.filler.today))
        parts = [
            partial(self.answer_with, method, reading, whole)
            for reading in readings
            for whole in (False, True)
            for method in methods
        ]
        alone = [partial(self.answer_alone, one) for one in readings if one.stands_alone]
        return first_told([*parts, *alone])

    def answer_alone(self, reading: Reading) -> str:
        """The answer to a question beside which somebody only tells of himself; empty where that may choose between things, as he
        names a day, a person or a thing that the answer does not. Raises `AnswerPending`."""
        search = self.search(reading.question)
        of_a_forecast = search.question.of_a_place and not search.question.asks_who  # where he is or goes says which one
        if search.question.asks_for_action or of_a_forecast or not search.words.content_words():
            return ""
        if _topics([one.text for one in reading.asides if not one.is_talk], search):
            return ""
        answer = self.of(reading.question).answer_or_correct(reading.question)
        if isinstance(answer, Refusal):
            return ""
        told_words = [*reading.owed, *_topics([one.text for one in reading.asides if not one.gives_reason], search)]
        if any(_chooses(word, answer, self.filler.today) for word in told_words):
            return ""
        if reading.points_again and not all(tells(answer, word) for word in told_words):
            return ""  # that bug: the one of which somebody tells
        return "\n".join([answer, self.say("remarks", words=" ".join(one.text for one in reading.asides))])

    def answer_with(self, method: Callable[[str], str], reading: Reading, whole: bool) -> str:
        """The answer to one reading of a message; empty where there is none that holds what the clauses beside it name.

        `whole`: what they name is put to the question. Raises `AnswerPending`."""
        search = self.search(reading.question)
        aside_texts = [one.text for one in reading.asides if not one.gives_reason]
        facts = [one.text for one in reading.asides if not (one.gives_reason or one.is_of_oneself)]
        specific = search.is_specific() or search.question.of_a_place or any(search.nouns(text) for text in facts)
        about = facts if specific else aside_texts
        if search.question.asks_for_action:
            return ""
        if not search.nouns() and not search.words.content_words():
            return ""  # what is it about: only what stands beside it says of what
        if not whole and not search.is_specific() and any(search.nouns(text) for text in about):
            return ""  # who approved the PR: of what, only a word may tell that no text here holds
        owed = [*reading.owed, *_topics(about, search)]
        owed += [word for one in reading.asides if one.is_part for word in search.nouns(one.text)]
        contrary = opposites_of(word for text in about for word in search.words.content_words(text))
        asked = reading.with_words(owed) if whole else reading.question
        if asked == reading.question if whole else reading.points_back:
            return ""
        times = search.question.times
        if (
            whole
            and times
            and not {(one.first, one.last) for one in read_question(asked, self.filler.today).times}
            <= {(one.first, one.last) for one in times}
        ):
            return ""  # a day of a remark beside another day of the question: which of them is meant
        mended, words = respelled(asked, self.people, [result.text for result in self.state.results])
        for question, changed in [(asked, []), *([(mended, words)] if words else [])]:
            answer = method(question)
            if not answer or isinstance(answer, Refusal) or any(tells(answer, word) for word in contrary):
                continue
            # what he is at may tell which of several he means
            may_choose = [] if _is_one_thing(answer) else _topics(aside_texts, search)
            owing = [word for word in [*owed, *may_choose] if word.casefold() not in question.casefold()]
            if not all(_is_told(answer, word, self.filler.today) for word in owing):
                continue
            aside = " ".join(one.text for one in reading.asides if not one.is_question)
            remarks = [self.say("remarks", words=aside)] if aside else []
            return self.read_as([*reading.read_as, *changed], "\n".join([answer, *remarks]))
        return ""

    def overview(self, plain: str) -> str:
        """What a workspace tells of itself, where a newcomer asks for that; else empty. Raises `AnswerPending`."""
        questions = asked_of_a_newcomer(plain)
        answers = collect_all(partial(self.answer_as_read, question) for question in questions)
        if not questions or any(isinstance(answer, Refusal) for answer in answers):
            return ""
        return "\n".join([self.say("overview"), *answers])

    def answer_but_for_a_verb(self, goal: str) -> str:
        """What holds all of the question but a verb, or a refusal. Raises `AnswerPending`, unless it must talk now."""
        search = self.search(goal)
        nothing: list[Passage] = []
        found = self.unless_talking(partial(NearestPassage(search).find, search.question.obstacle()), nothing)
        return self.quoted(found) if found else Refusal()

    def answer_as_read(self, goal: str) -> str:
        """The answer to the question as it is read. Raises `AnswerPending`, unless it must talk now."""
        text, problem = self.unless_talking(partial(self._as_read, goal), ("", self.say("out_of_steps")))
        if not text and not problem and self.state.results:  # tools were found and called: to tell that there is none is untrue
            problem = self.say("read_in_vain")
        return text or _refused(self.task, problem)

    def _as_read(self, goal: str) -> tuple[str, str]:
        """The answer, or why there is none."""
        language, search = self.task.language, self.search(goal)
        question = search.question
        if query_answer := answer_query(goal, language, self.filler.today, self.filler, self.state):
            return without_orders(query_answer, language), ""
        if obstacle := question.obstacle():
            passages = search.run_for(obstacle[1])
            return (self.quoted(passages), "") if passages else ("", self.say(obstacle[0], words=obstacle[1]))
        text, problem = _answer(AnswerContext(self.of(goal).task, question, self.filler, self.state))
        return without_orders(self.read_as(question.misspelt, text), language) if text else "", problem


def _with_what_is_lacking(text: Refusal, task: Task, plain: str, request: ModelRequest) -> Refusal:
    """A refusal that also tells which tool would fit if somebody said that it reads, which servers are away, or what no tool is
    for."""
    language = task.language
    undeclared = [tool for tool in request.tools if tool.name in request.undeclared]
    tool_names = [tool.name for tool, _ in ranked_tools(plain, undeclared) if is_about(plain, tool)]
    notes = [say(language, "undeclared_tool", tool=one, server=request.undeclared[one]) for one in tool_names[:1]]
    if request.absent:
        notes.append(say(language, "absent", words=listed(language, request.absent)))
    if not notes and (subject := _subject_without_tool(plain, request)):
        notes.append(say(language, "no_tool_for", words=subject))
    if text == _refused(task) and notes:
        return _refused(task, "\n".join(notes))
    return Refusal("\n".join([text, *notes]))


def _subject_without_tool(plain: str, request: ModelRequest) -> str:
    """The word of a question for a subject that no tool is about (残業 where there is no time clock); empty for none."""
    lacking = terms(plain) - terms(" ".join(f"{tool.name} {tool.description}" for tool in request.tools))
    subject_words = (word for words in CONCEPTS if words[0] in FIELDS.subjects and f"#{words[0]}" in lacking for word in words)
    return next((word for word in subject_words if len(word) > 1 and word in plain.casefold()), "")  # 表 stands in 表示 as well


def _with_channels_signed(plain: str, filler: ArgumentFiller) -> str:
    """A Japanese question with the sign of a channel that it names without one, as a place (generalで)."""
    if plain.isascii() or _PHRASES["bare_place"].search(plain) is None:
        return plain
    names = {str(one["name"]) for one in filler.listed("channel") if one.get("name")}
    return _PHRASES["bare_place"].sub(lambda one: f"#{one.group()}" if one.group() in names else one.group(), plain)


def _with_own_channel(plain: str, filler: ArgumentFiller) -> str:
    """A question with the one channel that is called after a person in place of "his notes"; any other stays."""
    found = _PHRASES["own_notes"].search(plain)
    if found is None:
        return plain
    before = plain[: found.start()].casefold()
    people = [item for item in filler.listed("user") if any(_stands_in(part, before) for part in _parts_of_names(item))]
    parts = [part for item in people for part in _parts_of_names(item) if part.isascii() and len(part) > 2]
    rooms = [str(one["name"]) for one in filler.listed("channel") if any(part in str(one.get("name")) for part in parts)]
    if len(people) != 1 or len(rooms) != 1:
        return plain
    return f"{plain[: found.start()]}{'in ' if plain.isascii() else ''}#{rooms[0]}{plain[found.end() :]}"


def _parts_of_names(item: JsonObject) -> list[str]:
    """The words of a person's names, in small letters."""
    return [part for key in FIELDS.person if item.get(key) for part in str(item[key]).casefold().split()]


def _stands_in(name: str, text: str) -> bool:
    return re.search(rf"\b{re.escape(name)}\b" if name.isascii() else re.escape(name), text) is not None


def _quoted_lines(answer: str) -> list[str]:
    """What an answer quotes: its list, with what stands below each."""
    return [line.strip() for line in answer.splitlines() if re.match(r" *- | {2,}\S", line)]


def _chooses(word: str, answer: str, today: date) -> bool:
    """Whether a word beside a question may tell which of the things that an answer lists is meant, or of what it counts."""
    lines = [line for line in answer.splitlines() if line.startswith("- ")]
    days = {day for span in spans_in(word, today) for day in (span.first, span.last)}
    told = [
        tells(line, word) or any(min(days) <= one.first <= max(days) for one in spans_in(line, today) if days) for line in lines
    ]
    return not lines or any(told) != all(told)


def _topics(texts: Sequence[str], search: PassageSearch) -> list[str]:
    """The nouns of clauses that some message or document holds. Raises `AnswerPending`."""
    return [word for one in collect_all(partial(search.known_topics, text) for text in texts) for word in one]


def _is_told(answer: str, word: str, today: date) -> bool:
    """Whether an answer holds what a clause names; a time that one of several things speaks of is not the time of all."""
    return tells(answer, word) and (_is_one_thing(answer) or not spans_in(word, today))


def _is_one_thing(answer: str) -> bool:
    """Whether an answer tells of one thing at most."""
    return sum(line.startswith("- ") for line in answer.splitlines()) <= 1


def _no_question(goal: str, plain: str, language: str, day: date) -> Refusal | None:
    """Why a goal is not answered: it wants something done, or names a day that never comes."""
    if any(read_question(one, day).asks_for_action for one in dict.fromkeys((goal, plain))):
        return Refusal(say(language, "undeclared", goal=goal))
    if never := impossible_day(goal):
        return Refusal(say(language, "cannot", goal=goal, problem=say(language, "no_day", words=never)))
    return None


def _mended(plain: str, day: date, people: Sequence[str], state: ConversationState) -> list[tuple[str, list[tuple[str, str]]]]:
    """Other ways in which a question may be read, each with the words that it changes."""
    return [with_this_weekday(plain, day), respelled(plain, people, [result.text for result in state.results])]


def _refused(task: Task, problem: str = "") -> Refusal:
    """Say why there is no answer: a problem, or else that no tool fits."""
    return Refusal(say(task.language, "cannot" if problem else "no_fit", goal=task.goal.strip(), problem=problem))


def _answer(context: AnswerContext) -> tuple[str, str]:
    """The answer, or else why there is none: what a tool returns, or what messages and documents say. Raises `AnswerPending`."""
    question = context.question
    search = PassageSearch(question, context.filler, context.state)
    text = problem = ""
    passages, lead = search.replies() or search.plans() or search.steps(), "passages"
    if not passages and question.wants_text:
        passages = search.run()
    if not passages and (channels := described_channels(search)):
        passages, lead = channels, "channels"
    if not passages and question.person_sought and (people := search.people()):
        passages, lead = people, "who"
    if not passages and question.replied_to is None:  # no list of what somebody wrote tells what was replied to it
        if not question.asks_who_said_so:  # a list of messages about it does not tell who said just that
            text, problem = answer_from_tools(context)
        passages = None if text else search.run()
        if not text and not passages and (before := search.asked_before()):
            passages, lead = before, "asked_before"
        if passages and question.wants_everything:
            passages, problem = None, problem or context.say("no_passage")
    if passages:
        return quote_passages(passages, context.task.language, lead=lead), ""
    in_vain = passages is not None or question.replied_to is not None
    return text, problem or (context.say("no_passage") if in_vain and not text else "")
