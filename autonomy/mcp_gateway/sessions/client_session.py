"""Treats a client's session as a run, so that its calls go through the pipeline and into the journal.

The model belongs to the client, so measures of models are n/a. Policy, ledger, retries, receipts and hints are those of a run.
"""

import hashlib
import math
from collections import deque
from collections.abc import Awaitable, Callable, Iterator, MutableMapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from functools import partial
from typing import Any

import anyio
from cachetools import FIFOCache
from mcp_types import LoggingLevel

from autonomy.calls.pipeline import MadeCalls, make_calls
from autonomy.calls.run_handle import Run
from autonomy.calls.services import Services
from autonomy.durable.memory.sql_ledger import UnansweredWrite
from autonomy.errors import StoreError, WriteNotSent
from autonomy.llm.messages import ToolCall, ToolResult
from autonomy.llm.model import Task
from autonomy.mcp_gateway.clients.profiles import ClientProfile
from autonomy.mcp_gateway.job_tools import own_names
from autonomy.mcp_gateway.past_writes import PastWrites, tenant_digest
from autonomy.mcp_gateway.sessions.answer_texts import text_of_answer
from autonomy.mcp_gateway.sessions.client_memory import ClientMemory
from autonomy.mcp_gateway.sessions.client_tools import ClientTools
from autonomy.run_state.asking.approvals import ApprovalAnswer, ApprovalQuestion, Approver
from autonomy.run_state.context import ToolExecutionContext
from autonomy.run_state.digests import digest
from autonomy.run_state.event_recorder import EventRecorder
from autonomy.run_state.limits import Limits
from autonomy.run_state.run_values import CallRecord, Receipt, RunRequest, allowed_for
from autonomy.run_state.step import Step, inline
from discovery.catalog import Catalog, Effect, JsonObject, ToolOutput, ToolSpec
from discovery.transport.asked_back import CallListener
from metrics import events

KEPT_TEXTS = 200
"""How many results of a session can be read on by their handles. Older ones are forgotten."""
KEPT_FOUND = 100
"""How many tools that were found can be called by their names. The latest of them are listed, as many as there is room for."""
STARTING_S = 20.0
"""How long a call waits for a starting server. `npx` may take as long, and most clients wait 60 seconds for a call."""

AskClient = Callable[[ApprovalQuestion], Awaitable[ApprovalAnswer | None]]
"""Asks the client's person; returns None if the client cannot."""
TrackWrite = Callable[[str], None]
"""Called with the ledger's key of a write before the client is answered."""

Supersede = Callable[[], Awaitable[None]]
"""Ends earlier requests for the same call that wait for the client's answers."""


