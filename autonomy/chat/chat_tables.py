"""The tables of conversations: messages, requests, and posts in Slack."""

import sqlalchemy as sa

metadata = sa.MetaData()

messages = sa.Table(
    "chat_messages",
    metadata,
    sa.Column("id", sa.Integer, primary_key=True),
    sa.Column("tenant", sa.String(64), nullable=False),
    sa.Column("thread", sa.String(160), nullable=False),
    sa.Column("run_id", sa.String(160), nullable=False),
    sa.Column("role", sa.String(16), nullable=False),
    sa.Column("user_id", sa.String(64), nullable=False, default=""),
    sa.Column("text", sa.Text, nullable=False),
    sa.Column("at", sa.Float, nullable=False),
    sa.UniqueConstraint("run_id", "role"),
    sa.Index("chat_messages_thread", "tenant", "thread", "id"),
)

requests = sa.Table(
    "chat_requests",
    metadata,
    sa.Column("run_id", sa.String(160), primary_key=True),
    sa.Column("event_id", sa.String(64), nullable=False, unique=True),
    sa.Column("channel", sa.String(32), nullable=False),
    sa.Column("ts", sa.String(32), nullable=False),
    sa.Column("thread_ts", sa.String(32), nullable=False),
    sa.Column("state", sa.String(16), nullable=False, index=True),
    sa.Column("message", sa.Text, nullable=False),
    sa.Column("taken_at", sa.Float, nullable=False),
    sa.Column("note", sa.Text, nullable=False, default=""),
    sa.UniqueConstraint("channel", "ts"),
    sa.Index("chat_requests_thread", "channel", "thread_ts"),
)

posts = sa.Table(
    "chat_posts",
    metadata,
    sa.Column(
        "key", sa.String(200), primary_key=True, comment="RUN/answer, report/RUN/NUMBER or approval/ID: they go with their run"
    ),
    sa.Column("channel", sa.String(32), nullable=False),
    sa.Column("thread_ts", sa.String(32), nullable=False, default=""),
    sa.Column("ts", sa.String(32), nullable=False, default=""),
    sa.Column("state", sa.String(16), nullable=False),
    sa.Column("at", sa.Float, nullable=False),
)
