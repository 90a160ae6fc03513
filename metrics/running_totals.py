"""Keeps sums over all runs, updated from a checkpoint in the journal.

Each sum is a number under a name and labels, a *cell*. A run's contributions to cells are computed from its events. If events
were added to a run, its contributions as of the checkpoint are subtracted and its present ones are added.
"""

import json
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date, datetime, timedelta, tzinfo
from itertools import groupby
from operator import itemgetter
from typing import TYPE_CHECKING, Any, NamedTuple

import anyio
import anyio.to_thread
import sqlalchemy as sa

from metrics import metrics_tables
from metrics.autonomy import MEASURES
from metrics.events import WORKED, read_event
from metrics.figures import BY_NAME, Measured, cost_usd
from metrics.measures import was_made
from metrics.run_facts import UNREAD, RunFacts

if TYPE_CHECKING:
    from sqlalchemy.dialects import postgresql, sqlite

BUCKETS_S = (0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0, 120.0, 300.0)
"""Upper bounds of the histogram of durations, in seconds."""

MEANS = (*MEASURES, "overall", "unattended_completion", "liked", "human_load")
"""The figures whose means `/metrics` exports."""

QUARTER_S = 900
"""Costs are summed by quarter of an hour, because days begin at a multiple of it in every time zone."""

DAY_S = 86_400
EPOCH = date(1970, 1, 1)

LONGEST_TOOL = 200
"""Characters of a tool's name that a sum is kept under: a model can write one without end, and PostgreSQL indexes 2,700 bytes."""

EVENTS_AT_ONCE = 20_000
RUNS_AT_ONCE = 200
FEW_EVENTS = 20_000
"""So many events are summed while a reader waits; they take a quarter of a second."""

Cell = tuple[str, ...]
"""A name and its labels. A cost has `COST`, the tenant, `job` or `model`, its name, the quarter (seconds since the epoch), and
a column of `CostRow`."""

Cells = Mapping[Cell, float]

COST = "cost"

_SUMS, _COSTS, _EVENTS = metrics_tables.sums, metrics_tables.costs, metrics_tables.events
_MEANS = [(name, BY_NAME[name]) for name in MEANS]
_WITHIN = [(bound, ("seconds_within", f"{bound:g}")) for bound in BUCKETS_S]

_CHECKPOINT = "checkpoint"

_COUNTS = sa.or_(_EVENTS.c.body.is_(None), metrics_tables.besides(UNREAD))
"""The events of a run that are read: erased ones, and those that measures need."""


class CostRow(NamedTuple):
    """The cost of a day, a job or a model."""

    name: str
    """A date, a job (empty for free goals), or a model."""
    runs: float
    """0 for a model."""
    tokens: float
    """Only for models."""
    usd: float
    unpriced: float
    """Runs (or a model's replies) with an unknown price, which `usd` does not include."""


class CostRows(NamedTuple):
    """A period's costs by day, by job and by model."""

    days: Sequence[CostRow]
    """The last first."""
    jobs: Sequence[CostRow]
    """The most expensive first."""
    models: Sequence[CostRow]
    """The most expensive first."""

    @property
    def whole(self) -> CostRow:
        """The cost of all days."""
        return CostRow("", *(sum(getattr(day, name) for day in self.days) for name in CostRow._fields[1:]))


def total(runs: Iterable[Measured]) -> Cells:
    """Return the sums over these runs."""
    cells: defaultdict[Cell, float] = defaultdict(float)
    for run in runs:
        _add_run(run, cells)
    return cells


