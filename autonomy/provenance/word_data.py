"""Loads the word lists of this room from its data files."""

import json
import re
from collections.abc import Iterable
from functools import cache
from importlib.resources import files
from typing import Any


@cache
def load_words(name: str) -> Any:
    """The content of `data/<name>.json`. A file that is missing or is no JSON is an installation that is broken: the error goes
    up."""
    return json.loads(files("autonomy.provenance").joinpath(f"data/{name}.json").read_text(encoding="utf-8"))


def alternatives(words: Iterable[str]) -> str:
    """A regular expression's alternatives for these literal words, the longest first."""
    return "|".join(map(re.escape, sorted(words, key=lambda word: (-len(word), word))))
