"""Finds the tools a request needs among thousands (D18).

Called by `discovery.gateway` for the model's `search_tools` and to choose what goes into a request. Ranking is BM25 over the
weighted fields of a tool; where an encoder is given (`discovery.embeddings`), its ranking replaces BM25's for Japanese
and is fused with it for other languages, which is what measured best (docs/search.md).
"""

import json
import math
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Protocol

from discovery.catalog import Catalog, Frozen, ToolSpec
from discovery.hints import Hint
from discovery.lexicon import english_for
from discovery.tokens import estimate_tokens
from discovery.words import is_japanese, terms

K1, B = 1.2, 0.4
"""BM25's saturation and length weight. Descriptions of tools are long for reasons of style: length counts little."""
WEIGHTS = {"name": 3.0, "hint": 2.0, "description": 1.0, "provider": 1.0, "parameters": 0.5}
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
        self, specs: Iterable[ToolSpec], hint: Callable[[ToolSpec], Hint] | None = None, encoder: Encoder | None = None
    ) -> None:
        self._specs = tuple(specs)
        self._encoder = encoder
        self._hints = [hint(spec) if hint else None for spec in self._specs]
        self._postings: defaultdict[str, list[tuple[int, float]]] = defaultdict(list)
        lengths = [self._add(at, spec) for at, spec in enumerate(self._specs)]
        mean = sum(lengths) / len(lengths) if lengths else 1.0
        self._norms = [K1 * (1 - B + B * length / (mean or 1.0)) for length in lengths]

    def _add(self, at: int, spec: ToolSpec) -> float:
        frequencies: Counter[str] = Counter()
        for field, text in fields(spec, self._hints[at]).items():
            for term in terms(text):
                frequencies[term] += WEIGHTS[field]  # type: ignore[assignment]  # Counter is typed for whole numbers
        for term, frequency in frequencies.items():
            self._postings[term].append((at, frequency))
        return float(sum(frequencies.values()))

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
        if meaning is None:
            return words
        if is_japanese(query):
            return dict(enumerate(meaning))
        return _fused(words, dict(enumerate(meaning)))

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
        return {
            at: score * (0.8 + 0.4 * hint.reliability if (hint := self._hints[at]) and hint.reliability is not None else 1.0)
            for at, score in scores.items()
        }


def fields(spec: ToolSpec, hint: Hint | None) -> dict[str, str]:
    """The searchable text of a tool by field."""
    parameters = " ".join(f"{name} {schema.get('description', '')}" for name, schema in spec.parameters.items())
    return {
        "name": f"{spec.tool} {spec.title}",
        "hint": f"{hint.when} {' '.join(hint.aliases)}" if hint else "",
        "description": spec.description,
        "provider": spec.provider,
        "parameters": parameters,
    }


def steps(goal: str) -> tuple[str, ...]:
    """The goal and its clauses: each may need another tool, and searching for each finds more than searching once."""
    clauses = [part.strip() for part in _CLAUSE.split(goal)]
    return tuple(dict.fromkeys([goal, *(part for part in clauses if len(terms(part)) >= 2)]))


_CLAUSE = re.compile(r"[.。!?！？;；\n,、]|\band\b|\bthen\b|してから|した後|して(?=[^い])|、")


def select(index: SearchIndex, catalog: Catalog, goal: str, *, budget_tokens: int, cap: int = 128) -> tuple[ToolSpec, ...]:
    """The tools that go to the model, sorted by name: all when they fit into the budget and the vendor's cap, else the best.

    The best of each clause of the goal come in turn, so that one clause cannot use the budget up.
    """
    specs = catalog.callable_tools
    if len(specs) <= cap and sum(map(cost_tokens, specs)) <= budget_tokens:
        return specs
    rankings = [index.search(clause, limit=cap) for clause in steps(goal)]
    chosen: dict[str, ToolSpec] = {}
    left = budget_tokens
    for spec in _in_turn(rankings):
        price = cost_tokens(spec)
        if spec.name in chosen or not spec.available or price > left:
            continue
        chosen[spec.name] = spec
        left -= price
        if len(chosen) >= cap:
            break
    return tuple(chosen[name] for name in sorted(chosen))


def cost_tokens(spec: ToolSpec) -> int:
    """What it costs to offer a tool to a model, estimated."""
    return 8 + estimate_tokens(f"{spec.name}{spec.description}{json.dumps(spec.input_schema, ensure_ascii=False)}")


def _in_turn(rankings: Sequence[Sequence[Ranked]]) -> Iterable[ToolSpec]:
    for place in range(max(map(len, rankings), default=0)):
        for ranking in rankings:
            if place < len(ranking):
                yield ranking[place].spec


def _fused(*rankings: Mapping[int, float]) -> dict[int, float]:
    fused: defaultdict[int, float] = defaultdict(float)
    for ranking in rankings:
        for place, at in enumerate(sorted(ranking, key=lambda at: -ranking[at])):
            fused[at] += 1 / (FUSION + place + 1)
    return dict(fused)
