"""Gives hints, descriptions, search and fallback tools for a catalog, with usage statistics."""

import logging
from collections.abc import Callable, Sequence
from threading import Lock
from typing import NamedTuple, TypeVar

import anyio
import anyio.to_thread
from cachetools import LRUCache
from sqlalchemy import Engine
from sqlalchemy.exc import SQLAlchemyError

from discovery.catalog import Catalog, Effect, JsonObject, ToolSpec
from discovery.discovery_errors import words_of
from discovery.hints.describe import Description, describe
from discovery.hints.hints import Hint, Language, make_hint
from discovery.hints.shown_effects import ShownEffect
from discovery.hints.usage import UsageBook, UsageSample
from discovery.search import embeddings
from discovery.search.fallback_tools import FallbackTool, find_fallback_tools
from discovery.search.offering import FoundTools, OfferedTools, OfferLimits, everyday_needs, find_more, offer
from discovery.search.search_index import Ranked, RankingReason, SearchIndex
from discovery.timing.clock import Clock

MANY_TOOLS = 100
"""From this number of tools on, a search index is built ahead and embeddings are used; fewer tools are all given to the model."""

STORED_AFTER_S = 1.0
"""Samples are stored together after this time."""

MEANING_WAIT_S = 5.0
"""How long a search waits for the embeddings, once; then it goes by words alone. The encoder loads in two seconds, and 500 new
tools take two more; embeddings of an earlier process are read from the database."""

HINTS_STAND_S = 1.0
"""A hint stands for this time, or each run would make the hints of those tools anew that the runs beside it call."""

T = TypeVar("T")


