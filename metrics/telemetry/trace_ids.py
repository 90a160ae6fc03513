"""Derives trace and span ids from run and call ids.

A run that goes on in another process after a crash therefore continues its own trace, and the gateway can name a call's span as
the parent of what the MCP server does (W3C trace context) though that span is written only when the call has ended.
"""

import hashlib
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from opentelemetry import context
from opentelemetry.trace import NonRecordingSpan, SpanContext, TraceFlags, set_span_in_context


def span_of(run_id: str, *place: object) -> SpanContext:
    """The span at a place of a run: nothing = the run's agent, `"workflow"` = the job around it, turn and call id = a tool
    call."""
    trace_id = int.from_bytes(hashlib.sha256(run_id.encode()).digest()[:16])
    span_id = int.from_bytes(hashlib.sha256("/".join([run_id, *map(str, place)]).encode()).digest()[:8])
    return SpanContext(trace_id, span_id, is_remote=False, trace_flags=TraceFlags(TraceFlags.SAMPLED))


def inside(span: SpanContext) -> context.Context:
    """A context in which new spans become children of that one."""
    return set_span_in_context(NonRecordingSpan(span))


@contextmanager
def within_call(run_id: str, turn: int, call_id: str) -> Iterator[None]:
    """Assign what happens in this block to that call: MCP's own spans, and the `traceparent` it sends to the server."""
    token = context.attach(inside(span_of(run_id, turn, call_id)))
    try:
        yield
    finally:
        context.detach(token)


_given: ContextVar[SpanContext | None] = ContextVar("_given", default=None)


@contextmanager
def giving(span: SpanContext) -> Iterator[None]:
    """The next span that is begun here gets these ids, if the tracer's provider asks `given` for them."""
    token = _given.set(span)
    try:
        yield
    finally:
        _given.reset(token)


def given() -> SpanContext | None:
    """The ids that the span being begun is to have."""
    return _given.get()
