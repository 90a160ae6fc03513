"""A BM25 index over the tools of a catalog.

Ranking is BM25 over the weighted fields of a tool, a Japanese request being looked up in English too
(`discovery.text.lexicon`); where an encoder is given (`discovery.search.embeddings`), its ranking is fused with that, which is
what measured best (docs/search.md).
"""

import json
import math
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Protocol

from discovery.catalog import Catalog, Frozen, ToolSpec
from discovery.hints.hints import Hint
from discovery.text.lexicon import english_for
from discovery.text.search_terms import terms
from discovery.text.token_estimates import estimate_tokens

K1, B = 1.2, 0.75
"""BM25's saturation and length weight: the textbook's. Recall moved by less than three points anywhere near."""
WEIGHTS = {"name": 3.0, "hint": 2.0, "description": 1.0, "provider": 1.0, "parameters": 0.5, "about": 0.5}
ABOUT_CHARS = 300
"""So much of what a server says of itself counts for its tools; more would let it shout."""
CHEAPEST_TOOL = 20
"""No tool costs fewer tokens to offer."""
LIKENESS_CHARS = 400
"""So much of a description says what a tool is for; examples and warnings follow."""
FUSION = 60.0
"""Reciprocal rank fusion's constant (Cormack et al., SIGIR 2009)."""


class Ranked(Frozen):
    """A tool and how well it fits; scores compare within one search only."""

    spec: ToolSpec
    score: float


class Encoder(Protocol):
    """A ranking by meaning; None while it is not ready for this catalog."""

    def scores(self, specs: Sequence[ToolSpec], query: str) -> Sequence[float] | None:
        """One number per tool, higher is nearer."""
        ...


class SearchIndex:
    """The tools of one catalog snapshot, ready to be searched. Building takes about 0.1 ms a tool."""

    def __init__(
        self,
        specs: Iterable[ToolSpec],
        hint: Callable[[ToolSpec], Hint] | None = None,
        encoder: Encoder | None = None,
        about: Mapping[str, str] = MappingProxyType({}),
    ) -> None:
        """`about` is what each provider says of itself (`Provider.instructions`), by its name."""
        self._specs = tuple(specs)
        self._encoder = encoder
        self._about = {provider: text[:ABOUT_CHARS] for provider, text in about.items()}
        self._hints = [hint(spec) if hint else None for spec in self._specs]
        self.costs = {spec.name: cost_tokens(spec) for spec in self._specs}
        """By full name: what it costs to offer each tool to a model."""
        self._postings: defaultdict[str, list[tuple[int, float]]] = defaultdict(list)
        lengths = [self._add(at, spec) for at, spec in enumerate(self._specs)]
        mean = sum(lengths) / len(lengths) if lengths else 1.0
        self._norms = [K1 * (1 - B + B * length / (mean or 1.0)) for length in lengths]

    def _add(self, at: int, spec: ToolSpec) -> float:
        frequencies: defaultdict[str, float] = defaultdict(float)
        for field, text in _fields(spec, self._hints[at], self._about.get(spec.provider, "")).items():
            for term in terms(text):
                frequencies[term] += WEIGHTS[field]
        for term, frequency in frequencies.items():
            self._postings[term].append((at, frequency))
        return sum(frequencies.values())

    def search(self, query: str, *, limit: int = 10) -> tuple[Ranked, ...]:
        """The best tools, best first; fewer than `limit` when no more have anything in common with the query."""
        scores = self._scores(query)
        best = sorted(scores, key=lambda at: (-scores[at], self._specs[at].name))[:limit]
        return tuple(Ranked(spec=self._specs[at], score=scores[at]) for at in best)

    def like(self, spec: ToolSpec, *, limit: int = 10) -> tuple[Ranked, ...]:
        """The tools most like this one, itself left out; 1 would be the same words."""
        text = f"{spec.tool} {spec.title} {spec.tool} {spec.description[:LIKENESS_CHARS]}"
        scores = self._bm25(text)
        itself = next((score for at, score in scores.items() if self._specs[at].name == spec.name), None)
        whole = itself or max(scores.values(), default=1.0)
        best = sorted(scores, key=lambda at: (-scores[at], self._specs[at].name))[: limit + 1]
        ranked = [Ranked(spec=self._specs[at], score=min(1.0, scores[at] / whole)) for at in best]
        return tuple(one for one in ranked if one.spec.name != spec.name)[:limit]

    def _scores(self, query: str) -> dict[int, float]:
        words = self._trusted(self._bm25(query))
        meaning = self._encoder.scores(self._specs, query) if self._encoder else None
        return words if meaning is None else _fused(words, dict(enumerate(meaning)))

    def _bm25(self, query: str) -> dict[int, float]:
        scores: defaultdict[int, float] = defaultdict(float)
        wanted = Counter(terms(query))
        weights: dict[str, float] = {term: float(count) for term, count in wanted.items()}
        for word in english_for(query):
            for term in terms(word):
                weights.setdefault(term, 1.0)
        for term, weight in weights.items():
            postings = self._postings.get(term)
            if not postings:
                continue
            rarity = math.log(1 + (len(self._specs) - len(postings) + 0.5) / (len(postings) + 0.5))
            for at, frequency in postings:
                scores[at] += weight * rarity * frequency * (K1 + 1) / (frequency + self._norms[at])
        return dict(scores)

    def _trusted(self, scores: Mapping[int, float]) -> dict[int, float]:
        """A tool that keeps failing comes a little later, one that keeps working a little earlier."""
        return {at: score * _trust(self._hints[at]) for at, score in scores.items()}


def _trust(hint: Hint | None) -> float:
    if hint is None or hint.reliability is None:
        return 1.0
    return 0.8 + 0.4 * hint.reliability


def _fields(spec: ToolSpec, hint: Hint | None, about: str) -> dict[str, str]:
    """The searchable text of a tool by field."""
    parameters = " ".join(f"{name} {schema.get('description', '')}" for name, schema in spec.parameters.items())
    return {
        "name": f"{spec.tool} {spec.title}",
        "hint": f"{hint.when} {' '.join(hint.aliases)}" if hint and hint.curated else "",
        "description": spec.description,
        "provider": spec.provider,
        "parameters": parameters,
        "about": about,
    }


def select(index: SearchIndex, catalog: Catalog, goal: str, *, budget_tokens: int, cap: int = 128) -> tuple[ToolSpec, ...]:
    """The tools that go to the model, sorted by name: all when they fit into the budget and the vendor's cap, else the best."""
    specs = catalog.callable_tools
    if len(specs) <= cap and sum(index.costs[spec.name] for spec in specs) <= budget_tokens:
        return specs
    chosen: dict[str, ToolSpec] = {}
    left = budget_tokens
    for ranked in index.search(goal, limit=4 * cap):
        price = index.costs[ranked.spec.name]
        if ranked.spec.available and price <= left:
            chosen[ranked.spec.name] = ranked.spec
            left -= price
        if len(chosen) == cap or left < CHEAPEST_TOOL:
            break
    return tuple(chosen[name] for name in sorted(chosen))


def cost_tokens(spec: ToolSpec) -> int:
    """What it costs to offer a tool to a model, estimated."""
    return 8 + estimate_tokens(f"{spec.name}{spec.description}{json.dumps(spec.input_schema, ensure_ascii=False)}")


def _fused(*rankings: Mapping[int, float]) -> dict[int, float]:
    fused: defaultdict[int, float] = defaultdict(float)
    for ranking in rankings:
        for place, at in enumerate(sorted(ranking, key=lambda at: -ranking[at])):
            fused[at] += 1 / (FUSION + place + 1)
    return dict(fused)
