"""Normalises spellings of place names, Japanese and Latin."""

import re
import unicodedata
from functools import lru_cache

_BLANK, _LATIN, _MARK, _LONG_O = (
    re.compile(pattern) for pattern in (r"[\s,]+", "[a-z]", r"([aeiou])[\u0304\u0302]", r"oh(?=[bcdfghjkmnprstwz])|ou|oo")
)
_HIRAGANA = {ord(char): ord(char) - 0x60 for char in map(chr, range(ord("ァ"), ord("ヶ") + 1))}

_IN_ENGLISH = {
    "shi": "city", "ku": "ward", "ken": "prefecture", "fu": "prefecture", "to": "prefecture", "gun": "district",
    "cho": "town", "machi": "town", "mura": "village", "son": "village",
}  # fmt: skip
"""The endings of romanised addresses behind a hyphen (Kobe-shi, Shibuya-ku) → their English words."""
_KIND = re.compile(rf"(?<=[a-z\u00c0-\u017f])-({'|'.join(_IN_ENGLISH)})(?![^\W_]|-)")


@lru_cache(maxsize=32_768)  # the list of places has 13,000 spellings, and each server of a process reads it
def fold(text: str) -> str:
    """Normalise a name for comparison: NFKC, lower case, hiragana, no spaces, and Latin letters as in `romaji`."""
    text = _BLANK.sub("", unicodedata.normalize("NFKC", text).casefold()).replace("ヶ", "ケ")
    kana = text.translate(_HIRAGANA)
    return romaji(kana) if _LATIN.search(kana) else kana


def romaji(text: str) -> str:
    """Remove macrons and long vowels, as in the agency's list, so that Ōsaka, Oosaka and Ohsaka become Osaka."""
    plain = _MARK.sub(r"\1", unicodedata.normalize("NFD", text))
    short = _LONG_O.sub("o", plain.replace("uu", "u"))
    return unicodedata.normalize("NFC", short)


def latin_words(text: str) -> list[str]:
    """Return the folded words of a text in Latin letters; none if the text contains Japanese."""
    text = _KIND.sub(lambda found: f" {_IN_ENGLISH[found[1]]}", unicodedata.normalize("NFKC", text).casefold())
    if re.search("[\u3040-\u30ff\u3400-\u9fff]", text):
        return []
    return [fold(word) for word in re.findall(r"[^\W\d_]+(?:['’\-][^\W\d_]+)*", text)]
