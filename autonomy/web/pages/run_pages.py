"""The pages of runs: list, detail, live updates, downloads and actions."""

import json
from collections.abc import Mapping, MutableMapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from urllib.parse import quote

import anyio.to_thread
from cachetools import FIFOCache
from starlette.responses import HTMLResponse, Response, StreamingResponse

from autonomy.agent.replay import recording_text
from autonomy.durable.records.run_recordings import recording_of
from autonomy.durable.records.run_records import ENDED, RunRecord
from autonomy.durable.records.run_search import goal_tag
from autonomy.durable.records.transcripts import Transcript
from autonomy.errors import RunConflict, UnknownRun
from autonomy.web import markup
from autonomy.web.annotations import AnnotatedText, annotate, diff
from autonomy.web.formatting import zone
from autonomy.web.pages.run_list import RunFilter, RunLine, list_runs
from autonomy.web.pages.run_timeline import TimelineRow, anchor_of, timeline_rows, tone_of
from autonomy.web.visit import Page, Visit, own_file, render
from autonomy.web.words import Language
from metrics.autonomy import MEASURES
from metrics.events import RunEvent
from metrics.repeats import pass_hat_k
from metrics.reporting import report_words
from metrics.reporting.report_data import RunReport, explain

TRIALS = 30
"""Runs of the same job that a run is shown beside."""

ATTEMPTS = (1, 2, 3, 5, 8)
"""The k of pass^k."""

MOST_ANNOTATED = 100
"""Runs whose sources are kept in memory: finding them takes up to a second."""


@dataclass(frozen=True)
class RunView:
    """One run as its page shows it."""

    transcript: Transcript
    state: str
    rows: tuple[TimelineRow, ...]
    report: RunReport | None
    texts: Mapping[str, AnnotatedText]
    """What the run delivered, with its sources: `result`, and `turn-2/call-1 body` for an argument of a write."""
    waiting: Mapping[str, str]
    """Where a person is asked: the call's key → the approval's id."""
    trials: "Trials | None" = None
    saying: str = ""
    """What the model has said of the reply it is writing."""


@dataclass(frozen=True)
class Trials:
    """The latest runs of the same job or goal that have ended, this one among them or not."""

    lines: Sequence[RunLine]

    @property
    def completed(self) -> int:
        """How many of them were."""
        return sum(line.state == "completed" for line in self.lines)

    @property
    def all_of_k(self) -> Mapping[int, float]:
        """pass^k: the chance that k of these runs, drawn without putting back, were all completed."""
        return {k: pass_hat_k(len(self.lines), self.completed, k) for k in ATTEMPTS if k <= len(self.lines)}


async def runs_page(visit: Visit) -> Response:
    """The list, with its search."""
    params = visit.request.query_params
    of_params = {name: params.get(name, "") for name in ("state", "job", "start", "after")}
    filters = RunFilter(**of_params, words=params.get("q", "")[:200])
    page = await list_runs(visit.store, visit.services.tenant, filters)
    return visit.page("runs.html.j2", page=page, filters=filters, states=sorted(ENDED))


async def run_page(visit: Visit) -> Response:
    """The heart: everything that was said and done, live; of one start of a list, its runs."""
    try:
        view = await _view(visit)
    except RunConflict:  # several begin so
        start = visit.request.path_params["run_id"]
        if not await visit.services.runs.of_start(start):
            raise
        return visit.back(f"/runs?start={quote(start)}")
    return visit.page("run.html.j2", **_context(visit, view), standalone=False)


async def call_page(visit: Visit) -> Response:
    """One call with everything whole."""
    record = await _record(visit)
    transcript = await visit.services.transcripts.of(record)
    call = transcript.call(str(visit.request.query_params.get("key", "")))
    if call is None:
        raise UnknownRun(str(visit.request.query_params.get("key", "")), "call")
    return visit.page("call.html.j2", call=call, record=record, anchor=anchor_of(call), tone=tone_of(call))


async def live(visit: Visit) -> Response:
    """A stream that says when the run's page has changed."""
    record = await _record(visit)
    over = (*ENDED, "None")  # ended, or forgotten while somebody looked at it: the page then says that it is not there any more
    stream = visit.console.changes.stream(
        record.run_id,
        ended=lambda version: version.split("-")[0] in over,
        may_look=lambda: visit.console.authenticator.session_of(visit.request) is not None,
    )
    headers = {"cache-control": "no-store", "x-accel-buffering": "no"}
    return StreamingResponse(stream, media_type="text/event-stream", headers=headers)


async def as_json(visit: Visit) -> Response:
    """The transcript as data."""
    record = await _record(visit)
    transcript = await visit.services.transcripts.of(record)
    events = [event.model_dump(mode="json") for event in await visit.services.journal.read(run_id=record.run_id)]
    text = json.dumps({**transcript.model_dump(mode="json"), "events": events}, ensure_ascii=False, indent=2)
    return Response(text, media_type="application/json", headers=_attachment(record, "json"))


async def as_recording(visit: Visit) -> Response:
    """The recording for `jiritsu replay`. Raises `RunConflict` for a run that goes on, or whose steps are gone."""
    record, services = await _record(visit), visit.services
    transcript = await services.transcripts.of(record)
    recording = await recording_of(record, transcript.model, services.engine, keys=services.keys)
    text = await anyio.to_thread.run_sync(recording_text, recording)
    return Response(text, media_type="application/jsonl", headers=_attachment(record, "jsonl"))


