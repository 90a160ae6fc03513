"""Converts other agents' traces into our events, so that they are measured like our own runs."""
