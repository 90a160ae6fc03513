"""Answers a goal in words by the best reader for it, and corrects its spelling if none fits.

A question that counts or compares goes to `query/`, one of fact to `lookup/`, any other to a single tool, in `tool_use/`.
"""

import re
from collections.abc import Callable, Sequence
from contextlib import suppress
from datetime import date
from functools import partial

from autonomy.llm.model import ModelRequest, Task
from autonomy.llm.offline.argument_filler import ArgumentFiller, listers
from autonomy.llm.offline.conversation_state import AnswerPending, ConversationState, PlannedCall, collect_all, first_told
from autonomy.llm.offline.lookup.carried_answer import is_told_by, with_what_was_found
from autonomy.llm.offline.lookup.described_channel import described_channels
from autonomy.llm.offline.lookup.nearest_passage import NearestPassage
from autonomy.llm.offline.lookup.passage_search import PassageSearch, quote_passages
from autonomy.llm.offline.lookup.word_matching import tells
from autonomy.llm.offline.lookup_words import opposites_of
from autonomy.llm.offline.need_solver import zone_of
from autonomy.llm.offline.query.misspelling import respelled, with_apostrophe, without_apostrophe
from autonomy.llm.offline.query.query_answering import answer_query
from autonomy.llm.offline.query.question_division import (
    Choice,
    asked_again,
    choice_in,
    leaves_out,
    questions_in,
    stands,
    with_day,
)
from autonomy.llm.offline.query.remarks import Reading, has_asides, reading_after
from autonomy.llm.offline.query.remarks import readings as readings_of
from autonomy.llm.offline.query.small_talk import answer_small_talk, small_talk_in
from autonomy.llm.offline.question import asked_of_a_newcomer, normalize_chat, read_question, with_this_weekday
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
LATE = 4
"""After so many turns the next reader's calls are made beside those of the one at work."""


def answer_goal(task: Task, request: ModelRequest, state: ConversationState, day: date, *, talking: bool) -> str:
    """The answer to a goal without declared needs. Raises `AnswerPending` with the call noted, unless it must talk now.

    Words of courtesy around a question are left aside; where it has no answer, its misspelt words are mended, and told."""
    goal = task.goal.strip()
    plain = normalize_chat(goal)
    if kind := small_talk_in(goal):
        return answer_small_talk(kind, task, request, lambda question: _is_answered(question, task, request, day))
    readers = [tool for tool in request.tools if request.effects.get(tool.name) == "read"]
    filler = ArgumentFiller(readers, state, task.inputs, goal, day, zone_of(task, request))
    exact = _answer_exactly(task, filler, state, talking=talking)
    if exact and not isinstance(exact, Refusal):
        return exact
    if refusal := _no_question(goal, plain, task.language, day):
        return refusal
    try:
        text = exact or _answer_or_correct(task, plain, filler, state, talking=talking)
    except AnswerPending:
        _plan_ahead(task, plain, filler, state)
        raise
    return _with_what_is_lacking(text, task, plain, request) if isinstance(text, Refusal) else text


def _is_answered(question: str, task: Task, request: ModelRequest, day: date) -> bool:
    """Whether a question leads to calls of the tools that are offered, or to an answer without any."""
    try:
        question_task = task.model_copy(update={"goal": question})
        return not isinstance(answer_goal(question_task, request, ConversationState(()), day, talking=False), Refusal)
    except AnswerPending:
        return True


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


def _plan_ahead(task: Task, plain: str, filler: ArgumentFiller, state: ConversationState) -> None:
    """Adds to the calls of a turn those that may be needed later, as a run has few turns.

    Names are looked for among people and channels; and what takes long is hardly told by a text with all the words."""
    lists = [tool for noun in ("user", "channel") for tool in list(listers(filler.readers, None, noun))[:1]]
    with suppress(AnswerPending):
        if {tool.name for tool in lists} & {call.tool for call in state.planned.values()}:
            state.ask(*(PlannedCall(tool.name, {}) for tool in lists))
    with suppress(AnswerPending):
        if state.turns >= LATE:
            _answer_but_for_a_verb(task, plain, filler, state, talking=False)


