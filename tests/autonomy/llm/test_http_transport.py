"""The way to a model: proxies, credentials in the address, connections that the server has closed, long requests."""

import json
from typing import Any

import anyio
import pytest

import autonomy.llm.vendors.lmstudio  # noqa: F401 - here, because the registry would import it inside the event loop
from autonomy.errors import ModelGarbled, ModelRejected, ModelUnavailable
from autonomy.llm.live_check import check_model, in_a_sentence, remedy
from autonomy.llm.messages import UserMessage
from autonomy.llm.model import Model, ModelOptions, ModelRequest
from autonomy.llm.model_registry import open_model
from autonomy.llm.vendors import http_model, http_transport
from tests.requirements import requirement
from tests.support.loopback_server import LoopbackHandler, LoopbackServer
from tests.support.openai_chat import OpenAIChat, Raw, reply
from tests.support.tls_loopback import Authority, ConnectProxy, TlsFront

HELLO = ModelRequest(messages=(UserMessage(text="hello"),))


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

        class Handler(LoopbackHandler):
            def do_POST(self) -> None:
                outer.lines.append(self.requestline)
                outer.passwords.append(self.headers.get("proxy-authorization"))
                self.rfile.read(int(self.headers["content-length"]))
                self.answer(200, json.dumps(reply("by proxy").body()).encode())

            def do_CONNECT(self) -> None:
                outer.lines.append(self.requestline)
                self.send_error(403, "no tunnels")

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


@pytest.mark.parametrize("stream", [False, True])
async def test_a_web_page_with_status_200_is_told_as_one_and_no_model_is_asked_to_correct_it(fake, stream):
    """A proxy's sign-in, maintenance, or an address without /v1: the model was not reached."""
    page = b"<!doctype html><html><head><style>b {}</style><title>Sign in</title></head><body><b>Proxy</b></body></html>"
    fake.script(Raw(page, 200, {"content-type": "text/html; charset=utf-8"}))
    with pytest.raises(ModelUnavailable) as away:
        await asked(fake.url.removesuffix("/v1"), stream=stream)
    where = f"POST {fake.url.removesuffix('/v1')}/chat/completions; does its base_url lack /v1?"
    assert away.value.problem == f"HTTP 200: a web page came in place of a reply (Sign in Proxy) ({where})"


@pytest.mark.parametrize(
    ("body", "problem"), [(b"", "the reply is empty"), (b'{"status": "ok"}', 'the reply is no chat completion: {"status": "ok"}')]
)
async def test_a_reply_that_is_none_is_told_as_what_it_is(fake, body, problem):
    fake.script(Raw(body, 200, {"content-type": "application/json"}))
    with pytest.raises(ModelGarbled) as garbled:
        await asked(fake.url)
    assert garbled.value.problem == problem


@pytest.mark.parametrize("spared", ["127.0.0.1", "localhost,127.0.0.1", "*"])
async def test_an_address_that_no_proxy_names_is_asked_directly(fake, monkeypatch, spared):
    fake.script(reply("directly"))
    monkeypatch.setenv("http_proxy", "http://127.0.0.1:9")
    monkeypatch.setenv("no_proxy", spared)
    assert await asked(fake.url) == "directly"


async def test_a_proxy_of_another_kind_is_one_clear_line(monkeypatch):
    monkeypatch.setenv("all_proxy", "socks5://127.0.0.1:1080")
    with pytest.raises(ModelRejected, match="ALL_PROXY is a proxy of the kind socks5, and only http and https are spoken"):
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


@pytest.mark.parametrize("password", ["", "me:s3cr@t"])
async def test_a_model_behind_a_proxy_is_asked_over_real_tls(fake, authority, monkeypatch, password):
    fake.script(reply("in the tunnel"))
    with (
        TlsFront(authority, "model.test", fake.port) as front,
        ConnectProxy({"model.test": front.port}, password=password) as proxy,
    ):
        monkeypatch.setenv("HTTPS_PROXY", proxy.url.replace("//", "//me:s3cr%40t@" if password else "//"))
        assert await asked("https://model.test/v1") == "in the tunnel"
    assert proxy.asked == ["model.test:443"]


