"""Adapts an engine where DBOS has no public API: its tables, logs, retry waits and queues."""

import asyncio
import logging
import re
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from typing import Any

import sqlalchemy as sa
from dbos import _sys_db
from dbos._core import WorkflowHandleAsyncTask
from dbos._dbos import _get_dbos_instance
from dbos._error import DBOSAwaitedWorkflowCancelledError, DBOSInitializationError

from autonomy.database import for_reads
from autonomy.durable.dbos_internals import DBOS, DBOSClient
from autonomy.durable.engine_tables import own_queue
from metrics.written_out import WrittenOut

MOST_WAIT_S = 2.0
"""Between two attempts while the database is away. DBOS's own waits grow to 90 s: runs would stand still for so long after it is
back, and a process that is told to stop would wait for the longest of them."""

LAST_WAIT_S = 0.02
"""Between two looks of a thread of DBOS's that has not heard yet that its engine ends."""

_STEP_CUT_SHORT = "Asyncio task cancelled"

_FULL = "The total number of pending workflows"
"""Said at each look while runs that a person has answered go on beside those that took their places."""

_NOT_LAUNCHED = "DBOS failed to launch"
"""Whoever launches it says so, and why."""

_IN_A_QUEUE = "Workflow already exists in queue"
"""Said of each run that is asked for again by its id, as `serve` does at its start: it goes on where it is."""

_CANCELLED = "was cancelled during execution"
"""Said of each run that a person takes back, and then once more as an error with its traceback."""

_DETAIL = "\nDETAIL: "

_RAISED = re.compile(r"^[A-Za-z_][\w.]*[a-z]\w*(?:: .*)?$", re.MULTILINE)
"""The line of a traceback that names the error: a class and its words. Frames are indented, what libraries add is in brackets."""


def has_all_tables(client: DBOSClient) -> bool:
    """Whether DBOS's tables are there, as this version or a newer one makes them."""
    try:
        client._sys_db.verify_migrations()
    except DBOSInitializationError:
        return False
    return True


def make_tables(client: DBOSClient) -> None:
    """Make or upgrade DBOS's tables, as a launch does; a client does not, for it may not be allowed to."""
    client._sys_db.run_migrations()


def filter_logs() -> None:
    """Filter DBOS's log: drop its lines on cancelled steps and runs and on failed launches, which are logged elsewhere; shorten
    tracebacks to their last line, and leave out SQL and rows. Calling it again changes nothing.

    Without a handler DBOS would add its own, past those of the process, which hide secrets; so it gets one that does nothing.
    """
    logger = logging.getLogger("dbos")
    logger.addFilter(_is_not_repeated)
    logger.addFilter(_without_traceback)
    logger.addFilter(_without_statement)
    if not logger.handlers:
        logger.addHandler(logging.NullHandler())


def _is_not_repeated(record: logging.LogRecord) -> bool:
    if record.exc_info and isinstance(record.exc_info[1], DBOSAwaitedWorkflowCancelledError):
        return False
    said = record.getMessage()
    return not said.startswith((_STEP_CUT_SHORT, _NOT_LAUNCHED, _FULL, _IN_A_QUEUE)) and _CANCELLED not in said


def _without_traceback(record: logging.LogRecord) -> bool:
    before, found, after = record.getMessage().partition("Traceback (most recent call last):")
    if found:
        raised = _RAISED.findall(after)
        record.msg, record.args = f"{before}{raised[-1] if raised else ''}", ()  # of a chain of errors the last was caught
    return True


def _without_statement(record: logging.LogRecord) -> bool:
    """Of a database's error its own words stay: behind them stand up to 1.5 kB of SQL, and `DETAIL` may show what a row holds."""
    before, found, after = record.getMessage().partition("\n[SQL: ")
    if found:
        _, _, goes_on = after.partition("https://sqlalche.me/")
        record.msg, record.args = f"{before.partition(_DETAIL)[0]}{goes_on.partition(')')[2]}", ()
    return True


def limit_retry_waits() -> "ShortWaits":
    """Limit DBOS's waits between two attempts at a database that is away or locked to `MOST_WAIT_S`."""
    waits = ShortWaits()
    vars(_sys_db)["time"] = waits
    return waits


class ShortWaits:
    """Stands for the module `time` in DBOS's database code, with a limited and interruptible `sleep`."""

    def __init__(self) -> None:
        self._ended = threading.Event()

    def __getattr__(self, name: str) -> Any:
        return getattr(time, name)

    def sleep(self, seconds: float) -> None:
        """Wait at most `MOST_WAIT_S`; after `end`, raise the failure of the attempt before, if there is one."""
        if not self._ended.is_set():
            self._ended.wait(min(seconds, MOST_WAIT_S))
            return
        if (failure := sys.exc_info()[1]) is not None:
            raise failure
        time.sleep(min(seconds, LAST_WAIT_S))

    def end(self) -> None:
        """End all waits, those for the database by their failure, so that a process that is told to stop ends without it.

        The failure is not stored, so the run goes on from there when it is resumed.
        """
        self._ended.set()