def _answer_or_correct(task: Task, plain: str, filler: ArgumentFiller, state: ConversationState, *, talking: bool) -> str:
    """The answer to a question without words of courtesy, or to one that its misspelt words may mean."""
    day = filler.today
    plain = _with_channels_signed(_with_own_channel(plain, filler), filler)
    if (choice := choice_in(plain)) and (chosen := _answer_choice(task, choice, filler, state, talking=talking)):
        return chosen
    if questions := questions_in(plain):
        return _answer_each(task, plain, questions, filler, state, talking=talking)
    if overview := _overview(task, plain, filler, state, talking=talking):
        return overview
    if not talking and (owned := without_apostrophe(plain)):
        plain = with_apostrophe(plain, owned, _people(filler))
    whole = not read_question(plain, day).has_sentences
    if not whole and (without_asides := _answer_beside(task, plain, filler, state, talking=talking)):
        return without_asides
    text = _answer_as_read(task, plain, filler, state, talking=talking)
    if not isinstance(text, Refusal):
        return text
    people = [] if talking else _people(filler)
    readings = [(mended, words) for mended, words in _mended(plain, day, people, state) if words]
    for reading, words in readings:
        if not isinstance(second_text := _answer_as_read(task, reading, filler, state, talking=talking), Refusal):
            return "\n".join([*_read_as(task.language, words), second_text])
    for reading, words in [*readings, (plain, [])] if whole else []:
        if not isinstance(second_text := _answer_but_for_a_verb(task, reading, filler, state, talking=talking), Refusal):
            return "\n".join([*_read_as(task.language, words), second_text])
    if whole and (without_asides := _answer_beside(task, plain, filler, state, talking=talking)):
        return without_asides
    exact = _answer_exactly(task, filler, state, talking=talking, in_any_form=True)
    return text if exact is None or isinstance(exact, Refusal) else exact


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


def _answer_choice(task: Task, choice: Choice, filler: ArgumentFiller, state: ConversationState, *, talking: bool) -> str:
    """The answer that tells of one of two things and not of the other; empty for none. Raises `AnswerPending`."""
    if choice.openly:
        text = _answer_or_correct(task, choice.openly, filler, state, talking=talking)
        told = [tells(text, thing) for thing in choice.things]
        return "" if isinstance(text, Refusal) or told[0] == told[1] else text
    searches = [PassageSearch(read_question(one, filler.today), filler, state) for one in choice.statements]
    found = collect_all(one.find_all_words for one in searches)
    one, *others = [some for some in found if some] or [[]]
    return without_orders(quote_passages(one, task.language), task.language) if one and not others else ""


def _answer_exactly(
    task: Task, filler: ArgumentFiller, state: ConversationState, *, talking: bool, in_any_form: bool = False
) -> str | None:
    """The answer to a goal that holds a path, an address or the like; None for any other. Raises `AnswerPending`."""
    goal = task.goal.strip()
    try:
        context = AnswerContext(task, read_question(goal, filler.today), filler, state)
        found = answer_exactly(context, in_any_form=in_any_form)
    except AnswerPending:
        if not talking:
            raise
        found = "", say(task.language, "out_of_steps")
    if found is None:
        return None
    text, problem = found
    return without_orders(text, task.language) if text else _refused(task, problem)


def _answer_each(
    task: Task, message: str, questions: Sequence[str], filler: ArgumentFiller, state: ConversationState, *, talking: bool
) -> str:
    """The answers to the questions of one message, else what answers them together, or a refusal with those there are."""
    whole, *answers = collect_all(
        [
            partial(_answer_as_read, task, message, filler, state, talking=talking),
            *(
                partial(_answer_next, task, questions[:at], question, filler, state, talking=talking)
                for at, question in enumerate(questions)
            ),
        ]
    )
    numbered = [f"({number})\n{text}" for number, text in enumerate(answers, 1)]
    refused = [isinstance(answer, Refusal) for answer in answers]
    if not isinstance(whole, Refusal) and not all(map(stands, questions[1:])):
        return whole  # what was said, and on which day
    if not any(refused):
        return "\n\n".join(numbered) if len(set(answers)) > 1 else answers[0]  # one text tells when it was, and how many
    asks_for_several = all(read_question(question, filler.today).asks_who for question in questions)  # one text names one of them
    told = [answer for answer in answers if not isinstance(answer, Refusal)]
    tells_all = not isinstance(whole, Refusal) and all(set(_quoted_lines(answer)) <= set(_quoted_lines(whole)) for answer in told)
    if all(refused) or (tells_all and not asks_for_several):
        return whole
    return Refusal("\n\n".join([say(task.language, "in_part"), *numbered]))


