"""Durable runs: the DBOS engine, workflows, schedules, approvals and workers."""
