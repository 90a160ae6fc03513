"""The tables of this room."""

import sqlalchemy as sa

metadata = sa.MetaData()

runs = sa.Table(
    "durable_runs",
    metadata,
    sa.Column("run_id", sa.String(64), primary_key=True),
    sa.Column("job", sa.String(128), nullable=False, default=""),
    sa.Column("tenant", sa.String(64), nullable=False, default="default"),
    sa.Column("actor", sa.String(128), nullable=False, default=""),
    sa.Column("state", sa.String(16), nullable=False),
    sa.Column("request", sa.Text, nullable=False),
    sa.Column("result", sa.Text),
    sa.Column("asked_at", sa.Float, nullable=False),
    sa.Column("ended_at", sa.Float),
    sa.Index("durable_runs_asked", "tenant", "asked_at"),
)
