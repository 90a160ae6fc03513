"""Defines the database tables of the HR tools, and connects to them. Every key begins with the tenant."""

from collections.abc import Iterator
from contextlib import contextmanager

import sqlalchemy as sa

from autonomy.errors import StoreError
from discovery.discovery_errors import words_of

metadata = sa.MetaData()

tenants = sa.Table(
    "hr_tenants",
    metadata,
    sa.Column("tenant_id", sa.String(64), primary_key=True),
    sa.Column("settings", sa.Text, nullable=False),
)

permissions = sa.Table(
    "hr_tool_permissions",
    metadata,
    sa.Column("tenant_id", sa.String(64), primary_key=True),
    sa.Column("tool", sa.String(64), primary_key=True),
    sa.Column("permission", sa.String(24), nullable=False),
)

credentials = sa.Table(
    "hr_credentials",
    metadata,
    sa.Column("tenant_id", sa.String(64), primary_key=True),
    sa.Column("name", sa.String(32), primary_key=True),
    sa.Column("sealed", sa.Text, nullable=False),
    sa.Column("locked", sa.Integer, nullable=False, server_default="0"),
)

managed_calls = sa.Table(
    "hr_managed_calls",
    metadata,
    sa.Column("tenant_id", sa.String(64), primary_key=True),
    sa.Column("session_id", sa.String(128), primary_key=True),
    sa.Column("event_id", sa.String(128), primary_key=True),
    sa.Column("worker", sa.String(64), nullable=False),
    sa.Column("claimed_at", sa.Float, nullable=False),
    sa.Column("sealed_result", sa.Text),
)


@contextmanager
def connected(engine: sa.Engine, *, writes: bool = False) -> Iterator[sa.Connection]:
    """Connect for a block, with `writes` in a transaction. Raises `StoreError` where the database cannot be used, and
    `IntegrityError` where another process was faster."""
    try:
        with engine.begin() if writes else engine.connect() as connection:
            yield connection
    except sa.exc.IntegrityError:
        raise
    except sa.exc.SQLAlchemyError as error:
        raise StoreError(f"the database cannot be used: {words_of(error)}") from error
