"""Stores one row per run: its request, state and result.

Not the run's memory: events are in the journal, steps with the engine. A row may be deleted without harming either.
"""

import json
import logging
import re
from collections.abc import Collection, Iterable, Sequence
from datetime import datetime
from decimal import Decimal
from functools import cache
from typing import Any, Literal, get_args
from zoneinfo import ZoneInfo

import anyio.to_thread
import sqlalchemy as sa
from pydantic import ValidationError

from autonomy.durable.durable_tables import effects, runs
from autonomy.durable.engine_tables import stored_steps
from autonomy.durable.records.run_search import index_new_row, index_row
from autonomy.durable.store import Store, insert_unless_there
from autonomy.errors import RunConflict, StoreError, UnknownRun
from autonomy.run_state.limits import HELD_BY_BUDGET, Use, midnight
from autonomy.run_state.run_values import CallRecord, RunRequest, RunResult
from discovery.catalog import Frozen
from discovery.text.redaction import redact
from metrics.endings import Ending
from metrics.metrics_tables import events as journal
from metrics.written_out import WrittenOut

State = Literal["queued", "running", "waiting", "paused"] | Ending

ENDED: frozenset[State] = frozenset(get_args(Ending))

CALLS = re.compile(r"/(call-\d+|reads)$")
"""Steps that make calls: a write, or the reads of a turn."""

_SEARCHED: Any = {"reason": True, "text": True, "calls": {"__all__": {"asked": True, "arguments": True, "result": {"text"}}}}
"""The parts of a result that the search for runs covers."""

_FORGET_OUTPUTS = (
    effects.update()
    .where(effects.c.run_id == sa.bindparam("of_run"), effects.c.state == "done", effects.c.output.is_not(None))
    .values(output=None)
)
"""The ledger keeps the output of a write until its step is stored for certain, which it is when the run has ended."""

_UNDER_WAY = WrittenOut(
    runs.update().where(runs.c.run_id == sa.bindparam("of_run"), runs.c.ended_at.is_(None)), columns=("state",)
)
"""A run that has ended, but whose process died before the engine knew, is replayed and stays ended."""

MOST_OF_A_DAY = 10_000
"""The most runs of one job's day whose use is added up."""

MOST_OF_A_LIST = 1_000
"""Twice as many as a list has items."""

log = logging.getLogger(__name__)


_UNKNOWN = frozenset({"extra_forbidden", "literal_error", "union_tag_invalid"})
"""pydantic's error types for a field or value that this release does not know."""

GOAL_CHARS = 200
"""Characters of a goal in a list or beside a question."""


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

    @property
    def remarked(self) -> int:
        """The number of remarks about what could not be traced in its result."""
        return len(self.result.remarks) if self.result else 0

    @property
    def called(self) -> str:
        """Its job, with whom or what it is for where it is one of a list; else its goal."""
        member = self.request.of_list
        return f"{self.job} ({member.item})" if self.job and member else self.job or self.goal_line

    @property
    def goal(self) -> str:
        """The words of its goal, without a secret that somebody typed: what is shown is shared."""
        return redact(self.request.task.goal)

    @property
    def goal_line(self) -> str:
        """The goal on one line, cut to `GOAL_CHARS`."""
        words = redact(" ".join(self.request.task.goal.split()))
        return words if len(words) <= GOAL_CHARS else f"{words[:GOAL_CHARS]}…"


