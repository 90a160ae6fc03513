"""Derives figures from others: counted, added, compared, rounded, or shown in the text."""
