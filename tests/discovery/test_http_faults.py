"""What a broken or hostile remote server does, and what we make of it: an error in time that names it, and the next call works."""

from collections.abc import AsyncIterator

import anyio
import httpx2
import pytest

from discovery.catalog import ProviderState
from discovery.discovery_errors import CallFailed, CallTimedOut, ConnectionLost, DiscoveryError, ProviderBusy, ProviderUnavailable
from discovery.gateway import open_gateway
from discovery.servers.server_config import ServerConfig
from discovery.transport.message_limits import CUT
from discovery.transport.streamable_http import _Mended
from tests.requirements import requirement
from tests.support.sampling import rows_in_part
from tests.support.server_configs import PATIENT, stdio_server
from tests.support.servers.http_server import http_server


def remote(url: str, **entry: object) -> ServerConfig:
    return ServerConfig.model_validate({"name": "far", "transport": "http", "url": url, **entry})


@requirement("D4")
async def test_a_remote_server_is_listed_and_called_with_its_static_headers() -> None:
    async with http_server() as server:
        async with open_gateway(
            [remote(server.url, headers={"x-key": "${KEY}"})], settings=PATIENT, env={"KEY": "abc"}
        ) as gateway:
            assert [spec.name for spec in (await gateway.catalog()).tools] == ["far_echo"]
            output = await gateway.call("far_echo", {"a": "日本"})
        assert output.text == '{"a": "\\u65e5\\u672c"}'
        assert {request.headers.get("x-key") for request in server.requests} == {"abc"}
        assert {request.headers.get("accept-encoding") for request in server.requests} == {"identity"}


@pytest.mark.parametrize(
    ("fault", "error", "words"),
    rows_in_part(
        [
            ("hang", CallTimedOut, "no answer within 1 s"),
            ("keep_alive_for_ever", CallTimedOut, "no answer within 1 s"),
            ("short_body", ConnectionLost, "peer closed connection"),
            ("html", CallFailed, r"HTTP 200 with a web page \(login\)"),
            ("bad_json", CallFailed, "Failed to parse JSON response"),
            ("accepted", CallFailed, "202 Accepted"),
            ("huge_json", CallFailed, "more than 33554432 bytes"),
            ("gzip_bomb", ConnectionLost, "compressed its answer"),
            ("huge_event", CallFailed, "33554432 byte"),
            ("hang_up", ConnectionLost, "SSE stream ended"),
            ("redirect", CallFailed, "not followed"),
        ],
        every=4,
        alike=lambda fault, error, words: (error, words.partition("33554432")[1] or words),
    ),
)
@requirement("D4")
async def test_a_fault_in_a_call_is_an_error_in_time_and_costs_no_other_server_anything(
    fault: str, error: type[DiscoveryError], words: str
) -> None:
    async with (
        http_server(fault=fault) as server,
        open_gateway([remote(server.url), stdio_server("near")], settings=PATIENT) as gateway,
    ):
        await gateway.settle(60)
        deadline_s = 1.0 if error is CallTimedOut else 60.0
        with anyio.fail_after(240), pytest.raises(error, match=words) as caught:
            await gateway.call("far_echo", {}, timeout_s=deadline_s)
        assert "far" in str(caught.value)
        assert not (await gateway.call("near_tool_0", {})).is_error
        assert server.asked("tools/call") == 1


def said(text: bytes) -> bytes:
    return b'{"content":[{"type":"text","text":"%s"}],"isError":false,"resultType":"complete"}' % text


MANY_VALUES = b'{"content":[],"structuredContent":{"a":[%s0]}}' % (b"[]," * 2_000_000)


