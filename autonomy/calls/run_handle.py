"""`Run`: a run's context, services, steps, event recorder and models in one object."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeVar

import anyio.to_thread

from autonomy.calls.services import Services
from autonomy.llm.messages import AssistantMessage, ToolCall
from autonomy.llm.model_chain import Chain
from autonomy.run_state.context import ToolExecutionContext
from autonomy.run_state.event_recorder import EventRecorder
from autonomy.run_state.run_values import AttemptFailure
from autonomy.run_state.step import Step
from discovery.catalog import ToolSpec
from metrics import events

T = TypeVar("T")

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

    async def off_the_loop(self, work: Callable[[], T]) -> T:
        """Do work in a thread that compares whole results, at 10 ms a sentence; directly where the run has read nothing."""
        if any(record.effect == "read" and record.ok for record in self.ctx.records):
            return await anyio.to_thread.run_sync(work)
        return work()

    def call_facts(self, call: ToolCall, spec: ToolSpec | None) -> dict[str, Any]:
        """The fields that every event about a call of this turn has."""
        return {
            "turn": self.ctx.turn,
            "call_id": call.id,
            "tool": call.name,
            "provider": spec.provider if spec else "",
            "effect": spec.effect if spec else "",
        }

    async def emit_reply(self, key: str, reply: AssistantMessage, duration_s: float, *, model: str, calls: int) -> None:
        """Emit a model's reply; `model`: the one that was asked first, `calls`: how many of its calls are made."""
        used = reply.usage
        await self.recorder.emit(
            events.ModelAnswered,
            key,
            turn=self.ctx.turn,
            model=reply.model,
            duration_s=duration_s,
            input_tokens=used.input_tokens,
            output_tokens=used.output_tokens,
            cached_tokens=used.cached_tokens,
            cost_usd=used.cost_usd,
            stop_reason=reply.stop_reason,
            calls=calls,
            fallback=reply.model != model,
        )

    async def emit_failure(self, key: str, failure: AttemptFailure, call: ToolCall, spec: ToolSpec | None) -> None:
        """Emit a failure: live when it happens, and again for the record (the second time changes nothing)."""
        facts = self.call_facts(call, spec)
        if failure.alternative:
            facts |= {"alternative": failure.alternative, "ok": failure.cured, "source": failure.source}
            await self.recorder.emit(events.AlternativeTried, f"{key}/instead-{failure.alternative}", **facts)
        else:
            facts |= failure.model_dump(include={"attempt", "error", "status", "wait_s", "retrying"})
            await self.recorder.emit(events.AttemptFailed, f"{key}/attempt-{failure.attempt}", **facts)
