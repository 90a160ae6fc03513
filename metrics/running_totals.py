"""Sums over all runs, updated from a checkpoint in the journal.

Whatever is summed is one number under a name and labels, a *cell*. A run's cells follow from its events; when events were added
to a run, its cells as of the checkpoint are taken off and its cells as of now are put on. Nothing else has to be remembered.
"""

import json
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date, datetime, timedelta, tzinfo
from typing import Any, NamedTuple

import anyio
import anyio.to_thread
import sqlalchemy as sa

from metrics import metrics_tables
from metrics.autonomy import MEASURES
from metrics.events import EVENT, WORKED
from metrics.figures import BY_NAME, Measured, cost_usd, phases
from metrics.measures import was_made
from metrics.run_facts import UNREAD, RunFacts

BUCKETS_S = (0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0, 120.0, 300.0)
"""Upper bounds of the histogram of durations, in seconds."""

MEANS = (*MEASURES, "overall", "unattended_completion", "liked", "human_load")
"""The figures of which `/metrics` gives the mean over the runs that have them."""

QUARTER_S = 900
"""Costs are kept by quarter of an hour: days begin at a multiple of it in every time zone there is."""

DAY_S = 86_400
EPOCH = date(1970, 1, 1)

EVENTS_AT_ONCE = 20_000
RUNS_AT_ONCE = 200
FEW_EVENTS = 20_000
"""So many are summed while somebody waits: it takes about a second."""

Cell = tuple[str, ...]
"""A name and its labels. Of costs: `COST`, the tenant, `job` or `model`, its name, the quarter (seconds since the epoch), and
a column of `CostRow`."""

Cells = Mapping[Cell, float]

COST = "cost"

_SUMS, _COSTS, _EVENTS = metrics_tables.sums, metrics_tables.costs, metrics_tables.events
_CHECKPOINT = "checkpoint"


class CostRow(NamedTuple):
    """The cost of one item."""

    name: str
    """A day as a date, a job (empty for free goals), or a model."""
    runs: float
    """Of a model: nothing."""
    tokens: float
    """Of models alone."""
    usd: float
    unpriced: float
    """Runs, of a model replies, whose price is not known and not in `usd`."""


class CostRows(NamedTuple):
    """A period's costs, three ways."""

    days: Sequence[CostRow]
    """The last first."""
    jobs: Sequence[CostRow]
    """The dearest first."""
    models: Sequence[CostRow]
    """The dearest first."""

    @property
    def whole(self) -> CostRow:
        """The cost of all days."""
        return CostRow("", *(sum(getattr(day, name) for day in self.days) for name in CostRow._fields[1:]))


