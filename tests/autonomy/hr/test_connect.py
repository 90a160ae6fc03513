"""A person signs in once in a browser; after that the tokens are ours, and nothing of the sign-in is left on the screen."""

import os
import subprocess
import threading
import urllib.parse
from pathlib import Path

import click
import httpx2
import pytest
import sqlalchemy as sa
from click.testing import CliRunner
from pydantic import SecretStr

from autonomy.cli import main
from autonomy.cli.commands import hr as commands
from autonomy.database import migrate, open_engine
from autonomy.durable.liveness.process_locks import open_locks
from autonomy.durable.records.worker_heartbeats import WorkerHeartbeats
from autonomy.errors import VendorError
from autonomy.hr.secrets.connect import RedirectListener, connect_freee
from autonomy.hr.secrets.credential_store import CredentialStore
from autonomy.hr.secrets.oauth_tokens import OAuthApp
from autonomy.hr.secrets.vault import KEYS_FILE, Vault
from autonomy.hr.tenants import TenantStore
from autonomy.stores import ROOMS
from tests.requirements import requirement
from tests.support.command import forked_command_line
from tests.support.freee import FakeFreee


def query_of(url: str) -> dict[str, str]:
    return dict(urllib.parse.parse_qsl(urllib.parse.urlsplit(url).query))


class Browser:
    """A person who opens the address and consents; `change` alters what comes back."""

    def __init__(self, fake: FakeFreee, **change: str) -> None:
        self._fake, self._change = fake, change
        self.opened: list[str] = []
        self.pages: list[str] = []

    def open(self, url: str) -> None:
        self.opened.append(url)
        self.consent = threading.Thread(target=self._consent, args=(query_of(url),), daemon=True)
        self.consent.start()

    def _consent(self, asked: dict[str, str]) -> None:
        code = self._fake.sign_in.new_code(asked["code_challenge"], asked["redirect_uri"])
        back = {"code": code, "state": asked["state"], **self._change}
        beside = httpx2.get(httpx2.URL(asked["redirect_uri"]).copy_with(path="/favicon.ico"))
        self.pages = [beside.text, httpx2.get(asked["redirect_uri"], params=back).text]


def app_of(fake: FakeFreee) -> OAuthApp:
    return OAuthApp(client_id="client-id", client_secret=SecretStr("client-secret"), token_url=f"{fake.url}/public_api/token")


@requirement("H6")
def test_signing_in_stores_the_tokens_for_the_tenant(engine: sa.Engine):
    store = CredentialStore(engine, Vault(["a secret of the tests"]))
    with FakeFreee() as fake:
        browser = Browser(fake)
        connect_freee(app_of(fake), store, "acme", show=browser.open, listener=RedirectListener(), now=lambda: 1000.0)
    stored = store.load("acme", "freee")
    assert stored.access_token.get_secret_value() in fake.sign_in.access
    assert stored.expires_at == 22600.0
    asked = query_of(browser.opened[0])
    assert asked["code_challenge_method"] == "S256"
    assert "client-secret" not in browser.opened[0]
    browser.consent.join(60)
    assert (browser.pages[0], "この画面は閉じて" in browser.pages[1], "You may close" in browser.pages[1]) == ("", True, True)


@requirement("H6")
@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"state": "forged"}, "another sign-in"),
        ({"state": "偽"}, "another sign-in"),
        ({"error": "access_denied", "code": ""}, "access_denied"),
        ({"code": "made-up"}, "refused"),
    ],
)
def test_an_answer_that_was_not_asked_for_stores_nothing(engine: sa.Engine, change: dict[str, str], said: str):
    store = CredentialStore(engine, Vault(["a secret of the tests"]))
    with FakeFreee() as fake, pytest.raises(VendorError, match=said):
        connect_freee(app_of(fake), store, "acme", show=Browser(fake, **change).open, listener=RedirectListener())
    assert store.load("acme", "freee") is None


def test_nobody_signs_in_in_time(engine: sa.Engine):
    store = CredentialStore(engine, Vault(["a secret of the tests"]))
    with FakeFreee() as fake, pytest.raises(VendorError, match="nobody signed in"):
        connect_freee(app_of(fake), store, "acme", show=lambda url: None, listener=RedirectListener(), timeout_s=0.01)


# The commands.


