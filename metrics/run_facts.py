"""Collects the facts of one run and of its calls from its events, in any order.

Each fact is stored under the key of its event, or is the latest of several that replace each other. Taking an event twice, or in
another order, therefore changes nothing, and the facts of two parts of a run can be joined.
"""

from collections.abc import Callable, Mapping
from functools import cache, lru_cache
from types import MappingProxyType
from typing import Any, NamedTuple, TypeVar, get_args

from metrics.events import (
    AlternativeTried,
    ApprovalAnswered,
    ApprovalRequested,
    AttemptFailed,
    CallDecided,
    CallEvent,
    CallFinished,
    CatalogTaken,
    Event,
    FeedbackGiven,
    Intervention,
    Judged,
    LimitReached,
    ModelAnswered,
    ModelFailed,
    ReceiptRecorded,
    RunEvent,
    RunFinished,
    RunStarted,
    TickHandled,
)

NOTHING: Mapping[str, Any] = MappingProxyType({})
"""Shared by all runs and calls that have nothing of a kind, because there may be a million of them."""

Stamped = TypeVar("Stamped", bound=tuple[Any, ...])


def later(one: Stamped | None, other: Stamped | None) -> Stamped | None:
    """Return the later of two facts, which replaces the other."""
    if one is None or other is None:
        return other if one is None else one
    return max(one, other)


def earlier(one: float | None, other: float | None) -> float | None:
    """Return the earlier of two times, which may be unknown."""
    return min((at for at in (one, other) if at is not None), default=None)


class DecisionFacts(NamedTuple):
    """The policy's decision on a call."""

    at: float
    decision: str
    rule: str


class FinishFacts(NamedTuple):
    """The end of a call."""

    at: float
    arguments: int
    """A hash that is equal for equal arguments; 0 if they are unknown."""
    outcome: str
    problem: str
    attempts: int
    cured_by: str
    needs: tuple[str, ...]
    repeated: bool
    asked_for: bool
    at_fault: tuple[str, ...]
    waited_s: float = 0.0
    unknown_arguments: tuple[str, ...] = ()


class ReceiptFacts(NamedTuple):
    """The known state of a write's effect."""

    at: float
    state: str
    read_back: str


class AnswerFacts(NamedTuple):
    """A person's answer to an approval."""

    at: float
    answer: str
    waited_s: float
    by: str = ""
    """Empty if nobody could be asked."""

    @property
    def given(self) -> bool:
        """Whether a person answered at all."""
        return self.answer == "granted" or (self.answer == "denied" and bool(self.by))


class AlternativeFacts(NamedTuple):
    """A fallback tool that was tried."""

    tool: str
    ok: bool


@lru_cache(4096)
def shared(facts: Stamped) -> Stamped:
    """Return the same tuple for equal tuples, to save memory: many calls have the same needs and the same end."""
    return facts


class CallFacts:
    """The facts of one tool call."""

    __slots__ = (
        "alternatives",
        "answer",
        "asked",
        "decided",
        "duration_s",
        "effect",
        "errors",
        "finished",
        "provider",
        "receipt",
        "tool",
        "turn",
    )

    def __init__(self, turn: int, tool: str) -> None:
        self.turn, self.tool = turn, tool
        self.provider = self.effect = ""
        self.decided: DecisionFacts | None = None
        self.finished: FinishFacts | None = None
        self.duration_s = 0.0
        self.receipt: ReceiptFacts | None = None
        self.asked: float | None = None
        self.answer: AnswerFacts | None = None
        self.errors: Mapping[str, str] = NOTHING
        self.alternatives: Mapping[str, AlternativeFacts] = NOTHING

    def finish(self, finished: FinishFacts, duration_s: float) -> None:
        """Record the end of the call; a later event replaces an earlier one."""
        if self.finished is None or (finished, duration_s) > (self.finished, self.duration_s):
            self.finished, self.duration_s = finished, duration_s

    def settle(self) -> None:
        """Drop time and arguments of its end, so that equal ends can be shared."""
        if self.finished is not None:
            self.finished = shared(FinishFacts(0.0, 0, *self.finished[2:]))

    def join(self, other: "CallFacts") -> None:
        """Add the facts of the same call from another part of the log."""
        self.provider, self.effect = max(self.provider, other.provider), max(self.effect, other.effect)
        if other.finished is not None:
            self.finish(other.finished, other.duration_s)
        self.decided, self.receipt = later(self.decided, other.decided), later(self.receipt, other.receipt)
        self.answer = later(self.answer, other.answer)
        self.asked = earlier(self.asked, other.asked)
        self.errors = {**self.errors, **other.errors}
        self.alternatives = {**self.alternatives, **other.alternatives}

    @property
    def outcome(self) -> str:
        """The call's outcome; empty while it is under way."""
        return self.finished.outcome if self.finished else ""

    @property
    def chosen(self) -> bool:
        """Whether the model requested it and it has ended."""
        return self.finished is not None and self.finished.asked_for

    @property
    def writes(self) -> bool:
        """Whether it is a write; an unknown effect counts as one."""
        return self.effect != "read"


