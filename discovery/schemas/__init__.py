"""Handles JSON Schemas of tools: their faults, vendor subsets, and argument checks."""
