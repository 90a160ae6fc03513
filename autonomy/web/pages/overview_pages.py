"""The overview pages: now, costs, the audit log, conversations, and two runs side by side."""

import difflib
import json
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import NamedTuple

import anyio.to_thread
from pydantic import ValidationError
from starlette.background import BackgroundTask
from starlette.responses import RedirectResponse, Response

from autonomy.durable.records.confirmed_time import noted_jump
from autonomy.durable.records.run_records import RunRecord
from autonomy.durable.records.run_search import CONVERSATION_TAG
from autonomy.durable.records.transcripts import Transcript
from autonomy.durable.records.worker_heartbeats import SILENT_S
from autonomy.errors import ConfigError, UnknownRun
from autonomy.jobs.job_runner import is_off
from autonomy.run_state.limits import midnight
from autonomy.web.annotations import diff
from autonomy.web.formatting import zone
from autonomy.web.pages.measure_pages import DAY_S, PERIODS, days_of
from autonomy.web.pages.run_list import RunFilter, active_runs, count_states, count_votes, list_runs
from autonomy.web.pages.run_pages import Trials, explained, trials_of
from autonomy.web.pages.run_timeline import anchor_of, tone_of
from autonomy.web.pages.schedule_pages import all_jobs, coming
from autonomy.web.visit import Page, Visit
from metrics.autonomy import MEASURES
from metrics.hash_chain import ChainRow
from metrics.reporting.report_data import RunReport

LOG_ROWS = 100
"""Of the audit log on one page."""
DECIDED_BY_PEOPLE = ("approval_answered", "intervention", "feedback_given", "record_erased")
"""Types of events that tell what a person decided or did."""


class _Side(NamedTuple):
    """One of two runs that are compared."""

    record: RunRecord
    transcript: Transcript
    report: RunReport | None
    trials: Trials | None
    """The latest runs of its job or goal."""


class Budgeted(NamedTuple):
    """A job whose runs may cost so much in a day."""

    job: str
    title: str
    usd_per_day: float
    runs: int
    """Of today."""
    usd: float | None
    """What they cost; None when a price is not known."""


async def home(visit: Visit) -> Response:
    """The first page is what happens now."""
    return RedirectResponse("/now", 303)


async def now_page(visit: Visit) -> Response:
    """The page of what runs, what waits and what comes next."""
    services = visit.services
    store = visit.store
    latest = await list_runs(store, services.tenant, RunFilter())
    jobs, _ = await all_jobs(visit)
    ahead = await coming(visit, jobs)
    due = sorted([(at, job) for job in jobs for at in ahead[job.name][:1]], key=lambda pair: pair[0])
    standings = await services.schedules.standings() if due else {}
    active = await active_runs(store, services.tenant)
    gone = await services.orders().interrupted([line for line, _, _ in active])
    counts = await count_states(store, services.tenant)
    workers = await services.orders().workers(services.tenant)
    return visit.page(
        "now.html.j2",
        workers=workers,
        clock_jump=await store(noted_jump),
        goals={line.run_id: line.job or line.goal.strip().split("\n")[0][:60] for line, _, _ in active},
        silent_s=SILENT_S,
        active=active,
        gone=gone,
        counts=counts,
        due=due[:8],
        stopped={job.name for _, job in due if (one := standings.get(job.name)) and one.paused},
        off={job.name for _, job in due if is_off(job, standings.get(job.name))},
        latest=latest.lines[:8],
    )


async def costs_page(visit: Visit) -> Response:
    """The costs of models by day, job and model, from the running sums, beside the budget of a run.

    The first look at a year of runs sums all of them, for minutes: that is done behind the page.
    """
    totals = visit.console.totals
    if uncounted := await totals.backlog():
        return visit.page("counting.html.j2", of="costs", uncounted=uncounted, background=BackgroundTask(totals.catch_up))
    days = days_of(visit, otherwise=30)
    since = visit.console.clock() - days * DAY_S
    try:
        costs = await totals.costs(visit.services.tenant, since, zone(visit.services.timezone))
    except ValidationError as error:  # summed wrongly now, they would stay so
        raise ConfigError("database", "", "the journal holds events of a newer Jiritsu: ask that one") from error
    return visit.page(
        "costs.html.j2",
        costs=costs,
        days=days,
        periods=PERIODS,
        budget=visit.services.defaults.limits.get("usd"),
        budgets=await _budgets(visit),
    )


async def _budgets(visit: Visit) -> list[Budgeted]:
    """The jobs that may cost so much in a day, with what today has cost."""
    jobs, _ = await all_jobs(visit)
    found = []
    for job in jobs:
        if job.budget.usd_per_day is not None:
            now = datetime.fromtimestamp(visit.console.clock(), zone(visit.services.timezone))
            runs, _, usd = await visit.services.runs.spent(job.name, midnight(now), tenant=visit.services.tenant)
            found.append(
                Budgeted(job.name, job.title or job.name, job.budget.usd_per_day, runs, None if usd is None else float(usd))
            )
    return found


