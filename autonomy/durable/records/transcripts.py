"""Builds a run's transcript from its record, steps and events.

Arguments and results are in the engine's checkpoints, from the moment a step ends, and not in the journal. So the transcript of a
running run is as complete as its last checkpoint, and that of a deleted run (`[keep]`, `jiritsu runs forget`) is gone.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Literal, TypeVar

import sqlalchemy as sa
from pydantic import ValidationError

from autonomy.durable.durable_tables import runs
from autonomy.durable.engine_tables import steps_table, stored_steps
from autonomy.durable.records.run_records import RunRecord
from autonomy.durable.storage.serializer import JsonSerializer
from autonomy.durable.store import Store
from autonomy.llm.messages import AssistantMessage, ToolCall, ToolDefinition
from autonomy.policy.decision_table import Decision
from autonomy.run_state.asking.approvals import ApprovalAnswer
from autonomy.run_state.completion_rules import name_of
from autonomy.run_state.run_values import AttemptFailure, CallRecord
from discovery.catalog import Frozen, JsonObject
from metrics import events
from metrics.events import RunEvent
from metrics.journal import Journal
from metrics.metrics_tables import events as log

CallState = Literal["asked", "waiting", "running", "ended", "interrupted"]

_CALL = re.compile(r"^(turn-\d+/call-\d+)(?:/|$)")
_MODEL = re.compile(r"^(turn-(\d+)(?:/[a-z-]+)?)/model$")
T = TypeVar("T", bound=Frozen)

_EMPTY: Mapping[str, Any] = {}


class CallTranscript(Frozen):
    """One call of a tool, from the model's request to the evidence."""

    key: str
    """Its place in the run: `turn-2/call-1`."""
    call_id: str
    tool: str
    """As the model wrote it."""
    provider: str = ""
    effect: str = ""
    arguments: JsonObject | None = None
    """None when they are not kept."""
    unreadable: str = ""
    state: CallState = "asked"
    asked_for: bool = True
    """False when the host made it by itself."""
    started_at: float | None = None
    """Seconds since the epoch, as are all times here."""
    ended_at: float | None = None
    outcome: str = ""
    """See `Outcome`; no text until it has ended."""
    problem: str = ""
    decision: Decision | None = None
    approval: ApprovalAnswer | None = None
    asked_at: float | None = None
    """When a person was asked about it."""
    troubles: tuple[AttemptFailure, ...] = ()
    """The attempts that failed, with their waits, and the alternatives."""
    record: CallRecord | None = None
    """The result as the model saw it, the whole result, the receipt."""

    @property
    def result(self) -> str | None:
        """The result as the model saw it; None when there is none yet, or it is not kept."""
        return self.record.result.text if self.record and not self.record.stands_in_step else None

    @property
    def whole(self) -> str:
        """The whole text of the result."""
        return (self.record.whole or self.record.result.text) if self.record else ""


class RuleTranscript(Frozen):
    """One completion rule as the judge found it."""

    name: str
    held: bool
    finding: str = ""
    """What is missing, in a sentence; empty where only the name is kept."""


class JudgementTranscript(Frozen):
    """The judge's verdict on one answer."""

    at: float
    verdict: str
    by: Literal["rules", "model"] = "rules"
    held: int = 0
    checked: int = 0
    """The number of rules checked, including those of every run; `rules` names the job's own and those that failed."""
    rules: tuple[RuleTranscript, ...] = ()
    remarks: tuple[str, ...] = ()
    """What could not be traced in the answer, a sentence each."""


class ModelFailureTranscript(Frozen):
    """One attempt at a model without a usable reply."""

    model: str
    error: str
    then: str
    wait_s: float = 0.0


class TurnTranscript(Frozen):
    """One reply of a model and its calls."""

    key: str
    """`turn-2`, or `turn-0/steps`, `turn-2/last-words`, `turn-1/plan`, `turn-3/opinion`."""
    number: int
    asked_at: float | None = None
    answered_at: float | None = None
    running: bool = False
    failures: tuple[ModelFailureTranscript, ...] = ()
    message: AssistantMessage | None = None
    """None until the model has answered, and where its words are not kept."""
    problem: str = ""
    """Why no model answered."""
    calls: tuple[CallTranscript, ...] = ()
    judgements: tuple[JudgementTranscript, ...] = ()
    remarks: tuple[str, ...] = ()
    """Limits that were near or reached."""


class Offer(Frozen):
    """The tools a run was given."""

    tools: int
    """How many it may use."""
    definitions: tuple[ToolDefinition, ...] = ()
    """Those that the model was shown from the start, as it was shown them."""
    freshness: str = ""
    unavailable: tuple[str, ...] = ()


