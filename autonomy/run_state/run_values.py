"""Request, calls and result of one run, as immutable values."""

import re
import uuid
from collections.abc import Collection
from datetime import datetime
from fnmatch import translate
from functools import cached_property, lru_cache
from typing import Any, Literal

from pydantic import Field, model_validator

from autonomy.llm.messages import Message, ToolResult, Usage
from autonomy.llm.model import Task
from autonomy.policy.requests.pasted_text import own_words, pasted_blocks
from autonomy.provenance.sources.leaves import leaves
from autonomy.run_state.asking.approvals import ApprovalQuestion, ApprovalTerms
from autonomy.run_state.completion_rules import Rule
from autonomy.run_state.digests import digest
from autonomy.run_state.limits import Budget, Limits
from autonomy.run_state.plan import Plan
from autonomy.run_state.quiet_hours import QuietHours
from autonomy.settings import SecondOpinion
from discovery.catalog import Catalog, ContentPart, Effect, Frozen, JsonObject, ToolOutput
from metrics.endings import ANSWERED, Ending, Problem

OUTCOME_UNKNOWN = "[nobody knows whether this happened; do not do it again]"
"""What is said of a write of which that is so."""

HOST = "jiritsu"
"""The provider of the host's own tools (`host_tools`) in records and events."""

Trigger = Literal["cli", "schedule", "slack", "chat", "message", "api", "test"]


def new_run_id(now: datetime) -> str:
    """Sortable by time, unique, and short enough to type the beginning of."""
    return f"{now:%Y%m%d-%H%M%S}-{uuid.uuid4().hex[:6]}"


class UserRemark(Frozen):
    """A person's remark to the model before one of its turns, in a run that was forked from another there."""

    turn: int = Field(ge=1)
    text: str


class ListMember(Frozen):
    """The place of a run among those that one start asked for, one for each item of a list."""

    start: str
    """The same for all of them, and for no other start."""
    item: str
    """What the item is called."""
    size: int = Field(ge=1)
    """How many runs the start asks for."""


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
    budget: Budget = Budget()
    """Of all runs of its job in a day: looked at once more when the run begins."""
    rules: tuple[Rule, ...] = ()
    approval: ApprovalTerms = ApprovalTerms()
    simulate: bool = False
    """A rehearsal: decide on every write, show it, and send none."""
    plan: bool = False
    """Whether the run begins with a plan that is checked before anything happens."""
    quiet: QuietHours | None = None
    """When its questions and its result wait; None for a run that a person asked for."""
    second_opinion: SecondOpinion = False
    """Whether a model also reads an answer that meets every rule, and may fail it; one that decides settles doubts, too."""

    answers_as: str = ""
    """The id under which its answers stand where it may read them again: what it said itself shows nothing."""
    of_list: ListMember | None = None
    """Its place in a list; None for a run that was asked for alone."""
    strange: tuple[str, ...] = ()
    """Texts among the inputs that a list of a tool or a request from outside gave: data, and nobody's word who may decide."""
    own_goal: str | None = None
    """The goal without what came from outside, names among it; None where all of it is the author's. Nothing else orders
    anything: a name may hold an order, and to cut a text out by its letters may cut what the author says himself."""

    def as_data(self) -> JsonObject:
        """Give the stored form: without defaults, so that a worker of an earlier release reads what uses nothing newer."""
        tagged = self.model_dump(mode="json", include={"rules", "history"})  # the tags of their unions are defaults
        return self.model_dump(mode="json", exclude_defaults=True) | {key: value for key, value in tagged.items() if value}

    def question(self, key: str, tool: str, effect: str, arguments: JsonObject, reason: str, **more: Any) -> ApprovalQuestion:
        """A question to a person about something that this run is about to do. Who wrote a message that started a job has asked
        for nothing, and answers none of its questions."""
        return ApprovalQuestion(
            run_id=self.run_id,
            key=key,
            tenant=self.tenant,
            job=self.job,
            tool=tool,
            effect=effect,
            arguments=arguments,
            arguments_sha256=digest(arguments),
            reason=reason,
            asked_for_by="" if self.trigger == "message" else self.actor,
            language=self.task.language,
            wait_s=self.approval.wait_s,
            quiet=self.quiet,
            **more,
        )

    @model_validator(mode="before")
    @classmethod
    def _messages_by_their_trigger(cls, data: Any) -> Any:
        """Runs that a message started were queued as `api` once: whose word they are is held to its writer all the same."""
        if isinstance(data, dict) and data.get("trigger") == "api" and _OF_MESSAGE.search(str(data.get("run_id", ""))):
            return {**data, "trigger": "message"}
        return data

    @property
    def pasted(self) -> tuple[str, ...]:
        """The pasted part of a person's goal: somebody else's words, which decide nothing."""
        return () if self.job else pasted_blocks(self.task.goal)

    @property
    def has_strangers_words(self) -> bool:
        """Whether strangers had a part in the request itself: what was pasted, or a text from outside among the inputs."""
        return bool(self.pasted or self.strange)

    @property
    def trusted_task(self) -> Task:
        """The task without those texts, wherever the job put them, without names from outside in its goal, and without what was
        pasted. Such a name stays among the inputs: it says who or what, and orders nothing."""
        task = Task.model_validate(_without(self.task.model_dump(), self.strange)) if self.strange else self.task
        task = task if self.own_goal is None else task.model_copy(update={"goal": self.own_goal})
        return task.model_copy(update={"goal": own_words(task.goal)}) if self.pasted else task

    @property
    def trusted_words(self) -> str:
        """All that those who may decide have said, as they wrote it: JSON would quote and escape it. The goal comes first."""
        said = self.trusted_task.model_dump(exclude={"language", "jobs"})
        return "\n".join((*(str(leaf.value) for leaf in leaves(said)), self.instructions))

    @property
    def met(self) -> Ending:
        """The ending of a run that lacks nothing: `simulated` for a rehearsal."""
        return "simulated" if self.simulate else "completed"


