"""Translates common Japanese words into English search terms.

The table (`data/lexicon.json`) is general vocabulary of tools and requests; add words, never whole queries.
"""

import json
import re
import unicodedata
from functools import cache
from importlib.resources import files


def english_for(query: str) -> tuple[str, ...]:
    """English words for the Japanese ones in a query, the longest match first; empty for a query without Japanese."""
    table, pattern = _table()
    found = pattern.findall(unicodedata.normalize("NFKC", query).lower())
    return tuple(dict.fromkeys(word for japanese in found for word in table[japanese]))


@cache
def _table() -> tuple[dict[str, list[str]], re.Pattern[str]]:
    raw = json.loads(files("discovery").joinpath("data/lexicon.json").read_text(encoding="utf-8"))
    table: dict[str, list[str]] = {unicodedata.normalize("NFKC", japanese).lower(): english for japanese, english in raw.items()}
    longest_first = sorted(table, key=len, reverse=True)
    return table, re.compile("|".join(map(re.escape, longest_first)))
