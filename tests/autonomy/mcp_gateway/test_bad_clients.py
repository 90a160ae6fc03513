"""Clients that break the rules over HTTP: each harms itself alone."""

import json
import sqlite3
from collections.abc import AsyncIterator, Iterator, MutableMapping
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path
from typing import Any

import anyio
import httpx2
import pytest
from mcp.server.streamable_http import EventMessage
from sse_starlette import EventSourceResponse

from autonomy.mcp_gateway.transports.http_sessions import STREAM_AFTER_S, SessionTransport
from tests.autonomy.mcp_gateway.test_gateway_http import ALICE, Running, client, started, until_done, written
from tests.requirements import requirement
from tests.support.command import jiritsu
from tests.support.tool_calls import words

pytestmark = [pytest.mark.timeout(600)]
ACCEPT = {"accept": "application/json, text/event-stream", "content-type": "application/json", "authorization": f"Bearer {ALICE}"}


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    yield from until_done(tmp_path_factory.mktemp("gateway"))


@asynccontextmanager
async def raw(running: Running) -> AsyncIterator[tuple[httpx2.AsyncClient, dict[str, str]]]:
    """A session without the SDK, and the headers that belong to it."""
    hello = request(
        "initialize", {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "x", "version": "1"}}
    )
    with anyio.fail_after(240):
        async with httpx2.AsyncClient(timeout=240) as http:
            opened = await http.post(running.url, json=hello, headers=ACCEPT)
            headers = {**ACCEPT, "mcp-session-id": opened.headers["mcp-session-id"]}
            told = {"jsonrpc": "2.0", "method": "notifications/initialized"}
            await http.post(running.url, json=told, headers=headers)
            yield http, headers


def request(method: str, params: dict[str, Any], number: Any = 1) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "id": number, "method": method, "params": params}


def call(tool: str, number: Any = 1, **arguments: Any) -> dict[str, Any]:
    return request("tools/call", {"name": tool, "arguments": arguments}, number)


def said(answer: httpx2.Response) -> str:
    data = next((line[6:] for line in answer.text.splitlines() if line.startswith("data: {")), answer.text)
    return str(json.loads(data)["result"]["content"][0]["text"])


async def still_serves(running: Running) -> None:
    async with client(running, ALICE) as alice:
        assert "120" in words(await alice.call_tool("shop_price", {"item": "tea"}))


@requirement("N2")
async def test_a_client_that_hangs_up_in_the_middle_of_a_call_leaves_the_gateway_at_work(running: Running) -> None:
    async with raw(running) as (http, headers):
        with anyio.move_on_after(0.5):
            await http.post(running.url, json=call("shop_stuck"), headers=headers)
    await still_serves(running)


@requirement("N2")
@pytest.mark.parametrize(
    "body",
    [
        b'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"shop_price","arguments":{"item":"\\ud800"}}}',
        b'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"shop_price","arguments":{"item":"\\u0000"}}}',
        b'{"jsonrpc":"2.0","id":{"a":1},"method":"tools/call","params":{}}',
        b'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":[1,2]}',
        b"[" * 50_000,
        b"\xff\xfe\x00",
    ],
    ids=["lone surrogate", "NUL", "id that is none", "params that are none", "nested", "no UTF-8"],
)
async def test_what_is_no_request_is_answered_at_once(running: Running, body: bytes) -> None:
    async with raw(running) as (http, headers):
        answer = await http.post(running.url, content=body, headers=headers)
        assert answer.status_code < 500 or "error" in answer.text
    await still_serves(running)


@requirement("N2")
async def test_more_than_a_request_may_have_is_refused_also_when_its_length_is_not_told(running: Running) -> None:
    async def pieces() -> AsyncIterator[bytes]:
        for _ in range(100):
            yield b"x" * 100_000

    async with raw(running) as (http, headers):
        try:
            answer = await http.post(running.url, content=pieces(), headers=headers)
            assert answer.status_code in (400, 413)
        except httpx2.TransportError:
            pass  # it hung up, which is as good
    await still_serves(running)


