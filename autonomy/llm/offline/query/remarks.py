"""Takes the one asking clause out of a message, and tells what the others name.

What a clause beside the question names (a date, a person, a number, a thing of the workspace) is owed: the answer has to hold it.
A clause that may restrict the question in a way that no word carries (a negation, a condition, a choice) is never left aside.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date

from autonomy.llm.offline.lookup_words import ASKING, relations_in, without_durations
from autonomy.llm.offline.questions.preface import is_small_talk
from autonomy.llm.offline.questions.question import SENTENCE_END, Question
from autonomy.llm.offline.questions.question_reading import normalize_chat, read_question
from autonomy.llm.offline.time_expressions import spans_in
from autonomy.llm.offline.vocabulary import ATTRIBUTES, LANGUAGES, terms
from metrics.text.phrases import patterns_of
from metrics.text.quotations import SPOKEN

_PHRASES = patterns_of("autonomy.llm.offline")
_CLAUSE_END = re.compile(rf"{SENTENCE_END.pattern}|(?<=[,;:–—-])\s+|(?<=、)")
_NAME = re.compile(r"(?<=\S )(?!I\b)[A-Z][A-Za-z]*|[#@]\w[\w-]*|(?<![A-Za-z0-9-])[A-Za-z-]{0,20}\d[A-Za-z0-9.:%-]*|[ァ-ヴー]{3,}")
"""A capital behind the first word, the sign of a channel or a mention, what holds a digit, and a foreign word in Japanese."""
_OWNER = re.compile(r"[\u3400-\u9fff々]{2,}(?=の[\u3400-\u9fff々ァ-ヶA-Za-zおご])")
"""Says in Japanese which one is spoken of (京都の店)."""
_COMMON = re.compile(r"\d{1,2}|[ァ-ヴー]+(?!\w)")
"""What is no name of a thing in what somebody tells of himself: a small number, a foreign word in Japanese."""
_EXCLAMATION = re.compile(
    r"(?:[!！♪〜～]|\b(?:haha|hehe|lol|ha)\b|笑|(?<=[ぁ-ヿ一-鿿])[wｗ]+|[:;]-?[)D(P]|[\U0001f300-\U0001faff])[\s.!！…]*$",
    re.IGNORECASE,
)
"""Ends a sentence that tells a mood, and not a matter."""
_TEXTS = frozenset({"#diary", "#channel", "#thread"})
"""Where somebody reads a thing says of which he asks (I was reading her diary)."""
_WORDS = re.compile(r"\w\s+\w|[\u3041-\u9fff]{4}")
"""More than an interjection."""
_COUNTED = frozenset(word for one in LANGUAGES.values() for word in one.numbers) - {"a", "an"}


@dataclass(frozen=True)
class Aside:
    """A clause beside the question."""

    text: str
    gives_reason: bool = False
    """Whether it only tells why somebody asks, so that no common word of it says what is asked."""
    is_question: bool = False
    """Whether it asks itself, and is answered beside this one."""

    @property
    def is_of_oneself(self) -> bool:
        """Whether it tells of whoever asks: of a question that says by itself of what it speaks, that says nothing."""
        about_a_text = terms(self.text) & _TEXTS
        tells = _PHRASES["tells_of_oneself"].search(self.text) or _EXCLAMATION.search(self.text)
        return not (self.is_part or self.is_question or about_a_text) and tells is not None

    @property
    def is_talk(self) -> bool:
        """Whether it only tells of whoever asks, why he does, or what is talked about around a question."""
        return self.gives_reason or self.is_of_oneself or is_small_talk(self.text)

    @property
    def is_part(self) -> bool:
        """Whether it is a part of the sentence that asks (負荷試験で、), so that every noun of it tells what is asked."""
        return _PHRASES["part_of_a_question"].search(self.text) is not None


@dataclass(frozen=True)
class Reading:
    """A message as the one question in it, and the clauses beside it."""

    question: str
    asides: tuple[Aside, ...]
    owed: tuple[str, ...]
    """What the clauses name that an answer has to hold, whether or not the workspace knows it."""
    read_as: tuple[tuple[str, str], ...] = ()
    """The pronoun in the question, and the person named beside it for whom it stands."""
    owed_of_others: bool = False
    """Whether a clause that tells of more than whoever asks names any of that."""
    points_back: bool = False
    """Whether it speaks of what stands beside it."""

    @property
    def stands_alone(self) -> bool:
        """Whether the question may say all that is asked, as what stands beside it tells of whoever asks, or names nothing."""
        points = _PHRASES["points_back"].search(_PHRASES["that_noun"].sub("the ", self.question))
        return not ((self.points_back and points) or self.read_as or self.owed_of_others)

    @property
    def points_again(self) -> bool:
        """Whether it names a thing as one that is known (that bug), of which a clause beside it tells."""
        nouns = [found["noun"] for found in _PHRASES["that_noun"].finditer(self.question)]
        return any(re.search(rf"\b{noun}", aside.text, re.IGNORECASE) for noun in nouns for aside in self.asides)

    def with_words(self, words: Iterable[str]) -> str:
        """The question with more words: English asks at its beginning, Japanese at its end, and the other end has room."""
        added = [word for word in dict.fromkeys(words) if word.casefold() not in self.question.casefold()]
        if not added:
            return self.question
        if self.question.isascii():
            return f"{self.question.rstrip(' ?.!')} {' '.join(added)}?"
        return "、".join([*added, self.question])


def readings(message: str, people: Iterable[str], today: date) -> Iterator[Reading]:
    """The ways to read a message as one question with clauses beside it, the widest first.

    `people`: the names by which a clause may name the person to whom a pronoun of the question points."""
    names = {name.casefold() for name in people}
    questions: set[str] = set()
    for question, asides in _cuts(message):
        if question not in questions and (reading := _reading(question, asides, names, today)):
            questions.add(question)
            yield reading


def reading_after(question: str, before: str, people: Iterable[str], today: date) -> Reading | None:
    """A question that an earlier one says of what it asks; None where that cannot be told for certain."""
    if _PHRASES["pronoun"].search(question) and _PHRASES["asks_who"].search(before):
        return None  # who is Maya's manager, and what is her email: whose
    return _reading(question, [Aside(before, is_question=True)], {name.casefold() for name in people}, today)


def has_asides(message: str) -> bool:
    """Whether anything stands beside what may be the one question of a message."""
    return next(_cuts(message), None) is not None


def _cuts(message: str) -> Iterator[tuple[str, list[Aside]]]:
    """A clause that may be the question, and what stands beside it."""
    for end in (SENTENCE_END, _CLAUSE_END):
        clauses = [one for one in end.split(message.strip()) if re.search(r"\w", one)]
        asking = _asking(clauses)
        if len(asking) != 1:
            continue
        [at] = asking
        why = _PHRASES["tells_why_asked"]
        others = [
            Aside(part, n > at and why.search(part) is not None)
            for n, clause in enumerate(clauses)
            if n != at
            for part in _parts(clause)
        ]
        for question, matrix in _openings(clauses[at]):
            leads = _PHRASES["leads_to_a_question"].search(matrix) is not None
            if asides := [*others, *([Aside(matrix, leads)] if matrix else [])]:
                yield _PHRASES["of_the_workspace"].sub("", normalize_chat(question.rstrip(" ,;:、–—-"))), asides


def _parts(clause: str) -> list[str]:
    """A sentence beside the question, by its clauses where one of them tells of whoever asks."""
    parts = [one for one in _CLAUSE_END.split(clause) if re.search(r"\w", one)]
    if Aside(clause).is_of_oneself and (not clause.isascii() or _EXCLAMATION.search(clause)):
        return [clause]  # Japanese tells at the end of a sentence of whom it speaks, and a mood is told of the whole of it
    return parts if any(Aside(one).is_of_oneself for one in parts) else [clause]


def _openings(clause: str) -> Iterator[tuple[str, str]]:
    """A clause that asks, and what stands in it from its question word on, with what stands before that."""
    yield clause, ""
    found = _PHRASES["question_word"].search(clause)
    bound = found and _PHRASES["binds_a_question_word"].search(clause[: found.start()])  # until when, and since which
    if clause.isascii() and found and found.start() and re.search(r"\w", clause[: found.start()]) and not bound:
        yield clause[found.start() :], clause[: found.start()].strip()


def _reading(question: str, asides: list[Aside], names: set[str], today: date) -> Reading | None:
    named_people = {word for aside in asides for word in re.findall(r"\w+", aside.text.casefold()) if word in names}
    question_text, read_as = _with_person(question, named_people, names)
    if question_text is None or _asks_manner(question, today):
        return None
    # what did he say, to what the asker had asked him
    is_answer = bool(read_as) and any(aside.is_of_oneself and ASKING in relations_in(aside.text) for aside in asides)
    asked = read_question(question_text, today)
    if is_answer or any(_restricts(aside, asked) for aside in asides):
        return None
    for fill in (_with_noun, _with_place):
        question_text, filled = fill(question_text, asides)
        read_as += filled
    if question_text != asked.text:
        asked = read_question(question_text, today)
    owed_words = [word for aside in asides for word in _owed(aside, asked, named_people)]
    owed_words += [one for one in sorted(named_people) if one not in question_text.casefold()]
    others = [aside for aside in asides if not aside.is_talk]
    more = any(one.is_part or one.is_question or any(_owed(one, asked, named_people)) for one in others)
    points_back = _PHRASES["points_back"].search(asked.text) is not None and not all(aside.gives_reason for aside in asides)
    return Reading(question_text, tuple(asides), tuple(owed_words), read_as, more, points_back)


def _asks_manner(question: str, today: date) -> bool:
    """Whether it asks how something was done: left alone, it is answered with that it was."""
    reading = read_question(question, today)
    return reading.asks_manner and not reading.asks_how_to


def _asks(clause: str) -> bool:
    if _PHRASES["tag_question"].search(clause):
        return False
    wants = _PHRASES["wants_to_know_it"].search(clause) is not None
    return (
        wants or clause.rstrip(" .…").endswith(("?", "？", "か。", "か")) or _PHRASES["question_word"].search(clause) is not None
    )


def _asking(clauses: list[str]) -> list[int]:
    """The places of the clauses that ask: by a question word, if any has one, else by their end; or that only name something."""
    asking = [at for at, one in enumerate(clauses) if _asks(one)]
    openly = [at for at in asking if _PHRASES["question_word"].search(clauses[at])] or asking
    ended = [at for at in openly if clauses[at].rstrip(" .…").endswith(("?", "？"))]
    begun = [at for at in openly if _PHRASES["question_word"].match(clauses[at])]
    if asking:
        return ended if len(ended) == 1 and set(begun) <= set(ended) else openly
    return [at for at, one in enumerate(clauses) if _WORDS.search(one) and not _tells_of_asker(one)]


def _tells_of_asker(clause: str) -> bool:
    return any(_PHRASES[phrase].search(clause) for phrase in ("tells_why_asked", "tells_of_oneself"))


def _with_person(sentence: str, named_people: set[str], names: set[str]) -> tuple[str | None, tuple[tuple[str, str], ...]]:
    """The question with the one person who was named before in place of a pronoun; None where one may be another's."""
    here = {word for word in re.findall(r"(?<![\w#-])\w+", sentence.casefold()) if word in names}
    pronouns = list(_PHRASES["pronoun"].finditer(sentence))
    if not pronouns:
        return sentence, ()
    if len(named_people - here) != 1 or len(pronouns) != 1:
        return None, ()
    [pronoun], [person] = pronouns, named_people - here
    name = person.capitalize() + ("'s" if pronoun["owner"] else "")
    return f"{sentence[: pronoun.start()]}{name}{sentence[pronoun.end() :]}", ((pronoun.group(), name),)


