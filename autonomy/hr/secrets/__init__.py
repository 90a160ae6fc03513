"""Credentials of HR vendors: encryption, renewal and locking."""
