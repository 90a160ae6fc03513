"""Identifies the gateway's clients, and what each may use."""
