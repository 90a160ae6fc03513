"""Servers that nobody wrote with the judge in mind, and what a model may make of their answers."""
