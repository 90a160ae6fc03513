"""Tells in which language a text is written: Japanese, English or another one."""

import re
from typing import Literal

from metrics.text.quotations import unquoted

WrittenLanguage = Literal["ja", "en", "other", ""]

_NO_WORDS = re.compile(
    r"```.*?(?:```|\Z)|`[^`\n]{1,200}`|(?<![A-Za-z])(?:https?://[!-~]+|[A-Za-z]+[-_.]?\d[\w.-]*)", re.DOTALL | re.ASCII
)
"""Code, addresses and ids (demo-016, v2.9.1), which stand in texts of either language."""
_LATIN_WORD = re.compile(r"(?<![!-~])[!-~]*?[A-Za-z]{2}[!-~]*")
"""Up to a blank or another script: `src/app/main.py` is one."""
_KANA, _KANJI = re.compile("[ぁ-ヿ]"), re.compile("[㐀-鿿]")
KANJI_OF_A_WORD = 2
LEAST_OWN = 0.2
"""Share of the letters outside quotations below which a text only introduces what it quotes (こちらです：…)."""
FEWEST_KANJI = 4
"""Fewer may be a name, whose characters are older than the lists."""
FOREIGN = 0.05
"""Share of kanji that Japanese does not have, from which on a text is in another language: simplified Chinese has a third of
them, traditional Chinese a tenth."""


def written_language(text: str) -> WrittenLanguage:
    """The language of a text by its words, without code and quotations; empty where none tells: figures, one Latin word.

    Kana spell how the words of a Japanese sentence hang together, so what has none and several Latin words is English, whatever
    names and titles in kanji stand in it; and what has neither, as a list of names has, is Japanese by its kanji. Latin words
    are taken for English ones.
    """
    worded = _NO_WORDS.sub(" ", text)
    own = unquoted(worded)
    whole = worded if _letters(own) < LEAST_OWN * _letters(worded) else own
    return _by_words(whole) or _by_words(text)


def is_translated(text: str, source: str) -> bool:
    """Whether a text is in another language than what it retells; a single Latin word counts as English here."""
    return written_language(source) not in ("", written_language(text) or "en")


def _by_words(text: str) -> WrittenLanguage:
    latin, kana, kanji = (len(words.findall(text)) for words in (_LATIN_WORD, _KANA, _KANJI))
    if kanji >= FEWEST_KANJI and kanji > latin and _foreign(text) > FOREIGN * kanji:
        return "other"
    if kana and latin <= kana + kanji / KANJI_OF_A_WORD:
        return "ja"
    return "en" if latin > 1 else "ja" if kanji else ""


def _foreign(text: str) -> int:
    """How many kanji stand in no list of Japanese characters: in neither JIS X 0208 nor what Windows adds to it for names."""
    kanji = "".join(_KANJI.findall(text))
    return len(kanji) - len(kanji.encode("cp932", "ignore")) // 2


def _letters(text: str) -> int:
    return sum(map(str.isalpha, text))
