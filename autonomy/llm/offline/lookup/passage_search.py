"""Finds the lines of messages and documents that contain all words of a factual question.

It searches by the word that tells most and keeps what holds every other word too, by the people and on the days that the question
names. It quotes, and concludes nothing.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from functools import cached_property, partial
from typing import Any

from autonomy.llm.machine_orders import orders_a_machine
from autonomy.llm.messages import ToolDefinition
from autonomy.llm.offline.argument_filler import (
    ArgumentFiller,
    fit,
    listers,
    noun_of,
    page_argument,
    properties,
    reads_a_channel,
    required,
    search_argument,
    searches_words,
)
from autonomy.llm.offline.conversation_state import ConversationState, PlannedCall, collect_all
from autonomy.llm.offline.lookup.document_parts import DocumentParts
from autonomy.llm.offline.lookup.documents import header
from autonomy.llm.offline.lookup.passage_criteria import QUESTION_ENDINGS, PassageCriteria
from autonomy.llm.offline.lookup.passages import Passage, author_of, quoted_thread, tell_one_id
from autonomy.llm.offline.lookup.question_words import QuestionWords
from autonomy.llm.offline.lookup.word_matching import holds_word, tells
from autonomy.llm.offline.lookup_words import (
    ASKING,
    TELLING,
    alternatives,
    is_general,
    is_light,
    is_verb,
    opposites_of,
    relations_of,
    stands_beside_another,
    superlative_in,
    turns,
    what_was_not_done,
    words_of_absence,
)
from autonomy.llm.offline.questions.question import Question
from autonomy.llm.offline.result_items import answer_lines, authors, content, identity, items, moment_of, names_called, text_of
from autonomy.llm.offline.time_expressions import begins_ahead, spans_in, without_spans
from autonomy.llm.offline.vocabulary import LANGUAGES, terms
from discovery.catalog import JsonObject
from discovery.text.search_terms import stem
from metrics.text.phrases import patterns_of

MAX_DOCUMENTS = 3
"""How many documents are read whole for one question."""
MAX_ANCHORS = 3
"""How many words of a question are searched for, one after the other."""
MAX_THREADS = 4
"""How many threads are read for one search."""
MAX_PASSAGES = 5
"""A question that more passages speak of was not precise enough to be answered by quoting."""
MAX_OF_SOMEBODY = 8
"""The same of what somebody wrote in a time that is named."""
MAX_OF_ONE_WORD = 2
"""The same of one word alone, which must be rare to tell anything."""
MOST_PEOPLE = 12
"""In a longer list nobody's profile is read one by one."""
SOON = timedelta(hours=1)
"""What is written in a room later than that answers nothing that was asked in it."""
_ANYBODY = re.compile("|".join(words.anybody for words in LANGUAGES.values()), re.IGNORECASE)
_PHRASES = patterns_of("autonomy.llm.offline")
_TRADE = {"#message", "#post", "#channel", "#thread", "#search", "#title"}
"""Where a thing stands, which is no part of what it says."""
_MESSAGE = re.compile(r"- [\d-]{10} [\d:]{5} #")
"""A quoted message, which begins with when and where it was written."""


