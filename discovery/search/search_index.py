"""Ranks the tools of a catalog by words, meaning, and past use for similar requests.

Where an encoder is given (`discovery.search.embeddings`) meaning leads, and words add to it (docs/search.md). For an English
request a second encoder, which reads only English, counts too. No description can buy its place: what stands late in it, names
of other providers' tools and the third copy of one text count for nothing.
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
"""So much of what a server says of itself counts for its tools; more would let it shout."""
LIKENESS_CHARS = 400
"""So much of a description says what a tool is for; examples and warnings follow."""
DESCRIPTION_CHARS = 600
"""So much of a description is searched: what a tool is for stands first, and a longer list of words would buy places."""
QUERY_CHARS = 2_000
"""So much of a request is searched, half of it from its end: what is wanted stands at either."""
ENGLISH_SHARE = 2.0
"""What the English encoder counts beside the other, whose numbers differ more between tools: 1.5 to 2.5 are as good."""
HISTORY_SHARE = 0.3
"""What a tool gains that served a request of the same words before, beside a cosine and `word_scores`' shares."""
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
    """The step of the request that is nearest."""
    step_meaning: float | None = None
    """How much nearer than the tools are in the mean."""
    reliability: float | None = None
    """How often its calls succeed; None while too few are known."""
    english: float | None = None
    """What the English encoder adds; None where it does not count."""
    served: float = 0.0
    """The share of the request's words that were in requests it served before."""


class Encoder(Protocol):
    """A ranking by meaning; None while it is not ready for this catalog."""

    def scores(self, specs: Sequence[ToolSpec], query: str) -> Sequence[float] | None:
        """One number per tool, higher is nearer."""


class PartialEncoder(Encoder, Protocol):
    """One that does not know every language."""

    def reads(self, query: str) -> bool:
        """Whether a request is in a language that it knows."""


class _Nearness(NamedTuple):
    """How near each tool is to a request in the eyes of one encoder."""

    whole: Sequence[float]
    steps: Mapping[str, Sequence[float]]
    """By step: how much nearer each tool is than all are in the mean, because vague words are near to everything."""

    @property
    def added(self) -> list[float]:
        """What meaning adds to the score of each tool. The nearest step counts as much as the whole: a tool is for one step,
        seldom for all."""
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
        """`about` is what each provider says of itself (`Provider.instructions`), by its name; `served` gives, for a request, the
        fingerprints of tools that served such requests, each with a number up to 1; `english` is a second encoder for requests
        in English."""
        self.specs = tuple(specs)
        self._encoder, self._served, self._english = encoder, served, english
        self._about = {provider: text[:ABOUT_CHARS] for provider, text in about.items()}
        self._hints = [hint(spec) if hint else None for spec in self.specs]
        hint_tokens = [estimate_tokens(hint.beside_definition) if hint else 0 for hint in self._hints]
        self.costs = {spec.name: cost_tokens(spec) + extra for spec, extra in zip(self.specs, hint_tokens, strict=True)}
        """By full name: what it costs to offer each tool to a model with its hint."""
        self._words = WordScores(self._texts())

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
        """The best tools, best first; fewer than `limit` when no more have anything in common with the query."""
        query = _bounded(query)
        scores = self._scores(query)
        best = self._without_crowds(self._ranked(scores))[:limit]
        return tuple(Ranked(spec=self.specs[at], score=scores[at]) for at in best)

    def _ranked(self, scores: Mapping[int, float]) -> list[int]:
        return sorted(scores, key=lambda at: (-scores[at], self.specs[at].name))

    def _without_crowds(self, ranked: Sequence[int]) -> list[int]:
        """The same, but of many tools with one text only the first keep their places; the others come last."""
        seen: Counter[str] = Counter()
        chosen: list[int] = []
        crowd: list[int] = []
        for at in ranked:
            text = " ".join(self.specs[at].description.split()).casefold()
            seen[text] += bool(text)
            (crowd if seen[text] > COPIES else chosen).append(at)
        return chosen + crowd

    def explain(self, query: str, *, limit: int = 10) -> tuple[RankingReason, ...]:
        """The same ranking as `search`, each place with its reasons."""
        query = _bounded(query)
        ranked = self.search(query, limit=limit)
        places = {spec.name: at for at, spec in enumerate(self.specs)}
        served, by_word = self._served(query), self._words.shares(query)
        near, english = self._nearness(self._encoder, query), self._english_added(query)
        found = []
        for one in ranked:
            at = places[one.spec.name]
            reason = self._reason(one, at, by_word, near, served)
            found.append(reason.model_copy(update={"english": english[at]}) if english else reason)
        return tuple(found)

    def _reason(
        self,
        ranked: Ranked,
        at: int,
        by_word: Mapping[str, Mapping[int, float]],
        near: _Nearness | None,
        served: Mapping[str, float],
    ) -> RankingReason:
        hint = self._hints[at]
        found = {word: scores[at] for word, scores in by_word.items() if at in scores}
        steps = near.steps if near else {}
        step = max(steps, key=lambda part: steps[part][at], default="")
        return RankingReason(
            spec=ranked.spec,
            score=ranked.score,
            words=dict(sorted(found.items(), key=lambda item: -item[1])),
            meaning=near.whole[at] if near else None,
            step=step,
            step_meaning=steps[step][at] if step else None,
            reliability=hint.reliability if hint else None,
            served=served.get(ranked.spec.fingerprint, 0.0),
        )

    def like(self, spec: ToolSpec, *, limit: int = 10) -> tuple[Ranked, ...]:
        """The tools most like this one, itself left out; 1 would be the same words."""
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
        near, english = self._nearness(self._encoder, query), self._english_added(query)
        for added in (near.added if near else (), english or ()):
            for at, score in enumerate(added):
                scores[at] = scores.get(at, 0.0) + score
        served = self._served(query)
        for at, spec in enumerate(self.specs) if served else ():
            if spec.fingerprint in served:
                scores[at] = scores.get(at, 0.0) + HISTORY_SHARE * served[spec.fingerprint]
        return scores

    def _nearness(self, encoder: Encoder | None, query: str) -> _Nearness | None:
        """None while the encoder is not ready."""
        plain = plain_request(query)
        whole = encoder.scores(self.specs, plain) if encoder else None
        if encoder is None or whole is None:
            return None
        steps = {part: _less_mean(near) for part in request_parts(plain) if (near := encoder.scores(self.specs, part))}
        return _Nearness(whole, steps)

    def _english_added(self, query: str) -> list[float] | None:
        """What the English encoder adds to each tool: in the mean nothing, so that scores keep their size. None where there is
        none, or the request is in another language."""
        near = self._nearness(self._english, query) if self._english and self._english.reads(query) else None
        return [ENGLISH_SHARE * score for score in _less_mean(near.added)] if near else None


def _less_mean(numbers: Sequence[float]) -> list[float]:
    mean = sum(numbers) / len(numbers) if numbers else 0.0
    return [one - mean for one in numbers]


def _trust(hint: Hint | None) -> float:
    """A tool that keeps failing comes a little later, one that keeps working a little earlier."""
    if hint is None or hint.reliability is None:
        return 1.0
    return 0.8 + 0.4 * hint.reliability


def _bounded(query: str) -> str:
    """The request, of a very long one its beginning and end."""
    half = QUERY_CHARS // 2
    return query if len(query) <= QUERY_CHARS else f"{query[:half]} {query[-half:]}"
