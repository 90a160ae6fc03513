"""Defines the events of a run.

    run_started
      catalog_taken
      turn_started
        model_asked → model_failed* → model_answered
        call_decided    approval_requested → approval_answered
        call_started → attempt_failed* → alternative_tried* → call_finished → receipt_recorded
      judged
    run_finished                       feedback_given, intervention at any time

An event is identified by `(run_id, key)`. The key is its position in the run (`turn-2/call-1/finished`), so that a run which is
replayed after a crash writes the same events, and writing one twice changes nothing. No event holds arguments or results, only
their digests and sizes: personal data stays in the run's record and can be deleted without touching the log.
"""

from collections.abc import Callable, Sequence
from decimal import Decimal
from functools import cache
from typing import Annotated, Literal, Protocol

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter

from metrics.endings import ANSWERED as ANSWERED
from metrics.endings import WORKED as WORKED
from metrics.endings import Ending as Ending
from metrics.endings import Outcome as Outcome
from metrics.endings import Problem as Problem


class Event(BaseModel):
    """The fields of all events."""

    model_config = ConfigDict(frozen=True, extra="forbid", defer_build=True)

    run_id: str
    key: str
    """Its position in the run; unique within the run."""
    at: float
    """When it was first written, in seconds since the epoch."""
    tenant: str = "default"
    job: str = ""
    """The job's name; empty for an ad-hoc goal."""


class RunStarted(Event):
    """A run has begun."""

    type: Literal["run_started"] = "run_started"
    trigger: Literal["cli", "schedule", "slack", "chat", "message", "api", "test", "import"] = "cli"
    actor: str = ""
    """Who requested it: a user's id, or the schedule's name."""
    goal_sha256: str = ""
    model: str = ""
    needs: tuple[str, ...] = ()
    """The needs that the job declares as required."""
    optional_needs: tuple[str, ...] = ()
    simulated: bool = False


class CatalogTaken(Event):
    """The run's catalog was fixed."""

    type: Literal["catalog_taken"] = "catalog_taken"
    snapshot_id: str
    tools: int
    offered: int
    """How many of the tools are given to the model at once; it finds the others by searching."""
    freshness: str
    unavailable_providers: tuple[str, ...] = ()
    starting_providers: tuple[str, ...] = ()
    """Unavailable providers that were still starting: the run did not need them, or they exceeded the wait."""


class ProviderAwaited(Event):
    """Before its first turn, the run waits for a provider that is starting."""

    type: Literal["provider_awaited"] = "provider_awaited"
    provider: str
    cause: str = ""
    since: float = 0.0
    """When the provider began to start, in seconds since the epoch."""
    most_s: float = 0.0
    """The limit of this wait, in seconds."""


class TurnStarted(Event):
    """The model is asked for its next reply."""

    type: Literal["turn_started"] = "turn_started"
    turn: int


class ModelAsked(Event):
    """A request is about to be sent to the models."""

    type: Literal["model_asked"] = "model_asked"
    turn: int
    model: str
    """The first model of the chain."""


class ModelFailed(Event):
    """One request to a model gave no usable reply."""

    type: Literal["model_failed"] = "model_failed"
    turn: int
    model: str
    error: str
    """The class of the error, e.g. `ModelUnavailable`."""
    then: Literal["retry", "fallback", "correct", "give_up"]
    wait_s: float = 0.0


class ModelAnswered(Event):
    """The model replied."""

    type: Literal["model_answered"] = "model_answered"
    turn: int
    model: str
    duration_s: float
    input_tokens: int = 0
    output_tokens: int = 0
    cached_tokens: int = 0
    cost_usd: Decimal | None = None
    stop_reason: str = ""
    calls: int = 0
    fallback: bool = False
    """Whether it is not the first model of the chain."""


class CallEvent(Event):
    """The fields of all events of one tool call."""

    turn: int
    call_id: str
    tool: str
    """The full name as the model wrote it."""
    provider: str = ""
    effect: str = ""