class RunRecords:
    """The rows of runs in the database."""

    def __init__(self, engine: sa.Engine, *, patience_s: float = 60.0, keys: Sequence[str] = ()) -> None:
        """`patience_s`: how long a database that is away is waited for; `keys`: with which steps may be encrypted."""
        self.store, self._keys = Store(engine, patience_s=patience_s), tuple(keys)

    async def begin(self, request: RunRequest, asked_at: float, state: State = "running") -> None:
        """Insert the row of a run; doing it again changes nothing."""
        row = _new_row(request, asked_at, state)
        await self.store.together(lambda connection: _begin(connection, row))

    async def take_up(self, request: RunRequest, now: float) -> RunRequest:
        """Set a run to `running`, with a new row where it has none; gives the request as it was made.

        The engine gives a fork the request of its original, which lacks what a person said when forking it.
        """
        row = _new_row(request, now, "running")

        def note(connection: sa.Connection) -> RunRequest:
            if _begin(connection, row):
                return request
            _UNDER_WAY.execute(connection, {"of_run": request.run_id, "state": "running"})
            stored = connection.execute(sa.select(runs.c.request).where(runs.c.run_id == request.run_id)).scalar_one()
            return request.model_copy(update={"remarks": RunRequest.model_validate_json(stored).remarks})

        return await self.store.together(note)

    async def move(self, run_id: str, state: State) -> None:
        """Set the state of a run."""
        values: dict[str, object] = {"state": state}
        await self.store(lambda connection: _update(connection, run_id, values))

    async def end(self, result: RunResult, *, in_steps: Collection[str] = ()) -> None:
        """Store the result of a run. `in_steps`: the ids of calls whose texts its steps keep, and which are left out here."""
        ended_at = result.started_at + result.duration_s
        calls = tuple(call.without_texts() if call.call_id in in_steps else call for call in result.calls)
        stored = result.model_copy(update={"calls": calls}).model_dump_json(exclude_defaults=True)
        values = {"state": result.ending, "result": stored, "ended_at": ended_at}
        words = result.model_dump(mode="json", include=_SEARCHED)

        def note(connection: sa.Connection) -> None:
            _update(connection, result.run_id, values)
            index_row(connection, result.run_id, words)
            if any(call.receipt for call in calls if call.stands_in_step):
                connection.execute(_FORGET_OUTPUTS, {"of_run": result.run_id})

        await self.store.together(note)

    async def get(self, run_id: str, tenant: str | None = None) -> RunRecord:
        """One run by its id or the beginning of it; the results of its calls are read from its steps, if our keys open them.

        Raises `UnknownRun`, `RunConflict` when several begin so, `StoreError` when its row cannot be read.
        """
        if not run_id:  # the beginning of every id: an empty variable of a script would mean the only run there is
            raise UnknownRun(run_id)
        found = await self._rows(runs.c.run_id == run_id, tenant, 1)
        found = found or await self._rows(runs.c.run_id.startswith(run_id, autoescape=True), tenant, 2)
        if not found:
            raise UnknownRun(run_id)
        if len(found) > 1:
            raise RunConflict(f"several runs begin with {run_id!r}")
        try:
            record = _record(found[0])
            if record.result is None or not any(call.stands_in_step for call in record.result.calls):
                return record
            made = await self.store(lambda connection: self._recorded_calls(connection, record.run_id))
            calls = tuple(made.get(call.call_id, call) if call.stands_in_step else call for call in record.result.calls)
            return record.model_copy(update={"result": record.result.model_copy(update={"calls": calls})})
        except ValueError as error:
            raise StoreError(_unreadable(found[0], error)) from error

    def _recorded_calls(self, connection: sa.Connection, run_id: str) -> dict[str, CallRecord]:
        """Call id → call, from a run's steps; empty where they are encrypted under a key that is not ours."""
        from autonomy.durable.storage.serializer import JsonSerializer  # which imports ciphers; lists need none

        serializer, made = JsonSerializer(self._keys), dict[str, CallRecord]()
        for step, output in stored_steps(connection, run_id, "turn-%/reads", "turn-%/call-%"):
            if CALLS.search(step):
                try:
                    gave = serializer.deserialize(output)
                except StoreError:
                    return {}
                calls = [CallRecord.model_validate(one) for one in (gave if isinstance(gave, list) else [gave])]
                made |= {call.call_id: call for call in calls}
        return made

    async def newest(
        self,
        *,
        tenant: str | None = None,
        job: str | None = None,
        actor: str | None = None,
        limit: int = 20,
        active: bool = False,
    ) -> list[RunRecord]:
        """The newest runs first, without the texts that their steps keep. One whose row cannot be read is left out and logged.
        `active`: only those that have not ended."""
        condition = (runs.c.job == job if job else sa.true()) & (runs.c.actor == actor if actor else sa.true())
        condition &= runs.c.ended_at.is_(None) if active else sa.true()
        return self._readable(await self._rows(condition, tenant, limit))

    async def ended_since(self, job: str, since: float, *, tenant: str, limit: int) -> list[RunRecord]:
        """The runs of a tenant's job that have ended since then, in the order in which they were asked for, as `newest` gives
        them; of more than `limit`, those that ended last."""
        query = sa.select(runs).where(runs.c.tenant == tenant, runs.c.job == job, runs.c.ended_at >= since)
        query = query.order_by(runs.c.ended_at.desc()).limit(limit)
        rows = await self.store(lambda connection: connection.execute(query).mappings().all())
        return sorted(self._readable(rows), key=lambda one: (one.asked_at, one.run_id))

    async def of_start(self, start: str) -> list[RunRecord]:
        """The runs that one start of a job with a list asked for, newest first, at most `MOST_OF_A_LIST`."""
        return self._readable(await self._rows(runs.c.run_id.startswith(f"{start}.", autoescape=True), None, MOST_OF_A_LIST))

    @staticmethod
    def _readable(rows: Iterable[sa.RowMapping]) -> list[RunRecord]:
        found = []
        for row in rows:
            try:
                found.append(_record(row))
            except ValueError as error:
                log.warning("left out: %s", _unreadable(row, error))
        return found

    async def known(self, run_id: str) -> bool:
        """Whether there is a run of that id, or one whose id begins with it and a dot."""
        exact = await self._rows(runs.c.run_id == run_id, None, 1)
        return bool(exact or await self._rows(runs.c.run_id.startswith(f"{run_id}.", autoescape=True), None, 1))

    async def spent(self, job: str, since: float, *, tenant: str) -> tuple[int, int, Decimal | None]:
        """The number of runs of a tenant's job since then, their calls, and their cost in USD.

        The cost is None when a price is unknown.
        """
        day = _of_day(job, since, tenant)
        used = await self._used(day)
        return await self._count(day), used.calls, used.usd

    async def over_budget(self, request: RunRequest, now: float, so_far: Use | None = None) -> str:
        """Why a run may not begin, or go on after having used `so_far`: its job's budget for the day is used up. Else empty.

        The day is that of its request, in its own time zone. Only runs that were requested before it count, so that of many
        requested at once as many begin as may; what they use counts as they use it.
        """
        own = await self._rows(runs.c.run_id == request.run_id, request.tenant, 1)
        asked_at = float(own[0]["asked_at"]) if own else now
        zone = ZoneInfo(request.timezone) if request.timezone else None
        since, budget = midnight(datetime.fromtimestamp(asked_at, zone)), request.budget
        others = _of_day(request.job, since, request.tenant) & (runs.c.run_id != request.run_id)
        before = await self._count(others & (sa.tuple_(runs.c.asked_at, runs.c.run_id) < (asked_at, request.run_id)))
        used = await self._used(others) if budget.counts_use else Use(0, Decimal(0))
        if so_far is None:
            used_up = budget.used_up(before, used.calls, used.usd)
        else:
            usd = None if used.usd is None else used.usd + (so_far.usd or 0)
            used_up = budget.exceeded(so_far._replace(calls=used.calls + so_far.calls, usd=usd))
        return f"{HELD_BY_BUDGET}{used_up}" if used_up else ""

    async def _count(self, condition: sa.ColumnElement[bool]) -> int:
        query = sa.select(sa.func.count()).select_from(runs).where(condition)
        return await self.store(lambda connection: connection.execute(query).scalar_one())

    async def _used(self, condition: sa.ColumnElement[bool]) -> Use:
        """The calls of runs and their cost in USD; of runs that have not ended, what the journal has so far."""
        newest_first = runs.c.asked_at.desc()
        query = sa.select(runs.c.result).where(condition, runs.c.result.is_not(None)).order_by(newest_first).limit(MOST_OF_A_DAY)
        results = await self.store(lambda connection: connection.scalars(query).all())
        under_way = sa.select(runs.c.run_id).where(condition, runs.c.result.is_(None))
        uses = sa.select(journal.c.body).where(journal.c.run_id.in_(under_way), journal.c.type.in_(_USING))
        bodies = await self.store(lambda connection: connection.scalars(uses).all())
        return await anyio.to_thread.run_sync(_add_up_use, results, bodies)  # of a busy day that is a second's work

    async def of_actor(self, actor: str, since: float, *, tenant: str) -> frozenset[str]:
        """The runs that an actor requested since then."""
        query = sa.select(runs.c.run_id).where(runs.c.tenant == tenant, runs.c.actor == actor, runs.c.asked_at >= since)
        return frozenset(await self.store(lambda connection: connection.scalars(query).all()))

    async def _rows(self, condition: sa.ColumnElement[bool], tenant: str | None, limit: int) -> Sequence[sa.RowMapping]:
        query = sa.select(runs).where(condition).order_by(runs.c.asked_at.desc()).limit(limit)
        if tenant is not None:
            query = query.where(runs.c.tenant == tenant)
        return await self.store(lambda connection: connection.execute(query).mappings().all())


