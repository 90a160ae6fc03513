"""The words by which requests order, ask and forbid, as data, and how much of a request is read."""

import re

from metrics.text.word_files import read_words

MOST_CHARS = 10_000
"""Of a request: a longer one was pasted."""
# read while the module is loaded: the first decision is made on the event loop, where no file may be read
WORDS = read_words("autonomy.policy", "request_mood")


def any_of(kind: str, language: str) -> str:
    """Any of these words, the longest first."""
    return "|".join(re.escape(one) for one in sorted(WORDS[kind][language], key=len, reverse=True))
