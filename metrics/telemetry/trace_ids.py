"""Derives trace and span ids from run and call ids.

So a run that is resumed in another process after a crash continues its trace. And the span of a call can be named as the parent
of what the MCP server does (W3C trace context), although it is written only after the call has ended.
"""

import hashlib
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from opentelemetry import context
from opentelemetry.trace import (
    INVALID_SPAN,
    NonRecordingSpan,
    SpanContext,
    TraceFlags,
    TracerProvider,
    get_tracer_provider,
    set_span_in_context,
)


def span_of(run_id: str, *place: object) -> SpanContext:
    """Return the ids of a span of a run. `place`: nothing for the run's agent, `"workflow"` for the job around it, turn and call
    id for a tool call, the key of an event for a reply of a model."""
    trace_id = int.from_bytes(hashlib.sha256(run_id.encode()).digest()[:16])
    span_id = int.from_bytes(hashlib.sha256("/".join([run_id, *map(str, place)]).encode()).digest()[:8])
    return SpanContext(trace_id, span_id, is_remote=False, trace_flags=TraceFlags(TraceFlags.SAMPLED))


def inside(span: SpanContext, tracers: TracerProvider | None = None) -> context.Context:
    """Return a context in which new spans become children of that span, which is not written yet.

    The sampler of the SDK (of `tracers`, or the global one) is asked whether it takes the trace: else the children of a trace
    that is left out would be exported without their root.
    """
    sampler = getattr(tracers or get_tracer_provider(), "sampler", None)
    if sampler is not None:
        alone = set_span_in_context(INVALID_SPAN)
        if not sampler.should_sample(alone, span.trace_id, "").decision.is_sampled():
            span = SpanContext(span.trace_id, span.span_id, is_remote=False)
    return set_span_in_context(NonRecordingSpan(span))


@contextmanager
def within_call(run_id: str, turn: int, call_id: str) -> Iterator[None]:
    """Make that call the parent of spans in this block: those of MCP, and by `traceparent` those of the server."""
    token = context.attach(inside(span_of(run_id, turn, call_id)))
    try:
        yield
    finally:
        context.detach(token)


_ids: ContextVar[SpanContext | None] = ContextVar("_ids", default=None)


@contextmanager
def using_ids(span: SpanContext) -> Iterator[None]:
    """Give these ids to the span that is started in this block, if its provider generates ids with `ids_to_use`."""
    token = _ids.set(span)
    try:
        yield
    finally:
        _ids.reset(token)


def ids_to_use() -> SpanContext | None:
    """Return the ids for the span that is being started, or None if any will do."""
    return _ids.get()
