"""The services that runs work with, built once by `app`."""

import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import anyio

from autonomy.calls.backoff import Backoff
from autonomy.calls.need_memory import NeedMemory, NoNeedMemory
from autonomy.calls.tenancy import NoTenancy, Tenancy
from autonomy.calls.tool_definitions import Definitions
from autonomy.calls.verification.effect_ledger import EffectLedger, MemoryLedger
from autonomy.calls.verification.remote_task_memory import MemoryRemoteTasks, RemoteTaskMemory
from autonomy.llm.messages import ToolDefinition
from autonomy.llm.model import Model, OnText
from autonomy.llm.model_chain import Chain
from autonomy.policy.policy import Policy
from autonomy.run_state.asking.approvals import Approver, nobody
from autonomy.run_state.limits import Use
from autonomy.run_state.long_results import LongResults
from autonomy.run_state.run_values import RunRequest
from discovery.catalog import ToolSpec
from discovery.gateway import Gateway
from discovery.search.offering import OfferLimits
from discovery.transport.asked_back import CallListener
from metrics.events import EventSink

RunListener = Callable[[str], Awaitable[OnText | None]]
"""Who hears the next reply of a run as it is written, asked before each attempt at one; None where nobody does."""


@dataclass(frozen=True)
class Services:
    """The gateway to the tools, the operator's policy, and whom to tell and to ask."""

    gateway: Gateway
    policy: Policy = field(default_factory=Policy)
    approver: Approver = nobody
    ledger: EffectLedger = field(default_factory=MemoryLedger)
    remote_tasks: RemoteTaskMemory = field(default_factory=MemoryRemoteTasks)
    journal: EventSink | None = None
    watchers: Sequence[EventSink] = ()
    listeners: Sequence[RunListener] = ()
    call_listener: Callable[[Any, Any], CallListener] | None = None
    """Who stands beside a call, given the prepared call and its run; None asks as the run's own terms say."""
    model: Model | None = None
    """Gives servers the replies they ask for (MCP sampling); None gives them none."""
    judge_model: Chain | None = None
    """Gives second opinions; None leaves them to the run's own model."""
    tenancy: Tenancy = field(default_factory=NoTenancy)
    need_memory: NeedMemory = field(default_factory=NoNeedMemory)
    over_budget: Callable[[RunRequest, float, Use | None], Awaitable[str]] | None = None
    """Why a run may not begin now (seconds since the epoch), or go on after what it has used, for its job's budget of the day;
    None where nobody counts."""
    long_results: LongResults | None = None
    """Keeps what of a result is too long for a run's record; None cuts it there."""
    backoff: Backoff = field(default_factory=Backoff)
    clock: Callable[[], float] = time.time
    """Seconds since the epoch; read inside steps only."""
    steady: Callable[[], float] | None = None
    """The clock that measures durations, which nobody sets; None takes the machine's own, or a `clock` that is not."""
    sleep: Callable[[float], Awaitable[None]] = anyio.sleep
    definitions: Definitions = field(default_factory=Definitions)
    offer_limits: OfferLimits = field(default_factory=OfferLimits)

    def measure(self) -> float:
        """Seconds from some moment on, whatever the clock is set to meanwhile; read inside steps only."""
        steady = self.steady or (time.monotonic if self.clock is time.time else self.clock)
        return steady()

    def define(self, spec: ToolSpec, *, brief: bool = False) -> ToolDefinition:
        """A tool as models see it now; called inside steps only."""
        return self.definitions.in_brief(spec) if brief else self.definitions.of(spec, self.gateway.hint(spec), self.measure())
