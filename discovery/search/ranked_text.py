"""Prepares text for ranking: steps of a request without values, descriptions without other providers' names.

A path, an address or a number says what kind of tool is wanted (one that writes a file, one that reads a page), while its letters
mislead a ranking by meaning. Naming another provider's tools in a description wins nothing.
"""

import re
from collections import defaultdict
from collections.abc import Iterable

from discovery.catalog import ToolSpec

MOST_PARTS = 8
"""A request of more parts is a text; its beginning and end say what is wanted, and each part costs milliseconds to encode."""
SHORTEST = 4
"""Characters; less is no step."""

_KINDS = (
    (re.compile(r"https?://[!-~]+|www\.[!-~]+"), " web page "),
    (re.compile(r"[\w.+-]+@[\w-]+\.[\w.-]+", re.ASCII), " e-mail address "),
    (re.compile(r"(?<![\w.])(?:[A-Za-z]:\\|~/|\.{1,2}/|/)[\w.][\w.\-]*(?:[/\\][\w.\-]+)*", re.ASCII), " file "),
)
"""Of ASCII alone: Japanese goes on without a space where a value ends. No path begins inside a word, as in "debit/credit"."""
_BREAK = re.compile(r"[.!?;,](?=\s|$)|[。！？；、，\n]+|\b(?:and|then|also)\b|それから|そして", re.IGNORECASE)


def plain_request(text: str) -> str:
    """The text with each of its values named by kind."""
    for pattern, kind in _KINDS:
        text = pattern.sub(kind, text)
    return " ".join(text.split())


def request_parts(text: str) -> tuple[str, ...]:
    """The steps of a request in order, at most eight."""
    parts = [part.strip() for part in _BREAK.split(plain_request(text)) if part and len(part.strip()) >= SHORTEST]
    if len(parts) > MOST_PARTS:
        parts = [*parts[: MOST_PARTS // 2], *parts[-MOST_PARTS // 2 :]]
    return tuple(dict.fromkeys(parts))


_IDENTIFIER = re.compile(r"[A-Za-z][\w-]*[A-Za-z0-9]")


class OwnWords:
    """The descriptions of one catalog's tools, each without names that only other providers have."""

    def __init__(self, specs: Iterable[ToolSpec]) -> None:
        self._owners: defaultdict[str, set[str]] = defaultdict(set)
        for spec in specs:
            self._owners[spec.tool].add(spec.provider)
            self._owners[spec.name].add(spec.provider)

    def of(self, spec: ToolSpec, chars: int) -> str:
        """The first characters of a description, in its own words. A name that is a plain word (`search`) is everybody's."""
        description = spec.description[:chars]
        return _IDENTIFIER.sub(lambda found: " " if self._is_foreign(found[0], spec.provider) else found[0], description)

    def _is_foreign(self, word: str, provider: str) -> bool:
        owners = self._owners.get(word)
        return owners is not None and provider not in owners and not (word.isalpha() and word.islower())