@requirement("N1")
async def test_an_answer_that_comes_first_is_json_on_one_connection_and_what_is_told_before_it_makes_a_stream(
    running: Running,
) -> None:
    async with raw(running) as (http, headers):
        seconds = STREAM_AFTER_S
        while seconds >= STREAM_AFTER_S:  # on a busy machine even this may take so long that it comes as a stream
            first = await http.post(running.url, json=call("shop_price", item="tea"), headers=headers)
            seconds = first.elapsed.total_seconds()
        assert first.headers["content-type"] == "application/json"
        assert "120" in said(first)
        told = call("shop_count_stock", 2)
        told["params"]["_meta"] = {"progressToken": "p"}
        second = await http.post(running.url, json=told, headers=headers)
        assert second.headers["content-type"].startswith("text/event-stream")
        events = [json.loads(line[6:]) for line in second.text.splitlines() if line.startswith("data: {")]
        assert [event["params"]["message"] for event in events[:-1]] == ["shelf 0", "shelf 1", "shelf 2"]
        assert events[-1]["result"]["content"][0]["text"] == "counted"


@requirement("N2")
async def test_an_id_that_is_under_way_is_refused_and_whoever_used_it_first_gets_the_answer(running: Running) -> None:
    async with raw(running) as (http, headers), anyio.create_task_group() as group:
        slow = call("shop_sell", 7, item="slow-tea", slow=True)
        group.start_soon(partial(http.post, running.url, json=slow, headers=headers))
        with anyio.fail_after(240):
            while "slow-tea" not in running.sales():
                await anyio.sleep(0.05)
        again = await http.post(running.url, json=call("shop_price", 7, item="tea"), headers=headers)
        assert again.status_code == 400
        assert "under way" in again.text
        assert "120" in said(await http.post(running.url, json=call("shop_price", 8, item="tea"), headers=headers))
        group.cancel_scope.cancel()
    await still_serves(running)


@requirement("N2")
async def test_a_path_that_is_not_ours_is_not_found(running: Running) -> None:
    async with httpx2.AsyncClient(timeout=240) as http:
        elsewhere = await http.post(running.url.replace("/mcp", "/admin"), json={}, headers=ACCEPT)
        assert elsewhere.status_code == 404


@requirement("N2")
async def test_a_session_that_was_never_opened_is_refused(running: Running) -> None:
    async with httpx2.AsyncClient(timeout=240) as http:
        made_up = await http.post(
            running.url, json=call("shop_price", item="tea"), headers={**ACCEPT, "mcp-session-id": "0" * 32}
        )
        assert made_up.status_code == 404
        two = [*ACCEPT.items(), ("mcp-session-id", "a"), ("mcp-session-id", "b")]
        assert (await http.post(running.url, json=call("shop_price", item="tea"), headers=two)).status_code == 400


@requirement("N2")
@pytest.mark.timeout(600)
async def test_two_gateways_on_one_database_write_one_unbroken_journal(tmp_path: Path) -> None:
    home = written(tmp_path)
    first, second = await anyio.to_thread.run_sync(started, home), await anyio.to_thread.run_sync(started, home)
    try:
        async with client(first, ALICE) as one, client(second, ALICE) as two, anyio.create_task_group() as group:
            for number in range(10):
                group.start_soon(one.call_tool, "shop_price", {"item": f"a{number}"})
                group.start_soon(two.call_tool, "shop_sell", {"item": f"b{number}"})
    finally:
        for running in (first, second):
            running.process.terminate()
            await anyio.to_thread.run_sync(running.process.wait)
    assert sorted(first.sales()) == sorted(f"b{number}" for number in range(10))
    with sqlite3.connect(home / "jiritsu.db") as database:
        (finished,) = database.execute("select count(*) from metrics_events where type = 'call_finished'").fetchone()
    database.close()
    assert finished == 20
    checked = await anyio.to_thread.run_sync(lambda: jiritsu("audit", "verify", home=home))
    assert checked.returncode == 0, checked.stdout + checked.stderr


async def test_where_a_session_ends_while_a_call_streams_the_stream_ends_and_nothing_is_begun_anew() -> None:
    """A second response was begun on the same connection, which the server answers with an error of its own in the log."""
    session, sent = SessionTransport("s1"), list[str]()
    outgoing, events = anyio.create_memory_object_stream[EventMessage](1)
    outgoing.close()

    async def send(message: MutableMapping[str, Any]) -> None:
        sent.append(message["type"])

    with anyio.fail_after(240), events:
        response = EventSourceResponse(session._stream_events(None, events))
        await response({"type": "http", "method": "POST", "headers": []}, anyio.sleep_forever, send)  # type: ignore[arg-type]
    assert sent == ["http.response.start", "http.response.body"]
