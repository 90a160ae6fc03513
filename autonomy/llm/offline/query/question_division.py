"""Divides a message that asks more than one thing into its questions.

A sentence, or a clause behind "and", is a question of its own if it has its own question word, whether or not it says of what.
"""

import re
from collections.abc import Iterator
from datetime import date

from autonomy.llm.offline.questions.question import SENTENCE_END
from autonomy.llm.offline.time_expressions import spans_in
from metrics.text.phrases import patterns_of

_PHRASES = patterns_of("autonomy.llm.offline")
_TOPIC = re.compile(r"[^\s、]{2}[はがを]")
"""What Japanese speaks of, before the question word."""
_DOER = re.compile(r"\S[はが]")
"""Of whom Japanese tells, or who does it."""
_NUMBERED = re.compile(r"(?:[A-Za-z]|#)\d")
"""What one thing of several is known by: v2.9.1, #431."""
_ASKED_FOR = {
    "人": "のは誰ですか",
    "番号": "は何番ですか",
    "場所": "はどこですか",
    "理由": "はなぜですか",
    "原因": "の原因は何ですか",
    **dict.fromkeys(("日付", "時刻", "日時"), "はいつですか"),
}
"""How Japanese asks for what a noun names."""
_LEAST_WORDS = 4
"""A shorter clause does not say of what it asks, unless it names somebody."""


def questions_in(message: str) -> list[str]:
    """The questions of a message, each with the remarks before it; empty where it asks for one thing at most.

    A sentence that only asks again for what was just said (what was that again?) is none.
    """
    if each := _PHRASES["each_of_two"].fullmatch(message.strip()):
        if each["asks"]:
            return [f"{each['asks']}{each['kind'] or ''}{each[one]}{each['rest2']}?" for one in ("one2", "other2")]
        return [f"{each[one]}{each['what']}は{each['when']}{each['rest']}" for one in ("one", "other")]
    if beside := _PHRASES["asks_beside_it"].fullmatch(message.strip()):
        about = f"{beside['of']}{beside['other']}" if beside["it"] else beside["other"]
        return [f"{beside['of']}{_ASKED_FOR[beside['one']]}", f"{about}{_ASKED_FOR[beside['kind']]}"]
    questions: list[str] = []
    remarks: list[str] = []
    for sentence in SENTENCE_END.split(message.strip()):
        if not _asks(sentence) or _PHRASES["asks_again"].fullmatch(sentence.strip()):
            remarks.append(sentence)
            continue
        first, *others = _clauses(sentence)
        questions += [_PHRASES["joins_to_the_last"].sub("", one) for one in (" ".join([*remarks, first]), *others)]
        remarks = []
    return [*questions[:-1], " ".join([questions[-1], *remarks])] if len(questions) > 1 else []


def with_day(question: str, before: str, today: date) -> tuple[str, tuple[tuple[str, str], ...]]:
    """A question with the one day that an earlier one names in place of "that day", and how it was read."""
    that_day, spans = _PHRASES["that_day"].search(question), spans_in(before, today)
    if that_day is None or len({day for span in spans for day in (span.first, span.last)}) != 1:
        return question, ()
    day = before[spans[0].at : spans[-1].end]  # Friday the 13th is two words for one day
    return f"{question[: that_day.start()]}{day}{question[that_day.end() :]}", ((that_day.group(), day),)


def asked_again(question: str, before: str) -> str:
    """A question with what it leaves to the one before: all but the word by which it asks (何日で、誰ですか), or of what it asks
    (それは誰が直した); empty for any other."""
    whose = _PHRASES["person_of_a_question"].match(before)
    if whose and not _PHRASES["names_somebody"].search(question) and _DOER.search(question) is None:
        return f"{whose['who']}は{question}"
    thing = _PHRASES["thing_of_a_question"].match(before)
    if thing and not (_DOER.search(question) or _PHRASES["points_back"].search(question)):
        return f"{thing['thing']}は{question}"
    bare, asked = _PHRASES["bare_question"].fullmatch(question.strip()), list(_PHRASES["asked_word"].finditer(before))
    if bare is None or len(asked) != 1:
        return ""
    end = before[asked[0].end() :]
    return f"{before[: asked[0].start()]}{bare['ja']}{question[bare.end('ja') :] if len(end) == 1 else end}"


def leaves_out(question: str, before: str, today: date) -> bool:
    """Whether a question leaves to an earlier one of what, of whom, of which time or of which number it asks.

    English names that or points to it; Japanese leaves out what was said.
    """
    if _PHRASES["points_back"].search(question) or _PHRASES["that_day"].search(question) or not stands(question):
        return True
    if question.isascii():
        return False
    kinds = (
        (_PHRASES["names_somebody"].search(before), _PHRASES["names_somebody"].search(question)),
        (spans_in(before, today), spans_in(question, today)),
        (_NUMBERED.search(before), _NUMBERED.search(question)),
    )
    return any(earlier and not here for earlier, here in kinds)


def _asks(sentence: str) -> bool:
    """Whether a sentence asks openly, and does not only tell what somebody did when."""
    question_word = _PHRASES["question_word"].search(sentence)
    if question_word is None or _PHRASES["tag_question"].search(sentence):
        return False
    return sentence.rstrip(" .…").endswith(("?", "？", "か。", "か")) or (sentence.isascii() and question_word.start() == 0)


def _clauses(sentence: str) -> Iterator[str]:
    """A sentence, divided where a clause asks by a word of its own."""
    begin = 0
    for joint in _PHRASES["joins_questions"].finditer(sentence):
        before, behind = sentence[begin : joint.start()], sentence[joint.end() :]
        if stands(before) and _PHRASES["question_word"].search(behind):
            yield before.strip(" ,、")
            begin = joint.end()
    yield sentence[begin:].strip()


def stands(clause: str) -> bool:
    """Whether a clause has a question word, and says of what it asks: when it was, and on which day, do not."""
    question_word = _PHRASES["question_word"].search(clause)
    if question_word is None:
        return False
    if not clause.isascii():
        return _TOPIC.search(clause[: question_word.start()]) is not None
    words = clause.split()
    return len(words) >= _LEAST_WORDS or any(word[0].isupper() or re.search(r"\d", word) for word in words[1:] if word != "I")
