"""Reads resources and prompts for a client, under its rate and policy, and records them."""

from collections.abc import Awaitable, Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any, TypeVar

import mcp_types as types
from mcp import MCPError

from autonomy.mcp_gateway.sessions.answer_texts import text_of_blob
from autonomy.mcp_gateway.sessions.client_session import AskClient, ClientApprover, ClientSession
from autonomy.policy.decision_circumstances import Circumstances
from autonomy.run_state.digests import digest
from autonomy.run_state.step import inline
from discovery.catalog import Effect, JsonObject, ToolSpec
from metrics import events

NAMES = {"resources/read": "read_resource", "prompts/get": "get_prompt", "completion/complete": "complete"}
"""MCP method → the name of a tool that stands for it in rules, questions and the journal."""
ContentT = TypeVar("ContentT", types.ReadResourceResult, types.GetPromptResult)


async def read_content(
    session: ClientSession,
    server: str,
    method: str,
    arguments: JsonObject,
    reading: Callable[[], Awaitable[ContentT]],
    ask: AskClient,
) -> ContentT:
    """Read something for a client. Raises `MCPError` if the client may not read it, and whatever `reading` raises."""
    session.memory.count_call()
    call = _Call.of(session, spec_of(server, method), arguments)
    if why := await call.refusal(ask):
        await call.finished("denied")
        raise MCPError(types.INVALID_REQUEST, f"{call.spec.name} was not made: {why}")
    await session.memory.take_slot()
    try:
        await call.emit(events.CallStarted, "started")
        result: ContentT = await reading()
    except Exception as error:
        session.memory.remember(server, partial(str, error))
        await call.finished("terminal", problem="transport")
        raise
    finally:
        session.memory.slots.release()
    text = _text_of(result)
    session.memory.remember(server, lambda: "\n".join((text, *_texts_of_blobs(result))))
    await call.finished("ok" if text else "empty", result_sha256=digest(text), result_chars=len(text))
    return result


def refuse_exit(session: ClientSession, server: str, method: str, arguments: JsonObject) -> None:
    """Raise `MCPError` if a request would send out data that was read elsewhere. Nobody is asked."""
    if carried := session.memory.carried(spec_of(server, method), arguments):
        raise MCPError(types.INVALID_REQUEST, f"{method} was not made: {carried}")


def spec_of(server: str, method: str) -> ToolSpec:
    """Return a tool that stands for the request in policy and memory."""
    name = f"{server}/{NAMES.get(method, method)}"
    return ToolSpec(name=name, provider=server, tool=method, effect=Effect.READ, idempotent=True)


@dataclass(frozen=True)
class _Call:
    """One read and its events in the journal."""

    session: ClientSession
    spec: ToolSpec
    arguments: JsonObject
    turn: int
    began_at: float

    @classmethod
    def of(cls, session: ClientSession, spec: ToolSpec, arguments: JsonObject) -> "_Call":
        return cls(session, spec, arguments, session.next_turn(), session.services.clock())

    async def refusal(self, ask: AskClient) -> str:
        """Return why the read is not allowed; empty if it is. Asks for approval if the policy says so."""
        session, spec = self.session, self.spec
        policy, sha256 = session.services.policy, digest(self.arguments)
        if carried := session.memory.carried(spec, self.arguments):
            policy = session.profile.policy_for(policy, spec.name, carried)
        decision = policy.decide(spec, self.arguments, Circumstances(tenant=session.tenant))
        await self.emit(events.CallDecided, "decided", **decision.model_dump(), arguments_sha256=sha256)
        if decision.decision != "ask":
            return "" if decision.decision == "allow" else decision.refusal
        await self.emit(events.ApprovalRequested, "asked", arguments_sha256=sha256)
        await session.recorder.flush()
        key = f"turn-{self.turn}/call-1"
        question = session.request.question(key, spec.name, spec.effect, self.arguments, decision.reason)
        answer = await ClientApprover(session, ask, session.services.approver)(question, inline)
        facts = answer.model_dump(exclude={"content", "arguments"})
        await self.emit(events.ApprovalAnswered, "answered", **facts)
        return "" if answer.answer == "granted" else answer.reason or "nobody allowed it"

    async def finished(self, outcome: events.Outcome, **facts: Any) -> None:
        """Emit its end, which is written to the journal soon after the client has the answer."""
        took_s = self.session.services.clock() - self.began_at
        await self.emit(
            events.CallFinished,
            "finished",
            outcome=outcome,
            duration_s=took_s,
            attempts=int(outcome != "denied"),
            arguments_sha256=digest(self.arguments),
            **facts,
        )
        self.session.on_unwritten()

    async def emit(self, kind: Callable[..., events.RunEvent], which: str, **facts: Any) -> None:
        """Emit one of its events."""
        about = {"turn": self.turn, "call_id": f"call-{self.turn}", "tool": self.spec.name}
        about |= {"provider": self.spec.provider, "effect": self.spec.effect}
        await self.session.recorder.emit(kind, f"turn-{self.turn}/call-1/{which}", **about, **facts)


def _texts_of_blobs(result: types.ReadResourceResult | types.GetPromptResult) -> Iterator[str]:
    """Yield the texts of parts that are bytes."""
    parts: list[Any] = [*result.contents] if isinstance(result, types.ReadResourceResult) else []
    if isinstance(result, types.GetPromptResult):
        parts = [
            content.resource for message in result.messages if isinstance(content := message.content, types.EmbeddedResource)
        ]
    yield from (text_of_blob(part.blob) for part in parts if isinstance(part, types.BlobResourceContents))


def _text_of(result: types.ReadResourceResult | types.GetPromptResult) -> str:
    """Return all texts of a result; empty only if it has no parts."""
    if isinstance(result, types.ReadResourceResult):
        parts: list[Any] = list(result.contents)
    else:
        parts = [message.content for message in result.messages]
        parts = [part.resource if isinstance(part, types.EmbeddedResource) else part for part in parts]
    texts = [part.text for part in parts if isinstance(part, types.TextContent | types.TextResourceContents)]
    return "\n".join(texts) or ("[no text]" if parts else "")
