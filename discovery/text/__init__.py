"""Handles texts: search terms, token estimates, redaction, near names, stack traces, data files."""
