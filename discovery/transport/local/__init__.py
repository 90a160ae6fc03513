"""Runs servers as processes on this machine: start, messages, log, end."""