class ReplyFacts(NamedTuple):
    """One reply of a model."""

    turn: int
    model: str
    duration_s: float
    input_tokens: int
    output_tokens: int
    cached_tokens: int
    cost_usd: float | None
    fallback: bool
    is_small_talk: bool = False
    """Whether it answers a message without a task."""


class ModelFailure(NamedTuple):
    """One request to a model without a usable reply."""

    at: float
    turn: int
    model: str
    error: str
    then: str


class VerdictFacts(NamedTuple):
    """The judge's verdict."""

    turn: int
    at: float
    verdict: str
    rules: int
    held: int
    missing: tuple[str, ...]
    needs_met: tuple[str, ...]
    parts: tuple[tuple[str, int, int], ...] = ()
    """Of each part (`grounding`, `coverage`, `subject`, `traced`): its name, how many items hold, and of how many."""
    by: str = "rules"
    """`model` for a second opinion, which is requested only on answers that pass the rules or are merely doubted."""


class StartFacts(NamedTuple):
    """The start of the run."""

    at: float
    key: str
    trigger: str
    model: str
    needs: tuple[str, ...]
    optional_needs: tuple[str, ...]
    simulated: bool
    goal: str
    """The goal's digest."""


class ToolsFacts(NamedTuple):
    """The part of the catalog that the run could see."""

    at: float
    key: str
    tools: int
    offered: int
    freshness: str
    unavailable: tuple[str, ...]


class EndFacts(NamedTuple):
    """The end of the run."""

    at: float
    key: str
    ending: str
    reason: str
    turns: int
    duration_s: float
    unavailable: bool = False
    """Whether it ended because providers could not be reached."""
    remarked: int = 0


class StepFacts(NamedTuple):
    """An intervention of a person."""

    at: float
    kind: str


class VoteFacts(NamedTuple):
    """A person's rating of the result."""

    at: float
    by: str
    good: bool


class TickFacts(NamedTuple):
    """A tick of a schedule."""

    due: float
    did: str
    reason: str


