"""The tables of durable runs; DBOS keeps its own beside them."""

import sqlalchemy as sa

from autonomy.durable.storage.packed_text import PackedText

metadata = sa.MetaData()

runs = sa.Table(
    "durable_runs",
    metadata,
    sa.Column("run_id", sa.String(160), primary_key=True),
    sa.Column("job", sa.String(128), nullable=False, default=""),
    sa.Column("tenant", sa.String(64), nullable=False, default="default"),
    sa.Column("actor", sa.String(128), nullable=False, default=""),
    sa.Column("state", sa.String(16), nullable=False),
    sa.Column("request", PackedText, nullable=False),
    sa.Column("result", PackedText),
    sa.Column("asked_at", sa.Float, nullable=False),
    sa.Column("ended_at", sa.Float),
    sa.Index("durable_runs_asked", "tenant", "asked_at"),
    sa.Index("durable_runs_state", "tenant", "state", "asked_at"),
    sa.Index("durable_runs_job", "tenant", "job", "asked_at"),
    sa.Index("durable_runs_ended", "tenant", "job", "ended_at"),
    sa.Index("durable_runs_job_state", "tenant", "job", "state", "asked_at"),
)

search_keys = sa.Table(
    "durable_search_keys",
    metadata,
    sa.Column("seq", sa.BigInteger().with_variant(sa.Integer, "sqlite"), primary_key=True, autoincrement=True),
    sa.Column("run_id", sa.String(160), nullable=False, unique=True),
    sa.Column("tenant", sa.String(64), nullable=False),
    comment="where each run stands in the full-text index (`run_search`), in the order in which runs were asked for",
)

effects = sa.Table(
    "durable_effects",
    metadata,
    sa.Column("key", sa.String(255), primary_key=True),
    sa.Column("run_id", sa.String(160), nullable=False, index=True),
    sa.Column("tool", sa.String(255), nullable=False),
    sa.Column("arguments_sha256", sa.String(64), nullable=False),
    sa.Column("state", sa.String(16), nullable=False, index=True),
    sa.Column("claim", sa.String(32), nullable=False),
    sa.Column("output", PackedText),
    sa.Column("started_at", sa.Float, nullable=False),
    sa.Column("settled_at", sa.Float),
    sa.Column("resolved_by", sa.String(128), nullable=False, default=""),
    sa.Column("note", sa.Text, nullable=False, default=""),
    sa.Column("answered_at", sa.Float, comment="when the gateway's client had its answer; null where nobody waits for one"),
    sa.Index("durable_effects_arguments", "arguments_sha256", "settled_at"),
)

approvals = sa.Table(
    "durable_approvals",
    metadata,
    sa.Column("id", sa.String(16), primary_key=True),
    sa.Column("run_id", sa.String(160), nullable=False),
    sa.Column("key", sa.String(128), nullable=False),
    sa.Column("tenant", sa.String(64), nullable=False),
    sa.Column("question", sa.Text, nullable=False),
    sa.Column("arguments_sha256", sa.String(64), nullable=False),
    sa.Column("state", sa.String(16), nullable=False),
    sa.Column("asked_at", sa.Float, nullable=False),
    sa.Column("expires_at", sa.Float, nullable=False),
    sa.Column("answered_at", sa.Float),
    sa.Column("answered_by", sa.String(128), nullable=False, default=""),
    sa.Column("reason", sa.Text, nullable=False, default=""),
    sa.Column("edited", sa.Text, comment="the arguments as JSON, where the person changed them before granting them"),
    sa.Index("durable_approvals_state", "state", "asked_at"),
)

schedules = sa.Table(
    "durable_schedules",
    metadata,
    sa.Column("job", sa.String(128), primary_key=True),
    sa.Column("handled_until", sa.Float, nullable=False),
    sa.Column("paused", sa.Boolean, nullable=False, default=False),
    sa.Column("paused_because", sa.Text, nullable=False, default=""),
    sa.Column("resumed_at", sa.Float, nullable=False, default=0.0),
)

