"""A run under way: its context, the services it works with, and how its effects are checkpointed and told."""

from dataclasses import dataclass

from autonomy.calls.services import Services
from autonomy.run_state.context import ToolExecutionContext
from autonomy.run_state.event_recorder import EventRecorder
from autonomy.run_state.step import Step


@dataclass(frozen=True)
class Run:
    """What every part of the loop and of a call is handed, instead of five arguments each."""

    ctx: ToolExecutionContext
    services: Services
    recorder: EventRecorder
    step: Step
