"""Splits text into sentences and extracts their terms, to compare them with evidence."""

import re
from collections.abc import Iterator, Sequence
from functools import cache, lru_cache
from typing import NamedTuple

from autonomy.provenance.text.normalize import SHORT, normalize
from autonomy.provenance.text.word_data import alternatives, load_words

FEWEST_TERMS = 3
"""With fewer telling terms a sentence says nothing that could be looked up."""
LONGEST_SENTENCE = 2_000
MOST_SENTENCES = 5_000


class Sentence(NamedTuple):
    """One sentence and its half-open range in the text."""

    text: str
    start: int
    end: int
    heading: bool


def sentences_in(text: str) -> Sequence[Sentence]:
    """The sentences of a Japanese or English text, without bullets and marks of emphasis; headings are told apart."""
    return _sentences_of_answer(text) if len(text) <= LONGEST_ANSWER else tuple(_sentences(text))


LONGEST_ANSWER = 4_000
"""Characters of a text whose sentences are remembered: twenty checks of one answer ask for them."""


@lru_cache(maxsize=256)
def _sentences_of_answer(text: str) -> tuple[Sentence, ...]:
    return tuple(_sentences(text))


def _sentences(text: str) -> Iterator[Sentence]:
    found = 0
    for line in _LINE.finditer(text):
        mark = _BULLET.match(line.group())
        begin = line.start() + (mark.end() if mark else 0)
        heading = bool(mark and "#" in mark.group()) or bool(_HEADING.fullmatch(text[begin : line.end()]))
        for match in _SENTENCE.finditer(text, begin, line.end()):
            stripped = match.group().strip(" \t　*_")
            if stripped and found < MOST_SENTENCES:
                found += 1
                start = match.start() + match.group().find(stripped)
                yield Sentence(stripped, start, start + len(stripped), heading)


_LINE = re.compile(r"[^\n]+")
_BULLET = re.compile(r"\s{0,40}(?:(?:[-*+•・]|\d{1,3}[.)](?!\d)|[>|])\s*|#{1,6}\s+)?")
_HEADING = re.compile(r"\*\*.{1,60}\*\*[:：]?\s*|.{1,40}[:：]\s*|[\s|:-]*|【.{1,40}】\s*")
_ABBREVIATED = "|".join(
    rf"(?<=\b{word})\." for word in (r"i\.e", r"e\.g", "vs", "approx", "incl", "excl", "resp", "Mr", "Ms", "Mrs", "Dr")
)
"""Full stops that end no sentence."""
_QUOTED = r"「[^「」\n]{1,200}」(?=[\u3041-\u309f、])|\"[^\"\n]{1,200}\"(?=,? [a-z])|“[^“”\n]{1,200}”(?=,? [a-z])"
"""A quotation behind which the sentence goes on, however many sentences stand inside."""
_SENTENCE = re.compile(rf"(?:{_QUOTED}|[^。！？!?.]|[.!?](?!\s)|{_ABBREVIATED}){{1,{LONGEST_SENTENCE}}}[。！？!?.]*[」』）)\"]?")

WORD = re.compile(r"[a-z0-9][a-z0-9_]+")
"""A Latin word of a text in lower case."""
_TERM = re.compile(rf"{WORD.pattern}|[\u30a1-\u30ff\u3400-\u9fff々\uac00-\ud7af]+[\u3041-\u3096]?")


def terms(text: str) -> frozenset[str]:
    """The telling terms of a text: Latin words, and pairs of neighbouring kanji and katakana (with the kana that follows
    them)."""
    return _terms_of_short(text) if len(text) <= SHORT else terms_of_lower(normalize(text).lower())


@lru_cache(maxsize=20_000)  # the words of a sentence come again and again
def _terms_of_short(text: str) -> frozenset[str]:
    return terms_of_lower(normalize(text).lower())


def terms_of_lower(text: str) -> frozenset[str]:
    """`terms` of a text that is normalised and in lower case already."""
    found: set[str] = set()
    for run in _TERM.findall(text):
        if run.isascii():
            found.add(stem(run))
        else:
            found.update(map(str.__add__, run, run[1:]))
    return frozenset(found - {""})


@lru_cache(maxsize=20_000)
def stem(word: str) -> str:
    """A word without the commonest endings; empty for one that says nothing."""
    if word in _stop_words():
        return ""
    for ending in ("ing", "ed", "es", "s"):
        if len(word) > len(ending) + 3 and word.endswith(ending):
            return word.removesuffix(ending)
    return word


@cache
def _stop_words() -> frozenset[str]:
    return frozenset(load_words("sentences")["stop_words"])


def says_nothing(sentence: Sentence, sentence_terms: frozenset[str]) -> bool:
    """Whether a sentence needs no source: a heading, a greeting, a note on how the question was read, an admission that something
    was not there, or no content."""
    return sentence.heading or len(sentence_terms) < FEWEST_TERMS or bool(_neutral().search(sentence.text))


@cache
def _neutral() -> re.Pattern[str]:
    words = load_words("sentences")
    # An admission or a courtesy counts only where it ends the sentence or makes up most of it.
    at_the_end = rf"(?:{alternatives([*words['neutral'], *words['absence']])})[^。.]{{0,12}}[。.!！]?[)）]?$"
    return re.compile(rf"^(?:{alternatives(words['notes'])})|{at_the_end}", re.IGNORECASE)
