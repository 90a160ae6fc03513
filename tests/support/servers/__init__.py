"""Servers to test against: sound ones, broken ones and hostile ones. The stdio ones use the standard library alone and start fast."""
