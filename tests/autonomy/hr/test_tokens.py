"""A refresh token is used once, whoever wants a new access token, however many at a time, and whatever gets lost on the way."""

import multiprocessing
import sqlite3
import subprocess
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, closing
from datetime import timedelta
from pathlib import Path

import anyio
import anyio.lowlevel
import pytest
import sqlalchemy as sa

from autonomy.database import open_engine
from autonomy.hr import hr_tables
from autonomy.hr.secrets.credential_store import CredentialStore
from autonomy.hr.secrets.oauth_tokens import CLAIM_S, FreeeTokenManager, OAuthApp, TokenGrant, request_grant
from autonomy.hr.secrets.vault import Vault
from autonomy.hr.vendors.freee import FreeeAPIError
from tests.autonomy.hr.conftest import KEY, NOON, House
from tests.requirements import requirement
from tests.support.command import HANG_S, environment, forked_command_line, jiritsu
from tests.support.durable import forked
from tests.support.freee import FakeFreee
from tests.support.loopback_api import Reply
from tests.support.token_racer import race_for_tokens
from tests.support.waiting import until


def everything_stored(engine: sa.Engine) -> str:
    with engine.connect() as connection:
        return str([connection.execute(sa.select(table)).all() for table in hr_tables.metadata.tables.values()])


async def a_day_of_keeping_alive(house: House) -> list[float]:
    """One sweep; how long the next one would be waited for."""
    slept: list[float] = []

    async def sleep(seconds: float) -> None:
        slept.append(seconds)
        sweeping.cancel()
        await anyio.lowlevel.checkpoint()

    with anyio.CancelScope() as sweeping:
        await house.tokens.keep_alive(sleep=sleep)
    return slept


def race(store: CredentialStore, url: str, freee: FakeFreee, racers: int = 8, rounds: int = 3) -> None:
    """Real processes renew the same tenant's token, each several times, all at once."""
    pair = freee.sign_in.new_pair()
    store.save("acme", "freee", TokenGrant.model_validate(pair | {"expires_in": 60}).as_credentials(NOON.timestamp()))
    pipes = [multiprocessing.Pipe() for _ in range(racers)]
    started = [forked(race_for_tokens, url, f"{freee.url}/public_api/token", KEY, rounds, theirs) for _, theirs in pipes]
    for ours, theirs in pipes:
        theirs.close()  # so that a racer that dies is an end of file, and nobody waits for it
        assert ours.recv() == "ready"
    for ours, _ in pipes:
        ours.send("go")
    assert all(len(ours.recv()) == rounds for ours, _ in pipes)
    for racer in started:
        racer.join(240)
    assert [racer.exitcode for racer in started] == [0] * racers
    assert freee.sign_in.invalid_grants == 0
    assert rounds <= freee.sign_in.refreshes <= 1 + racers * rounds  # the first of all finds a token that is about to expire
    assert store.load("acme", "freee").refresh_token.get_secret_value() in freee.sign_in.live_refresh


@requirement("H6")
def test_eight_processes_that_race_never_use_a_refresh_token_twice(house: House):
    race(house.credentials, str(house.engine.url), house.freee)


@requirement("H6")
async def test_many_at_once_in_one_process_share_one_refresh(house: House):
    await house.connect_freee("acme", expires_in_s=600)
    tokens = []

    async def want() -> None:
        tokens.append(await house.tokens.get_access_token("acme"))

    async with anyio.create_task_group() as group:
        for _ in range(20):
            group.start_soon(want)
    assert house.freee.sign_in.refreshes == 1
    assert len(set(tokens)) == 1


async def test_a_token_with_more_than_an_hour_left_is_used_as_it_is(house: House):
    known = await house.connect_freee("acme", expires_in_s=3700)
    assert await house.tokens.get_access_token("acme") == known.access_token.get_secret_value()
    house.clock[0] = NOON + timedelta(seconds=200)
    assert await house.tokens.get_access_token("acme") != known.access_token.get_secret_value()


@requirement("H6")
async def test_the_new_pair_is_stored_before_it_is_given_out(house: House):
    await house.connect_freee("acme", expires_in_s=600)
    token = await house.tokens.get_access_token("acme")
    stored = await house.stored("acme")
    assert stored.access_token.get_secret_value() == token
    assert stored.expires_at == NOON.timestamp() + 21600


@requirement("H6")
async def test_a_caller_that_goes_away_does_not_lose_the_new_pair(house: House):
    await house.connect_freee("acme", expires_in_s=600)
    sign_in = house.freee.sign_in
    sign_in.may_answer.clear()
    with anyio.fail_after(240):
        async with anyio.create_task_group() as group:
            group.start_soon(house.tokens.get_access_token, "acme")
            assert await anyio.to_thread.run_sync(sign_in.arrived.wait, 240)
            group.cancel_scope.cancel()
            sign_in.may_answer.set()
    stored = await house.stored("acme")
    assert stored.refresh_token.get_secret_value() in sign_in.live_refresh
    assert await house.tokens.get_access_token("acme") == stored.access_token.get_secret_value()
    assert (sign_in.refreshes, sign_in.invalid_grants) == (1, 0)


