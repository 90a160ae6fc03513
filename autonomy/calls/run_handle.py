"""`Run`: a run's context, services, steps, event recorder and models in one object."""

from dataclasses import dataclass
from typing import Any

from autonomy.calls.services import Services
from autonomy.llm.messages import ToolCall
from autonomy.llm.model_chain import Chain
from autonomy.run_state.context import ToolExecutionContext
from autonomy.run_state.event_recorder import EventRecorder
from autonomy.run_state.run_values import AttemptFailure
from autonomy.run_state.step import Step
from discovery.catalog import ToolSpec
from metrics import events

NO_MODEL = Chain(())


@dataclass(frozen=True)
class Run:
    """Everything that the parts of the loop and of a call need, instead of five arguments each."""

    ctx: ToolExecutionContext
    services: Services
    recorder: EventRecorder
    step: Step
    model: Chain = NO_MODEL
    """The models that the run asks; none for calls that a client of the gateway makes."""

    def call_facts(self, call: ToolCall, spec: ToolSpec | None) -> dict[str, Any]:
        """The fields that every event about a call of this turn has."""
        return {
            "turn": self.ctx.turn,
            "call_id": call.id,
            "tool": call.name,
            "provider": spec.provider if spec else "",
            "effect": spec.effect if spec else "",
        }

    async def emit_failure(self, key: str, failure: AttemptFailure, call: ToolCall, spec: ToolSpec | None) -> None:
        """Tell of a failure: live when it happens, and again for the record (the second time changes nothing)."""
        facts = self.call_facts(call, spec)
        if failure.alternative:
            facts |= {"alternative": failure.alternative, "ok": failure.cured, "source": failure.source}
            await self.recorder.emit(events.AlternativeTried, f"{key}/instead-{failure.alternative}", **facts)
        else:
            facts |= failure.model_dump(include={"attempt", "error", "wait_s", "retrying"})
            await self.recorder.emit(events.AttemptFailed, f"{key}/attempt-{failure.attempt}", **facts)
