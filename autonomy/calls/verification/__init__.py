"""Verifies writes: the effect ledger, read-back and look-up."""
