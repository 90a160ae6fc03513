"""What a decision on a call depends on beside the call itself."""

from collections.abc import Collection, Mapping

from pydantic import Field

from autonomy.llm.model import Need
from autonomy.policy.decision_table import SourceClass, TracedValue
from autonomy.policy.sinks import Sink
from autonomy.policy.texts.given_addresses import GivenAddresses
from autonomy.policy.write_plan import WritePlan
from discovery.catalog import Frozen


class Circumstances(Frozen):
    """The circumstances of a decision beside the call itself."""

    tenant: str = "default"
    job: str = ""
    writes: tuple[Need, ...] = ()
    """The write needs the run declares."""
    able: tuple[Need, ...] = ()
    """Those of all declared needs that this tool could meet."""
    closed: bool = False
    """Whether the run declares what it needs: then a write that it does not declare is not its business."""
    done: Mapping[str, int] = Field(default_factory=dict)
    """How often each declared write need, and each planned write (`key_of`), was met already."""
    plan: WritePlan | None = None
    """What the model declared before it read anything; None when it declared nothing."""
    sources: frozenset[str] = frozenset()
    """The providers of the tools that could meet the declared reads."""
    labels: frozenset[str] = frozenset()
    """What the model has seen."""
    to_confirm: frozenset[str] = frozenset()
    """Tools that the tenant wants a person asked about."""
    strangers: frozenset[str] = frozenset()
    """Tools that would take over a need which others met in this job's runs before."""
    known: str = ""
    """The words of those who may decide, as they wrote them: the goal, its inputs, the job, the operator's instructions."""
    goal: str = ""
    """Of these the goal alone: what the operator tells every run counts no writes of this one."""
    words: str = ""
    """The goal of a run that declares no needs: of a write as long as the model has seen nothing else, and of every call where
    the model `declined`; else empty."""
    declined: bool = False
    """Whether the model declared no plan when it was asked for one beside what was read: the `words` are its plan then."""
    siblings: frozenset[str] = frozenset()
    """Where it `declined`, or there is a plan: the tools of the same provider, the called one among them."""
    made: int = 0
    """Where it `declined`: how often this tool wrote."""
    written: int = 0
    """Where it `declined`: how often any tool wrote."""
    repeated: bool = False
    """Where there are `words` or a plan: whether the tool was called for the same recipient, place or thing before."""
    looked: frozenset[str] = frozenset()
    """The reads that were made."""
    opened: int = 0
    """How many addresses were opened that nobody named."""
    traced: tuple[TracedValue, ...] = ()
    """The call's values with their sinks and sources."""
    readers: Mapping[str, tuple[str, ...]] = Field(default_factory=dict)
    """The tools that could meet each declared read, by the need's id."""
    read_addresses: GivenAddresses = GivenAddresses()
    """The addresses that stand in what was read."""
    returned: frozenset[str] = frozenset()
    """The codes of a read that its own provider brought in this run: giving them back tells it nothing."""
    told: frozenset[str] = frozenset()
    """The texts, of nobody who may decide, that earlier reads told the provider of a read."""
    quoted: str = ""
    """Another provider of whose answers a read would repeat a sentence word for word."""
    drafts: frozenset[str] = frozenset()
    """The write needs that a person reads before they are met."""

    def is_only_mailbox(self, value: TracedValue, givers: Collection[str]) -> bool:
        """Whether a recipient out of a text is the only mailbox that these tools brought."""
        of_text = value.sink is Sink.RECIPIENT and value.source is SourceClass.TEXT
        return of_text and self.read_addresses.has_only_mailbox(value.value, givers)