def _with_noun(question: str, asides: Sequence[Aside]) -> tuple[str, tuple[tuple[str, str], ...]]:
    """The question with the one attribute that was named before, where it asks for somebody's without saying what of his."""
    elided = _PHRASES["elided_noun"].search(question)
    nouns = {word for word in ATTRIBUTES if any(word in aside.text for aside in asides)} if elided else set()
    if elided is None or len(nouns) != 1:
        return question, ()
    whole = " ".join([elided.group(), *nouns]) if question.isascii() else "".join([elided.group(), *nouns])
    return f"{question[: elided.start()]}{whole}{question[elided.end() :]}", ((elided.group(), whole),)


def _with_place(question: str, asides: Sequence[Aside]) -> tuple[str, tuple[tuple[str, str], ...]]:
    """The question with the one place that a clause names where somebody is or goes, for the word that points there."""
    pointer = _PHRASES["points_to_a_place"].search(question)
    named = (_PHRASES["may_be_a_place"], _PHRASES["is_or_goes_somewhere"], _PHRASES["heads_somewhere"])
    places = {found["place"] for aside in asides for one in named for found in one.finditer(aside.text)}
    if pointer is None or len(places) != 1:
        return question, ()
    place = f"in {places.pop()}" if question.isascii() else places.pop()
    return f"{question[: pointer.start()]}{place}{question[pointer.end() :]}", ((pointer.group().strip(), place),)


