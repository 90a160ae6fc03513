"""Derives usage samples for tool statistics from finished calls.

A sample holds no values: see `discovery.hints.usage`.
"""

from autonomy.calls.run_handle import Run
from autonomy.policy.dataflow import UNTRUSTED
from autonomy.run_state.context import ToolExecutionContext
from autonomy.run_state.run_provenance import labels_in_view
from autonomy.run_state.run_values import HOST, CallRecord
from discovery.catalog import ToolSpec
from discovery.hints.usage import UsageSample, hashed_terms, recovery

MOST_TAUGHT = 3
"""Calls of a tool by which one run, or a gateway's client within an hour, may teach of it: what a single text has a model do on
and on is no general use."""


def learn_from(record: CallRecord, run: Run) -> None:
    """Add the usage samples of a finished call to the gateway's statistics, at most `MOST_TAUGHT` of a tool in a run."""
    taught = run.ctx.taught
    before = sum(earlier.asked == record.asked and bool(earlier.attempts) for earlier in run.ctx.records)
    if (before if taught is None else taught[record.asked]) >= MOST_TAUGHT:
        return
    if taught is not None:
        taught[record.asked] += bool(record.attempts)
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
        cured_by, cured_error = recovery(before.arguments, record.arguments, called.parameters), before.problem
    sample = UsageSample.of(
        called,
        record.arguments,
        ok=record.ok,
        duration_s=record.duration_s,
        error_class=record.problem,
        served=hashed_terms(ctx.request.trusted_task.goal) if _is_wanted(called, ctx) else (),
        cured_by=cured_by,
        cured_error=cured_error,
        followed=next((earlier.tool for earlier in reversed(ctx.records) if earlier.ok and earlier.provider != HOST), ""),
    )
    return (sample,)


def _is_wanted(spec: ToolSpec, ctx: ToolExecutionContext) -> bool:
    """Whether the request, and no untrusted text, called for this tool: so it is for each write that may happen, and for reads
    before
    any untrusted text or by plan."""
    planned = ctx.write_plan.reads if ctx.write_plan is not None else None
    return not spec.read_only or UNTRUSTED not in labels_in_view(ctx) or spec.name in (planned or ())