@dataclass(eq=False)
class ClientSession:
    """One session of a client, from its first request until it has gone."""

    run_id: str
    client: str
    """The profile's name."""
    memory: ClientMemory
    services: Services
    tenant: str = "default"
    past: PastWrites | None = None
    """None if there is no ledger that survives the process."""
    on_unwritten: Callable[[], None] = lambda: None
    """Called when reads wait to be written to the journal."""
    seen_at: float = 0.0
    log_level: LoggingLevel | None = None
    """The lowest level of servers' log messages that are forwarded; None forwards all."""
    found: dict[str, None] = field(default_factory=dict)
    """Full names of the tools that its searches found, the latest last."""
    calls_under_way: int = 0
    _began_at: float = 0.0
    _turn: int = 0
    _texts: MutableMapping[str, str] = field(default_factory=partial(FIFOCache, KEPT_TEXTS))
    _not_finalized: deque[MadeCalls] = field(default_factory=deque)
    """Reads that were answered but are not in the journal yet."""
    _asked: int = 0
    _began: bool = False
    _waited: bool = False
    _tools: ClientTools | None = None
    _memo: dict[str, Any] = field(default_factory=dict)
    """Values that are computed once for a run (`ToolExecutionContext.memo`)."""

    def __post_init__(self) -> None:
        self.services = replace(self.services, policy=self.profile.policy(self.services.policy))
        self._first, self._telling = anyio.Lock(), anyio.Lock()
        self.recorder = EventRecorder(
            self.run_id, self.tenant, "", self.services.clock, self.services.journal, self.services.watchers
        )
        self.request = RunRequest(
            run_id=self.run_id,
            task=Task(goal=""),
            tenant=self.tenant,
            actor=f"gateway:{self.client}",
            trigger="api",
            tools=self.profile.tools,
            limits=Limits(wall_s=None, calls_per_tool=None, retries=1_000_000),
        )

    @property
    def profile(self) -> ClientProfile:
        """The client's profile."""
        return self.memory.profile

    async def catalog(self) -> Catalog:
        """Return the tools that this client may use now."""
        return (await self.tools()).catalog

    async def tools(self) -> ClientTools:
        """Return the tools that this client may use now, with the names that it knows. The first time it waits a little for
        starting servers, because some clients list tools only once."""
        permissions = await self.services.tenancy.permissions(self.tenant)
        hidden = frozenset(name for name, permission in permissions.items() if permission == "deny")
        gateway = self.services.gateway
        if not self._waited:
            async with self._first:
                if not self._waited:
                    with anyio.move_on_after(self.profile.list_wait_s):
                        await gateway.catalog(needed=self.profile.tools, wait_s=math.inf)
                    self._waited = True
        whole = await gateway.catalog(needed=())
        if self._tools is None or self._tools.whole is not whole or self._tools.hidden != hidden:
            allowed = allowed_for(self.request, whole, hidden=hidden)
            visible_names = [spec.name for spec in whole.tools if spec.name in allowed and self.profile.shows(spec.effect)]
            own = self.profile.names == "own"
            self._tools = ClientTools(whole, hidden, whole.only(visible_names), own, own_names(self.profile))
        return self._tools

    def find(self, names: Sequence[str]) -> bool:
        """Remember the tools that a search found, the best first. Returns whether that changed the list."""
        before = tuple(self.found)
        for name in reversed(names):
            self.found.pop(name, None)
            self.found[name] = None
        for name in tuple(self.found)[:-KEPT_FOUND]:
            del self.found[name]
        return tuple(self.found) != before

    async def begin(self, client_name: str) -> None:
        """Write to the journal that the session began. `client_name`: what the client calls itself."""
        if self._began:
            return
        self._began, self._began_at = True, self.services.clock()
        facts = {"trigger": "api", "actor": self.request.actor, "goal_sha256": digest(""), "model": f"client:{client_name[:100]}"}
        await self.recorder.emit(events.RunStarted, "started", **facts)
        await self.recorder.flush()

    async def end(self, why: str) -> None:
        """Write to the journal that the session ended. Whether the client met its goal is unknown."""
        if not self._began:
            return
        duration_s = max(self.seen_at - self._began_at, 0.0)  # to its last request: nobody knows when the client went
        facts = {"turns": self._turn, "calls": self._turn, "duration_s": duration_s, "result_chars": 0}
        await self._finalize_reads()
        await self.recorder.emit(events.RunFinished, "finished", ending="closed", reason=why, **facts)
        await self.recorder.flush()

    async def call(
        self,
        name: str,
        arguments: JsonObject,
        *,
        listener: CallListener,
        ask: AskClient,
        track_write: TrackWrite = lambda key: None,
        idempotency_key: str = "",
        supersede: Supersede | None = None,
    ) -> CallRecord:
        """Make one call for the client. With an idempotency key the call has its effect only once, even across restarts."""
        if why := self.memory.refusal():
            return self._refused(name, arguments, why, "limit")
        turn = self.next_turn()
        call = ToolCall(id=f"call-{turn}", name=name, arguments=arguments)
        tools = await self._tools_with(name)
        spec = tools.catalog.get(name)
        with _nothing_sent_yet():
            why = await self._write_refusal(spec, arguments, idempotency_key, supersede)
        if why:
            return self._refused(name, arguments, f"{name} was not called: {why}", "")
        past_writes = None if spec is None or spec.read_only or spec.idempotent or idempotency_key else self.past
        if spec is not None and past_writes is not None:
            with _nothing_sent_yet():
                before = await past_writes.unanswered(self.client, name, digest(arguments), keyed=spec.keyed)
            if before is not None:
                track_write(before.key)
                return self._done_before(name, arguments, before)
        await self.memory.take_slot()
        key, happened = f"{self.run_id}/turn-{turn}/call-1", False
        self.calls_under_way += 1
        try:
            with _nothing_sent_yet():
                repeats = await self._left_open(spec, arguments) if not idempotency_key else ""
            key = repeats or key
            if past_writes:
                past_writes.begin(key)
            record = await self._make_call(call, tools, spec, turn, listener, ask, idempotency_key, repeats)
            happened = record.acknowledged
        finally:
            self.calls_under_way -= 1
            self.memory.slots.release()
            if past_writes and not happened:
                past_writes.settle(key, answered=False)
        if past_writes and happened:
            track_write(key)
        if record.result.handle:
            self.keep(record.result.handle, record.whole or record.result.text)
        return record

    async def _tools_with(self, name: str) -> ClientTools:
        """Return the tools of this client, after waiting up to `STARTING_S` if the server of the named one is starting."""
        tools = await self.tools()
        spec = tools.catalog.get(name)
        if (spec is None or not spec.available) and any(one.missing == "starting" for one in tools.whole.missing([name])):
            await self.services.gateway.catalog(needed=(name,), wait_s=STARTING_S)
            tools = await self.tools()
        return tools

    def next_turn(self) -> int:
        """Return the number of the next call or read."""
        self._turn += 1
        return self._turn

    def next_question(self) -> int:
        """Return the number of the next question."""
        self._asked += 1
        return self._asked

    def keep(self, handle: str, text: str) -> None:
        """Keep a text of which the client gets only the beginning."""
        self._texts[handle] = text

    def whole(self, handle: str) -> str | None:
        """Return the whole text of a handle; None if it is no longer kept."""
        return self._texts.get(handle)

    async def _make_call(
        self,
        call: ToolCall,
        tools: ClientTools,
        spec: ToolSpec | None,
        turn: int,
        listener: CallListener,
        ask: AskClient,
        key: str,
        repeats: str,
    ) -> CallRecord:
        request = self.request
        catalog, allowed = tools.near(spec)
        if key:  # the ledger identifies a call by run and turn, which are here derived from the client's key
            turn = 1_000_000 + int(hashlib.sha256(key.encode()).hexdigest()[:7], 16)
            request = request.model_copy(update={"run_id": self._run_of(call.name, key)})
        permissions = await self.services.tenancy.permissions(self.tenant)
        now = self.services.clock()
        ctx = ToolExecutionContext(
            request=request,
            catalog=catalog,
            offered=(spec,) if spec is not None else catalog.tools,
            definitions=(),
            candidates={},
            allowed=allowed,
            to_confirm=frozenset(name for name, permission in permissions.items() if permission == "requires_confirmation"),
            started_at=now,
            now=now,
            turn=turn,
            repeats=repeats,
            taught=self.memory.taught(),
            memo=self._memo,
        )
        approver = ClientApprover(self, ask, self.services.approver)
        carried = self.memory.carried(spec, call.arguments) if spec and spec.read_only else ""
        services = replace(self.services, approver=approver, call_listener=lambda prepared, run: listener, long_results=None)
        if carried:
            services = replace(services, policy=self.profile.policy_for(services.policy, call.name, carried))
        made = await make_calls([call], Run(ctx, services, self.recorder, inline))
        (record,) = made.records
        self._not_finalized.append(made)
        if record.attempts:
            self.memory.remember(record.provider, lambda: text_of_answer(record))
        if record.effect == Effect.READ and record.attempts:
            self.on_unwritten()  # a read is written after the client has its answer, together with others
        else:
            await self.write_down()
        return record

    async def _write_refusal(self, spec: ToolSpec | None, arguments: JsonObject, key: str, supersede: Supersede | None) -> str:
        """Return why a write is not made: the outcome of an earlier one is unknown, or its key was used for another. Empty if it
        may be made."""
        if spec is None or spec.read_only or self.past is None:
            return ""
        sha256 = digest(arguments)
        if key:
            is_anothers = await self.past.stands_for_another(self._run_of(spec.name, key), sha256)
            return "this idempotency key was given to a call with other arguments" if is_anothers else ""
        doubtful = not spec.repeatable and await self.past.in_doubt(spec.name, sha256)
        if doubtful and supersede is not None:
            await supersede()
            doubtful = await self.past.in_doubt(spec.name, sha256)
        return "nobody knows whether the same call happened before; a person has to look (jiritsu effects)" if doubtful else ""

    async def _left_open(self, spec: ToolSpec | None, arguments: JsonObject) -> str:
        """Return the key of an earlier write with an unknown outcome that this one may repeat; empty if none."""
        if self.past is None or spec is None or spec.read_only or not spec.repeatable:
            return ""
        return await self.past.left_open(self.client, spec.name, digest(arguments))

    def _run_of(self, tool: str, key: str) -> str:
        """Return the run id under which the ledger stores a write with a client's own key."""
        return f"gateway:{self.client}:{tenant_digest(self.tenant, [tool, key])[:24]}"

    async def write_down(self) -> None:
        """Write to the journal what is not there yet. Raises whatever the database raises."""
        await self._finalize_reads()
        await self.recorder.flush()

    async def _finalize_reads(self) -> None:
        async with self._telling:  # so that all are written when it returns, even those that another caller took
            while self._not_finalized:
                await self._not_finalized.popleft().finalize()

    def _done_before(self, name: str, arguments: JsonObject, before: UnansweredWrite) -> CallRecord:
        """Return the answer to an earlier call that the client may have missed. The call is not made; if the client makes it once
        more, it is."""
        at = datetime.fromtimestamp(before.settled_at, UTC).isoformat(timespec="seconds")
        why = (
            f"this very call was done at {at}; its answer may have been lost. Nothing was done now: make it again to do it again"
        )
        output = before.output or ToolOutput(text="A person looked: this was done.")
        blocks = tuple({"type": "text", "text": text} for text in (output.text, f"[{why}]"))
        return CallRecord(
            call_id="",
            turn=self._turn,
            tool=name,
            asked=name,
            arguments=arguments,
            result=ToolResult(call_id="", name=name, text=f"{output.text}\n[{why}]", is_error=output.is_error),
            reason=why,
            receipt=Receipt(call_id="", tool=name, state="reconciled"),
            output=output.model_copy(update={"blocks": blocks}),
        )

    def _refused(self, name: str, arguments: JsonObject, why: str, problem: Any) -> CallRecord:
        result = ToolResult(call_id="", name=name, text=why, is_error=True, kind="not_run")
        return CallRecord(
            call_id="", turn=self._turn, tool=name, asked=name, arguments=arguments, result=result, problem=problem, reason=why
        )