class Transcript(Frozen):
    """The whole transcript of one run."""

    record: RunRecord
    model: str = ""
    offer: Offer | None = None
    turns: tuple[TurnTranscript, ...] = ()
    interventions: tuple[events.Intervention | events.FeedbackGiven, ...] = ()
    complete: bool = True
    """False when steps are not kept any more: then only what the result and the journal hold is shown."""

    @property
    def calls(self) -> tuple[CallTranscript, ...]:
        """All calls, in order."""
        return tuple(call for turn in self.turns for call in turn.calls)

    def call(self, key: str) -> CallTranscript | None:
        """The call that stands at this key."""
        return next((call for call in self.calls if call.key == key), None)


class Transcripts:
    """Reads transcripts from the database of a host, whatever process runs the runs."""

    def __init__(self, engine: sa.Engine, journal: Journal, *, keys: Sequence[str] = ()) -> None:
        """`keys`: the operator's secrets, with which steps may be encrypted."""
        self._engine, self._journal, self._serializer = engine, journal, JsonSerializer(keys)

    async def of(self, record: RunRecord) -> Transcript:
        """The transcript of a run. Raises `StoreError` when its steps are encrypted under another key, or the database is
        away."""
        events = await self._journal.read(run_id=record.run_id)
        steps = await Store(self._engine, patience_s=0)(lambda connection: self._steps(connection, record.run_id))
        return assemble(record, events, steps)

    async def version(self, run_id: str) -> str:
        """A value that changes whenever the transcript may have; cheap enough to be read twice a second."""
        return await Store(self._engine, patience_s=0)(lambda connection: _version(connection, run_id))

    def _steps(self, connection: sa.Connection, run_id: str) -> dict[str, Any]:
        return {name: self._serializer.deserialize(output) for name, output in stored_steps(connection, run_id)}


def assemble(record: RunRecord, run_events: Sequence[RunEvent], steps: Mapping[str, Any]) -> Transcript:
    """Put a transcript together. Pure."""
    started = next((event for event in run_events if isinstance(event, events.RunStarted)), None)
    turns = _Turns(record, run_events, steps).build()
    return Transcript(
        record=record,
        model=started.model if started else "",
        offer=_offer(run_events, steps),
        turns=turns,
        interventions=tuple(event for event in run_events if isinstance(event, events.Intervention | events.FeedbackGiven)),
        complete=bool(steps) or not run_events or record.ended_at is None,
    )