@asynccontextmanager
async def somebody_asking(house: House) -> AsyncIterator[None]:
    """While a caller waits for the sign-in server's answer; it is answered at the end."""
    sign_in = house.freee.sign_in
    sign_in.may_answer.clear()
    with anyio.fail_after(240):
        async with anyio.create_task_group() as group:
            group.start_soon(house.tokens.get_access_token, "acme")
            try:
                assert await anyio.to_thread.run_sync(sign_in.arrived.wait, 240)
                yield
            finally:
                sign_in.may_answer.set()


def in_another_process(house: House) -> FreeeTokenManager:
    return FreeeTokenManager(house.credentials, house.tokens._app, now=lambda: house.clock[0].timestamp())


@requirement("H6")
async def test_everybody_else_can_write_while_the_sign_in_server_takes_its_time(house: House):
    await house.connect_freee("acme", expires_in_s=600)
    async with somebody_asking(house):
        unwaiting = sqlite3.connect(house.engine.url.database, timeout=0)
        with closing(unwaiting), unwaiting:
            unwaiting.execute("insert into hr_tenants values ('other', '{}')")
    assert house.freee.sign_in.refreshes == 1


@requirement("H6")
async def test_while_one_process_asks_the_others_use_the_old_token_as_long_as_it_works(house: House):
    known = await house.connect_freee("acme", expires_in_s=600)
    async with somebody_asking(house):
        assert await in_another_process(house).get_access_token("acme") == known.access_token.get_secret_value()
    assert house.freee.sign_in.refreshes == 1


@requirement("H6")
async def test_who_needs_a_new_token_waits_for_the_process_that_asks(house: House):
    known = await house.connect_freee("acme", expires_in_s=600)
    tokens = []

    async def refused() -> None:
        tokens.append(await in_another_process(house).refresh("acme", stale=known.access_token.get_secret_value()))

    async with anyio.create_task_group() as group, somebody_asking(house):
        group.start_soon(refused)
        await anyio.wait_all_tasks_blocked()
    assert tokens == [(await house.stored("acme")).access_token.get_secret_value()]
    assert (house.freee.sign_in.refreshes, house.freee.sign_in.invalid_grants) == (1, 0)


@requirement("H6")
@pytest.mark.parametrize(("after_s", "refreshes"), [(CLAIM_S, 0), (601, 1)])
async def test_of_a_process_that_was_killed_while_it_asked_the_token_is_in_doubt(house: House, after_s: int, refreshes: int):
    known = await house.connect_freee("acme", expires_in_s=600)
    asking = known.model_copy(update={"in_doubt": True, "asked_at": NOON.timestamp()})
    await anyio.to_thread.run_sync(house.credentials.save, "acme", "freee", asking)
    house.clock[0] = NOON + timedelta(seconds=after_s)
    token = await house.tokens.get_access_token("acme")
    assert (token == known.access_token.get_secret_value()) == (not refreshes)  # at last one informed try tells
    assert house.freee.sign_in.refreshes == refreshes


@requirement("H6")
@pytest.mark.parametrize("answered", [True, False])
async def test_a_late_answer_replaces_nothing_that_a_person_connected_meanwhile(house: House, answered: bool):
    await house.connect_freee("acme", expires_in_s=600)
    house.freee.sign_in.lose_next_answer = not answered
    async with somebody_asking(house):
        newer = await house.connect_freee("acme")
    assert await house.stored("acme") == newer
    assert await house.tokens.get_access_token("acme") == newer.access_token.get_secret_value()


@requirement("H6")
async def test_a_lost_answer_is_not_asked_for_again_while_the_old_token_still_works(house: House):
    known = await house.connect_freee("acme", expires_in_s=600)
    house.freee.sign_in.lose_next_answer = True
    for _ in range(3):
        assert await house.tokens.get_access_token("acme") == known.access_token.get_secret_value()
    assert house.freee.sign_in.refreshes == 1
    assert (await house.stored("acme")).in_doubt


async def test_when_the_old_token_has_run_out_one_informed_try_tells_that_a_person_must_connect_again(house: House):
    await house.connect_freee("acme", expires_in_s=600)
    house.freee.sign_in.lose_next_answer = True
    await house.tokens.get_access_token("acme")
    house.clock[0] = NOON + timedelta(seconds=601)
    for _ in range(3):
        with pytest.raises(FreeeAPIError, match="connect freee"):
            await house.tokens.get_access_token("acme")
    assert house.freee.sign_in.refreshes == 2
    assert (await house.stored("acme")).revoked


