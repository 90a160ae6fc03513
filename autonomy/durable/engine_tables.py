"""DBOS's workflow table, as far as we read and write it without an engine."""

import time
from collections.abc import Collection
from typing import Any

import sqlalchemy as sa

from autonomy.database import for_reads

OWN_PREFIX = "own:"
"""The prefix of the name of a process's own queue."""

QUEUE, SUSPECTS = "runs", "suspects"
"""The queue for any worker; and that of runs whose processes died again and again, which run one at a time."""

WAITING = "waiting"
"""The queue of runs that wait for a person: nothing is dequeued from it, and they take no place in another."""

ATTEMPTS = 50
"""Attempts without progress whose process died, before a run counts as the one that kills it. Progress resets the count, and a
process that ends in good order does not add to it."""

SUSPECT = 20
"""After so many of them a run waits to run alone, so that those that died with another get on. Fewer would make a machine that
kills everything every second take one step at a time where all runs could take one."""

_TURN = 1_000_000
"""Added to the priority of a run that goes to the end of the suspects' queue; given priorities are smaller."""

Row = Any
"""The engine's row of a run, from `status_table`; its type depends on the number of its columns."""


def waits_for_person(step: str) -> bool:
    """Whether a step only waits for a person."""
    return step.endswith("/approval")


def status_table(engine: sa.Engine) -> sa.TableClause:
    """DBOS's table of workflows, as far as we read and write it."""
    names = ("workflow_uuid", "status", "executor_id", "queue_name", "queue_partition_key", "owner_xid", "started_at_epoch_ms")
    more = ("updated_at", "recovery_attempts", "workflow_deadline_epoch_ms", "deduplication_id", "completed_at", "priority")
    columns: list[sa.ColumnClause[str]] = [sa.column(name) for name in (*names, *more)]
    return sa.table("workflow_status", *columns, schema="dbos" if engine.dialect.name == "postgresql" else None)


def steps_table(connection: sa.Connection) -> sa.TableClause | None:
    """DBOS's table of steps, as far as we read it; None before the engine has ever been started on this database."""
    schema = "dbos" if connection.dialect.name == "postgresql" else None
    if not sa.inspect(connection).has_table("operation_outputs", schema):
        return None
    columns: list[sa.ColumnClause[Any]] = [
        sa.column(name) for name in ("workflow_uuid", "function_id", "function_name", "output")
    ]
    return sa.table("operation_outputs", *columns, schema=schema)


def stored_steps(connection: sa.Connection, run_id: str, *patterns: str) -> list[tuple[str, str]]:
    """The names and stored results of a run's steps, in order; `patterns`: only those whose names are like one of these."""
    table = steps_table(connection)
    if table is None:
        return []
    name, output = table.c.function_name, table.c.output
    condition = sa.or_(*(name.like(one) for one in patterns)) if patterns else sa.not_(name.startswith("DBOS."))
    query = sa.select(name, output).where(table.c.workflow_uuid == run_id, output.is_not(None), condition)
    return [(step, gave) for step, gave in connection.execute(query.order_by(table.c.function_id))]


def row_of(engine: sa.Engine, run_id: str) -> Row | None:
    """The engine's row of a run; None if the engine never ran on this database."""
    return rows_of(engine, [run_id]).get(run_id)


def rows_of(engine: sa.Engine, run_ids: Collection[str]) -> dict[str, Row]:
    """The engine's rows of those of the runs that it knows, by their ids."""
    if not run_ids or not has_engine(engine):
        return {}
    table = status_table(engine)
    with for_reads(engine).connect() as connection:
        rows = connection.execute(sa.select(*table.c).where(table.c.workflow_uuid.in_(run_ids)))
        return {row.workflow_uuid: row for row in rows}


def own_queue(executor_id: str) -> str:
    """The queue that only the process of that name serves."""
    return OWN_PREFIX + executor_id


def owner_of(row: Row) -> str:
    """The process that owns a run; empty for one that waits for any worker or has ended."""
    if row.status == "PENDING":
        return row.executor_id or ""
    queue: str = row.queue_name or ""
    return queue.removeprefix(OWN_PREFIX) if row.status == "ENQUEUED" and queue.startswith(OWN_PREFIX) else ""


def has_engine(engine: sa.Engine) -> bool:
    """Whether the engine was ever started on this database."""
    table = status_table(engine)
    return sa.inspect(engine).has_table(table.name, table.schema)


