"""Tests of `metrics`: the journal, the measures, the reports, telemetry."""
