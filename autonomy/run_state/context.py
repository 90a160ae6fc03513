"""Request, context and result of one run.

The request and the result are values; the context is the one mutable thing of a run, and only the loop changes it. It reads no
clock: `now` is the time recorded with the last step, so that a run played again after a crash decides the same.
"""

import uuid
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Literal
from zoneinfo import ZoneInfo

from pydantic import Field

from autonomy.llm.messages import Message, ToolDefinition, ToolResult, Usage
from autonomy.llm.model import Task
from autonomy.policy.pasted_text import own_words, pasted_blocks
from autonomy.policy.write_plan import WritePlan
from autonomy.provenance import Sources
from autonomy.run_state.approvals import ApprovalTerms
from autonomy.run_state.completion_rules import Rule
from autonomy.run_state.limits import Limits, Spent
from autonomy.run_state.plan import Plan
from autonomy.run_state.quiet_hours import QuietHours
from discovery.catalog import Catalog, ContentPart, Frozen, JsonObject, ToolOutput, ToolSpec
from metrics.events import ANSWERED, Ending, Problem

if TYPE_CHECKING:  # who only looks at records needs no policy
    from autonomy.policy.policy import Decision

HOST = "jiritsu"
"""The provider of the host's own tools (`host_tools`) in records and events."""

Trigger = Literal["cli", "schedule", "slack", "chat", "api", "test"]


def new_run_id(now: datetime) -> str:
    """Sortable by time, unique, and short enough to type the beginning of."""
    return f"{now:%Y%m%d-%H%M%S}-{uuid.uuid4().hex[:6]}"


class UserRemark(Frozen):
    """What a person says to the model before one of its turns, in a run that was forked from another there."""

    turn: int = Field(ge=1)
    text: str


class RunRequest(Frozen):
    """A goal, and everything that bounds how it may be reached. JSON all the way, so that it can wait in a queue."""

    run_id: str
    task: Task
    tenant: str = "default"
    actor: str = ""
    job: str = ""
    trigger: Trigger = "cli"
    timezone: str = ""
    """Where its people live, as IANA names it, by which the model is told the time; empty where nobody said."""
    instructions: str = ""
    """The operator's words for the model, beside those of the servers file."""
    history: tuple[Message, ...] = ()
    """What was said before in the same conversation."""
    remarks: tuple[UserRemark, ...] = ()
    """What a person added when the run was forked."""
    tools: tuple[str, ...] = ("*",)
    """Globs of the full names of tools this run may use; none at all means plain words."""
    limits: Limits = Limits()
    rules: tuple[Rule, ...] = ()
    approval: ApprovalTerms = ApprovalTerms()
    simulate: bool = False
    """A rehearsal: decide on every write, show it, and send none."""
    plan: bool = False
    """Whether the run begins with a plan that is checked before anything happens."""
    quiet: QuietHours | None = None
    """When its questions and its result wait; None for a run that a person asked for."""
    second_opinion: bool = False
    """Whether the model also reads an answer that meets every rule; it can only fail it."""

    strange: tuple[str, ...] = ()
    """Texts among the inputs that a list of a tool or a request from outside gave: data, and nobody's word who may decide."""

    @property
    def pasted(self) -> tuple[str, ...]:
        """What a person pasted into a goal of his own: somebody else's words, in which he decides nothing."""
        return () if self.job else pasted_blocks(self.task.goal)

    @property
    def trusted_task(self) -> Task:
        """The task without those texts, wherever the job put them, and without what was pasted."""
        task = Task.model_validate(_without(self.task.model_dump(), self.strange)) if self.strange else self.task
        return task.model_copy(update={"goal": own_words(task.goal)}) if self.pasted else task

    @property
    def met(self) -> Ending:
        """How the run ends when nothing is missing: a rehearsal completes nothing."""
        return "simulated" if self.simulate else "completed"


def _without(data: Any, texts: tuple[str, ...]) -> Any:
    match data:
        case str():
            for text in texts:
                data = data.replace(text, "")
            return data
        case dict():
            return {name: _without(value, texts) for name, value in data.items()}
        case list() | tuple():
            return [_without(value, texts) for value in data]
        case _:
            return data