@pytest.mark.parametrize("as_event", [False, True], ids=["json", "event"])
@pytest.mark.parametrize(
    ("raw", "words"),
    [
        (said(b"a\x00b"), "control character|parse"),
        (MANY_VALUES, "more than 2000000 values; ask for less of it"),
        (said(b"x" * (33 << 20)), "more than 33554432 bytes; ask for less of it|33554432 byte limit"),
    ],
    ids=["raw NUL", "values", "bytes"],
)
@requirement("D4")
async def test_an_answer_that_cannot_be_read_fails_its_own_call_and_the_connection_lives(
    raw: bytes, words: str, as_event: bool
) -> None:
    async with (
        http_server(fault="raw_result", raw=raw, as_event=as_event) as server,
        open_gateway([remote(server.url)], settings=PATIENT) as gateway,
    ):
        await gateway.catalog()
        with pytest.raises(CallFailed, match=words) as failed:
            await gateway.call("far_echo", {}, timeout_s=240)
        assert not isinstance(failed.value, ConnectionLost)
        assert failed.value.outcome_unknown
        assert gateway.status()[0].state is ProviderState.READY
        server.options = {}
        assert not (await gateway.call("far_echo", {})).is_error


@pytest.mark.parametrize("as_event", [False, True], ids=["json", "event"])
@pytest.mark.parametrize(
    ("raw", "text"),
    [
        (said(b"a\\u0000b"), "ab"),
        (said(b"caf\xe9"), "caf\ufffd"),
        (said(b"\xed\xa0\x80!"), "\ufffd\ufffd\ufffd!"),
        (said(rb"\ud83c\uDF75 \\ud83c \ud83c"), "\U0001f375 \\ud83c \ufffd"),
    ],
    ids=["NUL", "Latin-1", "CESU-8", "cut emoji"],
)
async def test_an_answer_with_odd_characters_is_read_without_them(raw: bytes, text: str, as_event: bool) -> None:
    async with (
        http_server(fault="raw_result", raw=raw, as_event=as_event) as server,
        open_gateway([remote(server.url)], settings=PATIENT) as gateway,
    ):
        await gateway.catalog()
        assert (await gateway.call("far_echo", {})).text == text


@pytest.mark.parametrize("as_event", [False, True], ids=["json", "event"])
async def test_an_answer_of_megabytes_is_read_whole(as_event: bool) -> None:
    raw = said(b"x" * 5_000_000 + b" the end")
    async with (
        http_server(fault="raw_result", raw=raw, as_event=as_event) as server,
        open_gateway([remote(server.url)], settings=PATIENT) as gateway,
    ):
        await gateway.catalog()
        output = await gateway.call("far_echo", {}, timeout_s=240)
    assert len(output.text) < 263_000
    assert output.whole.endswith("x the end")


async def test_a_reset_connection_fails_its_own_call_alone() -> None:
    outcomes: dict[str, object] = {}

    async with http_server(fault="reset_in_call") as server, open_gateway([remote(server.url)], settings=PATIENT) as gateway:
        await gateway.catalog()

        async def call(word: str) -> None:
            try:
                outcomes[word] = (await gateway.call("far_echo", {"word": word})).text
            except DiscoveryError as error:
                outcomes[word] = error

        async with anyio.create_task_group() as tasks:
            for word in ("one", "boom", "two"):
                tasks.start_soon(call, word)
        assert gateway.status()[0].state is ProviderState.READY
    assert outcomes["one"] == '{"word": "one"}'
    assert outcomes["two"] == '{"word": "two"}'
    assert isinstance(outcomes["boom"], ConnectionLost)


@pytest.mark.parametrize("status", [429, 503])
async def test_a_busy_server_says_when_to_come_back(status: int) -> None:
    options = {"fault": "status_in_call", "status": status, "headers": {"retry-after": "7"}}
    async with http_server(**options) as server, open_gateway([remote(server.url)], settings=PATIENT) as gateway:
        await gateway.catalog()
        with pytest.raises(ProviderBusy, match=f"HTTP {status} Test: busy; try again in 7 s") as caught:
            await gateway.call("far_echo", {})
    assert caught.value.retry_after_s == 7