_OF_MESSAGE = re.compile(r"-message-[CDG][A-Z0-9]+-\d+\.\d+")
"""Within the id of a run that a message started: its channel and timestamp (`jobs.triggers`)."""


def allowed_for(request: RunRequest, catalog: Catalog, *, hidden: Collection[str] = ()) -> frozenset[str]:
    """The names of the tools a run may use; `hidden` are those its tenant may not."""
    allows = _compile_globs(request.tools).match
    return frozenset(filter(allows, catalog.names)).difference(hidden)


@lru_cache(maxsize=256)  # of the same few jobs, thrice in each run
def _compile_globs(globs: tuple[str, ...]) -> re.Pattern[str]:
    return re.compile("|".join(map(translate, globs)) or r"(?!)")


def _without(data: Any, texts: tuple[str, ...]) -> Any:
    match data:
        case str():
            return _cut_out(data, texts)
        case dict():
            return {name: _without(value, texts) for name, value in data.items()}
        case list() | tuple():
            return [_without(value, texts) for value in data]
        case _:
            return data


def _cut_out(words: str, texts: tuple[str, ...]) -> str:
    """The words without any of these texts. They are sought in the whole, not one after the other: of a text that holds another
    one, the rest would stay where that was cut out first."""
    strange = bytearray(len(words))
    for text in filter(None, texts):
        at = words.find(text)
        while at >= 0:
            strange[at : at + len(text)] = b"\1" * len(text)
            at = words.find(text, at + len(text))
    return "".join(sign for sign, foreign in zip(words, strange, strict=True) if not foreign)


def remarks_before(name: str, kind: str, reason: str, answered_by: str) -> list[str]:
    """What the host tells the model in front of an answer, a line each. `name`: the tool that the model called; `kind` and
    `reason`: what its answer counts as, and why; `answered_by`: the tool that answered in its place, if one did."""
    remarks = [f"[{name} failed; this is the answer of {answered_by}]"] if answered_by else []
    if kind == "unknown_outcome":
        remarks.append(OUTCOME_UNKNOWN)
    elif kind in ("empty", "suspicious"):
        remarks.append(f"[{reason}]")
    return remarks


