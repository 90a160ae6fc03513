"""The approval protocol: request, answer, and approver.

Called from `calls` when the policy says `ask`. A terminal asks at once (`cli`), a scheduled run waits durably
(`durable.approval_store`), and where nobody can be asked the answer is no.
"""

from typing import Literal, Protocol

from pydantic import Field

from autonomy.policy.decision_table import TracedValue
from autonomy.run_state.quiet_hours import QuietHours
from autonomy.run_state.step import Step
from discovery.catalog import Frozen, JsonObject


class TextSupport(Frozen):
    """How far the sentences of a text rest on what the run has read."""

    wanting: int
    """How many sentences need a source: headings, greetings and what repeats the request do not."""
    sourced: int
    """How many of them have one."""
    unsourced: tuple[str, ...] = ()
    """Sentences that nothing says, and of the others the figures, days, names and ids that nothing says; in the text's order."""
    of_others: tuple[str, ...] = ()
    """Sentences that are said only of other persons, days or places than the task is about."""


class ApprovalQuestion(Frozen):
    """A question to a person; an answer is valid for exactly these arguments."""

    run_id: str
    key: str
    """Where in the run the call stands."""
    tenant: str
    job: str
    tool: str
    title: str = ""
    """What its server calls the tool."""
    effect: str
    arguments: JsonObject
    arguments_sha256: str
    reason: str
    """Why the policy asks."""
    asked_for_by: str = ""
    """The person whose goal it is."""
    traced: tuple[TracedValue, ...] = ()
    """Every value with where it goes and where it came from."""
    language: str = "ja"
    """Of whoever is asked."""
    wait_s: float | None = None
    """How long the job lets the question stand; None leaves it to the operator."""
    quiet: QuietHours | None = None
    """When nobody is to be asked it; they do not count as waiting."""
    input_schema: JsonObject = Field(default_factory=dict)
    """What the arguments have to fit, also when the person changes them; empty where it is not known."""
    replaces: dict[str, str] = Field(default_factory=dict)
    """The texts that arguments are new versions of, by argument, as the run has read them."""
    texts: dict[str, TextSupport] = Field(default_factory=dict)
    """What the texts among the arguments rest on, by argument; of a run that has read nothing, nothing is known."""
    headings: dict[str, tuple[str, ...]] = Field(default_factory=dict)
    """The headings that texts among the arguments have and that the job asks for, by argument: an edit keeps them."""
    calls: "tuple[ApprovalQuestion, ...]" = ()
    """The questions of one turn that are asked as one list; `arguments` then holds those of each, by its label. An answer may
    change each, or leave it out."""

    @property
    def by_label(self) -> "dict[str, ApprovalQuestion]":
        """The calls of a list by their labels, which say where in the reply each stands; empty for a question of its own."""
        return dict(zip(self.arguments, self.calls, strict=True)) if self.calls else {}

    @property
    def keys(self) -> tuple[str, ...]:
        """The positions in the run of the calls that wait for the answer."""
        return tuple(call.key for call in self.calls) or (self.key,)


class ApprovalTerms(Frozen):
    """The settings of a job for its questions."""

    wait_s: float | None = Field(None, gt=0)
    """How long a question stands; None leaves it to the operator."""
    questions: Literal["ask", "defaults", "decline"] = "ask"
    """What a server hears that asks something in the middle of a call: a person's answer, the defaults it proposes, or that
    nobody answers. Where nobody can be asked, `ask` declines."""
    sampling: Literal["ask", "allow", "deny"] = "ask"
    """What a server gets that asks for a reply of the run's model in the middle of a call: one if a person allows it, one in any
    case, or none; always within the run's limits. Where nobody can be asked, `ask` denies."""
    drafts: tuple[str, ...] = ()
    """Write needs whose calls stay drafts until a person has read them, edited what is to be edited, and approved."""
    expired: Literal["go_on", "stop"] = "go_on"
    """When nobody answered in time: the model is told and goes on without the call, or the run ends blocked."""


class NobodyAnswered(Exception):
    """The time for an answer is up, and the job's terms say that the run stops then. Lives inside one run only."""

    def __init__(self, tool: str) -> None:
        super().__init__(f"nobody answered in time whether {tool} may be called")


class ApprovalAnswer(Frozen):
    """The answer to a question. `expired` means that nobody answered in time, which is not a no."""

    answer: Literal["granted", "denied", "expired"]
    by: str = ""
    reason: str = ""
    content: JsonObject = Field(default_factory=dict)
    """What was entered, where a server asked for the fields of a form."""
    waited_s: float = 0.0
    arguments: JsonObject | None = None
    """What the person made of the arguments before granting them; None when they stay as the model wrote them."""


class Approver(Protocol):
    """Carries a question to a person and waits for the answer."""

    async def __call__(self, question: ApprovalQuestion, step: Step) -> ApprovalAnswer:
        """Ask. Whatever touches the world goes through `step`, so that the answer survives a restart."""
        ...


async def nobody(question: ApprovalQuestion, step: Step) -> ApprovalAnswer:
    """There is no one to ask here."""
    return ApprovalAnswer(answer="denied", by="", reason="nobody can be asked in this run")
