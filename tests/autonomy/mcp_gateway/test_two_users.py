"""Two people at one gateway, over real sockets: what one of them does must not reach the other through a server that they share."""

import json
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import anyio
import httpx2
import pytest
from mcp import Client
from mcp.client.session import ClientRequestContext
from mcp.client.streamable_http import streamable_http_client
from mcp_types import ElicitRequestParams, ElicitResult, ListRootsResult, LoggingMessageNotificationParams, Root

from tests.autonomy.mcp_gateway.test_gateway_http import ALICE, BOB, Running, started
from tests.requirements import requirement
from tests.support.command import warm_interpreter
from tests.support.tool_calls import words

SERVERS = Path(__file__).parents[2] / "support/servers"
pytestmark = [pytest.mark.timeout(600), pytest.mark.filterwarnings("ignore::mcp.shared.exceptions.MCPDeprecationWarning")]


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    """A gateway for Alice and Bob, over a server that gossips and one that opens pages."""
    home = tmp_path_factory.mktemp("two")
    (home / "own").mkdir()
    gossip = {"command": warm_interpreter(), "args": ["-I", "-S", str(SERVERS / "gossip_server.py"), str(home)]}
    bound = {**gossip, "roots": [str(home / "own")]}
    web = {"command": warm_interpreter(), "args": [str(SERVERS / "shop_server.py"), str(home / "sales")]}
    (home / "jiritsu.mcp.json").write_text(
        json.dumps({"mcpServers": {"gossip": gossip, "other": gossip, "bound": bound, "web": web}})
    )
    profiles = (f'[gateway.clients.{name}]\ntoken_env = "{name.upper()}_TOKEN"\nlist_wait_s = 60\n' for name in ("alice", "bob"))
    (home / "jiritsu.toml").write_text("".join(profiles))
    one = started(home)
    yield one
    one.process.terminate()
    one.process.wait(120)


@asynccontextmanager
async def person(running: Running, token: str, heard: list[str], folder: str = "") -> AsyncIterator[Client]:
    """A client whose person says yes to whatever he is asked."""

    async def agree(context: ClientRequestContext, params: ElicitRequestParams) -> ElicitResult:
        heard.append(params.message)
        return ElicitResult(action="accept", content={"yes": True})

    async def hear(params: LoggingMessageNotificationParams) -> None:
        heard.append(str(params.data))

    async def folders(context: ClientRequestContext) -> ListRootsResult:
        return ListRootsResult(roots=[Root.model_validate({"uri": folder})])

    answering: dict[str, Any] = {"elicitation_callback": agree, "logging_callback": hear}
    answering |= {"list_roots_callback": folders} if folder else {}
    with anyio.fail_after(300):
        async with (
            httpx2.AsyncClient(headers={"authorization": f"Bearer {token}"}, timeout=240) as http,
            Client(streamable_http_client(running.url, http_client=http), mode="legacy", **answering) as client,
        ):
            await client.list_tools()
            yield client


async def until_there(file: Path) -> None:
    while not file.exists():
        await anyio.sleep(0.01)


@asynccontextmanager
async def working_for(client: Client, home: Path) -> AsyncIterator[None]:
    """A call of this client is under way in the block."""
    async with anyio.create_task_group() as beside:
        beside.start_soon(client.call_tool, "gossip_wait", {})
        await until_there(home / "waits")
        yield
        (home / "go").touch()
    (home / "go").unlink()
    (home / "waits").unlink()


@requirement("N2")
async def test_a_question_and_a_log_message_that_come_late_reach_nobody_else(running: Running) -> None:
    home, of_bob, of_alice = running.home, list[str](), list[str]()
    async with person(running, ALICE, of_alice) as alice, person(running, BOB, of_bob) as bob:
        async with anyio.create_task_group() as given_up:
            given_up.start_soon(alice.call_tool, "gossip_move", {"text": "4711 yen of Alice"})
            await until_there(home / "began")
            given_up.cancel_scope.cancel()
        async with working_for(bob, home):
            (home / "ask").touch()
            await until_there(home / "answer")
        assert json.loads((home / "answer").read_text()) == {"action": "decline"}
        await alice.call_tool("gossip_note", {"text": "what Alice plans"})
        async with working_for(bob, home):
            (home / "log").touch()
            await until_there(home / "logged")
            assert words(await bob.call_tool("web_price", {"item": "tea"})), "whatever was passed on has come by now"
        assert of_bob == []
        (home / "answer").unlink()
        await alice.call_tool("gossip_move", {"text": "her own"})
        assert of_alice == ["[gossip] Move her own?"], "she is asked herself, also after a call that she gave up"
        await bob.call_tool("gossip_move", {"text": "his own"})
        assert of_bob == ["[gossip] Move his own?"], "and so is he again, once the server has answered the call that she gave up"


@requirement("N2")
async def test_a_server_that_keeps_folders_gets_those_of_its_entry_and_of_no_person(running: Running) -> None:
    async with (
        person(running, ALICE, [], "file:///home/alice") as alice,
        person(running, BOB, [], "file:///") as bob,
    ):
        for client in (alice, bob):
            assert words(await client.call_tool("gossip_folders", {})) == "[]"
            assert words(await client.call_tool("bound_folders", {})) == json.dumps([(running.home / "own").as_uri()])


@requirement("N2")
async def test_what_a_server_tells_beside_its_answer_is_data_that_was_read_of_it(running: Running) -> None:
    heard = list[str]()

    async def hear(progress: float, total: float | None, message: str | None) -> None:
        heard.append(str(message))

    async with person(running, BOB, heard) as bob:
        for way in ("progress", "log", "question"):
            page = {"url": f"https://{way}.example/?d=x"}
            assert not (await bob.call_tool("web_open_page", page)).is_error, "nobody has told of it yet"
            await bob.call_tool("other_tell", {"way": way}, progress_callback=hear)
            assert (await bob.call_tool("web_open_page", page)).is_error, way
    assert any("stands in what other brought" in one for one in heard)