def _owed(aside: Aside, asked: Question, named_people: set[str]) -> Iterator[str]:
    """The dates, names, numbers and places that a clause names.

    Of whoever asks: no common word, nor a time to come beside what was, or a past one beside what will be."""
    oneself = aside.is_of_oneself
    clause = without_durations(aside.text) if oneself or aside.gives_reason else aside.text
    was = _PHRASES["tells_what_was"].search(clause) is not None
    thanks = _PHRASES["thanks_for"].search(clause) is not None
    dated = oneself and not asked.of_a_place and (was or thanks or _PHRASES["tells_what_is"].search(clause))
    for span in spans_in(clause, asked.today, past=was):
        apart = asked.times or thanks or (span.first > asked.today if asked.asks_what_was else span.last < asked.today)
        if not (dated and apart):
            yield span.words
        clause = clause.replace(span.words, " ")
    found = [one.group().rstrip(".:-") for one in _NAME.finditer(clause)]
    names = [name for name in found if name[0] in "#@" or not any(term[0] == "#" for term in terms(name))]
    named = [one["name"] for one in _PHRASES["may_be_a_person"].finditer(clause)]
    yield from (
        name for name in [*names, *named] if name.casefold() not in named_people and not (oneself and _COMMON.fullmatch(name))
    )
    if not oneself:
        yield from (word for word in re.findall(r"\w+", clause) if word.casefold() in _COUNTED)
    if not oneself or asked.of_a_place:
        yield from (one.group() for one in _OWNER.finditer(clause))
        yield from (one["place"] for one in _PHRASES["may_be_a_place"].finditer(clause))
    if asked.of_a_place:
        yield from (one["place"] for one in _PHRASES["is_or_goes_somewhere"].finditer(clause))


