"""Runs that survive: engine, ledger, approvals, schedules, workers."""