async def compare_page(visit: Visit) -> Response:
    """Two runs side by side: their steps in order, and how their answers differ."""
    services, params = visit.services, visit.request.query_params
    pair = []
    for name in ("a", "b"):
        if not params.get(name):  # which would be the beginning of any id
            raise UnknownRun("", "run")
        record = await services.runs.get(params.get(name, ""), tenant=services.tenant)
        events = await services.journal.read(run_id=record.run_id)
        trials = await trials_of(visit, record)
        pair.append(_Side(record, await services.transcripts.of(record), explained(events), trials))
    steps = _align(*([call.tool for call in side.transcript.calls] for side in pair))
    one, other = (side.record.result.text if side.record.result else "" for side in pair)
    lines = await anyio.to_thread.run_sync(diff, one, other) if one != other else ()
    return visit.page(
        "compare.html.j2", pair=pair, steps=steps, lines=lines, measures=list(MEASURES), anchor_of=anchor_of, tone_of=tone_of
    )


async def audit_page(visit: Visit) -> Response:
    """The newest rows of the log, and where its chain ends."""
    journal = visit.services.journal
    end = await journal.anchor()
    before = visit.request.query_params.get("before", "")
    last = min(int(before), end.seq) if before.isdecimal() and len(before) < 18 else end.seq
    by_people = visit.request.query_params.get("by") == "people"
    rows = await journal.newest(last, limit=LOG_ROWS, types=DECIDED_BY_PEOPLE if by_people else ())
    memory = visit.console.memory
    return visit.page(
        "audit.html.j2",
        rows=[_log_row(row) for row in rows if row.tenant == visit.services.tenant],
        by_people=by_people,
        end=end,
        older=rows[-1].seq - 1 if len(rows) == LOG_ROWS else 0,
        head=end.mac.hex(),
        checked=memory.get("verified"),
        checking="verifying" in memory,
    )


async def verify_chain(visit: Visit) -> Response:
    """Check the whole log behind the page, as `jiritsu audit verify` does; one check at a time, for it reads every row."""
    memory, clock = visit.console.memory, visit.console.clock
    if "verifying" in memory:
        return visit.back("/audit")
    memory["verifying"] = True

    async def check() -> None:
        try:
            memory["verified"] = clock(), await visit.services.journal.verify()
        finally:
            del memory["verifying"]

    return RedirectResponse("/audit", 303, background=BackgroundTask(check))


class LogRow(NamedTuple):
    """A row of the log, as far as its words are still kept."""

    row: ChainRow
    by: str
    """The person who decided."""
    outcome: str
    """What was decided, or how it ended, as a key of the words; a call that was simply allowed says nothing."""
    about: str
    """The tool, the model or the job."""
    remarked: int
    """The judge's, on the result of a run that ended."""


def _log_row(row: ChainRow) -> LogRow:
    event = json.loads(row.body) if row.body else {}
    by = "" if row.type == "judged" else str(event.get("by") or "")  # rules or a model, and no person
    outcome = next((str(event[key]) for key in ("answer", "kind", "decision", "ending") if event.get(key)), "")
    about = next((str(event[key]) for key in ("tool", "model", "job") if event.get(key)), "")
    remarked = int(event.get("remarked", 0))
    return LogRow(row, by, "" if outcome == "allow" else outcome, about, remarked)


async def conversations_page(visit: Visit) -> Response:
    """Runs that people asked for in a conversation."""
    store = visit.store
    filters = RunFilter(words=CONVERSATION_TAG, after=visit.request.query_params.get("after", ""))
    page = await list_runs(store, visit.services.tenant, filters)
    votes = await count_votes(store, [line.run_id for line in page.lines])
    return visit.page("conversations.html.j2", lines=page.lines, next=page.next, votes=votes)


PAGES: Mapping[str, Page] = {
    "/": home,
    "/now": now_page,
    "/compare": compare_page,
    "/costs": costs_page,
    "/audit": audit_page,
    "/conversations": conversations_page,
}
CHANGES: Mapping[str, Page] = {"/audit": verify_chain}


def _align(one: Sequence[str], other: Sequence[str]) -> tuple[tuple[int | None, int | None], ...]:
    """Pairs of positions at which the steps of two runs correspond; None where a run has no such step."""
    pairs: list[tuple[int | None, int | None]] = []
    for kind, a, b, c, d in difflib.SequenceMatcher(None, one, other, autojunk=False).get_opcodes():
        if kind == "equal":
            pairs += zip(range(a, b), range(c, d), strict=True)
        else:
            pairs += [(at, None) for at in range(a, b)] + [(None, at) for at in range(c, d)]
    return tuple(pairs)
