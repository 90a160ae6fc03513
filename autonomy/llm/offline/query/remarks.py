"""Takes the one asking sentence out of a message, where the others only tell of the asker or comment.

A sentence that may restrict what is asked (by a date, a place, a number, a name, a negation) is no remark, and never left aside.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date

from autonomy.llm.offline.question import Question, read_question
from autonomy.llm.offline.vocabulary import LANGUAGES
from metrics.text.phrases import patterns_of
from metrics.text.quotations import SPOKEN

_PHRASES = patterns_of("autonomy.llm.offline")
_SENTENCE_END = re.compile(r"(?<=[.?!…])\s+")
_NAME = re.compile(r"(?<=\S )(?!I\b)[A-Z]\w*|[#@]\w")
"""A capital behind the first word, or the sign of a channel or a mention."""
_COUNTED = frozenset(word for one in LANGUAGES.values() for word in one.numbers) - {"a", "an"}


@dataclass(frozen=True)
class Remarked:
    """A message as the one question in it, and the sentences beside it."""

    question: str
    remarks: tuple[str, ...]
    read_as: tuple[tuple[str, str], ...] = ()
    """The pronoun in the question, and the person named in a remark for whom it stands."""


def without_remarks(message: str, people: Iterable[str], today: date) -> Remarked | None:
    """The question alone; None where the message is one sentence, asks more than once, or restricts what it asks elsewhere.

    `people`: the names by which a remark may name the person to whom a pronoun of the question points."""
    sentences = [one for one in _SENTENCE_END.split(message.strip()) if re.search(r"\w", one)]
    asking = [one for one in sentences if _asks(one, today)]
    if len(sentences) < 2 or len(asking) != 1:
        return None
    remarks = tuple(one for one in sentences if one is not asking[0])
    names = {name.casefold() for name in people}
    named = {word for one in remarks for word in re.findall(r"\w+", one.casefold()) if word in names}
    question, read_as = _with_person(asking[0], named, names)
    if question is None or _PHRASES["points_back"].search(question):
        return None
    if any(_restricts(one, named, today) for one in remarks):
        return None
    return Remarked(question, remarks, read_as)


def _asks(sentence: str, today: date) -> bool:
    question: Question = read_question(sentence, today)
    if _PHRASES["tag_question"].search(sentence):
        return False
    return sentence.rstrip(" .…").endswith("?") or (
        question.asks_openly and _PHRASES["begins_to_ask"].search(sentence) is not None
    )


def _with_person(sentence: str, named: set[str], names: set[str]) -> tuple[str | None, tuple[tuple[str, str], ...]]:
    """The question with the one person who was named before in place of a pronoun; None where nothing points to him."""
    here = {word for word in re.findall(r"\w+", sentence.casefold()) if word in names}
    pronouns = list(_PHRASES["pronoun"].finditer(sentence))
    if not named or named == here:
        return sentence, ()
    if len(named) != 1 or here or len(pronouns) != 1:
        return None, ()
    [pronoun], [person] = pronouns, named
    name = person.capitalize() + ("'s" if pronoun["owner"] else "")
    return f"{sentence[: pronoun.start()]}{name}{sentence[pronoun.end() :]}", ((pronoun.group(), name),)


def _restricts(remark: str, named: set[str], today: date) -> bool:
    """Whether a sentence may hold a condition of the question beside it."""
    question = read_question(remark, today)
    words = set(re.findall(r"\w+", remark.casefold()))
    plain = re.sub("|".join(rf"(?i:\b{one}\b)" for one in named), "somebody", remark) if named else remark
    obstacle = question.obstacle()
    return bool(
        not remark.isascii()
        or re.search(r"\d", remark)
        or words & _COUNTED
        or question.times
        or question.hours
        or question.comparison
        or question.excluded
        or question.misspelt
        or SPOKEN.search(remark)
        or (obstacle is not None and obstacle[0] != "reference")
        or _NAME.search(plain)
        or _PHRASES["may_be_a_place"].search(plain)
        or _PHRASES["corrects"].search(plain)
    )
