"""Reads word lists in Japanese and English from a package's data files."""

import json
from collections.abc import Mapping
from importlib.resources import files
from typing import Any

Words = Mapping[str, Mapping[str, str]]
"""Key → language (`ja`, `en`) → text, as the files have it."""


def read_words(package: str, name: str) -> Any:
    """Read `data/<name>.json` of a package. To be called at import: later it would read a file on the event loop."""
    return json.loads(files(package).joinpath(f"data/{name}.json").read_bytes())


def word_in(words: Words, key: str, language: str) -> str:
    """One word in Japanese, or in English for every other language."""
    return words[key]["ja" if language == "ja" else "en"]


def in_language(words: Words, language: str) -> dict[str, str]:
    """All words in one language. A word that lacks it is an installation that is broken: KeyError."""
    return {key: languages[language] for key, languages in words.items()}
