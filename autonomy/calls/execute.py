"""The second stage of a tool call: make it happen, and bring back evidence.

Called by `calls` as one step for each prepared call. `attempts` sends it, by its effect once or several times; `alternatives` tries
another tool for a failed read; else the failure itself is a result for the model. A write is read back where the provider can show it.
"""

from typing import Literal

from autonomy.calls import read_back
from autonomy.calls.attempts import CallAttempt, failure_of, may_read, send
from autonomy.calls.effect_ledger import OutcomeUnknown
from autonomy.calls.fallback import CallAnswer, served, try_fallback
from autonomy.calls.prepare import Prepared
from autonomy.calls.result_truncation import parts_kept, truncate_result
from autonomy.calls.retry import SoftFailure
from autonomy.calls.services import Services
from autonomy.run_state.context import CallRecord, Receipt, ToolExecutionContext
from autonomy.run_state.event_recorder import EventRecorder
from discovery.discovery_errors import DiscoveryError
from metrics.telemetry.trace_ids import within_call


async def execute(prepared: Prepared, ctx: ToolExecutionContext, means: Services, recorder: EventRecorder) -> CallRecord:
    """Make one call. Raises nothing but cancellation: a failure is a record too."""
    started = means.clock()
    this = CallAttempt(prepared, ctx, means, recorder)
    with (
        means.tenancy.acting(ctx.request, confirmed=prepared.confirmed),
        within_call(ctx.request.run_id, ctx.turn, prepared.call.id),
    ):
        answer = await _answer(this)
        receipt = await _receipt(this, answer)
    finished = means.clock()
    result = truncate_result(
        prepared.call,
        prepared.key,
        answer.output,
        answer.reading,
        answered_by=answer.spec.name if answer.cured_by == "alternative" else "",
        is_write=not answer.spec.read_only,
    )
    return CallRecord(
        call_id=prepared.call.id,
        turn=ctx.turn,
        tool=answer.spec.name,
        asked=prepared.spec.name,
        provider=answer.spec.provider,
        effect=answer.spec.effect,
        arguments=answer.arguments,
        result=result,
        attempts=this.attempts,
        duration_s=finished - started - answer.output.waited_s,
        waited_s=answer.output.waited_s,
        finished_at=finished,
        cured_by=answer.cured_by,
        problem=answer.reading.problem,
        reason=answer.reading.reason,
        needs=tuple(need.id for need in served(this, answer.spec.name)),
        troubles=tuple(this.troubles),
        receipt=receipt,
        whole=answer.output.text if result.handle else "",
        artefacts=parts_kept(answer.output),
    )


async def _answer(this: CallAttempt) -> CallAnswer:
    spec, arguments = this.prepared.spec, this.prepared.call.arguments
    try:
        output = await send(this, spec, arguments)
    except (SoftFailure, DiscoveryError, OutcomeUnknown) as error:
        output, reading = failure_of(error)
        return await try_fallback(this, reading.problem) or CallAnswer(spec, arguments, output, reading)
    reading = this.read(output)
    if reading.kind == "terminal" and spec.read_only and (other := await try_fallback(this, reading.problem)):
        return other
    return CallAnswer(spec, arguments, output, reading, "retry" if this.troubles else "")


async def _receipt(this: CallAttempt, answer: CallAnswer) -> Receipt | None:
    """For a write: what is known of it, read back where the provider can show it (X10)."""
    spec, reading = answer.spec, answer.reading
    if spec.read_only or reading.kind in ("terminal", "retryable"):
        return None
    needs = tuple(need.id for need in this.prepared.serving)
    if reading.kind == "unknown_outcome":
        return Receipt(call_id=this.prepared.call.id, tool=spec.name, state="unknown", needs=needs)
    check = read_back.find(this.ctx.catalog, spec, answer.arguments, answer.output)
    seen: Literal["confirmed", "absent", "not_declared"] = "confirmed" if this.found else "not_declared"
    if check is not None and may_read(this, check.tool, check.arguments):
        try:
            shown = await this.means.gateway.call(check.tool, check.arguments, timeout_s=this.ctx.request.limits.call_timeout_s)
            seen = "confirmed" if read_back.shows(shown, answer.arguments) else "absent"
        except DiscoveryError:
            seen = "absent"
    target = read_back.target_of(answer.output)
    state: Literal["done", "reconciled"] = "reconciled" if this.in_doubt or this.found else "done"
    return Receipt(call_id=this.prepared.call.id, tool=spec.name, state=state, read_back=seen, target=target, needs=needs)
