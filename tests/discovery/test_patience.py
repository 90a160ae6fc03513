"""Who is waited for and how long: slow is not absent, and a server that hangs holds up only whoever needs it."""

from typing import Any

import anyio
import pytest
import sqlalchemy as sa
from mcp.server import Server
from mcp_types import ListToolsResult, Tool

from discovery.gateway import open_gateway
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
        with anyio.fail_after(120):
            for _ in range(3):
                catalog = await gateway.catalog(refresh=True)
    assert [spec.name for spec in catalog.callable_tools] == ["near_tool_0"]


@pytest.mark.parametrize("wait", ["settle", "need"])
async def test_one_that_fails_at_once_is_not_waited_for_and_nothing_is_held_against_it(engine: sa.Engine, wait: str) -> None:
    quick = SETTINGS.model_copy(update={"retry_base_s": 0.01})
    async with open_gateway([stdio_server("bad", fault="exit")], engine=engine, settings=quick) as gateway:
        with anyio.fail_after(120):  # not the 300 s that a slow one gets
            await (gateway.settle(300) if wait == "settle" else gateway.catalog(needed=["bad"], wait_s=300))
        assert not gateway.status()[0].overdue
        with engine.connect() as connection:
            assert connection.execute(sa.text("select count(*) from discovery_listings")).scalar() == 0


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