class RunFacts:
    """The facts of one run."""

    __slots__ = (
        "calls", "end", "failures", "first_at", "job", "limits", "replies", "run_id", "start", "steps", "tenant",
        "ticks", "tools", "verdicts", "votes",
    )  # fmt: skip

    def __init__(self, run_id: str) -> None:
        self.run_id = run_id
        self.tenant = self.job = ""
        self.first_at = float("inf")
        self.start: StartFacts | None = None
        self.tools: ToolsFacts | None = None
        self.end: EndFacts | None = None
        self.calls: dict[tuple[int, str], CallFacts] = {}
        self.replies: dict[str, ReplyFacts] = {}
        self.failures: Mapping[str, ModelFailure] = NOTHING
        self.verdicts: dict[str, VerdictFacts] = {}
        self.limits: Mapping[str, str] = NOTHING
        self.steps: Mapping[str, StepFacts] = NOTHING
        self.votes: Mapping[str, VoteFacts] = NOTHING
        self.ticks: Mapping[str, TickFacts] = NOTHING

    def take(self, event: RunEvent) -> None:
        """Add an event of this run."""
        if event.at < self.first_at:
            self.first_at = event.at
        if event.tenant != self.tenant or event.job != self.job:
            self.tenant, self.job = max(self.tenant, event.tenant), max(self.job, event.job)
        remember = REMEMBER.get(type(event))
        if remember is not None:
            remember(self, event)

    def join(self, other: "RunFacts") -> None:
        """Add the facts of the same run from another part of the log."""
        self.tenant, self.job = max(self.tenant, other.tenant), max(self.job, other.job)
        self.first_at = min(self.first_at, other.first_at)
        self.start, self.tools, self.end = (
            later(self.start, other.start),
            later(self.tools, other.tools),
            later(self.end, other.end),
        )
        for name in ("replies", "failures", "verdicts", "limits", "steps", "votes", "ticks"):
            setattr(self, name, {**getattr(self, name), **getattr(other, name)})
        for key, call in other.calls.items():
            self.call(call.turn, key[1], call.tool).join(call)

    def call(self, turn: int, call_id: str, tool: str) -> CallFacts:
        """Return the call with this id in this turn, adding it if it is new."""
        found = self.calls.get((turn, call_id))
        if found is None:
            found = self.calls[turn, call_id] = CallFacts(turn, tool)
        return found

    def settle(self) -> None:
        """Drop what only scoring needs, after the last event: verdicts, and the ids of calls."""
        self.verdicts = {}
        self.calls = {_place(number): call for number, (_, call) in enumerate(sorted(self.calls.items()))}
        for call in self.calls.values():
            call.settle()

    @property
    def happened(self) -> bool:
        """Whether it is a run, and not only a skipped tick, or a message of the host."""
        return bool(self.start or self.end or self.replies)

    @property
    def started_at(self) -> float:
        """The start of the run, in seconds since the epoch."""
        return self.start.at if self.start else self.first_at

    @property
    def simulated(self) -> bool:
        """Whether it was a rehearsal."""
        return self.start is not None and self.start.simulated

    @property
    def is_imported(self) -> bool:
        """Whether it is another agent's run, of which a trace tells less than our own events."""
        return self.start is not None and self.start.trigger == "import"

    @property
    def completed(self) -> bool:
        """Whether it ended as completed."""
        return self.end is not None and self.end.ending == "completed"

    @property
    def is_small_talk(self) -> bool:
        """Whether there was no task: it answered a greeting, or a question about what can be asked."""
        return not self.calls and any(reply.is_small_talk for reply in self.replies.values())

    @property
    def is_session(self) -> bool:
        """Whether it is the session of a client's agent: only that agent knows its goal, its turns and its time."""
        return self.end is not None and self.end.ending == "closed"

    @property
    def had_goal(self) -> bool:
        """Whether it ended and could have been completed: small talk and a client's session could not."""
        return self.end is not None and not self.is_session and not self.is_small_talk

    @property
    def words(self) -> tuple[bool, ...]:
        """The last rating of each person: good or not."""
        return tuple({vote.by: vote.good for vote in sorted(self.votes.values())}.values())

    @property
    def needs(self) -> tuple[str, ...]:
        """The needs declared as required."""
        return self.start.needs if self.start else ()

    @property
    def verdict(self) -> VerdictFacts | None:
        """The judge's last verdict."""
        return max(self.verdicts.values(), default=None)

    @property
    def opinions(self) -> tuple[bool, ...]:
        """The second opinions in order: whether the answer meets the goal."""
        return tuple(found.verdict == "complete" for found in sorted(self.verdicts.values()) if found.by == "model")

    def chosen(self) -> list[CallFacts]:
        """Return the calls that the model requested and that have ended, in their order."""
        return [call for _, call in sorted(self.calls.items()) if call.chosen]


@cache
def _place(number: int) -> tuple[int, str]:
    """Return the key of the nth call of a settled run; cached, so that all runs share it."""
    return 0, f"{number:04d}"


def _started(run: RunFacts, event: RunStarted) -> None:
    start = StartFacts(
        event.at,
        event.key,
        event.trigger,
        event.model,
        shared(event.needs),
        event.optional_needs,
        event.simulated,
        event.goal_sha256,
    )
    run.start = later(run.start, start)


def _catalog(run: RunFacts, event: CatalogTaken) -> None:
    tools = ToolsFacts(event.at, event.key, event.tools, event.offered, event.freshness, event.unavailable_providers)
    run.tools = later(run.tools, tools)


def _finished(run: RunFacts, event: RunFinished) -> None:
    facts = event.at, event.key, event.ending, event.reason, event.turns, event.duration_s, event.unavailable, event.remarked
    run.end = later(run.end, EndFacts(*facts))


def _answered(run: RunFacts, event: ModelAnswered) -> None:
    cost = None if event.cost_usd is None else float(event.cost_usd)
    tokens = event.input_tokens, event.output_tokens, event.cached_tokens
    run.replies[event.key] = ReplyFacts(
        event.turn, event.model, event.duration_s, *tokens, cost, event.fallback, event.stop_reason == "small_talk"
    )


