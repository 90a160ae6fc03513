"""The migrations of this package's tables, one function per version (`autonomy.database.SchemaModule`)."""

import sqlalchemy as sa

from autonomy.database import SchemaModule
from autonomy.durable.durable_tables import metadata, runs
from autonomy.durable.records.run_search import index_row


def _edited_approvals_and_search(connection: sa.Connection) -> None:
    """2: what a person made of a call's arguments, lists by state and by job, and runs found by their words."""
    connection.exec_driver_sql("ALTER TABLE durable_approvals ADD COLUMN edited TEXT")
    for name, columns in (("state", "tenant, state, asked_at"), ("job", "tenant, job, asked_at")):
        connection.exec_driver_sql(f"CREATE INDEX IF NOT EXISTS durable_runs_{name} ON durable_runs ({columns})")
    for run_id in connection.scalars(sa.select(runs.c.run_id).order_by(runs.c.asked_at)).all():
        index_row(connection, run_id)


def _jobs_by_state(connection: sa.Connection) -> None:
    """3: the runs of a job that ended in one way, of which there may be none among many."""
    connection.exec_driver_sql("CREATE INDEX IF NOT EXISTS durable_runs_job_state ON durable_runs (tenant, job, state, asked_at)")


def _goals_and_talks(connection: sa.Connection) -> None:
    """4: runs found by their whole goal, and those that people asked for in a conversation."""
    for run_id in connection.scalars(sa.select(runs.c.run_id).order_by(runs.c.asked_at)).all():
        index_row(connection, run_id)


def _answered_writes(connection: sa.Connection) -> None:
    """5: which writes a client of the gateway knows of, and those with the same arguments."""
    if "answered_at" not in {column["name"] for column in sa.inspect(connection).get_columns("durable_effects")}:
        connection.exec_driver_sql("ALTER TABLE durable_effects ADD COLUMN answered_at FLOAT")
    connection.exec_driver_sql(
        "CREATE INDEX IF NOT EXISTS durable_effects_arguments ON durable_effects (arguments_sha256, settled_at)"
    )


def _waiting_ticks(connection: sa.Connection) -> None:
    """6: the ticks that are to start, for which every worker looks each second."""
    connection.exec_driver_sql("CREATE INDEX IF NOT EXISTS durable_ticks_waiting ON durable_ticks (did, started, due)")


def _ended_runs(connection: sa.Connection) -> None:
    """7: the runs of a job that have ended lately, which start others."""
    connection.exec_driver_sql("CREATE INDEX IF NOT EXISTS durable_runs_ended ON durable_runs (tenant, job, ended_at)")


_UPGRADES = [_edited_approvals_and_search, _jobs_by_state, _goals_and_talks, _answered_writes, _waiting_ticks, _ended_runs]

DURABLE = SchemaModule("durable", metadata, _UPGRADES)
"""What the database is brought up to (`autonomy.database.migrate`)."""
