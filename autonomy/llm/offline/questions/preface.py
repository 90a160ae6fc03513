"""Takes out of a message what speaks of the asking alone: that somebody asks, hurries, forgot, thanks, is sorry.

It is told by its words, all of which are of that kind, and by where it ends: at a stop, a dash, or the word by which the question
asks. A clause with any other word says something, and stays.
"""

import re
from collections.abc import Sequence

from metrics.text.phrases import patterns_of

_PHRASES = patterns_of("autonomy.llm.offline")
_ASKING, _JOINING = _PHRASES["of_the_asking"], _PHRASES["beside_the_asking"]
_SMALL_TALK, _BESIDE_SMALL_TALK = _PHRASES["of_small_talk"], _PHRASES["beside_small_talk"]
_TOLD = re.compile(r"[^.?!…。？！\n]+[.!…。！\n]+\s*(?=\S)")
"""A sentence at the beginning that asks nothing."""
_GAP = re.compile(r"[\s'’\"(]+")
_STOP = re.compile(r"[\s)]*(?:[,.!?…:;、。！？：〜]+|\s[–—-]+(?=\s)|[–—])[\s)]*")
_SENTENCE = re.compile(r"(?<=[.?!…。？！])\s*(?=\S)|(?<=[,、])\s*(?=\S)")
_PARENTHESIS = re.compile(r"\s*[(（](?P<inside>[^()（）]{1,60})[)）]")
_QUESTION = re.compile(r"\w\W+\w+\W+\w|\w{4}")
"""What may be a question by itself: at least three words, or four letters in a row."""


def without_preface(message: str) -> str:
    """A message without the clauses at its beginning and its end that are about the asking alone; one of nothing else stays.

    So are whole sentences of small talk before it, unless the rest points back to one."""
    end = 0
    while (chat := _TOLD.match(message, end)) and is_small_talk(chat.group()) and _QUESTION.search(message, chat.end()):
        end = chat.end()
    if end and not _PHRASES["points_back"].search(_PHRASES["points_to_nothing"].sub(" ", message[end:])):
        message = message[end:]
    message = _PARENTHESIS.sub(lambda one: " " if _is_of_the_asking(one["inside"]) else one.group(), message)
    begin = _end_of_preface(message)
    while begin and (joint := _PHRASES["joins_a_preface"].match(message, begin)):
        begin = joint.end()
    text = message[begin:] if _QUESTION.search(message, begin) else message
    return _without_close(text)


def _end_of_preface(message: str) -> int:
    """Where the last clause ends that begins the message and speaks of the asking alone."""
    at = end = 0
    asks = leads = False
    while at < len(message):
        if stop := _STOP.match(message, at):
            at = stop.end()
            end, leads, asks = (at, False, False) if asks else (end, leads, asks)
        elif gap := _GAP.match(message, at):
            at = gap.end()
        elif leads and _PHRASES["question_word"].match(message, at):
            return at
        elif leads and (whether := _PHRASES["whether"].match(message, at)):
            at = end = whether.end()
        elif word := _ASKING.match(message, at):
            leads = leads or _PHRASES["leads_to_an_asking"].match(message, at) is not None
            at, asks = word.end(), True
        elif word := _JOINING.match(message, at):
            at = word.end()
        else:
            break
    return end


def _without_close(text: str) -> str:
    """A text without its last clauses, where they speak of the asking alone; nor what does behind the か that asks."""
    for found in reversed(list(_SENTENCE.finditer(text))):
        if not _is_of_the_asking(text[found.end() :]):
            break
        if _QUESTION.search(text[: found.start()]):
            text = text[: found.start()].rstrip(" ,、")
    if (asked := _PHRASES["asks_to_know"].search(text)) and _is_of_the_asking(text[asked.end() :]):
        return text[: asked.start()] + asked["asks"]
    return text


def _is_of_the_asking(clause: str) -> bool:
    """Whether every word of a clause is about the asking, and not only joins."""
    return _consists(clause, (_ASKING,), (_JOINING,))


def is_small_talk(sentence: str) -> bool:
    """Whether every word of a sentence tells how somebody is, or is about the asking."""
    return _consists(sentence, (_SMALL_TALK,), (_ASKING, _BESIDE_SMALL_TALK, _JOINING))


def _consists(clause: str, of: Sequence[re.Pattern[str]], beside: Sequence[re.Pattern[str]]) -> bool:
    """Whether a clause holds words of some kinds, and beside them none but of others."""
    at, held = 0, False
    while at < len(clause):
        word = next((one for kind in of if (one := kind.match(clause, at))), None)
        found = word or next((one for kind in (_STOP, _GAP, *beside) if (one := kind.match(clause, at))), None)
        if found is None or found.end() == at:
            return False
        at, held = found.end(), held or word is not None
    return held