async def as_file(visit: Visit) -> Response:
    """The page as one file that needs nothing else, to hand to a colleague."""
    view = await _view(visit)
    page = render(
        visit.console,
        visit.request,
        "run.html.j2",
        session=None,
        **_context(visit, view),
        standalone=True,
        css=own_file("console.css"),
    )
    headers = {
        **_attachment(view.transcript.record, "html"),
        "content-security-policy": "default-src 'none'; style-src 'unsafe-inline'; sandbox",
    }
    return HTMLResponse(page, headers=headers)


async def order(visit: Visit) -> Response:
    """Cancel, pause, resume or retry, as the commands do."""
    record, by, tenant = await _record(visit), visit.session.name, visit.services.tenant
    orders, notice, path = visit.services.orders(), "", f"/runs/{record.run_id}"
    match visit.request.path_params["order"]:
        case "cancel":
            await orders.cancel(record.run_id, by=by, reason=str(visit.form.get("note", ""))[:500], tenant=tenant)
            notice = "did_cancel"
        case "pause":
            await orders.pause(record.run_id, by=by, tenant=tenant)
            notice = "did_pause"
        case "resume":
            await orders.resume(record.run_id, by=by, tenant=tenant)
            notice = "did_resume"
        case "retry" | "fork" as kind:
            words = str(visit.form.get("words", "")).replace("\r\n", "\n").strip() if kind == "fork" else ""
            step, again = str(visit.form.get("step", "")), visit.form.get("again") == "yes"
            now = datetime.fromtimestamp(visit.console.clock(), zone(visit.services.timezone))
            new, _ = await orders.retry(record.run_id, by=by, now=now, step=step, again=again, words=words, tenant=tenant)
            path = f"/runs/{new}"
        case other:
            raise UnknownRun(other, "order")
    return visit.back(path, notice)


PAGES: Mapping[str, Page] = {
    "/runs": runs_page,
    "/runs/{run_id:path}/call": call_page,
    "/runs/{run_id:path}/live": live,
    "/runs/{run_id:path}/run.json": as_json,
    "/runs/{run_id:path}/run.jsonl": as_recording,
    "/runs/{run_id:path}/run.html": as_file,
    "/runs/{run_id:path}": run_page,
}
"""An id that a program gave its run may hold slashes; so the page of a run, which fits every address below, comes last."""
CHANGES: Mapping[str, Page] = {"/runs/{run_id:path}/{order}": order}


async def _record(visit: Visit) -> RunRecord:
    """The run of the address; only one of the console's own tenant is there at all."""
    return await visit.services.runs.get(visit.request.path_params["run_id"], tenant=visit.services.tenant)


async def _view(visit: Visit) -> RunView:
    services, record = visit.services, await _record(visit)
    transcript = await services.transcripts.of(record)
    gone = await services.orders().interrupted([record]) if record.ended_at is None else frozenset()
    events = await services.journal.read(run_id=record.run_id)
    waiting = {
        key: approval.id
        for approval in await services.approvals.listed(tenant=services.tenant)
        if approval.question.run_id == record.run_id
        for key in approval.question.keys
    }
    return RunView(
        transcript=transcript,
        state="interrupted" if record.run_id in gone else record.state,
        rows=timeline_rows(transcript, visit.console.clock()),
        report=explained(events),
        texts=await _annotated(visit, transcript),
        waiting=waiting,
        trials=await trials_of(visit, record),
        saying="" if record.ended_at else await visit.console.changes.words.partial_reply(record.run_id),
    )


async def trials_of(visit: Visit, record: RunRecord) -> Trials | None:
    """The latest runs of the same job, or of the same goal in somebody's own words; None where there is nothing to compare."""
    filters = RunFilter(job=record.job) if record.job else RunFilter(words=goal_tag(record.request.task.goal))
    page = await list_runs(visit.store, visit.services.tenant, filters)
    ended = [line for line in page.lines if line.state in ENDED and line.job == record.job][:TRIALS]
    return Trials(ended) if len(ended) > 1 else None


async def _annotated(visit: Visit, transcript: Transcript) -> Mapping[str, AnnotatedText]:
    """The delivered texts with their sources, worked out once for each state of a run, whoever looks."""
    cached: MutableMapping[str, tuple[object, Mapping[str, AnnotatedText]]]
    cached = visit.console.memory.setdefault("texts", FIFOCache(MOST_ANNOTATED))
    record = transcript.record
    state = (record.state, sum(call.state == "ended" for call in transcript.calls))
    if record.run_id in cached and cached[record.run_id][0] == state:
        return cached[record.run_id][1]
    texts = await anyio.to_thread.run_sync(annotate, transcript, visit.services.timezone)
    cached[record.run_id] = state, texts
    return texts


def explained(events: tuple[RunEvent, ...]) -> RunReport | None:
    """The run's measures; None while nothing has happened."""
    try:
        return explain(events)
    except ValueError:  # nothing has happened yet
        return None


def _context(visit: Visit, view: RunView) -> dict[str, Any]:
    return {
        "view": view,
        "transcript": view.transcript,
        "record": view.transcript.record,
        "measures": MEASURES,
        "annotated": markup.annotated,
        "diff": diff,
        "why": lambda loss: report_words.cause(loss.kind, loss.subject, loss.detail, visit.language),
        "anchor_of": anchor_of,
        "tone_of": tone_of,
        "keep_days": visit.services.keep_days,
        "level_why": _why_level(view, visit.language),
        "ended": view.transcript.record.state in ENDED,
    }


def _why_level(view: RunView, language: Language) -> str:
    line = view.report.line if view.report else None
    return report_words.why_level(line.level, line.overall, line.measures, language) if line else ""


def _attachment(record: RunRecord, kind: str) -> dict[str, str]:
    name = "".join(char for char in record.run_id if char.isascii() and (char.isalnum() or char in "-_.")) or "run"
    return {"content-disposition": f'attachment; filename="{name}.{kind}"'}
