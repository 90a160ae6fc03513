"""Ranks the tools of a catalog by words, embeddings, and past use for similar requests.

With an encoder (`discovery.search.embeddings`), embeddings count most, and words add to them (docs/search.md). For an English
request a second encoder, for English only, counts too. A description gains nothing by length, by names of other providers' tools,
or by a third copy of the same text.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from types import MappingProxyType
from typing import NamedTuple, Protocol

from discovery.catalog import Frozen, ToolSpec
from discovery.hints.hints import Hint
from discovery.search.brief_tools import brief_form, cost_tokens
from discovery.search.ranked_text import OwnWords, plain_request, request_parts
from discovery.search.word_scores import WordScores, summed
from discovery.text.token_estimates import estimate_tokens

ABOUT_CHARS = 300
"""How much of a server's instructions is searched with each of its tools."""
LIKENESS_CHARS = 400
"""How much of a description is compared with other tools: the purpose stands first, then examples and warnings."""
DESCRIPTION_CHARS = 600
"""How much of a description is searched, so that a long list of words gains nothing."""
QUERY_CHARS = 2_000
"""How much of a request is searched: one half from its beginning, one from its end, because the wish stands at either."""
ENGLISH_SHARE = 2.0
"""The weight of the English encoder, whose scores differ less between tools than the other's; 1.5 to 2.5 are equally good."""
HISTORY_SHARE = 0.3
"""The weight of past use: what a tool gains that served a request of the same words before."""
COPIES = 2
"""How many tools with one description keep their places, because more could fill a short list."""


class Ranked(Frozen):
    """A tool and its score, which is comparable within one search only."""

    spec: ToolSpec
    score: float


class RankingReason(Frozen):
    """Explains a tool's score in one search."""

    spec: ToolSpec
    score: float
    words: dict[str, float] = {}  # noqa: RUF012 - frozen
    """Search term → its part of the score by words, highest first."""
    meaning: float | None = None
    """The similarity to the whole request (its cosine plus half of the provider's); None without an encoder."""
    step: str = ""
    """The most similar step of the request."""
    step_meaning: float | None = None
    """The similarity to that step, above the mean of all tools."""
    reliability: float | None = None
    """The rate of success of its calls; None if too few are known."""
    english: float | None = None
    """The score that the English encoder adds; None if it does not count."""
    served: float = 0.0
    """The share of the request's words in requests that the tool served before."""


class Encoder(Protocol):
    """Ranks tools by embeddings."""

    def scores(self, specs: Sequence[ToolSpec], query: str) -> Sequence[float] | None:
        """Return the similarity of each tool to the query; None while the tools are not encoded yet."""


class PartialEncoder(Encoder, Protocol):
    """An encoder that does not understand every language."""

    def reads(self, query: str) -> bool:
        """Whether it understands the language of a request."""


class _Similarity(NamedTuple):
    """The similarity of each tool to a request, according to one encoder."""

    whole: Sequence[float]
    steps: Mapping[str, Sequence[float]]
    """By step: each tool's similarity above the mean of all tools, because vague words are similar to everything."""

    @property
    def added(self) -> list[float]:
        """What it adds to each tool's score. The best step counts as much as the whole, because a tool seldom serves all
        steps."""
        nearest = map(max, zip(*self.steps.values(), strict=True)) if self.steps else [0.0] * len(self.whole)
        return [near + of_step for near, of_step in zip(self.whole, nearest, strict=True)]