async def test_a_wrong_client_secret_is_the_operator_s_fault_and_costs_no_token(house: House):
    known = await house.connect_freee("acme", expires_in_s=600)
    app = house.tokens._app
    house.tokens._app = OAuthApp(client_id="client-id", client_secret="wrong", token_url=app.token_url)
    with pytest.raises(FreeeAPIError, match="FREEE_CLIENT_ID"):
        await house.tokens.get_access_token("acme")
    house.tokens._app = app
    assert (await house.stored("acme")).revoked is False
    assert await house.tokens.get_access_token("acme") != known.access_token.get_secret_value()


async def test_a_sign_in_server_that_cannot_be_reached_has_used_nothing_up(house: House):
    await house.connect_freee("acme", expires_in_s=600)
    known = await house.stored("acme")
    app = OAuthApp(client_id="client-id", client_secret="client-secret", token_url="http://127.0.0.1:9/token")
    house.tokens._app = app
    with pytest.raises(FreeeAPIError, match="cannot be reached") as caught:
        await house.tokens.get_access_token("acme")
    assert caught.value.retryable
    assert (await house.stored("acme")) == known


@requirement("H6")
async def test_tokens_that_nobody_uses_are_kept_alive_and_the_dead_ones_named(house: House, caplog: pytest.LogCaptureFixture):
    used_up = await house.connect_freee("dead", expires_in_s=-60)
    await house.connect_freee("idle", expires_in_s=-60)
    await house.connect_freee("fresh")
    house.freee.sign_in.live_refresh.discard(used_up.refresh_token.get_secret_value())
    slept = await a_day_of_keeping_alive(house)
    assert slept == [86_400]
    assert [one.args[0] for one in caplog.records if "could not be renewed: " in one.msg] == ["dead"]
    assert (await house.stored("idle")).expires_at > NOON.timestamp()
    assert house.freee.sign_in.refreshes == 2


@requirement("H6")
@pytest.mark.parametrize("command", ["serve", pytest.param("worker", marks=pytest.mark.sweep)])
def test_a_service_renews_the_tokens_that_nobody_used(home: Path, command: str):
    with FakeFreee() as freee:
        env = environment(home) | {
            "FREEE_CLIENT_ID": "client-id",
            "FREEE_CLIENT_SECRET": "client-secret",
            "FREEE_TOKEN_URL": f"{freee.url}/public_api/token",
            "SLACK_BOT_TOKEN": "xoxb-1",
            "SLACK_APP_TOKEN": "xapp-1",
            "SLACK_API_URL": "http://127.0.0.1:1/",  # nobody answers in Slack; what else a service does goes on
        }
        assert jiritsu("tenants", "add", "acme", "--vendor", "freee", "--company", "1", home=home).returncode == 0
        store = CredentialStore(open_engine(f"sqlite:///{home / 'jiritsu.db'}"), Vault.open(home, ""))
        idle = TokenGrant.model_validate(freee.sign_in.new_pair() | {"expires_in": -60}).as_credentials(time.time())
        store.save("acme", "freee", idle)
        worker = subprocess.Popen(forked_command_line(command), cwd=home, env=env, stderr=subprocess.PIPE, text=True)
        until(lambda: store.load("acme", "freee") != idle or worker.poll() is not None, timeout_s=HANG_S)
        worker.terminate()
        _, told = worker.communicate(timeout=HANG_S)
    assert freee.sign_in.refreshes == 1, told
    assert store.load("acme", "freee").expires_at > time.time()


@requirement("H6")
async def test_a_database_that_is_away_ends_no_worker_and_is_asked_again(house: House, caplog: pytest.LogCaptureFixture):
    await anyio.to_thread.run_sync(hr_tables.metadata.drop_all, house.engine)
    assert await a_day_of_keeping_alive(house) == [86_400]
    assert "the database cannot be used" in caplog.text


async def test_a_tenant_that_is_not_connected_is_told_how(house: House):
    with pytest.raises(FreeeAPIError, match="jiritsu connect freee --tenant acme"):
        await house.tokens.get_access_token("acme")


@requirement("H6", "S7")
async def test_nothing_readable_is_stored_or_shown(house: House):
    known = await house.connect_freee("acme")
    secrets = [known.access_token.get_secret_value(), known.refresh_token.get_secret_value()]
    stored = await anyio.to_thread.run_sync(everything_stored, house.engine)
    shown = f"{known!r} {known.model_dump()} {house.tokens._app!r} {stored}"
    assert not any(secret in shown for secret in [*secrets, "client-secret"])


def test_an_answer_that_cannot_be_read_is_an_unknown_outcome(house: House):
    house.freee.break_next(Reply({"access_token": "only half"}))
    with pytest.raises(FreeeAPIError) as caught:
        request_grant(house.tokens._app, {"grant_type": "refresh_token", "refresh_token": "x"})
    assert caught.value.outcome_unknown
    assert "only half" not in str(caught.value)
