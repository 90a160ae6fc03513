"""Decides whether a call may happen: operator rules, a job's envelope, and data flow."""
