"""Slow is not absent: whoever needs a provider waits for it within its own limits, and is told of each that is missing why."""

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from typing import Any

import anyio
import pytest
import sqlalchemy as sa
from mcp.server import Server
from mcp_types import ListToolsResult, Tool

from discovery.catalog import Catalog, Provider
from discovery.connections.startup_timeouts import StartupTimeouts
from discovery.discovery_errors import ProviderUnavailable, ToolHeld, UnknownTool
from discovery.gateway import Gateway, open_gateway
from discovery.gateway_settings import GatewaySettings
from discovery.names import full_names, may_offer
from discovery.servers.server_config import ServerConfig
from discovery.transport.in_process import InProcess
from tests.requirements import requirement
from tests.support.clock import SetClock
from tests.support.server_configs import stdio_server

SETTINGS = GatewaySettings(grace_s=0.01, retry_base_s=60)
HUNG = stdio_server("hung", fault="hang_initialize")


class Gated:
    """A server that lists its tools when it is told to."""

    def __init__(self, name: str) -> None:
        self.open = anyio.Event()
        self.provider = InProcess(Server(name, on_list_tools=self._list), in_backend="a test")

    async def _list(self, _context: Any, _params: Any) -> ListToolsResult:
        await self.open.wait()
        return ListToolsResult(tools=[Tool(name="post", input_schema={"type": "object"})])


@asynccontextmanager
async def starting(engine: sa.Engine | None, clock: SetClock) -> AsyncIterator[tuple[Gateway, Gated]]:
    """A gateway whose only server is starting."""
    slack = Gated("slack")
    with anyio.fail_after(240):
        async with open_gateway(
            [], in_process={"slack": slack.provider}, engine=engine, settings=SETTINGS, clock=clock
        ) as gateway:
            yield gateway, slack


@requirement("R2")
async def test_slow_starts_lose_no_later_run_its_server(engine: sa.Engine, clock: SetClock) -> None:
    for delay_s in (0, 8, 0, 25, 0):
        async with starting(engine, clock) as (gateway, slack):

            async def come(_awaited: tuple[Provider, ...], slack: Gated = slack, delay_s: float = delay_s) -> None:
                clock.advance(delay_s)
                slack.open.set()

            catalog = await gateway.catalog(needed=["slack_*"], wait_s=300, on_wait=come)
        assert [spec.name for spec in catalog.callable_tools] == ["slack_post"], delay_s


