"""Splits a call into its values, and finds where each goes and where each came from."""
