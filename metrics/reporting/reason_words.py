"""Translates the stable English reasons of a run into the reader's language.

The journal, the model and old records hold reasons in English. As in gettext, the English sentence with its placeholders is the
key of its translation: it is matched against the text to extract the values, which are then put into the Japanese sentence.
Words of a person, of an operator's rule or of a server match no sentence and stay as they are.
"""

import re
from collections.abc import Iterator, Mapping
from functools import cache, lru_cache, reduce

from metrics.reporting.sentence_forms import SentenceForms
from metrics.text.word_files import Words, read_words

LONGEST = 4_000
"""Characters. A longer reason quotes a whole answer and is not translated."""
MOST_PARTS = 30
"""How many neighbouring parts are joined at most, in case a value contains the separator "; " itself."""
MOST_TRIES = MOST_PARTS**2
"""How many parts or joined parts are compared with the sentences at most. A text of more parts is not translated."""
DEEPEST = 5
"""How deep reasons are nested at most, as in: it stays a draft, because a call is not allowed, because nobody can be asked, …"""

_CATALOG = read_words("metrics.reporting", "reasons")

SENTENCES: Mapping[str, str] = {
    english: japanese for part in _CATALOG["sentences"].values() for english, japanese in part.items()
}
"""The English sentence with its placeholders → the Japanese one with the same placeholders."""

TERMS: Mapping[str, str] = _CATALOG["terms"]
"""Words that occur as values in a sentence, and the names of the policy's own rules."""

RULES: Mapping[str, str] = _CATALOG["rules"]
"""The kinds of rules that an answer is checked against, as a job file calls them."""

ENDINGS: Words = _CATALOG["endings"]
"""How a run ended, in Japanese and in English."""

LANGUAGES: Mapping[str, str] = _CATALOG["languages"]
"""The languages that a text can be required to be written in, by code (as older records hold them)."""

HOLIDAYS: Mapping[str, str] = _CATALOG["holidays"]
"""The public holidays of Japan, for which a tick is left out, and their names in English as the Cabinet Office gives them."""

GAPS: Mapping[str, str] = _CATALOG["gaps"]
"""What can be left unread of a need, as it stands behind each name."""

_NESTED = frozenset({"why", "rule", "sink", "effect", "what", "free", "state"})
"""Placeholders whose value can itself be a sentence or word to translate."""
_CLOSED = frozenset({"sink", "effect"})
"""Placeholders whose value is always one of `TERMS`. If it is not, somebody else wrote the sentence."""

_CORNERS = re.compile("『([^『』]*)』")
"""A quotation of the run's text. These brackets mark it unambiguously."""


def reason_in(language: str, text: str) -> str:
    """Return a reason in the reader's language; a text that is none of our sentences stays as it is."""
    return _in_japanese(text) if language == "ja" else _holiday_in_english(text) or _CORNERS.sub(r'"\1"', text)


def _holiday_in_english(text: str) -> str:
    """Return the English name of a Japanese public holiday; empty for any other text."""
    name, _, substitute = text.partition(" ")
    if name not in HOLIDAYS or substitute not in ("", "振替休日"):
        return ""
    return f"{HOLIDAYS[name]} (substitute holiday)" if substitute else HOLIDAYS[name]


def rule_in(language: str, name: str) -> str:
    """Return the name of a rule in the reader's language; an operator's own name stays as it is."""
    if language != "ja":
        return name
    kind, colon, rest = name.partition(": ")
    if name.startswith("need "):
        kind, colon, rest = "need", " ", name.removeprefix("need ")
    if colon and kind in RULES:
        # behind others stands the name that a job gave its need: `draft` is no word of ours there
        return f"{RULES[kind]}{colon}{TERMS.get(rest, rest) if kind == 'claim' else rest}"
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
    """Yield each clause, and whether it could be translated. Parts are joined again if a value contains the separator itself."""
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
