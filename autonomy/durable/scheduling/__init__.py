"""Schedules: due times, ticks handled once, and alerts."""
