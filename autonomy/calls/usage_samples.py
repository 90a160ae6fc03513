"""Derives usage samples for tool statistics from finished calls.

A sample holds no values: see `discovery.hints.usage`.
"""

from autonomy.calls.run_handle import Run
from autonomy.run_state.context import ToolExecutionContext
from autonomy.run_state.run_values import HOST, CallRecord
from discovery.hints.usage import UsageSample, hashed_terms, recovery


def learn_from(record: CallRecord, run: Run) -> None:
    """Hand the gateway what a finished call taught."""
    for sample in usage_samples_of(record, run.ctx):
        run.services.gateway.advisor.learn(sample)


def usage_samples_of(record: CallRecord, ctx: ToolExecutionContext) -> tuple[UsageSample, ...]:
    """The sample of the tool the model asked for, and that of the tool that answered in its place."""
    called, answering = ctx.catalog.get(record.asked), ctx.catalog.get(record.tool)
    if called is None or not record.attempts:
        return ()
    trouble = next((trouble.problem for trouble in record.troubles if trouble.problem), record.problem)
    if answering is not None and record.tool != record.asked:
        failed = UsageSample.of(called, {}, ok=False, duration_s=record.duration_s, error_class=trouble, alternative=record.tool)
        return failed, UsageSample.of(answering, record.arguments, ok=record.ok, duration_s=record.duration_s)
    cured_by = cured_error = ""
    before = next((earlier for earlier in reversed(ctx.records) if earlier.asked == record.asked), None)
    if record.ok and record.cured_by == "retry":
        cured_by, cured_error = "retry", trouble
    elif record.ok and before is not None and not before.ok:  # the model has changed something since
        cured_by, cured_error = recovery(before.arguments, record.arguments), before.problem
    sample = UsageSample.of(
        called,
        record.arguments,
        ok=record.ok,
        duration_s=record.duration_s,
        error_class=record.problem,
        served=hashed_terms(ctx.request.task.goal),
        cured_by=cured_by,
        cured_error=cured_error,
        followed=next((earlier.tool for earlier in reversed(ctx.records) if earlier.ok and earlier.provider != HOST), ""),
    )
    return (sample,)
