"""Runs that try to pass for finished ones, and unusual ones that are: what the verdict has to tell apart."""
