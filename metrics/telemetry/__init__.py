"""OpenTelemetry and Prometheus."""
