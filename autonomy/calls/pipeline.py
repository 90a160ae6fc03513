"""The tool calls of one turn: prepare → execute → finalize.

Called by `executor` with the calls of one reply. Preparing decides in the model's order what may happen (`prepare`); executing makes
it happen, all calls together, each as one step (`execute`); finalizing tells of it, again in the model's order.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import anyio

from autonomy.calls.attempts import emit_trouble
from autonomy.calls.execute import execute
from autonomy.calls.prepare import Prepared, Settled, call_facts, digest, prepare
from autonomy.calls.services import Services
from autonomy.calls.usage_samples import usage_samples_of
from autonomy.llm.messages import ToolCall
from autonomy.policy.dataflow import labels_of
from autonomy.run_state.context import CallRecord, ToolExecutionContext
from autonomy.run_state.event_recorder import EventRecorder
from autonomy.run_state.step import Step
from metrics import events


async def run_calls(
    calls: Sequence[ToolCall],
    ctx: ToolExecutionContext,
    means: Services,
    recorder: EventRecorder,
    step: Step,
    *,
    asked_for: bool = True,
) -> tuple[CallRecord, ...]:
    """Answer every call of a reply, in its order; each has exactly one record. `asked_for`: whether the model wanted them."""
    keys = [f"turn-{ctx.turn}/call-{number}" for number, _ in enumerate(calls, 1)]
    stages: list[Prepared | Settled] = []
    for call, key in zip(calls, keys, strict=True):
        ahead = [stage.call for stage in stages if isinstance(stage, Prepared)]
        stages.append(await prepare(call, key, ctx, means, recorder, step, ahead=ahead))
    for stage in stages:
        if isinstance(stage, Prepared):
            facts = call_facts(stage.call, ctx.turn, stage.spec)
            await recorder.emit(events.CallStarted, f"{stage.key}/started", **facts)
    await recorder.flush(may_wait=all(stage.spec.read_only for stage in stages if isinstance(stage, Prepared)))
    records = await _execute_together(stages, ctx, means, recorder, step)
    for record, key, call in zip(records, keys, calls, strict=True):
        await _finalize(record, key, call, ctx, recorder, asked_for)
    return records


async def _execute_together(
    stages: Sequence[Prepared | Settled], ctx: ToolExecutionContext, means: Services, recorder: EventRecorder, step: Step
) -> tuple[CallRecord, ...]:
    records = {index: stage.record for index, stage in enumerate(stages) if isinstance(stage, Settled)}

    async def make(index: int, prepared: Prepared) -> None:
        records[index] = await step(prepared.key, lambda: _make_and_learn(prepared, ctx, means, recorder), CallRecord)

    ready = [(index, stage) for index, stage in enumerate(stages) if isinstance(stage, Prepared)]
    if len(ready) == 1:  # as in most turns: a task of its own would cost something and bring nothing
        await make(*ready[0])
    else:
        with _as_one():
            async with anyio.create_task_group() as group:
                for index, prepared in ready:
                    group.start_soon(make, index, prepared)
    return tuple(records[index] for index in range(len(stages)))


@contextmanager
def _as_one() -> Iterator[None]:
    """A step raises what ends the run where it stands (`StoreError`, `Interrupted`): that must reach the executor as what it is."""
    try:
        yield
    except BaseExceptionGroup as several:
        raise several.exceptions[0] from several


async def _make_and_learn(prepared: Prepared, ctx: ToolExecutionContext, means: Services, recorder: EventRecorder) -> CallRecord:
    """The body of a call's step: what it taught is learned once, however often the run is played again."""
    record = await execute(prepared, ctx, means, recorder)
    for lesson in usage_samples_of(record, ctx):
        await means.gateway.learn(lesson)
    return record


async def _finalize(
    record: CallRecord,
    key: str,
    call: ToolCall,
    ctx: ToolExecutionContext,
    recorder: EventRecorder,
    asked_for: bool,
) -> None:
    spec = ctx.catalog.get(record.asked)
    facts = call_facts(call, ctx.turn, spec)
    for trouble in record.troubles:
        await emit_trouble(recorder, key, trouble, facts)
    same = [earlier for earlier in ctx.records if earlier.tool == record.tool and earlier.arguments == record.arguments]
    await recorder.emit(
        events.CallFinished,
        f"{key}/finished",
        **facts,
        outcome=record.result.kind,
        problem=record.problem,
        at_fault=record.at_fault,
        attempts=record.attempts,
        duration_s=record.duration_s,
        waited_s=record.waited_s,
        cured_by=record.cured_by,
        needs=record.needs,
        repeated=any(earlier.result.text == record.result.text for earlier in same),
        asked_for=asked_for,
        arguments_sha256=digest(record.arguments),
        result_sha256=digest(record.result.text),
        result_chars=len(record.result.text),
    )
    if (receipt := record.receipt) is not None:
        told = receipt.model_dump(include={"state", "read_back", "target"})
        await recorder.emit(events.ReceiptRecorded, f"{key}/receipt", **facts, **told)
    if record.ok and (answering := ctx.catalog.get(record.tool)) is not None:
        ctx.labels |= labels_of(answering)
