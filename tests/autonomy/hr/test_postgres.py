"""The same on PostgreSQL, where the lock is one row's and not the whole database's."""

from collections.abc import Iterator

import pytest
import sqlalchemy as sa

from autonomy.compat.managed_agents import CallLedger
from autonomy.database import SchemaModule, migrate, open_engine
from autonomy.hr import hr_tables
from autonomy.hr.secrets.credential_store import CredentialStore
from autonomy.hr.secrets.vault import Vault
from tests.autonomy.hr.conftest import KEY
from tests.autonomy.hr.test_tokens import race
from tests.requirements import requirement
from tests.support.freee import FakeFreee
from tests.support.postgres import NEEDED, Server

pytestmark = [pytest.mark.postgres, NEEDED]


@pytest.fixture(scope="module")
def url(postgres_server: Server) -> str:
    return postgres_server.create("hr")


@pytest.fixture
def engine(url: str) -> Iterator[sa.Engine]:
    engine = open_engine(url)
    migrate(engine, [SchemaModule("hr", hr_tables.metadata)])
    yield engine
    engine.dispose()


@requirement("H6")
def test_eight_processes_that_race_never_use_a_refresh_token_twice(engine: sa.Engine, url: str):
    with FakeFreee() as freee:
        race(CredentialStore(engine, Vault([KEY])), url, freee)


@requirement("H15")
def test_a_tool_call_is_claimed_once(engine: sa.Engine):
    ledger = CallLedger(engine, Vault([KEY]), "acme", "session")
    assert ledger.claim("event", "one")
    assert not ledger.claim("event", "two")
    ledger.settle("event", {"text": "…", "is_error": False})
    assert ledger.result("event") == {"text": "…", "is_error": False}


@requirement("H6")
def test_a_digest_key_is_made_once_and_everything_is_resealed(engine: sa.Engine):
    store = CredentialStore(engine, Vault([KEY]))
    first = store.audit_key("acme")
    CredentialStore(engine, Vault(["the secret that comes after", KEY])).rotate()
    assert CredentialStore(engine, Vault(["the secret that comes after"])).audit_key("acme") == first
