"""Ranks the tools of a catalog by words (BM25), meaning, and what served such requests before.

A Japanese request is looked up in English too (`discovery.text.lexicon`). Where an encoder is given
(`discovery.search.embeddings`) meaning leads, and words add to it (docs/search.md). No description can buy its place: what
stands late in it, names of other providers' tools and the third copy of one text count for nothing.
"""

import math
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property
from types import MappingProxyType
from typing import Protocol

from discovery.catalog import Frozen, ToolSpec
from discovery.hints.hints import Hint
from discovery.search.brief_tools import brief_form, cost_tokens
from discovery.search.own_words import OwnWords
from discovery.text.lexicon import english_for
from discovery.text.request_parts import request_parts
from discovery.text.search_terms import terms
from discovery.text.token_estimates import estimate_tokens

K1, B = 1.2, 0.75
"""BM25's saturation and length weight: the textbook's. Recall moved by less than three points anywhere near."""
WEIGHTS = {"name": 3.0, "hint": 2.0, "description": 1.0, "provider": 1.0, "parameters": 0.5, "about": 0.5}
ABOUT_CHARS = 300
"""So much of what a server says of itself counts for its tools; more would let it shout."""
LIKENESS_CHARS = 400
"""So much of a description says what a tool is for; examples and warnings follow."""
DESCRIPTION_CHARS = 600
"""So much of a description is searched: what a tool is for stands first, and a longer list of words would buy places."""
QUERY_CHARS = 2_000
"""So much of a request is searched, half of it from its end: what is wanted stands at either."""
REPEATS = 2
"""So often a word counts in one field; more of it only makes the text longer, which costs."""
WORDS_SHARE = 0.3
"""What the best match of words adds to a cosine: less than its range (-1 to 1), so that words without signal settle nothing."""
STEPS_SHARE = 0.5
"""What the nearest step of a request adds: a tool is for one step, seldom for all."""
HISTORY_SHARE = 0.3
"""What a tool gains that served a request of the same words before: as much as the best match of words."""
COPIES = 2
"""So many tools of one text keep their places; more of them would push everything else out of a short list."""


class Ranked(Frozen):
    """A tool and how well it fits; scores compare within one search only."""

    spec: ToolSpec
    score: float


