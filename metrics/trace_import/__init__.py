"""Traces of other agents, read into our events, so that they are measured and reported like our own runs."""
