"""Which processes are alive, and who holds a lock while stopped."""