class AttemptFailure(Frozen):
    """Something that went wrong inside one call, and what was done about it."""

    attempt: int
    tool: str
    error: str
    problem: str = ""
    """The kind of problem that the tool itself had."""
    wait_s: float = 0.0
    retrying: bool = False
    alternative: str = ""
    """The tool tried in its place, if one was."""
    source: Literal["table", "ranked", "learned"] = "ranked"
    """Where the alternative was found."""
    cured: bool = False


class Receipt(Frozen):
    """Proof, or the lack of it, that a write happened."""

    call_id: str
    tool: str
    state: Literal["done", "unknown", "reconciled"]
    read_back: Literal["confirmed", "absent", "not_declared"] = "not_declared"
    target: str = ""
    """Where a person can see it, e.g. a URL."""
    needs: tuple[str, ...] = ()


class CallRecord(Frozen):
    """One finished call: the evidence that rules, measures and receipts are drawn from."""

    call_id: str
    turn: int
    tool: str
    """The tool that answered: the alternative, if one did."""
    asked: str
    """The tool the model asked for."""
    provider: str = ""
    effect: str = ""
    arguments: JsonObject = Field(default_factory=dict)
    result: ToolResult
    attempts: int = 0
    duration_s: float = 0.0
    """Of work: without what it waited for."""
    waited_s: float = 0.0
    """How long it was held back for its provider's rate limit."""
    finished_at: float = 0.0
    cured_by: Literal["", "retry", "alternative"] = ""
    problem: Problem = ""
    reason: str = ""
    """What made it end so, in one sentence for people."""
    at_fault: tuple[str, ...] = ()
    """The arguments that were wrong, by name."""
    needs: tuple[str, ...] = ()
    """The declared needs it serves."""
    troubles: tuple[AttemptFailure, ...] = ()
    receipt: Receipt | None = None
    """For a write that was sent."""
    whole: str = ""
    """The whole text of a result that was too long to show; `read_result` reads on in it."""
    kept_by: str = ""
    """The run with which more of the text is kept than `whole` has room for (`run_state.long_results`)."""
    whole_chars: int = 0
    """How long that text is."""
    continues: str = ""
    """The call whose kept text this one read on in: what it shows came from there."""
    sampled: Usage | None = None
    """What the replies cost that its server asked of the run's model meanwhile."""
    stands_in_step: bool = False
    """Whether its arguments and texts are left out here, because the step that made it keeps them."""
    output: ToolOutput | None = Field(None, exclude=True, repr=False)
    """What the tool answered, as it came; only in the process that made the call."""
    artefacts: tuple[ContentPart, ...] = ()
    """The images, sounds and resources that came with it."""

    def without_texts(self) -> "CallRecord":
        """What lists and sums need of it, where the step that made it keeps the rest."""
        result = self.result.model_copy(update={"text": "", "structured": None, "images": ()})
        left_out = {"arguments": {}, "result": result, "whole": "", "artefacts": (), "stands_in_step": True}
        return self.model_copy(update=left_out)

    @property
    def ok(self) -> bool:
        """Whether the tool did what it was asked."""
        return self.result.kind in ANSWERED

    @property
    def simulated(self) -> bool:
        """Whether it is a write of a rehearsal: decided on, and not sent."""
        return self.problem == "simulated"

    @property
    def good(self) -> bool:
        """Whether the run can build on it: it was done, or would have been."""
        return self.ok or self.simulated


class RunResult(Frozen):
    """How a run ended and what it can show for it."""

    run_id: str
    job: str = ""
    ending: Ending
    text: str = ""
    reason: str = ""
    """Why it ended as it did, in one sentence."""
    missing: tuple[str, ...] = ()
    """What the judge still missed."""
    unavailable: bool = False
    """Whether it ended because providers could not be reached: nobody's choice, and worth another try later."""
    receipts: tuple[Receipt, ...] = ()
    turns: int = 0
    plan: Plan | None = None
    """The last plan the run followed, if it was asked for one."""
    calls: tuple[CallRecord, ...] = ()
    usage: Usage = Usage()
    started_at: float = 0.0
    duration_s: float = 0.0


