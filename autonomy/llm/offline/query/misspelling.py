"""Corrects a misspelt word of a question to the one known word that is a letter away."""

import re
from collections.abc import Iterable
from functools import lru_cache

from autonomy.llm.offline.lookup_words import everyday_words, spoken_words
from autonomy.llm.offline.query.query_words import WORDS
from autonomy.llm.offline.vocabulary import CONCEPTS, LANGUAGES, LIGHT_WORDS

_WORD = re.compile(r"(?<![\w#@./-])[A-Za-z]{3,}(?![\w./-])|[\u30a1-\u30ff]{4,}")
_LEAST_CHANGED = 4
"""A shorter word is another one with any letter changed; two of its letters may be exchanged."""
_LEAST_SEEN = 6
"""The same for what is only known from texts, as these hold any word; Japanese syllables count for two letters."""


def respelled(goal: str, names: Iterable[str], texts: Iterable[str] = ()) -> tuple[str, list[tuple[str, str]]]:
    """The question with its misspelt words mended, and which those are.

    `names` of people are known words, too, also with an s behind them; so are the words of `texts` that were read for it."""
    name_parts = frozenset(part.casefold() for name in names for part in name.split() if part.isascii())
    seen = frozenset(word for text in texts for word in _WORD.findall(text.casefold()))
    mended = [(word, mend) for word in dict.fromkeys(_WORD.findall(goal)) if (mend := _meant(word.casefold(), name_parts, seen))]
    for word, mend in mended:
        goal = re.sub(rf"\b{word}\b" if word.isascii() else word, mend, goal)
    return goal, mended


def without_apostrophe(goal: str) -> list[str]:
    """The words of a question that may be a name with an s behind it, as they are no known words."""
    known_words = _known_words()
    return [word for word in _WORD.findall(goal) if word.islower() and word.endswith("s") and not {word, word[:-1]} & known_words]


def with_apostrophe(goal: str, words: Iterable[str], names: Iterable[str]) -> str:
    """The question with those of its words as a possessive that are one of the names with an s behind it."""
    folded_names = frozenset(map(str.casefold, names))
    for word in words:
        if owner := _owner(word, folded_names):
            goal = re.sub(rf"\b{word}\b", owner, goal)
    return goal


def with_capitals(goal: str, names: Iterable[str]) -> str:
    """The question with the names of people as they are written (owen: Owen), but for those that are words as well."""
    parts = {part for name in names for part in name.split() if part.isascii() and part.isalpha() and len(part) > 2}
    for part in sorted(parts - {one for one in parts if one.casefold() in _known_words()}):
        goal = re.sub(rf"(?<![\w@#./-]){part.lower()}\b(?![@/-])", part.capitalize(), goal)
    return goal


def _owner(word: str, names: frozenset[str]) -> str:
    return f"{word[:-1].capitalize()}'s" if word.endswith("s") and word[:-1] in names else ""


@lru_cache(maxsize=1)
def _known_words() -> frozenset[str]:
    phrases = [*WORDS, *LIGHT_WORDS, *(word for group in CONCEPTS for word in group), *spoken_words()]
    phrases += [word for one in LANGUAGES.values() for word in (*one.function_words, *one.days, *one.weekdays, *one.weeks)]
    return frozenset(word for phrase in phrases for word in re.findall("[a-z]+", phrase.casefold()))


def _meant(word: str, names: frozenset[str], seen: frozenset[str]) -> str:
    """The one known word a letter away; empty for a word that is known, or an everyday one, or may mean several.

    Two letters that are exchanged come first, then one too many or too few; another letter is only mended in a name, and in a
    long word that was read."""
    if owner := _owner(word, names):
        return owner
    known_words = _known_words() | names
    right = known_words | seen | everyday_words()
    if any(word.removesuffix(ending) in right for ending in ("", "s", "d", "ed", "ing", "ly")):
        return ""
    near = _near(word, known_words, names)
    if not near and len(word) * (1 if word.isascii() else 2) >= _LEAST_SEEN:
        near = _near(word, seen, seen)
    return near[0] if len(near) == 1 else ""


def _near(word: str, known_words: frozenset[str], changeable: frozenset[str]) -> list[str]:
    """The words a letter away: with two exchanged, else with one more or less, else with another one."""
    near = [other for other in known_words if other[0] == word[0] or len(word) == len(other)]
    swapped = [other for other in near if len(other) == len(word) and sorted(other) == sorted(word) and _differ(word, other) == 2]
    longer = [one for one in near if abs(len(one) - len(word)) == 1 and len(word) >= _LEAST_CHANGED and _is_one_longer(one, word)]
    changed = [
        one for one in changeable if len(one) == len(word) > _LEAST_CHANGED and one[0] == word[0] and _differ(word, one) == 1
    ]
    return sorted(swapped or longer or changed)


def _differ(one: str, other: str) -> int:
    return sum(left != right for left, right in zip(one, other, strict=True))


def _is_one_longer(one: str, other: str) -> bool:
    long, short = (one, other) if len(one) > len(other) else (other, one)
    return any(long[:at] + long[at + 1 :] == short for at in range(1, len(long)))
