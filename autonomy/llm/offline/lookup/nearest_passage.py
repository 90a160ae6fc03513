"""Finds the passage that holds all of a question but a common verb, where none holds every word.

A text tells the same with another verb, but hardly with another noun. So every name, number and noun has to stand in the passage
or in what it belongs to (its thread, its heading), and each verb that says more (restored, 却下); what is left out is told.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial

from autonomy.llm.messages import ToolDefinition
from autonomy.llm.offline.argument_filler import page_argument, properties, required, search_argument, searches_words
from autonomy.llm.offline.conversation_state import PlannedCall, collect_all
from autonomy.llm.offline.lookup.documents import STEP, document_lines, header, title_of
from autonomy.llm.offline.lookup.passage_criteria import SENTENCE, is_addressed
from autonomy.llm.offline.lookup.passage_search import MOST_PEOPLE, PassageSearch, told_of
from autonomy.llm.offline.lookup.passages import Passage, quoted_thread, tell_one_id
from autonomy.llm.offline.lookup.word_classes import denials_of, synonyms_of
from autonomy.llm.offline.lookup.word_matching import holds_word, tells
from autonomy.llm.offline.lookup_words import (
    is_common_verb,
    is_general,
    is_light,
    is_recipient,
    is_subject,
    is_thing,
    is_verb,
    opposites_of,
    relations_of,
    stands_beside_another,
    tells_of_relation,
    turns,
    what_was_not_done,
)
from autonomy.llm.offline.result_items import answer_lines, authors, content, items, moment_of, names_called, text_of
from autonomy.llm.offline.time_expressions import begins_ahead, spans_in
from autonomy.llm.offline.vocabulary import terms
from discovery.catalog import JsonObject
from metrics.text.phrases import patterns_of

_PHRASES = patterns_of("autonomy.llm.offline")
MAX_WORDS = 6
"""How many words of a question are searched for, each by itself."""
MAX_THREADS = 6
MAX_DOCUMENTS = 4
MAX_PASSAGES = 2
"""Where more fit as well, none of them is the answer."""
CLOSE = 0.85
"""A passage that holds less than this share of the best one's words, by how rare they are, is left out."""

_CHANNEL = re.compile(r"(?<!\w)#(?!\d)\w")
_KANA = re.compile(r"[\u3041-\u309f]+")


@dataclass(frozen=True)
class Candidate:
    """A message or a line of a document, and what it belongs to."""

    tool: str
    text: str
    context: str
    """What stands around it, and says what it speaks of: earlier messages of its thread, the first alone where a place is asked
    for; its title, heading and columns."""
    lines: tuple[str, ...]
    item: JsonObject
    above: JsonObject | None = None
    """The first message of its thread."""
    heading: str = ""

    @property
    def by(self) -> set[str]:
        """By whom it is, or what it belongs to."""
        return authors(self.item) | (authors(self.above) if self.above else set())


