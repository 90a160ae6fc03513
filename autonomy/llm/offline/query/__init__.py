"""Answers questions that count, add, rank or compare what tools list."""
