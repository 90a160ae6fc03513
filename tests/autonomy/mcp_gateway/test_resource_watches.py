"""Changes of resources reach whoever watches them, whichever revision client and server speak."""

import sys
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import Any, Literal

import anyio
import pytest
from mcp import Client, MCPError
from mcp_types import ResourceUpdatedNotification

from autonomy.calls.services import Services
from autonomy.mcp_gateway import resource_watches, subscriptions
from autonomy.mcp_gateway.clients.profiles import ClientProfile, GatewayClients
from autonomy.mcp_gateway.content_server import ContentServer
from autonomy.mcp_gateway.mcp_server import GatewayServer
from discovery.catalog import Provider
from discovery.gateway import open_gateway
from discovery.servers.server_config import ServerConfig
from tests.requirements import requirement
from tests.support.house import NO_WAIT
from tests.support.server_configs import PATIENT, SERVERS

Mode = Literal["legacy", "auto"]
"""Of a client: 2025-11-25, or 2026-07-28."""
NOTES, TASKS, CLOSED, NOBODYS = "file:///notes", "file:///tasks", "file:///closed/a", "other:///x"
pytestmark = [
    pytest.mark.filterwarnings("ignore::mcp.shared.exceptions.MCPDeprecationWarning"),
    pytest.mark.parametrize("behind", ["2025-11-25", "2026-07-28"]),
]


@asynccontextmanager
async def serving(folder: Path, behind: str, profile: ClientProfile | None = None) -> AsyncIterator[GatewayServer]:
    """A gateway with one such server behind it."""
    args = ("-I", "-S", str(SERVERS / "watched_server.py"), str(folder), behind)
    config = ServerConfig(name="far", command=sys.executable, args=args)
    with anyio.fail_after(240):
        async with open_gateway([config], settings=PATIENT, asks_back=True) as gateway:
            clients = GatewayClients(clients={"default": profile or ClientProfile(writes="allow")})
            server = GatewayServer(Services(gateway, backoff=NO_WAIT), clients)
            async with server.open():
                yield server


class Ears:
    """What one client hears of resources."""

    def __init__(self) -> None:
        self.heard = list[str]()
        self._more = anyio.Event()

    async def hear(self, message: Any) -> None:
        """What comes on a channel of its own, as until 2025-11-25."""
        if isinstance(message, ResourceUpdatedNotification):
            self.note(str(message.params.uri))

    def note(self, uri: str) -> None:
        """One more."""
        self.heard.append(uri)
        self._more.set()

    async def until(self, holds: Callable[[list[str]], bool]) -> None:
        """Wait for as much."""
        while not holds(self.heard):
            self._more = anyio.Event()
            await self._more.wait()


@asynccontextmanager
async def watching(server: GatewayServer, mode: Mode, *uris: str) -> AsyncIterator[tuple[Client, Ears]]:
    """A client that watches these."""
    ears = Ears()
    async with AsyncExitStack() as stack:
        hear = ears.hear if mode == "legacy" else None
        client = await stack.enter_async_context(Client(server.server(), mode=mode, message_handler=hear))
        if mode == "legacy":
            for uri in uris:
                await client.subscribe_resource(uri)
            yield client, ears
            for uri in uris:
                await client.unsubscribe_resource(uri)
            return
        group = await stack.enter_async_context(anyio.create_task_group())
        stream = await stack.enter_async_context(client.listen(resource_subscriptions=uris))

        async def follow() -> None:
            async for change in stream:
                ears.note(change.uri)  # type: ignore[union-attr]

        group.start_soon(follow)
        yield client, ears
        group.cancel_scope.cancel()


def asked(folder: Path) -> list[str]:
    return (folder / "asked.txt").read_text().splitlines()


@requirement("N1")
@pytest.mark.parametrize("mode", ["legacy", "auto"])
async def test_a_client_hears_of_what_it_watches_and_of_nothing_else(tmp_path: Path, behind: str, mode: Mode) -> None:
    async with serving(tmp_path, behind) as server, watching(server, mode, NOTES) as (client, ears):
        for uri in (TASKS, "file:///notesbook", NOTES):
            await client.call_tool("far_change", {"uri": uri})
        await ears.until(lambda heard: NOTES in heard)
        assert ears.heard == [NOTES]


