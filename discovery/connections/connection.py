"""One provider's connection: an owner task that connects, serves, reconnects and closes.

`discovery.gateway` runs `Connection.run` once per provider. The SDK's client must be entered and left in the same task; other
tasks may safely send requests through it.

    connecting ──► ready ──► degraded ──► ready …        a fault: back off, then connect again; no request is sent twice
         └───────────┴──────────┴──► parked ──► connecting    too many faults, or the operator must act; until somebody asks again
"""

import math
import shlex
from collections.abc import Callable, Collection
from importlib import import_module
from typing import TYPE_CHECKING, Any, Literal

import anyio
import anyio.to_thread
from mcp import Client, MCPError
from mcp.client.session import ClientSession
from mcp_types import (
    ElicitCompleteNotification,
    PromptListChangedNotification,
    ResourceListChangedNotification,
    ResourceUpdatedNotification,
    ServerNotification,
    ToolListChangedNotification,
)
from mcp_types.version import MODERN_PROTOCOL_VERSIONS
from sqlalchemy.exc import SQLAlchemyError

from discovery.catalog import Listing, Missing, ProviderState
from discovery.connections.connection_context import ConnectionContext
from discovery.connections.outgoing_requests import OutgoingRequests
from discovery.connections.sdk_client import Greeting, check_health, greeting_of, sdk_client
from discovery.connections.server_lists import ServerLists
from discovery.connections.server_requests import ServerRequests
from discovery.discovery_errors import DiscoveryError, ProviderUnavailable
from discovery.servers.server_config import Launch, OAuthSettings, ServerConfig
from discovery.text.redaction import PROCESS_SECRETS, Redaction
from discovery.timing.breaker import Breaker
from discovery.timing.clock import sleep_unless
from discovery.tool_calls.resource_watch import ResourceWatch
from discovery.transport import answers
from discovery.transport.connection_end import ConnectionEnd, cause_of, end_of
from discovery.transport.exchange import Exchange
from discovery.transport.firewall import buffered, firewalled
from discovery.transport.in_process import McpServer, imported
from discovery.transport.local.server_log import ServerLog, log_file
from discovery.transport.local.stdio import guarded_stdio
from discovery.transport.silence import SignsOfLife, watched

if TYPE_CHECKING:
    from discovery.transport.authorization.oauth import ServerAuth

HTTP = "discovery.transport.streamable_http"
"""Brings an HTTP client and sign-ins, 4 MB, which a process whose servers are all on this machine does not need."""
SIGN_IN_LOOK_S = 5.0
"""How often a server that wants a sign-in looks whether a person has signed in meanwhile, by another process."""

SILENT_S = 5.0
"""The SDK waits ten seconds for an answer to `server/discover`. A server of an old revision that takes longer than this to
connect has probably not answered it, so the next connection begins with the old handshake."""

STILL = "it is still starting, but its process does nothing"
SILENT = "it is still starting, but nothing comes from it"
"""The reasons of one that may hang."""

QUICKLY_S = 0.5
"""How long the first listing of tools waits for the listing of resources and prompts and for the stream of announced changes."""
HOPELESS = 2
"""After so many failed starts in a row a provider counts as failed, no longer as starting: one failure often passes."""
START_ALLOWANCE = 2.0
"""A server may take this many times as long as its last start, if that is more than the setting allows."""
LONGEST_START_S = 600.0


