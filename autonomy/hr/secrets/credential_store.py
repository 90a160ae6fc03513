"""Stores each tenant's credentials encrypted, and locks them for exclusive use."""

import secrets
from collections.abc import Iterator
from contextlib import contextmanager, suppress

import sqlalchemy as sa
from pydantic import SecretStr, field_serializer
from sqlalchemy import Connection, Engine

from autonomy.hr.hr_tables import connected, credentials
from autonomy.hr.secrets.vault import Vault
from discovery.catalog import Frozen

AUDIT_KEY = "audit"
"""The name under which a tenant's key for audit digests is stored. The other names are those of vendors."""


class Credentials(Frozen):
    """The credentials that a vendor requires. A static token has no `refresh_token` and no `expires_at`."""

    access_token: SecretStr
    refresh_token: SecretStr | None = None
    expires_at: float | None = None
    """Seconds since the epoch."""
    in_doubt: bool = False
    """Whether a refresh was sent without an answer, so that the refresh token may be used up."""
    revoked: bool = False
    """Whether the vendor refused the refresh token, so that a person must connect again."""
    asked_at: float | None = None
    """When a process sent the refresh token, as long as it waits for the answer. Seconds since the epoch."""

    @field_serializer("access_token", "refresh_token", when_used="json")
    def _reveal(self, secret: SecretStr | None) -> str | None:
        """Write secrets into JSON, which is stored encrypted. Everything else (repr, logs, model_dump) shows asterisks."""
        return None if secret is None else secret.get_secret_value()


class LockedCredentials:
    """One tenant's credentials of one vendor, locked against other processes."""

    def __init__(self, connection: Connection, vault: Vault, tenant_id: str, name: str) -> None:
        self._connection, self._vault = connection, vault
        self._key = (tenant_id, name)

    def load(self) -> Credentials | None:
        """Load the credentials; None if there are none."""
        sealed = self._connection.execute(sa.select(credentials.c.sealed).where(_row(*self._key))).scalar()
        return None if sealed is None else Credentials.model_validate(self._vault.unseal(sealed, *self._key))

    def save(self, fresh: Credentials) -> None:
        """Store the credentials and commit, which also releases the lock."""
        sealed = self._vault.seal(fresh.model_dump(mode="json", exclude_none=True), *self._key)
        self._connection.execute(credentials.update().where(_row(*self._key)).values(sealed=sealed))
        self._connection.commit()


class CredentialStore:
    """All credentials of all tenants. Its methods block, so call them from a worker thread. Each raises `StoreError`."""

    def __init__(self, engine: Engine, vault: Vault) -> None:
        self._engine, self._vault = engine, vault

    def load(self, tenant_id: str, name: str) -> Credentials | None:
        """Return a tenant's credentials of a vendor, or None. Raises StoreError if they cannot be decrypted."""
        with connected(self._engine) as connection:
            return LockedCredentials(connection, self._vault, tenant_id, name).load()

    def save(self, tenant_id: str, name: str, fresh: Credentials) -> None:
        """Store or replace credentials."""
        sealed = self._vault.seal(fresh.model_dump(mode="json", exclude_none=True), tenant_id, name)
        with connected(self._engine, writes=True) as connection:
            replaced = connection.execute(credentials.update().where(_row(tenant_id, name)).values(sealed=sealed)).rowcount
            if not replaced:
                connection.execute(credentials.insert().values(tenant_id=tenant_id, name=name, sealed=sealed))

    def delete(self, tenant_id: str, name: str) -> None:
        """Delete a tenant's credentials of a vendor."""
        with connected(self._engine, writes=True) as connection:
            connection.execute(credentials.delete().where(_row(tenant_id, name)))

    def tenants_with(self, name: str) -> list[str]:
        """Return the ids of the tenants that have credentials of a vendor."""
        query = sa.select(credentials.c.tenant_id).where(credentials.c.name == name).order_by(credentials.c.tenant_id)
        with connected(self._engine) as connection:
            return list(connection.execute(query).scalars())

    @contextmanager
    def locked(self, tenant_id: str, name: str) -> Iterator[LockedCredentials]:
        """Lock the row against every other process until `save` or the end of the block.

        The first statement is a write, because that locks on every database: PostgreSQL locks the row, and SQLite the database
        for writing (like BEGIN IMMEDIATE), so that it waits for its turn instead of failing later.
        """
        with connected(self._engine) as connection:
            touch = credentials.update().where(_row(tenant_id, name)).values(locked=credentials.c.locked + 1)
            connection.execute(touch)
            yield LockedCredentials(connection, self._vault, tenant_id, name)
            connection.commit()

    def audit_key(self, tenant_id: str) -> bytes:
        """Return the tenant's key for digests in the audit. Without a key, short ids could be guessed from their digests."""
        with connected(self._engine) as connection:
            sealed = connection.execute(sa.select(credentials.c.sealed).where(_row(tenant_id, AUDIT_KEY))).scalar()
        if sealed is None:
            key = self._vault.seal(secrets.token_hex(32), tenant_id, AUDIT_KEY)
            # another process may be faster
            with suppress(sa.exc.IntegrityError), connected(self._engine, writes=True) as connection:
                connection.execute(credentials.insert().values(tenant_id=tenant_id, name=AUDIT_KEY, sealed=key))
            return self.audit_key(tenant_id)
        return bytes.fromhex(self._vault.unseal(sealed, tenant_id, AUDIT_KEY))

    def rotate(self) -> int:
        """Re-encrypt everything with the newest key, and return how many rows. Raises StoreError, without any change, if a row
        cannot be decrypted."""
        with connected(self._engine, writes=True) as connection:
            rows = connection.execute(sa.select(credentials.c.tenant_id, credentials.c.name)).all()
            for tenant_id, name in rows:
                connection.execute(credentials.update().where(_row(tenant_id, name)).values(locked=credentials.c.locked + 1))
                sealed = connection.execute(sa.select(credentials.c.sealed).where(_row(tenant_id, name))).scalar_one()
                connection.execute(credentials.update().where(_row(tenant_id, name)).values(sealed=self._vault.reseal(sealed)))
            return len(rows)


def _row(tenant_id: str, name: str) -> sa.ColumnElement[bool]:
    return sa.and_(credentials.c.tenant_id == tenant_id, credentials.c.name == name)
