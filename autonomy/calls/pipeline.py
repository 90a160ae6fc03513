"""Takes the tool calls of one turn through three stages: prepare, execute, finalize.

Preparing decides in the model's order which calls are made (`prepare`); executing makes them, reads at once and writes in order
(`execute`); finalizing emits their events, again in the model's order.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from autonomy.calls.execute import execute_all
from autonomy.calls.prepare import Prepared, prepare_all
from autonomy.calls.run_handle import Run
from autonomy.calls.usage_samples import learn_from
from autonomy.llm.messages import ToolCall
from autonomy.policy.dataflow import UNTRUSTED, labels_of
from autonomy.run_state.digests import digest
from autonomy.run_state.run_values import CallRecord
from autonomy.run_state.step import inline
from metrics import events


async def run_calls(calls: Sequence[ToolCall], run: Run, *, asked_for: bool = True, shown: bool = True) -> tuple[CallRecord, ...]:
    """Make the calls of a reply; gives one record for each, in its order.

    `asked_for`: whether the model requested them. `shown`: whether it sees the results; those it does not see meet no declared
    need and add no labels.
    """
    made = await make_calls(calls, run, asked_for=asked_for, shown=shown)
    await made.finalize()
    return made.records


async def make_calls(calls: Sequence[ToolCall], run: Run, *, asked_for: bool = True, shown: bool = True) -> "MadeCalls":
    """Prepare and execute, for a caller that answers before it finalizes."""
    keys = [f"turn-{run.ctx.turn}/call-{number}" for number, _ in enumerate(calls, 1)]
    stages = await prepare_all(dict(zip(keys, calls, strict=True)), run)
    if not shown:
        stages = [replace(stage, serving=()) if isinstance(stage, Prepared) else stage for stage in stages]
    for stage in stages:
        if isinstance(stage, Prepared):
            facts = {**run.call_facts(stage.call, stage.spec), "title": stage.spec.title}
            await run.recorder.emit(events.CallStarted, f"{stage.key}/started", **facts)
    records = await execute_all(dict(zip(keys, stages, strict=True)), run)
    return MadeCalls(records, tuple(zip(keys, calls, strict=True)), run, asked_for, shown)


@dataclass(frozen=True)
class MadeCalls:
    """Executed calls that are not finalized yet."""

    records: tuple[CallRecord, ...]
    _calls: tuple[tuple[str, ToolCall], ...]
    _run: Run
    _asked_for: bool
    _shown: bool

    async def finalize(self) -> None:
        """Emit the events of each call, and add the labels of the data that the run has read."""
        run, ctx = self._run, self._run.ctx
        if run.step is inline:  # what is never played again is learned from here: somebody may have been waiting for the answer
            for record in self.records:
                learn_from(record, run)
        for record, (key, call) in zip(self.records, self._calls, strict=True):
            spec = ctx.catalog.get(record.asked)
            facts = run.call_facts(call, spec)
            for failure in record.troubles:
                await run.emit_failure(key, failure, call, spec)
            same = [earlier for earlier in ctx.records if earlier.tool == record.tool and earlier.arguments == record.arguments]
            await run.recorder.emit(
                events.CallFinished,
                f"{key}/finished",
                **facts,
                outcome=record.result.kind,
                problem=record.problem,
                at_fault=record.at_fault,
                unknown_arguments=record.unknown_arguments,
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
                await run.recorder.emit(events.ReceiptRecorded, f"{key}/receipt", **facts, **state)
            # an error or an empty answer is a stranger's word like any other, and so are the last words of a server that is not
            # there; what was not sent for another reason has none
            if self._shown and record.attempts and (answering := ctx.catalog.get(record.tool)) is not None:
                ctx.labels |= labels_of(answering)
            elif self._shown and record.problem == "transport":
                ctx.labels |= {UNTRUSTED}