@dataclass(frozen=True)
class PassageSearch:
    """The search for what a question says."""

    question: Question
    filler: ArgumentFiller
    state: ConversationState

    @cached_property
    def words(self) -> QuestionWords:
        """The words that a passage must hold."""
        return QuestionWords(self.question, self.filler)

    @cached_property
    def criteria(self) -> PassageCriteria:
        """What a passage must be."""
        return PassageCriteria(self.question, self.filler)

    @cached_property
    def parts(self) -> DocumentParts:
        """What finds the parts of a document."""
        return DocumentParts(self.question, self.criteria, self.filler.today)

    def run(self) -> list[Passage] | None:
        """The passages that hold the question's words; None where it cannot be looked up so. Raises `AnswerPending`.

        Where none holds all of them, those do that hold all but its general words (what was the result of the load test)."""
        words = self.words.content_words()
        if self.question.excluded and not self.question.asks_who:
            return None
        if self.question.comparison is not None and self.question.comparison.order != "count":
            return None
        if self.question.asks_for_a_state or (self.question.excluded and not words):
            return None
        if any(not names_called(self.filler.listed("user"), word) for word in self.question.excluded):
            return None  # who else there was is told by the text only where it lists people
        words += self.question.excluded  # who else was there besides Tom: where he was, too
        people = {word: names for word in words if (names := self.words.names_of(word))}
        told = {ASKING} if self.question.asks_who_asked else {TELLING} if people else set()  # by every message, or question
        plain = [word for word in words if word not in people and not (told and relations_of(word) == told)]
        order = [word for word in self.question.order_of_events if word not in plain]
        found = self._lookup([*plain, *order], people)
        asks_for_number = self.question.wants_number and not (self.question.asks_how_long or self.question.asks_when)
        by_verb = self.question.asks_who or self.question.asks_where_done
        by_verb = by_verb or (self.question.asks_when and not self.question.asks_when_done)
        if asks_for_number:
            behind = self.question.comes_after
            telling = [word for word in plain if word != behind and not (self.question.asks_for_id and is_light(word))]
        else:
            light = [word for word in plain if not by_verb and is_light(word) and not (turns(word) and self.question.asks_when)]
            telling = [word for word in plain if not (is_general(word) or word in light) or self._asks_who_does(word)]
        owed = [word for word in plain if self.question.quotes(word) or stands_beside_another(word, self.question.text)]
        telling += [word for word in owed if word not in telling]
        if self.question.asks_manner and len(telling) < len(plain):
            return found  # in which way it was done is told by no other deed
        if found or self.question.order_of_events or self.question.has_sentences or all(is_light(word) for word in telling):
            return found  # who works here is told by no text that says of something that it works
        without = tuple(word for word in plain if word not in telling)
        found_without = self._lookup(telling, people, loose=True) or []
        opposites = opposites_of(without)
        nearly = [one for one in found_without if not any(tells(" ".join(one.lines), other) for other in opposites)]
        if self.question.asks_which_document:
            nearly = [one for one in nearly if not _MESSAGE.match(one.lines[0])]
        if self.question.asks_who and without and len({author_of(one) for one in nearly}) > 1:
            return found  # several people speak of it, and which of them did it is told by the word that is left out
        return [replace(one, without=without) for one in nearly] or found

    def _asks_who_does(self, word: str) -> bool:
        """Whether somebody is asked for by this verb, however general (who reads the runbook)."""
        return word.isascii() and self.question.asks_who and is_verb(word, self.question.text)

    def known_topics(self, remark: str) -> list[str]:
        """The nouns of a sentence beside the question that stand in some message or document. Raises `AnswerPending`."""
        words = self.nouns(remark)
        tools = [tool for tool in self.filler.readers if searches_words(tool)]
        calls = [
            (word, PlannedCall(tool.name, {str(search_argument(properties(tool))): word})) for word in words for tool in tools
        ]
        found = collect_all(partial(self.state.ask, call) for _, call in calls)
        hits = zip(calls, found, strict=True)
        topics = (word for (word, _), some in hits if any(one.ok and items(content(one.result)) for one in some))
        return list(dict.fromkeys(topics))

    def nouns(self, text: str = "") -> list[str]:
        """The words of the question, or of a clause beside it, that tell of what it speaks: no people, verbs, general words."""
        words, _ = self.words.divided(text)
        words = [word for word in words if not (is_general(word, verbs=True) or is_verb(word, text or self.question.text))]
        return [word for word in words if not (_PHRASES["no_topic"].search(word) or terms(word) <= _TRADE)]

    def is_specific(self) -> bool:
        """Whether the question says by itself of what it speaks: by two nouns, or by a name, a number or a time."""
        words, people = self.words.divided()
        has_name = bool(people) or any(re.search(r"\d|^[A-Z][a-z]", word) for word in words)
        return has_name or bool(self.question.times) or len(self.nouns()) > 1

    def steps(self) -> list[Passage] | None:
        """The list of the steps of which the first or the last is asked for; None if none is. Raises `AnswerPending`."""
        if not self.question.asks_for_a_step:
            return None
        plain, people = self.words.divided()
        return self._lookup([word for word in plain if not is_general(word)], people, loose=True)

    def asked_before(self) -> list[Passage]:
        """The message in which somebody asked the same, with what followed. Raises `AnswerPending`."""
        plain, people = self.words.divided()
        telling = [word for word in plain if not is_general(word)] or plain
        if len(telling) < 2 or not self.question.asks_who or self.question.excluded:
            return []
        found = []
        for tool in (reader for reader in self.filler.readers if searches_words(reader)):
            answers = collect_all(
                partial(self.state.ask, PlannedCall(tool.name, {str(search_argument(properties(tool))): anchor}))
                for anchor in _anchors(telling)[:MAX_ANCHORS]
            )
            listed = {str(item): item for answer in answers if answer[0].ok for item in items(content(answer[0].result))}
            asking = [one for one in listed.values() if isinstance(one, dict) and self._asks_the_same(one, telling, people)]
            found += [quoted_thread(tool.name, one, then) for one in asking if (then := self._followed(one))]
        return found if len(found) == 1 else []

    def _asks_the_same(self, item: JsonObject, words: Sequence[str], people: Mapping[str, set[str]]) -> bool:
        text = text_of(item)
        asks = text.rstrip().endswith(QUESTION_ENDINGS) and _PHRASES["asks_who"].search(text) is not None
        names_all = all(holds_word(text, word) for word in people)
        return asks and names_all and self.criteria.in_time(item) and all(tells(text, word) for word in words)

    def _followed(self, item: JsonObject) -> list[JsonObject]:
        """The message that was written next in the same place, by somebody else, soon after this one."""
        reader = next((one for one in self.filler.readers if reads_a_channel(one)), None)
        moment = moment_of(item, self.filler.zone)
        if reader is None or moment is None or item.get(required(reader)[0]) is None:
            return []
        begins = next((name for name in properties(reader) if "#start" in terms(name)), "")
        since = {begins: fit(moment, properties(reader)[begins])} if begins else {}
        answer = self.state.ask(PlannedCall(reader.name, {required(reader)[0]: item[required(reader)[0]], **since}))[0]
        found = [one for one in items(content(answer.result)) if isinstance(one, dict)] if answer.ok else []
        later = [(at, one) for one in found if (at := moment_of(one, self.filler.zone)) and moment < at <= moment + SOON]
        first = min(later, key=lambda pair: pair[0], default=None)
        return [first[1]] if first and not authors(first[1]) & authors(item) else []

    def _lookup(self, plain: Sequence[str], people: Mapping[str, set[str]], *, loose: bool = False) -> list[Passage] | None:
        """The passages that hold these words, by these people.

        `loose`: also of one word, where hardly anything holds it, and searched for by words that tell the same."""
        if plain and all(_PHRASES["of_the_moment"].search(word) or self.question.unit_of_time == stem(word) for word in plain):
            return None  # how many hours: of what
        telling = any(re.search(r"\d", word) and len(word) > 2 for word in plain)
        dated = self.question.wants_number or self.question.asks_when or (self.question.wants_text and bool(self.question.times))
        most = MAX_OF_SOMEBODY if self.question.times and people else MAX_PASSAGES
        of_somebody = bool(people) and all(is_light(word) for word in plain)  # 出 of 出しました, which people do with many things
        if self.question.asks_where and self.question.times:
            of_somebody = False  # but they go to few places on a day
        if of_somebody or (len(plain) + bool(people) < 2 and not telling):
            if not (dated or (loose and not of_somebody)) or not plain:
                return None  # one common word is spoken of wherever it occurs
            most = MAX_OF_ONE_WORD
        tools = [tool for tool in self.filler.readers if searches_words(tool)]
        if not tools:
            return None
        anchors = _anchors(plain, loose=loose)
        searches = [(tool, anchor) for anchor in anchors for tool in tools]
        found = collect_all(partial(self._in_tool, *one, plain, people) for one in searches)  # at once, as each turn counts
        first = len(tools) * sum(one in alternatives(anchors[0]) for one in anchors)  # the same by other words is no less
        found = found[:first] if any(found[:first]) else found
        own_words = self.criteria.asks_own_words and not people  # of a document, as of nobody who is known
        typed = self.question.wants_number or self.question.asks_for_one
        weak = self.question.asks_how_to or bool(self.question.written_in)
        weak = weak or (loose and not typed)  # a thread that holds some of the words answers no yes or no
        if not (any(found) or own_words or weak or "#post" in terms(self.question.text)):
            found = collect_all(partial(self._in_threads, *one, plain, people) for one in searches)
        passages = list(dict.fromkeys(one for some in found for one in some))
        if self.question.asks_who and TELLING in self.question.relations:
            passages = sorted(passages, key=lambda one: one.lines)[:1]  # who reported a thing spoke of it first
        if self.question.asks_for_id and not tell_one_id(passages):
            return []
        return passages if len(passages) <= most else []

    def run_for(self, obstacle: str) -> list[Passage]:
        """The passages that say in so many words what no tool can work out (an average, what is not decided), or why.

        Raises `AnswerPending`."""
        plain, people = self.words.divided()
        if self.question.asks_who and TELLING in self.question.relations:
            return self._lookup([word for word in plain if word not in obstacle], people, loose=True) or []
        if self.question.asks_why:
            telling = [word for word in plain if not is_general(word)]
            return (self._lookup(telling, people, loose=True) or []) if len(telling) > 1 else []
        absent, undone = what_was_not_done(self.question.text)
        if absent:
            other_words = [word for word in _apart_from(absent, plain) if not is_general(word)]
            return self._lookup([*other_words, undone], people, loose=True) or []
        absent, lacks = words_of_absence(self.question.text)
        if absent:
            other_words = _apart_from(absent, plain)
            found = collect_all(partial(self._lookup, [*other_words, one], people) for one in lacks if len(other_words) > 1)
            return next(filter(None, found), [])
        picked = superlative_in(obstacle)
        if picked and len(plain) > 1:
            return self._lookup([*plain, picked], people) or []
        folded_words = {word.casefold() for word in plain}
        literal = len(plain) > 2 and set(obstacle.casefold().split()) <= folded_words
        return (self._lookup(plain, people) or []) if literal else []

    def replies(self) -> list[Passage] | None:
        """The replies to the message that the question describes; None if it asks for no reply.

        Raises `AnswerPending`."""
        if (message := self.question.replied_to) is None or self.question.excluded:
            return None
        message_words, person = message
        by = None if not person or _ANYBODY.fullmatch(person) else self.words.names_of(person)
        words, people = self.words.divided(message_words)
        plain = [word for word in words if not terms(word) <= {"#message", "#thread"}]
        if by == set() or not plain:
            return None
        tools = [tool for tool in self.filler.readers if searches_words(tool)]
        found = collect_all(partial(self._threads, tool, anchor) for anchor in _anchors(plain) for tool in tools)
        threads = [one for some in found for one in some if self._is_described(one[1], plain, people)]
        quoted = dict.fromkeys(
            quoted_thread(tool.name, root, by_them) for tool, root, some in threads if (by_them := _said_by(some, by))
        )
        return list(quoted) if len(quoted) == 1 else []  # of two, one is a reply to something else

    def _is_described(self, root: JsonObject, words: Sequence[str], people: Mapping[str, set[str]]) -> bool:
        """Whether a message is by these people, of that time, and holds all words."""
        text = text_of(root)
        by_them = all(authors(root) & names for names in people.values())
        return by_them and self.criteria.in_time(root) and all(tells(text, word) for word in words)

    def plans(self) -> list[Passage] | None:
        """The plans that somebody wrote for coming days in the question: of tomorrow, from today; of next week, from this week.

        None where it asks for no plans. Raises `AnswerPending`."""
        times = self.question.times
        if not self.question.asks_for_plans or len(times) != 1 or times[0].first <= self.filler.today:
            return None
        plain, people = self.words.divided(self.question.without_planning(without_spans(self.question.text, times)))
        if len(people) != 1:
            return None
        found = []
        for tool in (reader for reader in self.filler.readers if searches_words(reader)):
            answer = self.state.ask(PlannedCall(tool.name, {str(search_argument(properties(tool))): times[0].words}))[0]
            for item in items(content(answer.result)) if answer.ok else []:
                moment = moment_of(item, self.filler.zone)
                spans = spans_in(text_of(item), moment.date()) if moment and moment.date() <= self.filler.today else []
                overlaps = any(span.first <= times[0].last and times[0].first <= span.last for span in spans)
                if (
                    overlaps
                    and all(tells(text_of(item), word) for word in plain)
                    and self.criteria.is_by(item, people, "", author=True)
                ):
                    found.append(Passage(tool.name, tuple(f"- {line}" for line in answer_lines(item))))
        return found if len(found) <= MAX_PASSAGES else []

    def people(self) -> list[Passage]:
        """The people of whom a list of them says what the question does: who is the designer. Raises `AnswerPending`."""
        sought = self.question.without_asking(self.question.person_sought).replace(
            "の", " "
        )  # オンコール当番 is one of オンコールの当番
        words = [word for word in terms(sought) if not word.startswith("#")]
        if not words or self.question.times:
            return []
        tools = list(listers(self.filler.readers, None, "user"))
        for tool, answer in zip(tools, self.state.ask(*(PlannedCall(tool.name, {}) for tool in tools)), strict=True):
            listed = [item for item in items(content(answer.result)) if isinstance(item, dict)] if answer.ok else []
            if matches := [item for item in listed if set(words) <= terms(" ".join(told_of(item)))]:
                return [Passage(tool.name, tuple(f"- {line}" for item in matches for line in answer_lines(item)))]
        return self._profiles(words)

    def _profiles(self, words: Sequence[str]) -> list[Passage]:
        """The people whose profile says it, where a tool tells more of one than the list does."""
        listed = self.filler.listed("user")
        rows = self.profiles(listed) if len(listed) <= MOST_PEOPLE else []
        matches = [(tool, row) for tool, row in rows if set(words) <= terms(" ".join(told_of(row)))]
        lines = tuple(f"- {' '.join(dict.fromkeys(told_of(row)))}" for _, row in matches)
        return [Passage(matches[0][0].name, lines)] if matches else []

    def profiles(self, people: Sequence[JsonObject]) -> list[tuple[ToolDefinition, JsonObject]]:
        """What the first tool that tells of one person tells of each of these, with that tool. Raises `AnswerPending`."""
        for tool in self.filler.readers:
            names = required(tool)
            if len(names) != 1 or "#user" not in terms(tool.name) or noun_of(tool, names[0]) != "user":
                continue
            answers = collect_all(partial(self._profile, tool, names[0], item) for item in people)
            if rows := [(tool, row) for row in answers if isinstance(row, dict)]:
                return rows
        return []

    def _profile(self, tool: ToolDefinition, argument: str, item: Any) -> Any:
        value = identity(item, argument, "user")
        answer = self.state.ask(PlannedCall(tool.name, {argument: value}))[0]
        return content(answer.result) if answer.ok else None

    def _in_tool(self, tool: ToolDefinition, anchor: str, words: Sequence[str], people: Mapping[str, set[str]]) -> list[Passage]:
        name = search_argument(properties(tool))
        answers = self.state.ask_all_pages(PlannedCall(tool.name, {str(name): anchor}), page_argument(tool))
        if not answers[0].ok:
            return []
        found_items = [item for answer in answers if answer.ok for item in items(content(answer.result))]
        listed = [item for item in found_items if isinstance(item, dict) and self.criteria.in_time(item)]
        reader = self.reader_of(tool, listed)
        if self.question.names_hours if reader else self.question.asks_how_to or bool(self.question.written_in):
            return []
        if reader is None:
            fitting = [
                item
                for item in listed
                if self.criteria.answers(text_of(item), words)
                and not self._is_plan_for_deed(item)
                and self.criteria.tells_which(text_of(item), words)
                and self.criteria.is_by(item, people, text_of(item), author=True)
            ]
            return [
                one for some in collect_all(partial(self._with_its_object, tool, item, words) for item in fitting) for one in some
            ]
        whole, argument = reader
        titled = [item for item in listed if not self.question.written_in or tells(header(item), self.question.written_in)]
        ranked = sorted(titled, key=lambda item: -sum(tells(header(item), word) for word in words))
        most = MAX_OF_SOMEBODY if self.question.times and people else MAX_DOCUMENTS  # all that he wrote then, or nothing
        documents = collect_all(partial(self.read, whole, argument, item) for item in ranked[: most + 1])
        return [
            Passage(whole.name, lines)
            for item, text in zip(ranked, documents, strict=False)
            for lines in self.parts.find(item, text, words, people)
        ]

    def _with_its_object(self, tool: ToolDefinition, item: JsonObject, words: Sequence[str]) -> list[Passage]:
        """A message, below the one it replies to where only that tells to what something was done; none where nothing does."""
        if not self.criteria.leaves_object_open(text_of(item), words):
            return [Passage(tool.name, tuple(f"- {line}" for line in answer_lines(item)))]
        reader = next((one for one in self.filler.readers if "#thread" in terms(one.name) and required(one)), None)
        if reader is None or not all(item.get(name) for name in required(reader)):
            return []
        answer = self.state.ask(PlannedCall(reader.name, {name: str(item[name]) for name in required(reader)}))[0]
        messages = [one for one in items(content(answer.result)) if isinstance(one, dict)] if answer.ok else []
        replies = [one for one in messages[1:] if text_of(one) == text_of(item)]
        tells_it = bool(replies) and not orders_a_machine(text_of(messages[0]))
        return [quoted_thread(reader.name, messages[0], replies)] if tells_it else []

    def _is_plan_for_deed(self, item: JsonObject) -> bool:
        """Whether it asks by whom, when or where something was done, or why, and an item tells what was still to come."""
        question = self.question
        typed = question.asks_for_one or not question.asks_openly
        done = question.asks_why or question.asks_who_did or (typed and question.asks_what_was)
        moment = moment_of(item, self.filler.zone) if done else None
        return moment is not None and begins_ahead(text_of(item), moment.date())

    def _in_threads(
        self, tool: ToolDefinition, anchor: str, words: Sequence[str], people: Mapping[str, set[str]]
    ) -> list[Passage]:
        """The replies that hold what the first message of their thread leaves open, or tell which one is asked for."""
        found = []
        for reader, root, replies in self._threads(tool, anchor):
            open_words = [word for word in words if not tells(text_of(root), word)]
            others = {} if self.question.asks_who and self.criteria.is_by(root, people, text_of(root), author=True) else people
            fitting = [one for one in replies if self.criteria.in_time(one) and self._replies(one, open_words, words, others)]
            if fitting and len(open_words) < len(words):
                found.append(quoted_thread(reader.name, root, fitting))
        return found

    def _replies(self, item: JsonObject, open_words: Sequence[str], words: Sequence[str], people: Mapping[str, set[str]]) -> bool:
        text = text_of(item)
        is_named = self.question.which and self.criteria.tells_which(text, words, noun=True)
        counting = self.question.wants_number or bool(self.question.numbered)
        counted = self.question.counted
        has_number = counting and any(tells(text, word) for word in words if word != counted)  # `answers` looks for the number
        about_it = bool(people) and self.criteria.asks_own_words  # all that he said below it is about it
        if not open_words and not (is_named or has_number or about_it):
            return False
        if self.question.asks_when_done and len(open_words) < len(words) and _PHRASES["tells_clock"].search(text) is None:
            return False  # when it was done, the reply does not tell by when it was written
        return (
            self.criteria.answers(text, open_words)
            and self.criteria.tells_which(text, words, noun=True)
            and self.criteria.is_by(item, people, text, author=True)
        )

    def _threads(self, tool: ToolDefinition, anchor: str) -> list[tuple[ToolDefinition, JsonObject, list[JsonObject]]]:
        """The threads of the messages that a search finds: the tool that read each, its first message, and its replies."""
        reader = next((one for one in self.filler.readers if "#thread" in terms(one.name) and required(one)), None)
        answer = self.state.ask(PlannedCall(tool.name, {str(search_argument(properties(tool))): anchor}))[0]
        if reader is None or not answer.ok:
            return []
        names = required(reader)
        found = [item for item in items(content(answer.result)) if isinstance(item, dict)]
        listed = [item for item in found if all(item.get(name) for name in names)]
        threads = list(dict.fromkeys(tuple(str(item[name]) for name in names) for item in listed))[:MAX_THREADS]
        calls = [PlannedCall(reader.name, dict(zip(names, thread, strict=True))) for thread in threads]
        answers = collect_all(partial(self.state.ask, call) for call in calls)
        lists = [[one for one in items(content(some[0].result)) if isinstance(one, dict)] for some in answers if some[0].ok]
        return [(reader, root, replies) for root, *replies in (one for one in lists if len(one) > 1)]

    def reader_of(self, tool: ToolDefinition, listed: Sequence[JsonObject]) -> tuple[ToolDefinition, str] | None:
        """The tool that reads one of the listed things whole, and its argument for which."""
        for other in self.filler.readers:
            names = required(other)
            noun = noun_of(other, names[0]) if other is not tool and len(names) == 1 else ""
            about = noun and terms(noun) <= terms(tool.name)
            if about and all(identity(item, names[0], noun) is not None for item in listed):
                return other, names[0]
        return None

    def read(self, tool: ToolDefinition, argument: str, item: JsonObject) -> str:
        """The text of a listed thing; empty where it cannot be read. Raises `AnswerPending`."""
        value = identity(item, argument, noun_of(tool, argument))
        answer = self.state.ask(PlannedCall(tool.name, {argument: value}))[0]
        return text_of(content(answer.result)) if answer.ok else ""


