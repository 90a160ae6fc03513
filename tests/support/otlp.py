"""A real OTLP receiver on loopback: takes what any exporter sends over HTTP and decodes the protobuf."""

import gzip
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from opentelemetry.proto.collector.metrics.v1.metrics_service_pb2 import ExportMetricsServiceRequest
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest

from tests.support.loopback_server import LoopbackHandler, LoopbackServer


@dataclass
class Receiver:
    """What was received."""

    port: int = 0
    traces: list[ExportTraceServiceRequest] = field(default_factory=list)
    metrics: list[ExportMetricsServiceRequest] = field(default_factory=list)

    @property
    def spans(self) -> list[Any]:
        """All spans, of all requests."""
        return [
            span for request in self.traces for one in request.resource_spans for scope in one.scope_spans for span in scope.spans
        ]

    @property
    def data(self) -> dict[str, Any]:
        """Metric by name; the last one received stands."""
        received = [one for request in self.metrics for one in request.resource_metrics]
        return {metric.name: metric for one in received for scope in one.scope_metrics for metric in scope.metrics}

    @property
    def resource(self) -> dict[str, Any]:
        """What the first request says of its sender."""
        return attributes(self.traces[0].resource_spans[0].resource)


def attributes(bearer: Any) -> dict[str, Any]:
    """A span's, event's or resource's attributes as plain values."""
    return {pair.key: _plain(pair.value) for pair in bearer.attributes}


def _plain(value: Any) -> Any:
    kind = value.WhichOneof("value")
    return [_plain(one) for one in value.array_value.values] if kind == "array_value" else getattr(value, kind)


@contextmanager
def otlp_receiver() -> Iterator[Receiver]:
    """Listens until the end of the block."""
    received = Receiver()
    kinds = {
        "/v1/traces": (ExportTraceServiceRequest, received.traces),
        "/v1/metrics": (ExportMetricsServiceRequest, received.metrics),
    }

    class Handler(LoopbackHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["content-length"]))
            if self.headers.get("content-encoding") == "gzip":
                body = gzip.decompress(body)
            kind, store = kinds[self.path]
            store.append(kind.FromString(body))  # type: ignore[attr-defined]  # either list takes its own kind
            self.answer(200, headers={"content-type": "application/x-protobuf"})

    with LoopbackServer(Handler) as server:
        received.port = server.port
        yield received
