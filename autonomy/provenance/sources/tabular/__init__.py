"""Rows and columns of what was read: records, tables in text, captions."""