@pytest.mark.parametrize(("status", "unknown"), [(401, False), (403, False), (500, True), (504, True)])
async def test_the_http_status_of_a_failed_call_survives_and_says_whether_the_effect_may_have_happened(
    status: int, unknown: bool
) -> None:
    options = {"fault": "status_in_call", "status": status}
    async with http_server(**options) as server, open_gateway([remote(server.url)], settings=PATIENT) as gateway:
        await gateway.catalog()
        with pytest.raises(CallFailed) as caught:
            await gateway.call("far_echo", {})
    assert (caught.value.status, caught.value.outcome_unknown) == (status, unknown)


async def test_a_call_that_hangs_does_not_hold_up_the_next_one() -> None:
    async with http_server(fault="hang_all_but_first") as server, open_gateway([remote(server.url)], settings=PATIENT) as gateway:
        await gateway.catalog()
        with pytest.raises(CallTimedOut):
            await gateway.call("far_echo", {}, timeout_s=0.2)
        with anyio.fail_after(240):
            assert not (await gateway.call("far_echo", {"again": True})).is_error


async def test_a_stream_nobody_waits_for_any_more_is_closed() -> None:
    async with (
        http_server(fault="keep_alive_for_ever") as server,
        open_gateway([remote(server.url)], settings=PATIENT) as gateway,
    ):
        await gateway.catalog()
        with pytest.raises(CallTimedOut):
            await gateway.call("far_echo", {}, timeout_s=0.2)
        with anyio.fail_after(240):
            while server.streams:
                await anyio.sleep(0.01)


async def test_a_server_that_hangs_up_every_stream_is_not_asked_for_ever() -> None:
    async with http_server(fault="hang_up") as server, open_gateway([remote(server.url)], settings=PATIENT) as gateway:
        await gateway.catalog()
        with pytest.raises(ConnectionLost):
            await gateway.call("far_echo", {}, timeout_s=240)
        assert server.asked("GET") <= 25


async def test_a_forgotten_session_is_opened_again_and_the_call_is_not_repeated_by_us() -> None:
    async with http_server(fault="forgets_session", require_session=True) as server:
        async with open_gateway([remote(server.url)], settings=PATIENT) as gateway:
            await gateway.catalog()
            with pytest.raises(ProviderUnavailable, match="forgotten our session"):
                await gateway.call("far_echo", {})
            with anyio.fail_after(240):
                while gateway.status()[0].state is not ProviderState.READY:
                    await gateway.next_change()
            assert not (await gateway.call("far_echo", {})).is_error
        assert server.asked("DELETE") == 2


@pytest.mark.parametrize("fault", ["silent", "status"])
async def test_a_server_that_cannot_be_connected_to_says_why_in_its_status(fault: str) -> None:
    settings = PATIENT.model_copy(update={"connect_timeout_s": 2})
    async with http_server(fault=fault, status=500) as server, open_gateway([remote(server.url)], settings=settings) as gateway:
        with anyio.fail_after(240):
            while (far := gateway.status()[0]).state is ProviderState.CONNECTING:
                await gateway.next_change()
    assert far.reason == {"silent": "it did not answer within 2 s of being started", "status": "HTTP 500 Test: sorry"}[fault]


async def test_a_wrong_address_is_named_as_what_it_is() -> None:
    async with http_server(fault="status", status=404) as server, open_gateway([remote(server.url)], settings=PATIENT) as gateway:
        with anyio.fail_after(240):
            while not (reason := gateway.status()[0].reason):
                await gateway.next_change()
    assert reason == "HTTP 404 Test: sorry; is the path of its address right? many servers end in /mcp"


@pytest.mark.parametrize(
    ("status", "kind", "told"),
    [
        (200, "text/html; charset=utf-8", "HTTP 200 with a web page (sorry)"),
        (200, "application/json", "HTTP 200 with JSON that is no MCP message (sorry)"),
        (203, "text/plain", "HTTP 203 with text/plain (sorry)"),
        (405, "", "HTTP 405 Test: sorry"),
    ],
)
@requirement("D4")
async def test_an_answer_that_is_none_of_mcp_is_told_with_what_came_instead(status: int, kind: str, told: str) -> None:
    options = {"fault": "status", "status": status, "headers": {"content-type": kind}}
    async with http_server(**options) as server, open_gateway([remote(server.url)], settings=PATIENT) as gateway:
        with anyio.fail_after(240):
            while not (reason := gateway.status()[0].reason):
                await gateway.next_change()
    assert reason == f"{told}; is the path of its address right? many servers end in /mcp"


