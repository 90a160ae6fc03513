"""The same on PostgreSQL, where the lock is one row's and not the whole database's."""

import os
import shutil
import socket
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

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

pytestmark = [
    pytest.mark.postgres,
    pytest.mark.skipif(
        shutil.which("initdb") is None or shutil.which("pg_ctl") is None, reason="PostgreSQL's server is not installed"
    ),
]


def as_postgres(*command: str) -> None:
    """PostgreSQL refuses to run as root."""
    prefix = ["runuser", "-u", "postgres", "--"] if os.geteuid() == 0 else []
    subprocess.run([*prefix, *command], check=True, capture_output=True, timeout=60)


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    folder = Path(tempfile.mkdtemp(prefix="jiritsu-pg-"))
    if os.geteuid() == 0:
        shutil.chown(folder, "postgres")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    data = str(folder / "data")
    as_postgres("initdb", "-D", data, "-A", "trust", "-U", "jiritsu", "--no-sync")
    options = f"-p {port} -k {folder} -c listen_addresses=127.0.0.1 -c fsync=off"
    as_postgres("pg_ctl", "-D", data, "-o", options, "-l", str(folder / "log"), "-w", "start")
    try:
        yield f"postgresql://jiritsu@127.0.0.1:{port}/postgres"
    finally:
        as_postgres("pg_ctl", "-D", data, "-m", "immediate", "stop")
        shutil.rmtree(folder, ignore_errors=True)


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
