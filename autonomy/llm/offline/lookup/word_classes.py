"""Tells which English words tell the same or the contrary, as a dictionary does.

`data/word_classes.json` is taken from WordNet 3.1, whose licence stands beside it: of the words that its tagged texts use at
least three times, verbs that are a noun in at most three of ten uses, and synonyms that share what each of them mostly means.
No word was chosen for a question.
"""

import re
from collections.abc import Iterable
from functools import lru_cache
from pathlib import Path

from autonomy.llm.offline.lookup_words import base_of
from discovery.catalog import Frozen
from discovery.text.search_terms import stem

DATA = Path(__file__).parents[1] / "data" / "word_classes.json"
_NOUN_ENDINGS = re.compile(r"(?<=\w{4})(?:ment|ness)s?$|(?<=\w{3})ly$")
"""Make of a verb or an adjective a noun, or an adverb, that tells the same."""
_ACTION_ENDING = re.compile(r"(?<=\w{4})ions?$")


Lines = tuple[str, ...]


class WordClasses(Frozen):
    """Lines of words with blanks between, and strokes between those of one group."""

    source: str
    verbs: Lines
    opposites: Lines
    """Words that deny one another."""
    synonyms: Lines
    """Words that tell the same."""


_READ = WordClasses.model_validate_json(DATA.read_text(encoding="utf-8"))  # with the module, off the event loop


@lru_cache(maxsize=1)
def _words() -> dict[str, list[str]]:
    return {kind: " ".join(lines).split() for kind, lines in _READ if kind != "source"}


@lru_cache(maxsize=1)
def _verbs() -> frozenset[str]:
    """The stems of all verbs."""
    return frozenset(map(stem, _words()["verbs"]))


@lru_cache(maxsize=2)
def _linked(kind: str) -> dict[str, tuple[str, ...]]:
    """By the stem of a word, the other words of its groups."""
    found: dict[str, tuple[str, ...]] = {}
    for group in (one.split("/") for one in _words()[kind]):
        for word in group:
            found[stem(word)] = (*found.get(stem(word), ()), *(other for other in group if other != word))
    return found


def synonyms_of(word: str) -> tuple[str, ...]:
    """Other words that mostly mean the same, and the word from which this one is made (measure of measurement)."""
    low = word.lower()
    bare = _NOUN_ENDINGS.sub("", low)
    if bare == low and (cut := _ACTION_ENDING.sub("", low)) != low and stem(cut) in _verbs():
        bare = cut
    return (*([bare] if bare != low else []), *_linked("synonyms").get(stem(base_of(low)), ()))


def denials_of(words: Iterable[str]) -> list[str]:
    """The words that deny one of these."""
    return [other for word in words for other in _linked("opposites").get(stem(base_of(word)), ())]
