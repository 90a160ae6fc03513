"""The second stage of a tool call: sends it and collects evidence of its effect.

`retry` sends it, once or several times by its effect; for a failed read a fallback tool is tried; otherwise the failure itself
is a result for the model. A write is read back where the provider can show it.
"""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Literal, TypeVar

import anyio

from autonomy.calls.circumstances import circumstances, may_read
from autonomy.calls.prepare import Prepared
from autonomy.calls.results.result_truncation import handle_of, parts_kept, truncate_result, whole_text
from autonomy.calls.retry import CallAttempt, SoftFailure, failure_of
from autonomy.calls.run_handle import Run
from autonomy.calls.server_questions import RunListener
from autonomy.calls.usage_samples import learn_from
from autonomy.calls.verification import read_back
from autonomy.calls.verification.effect_ledger import OutcomeUnknown
from autonomy.llm.messages import ToolResult
from autonomy.llm.model import Need
from autonomy.outcomes.classifier import Classification, classify
from autonomy.policy.dataflow import may_only_read
from autonomy.policy.decision_table import SourceClass
from autonomy.run_state.run_values import AttemptFailure, CallRecord, Receipt
from autonomy.run_state.step import inline
from discovery.catalog import JsonObject, ToolOutput, ToolSpec
from discovery.discovery_errors import DiscoveryError
from discovery.search.fallback_tools import FallbackTool
from discovery.transport.asked_back import call_listener
from metrics.telemetry.trace_ids import within_call

T = TypeVar("T")

ALTERNATIVES = 2
"""How many alternatives are tried for one failed read."""


async def execute_all(stages: Mapping[str, Prepared | CallRecord], run: Run) -> tuple[CallRecord, ...]:
    """Make the calls of a turn: all reads at once and as one step, because they may be made again; beside them each write as a
    step of its own, so that it is known of each whether it happened."""
    records = {key: stage for key, stage in stages.items() if isinstance(stage, CallRecord)}
    ready = [stage for stage in stages.values() if isinstance(stage, Prepared)]
    reads = [stage for stage in ready if stage.spec.read_only and run.ctx.reads_together]
    writes = [stage for stage in ready if stage not in reads]
    in_order = [stage for stage in writes if not may_only_read(stage.spec)] if run.ctx.of_this_release and len(writes) > 1 else []

    async def make(prepared: Prepared) -> None:
        record = await run.step(prepared.key, lambda: execute(prepared, run), CallRecord)
        run.ctx.count_retries((record,))  # at once: played again, it is a record that calls beside it must not forget
        records[prepared.key] = record

    async def make_reads() -> None:
        works = [partial(execute, prepared, run) for prepared in reads]
        made = await run.step(f"turn-{run.ctx.turn}/reads", partial(_gather, works), tuple[CallRecord, ...])
        run.ctx.count_retries(made)
        records.update(zip((stage.key for stage in reads), made, strict=True))

    async def write_in_order() -> None:
        """Make writes one after the other: two messages to one place shall not arrive the wrong way round."""
        for prepared in in_order:
            await make(prepared)

    works: list[Callable[[], Awaitable[None]]] = [partial(make, one) for one in writes if one not in in_order]
    works = [*([make_reads] if reads else []), *works, *([write_in_order] if in_order else [])]
    await _gather(works)
    return tuple(records[key] for key in stages)


async def _gather(works: Sequence[Callable[[], Awaitable[T]]]) -> tuple[T, ...]:
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


@dataclass(frozen=True)
class CallAnswer:
    """The result of a call: the tool that answered, its answer, and its classification."""

    spec: ToolSpec
    arguments: JsonObject
    output: ToolOutput
    classification: Classification
    cured_by: Literal["", "retry", "alternative"] = ""


