"""Hints, descriptions, search and fallback tools for one catalog, from usage statistics."""

import logging
from collections.abc import Callable, Sequence
from threading import Lock
from typing import TypeVar

import anyio
import anyio.to_thread
from cachetools import LRUCache
from sqlalchemy import Engine
from sqlalchemy.exc import SQLAlchemyError

from discovery.catalog import Catalog, Effect, JsonObject, ToolSpec
from discovery.discovery_errors import words_of
from discovery.hints.describe import Description, describe
from discovery.hints.hints import Hint, Language, make_hint
from discovery.hints.usage import UsageBook, UsageSample
from discovery.search import embeddings
from discovery.search.fallback_tools import FallbackTool, find_fallback_tools
from discovery.search.offering import FoundTools, OfferedTools, OfferLimits, everyday_needs, find_more, offer
from discovery.search.search_index import Ranked, RankingReason, SearchIndex
from discovery.timing.clock import Clock

MANY_TOOLS = 100
"""From here on a search index is built ahead of its use, in a thread, and meanings are encoded: fewer tools all go to the
model."""

STORED_AFTER_S = 1.0

MEANING_WAIT_S = 5.0
"""So long a search among many tools waits for their meanings, once: the encoder loads in two seconds, 500 new tools take as long
again; with vectors from an earlier process it is the loading alone. After that words decide."""

T = TypeVar("T")

_Basis = tuple[str, int]
"""A definition's fingerprint, and the revision of what is known of its tool."""

_log = logging.getLogger(__name__)


