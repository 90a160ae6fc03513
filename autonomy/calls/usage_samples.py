"""Derives usage samples for tool statistics from finished calls.

A sample holds no values: see `discovery.hints.usage`.
"""

from typing import Any

from autonomy.calls.run_handle import Run
from autonomy.calls.verification.seen_effects import is_learned, sign_of_read, signs_of
from autonomy.policy.dataflow import UNTRUSTED
from autonomy.run_state.context import ToolExecutionContext
from autonomy.run_state.run_provenance import labels_in_view
from autonomy.run_state.run_values import HOST, CallRecord
from discovery.catalog import ToolSpec
from discovery.hints.usage import UsageSample, hashed_answer, hashed_terms, recovery

MOST_TAUGHT = 3
"""Calls of a tool by which one run, or a gateway's client within an hour, may teach of it: what a single text has a model do on
and on is no general use."""


def learn_from(record: CallRecord, run: Run) -> None:
    """Add the usage samples of a finished call to the gateway's statistics, at most `MOST_TAUGHT` of a tool in a run.

    A change that a call shows is always learned.
    """
    advisor, taught = run.services.gateway.advisor, run.ctx.taught
    if seen := sign_of_read(record, run.ctx.records, run.ctx.catalog):
        spec, sign = seen
        if sign == "changed" or _calls_of(spec.name, run.ctx) <= MOST_TAUGHT:
            advisor.learn(UsageSample.of_signs(spec, sign))
    if (_calls_of(record.asked, run.ctx) if taught is None else taught[record.asked]) >= MOST_TAUGHT:
        called = run.ctx.catalog.get(record.tool)
        if called is not None and is_learned(called) and "told" in signs_of(record):
            advisor.learn(UsageSample.of_signs(called, "told"))
        return
    if taught is not None:
        taught[record.asked] += bool(record.attempts)
    for sample in usage_samples_of(record, run.ctx):
        advisor.learn(sample)


def _calls_of(tool: str, ctx: ToolExecutionContext) -> int:
    """How often a tool has been asked for in this run."""
    return sum(earlier.asked == tool and bool(earlier.attempts) for earlier in ctx.records)


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
    shown: dict[str, Any] = {}
    if is_learned(called):
        shown["signs"] = signs_of(record)
        shown["answered"] = hashed_answer(record.arguments, record.text_answered) if record.ok and not called.declared else None
    sample = UsageSample.of(
        called,
        record.arguments,
        **shown,
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
