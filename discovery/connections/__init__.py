"""Keeps the connection to each server, what it lists, and what it asks."""
