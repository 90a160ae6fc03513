"""The official conformance suite against our connection layer and servers: `python -m tests.conformance` (see docs/conformance.md)."""
