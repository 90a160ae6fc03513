"""Servers that mean harm beyond the faults of `test_stdio_faults` and `test_http_faults`: they shout, ask back, boast, announce and imitate."""

import json
import time

import anyio
import pytest

from discovery.catalog import ProviderState, ToolSpec
from discovery.discovery_errors import CallFailed, ConnectionLost
from discovery.gateway import open_gateway
from discovery.names import LONGEST, full_names
from discovery.review.descriptors import flags
from discovery.servers.server_config import ServerConfig
from tests.requirements import requirement
from tests.support.server_configs import PATIENT, stdio_server
from tests.support.servers.http_server import http_server
from tests.support.watching import watched_loop

SETTINGS = PATIENT.model_copy(update={"retry_base_s": 60, "debounce_s": 0.05})


async def test_a_part_of_an_unknown_kind_does_not_take_the_rest_of_the_answer_with_it() -> None:
    async with open_gateway([stdio_server("s", fault="unknown_kind")], settings=SETTINGS) as gateway:
        await gateway.catalog()
        output = await gateway.call("s_tool_0", {})
    told = "(a part of the kind 'hologram' was left out)\n(a part of the kind \"['odd']\" was left out)\nthe rest"
    assert output.text == told


async def test_an_answer_in_tens_of_thousands_of_parts_is_cut_and_does_not_block_the_loop() -> None:
    async with watched_loop() as busy, open_gateway([stdio_server("s", fault="many_parts")], settings=SETTINGS) as gateway:
        await gateway.catalog()
        output = await gateway.call("s_tool_0", {})
    assert output.text == "p\n" * 1000 + "… 79000 more parts were left out"
    assert busy.longest_s < 0.2


async def test_a_servers_own_words_in_an_error_are_bounded() -> None:
    async with open_gateway([stdio_server("s", fault="long_error")], settings=SETTINGS) as gateway:
        await gateway.catalog()
        with pytest.raises(CallFailed, match="JSON-RPC error -32000") as caught:
            await gateway.call("s_tool_0", {})
    assert len(str(caught.value)) < 2_100


async def test_what_a_server_says_of_itself_is_bounded_and_holds_nothing_unseen() -> None:
    boaster = stdio_server("s", emphasis=300_000, server_name="\u202eevil\u2066" + "x" * 100_000)
    async with open_gateway([boaster], settings=SETTINGS) as gateway:
        (provider,) = (await gateway.catalog()).providers
    assert len(provider.instructions) == 4_000
    assert (provider.server_name[:5], len(provider.server_name)) == ("evilx", 100)


@requirement("S6")
async def test_a_server_that_asks_for_a_model_a_password_or_folders_is_refused_and_the_call_goes_on() -> None:
    async with open_gateway([stdio_server("s", fault="asks_back")], settings=SETTINGS) as gateway:
        await gateway.catalog()
        refusals = json.loads((await gateway.call("s_tool_0", {})).text)
    assert set(refusals) == {"sampling/createMessage", "elicitation/create", "roots/list"}
    assert "granted" not in refusals.values()


async def test_a_server_that_keeps_announcing_changes_is_listened_to_less_and_less_often() -> None:
    async with open_gateway([stdio_server("s", fault="announces")], settings=SETTINGS) as gateway:
        await gateway.catalog()
        await gateway.call("s_tool_0", {})
        listed, started = 0, time.monotonic()
        with anyio.fail_after(240):
            while listed < 4:
                await gateway.next_change()
                listed += 1
        assert time.monotonic() - started > 0.3  # 0.05 + 0.10 + 0.15 + 0.25; without the pauses 0.2
        with anyio.fail_after(240):  # whoever asks is not kept waiting for that
            assert (await gateway.catalog(refresh=True)).callable_tools


async def test_a_protocol_nobody_speaks_is_named() -> None:
    async with open_gateway([stdio_server("s", protocol="1999-01-01")], settings=SETTINGS) as gateway:
        await gateway.catalog()
        (provider,) = gateway.status()
    assert provider.state is ProviderState.DEGRADED
    assert "Unsupported protocol version from the server: 1999-01-01" in provider.reason


@pytest.mark.parametrize(("fault", "why"), [("bad_chunks", "illegal chunk header"), ("giant_header", "Receive buffer too long")])
async def test_http_that_is_none_fails_its_call(fault: str, why: str) -> None:
    async with http_server(fault=fault) as server:
        far = ServerConfig(name="far", transport="http", url=server.url)
        async with open_gateway([far], settings=SETTINGS) as gateway:
            await gateway.catalog()
            with anyio.fail_after(240), pytest.raises(ConnectionLost, match=why):
                await gateway.call("far_echo", {})


@requirement("S7")
async def test_our_token_does_not_follow_a_server_that_sends_us_elsewhere() -> None:
    async with http_server() as elsewhere, http_server(fault="elsewhere", elsewhere=elsewhere.url) as server:
        far = ServerConfig(name="far", transport="http", url=server.url, headers={"Authorization": "Bearer ours"})
        async with open_gateway([far], settings=SETTINGS) as gateway:
            await gateway.catalog()
            with pytest.raises(CallFailed, match="not followed"):
                await gateway.call("far_echo", {})
        assert elsewhere.requests == []


def test_names_that_look_or_normalise_alike_stay_apart() -> None:
    alike = ["café", "cafe\u0301", "ｓend", "ѕend", "a b", "a/b", "a.b"]
    names = full_names(("p", tool) for tool in alike)
    assert len(set(names.values())) == len(alike)


def test_no_tool_takes_over_a_name_by_imitating_its_suffix() -> None:
    victims = [("p", "a b"), ("p", "a/b")]
    suffixed = full_names(victims)[victims[0]]
    imitation = ("p", suffixed.removeprefix("p_"))
    names = full_names([*victims, imitation])
    assert len(set(names.values())) == 3
    assert all(len(name) <= LONGEST for name in names.values())


def test_words_in_a_definition_are_read_in_linear_time() -> None:
    started = time.thread_time()
    for text in ("d" * 2000, "a_" * 1000, "a-" * 999 + "!", "read " * 400):
        for _ in range(30):
            flags(ToolSpec(name="t", provider="p", tool="t", description=text))
    assert time.thread_time() - started < 1  # quadratic: five
