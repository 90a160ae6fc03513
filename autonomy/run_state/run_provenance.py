"""Keeps the sources of a run's values as its records come in."""

from collections.abc import Sequence
from datetime import UTC, datetime
from itertools import groupby
from typing import Any

from autonomy.llm.messages import SystemMessage, UserMessage
from autonomy.policy.dataflow import UNTRUSTED
from autonomy.provenance import Origin, Sources
from autonomy.run_state.context import CallRecord, RunProvenance, ToolExecutionContext
from discovery.catalog import Effect, JsonObject, ToolSpec


def sources_of_run(ctx: ToolExecutionContext) -> Sources:
    """The sources of everything the model has seen until now."""
    if ctx.provenance is None:
        ctx.provenance = RunProvenance(trusted_sources(ctx))
        for message in ctx.request.history:
            ctx.provenance.sources.add_text(Origin.HISTORY, message.text)
    records = [*ctx.beforehand, *ctx.records]
    for _, group in groupby(records[ctx.provenance.taken :], key=lambda record: record.turn):
        _take_in(list(group), ctx.provenance)
    ctx.provenance.taken = len(records)
    return ctx.provenance.sources


def trusted_sources(ctx: ToolExecutionContext) -> Sources:
    """What the operator, the job and the person who asked said, and nothing else."""
    task = ctx.request.task
    sources = Sources(datetime.fromtimestamp(ctx.started_at, UTC).date())
    sources.add_settings({"instructions": ctx.request.instructions})
    if ctx.request.job:
        sources.add_job(task.model_dump(mode="json", include={"goal", "inputs", "needs"}))
    else:
        sources.add_words(task.goal)
        sources.add_job({"inputs": task.inputs, "needs": [need.model_dump(mode="json") for need in task.needs]})
    return sources


def labels_in_view(ctx: ToolExecutionContext) -> frozenset[str]:
    """What the model has seen; an earlier answer repeats what was read for it, so it counts like a result."""
    earlier = any(not isinstance(message, UserMessage | SystemMessage) for message in ctx.request.history)
    return ctx.labels | ({UNTRUSTED} if earlier else frozenset())


def know_schema(ctx: ToolExecutionContext, spec: ToolSpec) -> None:
    """Take in the defaults and choices of a tool that is about to be called."""
    sources_of_run(ctx)
    if ctx.provenance is not None and spec.name not in ctx.provenance.schemas:
        ctx.provenance.schemas.add(spec.name)
        ctx.provenance.sources.add_schema(spec.name, spec.input_schema)


def _take_in(turn: Sequence[CallRecord], known: RunProvenance) -> None:
    """Add the answers of one turn; which of its reads were steered is seen by what was in view before."""
    before = known.taken > 0 or bool(known.steered)
    known.steered |= {record.call_id for record in turn if before and _is_steered(record.arguments, known.sources)}
    for record in turn:
        if record.attempts:
            known.sources.add_result(
                record.call_id,
                record.tool,
                _answer(record),
                arguments=record.arguments,
                effect=Effect(record.effect) if record.effect else Effect.READ,
                steered=record.call_id in known.steered,
                is_error=not record.ok,
            )
    known.taken += len(turn)


def _is_steered(arguments: JsonObject, sources: Sources) -> bool:
    """Whether anything but trusted words, fields and numbers chose what is read."""
    return any(
        isinstance(value, str | list | dict) and value and sources.trace(value).weakest not in _FIRM
        for value in arguments.values()
    )


_FIRM = (Origin.OPERATOR, Origin.JOB, Origin.ASKER, Origin.SCHEMA, Origin.FIELD)


def _answer(record: CallRecord) -> Any:
    """What the tool said: its structured form, unless that only wraps a plain string (as SDKs do for tools that return one)."""
    structured = record.result.structured
    if structured is None or (
        isinstance(structured, dict) and len(structured) == 1 and isinstance(structured.get("result"), str)
    ):
        return record.whole or record.result.text
    return structured