@dataclass(frozen=True)
class NearestPassage:
    """The search for a passage that leaves only verbs of a question open."""

    search: PassageSearch

    @cached_property
    def _words(self) -> list[str]:
        return list(dict.fromkeys([*self.search.question.written_to, *self.search.words.content_words()]))

    @cached_property
    def _people(self) -> Mapping[str, set[str]]:
        return {word: names for word in self._words if (names := self.search.words.names_of(word))}

    @cached_property
    def _plain(self) -> list[str]:
        return [word for word in self._words if word not in self._people]

    def find(self, obstacle: tuple[str, str] | None = None) -> list[Passage]:
        """The passages, or none. Raises `AnswerPending`.

        `obstacle`: the phrase and words of what no tool works out, which a passage then has to hold as they are."""
        question = self.search.question
        if question.asks_manner or question.asks_how_to or question.written_in:
            return []  # what happened is no rule for what to do
        if not question.asks_openly or question.excluded or question.wants_everything:
            return []
        if question.asks_for_a_state or (question.comparison is not None and question.comparison.order != "count"):
            return []
        literal = self._literal(obstacle) if obstacle else []
        if literal is None or not self._tells_enough(self._plain):
            return []
        literal += question.order_of_events
        tools = [tool for tool in self.search.filler.readers if searches_words(tool)]
        parts: list[Callable[[], list[Candidate]]] = [*(partial(self._candidates, tool) for tool in tools), self._profiles]
        found = [one for some in collect_all(parts) for one in some]
        rarity = {word: 1 / (1 + sum(_tells(candidate.text, word) for candidate in found)) for word in self._plain}
        fitting = [one for one in found if self._fits(one, literal)]
        scored = [(self._score(one, rarity), one) for one in fitting]
        most = max((score for score, _ in scored), default=0)
        best = [one for score, one in scored if score >= CLOSE * most]
        best = [one for at, one in enumerate(best) if one.text not in {other.text for other in best[:at]}]
        quoted = [self._quoted(one) for one in best] if len(best) <= MAX_PASSAGES else []
        return quoted if not question.asks_for_id or tell_one_id(quoted) else []

    def _searched(self) -> list[str]:
        """The words that are searched for, those first that tell most."""
        ranked = sorted(self._plain, key=lambda word: (is_general(word), is_light(word), not word[:1].isupper(), -len(word)))
        return ranked[:MAX_WORDS]

    def _literal(self, obstacle: tuple[str, str]) -> list[str] | None:
        """What a passage has to hold as it stands, as nothing works it out; None where none can answer."""
        phrase, words = obstacle
        question = self.search.question
        if phrase == "reference":
            return [] if self._people else None  # he is who was named, and nobody else may be meant
        if phrase == "negation":
            negated, undone = what_was_not_done(question.text)
            return [undone] if negated else None
        if question.asks_why and words.casefold() in question.text.casefold() and len(self._plain) > 1:
            return []
        return [word for word in re.split(r"[\s…]+", words) if word]

    def _tells_enough(self, words: Sequence[str]) -> bool:
        telling = [word for word in words if not (is_general(word) or is_light(word) or _PHRASES["of_the_moment"].search(word))]
        numbered = any(re.search(r"\d", word) and len(word) > 2 for word in telling)
        return len(telling) + bool(self._people) > 1 or numbered

    def _candidates(self, tool: ToolDefinition) -> list[Candidate]:
        """The messages or lines that a search tool finds by any of the words, those first that most of them find."""
        name = str(search_argument(properties(tool)))
        answers = collect_all(
            partial(self.search.state.ask_all_pages, PlannedCall(tool.name, {name: word}), page_argument(tool))
            for word in self._searched()
        )
        good = [page for pages in answers for page in pages if page.ok]
        found_items = [item for one in good for item in items(content(one.result)) if isinstance(item, dict)]
        times_found: dict[str, int] = {}
        for item in found_items:
            times_found[str(item)] = times_found.get(str(item), 0) + 1
        listed = sorted({str(item): item for item in found_items}.values(), key=lambda item: -times_found[str(item)])
        reader = self.search.reader_of(tool, listed)
        if reader is None:
            messages = [
                Candidate(tool.name, text_of(one), "", tuple(f"- {line}" for line in answer_lines(one)), one) for one in listed
            ]
            return self._replies(listed) + messages  # a reply is found in its thread first
        if self.search.question.names_hours:
            return []
        ranked = sorted(
            listed, key=lambda item: -times_found[str(item)] - sum(_tells(header(item), word) for word in self._plain)
        )[:MAX_DOCUMENTS]
        texts = collect_all(partial(self.search.read, *reader, item) for item in ranked)
        return [line for item, text in zip(ranked, texts, strict=True) for line in _lines_of(reader[0].name, item, text)]

    def _profiles(self) -> list[Candidate]:
        """What the profiles of those who are named tell, or of everybody where somebody is asked for: as it is now."""
        listed = self.search.filler.listed("user")
        named = [one for one in listed if any(names_called([one], word) for word in self._people)]
        if not named and not (self.search.question.asks_who and len(listed) <= MOST_PEOPLE):
            return []
        found = []
        for tool, row in self.search.profiles(named or listed):
            told = " ".join(dict.fromkeys(told_of(row)))
            found.append(Candidate(tool.name, told, " ".join([tool.name, *row]), (f"- {told}",), row))
        return found

    def _replies(self, listed: Sequence[JsonObject]) -> list[Candidate]:
        reader = next((one for one in self.search.filler.readers if "#thread" in terms(one.name) and required(one)), None)
        if reader is None:
            return []
        names = required(reader)
        threads = [tuple(str(item[name]) for name in names) for item in listed if all(item.get(name) for name in names)]
        calls = [
            PlannedCall(reader.name, dict(zip(names, one, strict=True))) for one in list(dict.fromkeys(threads))[:MAX_THREADS]
        ]
        found = []
        for answers in collect_all(partial(self.search.state.ask, call) for call in calls):
            messages = [one for one in items(content(answers[0].result)) if isinstance(one, dict)] if answers[0].ok else []
            for at, one in enumerate(messages[1:], 1):
                before = " ".join(map(text_of, messages[: 1 if self.search.question.asks_where else at]))
                lines = quoted_thread(reader.name, messages[0], [one]).lines
                found.append(Candidate(reader.name, text_of(one), before, lines, one, messages[0]))
        return found

    def _fits(self, one: Candidate, literal: Sequence[str]) -> bool:
        """Whether a passage leaves only verbs open, and is of the people, time and kind."""
        question = self.search.question
        missing = self._missing(one)
        if any(tells(f"{one.heading} {one.text}", other) for other in [*opposites_of(missing), *denials_of(missing)]):
            return False
        held = [word for word in self._plain if word not in missing]
        if not all(map(self._may_be_missing, missing)) or not self._tells_enough(held):
            return False
        if sum(not is_general(word) for word in missing) > sum(not is_general(word) for word in held):
            return False  # it holds less of the question than it lacks
        if any(not holds_word(one.text, word) and not _tells(one.text, word) for word in literal):
            return False
        if question.asks_which_document and not one.context.strip():
            return False  # a message is none
        if question.asks_for_a_rule and question.asks_how_long and _PHRASES["tells_what_was"].search(one.text):
            return False  # how long it took once is not how long it has to
        if question.asks_which_channel and not one.lines[-1].lstrip(" -").startswith("20") and _CHANNEL.search(one.text) is None:
            return False  # a document stands in none
        if question.asks_what_follows and STEP.match(one.text):
            return False  # not the step that is named is asked for, but the next one
        held_words = [word for word in self._plain if tells(one.text, word)]
        return (
            any(word != question.counted for word in held_words)  # three readers may be of anything
            and self._of_the_time(one)
            and self._of_the_people(one)
            and self._deeds_are_told(one)
            and not (question.asks_why and sum(not _tells(one.text, word) for word in self._plain if not is_general(word)) > 1)
            and not ((question.asks_what_was or question.asks_why) and self._is_planned(one))
            and (self.search.criteria.answers(one.text, held_words) or self._was_planned(one, held_words))
            and question.unit_of_time in one.text
            and self.search.criteria.tells_which(one.text, self._plain, noun=one.above is not None)
        )

    def _missing(self, one: Candidate) -> list[str]:
        missing = [word for word in self._plain if not (_tells(one.text, word) or _tells(one.context, word))]
        named = self.search.question.asks_which_channel and _CHANNEL.search(one.text) is not None
        return [word for word in missing if not (named and terms(word) == {"#channel"})]

    def _may_be_missing(self, word: str) -> bool:
        """Whether a text answers without this word: it is general, or a common verb, but none by which somebody is asked for."""
        question = self.search.question
        begins = question.asks_clock and is_general(word)  # the freeze is at 18:00: then it begins
        where = question.asks_where_done or (
            question.asks_where and not word.isascii()
        )  # どこに書く is not told by where it was found
        by_verb = (question.asks_when or where) and (is_light(word) or is_common_verb(word)) and not begins
        if question.quotes(word) or re.search(r"\d", word) or by_verb:
            return False  # a number is no verb (does PR #512 have); when a thing starts is told by no other deed of it
        if question.written_to:  # what was written about stands a sentence before, in other words
            return word not in question.written_to and word.islower()
        if (turns(word) and not is_general(word)) or stands_beside_another(word, question.text):
            return False
        if question.asks_who:
            return is_light(word) or (is_general(word) and not is_verb(word, question.text))
        if is_thing(word, question.text) and not is_general(word):
            return False
        typed = question.asks_for_one or question.wants_number or self.search.criteria.asks_own_words
        return is_general(word, verbs=True) or bool(typed and is_common_verb(word))  # what did she promise: by no other deed

    def _deeds_are_told(self, one: Candidate) -> bool:
        """Whether a passage tells of every kind of deed that a verb which it leaves out names: a review is no approval."""
        return all(tells_of_relation(relations_of(word), one.text) for word in self._missing(one))

    def _score(self, one: Candidate, rarity: Mapping[str, float]) -> float:
        """How much of the question stands in the passage itself, and half as much what stands around it."""
        return sum(
            rarity[word] if _tells(one.text, word) else rarity[word] / 2 if _tells(one.context, word) else 0
            for word in self._plain
        )

    def _was_planned(self, one: Candidate, words: Sequence[str]) -> bool:
        """Whether a plan tells the time of day of something that is asked for as a thing, and no text as a deed (the freeze)."""
        criteria = replace(
            self.search.criteria, takes_plans=_PHRASES["asks_when_it_was"].search(self.search.question.text) is not None
        )
        return criteria.takes_plans and criteria.answers(one.text, words)

    def _of_the_time(self, one: Candidate) -> bool:
        """Whether it was written at the time that is named; or speaks of it, where nobody's own words are asked for."""
        times = self.search.question.times
        if self.search.criteria.in_time(one.item) or not times:
            return True
        if self.search.question.hours:
            return False
        moment = moment_of(one.item, self.search.filler.zone)
        if moment is None:
            return all(span.holds(self.search.question.today) for span in times)
        spans = spans_in(one.text, moment.date()) if not self.search.criteria.asks_own_words else []
        return any(span.first == time.first and span.last == time.last for span in spans for time in times)

    def _of_the_people(self, one: Candidate) -> bool:
        """Whether those who are named wrote it or stand in it; of somebody's own words, whether one of them is his."""
        if any(not (names & one.by or holds_word(f"{one.text} {one.context}", word)) for word, names in self._people.items()):
            return False
        if not self.search.criteria.names_another(one.item, f"{one.text} {one.context}", self._people):
            return False
        recipients = [word for word in self._people if is_recipient(word, self.search.question.text)]
        if not all(is_addressed(one.text, word) for word in recipients):
            return False
        doers = [word for word in self._people if is_subject(word, self.search.question.text)]
        if not doers and not (self._people and self.search.criteria.asks_own_words):
            return True
        is_author = any(authors(one.item) & self._people[word] for word in doers or self._people)
        return is_author or (not self.search.criteria.asks_own_words and any(self._does_it(one.text, word) for word in doers))

    def _does_it(self, text: str, name: str) -> bool:
        """Whether a text tells in one sentence with somebody's name, and behind it, what he did."""
        verbs = [word for word in self._plain if is_verb(word, self.search.question.text)]
        told = [part for one in SENTENCE.findall(text) if (part := one[one.find(name) :]) and name in one]
        return any(not verbs or any(_tells(part, word) for word in verbs) for part in told)

    def _is_planned(self, one: Candidate) -> bool:
        """Whether it tells only what was still to come when it was written."""
        moment = moment_of(one.item, self.search.filler.zone)
        return moment is not None and any(begins_ahead(text.lstrip("# "), moment.date()) for text in (one.heading, one.text))

    def _quoted(self, one: Candidate) -> Passage:
        return Passage(one.tool, one.lines, tuple(self._missing(one)))


def _tells(text: str, word: str) -> bool:
    """Whether a text holds a word, or one that a dictionary gives for it."""
    return tells(text, word) or (word.isascii() and word.islower() and any(tells(text, one) for one in synonyms_of(word)))


def _lines_of(tool: str, item: JsonObject, text: str) -> list[Candidate]:
    """The lines of a document, each with what stands above it: a heading, the columns of a table."""
    found: list[Candidate] = []
    for line in (one for one in document_lines(text) if one.tells):
        above = [one for one in (line.heading, line.columns) if one]
        lines = (title_of(item), *(f"  {one}" for one in (*above, line.text)))
        context = " ".join([header(item), *above])
        found.append(Candidate(tool, line.text, context, lines, item, heading=line.heading))
    return found
