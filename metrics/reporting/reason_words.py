"""Translates the stable English reasons of a run into the reader's language.

A reason is written once, in English: the journal, the model and old records hold that text, and the sentence with its places is
its own key, as in gettext. Here each has its Japanese, and the values are taken out of the text again. Words of a person, of an
operator's rule or of a server are no sentence of ours and stand as they are.
"""

import re
from collections.abc import Iterator, Mapping
from functools import cache, lru_cache, reduce

from metrics.reporting.sentence_forms import SentenceForms
from metrics.text.word_files import Words, read_words

LONGEST = 4_000
"""Characters of a reason that are read; a longer one quotes a whole answer and is shown as it is."""
MOST_PARTS = 30
"""Clauses that are put together again when a value holds the mark between two of them."""
MOST_TRIES = MOST_PARTS**2
"""Clauses, put together or alone, that are compared with our sentences; a text of more clauses is not ours and is shown as it is."""
DEEPEST = 5
"""Reasons within reasons: a draft stays one, because a call is not allowed, because nobody can be asked, and what to do then."""

_CATALOG = read_words("metrics.reporting", "reasons")

SENTENCES: Mapping[str, str] = {
    english: japanese for part in _CATALOG["sentences"].values() for english, japanese in part.items()
}
"""The English sentence with its places → the Japanese one with the same places."""

TERMS: Mapping[str, str] = _CATALOG["terms"]
"""Words that stand as values in a sentence, and the names of the policy's own rules."""

RULES: Mapping[str, str] = _CATALOG["rules"]
"""The kinds of rules that an answer is held against, as a job file calls them."""

ENDINGS: Words = _CATALOG["endings"]
"""How a run ended, in Japanese and in English."""

LANGUAGES: Mapping[str, str] = _CATALOG["languages"]
"""What a text has to be written in; older records hold the code."""

GAPS: Mapping[str, str] = _CATALOG["gaps"]
"""What was not read of a need, behind each name."""

_NESTED = frozenset({"why", "rule", "sink", "effect", "what", "free", "state"})
"""Places that hold a sentence or a word of ours."""
_CLOSED = frozenset({"sink", "effect"})
"""Places that hold a word of ours and nothing else: without one, somebody else wrote the sentence."""


_CORNERS = re.compile("『([^『』]*)』")
"""A quotation of the run's text, marked so that it can be taken out of a sentence again."""


def reason_in(language: str, text: str) -> str:
    """A reason as this reader reads it; what is no sentence of ours stays as it is."""
    return _in_japanese(text) if language == "ja" else _CORNERS.sub(r'"\1"', text)


def rule_in(language: str, name: str) -> str:
    """The name of the rule that decided; an operator's own stays as it is."""
    if language != "ja":
        return name
    kind, colon, rest = name.partition(": ")
    if name.startswith("need "):
        kind, colon, rest = "need", " ", name.removeprefix("need ")
    if colon and kind in RULES:
        return f"{RULES[kind]}{colon}{TERMS.get(rest, rest)}"
    return TERMS.get(name) or RULES.get(name, name)


@lru_cache(maxsize=2_000)
def _in_japanese(text: str, depth: int = DEEPEST) -> str:
    if depth == 0 or len(text) > LONGEST:
        return text
    parts = text.split("; ")
    if len(parts) > MOST_TRIES:
        return text
    clauses = list(_clauses(parts, depth))
    return "。".join(clause for clause, _ in clauses) if any(is_translated for _, is_translated in clauses) else text


def _clauses(parts: list[str], depth: int) -> Iterator[tuple[str, bool]]:
    """Each clause, and whether it is ours; one whose value holds the mark itself is put together again."""
    at, most = 0, min(MOST_PARTS, MOST_TRIES // len(parts))
    while at < len(parts):
        upto = min(len(parts), at + most)
        for end in range(at + 1, upto + 1):
            if (translated := _clause("; ".join(parts[at:end]), depth)) is not None:
                break
        else:
            translated, end = None, at + 1
        yield (parts[at], False) if translated is None else (translated, True)
        at = end


def _clause(text: str, depth: int) -> str | None:
    for other, values in _forms().matching(text):
        if all(values[name] in TERMS for name in _CLOSED & values.keys()):
            return other.format(**{name: _shown(name, value, depth) for name, value in values.items()})
    return None


def _shown(place: str, text: str, depth: int) -> str:
    if place in ("gaps", "what"):
        text = reduce(lambda sentence, gap: sentence.replace(gap, GAPS[gap]), GAPS, text)
    if place == "endings":
        return "、".join(ENDINGS[one]["ja"] if one in ENDINGS else one for one in text.split(", "))
    if place == "language":
        return LANGUAGES.get(text, text)
    if place not in _NESTED:
        return text
    return TERMS.get(text) or (rule_in("ja", text) if text.startswith("need ") else _in_japanese(text, depth - 1))


@cache
def _forms() -> SentenceForms:
    return SentenceForms(SENTENCES)