async def test_an_unreachable_server_is_an_error_that_names_the_cause() -> None:
    async with open_gateway([remote("http://127.0.0.1:9/mcp")], settings=PATIENT) as gateway:
        with anyio.fail_after(240):
            while not (reason := gateway.status()[0].reason):
                await gateway.next_change()
    assert reason == "127.0.0.1:9: connection refused"


@pytest.mark.parametrize("status", [401, 403])
async def test_a_server_that_wants_a_sign_in_is_parked_until_the_operator_acts(status: int) -> None:
    options = {"fault": "status", "status": status}
    async with http_server(**options) as server, open_gateway([remote(server.url)], settings=PATIENT) as gateway:
        await gateway.catalog()
        (far,) = gateway.status()
        asked = len(server.requests)
    assert far.state is ProviderState.PARKED
    assert f"HTTP {status}" in far.reason
    assert asked <= 3


async def test_retry_after_of_a_failed_connect_is_honoured() -> None:
    options = {"fault": "status", "status": 503, "headers": {"retry-after": "30"}}
    async with http_server(**options) as server, open_gateway([remote(server.url)], settings=PATIENT) as gateway:
        await gateway.catalog()
        asked = len(server.requests)
        await anyio.sleep(0.3)  # six times the longest first wait of our own
        assert len(server.requests) == asked


async def test_a_server_that_takes_our_sign_in_back_is_parked() -> None:
    async with http_server(fault="revokes_in_call") as server, open_gateway([remote(server.url)], settings=PATIENT) as gateway:
        await gateway.catalog()
        with pytest.raises(CallFailed):
            await gateway.call("far_echo", {})
        with anyio.fail_after(240):
            while gateway.status()[0].state is not ProviderState.PARKED:
                await gateway.next_change()
            assert "HTTP 401" in gateway.status()[0].reason


@pytest.mark.parametrize("as_event", [False, True], ids=["json", "event"])
async def test_a_schema_nested_beyond_any_parser_costs_its_own_tool_alone(as_event: bool) -> None:
    deep = b'{"type":"object","properties":{"a":' * 400 + b"{}" + b"}}" * 400
    listing = b'{"tools":[{"name":"deep","inputSchema":%s},{"name":"fine","inputSchema":{"type":"object"}}]}' % deep
    async with (
        http_server(fault="raw_list", raw=listing, as_event=as_event) as server,
        open_gateway([remote(server.url)], settings=PATIENT) as gateway,
    ):
        catalog = await gateway.catalog()
    assert [spec.tool for spec in catalog.tools] == ["fine"]
    assert [told.tool for told in catalog.providers[0].quarantined] == ["deep"]


class Chunks(httpx2.AsyncByteStream):
    """A stream of these pieces."""

    def __init__(self, pieces: list[bytes]) -> None:
        self._pieces = pieces

    async def __aiter__(self) -> AsyncIterator[bytes]:
        for piece in self._pieces:
            yield piece


@pytest.mark.parametrize("size", [1, 7, 64, 100_000])
@pytest.mark.parametrize("blank", [b"\n\n", b"\r\n\r\n"])
async def test_events_come_whole_and_in_order_however_they_are_cut_into_pieces(size: int, blank: bytes) -> None:
    deep = b"data: " + b"[" * 400 + b"]" * 400 + blank
    plain = b'event: message\ndata: {"a": ["x]"]}' + blank
    stream = plain + deep + plain + b"data: 1"
    pieces = [stream[at : at + size] for at in range(0, len(stream), size)]
    read = b"".join([piece async for piece in _Mended(Chunks(pieces), listing=True)])
    assert read.count(plain) == 2
    assert read.count(CUT) == 1
    assert read.endswith(b"data: 1")
