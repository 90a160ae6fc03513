"""Schedules: when a job is due, each tick handled once, and alerts about them."""
