"""TLS of a sign-in: who poses as its authorization server, or is led to from there, gets no code, secret, token or say."""

import json
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, urlsplit

import pytest
from mcp.shared.auth import AuthorizationCodeResult, OAuthMetadata, OAuthToken

from discovery.servers.server_config import Launch, OAuthSettings
from discovery.timing.clock import SYSTEM_CLOCK
from discovery.transport.authorization.oauth import ServerAuth
from discovery.transport.authorization.sign_ins import SignIn, SignInStore
from discovery.transport.streamable_http import GuardedClient
from tests.requirements import requirement
from tests.support.loopback_server import LoopbackHandler, LoopbackServer
from tests.support.tls_loopback import Authority, ConnectProxy, TlsFront

MCP, AUTH, EVIL = "mcp.test", "auth.test", "evil.test"
URL = f"https://{MCP}/mcp"
OAUTH = OAuthSettings(client_id="us", client_secret="the-secret")
METADATA = {
    "issuer": f"https://{AUTH}",
    "authorization_endpoint": f"https://{AUTH}/authorize",
    "token_endpoint": f"https://{AUTH}/token",
    "response_types_supported": ["code"],
    "code_challenge_methods_supported": ["S256"],
}
TOKENS = {"access_token": "access-1", "token_type": "Bearer", "expires_in": 3600, "refresh_token": "refresh-1"}
Answer = tuple[int, dict[str, str], Any]


class Site(LoopbackServer):
    """A site that answers by path, one request a connection, and keeps all that it is told."""

    def __init__(self, answers: Callable[[str, str], Answer]) -> None:
        self.told = list[str]()
        outer = self

        class Handler(LoopbackHandler):
            def do_GET(self) -> None:
                body = self.rfile.read(int(self.headers.get("content-length", 0))).decode()
                outer.told.append(f"{self.requestline} {self.headers.get('authorization', '')} {body}")
                status, headers, found = answers(self.path, self.headers.get("authorization", ""))
                headers = {"content-type": "application/json", "connection": "close", **headers}
                self.answer(status, json.dumps(found).encode(), headers)

            do_POST = do_GET

        super().__init__(Handler)


def of_mcp(path: str, authorization: str) -> Answer:
    if path.startswith("/.well-known/oauth-protected-resource"):
        return 200, {}, {"resource": URL, "authorization_servers": [f"https://{AUTH}"]}
    if authorization == "Bearer access-1":
        return 200, {}, {"jsonrpc": "2.0", "id": 1, "result": {}}
    return 401, {"www-authenticate": f'Bearer resource_metadata="https://{MCP}/.well-known/oauth-protected-resource"'}, {}


def of_auth(path: str, _authorization: str) -> Answer:
    if path.startswith("/.well-known/"):
        return 200, {}, METADATA
    return (200, {}, TOKENS) if path == "/token" else (404, {}, {})


class Browser:
    """A person who signs in at once, and what happens on the way."""

    redirect_uri = "http://127.0.0.1:3333/callback"

    def __init__(self, meanwhile: Callable[[], None]) -> None:
        self._meanwhile, self.opened = meanwhile, list[str]()

    async def open(self, url: str) -> None:
        self.opened.append(url)
        self._meanwhile()

    async def answer(self) -> AuthorizationCodeResult:
        state = dict(parse_qsl(urlsplit(self.opened[-1]).query))["state"]
        return AuthorizationCodeResult(code="code-1", state=state, iss=f"https://{AUTH}")


FAULTS = ("another host", "another authority", "302 clear", "307 clear", "308 clear", "307 evil", "308 evil")
"""What is wrong with who answers as the authorization server: its certificate, or where it leads; *evil* has TLS of its own."""
STAGES = ("from the start", "once the person has signed in", "when a token is renewed")


@requirement("D4", "S7")
@pytest.mark.parametrize("stage", STAGES)
async def test_who_poses_as_the_authorization_server_gets_nothing(
    authority: Authority, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, stage: str
) -> None:
    for fault in ("none", *FAULTS):
        with ExitStack() as open_:
            here = open_.enter_context
            mcp, honest, clear, evil = (here(Site(of)) for of in (of_mcp, of_auth, of_auth, of_auth))
            kind, _, where = fault.partition(" ")
            location = f"https://{EVIL}/token" if where == "evil" else f"{clear.origin}/token"
            leads = where in ("evil", "clear")
            impostor = here(Site(lambda *_: (int(kind), {"location": location}, {})) if leads else Site(of_auth))  # noqa: B023
            signer = Authority(tmp_path, "stranger") if fault == "another authority" else authority
            fronts = {
                MCP: TlsFront(authority, MCP, mcp.port),
                AUTH: TlsFront(authority, AUTH, honest.port),
                EVIL: TlsFront(authority, EVIL, evil.port),
            }
            posing = here(TlsFront(signer, "other.test" if fault == "another host" else AUTH, impostor.port))
            routes = {host: here(front).port for host, front in fronts.items()}
            proxy = here(ConnectProxy(routes))
            for name in ("HTTPS_PROXY", "HTTP_PROXY"):
                monkeypatch.setenv(name, proxy.url)

            def strike() -> None:
                if fault != "none":  # noqa: B023
                    routes[AUTH] = posing.port  # noqa: B023

            store = SignInStore(None, None, SYSTEM_CLOCK)
            browser = Browser(strike if stage == STAGES[1] else lambda: None)
            if stage != STAGES[1]:
                strike()
            if stage == STAGES[2]:
                known = OAuthToken.model_validate(TOKENS | {"access_token": "access-0"})
                metadata = OAuthMetadata.model_validate(METADATA)
                await store.write(URL, SignIn(tokens=known, expires_at=1.0, metadata=metadata))
            auth = ServerAuth(URL, OAUTH, store, SYSTEM_CLOCK, browser=None if stage == STAGES[2] else browser)
            async with GuardedClient(Launch(url=URL), auth, SYSTEM_CLOCK) as client:
                await client.post(URL, json={"jsonrpc": "2.0", "id": 1, "method": "ping"})
            tokens = (await store.read(URL)).tokens
            got = tokens.access_token if tokens else ""
            if fault == "none":
                assert got == "access-1", "honestly it works"
                continue
            others = [*clear.told, *evil.told, *([] if leads else impostor.told)]
            assert others == [], (fault, stage)
            assert got != "access-1", fault
            if stage == STAGES[0]:
                assert not [page for page in browser.opened if urlsplit(page).hostname not in (AUTH, MCP)], fault
