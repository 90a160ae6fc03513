"""Takes the tool calls of one turn through three stages: prepare, execute, finalize.

Preparing decides in the model's order what may happen (`prepare`); executing makes it happen, all calls together, each as one
step (`execute`); finalizing tells of it, again in the model's order.
"""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TypeVar

import anyio

from autonomy.calls.execute import execute
from autonomy.calls.prepare import Prepared, Settled, prepare_all
from autonomy.calls.run_handle import Run
from autonomy.calls.usage_samples import usage_samples_of
from autonomy.llm.messages import ToolCall
from autonomy.policy.dataflow import UNTRUSTED, labels_of, may_only_read
from autonomy.run_state.digests import digest
from autonomy.run_state.run_values import CallRecord
from autonomy.run_state.step import inline
from metrics import events

T = TypeVar("T")


async def run_calls(calls: Sequence[ToolCall], run: Run, *, asked_for: bool = True, shown: bool = True) -> tuple[CallRecord, ...]:
    """Answer every call of a reply, in its order; each has exactly one record.

    `asked_for`: whether the model wanted them; `shown`: whether it sees what they bring; what it does not see meets no
    declared need, and steers nothing.
    """
    made = await make_calls(calls, run, asked_for=asked_for, shown=shown)
    await made.tell()
    return made.records


async def make_calls(calls: Sequence[ToolCall], run: Run, *, asked_for: bool = True, shown: bool = True) -> "MadeCalls":
    """The first two stages alone, for a caller that answers before it finalizes."""
    keys = [f"turn-{run.ctx.turn}/call-{number}" for number, _ in enumerate(calls, 1)]
    stages = await prepare_all(dict(zip(keys, calls, strict=True)), run)
    if not shown:
        stages = [replace(stage, serving=()) if isinstance(stage, Prepared) else stage for stage in stages]
    for stage in stages:
        if isinstance(stage, Prepared):
            await run.recorder.emit(events.CallStarted, f"{stage.key}/started", **run.call_facts(stage.call, stage.spec))
    records = await _execute_together(dict(zip(keys, stages, strict=True)), run)
    return MadeCalls(records, tuple(zip(keys, calls, strict=True)), run, asked_for, shown)


async def _execute_together(stages: Mapping[str, Prepared | Settled], run: Run) -> tuple[CallRecord, ...]:
    """Make the calls of a turn: all reads at once and as one step, because they may be made again; beside them each write as a
    step of its own, so that it is known of each whether it happened."""
    records = {key: stage.record for key, stage in stages.items() if isinstance(stage, Settled)}
    ready = [stage for stage in stages.values() if isinstance(stage, Prepared)]
    reads = [stage for stage in ready if stage.spec.read_only and run.ctx.reads_together]
    writes = [stage for stage in ready if stage not in reads]
    in_order = [stage for stage in writes if not may_only_read(stage.spec)] if run.ctx.writes_in_order and len(writes) > 1 else []

    async def make(prepared: Prepared) -> None:
        record = await run.step(prepared.key, lambda: _execute_and_learn(prepared, run), CallRecord)
        run.ctx.count_retries((record,))  # at once: played again, it is a record that calls beside it must not forget
        records[prepared.key] = record

    async def make_reads() -> None:
        works = [partial(_execute_and_learn, prepared, run) for prepared in reads]
        made = await run.step(f"turn-{run.ctx.turn}/reads", partial(_at_once, works), tuple[CallRecord, ...])
        run.ctx.count_retries(made)
        records.update(zip((stage.key for stage in reads), made, strict=True))

    async def write_in_order() -> None:
        """Two messages to one place shall not arrive the wrong way round."""
        for prepared in in_order:
            await make(prepared)

    works: list[Callable[[], Awaitable[None]]] = [partial(make, one) for one in writes if one not in in_order]
    works = [*([make_reads] if reads else []), *works, *([write_in_order] if in_order else [])]
    await _at_once(works)
    return tuple(records[key] for key in stages)


async def _at_once(works: Sequence[Callable[[], Awaitable[T]]]) -> tuple[T, ...]:
    """Do all of it side by side; what comes of each, in its order."""
    if len(works) == 1:  # as in most turns: a task of its own would cost something and bring nothing
        return (await works[0](),)
    done: dict[int, T] = {}

    async def do(number: int, work: Callable[[], Awaitable[T]]) -> None:
        done[number] = await work()

    try:
        async with anyio.create_task_group() as group:
            for number, work in enumerate(works):
                group.start_soon(do, number, work)
    except BaseExceptionGroup as several:
        # a step raises what ends the run where it stands (`StoreError`, `Interrupted`): the executor gets that itself
        raise several.exceptions[0] from several
    return tuple(done[number] for number in range(len(works)))


async def _execute_and_learn(prepared: Prepared, run: Run) -> CallRecord:
    """The body of a call's step: what it taught is learned once, however often the run is played again. What is never played
    again is learned from with its telling: somebody may be waiting for the answer."""
    record = await execute(prepared, run)
    if run.step is not inline:
        _learn(record, run)
    return record


def _learn(record: CallRecord, run: Run) -> None:
    for sample in usage_samples_of(record, run.ctx):
        run.services.gateway.learn(sample)


@dataclass(frozen=True)
class MadeCalls:
    """Executed calls whose ends are not told as events yet."""

    records: tuple[CallRecord, ...]
    _calls: tuple[tuple[str, ToolCall], ...]
    _run: Run
    _asked_for: bool
    _shown: bool

    async def tell(self) -> None:
        """The third stage: tell of each."""
        if self._run.step is inline:
            for record in self.records:
                _learn(record, self._run)
        for record, (key, call) in zip(self.records, self._calls, strict=True):
            await self._finalize(record, key, call)

    async def _finalize(self, record: CallRecord, key: str, call: ToolCall) -> None:
        ctx, recorder = self._run.ctx, self._run.recorder
        spec = ctx.catalog.get(record.asked)
        facts = self._run.call_facts(call, spec)
        for failure in record.troubles:
            await self._run.emit_failure(key, failure, call, spec)
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
            asked_for=self._asked_for,
            arguments_sha256=digest(record.arguments),
            result_sha256=digest(record.result.text),
            result_chars=len(record.result.text),
        )
        if (receipt := record.receipt) is not None:
            state = receipt.model_dump(include={"state", "read_back", "target"})
            await recorder.emit(events.ReceiptRecorded, f"{key}/receipt", **facts, **state)
        # an error or an empty answer is a stranger's word like any other, and so are the last words of a server that is not
        # there; what was not sent for another reason has none
        if self._shown and record.attempts and (answering := ctx.catalog.get(record.tool)) is not None:
            ctx.labels |= labels_of(answering)
        elif self._shown and record.problem == "transport":
            ctx.labels |= {UNTRUSTED}
