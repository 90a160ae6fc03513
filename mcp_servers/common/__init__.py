"""MCP server `common`: rows into Google Sheets, direct messages into Slack."""
