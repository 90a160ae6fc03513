"""Converts a Japanese name in Latin letters to kana: haruka to はるか."""

import re
from functools import lru_cache

from metrics.text.word_files import read_words

_KANA: dict[str, str] = read_words("metrics", "kana")
_SYLLABLE = re.compile("|".join(sorted(map(re.escape, _KANA), key=len, reverse=True)))
_SHORTEST = 2
_MOST_READINGS = 243
"""From this number of readings on, further vowels are taken as short, because each would triple the number."""


@lru_cache(maxsize=1024)
def kana_readings(name: str) -> frozenset[str]:
    """Return the possible readings of a name in hiragana; none if it does not consist of Japanese syllables.

    Latin letters do not show long vowels, so sota may be そうた, そーた or そた.
    """
    syllables = _SYLLABLE.findall(name.casefold())
    if "".join(syllables) != name.casefold() or not syllables:
        return frozenset()
    readings = {""}
    for syllable in syllables:
        longer = ("", "う", "ー") if syllable.endswith(("o", "u")) and len(readings) < _MOST_READINGS else ("",)
        readings = {before + _KANA[syllable] + more for before in readings for more in longer}
    return frozenset(one for one in readings if len(one) >= _SHORTEST)