@dataclass(frozen=True)
class ClientApprover:
    """Asks the client's person, or, if the client cannot, puts the question to the operator and waits for a while."""

    session: ClientSession
    ask: AskClient
    store: Approver

    async def __call__(self, question: ApprovalQuestion, step: Step) -> ApprovalAnswer:
        """Return the answer for one call with exactly these arguments. If the operator answers too late, the same call gets the
        answer when it is made again."""
        if (answer := await self.ask(question)) is not None:
            return answer
        session, key = self.session, f"{question.tool}/{question.arguments_sha256[:16]}"
        standing = session.memory.take_standing(key)
        if standing is None:
            standing = question.model_copy(update={"run_id": session.run_id, "key": f"{key}/{session.next_question()}"})
        try:
            with anyio.move_on_after(session.profile.approval_wait_s):
                answer = await self.store(standing, step)
        finally:
            if answer is None:
                session.memory.keep_open(key, standing)
        if answer is None:
            why = "approval pending: a person has to allow it (jiritsu approvals); make the same call again later"
            return ApprovalAnswer(answer="expired", reason=why)
        return answer


@contextmanager
def _nothing_sent_yet() -> Iterator[None]:
    """Within the block, a failure of the database means that a write was not sent."""
    try:
        yield
    except StoreError as error:
        raise WriteNotSent(str(error)) from error
