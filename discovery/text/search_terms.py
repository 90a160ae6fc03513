"""Splits English and Japanese text into search terms, and translates common Japanese words into English ones.

Latin words are split at `_`, `-` and case changes and reduced to a stem. Runs of kana and kanji become overlapping pairs of
characters, because Japanese has no spaces between words. The lexicon (`data/lexicon.json`) holds general vocabulary of tools and
requests; add words, never whole queries.
"""

import json
import re
import unicodedata
from functools import cache, lru_cache

from discovery.text.data_files import read_data
from discovery.text.near_names import split_at_case

_WORD = re.compile(r"[a-z0-9]+|[\u3041-\u309f\u30a1-\u30ff\u3400-\u9fff\uac00-\ud7af々〆]+")
_HIRAGANA_ONLY = re.compile(r"[\u3041-\u309f]{2}")

_STOP_WORDS = """
a an and any are as at be by can do for from get give has have help how i if in into is it its let like make me my need of on or our out
please show so some tell that the their them then there these they this to two up us use using want was we what when where which who
will with would you your
"""
STOP_WORDS = frozenset(_STOP_WORDS.split())
"""Frequent words of requests that do not distinguish tools."""


def normalized(text: str) -> str:
    """Apply NFKC and lower case, and split names at case changes: `getUserＩＤ` → `get user id`."""
    return split_at_case(unicodedata.normalize("NFKC", text)).lower()


def visible(text: str) -> str:
    """Remove control, format and private-use characters, such as bidirectional, tag and zero-width ones."""
    if text.replace("\n", "").replace("\t", "").isprintable():  # as nearly all: no category is looked up for each character
        return text
    return "".join(
        character for character in text if character in "\n\t" or unicodedata.category(character) not in {"Cc", "Cf", "Co"}
    )


def terms(text: str) -> list[str]:
    """Return the terms of a text in order, including repetitions."""
    found: list[str] = []
    for word in _WORD.findall(normalized(text)):
        if word.isascii():
            if word not in STOP_WORDS:
                found.append(stem(word))
        elif len(word) == 1:
            found.append(word)
        else:
            pairs = (word[at : at + 2] for at in range(len(word) - 1))
            found += [pair for pair in pairs if not _HIRAGANA_ONLY.fullmatch(pair)]
    return found


_SINGULAR = {"news", "series", "species"}
"""Words that end like a plural but are none."""


@lru_cache(maxsize=50_000)
def stem(word: str) -> str:
    """Remove the endings that differ between requests and descriptions: `trending`, `files`, `repositories`."""
    if len(word) <= 3 or not word.isalpha() or word in _SINGULAR:
        return word
    for ending, instead in (("ies", "y"), ("sses", "ss"), ("ches", "ch"), ("shes", "sh"), ("xes", "x"), ("s", "")):
        if word.endswith(ending) and not word.endswith(("ss", "us", "is")):
            word = word[: -len(ending)] + instead
            break
    for ending in ("ing", "ed"):
        bare = word.removesuffix(ending)
        if bare != word and len(bare) >= 3 and re.search(r"[aeiouy]", bare):
            word = bare[:-1] if len(bare) > 3 and bare[-1] == bare[-2] and bare[-1] not in "lsz" else bare
            break
    return word.removesuffix("e") if len(word) > 4 else word


def english_for(query: str) -> tuple[str, ...]:
    """Translate the Japanese words in a query, longest match first; empty for a query without Japanese."""
    table, pattern = _lexicon()
    found = pattern.findall(unicodedata.normalize("NFKC", query).lower())
    return tuple(dict.fromkeys(word for japanese in found for word in table[japanese]))


@cache
def _lexicon() -> tuple[dict[str, list[str]], re.Pattern[str]]:
    raw = json.loads(read_data("lexicon.json"))
    table: dict[str, list[str]] = {unicodedata.normalize("NFKC", japanese).lower(): english for japanese, english in raw.items()}
    longest_first = sorted(table, key=len, reverse=True)
    return table, re.compile("|".join(map(re.escape, longest_first)))