class RankingReason(Frozen):
    """Why a tool stands where it does in one search."""

    spec: ToolSpec
    score: float
    words: dict[str, float] = {}  # noqa: RUF012 - frozen
    """Search term → its part of the score by words, the weightiest first."""
    meaning: float | None = None
    """How near the request is as a whole (a cosine, and half of the provider's); None without an encoder."""
    step: str = ""
    """The step of the request that is nearest, where it has several."""
    step_meaning: float | None = None
    reliability: float | None = None
    """How often its calls succeed; None while too few are known."""
    served: float = 0.0
    """The share of the request's words that were in requests it served before."""


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
        served: Callable[[str], Mapping[str, float]] = lambda query: {},
    ) -> None:
        """`about` is what each provider says of itself (`Provider.instructions`), by its name; `served` gives, for a request, the
        fingerprints of tools that served such requests, each with a number up to 1."""
        self.specs = tuple(specs)
        self._encoder, self._served = encoder, served
        self._about = {provider: text[:ABOUT_CHARS] for provider, text in about.items()}
        self._hints = [hint(spec) if hint else None for spec in self.specs]
        told = [estimate_tokens(hint.text) if hint else 0 for hint in self._hints]
        self.costs = {spec.name: cost_tokens(spec) + extra for spec, extra in zip(self.specs, told, strict=True)}
        """By full name: what it costs to offer each tool to a model with its hint."""
        self._own_words = OwnWords(self.specs)
        self._postings: defaultdict[str, list[tuple[int, float]]] = defaultdict(list)
        lengths = [self._add(at, spec) for at, spec in enumerate(self.specs)]
        mean = sum(lengths) / len(lengths) if lengths else 1.0
        self._norms = [K1 * (1 - B + B * length / (mean or 1.0)) for length in lengths]

    def _add(self, at: int, spec: ToolSpec) -> float:
        frequencies: defaultdict[str, float] = defaultdict(float)
        fields = _fields(spec, self._hints[at], self._about.get(spec.provider, ""))
        fields["description"] = self._own_words.of(spec, DESCRIPTION_CHARS)
        length = 0.0
        for field, text in fields.items():
            counts = Counter(terms(text))
            length += WEIGHTS[field] * counts.total()
            for term, count in counts.items():
                frequencies[term] += WEIGHTS[field] * min(count, REPEATS)
        for term, frequency in frequencies.items():
            self._postings[term].append((at, frequency))
        return length

    @cached_property
    def brief_costs(self) -> dict[str, int]:
        """By full name: what it costs to offer each tool in brief."""
        return {spec.name: cost_tokens(brief_form(spec)) for spec in self.specs}

    def search(self, query: str, *, limit: int = 10) -> tuple[Ranked, ...]:
        """The best tools, best first; fewer than `limit` when no more have anything in common with the query."""
        query = _bounded(query)
        scores = self._scores(query)
        best = self._without_crowds(sorted(scores, key=lambda at: (-scores[at], self.specs[at].name)))[:limit]
        return tuple(Ranked(spec=self.specs[at], score=scores[at]) for at in best)

    def _without_crowds(self, ranked: Sequence[int]) -> list[int]:
        """The same, but of many tools with one text only the first keep their places; the others come last."""
        seen: Counter[str] = Counter()
        kept: list[int] = []
        crowd: list[int] = []
        for at in ranked:
            text = " ".join(self.specs[at].description.split()).casefold()
            seen[text] += bool(text)
            (crowd if seen[text] > COPIES else kept).append(at)
        return kept + crowd

    def explain(self, query: str, *, limit: int = 10) -> tuple[RankingReason, ...]:
        """The same ranking as `search`, each place with its reasons."""
        query = _bounded(query)
        ranked = self.search(query, limit=limit)
        places = {spec.name: at for at, spec in enumerate(self.specs)}
        parts = request_parts(query)
        whole, steps = self._meaning(query), [meaning for part in parts if (meaning := self._meaning(part))]
        served, by_word = self._served(query), self._by_word(query)
        return tuple(
            self._reason(one, places[one.spec.name], by_word, whole, dict(zip(parts, steps, strict=False)), served)
            for one in ranked
        )

    def _reason(
        self,
        ranked: Ranked,
        at: int,
        by_word: Mapping[str, Mapping[int, float]],
        whole: Sequence[float] | None,
        steps: Mapping[str, Sequence[float]],
        served: Mapping[str, float],
    ) -> RankingReason:
        hint = self._hints[at]
        found = {word: scores[at] for word, scores in by_word.items() if at in scores}
        step = max(steps, key=lambda part: steps[part][at], default="")
        return RankingReason(
            spec=ranked.spec,
            score=ranked.score,
            words=dict(sorted(found.items(), key=lambda item: -item[1])),
            meaning=whole[at] if whole else None,
            step=step,
            step_meaning=steps[step][at] if step else None,
            reliability=hint.reliability if hint else None,
            served=served.get(ranked.spec.fingerprint, 0.0),
        )

    def like(self, spec: ToolSpec, *, limit: int = 10) -> tuple[Ranked, ...]:
        """The tools most like this one, itself left out; 1 would be the same words."""
        text = f"{spec.tool} {spec.title} {spec.tool} {spec.description[:LIKENESS_CHARS]}"
        scores = self._bm25(text)
        itself = next((score for at, score in scores.items() if self.specs[at].name == spec.name), None)
        whole = itself or max(scores.values(), default=1.0)
        best = sorted(scores, key=lambda at: (-scores[at], self.specs[at].name))[: limit + 1]
        ranked = [Ranked(spec=self.specs[at], score=min(1.0, scores[at] / whole)) for at in best]
        return tuple(one for one in ranked if one.spec.name != spec.name)[:limit]

    def _scores(self, query: str) -> dict[int, float]:
        words = self._trusted(self._bm25(query))
        best = max(words.values(), default=0.0)
        meaning = self._meaning_by_steps(query)
        if meaning is None:
            scores, unit = words, best or 1.0
        else:
            scores = {at: near + WORDS_SHARE * words.get(at, 0.0) / (best or 1.0) for at, near in enumerate(meaning)}
            unit = 1.0
        served = self._served(query)
        for at, spec in enumerate(self.specs) if served else ():
            if spec.fingerprint in served:
                scores[at] = scores.get(at, 0.0) + HISTORY_SHARE * unit * served[spec.fingerprint]
        return scores

    def _meaning(self, text: str) -> Sequence[float] | None:
        return self._encoder.scores(self.specs, text) if self._encoder else None

    def _meaning_by_steps(self, query: str) -> Sequence[float] | None:
        """How near each tool is to the request, and to that one of its steps that is nearest."""
        whole = self._meaning(query)
        if whole is None:
            return None
        steps = [near for part in request_parts(query) if (near := self._meaning(part)) is not None]
        return [near + STEPS_SHARE * max(of) for near, *of in zip(whole, *steps, strict=True)] if steps else whole

    def _bm25(self, query: str) -> dict[int, float]:
        scores: defaultdict[int, float] = defaultdict(float)
        for found in self._by_word(query).values():
            for at, score in found.items():
                scores[at] += score
        return dict(scores)

    def _by_word(self, query: str) -> dict[str, dict[int, float]]:
        """For each term of a request that any tool has: what it is worth to each of these."""
        weights: dict[str, float] = {term: float(count) for term, count in Counter(terms(query)).items()}
        for word in english_for(query):
            for term in terms(word):
                weights.setdefault(term, 1.0)
        return {term: self._worth(term, weight) for term, weight in weights.items() if term in self._postings}

    def _worth(self, term: str, weight: float) -> dict[int, float]:
        postings = self._postings[term]
        rarity = math.log(1 + (len(self.specs) - len(postings) + 0.5) / (len(postings) + 0.5))
        return {at: weight * rarity * frequency * (K1 + 1) / (frequency + self._norms[at]) for at, frequency in postings}

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


def _bounded(query: str) -> str:
    """The request, of a very long one its beginning and end."""
    half = QUERY_CHARS // 2
    return query if len(query) <= QUERY_CHARS else f"{query[:half]} {query[-half:]}"