ticks = sa.Table(
    "durable_ticks",
    metadata,
    sa.Column("job", sa.String(128), primary_key=True),
    sa.Column("due", sa.Float, primary_key=True),
    sa.Column("did", sa.String(16), nullable=False),
    sa.Column("reason", sa.Text, nullable=False, default=""),
    sa.Column("run_id", sa.String(160), nullable=False, index=True),
    sa.Column("handled_at", sa.Float, nullable=False),
    sa.Column("started", sa.Boolean, nullable=False, default=False),
    sa.Index("durable_ticks_waiting", "did", "started", "due"),
)

schedule_zone = sa.Table(
    "durable_schedule_zone",
    metadata,
    sa.Column("id", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("timezone", sa.String(64), nullable=False),
    comment="one row: the time zone of the schedules that name none, for every worker",
)

confirmed_time = sa.Table(
    "durable_confirmed_time",
    metadata,
    sa.Column("id", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("confirmed_at", sa.Float, nullable=False),
    sa.Column("seen_at", sa.Float, nullable=False),
    sa.Column("doubted_since", sa.Float),
    sa.Column("believed_at", sa.Float),
    comment="one row: the last time by which old runs could be deleted, and a clock that jumped ahead of it",
)

triggers = sa.Table(
    "durable_triggers",
    metadata,
    sa.Column("job", sa.String(128), primary_key=True),
    sa.Column("trigger", sa.String(64), primary_key=True),
    sa.Column("since", sa.Float, nullable=False),
    comment="since when what happens may start a job: when its trigger was first seen",
)

held_starts = sa.Table(
    "durable_held_starts",
    metadata,
    sa.Column("run_id", sa.String(160), primary_key=True),
    sa.Column("job", sa.String(128), nullable=False),
    sa.Column("inputs", sa.JSON, nullable=False),
    sa.Column("actor", sa.String(128), nullable=False),
    sa.Column("asked_at", sa.Float, nullable=False),
    sa.Column("reason", sa.Text, nullable=False),
)

alerts = sa.Table(
    "durable_alerts",
    metadata,
    sa.Column("run_id", sa.String(160), primary_key=True),
    sa.Column("job", sa.String(128), nullable=False),
    sa.Column("failures", sa.Integer, nullable=False),
    sa.Column("endings", sa.String(128), nullable=False),
    sa.Column("raised_at", sa.Float, nullable=False),
    sa.Column("told_at", sa.Float),
    sa.Column("how", sa.Text, nullable=False, default=""),
)

need_tools = sa.Table(
    "durable_need_tools",
    metadata,
    sa.Column("tenant", sa.String(64), primary_key=True),
    sa.Column("job", sa.String(128), primary_key=True),
    sa.Column("need", sa.String(100), primary_key=True),
    sa.Column("tool", sa.String(255), primary_key=True),
)

long_results = sa.Table(
    "durable_long_results",
    metadata,
    sa.Column("run_id", sa.String(160), primary_key=True),
    sa.Column("handle", sa.String(32), primary_key=True),
    sa.Column("number", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("text", PackedText, nullable=False, comment="a JSON list of one piece of the text"),
)

remote_tasks = sa.Table(
    "durable_remote_tasks",
    metadata,
    sa.Column("key", sa.String(255), primary_key=True),
    sa.Column("run_id", sa.String(160), nullable=False, index=True),
    sa.Column("task_id", sa.Text, nullable=False),
    sa.Column("began_at", sa.Float, nullable=False),
    comment="tasks that servers made of calls which have no answer yet (MCP, tasks)",
)

live_text = sa.Table(
    "durable_live_words",
    metadata,
    sa.Column("run_id", sa.String(160), primary_key=True),
    sa.Column("watched_until", sa.Float, nullable=False),
    sa.Column("text", sa.Text, nullable=False, default=""),
)

workers = sa.Table(
    "durable_workers",
    metadata,
    sa.Column("name", sa.String(255), primary_key=True),
    sa.Column("kind", sa.String(16), nullable=False),
    sa.Column("host", sa.String(255), nullable=False),
    sa.Column("pid", sa.Integer, nullable=False),
    sa.Column("here", sa.Integer, nullable=False),
    sa.Column("tenant", sa.Integer, nullable=False),
    sa.Column("started_at", sa.Float, nullable=False),
    sa.Column("seen_at", sa.Float, nullable=False),
    comment="what each worker says of itself; whether its process lives is told by its lock",
)
