"""Signing in to remote servers: once, remembered encrypted, renewed by one task of one process, and never unasked."""

import socket
import time
from pathlib import Path
from urllib.parse import parse_qsl, urlsplit

import anyio
import anyio.abc
import httpx2
import pytest
import sqlalchemy as sa
from pydantic import AnyHttpUrl, SecretStr

from discovery import discovery_tables
from discovery.catalog import ProviderState
from discovery.connections import connection
from discovery.discovery_errors import CallFailed, DiscoveryError
from discovery.gateway import Gateway, open_gateway
from discovery.gateway_settings import GatewaySettings
from discovery.servers.server_config import Launch, OAuthSettings, ServerConfig
from discovery.transport.answers import HTTP
from discovery.transport.authorization import sign_in_requests
from discovery.transport.authorization.oauth import ServerAuth
from discovery.transport.authorization.sign_in import loopback_browser, loopback_place
from discovery.transport.authorization.sign_ins import SignInStore
from discovery.transport.streamable_http import GuardedClient
from tests.requirements import requirement
from tests.support.clock import SetClock
from tests.support.ports import free_port
from tests.support.servers.http_server import Request, listening
from tests.support.servers.oauth_server import AgreeingBrowser, OAuthServer

SETTINGS = GatewaySettings(
    startup_s=60, encryption_key=SecretStr("a secret of the operator, an older one"), health_interval_s=600
)


def remote(server: OAuthServer) -> ServerConfig:
    return ServerConfig(name="far", transport="http", url=server.url, oauth=OAuthSettings())


@pytest.fixture
def engine(tmp_path: Path) -> sa.Engine:
    engine = sa.create_engine(f"sqlite:///{tmp_path / 'state.db'}", connect_args={"timeout": 10})
    discovery_tables.metadata.create_all(engine)
    return engine


async def sign_in(server: OAuthServer, engine: sa.Engine) -> None:
    async with open_gateway([remote(server)], engine=engine, settings=SETTINGS, browser=AgreeingBrowser()) as gateway:
        await gateway.catalog()


async def call(gateway: Gateway, times: int = 1) -> None:
    async with anyio.create_task_group() as tasks:
        for _ in range(times):
            tasks.start_soon(gateway.call, "far_echo", {})


@requirement("D4", "S7")
async def test_a_sign_in_is_remembered_encrypted_and_used_without_a_browser(engine: sa.Engine, tmp_path: Path) -> None:
    async with listening(OAuthServer({})) as server:
        await sign_in(server, engine)
        async with open_gateway([remote(server)], engine=engine, settings=SETTINGS) as gateway:
            await gateway.catalog()
            await call(gateway)
    assert (server.issued, server.registered) == (1, 1)
    stored = b"".join([file.read_bytes() for file in tmp_path.iterdir()])
    assert b"access-1" not in stored
    assert b"refresh-1" not in stored


@pytest.mark.parametrize(
    ("comes_back_to", "registered"),
    [("http://127.0.0.1:4444/callback", 1), ("http://console.example.org/callback", 2), ("http://127.0.0.1:3333/elsewhere", 2)],
)
async def test_a_client_is_registered_anew_only_where_the_browser_comes_back_to_another_place(
    engine: sa.Engine, comes_back_to: str, registered: int
) -> None:
    async with listening(OAuthServer({})) as server:
        await sign_in(server, engine)
        server.revoked.add("access-1")
        server.issued = 5  # the refresh token is of no more use either
        elsewhere = AgreeingBrowser()
        elsewhere.redirect_uri = comes_back_to
        async with open_gateway([remote(server)], engine=engine, settings=SETTINGS, browser=elsewhere) as gateway:
            await gateway.catalog()
            await call(gateway)
    assert (server.registered, elsewhere.opened) == (registered, 1)