def _add_run(run: Measured, cells: defaultdict[Cell, float], sign: int = 1) -> None:
    facts, job = run.facts, run.facts.job
    cells["runs", job, facts.end.ending if facts.end else ""] += sign
    for name, figure in _MEANS:
        value = figure.of(run)
        if value is not None:
            cells["mean_sum", job, name] += sign * value
            cells["mean_of", job, name] += sign
    for call in facts.calls.values():
        if call.finished is None:
            continue
        tool = call.tool[:LONGEST_TOOL]
        cells["calls", tool] += sign
        if was_made(call.finished):
            cells["calls_made", tool] += sign
            if call.outcome in WORKED:
                cells["calls_ok", tool] += sign
    if facts.end is not None and not facts.is_session:
        seconds = facts.end.duration_s
        cells["seconds_sum",] += sign * seconds
        cells["seconds_of",] += sign
        for bound, within in _WITHIN:
            if seconds <= bound:
                cells[within] += sign
    _add_cost(facts, cells, sign)


def _add_cost(facts: RunFacts, cells: defaultdict[Cell, float], sign: int) -> None:
    quarter = str(int(facts.started_at // QUARTER_S) * QUARTER_S)
    for reply in facts.replies.values():
        cells["replies", reply.model] += sign
        cells["input_tokens", reply.model] += sign * reply.input_tokens
        cells["output_tokens", reply.model] += sign * reply.output_tokens
        cells[COST, facts.tenant, "model", reply.model, quarter, "tokens"] += sign * (reply.input_tokens + reply.output_tokens)
        if reply.cost_usd is None:
            cells[COST, facts.tenant, "model", reply.model, quarter, "unpriced"] += sign
        else:
            cells[COST, facts.tenant, "model", reply.model, quarter, "usd"] += sign * reply.cost_usd
    cost, job = cost_usd(facts), facts.job
    cells[COST, facts.tenant, "job", job, quarter, "runs"] += sign
    if cost is None:
        cells[COST, facts.tenant, "job", job, quarter, "unpriced"] += sign
    else:
        cells[COST, facts.tenant, "job", job, quarter, "usd"] += sign * cost
        cells["cost_sum",] += sign * cost
        cells["cost_of",] += sign


class RunningTotals:
    """The sums in a database, with their checkpoint in the journal. Runs that are erased or pruned later stay counted."""

    def __init__(self, engine: sa.Engine) -> None:
        self._engine, self._turn = engine, anyio.Lock()

    async def read(self, names: Sequence[str]) -> Cells:
        """Return the present sums with these names.

        The first call reads the whole journal, in a thread; later ones only what was added. Raises SQLAlchemy's errors.
        """
        await self._caught_up()
        return await anyio.to_thread.run_sync(self._read, names)

    async def costs(self, tenant: str, since: float, tz: tzinfo) -> CostRows:
        """Return the costs of a tenant's runs from the quarter of `since` on (epoch seconds). Raises as `read` does."""
        await self._caught_up()
        return await anyio.to_thread.run_sync(self._costs, tenant, since, tz)

    async def backlog(self) -> int:
        """Return the number of events that are not in the sums yet; 0 if they can be added while a reader waits."""
        behind = await anyio.to_thread.run_sync(self._behind)
        return behind if behind > FEW_EVENTS else 0

    async def catch_up(self) -> None:
        """Update the sums, unless another task of this process is doing so. Raises as `read` does."""
        if not self._turn.locked():
            await self._caught_up()

    async def _caught_up(self) -> None:
        async with self._turn:
            while await anyio.to_thread.run_sync(self._advance):  # in parts, between which it can be cancelled
                pass

    def _read(self, names: Sequence[str]) -> Cells:
        query = sa.select(_SUMS.c.name, _SUMS.c.labels, _SUMS.c.value).where(_SUMS.c.name.in_(names))
        with self._engine.connect() as connection:
            return {(name, *json.loads(labels)): value for name, labels, value in connection.execute(query)}

    def _costs(self, tenant: str, since: float, tz: tzinfo) -> CostRows:
        """Sum in the database, because a month has some ten thousand rows, too many for Python while a reader waits."""
        column = _COSTS.c
        start = int(since // QUARTER_S) * QUARTER_S

        def of_kind(kind: str) -> tuple[sa.ColumnElement[bool], ...]:  # the kind lets both databases use the primary key
            return column.tenant == tenant, column.kind == kind, column.quarter >= start

        def summed(kind: str, *by: sa.ColumnElement[Any]) -> sa.Select[Any]:
            return (
                sa.select(*by, *(sa.func.sum(column[name]) for name in CostRow._fields[1:])).where(*of_kind(kind)).group_by(*by)
            )

        with self._engine.connect() as connection:
            ends = [sa.select(end(column.quarter)).where(*of_kind("job")).scalar_subquery() for end in (sa.func.min, sa.func.max)]
            first, last = connection.execute(sa.select(*ends)).one()
            if first is None:
                return CostRows((), (), ())
            by_job = connection.execute(summed("job", _local_day(column.quarter, first, last, tz), column.name)).all()
            models = [CostRow._make(row) for row in connection.execute(summed("model", column.name))]
        days, jobs = defaultdict[str, list[Sequence[float]]](list), defaultdict[str, list[Sequence[float]]](list)
        for day, name, *sums in by_job:  # not by model: the cost of a run is that of its replies
            jobs[name].append(sums)
            days[str(EPOCH + timedelta(days=int(day)))].append(sums)

        def rows(parts: Mapping[str, list[Sequence[float]]]) -> list[CostRow]:
            return [CostRow(name, *map(sum, zip(*some, strict=True))) for name, some in parts.items()]

        dearest = [sorted(found, key=lambda row: (-row.usd, -row.runs, row.name)) for found in (rows(jobs), models)]
        return CostRows(sorted(rows(days), reverse=True), *dearest)

    def _behind(self) -> int:
        with self._engine.connect() as connection:
            return self._end(connection) - self._checkpoint(connection)

    def _advance(self) -> bool:
        """Add the next events to the sums; return whether there were any."""
        with self._engine.connect() as connection:
            begun = self._checkpoint(connection)
            upto = min(self._end(connection), begun + EVENTS_AT_ONCE)
            if upto <= begun:
                return False
            changes = self._changes(connection, begun, upto)
        self._store(begun, upto, {cell: value for cell, value in changes.items() if value})
        return True

    def _changes(self, connection: sa.Connection, begun: int, upto: int) -> Cells:
        """Return the changes of the cells: minus the old and plus the new contributions of the runs that got events."""
        columns, changes = _EVENTS.c, defaultdict[Cell, float](float)
        new = sa.select(columns.run_id).where(columns.seq > begun, columns.seq <= upto).distinct()
        run_ids = connection.scalars(new).all()
        for first in range(0, len(run_ids), RUNS_AT_ONCE):
            some = run_ids[first : first + RUNS_AT_ONCE]
            query = sa.select(columns.run_id, columns.seq, columns.body).where(columns.run_id.in_(some), columns.seq <= upto)
            rows = connection.execute(query.where(_COUNTS).order_by(columns.run_id, columns.seq)).all()
            for run_id, of_run in groupby(rows, key=itemgetter(0)):
                stored = [(seq, body) for _, seq, body in of_run]
                if all(body is not None for _, body in stored):
                    run = RunFacts(run_id)
                    _take_events(run, (body for seq, body in stored if seq <= begun), changes, -1)
                    _take_events(run, (body for seq, body in stored if seq > begun), changes)
        return changes

    def _end(self, connection: sa.Connection) -> int:
        return int(connection.execute(sa.select(metrics_tables.head.c.seq)).scalar_one_or_none() or 0)

    def _checkpoint(self, connection: sa.Connection) -> int:
        return int(connection.execute(sa.select(_SUMS.c.value).where(_SUMS.c.name == _CHECKPOINT)).scalar_one_or_none() or 0)

    def _store(self, begun: int, upto: int, changes: Cells) -> None:
        """Add the changes to the sums, unless another process has done so meanwhile."""
        with self._engine.begin() as connection:
            moved = sa.update(_SUMS).where(_SUMS.c.name == _CHECKPOINT, _SUMS.c.value == begun).values(value=upto)
            if connection.execute(moved).rowcount != 1:
                if begun:
                    return
                try:
                    with connection.begin_nested():
                        connection.execute(_SUMS.insert().values(name=_CHECKPOINT, labels="[]", value=upto))
                except sa.exc.IntegrityError:
                    return
            _add_rows(connection, _SUMS, list(_sum_rows(changes)))
            _add_rows(connection, _COSTS, _cost_rows(changes))


def _sum_rows(changes: Cells) -> Iterator[Mapping[str, Any]]:
    for (name, *labels), value in changes.items():
        if name != COST:
            yield {"name": name, "labels": json.dumps(labels, ensure_ascii=False), "value": value}


def _cost_rows(changes: Cells) -> Sequence[Mapping[str, Any]]:
    rows = dict[Cell, dict[str, Any]]()
    for (name, *place), value in changes.items():
        if name == COST:
            tenant, kind, item, quarter, column = place
            key = {"tenant": tenant, "kind": kind, "quarter": int(quarter), "name": item}
            row = rows.setdefault((tenant, kind, item, quarter), key | dict.fromkeys(CostRow._fields[1:], 0.0))
            row[column] = value
    return list(rows.values())


def _add_rows(connection: sa.Connection, table: sa.Table, rows: Sequence[Mapping[str, Any]]) -> None:
    """Add each row's values to the row with the same key, or insert it.

    One statement for all, because a first pass over a year of runs has a hundred thousand rows, and SQLAlchemy takes twenty times
    as long for a statement as SQLite.
    """
    if not rows:
        return
    statement = _insertion(connection, table)
    added = {column.name: column + statement.excluded[column.name] for column in table.c if not column.primary_key}
    connection.execute(statement.on_conflict_do_update(index_elements=list(table.primary_key), set_=added), rows)


def _insertion(connection: sa.Connection, table: sa.Table) -> "postgresql.Insert | sqlite.Insert":
    """An insertion in the form of this kind of database; PostgreSQL's brings those of all its drivers, which others need not.

    `discovery.discovery_tables` has the same: neither package may know the other, and no third one lies beneath both.
    """
    if connection.dialect.name == "postgresql":
        from sqlalchemy.dialects import postgresql

        return postgresql.insert(table)
    from sqlalchemy.dialects import sqlite

    return sqlite.insert(table)


def _local_day(quarter: sa.ColumnElement[int], first: int, last: int, tz: tzinfo) -> sa.ColumnElement[int]:
    """Return the SQL expression for the local day (since the epoch) of a quarter between two others, with daylight saving
    time."""

    def offset_s(at: int) -> int:
        return int((datetime.fromtimestamp(at, tz).utcoffset() or timedelta()).total_seconds())

    changes = list[int]()
    for at in range(first, last, DAY_S):
        before, after = at, min(at + DAY_S, last)
        if offset_s(before) != offset_s(after):
            while after - before > QUARTER_S:
                middle = (before + after) // (2 * QUARTER_S) * QUARTER_S
                before, after = (middle, after) if offset_s(middle) == offset_s(at) else (before, middle)
            changes.append(after)

    def fixed(number: int) -> sa.ColumnElement[int]:  # no parameter, because PostgreSQL compares expressions when it groups
        return sa.literal_column(str(number), sa.BigInteger())

    offset = fixed(offset_s(first))
    if changes:
        offset = sa.case(*((quarter >= fixed(at), fixed(offset_s(at))) for at in reversed(changes)), else_=offset)
    return (quarter + offset) // fixed(DAY_S)


def _take_events(run: RunFacts, more: Iterable[str], cells: defaultdict[Cell, float], sign: int = 1) -> None:
    """Add events to a run, and then its contributions to the cells."""
    for body in more:
        run.take(read_event(body))
    if run.happened and not run.simulated:
        _add_run(Measured.of(run), cells, sign)