@requirement("N1")
async def test_a_server_is_asked_once_for_what_two_clients_watch_and_no_more_when_the_last_has_gone(
    tmp_path: Path, behind: str
) -> None:
    async with serving(tmp_path, behind) as server:
        async with watching(server, "auto", NOTES) as (client, first):
            async with watching(server, "auto", NOTES) as (_, second):
                await client.call_tool("far_change", {"uri": NOTES})
                await first.until(lambda heard: heard == [NOTES])
                await second.until(lambda heard: heard == [NOTES])
            await client.call_tool("far_change", {"uri": NOTES})
            await first.until(lambda heard: len(heard) == 2)
            once = [line for line in asked(tmp_path) if not line.startswith("unsubscribe")]
            assert once == [f"{'listen' if behind == '2026-07-28' else 'subscribe'} {NOTES}"]
        while server._subscriptions.watches._by_resource:
            await anyio.lowlevel.checkpoint()
        if behind == "2025-11-25":
            assert asked(tmp_path)[-1] == f"unsubscribe {NOTES}"


@requirement("N1")
async def test_what_a_client_watches_it_can_leave_also_while_nobody_offers_it(
    tmp_path: Path, behind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def none(*_: object) -> list[Provider]:
        return []

    async with serving(tmp_path, behind) as server, watching(server, "legacy", NOTES) as (client, _):
        monkeypatch.setattr(ContentServer, "providers", none)
        await client.unsubscribe_resource(NOTES)
        assert not server._subscriptions.watches._by_resource


@requirement("N1")
@pytest.mark.parametrize("mode", ["legacy", "auto"])
async def test_after_a_server_died_what_was_watched_is_watched_again_and_told_as_changed(
    tmp_path: Path, behind: str, mode: Mode
) -> None:
    async with serving(tmp_path, behind) as server, watching(server, mode, NOTES) as (client, ears):
        await client.call_tool("far_die", {})
        await ears.until(lambda heard: len(heard) >= 1)
        while (await client.call_tool("far_change", {"uri": NOTES})).is_error:
            await anyio.lowlevel.checkpoint()
        await ears.until(lambda heard: len(heard) >= 2)
        assert set(ears.heard) == {NOTES}


@requirement("N1")
@pytest.mark.parametrize("mode", ["legacy", "auto"])
async def test_one_below_what_is_watched_counts(tmp_path: Path, behind: str, mode: Mode) -> None:
    async with serving(tmp_path, behind) as server, watching(server, mode, NOTES) as (client, ears):
        await client.call_tool("far_change", {"uri": f"{NOTES}/today"})
        await ears.until(bool)
        assert ears.heard == [f"{NOTES}/today" if mode == "legacy" else NOTES]


@requirement("N1", "N2")
async def test_a_client_is_told_which_of_its_wishes_are_met(tmp_path: Path, behind: str) -> None:
    async with serving(tmp_path, behind) as server, Client(server.server()) as client:
        async with client.listen(resource_subscriptions=[NOTES, CLOSED, NOBODYS, TASKS]) as stream:
            assert stream.honored.resource_subscriptions == [NOTES, TASKS]
            async with client.listen(resource_subscriptions=[NOTES, CLOSED]) as other:
                assert other.honored.resource_subscriptions == [NOTES], "one that is watched already is not lost for another"
        async with Client(server.server(), mode="legacy") as older:
            for uri, why in ((CLOSED, "no changes" if behind == "2026-07-28" else "closed"), (NOBODYS, "no server behind")):
                with pytest.raises(MCPError, match=why):
                    await older.subscribe_resource(uri)


@requirement("N2")
@pytest.mark.parametrize("mode", ["legacy", "auto"])
async def test_what_a_client_may_not_read_it_does_not_hear_of(tmp_path: Path, behind: str, mode: Mode) -> None:
    profile = ClientProfile(tools=("near_*",))
    async with serving(tmp_path, behind, profile) as server, Client(server.server(), mode=mode) as client:
        if mode == "legacy":
            with pytest.raises(MCPError):
                await client.subscribe_resource(NOTES)
        else:
            async with client.listen(resource_subscriptions=[NOTES]) as stream:
                assert stream.honored.resource_subscriptions is None
    assert not (tmp_path / "asked.txt").exists()


@requirement("N2")
async def test_nobody_watches_or_listens_without_end(tmp_path: Path, behind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(subscriptions, "MOST_STREAMS", 1)
    monkeypatch.setattr(resource_watches, "MOST_WATCHED", 1)
    async with serving(tmp_path, behind) as server, Client(server.server()) as client:
        with pytest.raises(MCPError, match="1 resources at most"):
            async with client.listen(resource_subscriptions=[NOTES, TASKS]):
                pass
        async with client.listen(resource_subscriptions=[NOTES]):
            with pytest.raises(MCPError, match="1 streams at most"):
                async with client.listen(tools_list_changed=True):
                    pass
