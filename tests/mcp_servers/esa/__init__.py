"""Tests of the MCP server `esa`."""
