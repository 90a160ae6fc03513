"""The table that decides on each argument of a call by sink, source and effect.

One row for a sink, one column for a source. `.` lets it pass, `?` asks a person, `!` denies. The worst cell of a call decides.
docs/policy.md shows this table; a test holds the two together and looks at every cell.
"""

from collections.abc import Sequence
from enum import StrEnum
from typing import Literal

from autonomy.policy.sinks import Sink
from discovery.catalog import Effect, Frozen, ToolSpec

Verdict = Literal["allow", "ask", "deny"]
Reach = Literal["read", "write", "destructive"]
"""What a call does: looks, changes or sends something, takes something away."""


class Decision(Frozen):
    """The policy's decision, with its rule and reason."""

    decision: Literal["allow", "ask", "deny"]
    rule: str
    reason: str = ""

    @property
    def refusal(self) -> str:
        """What a denial says: its rule, and its reason where it has one."""
        return f"it is not allowed ({self.rule}){f': {self.reason}' if self.reason else ''}"


def ask(reason: str, rule: str = "data flow") -> Decision:
    """A question to a person."""
    return Decision(decision="ask", rule=rule, reason=reason)


class SourceClass(StrEnum):
    """Where a value came from, as far as a decision depends on it."""

    WORDS = "words"
    """The operator, the job, or the person who asked said it; or the plan fixes it."""
    CHOICE = "choice"
    """A default or choice of the tool's own schema."""
    FIELD = "field"
    """A structured field of a result."""
    PASTED = "pasted"
    """What the person who asked pasted into the request: his to use, and not his word on who gets something."""
    OWN = "own"
    """The model's wording, stating nothing that could be looked up."""
    TEXT = "text"
    """Free text of a result, an error, an earlier conversation, looked-up context, or a description."""
    NOWHERE = "nowhere"
    """Nobody gave it."""


class TracedValue(Frozen):
    """One value of a call: its argument, its sink, its source."""

    argument: str
    path: str
    """JSON path inside of the argument, `$` for the whole."""
    value: str
    """As text, at most 120 characters."""
    sink: Sink
    source: SourceClass
    tools: tuple[str, ...] = ()
    """The tools in whose structured results it stands; of a text, in whose results."""
    told_by: str = ""
    """Where it stands, for people: the tool and the beginning of the text, or nothing."""
    named: bool = False
    """Whether results show it as the id of somebody or something that the request calls by name, and of nobody else."""
    called: str = ""
    """The name by which the request calls whose id it is, where that is one."""
    called_elsewhere: str = ""
    """The name by which the request calls whose id it is, where only a tool of another provider shows that."""
    shared: bool = False
    """Whether results show that what the request calls it by is said of another one just as well."""
    left_out: str = ""
    """The name by which the request leaves somebody out ("everyone except Kenta") to whom it would go."""
    returned_for: str = ""
    """The need of the job whose write in this run returned it, where the job says that the argument is filled with that: then
    it is the job's word."""
    beside: bool = False
    """Whether it counts as text only because it is a field of another record than the one that the request names."""


COLUMNS = tuple(SourceClass)

WRITE = {
    # a default or choice of the schema is a stranger's word about who gets something
    #                W C F P O T N
    Sink.SECRET:    ". ? ? ? ! ! !",
    Sink.HOST:      ". ? ? ? ? ? ?",
    Sink.RECIPIENT: ". ? . ? ? ? ?",
    Sink.IDENTITY:  ". ? . ? ? ? ?",
    Sink.ID:        ". ? . ? ? ? ?",
    Sink.AMOUNT:    ". . . . . ? ?",
    Sink.TIME:      ". . . . . ? ?",
    # where something takes place is wording for people; where something is delivered to is a recipient
    Sink.PLACE:     ". . . . . . ?",
    Sink.NAME:      ". . . . . ? ?",
    Sink.QUERY:     ". . . . . . .",
    Sink.TEXT:      ". . . . . . .",
    Sink.LINK:      ". . . . ? ? ?",
    Sink.FLAG:      ". . . . . ? ?",
    # the run's own command is not wording: nobody reads it before it is carried out
    Sink.COMMAND:   ". ? ? ? ? ? ?",
}  # fmt: skip

DESTRUCTIVE = WRITE | {
    #                W C F P O T N
    Sink.RECIPIENT: ". ? ? ? ? ! !",
    Sink.IDENTITY:  ". ? ? ? ? ! !",
    Sink.ID:        ". ? ? ? ? ! !",
    Sink.NAME:      ". . ? ? ? ! !",
    Sink.PLACE:     ". . ? ? ? ! !",
    Sink.QUERY:     ". . ? ? ? ! !",
}  # fmt: skip

READ = {
    # a field is no better than text where an address is fetched: whoever can post a link can fill a field
    #                W C F P O T N
    Sink.SECRET:    ". ? ? ? ! ! !",
    Sink.HOST:      ". ? ? ? ? ? ?",
    Sink.RECIPIENT: ". . . . . . .",
    Sink.IDENTITY:  ". . . . . . .",
    Sink.ID:        ". . . . . . .",
    Sink.AMOUNT:    ". . . . . . .",
    Sink.TIME:      ". . . . . . .",
    Sink.PLACE:     ". . . . . . .",
    Sink.NAME:      ". . . . . . .",
    Sink.QUERY:     ". . . . . . .",
    Sink.TEXT:      ". . . . . . .",
    Sink.LINK:      ". . ? ? ? ? ?",
    Sink.FLAG:      ". . . . . . .",
    Sink.COMMAND:   ". . . . . . .",
}  # fmt: skip

INDIFFERENT_TO_READS = frozenset(sink for sink, cells in READ.items() if set(cells.split()) == {"."})
"""What may come from anywhere as long as nothing but it is looked for."""

TABLE: dict[Reach, dict[Sink, str]] = {"read": READ, "write": WRITE, "destructive": DESTRUCTIVE}
_VERDICTS: dict[str, Verdict] = {".": "allow", "?": "ask", "!": "deny"}


def cell(reach: Reach, sink: Sink, source: SourceClass) -> Verdict:
    """The decision for one value."""
    return _VERDICTS[TABLE[reach][sink].split()[COLUMNS.index(source)]]


def worst_of(values: Sequence[TracedValue], reach: Reach) -> tuple[Verdict, str]:
    """The worst cell of the table for these values, and what it says in one sentence; allow and nothing when all pass."""
    cells = [(cell(reach, value.sink, value.source), value) for value in values]
    verdict: Verdict = "deny" if any(c == "deny" for c, _ in cells) else "ask" if any(c == "ask" for c, _ in cells) else "allow"
    reasons = dict.fromkeys(f"{v.argument} ({v.sink}) {_FROM[v.source]}: {v.value}" for c, v in cells if c == verdict != "allow")
    return verdict, "; ".join(list(reasons)[:5])


_FROM = {
    SourceClass.WORDS: "from the request",
    SourceClass.CHOICE: "chosen",
    SourceClass.FIELD: "from a field that was read",
    SourceClass.PASTED: "from what was pasted",
    SourceClass.OWN: "in the run's own words",
    SourceClass.TEXT: "from text that was read",
    SourceClass.NOWHERE: "from nowhere",
}


def what_it_does(spec: ToolSpec) -> str:
    """A call by its effect, as a sentence."""
    if spec.effect is Effect.DESTRUCTIVE:
        return f"{spec.name} takes something away"
    if not spec.declared and spec.effect is Effect.WRITE:
        return f"{spec.name} may change something: nothing says that it only reads"
    return f"{spec.name} sends something to others" if spec.effect is Effect.OUTWARD else f"{spec.name} changes something"
