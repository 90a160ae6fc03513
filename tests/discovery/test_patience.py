"""Who is waited for and how long: slow is not absent, and a server that hangs holds up only whoever needs it."""

from types import SimpleNamespace
from typing import Any

import anyio
import pytest
import sqlalchemy as sa
from mcp.server import Server
from mcp_types import ListToolsResult, Tool

from discovery.catalog import Listing, Provider, ProviderState
from discovery.connections import startup_timeouts
from discovery.connections.startup_timeouts import StartupTimeouts
from discovery.gateway import Gateway, open_gateway
from discovery.review.reviewer import Reviewer
from discovery.servers.server_config import ServerConfig
from discovery.transport.in_process import InProcess
from tests.requirements import requirement
from tests.support.server_configs import PATIENT, stdio_server

SETTINGS = PATIENT.model_copy(update={"retry_base_s": 60, "connect_timeout_s": 300})
HUNG = stdio_server("hung", fault="hang_initialize")


@requirement("D3")
async def test_a_server_that_hangs_holds_up_one_refresh_and_no_other() -> None:
    slow = SETTINGS.model_copy(update={"grace_s": 250, "startup_s": 250})  # what a refresh that waited would take at least
    async with open_gateway([HUNG, stdio_server("near")], settings=slow) as gateway:
        await gateway.catalog(needed=["near"], wait_s=120)
        await gateway.settle(0.01)
        with anyio.fail_after(240):
            for _ in range(3):
                catalog = await gateway.catalog(refresh=True)
    assert [spec.name for spec in catalog.callable_tools] == ["near_tool_0"]


@pytest.mark.parametrize("wait", ["settle", "need"])
async def test_one_that_fails_at_once_is_not_waited_for_and_nothing_is_held_against_it(engine: sa.Engine, wait: str) -> None:
    quick = SETTINGS.model_copy(update={"retry_base_s": 0.01})
    async with open_gateway([stdio_server("bad", fault="exit")], engine=engine, settings=quick) as gateway:
        with anyio.fail_after(240):  # not the 300 s that a slow one gets
            await (gateway.settle(300) if wait == "settle" else gateway.catalog(needed=["bad"], wait_s=300))
        assert not gateway.status()[0].overdue
        with engine.connect() as connection:
            assert connection.execute(sa.text("select count(*) from discovery_listings")).scalar() == 0


@requirement("D3")
async def test_whoever_was_waited_for_in_vain_before_and_never_came_is_hardly_waited_for_again(engine: sa.Engine) -> None:
    settings = SETTINGS.model_copy(update={"startup_s": 0.01})
    async with open_gateway([HUNG], engine=engine, settings=settings) as gateway:
        await gateway.settle(0.01)
    async with open_gateway([HUNG, stdio_server("near")], engine=engine, settings=settings) as gateway:
        with anyio.fail_after(240):  # not the 300 s that each may take
            hung, near = await gateway.settle(300, first_s=300)
    assert (hung.overdue, hung.missing, near.available) == (True, "starting", True)


@requirement("D3")
async def test_servers_that_come_one_by_one_are_waited_for_as_long_as_they_come(monkeypatch: pytest.MonkeyPatch) -> None:
    waits: list[float] = []
    monkeypatch.setattr(startup_timeouts.anyio, "move_on_after", lambda wait_s: waits.append(wait_s) or anyio.CancelScope())
    changes = [anyio.Event()]
    servers = [SimpleNamespace(state=ProviderState.CONNECTING, lists=SimpleNamespace(times=0, compares=False)) for _ in range(3)]
    patience = StartupTimeouts(SETTINGS, lambda: changes[-1])
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(patience.settled, servers, 20.0)
        for came in servers:
            await anyio.wait_all_tasks_blocked()
            came.state = ProviderState.READY
            changes.append(anyio.Event())
            changes[-2].set()
    assert waits == [20.0] * 3


@requirement("D3")
async def test_one_whose_thousands_of_tools_are_being_compared_is_waited_for_until_they_are(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    begun, may_end, review = anyio.Event(), anyio.Event(), Reviewer.review

    async def slowly(self: Reviewer, server: ServerConfig, listing: Listing) -> Listing:
        begun.set()
        await may_end.wait()
        return await review(self, server, listing)

    monkeypatch.setattr(Reviewer, "review", slowly)
    found = list[Provider]()
    async with open_gateway([stdio_server("near")], settings=SETTINGS) as gateway, anyio.create_task_group() as tasks:

        async def settle() -> None:
            found.extend(await gateway.settle(0))

        with anyio.fail_after(240):
            await begun.wait()
            tasks.start_soon(settle)
            await anyio.wait_all_tasks_blocked()
            may_end.set()
    assert [one.available for one in found] == [True]


async def test_the_first_catalog_asks_nobody_again_who_has_just_listed() -> None:
    asked: list[int] = []

    async def list_tools(_context: Any, _params: Any) -> ListToolsResult:
        asked.append(1)
        return ListToolsResult(tools=[Tool(name="a", input_schema={"type": "object"})])

    providers = {"p": InProcess(Server("p", on_list_tools=list_tools), in_backend="a test")}
    async with open_gateway([], in_process=providers, settings=SETTINGS.model_copy(update={"debounce_s": 0.0})) as gateway:
        await gateway.settle(60)
        assert (await gateway.catalog()).callable_tools
        await anyio.wait_all_tasks_blocked()
    assert len(asked) == 1


@requirement("D3")
async def test_who_needs_no_server_in_particular_waits_for_none_that_hangs_and_holds_nothing_against_it(
    engine: sa.Engine,
) -> None:
    async with open_gateway([HUNG, stdio_server("near")], engine=engine, settings=SETTINGS) as gateway:
        await gateway.catalog(needed=["near"], wait_s=120)
        with anyio.fail_after(240):  # not the 300 s that it may take to start
            await gateway.settle_soon(0.01)
        hung, near = gateway.status()
        assert (hung.missing, hung.overdue, near.available) == ("starting", False, True)


@requirement("D3")
async def test_where_all_servers_are_slow_the_next_one_is_waited_for_as_long_as_those_that_came(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    waits: list[float] = []

    async def settled(_: StartupTimeouts, connections: object, timeout_s: float) -> list[object]:
        waits.append(timeout_s)
        return []

    monkeypatch.setattr(StartupTimeouts, "settled", settled)
    monkeypatch.setattr(Gateway, "slowest_start_s", lambda _: 40.0)
    async with open_gateway([], settings=SETTINGS) as gateway:
        await gateway.settle_soon(5.0)
    assert waits == [5.0, 60.0]
