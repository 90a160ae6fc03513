"""The mutable state of one run.

`agent` and `calls` change it as the run goes on, and `run_provenance`, beside it, takes their records in. Nobody else does: other
rooms keep only what they worked out, in `memo`.
It reads no clock: `now` is the time recorded with the last step, so that a run played again after a crash decides the same.
"""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, tzinfo
from typing import Any, NamedTuple
from zoneinfo import ZoneInfo

from autonomy.llm.messages import Message, ToolCall, ToolDefinition, ToolResult, Usage
from autonomy.policy.decision_table import Decision
from autonomy.policy.write_plan import WritePlan
from autonomy.provenance import Sources
from autonomy.run_state.limits import Spent
from autonomy.run_state.plan import Plan
from autonomy.run_state.run_values import CallRecord, Receipt, RunRequest
from discovery.catalog import Catalog, JsonObject, ToolSpec


@dataclass
class RunProvenance:
    """The sources of one run, rebuilt from its records whenever it is played again."""

    sources: Sources
    now: float | None = None
    """When the run began, where its day is still to be told by what it reads; None where the job or the request tells it."""
    taken: int = 0
    """How many of the run's calls they hold."""
    heard: bool = False
    """Whether anything but the host's own word has come in."""
    steered: set[str] = field(default_factory=set)
    """The calls that untrusted text had a hand in: what they brought is text, whatever its form."""
    offsets: Counter[tuple[str, str, str]] = field(default_factory=Counter)
    """The offsets from UTC that times in results bear: sign, hours, minutes; they tell where the run's people live."""
    zone: tzinfo | None = None
    """Where the request says that they live."""


class StandingAnswer(NamedTuple):
    """An answer that counts as done, with what could not be traced in it."""

    text: str
    remarks: tuple[str, ...]


