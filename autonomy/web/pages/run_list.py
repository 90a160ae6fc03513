"""Lists runs with keyset pagination."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, cast

import sqlalchemy as sa

from autonomy.durable.durable_tables import runs
from autonomy.durable.records.run_records import State
from autonomy.durable.records.run_search import find_runs, newest_runs
from autonomy.durable.store import Store
from discovery.catalog import Frozen
from discovery.text.redaction import redact
from metrics.metrics_tables import events as log

PAGE = 50
"""Runs on one page."""

MOST_ACTIVE = 200
"""Runs that have not ended, on the page of what happens now."""

_COLUMNS = [runs.c[name] for name in ("run_id", "job", "actor", "state", "request", "asked_at", "ended_at")]

ACTIVE: tuple[State, ...] = ("running", "waiting", "queued", "paused")


class RunLine(Frozen):
    """One run in a list."""

    run_id: str
    job: str
    actor: str
    state: str
    goal: str
    trigger: str
    asked_at: float
    ended_at: float | None = None
    reason: str = ""
    """Why it did not get there."""
    remarked: int = 0
    item: str = ""
    """Whom or what it is for, where it is one of a list."""


class RunFilter(Frozen):
    """The filters of a list of runs."""

    state: str = ""
    job: str = ""
    words: str = ""
    start: str = ""
    """The runs that one start of a job with a list asked for."""
    after: str = ""
    """Where the page begins: `asked_at,run_id` of the last run of the page before; for words its place in the index."""


@dataclass(frozen=True)
class RunPage:
    """One page of a list."""

    lines: Sequence[RunLine]
    next: str
    """The `after` of the next page; empty on the last."""


async def list_runs(store: Store, tenant: str, filters: RunFilter) -> RunPage:
    """The newest runs first."""
    return await store(lambda connection: _page(connection, tenant, filters))


async def active_runs(store: Store, tenant: str) -> list[tuple[RunLine, str, float]]:
    """The runs that have not ended, at most `MOST_ACTIVE`, with the event each was last heard of by, and when."""
    return await store(lambda connection: _active(connection, tenant))


async def count_states(store: Store, tenant: str) -> dict[str, int]:
    """How many runs have not ended, by state."""
    query = (
        sa.select(runs.c.state, sa.func.count()).where(runs.c.tenant == tenant, runs.c.state.in_(ACTIVE)).group_by(runs.c.state)
    )
    return await store(lambda connection: {row[0]: row[1] for row in connection.execute(query)})


async def count_votes(store: Store, run_ids: Sequence[str]) -> dict[str, tuple[int, int]]:
    """Count the votes of people on runs, good and bad."""

    def count(connection: sa.Connection) -> dict[str, tuple[int, int]]:
        votes = sa.select(log.c.run_id, log.c.body).where(
            log.c.run_id.in_(run_ids), log.c.type == "feedback_given", log.c.body.is_not(None)
        )
        found: dict[str, tuple[int, int]] = {}
        for row in connection.execute(votes):
            good, bad = found.get(row.run_id, (0, 0))
            is_good = bool(json.loads(row.body)["good"])
            found[row.run_id] = (good + is_good, bad + (not is_good))
        return found

    return await store(count)


async def goals_of(store: Store, run_ids: Sequence[str]) -> dict[str, str]:
    """The goals of these runs; a forgotten run is left out."""
    query = sa.select(*_COLUMNS).where(runs.c.run_id.in_(run_ids))
    return await store(lambda connection: {row["run_id"]: _line(row).goal for row in connection.execute(query).mappings()})


def _page(connection: sa.Connection, tenant: str, filters: RunFilter) -> RunPage:
    if filters.words.strip():
        return _found(connection, tenant, filters)
    query = sa.select(*_COLUMNS).where(runs.c.tenant == tenant)
    if filters.job:
        query = query.where(runs.c.job == filters.job)
    if filters.start:
        query = query.where(runs.c.run_id.startswith(f"{filters.start}.", autoescape=True))
    at, _, run_id = filters.after.partition(",")
    if run_id and (since := _number(at)) is not None:
        query = query.where(sa.tuple_(runs.c.asked_at, runs.c.run_id) < sa.tuple_(since, run_id))
    lines = [_line(row) for row in newest_runs(connection, query, _states(filters), PAGE + 1)]
    last = lines[PAGE - 1] if len(lines) > PAGE else None
    return RunPage(_with_reasons(connection, lines[:PAGE]), f"{last.asked_at!r},{last.run_id}" if last else "")


def _found(connection: sa.Connection, tenant: str, filters: RunFilter) -> RunPage:
    states = _states(filters)
    before = int(filters.after) if filters.after.isdecimal() and len(filters.after) < 18 else None
    places = find_runs(connection, tenant, filters.words, states=states, job=filters.job, before=before, limit=PAGE + 1)
    query = sa.select(*_COLUMNS).where(runs.c.run_id.in_([run_id for _, run_id in places[:PAGE]]))
    lines = {row["run_id"]: _line(row) for row in connection.execute(query).mappings()}
    listed = [lines[run_id] for _, run_id in places[:PAGE] if run_id in lines]
    return RunPage(_with_reasons(connection, listed), str(places[PAGE - 1][0]) if len(places) > PAGE else "")


def _with_reasons(connection: sa.Connection, lines: Sequence[RunLine]) -> list[RunLine]:
    """The lines with the reasons and remarks of ended runs: out of the journal, since a result holds all that was read."""
    ended = [line.run_id for line in lines if line.state not in ACTIVE]
    query = sa.select(log.c.run_id, log.c.body).where(
        log.c.run_id.in_(ended), log.c.type == "run_finished", log.c.body.is_not(None)
    )
    bodies = {row.run_id: json.loads(row.body) for row in connection.execute(query)} if ended else {}
    return [
        line.model_copy(update={name: end[name] for name in ("reason", "remarked") if name in end})
        if (end := bodies.get(line.run_id))
        else line
        for line in lines
    ]


def _active(connection: sa.Connection, tenant: str) -> list[tuple[RunLine, str, float]]:
    found = []
    for row in newest_runs(connection, sa.select(runs).where(runs.c.tenant == tenant), ACTIVE, MOST_ACTIVE):
        last = sa.select(log.c.body, log.c.at).where(log.c.run_id == row["run_id"]).order_by(log.c.at.desc()).limit(1)
        event = connection.execute(last).first()
        data = json.loads(event.body) if event and event.body else {}
        step = " ".join(str(data[key]) for key in ("type", "tool", "model") if data.get(key))
        found.append((_line(row), step, event.at if event else row["asked_at"]))
    return found


def _states(filters: RunFilter) -> Sequence[str]:
    return ACTIVE if filters.state == "active" else (filters.state,) if filters.state else ()


def _line(row: sa.RowMapping) -> RunLine:
    request = cast("dict[str, Any]", json.loads(row["request"]))
    columns = {name: row[name] for name in ("run_id", "job", "actor", "state", "asked_at", "ended_at")}
    item = (request.get("of_list") or {}).get("item", "")
    return RunLine(**columns, goal=redact(request.get("task", {}).get("goal", "")), trigger=request.get("trigger", ""), item=item)


def _number(text: str) -> float | None:
    try:
        return float(text)
    except ValueError:
        return None
