"""Standalone MCP servers: each folder imports neither the host nor another server."""
