"""Scores tools by the words they share with a request.

A Japanese request is looked up in English too (`discovery.text.search_terms`).
"""

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from functools import lru_cache

from discovery.text.search_terms import english_for, terms

K1, B = 1.2, 0.75
"""BM25's saturation and length weight: the textbook's. Recall moved by less than three points anywhere near."""
WEIGHTS = {"name": 3.0, "hint": 2.0, "description": 1.0, "provider": 1.0, "parameters": 0.5, "about": 0.5}
REPEATS = 2
"""So often a word counts in one field; more of it only makes the text longer, which costs."""

BEST_SHARE = 0.4
"""What the best match by BM25 is worth beside a cosine, which is between -1 and 1. Of a request that no tool fits some tool is
still the best match: this is therefore less than what follows, which says how much of the request was found."""
COVERAGE_SHARE = 1.0
"""What a tool is worth that has all words of the request, each weighted by how few tools have it."""
NAMED_SHARE = {"name": 0.4, "provider": 0.2}
"""What a tool is worth whose name, and whose provider's name, the request says whole."""


class WordScores:
    """The words of some tools, ready to be compared with requests. Tools are known by their place."""

    def __init__(self, texts: Iterable[Mapping[str, str]]) -> None:
        """Each tool's texts by field; the fields are those of `WEIGHTS`."""
        self._postings: defaultdict[str, list[tuple[int, float]]] = defaultdict(list)
        named: dict[str, list[frozenset[str]]] = {field: [] for field in NAMED_SHARE}
        lengths = [self._add(at, fields, named) for at, fields in enumerate(texts)]
        self._count = len(lengths)
        mean = sum(lengths) / len(lengths) if lengths else 1.0
        self._norms = [K1 * (1 - B + B * length / (mean or 1.0)) for length in lengths]
        self._in_names: defaultdict[str, list[tuple[int, float]]] = defaultdict(list)
        """Term → the tools whose name or provider has it, and what that adds to each."""
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
        """The score that each term of a request adds to each tool that contains it, at most 2 in all."""
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
        """The textbook's score of each tool that shares a term with a text."""
        return summed(self._by_term(_weights(text)))

    def _by_term(self, weights: Mapping[str, float]) -> dict[str, dict[int, float]]:
        return {term: self._worth(term, weight) for term, weight in weights.items() if term in self._postings}

    def _worth(self, term: str, weight: float) -> dict[int, float]:
        rarity = self._rarity(term)
        return {
            at: weight * rarity * frequency * (K1 + 1) / (frequency + self._norms[at]) for at, frequency in self._postings[term]
        }

    def _rarity(self, term: str) -> float:
        """BM25's weight of a term, at most that of one which a single tool has: what nobody has says little of anybody."""
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