async def test_without_a_browser_a_person_is_asked_for_in_the_status_and_nothing_is_registered(engine: sa.Engine) -> None:
    async with (
        listening(OAuthServer({})) as server,
        open_gateway([remote(server)], engine=engine, settings=SETTINGS) as gateway,
    ):
        await gateway.catalog()
        (far,) = gateway.status()
    assert (far.state, far.reason) == (ProviderState.PARKED, "a person has to sign in; `jiritsu servers sign-in far`")
    assert server.registered == 0


@pytest.mark.parametrize("was_signed_in", [False, True])
async def test_a_process_goes_on_when_a_person_has_signed_in_by_another(
    engine: sa.Engine, was_signed_in: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As `jiritsu servers sign-in` does beside a worker, which had to be started anew."""
    monkeypatch.setattr(connection, "SIGN_IN_LOOK_S", 0.02)
    async with listening(OAuthServer({})) as server:
        if was_signed_in:
            await sign_in(server, engine)
        async with open_gateway([remote(server)], engine=engine, settings=SETTINGS) as worker:
            await worker.catalog()
            if was_signed_in:  # and then everything is revoked
                server.revoked.add("access-1")
                server.refuses_refresh = True
                with pytest.raises(DiscoveryError, match=r"a person has to sign in; `jiritsu servers sign-in far`"):
                    await worker.call("far_echo", {})
            with anyio.fail_after(30):
                while worker.status()[0].state is not ProviderState.PARKED:
                    await worker.next_change()
                await sign_in(server, engine)
                while worker.status()[0].state is not ProviderState.READY:
                    await worker.next_change()
                await call(worker)


async def test_a_token_about_to_expire_is_renewed_once_for_all_calls(engine: sa.Engine) -> None:
    clock = SetClock(time.time())
    async with listening(OAuthServer({})) as server:
        await sign_in(server, engine)
        async with open_gateway([remote(server)], engine=engine, settings=SETTINGS, clock=clock) as gateway:
            await gateway.catalog()
            clock.advance(3550)
            await call(gateway, times=8)
    assert (server.refreshed, server.refused) == (1, [])


async def test_a_refused_token_is_renewed_once_although_it_should_have_lasted(engine: sa.Engine) -> None:
    async with listening(OAuthServer({})) as server:
        await sign_in(server, engine)
        async with open_gateway([remote(server)], engine=engine, settings=SETTINGS) as gateway:
            await gateway.catalog()
            server.revoked.add("access-1")
            await call(gateway, times=5)
    assert (server.refreshed, server.refused) == (1, [])


async def test_two_processes_renew_a_token_that_is_valid_once_without_losing_it(engine: sa.Engine) -> None:
    first, second = SetClock(time.time()), SetClock(time.time())
    async with listening(OAuthServer({})) as server:
        await sign_in(server, engine)
        async with (
            open_gateway([remote(server)], engine=engine, settings=SETTINGS, clock=first) as one,
            open_gateway([remote(server)], engine=engine, settings=SETTINGS, clock=second) as two,
        ):
            await one.catalog()
            await two.catalog()
            first.advance(3550)
            second.advance(3550)
            async with anyio.create_task_group() as tasks:
                tasks.start_soon(call, one, 3)
                tasks.start_soon(call, two, 3)
    assert (server.refreshed, server.refused) == (1, [])


async def test_calls_do_not_queue_behind_each_other(engine: sa.Engine) -> None:
    async with listening(OAuthServer({}, call_takes_s=0.3)) as server:
        await sign_in(server, engine)
        async with open_gateway([remote(server)], engine=engine, settings=SETTINGS) as gateway:
            await gateway.catalog()
            await call(gateway, times=5)
    assert server.most_at_once > 1


async def test_a_person_signs_in_with_the_browser_of_this_machine(engine: sa.Engine) -> None:
    shown: list[str] = []

    def visit(url: str) -> None:
        with httpx2.Client(follow_redirects=True) as person:
            person.get(url.replace("/authorize?", "/nowhere?"))  # a wrong turn is no answer
            assert "サインインしました" in person.get(url).text

    async with (
        listening(OAuthServer({})) as server,
        loopback_browser(shown.append, start=visit) as browser,
        open_gateway([remote(server)], engine=engine, settings=SETTINGS, browser=browser) as gateway,
    ):
        await gateway.catalog()
        await call(gateway)
    assert len(shown) == 1
    assert shown[0].startswith(f"{server.origin}/authorize?")


@pytest.mark.parametrize("path", ["/signed/in", "/", ""])
async def test_a_client_of_a_fixed_address_is_come_back_to_there(engine: sa.Engine, path: str) -> None:
    def visit(url: str) -> None:
        with httpx2.Client(follow_redirects=True) as person:
            assert "サインインしました" in person.get(url).text

    back = f"http://127.0.0.1:{free_port()}{path}"
    settings = OAuthSettings(client_id="by-hand", redirect_uri=back)
    async with listening(OAuthServer({})) as server:
        far = remote(server).model_copy(update={"oauth": settings})
        async with (
            loopback_browser(lambda _: None, start=visit, redirect_uri=back) as browser,
            open_gateway([far], engine=engine, settings=SETTINGS, browser=browser) as gateway,
        ):
            assert browser.redirect_uri == back
            await gateway.catalog()
            await call(gateway)
    assert server.registered == 0


def test_only_an_address_of_this_machine_can_be_come_back_to() -> None:
    places = {
        "http://127.0.0.1:8765/callback": ("127.0.0.1", 8765),
        "http://localhost/callback": ("localhost", 0),
        "http://[::1]:1/": ("::1", 1),
        "https://127.0.0.1:8765/callback": None,
        "https://example.org/callback": None,
        "http://192.168.0.3:8765/": None,
        "http://127.0.0.1:no/": None,
        "myapp:/callback": None,
    }
    assert {address: loopback_place(address) for address in places} == places


async def test_what_other_pages_and_programs_send_to_where_the_browser_comes_back_ends_no_sign_in(engine: sa.Engine) -> None:
    def visit(url: str) -> None:
        back = urlsplit(dict(parse_qsl(urlsplit(url).query))["redirect_uri"])
        for sent in (b"", b"x", b"\x16\x03\x01", b"GET\r\n\r\n"):
            with socket.create_connection((back.hostname, back.port)) as stranger:
                stranger.sendall(sent)
        with httpx2.Client(follow_redirects=True) as person:
            for query in ("", "?code=forged", "?code=forged&state=guessed", "?error=access_denied"):
                assert person.get(f"{back.geturl()}{query}").status_code == 404
            assert "サインインしました" in person.get(url).text

    async with (
        listening(OAuthServer({})) as server,
        loopback_browser(lambda _: None, start=visit) as browser,
        open_gateway([remote(server)], engine=engine, settings=SETTINGS, browser=browser) as gateway,
    ):
        await gateway.catalog()
        await call(gateway)


async def test_a_person_who_says_no_is_taken_at_their_word(engine: sa.Engine) -> None:
    def refuse(url: str) -> None:
        with httpx2.Client() as person:
            asked = dict(parse_qsl(urlsplit(url).query))
            person.get(asked["redirect_uri"], params={"error": "access_denied", "state": asked["state"]})

    async with (
        listening(OAuthServer({})) as server,
        loopback_browser(lambda _: None, start=refuse) as browser,
        open_gateway([remote(server)], engine=engine, settings=SETTINGS, browser=browser) as gateway,
    ):
        await gateway.catalog()
        assert "access_denied" in gateway.status()[0].reason


async def test_another_key_means_a_new_sign_in_and_not_an_error(engine: sa.Engine) -> None:
    other = SETTINGS.model_copy(update={"encryption_key": SecretStr("the key was lost")})
    async with listening(OAuthServer({})) as server:
        await sign_in(server, engine)
        async with open_gateway([remote(server)], engine=engine, settings=other) as gateway:
            await gateway.catalog()
            assert gateway.status()[0].reason == "a person has to sign in; `jiritsu servers sign-in far`"
        renamed = SETTINGS.model_copy(update={"encryption_key": SecretStr("a newer one, a secret of the operator")})
        async with open_gateway([remote(server)], engine=engine, settings=renamed) as gateway:
            await gateway.catalog()
            await call(gateway)


@requirement("S7")
@pytest.mark.parametrize("named", [False, True], ids=["after the first sign-in", "from the start, where it is named"])
async def test_a_client_secret_goes_to_no_other_authorization_server_than_it_belongs_to(engine: sa.Engine, named: bool) -> None:
    """A remote server that turns hostile names one of its own, and has the person sign in once more."""
    async with listening(OAuthServer({})) as server, listening(OAuthServer({})) as elsewhere:
        client = OAuthSettings(client_id="us", client_secret="the-secret", issuer=f"{server.origin}/" if named else "")
        entry = remote(server).model_copy(update={"oauth": client})

        async def signed_in(entry: ServerConfig) -> str:
            async with open_gateway([entry], engine=engine, settings=SETTINGS, browser=AgreeingBrowser()) as gateway:
                await gateway.catalog()
                return gateway.status()[0].reason

        if not named:
            assert await signed_in(entry) == ""
        server.signs_in_at, elsewhere.issued = elsewhere.origin, server.issued
        server.revoked |= {f"access-{number}" for number in range(9)}
        server.refuses_refresh = True
        reason = await signed_in(entry)
        assert f"signs in at {elsewhere.origin}" in reason
        assert server.origin in reason
        asked = [request for request in elsewhere.requests if urlsplit(request.path).path in ("/authorize", "/token")]
        assert asked == [], "neither the person nor the secret goes there"
        moved = entry.model_copy(update={"oauth": client.model_copy(update={"issuer": elsewhere.origin})})
        await signed_in(moved)
        assert elsewhere.issued > server.issued, "the operator says so"


async def test_what_a_call_wanted_more_is_asked_for_at_the_next_sign_in_and_only_then(engine: sa.Engine) -> None:
    async with listening(OAuthServer({}, call_scope="write")) as server:
        await sign_in(server, engine)
        async with open_gateway([remote(server)], engine=engine, settings=SETTINGS) as gateway:
            await gateway.catalog()
            with pytest.raises(CallFailed, match="a person has to sign in"):
                await gateway.call("far_echo", {})
        await sign_in(server, engine)  # another process, with a browser: the person is asked, though the token still holds
        await sign_in(server, engine)  # and not once more
        async with open_gateway([remote(server)], engine=engine, settings=SETTINGS) as gateway:
            await gateway.catalog()
            await gateway.call("far_echo", {})
    assert [scope.split() for scope in server.scopes_asked] == [[], ["write"]]


async def test_a_lease_that_ended_is_not_given_back_in_the_name_of_whoever_has_it_now(engine: sa.Engine) -> None:
    clock, key = SetClock(), SETTINGS.encryption_key
    slow, other, third = (SignInStore(engine, key, clock) for _ in range(3))
    async with slow.lease("far", 30):
        clock.advance(31)
        second = other.lease("far", 30)
        await second.__aenter__()
    began = clock.now()
    async with third.lease("far", 30):
        assert clock.now() - began >= 29, "the second has it until then"
    await second.__aexit__(None, None, None)


async def test_a_lease_of_a_dead_process_ends_although_the_clock_was_set_back_since(engine: sa.Engine) -> None:
    key, began = SETTINGS.encryption_key, time.time()
    ahead, clock = SetClock(began + 3600), SetClock(began)
    dead = SignInStore(engine, key, ahead).lease("far", 30)
    await dead.__aenter__()
    async with SignInStore(engine, key, clock).lease("far", 30):
        waited_s = clock.now() - began
    assert 30 <= waited_s < 31
    async with SignInStore(engine, key, clock).lease("far", 30):
        assert clock.now() - began < 31, "it was given back"
    await dead.__aexit__(None, None, None)


async def test_a_lease_that_changes_hands_is_waited_for_as_long_as_each_may_have_it(engine: sa.Engine) -> None:
    """Of a clock set back, too: what is waited for is one lease, however many there were."""
    key, began = SETTINGS.encryption_key, time.time()
    ahead, clock = SetClock(began + 3600), SetClock(began)
    first = SignInStore(engine, key, ahead)
    hands = [first.lease("far", 30)]
    await hands[0].__aenter__()

    class Handing(SetClock):
        async def sleep(self, seconds: float) -> None:
            await super().sleep(seconds)
            if len(hands) == 1 and self.monotonic() > 20:
                await hands[0].__aexit__(None, None, None)
                ahead.advance(20)
                hands.append(first.lease("far", 30))
                await hands[1].__aenter__()

    waiting = Handing(clock.now())
    async with SignInStore(engine, key, waiting).lease("far", 30):
        assert 50 <= waiting.monotonic() < 51


class Silent(OAuthServer):
    """Whose authorization server takes a renewal and never answers it, or hangs up."""

    hangs_up = False

    async def token(self, request: Request, stream: anyio.abc.SocketStream) -> None:
        if request.form["grant_type"] != "refresh_token":
            await super().token(request, stream)
        elif self.hangs_up:
            await stream.aclose()
        else:
            await anyio.Event().wait()


@pytest.mark.parametrize("hangs_up", [False, True])
async def test_a_call_whose_token_cannot_be_renewed_says_who_did_not_answer_and_was_not_sent(
    engine: sa.Engine, hangs_up: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sign_in_requests, "ANSWER_S", 0.2)
    async with listening(Silent({})) as server:
        server.hangs_up = hangs_up
        await sign_in(server, engine)
        clock = SetClock(time.time() + 3550)  # about to expire
        auth = ServerAuth(server.url, OAuthSettings(), SignInStore(engine, SETTINGS.encryption_key, clock), clock)
        async with GuardedClient(Launch(url=server.url), auth, clock) as client:
            with anyio.fail_after(10):
                answer = await client.post(server.url, json={"jsonrpc": "2.0", "id": 1, "method": "tools/call"})
        assert server.asked("tools/call") == 0
    detail = answer.json()["error"]["data"][HTTP]
    assert (detail["sent"], detail["cause"].partition(":")[0]) == (False, "its sign-in failed")
    assert hangs_up or f"127.0.0.1:{server.port} did not answer within" in detail["cause"]


async def test_an_authorization_server_that_is_away_is_named_and_not_the_server_itself(engine: sa.Engine) -> None:
    async with listening(OAuthServer({})) as server:
        await sign_in(server, engine)
        store = SignInStore(engine, SETTINGS.encryption_key, SetClock(time.time() + 3550))
        known = await store.read(server.url)
        assert known.metadata is not None
        away = known.metadata.model_copy(update={"token_endpoint": AnyHttpUrl("http://127.0.0.1:9/token")})
        await store.write(server.url, known.model_copy(update={"metadata": away}))
        clock = SetClock(time.time() + 3550)
        auth = ServerAuth(server.url, OAuthSettings(), store, clock)
        async with GuardedClient(Launch(url=server.url), auth, clock) as client:
            answer = await client.post(server.url, json={"jsonrpc": "2.0", "id": 1, "method": "tools/call"})
    detail = answer.json()["error"]["data"][HTTP]
    assert (detail["sent"], "127.0.0.1:9" in detail["cause"], str(server.port) in detail["cause"]) == (False, True, False)


async def test_a_database_that_is_away_when_a_token_is_looked_up_fails_the_request_and_raises_nothing(tmp_path: Path) -> None:
    nowhere = sa.create_engine(f"sqlite:///{tmp_path / 'unmounted' / 'state.db'}")
    clock, launch = SetClock(), Launch(url="http://127.0.0.1:9/mcp")
    auth = ServerAuth(launch.url, OAuthSettings(), SignInStore(nowhere, SETTINGS.encryption_key, clock), clock)
    async with GuardedClient(launch, auth, clock) as client:
        answer = await client.post(launch.url, json={"jsonrpc": "2.0", "id": 1, "method": "tools/list"})
    assert answer.json()["error"]["message"] == "its sign-in cannot be read or stored: unable to open database file"
