"""The weather of Japan as an MCP server: a folder that runs wherever it is moved, with only `mcp` installed."""
