"""Prepares text for ranking: steps of a request without values, descriptions without other providers' names.

The kind of a path or address tells which tool is needed (one that reads a file, or a page), while its letters mislead embeddings.
And a description must not gain by naming tools of other providers.
"""

import re
from collections import defaultdict
from collections.abc import Iterable

from discovery.catalog import ToolSpec

MOST_PARTS = 8
"""Of a longer request only the first and last steps are used, because each takes milliseconds to encode."""
SHORTEST = 4
"""The shortest step, in characters."""

_KINDS = (
    (re.compile(r"https?://[!-~]+|www\.[!-~]+"), " web page "),
    (re.compile(r"[\w.+-]+@[\w-]+\.[\w.-]+", re.ASCII), " e-mail address "),
    (re.compile(r"(?<![\w.])(?:[A-Za-z]:\\|~/|\.{1,2}/|/)[\w.][\w.\-]*(?:[/\\][\w.\-]+)*", re.ASCII), " file "),
)
"""ASCII only, because Japanese text follows a value without a space. No path begins inside a word, as in "debit/credit"."""
_BREAK = re.compile(r"[.!?;,](?=\s|$)|[。！？；、，\n]+|\b(?:and|then|also)\b|それから|そして", re.IGNORECASE)


def plain_request(text: str) -> str:
    """Replace each URL, e-mail address and path by the name of its kind."""
    for pattern, kind in _KINDS:
        text = pattern.sub(kind, text)
    return " ".join(text.split())


def request_parts(text: str) -> tuple[str, ...]:
    """Return the steps of a request in order, at most `MOST_PARTS`; a request of one step is that step, as it stands."""
    plain = plain_request(text)
    parts = [part.strip() for part in _BREAK.split(plain) if part and len(part.strip()) >= SHORTEST]
    if len(parts) == 1:
        return (plain,)
    if len(parts) > MOST_PARTS:
        parts = [*parts[: MOST_PARTS // 2], *parts[-MOST_PARTS // 2 :]]
    return tuple(dict.fromkeys(parts))


_IDENTIFIER = re.compile(r"[A-Za-z][\w-]*[A-Za-z0-9]")


class OwnWords:
    """Removes from the descriptions of a catalog's tools the names of other providers' tools."""

    def __init__(self, specs: Iterable[ToolSpec]) -> None:
        self._owners: defaultdict[str, set[str]] = defaultdict(set)
        for spec in specs:
            self._owners[spec.tool].add(spec.provider)
            self._owners[spec.name].add(spec.provider)

    def of(self, spec: ToolSpec, chars: int) -> str:
        """Return the first characters of a description without such names. A name that is a plain word (`search`) stays."""
        description = spec.description[:chars]
        return _IDENTIFIER.sub(lambda found: " " if self._is_foreign(found[0], spec.provider) else found[0], description)

    def _is_foreign(self, word: str, provider: str) -> bool:
        owners = self._owners.get(word)
        return owners is not None and provider not in owners and not (word.isalpha() and word.islower())
