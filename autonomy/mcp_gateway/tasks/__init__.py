"""Tasks of MCP for clients of the gateway: runs they ordered, and calls of which a server made a task."""
