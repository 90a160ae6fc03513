"""Finds the passage that holds most of what a question says, where none holds every word.

A word counts by how few of the passages found hold it. The thread or section around the passage is quoted with it, as the answer
may stand a line further, and what of the question nothing there holds is told.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from math import log
from typing import NamedTuple

from autonomy.llm.offline.conversation_state import collect_all
from autonomy.llm.offline.lookup.nearest_passage import FEW, MAX_PASSAGES, Candidate, NearestPassage
from autonomy.llm.offline.lookup.passage_search import Passage
from autonomy.llm.offline.lookup.word_matching import holds_word, tells
from autonomy.llm.offline.lookup_words import holds_number, is_general, is_verb, relations_of, tells_of_relation
from autonomy.llm.offline.question import SENTENCE_END
from autonomy.llm.offline.result_items import authors, moment_of
from autonomy.llm.offline.time_expressions import TimeSpan, spans_in
from metrics.text.phrases import patterns_of

# Measured over the known questions: the lowest figures at which no answer is wrong, on either side of which it changes little.
LEAST_SHARE = 0.4
"""So much of a question has to be held, where what is asked for can be seen in a text: a time, a number, a place, somebody."""
LEAST_SHARE_UNSEEN = 0.45
"""The same where it cannot: what somebody said."""
LEAST_WORDS = 2
"""One common word is spoken of wherever it occurs; a person counts as a word."""
RIVAL = 1.15
"""Another passage tells as well as the best one, unless that holds so many times as much."""
AROUND, BESIDE, GENERAL = 0.8, 0.3, 0.25
"""What a word counts that stands around a passage, that a message says beside its question, or that is general."""
ORDINARY = 300
"""Of fewer passages found, a word counts as if it were that many: else their own words would seem common everywhere."""
_POINTING = patterns_of("autonomy.llm.offline")["points_to_a_noun"]


class _Match(NamedTuple):
    """A passage, what it holds of the question, and whether it may answer it."""

    share: float
    score: float
    passage: Candidate
    missing: tuple[str, ...]
    fits: bool


@dataclass(frozen=True)
class ClosestPassage(NearestPassage):
    """The search for the passages that hold most of a question."""

    def find_most(self, beside: str = "", *, depends: bool = False) -> list[Passage]:
        """The one or two threads or sections that hold most; none where too little is held, or more hold as much.

        `beside`: what the message says beside the question. A passage need hold nothing of it, unless the question `depends` on
        it, but has to be of its times. Raises `AnswerPending`."""
        question = self.search.question
        obstacle = question.obstacle()
        pointing = (
            obstacle is not None and _POINTING.fullmatch(obstacle[1].strip()) is not None
        )  # those buns, of which the words tell
        literal = self._literal(obstacle) if obstacle and not pointing else []
        if obstacle and not pointing and (question.asks_when or question.asks_who):
            return []  # the last one of several is not told by a passage that happens to hold the word
        if literal is None or question.excluded or question.hours or question.wants_everything or question.asks_either:
            return []
        if (
            question.asks_for_a_state
            or question.asks_to_reckon
            or (question.comparison is not None and question.comparison.order != "count")
        ):
            return []
        if not (question.asks_openly or self._is_seen):
            return []
        found = [one for some in collect_all(partial(self._candidates, tool) for tool in self._tools) for one in some]
        rarity = {word: _rarity(word, found) for word in self._plain}
        others = [word for word in self.search.words.content_words(beside) if word not in self._words] if beside else []
        rarity_beside = {word: _rarity(word, found) for word in others}
        times = spans_in(beside, self.search.filler.today)
        matches: list[_Match] = []
        for one in found:
            whole = f"{one.text} {one.around}"
            held = [word for word in self._plain if tells(one.text, word)]
            near = [word for word in self._plain if word not in held and tells(one.around, word)]
            if not (self._is_meant(one, held, near) and self._is_of(one, times)):
                continue
            missing = [word for word in self._plain if word not in held and word not in near]
            share = sum(rarity[word] for word in held) + AROUND * sum(rarity[word] for word in near)
            told_beside = sum(value for word, value in rarity_beside.items() if tells(whole, word))
            fits = self._may_answer(one, held, near, missing) and all(tells(one.text, word) for word in literal)
            fits = fits and (told_beside > 0 or not depends)
            matches.append(_Match(share, share + BESIDE * told_beside, one, tuple(missing), fits))
        least = (LEAST_SHARE if self._is_seen else LEAST_SHARE_UNSEEN) * sum(rarity.values())
        return [Passage(one.passage.tool, one.passage.block or one.passage.lines, one.missing) for one in _best(matches, least)]

    def is_told_by(self, line: str) -> bool:
        """Whether a quoted line holds what the question names and tells the kind of fact that it asks for.

        What the question only points to is what the line speaks of."""
        question, criteria = self.search.question, self.search.criteria
        text = line.partition(": ")[2] or line.strip(" -")  # when it was written is no time that it tells
        held = [word for word in self._plain if tells(text, word)]
        missing = [word for word in self._plain if word not in held]
        seen = self._is_seen and not question.asks_who
        return (
            any(not _is_light(word) for word in held)
            and not (question.excluded or question.times or question.hours)
            and all(holds_word(line, word) for word in self._people)
            and all(_is_light(word) or (seen and self._may_be_missing(word)) for word in missing)
            and criteria.answers(text, held)
            and criteria.tells_which(text, self._plain)
        )

    @property
    def _is_seen(self) -> bool:
        """Whether a text can be seen to tell what is asked for."""
        return self.search.question.asks_for_one or self.search.question.wants_number

    def _is_of(self, one: Candidate, times: Sequence[TimeSpan]) -> bool:
        """Whether a passage is of one of these times, if there are any."""
        moment = moment_of(one.item, self.search.filler.zone)
        return not times or bool(moment and any(span.holds(moment.date()) for span in times))

    def _is_meant(self, one: Candidate, held: Sequence[str], near: Sequence[str]) -> bool:
        """Whether a passage is of the people and the time, and holds enough words to be looked at."""
        if not held or len(held) + len(near) + len(self._people) < LEAST_WORDS or not self.search.criteria.in_time(one.item):
            return False
        whole = f"{one.text} {one.around}"
        return all(names & authors(one.item) or holds_word(whole, word) for word, names in self._people.items())

    def _may_answer(self, one: Candidate, held: Sequence[str], near: Sequence[str], missing: Sequence[str]) -> bool:
        """Whether a passage holds every number, name and deed, and tells the kind of fact that is asked for."""
        question, criteria = self.search.question, self.search.criteria
        whole = f"{one.text} {one.around}"
        telling = [word for word in missing if not _is_light(word)]
        if any(_is_name(word, question.text) for word in missing) or (telling and (question.counted or question.asks_who)):
            return False
        if not self._is_seen and (len(held) + len(near) < 2 * len(telling) or (telling and len(self._plain) < FEW)):
            return False
        if question.asks_how_to and not one.heading:
            return False  # what happened is no rule for what to do
        if any(
            re.search(rf"{re.escape(word)}の{re.escape(other)}", question.text) for word in telling for other in [*held, *near]
        ):
            return False  # it says which one is meant
        deeds = [word for word in telling if is_verb(word, question.text)]
        if not all(tells_of_relation(relations_of(word), whole) for word in deeds):
            return False
        if question.which and not all(self._may_be_missing(word) for word in missing):
            return False
        if (question.asks_what_was or question.asks_why) and self._is_planned(one):
            return False
        told_by = [(one.text, held), *([] if question.asks_why else [(whole, [*held, *near])])]  # the reason for another thing
        return any(
            criteria.answers(text, words, _about(text, words)) and criteria.tells_which(text, self._plain)
            for text, words in told_by
        )


def _about(text: str, words: Sequence[str]) -> str:
    """The sentences of a text that hold one of these words: a time or a number in another one is of something else."""
    return " ".join(one for one in SENTENCE_END.split(text) if any(tells(one, word) for word in words))


def _best(matches: Sequence[_Match], least: float) -> list[_Match]:
    """The best match and those that tell as well; none where they are many, or a better one is no answer."""
    ranked = sorted(matches, key=lambda one: -one.score)
    best = next((one for one in ranked if one.fits), None)
    if best is None or best.share < least:
        return []
    quoted = [best]
    for one in ranked:
        beside = all(one.passage.text not in f"{other.passage.text} {other.passage.around}" for other in quoted)
        if beside and best.score < RIVAL * one.score:
            if one.score > best.score:
                return []
            quoted += [one] if one.fits else []
    return quoted if len(quoted) <= MAX_PASSAGES else []


def _rarity(word: str, found: Sequence[Candidate]) -> float:
    """How much a word tells: the more, the fewer passages hold it."""
    rarity = log((max(len(found), ORDINARY) + 1) / (0.5 + sum(tells(one.text, word) for one in found)))
    return rarity * (GENERAL if _is_light(word) else 1)


def _is_light(word: str) -> bool:
    return is_general(word, verbs=True)


def _is_name(word: str, question: str) -> bool:
    """Whether a word is a number or a proper name, for which no other stands."""
    number = holds_number(word) if word.isascii() and not _is_light(word) else re.search(r"\d", word) is not None
    return number or (word[:1].isupper() and not question.startswith(word))
