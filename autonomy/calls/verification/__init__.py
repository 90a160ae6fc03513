"""Verifies writes: the effect ledger, read-back, look-up, and what calls show of effects."""
