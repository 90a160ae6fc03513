"""The gateway to all tools: catalog, calls, search and hints."""

import logging
import os
from collections.abc import AsyncIterator, Awaitable, Callable, Collection, Iterable, Mapping, Sequence
from contextlib import asynccontextmanager
from random import Random
from typing import TYPE_CHECKING, TypeVar

import anyio
import anyio.abc
import anyio.to_thread
from mcp import Client
from mcp.client.session import ElicitationFnT
from mcp_types import (
    CompleteResult,
    CompletionArgument,
    CompletionContext,
    GetPromptResult,
    PromptReference,
    ReadResourceResult,
    ResourceTemplateReference,
)
from pydantic import BaseModel
from sqlalchemy import Engine

from discovery.advisor import Advisor
from discovery.cache import CatalogCache
from discovery.catalog import Catalog, JsonObject, Provider, ProviderState, ToolOutput, ToolSpec
from discovery.connections.connection import Connection
from discovery.connections.connection_context import ConnectionContext, OnPageDone, OnResourceUpdated, Reread
from discovery.connections.server_lists import Announced
from discovery.connections.server_requests import OnServerLog
from discovery.connections.startup_timeouts import SLOWER_THAN_USUAL, Needed, OnWait, StartupTimeouts
from discovery.discovery_errors import ProviderBusy, ProviderUnavailable, ToolHeld, UnknownTool
from discovery.gateway_settings import GatewaySettings
from discovery.hints.hints import Hint, Language
from discovery.review.pins import DefinitionChange
from discovery.review.reviewer import Reviewer
from discovery.servers.server_config import ServerConfig
from discovery.snapshot import as_provider, emergency_catalog, fresh_for_s, snapshot
from discovery.text.near_names import did_you_mean, near_names
from discovery.timing.background_tasks import background_tasks
from discovery.timing.clock import SYSTEM_CLOCK, Clock
from discovery.timing.rate_limits import RateLimiter, Slot
from discovery.tool_calls.task_polling import TaskKeeper
from discovery.transport import answers
from discovery.transport.authorization.sign_ins import SignInStore
from discovery.transport.in_process import InProcess
from discovery.transport.local import processes
from discovery.transport.local.child import Spares

if TYPE_CHECKING:  # brings an HTTP client
    from discovery.transport.authorization.oauth import Browser

IDEMPOTENCY_KEY = "jiritsu/idempotency-key"
"""Where a call's idempotency key travels: in the request's `_meta`."""

T = TypeVar("T")
AnswerT = TypeVar("AnswerT", bound=BaseModel)

_NOTHING: Mapping[str, InProcess] = {}
_log = logging.getLogger(__name__)


@asynccontextmanager
async def open_gateway(
    servers: Sequence[ServerConfig],
    *,
    in_process: Mapping[str, InProcess] = _NOTHING,
    engine: Engine | None = None,
    settings: GatewaySettings = GatewaySettings(),  # noqa: B008 - frozen
    clock: Clock = SYSTEM_CLOCK,
    env: Mapping[str, str] = os.environ,
    random: Random = Random(),  # noqa: B008, S311 - jitter
    browser: "Browser | None" = None,
    elicit: ElicitationFnT | None = None,
    asks_back: bool = False,
    on_log: OnServerLog | None = None,
    spares: Spares | None = None,
    reread: Reread | None = None,
) -> AsyncIterator["Gateway"]:
    """Connect to all providers in the background. On leaving, all connections are closed and all server processes have ended.

    Opening waits for no server.

    - `engine` stores usage statistics, pinned definitions and the last listings; without one they live in memory.
    - `env` fills the `${…}` placeholders of the servers' entries.
    - `browser` lets a person sign in to a remote server. Without it, a server that needs a sign-in is parked.
    - `elicit` answers the questions of servers. Without it, a call that asks back fails, unless `asks_back` lets the server ask
      the caller of that call (`discovery.transport.asked_back`).
    - `on_log` is called with the log messages of servers.
    - `spares` are server processes that were started ahead.
    - `reread` reads a server's entry again when a server that waits for the operator is asked for.
    """
    advisor = Advisor(engine, clock, language=settings.language)
    reviewer = Reviewer(engine, clock, hold="all" if settings.hold_changed else "meaning")
    entries = [*servers, *(provider.entry(name) for name, provider in in_process.items())]
    sign_ins = SignInStore(engine, settings.encryption_key, clock)
    async with _reaped(any(entry.transport == "stdio" for entry in entries)), background_tasks() as tasks:
        listings = await reviewer.load(entries)
        gateway = Gateway(tasks, settings, clock, advisor, reviewer, engine)
        context = ConnectionContext(
            settings,
            clock,
            env,
            random,
            reviewer.review,
            sign_ins,
            browser=browser,
            elicit=elicit,
            asks_back=asks_back,
            on_log=on_log,
            on_updated=gateway.updated,
            spares=spares,
            reread=reread,
            on_page_done=gateway.page_done,
            slowest_start_s=gateway.slowest_start_s,
            on_stillness=gateway.note_stillness,
        )
        tasks.start_soon(advisor.keep_storing, name="samples")
        tasks.start_soon(reviewer.keep_storing, name="listings")
        for config in entries:
            inside = in_process.get(config.name) if config.transport == "in_process" else None
            connection = Connection(
                config,
                context,
                gateway.changed,
                last_known=listings.pop(config.name, None),  # else it would stay beside what the server lists now
                in_process=inside.server if inside else None,
            )
            gateway.add(connection, in_backend=inside.in_backend if inside else "")
        await advisor.load()  # while the servers start
        yield gateway


