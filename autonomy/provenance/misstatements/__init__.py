"""Finds sentences that have a source but misstate it."""