@requirement("H6")
def test_jiritsu_connect_freee(home: Path):
    """The real command in a process of its own, and a browser that reads the address from its output."""
    with FakeFreee() as fake:
        env = os.environ | {
            "JIRITSU_HOME": str(home),
            "FREEE_CLIENT_ID": "client-id",
            "FREEE_CLIENT_SECRET": "client-secret",
            "FREEE_TOKEN_URL": f"{fake.url}/public_api/token",
            "FREEE_API_BASE_URL": fake.base_url,
        }
        run(commands.tenants, "add", "acme", "--vendor", "freee")
        process = subprocess.Popen(
            forked_command_line("connect", "freee", "--tenant", "acme"),
            stdout=subprocess.PIPE,
            text=True,
            env=env,
        )
        process.stdout.readline()
        Browser(fake).open(process.stdout.readline().strip())
        said, _ = process.communicate(timeout=120)
    assert process.returncode == 0
    assert said == "Connected tenant acme.\nCompany 1 株式会社テスト: company_admin\n"
    assert TenantStore(open_engine(f"sqlite:///{home / 'jiritsu.db'}")).get("acme").company_ids == ("1",)
    assert fake.violations == []


def run(command: click.Command, *arguments: str, given: str | None = None) -> str:
    result = CliRunner().invoke(main, [command.name, *arguments], input=given)
    assert result.exit_code == 0, result.output
    return result.output


def refused(command: click.Command, *arguments: str, given: str | None = None) -> str:
    result = CliRunner().invoke(main, [command.name, *arguments], input=given)
    assert result.exit_code != 0
    return result.output


@requirement("H5", "H13")
def test_tenants_are_added_listed_and_given_permissions(home: Path):
    run(commands.tenants, "add", "kot-inc", "--vendor", "king_of_time")
    run(commands.tenants, "permit", "kot-inc", "list_attendance", "requires_confirmation")
    run(commands.connect, "king-of-time", "--tenant", "kot-inc", given="a-token\n")
    assert "kot-inc\tking_of_time\tlist_attendance: requires_confirmation" in run(commands.tenants, "list")


@requirement("S7")
def test_a_token_is_stored_sealed_and_can_be_rotated(home: Path):
    run(commands.tenants, "add", "smart-inc", "--vendor", "smarthr", "--subdomain", "smart-inc")
    said = run(commands.connect, "smarthr", "--tenant", "smart-inc", given="canary-token\n")
    assert "canary" not in said
    assert "Encrypted 1 credentials" in run(commands.keys, "rotate")
    assert len((home / KEYS_FILE).read_text().split()) == 2
    assert not any(b"canary" in file.read_bytes() for file in home.rglob("*") if file.is_file())


@requirement("S5")
def test_a_rotation_seals_the_log_unless_a_worker_would_go_on_under_the_old_key(home: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("JIRITSU_KEY", "the secret of before it was changed")
    engine = open_engine(f"sqlite:///{home / 'jiritsu.db'}")
    migrate(engine, ROOMS)
    WorkerHeartbeats(engine, "worker-1", "worker", 8, 4).send()
    locks = open_locks(engine)
    locks.take("worker-1")
    monkeypatch.setenv("JIRITSU_KEY", "the secret that comes after,the secret of before it was changed")
    assert "worker-1: must be stopped first" in refused(commands.keys, "rotate")
    locks.close()
    engine.dispose()
    assert "Sealed the log" in run(commands.keys, "rotate")
    assert "Sealed the log" not in run(commands.keys, "rotate")


@pytest.mark.parametrize(
    ("command", "arguments", "said"),
    [
        (commands.connect, ("freee", "--tenant", "nobody"), "there is no such tenant"),
        (commands.connect, ("smarthr", "--tenant", "demo"), "tenant demo uses demo, not smarthr"),
        (commands.tenants, ("permit", "demo", "fly", "allow"), "there is no tool 'fly'"),
        (commands.tenants, ("add", "Not An Id", "--vendor", "demo"), "id: "),
    ],
)
def test_a_mistake_is_said_in_one_sentence(home: Path, command: object, arguments: tuple[str, ...], said: str):
    assert said in refused(command, *arguments)


def test_freee_cannot_be_connected_without_our_registration(home: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.delenv("FREEE_CLIENT_ID", raising=False)
    run(commands.tenants, "add", "acme", "--vendor", "freee", "--company", "1")
    assert "FREEE_CLIENT_ID" in refused(commands.connect, "freee", "--tenant", "acme")