@dataclass
class ToolExecutionContext:
    """The mutable state of one run."""

    request: RunRequest
    catalog: Catalog
    offered: tuple[ToolSpec, ...]
    """The tools the model is shown."""
    definitions: tuple[ToolDefinition, ...]
    """The same tools as they are sent, built once so that a vendor's file can encode them once."""
    candidates: dict[str, tuple[str, ...]]
    """Need → the names of the allowed tools that could meet it (`policy.need_binding.candidates`)."""
    allowed: frozenset[str]
    """The names of all tools this run may use; those that are not offered can be searched for."""
    to_confirm: frozenset[str]
    """Tools that this tenant wants a person asked about, each time."""
    started_at: float
    now: float
    """Seconds since the epoch, as recorded with the last step."""
    missing_providers: tuple[str, ...] = ()
    """The providers that are missing and without which a required need cannot be met."""
    why_unavailable: str = ""
    """Why the run cannot reach what it needs, or any tool at all; empty when it can."""
    why_perhaps_unavailable: str = ""
    """Why it may not reach what it needs: servers whose tools nobody has seen."""
    absent_providers: tuple[str, ...] = ()
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
    sent_back: tuple[int, tuple[str, ...]] | None = None
    """The rules' findings that went back last, behind how many calls: behind no other call the same ones go back in vain."""
    opinions: int = 0
    unread: str = ""
    """Why no second opinion on the last answer could be had, where the request wants one."""
    remarked: bool = False
    """Whether the judge's remarks have gone back to the model, which happens once."""
    standing: StandingAnswer | None = None
    """The answer that counted as done when they did, for the case that nothing more comes."""
    retried: set[tuple[str, int]] = field(default_factory=set)
    """Call and attempt of every retry: noted at once, and again when its record is taken in."""
    labels: frozenset[str] = frozenset()
    """What the model has seen (`untrusted`, `private:slack`, …): it only ever grows."""
    context_tokens: int | None = None
    """The smallest context of the models that may be asked, as recorded when the run began; None where it is not known."""
    to_be_cut: bool = False
    """Whether the model is asked for the steps of the goal before the first turn, as recorded when the run began."""
    most_tools: int | None = None
    """How many definitions one request may hold, as recorded when the run began; None for any number."""
    spare: tuple[str, ...] = ()
    """The offered tools that give way to found ones, the first first."""
    gave_way: set[str] = field(default_factory=set)
    """The tools that did, because a request may hold only so many; they can still be called, and found again."""
    shown_tokens: tuple[tuple[ToolDefinition, ...], int] = ((), 0)
    """The definitions that were counted, and the tokens they came to."""
    opening: int = 0
    """How many messages stand before the first turn: they are never folded."""
    digest: list[str] = field(default_factory=list)
    """What was folded to make room, a line for each call and each time the model said something."""
    folded: set[str] = field(default_factory=set)
    """The calls whose results are no longer whole in the conversation."""
    repeats: str = ""
    """The key of an earlier write, of a run that has ended, that the one call of this turn repeats; empty for none."""
    strangers: frozenset[str] = frozenset()
    """Tools that could meet a need which other tools met in this job's runs before; a person is asked about each call."""
    write_plan: WritePlan | None = None
    """What the model declared that it will write; None while it declared nothing."""
    plan_is_part: bool = False
    """Whether that plan held more, which the request does not support."""
    plan_asked: bool = False
    """Whether a person was asked about a plan: once in a run is enough."""
    plan_sought: bool = False
    """Whether the model was asked for a plan that it had not declared by itself: once in a run."""
    refused: list[tuple[str, JsonObject]] = field(default_factory=list)
    """The calls to which a person said no in this run, with their arguments."""
    unapproved: dict[str, tuple[str, ...]] = field(default_factory=dict)
    """The calls to which a person said no in this run, or nothing in time, with the needs that they were to meet."""
    provenance: RunProvenance | None = None
    """Where the run's values come from, as far as its records were read in (`run_provenance`)."""
    warned: set[str] = field(default_factory=set)
    """What was warned of once (`progress`)."""
    foreseen: "Mapping[str, Decision]" = field(default_factory=dict)
    """What the policy said of the calls of the last reply, by their keys, as recorded with the reply."""
    reads_together: bool = False
    """Whether the reads of one turn are one step, as the last reply says: those of release 0.1 are not."""
    plans_in_part: bool = False
    """Whether what the request supports of a plan stands by itself, as the last reply says: earlier builds refused the whole."""
    of_this_release: bool = False
    """Whether the last reply was recorded by this release. A turn of an older one is played again as it went then: writes go out
    at once, a person is asked about each call by itself and again after a no, and no plan is asked for."""
    taught: "Counter[str] | None" = None
    """By how many calls of each tool a gateway's client has taught statistics; None in a run, whose records tell."""
    instructed: set[str] = field(default_factory=set)
    """Providers whose `response_instruction` was given (once each)."""
    memo: dict[str, Any] = field(default_factory=dict, repr=False, compare=False)
    """What is derived from the records and kept so as not to be derived twice (`completion.evidence`); never the run's memory."""

    def add(self, *messages: Message) -> None:
        """Carry the conversation on."""
        self.messages.extend(messages)

    def show(self, definitions: tuple[ToolDefinition, ...]) -> None:
        """Let more tools stand among those the model sees, until they give way."""
        if not definitions:
            return
        self.definitions += definitions
        offered = {spec.name for spec in self.offered}
        found = [spec for definition in definitions if (spec := self.catalog.get(definition.name)) is not None]
        self.offered += tuple(spec for spec in found if spec.name in self.allowed and spec.name not in offered)

    @property
    def offered_by_name(self) -> Mapping[str, ToolSpec]:
        """The offered tools by their names; the same object until others are offered."""
        offered, by_name = self.memo.get("offered_by_name", ((), {}))
        if offered is not self.offered:
            by_name = {spec.name: spec for spec in self.offered}
            self.memo["offered_by_name"] = self.offered, by_name
        found: Mapping[str, ToolSpec] = by_name
        return found

    def count_usage(self, usage: Usage | None, finished_at: float, duration_s: float) -> None:
        """Count what asking a model took, and what its reply cost if there was one."""
        self.worked_s += duration_s
        self.now = max(self.now, finished_at)
        if usage is not None:
            self.usage = usage if self.usage.is_none else self.usage + usage

    def record_of(self, call: ToolCall, result: ToolResult, *, provider: str, effect: str, **more: Any) -> CallRecord:
        """The record of a call that the host answers itself."""
        return CallRecord(
            call_id=call.id,
            turn=self.turn,
            tool=call.name,
            asked=call.name,
            provider=provider,
            effect=effect,
            arguments=call.arguments,
            result=result,
            finished_at=self.now,
            **more,
        )

    def add_records(self, records: tuple[CallRecord, ...]) -> None:
        """Take in the calls of one turn, in the model's order."""
        self.records.extend(records)
        self.add(*(record.result for record in records))
        self.count_calls(records)
        self.receipts.extend(record.receipt for record in records if record.receipt is not None)
        self.failed_turns = 0 if any(record.good for record in records) else self.failed_turns + 1

    def count_calls(self, records: tuple[CallRecord, ...]) -> None:
        """Count the time of calls that were made together."""
        self.now = max((self.now, *(record.finished_at for record in records)))
        if made := [record for record in records if record.attempts]:  # from the first start to the last end
            begun = min(record.finished_at - record.duration_s for record in made)
            span_s = max(record.finished_at for record in made) - begun
            each = [record.duration_s for record in made]  # a clock that was set meanwhile shows in the span, not in these
            self.worked_s += min(max(span_s, *each), sum(each))
        for record in records:
            self.count_usage(record.sampled, record.finished_at, 0.0)
        self.count_retries(records)

    def count_retries(self, records: tuple[CallRecord, ...]) -> None:
        """Count the retries of calls, each once, however often this is called for it."""
        self.retried |= {
            (record.call_id, trouble.attempt) for record in records for trouble in record.troubles if trouble.retrying
        }

    @property
    def spent(self) -> Spent:
        """The used part of the run's limits."""
        tokens = self.usage.input_tokens + self.usage.output_tokens
        return Spent(self.turn, self.worked_s, tokens, self.usage.cost_usd)

    @property
    def retries_left(self) -> int:
        """How many more retries all calls together may make."""
        return self.request.limits.retries - len(self.retried)

    @property
    def began(self) -> datetime:
        """The start of the run in the time zone of those who asked."""
        zone = ZoneInfo(self.request.timezone) if self.request.timezone else None
        return datetime.fromtimestamp(max(self.started_at, 0.0), UTC).astimezone(zone)

    @property
    def elapsed_s(self) -> float:
        """Seconds from the start to the last recorded step."""
        return self.now - self.started_at

    @property
    def seconds_left(self) -> float:
        """Seconds of work left until the run's own deadline."""
        wall = self.request.limits.wall_s
        return float("inf") if wall is None else max(0.0, wall - self.worked_s)

    @property
    def calls_made(self) -> int:
        """How many calls were sent."""
        return sum(bool(record.attempts) for record in self.records)

    def uses(self, tool: str) -> int:
        """How often a tool was called, also where it answered in another's place."""
        return sum(tool in (record.asked, record.tool) for record in self.records)

    @property
    def out_of_reach(self) -> str:
        """Why it did not get what it needs, where a server is away that has it, or may have it."""
        required = {need.id for need in self.request.task.needs if need.required}
        tried = {need for record in self.records for need in record.needs}  # what had a tool lacked no server
        return self.why_unavailable or (self.why_perhaps_unavailable if required - tried - {*self.needs_met()} else "")

    def needs_met(self) -> tuple[str, ...]:
        """The declared needs for which there is evidence: a good read, or a receipt."""
        proven = {need for receipt in self.receipts if receipt.state != "unknown" for need in receipt.needs}
        reads = [record for record in self.records if record.effect == "read" and record.result.kind == "ok"]
        read_needs = {need for record in reads for need in record.needs}
        return tuple(need.id for need in self.request.task.needs if need.id in proven | read_needs)
