"""A database that cannot be used: the HR tools' stores say so in our own tree, without the statement and its values."""

from collections.abc import Callable
from pathlib import Path

import pytest
import sqlalchemy as sa
from pydantic import SecretStr

from autonomy.errors import StoreError
from autonomy.hr.secrets.credential_store import Credentials, CredentialStore
from autonomy.hr.secrets.vault import Vault
from autonomy.hr.tenants import Tenant, TenantStore
from tests.requirements import requirement

PRIVATE = "acme-and-its-person"
Ask = Callable[[TenantStore, CredentialStore], object]
ASKED: dict[str, Ask] = {
    "tenant": lambda tenants, _: tenants.get(PRIVATE),
    "all tenants": lambda tenants, _: tenants.all(),
    "saving": lambda tenants, _: tenants.save(Tenant(id=PRIVATE, vendor="demo")),
    "permissions": lambda tenants, _: tenants.permissions(PRIVATE),
    "permitting": lambda tenants, _: tenants.permit("demo", PRIVATE, "deny"),
    "credentials": lambda _, credentials: credentials.load(PRIVATE, "freee"),
    "storing": lambda _, credentials: credentials.save(PRIVATE, "freee", Credentials(access_token=SecretStr(PRIVATE))),
    "deleting": lambda _, credentials: credentials.delete(PRIVATE, "freee"),
    "connected ones": lambda _, credentials: credentials.tenants_with("freee"),
    "audit key": lambda _, credentials: credentials.audit_key(PRIVATE),
    "rotating": lambda _, credentials: credentials.rotate(),
    "locking": lambda _, credentials: credentials.locked(PRIVATE, "freee").__enter__(),
}


@requirement("H8")
@pytest.mark.parametrize(("content", "why"), [(b"", "no such table"), (b"no database at all " * 100, "not a database")])
def test_a_database_that_cannot_be_used_is_told_as_that_whatever_is_asked(tmp_path: Path, content: bytes, why: str) -> None:
    (tmp_path / "hr.db").write_bytes(content)
    engine = sa.create_engine(f"sqlite:///{tmp_path / 'hr.db'}", poolclass=sa.NullPool)
    tenants, credentials = TenantStore(engine), CredentialStore(engine, Vault.open(tmp_path))
    for name, ask in ASKED.items():
        with pytest.raises(StoreError, match=f"the database cannot be used: .*{why}") as told:
            ask(tenants, credentials)
        assert PRIVATE not in str(told.value), name
