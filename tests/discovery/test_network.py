"""Remote servers over real TLS and through a real proxy: which way is taken, and what is said where it is blocked."""

from collections.abc import AsyncIterator
from pathlib import Path

import anyio
import pytest

from discovery.catalog import ProviderState
from discovery.discovery_errors import NetworkUnusable
from discovery.gateway import open_gateway
from discovery.servers.network import proxies_with_password, proxies_without_password, proxy_of, remedy
from discovery.servers.server_config import ServerConfig
from tests.requirements import requirement
from tests.support.server_configs import PATIENT
from tests.support.servers.http_server import HttpServer, http_server
from tests.support.tls_loopback import Authority, ConnectProxy, TlsFront

CHECK_PROXY, TRUST = "correct the proxy's variable", "SSL_CERT_FILE"


@pytest.fixture
async def mcp() -> AsyncIterator[HttpServer]:
    async with http_server() as server:
        yield server


async def settled(url: str) -> tuple[ProviderState, str]:
    entry = ServerConfig.model_validate({"name": "far", "transport": "http", "url": url})
    async with open_gateway([entry], settings=PATIENT) as gateway:
        with anyio.fail_after(240):
            while (provider := gateway.status()[0]).state is not ProviderState.READY and not provider.reason:
                await gateway.next_change()
    return provider.state, provider.reason


@requirement("D4")
@pytest.mark.parametrize("password", ["", "me:s3cr@t/word"])
async def test_a_server_behind_a_proxy_is_reached_with_the_proxy_s_password(
    mcp: HttpServer, authority: Authority, monkeypatch: pytest.MonkeyPatch, password: str
) -> None:
    with TlsFront(authority, "far.test", mcp.port) as front, ConnectProxy({"far.test": front.port}, password=password) as proxy:
        login = "me:s3cr%40t%2Fword@" if password else ""
        monkeypatch.setenv("HTTPS_PROXY", proxy.url.replace("//", f"//{login}"))
        state, reason = await settled("https://far.test/mcp")
    assert (state, reason) == (ProviderState.READY, "")
    assert set(proxy.asked) == {"far.test:443"}


@requirement("D4")
async def test_a_server_that_no_proxy_names_is_reached_directly(
    mcp: HttpServer, authority: Authority, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HTTPS_PROXY", "http://127.0.0.1:9")
    monkeypatch.setenv("NO_PROXY", "localhost")
    with TlsFront(authority, "localhost", mcp.port) as front:
        state, _ = await settled(f"https://localhost:{front.port}/mcp")
    assert state is ProviderState.READY


@requirement("D4", "S7")
@pytest.mark.parametrize("blocked", ["refused", "down", "another authority", "another name"])
async def test_what_blocks_the_way_is_named_with_its_remedy_and_without_the_password(
    mcp: HttpServer, authority: Authority, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, blocked: str
) -> None:
    stranger = Authority(tmp_path, "stranger") if blocked == "another authority" else authority
    name = "other.test" if blocked == "another name" else "far.test"
    password = "me:right" if blocked == "refused" else ""
    with TlsFront(stranger, name, mcp.port) as front, ConnectProxy({"far.test": front.port}, password=password) as proxy:
        port = 9 if blocked == "down" else proxy.port
        monkeypatch.setenv("HTTPS_PROXY", f"http://me:hunter2@127.0.0.1:{port}")
        _, reason = await settled("https://far.test/mcp")
    words, mend = {
        "refused": ("the proxy refuses: 407 Proxy Authentication Required", CHECK_PROXY),
        "down": ("the proxy does not answer: connection refused", CHECK_PROXY),
        "another authority": ("its certificate is not trusted: unable to get local issuer certificate", TRUST),
        "another name": ("its certificate is not trusted: Hostname mismatch", "its operator must renew it"),
    }[blocked]
    assert reason.startswith(f"far.test through the proxy 127.0.0.1:{port}: {words}")
    assert mend in remedy(reason)
    assert "hunter2" not in reason


@requirement("D4")
@pytest.mark.parametrize(
    ("variable", "value", "words"),
    [
        ("ALL_PROXY", "socks5://me:hunter2@127.0.0.1:9", "ALL_PROXY is a proxy of the kind socks5"),
        ("HTTPS_PROXY", "http://me:hunter2/x@127.0.0.1:9", "HTTPS_PROXY is no address like http://HOST:PORT"),
        ("SSL_CERT_FILE", "/nowhere/ca.pem", "SSL_CERT_FILE names /nowhere/ca.pem: no such file or directory"),
        ("SSL_CERT_FILE", __file__, f"SSL_CERT_FILE names {__file__}: holds no certificate"),
    ],
)
async def test_a_variable_that_cannot_be_used_is_named(
    authority: Authority, monkeypatch: pytest.MonkeyPatch, variable: str, value: str, words: str
) -> None:
    monkeypatch.setenv(variable, value)
    _, reason = await settled("https://far.test/mcp")
    assert words in reason
    assert "hunter2" not in reason
    assert remedy(reason)


@pytest.mark.parametrize(
    ("env", "address", "proxy"),
    [
        ({"HTTPS_PROXY": "http://p:1"}, "https://a.test/x", "http://p:1"),
        ({"https_proxy": "p:1"}, "https://a.test", "http://p:1"),
        ({"HTTPS_PROXY": "http://p:1"}, "http://a.test", ""),
        ({"HTTPS_PROXY": "http://p:1"}, "wss://a.test", "http://p:1"),
        ({"ALL_PROXY": "http://p:1"}, "http://a.test", "http://p:1"),
        ({"ALL_PROXY": "http://p:1", "NO_PROXY": ".test"}, "http://a.test", ""),
        ({"ALL_PROXY": "http://p:1", "NO_PROXY": "a.test:80"}, "http://me:word@a.test:80", ""),
        ({"ALL_PROXY": "http://p:1", "NO_PROXY": "b.test"}, "http://a.test", "http://p:1"),
    ],
)
def test_the_environment_names_the_proxy_of_an_address(
    monkeypatch: pytest.MonkeyPatch, env: dict[str, str], address: str, proxy: str
) -> None:
    for name, value in env.items():
        monkeypatch.setenv(name, value)
    assert proxy_of(address) == proxy


def test_a_proxy_without_a_host_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HTTPS_PROXY", "http://")
    with pytest.raises(NetworkUnusable, match="HTTPS_PROXY"):
        proxy_of("https://a.test")


@requirement("S7")
def test_only_proxies_without_a_password_are_for_others() -> None:
    env = {"HTTPS_PROXY": "http://me:word@p:1", "http_proxy": "http://p:1", "NO_PROXY": "localhost", "TOKEN": "x"}
    assert proxies_without_password(env) == {"http_proxy": "http://p:1", "NO_PROXY": "localhost"}
    assert proxies_with_password(env) == ("HTTPS_PROXY",)
