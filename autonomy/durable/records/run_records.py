"""Stores one row per run: its request, state and result.

Not the run's memory: events are in the journal, steps with the engine. A row may be deleted without harming either.
"""

import logging
from collections.abc import Sequence
from decimal import Decimal
from typing import Literal, get_args

import sqlalchemy as sa
from pydantic import ValidationError

from autonomy.durable.durable_tables import runs
from autonomy.durable.records.run_search import index_new_row, index_row
from autonomy.durable.store import Store, insert_unless_there
from autonomy.errors import RunConflict, StoreError, UnknownRun
from autonomy.run_state.context import RunRequest, RunResult
from discovery.catalog import Frozen
from metrics.events import Ending

State = Literal["queued", "running", "waiting", "paused"] | Ending

ENDED: frozenset[State] = frozenset(get_args(Ending))

MOST_OF_A_DAY = 10_000
"""Runs of one job that are added up."""

log = logging.getLogger(__name__)


class RunRecord(Frozen):
    """One run as people look it up."""

    run_id: str
    job: str
    tenant: str
    actor: str
    state: State
    request: RunRequest
    result: RunResult | None = None
    asked_at: float
    """Seconds since the epoch."""
    ended_at: float | None = None


class RunRecords:
    """Keeps the rows."""

    def __init__(self, engine: sa.Engine, *, patience_s: float = 60.0) -> None:
        """`patience_s`: how long a database that is away is waited for."""
        self._store = Store(engine, patience_s=patience_s)

    async def begin(self, request: RunRequest, asked_at: float, state: State = "running") -> None:
        """Note that a run was asked for; noting it again changes nothing."""
        row = _asked(request, asked_at, state)
        await self._store(lambda connection: _begin(connection, row))

    async def take_up(self, request: RunRequest, now: float) -> RunRequest:
        """Note that a run is being worked on, whether or not it was asked for before; gives the request as it was asked for.

        The engine gives a fork the request of its original, which lacks what a person said when forking it.
        """
        row = _asked(request, now, "running")

        def note(connection: sa.Connection) -> RunRequest:
            if _begin(connection, row):
                return request
            _update(connection, request.run_id, {"state": "running"})
            stored = connection.execute(sa.select(runs.c.request).where(runs.c.run_id == request.run_id)).scalar_one()
            return request.model_copy(update={"remarks": RunRequest.model_validate_json(stored).remarks})

        return await self._store(note)

    async def move(self, run_id: str, state: State) -> None:
        """Note where a run stands."""
        values: dict[str, object] = {"state": state}
        await self._store(lambda connection: _update(connection, run_id, values))

    async def end(self, result: RunResult) -> None:
        """Note how a run ended."""
        ended_at = result.started_at + result.duration_s
        values = {"state": result.ending, "result": result.model_dump_json(), "ended_at": ended_at}

        def note(connection: sa.Connection) -> None:
            _update(connection, result.run_id, values)
            index_row(connection, result.run_id)

        await self._store(note)

    async def get(self, run_id: str, tenant: str | None = None) -> RunRecord:
        """One run, by its id or the beginning of it.

        Raises `UnknownRun`, `RunConflict` when several begin so, `StoreError` when its row cannot be read.
        """
        found = await self._rows(runs.c.run_id == run_id, tenant, 1)
        found = found or await self._rows(runs.c.run_id.startswith(run_id, autoescape=True), tenant, 2)
        if not found:
            raise UnknownRun(run_id)
        if len(found) > 1:
            raise RunConflict(f"several runs begin with {run_id!r}")
        try:
            return _record(found[0])
        except ValueError as error:
            raise StoreError(_unreadable(found[0], error)) from error

    async def newest(self, *, tenant: str | None = None, job: str | None = None, limit: int = 20) -> list[RunRecord]:
        """The newest runs first; one whose row cannot be read is left out, and the log says so."""
        wanted = runs.c.job == job if job else sa.true()
        found = []
        for row in await self._rows(wanted, tenant, limit):
            try:
                found.append(_record(row))
            except ValueError as error:
                log.warning("left out: %s", _unreadable(row, error))
        return found

    async def begun_with(self, beginning: str) -> list[RunRecord]:
        """The runs whose ids begin so, a dot and more: those of one start that was for several."""
        return [_record(row) for row in await self._rows(runs.c.run_id.startswith(f"{beginning}.", autoescape=True), None, 1000)]

    async def known(self, run_id: str) -> bool:
        """Whether a run of that id, or several that begin with it and a dot, were asked for."""
        exact = await self._rows(runs.c.run_id == run_id, None, 1)
        return bool(exact or await self._rows(runs.c.run_id.startswith(f"{run_id}.", autoescape=True), None, 1))

    async def spent(self, job: str, since: float, *, tenant: str) -> tuple[int, int, Decimal | None]:
        """How many runs of a tenant's job were asked for since then, their calls, and their cost in USD.

        The cost is None when a price is unknown.
        """
        rows = await self._rows((runs.c.job == job) & (runs.c.asked_at >= since), tenant, MOST_OF_A_DAY)
        results = [RunResult.model_validate_json(row["result"]) for row in rows if row["result"]]
        costs = [result.usage.cost_usd for result in results]
        usd = None if any(cost is None for cost in costs) else sum((cost for cost in costs if cost is not None), Decimal(0))
        return len(rows), sum(len(result.calls) for result in results), usd

    async def of_actor(self, actor: str, since: float, *, tenant: str) -> frozenset[str]:
        """The runs that somebody asked for since then."""
        query = sa.select(runs.c.run_id).where(runs.c.tenant == tenant, runs.c.actor == actor, runs.c.asked_at >= since)
        return frozenset(await self._store(lambda connection: connection.scalars(query).all()))

    async def _rows(self, wanted: sa.ColumnElement[bool], tenant: str | None, limit: int) -> Sequence[sa.RowMapping]:
        query = sa.select(runs).where(wanted).order_by(runs.c.asked_at.desc()).limit(limit)
        if tenant is not None:
            query = query.where(runs.c.tenant == tenant)
        return await self._store(lambda connection: connection.execute(query).mappings().all())


def _unreadable(row: sa.RowMapping, error: ValueError) -> str:
    first = error.errors(include_url=False)[0] if isinstance(error, ValidationError) else {"loc": (), "msg": str(error)}
    where = ".".join(map(str, first["loc"]))
    return f"the row of run {row['run_id']} cannot be read{f' ({where})' if where else ''}: {first['msg'][:200]}"


def _asked(request: RunRequest, asked_at: float, state: State) -> dict[str, object]:
    return {
        "run_id": request.run_id,
        "job": request.job,
        "tenant": request.tenant,
        "actor": request.actor,
        "state": state,
        "request": request.model_dump_json(),
        "asked_at": asked_at,
    }


def _begin(connection: sa.Connection, row: dict[str, object]) -> bool:
    """Note a run, so that it is found by what was asked while it runs; whether it is new."""
    is_new = insert_unless_there(connection, runs, row)
    if is_new:
        index_new_row(connection, row)
    return is_new


_UPDATE = runs.update().where(runs.c.run_id == sa.bindparam("updated_run"))


def _update(connection: sa.Connection, run_id: str, values: dict[str, object]) -> None:
    connection.execute(_UPDATE, {"updated_run": run_id, **values})


def _record(row: sa.RowMapping) -> RunRecord:
    values = dict(row)
    values["request"] = RunRequest.model_validate_json(values["request"])
    values["result"] = RunResult.model_validate_json(values["result"]) if values["result"] else None
    return RunRecord.model_validate(values)