@contextmanager
def uncounted(run_id: str, queue: str) -> Iterator[None]:
    """Within the block, a run of this process does not count as one of its queue."""
    active = _get_dbos_instance()._active_workflows_set
    with active._lock:
        buckets = active._m.get(run_id, [])
        counted = next((bucket for bucket in buckets if bucket is not None and bucket[0] == queue), None)
        if counted is not None:
            buckets[buckets.index(counted)] = None
    try:
        yield
    finally:
        if counted is not None:
            with active._lock:
                buckets[buckets.index(None)] = counted


def prepare_launch(dbos: DBOS, executor_id: str, poll_s: float, loop: asyncio.AbstractEventLoop) -> None:
    """Serve the queue that is ours alone, and run workflows on a loop, as DBOS does when it is launched on a running one."""
    dbos._registry._register_internal_queue(own_queue(executor_id), polling_interval_sec=poll_s)
    dbos._background_event_loop._main_loop = loop


def leave_own_queue(dbos: DBOS, executor_id: str) -> None:
    """Stop serving the queue that is ours alone: DBOS's registry outlasts its engine."""
    dbos._registry.internal_queue_map.pop(own_queue(executor_id), None)


def disable_notifier() -> None:
    """Start no notifier over PostgreSQL: it polls a hundred times a second for notifications that we never send."""
    from dbos._sys_db_postgres import PostgresSystemDatabase

    PostgresSystemDatabase.run_notifier = _sys_db.SystemDatabase.run_notifier  # type: ignore[method-assign]


def serialize_dequeues(dbos: DBOS) -> None:
    """Let only one process at a time count what runs and take what may run too; for SQLite. See `_serialized`."""
    dbos._sys_db._begin = partial(_serialized, dbos._sys_db.engine)  # type: ignore[method-assign]


@contextmanager
def _serialized(engine: sa.Engine, _isolation: str | None) -> Iterator[sa.Connection]:
    """The transaction in which a queue counts what runs and takes what may run too.

    DBOS has only thought of PostgreSQL there: in SQLite a transaction begins with its first write, after the counting, so that
    two workers both found the same free place, and a tenant had more runs at once than it may.
    """
    with engine.begin() as connection:
        connection.exec_driver_sql("BEGIN IMMEDIATE")
        yield connection


def install_cheap_polling(dbos: DBOS) -> None:
    """Make DBOS's polling of empty queues cheap, and stop its polling for delays and deadlines, which our runs never have.

    To be called when the queues are declared.
    """
    dbos._background_jobs_stop_event.set()
    looks = _QueueLooks(dbos._sys_db, dbos._active_workflows_set.count_for_queue)
    dbos._sys_db.dequeue_scopes = looks.scopes  # type: ignore[method-assign,assignment]
    dbos._sys_db.get_queue = looks.queue  # type: ignore[method-assign,assignment]
    dbos._sys_db.list_queues = looks.queues  # type: ignore[method-assign]


class _QueueLooks:
    """Polls queues by one prepared statement, and reads their limits again only when a run waits and there is a place for it.

    DBOS reads the limits of each queue, and what waits in it, by statements that it builds anew: 4 ms each time.
    """

    def __init__(self, system: _sys_db.SystemDatabase, running: Callable[[str], int]) -> None:
        """`running`: how many runs of a queue this process executes."""
        self._read, self._scopes, self._running = system.get_queue, system.dequeue_scopes, running
        self._known = {queue.name: queue for queue in system.list_queues(application_name=system.app_name)}
        status = system.tables.workflow_status
        waits = (
            status.c.queue_name == sa.bindparam("of_queue"),
            status.c.status == "ENQUEUED",
            system._in_flight_status_prover(),
        )
        self._one_waits = WrittenOut(sa.select(sa.literal_column("1")).where(*waits).limit(1))
        self._engine = for_reads(system.engine)

    def scopes(self, name: str) -> list[str | None]:
        """`dequeue_scopes`: none where no run waits or may begin. While the database is away, DBOS finds out and waits."""
        most = self._known[name]._worker_concurrency if name in self._known else None
        if most is not None and self._running(name) >= most:
            return []  # without asking who waits, five times a second beside runs that wait for their calls
        with suppress(sa.exc.SQLAlchemyError):
            with self._engine.connect() as connection:
                if not self._one_waits.execute(connection, {"of_queue": name}):
                    return []
            if name in self._known and (latest := self._read(name)) is not None:
                self._known[name]._refresh_fields(latest)  # the very one that the look under way goes by
        return self._scopes(name)

    def queue(self, name: str) -> Any:
        """`get_queue`."""
        return self._known.get(name)

    def queues(self, **_of: object) -> list[Any]:
        """`list_queues`."""
        return list(self._known.values())


async def until_ended(handle: Any) -> None:
    """Wait until a run has ended. Raises what the handle's `get_result` raises.

    The handle would write down in a thread what came of it, for a workflow that asks; nobody asks out of one here.
    """
    if isinstance(handle, WorkflowHandleAsyncTask):
        await asyncio.wait({handle.task})
        if not handle.task.cancelled() and handle.task.exception() is None:
            return
    await handle.get_result()


def stop_intake(dbos: DBOS) -> None:
    """Stop dequeuing; running runs go on."""
    for intake in dbos.background_thread_stop_events:
        intake.set()
