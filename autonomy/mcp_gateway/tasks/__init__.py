"""MCP tasks for clients of the gateway: runs they started, and tasks of servers."""
