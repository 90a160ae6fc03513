"""Sets up OTLP exporters from the standard `OTEL_…` variables.

Imported by the host when an endpoint is configured; nothing else imports the SDK.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from opentelemetry import metrics, trace
from opentelemetry.exporter.otlp.proto.http.metric_exporter import OTLPMetricExporter
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.sdk.metrics import MeterProvider
from opentelemetry.sdk.metrics.export import PeriodicExportingMetricReader
from opentelemetry.sdk.resources import SERVICE_NAME, Resource
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor
from opentelemetry.sdk.trace.id_generator import RandomIdGenerator

from metrics.telemetry.spans import Telemetry
from metrics.telemetry.trace_ids import given


class RunIds(RandomIdGenerator):
    """The ids a run's spans must have, and random ones for everyone else's."""

    def generate_span_id(self) -> int:
        """The given span's id, else a random one."""
        span = given()
        return span.span_id if span else super().generate_span_id()

    def generate_trace_id(self) -> int:
        """The given span's trace, else a random one."""
        span = given()
        return span.trace_id if span else super().generate_trace_id()


@contextmanager
def open_telemetry(*, latest: bool = False, as_global: bool = True, redact: Callable[[str], str] = str) -> Iterator[Telemetry]:
    """A sink that exports by OTLP over HTTP until the end of the block, then sends what is left (5 s at most).

    Endpoint, headers and service name come from `OTEL_EXPORTER_OTLP_ENDPOINT`, `…_HEADERS`, `OTEL_SERVICE_NAME`. `as_global`:
    MCP's own spans go the same way. `redact` hides the secrets in words that came from elsewhere.
    """
    # what the environment says of this process; `jiritsu` where it gives no service name
    found = Resource.create()
    unnamed = str(found.attributes.get(SERVICE_NAME, "")).startswith("unknown_service")
    resource = found.merge(Resource({SERVICE_NAME: "jiritsu"})) if unnamed else found
    tracers = TracerProvider(resource=resource, id_generator=RunIds(), shutdown_on_exit=False)
    tracers.add_span_processor(BatchSpanProcessor(OTLPSpanExporter()))
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
