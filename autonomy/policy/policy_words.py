"""Loads the word lists by which arguments and wishes are read; adding a word needs no code."""

import json
from importlib.resources import files
from typing import Any

# read while the module is loaded: the first decision is made on the event loop, where no file may be read
_WORDS = json.loads(files("autonomy.policy").joinpath("data/sink_words.json").read_text(encoding="utf-8"))


def policy_words(part: str) -> Any:
    """One part of `data/sink_words.json`."""
    return _WORDS[part]
