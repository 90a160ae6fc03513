"""The tables of discovery, for SQLite and PostgreSQL."""

from typing import TYPE_CHECKING

from sqlalchemy import (
    JSON,
    Boolean,
    Column,
    Connection,
    Float,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    String,
    Table,
    Text,
    inspect,
)

if TYPE_CHECKING:
    from sqlalchemy.dialects import postgresql, sqlite

metadata = MetaData()

usage = Table(
    "discovery_usage",
    metadata,
    Column("fingerprint", String(64), primary_key=True),
    Column("tool", String(64), nullable=False),
    Column("version", Integer, nullable=False),  # raised by every writer, so that two processes never overwrite each other
    Column("updated_at", Float, nullable=False),
    Column("learned", JSON, nullable=False),  # discovery.hints.usage.ToolUsage
    Column("shown", JSON),  # discovery.hints.shown_effects.ShownEffect; null where an older release wrote
    Index("ix_discovery_usage_updated_at", "updated_at"),
)
"""Usage statistics of each tool, keyed by its definition: a changed tool starts anew."""

pins = Table(
    "discovery_pins",
    metadata,
    Column("provider", String(200), primary_key=True),
    Column("tool", String(200), primary_key=True),
    Column("fingerprint", String(64), nullable=False),
    Column("definition", JSON, nullable=False),  # discovery.catalog.ToolSpec, as approved
    Column("approved_at", Float, nullable=False),
    Column("approved_by", String(200), nullable=False),
)
"""The definition of each tool that was seen first, or approved by a person."""

definition_changes = Table(
    "discovery_definition_changes",
    metadata,
    Column("id", Integer, primary_key=True, autoincrement=True),
    Column("provider", String(200), nullable=False),
    Column("tool", String(200), nullable=False),
    Column("fingerprint", String(64), nullable=False),
    Column("seen_at", Float, nullable=False),
    Column("held", Boolean, nullable=False),
    Column("summary", Text, nullable=False),
    Index("ix_discovery_definition_changes_tool", "provider", "tool"),
)
"""Every change of a pinned definition, once per new definition."""

rate_limits = Table(
    "discovery_rate_limits",
    metadata,
    Column("provider", String(200), primary_key=True),
    Column("starts", JSON, nullable=False),  # when the calls of the last while started, or will; epoch seconds, ascending
    Column("free_at", Float, nullable=False),  # nothing is sent before; epoch seconds
    Column("seen_at", Float, nullable=False, server_default="0"),  # the clock when both were written; epoch seconds
)
"""The calls that count against a provider's rate limit, of all processes together."""

embeddings = Table(
    "discovery_embeddings",
    metadata,
    Column("encoder", String(80), primary_key=True),
    Column("text_sha256", String(64), primary_key=True),
    Column("vector", LargeBinary, nullable=False),  # little-endian float16
    Column("used_at", Float, nullable=False),
)
"""The vectors of tool descriptions; each takes some milliseconds to compute."""

listings = Table(
    "discovery_listings",
    metadata,
    Column("provider", String(200), primary_key=True),
    Column("config_fingerprint", String(64), primary_key=True),  # another command or address is another provider
    Column("listing", JSON, nullable=False),  # discovery.catalog.Listing
    Column("saved_at", Float, nullable=False),
)
"""The last listing of each provider, shown while the provider cannot be reached."""

sign_ins = Table(
    "discovery_sign_ins",
    metadata,
    Column("server_url", String(500), primary_key=True),
    Column("sealed", LargeBinary, nullable=False),  # discovery.transport.authorization.oauth.SignIn, encrypted
    Column("locked_until", Float, nullable=False),  # while a process renews the tokens; epoch seconds
)
"""The tokens of remote servers, encrypted."""


def keep_what_calls_showed(connection: Connection) -> None:
    """Upgrade to version 2: what the calls of a tool showed of its effect. Processes of older versions go on beside it."""
    if "shown" not in {column["name"] for column in inspect(connection).get_columns("discovery_usage")}:
        connection.exec_driver_sql("ALTER TABLE discovery_usage ADD COLUMN shown JSON")


def keep_when_limits_were_written(connection: Connection) -> None:
    """Upgrade to version 3: by which clock the calls of a limit were noted, since it may be set back afterwards."""
    if "seen_at" not in {column["name"] for column in inspect(connection).get_columns("discovery_rate_limits")}:
        connection.exec_driver_sql("ALTER TABLE discovery_rate_limits ADD COLUMN seen_at FLOAT NOT NULL DEFAULT 0")


def insertion(connection: Connection, table: Table) -> "postgresql.Insert | sqlite.Insert":
    """An insertion in the form of this kind of database, which can say what becomes of a row that is there.

    Only that kind is imported: PostgreSQL brings the forms of all its drivers, a sixtieth of a command's start.
    """
    if connection.dialect.name == "postgresql":
        from sqlalchemy.dialects import postgresql

        return postgresql.insert(table)
    from sqlalchemy.dialects import sqlite

    return sqlite.insert(table)
