"""OAuth at the gateway's HTTP face: whose tokens open it, and what everybody else is told."""

import json
from collections.abc import AsyncIterator
from typing import Any

import anyio
import httpx2
import jwt
import pytest
from cryptography.hazmat.primitives.asymmetric import ec
from pydantic import ValidationError
from starlette.types import Receive, Scope, Send

from autonomy.mcp_gateway.clients import access_tokens
from autonomy.mcp_gateway.clients.access_tokens import (
    AFTER_FAILURE_S,
    KEYS_LAST_S,
    LOOK_AGAIN_S,
    AccessTokens,
    TokenRefused,
    metadata_url,
)
from autonomy.mcp_gateway.clients.oauth_settings import GatewayOAuth
from autonomy.mcp_gateway.clients.profiles import GatewayClients
from autonomy.mcp_gateway.mcp_server import CLIENT
from autonomy.mcp_gateway.transports.gateway_http import TokenAuthMiddleware
from tests.requirements import requirement

ISSUER, RESOURCE = "https://login.example/tenant", "https://tools.example/mcp"
KEY, STRANGER, LATER = (ec.generate_private_key(ec.SECP256R1()) for _ in range(3))
FOREVER = 4_102_444_800
"""The year 2100: PyJWT reads the system's clock."""


def public(key: ec.EllipticCurvePrivateKey, key_id: str) -> dict[str, Any]:
    return {**json.loads(jwt.algorithms.ECAlgorithm.to_jwk(key.public_key())), "kid": key_id, "use": "sig", "alg": "ES256"}


def token(key: ec.EllipticCurvePrivateKey = KEY, key_id: str = "one", **changed: Any) -> str:
    claims = {"iss": ISSUER, "aud": RESOURCE, "exp": FOREVER, "sub": "alice-desktop", "scope": "tools other"} | changed
    told = {name: value for name, value in claims.items() if value is not None}
    return jwt.encode(told, key, algorithm="ES256", headers={"kid": key_id})


class Issuer:
    """What an authorization server publishes, and how often it was asked."""

    def __init__(self) -> None:
        self.keys, self.asked = [public(KEY, "one")], list[str]()

    async def __call__(self, url: str) -> dict[str, Any]:
        self.asked.append(url)
        if url == metadata_url(ISSUER):
            return {"issuer": ISSUER, "jwks_uri": "https://login.example/keys"}
        return {"keys": self.keys}


class Moments:
    """A clock that a test sets."""

    now = 0.0

    def __call__(self) -> float:
        return self.now


def verifier(issuer: Issuer, clock: Moments | None = None, **settings: Any) -> AccessTokens:
    oauth = GatewayOAuth(**{"issuer": ISSUER, "resource": RESOURCE, "scopes": ("tools",), **settings})
    return AccessTokens(oauth, {"alice-desktop": "alice"}, fetch=issuer, monotonic=clock or Moments())


@requirement("N1")
async def test_a_token_made_for_this_gateway_by_its_issuer_names_the_client_and_the_keys_are_asked_for_once() -> None:
    issuer = Issuer()
    tokens = verifier(issuer)
    assert [await tokens.client_of(token()) for _ in range(3)] == ["alice"] * 3
    assert issuer.asked == ["https://login.example/.well-known/oauth-authorization-server/tenant", "https://login.example/keys"]


