"""Credentials of HR vendors: encrypted, refreshed once, lent to one execution at a time."""
