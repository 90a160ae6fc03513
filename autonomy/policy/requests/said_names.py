"""Tells whether a request uses a name as somebody's or something's, and not as a word of its own sentence.

Whoever calls an account or a page like a word of the request ("summary", "DM", "my page") is not meant by it. Nor is who stands
in a link or a quotation of it: those are mostly words of others.
"""

import re
from collections.abc import Sequence
from functools import lru_cache

from autonomy.policy.policy_words import policy_words
from autonomy.policy.texts.addresses import readable, without_addresses
from autonomy.provenance.sources.origins import Part

MOST_PLACES = 50
"""Places of a name in a text that are looked at."""
_LONGEST = 2_000
"""Characters of a name."""


@lru_cache(maxsize=2_000)
def own_part(text: str, value: str = "") -> str:
    """A text without its links and what it quotes, but for those that are this value or a piece of it; in signs as a reader sees
    them (`readable`)."""
    if whole := _QUOTATION.fullmatch(text.strip()):
        text = whole[0][1:-1]  # who puts the whole of it into quotation marks quotes nobody
    letters = _letters(value[:_LONGEST])

    def keeps(said: str) -> bool:
        return _letters(said) in letters

    def quoted(found: re.Match[str]) -> str:
        return found[0] if keeps(found[0]) else f"{found[0][0]} {found[0][-1]}"

    return without_addresses(_QUOTATION.sub(quoted, text), keeps)


def is_said_itself(value: str, texts: Sequence[str]) -> bool:
    """Whether any of these texts holds a value in its own part, or none of them holds it as it is written."""
    held = [text for text in texts if value.casefold() in text.casefold()]
    whole = re.compile(rf"(?<![a-z0-9_]){re.escape(readable(value).casefold())}(?![a-z0-9_])")
    return not held or any(whole.search(own_part(text, value).casefold()) for text in held)


def said_in_other_number(value: str, texts: Sequence[str]) -> str:
    """The words by which a text calls a thing of several words in the singular where its name is in the plural, or the other way
    round (`washer 6mm` of `washers 6 mm`); empty where none does. One word alone says too little: it may be any."""
    wanted = in_singular(value)
    if len(wanted) < _FEWEST_WORDS:
        return ""
    for text in texts:
        said = own_part(text, value)
        words = list(_WORD_OR_FIGURE.finditer(said))[:_LONGEST]
        folded = [_singular(word[0]) for word in words]
        for at in range(len(folded) - len(wanted) + 1):
            if folded[at : at + len(wanted)] == wanted:
                return said[words[at].start() : words[at + len(wanted) - 1].end()]
    return ""


def in_singular(text: str) -> list[str]:
    """The words and figures of a name, each in the singular."""
    return [_singular(word[0]) for word in _WORD_OR_FIGURE.finditer(readable(text[:_LONGEST]))]


def _singular(word: str) -> str:
    """A word or unit without the ending of the plural, in small letters; a short one has none (`bus`, `gas`)."""
    word = word.casefold()
    if len(word) <= len("gas"):
        return word
    found = _PLURAL.search(word)
    return word[: found.start()] + ("y" if found[0] == "ies" else "") if found else word


_WORD_OR_FIGURE = re.compile(r"[^\W\d_]{1,60}|\d[\d.,]{0,20}")
_PLURAL = re.compile(r"ies$|(?<=x)es$|(?<=[csz]h)es$|(?<=ss)es$|(?<![sui])s$")
_FEWEST_WORDS = 2


def says_more(text: str, parts: Sequence[Part]) -> bool:
    """Whether letters or figures stand beside the facts that were found in a text: `a@b.example mallory` goes to two."""
    if any(part.fact is None for part in parts):
        return False
    signs = list(text)
    for part in parts:
        if part.fact is not None:
            signs[part.fact.start : part.fact.end] = " " * (part.fact.end - part.fact.start)
    return any(map(str.isalnum, signs))


def _letters(text: str) -> str:
    return "".join(filter(str.isalnum, text)).casefold()


_QUOTATION = re.compile(
    r"(?<![A-Za-z0-9])'[^'\n]{1,400}'(?![A-Za-z0-9])|\"[^\"\n]{1,400}\"|「[^」]{1,400}」|『[^』]{1,400}』|“[^”]{1,400}”"
)


@lru_cache(maxsize=2_000)
def stands_as_name(name: str, text: str) -> bool:
    """Whether a name stands in a text where a name can stand: whole, with a sign, in capitals within a sentence, or behind a word
    that a name follows ("to general", "the general channel")."""
    name = name.strip()
    if not name or len(name) > _LONGEST or text.strip().casefold() == name.casefold():
        return True
    if name in policy_words("never_names"):
        return False
    places = list(re.finditer(re.escape(name), text, re.IGNORECASE))[:MOST_PLACES]
    return not places or any(_is_name_at(text, found.start(), found.end()) for found in places)


def _is_name_at(text: str, start: int, end: int) -> bool:
    name, before = text[start:end], text[:start].rstrip()
    if not (name.isascii() and name.replace(" ", "").isalpha()):
        return True
    if _is_joined(text[start - 1 : start] if start else "", text[end : end + 2]):
        return True
    words = [word.lower() for word in re.findall(r"[A-Za-z]+", text[max(0, start - _NEAR) : start])][-2:]
    last, last_but_one = (*reversed(words), "", "")[:2]
    behind = (re.match(r"\s{1,9}([A-Za-z]+)", text[end : end + _NEAR]) or ("", ""))[1].lower()
    first = name.split()[0].lower()
    if first in _LISTS["determiners"]:
        return False
    is_placed = last in _LISTS["determiners"] and last_but_one in _LISTS["before_a_place"]
    if text[start - 1 : start] in _QUOTES and start:
        return is_placed or last in _LISTS["before_a_name"] | _LISTS["kinds_of_places"] | _LISTS["calling"]
    if name != name.lower():  # what begins a sentence is in capitals whatever it is
        return " " in name or bool(words and before[-1:] not in ".!?;:\n")
    if last in _LISTS["before_a_name"] | _LISTS["kinds_of_places"] | _LISTS["said_to_people"]:
        return True
    return is_placed or (last in _LISTS["determiners"] and behind in _LISTS["kinds_of_places"])


def _is_joined(before: str, behind: str) -> bool:
    """Whether a sign stands beside it with which names are written, or letters of a language without blanks, quoted too."""
    is_before = before != "" and (before in "@#/<`" or not before.isascii())
    return is_before or behind[:1] in ("/", "@", "`") or behind == "'s" or not behind.isascii()


_LISTS = {kind: frozenset(words) for kind, words in policy_words("said_names").items()}
_QUOTES, _NEAR = "\"'“‘", 80
