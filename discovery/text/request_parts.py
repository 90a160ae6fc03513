"""Cuts a request into the steps it asks for, each without its own values.

A path, an address or a number says what kind of tool is wanted (one that writes a file, one that reads a page), while its letters
mislead a ranking by meaning.
"""

import re

MOST_PARTS = 8
"""A request of more parts is a text; its beginning and end say what is wanted, and each part costs milliseconds to encode."""
SHORTEST = 4
"""Characters; less is no step."""

_KINDS = (
    (re.compile(r"https?://\S+|www\.\S+"), " web page "),
    (re.compile(r"[\w.+-]+@[\w-]+\.[\w.-]+"), " e-mail address "),
    (re.compile(r"(?:[A-Za-z]:\\|~/|\.{1,2}/|/)[\w.\-]+(?:[/\\][\w.\-]+)*"), " file "),
)
_BREAK = re.compile(r"[.!?;,](?=\s|$)|[。！？；、，\n]+|\b(?:and|then|also)\b|それから|そして", re.IGNORECASE)


def plain_request(text: str) -> str:
    """The text with each of its values named by kind."""
    for pattern, kind in _KINDS:
        text = pattern.sub(kind, text)
    return " ".join(text.split())


def request_parts(text: str) -> tuple[str, ...]:
    """The steps of a request in order, at most eight; empty where it is one step that holds no value."""
    plain = plain_request(text)
    parts = [part.strip() for part in _BREAK.split(plain) if part and len(part.strip()) >= SHORTEST]
    if len(parts) > MOST_PARTS:
        parts = [*parts[: MOST_PARTS // 2], *parts[-MOST_PARTS // 2 :]]
    return () if parts == [text.strip()] else tuple(dict.fromkeys(parts))
