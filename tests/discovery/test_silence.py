"""A remote server of which nothing is heard is waited for by nobody without need, and joins when it answers."""

import socket
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from typing import Any

import anyio
import anyio.abc
import pytest
import sqlalchemy as sa

from discovery.catalog import Listing
from discovery.gateway import Gateway, open_gateway
from discovery.review.reviewer import Reviewer
from discovery.servers.server_config import Launch, ServerConfig
from discovery.timing.clock import SYSTEM_CLOCK
from discovery.transport import silence
from discovery.transport.streamable_http import GuardedClient
from tests.requirements import requirement
from tests.support.server_configs import PATIENT
from tests.support.servers.http_server import HttpServer, Request, http_server, listening

pytestmark = requirement("D3")


class Held(HttpServer):
    """Answers one method, or whatever it is asked, only when it is told to."""

    def __init__(self, method: str) -> None:
        super().__init__({})
        self.method, self.open = method, anyio.Event()

    async def respond(self, request: Request, stream: anyio.abc.SocketStream) -> None:
        if self.method in ("", request.message.get("method")):
            await self.open.wait()
        await super().respond(request, stream)


@contextmanager
def full_backlog() -> Iterator[int]:
    """A port of loopback at which the kernel drops what knocks, as a firewall does."""
    with socket.socket() as listener, socket.socket() as first, socket.socket() as second:
        listener.bind(("127.0.0.1", 0))
        listener.listen(0)
        for knocking in (first, second):
            knocking.setblocking(False)
            knocking.connect_ex(listener.getsockname())
        yield listener.getsockname()[1]


@asynccontextmanager
async def both(url: str, engine: sa.Engine | None = None, *, sse: bool = False) -> AsyncIterator[Gateway]:
    """A gateway with that server and one that answers."""
    async with http_server() as near:
        far = ServerConfig(name="far", transport="http", url=url, sse=sse)
        entries = [far, ServerConfig(name="near", transport="http", url=near.url)]
        with anyio.fail_after(240):
            async with open_gateway(entries, engine=engine, settings=PATIENT) as gateway:
                yield gateway


async def silent(gateway: Gateway) -> None:
    """Wait until the server counts as one that may hang."""
    while not gateway.status()[0].overdue:
        await gateway.next_change()


@pytest.mark.parametrize("method", ["", "tools/list"], ids=["answers nothing", "lists nothing"])
async def test_a_server_that_says_nothing_may_hang_and_joins_when_it_answers(
    method: str, engine: sa.Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(silence, "QUIET_S", 0.0)
    async with listening(Held(method)) as held, both(held.url, engine) as gateway:
        await silent(gateway)
        far, _ = gateway.status()
        assert (far.missing, far.reason) == ("starting", "it is still starting, but nothing comes from it")
        held.open.set()
        catalog = await gateway.catalog(needed=["far"], wait_s=200)
        far = catalog.providers[0]
        assert (far.available, far.overdue, far.reason) == (True, False, "")
        assert "far_echo" in {spec.name for spec in catalog.callable_tools}


@pytest.mark.parametrize("sse", [False, True], ids=["streamable HTTP", "HTTP+SSE"])
async def test_one_that_is_not_reached_may_hang_and_nothing_is_stored_against_it(
    sse: bool, engine: sa.Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It may be slow once: the next process waits for it as for any other."""
    monkeypatch.setattr(silence, "QUIET_S", 0.0)
    with full_backlog() as port:
        async with both(f"http://127.0.0.1:{port}/mcp", engine, sse=sse) as gateway:
            await silent(gateway)
    with engine.connect() as connection:
        assert "far" not in connection.execute(sa.text("select provider from discovery_listings")).scalars().all()


async def test_one_that_has_listed_its_tools_owes_nothing_while_they_are_compared(monkeypatch: pytest.MonkeyPatch) -> None:
    signs, owed, review = list[silence.SignsOfLife](), list[bool](), Reviewer.review

    class Watched(silence.SignsOfLife):
        def __init__(self, owed: Callable[[], bool]) -> None:
            super().__init__(owed)
            signs.append(self)

    async def looking(self: Reviewer, server: ServerConfig, listing: Listing) -> Listing:
        owed.append(signs[0].owed())
        return await review(self, server, listing)

    monkeypatch.setattr("discovery.connections.connection.SignsOfLife", Watched)
    monkeypatch.setattr(Reviewer, "review", looking)
    async with http_server() as server:
        entry = ServerConfig(name="far", transport="http", url=server.url)
        with anyio.fail_after(240):
            async with open_gateway([entry], settings=PATIENT) as gateway:
                await gateway.settle(200)
    assert owed == [False]


async def test_each_step_towards_an_answer_is_a_sign_of_life_and_what_we_send_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    signs, heard = silence.SignsOfLife(lambda: True), dict[str, bool]()
    trace = signs.trace

    async def note(event: str, details: Any) -> None:
        signs.quiet_s = 1.0
        await trace(event, details)
        heard[event.partition(".")[2]] = signs.quiet_s == 0.0

    monkeypatch.setattr(signs, "trace", note)
    async with http_server() as server, GuardedClient(Launch(url=server.url), None, SYSTEM_CLOCK, signs=signs) as client:
        await client.post(server.url, json={"jsonrpc": "2.0", "id": 1, "method": "ping"})
    steps = ("connect_tcp", "send_request_headers", "send_request_body", "receive_response_headers")
    assert {event: heard[event] for step in steps for event in (f"{step}.started", f"{step}.complete")} == {
        f"{step}.{end}": end == "complete" and not step.startswith("send") for step in steps for end in ("started", "complete")
    }


class InParts(HttpServer):
    """Sends each part of its answer once the part before it was heard."""

    def __init__(self, kind: str, *parts: bytes) -> None:
        super().__init__({})
        self.kind, self.parts, self.heard = kind, parts, [anyio.Event() for _ in parts]

    async def respond(self, request: Request, stream: anyio.abc.SocketStream) -> None:
        await stream.send(b"HTTP/1.1 200 OK\r\ncontent-type: %s\r\nconnection: close\r\n\r\n" % self.kind.encode())
        for part, heard in zip(self.parts, self.heard, strict=True):
            await stream.send(part)
            await heard.wait()


@pytest.mark.parametrize(("kind", "before"), [("application/json", b""), ("text/event-stream", b"data: ")])
async def test_each_part_of_a_long_list_is_a_sign_of_life(kind: str, before: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    server = InParts(kind, before + b'{"jsonrpc": "2.0", "id": 1, ', b'"result": {"tools": ', b"[]}}" + 2 * b"\n")
    signs = silence.SignsOfLife(lambda: True)
    waiting = iter(server.heard)

    def heard() -> None:
        if server.requests and (one := next(waiting, None)) is not None:
            one.set()

    monkeypatch.setattr(signs, "trace", lambda *_: anyio.sleep(0))  # of the body alone
    monkeypatch.setattr(signs, "hear", heard)
    with anyio.fail_after(240):
        async with listening(server), GuardedClient(Launch(url=server.url), None, SYSTEM_CLOCK, signs=signs) as client:
            listing = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}
            async with client.stream("POST", server.url, json=listing) as answer:  # as the SDK asks
                body = await answer.aread()
    assert b'"tools": []' in body
