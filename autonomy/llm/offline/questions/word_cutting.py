"""Takes words out of a text where they stand alone, and tells verbs and clauses from names."""

import re
from collections.abc import Set

from autonomy.llm.offline.vocabulary import LANGUAGES, LIGHT_WORDS
from metrics.text.phrases import patterns_of

FUNCTION_WORDS = frozenset(word for language in LANGUAGES.values() for word in language.function_words)
PARTICLES = "のはがをにでへともや"
KANA = re.compile("[\u3041-\u309f]+")
KANJI = r"[\u3400-\u9fff々]"
LETTER = r"[A-Za-z0-9_'’\-]"
_PHRASES = patterns_of("autonomy.llm.offline")
VERB = re.compile(
    rf"(?:{KANJI}|[\u30a0-\u30fb\u30fd-\u30ff]|(?<![\u3041-\u309f])ー)[\u3041-\u309f]*[たるていすうくつむぶぬぐかばなら]$|^[\u3041-\u309f]$"
)
"""A verb or adjective with its ending, or a lone kana: no name, as long as there is another piece. そーた is none."""
_KEPT = "\u2060"
"""Stands between the letters of a word that is to stay whole; it shows nowhere."""
CLAUSE = re.compile(rf"(?:{KANJI}|[\u30a0-\u30ff])[ま]?[のがをにはでとへ](?:{KANJI}|[\u30a0-\u30ff])")
"""A particle between two words: no name, but a stretch of a sentence."""


def light_words(about: frozenset[str]) -> set[str]:
    """The words that say little beside a tool that is about this."""
    return {word for word, concepts in LIGHT_WORDS.items() if any(f"#{concept}" in about for concept in concepts)}


def words_taken_out(words: Set[str], text: str, instead: str) -> str:
    """A text without these words where they stand alone, the longest first."""
    for word in sorted(words, key=lambda word: (-len(word), word)):
        if stands_alone(word, text):
            text = re.sub(_alone(word), instead, text)
    return text


def without_words(words: Set[str], text: str) -> str:
    """A text without these words where they stand alone, and are no part of a longer word in kana."""
    return words_taken_out(words, _PHRASES["within_a_word"].sub(_kept, text), " ").replace(_KEPT, "")


def _kept(word: re.Match[str]) -> str:
    """A word in kana that no shorter one is taken out of: ぶどう holds no どう."""
    return _KEPT.join(word.group())


def stands_alone(word: str, text: str) -> bool:
    """Whether a word stands alone in a text; most are not there at all, and their patterns need not be compiled to know it."""
    return word.casefold() in text.casefold() and re.search(_alone(word), text) is not None


def _alone(word: str) -> str:
    """A pattern for a word: one of a single character, or of Latin letters, only where it stands by itself."""
    if word.isascii():
        return rf"(?i:(?<!{LETTER}){re.escape(word)}(?!{LETTER}))"
    if len(word) == 1:
        return rf"(?<!{KANJI}){re.escape(word)}(?!{KANJI})"
    return re.escape(word)