@dataclass
class RunProvenance:
    """The sources of one run, rebuilt from its records whenever it is played again."""

    sources: Sources
    now: float | None = None
    """When the run began, where its day is still to be told by what it reads; None where the job or the request tells it."""
    taken: int = 0
    """How many of the run's calls they hold."""
    schemas: set[str] = field(default_factory=set)
    """The tools whose schemas they hold."""
    heard: bool = False
    """Whether anything but the host's own word has come in."""
    steered: set[str] = field(default_factory=set)
    """The calls that untrusted text had a hand in: what they brought is text, whatever its form."""
    offsets: Counter[tuple[str, str, str]] = field(default_factory=Counter)
    """The offsets from UTC that times in results bear: sign, hours, minutes; they tell where the run's people live."""


@dataclass
class ToolExecutionContext:
    """How one run stands."""

    request: RunRequest
    catalog: Catalog
    offered: tuple[ToolSpec, ...]
    """The tools the model is shown."""
    definitions: tuple[ToolDefinition, ...]
    """The same tools as they are sent, built once so that a vendor's file can encode them once."""
    candidates: dict[str, tuple[str, ...]]
    """Need → the names of the allowed tools that could meet it (`needs.candidates`)."""
    allowed: frozenset[str]
    """The names of all tools this run may use; those that are not offered can be searched for."""
    to_confirm: frozenset[str]
    """Tools that this tenant wants a person asked about, each time."""
    started_at: float
    now: float
    """Seconds since the epoch, as recorded with the last step."""
    lacking: tuple[str, ...] = ()
    """The missing providers without which a required need cannot be met."""
    unavailable: str = ""
    """Why the run cannot reach what it needs, or any tool at all; empty when it can."""
    unseen: str = ""
    """The same of what it may need: servers whose tools nobody has seen."""
    absent: tuple[str, ...] = ()
    """The providers that a goal without declared needs may have meant, and that were not there in time."""
    worked_s: float = 0.0
    """What its steps took, those that ran together counted once."""
    messages: list[Message] = field(default_factory=list)
    records: list[CallRecord] = field(default_factory=list)
    beforehand: list[CallRecord] = field(default_factory=list)
    """The calls that the host made before the first turn (`auto_context`)."""
    checked: dict[str, CallRecord | str] = field(default_factory=dict)
    """What the reads of the job's checks brought before the last verdict, or why one was not made."""
    receipts: list[Receipt] = field(default_factory=list)
    usage: Usage = field(default_factory=Usage)
    turn: int = 0
    plan: Plan | None = None
    failed_turns: int = 0
    corrections: int = 0
    retried: set[tuple[str, int]] = field(default_factory=set)
    """Call and attempt of every retry: noted at once, and again when its record is taken in."""
    labels: frozenset[str] = frozenset()
    """What the model has seen (`untrusted`, `private:slack`, …): it only ever grows."""
    context_tokens: int | None = None
    """The smallest context of the models that may be asked, as recorded when the run began; None where it is not known."""
    shown_tokens: tuple[int, int] = (0, 0)
    """How many definitions were counted, and the tokens they came to."""
    opening: int = 0
    """How many messages stand before the first turn: they are never folded."""
    digest: list[str] = field(default_factory=list)
    """What was folded to make room, a line for each call and each time the model said something."""
    folded: set[str] = field(default_factory=set)
    """The calls whose results are no longer whole in the conversation."""
    strangers: frozenset[str] = frozenset()
    """Tools that could meet a need which other tools met in this job's runs before; a person is asked about each call."""
    write_plan: WritePlan | None = None
    """What the model declared that it will write; None while it declared nothing."""
    plan_asked: bool = False
    """Whether a person was asked about a plan: once in a run is enough."""
    plan_sought: bool = False
    """Whether the model was asked for a plan that it had not declared by itself: once in a run."""
    provenance: RunProvenance | None = None
    """Where the run's values come from, as far as its records were read in (`run_provenance`)."""
    warned: set[str] = field(default_factory=set)
    """What was warned of once (`progress`)."""
    foreseen: "Mapping[str, Decision]" = field(default_factory=dict)
    """What the policy said of the calls of the last reply, by their keys, as recorded with the reply."""
    reads_together: bool = False
    """Whether the reads of one turn are one step, as the last reply says: those of an older release are not."""
    asks_together: bool = False
    """Whether the calls of one turn are asked about in one list, as the last reply says: those of an older release are not."""
    seeks_plan: bool = False
    """Whether a plan is asked for where it is missing, as the last reply says: an older release asked for none."""
    instructed: set[str] = field(default_factory=set)
    """Providers whose `response_instruction` was given (once each)."""
    memo: dict[str, Any] = field(default_factory=dict, repr=False, compare=False)
    """What is derived from the records and kept so as not to be derived twice (`completion.evidence`); never the run's memory."""

    def add(self, *messages: Message) -> None:
        """Carry the conversation on."""
        self.messages.extend(messages)

    def show(self, definitions: tuple[ToolDefinition, ...]) -> None:
        """Let more tools stand among those the model sees, for the rest of the run."""
        if not definitions:
            return
        self.definitions += definitions
        found = [spec for definition in definitions if (spec := self.catalog.get(definition.name)) is not None]
        self.offered += tuple(spec for spec in found if spec.name in self.allowed)

    def paid(self, usage: Usage | None, finished_at: float, duration_s: float) -> None:
        """Count what asking a model took, and what its reply cost if there was one."""
        self.worked_s += duration_s
        self.now = max(self.now, finished_at)
        if usage is not None:
            self.usage = usage if self.usage == Usage() else self.usage + usage

    def settled(self, records: tuple[CallRecord, ...]) -> None:
        """Take in the calls of one turn, in the model's order."""
        self.records.extend(records)
        self.add(*(record.result for record in records))
        self.took(records)
        self.receipts.extend(record.receipt for record in records if record.receipt is not None)
        self.failed_turns = 0 if any(record.good for record in records) else self.failed_turns + 1

    def took(self, records: tuple[CallRecord, ...]) -> None:
        """Count the time of calls that were made together."""
        self.now = max((self.now, *(record.finished_at for record in records)))
        self.worked_s += _span_s(records)
        for record in records:
            self.paid(record.sampled, record.finished_at, 0.0)
        self.took_retries(records)

    def took_retries(self, records: tuple[CallRecord, ...]) -> None:
        """Count the retries of calls, each once, however often it is told of."""
        self.retried |= {
            (record.call_id, trouble.attempt) for record in records for trouble in record.troubles if trouble.retrying
        }

    @property
    def spent(self) -> Spent:
        """What the run has used of its limits."""
        tokens = self.usage.input_tokens + self.usage.output_tokens
        return Spent(self.turn, self.worked_s, tokens, self.usage.cost_usd)

    @property
    def retries_left(self) -> int:
        """How many more retries all calls together may make."""
        return self.request.limits.retries - len(self.retried)

    @property
    def began(self) -> datetime:
        """When it started, by the clock of those who asked."""
        zone = ZoneInfo(self.request.timezone) if self.request.timezone else None
        return datetime.fromtimestamp(max(self.started_at, 0.0), UTC).astimezone(zone)

    @property
    def elapsed_s(self) -> float:
        """Seconds from the start to the last recorded step."""
        return self.now - self.started_at

    @property
    def seconds_left(self) -> float:
        """Of work, until the run's own deadline."""
        wall = self.request.limits.wall_s
        return float("inf") if wall is None else max(0.0, wall - self.worked_s)

    def uses(self) -> Counter[str]:
        """How often each tool was called, also where an alternative answered in its place."""
        return Counter(name for record in self.records for name in {record.asked, record.tool})

    @property
    def out_of_reach(self) -> str:
        """Why it did not get what it needs, where a server is away that has it, or may have it."""
        required = {need.id for need in self.request.task.needs if need.required}
        return self.unavailable or (self.unseen if required - set(self.needs_met()) else "")

    def needs_met(self) -> tuple[str, ...]:
        """The declared needs for which there is evidence: a good read, or a receipt."""
        proven = {need for receipt in self.receipts if receipt.state != "unknown" for need in receipt.needs}
        reads = [record for record in self.records if record.effect == "read" and record.result.kind == "ok"]
        known = {need for record in reads for need in record.needs}
        return tuple(need.id for need in self.request.task.needs if need.id in proven | known)


def _span_s(records: tuple[CallRecord, ...]) -> float:
    """From the first start to the last end of calls that were made together."""
    made = [record for record in records if record.attempts]
    if not made:
        return 0.0
    return max(record.finished_at for record in made) - min(record.finished_at - record.duration_s for record in made)
