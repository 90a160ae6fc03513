"""Reads servers files: formats of all hosts, variables and trust."""
