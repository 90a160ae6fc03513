"""Recognises reads that no known verb tells: `Revision history of a release`, `Busca notas por etiqueta`.

Several signs must agree, because in English an order begins like a noun: `Restore backups of a database`.
"""

import re
from collections.abc import Sequence

from discovery.catalog import ToolSpec
from discovery.review.effect_words import ForeignVerbs, is_change, patterns, verb_of, words
from discovery.text.near_names import name_words
from discovery.text.search_terms import visible

_ARTICLES = frozenset({"the", "a", "an"})
_MOST_WORDS = 6
"""Of a noun phrase, up to its first preposition."""
_NOUN = re.compile(r"[a-z]{3,}(?:tion|sion|ment|ity|ness|ance|ence|ics|ology)s?")
_FIRST_SENTENCE = re.compile(r"(?<=[.!?])\s|[。！？]|\n")


def answer_named(spec: ToolSpec) -> str | None:
    """Return the noun phrase that is all a description says, if it names what one is told; None if it may be an order.

    Its first word is no verb, its last one is a noun for information, no word means a change, and no argument holds a text.
    """
    first = _first_sentence(spec)
    if _writes(spec):
        return None
    japanese = re.search("(?:" + "|".join(words().answers_ja) + r")(?:[（(][^）)]*[）)])?$", first)
    if japanese:
        changes = (*words().ja["write"], *words().ja["destructive"], *words().ja["outward"])
        return None if re.search("|".join(changes), first) else str(japanese.group())
    phrase = _phrase(first)
    shouts = len(phrase) > 1 and " ".join(phrase).isupper()
    if not 0 < len(phrase) <= _MOST_WORDS or shouts or not _is_latin(first):
        return None
    opener, *rest = phrase
    if _ARTICLES.intersection(rest) or is_done_to(first):
        return None
    if any(word.endswith("ing") and not _is_answer(word) for word in rest):
        return None
    is_told = _is_answer(phrase[-1]) or _is_code(phrase[-1])
    begins, sure = begins_as_noun(opener, rest), opener.lower() in words().openers or _is_adjective(opener.lower())
    if any(_may_change(word, sure=sure) for word in phrase):
        return None
    return " ".join(phrase) if (begins and is_told) or _is_several(phrase, first, sure=sure) else None


def is_done_to(sentence: str) -> bool:
    """Whether a sentence without a verb says that something is done to what it names: `All alarms, acknowledged`."""
    return any(
        found[1] is None or found[1] not in words().describing for found in patterns("done_to_it")[0].finditer(sentence.lower())
    )


def begins_as_noun(opener: str, rest: Sequence[str]) -> bool:
    """Whether a phrase begins with no verb."""
    lower = opener.lower()
    if _is_answer(opener) and not (rest and lower.removesuffix("s") in words().answers_that_are_verbs):
        return True
    return lower in _ARTICLES | words().openers or _is_noun(opener) or _is_adjective(lower)


def _is_several(phrase: list[str], sentence: str, *, sure: bool) -> bool:
    """Whether a phrase names several things: `Members of a team`, `All comments on a ticket`; and not what is done to them."""
    last = phrase[-1].lower()
    done = last.removesuffix("s") not in words().nouns and any(pattern.search(last) for pattern in patterns("done_to"))
    if not last.endswith("s") or last.endswith("ss") or done:
        return False
    return (sure and len(phrase) > 1) or (
        len(phrase) == 1 and last not in words().not_of and sentence.lower().startswith(f"{last} of ")
    )


def _may_change(word: str, *, sure: bool) -> bool:
    """Whether a word is a known verb of change; behind an adjective `orders` is none."""
    lower = word.lower()
    if _is_answer(word) or (sure and lower.removesuffix("s") != lower and lower.removesuffix("s") in words().nouns):
        return False
    return is_change(verb_of(lower))


def foreign_read(spec: ToolSpec) -> str | None:
    """Return the reading verb of a description in a language of the data file; None if something else may be done."""
    first = _first_sentence(spec)
    if _writes(spec):
        return None
    said = " ".join((*name_words(spec.tool), visible(spec.description).lower()))
    found = [(verb, verbs) for verbs in words().foreign.values() if (verb := _verb_in(first, verbs))]
    if found and " " in found[0][0]:  # the particle belongs to the verb
        first = first.rsplit(maxsplit=1)[0]
    if any(re.search(verbs.goes_on, first) or re.search(rf"(?<!\w)(?:{verbs.changes})", said) for _, verbs in found):
        return None
    return found[0][0] if found else None


def _first_sentence(spec: ToolSpec) -> str:
    return _FIRST_SENTENCE.split(visible(spec.description).strip(), maxsplit=1)[0][:400].strip().rstrip(".")


def _writes(spec: ToolSpec) -> bool:
    return any(not words().content_parameters.isdisjoint(name_words(name)) for name in spec.parameters)


def _phrase(sentence: str) -> list[str]:
    """Return the words before the first preposition, participle or comma; slashes join nouns: `receivable/payable report`."""
    return re.findall(r"[A-Za-z][\w.'’-]*", patterns("phrase_ends")[0].split(sentence, maxsplit=1)[0].replace("/", " "))


def _is_answer(word: str) -> bool:
    lower = word.lower()
    return any(
        one in words().answers
        for one in (lower, lower.removesuffix("s"), lower.removesuffix("ies") + "y", lower.removesuffix("es"))
    )


def _is_noun(word: str) -> bool:
    return _is_code(word) or (
        _NOUN.fullmatch(word.lower()) is not None and word.lower().rstrip("s") not in words().verbs_like_nouns
    )


def _is_adjective(word: str) -> bool:
    return any(pattern.search(word) for pattern in patterns("openers_end")) and word not in words().verbs_like_adjectives


def _is_latin(sentence: str) -> bool:
    """Whether a sentence is in Latin letters, and not in others with an abbreviation among them."""
    return len(re.findall(r"[A-Za-z]", sentence)) > len(sentence) / 2


def _is_code(word: str) -> bool:
    """Whether a word is an abbreviation or holds digits, as no verb does: `SHA-256`, `PM2.5`."""
    return re.search(r"[A-Z]{2}|\d", word) is not None


def _verb_in(sentence: str, verbs: ForeignVerbs) -> str | None:
    """Return the verb that begins the sentence, or ends a Korean one."""
    lower = sentence.lower()
    said: list[str] = re.findall(r"\w+", lower)
    if not said:
        return None
    if f"{said[0]} {said[-1]}" in verbs.particles:
        return f"{said[0]} {said[-1]}"
    if said[0] in verbs.reads:
        return said[0]
    korean = (verb for verb in sorted(verbs.reads) if re.search("[가-힣]", verb))
    return next((verb for verb in korean if said[-1].startswith(verb)), None)
