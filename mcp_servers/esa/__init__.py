"""MCP server `esa`: a team's posts, over esa's API or a local directory of Markdown files."""
