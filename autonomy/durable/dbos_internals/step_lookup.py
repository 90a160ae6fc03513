"""Looks up which steps a run has taken: once for each execution, in place of DBOS's question before each step."""

import asyncio
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, ClassVar

import sqlalchemy as sa
from dbos import _sys_db
from dbos._context import current_owner_xid

from autonomy.database import for_reads
from autonomy.durable.engine_tables import ATTEMPTS, progress_statement, waits_for_person
from metrics.written_out import WrittenOut

MOST_EXECUTIONS = 1_024
"""How many executions are remembered, each with the last step that it had stored."""


class NeedsThreadError(Exception):
    """The database has to be asked, and that blocks: not on the event loop."""


def is_on_a_loop() -> bool:
    """Whether the caller runs on an event loop, which must not wait for the database."""
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return False
    return True


@dataclass(frozen=True)
class Execution:
    """One attempt at a run, as it stood when it began."""

    last: int
    """The last step that stood of the run."""
    attempts: int
    """How many attempts there were since the run last got further, with this one."""

    @property
    def is_counted(self) -> bool:
        """Whether others before it came to nothing, which a step further wipes out; one that is to end the run takes none."""
        return 1 < self.attempts <= ATTEMPTS


class StepLookup:
    """Looks up once per execution which steps the run has taken.

    DBOS asks before each step: two statements and a transaction, a third of what a step costs. Only its owner adds steps to a
    run. That the run is still ours, and was not cancelled, is checked again when a step's result is stored.
    """

    current: ClassVar["StepLookup | None"] = None
    """Of the engine that runs; there is one engine in a process."""

    def __init__(self, system: _sys_db.SystemDatabase, at_once: sa.Engine | None) -> None:
        self._system, self._look, self._at_once = system, system.check_operation_execution, at_once
        self._reader = for_reads(system.engine)
        self._known: dict[tuple[str, str | None], Execution] = {}
        """By run and execution."""
        steps, status = system.tables.operation_outputs, system.tables.workflow_status
        run_id = sa.bindparam("of_run", type_=sa.String)
        attempts = sa.select(status.c.recovery_attempts).where(status.c.workflow_uuid == run_id).scalar_subquery()
        self._stands = WrittenOut(sa.select(sa.func.max(steps.c.function_id), attempts).where(steps.c.workflow_uuid == run_id))

    def look(self, run_id: str, number: int, name: str, **more: Any) -> Any:
        """`check_operation_execution`. Raises `NeedsThreadError` on an event loop where the database has to be waited for."""
        key = run_id, current_owner_xid(run_id)
        on_a_loop = is_on_a_loop()
        execution = self._known.get(key) or self._ask(key, on_a_loop=on_a_loop)
        is_new = number > execution.last
        if is_new and not waits_for_person(name):  # none of these may begin in a run that was just cancelled
            return None
        if on_a_loop:
            raise NeedsThreadError
        if is_new and execution.is_counted:
            with suppress(sa.exc.SQLAlchemyError), self._system.engine.begin() as connection:  # else one attempt more is counted
                connection.execute(progress_statement(connection, run_id))
        return self._look(run_id, number, name, **more)

    def of(self, run_id: str, owner: str | None) -> "Execution":
        """The state of an execution that has taken a step in this process."""
        return self._known.get((run_id, owner)) or Execution(last=0, attempts=1)

    def _ask(self, key: tuple[str, str | None], *, on_a_loop: bool) -> "Execution":
        """How a run stood when an execution of it began. SQLite's log lets whoever reads wait for nobody."""
        if on_a_loop and self._at_once is None:
            raise NeedsThreadError
        engine = self._at_once if on_a_loop and self._at_once is not None else self._reader
        try:
            with engine.connect() as connection:
                [row] = self._stands.execute(connection, {"of_run": key[0]})
        except sa.exc.SQLAlchemyError:
            if on_a_loop:
                raise NeedsThreadError from None
            raise
        if len(self._known) >= MOST_EXECUTIONS:
            self._known.pop(next(iter(self._known)), None)  # it is asked for anew
        found = self._known[key] = Execution(last=row[0] or 0, attempts=row[1] or 1)
        return found
