"""`Run`: a run's context, services, steps and event recorder in one object."""

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
