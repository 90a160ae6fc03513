"""Serializes, compresses and copies stored data."""
