"""Every use of a DBOS name that is not public API.

`tests/autonomy/durable/test_dbos_internals.py` asserts each of them. DBOS is pinned to the version they were read in.
"""

import asyncio
import logging
import re
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import lru_cache, partial
from typing import Any

import sqlalchemy as sa
from dbos import DBOS, DBOSClient, _sys_db
from dbos._context import current_owner_xid
from dbos._error import DBOSException as DBOSException

from autonomy.durable.engine_tables import own_queue

MOST_WAIT_S = 2.0
"""Between two attempts while the database is away. DBOS's own waits grow to 90 s: runs would stand still for so long after it is
back, and a process that is told to stop would wait for the longest of them."""

_STEP_CUT_SHORT = "Asyncio task cancelled"

_RAISED = re.compile(r"^[A-Za-z_][\w.]*[a-z]\w*(?:: .*)?$", re.MULTILINE)
"""The line of a traceback that names the error: a class and its words. Frames are indented, what libraries add is in brackets."""

_ALWAYS_LOOKED_UP = re.compile(r"/(call-\d+|approval)$")
"""Steps before which the database is always asked how the run stands: none of them may begin in a run that was just cancelled."""


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


def look_where_something_stands(dbos: DBOS) -> None:
    """Before each step DBOS asks whether it was taken before: two statements and a transaction, a third of what a step costs.

    Only its owner adds steps to a run, so it is enough to ask once, when an execution begins, up to which step it came before.
    That the run is still ours is checked again when a step's result is stored.
    """
    system = dbos._sys_db

    @lru_cache(maxsize=1024)  # a run that drops out is asked for anew
    def last(run_id: str, _owner: str | None) -> int:
        table = system.tables.operation_outputs
        with system.engine.connect() as connection:
            query = sa.select(sa.func.max(table.c.function_id)).where(table.c.workflow_uuid == run_id)
            return connection.execute(query).scalar_one() or 0

    dbos._sys_db.check_operation_execution = partial(  # type: ignore[method-assign]
        _looked_up, system.check_operation_execution, last
    )


def _looked_up(
    look: Callable[..., Any], last: Callable[[str, str | None], int], run_id: str, number: int, name: str, **more: Any
) -> Any:
    if number > last(run_id, current_owner_xid(run_id)) and not _ALWAYS_LOOKED_UP.search(name):
        return None
    return look(run_id, number, name, **more)


class ShortWaits:
    """The module `time`, as DBOS's calls of the database know it: between two attempts they wait, and not for long."""

    def __init__(self) -> None:
        self._ended = False

    def __getattr__(self, name: str) -> Any:
        return getattr(time, name)

    def sleep(self, seconds: float) -> None:
        """Wait; once it is ended, raise what the attempt before failed with."""
        if self._ended and (failure := sys.exc_info()[1]) is not None:
            raise failure
        time.sleep(min(seconds, MOST_WAIT_S))

    def end(self) -> None:
        """Let what waits for the database fail: a process that is told to stop ends, whether the database comes back or not.

        What fails is remembered by nobody, so the run goes on from there when it is taken up.
        """
        self._ended = True


def wait_briefly() -> ShortWaits:
    """From now on look for a database that is away, or locked, every few seconds."""
    waits = ShortWaits()
    vars(_sys_db)["time"] = waits
    return waits


def make_tables(client: DBOSClient) -> None:
    """Make or upgrade DBOS's tables, as a launch does; a client does not, for it may not be allowed to."""
    client._sys_db.run_migrations()


def stop_intake(dbos: DBOS) -> None:
    """Take nothing more from any queue; what runs goes on."""
    for intake in dbos.background_thread_stop_events:
        intake.set()


def hush() -> None:
    """Drop what DBOS says of each step that is cut short: whoever interrupts a run says so, once; and make a line of each
    traceback that it writes into its words. Calling it again changes nothing."""
    logging.getLogger("dbos").addFilter(_not_cut_short)
    logging.getLogger("dbos").addFilter(_without_traceback)


def _not_cut_short(record: logging.LogRecord) -> bool:
    return not record.getMessage().startswith(_STEP_CUT_SHORT)


def _without_traceback(record: logging.LogRecord) -> bool:
    before, found, after = record.getMessage().partition("Traceback (most recent call last):")
    if found:
        raised = _RAISED.findall(after)
        record.msg, record.args = f"{before}{raised[-1] if raised else ''}", ()  # of a chain of errors the last was caught
    return True


@contextmanager
def _at_once(engine: sa.Engine, _isolation: str | None) -> Iterator[sa.Connection]:
    """The transaction in which a queue counts what runs and takes what may run too.

    DBOS has only thought of PostgreSQL there: in SQLite a transaction begins with its first write, after the counting, so that
    two workers both found the same free place, and a tenant had more runs at once than it may.
    """
    with engine.begin() as connection:
        connection.exec_driver_sql("BEGIN IMMEDIATE")
        yield connection
