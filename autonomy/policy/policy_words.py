"""Loads the word lists for reading arguments and requests; adding a word needs no code."""

from typing import Any

from metrics.text.word_files import read_words

# read while the module is loaded: the first decision is made on the event loop, where no file may be read
_WORDS = read_words("autonomy.policy", "sink_words")


def policy_words(part: str) -> Any:
    """One part of `data/sink_words.json`."""
    return _WORDS[part]


def any_stands(kind: str, words: str) -> bool:
    """Whether any word of a list stands there: a Latin one as a word of its own, a Japanese one anywhere."""
    return bool(standing(kind, words))


def standing(kind: str, words: str) -> tuple[str, ...]:
    """The words of a list that stand there."""
    spaced = in_words(words)
    return tuple(word for word in policy_words(kind) if (f" {word.lower()} " in spaced if word.isascii() else word in words))


def in_words(text: str) -> str:
    """A text in lower case with one space around each of its words."""
    return f" {' '.join(''.join(c if c.isalnum() or c == '-' else ' ' for c in text.lower()).split())} "


def speaks_of_secrets(text: str) -> bool:
    """Whether a text names passwords, keys or codes, in English or Japanese."""
    words = set(in_words(text).split())
    singulars = words | {word.removesuffix("s") for word in words}
    return not singulars.isdisjoint(policy_words("latin")["secret"]) or any(word in text for word in policy_words("ja")["secret"])
