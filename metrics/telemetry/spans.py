"""Exports events as OpenTelemetry spans and metrics, in GenAI conventions.

    invoke_workflow {job}                  a job's run
    └─ invoke_agent jiritsu                every run; carries its ending and its autonomy
       ├─ chat {model}                     each reply, and each failure of a model
       └─ execute_tool {tool}              each call; attempts and alternatives are its span events

A span is written when it has ended, with the times of the events. Spans never hold arguments, results or texts of messages,
because events hold none. Without the `otel` extra the API does nothing and costs almost nothing.
"""

from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from opentelemetry import metrics, trace
from opentelemetry.trace import SpanContext, SpanKind, Status, StatusCode

from metrics.autonomy import autonomy_of
from metrics.events import (
    WORKED,
    AlternativeTried,
    AttemptFailed,
    CallFinished,
    Judged,
    LimitReached,
    ModelAnswered,
    ModelFailed,
    RunEvent,
    RunFinished,
    without_secrets,
)
from metrics.figures import cost_usd
from metrics.run_facts import CallFacts, RunFacts
from metrics.telemetry import telemetry_names as names
from metrics.telemetry.trace_ids import inside, span_of, using_ids

SCOPE = "jiritsu"

LIVE = 1000
"""How many runs are remembered at once. The oldest is forgotten first, so that runs that never end do not pile up."""

Notes = list[tuple[str, float, Mapping[str, Any]]]
"""Span events: name, time in seconds, attributes."""


@dataclass
class _Live:
    """A run that has not ended."""

    facts: RunFacts
    seen: set[str] = field(default_factory=set)
    notes: Notes = field(default_factory=list)
    call_notes: dict[tuple[int, str], Notes] = field(default_factory=dict)


