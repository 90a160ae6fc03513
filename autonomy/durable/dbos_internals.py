"""Every use of a DBOS name that is not public API.

`tests/autonomy/durable/test_dbos_internals.py` asserts each of them. DBOS is pinned to the version they were read in.
"""

import asyncio
import logging
import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any

import sqlalchemy as sa
from dbos import DBOS
from dbos._error import DBOSException as DBOSException

OWN = "own:"
"""What the name of a process's own queue begins with."""

Row = Any
"""What the engine knows of a run: a row of `status_table`, whose type depends on the number of its columns."""

_STEP_CUT_SHORT = "Asyncio task cancelled"


def status_table(engine: sa.Engine) -> sa.TableClause:
    """DBOS's table of workflows, as far as we read and write it."""
    names = ("workflow_uuid", "status", "executor_id", "queue_name", "queue_partition_key", "owner_xid", "started_at_epoch_ms")
    more = ("updated_at", "recovery_attempts", "workflow_deadline_epoch_ms", "deduplication_id", "completed_at")
    columns: list[sa.ColumnClause[str]] = [sa.column(name) for name in (*names, *more)]
    return sa.table("workflow_status", *columns, schema="dbos" if engine.dialect.name == "postgresql" else None)


def row_of(engine: sa.Engine, run_id: str) -> Row | None:
    """What the engine knows of a run; nothing where the engine was never started on this database."""
    table = status_table(engine)
    if not sa.inspect(engine).has_table(table.name, table.schema):
        return None
    with engine.connect() as connection:
        return connection.execute(sa.select(*table.c).where(table.c.workflow_uuid == run_id)).one_or_none()


def own_queue(executor_id: str) -> str:
    """The queue that only the process of that name serves."""
    return OWN + executor_id


def owner_of(row: Row) -> str:
    """The process that a run belongs to; nothing for one that waits for any worker, or has ended."""
    if row.status == "PENDING":
        return row.executor_id or ""
    queue: str = row.queue_name or ""
    return queue.removeprefix(OWN) if row.status == "ENQUEUED" and queue.startswith(OWN) else ""


def owners(engine: sa.Engine) -> set[str]:
    """The names of the processes that own unfinished runs."""
    table = status_table(engine)
    owned = (table.c.status == "PENDING") | ((table.c.status == "ENQUEUED") & table.c.queue_name.startswith(OWN))
    with engine.connect() as connection:
        rows = connection.execute(sa.select(table.c.status, table.c.executor_id, table.c.queue_name).where(owned).distinct())
        return {owner for row in rows if (owner := owner_of(row))}


def requeue(connection: sa.Connection, seen: Row, queue: str, tenant: str, *, anew: bool = False) -> bool:
    """Put a run into a queue, if it still stands as it was `seen`; whether it did.

    DBOS's own way back (`reenqueue_for_recovery`, `resume_workflows`) leaves a run without a queue to whoever has an engine
    running.
    `anew`: what was counted against it so far no longer counts, as when a person resumes it.
    """
    table = status_table(connection.engine)
    unchanged = [table.c[name].is_not_distinct_from(getattr(seen, name)) for name in ("status", "executor_id", "queue_name")]
    values: dict[str, object] = {
        "status": "ENQUEUED",
        "queue_name": queue,
        "queue_partition_key": tenant,
        "owner_xid": None,
        "started_at_epoch_ms": None,
        "updated_at": int(time.time() * 1000),
    }
    if anew:
        values |= {"recovery_attempts": 0, "workflow_deadline_epoch_ms": None, "deduplication_id": None, "completed_at": None}
    mine = table.c.workflow_uuid == seen.workflow_uuid
    return connection.execute(sa.update(table).where(mine, *unchanged).values(values)).rowcount == 1


def serve_own_queue(dbos: DBOS, executor_id: str, poll_s: float) -> None:
    """Serve the queue that is ours alone, from the launch on."""
    dbos._registry._register_internal_queue(own_queue(executor_id), polling_interval_sec=poll_s)


def leave_own_queue(dbos: DBOS, executor_id: str) -> None:
    """Serve it no more: DBOS's registry outlasts its engine."""
    dbos._registry.internal_queue_map.pop(own_queue(executor_id), None)


def run_on(dbos: DBOS, loop: asyncio.AbstractEventLoop) -> None:
    """Run workflows on a loop: what DBOS does itself when it is launched on a running one."""
    dbos._background_event_loop._main_loop = loop


def count_and_take_at_once(dbos: DBOS) -> None:
    """See `_at_once`; for SQLite."""
    dbos._sys_db._begin = partial(_at_once, dbos._sys_db.engine)  # type: ignore[method-assign]


def stop_intake(dbos: DBOS) -> None:
    """Take nothing more from any queue; what runs goes on."""
    for intake in dbos.background_thread_stop_events:
        intake.set()


def hush() -> None:
    """Drop what DBOS says of each step that is cut short: whoever interrupts a run says so, once. Calling it again changes
    nothing."""
    logging.getLogger("dbos").addFilter(_not_cut_short)


def _not_cut_short(record: logging.LogRecord) -> bool:
    return not record.getMessage().startswith(_STEP_CUT_SHORT)


@contextmanager
def _at_once(engine: sa.Engine, _isolation: str | None) -> Iterator[sa.Connection]:
    """The transaction in which a queue counts what runs and takes what may run too.

    DBOS has only thought of PostgreSQL there: in SQLite a transaction begins with its first write, after the counting, so that
    two workers both found the same free place, and a tenant had more runs at once than it may.
    """
    with engine.begin() as connection:
        connection.exec_driver_sql("BEGIN IMMEDIATE")
        yield connection
