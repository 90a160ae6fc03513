"""The way to a model: proxies, credentials in the address, connections that the server has closed, long requests."""

import json
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler
from typing import Any

import anyio
import pytest

import autonomy.llm.vendors.lmstudio  # noqa: F401 - here, because the registry would import it inside the event loop
from autonomy.errors import ModelRejected, ModelUnavailable
from autonomy.llm.messages import UserMessage
from autonomy.llm.model import Model, ModelOptions, ModelRequest
from autonomy.llm.model_registry import open_model
from tests.support.loopback_server import LoopbackServer
from tests.support.openai_chat import OpenAIChat, Raw, reply

HELLO = ModelRequest(messages=(UserMessage(text="hello"),))
VARIABLES = ("http_proxy", "HTTP_PROXY", "https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY", "no_proxy", "NO_PROXY")


@pytest.fixture(autouse=True)
def no_proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in VARIABLES:
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def fake() -> Iterator[OpenAIChat]:
    with OpenAIChat() as server:
        yield server


async def asked(base_url: str, **options: Any) -> str:
    model = open_model("compatible:x", ModelOptions(base_url=base_url, **options))
    try:
        return (await model.complete(HELLO)).text
    finally:
        await model.aclose()


class Proxy(LoopbackServer):
    """Answers what it is asked to fetch by itself, and tunnels nothing; keeps what it was asked."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.passwords: list[str | None] = []
        outer = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                outer.lines.append(self.requestline)
                outer.passwords.append(self.headers.get("proxy-authorization"))
                self.rfile.read(int(self.headers["content-length"]))
                body = json.dumps(reply("by proxy").body()).encode()
                self.send_response(200)
                self.send_header("content-length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def do_CONNECT(self) -> None:
                outer.lines.append(self.requestline)
                self.send_error(403, "no tunnels")

            def log_message(self, *_: Any) -> None:
                pass

        super().__init__(Handler)


async def test_the_environment_s_proxy_carries_requests_with_its_own_password(monkeypatch):
    with Proxy() as proxy:
        monkeypatch.setenv("http_proxy", f"http://me:word@127.0.0.1:{proxy.port}")
        assert await asked("http://model.invalid/v1") == "by proxy"
    assert proxy.lines == ["POST http://model.invalid/v1/chat/completions HTTP/1.1"]
    assert proxy.passwords == ["Basic bWU6d29yZA=="]


async def test_https_is_tunnelled_through_the_proxy_and_its_refusal_is_told(monkeypatch):
    with Proxy() as proxy:
        monkeypatch.setenv("ALL_PROXY", f"127.0.0.1:{proxy.port}")
        with pytest.raises(ModelUnavailable, match="403"):
            await asked("https://model.invalid/v1")
    assert proxy.lines == ["CONNECT model.invalid:443 HTTP/1.1"]


@pytest.mark.parametrize("spared", ["127.0.0.1", "localhost,127.0.0.1", "*"])
async def test_an_address_that_no_proxy_names_is_asked_directly(fake, monkeypatch, spared):
    fake.script(reply("directly"))
    monkeypatch.setenv("http_proxy", "http://127.0.0.1:9")
    monkeypatch.setenv("no_proxy", spared)
    assert await asked(fake.url) == "directly"


async def test_a_proxy_of_another_kind_is_one_clear_line(monkeypatch):
    monkeypatch.setenv("all_proxy", "socks5://127.0.0.1:1080")
    with pytest.raises(ModelRejected, match="behind a proxy of the kind socks5, and only http and https are spoken"):
        await asked("https://model.invalid/v1")


async def test_a_name_and_a_password_in_the_address_go_before_the_key(fake):
    fake.script(reply("in"))
    assert await asked(fake.url.replace("http://", "http://me:word@"), api_key="sk-secret") == "in"
    assert fake.requests[0].headers["authorization"] == "Basic bWU6d29yZA=="


@pytest.mark.parametrize("address", ["ftp://127.0.0.1/v1", "127.0.0.1:9/v1", "http://", "https://[::1/v1"])
async def test_what_is_no_address_is_rejected_without_being_tried(address):
    with pytest.raises(ModelRejected, match="the base_url is no usable address"):
        await asked(address)


async def test_a_request_of_megabytes_arrives_whole(fake):
    fake.script(reply("read"))
    model = open_model("compatible:x", ModelOptions(base_url=fake.url))
    long = "tea " * 700_000
    assert (await model.complete(ModelRequest(messages=(UserMessage(text=long),)))).text == "read"
    await model.aclose()
    assert fake.bodies[0]["messages"][0]["content"] == long


async def test_a_connection_that_the_server_closed_meanwhile_is_not_used_again(fake):
    whole = json.dumps(reply("one").body()).encode()
    fake.script(Raw(whole, 200, {"connection": "close"}), reply("two"))
    model = open_model("compatible:x", ModelOptions(base_url=fake.url))
    assert (await model.complete(HELLO)).text == "one"
    assert (await model.complete(HELLO)).text == "two"
    await model.aclose()


async def test_a_request_that_is_given_up_leaves_its_connection_to_nobody(fake):
    fake.script(Raw(b"{", 200, {"content-length": "100"}), reply("two"))
    model: Model = open_model("compatible:x", ModelOptions(base_url=fake.url))
    with anyio.move_on_after(0.2) as given_up:
        await model.complete(HELLO)
    assert given_up.cancelled_caught
    assert (await model.complete(HELLO)).text == "two"
    await model.aclose()
