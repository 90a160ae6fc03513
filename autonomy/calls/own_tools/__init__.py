"""The host's own tools, which no server provides."""
