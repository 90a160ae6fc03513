"""Runs that survive: the DBOS engine, workflows, schedules, approvals and workers."""