def owners(engine: sa.Engine) -> dict[str, list[str]]:
    """The names of the processes that own unfinished runs, and the ids of these."""
    table = status_table(engine)
    owned = (table.c.status == "PENDING") | ((table.c.status == "ENQUEUED") & table.c.queue_name.startswith(OWN_PREFIX))
    found: dict[str, list[str]] = {}
    with for_reads(engine).connect() as connection:
        query = sa.select(table.c.workflow_uuid, table.c.status, table.c.executor_id, table.c.queue_name).where(owned)
        for row in connection.execute(query.order_by(table.c.workflow_uuid)):
            if owner := owner_of(row):
                found.setdefault(owner, []).append(row.workflow_uuid)
    return found


def requeue(connection: sa.Connection, seen: Row, queue: str, tenant: str, *, anew: bool = False, counted: bool = True) -> bool:
    """Put a run into a queue if its row is still as it was `seen`; whether it was.

    DBOS's own way back (`reenqueue_for_recovery`, `resume_workflows`) leaves a run without a queue to any process with an engine.
    `anew`: reset its count of attempts, as when a person resumes it. `counted`: whether the attempt that ends here counts; that
    of a process that lives on does not.
    """
    table = status_table(connection.engine)
    unchanged = [table.c[name].is_not_distinct_from(getattr(seen, name)) for name in ("status", "executor_id", "queue_name")]
    values: dict[str, object] = {
        "status": "ENQUEUED",
        "queue_name": queue,
        "queue_partition_key": tenant,
        "owner_xid": None,
        "started_at_epoch_ms": None,
        "completed_at": None,
        "updated_at": int(time.time() * 1000),
    }
    if not counted:
        values["recovery_attempts"] = _one_less(table)
    elif queue == QUEUE and not anew and seen.recovery_attempts >= SUSPECT:  # at the end of their line, so that each has its turn
        values |= {"queue_name": SUSPECTS, "priority": sa.type_coerce(table.c.priority, sa.Integer) + _TURN}
    if anew:
        values |= {"recovery_attempts": 0, "workflow_deadline_epoch_ms": None, "deduplication_id": None}
        values["priority"] = _given_priority(table)
    is_this_run = table.c.workflow_uuid == seen.workflow_uuid
    return connection.execute(sa.update(table).where(is_this_run, *unchanged).values(values)).rowcount == 1


def progress_statement(connection: sa.Connection, run_id: str, owner_xid: str | None = None) -> sa.Executable:
    """A statement that records that a run made progress or waits for a person, which resets its count of attempts.

    `owner_xid`: only where this execution has it.
    """
    table = status_table(connection.engine)
    is_its = [table.c.workflow_uuid == run_id, table.c.recovery_attempts > 1, table.c.status == "PENDING"]
    if owner_xid is not None:
        is_its.append(table.c.owner_xid == owner_xid)
    queue = sa.case((table.c.queue_name == SUSPECTS, QUEUE), else_=table.c.queue_name)
    return sa.update(table).where(*is_its).values(recovery_attempts=1, queue_name=queue, priority=_given_priority(table))


def change_queue(connection: sa.Connection, run_id: str, before: str, after: str) -> None:
    """Move a running run to another queue, unless it has moved on meanwhile."""
    table = status_table(connection.engine)
    its = (table.c.workflow_uuid == run_id, table.c.status == "PENDING", table.c.queue_name == before)
    connection.execute(sa.update(table).where(*its).values(queue_name=after))


def forget_attempt(engine: sa.Engine, executor_id: str) -> None:
    """Record that a process ended in good order, so that its unfinished runs cannot have killed it. Blocks."""
    table = status_table(engine)
    conditions = (table.c.executor_id == executor_id, table.c.status == "PENDING")
    with engine.begin() as connection:
        connection.execute(sa.update(table).where(*conditions).values(recovery_attempts=_one_less(table)))


def _one_less(table: sa.TableClause) -> sa.ColumnElement[int]:
    attempts: sa.ColumnElement[int] = sa.type_coerce(table.c.recovery_attempts, sa.Integer)
    return sa.case((attempts > 0, attempts - 1), else_=0)


def _given_priority(table: sa.TableClause) -> sa.ColumnElement[int]:
    """The priority that a run was given, without what was added to it as a suspect."""
    priority: sa.ColumnElement[int] = sa.type_coerce(table.c.priority, sa.Integer)
    return priority % _TURN
