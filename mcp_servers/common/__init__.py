"""Where results go: rows into a Google sheet, a direct message into Slack, as an MCP server that stands alone."""
