"""TLS to models, Slack and an authorization server: who poses as them, or leads elsewhere, gets no word, key or say."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

import autonomy.llm.vendors.anthropic_messages
import autonomy.llm.vendors.lmstudio  # noqa: F401 - both here, because the registry would import them inside the event loop
from autonomy.chat.slack.slack_api import SlackApi, SlackRequestFailed, web_client
from autonomy.errors import ModelError
from autonomy.llm.messages import UserMessage
from autonomy.llm.model import ModelOptions, ModelRequest
from autonomy.llm.model_registry import open_model
from autonomy.mcp_gateway.clients.access_tokens import AccessTokens, TokenRefused
from autonomy.mcp_gateway.clients.oauth_settings import GatewayOAuth
from tests.requirements import requirement
from tests.support.loopback_server import LoopbackHandler, LoopbackServer
from tests.support.tls_loopback import Authority, ConnectProxy, TlsFront

HOST = "service.test"
FAULTS = ("another host", "another authority", 302, 307, 308)
"""What is wrong: the certificate's host, who signed it, or a redirect from HTTPS to an address without."""


class Web(LoopbackServer):
    """Answers everything alike, and keeps what it is asked."""

    def __init__(self, body: object = None, *, status: int = 200, location: str = "") -> None:
        self.asked = list[str]()
        outer = self

        class Handler(LoopbackHandler):
            def do_GET(self) -> None:
                outer.asked.append(self.requestline)
                self.rfile.read(int(self.headers.get("content-length", 0)))
                headers = {"content-type": "application/json"} | ({"location": location} if location else {})
                self.answer(status, json.dumps(body).encode(), headers)

            do_POST = do_GET

        super().__init__(Handler)


@contextmanager
def posing(
    fault: str | int, body: object, authority: Authority, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[tuple[Web, Web, ConnectProxy]]:
    """The service with this fault, the address without TLS that it may lead to, and the proxy between us and both."""
    with Web({"keys": []}) as elsewhere:
        status, location = (fault, f"{elsewhere.origin}/x") if isinstance(fault, int) else (200, "")
        signer = Authority(folder, f"stranger-{fault}") if fault == "another authority" else authority
        with (
            Web(json.loads(json.dumps(body).replace("ELSEWHERE", elsewhere.origin)), status=status, location=location) as service,
            TlsFront(signer, "other.test" if fault == "another host" else HOST, service.port) as front,
            ConnectProxy({HOST: front.port}) as proxy,
        ):
            monkeypatch.setenv("HTTPS_PROXY", proxy.url)
            monkeypatch.setenv("HTTP_PROXY", proxy.url)
            yield service, elsewhere, proxy


@requirement("K4")
@pytest.mark.parametrize("vendor", ["compatible:x", "openai:gpt-5", "anthropic:claude-sonnet-4-5", "google:gemini-2.5-pro"])
async def test_a_prompt_goes_to_nobody_who_poses_as_the_model_and_is_led_nowhere(
    authority: Authority, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, vendor: str
) -> None:
    for fault in FAULTS:
        with posing(fault, {}, authority, tmp_path, monkeypatch) as (service, elsewhere, proxy):
            model = open_model(vendor, ModelOptions(base_url=f"https://{HOST}/v1", api_key="sk-secret"))
            try:
                with pytest.raises(ModelError):
                    await model.complete(ModelRequest(messages=(UserMessage(text="a secret"),)))
            finally:
                await model.aclose()
            assert len(service.asked) == isinstance(fault, int), fault
            assert (elsewhere.asked, {*proxy.asked}) == ([], {f"{HOST}:443"}), fault


@requirement("K4")
async def test_a_message_for_slack_is_led_nowhere(authority: Authority, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for fault in FAULTS:
        with posing(fault, {"ok": True}, authority, tmp_path, monkeypatch) as (_, elsewhere, proxy):
            async with web_client(f"https://{HOST}/api/", "xoxb-secret") as client:
                with pytest.raises(SlackRequestFailed):
                    await SlackApi(client, patience_s=0.0).write("chat.postMessage", channel="C1", text="private")
            assert (elsewhere.asked, {*proxy.asked}) == ([], {f"{HOST}:443"}), fault


@requirement("N2")
async def test_the_keys_of_an_issuer_come_from_itself_over_tls(
    authority: Authority, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    own = {"issuer": f"https://{HOST}", "jwks_uri": f"https://{HOST}/keys"}
    rows = [(fault, own, "") for fault in FAULTS]
    rows += [
        ("keys in the clear", own | {"jwks_uri": "ELSEWHERE/keys"}, "an address without"),
        ("another issuer", own | {"issuer": "https://evil.test"}, "another issuer's"),
    ]
    for fault, metadata, why in rows:
        with posing(fault, metadata, authority, tmp_path, monkeypatch) as (_, elsewhere, _proxy):
            settings = GatewayOAuth(issuer=f"https://{HOST}", resource="https://tools.test/mcp")
            with pytest.raises(TokenRefused, match="the issuer's keys cannot be read") as refused:
                await AccessTokens(settings, {"a": "alice"})._fetch_keys()
            assert why in str(refused.value.__cause__), fault
            assert elsewhere.asked == [], fault
