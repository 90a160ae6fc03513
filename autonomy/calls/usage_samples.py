"""Derives usage samples for tool statistics from finished calls.

A sample holds no values: see `discovery.hints.usage`.
"""

from autonomy.run_state.context import ToolExecutionContext
from autonomy.run_state.run_values import HOST, CallRecord
from discovery.catalog import ToolSpec
from discovery.hints.usage import UsageSample, hashed_terms, recovery


def usage_samples_of(record: CallRecord, ctx: ToolExecutionContext) -> tuple[UsageSample, ...]:
    """The sample of the tool the model asked for, and that of the tool that answered in its place."""
    asked, answering = ctx.catalog.get(record.asked), ctx.catalog.get(record.tool)
    if asked is None or not record.attempts:
        return ()
    if answering is None or record.tool == record.asked:
        return (_own(record, asked, ctx),)
    failed = UsageSample.of(
        asked, {}, ok=False, duration_s=record.duration_s, error_class=_trouble(record), alternative=record.tool
    )
    return failed, UsageSample.of(answering, record.arguments, ok=record.ok, duration_s=record.duration_s)


def _own(record: CallRecord, spec: ToolSpec, ctx: ToolExecutionContext) -> UsageSample:
    cured_by, cured_error = _cured(record, ctx) if record.ok else ("", "")
    return UsageSample.of(
        spec,
        record.arguments,
        ok=record.ok,
        duration_s=record.duration_s,
        error_class=record.problem,
        served=hashed_terms(ctx.request.task.goal),
        cured_by=cured_by,
        cured_error=cured_error,
        followed=next((earlier.tool for earlier in reversed(ctx.records) if earlier.ok and earlier.provider != HOST), ""),
    )


def _cured(record: CallRecord, ctx: ToolExecutionContext) -> tuple[str, str]:
    """What made a call work that had failed: trying again by ourselves, or what the model changed since its last try."""
    if record.cured_by == "retry":
        return "retry", _trouble(record)
    before = next((earlier for earlier in reversed(ctx.records) if earlier.asked == record.asked), None)
    if before is None or before.ok:
        return "", ""
    return recovery(before.arguments, record.arguments), before.problem


def _trouble(record: CallRecord) -> str:
    return next((trouble.problem for trouble in record.troubles if trouble.problem), record.problem)
