"""Sums over all runs, kept up to date from a checkpoint in the journal.

Whatever is summed is one number under a name and labels, a *cell*. A run's cells follow from its events; when events were added
to
a run, its cells as of the checkpoint are taken off and its cells as of now are put on. Nothing else has to be remembered.
"""

import json
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

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

EVENTS_AT_ONCE = 20_000
RUNS_AT_ONCE = 200

Cell = tuple[str, ...]
"""A name and its labels. Costs have their tenant as the first label, and their quarter (seconds since the epoch) as the last."""

Cells = Mapping[Cell, float]

_TOTALS, _EVENTS = metrics_tables.totals, metrics_tables.events
_CHECKPOINT = "checkpoint"


def cells_of(run: Measured) -> Cells:
    """What one run adds to the sums."""
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
        cells["model_tokens", facts.tenant, reply.model, quarter] += reply.input_tokens + reply.output_tokens
        if reply.cost_usd is None:
            cells["model_unpriced", facts.tenant, reply.model, quarter] += 1
        else:
            cells["model_usd", facts.tenant, reply.model, quarter] += reply.cost_usd
    cells["job_runs", facts.tenant, job, quarter] += 1
    cost = cost_usd(facts)
    if cost is not None:
        cells["cost_sum",] += cost
        cells["cost_of",] += 1
        cells["job_usd", facts.tenant, job, quarter] += cost
        cells["job_priced", facts.tenant, job, quarter] += 1
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

    async def read(self, names: Sequence[str], *, since: float | None = None) -> Cells:
        """The sums of these names as of now; `since`: of costs only the quarters from then on (epoch seconds).

        Errors are SQLAlchemy's. The first time reads the whole journal, in a thread; each later one what came since.
        """
        async with self._turn:
            await anyio.to_thread.run_sync(self._catch_up)
        return await anyio.to_thread.run_sync(self._read, names, since)

    def _read(self, names: Sequence[str], since: float | None) -> Cells:
        query = sa.select(_TOTALS.c.name, _TOTALS.c.labels, _TOTALS.c.value).where(_TOTALS.c.name.in_(names))
        if since is not None:
            query = query.where(_TOTALS.c.quarter >= int(since // QUARTER_S) * QUARTER_S)
        with self._engine.connect() as connection:
            rows = connection.execute(query).all()
        told = json.loads(
            f"[{','.join(labels for _, labels, _ in rows)}]"
        )  # thousands at once: a sixth of the time of one by one
        return {(name, *labels): value for (name, _, value), labels in zip(rows, told, strict=True)}

    def _catch_up(self) -> None:
        while True:
            with self._engine.connect() as connection:
                begun = self._checkpoint(connection)
                end = connection.execute(sa.select(metrics_tables.head.c.seq)).scalar_one_or_none() or 0
                upto = min(end, begun + EVENTS_AT_ONCE)
                if upto <= begun:
                    return
                changes: defaultdict[Cell, float] = defaultdict(float)
                for before, after in self._moved(connection, begun, upto):
                    _add(changes, after)
                    _add(changes, before, -1)
            self._store(begun, upto, {cell: value for cell, value in changes.items() if value})

    def _moved(self, connection: sa.Connection, begun: int, upto: int) -> Iterator[tuple[Cells, Cells]]:
        """The cells of each run that events were added to: as of the checkpoint, and as of now."""
        columns = _EVENTS.c
        new = sa.select(columns.run_id).where(columns.seq > begun, columns.seq <= upto).distinct()
        run_ids = connection.scalars(new).all()
        for first in range(0, len(run_ids), RUNS_AT_ONCE):
            some = run_ids[first : first + RUNS_AT_ONCE]
            query = sa.select(columns.run_id, columns.seq, columns.type, columns.body)
            query = query.where(columns.run_id.in_(some), columns.seq <= upto).order_by(columns.run_id, columns.seq)
            told: dict[str, list[Any]] = {}
            for row in connection.execute(query):
                told.setdefault(row.run_id, []).append(row)
            for run_id, rows in told.items():
                if all(row.body is not None for row in rows):
                    yield _cells(run_id, [row for row in rows if row.seq <= begun]), _cells(run_id, rows)

    def _checkpoint(self, connection: sa.Connection) -> int:
        return int(connection.execute(sa.select(_TOTALS.c.value).where(_TOTALS.c.name == _CHECKPOINT)).scalar_one_or_none() or 0)

    def _store(self, begun: int, upto: int, changes: Cells) -> None:
        """Add the changes, unless another process was quicker: then they are in the sums already."""
        with self._engine.begin() as connection:
            moved = sa.update(_TOTALS).where(_TOTALS.c.name == _CHECKPOINT, _TOTALS.c.value == begun).values(value=upto)
            if connection.execute(moved).rowcount != 1:
                if begun:
                    return
                try:
                    with connection.begin_nested():
                        connection.execute(_TOTALS.insert().values(name=_CHECKPOINT, labels="[]", quarter=0, value=upto))
                except sa.exc.IntegrityError:
                    return
            for (name, *labels), value in changes.items():
                place = {"name": name, "labels": json.dumps(labels, ensure_ascii=False)}
                same = (_TOTALS.c.name == place["name"], _TOTALS.c.labels == place["labels"])
                added = sa.update(_TOTALS).where(*same).values(value=_TOTALS.c.value + value)
                if connection.execute(added).rowcount != 1:
                    quarter = int(labels[-1]) if name in COSTS else 0
                    connection.execute(_TOTALS.insert().values(**place, quarter=quarter, value=value))


COSTS = ("job_runs", "job_usd", "job_priced", "model_tokens", "model_usd", "model_unpriced")
"""The cells of costs, whose labels are a tenant, a job or model, and a quarter."""


def name_tenants_of_costs(connection: sa.Connection) -> None:
    """Upgrade: give the costs there are their tenant. Where the journal has several, all is counted anew from what it holds."""
    tenants = connection.scalars(sa.select(_EVENTS.c.tenant).distinct().limit(2)).all()
    if len(tenants) > 1:
        connection.execute(sa.delete(_TOTALS))
        return
    for name, labels in connection.execute(sa.select(_TOTALS.c.name, _TOTALS.c.labels).where(_TOTALS.c.name.in_(COSTS))).all():
        same = (_TOTALS.c.name == name, _TOTALS.c.labels == labels)
        named = json.dumps([*tenants, *json.loads(labels)], ensure_ascii=False)
        connection.execute(sa.update(_TOTALS).where(*same).values(labels=named))


def _cells(run_id: str, rows: Iterable[Any]) -> Cells:
    run = RunFacts(run_id)
    for row in rows:
        skipped = UNREAD.get(row.type)
        if row.body is not None and (skipped is None or skipped not in row.body):
            run.take(EVENT.validate_json(row.body))
    return cells_of(Measured.of(run)) if run.happened and not run.simulated else {}
