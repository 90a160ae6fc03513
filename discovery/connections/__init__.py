"""Maintains the connection to each server, its listings, and its requests."""
