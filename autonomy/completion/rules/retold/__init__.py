"""Holds what a text retells against the messages that it retells: who did it, and what they told of it."""
