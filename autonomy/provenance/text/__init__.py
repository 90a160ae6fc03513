"""Extracts facts, days and sentences from texts."""