@requirement("N2")
@pytest.mark.parametrize(
    "bad",
    [
        pytest.param(token(exp=1), id="expired"),
        pytest.param(token(exp=None), id="good for ever"),
        pytest.param(token(nbf=FOREVER), id="not yet good"),
        pytest.param(token(aud="https://other.example/mcp"), id="made for another server"),
        pytest.param(token(aud=None), id="made for nobody"),
        pytest.param(token(iss="https://evil.example"), id="of another issuer"),
        pytest.param(token(sub="mallory"), id="of nobody we know"),
        pytest.param(token(sub=None), id="of nobody"),
        pytest.param(token(STRANGER), id="signed by a stranger under a known key id"),
        pytest.param(token(STRANGER, "made-up"), id="signed with a key nobody published"),
        pytest.param(
            jwt.encode({"iss": ISSUER, "aud": RESOURCE, "exp": FOREVER, "sub": "alice-desktop"}, "", "none"), id="unsigned"
        ),
        pytest.param(token()[:-4] + "AAAA", id="with another signature"),
        pytest.param("a.b.c", id="no token"),
        pytest.param("\0\ud800", id="no text"),
        pytest.param("x" * 100_000, id="long"),
    ],
)
async def test_any_other_token_is_refused_and_nothing_of_it_is_told(bad: str) -> None:
    with pytest.raises(TokenRefused) as refused:
        await verifier(Issuer()).client_of(bad)
    assert (refused.value.status, refused.value.error) == (401, "invalid_token")
    assert bad not in refused.value.why


@requirement("N2")
async def test_a_token_needs_each_of_the_scopes() -> None:
    for scopes, refused in ((("tools", "other"), False), (("tools", "write"), True)):
        tokens = verifier(Issuer(), scopes=scopes)
        if not refused:
            assert await tokens.client_of(token()) == "alice"
            continue
        with pytest.raises(TokenRefused) as told:
            await tokens.client_of(token())
        assert (told.value.status, told.value.error) == (403, "insufficient_scope")


@requirement("N2")
async def test_neither_a_key_for_encryption_nor_the_metadata_of_another_issuer_are_believed() -> None:
    issuer = Issuer()
    issuer.keys = [{**public(KEY, "one"), "use": "enc"}]
    with pytest.raises(TokenRefused, match="a key the issuer does not have"):
        await verifier(issuer).client_of(token())

    async def of_another(_url: str) -> dict[str, Any]:
        return {"issuer": "https://evil.example", "jwks_uri": "https://login.example/keys", "keys": [public(KEY, "one")]}

    with pytest.raises(TokenRefused) as told:
        await verifier(of_another).client_of(token())  # type: ignore[arg-type]
    assert told.value.status == 503


@requirement("N2")
async def test_a_shared_secret_made_of_the_public_key_signs_nothing() -> None:
    forged = jwt.encode(
        {"iss": ISSUER, "aud": RESOURCE, "exp": FOREVER, "sub": "alice-desktop", "scope": "tools"},
        public(KEY, "one")["x"],
        algorithm="HS256",
        headers={"kid": "one"},
    )
    with pytest.raises(TokenRefused):
        await verifier(Issuer()).client_of(forged)


@requirement("N2")
async def test_made_up_keys_are_no_flood_for_the_issuer_and_a_new_key_is_found_after_a_minute() -> None:
    issuer, clock = Issuer(), Moments()
    tokens = verifier(issuer, clock, jwks_url="https://login.example/keys")
    for number in range(50):
        with pytest.raises(TokenRefused):
            await tokens.client_of(token(STRANGER, f"made-up-{number}"))
    assert len(issuer.asked) == 1
    issuer.keys.append(public(LATER, "two"))
    with pytest.raises(TokenRefused):
        await tokens.client_of(token(LATER, "two"))
    clock.now = LOOK_AGAIN_S
    assert await tokens.client_of(token(LATER, "two")) == "alice"


class AwayIssuer(Issuer):
    """An issuer that cannot be reached until `is_back`."""

    is_back = False

    async def __call__(self, url: str) -> dict[str, Any]:
        if not self.is_back:
            raise httpx2.ConnectError("nobody answers")
        return await super().__call__(url)


@requirement("N2")
async def test_a_key_that_the_issuer_withdraws_opens_nothing_after_five_minutes_unless_the_issuer_is_away() -> None:
    issuer, clock = AwayIssuer(), Moments()
    issuer.is_back = True
    tokens = verifier(issuer, clock)
    assert await tokens.client_of(token()) == "alice"
    issuer.keys = [public(LATER, "two")]  # as after the first was stolen
    clock.now = KEYS_LAST_S
    assert (await tokens.client_of(token()), len(issuer.asked)) == ("alice", 2)
    clock.now = KEYS_LAST_S + 1
    with pytest.raises(TokenRefused, match="does not have"):
        await tokens.client_of(token())
    assert await tokens.client_of(token(LATER, "two")) == "alice"
    issuer.is_back, clock.now = False, 3 * KEYS_LAST_S
    assert await tokens.client_of(token(LATER, "two")) == "alice"