@asynccontextmanager
async def _reaped(starts_servers: bool) -> AsyncIterator[None]:
    """Kill the servers that an earlier process left behind, and start a reaper process that kills ours if we are killed."""
    await anyio.to_thread.run_sync(processes.kill_orphans)
    if not starts_servers:
        yield
        return
    dismiss = await anyio.to_thread.run_sync(processes.start_reaper)
    try:
        yield
    finally:
        with anyio.CancelScope(shield=True):
            await anyio.to_thread.run_sync(dismiss)


class Gateway:
    """Open it with `open_gateway`; safe to use from any task of the same event loop."""

    def __init__(
        self,
        tasks: anyio.abc.TaskGroup,
        settings: GatewaySettings,
        clock: Clock,
        advisor: Advisor,
        reviewer: Reviewer,
        engine: Engine | None,
    ) -> None:
        self._tasks, self._settings, self._clock = tasks, settings, clock
        self.advisor = advisor
        """Searches the tools, describes them and gives hints on their use."""
        self._reviewer, self._engine = reviewer, engine
        self._connections: dict[str, Connection] = {}
        self.on_updated: list[OnResourceUpdated] = []
        """Called for each change of a subscribed resource."""
        self.on_page_done: list[OnPageDone] = []
        """Called when a person has finished with a page that a server asked to open (URL elicitation of revision 2025-11-25)."""
        self._limiters: dict[str, RateLimiter] = {}
        """By provider: those that have a rate limit, or that asked us to wait."""
        self._in_backend: dict[str, str] = {}
        self._change = anyio.Event()
        self._seen: Catalog | None = None
        """The catalog that search was last prepared for."""
        self._encoded: Catalog | None = None
        """The catalog whose embeddings were computed last, or are being computed."""
        self.encodes_ahead = True
        """Whether embeddings are computed before anybody searches. Each new tool takes 30 ms of CPU, in parallel with calls."""
        self._timeouts = StartupTimeouts(settings, lambda: self._change)
        self._cache = CatalogCache(self._take, self._renew, tasks, clock)
        advisor.on_marked = self._cache.invalidate

    def add(self, connection: Connection, *, in_backend: str = "") -> None:
        """Take over a provider, and start connecting to it. A second provider of the same name is left out."""
        name = connection.config.name
        if name in self._connections:
            _log.warning("provider %r is declared twice; the second is left out", name)
            return
        self._connections[name] = connection
        self._in_backend[name] = in_backend
        if limit := connection.config.rate_limit:
            self._limiters[name] = RateLimiter(name, limit, self._engine, self._clock)
        self._tasks.start_soon(connection.run, name=f"provider {name}")

    async def catalog(
        self, *, refresh: bool = False, needed: Needed | None = None, wait_s: float = 0.0, on_wait: OnWait | None = None
    ) -> Catalog:
        """Return the catalog of all providers' tools. A failed provider raises nothing: the catalog says what is missing and why.

        The first call waits for all providers but the slow ones; `refresh` asks all of them to list their tools again. With
        `needed`, only the providers that are needed and still starting are waited for, at most `wait_s` seconds;
        `Catalog.missing` then tells why a provider is absent. `on_wait` is called with the providers that are waited for.
        """
        if needed is not None and (callable(needed) or needed):

            async def missing() -> tuple[Provider, ...]:
                catalog = await self._prepared(at_once=True)
                return catalog.missing(needed(catalog) if callable(needed) else needed)

            if absent := await missing():
                for provider in absent:
                    self._connections[provider.name].wake()
                late = await self._timeouts.needed(missing, wait_s, on_wait)
                self._note_late(self._connections[provider.name] for provider in late)
        return await self._prepared(refresh=refresh, at_once=needed is not None)

    async def _prepared(self, *, refresh: bool = False, at_once: bool = False) -> Catalog:
        catalog = await self._cache.get(refresh=refresh, at_once=at_once)
        if catalog is not self._seen:
            self._seen = catalog
            await self.advisor.prepare(catalog)
            if self.encodes_ahead:
                self._encode()
        return catalog

    def _encode(self) -> None:
        """Compute the embeddings of the catalog's tools in the background, once, if this catalog is searched by embeddings."""
        if self._seen is not None and self._encoded is not self._seen and self.advisor.searches_by_meaning(self._seen):
            self._encoded = self._seen
            self._tasks.start_soon(self.advisor.encode, self._seen)

    async def settle(self, timeout_s: float, *, first_s: float | None = None) -> tuple[Provider, ...]:
        """Wait until every provider has connected or failed, or until none has done so for `timeout_s` seconds; return them all.

        With `first_s`, a provider that has never listed its tools may take that long, because it may have to be installed; once
        that was too short, it only gets `startup_s`.
        """
        everyone = list(self._connections.values())
        waits = [(everyone, timeout_s)]
        if first_s is not None:
            unknown = [one for one in everyone if not one.lists.listing]
            waits = [
                ([one for one in everyone if one.lists.listing], timeout_s),
                ([one for one in unknown if not one.lists.overdue], first_s),
                ([one for one in unknown if one.lists.overdue], self._settings.startup_s),
            ]
        for connections, wait_s in waits:
            self._note_late(await self._timeouts.settled(connections, wait_s))
        return self.status()

    async def settle_soon(self, quiet_s: float) -> None:
        """Wait as `settle` does, for a caller that needs no particular provider: until none has connected for `quiet_s` seconds.

        It waits longer where even the quick providers are slow. A provider that exceeded its wait before is not waited for.
        """
        awaited = [one for one in self._connections.values() if not one.lists.overdue]
        waited_s, patience_s = 0.0, quiet_s
        while waited_s < patience_s:
            waited_s = patience_s
            await self._timeouts.settled(awaited, patience_s)
            slowest_s = max([self.slowest_start_s(), *(one.usual_s for one in awaited)])
            patience_s = max(quiet_s, SLOWER_THAN_USUAL * slowest_s)

    def _note_late(self, connections: Iterable[Connection]) -> None:
        """Remember providers that never listed their tools and exceeded a wait or do nothing, so that nobody waits for them
        without need."""
        for connection in connections:
            if connection.lists.listing is None:
                connection.lists.overdue = True
                self._cache.invalidate()
                self._reviewer.missed(connection.config)

    async def note_stillness(self, provider: str) -> None:
        """Remember that a provider may hang, so that nobody waits for it without need."""
        self._note_late([self._connection(provider)])
        self.changed()

    def slowest_start_s(self) -> float:
        """Return the seconds that the slowest server of this process took to list its tools; 0 if none has listed them yet."""
        lists = [one.lists for one in self._connections.values() if not one.inside]
        return max((one.listing.took_s for one in lists if one.listing and one.times), default=0.0)

    def wake(self, provider: str) -> None:
        """Connect to a parked provider again now; has no effect on one that runs."""
        self._connection(provider).wake()

    async def next_change(self) -> None:
        """Wait until any provider connects, disconnects or lists its tools."""
        await self._change.wait()

    async def slot(self, spec: ToolSpec, *, patience_s: float) -> Slot | None:
        """Wait until the provider's rate limit admits one more call; None if it has no limit. Pass the slot to `call` soon.

        For a caller that must do something right before the call is sent. Raises ProviderBusy if the wait would exceed
        `patience_s` seconds.
        """
        limiter = self._limiters.get(spec.provider)
        return await limiter.take(patience_s) if limiter is not None else None

    async def call(
        self,
        name: str,
        arguments: JsonObject,
        *,
        timeout_s: float | None = None,
        idempotency_key: str = "",
        slot: Slot | None = None,
        longest_s: float | None = None,
        keeper: TaskKeeper | None = None,
    ) -> ToolOutput:
        """Call a tool by its full name, once; a failed call is reported and never sent again.

        Without a `slot`, the call first waits for the provider's rate limit, and for a provider that is still starting, each for
        at most `timeout_s`. If a provider asks to come back later, all callers wait until then. A call that reports progress may
        take up to `longest_s` seconds; the default is ten times its timeout.

        Raises UnknownTool, ProviderUnavailable and ProviderBusy if nothing was done; CallTimedOut and ConnectionLost if it may
        have been done; and CallFailed. A tool that reports its own failure returns an output with `is_error`.
        """
        spec = await self._callable(name, timeout_s)
        timeout_s = timeout_s or spec.timeout_s or self._settings.call_timeout_s
        limiter = self._limiters.get(spec.provider)
        if limiter is not None and (slot is None or not limiter.fresh(slot)):
            slot = await limiter.take(timeout_s)
        meta = {IDEMPOTENCY_KEY: idempotency_key} if idempotency_key else {}
        try:
            output = await self._connections[spec.provider].requests.call(
                spec.tool,
                arguments,
                timeout_s=timeout_s,
                meta=meta,
                longest_s=longest_s,
                as_task=spec.called_as_task,
                keeper=keeper,
            )
        except ProviderBusy as busy:
            await self._leave_alone(spec.provider, busy.retry_after_s)
            raise
        if output.is_error:
            await self._leave_alone(spec.provider, answers.asked_wait_s(output.text))
        return output.model_copy(update={"waited_s": slot.waited_s}) if slot is not None and slot.waited_s else output

    async def _callable(self, name: str, wait_s: float | None) -> ToolSpec:
        """Return the tool if it can be called now. Raises UnknownTool, ToolHeld and ProviderUnavailable."""
        catalog = await self._cache.get(at_once=True)
        spec = catalog.get(name)
        if spec is not None and (connection := self._connections[spec.provider]).lists.outdated:
            await connection.catch_up(wait_s or self._settings.call_timeout_s)
            catalog = await self._cache.get(at_once=True)
            spec = catalog.get(name)
        owner = spec.provider if spec is not None else name
        if any(one.state is ProviderState.CONNECTING for one in catalog.missing([owner])):
            catalog = await self.catalog(needed=[owner], wait_s=wait_s or self._settings.call_timeout_s)
            spec = catalog.get(name)
        if spec is None and (missing := catalog.missing([name])):
            raise ProviderUnavailable(missing[0].name, missing[0].cause)
        if spec is None:
            raise UnknownTool(name, near_names(name, [spec.name for spec in catalog.tools], most=3))
        if spec.available:
            return spec
        provider = catalog.provider(spec.provider)
        if provider is None or provider.available:
            raise ToolHeld(spec.provider, spec.unavailable_because)
        raise ProviderUnavailable(spec.provider, provider.cause)

    async def read_resource(self, provider: str, uri: str, *, timeout_s: float | None = None) -> ReadResourceResult:
        """Read a resource of a provider. Raises ProviderUnavailable for an unknown provider, and otherwise what `call` raises."""
        return await self._ask(provider, "resources/read", lambda client: client.read_resource(uri), timeout_s)

    async def get_prompt(
        self, provider: str, name: str, arguments: dict[str, str], *, timeout_s: float | None = None
    ) -> GetPromptResult:
        """Fill in a prompt of a provider. Raises as `read_resource` does."""
        return await self._ask(provider, "prompts/get", lambda client: client.get_prompt(name, arguments), timeout_s)

    async def complete(
        self,
        provider: str,
        ref: PromptReference | ResourceTemplateReference,
        argument: CompletionArgument,
        context: CompletionContext | None,
    ) -> CompleteResult:
        """Return the values that a provider proposes for an argument. Raises as `read_resource` does."""
        values, more = {"name": argument.name, "value": argument.value}, context.arguments if context else None
        return await self._ask(provider, "completion/complete", lambda client: client.complete(ref, values, more))

    async def _ask(
        self, provider: str, what: str, ask: Callable[[Client], Awaitable[AnswerT]], timeout_s: float | None = None
    ) -> AnswerT:
        requests = self._connection(provider).requests
        return requests.redacted(await requests.ask(what, timeout_s or self._settings.call_timeout_s, ask))

    async def watch(self, provider: str, uris: Collection[str]) -> frozenset[str]:
        """Subscribe to changes of resources; return the URIs that the provider accepted. If it accepted none, raises as
        `read_resource` does."""
        return await self._connection(provider).watch(uris, timeout_s=self._settings.call_timeout_s)

    async def unwatch(self, provider: str, uris: Collection[str]) -> None:
        """Unsubscribe from changes of these resources."""
        await self._connection(provider).unwatch(uris, timeout_s=self._settings.health_timeout_s)

    @property
    def announced(self) -> Announced:
        """How often all servers together have announced that a list of theirs changed."""
        return Announced(*map(sum, zip(*(one.lists.announced for one in self._connections.values()), strict=True)))

    async def updated(self, provider: str, uri: str) -> None:
        """Report a changed resource of a provider to `on_updated`."""
        for callback in self.on_updated:
            await callback(provider, uri)

    async def page_done(self, provider: str, elicitation_id: str) -> None:
        """Report to `on_page_done` that a person has finished with the page of this elicitation."""
        for callback in self.on_page_done:
            await callback(provider, elicitation_id)

    def _connection(self, provider: str) -> Connection:
        if provider not in self._connections:
            raise ProviderUnavailable(provider, f"there is no such server{did_you_mean(provider, self._connections)}")
        return self._connections[provider]

    def hint(self, spec: ToolSpec, language: Language | None = None) -> Hint:
        """Return the usage hint of a tool; the default language is that of the settings."""
        return self.advisor.hint(spec, language)

    async def with_meaning(self, catalog: Catalog, work: Callable[[], T], *, wait_s: float | None = None) -> T:
        """Run `work`, which searches a catalog, and return its result.

        If the search uses embeddings, this waits for them first (at most `wait_s`, else a few seconds) and runs `work` in a
        thread.
        """
        if not self.advisor.searches_by_meaning(catalog):
            return work()
        self._encode()
        return await self.advisor.once_encoded(work, wait_s=wait_s)

    def held(self) -> tuple[DefinitionChange, ...]:
        """Return the changed tool definitions that wait for a person's approval."""
        return self._reviewer.held()

    async def approve(self, provider: str, seen: Collection[DefinitionChange], *, by: str) -> tuple[str, ...]:
        """Approve held definitions that a person has seen; return their tools, by the provider's own names. One that has changed
        since then stays held.

        Raises the database's errors.
        """
        if approved := await self._reviewer.approve(provider, seen, by=by):
            self._connections[provider].relist()
        return approved

    def status(self) -> tuple[Provider, ...]:
        """Return every configured provider in its present state."""
        return tuple(as_provider(connection, self._in_backend, {}) for connection in self._connections.values())

    def changed(self) -> None:
        """Note that a provider connected, disconnected or listed its tools: the next catalog is built anew."""
        self._cache.invalidate()
        self._change.set()
        self._change = anyio.Event()

    async def _leave_alone(self, provider: str, seconds: float | None) -> None:
        """Let every caller wait if the provider asked one of them to come back in so many seconds."""
        if seconds:
            await self._limiters.setdefault(provider, RateLimiter(provider, None, None, self._clock)).pause(seconds)

    async def _renew(self, ask: bool) -> None:
        """Wait until the quick providers have listed their tools: once more if `ask` is set, else for the first time."""
        listed_before = {connection: connection.lists.times if ask else 0 for connection in self._connections.values()}
        for connection in listed_before if ask else ():
            connection.relist()
        await self._timeouts.answers(listed_before)

    def _take(self) -> tuple[Catalog, float]:
        """Return a snapshot and the seconds for which it is fresh."""
        now = self._clock.now()
        connections = tuple(self._connections.values())
        try:
            catalog = self.advisor.marked(snapshot(connections, self._in_backend, now))
            return catalog, fresh_for_s(connections, self._settings.ttl_s, now)
        except Exception as error:  # noqa: BLE001 - a catalog is never an exception
            _log.exception("taking the catalog failed")
            return emergency_catalog((), f"the catalog could not be put together: {error}", now), self._settings.ttl_s
