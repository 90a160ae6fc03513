"""Decides whether a text holds a word: as it is, in another form, or by another word for the same."""

import re
from functools import lru_cache

from autonomy.llm.offline.lookup_words import alternatives, form_of
from autonomy.llm.offline.vocabulary import LANGUAGES
from discovery.text.search_terms import terms as cut

_STEP = re.compile(r"(?:^|(?<=\s))\d{1,2}[.)](?=\s)")
"""The number of a step, which counts nothing: 3. Give the old place back."""
_OPPOSITES = [words.opposite for words in LANGUAGES.values()]


def tells(text: str, word: str) -> bool:
    """Whether a text holds a word, or one that tells the same, or what the word names by its form."""
    form = form_of(word)
    if any(holds_word(_STEP.sub(" ", text) if one.isdigit() and one != word else text, one) for one in alternatives(word)):
        return True
    return form is not None and form.search(text) is not None


def holds_word(text: str, word: str) -> bool:
    """Whether a text holds a word: as it is where it has digits, else in any of its forms."""
    if re.search(r"\d", word):
        of_a_version = "v?" if re.fullmatch(r"\d+(?:\.\d+)+", word) else ""
        pattern = rf"(?<![A-Za-z0-9_.]){of_a_version}{re.escape(word)}(?![A-Za-z0-9_]|[.\-][A-Za-z0-9])"
        return re.search(pattern, text, re.IGNORECASE) is not None
    if word.isascii():
        opposites = [one.replace("{}", re.escape(word[2:])) for one in _OPPOSITES if word.startswith("un") and len(word) > 5]
        if not _terms(word):
            return re.search(rf"\b{re.escape(word)}\b", text, re.IGNORECASE) is not None
        return _terms(word) <= _terms(text) or any(re.search(one, text, re.IGNORECASE) for one in opposites)
    return word.casefold() in text.casefold()


@lru_cache(maxsize=1_000)
def _terms(text: str) -> frozenset[str]:
    """A text is asked for word after word."""
    return frozenset(cut(text))
