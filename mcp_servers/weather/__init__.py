"""MCP server `weather`: forecasts for Japan; needs only `mcp`."""
