"""Defines the database tables of the HR tools. Every key begins with the tenant."""

import sqlalchemy as sa

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
