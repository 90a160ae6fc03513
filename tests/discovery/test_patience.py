"""Who is waited for and how long: a server that hangs costs the others a moment once, and the whole wait once."""

import time
from typing import Any

import anyio
import sqlalchemy as sa
from mcp.server import Server
from mcp_types import ListToolsResult, Tool

from discovery.catalog import ProviderState
from discovery.gateway import Gateway, open_gateway
from discovery.gateway_settings import GatewaySettings
from discovery.transport.in_process import InProcess
from tests.requirements import requirement
from tests.support.server_configs import stdio_server

SETTINGS = GatewaySettings(grace_s=0.3, startup_s=5, second_chance_s=0.5, retry_base_s=60, connect_timeout_s=30)
HUNG = stdio_server("hung", fault="hang_initialize")


async def settling_s(gateway: Gateway, timeout_s: float, *, for_all: bool = False) -> float:
    started = time.monotonic()
    await gateway.settle(timeout_s, for_all=for_all)
    return time.monotonic() - started


@requirement("D3")
async def test_a_server_that_hangs_holds_up_one_refresh_and_no_other() -> None:
    async with open_gateway([HUNG, stdio_server("near")], settings=SETTINGS) as gateway:
        await gateway.catalog()
        for _ in range(3):
            with anyio.fail_after(0.3):
                catalog = await gateway.catalog(refresh=True)
    assert [spec.name for spec in catalog.callable_tools] == ["near_tool_0"]


async def test_one_that_hung_the_last_time_gets_a_second_chance_and_not_the_whole_wait(engine: sa.Engine) -> None:
    servers = [HUNG, stdio_server("near")]
    waits = []
    for for_all in (False, False, True):
        async with open_gateway(servers, engine=engine, settings=SETTINGS) as gateway:
            waits.append(await settling_s(gateway, 1.5, for_all=for_all))
            with anyio.fail_after(0.5):  # nobody waits for it again
                assert (await gateway.catalog()).callable_tools
    assert [1.5 <= waits[0] < 2.5, 0.5 <= waits[1] < 1.4, 1.5 <= waits[2] < 2.5] == [True] * 3, waits


async def test_one_that_comes_up_within_its_second_chance_is_trusted_again(engine: sa.Engine) -> None:
    slow = stdio_server("slow", delay_s=0.9)
    async with open_gateway([slow], engine=engine, settings=SETTINGS) as gateway:
        await gateway.settle(0.6)
        assert gateway.status()[0].state is ProviderState.CONNECTING
    patient = SETTINGS.model_copy(update={"second_chance_s": 5})
    async with open_gateway([slow], engine=engine, settings=patient) as gateway:
        assert (await gateway.settle(10))[0].available
    async with open_gateway([slow], engine=engine, settings=SETTINGS) as gateway:  # as long as it usually needs
        assert (await gateway.settle(10))[0].available


async def test_one_that_fails_at_once_is_not_waited_for_and_nothing_is_held_against_it(engine: sa.Engine) -> None:
    async with open_gateway([stdio_server("bad", fault="exit")], engine=engine, settings=SETTINGS) as gateway:
        assert await settling_s(gateway, 5) < 2
        with engine.connect() as connection:
            assert connection.execute(sa.text("select count(*) from discovery_listings")).scalar() == 0


async def test_one_that_gives_up_in_the_middle_of_the_wait_was_waited_for_in_vain_too(engine: sa.Engine) -> None:
    impatient = SETTINGS.model_copy(update={"connect_timeout_s": 1.0})
    async with open_gateway([HUNG], engine=engine, settings=impatient) as gateway:
        assert 1.0 <= await settling_s(gateway, 5) < 2.5
    async with open_gateway([HUNG], engine=engine, settings=SETTINGS) as gateway:
        assert await settling_s(gateway, 5) < 1.5


async def test_the_first_catalog_asks_nobody_again_who_has_just_listed() -> None:
    asked: list[int] = []

    async def list_tools(_context: Any, _params: Any) -> ListToolsResult:
        asked.append(1)
        return ListToolsResult(tools=[Tool(name="a", input_schema={"type": "object"})])

    providers = {"p": InProcess(Server("p", on_list_tools=list_tools), in_backend="a test")}
    async with open_gateway([], in_process=providers, settings=SETTINGS.model_copy(update={"debounce_s": 0.0})) as gateway:
        await gateway.settle(5)
        assert (await gateway.catalog()).callable_tools
        await anyio.wait_all_tasks_blocked()
    assert len(asked) == 1
