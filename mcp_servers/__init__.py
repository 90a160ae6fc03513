"""MCP servers that stand alone: each folder is a program of its own that imports nothing of the host and no other server."""
