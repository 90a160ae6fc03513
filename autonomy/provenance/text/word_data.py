"""Loads the word lists of this package from its data files."""

import json
import re
from collections.abc import Iterable
from importlib.resources import files
from typing import Any

_WORDS: dict[str, Any] = {
    # read when the room is loaded: later somebody's event loop would wait for the disk
    file.name.removesuffix(".json"): json.loads(file.read_text(encoding="utf-8"))
    for file in files("autonomy.provenance").joinpath("data").iterdir()
    if file.name.endswith(".json") and file.name != "phrases.json"  # which `metrics.text.phrases` reads, with their schema
}


def load_words(name: str) -> Any:
    """The content of `data/<name>.json`. A file that is no JSON is an installation that is broken: the error goes up."""
    return _WORDS[name]


def alternatives(words: Iterable[str]) -> str:
    """A regular expression's alternatives for these literal words, the longest first."""
    return "|".join(map(re.escape, sorted(words, key=lambda word: (-len(word), word))))