class CallDecided(CallEvent):
    """The policy decided on the call. For a write, this is logged before the effect."""

    type: Literal["call_decided"] = "call_decided"
    decision: Literal["allow", "ask", "deny"]
    rule: str = ""
    """The name of the policy rule that decided."""
    reason: str = ""
    arguments_sha256: str = ""


class CallStarted(CallEvent):
    """The call is about to be sent."""

    type: Literal["call_started"] = "call_started"
    title: str = ""
    """The tool's title for people, from its server."""


class AttemptFailed(CallEvent):
    """One attempt of the call got no answer, or a temporary failure."""

    type: Literal["attempt_failed"] = "attempt_failed"
    attempt: int
    error: str
    status: int = 0
    """The HTTP status with which its server refused; 0 for none."""
    wait_s: float = 0.0
    retrying: bool = False


class AlternativeTried(CallEvent):
    """A fallback tool was called instead of one that failed."""

    type: Literal["alternative_tried"] = "alternative_tried"
    alternative: str
    ok: bool
    source: Literal["table", "ranked", "learned"] = "ranked"


class CallFinished(CallEvent):
    """The call has ended."""

    type: Literal["call_finished"] = "call_finished"
    outcome: Outcome
    problem: Problem = ""
    """What was wrong, if the outcome is not `ok`."""
    at_fault: tuple[str, ...] = ()
    """The names of the arguments that were wrong, never their values."""
    unknown_arguments: tuple[str, ...] = ()
    """Those of them that the tool does not have."""
    attempts: int = 1
    duration_s: float = 0.0
    waited_s: float = 0.0
    """How long it waited for its provider's rate limit, in addition to `duration_s`."""
    cured_by: Literal["", "retry", "alternative"] = ""
    """How a failure was overcome."""
    needs: tuple[str, ...] = ()
    """The declared needs that this call serves; it meets them if the outcome is `ok`."""
    repeated: bool = False
    """Whether the same call with the same result was made before in this run."""
    asked_for: bool = True
    """False if the host made it by itself (auto-context, read-back)."""
    arguments_sha256: str = ""
    result_sha256: str = ""
    result_chars: int = 0


class ReceiptRecorded(CallEvent):
    """A write was acknowledged, or its outcome is unknown."""

    type: Literal["receipt_recorded"] = "receipt_recorded"
    state: Literal["done", "unknown", "reconciled"]
    read_back: Literal["confirmed", "absent", "not_declared"] = "not_declared"
    target: str = ""
    """Where the effect can be seen, e.g. a URL."""


class ApprovalRequested(CallEvent):
    """A person is asked to approve the call."""

    type: Literal["approval_requested"] = "approval_requested"
    arguments_sha256: str = ""
    asked_with: str = ""
    """If several calls are approved by one question: the position of the first; empty for that one."""
    expires_at: float | None = None


class ApprovalAnswered(CallEvent):
    """A person answered, or nobody did in time (`expired`, which is not `denied`)."""

    type: Literal["approval_answered"] = "approval_answered"
    answer: Literal["granted", "denied", "expired"]
    by: str = ""
    reason: str = ""
    waited_s: float = 0.0
    edited_sha256: str = ""
    """The digest of the arguments as changed by the person; empty if unchanged."""


