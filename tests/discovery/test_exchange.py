"""Calls sent past the SDK's session: each gets its own answer, whatever else comes on the connection, and none waits for ever."""

from collections.abc import Awaitable, Callable
from typing import Any

import anyio
import pytest
from mcp import Client, MCPError
from mcp.client.session import ClientSession
from mcp.shared.message import SessionMessage
from mcp_types import ErrorData, JSONRPCError, JSONRPCNotification, JSONRPCRequest, JSONRPCResponse
from mcp_types.jsonrpc import jsonrpc_message_adapter

from discovery.transport.exchange import FIRST_ID, MOST_PROGRESS, Exchange
from tests.architecture.test_sdk import SDK
from tests.requirements import requirement


class Sent:
    """Stands for the connection's `WriteStream`."""

    def __init__(self, broken: bool = False) -> None:
        self.messages: list[Any] = []
        self.broken = broken

    async def send(self, item: SessionMessage) -> None:
        if self.broken:
            raise anyio.BrokenResourceError
        self.messages.append(item.message)

    async def aclose(self) -> None: ...


def opened(broken: bool = False) -> tuple[Exchange, Sent]:
    exchange, sent = Exchange(), Sent(broken)
    exchange.opened(sent)  # type: ignore[arg-type]
    return exchange, sent


async def nothing(progress: float, total: float | None, message: str | None) -> None:
    """Hears no progress."""


async def asked(exchange: Exchange, answer: Callable[[], Awaitable[None]], on_progress: Any = nothing) -> Any:
    """What a request brings that is answered once it is waiting."""
    brought: list[Any] = []

    async def ask() -> None:
        try:
            brought.append(await exchange.request("tools/call", {"name": "x"}, on_progress=on_progress))
        except MCPError as error:
            brought.append(error)

    with anyio.fail_after(240):
        async with anyio.create_task_group() as group:
            group.start_soon(ask)
            await anyio.wait_all_tasks_blocked()
            await answer()
    return brought[0]


def message(**fields: Any) -> SessionMessage:
    return SessionMessage(jsonrpc_message_adapter.validate_python({"jsonrpc": "2.0", **fields}))


@pytest.mark.parametrize("said", [FIRST_ID, str(FIRST_ID)])
async def test_an_answer_finds_its_request_also_where_the_server_gives_the_number_back_as_text(said: int | str) -> None:
    exchange, sent = opened()

    async def answer() -> None:
        assert not exchange.took(message(id=1, result={}))  # the session's own
        assert not exchange.took(message(id=FIRST_ID + 7, result={}))  # nobody's
        assert exchange.took(message(id=said, result={"content": []}))

    assert await asked(exchange, answer) == {"content": []}
    assert isinstance(sent.messages[0], JSONRPCRequest)
    assert not exchange.took(message(id=said, result={})), "a second answer is nobody's"


async def test_an_error_in_place_of_a_result_is_raised_with_its_code() -> None:
    exchange, _ = opened()

    async def answer() -> None:
        exchange.took(SessionMessage(JSONRPCError(jsonrpc="2.0", id=FIRST_ID, error=ErrorData(code=-32602, message="no"))))

    error = await asked(exchange, answer)
    assert (error.error.code, error.error.message) == (-32602, "no")


async def test_progress_reaches_whoever_waits_in_order_and_a_flood_of_it_is_not_kept() -> None:
    exchange, _ = opened()
    heard: list[float] = []

    async def hear(progress: float, total: float | None, words: str | None) -> None:
        heard.append(progress)

    async def answer() -> None:
        for number in range(5_000):
            assert exchange.took(message(method="notifications/progress", params={"progressToken": FIRST_ID, "progress": number}))
        assert not exchange.took(message(method="notifications/progress", params={"progressToken": 3, "progress": 1}))
        assert not exchange.took(message(method="notifications/progress", params={"progressToken": FIRST_ID, "progress": True}))
        exchange.took(SessionMessage(JSONRPCResponse(jsonrpc="2.0", id=FIRST_ID, result={})))

    await asked(exchange, answer, hear)
    assert heard == [float(number) for number in range(5_000 - MOST_PROGRESS, 5_000)]


@requirement("N1")
async def test_when_the_connection_ends_whoever_waits_is_told_and_nobody_can_ask_any_more() -> None:
    exchange, _ = opened()

    async def end() -> None:
        exchange.close()

    for error in (await asked(exchange, end), await asked(exchange, end), await asked(opened(broken=True)[0], end)):
        assert error.error.message == "Connection closed"


async def test_a_caller_that_gives_up_tells_the_server_and_leaves_nothing_behind() -> None:
    exchange, sent = opened()
    with anyio.move_on_after(0):
        await exchange.request("tools/call", {"name": "x"}, on_progress=nothing)
    request, notice = sent.messages
    assert isinstance(notice, JSONRPCNotification)
    assert (notice.method, (notice.params or {})["requestId"]) == ("notifications/cancelled", request.id)
    assert not exchange.took(message(id=request.id, result={}))


def test_the_sdk_has_what_calls_past_its_session_lean_on() -> None:
    assert hasattr(Client, "_drive_input_required"), f"{SDK} changed Client: see discovery/transport/exchange.py"
    assert "_stamp" in ClientSession.adopt.__code__.co_names, f"{SDK} changed ClientSession: see discovery/transport/exchange.py"
