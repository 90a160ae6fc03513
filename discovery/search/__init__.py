"""Searches tools, chooses those for a model, and finds fallback tools."""
