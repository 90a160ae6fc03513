"""Sets up OTLP exporters from the standard `OTEL_…` variables.

The host imports this module only if an endpoint is configured. No other module imports the SDK.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from opentelemetry import metrics, trace
from opentelemetry.exporter.otlp.proto.http.metric_exporter import OTLPMetricExporter
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.sdk.metrics import MeterProvider
from opentelemetry.sdk.metrics.export import PeriodicExportingMetricReader
from opentelemetry.sdk.resources import SERVICE_NAME, Resource
from opentelemetry.sdk.trace import Event, ReadableSpan, TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor, SpanExportResult
from opentelemetry.sdk.trace.id_generator import RandomIdGenerator
from opentelemetry.trace import Status

from metrics.telemetry.spans import SCOPE, Telemetry
from metrics.telemetry.trace_ids import ids_to_use


class RunIds(RandomIdGenerator):
    """Generates the ids that `trace_ids` derives for the spans of a run, and random ids for all other spans."""

    def generate_span_id(self) -> int:
        """Return the span id set by `trace_ids.using_ids`, else a random one."""
        span = ids_to_use()
        return span.span_id if span else super().generate_span_id()

    def generate_trace_id(self) -> int:
        """Return the trace id set by `trace_ids.using_ids`, else a random one."""
        span = ids_to_use()
        return span.trace_id if span else super().generate_trace_id()


class RedactingExporter(OTLPSpanExporter):
    """Redacts secrets in the spans of libraries. Those of MCP contain texts of errors, which may quote arguments."""

    def __init__(self, redact: Callable[[str], str]) -> None:
        super().__init__()
        self._redact = redact

    def export(self, spans: Sequence[ReadableSpan]) -> SpanExportResult:
        """Send spans. Our own are redacted already."""
        return super().export([span if _is_ours(span) else self._without_secrets(span) for span in spans])

    def _without_secrets(self, span: ReadableSpan) -> ReadableSpan:
        events = [Event(event.name, self._words_of(event.attributes), event.timestamp) for event in span.events]
        description = span.status.description
        return ReadableSpan(
            name=span.name,
            context=span.context,
            parent=span.parent,
            resource=span.resource,
            attributes=self._words_of(span.attributes),
            events=events,
            links=span.links,
            kind=span.kind,
            status=Status(span.status.status_code, self._redact(description)) if description else span.status,
            start_time=span.start_time,
            end_time=span.end_time,
            instrumentation_scope=span.instrumentation_scope,
        )

    def _words_of(self, attributes: Mapping[str, Any] | None) -> dict[str, Any]:
        return {name: self._without(value) for name, value in (attributes or {}).items()}

    def _without(self, value: Any) -> Any:
        """Redact the value of an attribute: a text, a number, or a sequence of these."""
        if isinstance(value, str):
            return self._redact(value)
        return [self._without(one) for one in value] if isinstance(value, list | tuple) else value


def _is_ours(span: ReadableSpan) -> bool:
    return span.instrumentation_scope is not None and span.instrumentation_scope.name == SCOPE


@contextmanager
def open_telemetry(*, latest: bool = False, as_global: bool = True, redact: Callable[[str], str] = str) -> Iterator[Telemetry]:
    """Yield a sink that exports by OTLP over HTTP. After the block it sends what is left, for at most 5 s.

    Endpoint, headers and service name come from `OTEL_EXPORTER_OTLP_ENDPOINT`, `…_HEADERS` and `OTEL_SERVICE_NAME`. `as_global`:
    also export the spans of libraries such as MCP. `redact` removes the secrets in texts that came from elsewhere.
    """
    found = Resource.create()  # from the environment
    unnamed = str(found.attributes.get(SERVICE_NAME, "")).startswith("unknown_service")
    resource = found.merge(Resource({SERVICE_NAME: "jiritsu"})) if unnamed else found
    tracers = TracerProvider(resource=resource, id_generator=RunIds(), shutdown_on_exit=False)
    tracers.add_span_processor(BatchSpanProcessor(RedactingExporter(redact)))
    meters = MeterProvider([PeriodicExportingMetricReader(OTLPMetricExporter())], resource=resource, shutdown_on_exit=False)
    if as_global:
        trace.set_tracer_provider(tracers)
        metrics.set_meter_provider(meters)
    try:
        yield Telemetry(tracers, meters, latest=latest, redact=redact)
    finally:
        tracers.force_flush(5000)
        tracers.shutdown()
        meters.shutdown(5000)