def _of_day(job: str, since: float, tenant: str) -> sa.ColumnElement[bool]:
    return (runs.c.job == job) & (runs.c.asked_at >= since) & (runs.c.tenant == tenant)


def _add_up_use(results: Sequence[str], event_bodies: Sequence[str | None]) -> Use:
    ended = [RunResult.model_validate_json(result) for result in results]
    events = [json.loads(body) for body in event_bodies if body]
    answers = [event for event in events if event["type"] == "model_answered"]
    costs = [*(result.usage.cost_usd for result in ended), *(answer.get("cost_usd") for answer in answers)]
    usd = None if any(cost is None for cost in costs) else sum((Decimal(cost) for cost in costs if cost is not None), Decimal(0))
    finished = (event for event in events if event["type"] == "call_finished")
    attempts = [*(call.attempts for result in ended for call in result.calls), *(call.get("attempts", 1) for call in finished)]
    return Use(sum(map(bool, attempts)), usd)


_USING = ("model_answered", "call_finished")


def unknown_part(error: ValidationError) -> str:
    """The field or value that only a newer release knows; empty where there is none."""
    found = (one for one in error.errors(include_url=False) if one["type"] in _UNKNOWN)
    return next((".".join(map(str, one["loc"])) or "its kind" for one in found), "")


