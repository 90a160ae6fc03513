"""Quotes the beginning of a text without cutting a word."""

import re

_BROKEN = re.compile(r"[!-~]+\Z")
"""What of a Latin word, number or address stands before a cut."""


def excerpt(text: str, most: int) -> str:
    """At most `most` characters of a text, ended before the word that would be cut, with … where more follows.

    A single word that is longer is cut all the same; Japanese is cut between any two characters."""
    if len(text) <= most:
        return text
    head = text[: most - 1]
    if text[most - 1].isascii() and not text[most - 1].isspace():
        head = _BROKEN.sub("", head) or head
    return f"{head.rstrip(' ,;')}…"
