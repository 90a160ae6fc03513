"""Reads which concepts a text tells of (a feeling, a trouble, a reason, a refusal …), in Japanese and English.

A concept is a class of words that mean alike in both languages, so that a sentence and the messages that it retells can be
compared across languages, and in other words.
"""

import re
from collections.abc import Iterator
from functools import cache, lru_cache
from typing import NamedTuple

from autonomy.provenance.text.normalize import normalize
from autonomy.provenance.text.word_data import load_words
from metrics.text.phrases import lazy_pattern, patterns_of

_PHRASES = patterns_of("autonomy.provenance")
OF_THEIR_OWN: frozenset[str] = frozenset(load_words("concepts")["of_their_own"])
"""Concepts that only the person can tell of whom they are told: feelings."""

EVENTS: frozenset[str] = frozenset(load_words("concepts")["events"])
"""Concepts of what happens, which may be feared, wished for or asked and never come true."""


class Concept(NamedTuple):
    """A class of words, as `data/concepts.json` has it."""

    told: re.Pattern[str]
    """The words that tell of it beyond doubt."""
    heard: re.Pattern[str]
    """These, and the words by which a message may give reason to tell of it."""


@cache
def concepts() -> dict[str, Concept]:
    """All concepts by name."""
    entries: dict[str, dict[str, list[str]]] = load_words("concepts")["concepts"]
    told = {name: _either(entry["ja"], entry["en"]) for name, entry in entries.items()}
    also = {name: _either(entry.get("ja_also", []), entry.get("en_also", [])) for name, entry in entries.items()}
    akin = {name: [told[other] for other in entry.get("akin", ())] for name, entry in entries.items()}
    heard = {name: "|".join([told[name], *akin[name], also[name]]) for name in entries}
    return {name: Concept(re.compile(told[name], re.IGNORECASE), lazy_pattern(heard[name], re.IGNORECASE)) for name in entries}


def _either(ja: list[str], en: list[str]) -> str:
    return "|".join([*ja, *([rf"\b(?:{'|'.join(en)})\b"] if en else [])]) or "(?!)"


@lru_cache(maxsize=5_000)
def told_in(text: str) -> frozenset[str]:
    """The concepts of which a text tells."""
    plain = without_double_negation(text)
    return frozenset(name for name, concept in concepts().items() if concept.told.search(plain))


def word_of(name: str, text: str) -> str:
    """The word by which a text tells of a concept; empty where it does not."""
    found = concepts()[name].told.search(without_double_negation(text))
    return found.group() if found else ""


def is_heard(name: str, texts: str) -> bool:
    """Whether messages give reason to tell of a concept."""
    return bool(concepts()[name].heard.search(texts))


def without_double_negation(text: str) -> str:
    """A normalised text without the denials that affirm: 構いません, かもしれません."""
    return _PHRASES["affirms_by_denying"].sub(" ", normalize(text))


def is_only_open(name: str, clause: str, texts: str) -> bool:
    """Whether messages tell of a concept only as feared, wished for, asked or supposed, and a clause tells of it as a fact."""
    if _PHRASES["keeps_open"].search(clause) or _PHRASES["supposed"].search(normalize(clause)):
        return False
    heard = [part for part in _parts(normalize(texts)) if concepts()[name].heard.search(part)]
    return bool(heard) and all(_PHRASES["supposed"].search(part) or _PHRASES["is_feared"].search(part) for part in heard)


def _parts(text: str) -> Iterator[str]:
    return (part for part in _SENTENCES.split(text) if part.strip())


_SENTENCES = re.compile(r"[。\n!！?？]|\. ")
