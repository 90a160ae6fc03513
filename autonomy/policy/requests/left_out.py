"""Tells whom a request leaves out: "everyone except Kenta", 「健太さん以外」.

Whoever stands nowhere else in it gets nothing unasked: he knows that he is named there, and may write what makes a run tell him.
"""

import re
from collections.abc import Collection
from functools import cache, lru_cache

from autonomy.policy.policy_words import policy_words

MOST_PLACES = 50
"""Places of a name in a text that are looked at."""
_BEFORE, _BEHIND = 160, 80
"""Characters around a name in which it is said."""


@lru_cache(maxsize=2_000)
def is_left_out(name: str, words: str) -> bool:
    """Whether a name stands in a text, and each time among those whom the text leaves out."""
    bounded = rf"(?<![A-Za-z0-9_]){re.escape(name)}(?![A-Za-z0-9_])" if name.isascii() else re.escape(name)
    places = [found.span() for found in re.finditer(bounded, words, re.IGNORECASE)][:MOST_PLACES] if name.strip() else []
    return bool(places) and all(
        _behind_an_exclusion().search(words[max(0, start - _BEFORE) : start])
        or _before_an_exclusion().match(words[end : end + _BEHIND])
        for start, end in places
    )


def left_out_as(names: Collection[str], beside: Collection[str], words: str) -> str:
    """The name by which a text leaves somebody out who bears these names, whole or in part; empty where it does not.

    Whom it calls by none of them it may leave out by what is said `beside` them, as the contact of an invoice of Sakura is.
    """
    said = words.casefold()
    parts = [part for name in names for part in _parts_of(name)]
    for called in (names, parts):
        if spoken := [name for name in called if len(name) > 1 and name.casefold() in said]:
            return spoken[0] if all(is_left_out(name, words) for name in spoken) else ""
    return next((name for name in beside if len(name) > 1 and name.casefold() in said and is_left_out(name, words)), "")


def _parts_of(name: str) -> list[str]:
    """The given and family names in a name; of one without a blank what it begins or ends with, one sign as it is addressed."""
    if " " in name or name.isascii():
        return name.split()
    cuts = [part for at in range(1, len(name)) for part in (name[:at], name[at:])]
    titles = policy_words("courtesy")
    return [part for one in cuts for part in ((one,) if len(one) > 1 else tuple(f"{one}{title}" for title in titles))]


def leaves_out(words: str) -> bool:
    """Whether a text may leave anybody out at all."""
    return bool(_any_exclusion().search(words))


@lru_cache(maxsize=256)
def without_left_out(words: str) -> str:
    """A text without those whom it leaves out: who is meant by "each invoice but the one of Sakura" are the others."""
    if not leaves_out(words):
        return words
    parts, at = list[str](), 0
    for found in re.finditer("|".join(policy_words("left_out")["ja"]), words):
        near = words[max(at, found.start() - _LONGEST_PHRASE) : found.start()]
        begin = found.start() - len(_PHRASE.split(near)[-1])
        parts.append(words[at:begin])
        at = found.end()
    return _left_out_in_english().sub(" ", " ".join([*parts, words[at:]]))


_LONGEST_PHRASE = 30
_PHRASE = re.compile(r"[、。，,\s]")


@cache
def _left_out_in_english() -> re.Pattern[str]:
    return re.compile(rf"(?:{_english()}){_between()}(?:{_NAME})(?:{_joined()}(?:{_NAME})){{0,5}}")


@cache
def _behind_an_exclusion() -> re.Pattern[str]:
    """What stands before a name that is left out in English; others may be left out with it ("except Ann and Kenta")."""
    return re.compile(rf"(?:{_english()}){_between()}(?:(?:{_NAME}){_joined()}){{0,5}}$")


_NAME = r"[A-Z@#][\w.@’-]{0,60}(?: [A-Z][\w.’-]{0,40}){0,2}|[\w.+-]{1,60}@[\w.-]{1,80}"


def _joined() -> str:
    """What joins names that are left out together."""
    return rf"(?:{'|'.join(policy_words('left_out')['joined'])})[@#]?"


def _between() -> str:
    """What may stand between an exclusion and a name."""
    return rf"(?:\s{{1,3}}(?:{'|'.join(policy_words('left_out')['between'])})){{0,4}}\s{{1,3}}[\"'“‘@#]?"


@cache
def _before_an_exclusion() -> re.Pattern[str]:
    """What stands behind such a name in Japanese."""
    courtesy, joined = "|".join(policy_words("courtesy")), r"[、とや・]"
    others = rf"(?:{joined}[^、。とや・\n]{{1,20}}){{0,5}}?"
    return re.compile(rf"\s?(?:{courtesy})?{others}\s?(?:{'|'.join(policy_words('left_out')['ja'])})")


@cache
def _any_exclusion() -> re.Pattern[str]:
    return re.compile(rf"{_english()}|{'|'.join(policy_words('left_out')['ja'])}")


def _english() -> str:
    lists = policy_words("left_out")
    everybody = "|".join(lists["everybody"])
    verbs = "|".join(lists["includes"])
    phrases = "|".join(sorted(lists["en"], key=len, reverse=True))
    not_told = rf"(?:{'|'.join(lists['not'])}) (?!{verbs})[a-z]{{2,20}}(?: [a-z]{{1,12}}){{0,3}}?"
    return rf"(?<![\w-])(?i:{phrases}|(?:{everybody}) (?:{'|'.join(lists['but'])})|{not_told})(?![\w-])"