async def execute(prepared: Prepared, run: Run) -> CallRecord:
    """Make one call, and learn from it. Raises nothing but `StoreError` and cancellation: a failure is a record too.

    This is the body of a step, so what it taught is learned once, however often the run is played again.
    """
    ctx, services = run.ctx, run.services
    started = services.measure()
    attempt = CallAttempt(prepared, run)
    listener = (services.call_listener or RunListener)(prepared, run)
    with (
        services.tenancy.acting(ctx.request, confirmed=prepared.confirmed),
        within_call(ctx.request.run_id, ctx.turn, prepared.call.id),
    ):
        listening = call_listener.set(listener)
        try:
            answer = await _answer(attempt)
        finally:
            call_listener.reset(listening)
        receipt = await _receipt(attempt, answer)
    took_s, finished = services.measure() - started, services.clock()
    whole_chars = await _keep_whole(answer.output, prepared.key, run)
    output = answer.output.model_copy(update={"whole": ""}) if answer.output.whole else answer.output
    notes = [*_note_of_edit(prepared), *(listener.notes if isinstance(listener, RunListener) else ())]
    result = _result(prepared, answer, output, notes, whole_chars)
    record = CallRecord(
        call_id=prepared.call.id,
        turn=ctx.turn,
        tool=answer.spec.name,
        asked=prepared.spec.name,
        provider=answer.spec.provider,
        effect=answer.spec.effect,
        arguments=answer.arguments,
        proposed=prepared.proposed,
        result=result,
        attempts=attempt.attempts,
        duration_s=took_s - output.waited_s,
        waited_s=output.waited_s,
        finished_at=finished,
        cured_by=answer.cured_by,
        problem=answer.classification.problem,
        reason=answer.classification.reason,
        needs=tuple(need.id for need in _needs_met(attempt, answer.spec.name)),
        troubles=tuple(attempt.failures),
        receipt=receipt,
        whole="\n\n".join([whole_text(output), *notes]) if result.handle else "",
        kept_by=ctx.request.run_id if whole_chars else "",
        whole_chars=whole_chars,
        artefacts=parts_kept(output),
        sampled=listener.usage if isinstance(listener, RunListener) else None,
        output=output,
    )
    if run.step is not inline:  # else it is learned from with its telling
        learn_from(record, run)
    return record


async def _keep_whole(output: ToolOutput, key: str, run: Run) -> int:
    """Keep a text beside the run that is too long for its record; gives its characters, 0 where nothing is kept. Raises
    `StoreError`."""
    long_results = run.services.long_results
    if long_results is None or not output.whole:
        return 0
    await long_results.keep(run.ctx.request.run_id, handle_of(key), output.whole)
    return len(output.whole)


def _note_of_edit(prepared: Prepared) -> list[str]:
    """What was sent in place of the model's own words, which stand in the conversation."""
    if not prepared.proposed:
        return []
    sent = prepared.call.written
    return [f"(A person changed the arguments before approving. The call was made with exactly these: {sent})"]


def _result(prepared: Prepared, answer: CallAnswer, output: ToolOutput, notes: Sequence[str], whole_chars: int) -> ToolResult:
    """The result as the model is shown it, with the notes below it."""
    result = truncate_result(
        prepared.call,
        prepared.key,
        output,
        answer.classification,
        answered_by=answer.spec.name if answer.cured_by == "alternative" else "",
        is_write=not answer.spec.read_only,
        whole_chars=whole_chars,
    )
    return result.model_copy(update={"text": "\n\n".join([result.text, *notes])}) if notes else result


async def _answer(attempt: CallAttempt) -> CallAnswer:
    spec, arguments = attempt.prepared.spec, attempt.prepared.call.arguments
    try:
        output = await attempt.send()
    except (SoftFailure, DiscoveryError, OutcomeUnknown) as error:
        output, classification = failure_of(error)
        if attempt.cut_short:  # the run's deadline tells nothing of the provider, and leaves no time for another
            return CallAnswer(spec, arguments, output, classification.model_copy(update={"problem": "limit"}))
        return await _try_fallback(attempt, classification.problem) or CallAnswer(spec, arguments, output, classification)
    classification = attempt.classify(output)
    failed = classification.kind in ("terminal", "retryable")  # the last of several tries may have failed as the others did
    if failed and (other := await _try_fallback(attempt, classification.problem)):
        return other
    return CallAnswer(spec, arguments, output, classification, "retry" if attempt.failures and not failed else "")