class HangingIssuer(Issuer):
    """An authorization server that answers nothing any more once it hangs."""

    hangs = False

    async def __call__(self, url: str) -> dict[str, Any]:
        found = await super().__call__(url)
        if self.hangs:
            await anyio.sleep_forever()
        return found


@requirement("N1")
async def test_an_issuer_that_hangs_holds_up_one_request_and_that_not_for_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(access_tokens, "TIMEOUT_S", 0.1)
    issuer, clock = HangingIssuer(), Moments()
    tokens = verifier(issuer, clock)
    assert await tokens.client_of(token()) == "alice"
    issuer.hangs, clock.now = True, KEYS_LAST_S + 1
    with anyio.fail_after(60):
        async with anyio.create_task_group() as group:
            for _ in range(10):
                group.start_soon(tokens.client_of, token())
    assert len(issuer.asked) == 3, "who comes while the keys are read again goes by those that are known"
    with pytest.raises(TokenRefused) as refused:
        await tokens.client_of(token(LATER, "two"))
    assert refused.value.status == 503


@requirement("N1")
async def test_while_the_issuer_is_away_no_good_token_is_called_invalid() -> None:
    issuer, clock = AwayIssuer(), Moments()
    tokens = verifier(issuer, clock)
    for _ in range(3):
        with pytest.raises(TokenRefused) as refused:
            await tokens.client_of(token())
        assert (refused.value.status, refused.value.error) == (503, "temporarily_unavailable")
    issuer.is_back, clock.now = True, AFTER_FAILURE_S
    assert await tokens.client_of(token()) == "alice"


@requirement("N1")
async def test_a_key_of_a_kind_that_is_not_known_here_does_not_hide_the_others() -> None:
    issuer = Issuer()
    issuer.keys = [{"kty": "AKP", "alg": "ML-DSA-65", "kid": "later", "pub": "AAAA"}, *issuer.keys]
    assert await verifier(issuer).client_of(token()) == "alice"


@requirement("N2")
@pytest.mark.parametrize("keys", [None, [], {}, ["x"], [{"kty": "EC"}], [{"kty": "oct", "k": "AAAA", "kid": "one"}]])
async def test_an_issuer_that_publishes_nonsense_opens_nothing(keys: Any) -> None:
    issuer = Issuer()
    issuer.keys = keys
    with anyio.fail_after(240), pytest.raises(TokenRefused):
        await verifier(issuer).client_of(token())


async def inner(scope: Scope, receive: Receive, send: Send) -> None:
    """Says who was let in."""
    await send({"type": "http.response.start", "status": 200, "headers": []})
    await send({"type": "http.response.body", "body": str(scope[CLIENT]).encode()})


@pytest.fixture
async def http() -> AsyncIterator[httpx2.AsyncClient]:
    guarded = TokenAuthMiddleware(inner, {"bobs-token": "bob"}, verifier(Issuer()))
    async with httpx2.AsyncClient(transport=httpx2.ASGITransport(guarded), base_url="https://tools.example") as client:
        yield client


@requirement("N1", "N2")
async def test_whoever_has_no_token_is_told_where_to_get_one(http: httpx2.AsyncClient) -> None:
    refused = await http.post("/mcp")
    where = "https://tools.example/.well-known/oauth-protected-resource/mcp"
    assert refused.status_code == 401
    assert refused.headers["www-authenticate"] == f'Bearer scope="tools", resource_metadata="{where}"'
    told = (await http.get(where)).json()
    assert (told["resource"], told["authorization_servers"], told["scopes_supported"]) == (RESOURCE, [ISSUER], ["tools"])
    narrow = await http.post("/mcp", headers={"authorization": f"Bearer {token(scope='other')}"})
    assert narrow.status_code == 403
    assert 'error="insufficient_scope", scope="tools"' in narrow.headers["www-authenticate"]


