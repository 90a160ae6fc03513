"""Serves the custom tools of an Anthropic Managed Agents session.

No event is run by two of us: it is claimed in the database before the tool runs, and the result is stored, sealed, before it is
sent. After a restart a stored result is sent, not computed again. Only a claim that was left without a result is taken over, once
it is so old that its owner must be gone: the tool may then have run before, which changes nothing, since all of them only read.
"""

import time
import uuid
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Any, Literal

import anyio
import anyio.to_thread
import sqlalchemy as sa
from sqlalchemy import Engine

from autonomy.hr.hr_tables import managed_calls
from autonomy.hr.router import CustomTools, HRAnswer
from autonomy.hr.secrets.vault import Vault
from autonomy.hr.tenants import HRCaller

if TYPE_CHECKING:
    from anthropic import AsyncAnthropic
    from anthropic.types.beta.sessions import BetaManagedAgentsAgentCustomToolUseEvent as CustomToolUse
    from anthropic.types.beta.sessions import BetaManagedAgentsSessionEventType as EventType
    from anthropic.types.beta.sessions import BetaManagedAgentsUserCustomToolResultEventParams as CustomToolResult

POLL_S = 1.0
STALE_CLAIM_S = 120.0
Ended = Literal["end_turn", "retries_exhausted", "budget_reached", "refusal", "terminated", "deleted"]
READ: "tuple[EventType, ...]" = (
    "agent.custom_tool_use",
    "user.custom_tool_result",
    "session.status_idle",
    "session.status_running",
    "session.status_terminated",
)
"""The events that matter here; the rest of the conversation is not even fetched."""
Confirm = Callable[[str, dict[str, Any]], Awaitable[bool]]


class CallLedger:
    """The outcome of each tool call of a session. Its methods block: call them from a worker thread."""

    def __init__(
        self, engine: Engine, vault: Vault, tenant_id: str, session_id: str, *, now: Callable[[], float] = time.time
    ) -> None:
        self._engine, self._vault, self._now = engine, vault, now
        self._tenant_id, self._session_id = tenant_id, session_id

    def result(self, event_id: str) -> dict[str, Any] | None:
        """The stored result of an event, or None."""
        with self._engine.connect() as connection:
            sealed = connection.execute(sa.select(managed_calls.c.sealed_result).where(self._row(event_id))).scalar()
        return None if sealed is None else dict(self._vault.unseal(sealed, *self._bound(event_id)))

    def claim(self, event_id: str, worker: str) -> bool:
        """Whether this worker may run the tool: nobody has claimed it, or a claim went stale without a result."""
        now = self._now()
        abandoned = sa.and_(managed_calls.c.sealed_result.is_(None), managed_calls.c.claimed_at < now - STALE_CLAIM_S)
        takeover = managed_calls.update().where(self._row(event_id), abandoned).values(worker=worker, claimed_at=now)
        row = {
            "tenant_id": self._tenant_id,
            "session_id": self._session_id,
            "event_id": event_id,
            "worker": worker,
            "claimed_at": now,
        }
        try:
            with self._engine.begin() as connection:
                if not connection.execute(takeover).rowcount:
                    connection.execute(managed_calls.insert().values(row))
        except sa.exc.IntegrityError:
            return False
        return True

    def settle(self, event_id: str, result: dict[str, Any]) -> None:
        """Store the result of a claimed event."""
        sealed = self._vault.seal(result, *self._bound(event_id))
        with self._engine.begin() as connection:
            connection.execute(managed_calls.update().where(self._row(event_id)).values(sealed_result=sealed))

    def forget(self, event_id: str) -> None:
        """The session has the result: nothing of it stays here."""
        with self._engine.begin() as connection:
            connection.execute(managed_calls.delete().where(self._row(event_id)))

    def _bound(self, event_id: str) -> tuple[str, str, str]:
        return self._tenant_id, self._session_id, event_id

    def _row(self, event_id: str) -> sa.ColumnElement[bool]:
        columns = managed_calls.c
        return sa.and_(columns.tenant_id == self._tenant_id, columns.session_id == self._session_id, columns.event_id == event_id)