class _Kept(NamedTuple):
    """The latest hint of a tool."""

    hint: Hint
    fingerprint: str
    """Of the definition that it was made from."""
    revision: int
    """Of the statistics."""
    until: float
    """In monotonic seconds."""


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
        self.on_marked: Callable[[], None] = lambda: None
        """Called when the calls of one more tool have shown a change."""
        self._clock = clock
        self._hints: dict[str, _Kept] = {}
        """By full name."""
        self._encoding, self._encoding_english = anyio.Lock(), anyio.Lock()
        self._to_encode: Catalog | None = None
        self._encoded = anyio.Event()
        """Set when the embeddings of the latest catalog are ready, or cannot be made."""
        self._late: anyio.Event | None = None
        """The event for which a search waited too long; nobody waits for it again."""
        self._building = Lock()

    async def load(self) -> None:
        """Read the stored statistics; if that fails, hints and search work without them."""
        await anyio.to_thread.run_sync(self._rehearse)
        try:
            await self._usage.load()
        except SQLAlchemyError as error:
            _log.error("what was learned of tools could not be read: %s", words_of(error))

    async def prepare(self, catalog: Catalog) -> None:
        """Build the search index of a large catalog, in a thread."""
        if len(catalog.tools) < MANY_TOOLS:
            return
        self._encoded = anyio.Event()
        if await anyio.to_thread.run_sync(lambda: catalog.snapshot_id) not in self._indexes:  # a third of a second for thousands
            self._indexes[catalog.snapshot_id] = await anyio.to_thread.run_sync(self._built, catalog, abandon_on_cancel=True)

    def searches_by_meaning(self, catalog: Catalog) -> bool:
        """Whether this catalog is searched by embeddings: it is large, and the encoder is installed."""
        return self._encoder is not None and len(catalog.tools) >= MANY_TOOLS

    async def encode(self, catalog: Catalog) -> None:
        """Compute the embeddings of a catalog.

        Each new tool takes some milliseconds, ten times as long with the English encoder, so run it in the background.
        """
        if self._encoder is None:
            return
        self._to_encode, ready = catalog, self._encoded
        try:
            await self._encode_by(self._encoder, self._encoding, catalog, "they are searched by their words")
        finally:
            ready.set()
        if self._english is not None:  # has a lock of its own: nothing waits for it, not even the next catalog
            await self._encode_by(self._english, self._encoding_english, catalog, "English requests are ranked without it")

    async def _encode_by(self, encoder: embeddings.SentenceEncoder, turn: anyio.Lock, catalog: Catalog, without: str) -> None:
        try:
            async with turn:
                if catalog is self._to_encode:  # otherwise a newer catalog replaced it
                    await encoder.prepare(catalog.tools, _about(catalog))
        except SQLAlchemyError as error:
            _log.error("the meaning of tools could not be stored; %s: %s", without, words_of(error))
        except Exception as error:  # noqa: BLE001 - the gateway survives a library that cannot be loaded, or damaged weights
            _log.error("the meaning of tools cannot be encoded here; %s: %s", without, words_of(error))

    async def once_encoded(self, work: Callable[[], T], *, wait_s: float | None = None) -> T:
        """Run `work`, a search, in a thread once the embeddings are ready; return its result.

        It waits at most `wait_s` seconds. By default it waits `MEANING_WAIT_S`, and only if no search has waited so long before.
        """
        if self._encoded is not self._late or wait_s is not None:
            with anyio.move_on_after(MEANING_WAIT_S if wait_s is None else wait_s) as patience:
                while not self._encoded.is_set():
                    await self._encoded.wait()
            self._late = self._encoded if patience.cancelled_caught else None
        return await anyio.to_thread.run_sync(work)

    def lacks_meanings(self, catalog: Catalog) -> bool:
        """Whether a search of this catalog goes by words alone because its embeddings are not ready yet."""
        searches = self.searches_by_meaning(catalog)
        return searches and self._encoder is not None and self._encoder.scores(catalog.tools, "tools") is None

    def hint(self, spec: ToolSpec, language: Language | None = None) -> Hint:
        """Return the usage hint of a tool, in the language of the settings unless another is given.

        It is cached until the statistics of the tool change, and changes at most once in `HINTS_STAND_S`.
        """
        if language not in (None, self._language):
            return make_hint(spec, self._usage.of(spec), self._usage.followers(spec.name), language=language)
        now, kept = self._clock.monotonic(), self._hints.get(spec.name)
        if kept is not None and kept.fingerprint != spec.fingerprint:
            kept = None
        if kept is not None and now < kept.until:
            return kept.hint
        revision = self._usage.revision(spec.name)
        if kept is not None and kept.revision == revision:
            hint = kept.hint
        else:
            hint = make_hint(spec, self._usage.of(spec), self._usage.followers(spec.name), language=self._language)
        self._hints[spec.name] = _Kept(hint, spec.fingerprint, revision, now + HINTS_STAND_S)
        return hint

    def describe(self, catalog: Catalog, *, budget_tokens: int) -> Description:
        """Describe the catalog for a model, as data and as `text`."""
        return describe(catalog, self.hint, budget_tokens=budget_tokens, language=self._language)

    def search(self, catalog: Catalog, query: str, *, limit: int = 10) -> tuple[Ranked, ...]:
        """Return the tools that match a request, best first."""
        return self._index(catalog).search(query, limit=limit)

    def find_more(self, catalog: Catalog, query: str, may_find: Callable[[ToolSpec], bool]) -> FoundTools:
        """Search for further tools for the model among those that `may_find` accepts: the best, and others of their servers."""
        return find_more(self._index(catalog), query, may_find)

    def explain(self, catalog: Catalog, query: str, *, limit: int = 10) -> tuple[RankingReason, ...]:
        """Return the same ranking as `search`, with the reasons for each place."""
        return self._index(catalog).explain(query, limit=limit)

    def offer(
        self, catalog: Catalog, goal: str, limits: OfferLimits, *, context_tokens: int | None = None, known: Sequence[str] = ()
    ) -> OfferedTools:
        """Choose the tools that are given to the model with a goal: all if they fit, else the best within the budget.

        `context_tokens` is the size of the model's context, `known` the full names of tools that the run is known to need.
        """
        budget = limits.budget_tokens(context_tokens)
        used = self._usage.most_used(catalog.callable_tools)
        return offer(
            self._index(catalog), catalog, goal, budget_tokens=budget, most_tools=limits.most_offered, known=known, used=used
        )

    def substitutes(self, catalog: Catalog, failed: ToolSpec, arguments: JsonObject) -> tuple[FallbackTool, ...]:
        """Return the fallback tools for a failed call with mapped, valid arguments, best first."""
        return find_fallback_tools(catalog, failed, arguments, index=self._index(catalog), usage=self._usage.of)

    def learn(self, sample: UsageSample) -> None:
        """Add the sample of a call to the statistics. A failure of the database raises nothing."""
        if self._usage.learn(sample):
            _log.info("calls of %s showed that it changes something", sample.tool)
            self.on_marked()

    def shown(self, spec: ToolSpec) -> ShownEffect:
        """Return what the calls of a tool showed of its effect."""
        return self._usage.shown(spec)

    def marked(self, catalog: Catalog) -> Catalog:
        """Return the catalog with a mark on each tool that says nothing of its effect, and whose calls showed a change."""
        seen = {spec.name for spec in catalog.tools if not spec.declared and self._usage.changes(spec)}
        if not seen:
            return catalog
        tools = (spec.model_copy(update={"seen_to_change": True}) if spec.name in seen else spec for spec in catalog.tools)
        return catalog.model_copy(update={"tools": tuple(tools)})

    async def keep_storing(self) -> None:
        """Store samples until cancelled, and then the last ones.

        Those of a second are stored together, because one transaction per call would take longer than the call.
        """
        try:
            while True:
                await self._usage.has_news.wait()
                await anyio.sleep(STORED_AFTER_S)
                await self._usage.store()
        finally:
            with anyio.CancelScope(shield=True), anyio.move_on_after(5):
                await self._usage.store()

    def _rehearse(self) -> None:
        """Read the data files, by using each function once; call it in a thread, because the event loop may read no files."""
        first, second = (
            ToolSpec(
                name=f"{name}_web_search",
                provider=name,
                tool="web_search",  # both of one kind, so that the fallback search maps arguments
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
    """Return each provider's instructions, by its name; for search only, never for a model."""
    return {provider.name: provider.instructions for provider in catalog.providers if provider.instructions}
