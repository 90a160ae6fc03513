"""MCP server `slack`: a team's channels, threads and people, over Slack's Web API or an unpacked Slack export."""
