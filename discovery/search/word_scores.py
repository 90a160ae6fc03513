"""Scores tools by the words they share with a request.

A Japanese request is also searched by its English translations (`discovery.text.search_terms`).
"""

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from functools import lru_cache

from discovery.text.search_terms import english_for, terms

K1, B = 1.2, 0.75
"""BM25's saturation and length normalization, with their usual values; similar ones changed recall by less than three points."""
WEIGHTS = {"name": 3.0, "hint": 2.0, "description": 1.0, "provider": 1.0, "parameters": 0.5, "about": 0.5}
REPEATS = 2
"""How often a repeated word counts in one field; further repetitions only make the text longer, which lowers the score."""

BEST_SHARE = 0.4
"""The score of the best match by BM25, beside a cosine between -1 and 1. Even if no tool fits, one is the best match, so this
is less than `COVERAGE_SHARE`, which depends on how much of the request was found."""
COVERAGE_SHARE = 1.0
"""The score of a tool with all words of the request, each weighted by its rarity."""
NAMED_SHARE = {"name": 0.4, "provider": 0.2}
"""The score of a tool whose whole name, or whose provider's whole name, is in the request."""


class WordScores:
    """The words of some tools, indexed for scoring. A tool is identified by its position."""

    def __init__(self, texts: Iterable[Mapping[str, str]]) -> None:
        """`texts` holds each tool's texts by field; the fields are those of `WEIGHTS`."""
        self._postings: defaultdict[str, list[tuple[int, float]]] = defaultdict(list)
        named: dict[str, list[frozenset[str]]] = {field: [] for field in NAMED_SHARE}
        lengths = [self._add(at, fields, named) for at, fields in enumerate(texts)]
        self._count = len(lengths)
        mean = sum(lengths) / len(lengths) if lengths else 1.0
        self._norms = [K1 * (1 - B + B * length / (mean or 1.0)) for length in lengths]
        self._in_names: defaultdict[str, list[tuple[int, float]]] = defaultdict(list)
        """Term → the tools whose name or provider contains it, with the score that this adds."""
        for field, names in named.items():
            for at, name in enumerate(names):
                whole = sum(map(self._rarity, name))
                for term in name:
                    self._in_names[term].append((at, NAMED_SHARE[field] * self._rarity(term) / whole))

    def _add(self, at: int, fields: Mapping[str, str], named: Mapping[str, list[frozenset[str]]]) -> float:
        frequencies: defaultdict[str, float] = defaultdict(float)
        length = 0.0
        for field, text in fields.items():
            counts = _counted(text)
            length += WEIGHTS[field] * counts.total()
            for term, count in counts.items():
                frequencies[term] += WEIGHTS[field] * min(count, REPEATS)
            if field in named:
                named[field].append(frozenset(counts))
        for term, frequency in frequencies.items():
            self._postings[term].append((at, frequency))
        return length

    def shares(self, request: str) -> dict[str, dict[int, float]]:
        """Return the score that each term of a request adds to each tool that contains it, at most 2 in all."""
        weights = _weights(request)
        by_term = self._by_term(weights)
        best = max(summed(by_term).values(), default=1.0)
        whole = sum(map(self._rarity, weights))
        shares = {}
        for term, worth in by_term.items():
            covered = COVERAGE_SHARE * self._rarity(term) / whole
            shares[term] = {at: BEST_SHARE * score / best + covered for at, score in worth.items()}
            for at, share in self._in_names.get(term, ()):
                shares[term][at] += share
        return shares

    def bm25(self, text: str) -> dict[int, float]:
        """Return the BM25 score of each tool that shares a term with a text."""
        return summed(self._by_term(_weights(text)))

    def _by_term(self, weights: Mapping[str, float]) -> dict[str, dict[int, float]]:
        found = {}
        for term, weight in weights.items():
            if term in self._postings:
                worth = weight * self._rarity(term)
                postings = self._postings[term]
                found[term] = {at: worth * count * (K1 + 1) / (count + self._norms[at]) for at, count in postings}
        return found

    def _rarity(self, term: str) -> float:
        """Return BM25's weight of a term; for a term of no tool, that of a term of a single tool."""
        having = max(1, len(self._postings.get(term, ())))
        return math.log(1 + (self._count - having + 0.5) / (having + 0.5))


@lru_cache(maxsize=1_000)
def _counted(text: str) -> Counter[str]:
    """How often each term is in a text. A catalog has most texts of the one before; a provider's own is on each tool."""
    return Counter(terms(text))


def _weights(request: str) -> dict[str, float]:
    weights = {term: float(count) for term, count in Counter(terms(request)).items()}
    for word in english_for(request):
        for term in terms(word):
            weights.setdefault(term, 1.0)
    return weights


def summed(by_term: Mapping[str, Mapping[int, float]]) -> dict[int, float]:
    """Per tool, over the terms."""
    scores: defaultdict[int, float] = defaultdict(float)
    for found in by_term.values():
        for at, score in found.items():
            scores[at] += score
    return dict(scores)