def _anchors(words: Sequence[str], *, loose: bool = False) -> list[str]:
    """The words to search for, one after the other until something is found: those first that tell most, the very first one also
    in other words; then parts of theirs.

    `loose`: and what tells the same as any of them."""
    ranked = sorted(
        words, key=lambda word: (bool(re.search(r"\d", word)), word[:1].isupper() and len(word) > 2, len(word)), reverse=True
    )
    parts = [stem(word) for word in ranked if word.isascii() and word.isalpha() and word.startswith(stem(word))]
    found = list(dict.fromkeys([*ranked[:MAX_ANCHORS], *parts]))[:MAX_ANCHORS]
    others = [other for word in ranked[: MAX_ANCHORS if loose else 1] for other in alternatives(word)]
    if not loose:
        others = [one for one in others if " " not in one and not one.startswith(stem(ranked[0]))]
        return list(dict.fromkeys([*ranked[:1], *others[:MAX_ANCHORS], *found]))
    return list(dict.fromkeys([*found, *others]))[: 2 * MAX_ANCHORS]


def _apart_from(phrase: str, words: Sequence[str]) -> list[str]:
    """The words that are not among these, nor within one another."""
    return [word for word in words if word not in phrase and phrase not in word]


def _said_by(replies: Sequence[JsonObject], names: set[str] | None) -> list[JsonObject]:
    """The replies by somebody, or all of them."""
    return [reply for reply in replies if names is None or authors(reply) & names]


def told_of(item: JsonObject) -> list[str]:
    """What a list of people says of one: every text but ids and addresses."""
    return [
        value for name, value in item.items() if isinstance(value, str) and not re.search(r"(?:^|_)id$|mail|zone|emoji", name)
    ]