def _quoted_lines(answer: str) -> list[str]:
    """What an answer quotes: its list, with what stands below each."""
    return [line.strip() for line in answer.splitlines() if re.match(r" *- | {2,}\S", line)]


def _answer_next(
    task: Task, before: Sequence[str], question: str, filler: ArgumentFiller, state: ConversationState, *, talking: bool
) -> str:
    """The answer to one of several questions, read by itself where it says of what it asks, else with the one before it."""
    subtask = task.model_copy(update={"goal": question})
    if not before:
        return _answer_or_correct(subtask, question, filler, state, talking=talking)
    if same := asked_again(question, before[-1]):
        text = _answer_or_correct(subtask, same, filler, state, talking=talking)
        if not isinstance(text, Refusal):
            return "\n".join([*_read_as(task.language, [(question, same)]), text])
    people = [] if talking else _people(filler)
    dated, changed = with_day(question, before[-1], filler.today)
    reading = reading_after(dated, before[-1], people, filler.today)
    alone, asks = "", []
    if reading and not leaves_out(reading.question, before[-1], filler.today):
        alone = _answer_or_correct(subtask, reading.question, filler, state, talking=talking)
        if not isinstance(alone, Refusal):
            return "\n".join([*_read_as(task.language, [*changed, *reading.read_as]), alone])
    elif reading:
        methods = (_answer_as_read, _answer_but_for_a_verb)
        asks = [partial(_answer_with, one, subtask, reading, True, filler, state, talking=talking) for one in methods]
    asks.insert(0, partial(_answer_after, task, before, question, filler, state, talking=talking))
    return first_told(asks) or alone or _refused(subtask, say(task.language, "depends_on_question", words=before[-1]))


def _answer_after(
    task: Task, before: Sequence[str], question: str, filler: ArgumentFiller, state: ConversationState, *, talking: bool
) -> str:
    """The answer to a question that asks on about what the answer before found, or that this answer tells as well; else empty."""
    found = _answer_next(task, before[:-1], before[-1], filler, state, talking=talking)
    if isinstance(found, Refusal):
        return ""
    of_somebody = read_question(before[-1], filler.today).asks_who
    if is_told_by(found, PassageSearch(read_question(question, filler.today), filler, state), of_somebody=of_somebody):
        return found
    asked, changed = with_what_was_found(question, before[-1], found, filler, task.language)
    if not changed:
        return ""
    subtask = task.model_copy(update={"goal": asked})
    text = _answer_or_correct(subtask, asked, filler, state, talking=talking)
    return "" if isinstance(text, Refusal) else "\n".join([*_read_as(task.language, changed), text])


def _answer_beside(task: Task, message: str, filler: ArgumentFiller, state: ConversationState, *, talking: bool) -> str:
    """The answer to the one question of a message, and what was left aside; empty where a clause beside it may restrict it.

    What the clauses name has to stand in the answer, or is asked for with the question. Raises `AnswerPending`."""
    if not has_asides(message):
        return ""
    people = [] if talking else _people(filler)
    methods = (_overview, _answer_as_read, _answer_but_for_a_verb)
    readings = list(readings_of(message, people, filler.today))
    parts = [
        partial(_answer_with, method, task, reading, whole, filler, state, talking=talking)
        for reading in readings
        for whole in (False, True)
        for method in methods
    ]
    alone = [partial(_answer_alone, task, one, filler, state, talking=talking) for one in readings if one.stands_alone]
    return first_told([*parts, *alone])


def _answer_alone(task: Task, reading: Reading, filler: ArgumentFiller, state: ConversationState, *, talking: bool) -> str:
    """The answer to a question beside which somebody only tells of himself; empty where that may choose between things, as he
    names a day, a person or a thing that the answer does not. Raises `AnswerPending`."""
    search = PassageSearch(read_question(reading.question, filler.today), filler, state)
    of_a_forecast = search.question.of_a_place and not search.question.asks_who  # where he is or goes says which one
    if search.question.asks_for_action or of_a_forecast or not search.words.content_words():
        return ""
    if _topics([one.text for one in reading.asides if not one.is_talk], search):
        return ""
    subtask = task.model_copy(update={"goal": reading.question})
    answer = _answer_or_correct(subtask, reading.question, filler, state, talking=talking)
    if isinstance(answer, Refusal):
        return ""
    told_words = [*reading.owed, *_topics([one.text for one in reading.asides if not one.gives_reason], search)]
    if any(_chooses(word, answer, filler.today) for word in told_words):
        return ""
    if reading.points_again and not all(tells(answer, word) for word in told_words):
        return ""  # that bug: the one of which somebody tells
    return "\n".join([answer, say(task.language, "remarks", words=" ".join(one.text for one in reading.asides))])


