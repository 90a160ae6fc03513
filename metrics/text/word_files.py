"""Reads word lists in Japanese and English from a package's data files."""

import json
from collections.abc import Mapping
from importlib import import_module
from pathlib import Path
from typing import Any

Words = Mapping[str, Mapping[str, str]]
"""Key → language (`ja`, `en`) → text, as the files have it."""


def data_file(package: str, name: str) -> Path:
    """Return the path of `data/<name>` of a package, without `importlib.resources`, which imports what reads archives."""
    return Path(import_module(package).__path__[0], "data", name)


def read_words(package: str, name: str) -> Any:
    """Read `data/<name>.json` of a package. Call it at import, not on the event loop, because it reads a file."""
    return json.loads(data_file(package, f"{name}.json").read_bytes())


def word_in(words: Words, key: str, language: str) -> str:
    """Return one word in Japanese, or in English for every other language."""
    return words[key]["ja" if language == "ja" else "en"]


def in_language(words: Words, language: str) -> dict[str, str]:
    """Return all words in one language. Raises KeyError if a word lacks it."""
    return {key: languages[language] for key, languages in words.items()}