@requirement("N1", "N2")
async def test_both_kinds_of_token_open_the_door_each_to_its_own_client(http: httpx2.AsyncClient) -> None:
    for bearer, client in ((token(), "alice"), ("bobs-token", "bob")):
        assert (await http.post("/mcp", headers={"authorization": f"Bearer {bearer}"})).text == client


class Sessions:
    """Gives each request that names no session one of its own, and says who came in."""

    opened = 0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        named = dict(scope["headers"]).get(b"mcp-session-id")
        self.opened += named is None
        headers = [(b"mcp-session-id", named or f"session-{self.opened}".encode())]
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        await send({"type": "http.response.body", "body": str(scope[CLIENT]).encode()})


@pytest.fixture
async def sessions() -> AsyncIterator[httpx2.AsyncClient]:
    guarded = TokenAuthMiddleware(Sessions(), {"bobs-token": "bob"}, verifier(Issuer()))
    async with httpx2.AsyncClient(transport=httpx2.ASGITransport(guarded), base_url="https://tools.example") as client:
        yield client


async def knock(http: httpx2.AsyncClient, bearer: str, session: str = "") -> httpx2.Response:
    named = {"mcp-session-id": session} if session else {}
    return await http.post("/mcp", headers={"authorization": f"Bearer {bearer}", **named})


@requirement("N2")
async def test_a_token_that_is_replayed_is_looked_at_anew_each_time_also_in_a_session_that_a_good_one_opened(
    sessions: httpx2.AsyncClient,
) -> None:
    session = (await knock(sessions, token())).headers["mcp-session-id"]
    assert (await knock(sessions, token(), session)).status_code == 200, "good until it expires, as bearer tokens are"
    for worn in (token(exp=1), token(aud="https://other.example/mcp"), token(STRANGER)):
        assert (await knock(sessions, worn, session)).status_code == 401
    assert (await knock(sessions, "bobs-token", session)).status_code == 404, "another's token takes up no session"


@requirement("N2")
async def test_whoever_opens_sessions_without_end_pushes_nobody_else_out_of_his(
    sessions: httpx2.AsyncClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("autonomy.mcp_gateway.transports.gateway_http.MOST_SESSIONS", 3)
    alices = (await knock(sessions, token())).headers["mcp-session-id"]
    bobs = [(await knock(sessions, "bobs-token")).headers["mcp-session-id"] for _ in range(5)]
    assert (await knock(sessions, token(), alices)).status_code == 200
    assert [(await knock(sessions, "bobs-token", one)).status_code for one in bobs] == [404, 404, 200, 200, 200]


def test_an_issuer_without_an_address_is_refused_by_its_key() -> None:
    with pytest.raises(ValidationError, match=r"oauth\.issuer"):
        GatewayClients.model_validate({"oauth": {"issuer": "login.example", "resource": RESOURCE}})
    clients = GatewayClients.model_validate(
        {"oauth": {"issuer": ISSUER, "resource": RESOURCE}, "clients": {"alice": {"oauth_client": "alice-desktop"}}}
    )
    assert clients.access_tokens() is not None
    assert GatewayClients.model_validate({"oauth": {"issuer": ISSUER, "resource": RESOURCE}}).access_tokens() is None


@requirement("N2")
def test_a_token_names_one_client_or_the_gateway_does_not_start() -> None:
    for field in ("token_env", "oauth_client"):
        with pytest.raises(ValidationError, match=f"alice and bob have the same {field} 'x'"):
            GatewayClients.model_validate({"clients": {"alice": {field: "x"}, "bob": {field: "x"}}})
    clients = GatewayClients.model_validate({"clients": {"alice": {"token_env": "A"}, "bob": {"token_env": "B"}, "carol": {}}})
    assert clients.tokens({"A": "one", "B": "two"}) == {"one": "alice", "two": "bob"}
    with pytest.raises(ValueError, match="alice and bob have the same token"):
        clients.tokens({"A": "one", "B": "one"})