class Advisor:
    """Advice on the tools of any catalog snapshot."""

    def __init__(self, engine: Engine | None, clock: Clock, *, language: Language = "ja") -> None:
        self._language: Language = language
        self._usage = UsageBook(engine, clock)
        self._encoder = embeddings.SentenceEncoder(engine, clock) if embeddings.installed() else None
        both = self._encoder is not None and embeddings.english_installed()
        self._english = embeddings.english_sentence_encoder(engine, clock) if both else None
        self._indexes: LRUCache[str, SearchIndex] = LRUCache(4)
        self._hints: dict[str, tuple[_Basis, Hint]] = {}
        """The latest hint of each tool, by full name, and what it was made from."""
        self._encoding, self._encoding_english = anyio.Lock(), anyio.Lock()
        self._to_encode: Catalog | None = None
        self._encoded = anyio.Event()
        """Set when the meanings of the catalog that came last are there, or cannot be."""
        self._late: anyio.Event | None = None
        """The one that was waited for in vain: nobody waits for it again."""
        self._building = Lock()

    async def load(self) -> None:
        """Read what was learned before; without it the advice is merely plainer."""
        await anyio.to_thread.run_sync(self._rehearse)
        try:
            await self._usage.load()
        except SQLAlchemyError as error:
            _log.error("what was learned of tools could not be read: %s", words_of(error))

    async def prepare(self, catalog: Catalog) -> None:
        """Make searching a large catalog quick, off the event loop."""
        if len(catalog.tools) < MANY_TOOLS:
            return
        self._encoded = anyio.Event()
        if await anyio.to_thread.run_sync(lambda: catalog.snapshot_id) not in self._indexes:  # a third of a second for thousands
            self._indexes[catalog.snapshot_id] = await anyio.to_thread.run_sync(self._built, catalog, abandon_on_cancel=True)

    def searches_by_meaning(self, catalog: Catalog) -> bool:
        """Whether meanings help to search this catalog, and can be encoded here."""
        return self._encoder is not None and len(catalog.tools) >= MANY_TOOLS

    async def encode(self, catalog: Catalog) -> None:
        """Encode the meanings of a catalog that is searched by them.

        It takes some milliseconds a tool the first time, ten times as long with the English encoder: it is for the background.
        """
        if self._encoder is None:
            return
        self._to_encode, ready = catalog, self._encoded
        try:
            await self._encode_by(self._encoder, self._encoding, catalog, "they are searched by their words")
        finally:
            ready.set()
        if self._english is not None:  # nobody waits for it, and a new catalog's first meanings do not either
            await self._encode_by(self._english, self._encoding_english, catalog, "English requests are ranked without it")

    async def _encode_by(self, encoder: embeddings.SentenceEncoder, turn: anyio.Lock, catalog: Catalog, without: str) -> None:
        try:
            async with turn:
                if catalog is self._to_encode:  # else another one came meanwhile, which has all of it
                    await encoder.prepare(catalog.tools, _about(catalog))
        except SQLAlchemyError as error:
            _log.error("the meaning of tools could not be stored; %s: %s", without, words_of(error))
        except Exception as error:  # noqa: BLE001 - a library that this machine cannot load, or damaged weights, end no gateway
            _log.error("the meaning of tools cannot be encoded here; %s: %s", without, words_of(error))

    async def once_encoded(self, work: Callable[[], T], *, wait_s: float | None = None) -> T:
        """Do in a thread what searches a catalog by meaning, once its meanings are there.

        `wait_s` is for who would rather wait than be told by words alone; else nobody waits a second time.
        """
        if self._encoded is not self._late or wait_s is not None:
            with anyio.move_on_after(MEANING_WAIT_S if wait_s is None else wait_s) as patience:
                while not self._encoded.is_set():
                    await self._encoded.wait()
            self._late = self._encoded if patience.cancelled_caught else None
        return await anyio.to_thread.run_sync(work)

    def lacks_meanings(self, catalog: Catalog) -> bool:
        """Whether a search of this catalog goes by words alone because its meanings are not there yet."""
        return (
            self._encoder is not None
            and self.searches_by_meaning(catalog)
            and self._encoder.scores(catalog.tools, "tools") is None
        )

    def hint(self, spec: ToolSpec, language: Language | None = None) -> Hint:
        """The hint for a tool: curated, from its schema, and learned; the same object until more is learned.

        `language`: for a reader whose language is not that of the settings.
        """
        if language not in (None, self._language):
            return make_hint(spec, self._usage.of(spec), self._usage.followers(spec.name), language=language)
        basis = spec.fingerprint, self._usage.revision(spec.name)
        cached = self._hints.get(spec.name)
        if cached is None or cached[0] != basis:
            hint = make_hint(spec, self._usage.of(spec), self._usage.followers(spec.name), language=self._language)
            cached = self._hints[spec.name] = basis, hint
        return cached[1]

    def describe(self, catalog: Catalog, *, budget_tokens: int) -> Description:
        """The catalog in words for a model, as data and as `text`."""
        return describe(catalog, self.hint, budget_tokens=budget_tokens, language=self._language)

    def search(self, catalog: Catalog, query: str, *, limit: int = 10) -> tuple[Ranked, ...]:
        """The tools that fit a request, best first."""
        return self._index(catalog).search(query, limit=limit)

    def find_more(self, catalog: Catalog, query: str, may_find: Callable[[ToolSpec], bool]) -> FoundTools:
        """Search for tools for the model, among those that may be found: the best, and others of their servers."""
        return find_more(self._index(catalog), query, may_find)

    def explain(self, catalog: Catalog, query: str, *, limit: int = 10) -> tuple[RankingReason, ...]:
        """The same ranking, each place with its reasons."""
        return self._index(catalog).explain(query, limit=limit)

    def offer(
        self, catalog: Catalog, goal: str, limits: OfferLimits, *, context_tokens: int | None = None, known: Sequence[str] = ()
    ) -> OfferedTools:
        """The tools that go to the model with a goal: all where they fit, else the best within the budget.

        `context_tokens` is how much the model reads, `known` are full names of tools that the run is known to need.
        """
        budget = limits.budget_tokens(context_tokens)
        used = self._usage.most_used(catalog.callable_tools)
        return offer(
            self._index(catalog), catalog, goal, budget_tokens=budget, most_tools=limits.most_tools, known=known, used=used
        )

    def substitutes(self, catalog: Catalog, failed: ToolSpec, arguments: JsonObject) -> tuple[FallbackTool, ...]:
        """The fallback tools for a failed call, its arguments mapped and valid, best first."""
        return find_fallback_tools(catalog, failed, arguments, index=self._index(catalog), usage=self._usage.of)

    def learn(self, sample: UsageSample) -> None:
        """Take in what a call taught; never raises for the database's sake."""
        self._usage.learn(sample)

    async def keep_storing(self) -> None:
        """Store what is learned, a second's samples at once, and the last ones when cancelled: a transaction a call would cost
        more than the call."""
        try:
            while True:
                await self._usage.has_news.wait()
                await anyio.sleep(STORED_AFTER_S)
                await self._usage.store()
        finally:
            with anyio.CancelScope(shield=True), anyio.move_on_after(5):
                await self._usage.store()

    def _rehearse(self) -> None:
        """Give each kind of advice once, in a thread: the data files behind it are read at first use."""
        first, second = (
            ToolSpec(
                name=f"{name}_web_search",
                provider=name,
                tool="web_search",  # of one kind, else nothing is mapped
                description="Search the web.",
                input_schema={"type": "object", "properties": {argument: {"type": "string"}}, "required": [argument]},
                effect=Effect.READ,
            )
            for name, argument in (("one", "query"), ("other", "words"))
        )
        catalog = Catalog(tools=(first, second))
        self.describe(catalog, budget_tokens=1000)
        self.search(catalog, "稽古", limit=1)
        everyday_needs()
        self.substitutes(catalog, first, {"query": "稽古"})

    def _index(self, catalog: Catalog) -> SearchIndex:
        with self._building:
            index = self._indexes.get(catalog.snapshot_id)
            if index is None:
                index = self._indexes[catalog.snapshot_id] = self._built(catalog)
            return index

    def _built(self, catalog: Catalog) -> SearchIndex:
        return SearchIndex(catalog.tools, self.hint, self._encoder, _about(catalog), self._usage.served, self._english)


def _about(catalog: Catalog) -> dict[str, str]:
    """The description that each provider gives of itself; for finding its tools, never for instructing a model."""
    return {provider.name: provider.instructions for provider in catalog.providers if provider.instructions}