class AttemptFailure(Frozen):
    """Something that went wrong inside one call, and what was done about it."""

    attempt: int
    tool: str
    error: str
    problem: str = ""
    """The kind of problem that the tool itself had."""
    status: int = 0
    """The HTTP status with which its server refused; 0 for none."""
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
    proposed: JsonObject = Field(default_factory=dict)
    """The arguments as the model wrote them, where a person changed them before granting the call."""
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
    unknown_arguments: tuple[str, ...] = ()
    """Those of them that the tool does not have."""
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
        """The part that lists and sums need, if the step that made it keeps the rest."""
        result = self.result.model_copy(update={"text": "", "structured": None, "images": ()})
        left_out = {"arguments": {}, "proposed": {}, "result": result, "whole": "", "artefacts": (), "stands_in_step": True}
        return self.model_copy(update=left_out)

    @cached_property
    def ok(self) -> bool:
        """Whether the tool did what it was asked; a run goes through all of its records time and again."""
        return self.result.kind in ANSWERED

    @property
    def text_answered(self) -> str:
        """The whole text of the answer, without what the host told the model in front of it."""
        if self.whole:
            return self.whole
        remarks = remarks_before(self.asked, self.result.kind, self.reason, self.result.answered_by)
        return self.result.text.removeprefix("".join(f"{remark}\n" for remark in remarks))

    @property
    def is_answered_read(self) -> bool:
        """Whether it is a read of a server's tool that was answered: only such a call brings evidence."""
        return self.effect == "read" and self.ok and self.provider != HOST

    @property
    def is_write(self) -> bool:
        """Whether it is a call that changes something; of a tool that nobody knows it is not said."""
        return self.effect not in ("", Effect.READ)

    @property
    def acknowledged(self) -> bool:
        """Whether it is a write of which its receipt says that it happened."""
        return self.receipt is not None and self.receipt.state != "unknown"

    @property
    def simulated(self) -> bool:
        """Whether it is a write of a rehearsal: decided on, and not sent."""
        return self.problem == "simulated"

    @property
    def good(self) -> bool:
        """Whether the run can build on it: it was done, or would have been."""
        return self.ok or self.simulated


class RunResult(Frozen):
    """The ending of a run, and its evidence."""

    run_id: str
    job: str = ""
    ending: Ending
    text: str = ""
    reason: str = ""
    """Why it ended as it did, in one sentence."""
    missing: tuple[str, ...] = ()
    """What the judge still missed."""
    remarks: tuple[str, ...] = ()
    """What could not be traced in a result that counts as done, a sentence each, for people to look at."""
    unread: str = ""
    """Why no second reader read a result that counts as done, where the request wants one; one sentence."""
    unavailable: bool = False
    """Whether it ended because providers, or every model, could not be reached: nobody's choice."""
    receipts: tuple[Receipt, ...] = ()
    turns: int = 0
    plan: Plan | None = None
    """The last plan the run followed, if it was asked for one."""
    calls: tuple[CallRecord, ...] = ()
    usage: Usage = Usage()
    started_at: float = 0.0
    duration_s: float = 0.0

    @property
    def is_refuted(self) -> bool:
        """Whether its text says what the judge did not let pass; who says that there is no answer claims none."""
        settled = self.ending in ("completed", "simulated", "unanswered", "declined", "cancelled")
        return bool(self.missing and self.text.strip()) and not settled

    @property
    def why_not_held(self) -> str:
        """Why the run ended so, and what is wrong with its text as far as that does not say it."""
        missing = dict.fromkeys(finding for finding in self.missing if finding not in self.reason)  # two rules may miss one thing
        return "; ".join(filter(None, (self.reason, *missing)))

    @property
    def may_run_again(self) -> bool:
        """Whether its whole goal may be tried anew later: it has written nothing that another run would write twice."""
        return self.unavailable and not self.receipts