class Connection:
    """The connection to one provider. Only the connection itself changes its attributes.

    In the names below, a life lasts from connecting to the end of that connection; a provider may have many.
    """

    def __init__(
        self,
        config: ServerConfig,
        context: ConnectionContext,
        on_change: Callable[[], None],
        *,
        last_known: Listing | None = None,
        in_process: "McpServer | None" = None,
    ) -> None:
        self.config = config
        self.state = ProviderState.CONNECTING
        self.reason = ""
        self.lists = ServerLists(context.settings, context.clock, context.review, on_change, self._break, last_known)
        self.since = context.clock.now()
        """When its state last changed, in seconds since the epoch."""
        self.wants_sign_in = False
        self.greeting = Greeting()

        self._context, self._on_change = context, on_change
        self._settings, self._clock = context.settings, context.clock
        self._in_process = in_process
        logs = context.settings.log_folder
        self._log = ServerLog(log_file(logs, config.name), context.clock) if logs else None
        self._incoming = ServerRequests(config.name, context.elicit, context.on_log, self._log)
        self.requests = OutgoingRequests(
            config,
            context.settings,
            context.clock,
            self._incoming,
            why_away=lambda: self.reason,
            failure=self._failure,
            learn_from=self._learn_from_words,
        )
        self._failures = 0
        """Lives in a row that ended before the tools were listed."""
        self._start_s = config.connect_timeout_s or max(
            context.settings.connect_timeout_s, min(last_known.took_s * START_ALLOWANCE, LONGEST_START_S) if last_known else 0.0
        )
        """How long it may take to start; doubled each time that this was too short."""
        self._breaker = Breaker(context.settings, context.random)
        self._obstructed = False
        """Whether the operator must act before it can be started."""
        self._parked_for_faults = False
        """Whether it is parked because of its faults, and not because the operator must act."""
        self._auth: ServerAuth | None = None
        self._older = config.protocol_version != ""
        """Whether to connect by the handshake of the revisions before 2026-07-28."""
        self._mode: Literal["auto", "legacy"] = "legacy" if self._older else "auto"
        self._fault = ""
        """Why the connection broke, as the transport reported it."""
        self._noise = ""
        """A note on the first line that the server printed and that is no MCP message."""
        self._broken, self._wanted = anyio.Event(), anyio.Event()
        self._watched = ResourceWatch(
            self._resource_changed, patience_s=context.settings.call_timeout_s, pause_s=context.settings.retry_cap_s
        )

    @property
    def inside(self) -> bool:
        """Whether the provider runs in this process."""
        return self.config.transport == "in_process"

    @property
    def missing(self) -> Missing:
        """Why its tools cannot be called; empty if they can."""
        match self.state:
            case ProviderState.READY:
                return ""
            case ProviderState.CONNECTING:
                return "starting"
            case ProviderState.DEGRADED:
                return "starting" if self._failures < HOPELESS else "failed"
            case _ if self.config.disabled:
                return "disabled"
            case _ if self.wants_sign_in:
                return "needs_sign_in"
            case _:
                return "needs_operator" if self._obstructed else "failed"

    @property
    def usual_s(self) -> float:
        """How many seconds its last start took; 0 if unknown, or if it is not connecting now."""
        return self.lists.listing.took_s if self.lists.listing and self.state is ProviderState.CONNECTING else 0.0

    def owes_listing(self, seen: int) -> bool:
        """Whether a further listing may still arrive soon; `seen` is the number of listings before it was asked for."""
        return self.lists.times == seen and self.state in (ProviderState.CONNECTING, ProviderState.READY)

    async def run(self) -> None:
        """Connect, serve, wait after a fault, and connect again, until cancelled."""
        try:
            while True:
                if self._obstructed and self._context.reread is not None:  # the operator may have trusted it meanwhile
                    now = await anyio.to_thread.run_sync(self._context.reread, self.config.name)
                    self.config = self.config if now is None else now
                launch = Launch()
                if not self.config.obstacle:
                    launch = await anyio.to_thread.run_sync(self.config.launch, self._context.env)
                    self._hide(launch)
                    self._incoming.begin(launch.roots)
                if obstacle := self.config.obstacle or launch.needs:
                    self._obstructed = True
                    await self._park(obstacle)
                    continue
                self._obstructed = False
                times = self.lists.times
                end = await self._live(launch)
                self._failures = self._failures + 1 if self.lists.times == times else 0
                self._breaker.fault(self._clock.monotonic())
                await self._rest(end, launch)
        finally:
            self._become(ProviderState.CLOSED, "the gateway is closed")

    def _hide(self, launch: Launch) -> None:
        """Redact the secrets that the server is given from its messages, and every value that it is given from its log."""
        environment, addresses = {**launch.env, **launch.headers}, (*launch.args, launch.url)
        redaction = Redaction.of_secrets(environment, addresses, launch.secrets)
        self._incoming.redaction, self._incoming.log_redaction = redaction, Redaction(lambda: launch.given)
        PROCESS_SECRETS.add(lambda: (*redaction.values, *launch.headers.values()))

    async def watch(self, uris: Collection[str], *, timeout_s: float) -> frozenset[str]:
        """Subscribe to changes of resources; return the URIs that the server accepted. Raises as `OutgoingRequests.call` does,
        also if it accepted none."""
        return await self.requests.ask("resources/subscribe", timeout_s, lambda client: self._watched.add(client.session, uris))

    async def unwatch(self, uris: Collection[str], *, timeout_s: float) -> None:
        """Unsubscribe from changes of these resources. A failure of the server raises nothing."""
        with anyio.move_on_after(timeout_s):
            await self._watched.drop(self.requests.client.session if self.requests.client else None, uris)

    async def _resource_changed(self, uri: str) -> None:
        if self._context.on_updated is not None:
            await self._context.on_updated(self.config.name, uri)

    async def catch_up(self, timeout_s: float) -> None:
        """Wait until the tools are listed whose change was announced, because they may differ from what was approved.

        Raises ProviderUnavailable if that takes longer than `timeout_s` seconds.
        """
        if self.requests.client is None or not self.lists.outdated:
            return
        with anyio.move_on_after(timeout_s) as late:
            await self.lists.caught_up()
        if late.cancelled_caught:
            raise ProviderUnavailable(self.config.name, "it said that its tools are others now, and has not listed them since")

    def relist(self) -> None:
        """Request a new listing; `lists.times` rises when it has arrived. A provider that is down or parked is connected
        again."""
        self.lists.ask()
        self._wanted.set()

    def wake(self) -> None:
        """Connect again now if it is parked, because somebody needs it."""
        if self._parked_for_faults or (self._obstructed and self._context.reread is not None):
            self._become(ProviderState.CONNECTING)
            self._wanted.set()

    async def _live(self, launch: Launch) -> ConnectionEnd:
        """Connect, serve until the connection ends, and return why it ended."""
        self._fault, self._noise, self._broken = "", "", anyio.Event()
        started = self._clock.monotonic()
        deadline_s = self._start_s
        try:
            with anyio.CancelScope(deadline=anyio.current_time() + deadline_s) as connecting:
                transport = await self._transport(launch)
                async with sdk_client(
                    transport, self._incoming, self._context, self._on_message, mode=self._mode, tasks=not self.inside
                ) as client:
                    connecting.deadline = math.inf
                    await self._serve(client, started)
            if connecting.cancelled_caught:
                self._failures = HOPELESS  # it had all the time there is
                self._start_s = min(2 * deadline_s, LONGEST_START_S)
                silent = f"it did not answer within {deadline_s:g} s of being started"
                return ConnectionEnd(self._fault or "; ".join(filter(None, (silent, self._noise))))
        except Exception as error:  # noqa: BLE001 - whatever a server makes the SDK raise ends this life, and this life only
            self._mode = "legacy" if self._older else "auto"
            return end_of(error, self._fault)
        finally:
            self.requests.client = None
        return ConnectionEnd(self._fault)

    async def _serve(self, client: Client, started: float) -> None:
        """List the tools, then keep the lists current and check the server's health until the connection breaks."""
        self.greeting = greeting_of(client)
        modern = self.greeting.protocol_version in MODERN_PROTOCOL_VERSIONS
        self._incoming.names_questions = modern
        silent = self._clock.monotonic() - started > SILENT_S and not modern
        self._mode = "legacy" if silent or self._older else "auto"
        async with anyio.create_task_group() as tasks:
            listening = anyio.Event()
            tasks.start_soon(self.lists.keep_listening, client.session, listening)
            by = anyio.current_time() + QUICKLY_S
            with anyio.CancelScope(deadline=by) as quickly:
                await self.lists.list_the_rest(client.session)
            with anyio.CancelScope(deadline=by):
                await listening.wait()  # a change between the listing and the opening of the stream would be missed
            listening.set()
            try:
                await self.lists.list_tools(client.session, self.config, started)
            except TimeoutError:
                self._fault = f"it did not list its tools within {self._settings.list_timeout_s:g} s"
                tasks.cancel_scope.cancel()
                return
            except MCPError as error:
                self._fault = self._fault or f"its tools/list failed: {cause_of(error)}"
                raise
            self._listed()
            self.requests.client = client
            self._become(ProviderState.READY)
            if quickly.cancelled_caught:
                tasks.start_soon(self.lists.list_the_rest, client.session)
            tasks.start_soon(self.lists.keep_tools, client.session, self.config, self._listed)
            tasks.start_soon(self.lists.keep_the_rest, client.session)
            tasks.start_soon(self._watched.keep, client.session)
            tasks.start_soon(self._keep_checking, client.session)
            await self._broken.wait()
            tasks.cancel_scope.cancel()

    async def _transport(self, launch: Launch) -> Any:
        """Return what the SDK's client connects to: a server in this process, or guarded streams to a server outside."""
        if self.inside:
            return self._in_process or await anyio.to_thread.run_sync(imported, self.config.python)
        context, clock = self._context, self._clock
        if self.config.transport == "http":
            http = await anyio.to_thread.run_sync(import_module, HTTP)
            times, guarded = self.lists.times, http.guarded_sse if self.config.sse else http.guarded_http
            signs = SignsOfLife(lambda: self.lists.times == times and not self.lists.overdue and not self.lists.compares)
            transport = buffered(guarded(launch, auth=await self._authentication(launch), clock=clock, signs=signs))
            if context.browser is None:  # otherwise a person may be signing in
                transport = watched(transport, signs, context.slowest_start_s, self._note_silence)
        else:
            transport = guarded_stdio(
                launch,
                env=context.env,
                on_fault=self._break,
                clock=clock,
                log=self._log,
                spares=context.spares,
                on_noise=self._hear_noise,
                on_stillness=self._note_stillness,
            )
        self.requests.exchange = Exchange(self._incoming.arrived)
        return firewalled(transport, self.requests.exchange)

    def _hear_noise(self, line: str) -> None:
        """Note a line that is no MCP message: a program that prints one at its start may be no MCP server at all."""
        self._noise = f"it has printed what is no MCP message: {line!r}"
        if self.state is ProviderState.CONNECTING:
            self._become(ProviderState.CONNECTING, self._noise)

    async def _note_stillness(self) -> None:
        """Note that it may hang, because its process does nothing and waits for nothing that could come."""
        self._become(self.state, "; ".join(filter(None, (STILL, self._noise))))
        if self._context.on_stillness is not None:
            await self._context.on_stillness(self.config.name)

    async def _note_silence(self) -> None:
        """Note that it may hang, because nothing comes from it."""
        self.lists.overdue = self.lists.listing is None
        self._become(self.state, SILENT)

    async def _authentication(self, launch: Launch) -> "ServerAuth | None":
        """Return the sign-in of a remote server if one is configured or stored, or if a person can sign in now."""
        context = self._context
        if self._auth is None and not self.config.signs_itself_in:
            known = await context.sign_ins.read(launch.url)
            if launch.oauth or known.tokens or context.browser:
                from discovery.transport.authorization.oauth import ServerAuth  # loaded with `HTTP`

                settings = launch.oauth or OAuthSettings()
                self._auth = ServerAuth(launch.url, settings, context.sign_ins, self._clock, browser=context.browser)
        return self._auth

    async def _rest(self, end: ConnectionEnd, launch: Launch) -> None:
        """Back off after a fault, or park the provider if connecting again is of no use."""
        if end.needs_operator:
            advice = self._sign_in_advice if end.wants_sign_in else ""
            self.wants_sign_in = end.wants_sign_in
            await self._park(end.why + advice, launch.url if advice else "")
            self.wants_sign_in = False
        elif self._breaker.parked:
            self._parked_for_faults = True
            await self._park(f"{end.why} (the last of {self._settings.park_after} faults)")
            self._parked_for_faults = False
        else:
            self._wanted = anyio.Event()
            self._become(ProviderState.DEGRADED, end.why)
            await self._clock.sleep(end.wait_s)  # requested by the server, so nobody can shorten it
            await sleep_unless(self._wanted, self._breaker.wait_s(), self._clock)

    async def _park(self, why: str, signs_in_at: str = "") -> None:
        """Wait until somebody asks for it; at `signs_in_at`, also until a person has signed in, which another process does."""
        self._wanted, self._failures = anyio.Event(), 0
        self._become(ProviderState.PARKED, why)
        while signs_in_at and not self._wanted.is_set() and not await self._has_new_tokens(signs_in_at):
            await sleep_unless(self._wanted, SIGN_IN_LOOK_S, self._clock)
        if not signs_in_at:
            await self._wanted.wait()
        self._auth = None  # the next connection may sign in anew
        self._breaker.forget()
        self._become(ProviderState.CONNECTING)

    async def _has_new_tokens(self, address: str) -> bool:
        used = self._auth.sign_in.tokens if self._auth is not None else None
        try:
            known = (await self._context.sign_ins.read(address)).tokens
        except SQLAlchemyError:  # the database is away
            return False
        return known is not None and known != used

    def _listed(self) -> None:
        self._failures, self.requests.alive_at = 0, self._clock.monotonic()
        self._on_change()

    async def _keep_checking(self, session: ClientSession) -> None:
        """Check the server's health after a silence, and immediately after a call that timed out."""
        interval_s = self._settings.health_interval_s
        while True:
            with anyio.move_on_after(interval_s):
                await self.requests.suspect.wait()
            if not self.requests.suspect.is_set() and self._clock.monotonic() - self.requests.alive_at < interval_s:
                continue
            self.requests.suspect = anyio.Event()
            try:
                with anyio.fail_after(self._settings.health_timeout_s):
                    await check_health(session)
            except TimeoutError:
                self._break(f"it gave no sign of life within {self._settings.health_timeout_s:g} s")
            except MCPError as error:
                self._learn_from(error)

    async def _on_message(self, message: ServerNotification | Exception) -> None:
        if isinstance(message, ToolListChangedNotification | PromptListChangedNotification | ResourceListChangedNotification):
            self.lists.changed(type(message))
        elif isinstance(message, ResourceUpdatedNotification):
            if self.greeting.protocol_version not in MODERN_PROTOCOL_VERSIONS:  # modern servers report it on a stream as well
                await self._resource_changed(str(message.params.uri))
        elif isinstance(message, ElicitCompleteNotification) and self._context.on_page_done is not None:
            await self._context.on_page_done(self.config.name, message.params.elicitation_id)

    def _failure(self, error: MCPError, what: str) -> DiscoveryError:
        """Convert a failed request into the caller's error, without the secrets that the server was given."""
        self._learn_from(error)
        data = self._incoming.redaction.data(error.data)
        if (http := answers.http_detail(error)) is not None and http.status == 401 and answers.HTTP in data:
            data = {**data, answers.HTTP: {**data[answers.HTTP], "cause": data[answers.HTTP]["cause"] + self._sign_in_advice}}
        redacted = MCPError(error.code, self._incoming.redaction.text(error.message), data)
        return answers.failure_of(redacted, self.config.name, what, fault=self._fault)

    @property
    def _sign_in_advice(self) -> str:
        """What a person has to do about a sign-in that is missing; nothing where the server's own entry holds its token."""
        return "" if self.config.signs_itself_in else f"; `jiritsu servers sign-in {shlex.quote(self.config.name)}`"

    def _learn_from(self, error: MCPError) -> None:
        http = answers.http_detail(error)
        if answers.is_connection_closed(error) or answers.is_session_gone(error) or (http and http.status == 401):
            self._break(cause_of(error))
        else:
            self._learn_from_words(str(error))

    def _learn_from_words(self, words: str) -> None:
        if answers.speaks_of_unknown_tool(words):
            self.lists.doubt()
        elif answers.cannot_ask(words):  # in an older revision it can; while other calls are under way, not at once
            self._older, self._mode = True, "legacy"
            if not self._incoming.in_flight:
                self._break("it asks in the middle of a call, which it can in older revisions alone: connecting again")

    def _break(self, why: str) -> None:
        """Mark the connection as broken: no further call uses it, and the owner task ends it."""
        self._fault = self._fault or why
        if self.requests.client is not None:
            self.requests.client = None
            self._become(ProviderState.DEGRADED, self._fault)
        self._broken.set()

    def _become(self, state: ProviderState, reason: str = "") -> None:
        if state is not self.state:
            self.since = self._clock.now()
        self.state, self.reason = state, reason
        self._on_change()
