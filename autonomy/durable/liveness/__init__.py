"""Process liveness: name locks, and stalled holders of SQLite's write lock."""
