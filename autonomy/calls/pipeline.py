"""Takes the tool calls of one turn through three stages: prepare, execute, finalize.

Preparing decides in the model's order what may happen (`prepare`); executing makes it happen, all calls together, each as one
step (`execute`); finalizing tells of it, again in the model's order.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import anyio

from autonomy.calls.execute import execute
from autonomy.calls.prepare import Prepared, Settled, call_facts, prepare
from autonomy.calls.retry import emit_failure
from autonomy.calls.run_handle import Run
from autonomy.calls.usage_samples import usage_samples_of
from autonomy.llm.messages import ToolCall
from autonomy.policy.dataflow import labels_of
from autonomy.run_state.context import CallRecord
from autonomy.run_state.digests import digest
from metrics import events


async def run_calls(calls: Sequence[ToolCall], run: Run, *, asked_for: bool = True) -> tuple[CallRecord, ...]:
    """Answer every call of a reply, in its order; each has exactly one record. `asked_for`: whether the model wanted them."""
    turn = run.ctx.turn
    keys = [f"turn-{turn}/call-{number}" for number, _ in enumerate(calls, 1)]
    stages: list[Prepared | Settled] = []
    for call, key in zip(calls, keys, strict=True):
        ahead = [stage.call for stage in stages if isinstance(stage, Prepared)]
        stages.append(await prepare(call, key, run, ahead=ahead))
    for stage in stages:
        if isinstance(stage, Prepared):
            facts = call_facts(stage.call, turn, stage.spec)
            await run.recorder.emit(events.CallStarted, f"{stage.key}/started", **facts)
    await run.recorder.flush()  # before reads too: whoever watches from another process sees a call while it runs
    records = await _execute_together(stages, run)
    for record, key, call in zip(records, keys, calls, strict=True):
        await _finalize(record, key, call, run, asked_for)
    return records


async def _execute_together(stages: Sequence[Prepared | Settled], run: Run) -> tuple[CallRecord, ...]:
    records = {index: stage.record for index, stage in enumerate(stages) if isinstance(stage, Settled)}

    async def make(index: int, prepared: Prepared) -> None:
        records[index] = await run.step(prepared.key, lambda: _execute_and_learn(prepared, run), CallRecord)

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
    """A step raises what ends the run where it stands (`StoreError`, `Interrupted`): that must reach the executor as what it
    is."""
    try:
        yield
    except BaseExceptionGroup as several:
        raise several.exceptions[0] from several


async def _execute_and_learn(prepared: Prepared, run: Run) -> CallRecord:
    """The body of a call's step: what it taught is learned once, however often the run is played again."""
    record = await execute(prepared, run)
    for sample in usage_samples_of(record, run.ctx):
        await run.services.gateway.learn(sample)
    return record


async def _finalize(
    record: CallRecord,
    key: str,
    call: ToolCall,
    run: Run,
    asked_for: bool,
) -> None:
    ctx, recorder = run.ctx, run.recorder
    spec = ctx.catalog.get(record.asked)
    facts = call_facts(call, ctx.turn, spec)
    for failure in record.troubles:
        await emit_failure(recorder, key, failure, facts)
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
    # an error or an empty answer is a stranger's word like any other; what was never sent has none
    if record.attempts and (answering := ctx.catalog.get(record.tool)) is not None:
        ctx.labels |= labels_of(answering)