class SearchIndex:
    """The tools of one catalog snapshot, ready to be searched. Building takes about 0.1 ms a tool."""

    def __init__(
        self,
        specs: Iterable[ToolSpec],
        hint: Callable[[ToolSpec], Hint] | None = None,
        encoder: Encoder | None = None,
        about: Mapping[str, str] = MappingProxyType({}),
        served: Callable[[str], Mapping[str, float]] = lambda query: {},
        english: PartialEncoder | None = None,
    ) -> None:
        """`about` maps each provider's name to its `instructions`. `served` returns, for a request, the fingerprints of tools
        that served similar requests, each with a similarity up to 1. `english` is a second encoder for English requests."""
        self.specs = tuple(specs)
        self._encoder, self._served, self._english = encoder, served, english
        self._about = {provider: text[:ABOUT_CHARS] for provider, text in about.items()}
        self._hints = [hint(spec) if hint else None for spec in self.specs]
        hint_tokens = [estimate_tokens(hint.beside_definition) if hint else 0 for hint in self._hints]
        self.costs = {spec.name: cost_tokens(spec) + extra for spec, extra in zip(self.specs, hint_tokens, strict=True)}
        """By full name: the estimated tokens of offering each tool to a model with its hint."""
        self._words = WordScores(self._texts())
        self._whole: dict[int, str] = {}
        """By position: a description without what sets copies apart to the eye, once it was compared."""

    def _texts(self) -> Iterator[dict[str, str]]:
        """The searchable text of each tool by field."""
        own_words = OwnWords(self.specs)
        for spec, hint in zip(self.specs, self._hints, strict=True):
            parameters = " ".join(f"{name} {schema.get('description', '')}" for name, schema in spec.parameters.items())
            yield {
                "name": f"{spec.tool} {spec.title}",
                "hint": " ".join(((hint.when,) if hint.curated else ()) + hint.aliases) if hint else "",
                "description": own_words.of(spec, DESCRIPTION_CHARS),
                "provider": spec.provider,
                "parameters": parameters,
                "about": self._about.get(spec.provider, ""),
            }

    @cached_property
    def brief_costs(self) -> dict[str, int]:
        """The estimated tokens of offering each tool in brief, by full name."""
        return {spec.name: cost_tokens(brief_form(spec)) for spec in self.specs}

    def search(self, query: str, *, limit: int = 10) -> tuple[Ranked, ...]:
        """Return the best tools, best first; fewer than `limit` if no more have anything in common with the query."""
        query = _bounded(query)
        scores = self._scores(query)
        best = self._without_crowds(self._ranked(scores), limit)
        return tuple(Ranked(spec=self.specs[at], score=scores[at]) for at in best)

    def _ranked(self, scores: Mapping[int, float]) -> list[int]:
        return sorted(scores, key=lambda at: (-scores[at], self.specs[at].name))

    def _without_crowds(self, ranked: Sequence[int], limit: int) -> list[int]:
        """Return the first `limit`, after all others those whose description has occurred `COPIES` times before."""
        seen: Counter[str] = Counter()
        chosen: list[int] = []
        crowd: list[int] = []
        for at in ranked:
            if len(chosen) == limit:
                break
            if at not in self._whole:
                self._whole[at] = " ".join(self.specs[at].description.split()).casefold()
            text = self._whole[at]
            seen[text] += bool(text)
            (crowd if seen[text] > COPIES else chosen).append(at)
        return (chosen + crowd)[:limit]

    def explain(self, query: str, *, limit: int = 10) -> tuple[RankingReason, ...]:
        """Return the same ranking as `search`, with the reasons for each place."""
        query = _bounded(query)
        places = {spec.name: at for at, spec in enumerate(self.specs)}
        served, by_word = self._served(query), self._words.shares(query)
        similarity, english = self._similarity(self._encoder, query), self._english_added(query)
        steps = similarity.steps if similarity else {}
        reasons = []
        for one in self.search(query, limit=limit):
            at = places[one.spec.name]
            hint = self._hints[at]
            words = {word: scores[at] for word, scores in by_word.items() if at in scores}
            step = max(steps, key=lambda part: steps[part][at], default="")
            reasons.append(
                RankingReason(
                    spec=one.spec,
                    score=one.score,
                    words=dict(sorted(words.items(), key=lambda item: -item[1])),
                    meaning=similarity.whole[at] if similarity else None,
                    step=step,
                    step_meaning=steps[step][at] if step else None,
                    reliability=hint.reliability if hint else None,
                    english=english[at] if english else None,
                    served=served.get(one.spec.fingerprint, 0.0),
                )
            )
        return tuple(reasons)

    def like(self, spec: ToolSpec, *, limit: int = 10) -> tuple[Ranked, ...]:
        """Return the tools with the most similar words, without this one; a score of 1 would mean the same words."""
        text = f"{spec.tool} {spec.title} {spec.tool} {spec.description[:LIKENESS_CHARS]}"
        scores = self._words.bm25(text)
        itself = next((score for at, score in scores.items() if self.specs[at].name == spec.name), None)
        whole = itself or max(scores.values(), default=1.0)
        best = self._ranked(scores)[: limit + 1]
        ranked = [Ranked(spec=self.specs[at], score=min(1.0, scores[at] / whole)) for at in best]
        return tuple(one for one in ranked if one.spec.name != spec.name)[:limit]

    def _scores(self, query: str) -> dict[int, float]:
        words = summed(self._words.shares(query))
        scores = {at: score * _trust(self._hints[at]) for at, score in words.items()}
        similarity, english = self._similarity(self._encoder, query), self._english_added(query)
        for added in (similarity.added if similarity else (), english or ()):
            for at, score in enumerate(added):
                scores[at] = scores.get(at, 0.0) + score
        served = self._served(query)
        for at, spec in enumerate(self.specs) if served else ():
            if spec.fingerprint in served:
                scores[at] = scores.get(at, 0.0) + HISTORY_SHARE * served[spec.fingerprint]
        return scores

    def _similarity(self, encoder: Encoder | None, query: str) -> _Similarity | None:
        """Return the similarity of all tools; None without an encoder, or while it is not ready."""
        plain = plain_request(query)
        whole = encoder.scores(self.specs, plain) if encoder else None
        if encoder is None or whole is None:
            return None
        steps = {part: _less_mean(scores) for part in request_parts(plain) if (scores := encoder.scores(self.specs, part))}
        return _Similarity(whole, steps)

    def _english_added(self, query: str) -> list[float] | None:
        """Return what the English encoder adds to each tool's score, with a mean of 0, so that scores keep their size.

        None without such an encoder, or if the request is in another language.
        """
        similarity = self._similarity(self._english, query) if self._english and self._english.reads(query) else None
        return [ENGLISH_SHARE * score for score in _less_mean(similarity.added)] if similarity else None


def _less_mean(numbers: Sequence[float]) -> list[float]:
    mean = sum(numbers) / len(numbers) if numbers else 0.0
    return [one - mean for one in numbers]


def _trust(hint: Hint | None) -> float:
    """Return a factor between 0.8 and 1.2 by the tool's rate of success."""
    if hint is None or hint.reliability is None:
        return 1.0
    return 0.8 + 0.4 * hint.reliability


def _bounded(query: str) -> str:
    """Return the request; of a very long one, its beginning and end."""
    half = QUERY_CHARS // 2
    return query if len(query) <= QUERY_CHARS else f"{query[:half]} {query[-half:]}"