class _Turns:
    """The turns of one run while they are put together."""

    def __init__(self, record: RunRecord, events: Sequence[RunEvent], steps: Mapping[str, Any]) -> None:
        self._record, self._steps, self._run_events = record, steps, events
        self._events = {event.key: event for event in events}
        self._read = {read["call_id"]: read for name, gave in steps.items() if name.endswith("/reads") for read in gave}
        replies = [gave for name, gave in steps.items() if name.endswith("/model")]
        self._foreseen = {key: decision for gave in replies for key, decision in gave.get("foreseen", _EMPTY).items()}
        self._results = {call.call_id: call for call in record.result.calls} if record.result else {}
        self._ended = record.ended_at is not None

    def build(self) -> tuple[TurnTranscript, ...]:
        return tuple(self._turn(key) for key in self._keys())

    def _keys(self) -> list[str]:
        """The step keys of model requests, and of calls made without one, in the order of the run."""
        turn_keys = [match.group(1) for name in self._steps if (match := _MODEL.match(name))]
        begun = [
            event.key.rpartition("/")[0]
            for event in self._run_events
            if isinstance(event, events.TurnStarted | events.ModelAsked | events.ModelAnswered)
        ]
        alone = [f"turn-{event.turn}" for event in self._run_events if isinstance(event, events.CallEvent)]
        made = [f"turn-{call.turn}" for call in self._results.values()]
        return sorted(dict.fromkeys([*turn_keys, *begun, *alone, *made]), key=_order)

    def _turn(self, key: str) -> TurnTranscript:
        number = int(key.split("/")[0].removeprefix("turn-"))
        gave = self._steps.get(f"{key}/model")
        request, answered = self._events.get(f"{key}/model-asked"), self._events.get(f"{key}/model-answered")
        message = AssistantMessage.model_validate(gave["message"]) if gave and gave.get("message") else None
        begun = request or self._events.get(f"{key}/turn")
        failures = [
            event
            for event in self._run_events
            if isinstance(event, events.ModelFailed) and event.key.startswith(f"{key}/model-failed")
        ]
        return TurnTranscript(
            key=key,
            number=number,
            asked_at=begun.at if begun else None,
            answered_at=answered.at if answered else (gave or _EMPTY).get("finished_at"),
            running=begun is not None and gave is None and answered is None and not self._ended,
            failures=tuple(
                ModelFailureTranscript(**event.model_dump(include={"model", "error", "then", "wait_s"})) for event in failures
            ),
            message=message or self._last_words(number),
            problem=(gave or _EMPTY).get("problem", ""),
            calls=self._calls(number, message) if "/" not in key else (),
            judgements=self._judgements(key),
            remarks=tuple(
                event.limit
                for event in self._run_events
                if isinstance(event, events.LimitReached) and event.key.startswith(f"turn-{number}/") and "/" not in key
            ),
        )

    def _last_words(self, number: int) -> AssistantMessage | None:
        """The final answer, which the result keeps when the steps are gone."""
        result = self._record.result
        if self._steps or result is None or not result.text or number != result.turns:
            return None
        return AssistantMessage(text=result.text)

    def _calls(self, number: int, message: AssistantMessage | None) -> tuple[CallTranscript, ...]:
        by_key = {f"turn-{number}/call-{place}": call for place, call in enumerate(message.calls if message else (), 1)}
        call_keys = [match.group(1) for name in (*self._events, *self._steps) if (match := _CALL.match(name))]
        keys = [key for key in dict.fromkeys([*by_key, *call_keys]) if key.startswith(f"turn-{number}/")]
        calls = [self._call(key, by_key.get(key)) for key in sorted(keys, key=_order)]
        call_ids = {call.call_id for call in calls}
        late = [call for call in self._results.values() if call.turn == number and call.call_id not in call_ids]
        places = enumerate(late, len(calls) + 1)
        return (*calls, *(self._call(f"turn-{number}/call-{place}", None, call.call_id) for place, call in places))

    def _call(self, key: str, call: ToolCall | None, call_id: str = "") -> CallTranscript:
        """The call at a key: as a model made it, else as its events or, by its id, the result have it."""
        call_events: dict[type[Any], RunEvent] = {
            type(event): event
            for event in self._run_events
            if isinstance(event, events.CallEvent) and (event.key == key or event.key.startswith(f"{key}/"))
        }
        facts = next((event for event in call_events.values() if isinstance(event, events.CallEvent)), None)
        call_id = call.id if call else facts.call_id if facts else call_id
        record = _parsed(CallRecord, self._steps.get(key) or self._read.get(call_id)) or self._results.get(call_id)
        started, finished = call_events.get(events.CallStarted), call_events.get(events.CallFinished)
        request = call_events.get(events.ApprovalRequested)
        ended_at = finished.at if finished else record.finished_at if record else None
        return CallTranscript(
            key=key,
            call_id=call_id,
            tool=call.name if call else facts.tool if facts else record.asked if record else "",
            provider=facts.provider if facts else record.provider if record else "",
            effect=facts.effect if facts else record.effect if record else "",
            arguments=call.arguments if call else _arguments(record),
            unreadable=call.unreadable if call else "",
            state=self._state(call_events, ended=ended_at is not None),
            asked_for=finished.asked_for if isinstance(finished, events.CallFinished) else True,
            started_at=started.at if started else None,
            ended_at=ended_at,
            outcome=record.result.kind if record else finished.outcome if isinstance(finished, events.CallFinished) else "",
            problem=record.problem if record else finished.problem if isinstance(finished, events.CallFinished) else "",
            decision=self._decision(key, call_events),
            approval=self._answer(key, call_events),
            asked_at=request.at if request else None,
            troubles=record.troubles if record else self._troubles(key),
            record=record,
        )

    def _state(self, call_events: Mapping[type[Any], RunEvent], *, ended: bool) -> CallState:
        if ended:
            return "ended"
        if self._ended:
            return "interrupted"
        if events.CallStarted in call_events:
            return "running"
        return "waiting" if events.ApprovalRequested in call_events and events.ApprovalAnswered not in call_events else "asked"

    def _decision(self, key: str, call_events: Mapping[type[Any], RunEvent]) -> Decision | None:
        decided = call_events.get(events.CallDecided)
        if not isinstance(decided, events.CallDecided):
            return _parsed(Decision, self._steps.get(f"{key}/policy") or self._foreseen.get(key))
        return Decision(decision=decided.decision, rule=decided.rule, reason=decided.reason)

    def _answer(self, key: str, call_events: Mapping[type[Any], RunEvent]) -> ApprovalAnswer | None:
        answered = call_events.get(events.ApprovalAnswered)
        if not isinstance(answered, events.ApprovalAnswered) or answered.edited_sha256:
            return _parsed(ApprovalAnswer, self._steps.get(f"{key}/approval")) or self._answer_in_list(key)
        return ApprovalAnswer(answer=answered.answer, by=answered.by, reason=answered.reason, waited_s=answered.waited_s)

    def _answer_in_list(self, key: str) -> ApprovalAnswer | None:
        """A person's answer to one call of a list, whose label begins with its place in the reply."""
        turn, _, place = key.partition("/call-")
        answer = _parsed(ApprovalAnswer, self._steps.get(f"{turn}/list/approval"))
        if answer is None:
            return None
        changed = (answer.arguments or {}).items()
        own = next((arguments for label, arguments in changed if label.startswith(f"{place}. ")), None)
        return answer.model_copy(update={"arguments": own})

    def _troubles(self, key: str) -> tuple[AttemptFailure, ...]:
        failed = [
            event for event in self._run_events if isinstance(event, events.AttemptFailed) and event.key.startswith(f"{key}/")
        ]
        return tuple(
            AttemptFailure(
                attempt=event.attempt,
                tool=event.tool,
                error=event.error,
                status=event.status,
                wait_s=event.wait_s,
                retrying=event.retrying,
            )
            for event in failed
        )

    def _judgements(self, key: str) -> tuple[JudgementTranscript, ...]:
        found = self._events.get(f"{key}/judged")
        if not isinstance(found, events.Judged):
            return ()
        names = [name_of(rule) for rule in self._record.request.rules] if found.by == "rules" else []
        findings = self._findings(found)
        return (
            JudgementTranscript(
                at=found.at,
                verdict=found.verdict,
                by=found.by,
                held=found.held,
                checked=found.rules,
                rules=tuple(
                    RuleTranscript(name=name, held=name not in found.missing, finding=findings.get(name, ""))
                    for name in dict.fromkeys([*names, *found.missing])
                ),
                remarks=found.remarks,
            ),
        )

    def _findings(self, judged: events.Judged) -> Mapping[str, str]:
        """The judge's sentences; in runs of the first release only the last judgement of a run has them, in the result."""
        if judged.findings:
            return dict(zip(judged.missing, judged.findings, strict=False))
        result = self._record.result
        judgements = [event for event in self._run_events if isinstance(event, events.Judged)]
        if result is None or judged is not judgements[-1] or len(result.missing) != len(judged.missing):
            return {}
        return dict(zip(judged.missing, result.missing, strict=True))


