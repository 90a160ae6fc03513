"""Credentials of HR vendors: encryption, refresh, and exclusive use."""