def _unreadable(row: sa.RowMapping, error: ValueError) -> str:
    if isinstance(error, ValidationError) and (where := unknown_part(error)):
        return f"run {row['run_id']} is of a newer Jiritsu: this one does not know {where.partition('.literal[')[0]}"
    first = error.errors(include_url=False)[0] if isinstance(error, ValidationError) else {"loc": (), "msg": str(error)}
    where = ".".join(map(str, first["loc"]))
    return f"the row of run {row['run_id']} cannot be read{f' ({where})' if where else ''}: {first['msg'][:200]}"


def _new_row(request: RunRequest, asked_at: float, state: State) -> dict[str, object]:
    return {
        "run_id": request.run_id,
        "job": request.job,
        "tenant": request.tenant,
        "actor": request.actor,
        "state": state,
        "request": json.dumps(request.as_data()),
        "asked_at": asked_at,
    }


def _begin(connection: sa.Connection, row: dict[str, object]) -> bool:
    """Insert the row of a run, and index it for the search; whether it is new."""
    is_new = insert_unless_there(connection, runs, row)
    if is_new:
        index_new_row(connection, row)
    return is_new


def _update(connection: sa.Connection, run_id: str, values: dict[str, object]) -> None:
    _updating(tuple(values)).execute(connection, {"updated_run": run_id, **values})


@cache
def _updating(columns: tuple[str, ...]) -> WrittenOut:
    return WrittenOut(runs.update().where(runs.c.run_id == sa.bindparam("updated_run")), columns=columns)


def _record(row: sa.RowMapping) -> RunRecord:
    values = dict(row)
    values["request"] = RunRequest.model_validate_json(values["request"])
    values["result"] = RunResult.model_validate_json(values["result"]) if values["result"] else None
    return RunRecord.model_validate(values)