def _failed(run: RunFacts, event: ModelFailed) -> None:
    failure = ModelFailure(event.at, event.turn, event.model, event.error, event.then)
    run.failures = {**run.failures, event.key: failure}


def _judged(run: RunFacts, event: Judged) -> None:
    needs_met = event.needs_met if event.by == "rules" else ()
    parts = tuple((part.name, part.held, part.of) for part in event.parts)
    run.verdicts[event.key] = VerdictFacts(
        event.turn, event.at, event.verdict, event.rules, event.held, event.missing, needs_met, parts, event.by
    )


def _limit(run: RunFacts, event: LimitReached) -> None:
    if not event.warning:
        run.limits = {**run.limits, event.key: event.limit}


def _intervened(run: RunFacts, event: Intervention) -> None:
    run.steps = {**run.steps, event.key: StepFacts(event.at, event.kind)}


def _voted(run: RunFacts, event: FeedbackGiven) -> None:
    run.votes = {**run.votes, event.key: VoteFacts(event.at, event.by, event.good)}


def _tick(run: RunFacts, event: TickHandled) -> None:
    run.ticks = {**run.ticks, event.key: TickFacts(event.due, event.did, event.reason)}


def _call(run: RunFacts, event: CallEvent) -> CallFacts:
    call = run.call(event.turn, event.call_id, event.tool)
    if event.provider != call.provider or event.effect != call.effect:
        call.provider, call.effect = max(call.provider, event.provider), max(call.effect, event.effect)
    return call


def _call_decided(run: RunFacts, event: CallDecided) -> None:
    call = _call(run, event)
    call.decided = later(call.decided, DecisionFacts(event.at, event.decision, event.rule))


def _call_asked(run: RunFacts, event: ApprovalRequested) -> None:
    call = _call(run, event)
    if not event.asked_with:  # a question about several calls is counted once, with its first call
        call.asked = earlier(call.asked, event.at)


def _call_granted(run: RunFacts, event: ApprovalAnswered) -> None:
    call = _call(run, event)
    call.answer = later(call.answer, AnswerFacts(event.at, event.answer, event.waited_s, event.by))


def _call_stumbled(run: RunFacts, event: AttemptFailed) -> None:
    call = _call(run, event)
    call.errors = {**call.errors, event.key: event.error}


def _call_replaced(run: RunFacts, event: AlternativeTried) -> None:
    call = _call(run, event)
    call.alternatives = {**call.alternatives, event.key: AlternativeFacts(event.alternative, event.ok)}


def _call_finished(run: RunFacts, event: CallFinished) -> None:
    call = _call(run, event)
    finished = FinishFacts(
        event.at, hash(event.arguments_sha256), event.outcome, event.problem, event.attempts, event.cured_by, shared(event.needs),
        event.repeated, event.asked_for, event.at_fault, event.waited_s, event.unknown_arguments,
    )  # fmt: skip
    call.finish(finished, event.duration_s)


def _call_receipted(run: RunFacts, event: ReceiptRecorded) -> None:
    call = _call(run, event)
    call.receipt = later(call.receipt, ReceiptFacts(event.at, event.state, event.read_back))


REMEMBER: Mapping[type[Event], Callable[[RunFacts, Any], None]] = {
    RunStarted: _started,
    CatalogTaken: _catalog,
    ModelAnswered: _answered,
    ModelFailed: _failed,
    CallDecided: _call_decided,
    ApprovalRequested: _call_asked,
    ApprovalAnswered: _call_granted,
    AttemptFailed: _call_stumbled,
    AlternativeTried: _call_replaced,
    CallFinished: _call_finished,
    ReceiptRecorded: _call_receipted,
    Judged: _judged,
    LimitReached: _limit,
    Intervention: _intervened,
    FeedbackGiven: _voted,
    TickHandled: _tick,
    RunFinished: _finished,
}
"""How each type of event is added; the others (e.g. that a turn begins) have no influence on measures."""

UNREAD: Mapping[str, str] = {
    **{event.model_fields["type"].default: "" for event in get_args(get_args(RunEvent)[0]) if event not in REMEMBER},
    "call_decided": '"decision":"allow"',
}
"""The events that no measure needs, as for `Journal.scan(without=…)`: whole types, and decisions to allow a call."""
