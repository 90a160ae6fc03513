"""Tests of the MCP server `slack`."""