def _restricts(aside: Aside, asked: Question) -> bool:
    """Whether a clause may hold a condition of the question that no word of it carries."""
    question = read_question(aside.text, asked.today)
    text = _PHRASES["knows_not_what_to_do"].sub(" ", aside.text) if aside.is_of_oneself else aside.text
    if (_asks(text) and not aside.is_question) or SPOKEN.search(aside.text) or question.excluded or question.misspelt:
        return True  # それと、結衣さんは？ asks as well, though by no word of its own
    asking = ASKING in relations_in(_PHRASES["asks_now"].sub(" ", aside.text))
    if aside.is_of_oneself or is_small_talk(aside.text):
        answered = asking and asked.relations  # what is asked may have been answered to that
        leads = _PHRASES["leads_to_a_question"].search(aside.text)  # I think Tom said when: it is asked in the same breath
        return bool(answered or (not leads and _PHRASES["says_what_is_meant"].search(aside.text)))
    obstacle = question.obstacle()
    return bool(
        question.hours
        or (aside.is_part and question.order_of_events)
        or (aside.gives_reason and asking)
        or (question.comparison and not aside.gives_reason)
        or (obstacle is not None and obstacle[0] != "reference" and not (aside.gives_reason and obstacle[0] == "negation"))
        or _PHRASES["corrects"].search(aside.text)
        or (not aside.is_question and _asks_on(aside.text))
    )


def _asks_on(clause: str) -> bool:
    """Whether a clause without a question word asks of what the answer finds: その人の肩書きは？"""
    ends = clause.rstrip(" .…").endswith(("?", "？")) and not _PHRASES["tag_question"].search(clause)
    return ends and any(_PHRASES[found].search(clause) for found in ("that_person", "that_channel", "that_day"))
