"""A write that something on the way answered in place of the service was not made if it was refused, else nobody knows."""

from collections.abc import AsyncIterator, Awaitable, Callable
from datetime import UTC, datetime
from typing import Any

import pytest
from mcp.server.mcpserver.exceptions import ToolError

from mcp_servers.common import service_requests
from mcp_servers.common.direct_messages import Slack
from mcp_servers.esa.api_client import ApiClient, EsaOutcomeUnknown
from mcp_servers.slack.web_client import SlackOutcomeUnknown, WebClient
from tests.requirements import requirement
from tests.support.loopback_api import Asked, LoopbackAPI, Reply

UNKNOWN = (EsaOutcomeUnknown, SlackOutcomeUnknown, service_requests.ServiceOutcomeUnknown)
Write = Callable[[], Awaitable[Any]]


class Proxy(LoopbackAPI):
    """Answers everything itself, and not with a JSON object."""

    def answer(self, asked: Asked) -> Reply:
        raise AssertionError(asked)


@pytest.fixture
async def writes() -> AsyncIterator[tuple[Proxy, dict[str, Write]]]:
    """A write of each client."""
    with Proxy() as proxy:
        esa = ApiClient("token", "team", proxy.url, lambda: datetime(2026, 11, 20, tzinfo=UTC))
        slack, http = WebClient("token", proxy.url), service_requests.HttpClient()
        yield (
            proxy,
            {
                "esa": lambda: esa.write("POST", "posts", {}),
                "slack": lambda: slack.write("chat.postMessage", text="x"),
                "common": lambda: Slack(http, "token", proxy.url).send("U1", "D1", "x", None),
            },
        )
        for client in (esa, slack, http):
            await client.aclose()


@requirement("J4")
@pytest.mark.parametrize("status", [200, 403, 413, 429, 502])
@pytest.mark.parametrize("client", ["esa", "slack", "common"])
async def test_a_page_in_place_of_an_answer(writes: tuple[Proxy, dict[str, Write]], client: str, status: int) -> None:
    proxy, write_of = writes
    proxy.break_next(Reply("<html>", status))
    refused = 400 <= status < 500
    with pytest.raises(ToolError if refused else UNKNOWN, match=r"HTTP|[Ww]ait|unknown") as caught:
        await write_of[client]()
    assert isinstance(caught.value, UNKNOWN) is not refused


@pytest.mark.parametrize("asked", ["Wed, 21 Oct 2026 07:28:00 GMT", "inf", "nan", ""])
@pytest.mark.parametrize("client", ["esa", "slack", "common"])
async def test_a_wait_that_is_no_number_of_seconds_is_a_minute_at_most(
    writes: tuple[Proxy, dict[str, Write]], client: str, asked: str
) -> None:
    proxy, write_of = writes
    proxy.break_next(Reply({"ok": False, "error": "ratelimited"}, 429, {"Retry-After": asked}))
    with pytest.raises(ToolError, match=r"\b(?:30|60) s"):
        await write_of[client]()