def _arguments(record: CallRecord | None) -> JsonObject | None:
    return None if record is None or record.stands_in_step else record.arguments


def _offer(run_events: Iterable[RunEvent], steps: Mapping[str, Any]) -> Offer | None:
    taken = next((event for event in run_events if isinstance(event, events.CatalogTaken)), None)
    if taken is None:
        return None
    by_steps = next((gave for name, gave in steps.items() if name.endswith("/steps/shown")), None)  # of the goal, by a model
    definitions = (by_steps or steps.get("catalog") or _EMPTY).get("definitions", ())
    return Offer(
        tools=taken.tools,
        definitions=tuple(ToolDefinition.model_validate(one) for one in definitions),
        freshness=taken.freshness,
        unavailable=taken.unavailable_providers,
    )


def _parsed(form: type[T], gave: Any) -> T | None:
    """The parsed result of a step; None if it is of another release and unreadable."""
    try:
        return form.model_validate(gave) if gave is not None else None
    except ValidationError:
        return None


def _order(key: str) -> tuple[int, int, str]:
    """`turn-10/call-2` after `turn-9/call-11`; what stands beside a turn (`/plan`, `/last-words`) after the turn."""
    turn, _, step = key.partition("/")
    number = step.removeprefix("call-").split("/")[0]
    return int(turn.removeprefix("turn-")), int(number) if number.isdecimal() else 0, step


def _version(connection: sa.Connection, run_id: str) -> str:
    state = connection.execute(sa.select(runs.c.state).where(runs.c.run_id == run_id)).scalar_one_or_none()
    count = connection.execute(sa.select(sa.func.count()).where(log.c.run_id == run_id)).scalar_one()
    table, steps = steps_table(connection), 0
    if table is not None:
        steps = connection.execute(
            sa.select(sa.func.count()).select_from(table).where(table.c.workflow_uuid == run_id)
        ).scalar_one()
    return f"{state}-{count}-{steps}"
