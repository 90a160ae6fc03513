"""Whose a question of a server of 2025-11-25 is, which names no call: of two people it reaches the right one or nobody."""

from dataclasses import dataclass, field
from typing import Any

import anyio
import pytest
from mcp.client.session import ClientRequestContext
from mcp.shared.message import SessionMessage
from mcp_types import ElicitRequestFormParams, ElicitResult, JSONRPCError, JSONRPCRequest, JSONRPCResponse

from discovery.connections.server_requests import ServerRequests
from discovery.transport.asked_back import CallInFlight, call_listener
from discovery.transport.exchange import FIRST_ID, Exchange
from tests.requirements import requirement


@dataclass(eq=False)
class Person:
    """A listener that says yes to every question, and keeps it."""

    caller: str
    heard: list[str] = field(default_factory=list)

    async def elicit(self, provider: str, tool: str, params: Any) -> ElicitResult:
        self.heard.append(params.message)
        return ElicitResult(action="accept", content={})


class Sink:
    """Where messages to the server go."""

    async def send(self, item: SessionMessage) -> None:
        await anyio.lowlevel.checkpoint()

    async def aclose(self) -> None:
        await anyio.lowlevel.checkpoint()


class Server:
    """A connection with two people, as a reader of the server's messages sees it."""

    def __init__(self) -> None:
        self.requests = ServerRequests("desk", None, None, None)
        self.exchange = Exchange(self.requests.arrived)
        self.exchange.opened(Sink())  # type: ignore[arg-type]

    async def call(self, person: Person, *, started: anyio.Event) -> None:
        """A tool call of a person, until it is answered or given up."""
        call_listener.set(person)  # type: ignore[arg-type]
        with anyio.CancelScope() as scope, self.requests.during(CallInFlight("move", scope, 60.0, None)) as flight:
            started.set()
            ask = self.exchange.request
            await ask("tools/call", {}, on_progress=flight.progressed, on_answer=flight.answered)

    def says(self, *messages: str) -> list[str]:
        """Take the server's messages at once, as from one read; return the ids of its questions, which wait to be passed on."""
        waiting = list[str]()
        for message in messages:
            kind, _, number = message.partition(" ")
            request_id: Any = FIRST_ID + int(number) if number.isdigit() else str(FIRST_ID)
            match kind:
                case "question":
                    waiting.append(number)
                    self.exchange.took(SessionMessage(JSONRPCRequest(jsonrpc="2.0", id=number, method="elicitation/create")))
                case "answer":
                    self.exchange.took(SessionMessage(JSONRPCResponse(jsonrpc="2.0", id=request_id, result={})))
                case "cancelled":
                    error = {"code": 0, "message": "Request cancelled"}
                    refused = {"jsonrpc": "2.0", "id": request_id, "error": error}
                    self.exchange.took(SessionMessage(JSONRPCError.model_validate(refused)))
        return waiting

    async def pass_on(self, questions: list[str]) -> None:
        for question in questions:
            params = ElicitRequestFormParams(message=question, requested_schema={"type": "object", "properties": {}})
            context: Any = ClientRequestContext(session=None, request_id=question)  # type: ignore[arg-type]
            await self.requests.elicit(context, params)


@requirement("N2")
@pytest.mark.parametrize(
    ("gives_up", "said", "of_alice", "of_bob"),
    [
        (True, ["question q"], [], []),
        (True, ["answer 0", "question q"], [], ["q"]),
        (True, ["cancelled 0", "question q"], [], ["q"]),
        (True, ["answer as-text", "question q"], [], ["q"]),
        (True, ["question q", "answer 0"], [], []),  # hers, which came with her answer in one read
        (True, ["question q", "answer 0", "question r"], [], ["r"]),
        (True, ["question q", "answer 0", "question q"], [], ["q"]),  # under one id: the first is nobody's
        (True, ["answer 7", "question q"], [], []),  # an answer to nothing that was asked
        (True, ["answer 1", "question q"], [], []),  # his own answer: he has gone
        (False, ["question q"], [], []),  # two are at work
        (False, ["question q", "answer 0"], [], []),
        (False, ["answer 0", "question q"], [], ["q"]),
    ],
)
async def test_a_question_reaches_whom_it_must_be_of_or_nobody(
    gives_up: bool, said: list[str], of_alice: list[str], of_bob: list[str]
) -> None:
    server, alice, bob = Server(), Person("alice"), Person("bob")
    with anyio.fail_after(5):
        async with anyio.create_task_group() as bobs:
            async with anyio.create_task_group() as alices:
                started = anyio.Event()
                alices.start_soon(lambda: server.call(alice, started=started))
                await started.wait()
                await anyio.wait_all_tasks_blocked()
                bobs.start_soon(lambda: server.call(bob, started=anyio.Event()))
                await anyio.wait_all_tasks_blocked()
                if gives_up:
                    alices.cancel_scope.cancel()
                else:
                    alices.start_soon(anyio.sleep_forever)
                    waiting = server.says(*said)
                    await anyio.wait_all_tasks_blocked()  # who was answered goes first
                    await server.pass_on(waiting)
                    alices.cancel_scope.cancel()
            if gives_up:
                waiting = server.says(*said)
                await anyio.wait_all_tasks_blocked()
                await server.pass_on(waiting)
            bobs.cancel_scope.cancel()
    assert (alice.heard, bob.heard) == (of_alice, of_bob)


@requirement("N2")
async def test_who_gave_a_call_up_is_asked_about_her_next_one() -> None:
    server, alice = Server(), Person("alice")
    with anyio.fail_after(5):
        for gives_up in (True, False):
            async with anyio.create_task_group() as tasks:
                tasks.start_soon(lambda: server.call(alice, started=anyio.Event()))
                await anyio.wait_all_tasks_blocked()
                if not gives_up:
                    await server.pass_on(server.says("question q"))
                tasks.cancel_scope.cancel()
    assert alice.heard == ["q"]


@requirement("N2")
async def test_a_question_of_a_call_that_is_given_up_before_it_is_passed_on_reaches_nobody() -> None:
    server, alice = Server(), Person("alice")
    with anyio.fail_after(5):
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(lambda: server.call(alice, started=anyio.Event()))
            await anyio.wait_all_tasks_blocked()
            waiting = server.says("question q")
            tasks.cancel_scope.cancel()
        await server.pass_on(waiting)
    assert alice.heard == []