async def refuse_all(tool_name: str, arguments: dict[str, Any]) -> bool:
    """The answer to requests for confirmation where nobody can be asked."""
    return False


class ManagedAgentSession:
    """One session, served for one tenant. `client` must have been made with `max_retries=0`: results are sent by us, once
    known."""

    def __init__(
        self,
        client: "AsyncAnthropic",
        session_id: str,
        tenant_id: str,
        tools: CustomTools,
        ledger: CallLedger,
        *,
        confirm: Confirm = refuse_all,
        sleep: Callable[[float], Awaitable[None]] = anyio.sleep,
        worker: str = "",
    ) -> None:
        self._client, self._session_id, self._tenant_id = client, session_id, tenant_id
        self._tools, self._ledger, self._confirm, self._sleep = tools, ledger, confirm, sleep
        self._worker = worker or uuid.uuid4().hex
        self._forgotten: set[str] = set()

    async def serve(self) -> Ended:
        """Answer tool calls until the session has nothing more to do; how it ended. A lost connection is met at the next look."""
        import anthropic  # here, because the SDK is heavy and only those who have such a session pay for it

        while True:
            try:
                if ended := await self.look():
                    return ended
            except anthropic.NotFoundError:
                return "deleted"
            except (anthropic.APIConnectionError, anthropic.InternalServerError, anthropic.RateLimitError):
                pass
            await self._sleep(POLL_S)

    async def look(self) -> Ended | None:
        """Read the events once and answer every open call of a custom tool; how the session ended, or None while it goes on."""
        open_calls: dict[str, CustomToolUse] = {}
        ended: Ended | None = None
        async for event in self._client.beta.sessions.events.list(self._session_id, order="asc", types=list(READ)):
            if event.type == "agent.custom_tool_use":
                open_calls[event.id] = event
            elif event.type == "user.custom_tool_result":
                open_calls.pop(event.custom_tool_use_id, None)
                await self._forget(event.custom_tool_use_id)
            ended = _ended_by(event, ended)
        if ended == "terminated":  # it takes no results any more
            return ended
        for call in open_calls.values():
            await self._answer(call)
        return None if open_calls else ended

    async def _answer(self, call: "CustomToolUse") -> None:
        result = await anyio.to_thread.run_sync(self._ledger.result, call.id)
        if result is None:
            if not await anyio.to_thread.run_sync(self._ledger.claim, call.id, self._worker):
                return
            result = _as_result(await self._execute(call))
            await anyio.to_thread.run_sync(self._ledger.settle, call.id, result)
        params: CustomToolResult = {
            "type": "user.custom_tool_result",
            "custom_tool_use_id": call.id,
            "content": [{"type": "text", "text": result["text"]}],
            "is_error": result["is_error"],
        }
        await self._client.beta.sessions.events.send(self._session_id, events=[params])

    async def _forget(self, event_id: str) -> None:
        """Once the session shows the result, and not before: an answer to our sending may have been lost."""
        if event_id not in self._forgotten:
            await anyio.to_thread.run_sync(self._ledger.forget, event_id)
            self._forgotten.add(event_id)

    async def _execute(self, call: "CustomToolUse") -> HRAnswer:
        caller = HRCaller(self._tenant_id, actor="managed agent", run_id=self._session_id)
        answer = await self._tools.execute(call.name, dict(call.input), caller)
        if answer.reason != "needs_confirmation" or not await self._confirm(call.name, dict(call.input)):
            return answer
        confirmed = HRCaller(caller.tenant_id, caller.actor, caller.run_id, confirmed=True)
        return await self._tools.execute(call.name, dict(call.input), confirmed)


def _as_result(answer: HRAnswer) -> dict[str, Any]:
    return {"text": answer.text, "is_error": answer.is_error}


def _ended_by(event: Any, so_far: Ended | None) -> Ended | None:
    """The last word of the events on whether the session still runs; waiting for us (`requires_action`) is running."""
    if event.type == "session.status_terminated":
        return "terminated"
    if event.type == "session.status_running":
        return None
    if event.type == "session.status_idle":
        return None if event.stop_reason.type == "requires_action" else event.stop_reason.type
    return so_far