def _answer_with(
    method: Callable[..., str],
    task: Task,
    reading: Reading,
    whole: bool,
    filler: ArgumentFiller,
    state: ConversationState,
    *,
    talking: bool,
) -> str:
    """The answer to one reading of a message; empty where there is none that holds what the clauses beside it name.

    `whole`: what they name is put to the question. Raises `AnswerPending`."""
    search = PassageSearch(read_question(reading.question, filler.today), filler, state)
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
        and not {(one.first, one.last) for one in read_question(asked, filler.today).times}
        <= {(one.first, one.last) for one in times}
    ):
        return ""  # a day of a remark beside another day of the question: which of them is meant
    mended, words = respelled(asked, _people(filler), [result.text for result in state.results])
    for question, changed in [(asked, []), *([(mended, words)] if words else [])]:
        answer = method(task, question, filler, state, talking=talking)
        if not answer or isinstance(answer, Refusal) or any(tells(answer, word) for word in contrary):
            continue
        # what he is at may tell which of several he means
        may_choose = [] if _is_one_thing(answer) else _topics(aside_texts, search)
        owing = [word for word in [*owed, *may_choose] if word.casefold() not in question.casefold()]
        if not all(_is_told(answer, word, filler.today) for word in owing):
            continue
        aside = " ".join(one.text for one in reading.asides if not one.is_question)
        remarks = [say(task.language, "remarks", words=aside)] if aside else []
        return "\n".join([*_read_as(task.language, [*reading.read_as, *changed]), answer, *remarks])
    return ""


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


def _overview(task: Task, plain: str, filler: ArgumentFiller, state: ConversationState, *, talking: bool) -> str:
    """What a workspace tells of itself, where a newcomer asks for that; else empty. Raises `AnswerPending`."""
    questions = asked_of_a_newcomer(plain)
    answers = collect_all(partial(_answer_as_read, task, question, filler, state, talking=talking) for question in questions)
    if not questions or any(isinstance(answer, Refusal) for answer in answers):
        return ""
    return "\n".join([say(task.language, "overview"), *answers])


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


def _answer_but_for_a_verb(task: Task, goal: str, filler: ArgumentFiller, state: ConversationState, *, talking: bool) -> str:
    """What holds all of the question but a verb, or a refusal. Raises `AnswerPending`, unless it must talk now."""
    question = read_question(goal, filler.today)
    try:
        found = NearestPassage(PassageSearch(question, filler, state)).find(question.obstacle())
    except AnswerPending:
        if not talking:
            raise
        found = []
    return without_orders(quote_passages(found, task.language), task.language) if found else Refusal()


def _read_as(language: str, words: Sequence[tuple[str, str]]) -> list[str]:
    return [say(language, "read_as", before=before, after=after) for before, after in words]


def _people(filler: ArgumentFiller) -> list[str]:
    return [str(one["name"]) for one in filler.listed("user") if one.get("name")]


def _answer_as_read(task: Task, goal: str, filler: ArgumentFiller, state: ConversationState, *, talking: bool) -> str:
    """The answer to the question as it is read. Raises `AnswerPending`, unless it must talk now."""
    day, language = filler.today, task.language
    question = read_question(goal, day)
    context = AnswerContext(task.model_copy(update={"goal": goal}), question, filler, state)
    try:
        if query_answer := answer_query(goal, language, day, filler, state):
            return without_orders(query_answer, language)
        if obstacle := question.obstacle():
            if passages := PassageSearch(question, filler, state).run_for(obstacle[1]):
                lead = "newest" if question.asks_for_news else "passages"
                return without_orders(quote_passages(passages, language, lead=lead), language)
            text, problem = "", say(language, obstacle[0], words=obstacle[1])
        else:
            text, problem = _answer(context)
    except AnswerPending:
        if not talking:
            raise
        text, problem = "", say(language, "out_of_steps")
    if text:
        return without_orders("\n".join([*_read_as(language, question.misspelt), text]), language)
    if not problem and state.results:  # tools were found and called: to tell that there is none would be untrue
        problem = say(language, "read_in_vain")
    return _refused(task, problem)


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