async def _try_fallback(attempt: CallAttempt, problem: str) -> CallAnswer | None:
    """Another tool's answer in place of a failed read's; None when none helps. `problem`: the kind of failure."""
    spec, run = attempt.prepared.spec, attempt.run
    if not spec.read_only:
        return None

    def is_fitting(other: FallbackTool) -> bool:
        if not other.spec.read_only or not other.spec.available:
            return False
        if attempt.prepared.serving and not _needs_met(attempt, other.spec.name):
            return False
        if not may_read(run, other.spec.name, other.arguments):
            return False
        if other.spec.provider == spec.provider:
            return True
        # what a private read was asked does not go to another provider
        facts = circumstances(run.ctx, other.spec, other.arguments)
        return not any(value.source in (SourceClass.FIELD, SourceClass.PASTED, SourceClass.TEXT) for value in facts.traced)

    found = run.services.gateway.advisor.substitutes(run.ctx.catalog, spec, attempt.prepared.call.arguments)
    for substitute in [other for other in found if is_fitting(other)][:ALTERNATIVES]:
        if (answer := await _try_instead(attempt, substitute, problem)) is not None:
            return answer
    return None


async def _try_instead(attempt: CallAttempt, substitute: FallbackTool, problem: str) -> CallAnswer | None:
    run, prepared = attempt.run, attempt.prepared
    attempt.attempts += 1
    try:
        output = await run.services.gateway.call(
            substitute.spec.name, substitute.arguments, timeout_s=run.ctx.request.limits.call_timeout_s
        )
        classification = classify(output, substitute.spec)
    except DiscoveryError as error:
        output, classification = failure_of(error)
    cured = classification.kind == "ok"
    failure = AttemptFailure(
        attempt=attempt.attempts,
        tool=prepared.spec.name,
        error=classification.reason,
        problem=problem,
        alternative=substitute.spec.name,
        source=substitute.source,
        cured=cured,
    )
    attempt.failures.append(failure)
    await run.emit_failure(prepared.key, failure, prepared.call, prepared.spec)
    return CallAnswer(substitute.spec, substitute.arguments, output, classification, "alternative") if cured else None


def _needs_met(attempt: CallAttempt, tool: str) -> tuple[Need, ...]:
    """The needs of the call that the answer of this tool meets: an answer of another kind meets none."""
    if tool == attempt.prepared.spec.name:
        return attempt.prepared.serving
    return tuple(need for need in attempt.prepared.serving if tool in attempt.run.ctx.candidates.get(need.id, ()))


async def _receipt(attempt: CallAttempt, answer: CallAnswer) -> Receipt | None:
    """The receipt of a write, read back if the provider has a tool for it; None for a read."""
    spec, classification, run, call_id = answer.spec, answer.classification, attempt.run, attempt.prepared.call.id
    if spec.read_only or classification.kind in ("terminal", "retryable"):
        return None
    needs = tuple(need.id for need in attempt.prepared.serving)
    if classification.kind == "unknown_outcome":
        return Receipt(call_id=call_id, tool=spec.name, state="unknown", needs=needs)
    check = read_back.find(run.ctx.catalog, spec, answer.arguments, answer.output)
    read_back_state: Literal["confirmed", "absent", "not_declared"] = "confirmed" if attempt.seen == "found" else "not_declared"
    if check is not None and may_read(run, check.tool, check.arguments):
        try:
            shown_by_read = await run.services.gateway.call(
                check.tool, check.arguments, timeout_s=run.ctx.request.limits.call_timeout_s
            )
            read_back_state = "confirmed" if read_back.shows(shown_by_read, answer.arguments) else "absent"
        except DiscoveryError:
            read_back_state = "absent"
    target = read_back.target_of(answer.output)
    state: Literal["done", "reconciled"] = "reconciled" if attempt.in_doubt or attempt.seen == "found" else "done"
    return Receipt(call_id=call_id, tool=spec.name, state=state, read_back=read_back_state, target=target, needs=needs)
