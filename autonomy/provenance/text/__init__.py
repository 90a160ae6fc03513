"""Reads facts, days and sentences out of texts."""
