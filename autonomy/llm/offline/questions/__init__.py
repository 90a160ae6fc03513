"""Reads what is asked: a goal in words, and what is recognised in it."""