class QualityPart(BaseModel):
    """One part of a result's quality: how many of its items hold."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    name: Literal["grounding", "coverage", "subject", "traced"]
    held: int = Field(ge=0)
    of: int = Field(ge=1)


class Judged(Event):
    """The completion rules were checked by the evidence."""

    type: Literal["judged"] = "judged"
    turn: int
    verdict: Literal["complete", "continue", "blocked"]
    rules: int = 0
    """How many rules the job declares."""
    held: int = 0
    missing: tuple[str, ...] = ()
    """The names of the rules that do not hold."""
    findings: tuple[str, ...] = ()
    """A sentence for each of `missing`. They name rules, tools and claims, and quote no result."""
    remarks: tuple[str, ...] = ()
    """A sentence for each statement without a source in what was read, if that alone does not make the run doubtful."""
    needs_met: tuple[str, ...] = ()
    """The declared needs for which there is evidence."""
    by: Literal["rules", "model"] = "rules"
    parts: tuple[QualityPart, ...] = ()
    """The countable parts of the result: sentences and figures with a source, members that were read, sentences about the
    declared subject. Empty if nothing was read."""


class LimitReached(Event):
    """A limit is near (`warning`) or reached."""

    type: Literal["limit_reached"] = "limit_reached"
    limit: str
    warning: bool = False


class Intervention(Event):
    """A person intervened in another way than by an approval."""

    type: Literal["intervention"] = "intervention"
    kind: Literal["cancel", "pause", "resume", "retry", "resolve_effect", "edit", "call_by_hand"]
    by: str = ""


class FeedbackGiven(Event):
    """A person rated the result."""

    type: Literal["feedback_given"] = "feedback_given"
    by: str = ""
    good: bool


class RunFinished(Event):
    """The run has ended."""

    type: Literal["run_finished"] = "run_finished"
    ending: Ending
    reason: str = ""
    remarked: int = 0
    """How many statements of the result have no source in what was read."""
    unavailable: bool = False
    """Whether it ended because providers could not be reached."""
    turns: int = 0
    calls: int = 0
    duration_s: float = 0.0
    result_chars: int = 0


class TickHandled(Event):
    """A tick of a job's schedule came due; `run_id` is the run that it started, or would have started."""

    type: Literal["tick_handled"] = "tick_handled"
    due: float
    did: Literal["run", "skipped", "merged"]
    reason: str = ""


class DataAccessed(Event):
    """A backend tool read or wrote personal data; the event holds no data."""

    type: Literal["data_accessed"] = "data_accessed"
    tool: str
    phase: Literal["before", "after"]
    arguments_sha256: str = ""
    records: int | None = None
    fields: tuple[str, ...] = ()
    error: str = ""


class RecordErased(Event):
    """The bodies of a run's events were erased at a person's request; their digests stay, so that the hash chain remains
    valid."""

    type: Literal["record_erased"] = "record_erased"
    by: str = ""
    reason: str = ""
    events: int = 0
    """How many bodies were erased."""


RunEvent = Annotated[
    RunStarted
    | ProviderAwaited
    | CatalogTaken
    | TurnStarted
    | ModelAsked
    | ModelFailed
    | ModelAnswered
    | CallDecided
    | CallStarted
    | AttemptFailed
    | AlternativeTried
    | CallFinished
    | ReceiptRecorded
    | ApprovalRequested
    | ApprovalAnswered
    | Judged
    | LimitReached
    | Intervention
    | FeedbackGiven
    | RunFinished
    | TickHandled
    | DataAccessed
    | RecordErased,
    Field(discriminator="type"),
]

EVENT: TypeAdapter[RunEvent] = TypeAdapter(RunEvent, config=ConfigDict(defer_build=True))
"""Reads and writes any event as JSON."""


def read_event(body: str) -> RunEvent:
    """Parse a stored event; unknown fields, as of a newer release, are ignored. Raises pydantic's `ValidationError`."""
    return EVENT.validator.validate_json(body, extra="ignore")  # type: ignore[no-any-return]


WORDS = ("cause", "error", "reason", "findings", "remarks", "target")
"""The fields of events with free text: a server's error, a rule's or a person's reason, statements of an answer, a URL."""


def without_secrets(event: RunEvent, redact: Callable[[str], str]) -> RunEvent:
    """Redact secrets in the free text of an event; names, ids and digests stay."""
    words = {name: value for name in _words_of(type(event)) if (value := getattr(event, name))}
    if not words:
        return event
    hidden = {name: redact(value) if isinstance(value, str) else tuple(map(redact, value)) for name, value in words.items()}
    return event.model_copy(update=hidden) if hidden != words else event


@cache
def _words_of(kind: type[BaseModel]) -> tuple[str, ...]:
    """Return the fields of `WORDS` that this type of event has."""
    return tuple(name for name in WORDS if name in kind.model_fields)


class EventSink(Protocol):
    """Receives events. It may be slow or fail without harming the run, except for the journal, which must store every event."""

    async def write(self, events: Sequence[RunEvent]) -> None:
        """Take events, in order; the same event may come twice."""
