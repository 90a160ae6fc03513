"""Reads the words that people are shown, in Japanese and English, from the data files of a package."""

import json
from collections.abc import Mapping
from importlib.resources import files
from typing import Any


def read_words(package: str, name: str) -> Any:
    """What stands in `data/<name>.json` of a package. To be called at import: later it would read a file on the event loop."""
    return json.loads(files(package).joinpath(f"data/{name}.json").read_bytes())


def as_pairs(words: Mapping[str, Mapping[str, str]]) -> dict[str, tuple[str, str]]:
    """Each word in Japanese and English. A word that lacks one of them is an installation that is broken: KeyError."""
    return {key: (both["ja"], both["en"]) for key, both in words.items()}


def by_language(words: Mapping[str, Mapping[str, str]]) -> dict[str, dict[str, str]]:
    """All words of Japanese, and all of English."""
    return {language: {key: both[language] for key, both in words.items()} for language in ("ja", "en")}