@requirement("Y2", "S7")
@pytest.mark.parametrize(
    ("blocked", "words", "cure"),
    [
        ("refused", "the proxy refuses: 407 Proxy Authentication Required", "correct the proxy's variable"),
        ("down", "the proxy does not answer: connection refused", "correct the proxy's variable"),
        ("hangs", "no answer within 0.2 s", "correct the proxy's variable"),
        ("another authority", "its certificate is not trusted: unable to get local issuer certificate", "SSL_CERT_FILE"),
    ],
)
async def test_what_is_in_the_way_to_a_model_is_told_without_the_proxy_s_password(
    fake, authority, tmp_path, monkeypatch, blocked, words, cure
):
    signer = Authority(tmp_path, "stranger") if blocked == "another authority" else authority
    asks, hangs = "me:right" if blocked == "refused" else "", blocked == "hangs"
    with (
        TlsFront(signer, "model.test", fake.port) as front,
        ConnectProxy({"model.test": front.port}, password=asks, hangs=hangs) as proxy,
    ):
        port = 9 if blocked == "down" else proxy.port
        monkeypatch.setenv("HTTPS_PROXY", f"http://me:hunter2@127.0.0.1:{port}")
        monkeypatch.setattr("autonomy.llm.live_check.TIMEOUT_S", 0.2 if hangs else 60.0)
        model = open_model("compatible:x", ModelOptions(base_url="https://model.test/v1"))
        found = await check_model(model)
        await model.aclose()
    assert in_a_sentence("compatible:x", found) == f"{words} (model.test:443 through the proxy 127.0.0.1:{port})"
    assert cure in remedy("compatible:x", found)


async def test_authorities_that_cannot_be_read_are_one_clear_line(monkeypatch, authority):
    monkeypatch.setenv("SSL_CERT_FILE", "/nowhere/ca.pem")
    with pytest.raises(ModelRejected, match=r"SSL_CERT_FILE names /nowhere/ca\.pem: no such file or directory"):
        await asked("https://model.invalid/v1")


def endless(monkeypatch: pytest.MonkeyPatch, most: int) -> None:
    monkeypatch.setattr(http_transport, "MOST_REPLY_BYTES", most)
    monkeypatch.setattr(http_transport, "MOST_STREAM_BYTES", 4 * most)


EVENT = b'data: {"choices":[{"delta":{"content":"words "}}]}\n\n'


@requirement("K10")
@pytest.mark.parametrize(
    ("body", "kind", "status"),
    [
        (reply("x" * 100_000).body(), "application/json", 200),
        (EVENT * 2_000, "text/event-stream", 200),
        (b"data: " + b"x" * 100_000, "text/event-stream", 200),
        (reply("x" * 100_000).body(), "application/json", 400),
    ],
    ids=["whole", "many events", "one event", "an error"],
)
@pytest.mark.parametrize("streams", [True, False])
async def test_a_reply_that_does_not_end_is_left_with_a_clear_line(
    fake: OpenAIChat, monkeypatch: pytest.MonkeyPatch, body: Any, kind: str, status: int, streams: bool
):
    endless(monkeypatch, 20_000)
    fake.script(Raw(body if isinstance(body, bytes) else json.dumps(body).encode(), status, {"content-type": kind}))
    model = open_model("compatible:x", ModelOptions(base_url=fake.url))
    heard: list[str] = []

    async def hear(text: str) -> None:
        heard.append(text)

    with pytest.raises(ModelGarbled, match=r"the reply is longer than \d+ MiB: it was not read to its end"):
        await model.complete(HELLO, hear if streams else None)
    await model.aclose()
    assert sum(map(len, heard)) < 80_000


@requirement("K10")
async def test_a_stream_of_as_many_events_as_fit_is_read_whole_and_its_text_has_a_bound(fake: OpenAIChat, monkeypatch):
    fake.script(Raw(EVENT * 1_000 + b"data: [DONE]\n\n", 200, {"content-type": "text/event-stream"}), reply("w" * 6_001))
    model = open_model("compatible:x", ModelOptions(base_url=fake.url))
    monkeypatch.setattr(http_model, "MOST_REPLY_CHARS", 6_000)

    async def hear(_text: str) -> None:
        pass

    assert (await model.complete(HELLO, hear)).text.strip() == ("words " * 1_000).strip()
    with pytest.raises(ModelGarbled, match="more than 6,000 characters"):
        await model.complete(HELLO, hear)
    await model.aclose()
