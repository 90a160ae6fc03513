"""Tests of the offline planner, each a conversation with a few tools."""
