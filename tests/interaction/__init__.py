"""Promises end to end, in process."""