class Telemetry:
    """Writes spans and metrics through the given providers, or the global ones.

    Spans get the ids that `trace_ids` gives them if the provider was made with `telemetry_export.RunIds`.
    """

    def __init__(
        self,
        tracers: trace.TracerProvider | None = None,
        meters: metrics.MeterProvider | None = None,
        *,
        latest: bool = False,
        redact: Callable[[str], str] = str,
    ) -> None:
        """`latest`: also count tokens under the newest names of the conventions (`JIRITSU_GENAI_SEMCONV=latest`). `redact` hides
        the secrets in words that came from elsewhere, as in the journal."""
        self._redact, self._tracers = redact, tracers
        self._tracer = trace.get_tracer(SCOPE, tracer_provider=tracers)
        meter = metrics.get_meter(SCOPE, meter_provider=meters)

        def histogram(name: str, unit: str, description: str = "") -> metrics.Histogram:
            return meter.create_histogram(name, unit, description, explicit_bucket_boundaries_advisory=names.BUCKETS[name])

        self._tokens = histogram(names.TOKEN_USAGE, "{token}", "Tokens of one reply")
        self._latest = {
            kind: meter.create_counter(names.LATEST_USAGE.format(kind), "{token}") for kind in ("input", "output") if latest
        }
        self._durations = {
            name: histogram(name, "s")
            for name in (names.OPERATION_DURATION, names.TOOL_DURATION, names.AGENT_DURATION, names.WORKFLOW_DURATION)
        }
        self._approval = histogram(names.APPROVAL_LATENCY, "s", "How long a person took to answer")
        self._autonomy = histogram(names.AUTONOMY, "1", "The run's overall autonomy")
        self._runs = meter.create_counter(names.RUNS, "{run}", "Runs by ending")
        self._retries = meter.create_counter(names.RETRIES, "{retry}", "Attempts of a call beyond the first")
        self._live: OrderedDict[str, _Live] = OrderedDict()

    async def write(self, events: Sequence[RunEvent]) -> None:
        """Take events in order, and skip those that were taken before."""
        for event in events:
            self._take(without_secrets(event, self._redact))

    def _take(self, event: RunEvent) -> None:
        run = self._live.get(event.run_id)
        if run is None:
            run = self._live[event.run_id] = _Live(RunFacts(event.run_id))
            if len(self._live) > LIVE:
                self._live.popitem(last=False)
        if event.key in run.seen:
            return
        run.seen.add(event.key)
        run.facts.take(event)
        match event:
            case ModelAnswered():
                self._model_answered(event)
            case ModelFailed():
                attributes = {**_model(event.model), names.TURN: event.turn, "jiritsu.then": event.then}
                self._chat(event, attributes, event.at, error=event.error)
            case AttemptFailed():
                attributes = {names.ERROR_TYPE: event.error, "jiritsu.attempt": event.attempt, "jiritsu.wait_s": event.wait_s}
                run.call_notes.setdefault((event.turn, event.call_id), []).append(("attempt_failed", event.at, attributes))
            case AlternativeTried():
                attributes = {names.TOOL_NAME: event.alternative, "jiritsu.ok": event.ok, "jiritsu.source": event.source}
                run.call_notes.setdefault((event.turn, event.call_id), []).append(("alternative_tried", event.at, attributes))
            case CallFinished():
                self._call_finished(run, event)
            case Judged():
                attributes = {"jiritsu.verdict": event.verdict, "jiritsu.rules": event.rules, "jiritsu.held": event.held}
                run.notes.append(("judged", event.at, attributes))
            case LimitReached():
                run.notes.append(("limit_reached", event.at, {"jiritsu.limit": event.limit, "jiritsu.warning": event.warning}))
            case RunFinished():
                self._run_finished(self._live.pop(event.run_id), event)

    def _model_answered(self, event: ModelAnswered) -> None:
        model_attributes = _model(event.model)
        usage = {
            names.INPUT_TOKENS: event.input_tokens,
            names.OUTPUT_TOKENS: event.output_tokens,
            names.CACHED_TOKENS: event.cached_tokens,
        }
        attributes = {
            **model_attributes,
            **usage,
            names.RESPONSE_MODEL: model_attributes[names.REQUEST_MODEL],
            names.FINISH_REASONS: [event.stop_reason] if event.stop_reason else "",
            names.TURN: event.turn,
            names.FALLBACK: event.fallback,
        }
        if event.cost_usd is not None:
            attributes[names.COST] = float(event.cost_usd)
        self._chat(event, attributes, event.at - event.duration_s)
        self._durations[names.OPERATION_DURATION].record(event.duration_s, model_attributes)
        for kind, count in (("input", event.input_tokens), ("output", event.output_tokens)):
            self._tokens.record(count, {**model_attributes, names.TOKEN_TYPE: kind})
            if kind in self._latest:
                self._latest[kind].add(count, model_attributes)

    def _chat(self, event: ModelAnswered | ModelFailed, attributes: Mapping[str, Any], start: float, error: str = "") -> None:
        name = f"{names.CHAT} {attributes[names.REQUEST_MODEL]}"
        span, parent = span_of(event.run_id, event.key), span_of(event.run_id)
        self._write_span(name, span, parent, start, event.at, {**attributes, **_whose(event)}, kind=SpanKind.CLIENT, error=error)

    def _call_finished(self, run: _Live, event: CallFinished) -> None:
        place = (event.turn, event.call_id)
        kind = {names.OPERATION: names.EXECUTE_TOOL, names.TOOL_NAME: event.tool, names.TOOL_PROVIDER: event.provider}
        error = "" if event.outcome in WORKED else event.problem or event.outcome
        attributes = {
            **kind,
            names.TOOL_TYPE: "function",
            names.TOOL_CALL_ID: event.call_id,
            names.TURN: event.turn,
            names.EFFECT: event.effect,
            names.OUTCOME: event.outcome,
            names.ATTEMPTS: event.attempts,
            names.CURED_BY: event.cured_by,
            **_permission(run.facts.calls[place]),
            **_whose(event),
        }
        start = event.at - event.duration_s
        span, notes = span_of(event.run_id, *place), run.call_notes.pop(place, [])
        self._write_span(
            f"{names.EXECUTE_TOOL} {event.tool}", span, span_of(event.run_id), start, event.at, attributes, notes, error=error
        )
        self._durations[names.TOOL_DURATION].record(event.duration_s, {**kind, **_failed(error)})
        if event.attempts > 1:
            self._retries.add(event.attempts - 1, {names.TOOL_NAME: event.tool})
        answer = run.facts.calls[place].answer
        if answer is not None:
            self._approval.record(answer.waited_s, {names.TOOL_NAME: event.tool, names.APPROVAL: answer.answer})

    def _run_finished(self, run: _Live, event: RunFinished) -> None:
        facts, found = run.facts, autonomy_of(run.facts)
        error = "" if event.ending in ("completed", "simulated", "closed") else event.ending
        attributes: dict[str, Any] = {
            names.OPERATION: names.INVOKE_AGENT,
            names.AGENT_NAME: names.AGENT,
            names.ENDING: event.ending,
            names.SIMULATED: facts.simulated,
            names.TRIGGER: facts.start.trigger if facts.start else "",
            names.INPUT_TOKENS: sum(reply.input_tokens for reply in facts.replies.values()),
            names.OUTPUT_TOKENS: sum(reply.output_tokens for reply in facts.replies.values()),
            **_whose(event),
        }
        scores = {names.OVERALL: found.overall, names.LEVEL: found.level, names.COST: cost_usd(facts)}
        scores |= {names.MEASURE.format(name): value for name, value in found.breakdown.items()}
        attributes |= {name: value for name, value in scores.items() if value is not None}
        job = span_of(event.run_id, "workflow") if event.job else None
        start, length = facts.started_at, event.at - facts.started_at
        self._write_span(
            f"{names.INVOKE_AGENT} {names.AGENT}", span_of(event.run_id), job, start, event.at, attributes, run.notes, error=error
        )
        agent, failed = {names.OPERATION: names.INVOKE_AGENT, names.AGENT_NAME: names.AGENT}, _failed(error)
        self._durations[names.AGENT_DURATION].record(length, agent | failed)
        if job is not None:
            flow = {names.OPERATION: names.INVOKE_WORKFLOW, names.WORKFLOW_NAME: event.job}
            whole = {**flow, **_whose(event), names.ENDING: event.ending}
            self._write_span(f"{names.INVOKE_WORKFLOW} {event.job}", job, None, start, event.at, whole, error=error)
            self._durations[names.WORKFLOW_DURATION].record(length, flow | failed)
        self._runs.add(1, {names.ENDING: event.ending, names.JOB: event.job})
        if found.overall is not None:
            self._autonomy.record(found.overall, {names.JOB: event.job, names.LEVEL: found.level or ""})

    def _write_span(
        self,
        name: str,
        span: SpanContext,
        parent: SpanContext | None,
        start: float,
        end: float,
        facts: Mapping[str, Any],
        notes: Notes | None = None,
        *,
        kind: SpanKind = SpanKind.INTERNAL,
        error: str = "",
    ) -> None:
        """Write one span that has ended. Times are seconds since the epoch."""
        context = inside(parent, self._tracers) if parent is not None else trace.set_span_in_context(trace.INVALID_SPAN)
        attributes = {key: value for key, value in facts.items() if value != ""}
        with using_ids(span):
            begun = self._tracer.start_span(name, context, kind, attributes, start_time=_nanoseconds(start))
        for note, at, about in notes or []:
            begun.add_event(note, about, _nanoseconds(at))
        if error:
            begun.set_attribute(names.ERROR_TYPE, error)
            begun.set_status(Status(StatusCode.ERROR, error))
        begun.end(_nanoseconds(end))


def _model(model: str) -> dict[str, Any]:
    """Return the attributes of a model's id, which is `vendor:name`."""
    vendor, _, name = model.partition(":")
    provider = names.PROVIDERS.get(vendor, vendor)
    return {names.OPERATION: names.CHAT, names.PROVIDER: provider, names.REQUEST_MODEL: name or vendor}


def _failed(error: str) -> dict[str, Any]:
    return {names.ERROR_TYPE: error} if error else {}


def _whose(event: RunEvent) -> dict[str, Any]:
    return {names.CONVERSATION: event.run_id, names.SESSION: event.run_id, names.JOB: event.job, names.TENANT: event.tenant}


def _permission(call: CallFacts) -> dict[str, Any]:
    attributes: dict[str, Any] = {}
    if call.decided is not None:
        attributes |= {names.DECISION: call.decided.decision, names.RULE: call.decided.rule}
    if call.answer is not None:
        attributes |= {names.APPROVAL: call.answer.answer, names.APPROVAL_LATENCY: call.answer.waited_s}
    return attributes


def _nanoseconds(seconds: float) -> int:
    return int(seconds * 1e9)