@requirement("R2")
async def test_whoever_needs_nobody_waits_for_nothing_and_sets_no_deadline(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(StartupTimeouts, "needed", None)  # a deadline of no seconds cost a tenth of a call
    async with starting(None, SetClock()) as (gateway, _):
        assert not (await gateway.catalog(needed=())).tools


@requirement("R2")
async def test_one_that_was_waited_for_in_vain_is_waited_for_again(engine: sa.Engine, clock: SetClock) -> None:
    async with starting(engine, clock) as (gateway, _):
        (missing,) = (await gateway.catalog(needed=["slack"], wait_s=0.05)).missing(["slack"])
    assert (missing.missing, missing.overdue, missing.cause) == ("starting", True, "it is still starting")
    async with starting(engine, clock) as (gateway, slack):
        assert gateway.status()[0].overdue

        async def come(_awaited: tuple[Provider, ...]) -> None:
            slack.open.set()

        catalog = await gateway.catalog(needed=["slack"], wait_s=300, on_wait=come)
        assert catalog.callable_tools
        assert not catalog.providers[0].overdue


@requirement("R2")
async def test_who_is_waited_for_is_told_with_the_cause_and_since_when(clock: SetClock) -> None:
    told: list[Provider] = []
    began = clock.now()
    async with starting(None, clock) as (gateway, slack):

        async def come(awaited: tuple[Provider, ...]) -> None:
            told.extend(awaited)
            clock.advance(3)
            slack.open.set()

        await gateway.catalog(needed=["slack"], wait_s=300, on_wait=come)
    assert [(one.name, one.cause, one.since) for one in told] == [("slack", "it is still starting", began)]


@requirement("R2")
async def test_a_server_that_hangs_holds_up_nobody_who_does_not_need_it() -> None:
    near = [f"near{number}" for number in range(7)]
    async with open_gateway([HUNG, *(stdio_server(name) for name in near)], settings=SETTINGS) as gateway:
        with anyio.fail_after(240):  # the seven are started; the hung one would take 300 s
            catalog = await gateway.catalog(needed=near, wait_s=300)
        assert len(catalog.callable_tools) == 7
        assert [one.missing for one in catalog.missing(["*"])] == ["starting"]
        with anyio.fail_after(240):
            await gateway.catalog(needed=(), wait_s=300)


@requirement("R2")
async def test_what_is_needed_is_asked_again_whenever_a_provider_comes(clock: SetClock) -> None:
    seen: list[int] = []

    def needed(catalog: Catalog) -> Sequence[str]:
        seen.append(len(catalog.callable_tools))
        return ["slack"]

    async with starting(None, clock) as (gateway, slack):

        async def come(_awaited: tuple[Provider, ...]) -> None:
            slack.open.set()

        await gateway.catalog(needed=needed, wait_s=300, on_wait=come)
    assert (seen[0], seen[-1]) == (0, 1)


@requirement("R2")
async def test_of_each_provider_that_is_missing_it_is_said_why() -> None:
    servers = [
        ServerConfig(name="off", command="x", disabled=True),
        ServerConfig(name="strange", command="x", trusted=False),
        stdio_server("broken", fault="exit", words="no token"),
        ServerConfig(name="gone", command="/no/such/command"),
    ]
    quick = SETTINGS.model_copy(update={"retry_base_s": 0.01})
    async with open_gateway(servers, settings=quick) as gateway:
        with anyio.fail_after(240):
            catalog = await gateway.catalog(needed=["*"], wait_s=300)
    found = {one.name: (one.missing, one.cause) for one in catalog.missing(["*"])}
    assert found["off"] == ("disabled", "disabled in the servers file")
    assert found["strange"][0] == "needs_operator"
    assert found["broken"][0] == "failed"
    assert "no token" in found["broken"][1]
    assert found["gone"][0] == "failed"
    assert "/no/such/command" in found["gone"][1]


async def test_one_that_could_not_start_in_time_gets_twice_the_time_the_next_time() -> None:
    quick = GatewaySettings(connect_timeout_s=0.1, retry_base_s=0.01)
    causes: list[str] = []
    async with open_gateway([HUNG], settings=quick) as gateway:
        with anyio.fail_after(240):
            while len(causes) < 3:
                if (reason := gateway.status()[0].reason) and reason not in causes:
                    causes.append(reason)
                await gateway.next_change()
    assert [cause.partition(" of ")[0] for cause in causes] == [
        f"it did not answer within {seconds} s" for seconds in ("0.1", "0.2", "0.4")
    ]


@requirement("R2")
async def test_a_call_waits_for_a_server_that_is_starting_and_says_which_one_is_not_connected(clock: SetClock) -> None:
    async with starting(None, clock) as (gateway, slack):
        with pytest.raises(ProviderUnavailable, match=r"^server slack is not connected: it is still starting$"):
            await gateway.call("slack_post", {}, timeout_s=0.05)
        with pytest.raises(UnknownTool):
            await gateway.call("slark_post", {}, timeout_s=0.05)
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(_set, slack.open)
            with pytest.raises(Exception) as failed:  # noqa: PT011 - any answer of the server will do: it was reached
                await gateway.call("slack_post", {}, timeout_s=240)
    assert not isinstance(failed.value, ProviderUnavailable | UnknownTool | ToolHeld)


async def _set(event: anyio.Event) -> None:
    event.set()


@pytest.mark.parametrize(
    ("provider", "glob", "fits"),
    [
        ("slack", "slack_post", True),
        ("slack", "slack", True),
        ("slack", "slack_*", True),
        ("slack", "sl*", True),
        ("slack", "*_post", True),
        ("slack", "[st]*", True),
        ("slack", "slackbot_*", False),
        ("slack", "slac", False),
        ("slack", "esa_*", False),
        ("my server", "my_server_*", True),
        ("my server", "my server", True),
    ],
)
def test_a_glob_tells_whose_tools_it_may_be(provider: str, glob: str, fits: bool) -> None:
    assert may_offer(provider, glob) is fits


@pytest.mark.parametrize("tool", ["post", "slack", "slack_post", "slack-post", "slack!", "s" * 80])
def test_every_full_name_may_be_its_providers(tool: str) -> None:
    (name,) = full_names([("slack", tool)]).values()
    assert may_offer("slack", name), name