def cells_of(run: Measured) -> Cells:
    """The amounts that one run adds to the sums."""
    facts, job = run.facts, run.facts.job
    cells: defaultdict[Cell, float] = defaultdict(float)
    cells["runs", job, facts.end.ending if facts.end else ""] += 1
    for name in MEANS:
        value = BY_NAME[name].of(run)
        if value is not None:
            cells["mean_sum", job, name] += value
            cells["mean_of", job, name] += 1
    for call in facts.calls.values():
        if call.finished is None:
            continue
        cells["calls", call.tool] += 1
        if was_made(call.finished):
            cells["calls_made", call.tool] += 1
            cells["calls_ok", call.tool] += call.outcome in WORKED
    quarter = str(int(facts.started_at // QUARTER_S) * QUARTER_S)
    for reply in facts.replies.values():
        cells["replies", reply.model] += 1
        cells["input_tokens", reply.model] += reply.input_tokens
        cells["output_tokens", reply.model] += reply.output_tokens
        of_model = COST, facts.tenant, "model", reply.model, quarter
        cells[*of_model, "tokens"] += reply.input_tokens + reply.output_tokens
        cells[*of_model, "usd"] += reply.cost_usd or 0.0
        cells[*of_model, "unpriced"] += reply.cost_usd is None
    cost, of_job = cost_usd(facts), (COST, facts.tenant, "job", job, quarter)
    cells[*of_job, "runs"] += 1
    cells[*of_job, "usd"] += cost or 0.0
    cells[*of_job, "unpriced"] += cost is None
    if cost is not None:
        cells["cost_sum",] += cost
        cells["cost_of",] += 1
    if facts.end is not None:
        seconds = phases(facts)["total"]
        cells["seconds_sum",] += seconds
        cells["seconds_of",] += 1
        for bound in BUCKETS_S:
            cells["seconds_within", f"{bound:g}"] += seconds <= bound
    return cells


def total(runs: Iterable[Measured]) -> Cells:
    """The sums over these runs."""
    cells: defaultdict[Cell, float] = defaultdict(float)
    for run in runs:
        _add(cells, cells_of(run))
    return cells


def _add(to: defaultdict[Cell, float], cells: Cells, sign: int = 1) -> None:
    for cell, value in cells.items():
        to[cell] += sign * value


class RunningTotals:
    """The sums in a database, and how far into the journal they go. What was erased or pruned since stays counted: it
    happened."""

    def __init__(self, engine: sa.Engine) -> None:
        self._engine, self._turn = engine, anyio.Lock()

    async def read(self, names: Sequence[str]) -> Cells:
        """The sums of these names as of now.

        Errors are SQLAlchemy's. The first time reads the whole journal, in a thread; each later one what came since.
        """
        await self._caught_up()
        return await anyio.to_thread.run_sync(self._read, names)

    async def costs(self, tenant: str, since: float, tz: tzinfo) -> CostRows:
        """The cost of a tenant's runs from the quarter of `since` on (epoch seconds), as of now. Errors as of `read`."""
        await self._caught_up()
        return await anyio.to_thread.run_sync(self._costs, tenant, since, tz)

    async def is_far_behind(self) -> bool:
        """Whether so much was written since the sums were last brought up to date that nobody should be kept waiting for it."""
        return await anyio.to_thread.run_sync(self._behind) > FEW_EVENTS

    async def catch_up(self) -> None:
        """Bring the sums up to date, unless somebody in this process is about it. Errors as of `read`."""
        if not self._turn.locked():
            await self._caught_up()

    async def _caught_up(self) -> None:
        async with self._turn:
            await anyio.to_thread.run_sync(self._catch_up)

    def _read(self, names: Sequence[str]) -> Cells:
        query = sa.select(_SUMS.c.name, _SUMS.c.labels, _SUMS.c.value).where(_SUMS.c.name.in_(names))
        with self._engine.connect() as connection:
            return {(name, *json.loads(labels)): value for name, labels, value in connection.execute(query)}

    def _costs(self, tenant: str, since: float, tz: tzinfo) -> CostRows:
        """The database adds up: a month has some ten thousand rows, more than Python does while a reader waits."""
        column = _COSTS.c
        start = int(since // QUARTER_S) * QUARTER_S

        def mine(kind: str) -> tuple[sa.ColumnElement[bool], ...]:  # with a kind both databases read along the key
            return column.tenant == tenant, column.kind == kind, column.quarter >= start

        def summed(kind: str, *by: sa.ColumnElement[Any]) -> sa.Select[Any]:
            return sa.select(*by, *(sa.func.sum(column[name]) for name in CostRow._fields[1:])).where(*mine(kind)).group_by(*by)

        with self._engine.connect() as connection:
            ends = [sa.select(end(column.quarter)).where(*mine("job")).scalar_subquery() for end in (sa.func.min, sa.func.max)]
            first, last = connection.execute(sa.select(*ends)).one()
            if first is None:
                return CostRows((), (), ())
            by_job = connection.execute(summed("job", _local_day(column.quarter, first, last, tz), column.name)).all()
            models = [CostRow._make(row) for row in connection.execute(summed("model", column.name))]
        days, jobs = defaultdict[str, list[Sequence[float]]](list), defaultdict[str, list[Sequence[float]]](list)
        for day, name, *sums in by_job:  # what a run costs is what its replies cost
            jobs[name].append(sums)
            days[str(EPOCH + timedelta(days=int(day)))].append(sums)

        def rows(parts: Mapping[str, list[Sequence[float]]]) -> list[CostRow]:
            return [CostRow(name, *map(sum, zip(*some, strict=True))) for name, some in parts.items()]

        dearest = [sorted(found, key=lambda row: (-row.usd, -row.runs, row.name)) for found in (rows(jobs), models)]
        return CostRows(sorted(rows(days), reverse=True), *dearest)

    def _behind(self) -> int:
        with self._engine.connect() as connection:
            return self._end(connection) - self._checkpoint(connection)

    def _catch_up(self) -> None:
        while True:
            with self._engine.connect() as connection:
                begun = self._checkpoint(connection)
                upto = min(self._end(connection), begun + EVENTS_AT_ONCE)
                if upto <= begun:
                    return
                changes: defaultdict[Cell, float] = defaultdict(float)
                for before, after in self._changed_cells(connection, begun, upto):
                    _add(changes, after)
                    _add(changes, before, -1)
            self._store(begun, upto, {cell: value for cell, value in changes.items() if value})

    def _changed_cells(self, connection: sa.Connection, begun: int, upto: int) -> Iterator[tuple[Cells, Cells]]:
        """The cells of each run that events were added to: as of the checkpoint, and as of now."""
        columns = _EVENTS.c
        new = sa.select(columns.run_id).where(columns.seq > begun, columns.seq <= upto).distinct()
        run_ids = connection.scalars(new).all()
        for first in range(0, len(run_ids), RUNS_AT_ONCE):
            some = run_ids[first : first + RUNS_AT_ONCE]
            query = sa.select(columns.run_id, columns.seq, columns.type, columns.body)
            query = query.where(columns.run_id.in_(some), columns.seq <= upto).order_by(columns.run_id, columns.seq)
            events: dict[str, list[Any]] = {}
            for row in connection.execute(query):
                events.setdefault(row.run_id, []).append(row)
            for run_id, rows in events.items():
                if all(row.body is not None for row in rows):
                    yield _cells(run_id, [row for row in rows if row.seq <= begun]), _cells(run_id, rows)

    def _end(self, connection: sa.Connection) -> int:
        return int(connection.execute(sa.select(metrics_tables.head.c.seq)).scalar_one_or_none() or 0)

    def _checkpoint(self, connection: sa.Connection) -> int:
        return int(connection.execute(sa.select(_SUMS.c.value).where(_SUMS.c.name == _CHECKPOINT)).scalar_one_or_none() or 0)

    def _store(self, begun: int, upto: int, changes: Cells) -> None:
        """Add the changes, unless another process was quicker: then they are in the sums already."""
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
            _add_sums(connection, {cell: value for cell, value in changes.items() if cell[0] != COST})
            _add_costs(connection, {cell: value for cell, value in changes.items() if cell[0] == COST})


def _add_sums(connection: sa.Connection, changes: Cells) -> None:
    for (name, *labels), value in changes.items():
        place = {"name": name, "labels": json.dumps(labels, ensure_ascii=False)}
        same = (_SUMS.c.name == place["name"], _SUMS.c.labels == place["labels"])
        added = sa.update(_SUMS).where(*same).values(value=_SUMS.c.value + value)
        if connection.execute(added).rowcount != 1:
            connection.execute(_SUMS.insert().values(**place, value=value))


def _add_costs(connection: sa.Connection, changes: Cells) -> None:
    rows = defaultdict[tuple[str, str, str, str], dict[str, float]](dict)
    for (_, tenant, kind, name, quarter, column), value in changes.items():
        rows[tenant, kind, name, quarter][column] = value
    for (tenant, kind, name, quarter), found in rows.items():
        place: dict[str, Any] = {"tenant": tenant, "kind": kind, "quarter": int(quarter), "name": name}
        same = [_COSTS.c[column] == value for column, value in place.items()]
        added = sa.update(_COSTS).where(*same).values({column: _COSTS.c[column] + value for column, value in found.items()})
        if connection.execute(added).rowcount != 1:
            nothing = dict.fromkeys(CostRow._fields[1:], 0.0)
            connection.execute(_COSTS.insert().values(**place, **nothing | found))


def _local_day(quarter: sa.ColumnElement[int], first: int, last: int, tz: tzinfo) -> sa.ColumnElement[int]:
    """The day of a quarter between these two, since the epoch, by the clocks of a place: they are put forward and back."""

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

    def fixed(number: int) -> sa.ColumnElement[int]:  # PostgreSQL does not know two parameters for the same when it groups
        return sa.literal_column(str(number), sa.BigInteger())

    offset = fixed(offset_s(first))
    if changes:
        offset = sa.case(*((quarter >= fixed(at), fixed(offset_s(at))) for at in reversed(changes)), else_=offset)
    return (quarter + offset) // fixed(DAY_S)


def _cells(run_id: str, rows: Iterable[Any]) -> Cells:
    run = RunFacts(run_id)
    for row in rows:
        skipped = UNREAD.get(row.type)
        if row.body is not None and (skipped is None or skipped not in row.body):
            run.take(EVENT.validate_json(row.body))
    return cells_of(Measured.of(run)) if run.happened and not run.simulated else {}
